//! Which parts of the prelude a file can name. What CUDA C++ has without an include is far longer than most files, and
//! clang takes as long for it. A part of which a file cannot name anything is left out; the test errs on the safe side,
//! and whatever clang then complains of is read again with all of it.

mod declared;
mod includes;
mod parts;

use crate::clang::stand_ins;
use crate::request::ParseOptions;
use declared::{TABLE, text, words, words_of_code};
pub(super) use includes::may_lack_headers;
use includes::{Included, included, named_header};
use parts::{
    ALL, ALWAYS, BFLOAT, EIGHT, PARTS, REST_OF_BFLOAT, RESTS, Set, TYPES, asked_for, macros_of,
    part_of,
};
use std::collections::HashSet;

/// What a launch with `<<<` calls.
const LAUNCH: &str = "cudaConfigureCall";

/// The macros that leave out the parts of which a file with this text can name nothing. `more`: headers that it gets
/// besides.
pub(super) fn left_out(text: &str, options: &ParseOptions, more: &[&str]) -> Vec<&'static str> {
    macros_of(ALL & !needed(text, options, more))
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
    named.needed()
}

/// Names made of parts (`##`, by any of its spellings), or spelled by numbers, could be any.
fn makes_names(text: &str) -> bool {
    ["##", "%:", "\\u", "\\U"]
        .iter()
        .any(|word| text.contains(word))
}

/// What was named so far.
#[derive(Clone, Default)]
pub(super) struct Named {
    /// The parts of the names, without those that these parts need.
    parts: Set,
    seen: HashSet<&'static str>,
}

