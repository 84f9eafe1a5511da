//! Whether a file may name one of the intrinsics that `gridlock_integer.h` composes. clang needs time for these
//! functions, so only such files include the header. The test errs on the safe side: a file that might name one in an
//! unusual way includes the header too.

use super::stand_ins::{self, INTEGER};
use crate::request::ParseOptions;

/// The functions of the header, with the parts that several have in common.
fn names() -> impl Iterator<Item = &'static str> {
    INTEGER.lines().filter_map(|line| {
        let declared = line.strip_prefix("INTRINSIC ")?.split_once('(')?.0;
        declared.rsplit_once(' ').map(|(_, name)| name)
    })
}

/// Whether a file with this text may name one of them.
pub(crate) fn may_be_named(text: &str, options: &ParseOptions) -> bool {
    let defined = options
        .defines
        .iter()
        .filter_map(|(_, value)| value.as_ref());
    let given = defined.chain(&options.instantiate).map(String::as_str);
    is_named_in(text)
        || given.into_iter().any(is_named_in)
        || text.lines().any(|line| includes_others(line, options))
}

/// Names made of parts (`##`, by any of its spellings), or spelled by numbers, could be any.
fn is_named_in(text: &str) -> bool {
    let makes_names = ["##", "%:", "\\u", "\\U"];
    let joined = text.replace("\\\r\n", "").replace("\\\n", "");
    makes_names.iter().any(|word| joined.contains(word))
        || names().any(|name| joined.contains(name))
}

/// Whether a line may include what is no stand-in header: its text is not known here.
fn includes_others(line: &str, options: &ParseOptions) -> bool {
    if !line.contains("include") && !line.contains("import") {
        return false;
    }
    let directive = line.trim().strip_prefix('#').map(str::trim_start);
    let named = directive.and_then(|line| line.strip_prefix("include"));
    let named = named.and_then(|line| line.trim().strip_prefix('<')?.strip_suffix('>'));
    let is_ours = |name: &str| stand_ins::files().iter().any(|(known, _)| known == name);
    !(options.include_dirs.is_empty() && named.is_some_and(is_ours))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        let found = may_be_named(text, &ParseOptions::default());
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_names_are_those_of_the_header() {
        let all: Vec<&str> = names().collect();
        for name in [
            "__mulhi",
            "__umul64hi",
            "__dp4a",
            "__funnelshift_lc",
            "gridlock_joined",
        ] {
            assert!(all.contains(&name), "{name} in {all:?}");
        }
        assert!(
            all.iter()
                .all(|name| name.contains("__") || name.starts_with("gridlock_"))
        );
    }

    #[test]
    fn files_that_cannot_name_them_are_told_apart() {
        check(
            "#include <stdio.h>\n# include <cuda_runtime.h>\n__global__ void k() {}",
            false,
        );
        check("printf(\"%d\\n\", __popc(x));", false);
        check("x = __mulhi(a, b);", true);
        check("x = __mul\\\nhi(a, b);", true);
        check("x = __mul\\\r\nhi(a, b);", true);
        check("#define NAME(a) __##a", true);
        check("#define NAME(a) __%:%:a", true);
        check("x = \\u005f\\u005fmulhi(a, b);", true);
        check("#include \"stdio.h\"", true);
        check("#include <mine.h>", true);
        check("#include NAME", true);
        check("#/* */include <stdio.h>", true);
        check("#import <stdio.h>", true);
    }

    #[test]
    fn options_may_name_them_too() {
        let plain = "#include <stdio.h>\nx = HIGH(a, b);";
        let defines = vec![("HIGH".to_owned(), Some("__mulhi".to_owned()))];
        let defining = ParseOptions {
            defines,
            ..ParseOptions::default()
        };
        assert!(may_be_named(plain, &defining));
        let elsewhere = ParseOptions {
            include_dirs: vec!["headers".into()],
            ..ParseOptions::default()
        };
        assert!(may_be_named(plain, &elsewhere));
        let instance = ParseOptions {
            instantiate: vec!["k<__mulhi>".to_owned()],
            ..ParseOptions::default()
        };
        assert!(may_be_named(plain, &instance));
    }
}
