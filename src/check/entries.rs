//! Which entries of a file are judged.

use super::unsupported_error;
use crate::input_error::{ErrorKind, InputError};
use crate::request::EntryRequest;
use gridlock_frontend::{Parsed, Unsupported};
use gridlock_semantics::operator::{Basic, OpKind};
use gridlock_semantics::program::{ProcId, ProcKind, Program};
use std::collections::BTreeSet;

pub(super) struct Chosen {
    pub procs: Vec<ProcId>,
    /// Kernels that could not be read; they come out `unknown`.
    pub unsupported: Vec<Unsupported>,
}

/// The entry named; else every kernel and a closed `main`; else, in a file without kernels, every
/// host function nobody calls.
pub(super) fn choose(
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
        .filter(|m| program.proc(*m).params.is_empty());
    procs.extend(main);
    let mut unsupported: Vec<Unsupported> = parsed
        .unsupported
        .iter()
        .filter(|u| u.kind == ProcKind::Kernel)
        .cloned()
        .collect();
    if procs.is_empty() && unsupported.is_empty() {
        procs = roots(program);
        unsupported = parsed.unsupported.clone();
    }
    if procs.is_empty() {
        return Err(match unsupported.first() {
            Some(lost) => unsupported_error(&lost.file, &lost.message, lost.line, lost.column),
            None => InputError::new(ErrorKind::Unsupported, "no kernel and no function in it")
                .in_file(file),
        });
    }
    Ok(Chosen { procs, unsupported })
}

/// The kernels among `chosen` that a host entry among them launches.
pub(super) fn launched_by_host(program: &Program, chosen: &[ProcId]) -> BTreeSet<ProcId> {
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
