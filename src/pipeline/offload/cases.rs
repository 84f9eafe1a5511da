//! Sizes at which an offloaded program is judged, where they are not given: integers among the arguments are small
//! numbers, and arrays have the cells that the original touches.

use crate::input::error::InputError;
use crate::input::request::{EntryRequest, ExtentSpec, LaunchSpec, Request, Sampling};
use crate::pipeline::format::{Case, Scalar};
use crate::pipeline::stage::{Stage, texts};
use crate::pipeline::step::point;
use crate::run::counted::{Counted, counted};
use crate::subject;
use gridlock_checker::finding::DefectKind;
use gridlock_semantics::algebra::types::Type;
use std::collections::BTreeMap;

/// Integers are these in turn; all of them 1 in the second case, and a number of the last row in the third.
const SIZES: [[i64; 4]; 3] = [[5, 6, 7, 4], [1, 1, 1, 1], [7, 4, 3, 2]];
const NAMES: [&str; 3] = ["first", "ones", "third"];

/// Operators followed of a run.
const MOST_STEPS: u64 = 2_000_000;

/// The cases, with the counts of a run of each.
pub(super) struct Chosen {
    pub cases: Vec<Case>,
    pub counts: Vec<Counted>,
    /// Cases that were left out, with the reason.
    pub left_out: Vec<String>,
}

/// `args` and `extents` are given.
///
/// # Errors
/// They are none of the entry's; the original fails in every case.
pub(super) fn cases(
    source: &Stage,
    args: &BTreeMap<String, String>,
    extents: &BTreeMap<String, String>,
    request: &Request,
) -> Result<Chosen, InputError> {
    let program = &source.prepared.surface;
    let procedure = program
        .procs
        .iter()
        .find(|procedure| *procedure.name == *source.entry);
    let variables = procedure.iter().flat_map(|procedure| {
        let variables = procedure.params.iter();
        variables.map(|v| &procedure.vars[v.0 as usize])
    });
    let variables: Vec<_> = variables.collect();
    // Names and values that are none are told of, which a case leaves out.
    if let Some(entry) = program.find_proc(&source.entry) {
        let mut all = BTreeMap::new();
        for (name, text) in extents {
            all.insert(name.clone(), ExtentSpec::parse(text)?);
        }
        let given = EntryRequest {
            entry: Some(source.entry.clone()),
            args: args.clone(),
            extents: all,
            ..EntryRequest::default()
        };
        subject::resolve_entry(program, entry, &given, None)?;
    }
    let is_free = |name: &str| !args.contains_key(name);
    let integers = variables.iter().filter(|variable| match variable.ty {
        Type::Scalar(ty) => ty.is_integer() && is_free(&variable.name),
        Type::Pointer(_) => false,
    });
    let integers: Vec<&str> = integers.map(|variable| &*variable.name).collect();
    let arrays = variables
        .iter()
        .filter(|variable| matches!(variable.ty, Type::Pointer(_)));
    let arrays: Vec<&str> = arrays
        .map(|variable| &*variable.name)
        .filter(|name| !extents.contains_key(*name) && is_free(name))
        .collect();
    let n_cases = if integers.is_empty() { 1 } else { SIZES.len() };
    let mut chosen = Chosen {
        cases: Vec::new(),
        counts: Vec::new(),
        left_out: Vec::new(),
    };
    for (sizes, name) in SIZES.iter().zip(NAMES).take(n_cases) {
        let drawn = integers.iter().zip(sizes.iter().cycle());
        let drawn = drawn.map(|(name, size)| ((*name).to_owned(), size.to_string()));
        let args: BTreeMap<String, String> = args.clone().into_iter().chain(drawn).collect();
        let mut extents = extents.clone();
        let mut all = Counted::default();
        let at = point(source, &args, &extents, &LaunchSpec::default())?;
        let sampling = Sampling::default();
        for sample in 0..sampling.count {
            let setup = subject::sampled_setup(program, &at, None, sampling, sample)?;
            let run = counted(&source.prepared, &setup, &request.profile, MOST_STEPS);
            all.add(run.unwrap_or_default());
        }
        for array in &arrays {
            let most = all.touched.get(*array).map_or(0, |(most, _)| *most);
            extents.insert((*array).to_owned(), (most + 1).max(1).to_string());
        }
        if let Some(fault) = &all.fault {
            chosen.left_out.push(format!(
                "{}: the original is defective ({})",
                in_words(&args),
                DefectKind::of_fault(&fault.kind).name()
            ));
            continue;
        }
        if all.is_cut {
            chosen.left_out.push(format!(
                "{}: the original takes more than {MOST_STEPS} steps",
                in_words(&args)
            ));
            continue;
        }
        chosen.counts.push(all);
        chosen.cases.push(Case {
            name: if n_cases == 1 { "" } else { name }.to_owned(),
            args: scalars(args),
            extents: scalars(extents),
            ..Case::default()
        });
    }
    match chosen.left_out.first().filter(|_| chosen.cases.is_empty()) {
        Some(why) => Err(InputError::usage(format!(
            "`{}` cannot be compared with anything: {why}; other arguments: --arg NAME=VALUE, and extents: --extent \
             NAME=COUNT",
            source.entry
        ))),
        None => Ok(chosen),
    }
}

/// Values as a pipeline file has them.
fn scalars(values: BTreeMap<String, String>) -> BTreeMap<String, Scalar> {
    let scalar = |text: String| match text.parse() {
        Ok(number) => Scalar::Integer(number),
        Err(_) => Scalar::Text(text),
    };
    values
        .into_iter()
        .map(|(name, text)| (name, scalar(text)))
        .collect()
}

/// `n = 6, m = 7`.
fn in_words(args: &BTreeMap<String, String>) -> String {
    let all: Vec<String> = args.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    match all.is_empty() {
        true => "without arguments".to_owned(),
        false => format!("with {}", all.join(", ")),
    }
}

/// A case in one line, for reports.
pub(super) fn described(case: &Case) -> String {
    let extents = texts(&case.extents).into_iter();
    let cells = extents.map(|(name, extent)| format!("{name}[{extent}]"));
    let args = texts(&case.args).into_iter();
    let all = args
        .map(|(name, value)| format!("{name} = {value}"))
        .chain(cells);
    let all: Vec<String> = all.collect();
    match all.is_empty() {
        true => "no arguments".to_owned(),
        false => all.join(", "),
    }
}
