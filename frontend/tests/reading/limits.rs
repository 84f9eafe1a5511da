//! clang as a child with limits, and what is nested too deeply.

use crate::reading::support::parse;
use gridlock_frontend::{
    ErrorKind, FrontendError, Language, ParseOptions, ReadLimits, parse_file, parse_source,
};
use gridlock_generation::effort;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

fn error(text: &str, language: Language) -> FrontendError {
    let options = ParseOptions::default();
    parse_source("test.cu", text, language, &options).expect_err("refused")
}

fn error_within(text: &str, seconds: f64) -> FrontendError {
    let options = ParseOptions {
        limits: ReadLimits {
            seconds,
            bytes: 1 << 30,
        },
        ..ParseOptions::default()
    };
    let started = Instant::now();
    let error = parse_source("test.cu", text, Language::Cuda, &options).err();
    let error = error.expect("refused");
    let most = Duration::from_secs_f64(seconds) + Duration::from_secs(20);
    assert!(started.elapsed() < most, "{:?}", started.elapsed());
    error
}

/// An expression says where it begins, however deep it is; statements where the innermost stands.
#[test]
fn what_is_nested_too_deeply_has_a_place() {
    let sum = |n: usize| {
        format!(
            "int f(int x) {{\n  int y = x; return {}x;\n}}",
            "x + ".repeat(n)
        )
    };
    for n in [400, 2_000, 6_000] {
        let e = error(&sum(n), Language::C);
        assert_eq!(e.kind, ErrorKind::Unsupported);
        assert_eq!(e.message, "an expression nested this deeply");
        assert_eq!(
            (e.file.as_str(), e.line, e.column),
            ("test.cu", 2, 21),
            "{n}"
        );
    }
    parse(&sum(150), Language::C);
    let macros = format!(
        "#define SUM {}1\nint f(void) {{\n  return SUM;\n}}",
        "1 + ".repeat(3_000)
    );
    let e = error(&macros, Language::C);
    assert_eq!((e.line, e.column), (3, 10), "where the macro is used: {e}");
    let n = 200;
    let blocks = format!(
        "void f(void) {{\n{}{}}}",
        "if (1) {".repeat(n),
        "}".repeat(n)
    );
    let e = error(&blocks, Language::C);
    assert_eq!((e.kind, e.line), (ErrorKind::Unsupported, 2), "{e}");
}

#[test]
fn macros_that_double_end_at_a_limit() {
    let mut text = "#define A0 1 +\n".to_owned();
    for n in 1..=26 {
        text += &format!("#define A{n} A{} A{}\n", n - 1, n - 1);
    }
    let e = error_within(&(text + "int x = A26 1;\n"), 4.0);
    assert_eq!(
        (e.kind, e.file.as_str()),
        (ErrorKind::Limit, "test.cu"),
        "{e}"
    );
    assert!(
        e.message.starts_with("limit reached: clang needs more"),
        "{e}"
    );
}

#[test]
fn templates_that_double_end_at_a_limit() {
    let text = "template <int N, int M> struct A { A<N - 1, 2 * M> a; A<N - 1, 2 * M + 1> b; };\n\
                template <int M> struct A<0, M> { int x; };\nA<26, 1> bomb;\n";
    let e = error_within(text, 4.0);
    assert_eq!(e.kind, ErrorKind::Limit, "{e}");
}

/// To open a pipe is to wait for somebody to write into it.
#[test]
fn an_included_pipe_ends_at_a_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.h");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let e = error_within(&format!("#include \"{}\"\n", pipe.display()), 2.0);
    assert_eq!(e.kind, ErrorKind::Limit, "{e}");
}

/// A program that stands for clang.
fn stand_in(folder: &Path, script: &str) -> ParseOptions {
    let path = folder.join("clang");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
    ParseOptions {
        clang: Some(path),
        limits: ReadLimits {
            seconds: 3.0,
            ..ReadLimits::default()
        },
        ..ParseOptions::default()
    }
}

