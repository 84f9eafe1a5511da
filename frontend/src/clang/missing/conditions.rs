//! Directives of a file, and the conditions among them that a missing header may decide: those that test a macro
//! which neither the text nor clang defines before.

use super::lexer::Lexed;
use super::preprocessed::Preprocessed;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

/// A line of the preprocessor's.
#[derive(Clone, Debug)]
pub(super) struct Directive {
    /// Its first word: `ifdef`.
    pub word: String,
    /// The tokens behind that word.
    pub tokens: Range<usize>,
    /// Its first and last line.
    pub lines: (u32, u32),
}

/// Definitions of macros by the text, each with its parameters and the tokens of its body.
pub(super) type Macros = BTreeMap<String, Vec<(Vec<String>, Vec<String>)>>;

/// From an `#if` to its `#endif`, where a missing header may decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    /// The first and the last line.
    pub lines: (u32, u32),
    /// The macro that is tested.
    pub name: String,
    /// The line of the test.
    pub line: u32,
}

/// Macros that a compiler or a system defines, and no header of a library.
const OF_COMPILERS: [&str; 30] = [
    "WIN32",
    "_WIN32",
    "_WIN64",
    "__WIN32__",
    "__CYGWIN__",
    "__MINGW32__",
    "__MINGW64__",
    "_MSC_VER",
    "__APPLE__",
    "__MACH__",
    "__ANDROID__",
    "__FreeBSD__",
    "__INTEL_COMPILER",
    "__ICC",
    "__PGI",
    "__PGIC__",
    "__NVCOMPILER",
    "__HIPCC__",
    "__HIP__",
    "__HIP_DEVICE_COMPILE__",
    "__SYCL_DEVICE_ONLY__",
    "__CUDACC_RTC__",
    "__CUDACC_DEBUG__",
    "__OPENCL_VERSION__",
    "__OPENCL_C_VERSION__",
    "_OPENMP",
    "_OPENACC",
    "__aarch64__",
    "__arm__",
    "__powerpc__",
];

/// What clang answers itself, whatever was included.
const ANSWERED: [&str; 7] = [
    "__has_attribute",
    "__has_builtin",
    "__has_feature",
    "__has_extension",
    "__has_cpp_attribute",
    "__has_c_attribute",
    "__has_declspec_attribute",
];

const OPERATORS: [&str; 7] = ["defined", "true", "false", "and", "or", "not", "xor"];

/// The directives of a file.
pub(super) fn directives(lexed: &Lexed) -> Vec<Directive> {
    let tokens = &lexed.tokens;
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let logical = tokens[at].logical;
        let length = tokens[at..]
            .iter()
            .take_while(|t| t.logical == logical)
            .count();
        let line = at..at + length;
        if tokens[at].text == "#" {
            let word = tokens[line.clone()].get(1);
            found.push(Directive {
                word: word.map_or(String::new(), |word| word.text.clone()),
                tokens: (at + 2).min(line.end)..line.end,
                lines: lexed.lines.get(logical).copied().unwrap_or_default(),
            });
        }
        at = line.end;
    }
    found
}

/// Adds the macros that a file defines.
pub(super) fn note_macros(lexed: &Lexed, directives: &[Directive], macros: &mut Macros) {
    for directive in directives.iter().filter(|d| d.word == "define") {
        let tokens: Vec<String> = lexed.tokens[directive.tokens.clone()]
            .iter()
            .map(|t| t.text.clone())
            .collect();
        let Some((name, rest)) = tokens.split_first() else {
            continue;
        };
        // What is in the first parentheses may be parameters; that the body may begin with them makes no difference
        // to the names below, of which there are then fewer known ones.
        let end = rest.iter().position(|t| t == ")");
        let (parameters, body) = match (rest.first().map(String::as_str), end) {
            (Some("("), Some(end)) if is_plain(&rest[..end]) => (&rest[1..end], &rest[end + 1..]),
            _ => (&[][..], rest),
        };
        let definition = (parameters.to_vec(), body.to_vec());
        macros.entry(name.clone()).or_default().push(definition);
    }
}

/// Whether parentheses hold names and commas alone.
fn is_plain(tokens: &[String]) -> bool {
    let mut inside = tokens.iter().skip(1);
    inside.all(|t| super::chunks::is_name(t) || t == "," || t == "...")
}