impl Named {
    /// What a file names that is here with all that it includes, and after preprocessing too, so that no name is made
    /// of others. `texts`: of the user's files as they are; `tokens`: what these say once their macros are expanded;
    /// `headers`: of those that clang read, by their names as one includes them. `None`: which headers are included
    /// for more than their names is not seen.
    pub fn of_preprocessed<'t>(
        texts: impl Iterator<Item = &'t str>,
        tokens: impl Iterator<Item = &'t str>,
        headers: impl Iterator<Item = &'t str>,
    ) -> Option<Named> {
        let mut named = Named::default();
        for text in texts {
            if text.contains("<<<") {
                named.add_words(LAUNCH);
            }
            let joined = text.replace("\\\r\n", "").replace("\\\n", "");
            named.add_words(&joined);
            for line in joined.lines().filter(|line| line.contains('#')) {
                match named_header(line) {
                    Some(header) => named.parts |= part_of(header).map_or(0, |part| 1 << part),
                    None if included(line) == Included::Nothing => {}
                    None => return None,
                }
            }
        }
        tokens.for_each(|token| named.add_words(token));
        for header in headers.filter(|header| part_of(header).is_none()) {
            if !ALWAYS.contains(&header) {
                named.add_words_of_code(text(header));
            }
        }
        Some(named)
    }

    /// The macros that leave out what a file that names this, in these instances of its templates too, and gets these
    /// headers besides cannot name.
    pub fn left_out(&self, instances: &[String], more: &[&str]) -> Vec<&'static str> {
        macros_of(self.parts_left_out(instances, more))
    }

    fn parts_left_out(&self, instances: &[String], more: &[&str]) -> Set {
        if instances.iter().any(|instance| makes_names(instance)) {
            return 0;
        }
        let mut named = self.clone();
        instances.iter().for_each(|text| named.add_words(text));
        for header in more {
            named.add_header(header);
        }
        ALL & !named.needed()
    }

    /// Whether clang says something of a name that is left out: then it was not known well enough what the file names.
    pub fn is_missed(&self, said: &str, instances: &[String], more: &[&str]) -> bool {
        let left_out = self.parts_left_out(instances, more);
        let of = |word| TABLE.names.get(word).copied().unwrap_or(0);
        words(said).any(|word| of(word) != 0 && of(word) & !left_out == 0)
    }

    /// The parts of what is named, and those that these need.
    fn needed(&self) -> Set {
        let mut parts = self.parts;
        // Without a number of such a type there is no use for more functions of it.
        if parts & TYPES == 0 {
            parts &= !RESTS;
        }
        if parts & (BFLOAT | EIGHT) == 0 {
            parts &= !REST_OF_BFLOAT;
        }
        let numbers = (0..PARTS.len()).filter(|number| parts >> number & 1 == 1);
        numbers.fold(parts, |all, number| all | TABLE.needs[number])
    }

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

    fn add_words_of_code(&mut self, text: &str) {
        for word in words_of_code(text) {
            self.add_part_of(word);
        }
    }

    fn add_part_of(&mut self, word: &str) {
        if let Some(&parts) = TABLE.names.get(word) {
            self.parts |= asked_for(parts);
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
            self.parts |= 1 << number;
            return true;
        }
        self.add_words_of_code(text);
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

    /// A name that was not seen is one of which clang complains: then nothing is left out any more.
    #[test]
    fn what_clang_misses_brings_everything_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("k.cu");
        for (text, name) in [
            ("__device__ void f(float4 *a) { a->x = 1; }", "float4"),
            (
                "__device__ int f(int a) { return __mulhi(a, a); }",
                "__mulhi",
            ),
            (
                "#include <cuda_fp16.h>\n__device__ void f(__half *a) { *a = 1; }",
                "__half",
            ),
        ] {
            let options = ParseOptions::default();
            let known = Known::new(text, &options);
            known.with_whole_prelude.set(true);
            known.named.replace(Some(Named::default()));
            let said = format!("error: use of undeclared identifier '{name}'");
            assert!(Named::default().is_missed(&said, &[], &[]), "{name}");
            assert!(!Named::default().is_missed("error: use of '__mine'", &[], &[]));
            std::fs::write(&path, text).expect("written");
            let asked = Asked {
                path: &path,
                text,
                shown: "k.cu",
                language: Language::Cuda,
                options: &options,
                known: &known,
            };
            let read = crate::clang::syntax_tree(asked, Faulty::Kept);
            assert!(read.is_ok(), "{name}");
            assert!(!known.may_leave_out.get(), "{name}");
            assert!(known.named.borrow().is_none(), "{name}");
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

    /// A type of numbers is read where a file names it or what only it has, not where it names what other types have too.
    #[test]
    fn a_header_leaves_out_its_types() {
        for (text, kept) in [
            ("int x;", &[][..]),
            ("__shfl_xor_sync(m, x, 1); atomicAdd(a, 1);", &[]),
            ("half x;", &["HALF"]),
            ("__half2 x;", &["HALF"]),
            ("x = __hmul(y, z);", &["HALF"]),
            ("__nv_bfloat16 x;", &["HALF", "BFLOAT"]),
            ("x = __float2bfloat16(y);", &["HALF", "BFLOAT"]),
            ("__nv_fp8_e4m3 x;", &["HALF", "BFLOAT", "EIGHT"]),
            ("__nv_fp8x4_e5m2 x;", &["HALF", "BFLOAT", "EIGHT"]),
            ("x = __half2short_ru(a);", &["HALF", "REST_OF_HALF"]),
            (
                "x = __bfloat162short_ru(a);",
                &["HALF", "BFLOAT", "REST_OF_BFLOAT"],
            ),
            ("half x; y = __shfl_xor_sync(m, x, 1);", &["HALF"]),
        ] {
            let left = left(&format!("#include <cuda_fp8.h>\n{text}"));
            for part in ["HALF", "BFLOAT", "EIGHT", "REST_OF_HALF", "REST_OF_BFLOAT"] {
                let is_left_out = left.contains(&&*format!("GRIDLOCK_WITHOUT_{part}"));
                assert_eq!(is_left_out, !kept.contains(&part), "{text}: {part}");
            }
        }
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

    const OF_CLANG: [&str; 3] = ["__int128_t", "__uint128_t", "__NSConstantString"];

    /// Every name that clang finds in the prelude, and in a header with parts, is known here, as one of a part or of what
    /// is always there.
    #[test]
    fn every_declared_name_is_known() {
        let options = ParseOptions {
            whole_prelude: true,
            ..ParseOptions::default()
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("empty.cu");
        let includes = "#include <cuda_fp8.h>\n";
        std::fs::write(&path, includes).expect("written");
        let read = tree_of(&path, includes, &options);
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
            let is_of_clang = name.starts_with("__builtin_") || OF_CLANG.contains(&name);
            let is_operator = name.starts_with("operator");
            assert!(is_known || is_of_clang || is_operator, "{name}");
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
