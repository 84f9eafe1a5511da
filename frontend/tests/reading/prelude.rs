//! A file comes out the same whether clang reads the whole prelude or the parts that the file can name.

use crate::reading::support::sources;
use gridlock_frontend::scheme::print;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use std::path::Path;

/// A short run reads a file in so many.
const SHARE: usize = 173;

/// All that is said of a text: the program, what is left out, what is assumed; or the error.
fn said(text: &str, whole_prelude: bool) -> Result<String, String> {
    let options = ParseOptions {
        whole_prelude,
        ..ParseOptions::default()
    };
    let parsed = parse_source("test.cu", text, Language::Cuda, &options);
    let parsed = parsed.map_err(|error| format!("{error:?}"))?;
    // What the prelude declares and nobody names is no part of the program.
    let program = print(&parsed.program);
    let beside = format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        parsed.unsupported,
        parsed.notes,
        parsed.assumptions,
        parsed.launches,
        parsed.other_launches,
        parsed.fillable,
        parsed.asked
    );
    Ok(format!("{program}\n{}", without_file_numbers(&beside)))
}

/// How many files come before one depends on how many headers of ours do.
fn without_file_numbers(text: &str) -> String {
    let mut pieces = text.split("FileId(");
    let first = pieces.next().unwrap_or_default().to_owned();
    let rest = pieces.map(|piece| piece.split_once(')').map_or(piece, |(_, rest)| rest));
    rest.fold(first, |all, piece| all + "FileId" + piece)
}

#[test]
fn parts_of_it_are_as_good_as_all() {
    let mut files = Vec::new();
    for folder in ["../tests", "../benches", "../examples"] {
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut files,
        );
    }
    files.sort();
    assert!(files.len() > 800, "{} files", files.len());
    let chosen = files.iter().enumerate();
    let chosen = chosen.filter(|(number, _)| effort::is_done(*number, SHARE));
    let (mut n_read, mut wrong) = (0, Vec::new());
    for (_, file) in chosen {
        let text = std::fs::read_to_string(file).expect("read");
        let (some, all) = (said(&text, false), said(&text, true));
        n_read += usize::from(all.is_ok());
        if some != all {
            wrong.push(format!("{}:\n{some:?}\n{all:?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(SHARE * n_read > 500, "{n_read}");
}

/// What a file declares itself under a name of the prelude is what clang makes of it with all of the prelude.
#[test]
fn names_of_the_prelude_that_a_file_declares_are_read_with_it() {
    for text in [
        "__device__ int min(int a, int b) { return a - b; }\n__global__ void k(int *a) { a[0] = min(a[1], a[2]); }",
        "__device__ float floor(int x) { return x + 1; }\n__global__ void k(float *a) { a[0] = floor(3) + floor(2.5f); }",
        "struct float4 { float x; };\n__global__ void k(float4 *a) { a[0].x = 1; }",
        "namespace std { __device__ int twice(int x) { return 2 * x; } }\n__global__ void k(int *a) { a[0] = std::twice(1); }",
    ] {
        if !effort::is_next_done(3) {
            continue;
        }
        assert_eq!(said(text, false), said(text, true), "{text}");
    }
}
