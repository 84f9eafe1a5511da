//! What the lines of a file include.

use crate::clang::stand_ins;
use crate::request::ParseOptions;
use std::path::Path;

/// What a line includes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Included<'a> {
    Nothing,
    /// By a name in angle brackets.
    Header(&'a str),
    /// Whatever else a line may include that speaks of it.
    Anything,
}

pub(super) fn included(line: &str) -> Included<'_> {
    if !line.contains("include") && !line.contains("import") {
        return Included::Nothing;
    }
    let directive = line.trim().strip_prefix('#').map(str::trim_start);
    let named = directive.and_then(|line| line.strip_prefix("include"));
    let named = named.and_then(|line| line.trim().strip_prefix('<')?.strip_suffix('>'));
    named.map_or(Included::Anything, Included::Header)
}

/// Whether a file includes a header that is neither ours nor beside it nor in a folder of the options: by its own lines,
/// whether or not clang comes to them.
pub(in crate::clang) fn may_lack_headers(path: &Path, text: &str, options: &ParseOptions) -> bool {
    let beside = path.parent();
    let given = options.include_dirs.iter().map(|folder| &**folder);
    let folders: Vec<&Path> = beside.into_iter().chain(given).collect();
    let is_there = |name: &str| {
        let is_ours = stand_ins::files().iter().any(|(known, _)| known == name);
        is_ours || folders.iter().any(|folder| folder.join(name).exists())
    };
    let named = text.lines().filter_map(named_header);
    named.into_iter().any(|name| !is_there(name))
}

/// The header that a line includes by its name, if it does nothing else.
pub(super) fn named_header(line: &str) -> Option<&str> {
    let line = line.trim().strip_prefix('#')?.trim_start();
    let rest = line.strip_prefix("include")?.trim_start();
    let end = match rest.chars().next()? {
        '<' => '>',
        '"' => '"',
        _ => return None,
    };
    let (name, rest) = rest[1..].split_once(end)?;
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with("//")).then_some(name)
}