/// A group of directives from `#if` to `#endif`.
struct Group {
    /// Indices of `#if`, `#elif` and `#else`.
    branches: Vec<usize>,
    end: usize,
}

fn groups(directives: &[Directive]) -> Vec<Group> {
    let mut open: Vec<Vec<usize>> = Vec::new();
    let mut found = Vec::new();
    for (index, directive) in directives.iter().enumerate() {
        match directive.word.as_str() {
            "if" | "ifdef" | "ifndef" => open.push(vec![index]),
            "elif" | "elifdef" | "elifndef" | "else" => {
                if let Some(group) = open.last_mut() {
                    group.push(index);
                }
            }
            "endif" => {
                let group = open.pop();
                found.extend(group.map(|branches| Group {
                    branches,
                    end: index,
                }));
            }
            _ => {}
        }
    }
    found
}

/// The regions of file number `file` that a missing header may decide; it may decide the definitions of the macros
/// in `open` too.
pub(super) fn regions(
    read: &Preprocessed,
    file: usize,
    lexed: &Lexed,
    directives: &[Directive],
    macros: &Macros,
    open: &BTreeSet<String>,
) -> Vec<Region> {
    let mut found = Vec::new();
    for group in groups(directives) {
        let first = &directives[group.branches[0]];
        let own = default(lexed, directives, &group);
        if only_undefines(lexed, directives, &group) {
            continue;
        }
        for &branch in &group.branches {
            let directive = &directives[branch];
            let line = directive.lines.0;
            if directive.word == "else" || !read.is_after_missing(file, line) {
                continue;
            }
            let texts: Vec<&str> = lexed.tokens[directive.tokens.clone()]
                .iter()
                .map(|t| t.text.as_str())
                .collect();
            let mut tested = BTreeSet::new();
            names(&texts, macros, &mut HashSet::new(), &mut tested);
            let is_open = |name: &&String| {
                open.contains(*name)
                    || read.may_be_defined(name, file, line)
                        && !read.is_settled(name, file, line)
                        && !OF_COMPILERS.contains(&name.as_str())
                        && own.as_ref() != Some(*name)
            };
            if let Some(name) = tested.iter().find(is_open) {
                found.push(Region {
                    lines: (first.lines.0, directives[group.end].lines.1),
                    name: name.clone(),
                    line,
                });
                break;
            }
        }
    }
    found
}

/// The macro that a group only defines where it has no definition yet: a guard against including a file twice, or a
/// value that may be chosen from outside.
fn default(lexed: &Lexed, directives: &[Directive], group: &Group) -> Option<String> {
    let first = &directives[group.branches[0]];
    let texts: Vec<&str> = lexed.tokens[first.tokens.clone()]
        .iter()
        .map(|t| t.text.as_str())
        .collect();
    let name = match (first.word.as_str(), texts.as_slice()) {
        ("ifndef", [name]) => *name,
        ("if", ["!", "defined", name]) | ("if", ["!", "defined", "(", name, ")"]) => *name,
        _ => return None,
    };
    let next = directives.get(group.branches[0] + 1)?;
    let defines = next.word == "define"
        && next.tokens.start == first.tokens.end + 2
        && lexed
            .tokens
            .get(next.tokens.start)
            .is_some_and(|t| t.text == name);
    defines.then(|| name.to_string())
}

/// Whether a group does nothing but take away the definition that it tests: behind it there is none.
fn only_undefines(lexed: &Lexed, directives: &[Directive], group: &Group) -> bool {
    let [first] = group.branches[..] else {
        return false;
    };
    let (from, to) = (&directives[first], &directives[group.end]);
    let texts = |d: &Directive| -> Vec<String> {
        let tokens = &lexed.tokens[d.tokens.clone()];
        tokens.iter().map(|t| t.text.clone()).collect()
    };
    let inside = &directives[first + 1..group.end];
    let [only] = inside else {
        return false;
    };
    from.word == "ifdef"
        && only.word == "undef"
        && texts(only) == texts(from)
        && only.tokens.start == from.tokens.end + 2
        && to.tokens.start == only.tokens.end + 2
}

