//! Which entries of a file are judged.

use crate::input::error::{ErrorKind, InputError};
use crate::input::request::EntryRequest;
use crate::input::source::unsupported_error;
use gridlock_checker::report::not_judged::{Gap, Place};
use gridlock_checker::verdict::Reason;
use gridlock_frontend::{Parsed, Unsupported};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
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
        if let Some(proc) = program.find_proc(name) {
            return Ok(Chosen {
                procs: vec![proc],
                unsupported: Vec::new(),
                left_out: None,
            });
        }
        if let Some(lost) = parsed.unsupported.iter().find(|u| u.proc == *name) {
            return Err(unsupported_error(
                &lost.file,
                &lost.message,
                lost.line,
                lost.column,
            ));
        }
        let known: Vec<&str> = program.procs.iter().map(|p| &*p.name).collect();
        return Err(InputError::usage(format!(
            "no kernel or function `{name}` (the file has: {})",
            if known.is_empty() {
                "none".to_owned()
            } else {
                known.join(", ")
            }
        ))
        .in_file(file));
    }
    let mut procs: Vec<ProcId> = program.procs_of_kind(ProcKind::Kernel).collect();
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
        return Err(match unsupported.first() {
            Some(lost) => unsupported_error(&lost.file, &lost.message, lost.line, lost.column),
            None => InputError::new(ErrorKind::Unsupported, "no kernel and no function in it")
                .in_file(file),
        });
    }
    Ok(Chosen {
        procs,
        unsupported,
        left_out,
    })
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
            open: format!("{}; what it launches is not known", lost.message),
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
