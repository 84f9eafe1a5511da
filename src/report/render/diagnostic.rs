//! Places in source text with what happened there: input errors and defects.

use super::excerpt::excerpt;
use super::explanation::explanation;
use super::grade::grades;
use super::sources::{Sources, word_at};
use super::table::wrap;
use super::threads::{thread_set, who};
use crate::input::error::{InputError, Unread};
use crate::words::style::{Ink, Style};
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::site::Site;
use gridlock_semantics::transition::AccessMode;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

/// A place and what is to be said about it.
pub struct Note {
    /// As reports name it.
    pub file: String,
    /// From 1; 0: nowhere.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// `thread (0,0,0) of block (0,0,0) writes here`.
    pub text: String,
}

/// Who stood where: both sides of a race, the guilty access, groups of threads that wait.
pub fn notes(defect: &Defect) -> Vec<Note> {
    let mut notes: Vec<Note> = defect.accesses.iter().map(access_note).collect();
    notes.extend(position_notes(&defect.threads));
    notes
}

/// `file:line:column: message`, then the source line with a mark under the place; one after the other where several
/// functions cannot be read.
pub fn input_error(error: &InputError, sources: &mut Sources, style: &Style) -> String {
    if !error.unread.is_empty() {
        return unread(&error.unread_places(), sources, style);
    }
    let mut out = match &error.file {
        Some(_) => format!("{error}\n"),
        None => format!("{}: {error}\n", style.paint(Ink::Bad, "error")),
    };
    if let (Some(file), Some(line), Some(column)) = (&error.file, error.line, error.column) {
        let note = Note {
            file: file.clone(),
            line,
            column,
            text: "here".to_owned(),
        };
        out.push_str(&snippet(&[note], sources, style));
    }
    out
}

/// What stands in the way of functions that cannot be read, each place once.
fn unread(places: &[(&Unread, Vec<&str>)], sources: &mut Sources, style: &Style) -> String {
    let mut out = String::new();
    for (first, functions) in &places[..places.len().min(MOST_UNREAD)] {
        let Unread {
            message,
            file,
            line,
            column,
            ..
        } = first;
        let _ = writeln!(out, "{file}:{line}:{column}: {message}");
        let named: Vec<String> = functions
            .iter()
            .take(MOST_AT_A_PLACE)
            .map(|f| format!("`{f}`"))
            .collect();
        let more = match functions.len() - named.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let note = Note {
            file: file.clone(),
            line: *line,
            column: *column,
            text: format!("here, in {}{more}", named.join(", ")),
        };
        out.push_str(&snippet(&[note], sources, style));
    }
    let rest: usize = places
        .iter()
        .skip(MOST_UNREAD)
        .map(|(_, functions)| functions.len())
        .sum();
    if rest > 0 {
        let _ = writeln!(
            out,
            "{rest} more cannot be read either (`--format json` lists all)"
        );
    }
    out
}

/// Places shown in the way of functions that cannot be read, and functions named at each.
const MOST_UNREAD: usize = 20;
const MOST_AT_A_PLACE: usize = 4;

/// A defect: its kind and message, the lines it happened on with who stood there, and how it came
/// about.
pub fn defect(defect: &Defect, sources: &mut Sources, style: &Style) -> String {
    let mut out = String::new();
    let kind = style.paint(Ink::Bad, defect.kind.name());
    let head = format!("{}: {}", defect.kind.name(), defect.message);
    let mut head = wrap(&head, style.width).join("\n");
    head.replace_range(..defect.kind.name().len(), &kind);
    let _ = writeln!(out, "{head}");
    let notes = notes(defect);
    out.push_str(&snippet(&notes, sources, style));
    out.push_str(&explanation(defect, style));
    out.push_str(&grades(defect, style));
    if !defect.confirmed {
        let _ = writeln!(out, "  (not confirmed by a replay)");
    }
    out
}

