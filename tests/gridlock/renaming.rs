//! What things are called decides nothing: with other names for every variable, parameter and array, those among them that
//! the prover gives to unknowns of its own, every property of a kernel has the verdict that it had.

use crate::labelled::{File, files};
use gridlock::input::request::{EntryRequest, ExtentFactor, ExtentSpec, Request};
use gridlock::judge::check::check_parsed;
use gridlock_checker::verdict::{Assurance, Property, Reason, Verdict};
use gridlock_frontend::Parsed;
use gridlock_generation::effort;
use gridlock_semantics::profile::Profile;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A short run takes a file in so many.
const SHARE: usize = 57;

/// Names that the prover, or what it is made of, uses too.
const NAMES: [&str; 10] = [
    "old",
    "loaded",
    "contents",
    "exchanged",
    "another",
    "iteration",
    "residue32",
    "some",
    "fold",
    "threadIdx",
];

/// Each name once, then each with a number.
fn name(number: usize) -> String {
    let name = NAMES[number % NAMES.len()];
    match number / NAMES.len() {
        0 => name.to_owned(),
        round => format!("{name}{round}"),
    }
}

/// The program with other names, and the request in these; `None` where a name of the request may mean several things.
fn renamed(parsed: &Parsed, entry: &EntryRequest, first: usize) -> Option<(Parsed, EntryRequest)> {
    let mut parsed = parsed.clone();
    let mut args = BTreeMap::new();
    let mut others: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for procedure in &mut parsed.program.procs {
        for (number, var) in procedure.vars.iter_mut().enumerate() {
            let new = name(first + number);
            if let Some(value) = entry.args.get(&*var.name) {
                args.insert(new.clone(), value.clone());
            }
            others
                .entry(var.name.to_string())
                .or_default()
                .push(new.clone());
            var.name = new.into();
        }
    }
    for (number, array) in parsed.program.arrays.iter_mut().enumerate() {
        let new = name(first + 3 + number);
        others
            .entry(array.name.to_string())
            .or_default()
            .push(new.clone());
        array.name = new.into();
    }
    let other = |name: &String| match others.get(name)?.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    };
    let extent = |spec: &ExtentSpec| -> Option<ExtentSpec> {
        let factors = spec.0.iter().map(|factor| match factor {
            ExtentFactor::Number(number) => Some(ExtentFactor::Number(*number)),
            ExtentFactor::Parameter(name) => other(name).map(ExtentFactor::Parameter),
        });
        factors.collect::<Option<_>>().map(ExtentSpec)
    };
    let extents = entry.extents.iter();
    let extents = extents.map(|(name, spec)| Some((other(name)?, extent(spec)?)));
    let contents = entry.contents.iter();
    let contents = contents.map(|(name, spec)| Some((other(name)?, spec.clone())));
    let entry = EntryRequest {
        args,
        extents: extents.collect::<Option<_>>()?,
        contents: contents.collect::<Option<_>>()?,
        ..entry.clone()
    };
    Some((parsed, entry))
}

type Established = Vec<(Property, Verdict, Option<Reason>, Option<Assurance>)>;

/// What is established of each property; `None` where it is bad input, or a limit of time was met.
fn established(file: &File, parsed: Parsed, entry: &EntryRequest) -> Option<Established> {
    let header = &file.labelled.header;
    let named = header.profiles.first();
    let mut request = Request {
        device_limits: None,
        profile: named.map_or_else(Profile::default, |name| Profile::named(name).unwrap()),
        ..Request::default()
    };
    // Names reach the proofs; runs are of numbers.
    request.limits.seconds = 20.0;
    request.limits.states = 100;
    request.sampling.count = 1;
    let judged = check_parsed("k.cu", parsed, entry, &request).ok()?;
    if judged
        .limits_hit
        .iter()
        .any(|limit| limit.contains("seconds"))
    {
        return None;
    }
    let properties = judged.properties.iter();
    Some(
        properties
            .map(|p| (p.kind, p.verdict, p.reason, p.assurance))
            .collect(),
    )
}

#[test]
fn other_names_change_no_verdict() {
    let compared: Vec<Option<String>> = files()
        .par_iter()
        .enumerate()
        .filter(|(number, _)| effort::is_done(*number, SHARE))
        .map(|(number, file)| {
            let parsed = file.parsed().as_ref().ok()?;
            let profile = Profile::default();
            let entry = file.labelled.header.entry_under(&profile);
            let (other, other_entry) = renamed(parsed, &entry, number)?;
            let before = established(file, parsed.clone(), &entry)?;
            let after = established(file, other, &other_entry)?;
            Some(match before == after {
                true => String::new(),
                false => format!("{:?}:\n{before:?}\n{after:?}", file.labelled.path),
            })
        })
        .collect();
    let compared: Vec<String> = compared.into_iter().flatten().collect();
    assert!(
        4 * SHARE * compared.len() > files().len(),
        "{}",
        compared.len()
    );
    let differ: Vec<String> = compared
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
