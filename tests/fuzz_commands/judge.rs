//! What a run may not do, whatever it is given.

use crate::case::Case;
use crate::process::Ran;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// What is wrong with a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// Longer than its limits allow: perhaps only because the machine had other work.
    TooLong(String),
    Other(String),
}

/// Bytes that are no search's: the program itself, clang and what it prints.
const OWN_BYTES: u64 = 256 << 20;

/// The longest a case may take: its limits, a quarter of them, and a second.
pub fn longest(limit: Duration) -> Duration {
    limit.mul_f64(1.25) + Duration::from_secs(1)
}

/// When a run is stopped, to get on: far beyond the longest.
pub fn stopped_after(limit: Duration) -> Duration {
    longest(limit) * 2 + Duration::from_secs(5)
}

/// Everything wrong with a run; `before` and `after` are the files of its folder.
pub fn complaints(
    case: &Case,
    ran: &Ran,
    after: &[(String, Vec<u8>)],
    folders: &BTreeSet<String>,
) -> Vec<Complaint> {
    let mut found = Vec::new();
    let longest = longest(case.limit);
    let too_long = ran.took > longest;
    if too_long || ran.stopped.is_some() {
        let stopped = ran.stopped.as_deref().unwrap_or("by itself");
        let text = format!(
            "{:.1} s where {:.1} s are most ({stopped})",
            ran.took.as_secs_f64(),
            longest.as_secs_f64()
        );
        found.push(match too_long {
            true => Complaint::TooLong(text),
            false => Complaint::Other(text),
        });
    }
    let mut other = |text: String| found.push(Complaint::Other(text));
    match ran.status {
        None if ran.stopped.is_some() => {}
        None => other(format!("ended by a signal: {}", ending(&ran.stderr))),
        Some(0..=3) => {}
        Some(status) => other(format!("exit status {status}: {}", ending(&ran.stderr))),
    }
    for word in [
        "panicked at",
        "overflowed its stack",
        "memory allocation of",
    ] {
        if ran.stderr.contains(word) {
            other(format!("{word}: {}", ending(&ran.stderr)));
        }
    }
    let bytes = case.bytes();
    if ran.memory > bytes.saturating_add(bytes / 4 + OWN_BYTES) {
        other(format!("{} bytes of memory for {bytes} given", ran.memory));
    }
    for orphan in &ran.orphans {
        other(format!("left behind: {orphan}"));
    }
    for file in &ran.temporary {
        other(format!("temporary file left: {file}"));
    }
    for (name, bytes) in &case.files {
        match after.iter().find(|(n, _)| n == name) {
            Some((_, now)) if now == bytes => {}
            _ => other(format!("its input {name} was changed")),
        }
    }
    let is_asked = |name: &&String| {
        let given = case.files.iter().any(|(n, _)| n == *name)
            || case
                .files
                .iter()
                .any(|(n, _)| n.starts_with(&format!("{name}/")));
        // A folder that was asked for is made with those it is in.
        let out = |out: &String| {
            *name == out
                || out == "."
                || name.starts_with(&format!("{out}/"))
                // Two programs have a witness each.
                || **name == format!("{out}-old")
                || (folders.contains(*name) && out.starts_with(&format!("{name}/")))
        };
        given || case.outputs.iter().any(out)
    };
    let names: BTreeSet<String> = after.iter().map(|(n, _)| n.clone()).collect();
    for name in names.union(folders).filter(|name| !is_asked(name)) {
        other(format!("it wrote {name}, which nobody asked for"));
    }
    if ran.stopped.is_none() {
        found.extend(of_answer(case, ran).into_iter().map(Complaint::Other));
    }
    found
}

/// What is wrong with what it said.
fn of_answer(case: &Case, ran: &Ran) -> Vec<String> {
    let mut found = Vec::new();
    if ran.garbled {
        found.push("output that is no text".to_owned());
    }
    if ran.status == Some(2) && ran.stdout.trim().is_empty() && ran.stderr.trim().is_empty() {
        found.push("exit status 2 without a word".to_owned());
    }
    if !case.json || !matches!(ran.status, Some(0..=3)) {
        return found;
    }
    let object: Value = match serde_json::from_str(&ran.stdout) {
        Ok(object @ Value::Object(_)) => object,
        Ok(_) => return vec!["JSON that is no object".to_owned()],
        Err(error) => {
            found.push(format!("no JSON: {error}: {}", ending(&ran.stdout)));
            return found;
        }
    };
    let error = &object["error"];
    if error.is_null() {
        if ran.status == Some(2) && object["warnings"].is_null() && object["files"].is_null() {
            found.push("exit status 2, and JSON without an error".to_owned());
        }
        return found;
    }
    if ran.status != Some(2) {
        found.push(format!("an error with exit status {:?}", ran.status));
    }
    if error["message"]
        .as_str()
        .is_none_or(|m| m.trim().is_empty())
    {
        found.push(format!("an error without a message: {error}"));
    }
    // What is wrong with an option's value is in no file.
    let of_option = error["message"]
        .as_str()
        .is_some_and(|m| m.starts_with("--"));
    match error["kind"].as_str() {
        Some("internal") => found.push(format!("an internal error: {error}")),
        Some("syntax" | "unsupported") if !of_option => found.extend(of_place(case, error)),
        Some(_) => {}
        None => found.push(format!("an error of no kind: {error}")),
    }
    found
}