/// Whether a file's name in a directive comes from a macro in `open`.
pub(super) fn includes_by(
    lexed: &Lexed,
    directive: &Directive,
    macros: &Macros,
    open: &BTreeSet<String>,
) -> bool {
    let tokens = &lexed.tokens[directive.tokens.clone()];
    let texts: Vec<&str> = tokens.iter().map(|t| t.text.as_str()).collect();
    let mut found = BTreeSet::new();
    if texts
        .first()
        .is_some_and(|first| super::chunks::is_name(first))
    {
        names(&texts, macros, &mut HashSet::new(), &mut found);
    }
    found.iter().any(|name| open.contains(name))
}

/// The names on which a condition rests, with those in the bodies of the text's macros.
fn names(
    tokens: &[&str],
    macros: &Macros,
    seen: &mut HashSet<String>,
    found: &mut BTreeSet<String>,
) {
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        at += 1;
        if ANSWERED.contains(&token) {
            let end = tokens[at..].iter().position(|t| *t == ")");
            at += end.map_or(0, |end| end + 1);
            continue;
        }
        let is_name = super::chunks::is_name(token) && !OPERATORS.contains(&token);
        if !is_name || !seen.insert(token.to_string()) {
            continue;
        }
        found.insert(token.to_string());
        for (parameters, body) in macros.get(token).into_iter().flatten() {
            let body: Vec<&str> = body
                .iter()
                .filter(|t| !parameters.contains(t))
                .map(String::as_str)
                .collect();
            names(&body, macros, seen, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::super::preprocessed::Role;
    use super::*;

    /// The macros that a missing header, included in the first line, may decide.
    fn check(text: &str, defined: &str, expected: &[(&str, u32, u32)]) {
        let text = format!("#include <x.h>\n{text}");
        let lexed = lex(&text);
        let directives = directives(&lexed);
        let mut macros = Macros::new();
        note_macros(&lexed, &directives, &mut macros);
        // As clang prints it: what is defined, and a line for each.
        let mut printed = String::from("# 1 \"a.cu\"\n# 1 \"x.h\" 1\n# 2 \"a.cu\" 2\n");
        for line in text.lines().skip(1) {
            let mut names = defined.split(' ');
            let begins = |name: &str, c| line.starts_with(&format!("#define {name}{c}"));
            let is_printed = names.any(|name| begins(name, ' ') || begins(name, '('));
            printed += if is_printed { line } else { "" };
            printed += "\n";
        }
        let role = |name: &str| {
            if name == "x.h" {
                Role::Missing("x.h".into())
            } else {
                Role::User
            }
        };
        let read = Preprocessed::new(&printed, role);
        let found = regions(&read, 0, &lexed, &directives, &macros, &BTreeSet::new());
        let found: Vec<(&str, u32, u32)> = found
            .iter()
            .map(|r| (r.name.as_str(), r.lines.0, r.lines.1))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn unknown_names_decide() {
        check("#ifdef A\n#endif", "", &[("A", 2, 3)]);
        check(
            "#if 1\n#if defined(B) || 2 > C\n#endif\n#endif",
            "",
            &[("B", 3, 4)],
        );
        check("#if 0\n#elif D\n#else\n#endif", "", &[("D", 2, 5)]);
        check(
            "#if __has_include(<y.h>)\n#endif",
            "",
            &[("__has_include", 2, 3)],
        );
    }

    #[test]
    fn known_names_do_not() {
        check("#define A 1\n#ifdef A\n#endif", "A", &[]);
        check("#ifdef A\n#endif\n#define A 1", "A", &[("A", 2, 3)]);
        check("#if __has_builtin(x) || defined(_WIN32)\n#endif", "", &[]);
        check(
            "#define F(x) ((x) > G)\n#if F(3)\n#endif",
            "F",
            &[("G", 3, 4)],
        );
    }

    #[test]
    fn guards_and_defaults_do_not() {
        check("#ifndef A\n#define A 1\nint a;\n#endif", "A", &[]);
        check("#if !defined(A)\n#define A\n#endif", "", &[]);
        check(
            "#ifndef A\nint a;\n#define A 1\n#endif",
            "A",
            &[("A", 2, 5)],
        );
        check("#ifndef A\n#define B 1\n#endif", "B", &[("A", 2, 4)]);
        check("#ifdef A\n#undef A\n#endif", "", &[]);
        check(
            "#ifdef A\n#undef A\n#define B 1\n#endif",
            "",
            &[("A", 2, 5)],
        );
    }
}
