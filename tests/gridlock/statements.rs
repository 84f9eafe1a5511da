//! Assumptions, remarks and what was not judged: every kind is documented and made somewhere, and no report says one
//! thing twice.

use crate::labelled::files;
use gridlock::input::request::Request;
use gridlock::judge::check::check_parsed;
use gridlock::report::render::json;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::not_judged::{Gap, NotJudged};
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::statements::{Statement, said_twice};
use gridlock_generation::effort;
use gridlock_semantics::profile::Profile;
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// What the kinds of a type are called in JSON: deserialising says so of a kind that there is not.
fn kinds<T: DeserializeOwned>() -> BTreeSet<String> {
    let unknown = serde_json::from_value::<T>(json!({ "kind": "?", "arguments": {} }));
    let error = unknown.err().expect("no kind is called that").to_string();
    let (_, list) = error.split_once("expected one of ").expect(&error);
    let names = list.split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

/// The table under a heading of docs/reports.md: kinds with the names of their arguments.
fn documented(heading: &str) -> BTreeMap<String, BTreeSet<String>> {
    let page = fs::read_to_string("docs/reports.md").unwrap();
    let (_, rest) = page
        .split_once(&format!("\n## {heading}\n"))
        .expect(heading);
    let section = rest.split("\n## ").next().unwrap_or(rest);
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split('|');
        let kind = cells.next()?.trim().trim_end_matches('`').to_owned();
        // What elements of a list consist of stands behind the name of the list.
        let arguments = cells.next()?.split(", a list of").next()?;
        let names = arguments.split('`').skip(1).step_by(2);
        Some((kind, names.map(str::to_owned).collect()))
    });
    rows.collect()
}

/// All of Rust below a folder.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found
}

/// `no-aliasing` is the variant `NoAliasing`.
fn variant(kind: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    kind.split('-').map(word).collect()
}

/// Whether some source makes the variant, and does not only match it.
fn is_made(sources: &[(PathBuf, String)], path: &str) -> bool {
    sources.iter().any(|(_, text)| {
        text.match_indices(path).any(|(at, _)| {
            let rest = &text[at + path.len()..];
            let is_whole = !rest.starts_with(|c: char| c.is_alphanumeric());
            let end = rest.find([';', '\n']).unwrap_or(rest.len());
            is_whole && !rest[..end].contains("=>")
        })
    })
}

#[test]
fn every_kind_is_documented() {
    for (heading, kinds) in [
        ("Assumptions", kinds::<Assumption>()),
        ("Remarks", kinds::<Remark>()),
        ("Not judged", kinds::<Gap>()),
    ] {
        let rows: BTreeSet<String> = documented(heading).into_keys().collect();
        assert!(kinds.len() >= 5, "{kinds:?}");
        assert_eq!(rows, kinds, "docs/reports.md, {heading}");
    }
}

/// A kind that nothing makes any more is one to take out of the page, or a report that has lost something.
#[test]
fn every_kind_is_made() {
    let judging: Vec<(PathBuf, String)> = ["src", "proofs/src"].map(sources).concat();
    let of = |name: &str, kinds: BTreeSet<String>| -> Vec<String> {
        let paths = kinds.iter().map(|k| format!("{name}::{}", variant(k)));
        paths.collect()
    };
    let mut paths = of("Assumption", kinds::<Assumption>());
    paths.extend(of("Remark", kinds::<Remark>()));
    paths.extend(of("Gap", kinds::<Gap>()));
    for path in paths {
        // What the front end takes for granted is only translated in `src`.
        let translated = path.replace("Assumption::", "Assumed::");
        let own = fs::read_to_string("frontend/src/assumed.rs").unwrap();
        let of_front_end = own.contains(&format!("\n    {}", translated.replace("Assumed::", "")));
        match of_front_end && translated != path {
            true => assert!(
                is_made(&sources("frontend/src"), &translated),
                "{translated}"
            ),
            false => assert!(is_made(&judging, &path), "{path}"),
        }
    }
    assert!(!is_made(&judging, "Assumption::NoSuchThing"));
}

/// What a list of a report says twice, as sentences, and where objects and sentences differ.
fn of_list<T: Statement + DeserializeOwned>(
    report: &Value,
    (sentences, objects): (&str, &str),
) -> Option<String> {
    let list = report.get(objects)?;
    let statements: Vec<T> = serde_json::from_value(list.clone()).expect("statements");
    if let Some((one, other)) = said_twice(&statements) {
        return Some(format!("{objects}: {one} / {other}"));
    }
    let texts: Vec<Value> = statements.iter().map(|s| s.to_string().into()).collect();
    let in_objects = list.as_array()?.iter().map(|object| &object["text"]);
    let differ =
        !in_objects.eq(&texts) || sentences != objects && report[sentences] != Value::Array(texts);
    differ.then(|| format!("{sentences} and {objects} differ: {list}"))
}