fn access_note(site: &Site) -> Note {
    let does = match site.mode {
        _ if !site.state.is_empty() => &site.state,
        Some(AccessMode::Read) => "reads here",
        Some(AccessMode::Write) => "writes here",
        Some(AccessMode::Atomic) => "accesses atomically here",
        Some(AccessMode::AtomicRead) => "reads atomically here",
        None => "is here",
    };
    Note {
        file: site.file.clone(),
        line: site.line,
        column: site.column,
        text: format!("{} {does}", who(site)),
    }
}

/// One note for all threads of a block that stand at the same place in the same state.
fn position_notes(threads: &[Site]) -> Vec<Note> {
    type BlockPosition<'a> = (Option<[u32; 3]>, &'a str, u32, u32, &'a str);
    let mut groups: BTreeMap<BlockPosition, (BTreeSet<[u32; 3]>, &Site)> = BTreeMap::new();
    let mut order: Vec<BlockPosition> = Vec::new();
    for site in threads {
        let place = (
            site.block,
            site.file.as_str(),
            site.line,
            site.column,
            site.state.as_str(),
        );
        let group = groups.entry(place).or_insert_with(|| {
            order.push(place);
            (BTreeSet::new(), site)
        });
        group.0.extend(site.thread);
    }
    let note = |place: &BlockPosition| {
        let (members, site) = &groups[place];
        let who = match (members.is_empty(), site.block) {
            (true, _) => who(site),
            (false, None) => thread_set(members),
            (false, Some([x, y, z])) => {
                format!("{} of block ({x},{y},{z})", thread_set(members))
            }
        };
        let state = state_of(&site.state, members.len());
        Note {
            file: site.file.clone(),
            line: site.line,
            column: site.column,
            text: format!("{who} {state}"),
        }
    };
    order.iter().map(note).collect()
}

/// `waits at a barrier` of one thread is `wait at a barrier` of several.
fn state_of(state: &str, n: usize) -> String {
    let state = if state.is_empty() { "is here" } else { state };
    if n < 2 {
        return state.to_owned();
    }
    let (verb, rest) = state.split_once(' ').unwrap_or((state, ""));
    let verb = match verb {
        "has" => "have",
        "is" => "are",
        verb => verb.strip_suffix('s').unwrap_or(verb),
    };
    format!("{verb} {rest}").trim_end().to_owned()
}

/// The notes drawn under their source lines; those whose source is not at hand as plain lines.
fn snippet(notes: &[Note], sources: &mut Sources, style: &Style) -> String {
    let mut drawn = Vec::new();
    let mut bare = String::new();
    for note in notes {
        let place = |text: &str| word_at(text, note.line, note.column);
        match sources.text(&note.file).and_then(place) {
            Some(range) => drawn.push((note, range)),
            None if note.line == 0 => {
                let _ = writeln!(bare, "  {}", note.text);
            }
            None => {
                let Note {
                    file,
                    line,
                    column,
                    text,
                } = note;
                let _ = writeln!(bare, "  {file}:{line}:{column}: {text}");
            }
        }
    }
    draw(&drawn, sources, style) + &bare
}

