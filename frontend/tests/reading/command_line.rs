//! `main` and its command line.

use super::support::*;
use gridlock_frontend::{Language, ParseOptions, parse_source};

/// What becomes of `main` when it is given these arguments.
fn read(argv: &str, body: &str) -> Result<String, String> {
    let text = format!(
        "#include <stdlib.h>\n#include <string.h>\n__global__ void k(int *a) {{ a[0] = 1; }}\n\
         int main(int argc, char **argv) {{\n{body}\n}}"
    );
    let options = ParseOptions {
        argv: argv.split_whitespace().map(str::to_owned).collect(),
        ..ParseOptions::default()
    };
    let parsed =
        parse_source("test", &text, Language::Cuda, &options).map_err(|e| e.to_string())?;
    if let Some(lost) = parsed.unsupported.first() {
        return Err(format!("{}: {}", lost.line, lost.message));
    }
    Ok(squeezed(&operators(&parsed, "main")))
}

fn check(argv: &str, body: &str, expected: &str) {
    let found = read(argv, body).unwrap_or_else(|lost| lost);
    assert!(found.contains(expected), "{argv}: {body}\n{found}");
}

#[test]
fn numbers_and_texts_are_known_while_reading() {
    check("12 x", "return atoi(argv[1]) + argc;", "result = 12 + 3;");
    check("0x1f", "return strtol(argv[1], NULL, 0);", "result = 31;");
    check(
        "-n 3",
        "return strcmp(argv[1], \"-n\") == 0;",
        "result = 1;",
    );
    check("", "return argc > 1 ? atoi(argv[1]) : 7;", "result = 7;");
}

#[test]
fn what_is_not_given_is_said_to_be_missing() {
    check(
        "5",
        "return atoi(argv[2]);",
        "5: `argv[2]`, which is not given (--argv '…')",
    );
    check(
        "5",
        "int n = 0; for (int i = 0; i < argc; i++) n += atoi(argv[i]); return n;",
        "5: an argument of the command line that varies",
    );
}

#[test]
fn where_a_program_ends_outside_main_nothing_is_decided() {
    let text = "#include <stdlib.h>\nvoid f(int n) { if (n < 0) exit(n); }\n\
                __global__ void k(int *a) { a[0] = 1; }";
    let found = squeezed(&operators(&parse(text, Language::Cuda), "f"));
    assert!(found.contains("beyond"), "{found}");
}