fn twice(report: &Value) -> Vec<String> {
    let found = [
        of_list::<Assumption>(report, ("assumptions", "assumed")),
        of_list::<Remark>(report, ("remarks", "remarked")),
        of_list::<NotJudged>(report, ("not_judged", "not_judged")),
    ];
    found.into_iter().flatten().collect()
}

/// Kinds and arguments in a report that docs/reports.md does not have like that.
fn undocumented(report: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (objects, heading) in [
        ("assumed", "Assumptions"),
        ("remarked", "Remarks"),
        ("not_judged", "Not judged"),
    ] {
        let rows = documented(heading);
        for object in report[objects].as_array().into_iter().flatten() {
            let arguments = object["arguments"].as_object().expect("arguments");
            let names: BTreeSet<String> = arguments.keys().cloned().collect();
            let row = object["kind"].as_str().and_then(|kind| rows.get(kind));
            if row != Some(&names) {
                wrong.push(object.to_string());
            }
        }
    }
    wrong
}

/// A short run looks at the report of a kernel in so many.
const SHARE: usize = 21;

fn reports() -> Vec<(String, Value)> {
    let chosen = files().par_iter().enumerate();
    let chosen = chosen.filter(|(number, _)| effort::is_done(*number, SHARE));
    let judged = chosen.filter_map(|(_, file)| {
        let (labelled, parsed) = (&file.labelled, file.parsed().clone().ok()?);
        let named = labelled.header.profiles.first();
        let profile = named.map_or_else(Profile::default, |name| Profile::named(name).unwrap());
        let entry = labelled.header.entry_under(&profile);
        let mut request = Request {
            device_limits: None,
            profile,
            ..Request::default()
        };
        // What is said is looked at here, not what is found out: a proof that is quick, and one small search.
        request.limits.seconds = 0.3;
        request.limits.states = 100;
        request.sampling.count = 1;
        let name = labelled.path.display().to_string();
        let judgement = check_parsed(&name, parsed, &entry, &request).ok()?;
        Some((name, json::judgement(&judgement)))
    });
    judged.collect()
}

/// Nor has a list of sentences another content than the list of values beside it.
#[test]
fn no_report_of_the_corpus_says_one_thing_twice() {
    let reports = reports();
    assert!(SHARE * reports.len() > 100, "{} reports", reports.len());
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (file, report) in &reports {
        let found = twice(report).into_iter().chain(undocumented(report));
        wrong.extend(found.map(|what| format!("{file}: {what}")));
        let said = ["assumed", "remarked", "not_judged"].map(|list| report[list].as_array());
        let kinds = said.into_iter().flatten().flatten();
        seen.extend(kinds.filter_map(|object| object["kind"].as_str()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for kind in [
        "no-aliasing",
        "contents-as-declared",
        "bounds-without-extent",
    ] {
        assert!(seen.contains(kind), "{seen:?}");
    }
}

/// The search above finds what is planted: a value twice, a value that another says, a sentence beside a value
/// that is not there, a kind and an argument that the page does not have.
#[test]
fn planted_duplicates_are_found() {
    let aligned = |bytes: u64| {
        let assumption = Assumption::ArraysAligned { bytes };
        let mut object = serde_json::to_value(&assumption).unwrap();
        object["text"] = assumption.to_string().into();
        object
    };
    let report = |said: &[Value]| {
        let texts: Vec<Value> = said.iter().map(|object| object["text"].clone()).collect();
        json!({ "assumptions": texts, "assumed": said })
    };
    let clean = report(&[aligned(16), aligned(12)]);
    assert_eq!(twice(&clean), Vec::<String>::new());
    assert_eq!(undocumented(&clean), Vec::<String>::new());
    for planted in [
        report(&[aligned(16), aligned(16)]),
        report(&[aligned(8), aligned(12), aligned(16)]),
        json!({ "assumptions": [], "assumed": [aligned(16)] }),
    ] {
        assert_eq!(twice(&planted).len(), 1, "{planted}");
    }
    for (field, value) in [("kind", json!("aligned")), ("arguments", json!({}))] {
        let mut object = aligned(16);
        object[field] = value;
        assert_eq!(undocumented(&report(&[object])).len(), 1);
    }
}