/// A mistake in a text is somewhere in a text; what a file lacks is nowhere in it.
fn of_place(case: &Case, error: &Value) -> Option<String> {
    let (line, column) = (error["line"].as_u64(), error["column"].as_u64());
    let file = error["file"].as_str();
    if error["kind"] == "unsupported" && file.is_some() && line.is_none() {
        return None;
    }
    let (Some(line), Some(column), Some(file)) = (line, column, file) else {
        return Some(format!("an error without its place: {error}"));
    };
    let (_, bytes) = case.files.iter().find(|(name, _)| name == file)?;
    // clang complains about an end that is missing on the line after the last; a line ends at a
    // carriage return for some, and not for others.
    let n_lines = bytes.iter().filter(|b| [b'\n', b'\r'].contains(b)).count() as u64 + 2;
    let is_inside = (1..=n_lines).contains(&line) && column > 0;
    (!is_inside).then(|| format!("an error at a place that is not there: {error}"))
}

/// The last words of a text.
fn ending(text: &str) -> String {
    let text = text.trim();
    let n = text.chars().count();
    text.chars().skip(n.saturating_sub(600)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case() -> Case {
        Case {
            subcommand: "check".to_owned(),
            arguments: vec!["check".to_owned(), "k.cu".to_owned()],
            files: vec![("k.cu".to_owned(), b"int a;\n".to_vec())],
            outputs: vec!["out-0".to_owned()],
            limit: Duration::from_secs(1),
            json: true,
        }
    }

    fn ran(status: i32, stdout: &str) -> Ran {
        Ran {
            status: Some(status),
            stdout: stdout.to_owned(),
            took: Duration::from_millis(700),
            ..Ran::default()
        }
    }

    fn of(ran: &Ran) -> String {
        let case = case();
        let after = case.files.clone();
        format!("{:?}", complaints(&case, ran, &after, &BTreeSet::new()))
    }

    /// Each of the things a run may not do is noticed.
    #[test]
    fn what_is_wrong_is_noticed() {
        assert_eq!(of(&ran(0, "{}")), "[]");
        let error = |place: &str| {
            format!("{{\"error\": {{\"kind\": \"syntax\", \"message\": \"x\"{place}}}}}")
        };
        let here = error(", \"file\": \"k.cu\", \"line\": 1, \"column\": 2");
        assert_eq!(of(&ran(2, &here)), "[]");
        let wrong = [
            (ran(101, "{}"), "exit status 101"),
            (ran(2, ""), "without a word"),
            (ran(0, "{} {}"), "no JSON"),
            (ran(0, &here), "with exit status"),
            (ran(2, &error("")), "without its place"),
            (ran(2, &here.replace("1,", "9,")), "not there"),
            (ran(2, &here.replace("syntax", "internal")), "internal"),
            (
                Ran {
                    status: None,
                    ..ran(0, "{}")
                },
                "by a signal",
            ),
            (
                Ran {
                    took: Duration::from_millis(2400),
                    ..ran(0, "{}")
                },
                "TooLong",
            ),
            (
                Ran {
                    memory: 1 << 30,
                    ..ran(0, "{}")
                },
                "bytes of memory",
            ),
            (
                Ran {
                    orphans: vec!["clang".to_owned()],
                    ..ran(0, "{}")
                },
                "left behind: clang",
            ),
            (
                Ran {
                    temporary: vec!["x".to_owned()],
                    ..ran(0, "{}")
                },
                "temporary file left: x",
            ),
            (
                Ran {
                    stderr: "thread panicked at".to_owned(),
                    ..ran(0, "{}")
                },
                "panicked",
            ),
        ];
        let roomy = Case {
            arguments: ["check", "k.cu", "--limit-bytes", "4294967296"]
                .map(str::to_owned)
                .into(),
            ..case()
        };
        let large = Ran {
            memory: 1 << 30,
            ..ran(0, "{}")
        };
        let found = complaints(&roomy, &large, &roomy.files, &BTreeSet::new());
        assert!(found.is_empty(), "it may hold that much: {found:?}");
        for (ran, part) in wrong {
            assert!(of(&ran).contains(part), "{part}: {}", of(&ran));
        }
        let case = case();
        let files = |files: &[(&str, &str)]| -> String {
            let owned = |(n, b): &(&str, &str)| ((*n).to_owned(), b.as_bytes().to_vec());
            let after: Vec<_> = files.iter().map(owned).collect();
            format!(
                "{:?}",
                complaints(&case, &ran(0, "{}"), &after, &BTreeSet::new())
            )
        };
        let kept = ("k.cu", "int a;\n");
        assert_eq!(files(&[kept, ("out-0", "x")]), "[]");
        assert!(files(&[("k.cu", "{}")]).contains("input k.cu was changed"));
        assert!(files(&[kept, ("odd", "x")]).contains("it wrote odd"));
        assert_eq!(files(&[kept, ("out-0-old", "x")]), "[]");
        let here = Case {
            outputs: vec![".".to_owned()],
            ..case.clone()
        };
        let after = [kept, ("odd", "x")].map(|(n, b)| (n.to_owned(), b.as_bytes().to_vec()));
        let found = complaints(&here, &ran(0, "{}"), &after, &BTreeSet::new());
        assert!(
            found.is_empty(),
            "the working folder was asked for: {found:?}"
        );
    }

    #[test]
    fn a_folder_asked_for_may_be_in_another_that_was_not_there() {
        let case = Case {
            outputs: vec!["no/out".to_owned()],
            ..case()
        };
        let mut after = case.files.clone();
        let folders = BTreeSet::from(["no".to_owned(), "no/out".to_owned()]);
        let of = |after: &[(String, Vec<u8>)], folders| {
            format!("{:?}", complaints(&case, &ran(0, "{}"), after, folders))
        };
        assert_eq!(of(&after, &folders), "[]");
        after.push(("no".to_owned(), Vec::new()));
        assert!(of(&after, &BTreeSet::new()).contains("it wrote no,"));
    }
}
