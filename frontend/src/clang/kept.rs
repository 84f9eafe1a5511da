//! What clang printed of a file, kept in a folder for whoever reads the same files again and again, as the tests do:
//! a third of their time was clang's. `$GRIDLOCK_CLANG_CACHE` names the folder; without it nothing is kept.
//!
//! An entry holds all that it follows from, and is taken where that is the same: clang itself, its arguments and the text
//! of the file. Of other files only the stand-in headers may be read, the folder of which is named by what they hold. A file
//! in the folder for temporary ones has a name that nobody has used before: another of the same length stands for it.

use crate::clang::output::{IsUseless, Output};
use crate::clang::stand_ins;
use crate::clang::tree::Compact;
use gridlock_boundary::input;
use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::UNIX_EPOCH;

/// The variables that change what clang does with the same arguments.
const OF_CLANG: [&str; 6] = [
    "GRIDLOCK_CLANG",
    "CCC_OVERRIDE_OPTIONS",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "SOURCE_DATE_EPOCH",
];

/// Bytes of an entry.
const MOST_BYTES: u64 = 64 << 20;

/// The place of what clang prints in one call.
pub(super) struct Kept {
    entry: PathBuf,
    /// All that it follows from.
    from: Vec<u8>,
    /// The file's own name, where it is temporary.
    name: Option<String>,
}

/// What stands in an entry for the name of a temporary file; clang prints no such character.
const NAME: &str = "\u{1}";

impl Kept {
    /// Where the tree is kept that `clang` prints with these arguments of the file at `path`, which holds `text`. `None`
    /// where nothing is kept, or where other files may be read.
    pub fn place(clang: &Path, arguments: &[OsString], path: &Path, text: &str) -> Option<Kept> {
        let folder = PathBuf::from(std::env::var_os("GRIDLOCK_CLANG_CACHE")?);
        let is_usual = OF_CLANG.iter().all(|name| std::env::var_os(name).is_none());
        if !folder.is_absolute() || !is_usual || !includes_stand_ins_alone(path, text) {
            return None;
        }
        let program = std::fs::metadata(clang).ok()?;
        let changed = program.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let mut from = Vec::new();
        add(&mut from, clang.as_os_str().as_bytes());
        add(&mut from, &program.len().to_le_bytes());
        add(&mut from, &changed.as_nanos().to_le_bytes());
        let is_temporary = path.starts_with(std::env::temp_dir());
        let name = arguments.last().filter(|_| is_temporary);
        let name = name.map(|name| name.to_str().map(str::to_owned));
        let (name, n_others) = match name {
            Some(name) => (Some(name?), arguments.len() - 1),
            None => (None, arguments.len()),
        };
        for argument in &arguments[..n_others] {
            add(&mut from, argument.as_bytes());
        }
        let length = name.as_ref().map_or(0, String::len);
        add(&mut from, &length.to_le_bytes());
        add(&mut from, text.as_bytes());
        let mut hasher = DefaultHasher::new();
        from.hash(&mut hasher);
        let entry = folder.join(format!("{:016x}", hasher.finish()));
        Some(Kept { entry, from, name })
    }

    /// A text of clang's with the name that stands for that of a temporary file, or the other way round. `None` where it
    /// is no text.
    fn renamed(&self, text: &[u8], into_entry: bool) -> Option<Vec<u8>> {
        let Some(name) = &self.name else {
            return Some(text.to_vec());
        };
        let text = str::from_utf8(text).ok()?;
        Some(match into_entry {
            true => text.replace(name, NAME).into_bytes(),
            false => text.replace(NAME, name).into_bytes(),
        })
    }

    /// What is kept there, as a run of clang would give it: a tree that is useless is not printed.
    pub fn take(&self, is_useless: IsUseless<'_>) -> Option<Output> {
        let entry = input::read_up_to(&self.entry, MOST_BYTES).ok()?;
        let mut rest = &entry[..];
        if part(&mut rest)? != self.from {
            return None;
        }
        let status = i32::from_le_bytes(part(&mut rest)?.try_into().ok()?);
        let lacks_tree = part(&mut rest)? == b"useless";
        let said = self.renamed(part(&mut rest)?, false)?;
        let tree = part(&mut rest)?;
        let is_unwanted = is_useless(&said);
        if lacks_tree && !is_unwanted {
            return None;
        }
        let is_cut = is_unwanted && !tree.is_empty();
        Some(Output {
            status: ExitStatus::from_raw(if is_cut { 0 } else { status }),
            tree: match is_cut {
                true => Compact::default(),
                false => Compact::whole(self.renamed(tree, false)?),
            },
            said,
            said_all: true,
        })
    }

