//! Which parts of the prelude a file can name. What CUDA C++ has without an include is far longer than most files, and
//! clang takes as long for it. A part of which a file cannot name anything is left out; the test errs on the safe side,
//! and whatever clang then complains of is read again with all of it.

use super::stand_ins;
use crate::request::ParseOptions;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A part: the macro that leaves it out, and its headers.
struct Part {
    without: &'static str,
    headers: &'static [&'static str],
}

const PARTS: &[Part] = &[
    Part {
        without: "GRIDLOCK_WITHOUT_VECTORS",
        headers: &["gridlock_vectors.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_ATOMICS",
        headers: &["gridlock_atomics.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_MATH",
        headers: &["gridlock_overloads.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_INTRINSICS",
        headers: &["gridlock_intrinsics.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_RUNTIME",
        headers: &["gridlock_runtime.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_LIBC",
        headers: &[
            "gridlock_libc.h",
            "gridlock_math.h",
            "stdlib.h",
            "assert.h",
            "math.h",
        ],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_MACHINE",
        headers: &["gridlock_machine.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_TEXTURES",
        headers: &["texture_reference.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_INTEGER",
        headers: &["gridlock_integer.h"],
    },
    // Of headers that a file includes itself.
    Part {
        without: "GRIDLOCK_WITHOUT_REST_OF_HALF",
        headers: &["gridlock_half_rest.h"],
    },
    Part {
        without: "GRIDLOCK_WITHOUT_REST_OF_BFLOAT",
        headers: &["gridlock_bfloat_rest.h"],
    },
];

/// What is always there, and declares names of its own.
const ALWAYS: &[&str] = &[stand_ins::CUDA_PRELUDE, "stddef.h", "stdint.h", "limits.h"];

/// Words of the language, which stand where names do.
const WORDS: &[&str] = &["__attribute__", "bool", "class", "int", "using"];

/// What a launch with `<<<` calls.
const LAUNCH: &str = "cudaConfigureCall";

/// A set of parts: a bit for each.
type Set = u32;

const ALL: Set = (1 << PARTS.len()) - 1;

/// The macros that leave out the parts of which a file with this text can name nothing. `more`: headers that it gets
/// besides.
pub(super) fn left_out(text: &str, options: &ParseOptions, more: &[&str]) -> Vec<&'static str> {
    let needed = needed(text, options, more);
    let parts = PARTS.iter().enumerate();
    parts
        .filter(|(number, _)| needed >> number & 1 == 0)
        .map(|(_, part)| part.without)
        .collect()
}

fn needed(text: &str, options: &ParseOptions, more: &[&str]) -> Set {
    // What these files and instances name is not known here.
    if !options.pre_includes.is_empty() || !options.instantiate.is_empty() {
        return ALL;
    }
    let joined = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut named = Named::default();
    if !named.add_text(&joined) {
        return ALL;
    }
    let values = options
        .defines
        .iter()
        .filter_map(|(_, value)| value.as_ref());
    for value in values {
        if makes_names(value) {
            return ALL;
        }
        named.add_words(value);
    }
    for line in joined.lines() {
        match included(line) {
            Included::Nothing => {}
            Included::Header(name) if options.include_dirs.is_empty() => {
                if !named.add_header(name) {
                    return ALL;
                }
            }
            _ => return ALL,
        }
    }
    for header in more {
        named.add_header(header);
    }
    named.parts
}

/// Names made of parts (`##`, by any of its spellings), or spelled by numbers, could be any.
fn makes_names(text: &str) -> bool {
    ["##", "%:", "\\u", "\\U"]
        .iter()
        .any(|word| text.contains(word))
}

/// What a line includes.
#[derive(Debug, PartialEq, Eq)]
enum Included<'a> {
    Nothing,
    /// By a name in angle brackets.
    Header(&'a str),
    /// Whatever else a line may include that speaks of it.
    Anything,
}

fn included(line: &str) -> Included<'_> {
    if !line.contains("include") && !line.contains("import") {
        return Included::Nothing;
    }
    let directive = line.trim().strip_prefix('#').map(str::trim_start);
    let named = directive.and_then(|line| line.strip_prefix("include"));
    let named = named.and_then(|line| line.trim().strip_prefix('<')?.strip_suffix('>'));
    named.map_or(Included::Anything, Included::Header)
}

/// What was named so far.
#[derive(Default)]
struct Named {
    parts: Set,
    seen: HashSet<&'static str>,
}

impl Named {
    /// The words of a text; whether these are all that it can name.
    fn add_text(&mut self, text: &str) -> bool {
        if makes_names(text) {
            return false;
        }
        if text.contains("<<<") {
            self.add_words(LAUNCH);
        }
        self.add_words(text);
        true
    }

    fn add_words(&mut self, text: &str) {
        for word in words(text) {
            self.add_part_of(word);
        }
    }

    fn add_part_of(&mut self, word: &str) {
        if let Some(&parts) = TABLE.names.get(word) {
            let more = parts & !self.parts;
            self.parts |= more;
            for number in (0..PARTS.len()).filter(|number| more >> number & 1 == 1) {
                self.parts |= TABLE.needs[number];
            }
        }
        // What a macro of the prelude stands for.
        if let Some((name, body)) = TABLE.macros.get_key_value(word)
            && self.seen.insert(name)
        {
            body.iter().for_each(|word| self.add_part_of(word));
        }
    }

    /// A header of ours and what it includes; whether it is one.
    fn add_header(&mut self, name: &str) -> bool {
        let Some((name, text)) = stand_ins::files().iter().find(|(known, _)| known == name) else {
            return false;
        };
        if name == stand_ins::CUDA_PRELUDE || !self.seen.insert(name) {
            return true;
        }
        if let Some(number) = part_of(name) {
            self.parts |= 1 << number | TABLE.needs[number];
            return true;
        }
        self.add_words(text);
        let mut before = "";
        text.lines().all(|line| {
            let guard = std::mem::replace(&mut before, line).strip_prefix("#ifndef ");
            match included(line) {
                Included::Nothing => true,
                // What it names needs the part, not that it may include it.
                Included::Header(name)
                    if part_of(name).is_some_and(|part| guard == Some(PARTS[part].without)) =>
                {
                    true
                }
                Included::Header(name) => self.add_header(name),
                // A word of a comment.
                Included::Anything => !line.trim_start().starts_with('#'),
            }
        })
    }
}

fn part_of(header: &str) -> Option<usize> {
    PARTS.iter().position(|part| part.headers.contains(&header))
}

/// What the prelude says.
struct Table {
    /// The parts that declare a name.
    names: HashMap<&'static str, Set>,
    /// Of each part, those whose names it uses, and those that these use.
    needs: Vec<Set>,
    /// The words of what macros outside of the parts stand for.
    macros: HashMap<&'static str, Vec<&'static str>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let texts =
        |part: &Part| -> Vec<&'static str> { part.headers.iter().map(|h| text(h)).collect() };
    let always: HashSet<&str> = ALWAYS.iter().flat_map(|h| declared(text(h))).collect();
    let is_name = |name: &&str| name.len() > 1 && !WORDS.contains(name) && !always.contains(name);
    let mut names: HashMap<&'static str, Set> = HashMap::new();
    for (number, part) in PARTS.iter().enumerate() {
        let all = texts(part).into_iter().flat_map(declared);
        for name in all.filter(is_name) {
            *names.entry(name).or_default() |= 1 << number;
        }
    }
    let used = |part: &Part| {
        let of_text = |text| words(text).filter_map(|word| names.get(word).copied());
        texts(part).into_iter().flat_map(of_text)
    };
    // A name that several declare is its own in each.
    let mut needs: Vec<Set> = PARTS
        .iter()
        .zip(0..)
        .map(|(part, number)| {
            let others = used(part).filter(|parts| parts >> number & 1 == 0);
            others.fold(0, |all, parts| all | parts)
        })
        .collect();
    for _ in PARTS {
        for number in 0..needs.len() {
            let more = needs.iter().zip(0..);
            let more = more.filter(|(_, other)| needs[number] >> other & 1 == 1);
            needs[number] |= more.fold(0, |all, (parts, _)| all | parts);
        }
    }
    let macros = macros(text(stand_ins::CUDA_PRELUDE)).collect();
    Table {
        names,
        needs,
        macros,
    }
});

fn text(header: &str) -> &'static str {
    let found = stand_ins::files().iter().find(|(name, _)| name == header);
    found.map_or("", |(_, text)| text)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The macros of a text, with the words of what they stand for.
fn macros(text: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        loop {
            let line = lines.next()?;
            let Some(defined) = line.strip_prefix("#define ") else {
                continue;
            };
            let mut all: Vec<&str> = words(defined).collect();
            let mut last = line;
            while last.ends_with('\\') {
                last = lines.next()?;
                all.extend(words(last));
            }
            if !all.is_empty() {
                let name = all.remove(0);
                return Some((name, all));
            }
        }
    })
}

/// The names that a header of ours declares at file scope, in a namespace or in an enumeration, and those of its macros;
/// some others beside them.
fn declared(text: &'static str) -> HashSet<&'static str> {
    let mut found: HashSet<&str> = macros(text).map(|(name, _)| name).collect();
    let code = text.lines().filter(|line| !line.starts_with('#'));
    let code = code.map(|line| line.split("//").next().unwrap_or_default());
    // Whether what stands in an open brace is declared at file scope.
    let mut braces: Vec<bool> = Vec::new();
    let (mut parentheses, mut head) = (0usize, String::new());
    let mut before = "";
    for line in code {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match is_word(c) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => c.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            rest = after;
            match token {
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.saturating_sub(1),
                "{" => {
                    let is_transparent = ["extern", "namespace", "enum"]
                        .iter()
                        .any(|word| words(&head).any(|w| w == *word));
                    braces.push(is_transparent && braces.iter().all(|open| *open));
                    head.clear();
                }
                "}" => {
                    braces.pop();
                    head.clear();
                }
                ";" => head.clear(),
                _ => {
                    let next = rest.trim_start().chars().next();
                    let is_at_file_scope = parentheses == 0 && braces.iter().all(|open| *open);
                    if is_word(c) && is_at_file_scope {
                        let ends = next.is_none_or(|next| "(;,=}[{:".contains(next));
                        let is_tag = ["struct", "class", "union", "enum"].contains(&before);
                        if ends || is_tag {
                            found.insert(token);
                        }
                        head.push(' ');
                        head.push_str(token);
                    }
                }
            }
            if !token.trim().is_empty() {
                before = token;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clang::known::Known;
    use crate::clang::{Asked, Faulty, Read};
    use crate::error::FrontendError;
    use crate::request::Language;
    use crate::syntax::kind::Kind;
    use crate::syntax::{Node, NodeExt};
    use std::path::Path;

    fn tree_of(path: &Path, text: &str, options: &ParseOptions) -> Result<Read, FrontendError> {
        let asked = Asked {
            path,
            text,
            shown: "k.cu",
            language: Language::Cuda,
            options,
            known: &Known::new(text, options),
        };
        crate::clang::syntax_tree(asked, Faulty::Kept)
    }

    fn left(text: &str) -> Vec<&'static str> {
        left_out(text, &ParseOptions::default(), &[])
    }

    #[test]
    fn a_small_kernel_needs_no_part() {
        let text = "#include <cuda_runtime.h>\n__global__ void k(int *a) { a[threadIdx.x] += blockDim.x; }";
        assert_eq!(left(text).len(), PARTS.len());
        for (name, without) in [
            ("float4 v", "VECTORS"),
            ("atomicAdd(a, 1)", "ATOMICS"),
            ("fmaxf(x, y)", "LIBC"),
            ("max(x, y)", "MATH"),
            ("std::max(x, y)", "MATH"),
            ("__shfl_sync(m, x, 0)", "INTRINSICS"),
            ("cudaMalloc(&a, 4)", "RUNTIME"),
            ("k<<<1, 2>>>(a)", "RUNTIME"),
            ("__requires(x)", "LIBC"),
            ("assert(x)", "LIBC"),
            ("x = RAND_MAX", "LIBC"),
            ("x = M_PI", "LIBC"),
            ("cudaGetDeviceProperties(&p, 0)", "MACHINE"),
            ("cudaTextureObject_t t", "TEXTURES"),
            ("__mulhi(x, y)", "INTEGER"),
            ("__mul\\\nhi(x, y)", "INTEGER"),
        ] {
            let left = left(&format!("void f() {{ {name}; }}"));
            let without = format!("GRIDLOCK_WITHOUT_{without}");
            assert!(!left.contains(&&*without), "{name}: {left:?}");
        }
    }

    #[test]
    fn what_may_name_anything_gets_everything() {
        for text in [
            "#define NAME(a) __##a",
            "#define NAME(a) __%:%:a",
            "x = \\u005f\\u005fmulhi(a, b);",
            "#include \"stdio.h\"",
            "#include <mine.h>",
            "#include NAME",
            "#/* */include <stdio.h>",
            "#import <stdio.h>",
        ] {
            assert!(left(text).is_empty(), "{text}: {:?}", left(text));
        }
        let text = "#include <stdio.h>\nx = HIGH(a, b);";
        assert!(!left(text).is_empty());
        let options = ParseOptions::default;
        for options in [
            ParseOptions {
                defines: vec![("HIGH".to_owned(), Some("__##a".to_owned()))],
                ..options()
            },
            ParseOptions {
                include_dirs: vec!["headers".into()],
                ..options()
            },
            ParseOptions {
                pre_includes: vec!["a.h".into()],
                ..options()
            },
            ParseOptions {
                instantiate: vec!["k<__mulhi>".to_owned()],
                ..options()
            },
        ] {
            assert!(left_out(text, &options, &[]).is_empty());
        }
        let defining = ParseOptions {
            defines: vec![("HIGH".to_owned(), Some("__mulhi".to_owned()))],
            ..options()
        };
        let left = left_out(text, &defining, &[]);
        assert!(!left.contains(&"GRIDLOCK_WITHOUT_INTEGER"), "{left:?}");
    }

    /// A header that is included brings what it names; one that is a part of the prelude, itself.
    #[test]
    fn headers_bring_what_they_name() {
        let left = left("#include <cooperative_groups.h>\n");
        assert!(!left.contains(&"GRIDLOCK_WITHOUT_INTRINSICS"), "{left:?}");
        let left = super::tests::left("#include <stdio.h>\n");
        assert!(!left.contains(&"GRIDLOCK_WITHOUT_LIBC"), "{left:?}");
    }

    /// Each part is left out where its macro is defined, and each such macro is one of a part.
    #[test]
    fn the_headers_ask_for_each_macro() {
        let all = stand_ins::files().iter().flat_map(|(_, text)| words(text));
        let asked = all.filter(|word| word.starts_with("GRIDLOCK_WITHOUT_"));
        let asked: HashSet<&str> = asked.collect();
        assert_eq!(asked, PARTS.iter().map(|part| part.without).collect());
    }

    /// A part of a header is read where a file names something of it, not where it includes the header alone.
    #[test]
    fn a_header_leaves_out_its_part() {
        let rest = "GRIDLOCK_WITHOUT_REST_OF_HALF";
        for (text, is_left_out) in [
            ("__half a; x = a + a;", true),
            ("__half a; x = __hadd_sat(a, a);", false),
            ("x = h2floor(p);", false),
            ("x = __half2short_ru(a);", false),
            ("x = __low2half2(p);", false),
            // Instead of what they stand for.
            ("#define __half2short_ru(a) 1\n", false),
        ] {
            let left = left(&format!("#include <cuda_fp16.h>\n{text}"));
            assert_eq!(left.contains(&rest), is_left_out, "{text}: {left:?}");
        }
    }

    /// Every name that clang finds in the prelude is known here, as one of a part or of what is always there.
    #[test]
    fn every_declared_name_is_known() {
        let options = ParseOptions {
            whole_prelude: true,
            ..ParseOptions::default()
        };
        let path = Path::new("empty.cu");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(path);
        std::fs::write(&path, "").expect("written");
        let read = tree_of(&path, "", &options);
        let read = read.unwrap_or_else(|error| panic!("{error:?}"));
        let core: HashSet<&str> = words(text(stand_ins::CUDA_PRELUDE))
            .chain(
                ["stddef.h", "stdint.h", "limits.h"]
                    .into_iter()
                    .flat_map(|h| words(text(h))),
            )
            .collect();
        let mut n_known = 0;
        let mut open: Vec<&Node> = read.tree.inner.iter().collect();
        while let Some(node) = open.pop() {
            let is_open = [Kind::LinkageSpecDecl, Kind::NamespaceDecl, Kind::EnumDecl];
            if is_open.iter().any(|kind| node.is(kind.clone())) {
                open.extend(&node.inner);
            }
            let Some(name) = node.kind.name.as_deref() else {
                continue;
            };
            let name = name.trim_start_matches("::");
            let is_known = TABLE.names.contains_key(name) || core.contains(name);
            assert!(is_known || name.starts_with("__"), "{name}");
            n_known += usize::from(TABLE.names.contains_key(name));
        }
        assert!(n_known > 600, "{n_known}");
    }

    /// Without any part the prelude is whole by itself.
    #[test]
    fn what_is_always_there_stands_alone() {
        let options = ParseOptions::default();
        let text = "__global__ void k(int *a) { a[threadIdx.x] = 1; __syncthreads(); }";
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("k.cu");
        std::fs::write(&path, text).expect("written");
        let read = tree_of(&path, text, &options);
        let read = read.unwrap_or_else(|error| panic!("{error:?}"));
        let count = read.tree.inner.len();
        assert!(count < 60, "{count} declarations");
    }
}