fn draw(notes: &[(&Note, Range<usize>)], sources: &mut Sources, style: &Style) -> String {
    const COLOURS: [Color; 4] = [Color::Red, Color::Cyan, Color::Yellow, Color::Magenta];
    let Some((first, _)) = notes.first() else {
        return String::new();
    };
    // What is drawn of each file, and where each note stands in that.
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut ranges: Vec<Range<usize>> = notes.iter().map(|(_, range)| range.clone()).collect();
    for (note, _) in notes {
        if texts.contains_key(&note.file) {
            continue;
        }
        if let Some(text) = sources.text(&note.file) {
            let of_file: Vec<usize> = (0..notes.len())
                .filter(|i| notes[*i].0.file == note.file)
                .collect();
            let places: Vec<_> = of_file.iter().map(|i| ranges[*i].clone()).collect();
            let (shown, moved) = excerpt(text, &places);
            for (i, place) in of_file.into_iter().zip(moved) {
                ranges[i] = place;
            }
            texts.insert(note.file.clone(), shown);
        }
    }
    // ariadne begins a file anew where a line comes before that of the label before it, by their orders.
    let mut in_order: Vec<(&Note, &Range<usize>, usize)> = notes
        .iter()
        .zip(&ranges)
        .enumerate()
        .map(|(i, ((note, _), range))| (*note, range, i))
        .collect();
    let first_of = |file: &str| notes.iter().position(|(note, _)| note.file == file);
    in_order.sort_by_key(|(note, _, _)| (first_of(&note.file), note.line));
    let labels = in_order
        .into_iter()
        .zip(0..)
        .map(|((note, range, i), order)| {
            let label = Label::new((note.file.clone(), range.clone()))
                .with_message(&note.text)
                .with_order(order);
            match style.colour {
                true => label.with_color(COLOURS[i % COLOURS.len()]),
                false => label,
            }
        });
    let config = Config::new()
        .with_color(style.colour)
        .with_index_type(IndexType::Byte);
    let at = (first.file.clone(), ranges[0].start..ranges[0].start);
    let report = Report::build(ReportKind::Error, at)
        .with_config(config)
        .with_labels(labels)
        .finish();
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = report.write(ariadne::sources(texts), &mut bytes);
    // The first line is ariadne's own head; the caller has written a better one.
    match String::from_utf8_lossy(&bytes).split_once('\n') {
        Some((_, body)) => body
            .lines()
            .map(|line| format!("{}\n", headed(line, notes).trim_end()))
            .collect(),
        None => String::new(),
    }
}

