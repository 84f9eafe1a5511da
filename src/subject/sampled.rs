//! Sampled inputs of an entry: input sets by number.

use super::assumed::{Assumed, assumed};
use super::data_scalars::data_scalars;
use super::drawn::{Drawn, Wide};
use super::entry::EntryPoint;
use super::indices::Named;
use super::literals::literals;
use super::places::places;
use super::sampled_contents::Bounds;
use super::sampled_scalar::sampled_scalar;
use super::satisfying::satisfy;
use super::{compared, declared_contents, premises};
use crate::input::error::{ErrorKind, InputError};
use crate::input::request::{ExtentFactor, ExtentSpec, Sampling};
use gridlock_checker::verdict::Property;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use gridlock_semantics::setup::{arbitrary, texture};
use std::collections::{BTreeMap, BTreeSet};

/// Samples beyond those asked for at most.
const MOST_COMPARED: usize = 3;

/// How many more samples there are: those in which arguments have values that the program compares them
/// with, and one in which those that say where are negative.
pub fn n_further(program: &Program, entry: &EntryPoint) -> u32 {
    let some_negative = !free_places(program, entry).is_empty();
    n_compared(program, entry) + u32::from(some_negative)
}

/// What the samples of the first kind are, for the report.
pub(crate) const WHAT_IS_COMPARED: &str = ", and what arguments are compared with";

/// What the further samples are, for the report.
pub fn further_in_words(program: &Program, entry: &EntryPoint) -> &'static str {
    let compared = n_compared(program, entry) > 0;
    match (compared, free_places(program, entry).is_empty()) {
        (false, true) => "",
        (true, true) => WHAT_IS_COMPARED,
        (false, false) => ", and indices of -1",
        (true, false) => ", what arguments are compared with, and indices of -1",
    }
}

/// The arguments that were not given of which a negative value is nothing out of the ordinary. Where bounds are
/// not judged, there are none: an index below 0 would only end the run.
fn free_places(program: &Program, entry: &EntryPoint) -> BTreeSet<VarId> {
    let is_known = !entry.extents.is_empty() || !entry.nulls.is_empty();
    if !premises::applicable(program, entry.proc, is_known).contains(&Property::Bounds) {
        return BTreeSet::new();
    }
    let mut all = places(program, entry.proc);
    all.retain(|var| !entry.scalars.contains_key(var));
    all
}

/// By argument, the constants that this program or another one compares it with.
fn compared(program: &Program, entry: &EntryPoint) -> BTreeMap<VarId, BTreeSet<i128>> {
    let mut all = compared::compared(program, entry.proc);
    for (var, constants) in &entry.elsewhere.scalars {
        all.entry(*var).or_default().extend(constants);
    }
    all
}

/// The samples of the first kind.
pub(crate) fn n_compared(program: &Program, entry: &EntryPoint) -> u32 {
    let free = |var: &VarId| !entry.scalars.contains_key(var);
    let compared = compared(program, entry);
    let counts = compared.iter().filter(|(var, _)| free(var));
    let most = counts.map(|(_, constants)| constants.len()).max();
    most.unwrap_or(0).min(MOST_COMPARED) as u32
}

/// Input set number `sample` of an entry at a launch; from the number asked for on, see [`n_further`].
pub fn sampled_setup(
    program: &Program,
    entry: &EntryPoint,
    launch: Option<Launch>,
    sampling: Sampling,
    sample: u32,
) -> Result<Setup, InputError> {
    setup(program, entry, launch, sampling, Drawn::Usual(sample))
}

/// An input set over the whole range of the types.
///
/// # Errors
/// As [`sampled_setup`].
pub fn wide_setup(
    program: &Program,
    entry: &EntryPoint,
    launch: Option<Launch>,
    sampling: Sampling,
    wide: Wide,
) -> Result<Setup, InputError> {
    setup(program, entry, launch, sampling, Drawn::Wide(wide))
}