    /// Keeps the output of a call, if it is whole and the file at `path` still holds `text`.
    pub fn keep(&self, output: &Output, is_useless: IsUseless<'_>, path: &Path, text: &str) {
        let is_same = input::read(path).is_ok_and(|now| now == text.as_bytes());
        let tree = output.tree.json().filter(|_| is_same && output.said_all);
        let tree = tree.and_then(|tree| self.renamed(tree, true));
        let (Some(tree), Some(said)) = (tree, self.renamed(&output.said, true)) else {
            return;
        };
        let lacks_tree = tree.is_empty() && is_useless(&output.said);
        let mut entry = Vec::with_capacity(tree.len() + self.from.len() + 64);
        add(&mut entry, &self.from);
        add(&mut entry, &output.status.into_raw().to_le_bytes());
        add(&mut entry, if lacks_tree { b"useless" } else { b"" });
        add(&mut entry, &said);
        add(&mut entry, &tree);
        // Where it cannot be written, clang runs again.
        let _ = self.write(&entry);
    }

    /// Unlike a result of the tool, an entry need not be there after a power cut.
    fn write(&self, entry: &[u8]) -> io::Result<()> {
        let folder = self.entry.parent().unwrap_or(Path::new("/"));
        let mut beside = tempfile::NamedTempFile::new_in(folder)?;
        beside.write_all(entry)?;
        beside.persist(&self.entry)?;
        Ok(())
    }
}

/// Adds a part, behind its length.
fn add(all: &mut Vec<u8>, part: &[u8]) {
    all.extend_from_slice(&(part.len() as u64).to_le_bytes());
    all.extend_from_slice(part);
}

fn part<'e>(rest: &mut &'e [u8]) -> Option<&'e [u8]> {
    let (length, after) = rest.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (part, after) = after.split_at_checked(length)?;
    *rest = after;
    Some(part)
}

/// Whether the file at `path` is seen to include nothing but stand-in headers; `false` for whatever is written so that it
/// takes more than a look at each line to know.
fn includes_stand_ins_alone(path: &Path, text: &str) -> bool {
    // Other spellings of a directive, and what the file's name or the time decides.
    let others = [
        "%:",
        "??",
        "__has_include",
        "__has_embed",
        "__FILE_NAME__",
        "__DATE__",
        "__TIME",
    ];
    if others.iter().any(|other| text.contains(other)) {
        return false;
    }
    let is_plain = |line: &str| {
        let line = line.trim();
        let Some(directive) = line.strip_prefix('#') else {
            // A comment may end in front of a directive.
            return line
                .rsplit_once("*/")
                .is_none_or(|(_, after)| !after.contains('#'));
        };
        let directive = directive.trim_start();
        let end = directive.find(|c: char| !c.is_ascii_alphabetic());
        let (word, rest) = directive.split_at(end.unwrap_or(directive.len()));
        let goes_on = line.ends_with('\\') || line.contains("/*") && !line.contains("*/");
        match word {
            "include" => is_stand_in(path, rest.trim()),
            "define" => true,
            "pragma" => !goes_on && !rest.contains("include"),
            "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" | "undef" | "error"
            | "warning" => !goes_on,
            _ => false,
        }
    };
    text.lines().all(is_plain)
}

