//! Which entries of a file are judged.

use crate::input::error::InputError;
use crate::input::request::EntryRequest;
use crate::input::source::{nothing_read, unsupported_error};
use gridlock_checker::report::not_judged::{Gap, Place};
use gridlock_checker::verdict::Reason;
use gridlock_frontend::{Parsed, Unsupported};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::FileId;
use std::collections::BTreeSet;

pub(crate) struct Chosen {
    pub procs: Vec<ProcId>,
    /// Kernels that could not be read; they come out `unknown`.
    pub unsupported: Vec<Unsupported>,
    /// A `main` beside kernels that is not judged; the file comes out `unknown`.
    pub left_out: Option<LeftOut>,
}

/// A `main` that is there and is not judged, so that the launches it makes are not either.
pub(crate) struct LeftOut {
    pub reason: Reason,
    pub gap: Gap,
    /// What that leaves open.
    pub open: String,
    /// The construct that could not be read, if that is why.
    pub place: Option<Place>,
}

/// The entry named; else every kernel and a closed `main`; else, in a file without kernels, every
/// host function that is never called.
pub(crate) fn choose(
    file: &str,
    parsed: &Parsed,
    entry: &EntryRequest,
) -> Result<Chosen, InputError> {
    let program = &parsed.program;
    if let Some(name) = &entry.entry {
        let name = &one_of_several(file, parsed, name)?;
        let instance = only_instance(file, parsed, name)?.unwrap_or_else(|| instance(name));
        if let Some(proc) = program
            .find_proc(name)
            .or_else(|| program.find_proc(&instance))
        {
            return Ok(Chosen {
                procs: vec![proc],
                unsupported: Vec::new(),
                left_out: None,
            });
        }
        if let Some(lost) = parsed
            .unsupported
            .iter()
            .find(|u| u.proc == *name || u.proc == instance)
        {
            return Err(unsupported_error(lost));
        }
        let known = nearest_first(name, parsed);
        let more = match known.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        return Err(InputError::usage(format!(
            "no kernel or function `{name}` (the file has: {}{more})",
            if known.is_empty() {
                "none".to_owned()
            } else {
                known[..known.len().min(MOST_NAMED)].join(", ")
            }
        ))
        .in_file(file));
    }
    let mut procs: Vec<ProcId> = program.procs_of_kind(ProcKind::Kernel).collect();
    // Those of its headers last: what was asked about is the file.
    procs.sort_by_key(|kernel| program.proc(*kernel).span.file != FileId(0));
    let main = program
        .find_proc("main")
        .filter(|m| program.proc(*m).own_params().next().is_none());
    procs.extend(main);
    let mut unsupported: Vec<Unsupported> = parsed
        .unsupported
        .iter()
        .filter(|u| u.kind == ProcKind::Kernel)
        .cloned()
        .collect();
    let mut left_out = main_left_out(parsed);
    if procs.is_empty() && unsupported.is_empty() {
        procs = roots(program);
        unsupported = parsed.unsupported.clone();
        left_out = None;
    }
    if procs.is_empty() {
        return Err(nothing_read(file, &parsed.unsupported));
    }
    Ok(Chosen {
        procs,
        unsupported,
        left_out,
    })
}

/// The procedure that a name means of which the file may have several; `k_1` is the first of those called `k`.
///
/// # Errors
/// Several functions have the name.
fn one_of_several(file: &str, parsed: &Parsed, name: &str) -> Result<String, InputError> {
    let others = |base: &str| -> Vec<&str> {
        let all = parsed.same_names.iter();
        let own = all.filter(|(_, shared)| *shared == base);
        own.map(|(name, _)| name.as_str()).collect()
    };
    if let Some(base) = name.strip_suffix("_1")
        && parsed.program.find_proc(name).is_none()
        && !others(base).is_empty()
    {
        return Ok(base.to_owned());
    }
    match others(name).as_slice() {
        [] => Ok(name.to_owned()),
        others => Err(InputError::usage(format!(
            "several functions are called `{name}`; choose one, in the order of the file: {name}_1, {}",
            others.join(", ")
        ))
        .in_file(file)),
    }
}

/// Names listed where one is not found.
const MOST_NAMED: usize = 30;

/// The only instance of the template of this name, whether it could be read or not; `None` where the name is no
/// template's, or is that of a procedure, too.
///
/// # Errors
/// The template has several.
fn only_instance(file: &str, parsed: &Parsed, name: &str) -> Result<Option<String>, InputError> {
    if parsed.program.find_proc(name).is_some() {
        return Ok(None);
    }
    let is_own = |(_, template): &(&String, &String)| *template == name;
    let is_read = |instance: &str| {
        let is_lost = parsed.unsupported.iter().any(|u| u.proc == *instance);
        is_lost || parsed.program.find_proc(instance).is_some()
    };
    let instances = parsed.templates.iter().filter(is_own).map(|(name, _)| name);
    let instances: Vec<&str> = instances
        .map(String::as_str)
        .filter(|i| is_read(i))
        .collect();
    match instances.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some((*only).to_owned())),
        several => {
            let listed = several[..several.len().min(MOST_NAMED)].join(", ");
            let message =
                format!("`{name}` is a template with several instances; choose one of: {listed}");
            Err(InputError::usage(message).in_file(file))
        }
    }
}

