//! Files, languages, places, and errors that concern the whole file.

use crate::reading::support::parse;
use gridlock_frontend::{
    Assumed, ErrorKind, FrontendError, Language, ParseOptions, parse_file, parse_source,
};
use gridlock_generation::effort;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use std::path::Path;

fn error(text: &str, language: Language) -> FrontendError {
    parse_source("test.cu", text, language, &ParseOptions::default()).expect_err("an error")
}

#[test]
fn syntax_errors_have_places() {
    let e = error(
        "__global__ void k(int *a)\n{\n  a[0] = ;\n}\n",
        Language::Cuda,
    );
    assert_eq!((e.kind, e.line, e.column), (ErrorKind::Syntax, 3, 10));
    assert_eq!(e.to_string(), "test.cu:3:10: expected expression");
    let e = error("void f(int *a) { a[0] = x; }", Language::C);
    assert_eq!((e.kind, e.line, e.column), (ErrorKind::Syntax, 1, 25));
    let options = ParseOptions {
        require_includes: true,
        ..ParseOptions::default()
    };
    let text = "#include <nowhere.h>\n";
    let e = parse_source("test.cu", text, Language::C, &options).expect_err("an error");
    assert_eq!((e.kind, e.line), (ErrorKind::Syntax, 1));
    assert!(e.message.contains("nowhere.h"), "{e}");
}

/// Host code uses libraries: a function that clang does not accept is left out, and nothing else.
#[test]
fn errors_in_host_code_leave_out_what_they_are_in() {
    let kernel = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n";
    let with = |host: &str| {
        let text = format!("{kernel}{host}\n");
        parse_source("test.cu", &text, Language::Cuda, &ParseOptions::default())
    };
    let parsed = with("void other() {}\nint main() { library::start(); other(); return 0; }");
    let parsed = parsed.expect("the kernel is read");
    let [lost] = parsed.unsupported.as_slice() else {
        panic!("{:?}", parsed.unsupported);
    };
    assert_eq!((&*lost.proc, lost.line, lost.column), ("main", 3, 14));
    let message = "what clang does not accept: use of undeclared identifier 'library'";
    assert_eq!(lost.message, message);
    assert!(parsed.program.find_proc("k").is_some());
    assert!(parsed.program.find_proc("other").is_some());
    // What is broken in a declaration, all host code may name.
    let parsed = with("void start(library x) {}\nvoid other() { start(1); }").expect("read");
    let lost: Vec<&str> = parsed.unsupported.iter().map(|u| &*u.proc).collect();
    assert_eq!(lost, ["start", "other"]);
    for (host, line, column) in [
        // Device code could name these.
        ("typedef library type;", 2, 9),
        ("struct s { library x; };", 2, 12),
        ("__device__ int f() { return library; }", 2, 29),
        ("const library y = 3;", 2, 7),
        // Mistakes, not libraries.
        ("int main() { return 1 + ; }", 2, 25),
        ("int main() { library x; void f() { } }", 2, 34),
    ] {
        if !effort::is_next_done(5) {
            continue;
        }
        let text = format!("__global__ void k(int *a) {{ a[threadIdx.x] = 1; }}\n{host}\n");
        let strict = ParseOptions {
            require_includes: true,
            ..ParseOptions::default()
        };
        let e = parse_source("test.cu", &text, Language::Cuda, &strict).expect_err(host);
        assert_eq!(
            (e.kind, e.line, e.column),
            (ErrorKind::Syntax, line, column),
            "{host}"
        );
        // What does not name them is read without them.
        let parsed = with(host).expect(host);
        assert!(parsed.program.find_proc("k").is_some(), "{host}");
        let assumed = &parsed.assumptions[0].assumed;
        let is_said = matches!(assumed, Assumed::NotAccepted { line: at, .. } if *at == line);
        assert!(is_said, "{host}: {assumed:?}");
    }
    // No kernel is there to be judged.
    let e = error("int main() { library::start(); }", Language::Cuda);
    assert_eq!((e.kind, e.line, e.column), (ErrorKind::Syntax, 1, 14));
}

