//! What memory that the file declares holds when a kernel judged alone starts. A host may have filled
//! constant memory, so that what it holds is an input; the other variables keep what the file says,
//! which the report names as an assumption. Proofs speak of any contents of memory that is not
//! written; what is here is for runs.

use crate::input::contents::ContentsSpec;
use crate::input::error::InputError;
use crate::input::request::Sampling;
use crate::subject::drawn::Drawn;
use crate::subject::indices::Named;
use crate::subject::premises::declared_arrays;
use crate::subject::sampled_contents::{Bounds, n_threads};
use crate::subject::{EntryPoint, sampled_scalar};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::program::{ProcKind, Procedure, Program};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Contents, Launch};
use std::collections::{BTreeMap, BTreeSet};

/// The variable of the file that `--contents NAME=…` means, where no parameter has the name.
pub fn named<'p>(
    program: &'p Program,
    kernel: &Procedure,
    name: &str,
) -> Option<(ArrayId, &'p ArrayDecl)> {
    let is_param =
        |var: &gridlock_semantics::algebra::ids::VarId| *kernel.vars[var.0 as usize].name == *name;
    if kernel.params.iter().any(is_param) {
        return None;
    }
    let is_outside = |decl: &ArrayDecl| matches!(decl.space, Space::Global | Space::Constant);
    let mut declared = (0..).map(ArrayId).zip(&program.arrays);
    declared.find(|(_, decl)| *decl.name == *name && is_outside(decl))
}

/// What usual input set number `sample` says of the file's memory.
///
/// # Errors
/// Contents that are not of the variable's type.
pub fn sampled(
    program: &Program,
    entry: &EntryPoint,
    launch: Option<Launch>,
    sampling: Sampling,
    sample: u32,
    extents: &BTreeMap<Named, u64>,
) -> Result<BTreeMap<ArrayId, Contents>, InputError> {
    drawn(
        program,
        entry,
        launch,
        sampling,
        Drawn::Usual(sample),
        extents,
    )
}

/// What an input set says of the file's memory.
///
/// # Errors
/// Contents that are not of the variable's type.
pub(super) fn drawn(
    program: &Program,
    entry: &EntryPoint,
    launch: Option<Launch>,
    sampling: Sampling,
    drawn: Drawn,
    extents: &BTreeMap<Named, u64>,
) -> Result<BTreeMap<ArrayId, Contents>, InputError> {
    let bounds = Bounds::of(program, entry, launch, extents);
    let n_threads = n_threads(launch);
    let sample = drawn.sample();
    let seed = sampling.seed.wrapping_add(u64::from(sample));
    let mut found = BTreeMap::new();
    for &id in &entry.filled {
        let decl = program.array(id);
        // By name: two programs that are compared may each use one of two variables that both have.
        let number = number_of_name(&decl.name);
        let seed = seed.wrapping_mul(1_000_033).wrapping_add(u64::from(number));
        let random = bounds.drawn(Named::Declared(id), decl.elem, seed, drawn);
        let tested = bounds.everywhere(Named::Declared(id), decl.elem, seed);
        let single = match tested.filter(|_| sample % 3 == 1) {
            Some(tested) => tested,
            None => match drawn {
                Drawn::Wide(_) if decl.elem.is_float() => random.cell(decl.elem, 0),
                _ => sampled_scalar(decl.elem, n_threads, sample, number),
            },
        };
        // Zeros are what a host leaves that fills nothing: one of the usual samples has them.
        let turn = match drawn {
            Drawn::Usual(sample) => sample % 3,
            Drawn::Wide(_) => 1,
        };
        if let Some(contents) = filled(decl, single, seed, turn, random) {
            found.insert(id, contents);
        }
    }
    for (&id, given) in &entry.declared {
        if *given != ContentsSpec::Initial {
            let decl = program.array(id);
            found.insert(id, given.resolve(&decl.name, decl.elem)?);
        }
    }
    Ok(found)
}

/// The same in every program, and for hardly two names of a program the same.
fn number_of_name(name: &str) -> u32 {
    name.bytes().fold(0, |number: u32, byte| {
        number.wrapping_mul(31).wrapping_add(u32::from(byte))
    })
}

/// Contents a host may have put there, `single` where there is but one cell, else `random`; `None`: those that the file declares. Where it declares some, they come first, then the same
/// values in other cells: they are likely to mean something to the kernel, as indices or as kinds.
fn filled(
    decl: &ArrayDecl,
    single: Value,
    seed: u64,
    turn: u32,
    random: Contents,
) -> Option<Contents> {
    let given = decl.init.as_deref().unwrap_or(&[]);
    let is_single = decl.extent == Extent::Fixed(1);
    let anything = || match is_single {
        true => Contents::Fill(single),
        false => random.clone(),
    };
    let unlike_given = |cells: Vec<Value>| match cells.as_slice() == given {
        true => anything(),
        false => Contents::Values(cells),
    };
    match (given, turn) {
        ([], 2) | ([_, ..], 0) => None,
        ([], _) => Some(anything()),
        (_, 1) => {
            let mut turned = given.to_vec();
            turned.rotate_left(given.len().div_ceil(2));
            Some(unlike_given(turned))
        }
        (_, _) => {
            let one = given[seed as usize % given.len()];
            Some(unlike_given(vec![one; given.len()]))
        }
    }
}

/// The constant memory that the entry's code names, that a host may fill, and of whose contents the
/// user says nothing.
pub fn filled_by_host(
    program: &Program,
    point: &EntryPoint,
    fillable: &[ArrayId],
) -> BTreeSet<ArrayId> {
    if program.proc(point.proc).kind != ProcKind::Kernel {
        return BTreeSet::new();
    }
    let used = declared_arrays(program, point.proc).into_iter();
    used.filter(|id| fillable.contains(id) && !point.declared.contains_key(id))
        .collect()
}