/// What may have been meant: kernels, and where there are none functions; those whose names are like `name` first.
fn nearest_first<'p>(name: &str, parsed: &'p Parsed) -> Vec<&'p str> {
    let procs = parsed.program.procs.iter().map(|p| (p.kind, &*p.name));
    let lost = parsed.unsupported.iter().map(|u| (u.kind, &*u.proc));
    let mut known: Vec<(ProcKind, &str)> = procs.chain(lost).collect();
    let is_kernel = |(kind, _): &(ProcKind, &str)| *kind == ProcKind::Kernel;
    if known.iter().any(is_kernel) {
        known.retain(is_kernel);
    }
    let wanted = name.to_lowercase();
    // What is not like it at all stays in the order of the file.
    let distance = |known: &str| {
        let known = known.to_lowercase();
        let distance = strsim::damerau_levenshtein(&wanted, &known);
        let is_part = known.contains(&*wanted) || wanted.contains(&*known);
        match is_part || distance * 2 <= wanted.chars().count() {
            true => distance,
            false => usize::MAX,
        }
    };
    known.sort_by_key(|(_, known)| distance(known));
    let mut names: Vec<&str> = known.into_iter().map(|(_, name)| name).collect();
    names.dedup();
    names
}

/// The name that an instance of a template has in the program: `copy_float_256` for `copy<float, 256>`, as
/// `--instantiate` takes it; the name itself of what is none.
fn instance(name: &str) -> String {
    let Some((template, arguments)) = name.strip_suffix('>').and_then(|name| name.split_once('<'))
    else {
        return name.to_owned();
    };
    let mut found = template.trim().to_owned();
    let mut depth = 0;
    let arguments = arguments.split(|c: char| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth == 0 && c == ','
    });
    for argument in arguments {
        found.push('_');
        found.extend(argument.trim().chars().filter_map(|c| match c {
            '-' => Some('m'),
            '"' | '&' => None,
            c if c.is_alphanumeric() => Some(c),
            _ => Some('_'),
        }));
    }
    found
}

/// The file's `main`, if it is not among what is judged when no entry is named.
fn main_left_out(parsed: &Parsed) -> Option<LeftOut> {
    let is_main = |u: &&Unsupported| u.proc == "main" && u.kind == ProcKind::Host;
    if let Some(lost) = parsed.unsupported.iter().find(is_main) {
        return Some(LeftOut {
            reason: Reason::Unsupported,
            gap: Gap::UnsupportedHostCode {
                construct: lost.message.clone(),
            },
            open: format!(
                "{} ({}:{}:{}); what it launches is not known",
                lost.message, lost.file, lost.line, lost.column
            ),
            place: Some(Place {
                file: lost.file.clone(),
                line: lost.line,
                column: lost.column,
            }),
        });
    }
    let main = parsed.program.find_proc("main")?;
    let has_own = parsed.program.proc(main).own_params().next().is_some();
    has_own.then(|| LeftOut {
        reason: Reason::NotAttempted,
        gap: Gap::HostCodeWithParameters {},
        open: "it has parameters, so that what it launches is not known".to_owned(),
        place: None,
    })
}

/// The kernels among `chosen` that a host entry among them launches.
pub(crate) fn launched_by_host(program: &Program, chosen: &[ProcId]) -> BTreeSet<ProcId> {
    let hosts = chosen
        .iter()
        .filter(|p| program.proc(**p).kind == ProcKind::Host);
    let reached = hosts.flat_map(|host| super::premises::features(program, *host).reachable);
    reached
        .filter(|p| program.proc(*p).kind == ProcKind::Kernel)
        .collect()
}

/// Host functions no other procedure calls.
fn roots(program: &Program) -> Vec<ProcId> {
    let mut called = BTreeSet::new();
    for (_, op) in program.operators() {
        match &op.kind {
            OpKind::Call { proc, .. } => called.insert(*proc),
            OpKind::Basic(Basic::CallGpu { kernel, .. }) => called.insert(*kernel),
            _ => false,
        };
    }
    program
        .procs_of_kind(ProcKind::Host)
        .filter(|p| !called.contains(p))
        .collect()
}

/// The one entry a comparison speaks of: the one named, or the only one there is.
pub(crate) fn single_entry(
    file: &str,
    parsed: &Parsed,
    entry: &EntryRequest,
) -> Result<ProcId, InputError> {
    let chosen = choose(file, parsed, entry)?;
    match chosen.procs.as_slice() {
        [only] => Ok(*only),
        several => {
            let names: Vec<&str> = several
                .iter()
                .map(|p| &*parsed.program.proc(*p).name)
                .collect();
            Err(InputError::usage(format!(
                "several entries; choose one of: {}",
                names.join(", ")
            ))
            .in_file(file))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_instances() {
        assert_eq!(instance("copy"), "copy");
        assert_eq!(instance("copy<float, 256>"), "copy_float_256");
        assert_eq!(instance("copy<unsigned int,-3>"), "copy_unsigned_int_m3");
        assert_eq!(instance("copy<pair<int, 2>, 1>"), "copy_pair_int__2__1");
    }
}