#[test]
fn missing_and_foreign_files() {
    let options = ParseOptions::default();
    let e = parse_file(Path::new("no/such/file.cu"), &options).expect_err("no file");
    assert_eq!(
        (e.kind, e.file.as_str()),
        (ErrorKind::File, "no/such/file.cu")
    );
    let e = parse_file(Path::new("Cargo.toml"), &options).expect_err("no source");
    assert_eq!(e.kind, ErrorKind::File);
}

#[test]
fn no_clang() {
    let options = ParseOptions {
        clang: Some("/no/such/clang".into()),
        ..ParseOptions::default()
    };
    let e = parse_source("t", "", Language::C, &options).expect_err("no clang");
    assert_eq!(e.kind, ErrorKind::Clang);
    assert!(e.message.contains("/no/such/clang"), "{e}");
    assert!(e.message.contains("clang-19"), "{e}");
}

#[test]
fn a_clang_that_is_none() {
    let options = ParseOptions {
        clang: Some("false".into()),
        ..ParseOptions::default()
    };
    let e = parse_source("t", "", Language::C, &options).expect_err("no clang");
    assert_eq!(e.kind, ErrorKind::Clang);
}

#[test]
fn assembly_at_file_scope_concerns_the_file() {
    let e = error("int x;\nasm(\"nop\");\n", Language::C);
    assert_eq!((e.kind, e.line, e.column), (ErrorKind::Unsupported, 2, 1));
    assert_eq!(
        e.to_string(),
        "test.cu:2:1: not supported: inline assembly at file scope"
    );
}

#[test]
fn operators_know_their_places() {
    let parsed = parse(
        "#define PUT(x) a[0] = (x)\n__global__ void k(int *a, int n)\n{\n  if (n >\n      3)\n    PUT(n + 1);\n  __syncthreads();\n  for (int i = 0; i < n; i++)\n    a[i] = atomicAdd(a,\n      1);\n}\n",
        Language::Cuda,
    );
    let place = |wanted: &dyn Fn(&OpKind) -> bool| {
        let all = parsed.program.operators();
        let (_, op) = all
            .into_iter()
            .find(|(_, op)| wanted(&op.kind))
            .expect("found");
        (
            op.span.line,
            op.span.column,
            op.span.end_line,
            op.span.end_column,
        )
    };
    assert_eq!(place(&|k| matches!(k, OpKind::If { .. })), (4, 3, 5, 8));
    // What a macro made stands where the macro was used.
    assert_eq!(
        place(&|k| matches!(k, OpKind::Basic(Basic::Store { .. }))),
        (6, 5, 6, 8)
    );
    assert_eq!(
        place(&|k| matches!(k, OpKind::Basic(Basic::Barrier { .. }))),
        (7, 3, 7, 18)
    );
    assert_eq!(
        place(&|k| matches!(k, OpKind::While { .. })),
        (8, 19, 8, 24)
    );
    assert_eq!(
        place(&|k| matches!(k, OpKind::Basic(Basic::Atomic { .. }))),
        (9, 12, 10, 9)
    );
    assert_eq!(
        parsed.program.file_name(parsed.program.procs[0].span),
        "test"
    );
}

#[test]
fn included_files_and_definitions() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(
        dir.path().join("part.h"),
        "__device__ int f(int x)\n{ return x + N; }\n",
    )
    .expect("written");
    let path = dir.path().join("main.cu");
    std::fs::write(
        &path,
        "// gridlock: define = N=5\n#include \"part.h\"\n__global__ void k(int *a) { a[0] = f(1); }\n",
    )
    .expect("written");
    let parsed = parse_file(&path, &ParseOptions::default()).expect("it parses");
    assert_eq!(parsed.headers.len(), 1);
    let f = parsed.program.find_proc("f").expect("f");
    let span = parsed.program.proc(f).span;
    assert!(parsed.program.file_name(span).ends_with("part.h"));
    assert_eq!(span.line, 1);
    assert_eq!(
        parsed.program.files[0].name.as_ref(),
        path.to_str().expect("utf-8")
    );
    assert!(parsed.program.files[0].text.contains("include"));
}

#[test]
fn output_is_noted() {
    let parsed = parse(
        "#include <stdio.h>\n__global__ void k(int *a) {\n  printf(\"%d\", a[0]);\n}",
        Language::Cuda,
    );
    assert_eq!(parsed.notes.len(), 1);
    assert_eq!(
        (parsed.notes[0].span.line, parsed.notes[0].span.column),
        (3, 3)
    );
}