/// A line as ariadne draws it; where it heads the lines of a file, `╭─[ k.cu:3:5 ]`, with the place of the first note
/// in that file, as messages name it: ariadne counts columns in characters.
fn headed(line: &str, notes: &[(&Note, Range<usize>)]) -> String {
    let heads = |frame: &str| line.find(frame).is_some_and(|at| !line[..at].contains('│'));
    if !heads("╭") && !heads("├") {
        return line.to_owned();
    }
    let place = |(note, _): &(&Note, Range<usize>)| {
        let (before, after) = line.split_once(&format!(" {}:", note.file))?;
        let (_, after) = after.split_once(' ')?;
        let Note {
            file, line, column, ..
        } = note;
        Some(format!("{before} {file}:{line}:{column} {after}"))
    };
    notes.iter().find_map(place).unwrap_or(line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::error::ErrorKind;
    use gridlock_checker::finding::DefectKind;

    const KERNEL: &str = "__global__ void k(int *a)\n{\n    a[0] = 1;\n    __syncthreads();\n}\n";

    fn sources() -> Sources {
        let mut sources = Sources::new();
        sources.insert("k.cu", KERNEL);
        sources
    }

    fn site(line: u32, thread: u32, mode: Option<AccessMode>, state: &str) -> Site {
        Site {
            file: "k.cu".to_owned(),
            line,
            column: 5,
            thread: Some([thread, 0, 0]),
            block: Some([0, 0, 0]),
            mode,
            who: None,
            state: state.to_owned(),
        }
    }

    fn a_defect(accesses: Vec<Site>, threads: Vec<Site>) -> Defect {
        Defect {
            subject: 0,
            kind: DefectKind::DataRace,
            message: "two threads write `a[0]`".to_owned(),
            array: None,
            index: None,
            element: None,
            space: None,
            accesses,
            threads,
            explanation: None,
            grade: Default::default(),
            confirmed: true,
            witness: None,
            original: None,
        }
    }

    #[test]
    fn an_error_shows_its_line() {
        let error = InputError::new(ErrorKind::Unsupported, "not supported: x")
            .in_file("k.cu")
            .at(3, 5);
        let shown = input_error(&error, &mut sources(), &Style::default());
        assert!(shown.starts_with("k.cu:3:5: not supported: x\n"), "{shown}");
        assert!(shown.contains("a[0] = 1;"), "{shown}");
        assert!(!shown.contains("Error"), "{shown}");
    }

    /// Columns count bytes wherever they are named.
    #[test]
    fn the_frame_names_the_place_of_the_message() {
        for text in [
            "/* ä€ */ a[0] = 1;\n",
            "\t/* \u{fffd} */ a;\n",
            "a[0] = 1;\n",
        ] {
            let column = text.find('a').unwrap() as u32 + 1;
            let mut sources = Sources::new();
            sources.insert("dir/k.cu", text);
            sources.insert("k.cu", &format!("// é\n{text}"));
            let error = |file: &str, line: u32| {
                InputError::new(ErrorKind::Syntax, "x")
                    .in_file(file)
                    .at(line, column)
            };
            for (file, line) in [("dir/k.cu", 1), ("k.cu", 2)] {
                let colour = Style {
                    colour: true,
                    ..Style::default()
                };
                for style in [Style::default(), colour] {
                    let shown = input_error(&error(file, line), &mut sources, &style);
                    let place = format!("{file}:{line}:{column}");
                    assert_eq!(shown.matches(&place).count(), 2, "{shown}");
                }
            }
            // Each file of a defect has its own head.
            let mut sites = [
                site(1, 0, Some(AccessMode::Write), ""),
                site(2, 1, Some(AccessMode::Read), ""),
            ];
            sites[0].file = "dir/k.cu".to_owned();
            sites.iter_mut().for_each(|site| site.column = column);
            let shown = defect(
                &a_defect(sites.to_vec(), vec![]),
                &mut sources,
                &Style::default(),
            );
            for head in [
                format!("╭─[ dir/k.cu:1:{column} ]"),
                format!("├─[ k.cu:2:{column} ]"),
            ] {
                assert!(shown.contains(&head), "no {head} in {shown}");
            }
        }
    }

    #[test]
    fn an_error_without_a_place_has_no_snippet() {
        let shown = input_error(&InputError::usage("no"), &mut sources(), &Style::default());
        assert_eq!(shown, "error: no\n");
    }

    #[test]
    fn an_error_in_a_file_that_is_gone_shows_numbers_only() {
        let error = InputError::new(ErrorKind::Syntax, "x")
            .in_file("/nowhere/k.cu")
            .at(3, 5);
        let shown = input_error(&error, &mut Sources::new(), &Style::default());
        assert!(shown.starts_with("/nowhere/k.cu:3:5: x\n"), "{shown}");
    }

    #[test]
    fn both_sides_of_a_race_are_labelled() {
        let accesses = vec![
            site(3, 0, Some(AccessMode::Write), ""),
            site(3, 1, Some(AccessMode::Write), ""),
        ];
        let shown = defect(
            &a_defect(accesses, vec![]),
            &mut sources(),
            &Style::default(),
        );
        assert!(
            shown.contains("thread (0,0,0) of block (0,0,0) writes here"),
            "{shown}"
        );
        assert!(
            shown.contains("thread (1,0,0) of block (0,0,0) writes here"),
            "{shown}"
        );
    }

    /// Of a file with two places, the one named first may stand below the other.
    #[test]
    fn lines_of_one_file_stand_in_their_order() {
        let (read, write) = (Some(AccessMode::Read), Some(AccessMode::Write));
        let accesses = vec![site(4, 0, read, ""), site(3, 1, write, "")];
        let shown = defect(
            &a_defect(accesses, vec![]),
            &mut sources(),
            &Style::default(),
        );
        assert_eq!(shown.matches("[ k.cu:").count(), 1, "{shown}");
        assert!(shown.contains("╭─[ k.cu:4:5 ]"), "{shown}");
        let place = |text: &str| shown.find(text).expect(text);
        assert!(place("a[0] = 1;") < place("__syncthreads();"), "{shown}");
    }

    #[test]
    fn threads_in_one_state_share_a_note() {
        let threads = (0..3)
            .map(|t| site(4, t, None, "waits at the barrier"))
            .collect();
        let shown = defect(
            &a_defect(vec![], threads),
            &mut sources(),
            &Style::default(),
        );
        assert!(
            shown.contains("threads (0..=2,0,0) of block (0,0,0) wait at the barrier"),
            "{shown}"
        );
    }
}
