//! Reports of OpenCL C in OpenCL's words: work-items, work-groups and local memory. What is quoted from a
//! source, names of files and of options, and the axes of a profile stay as they are; so does JSON.

use gridlock_semantics::setup::Dim3;
use std::path::Path;

/// Columns that longer words may take beyond where lines were broken.
pub const MARGIN: usize = 8;

/// Whether reports about a file are in OpenCL's words.
pub fn speaks_of(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "cl")
}

const WORDS: &[(&str, &str)] = &[
    ("thread", "work-item"),
    ("threads", "work-items"),
    ("Thread", "Work-item"),
    ("Threads", "Work-items"),
    ("block", "work-group"),
    ("blocks", "work-groups"),
    ("Blocks", "Work-groups"),
    ("shared memory", "local memory"),
];

/// What stands for a work-item's numbers in our own notation, also where that is quoted.
const NUMBERS: &[(&str, &str)] = &[
    ("threadIdx.", "get_local_id"),
    ("blockIdx.", "get_group_id"),
    ("blockDim.", "get_local_size"),
    ("gridDim.", "get_num_groups"),
];

/// A text for people.
pub fn translated(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut state = State::default();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let bare = without_colours(line);
        let names_the_kernel = number == 0 && bare.contains(", profile ");
        if bare.trim().is_empty() {
            state = State {
                local_size: state.local_size,
                ..State::default()
            };
        }
        state.in_profile |= bare.starts_with("Profile ");
        if names_the_kernel || state.in_profile || is_source(&bare) {
            out.push_str(line);
        } else if bare.trim_start().starts_with("launch: grid ") {
            state.local_size = extents_after(&bare, "block ");
            let line = line.replacen("grid ", "num_groups ", 1);
            out.push_str(&in_words(
                &line.replacen("block ", "local_size ", 1),
                &mut state,
            ));
        } else {
            let line = in_words(line, &mut state);
            match bare.contains('╰') {
                true => out.push_str(&with_global_id(&line, state.local_size)),
                false => out.push_str(&line),
            }
        }
    }
    out
}

#[derive(Default)]
struct State {
    /// Between two backticks, which may stand in two lines of a paragraph.
    quoted: bool,
    in_profile: bool,
    local_size: Option<Dim3>,
}

fn without_colours(line: &str) -> String {
    let mut bare = String::with_capacity(line.len());
    let mut in_colour = false;
    for c in line.chars() {
        match c {
            '\u{1b}' => in_colour = true,
            'm' if in_colour => in_colour = false,
            _ if in_colour => {}
            c => bare.push(c),
        }
    }
    bare
}

/// A line of a source in a frame: its number comes first.
fn is_source(bare: &str) -> bool {
    let rest = bare
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < bare.trim_start().len() && rest.starts_with(" │")
}

/// `8×8` behind a word.
fn extents_after(bare: &str, word: &str) -> Option<Dim3> {
    let (_, rest) = bare.split_once(word)?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '×');
    let shown = &rest[..end.unwrap_or(rest.len())];
    let mut extents = [1; 3];
    for (extent, number) in extents.iter_mut().zip(shown.split('×')) {
        *extent = number.parse().ok()?;
    }
    Some(extents)
}

fn in_words(line: &str, state: &mut State) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest = line;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if c == '`' {
            state.quoted = !state.quoted;
        }
        let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | '-');
        let number = NUMBERS.iter().find_map(|(ours, theirs)| {
            let axis = rest.strip_prefix(ours)?.chars().next()?;
            let dimension = "xyz".find(axis)?;
            Some((ours.len() + 1, format!("{theirs}({dimension})")))
        });
        let word = WORDS.iter().rev().find_map(|(ours, theirs)| {
            let behind = rest.strip_prefix(ours)?;
            let mut next = behind.chars();
            let ends = match next.next() {
                Some('.') => !next.next().is_some_and(is_inside),
                after => !after.is_some_and(is_inside),
            };
            ends.then(|| (ours.len(), (*theirs).to_owned()))
        });
        let found = match (is_inside(before), state.quoted) {
            (true, _) => None,
            (false, true) => number,
            (false, false) => number.or(word),
        };
        let (n_bytes, shown) = found.unwrap_or_else(|| (c.len_utf8(), c.to_string()));
        before = shown.chars().next_back().unwrap_or(' ');
        out.push_str(&shown);
        rest = &rest[n_bytes..];
    }
    out
}

/// Adds what `get_global_id` gives to the work-item that a frame names.
fn with_global_id(line: &str, local_size: Option<Dim3>) -> String {
    let added = || {
        let (start, behind) = line.split_once("work-item (")?;
        let (item, behind) = behind.split_once(") of work-group (")?;
        let (group, behind) = behind.split_once(')')?;
        let numbers =
            |text: &str| -> Option<Vec<u64>> { text.split(',').map(|n| n.parse().ok()).collect() };
        let (items, groups) = (numbers(item)?, numbers(group)?);
        let size = local_size?;
        let global: Vec<String> = (items.iter().zip(&groups).zip(size))
            .map(|((item, group), size)| (group * u64::from(size) + item).to_string())
            .collect();
        let global = global.join(",");
        Some(format!(
            "{start}work-item ({item}) of work-group ({group}), global id ({global}),{behind}"
        ))
    };
    added().unwrap_or_else(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(translated(text), expected);
    }

    #[test]
    fn words_of_sentences() {
        check(
            "the threads of block (0,0,0) wait for all blocks. A thread.\n",
            "the work-items of work-group (0,0,0) wait for all work-groups. A work-item.\n",
        );
        check(
            "64 bytes of dynamic shared memory\n",
            "64 bytes of dynamic local memory\n",
        );
        check(
            "with blockDim.x = 4, i = 0\n",
            "with get_local_size(0) = 4, i = 0\n",
        );
    }

    #[test]
    fn names_and_sources_stay() {
        check(
            "at src/block/thread.cl:8, --block 4\n",
            "at src/block/thread.cl:8, --block 4\n",
        );
        check(
            "block in block.cl, profile opencl\n",
            "block in block.cl, profile opencl\n",
        );
        check(
            "`a[thread]`, of a thread\n",
            "`a[thread]`, of a work-item\n",
        );
        // Also where the quotation goes on in the next line.
        check(
            "`if (a)\n  thread = 1` of a\nthread\n",
            "`if (a)\n  thread = 1` of a\nwork-item\n",
        );
        check(" 12 │ int thread = block;\n", " 12 │ int thread = block;\n");
        check(
            "Profile opencl: blocks,\n  threads\n\nthreads\n",
            "Profile opencl: blocks,\n  threads\n\nwork-items\n",
        );
    }

    #[test]
    fn launches_and_global_ids() {
        check(
            "k in a.cl, profile opencl\n  launch: grid 2, block 8×2; inputs\n   │  ╰── thread (3,1,0) of \
             block (1,0,0) reads here\n",
            "k in a.cl, profile opencl\n  launch: num_groups 2, local_size 8×2; inputs\n   │  ╰── \
             work-item (3,1,0) of work-group (1,0,0), global id (11,1,0), reads here\n",
        );
        check(
            "   ╰── thread (3,1,0) of block (1,0,0) reads here\n",
            "   ╰── work-item (3,1,0) of work-group (1,0,0) reads here\n",
        );
    }
}
