//! Checks of what is passed on to clang: no name or text of the user becomes an option of clang.

use crate::error::{ErrorKind, FrontendError};
use crate::request::ParseOptions;

/// Refuses malformed definitions and names of standards.
pub(super) fn check(options: &ParseOptions) -> Result<(), FrontendError> {
    let wrong = |message: String| Err(FrontendError::new(ErrorKind::Options, message));
    for (name, value) in &options.defines {
        if !is_macro(name) {
            return wrong(format!("-D `{}`: no name of a macro", name.escape_debug()));
        }
        let is_line = |text: &String| !text.contains(char::is_control);
        if !value.as_ref().is_none_or(is_line) {
            return wrong(format!("-D {name}: a macro is one line of text"));
        }
    }
    let is_dialect = |text: &String| {
        let of_dialects = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | ':');
        !text.is_empty() && text.chars().all(of_dialects)
    };
    match &options.standard {
        Some(standard) if !is_dialect(standard) => {
            wrong(format!("--std `{}`: no dialect", standard.escape_debug()))
        }
        _ => Ok(()),
    }
}

/// A name, with its parameters maybe.
fn is_macro(text: &str) -> bool {
    let of_names = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let (name, parameters) = match text.find('(') {
        Some(at) => text.split_at(at),
        None => (text, "()"),
    };
    let inside = parameters
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let is_name = name.starts_with(|c: char| of_names(c) && !c.is_numeric());
    let are_parameters = |inside: &str| {
        inside
            .chars()
            .all(|c| of_names(c) || matches!(c, ',' | ' ' | '.'))
    };
    is_name && name.chars().all(of_names) && inside.is_some_and(are_parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_define(name: &str, value: Option<&str>, is_fine: bool) {
        let options = ParseOptions {
            defines: vec![(name.to_owned(), value.map(str::to_owned))],
            ..ParseOptions::default()
        };
        assert_eq!(check(&options).is_ok(), is_fine, "{name:?} {value:?}");
    }

    fn check_standard(standard: &str, is_fine: bool) {
        let options = ParseOptions {
            standard: Some(standard.to_owned()),
            ..ParseOptions::default()
        };
        assert_eq!(check(&options).is_ok(), is_fine, "{standard:?}");
    }

    #[test]
    fn definitions_are_names_and_lines() {
        check_define("N", Some("64"), true);
        check_define("_n", None, true);
        check_define("MIN(a, b)", Some("((a) < (b) ? (a) : (b))"), true);
        check_define("LOG(...)", Some(""), true);
        check_define("TYPE", Some("unsigned @x -y"), true);
        // `-D` alone would take the next argument for its own.
        check_define("", None, false);
        check_define("", Some("1"), false);
        check_define("-stats-file", Some("x"), false);
        check_define("@file", None, false);
        check_define("3", None, false);
        check_define("A B", None, false);
        check_define("F(", None, false);
        check_define("N", Some("1\n#include \"x\""), false);
    }

    #[test]
    fn dialects_are_words() {
        check_standard("c++20", true);
        check_standard("gnu17", true);
        check_standard("iso9899:1999", true);
        check_standard("", false);
        check_standard("c++17 -fplugin=x", false);
        check_standard("@file", false);
    }
}
