//! A report as workflow commands of GitHub Actions
//! (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>): annotations at the lines
//! of a pull request.

use crate::input::error::InputError;
use crate::report::render::several::{FileRow, totals, verdict};
use crate::words::plain_words;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::verdict::Verdict;
use std::fmt::Write;

/// An annotation for each defect, for what is not decided, and for what is known of other launches; then a line
/// with the verdict.
pub fn annotations(judgement: &Judgement) -> String {
    let mut out = String::new();
    for defect in &judgement.defects {
        out.push_str(&of_defect("error", defect, &defect.message, judgement));
    }
    for condition in &judgement.conditions {
        let text = format!("{}: {}", condition.launch, condition.defect.message);
        out.push_str(&of_defect("notice", &condition.defect, &text, judgement));
    }
    for property in &judgement.properties {
        if property.verdict != Verdict::Unknown {
            continue;
        }
        let subject = judgement.subjects.get(property.subject);
        let (file, kernel) = subject.map_or(("", ""), |s| (s.file.as_str(), s.kernel.as_str()));
        let title = format!("{} of {kernel}: unknown", property.kind.name());
        out.push_str(&command(
            "warning",
            (file, 0, 0),
            &title,
            &property.explanation,
        ));
    }
    let _ = writeln!(
        out,
        "gridlock: {} under profile {}",
        plain_words::verdict(judgement.verdict).0,
        judgement.profile.name
    );
    out
}

fn of_defect(level: &str, defect: &Defect, text: &str, judgement: &Judgement) -> String {
    let subject = judgement.subjects.get(defect.subject);
    let sites = defect.accesses.iter().chain(&defect.threads);
    let site = sites.into_iter().find(|site| site.line > 0);
    let place = match (site, subject) {
        (Some(site), _) => (site.file.as_str(), site.line, site.column),
        (None, Some(subject)) => (subject.file.as_str(), 0, 0),
        (None, None) => ("", 0, 0),
    };
    let kernel = subject.map_or("", |subject| subject.kernel.as_str());
    command(
        level,
        place,
        &format!("{} in {kernel}", defect.kind.name()),
        text,
    )
}

/// What kept a command from judging.
pub fn failed(error: &InputError) -> String {
    let title = format!("gridlock: {}", error.kind.name());
    let unread = error.unread_places();
    if !unread.is_empty() {
        let commands = unread.iter().map(|(first, functions)| {
            let place = (&*first.file, first.line, first.column);
            let text = format!("{} (in {})", first.message, functions.join(", "));
            command("error", place, &title, &text)
        });
        return commands.collect();
    }
    let place = (
        error.file.as_deref().unwrap_or_default(),
        error.line.unwrap_or(0),
        error.column.unwrap_or(0),
    );
    command("error", place, &title, &error.message)
}

/// The last line for several files.
pub fn summary<'r>(rows: impl Iterator<Item = &'r FileRow>) -> String {
    let rows: Vec<&FileRow> = rows.filter(|row| !row.is_empty).collect();
    let totals = totals(&rows);
    let counts = [
        "refuted",
        "unknown",
        "not_read",
        "conditional",
        "passed",
        "proved",
    ];
    let counts = counts
        .iter()
        .map(|key| format!("{} {}", totals[key], key.replace('_', " ")));
    format!(
        "gridlock: {} files, {}: {}\n",
        rows.len(),
        plain_words::verdict(verdict(&rows)).0,
        counts.collect::<Vec<_>>().join(", ")
    )
}

/// `::error file=k.cu,line=3,col=5,title=data-race in k::two threads write a[0]`; line 0: no place in the file.
fn command(level: &str, (file, line, column): (&str, u32, u32), title: &str, text: &str) -> String {
    let mut fields = Vec::new();
    if !file.is_empty() {
        fields.push(format!("file={}", in_field(file)));
    }
    if line > 0 {
        fields.push(format!("line={line}"));
    }
    if line > 0 && column > 0 {
        fields.push(format!("col={column}"));
    }
    fields.push(format!("title={}", in_field(title)));
    format!("::{level} {}::{}\n", fields.join(","), in_text(text))
}

/// Nothing of a message ends the line, or begins another command.
fn in_text(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn in_field(text: &str) -> String {
    in_text(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_program_is_a_command() {
        let error = InputError::usage("no\n::add-mask::x 100%")
            .in_file("a,b:c\n.cu")
            .at(3, 5);
        assert_eq!(
            failed(&error),
            "::error file=a%2Cb%3Ac%0A.cu,line=3,col=5,title=gridlock%3A usage::no%0A::add-mask::x 100%25\n"
        );
    }

    #[test]
    fn what_has_no_place_has_no_fields_of_one() {
        assert_eq!(
            failed(&InputError::usage("no")),
            "::error title=gridlock%3A usage::no\n"
        );
    }
}