fn setup(
    program: &Program,
    entry: &EntryPoint,
    launch: Option<Launch>,
    sampling: Sampling,
    drawn: Drawn,
) -> Result<Setup, InputError> {
    let procedure = program.proc(entry.proc);
    let threads = launch.map_or(64, |l| l.n_blocks() * l.n_threads());
    let sample = drawn.sample();
    let seed = sampling.seed.wrapping_add(sample as u64);
    let assumed = assumed(program, entry.proc);
    let further = match drawn {
        Drawn::Usual(sample) => sample.checked_sub(sampling.count),
        Drawn::Wide(_) => None,
    };
    let data = match drawn {
        Drawn::Usual(_) => BTreeSet::new(),
        Drawn::Wide(_) => data_scalars(program, entry.proc),
    };
    let literals = match drawn {
        Drawn::Usual(_) => Default::default(),
        Drawn::Wide(_) => {
            let mut all = literals(program, entry.proc);
            all.extend(&entry.elsewhere.literals);
            all
        }
    };
    let negative = match further {
        Some(at) if at >= n_compared(program, entry) => free_places(program, entry),
        _ => BTreeSet::new(),
    };
    let further = further.filter(|_| negative.is_empty());
    let compared = further.map(|at| (at as usize, compared(program, entry)));
    let scalar = |var: VarId, ty: ScalarType| {
        let given = entry.scalars.get(&var).copied();
        let tested = || {
            let (at, all) = compared.as_ref()?;
            let constants = all.get(&var).filter(|_| ty.is_integer())?;
            let number = constants.iter().nth(at.checked_rem(constants.len())?)?;
            Some(within(assumed.get(&var), Value::int(ty, *number)))
        };
        let named = || assumed_value(assumed.get(&var)?, ty, sample);
        let drawn = || match drawn {
            Drawn::Usual(sample) => sampled_scalar(ty, threads, sample, var.0),
            Drawn::Wide(wide) => wide.scalar(ty, var.0, data.contains(&var), launch, &literals),
        };
        let below = negative
            .contains(&var)
            .then(|| within(assumed.get(&var), Value::int(ty, -1)));
        given
            .or(below)
            .or_else(tested)
            .or_else(named)
            .unwrap_or_else(|| within(assumed.get(&var), drawn()))
    };
    let mut scalars: BTreeMap<VarId, Value> = BTreeMap::new();
    for &var in &procedure.params {
        if let Type::Scalar(ty) = procedure.vars[var.0 as usize].ty {
            scalars.insert(var, scalar(var, ty));
        }
    }
    let is_free = |var: &&VarId| !entry.scalars.contains_key(var);
    let free: BTreeSet<VarId> = scalars.keys().filter(is_free).copied().collect();
    satisfy(
        program,
        entry.proc,
        launch,
        &free,
        &mut scalars,
        sample as usize,
    );
    let seed_of = |position: usize| seed.wrapping_mul(1_000_003).wrapping_add(position as u64);
    let extents = sampled_extents(program, entry, &scalars)?;
    let bounds = Bounds::of(program, entry, launch, &extents);
    let mut args = Vec::new();
    let mut arrays = Vec::new();
    for (position, &var) in procedure.params.iter().enumerate() {
        let decl = &procedure.vars[var.0 as usize];
        match decl.ty {
            Type::Scalar(_) => args.push(Arg::Scalar(scalars[&var])),
            Type::Pointer(_) if entry.nulls.contains(&var) => args.push(Arg::Null),
            Type::Pointer(pointer) => {
                args.push(Arg::Array(arrays.len()));
                let seed = seed_of(position);
                arrays.push(ArrayArg {
                    name: decl.name.clone(),
                    elem: pointer.elem,
                    extent: extents.get(&Named::Param(var)).copied(),
                    contents: match entry.contents.get(&var) {
                        Some(given) => within_extent(
                            given.resolve(&decl.name, pointer.elem)?,
                            extents.get(&Named::Param(var)),
                        ),
                        None if procedure.is_arbitrary(var) => {
                            arbitrary::contents(&decl.name, pointer.elem, seed)
                        }
                        None if let Some(shape) = texture::shape_contents(&decl.name, seed) => {
                            shape
                        }
                        None => bounds.drawn(Named::Param(var), pointer.elem, seed, drawn),
                    },
                    observed: !pointer.is_const,
                });
            }
        }
    }
    Ok(Setup {
        device: entry.device,
        declared: declared_contents::drawn(program, entry, launch, sampling, drawn, &extents)?,
        observed: Vec::new(),
        entry: entry.proc,
        launch,
        args,
        arrays,
    })
}