#[test]
fn a_compiler_that_hangs_is_stopped_with_what_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let pid = folder.path().join("pid");
    // It tells its own child's number through a file made before its limits: a link is no writing.
    let script = format!("sleep 1000 & ln -s $! '{}'; wait", pid.display());
    let options = stand_in(folder.path(), &script);
    let e = parse_source("t.cu", "", Language::Cuda, &options).expect_err("it hangs");
    assert_eq!(e.kind, ErrorKind::Limit, "{e}");
    assert!(e.message.contains("more than 3 s"), "{e}");
    let child = std::fs::read_link(&pid).expect("its child was started");
    let stat = Path::new("/proc").join(child).join("stat");
    let is_gone = || std::fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
    let gone = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        is_gone()
    });
    assert!(gone, "{}", stat.display());
}

#[test]
fn a_compiler_that_talks_without_end_is_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    for script in [
        "exec yes ' '",
        "exec yes 0",
        "exec yes >&2",
        "exec yes ' [ '",
    ] {
        if !effort::is_next_done(3) {
            continue;
        }
        let options = stand_in(folder.path(), script);
        let e = parse_source("t.cu", "", Language::Cuda, &options).expect_err("no tree");
        let is_refused = matches!(e.kind, ErrorKind::Limit | ErrorKind::Unsupported);
        assert!(is_refused, "{script}: {e}");
    }
}

/// The working directory of the test is that of the package.
#[test]
fn a_compiler_in_the_working_directory_is_not_taken() {
    let folder = tempfile::tempdir_in(".").expect("a folder");
    let here = std::env::current_dir().expect("a working directory");
    let name = folder
        .path()
        .strip_prefix(here)
        .expect("below it")
        .to_owned();
    let options = stand_in(&name, "echo '{}'");
    assert!(
        options
            .clang
            .as_ref()
            .is_some_and(|path| path.is_relative())
    );
    let e = parse_source("t.cu", "", Language::Cuda, &options).expect_err("refused");
    assert_eq!(e.kind, ErrorKind::Clang);
    assert!(e.message.starts_with("no clang found"), "{e}");
}

#[test]
fn a_crash_of_clang_is_told() {
    let e = error("#pragma clang __debug crash\nint x;\n", Language::Cuda);
    assert_eq!(
        (e.kind, e.file.as_str()),
        (ErrorKind::Clang, "test.cu"),
        "{e}"
    );
    assert!(e.message.contains("crashes"), "{e}");
}

#[test]
fn devices_and_pipes_are_no_sources() {
    let options = ParseOptions {
        language: Some(Language::Cuda),
        ..ParseOptions::default()
    };
    let e = parse_file(Path::new("/dev/zero"), &options).expect_err("no file");
    assert_eq!(e.to_string(), "/dev/zero: cannot read: not a regular file");
}

#[test]
fn definitions_are_no_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = folder.path().join("written");
    let options = ParseOptions {
        defines: vec![(String::new(), None)],
        include_dirs: vec![format!("-stats-file={}", written.display()).into()],
        ..ParseOptions::default()
    };
    let e = parse_source("t.cu", "", Language::Cuda, &options).expect_err("no macro");
    assert_eq!(e.kind, ErrorKind::Options, "{e}");
    let options = ParseOptions {
        defines: Vec::new(),
        ..options
    };
    parse_source("t.cu", "int x;", Language::Cuda, &options).expect("a folder that is not there");
    assert!(!written.exists());
}

/// clang knows which standards there are, and for which language: what it says of one is about the option.
#[test]
fn a_standard_that_is_none_is_an_option_in_error() {
    for (standard, says) in [("64", "invalid value '64'"), ("c17", "not allowed with")] {
        let options = ParseOptions {
            standard: Some(standard.to_owned()),
            ..ParseOptions::default()
        };
        let e = parse_source("t.cu", "int x;", Language::Cuda, &options).expect_err("no standard");
        assert_eq!(e.kind, ErrorKind::Options, "{e}");
        let said = e.to_string();
        assert!(said.contains(&format!("--std `{standard}`")), "{said}");
        assert!(said.contains(says), "{said}");
    }
}