/// Whether what an `#include` of the file at `path` names is a stand-in header.
fn is_stand_in(path: &Path, named: &str) -> bool {
    let between = |open: char, close: char| named.strip_prefix(open)?.strip_suffix(close);
    let beside = |name: &str| path.with_file_name("").join(name).exists();
    let name = match (between('<', '>'), between('"', '"')) {
        (Some(name), _) => name,
        (None, Some(name)) if !beside(name) => name,
        _ => return false,
    };
    stand_ins::files().iter().any(|(known, _)| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_read_other_files_is_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("k.cu");
        std::fs::write(folder.path().join("stdio.h"), "").expect("written");
        let check = |text: &str, expected: bool| {
            assert_eq!(includes_stand_ins_alone(&path, text), expected, "{text}");
        };
        check("", true);
        check("// include this, import that\nint a; /* # */\n", true);
        check(
            "#include <stdio.h>\n  #  include \"math.h\" \n#define A(x) #x \\\n  b\n",
            true,
        );
        check("#if A > 1 // #\n#endif\n#pragma unroll\n#undef B\n", true);
        for other in [
            // Not a stand-in: another file stands in its place, it does not come with us, or a macro names it.
            "#include \"stdio.h\"\n",
            "#include <is_not_here.h>\n",
            "#include <../stdio.h>\n",
            "#include NAMED\n",
            "#include <math.h> // or what a macro makes of this\n",
            // Spelled otherwise.
            "%:include <x.h>\n",
            "??=include <x.h>\n",
            "#inc\\\nlude <x.h>\n",
            "# \\\ninclude <x.h>\n",
            "#/* */include <x.h>\n",
            "#/*\n*/include <x.h>\n",
            "#if 1 /*\n*/ + 1\n#endif\n",
            "/*\n*/ #include <x.h>\n",
            "#include_next <math.h>\n",
            "#import <math.h>\n",
            "#embed <x.h>\n",
            "#if __has_include(<x.h>)\n#endif\n",
            "int t = sizeof __TIME__;\n",
            "#pragma include_alias(\"a\", \"b\")\n",
        ] {
            check(other, false);
        }
    }

    fn output(tree: &str, said: &str, status: i32) -> Output {
        Output {
            status: ExitStatus::from_raw(status),
            tree: Compact::whole(tree.into()),
            said: said.into(),
            said_all: true,
        }
    }

    #[test]
    fn what_is_kept_comes_back_where_all_is_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("k.cu");
        std::fs::write(&path, "int a;").expect("written");
        let place = |from: &str| Kept {
            entry: folder.path().join("entry"),
            from: from.into(),
            name: None,
        };
        let known = |output: Option<Output>| {
            let of = |o: Output| {
                let tree = o.tree.json().map(<[u8]>::to_vec);
                (o.status.into_raw(), tree, o.said)
            };
            output.map(of)
        };
        let all = |tree: &str, said: &str, status| known(Some(output(tree, said, status)));
        let wanted: IsUseless<'_> = &|_| false;
        let unwanted: IsUseless<'_> = &|said| !said.is_empty();
        let (one, other) = (place("one"), place("other"));
        assert!(one.take(wanted).is_none());
        one.keep(&output("{}", "", 0), wanted, &path, "int b;");
        assert!(one.take(wanted).is_none(), "the file was changed meanwhile");

        one.keep(&output("{}", "", 0), wanted, &path, "int a;");
        assert_eq!(known(one.take(wanted)), all("{}", "", 0));
        assert_eq!(known(one.take(unwanted)), all("{}", "", 0));
        assert!(other.take(wanted).is_none(), "of other arguments");

        // A tree with an error: for whoever does not want it clang would be stopped.
        other.keep(&output("{}", "error", 256), wanted, &path, "int a;");
        assert!(one.take(wanted).is_none());
        assert_eq!(known(other.take(wanted)), all("{}", "error", 256));
        assert_eq!(known(other.take(unwanted)), all("", "error", 0));
        // Where it was stopped, there is no tree for whoever wants it.
        other.keep(&output("", "error", 0), unwanted, &path, "int a;");
        assert_eq!(known(other.take(unwanted)), all("", "error", 0));
        assert!(other.take(wanted).is_none());
        // Where it printed none, there is none.
        other.keep(&output("", "error", 256), wanted, &path, "int a;");
        assert_eq!(known(other.take(wanted)), all("", "error", 256));

        // The name of a temporary file is that of the one which is read.
        let named = |name: &str| Kept {
            name: Some(name.to_owned()),
            ..place("named")
        };
        let says = |name: &str| format!("{{\"file\":\"{name}\"}}");
        let (first, second) = ("/tmp/one.cu", "/tmp/two.cu");
        named(first).keep(&output(&says(first), first, 0), wanted, &path, "int a;");
        assert_eq!(
            known(named(second).take(wanted)),
            all(&says(second), second, 0)
        );

        other.keep(&output("{}", "", 0), wanted, &path, "int a;");
        let mut half = input::read(&other.entry).expect("an entry");
        half.truncate(half.len() - 1);
        std::fs::write(&other.entry, half).expect("written");
        assert!(other.take(wanted).is_none());
    }
}