/// The contents of a file, as far as an array has elements that samples of its arguments give it.
fn within_extent(contents: Contents, extent: Option<&u64>) -> Contents {
    match (contents, extent) {
        (Contents::Values(mut cells), Some(extent)) => {
            cells.truncate(usize::try_from(*extent).unwrap_or(usize::MAX));
            Contents::Values(cells)
        }
        (contents, _) => contents,
    }
}

/// The extents that were given, for these scalars.
fn sampled_extents(
    program: &Program,
    entry: &EntryPoint,
    scalars: &BTreeMap<VarId, Value>,
) -> Result<BTreeMap<Named, u64>, InputError> {
    let given = entry.extents.iter();
    let evaluated = given.map(|(var, spec)| {
        let elements = evaluate_extent(program, entry.proc, spec, scalars)?;
        Ok((Named::Param(*var), elements))
    });
    evaluated.collect()
}

/// A value the assumptions name: always one that it must equal, else in every other sample.
fn assumed_value(assumed: &Assumed, ty: ScalarType, sample: u32) -> Option<Value> {
    if !ty.is_integer() {
        return None;
    }
    let at = sample as usize;
    let edge = || {
        let edges = &assumed.edges;
        (at % 2 == 1 && !edges.is_empty()).then(|| edges[at / 2 % edges.len()])
    };
    Some(Value::int(ty, assumed.equal.or_else(edge)?))
}

/// A sampled integer, moved into the bounds that assumptions name.
fn within(assumed: Option<&Assumed>, value: Value) -> Value {
    match (assumed, value) {
        (Some(assumed), Value::Int(ty, _)) => {
            let number = value.as_integer().unwrap_or(0);
            Value::int(ty, assumed.within(number))
        }
        _ => value,
    }
}

/// Elements of an array in a run, at most.
const MOST_ELEMENTS: i128 = 1 << 31;

/// Whether it is no mistake of whoever asked where an input set cannot be made: an extent hangs on an argument that was
/// drawn, or is more than runs take.
pub fn may_be_dropped(program: &Program, entry: &EntryPoint) -> bool {
    let procedure = program.proc(entry.proc);
    let is_drawn = |factor: &ExtentFactor| match factor {
        ExtentFactor::Number(_) => false,
        ExtentFactor::Parameter(name) => {
            let mut params = procedure.params.iter();
            let var = params.find(|v| *procedure.vars[v.0 as usize].name == **name);
            var.is_some_and(|var| !entry.scalars.contains_key(var))
        }
    };
    entry.extents.values().any(|spec| {
        spec.0.iter().any(is_drawn)
            || product(program, entry.proc, spec, &entry.scalars) > MOST_ELEMENTS
    })
}

fn product(
    program: &Program,
    proc: ProcId,
    spec: &ExtentSpec,
    scalars: &BTreeMap<VarId, Value>,
) -> i128 {
    let procedure = program.proc(proc);
    let mut product: i128 = 1;
    for factor in &spec.0 {
        product = product.saturating_mul(match factor {
            ExtentFactor::Number(number) => *number as i128,
            ExtentFactor::Parameter(name) => procedure
                .params
                .iter()
                .find(|v| *procedure.vars[v.0 as usize].name == **name)
                .and_then(|v| scalars.get(v))
                .and_then(|value| value.as_integer())
                .unwrap_or(0),
        });
    }
    product
}

/// Value of an extent for given scalars; refuses negative and absurd ones.
pub fn evaluate_extent(
    program: &Program,
    proc: ProcId,
    spec: &ExtentSpec,
    scalars: &BTreeMap<VarId, Value>,
) -> Result<u64, InputError> {
    let product = product(program, proc, spec, scalars);
    if (0..=MOST_ELEMENTS).contains(&product) {
        Ok(product as u64)
    } else {
        Err(InputError::new(
            ErrorKind::Usage,
            format!("an extent of {product} elements is out of range (0 to {MOST_ELEMENTS})"),
        ))
    }
}
