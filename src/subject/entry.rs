//! From a request to closed configurations: the entry, its launches, its sampled inputs.

use crate::input::contents::ContentsSpec;
use crate::input::error::{ErrorKind, InputError};
use crate::input::request::{EntryRequest, ExtentFactor, ExtentSpec, LaunchSpec, Sampling};
use crate::subject::assumed::{Assumed, assumed};
use crate::subject::compared;
use crate::subject::compared_contents::Constants;
use crate::subject::declared_contents;
use crate::subject::indices::Named;
use crate::subject::layouts;
use crate::subject::places::places;
use crate::subject::premises;
use crate::subject::sampled_contents::Bounds;
use crate::subject::satisfying::satisfy;
use gridlock_checker::report::SubjectLaunch;
use gridlock_checker::verdict::Property;
use gridlock_semantics::arbitrary;
use gridlock_semantics::device_limits::{DeviceLimits, static_shared_bytes};
use gridlock_semantics::expr::{Axis, BinaryOp, Builtin, ExprKind};
use gridlock_semantics::launch_axes::LaunchAxes;
use gridlock_semantics::operator::{Basic, OpKind};
use gridlock_semantics::program::{
    ArrayDecl, ArrayId, Extent, ProcId, ProcKind, Program, Space, VarId,
};
use gridlock_semantics::setup::{Arg, ArrayArg, Launch, Setup, cell_below, random_cell};
use gridlock_semantics::types::{ScalarType, Type};
use gridlock_semantics::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// An entry with what the user fixed about it.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    pub proc: ProcId,
    /// Only for kernels; `None` when no launch was given.
    pub launch: Option<Launch>,
    /// The axes that the entry asks about; over every launch the others have extent 1.
    pub asked: LaunchAxes,
    /// Whether the kernel uses dynamic shared memory and nobody said how much there is. Then the
    /// launch's is a guess, and an index beyond it no defect.
    pub shared_is_open: bool,
    /// Scalar arguments that were given.
    pub scalars: BTreeMap<VarId, Value>,
    /// Extents that were given.
    pub extents: BTreeMap<VarId, ExtentSpec>,
    /// First contents that were given.
    pub contents: BTreeMap<VarId, ContentsSpec>,
    /// The same of memory that the file declares.
    pub declared: BTreeMap<ArrayId, ContentsSpec>,
    /// Constant memory that a host may have filled, so that its contents are an input.
    pub filled: BTreeSet<ArrayId>,
    /// Pointer arguments that are null.
    pub nulls: BTreeSet<VarId>,
    /// What a program that gets the same inputs compares them with.
    pub(crate) elsewhere: Elsewhere,
}

/// By argument, the constants that another program compares it or its contents with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere {
    pub scalars: BTreeMap<VarId, BTreeSet<i128>>,
    pub contents: BTreeMap<VarId, Constants>,
}

impl EntryPoint {
    /// Whether some array was asked to start without contents.
    pub fn has_unset_contents(&self) -> bool {
        let is_unset = |spec: &ContentsSpec| matches!(spec, ContentsSpec::Undef);
        let mut given = self.contents.values().chain(self.declared.values());
        given.any(is_unset)
    }

    /// Whether the values of all parameters were given, so that there is one input.
    pub fn has_one_input(&self, program: &Program) -> bool {
        let procedure = program.proc(self.proc);
        let is_given = |var: &VarId| match procedure.vars[var.0 as usize].ty {
            Type::Scalar(_) => self.scalars.contains_key(var),
            Type::Pointer(_) => self.contents.contains_key(var) || self.nulls.contains(var),
        };
        self.filled.is_empty() && procedure.params.iter().all(is_given)
    }
}

/// Resolves names of the request against the program.
pub fn resolve_entry(
    program: &Program,
    proc: ProcId,
    request: &EntryRequest,
    device: Option<&DeviceLimits>,
) -> Result<EntryPoint, InputError> {
    let procedure = program.proc(proc);
    let find = |name: &str, what: &str| {
        let found = procedure
            .params
            .iter()
            .find(|v| *procedure.vars[v.0 as usize].name == *name);
        found.copied().ok_or_else(|| {
            let known: Vec<&str> = procedure
                .params
                .iter()
                .map(|v| &*procedure.vars[v.0 as usize].name)
                .collect();
            InputError::usage(format!(
                "{what} `{name}`: `{}` has no such parameter (it has: {})",
                procedure.name,
                if known.is_empty() {
                    "none".to_owned()
                } else {
                    known.join(", ")
                }
            ))
        })
    };
    let mut scalars = BTreeMap::new();
    let mut nulls = BTreeSet::new();
    for (name, text) in &request.args {
        let var = find(name, "argument")?;
        match procedure.vars[var.0 as usize].ty {
            Type::Scalar(ty) => {
                scalars.insert(var, parse_value(text, ty, name)?);
            }
            Type::Pointer(_) if is_null(text) => {
                nulls.insert(var);
            }
            Type::Pointer(_) => {
                return Err(InputError::usage(format!(
                    "argument `{name}` is a pointer: say 0 for a null pointer, or give its extent with \
                     --extent {name}=…"
                )));
            }
        }
    }
    let mut extents = BTreeMap::new();
    for (name, spec) in &layouts::cells_of(program, proc, request) {
        let var = find(name, "extent")?;
        if procedure.vars[var.0 as usize].ty.pointer().is_none() {
            return Err(InputError::usage(format!(
                "extent `{name}`: it is no pointer"
            )));
        }
        for factor in &spec.0 {
            if let ExtentFactor::Parameter(parameter) = factor {
                let used = find(parameter, "extent")?;
                if !procedure.vars[used.0 as usize]
                    .ty
                    .scalar()
                    .is_some_and(|s| s.is_integer())
                {
                    return Err(InputError::usage(format!(
                        "extent `{name}`: `{parameter}` is no integer parameter"
                    )));
                }
            }
        }
        extents.insert(var, spec.clone());
    }
    let mut contents = BTreeMap::new();
    let mut declared = BTreeMap::new();
    for (name, spec) in &layouts::contents_of_groups(program, proc, request) {
        if procedure.kind == ProcKind::Kernel
            && let Some((id, decl)) = declared_contents::named(program, procedure, name)
        {
            if *spec != ContentsSpec::Initial {
                spec.resolve(name, decl.elem)?;
            }
            declared.insert(id, spec.clone());
            continue;
        }
        let var = find(name, "contents")?;
        if procedure.vars[var.0 as usize].ty.pointer().is_none() {
            return Err(InputError::usage(format!(
                "contents `{name}`: it is no pointer; give its value with --arg {name}=…"
            )));
        }
        contents.insert(var, spec.clone());
    }
    let launch = match procedure.kind {
        ProcKind::Kernel => kernel_launch(program, proc, &request.launch, device)?,
        ProcKind::Host if request.launch.is_given() => {
            return Err(InputError::usage(format!(
                "`{}` is a host function: its own code fixes grid and block",
                procedure.name
            )));
        }
        ProcKind::Host => None,
        ProcKind::Device => {
            return Err(InputError::usage(format!(
                "`{}` is a device function; choose a kernel or a host function",
                procedure.name
            )));
        }
    };
    let dynamic = dynamic_shared(program, proc);
    Ok(EntryPoint {
        proc,
        launch,
        asked: match &request.asked {
            Some(of_sources) => LaunchAxes::asked(program, proc, of_sources),
            None => LaunchAxes::read(program, proc),
        },
        shared_is_open: !dynamic.is_empty() && request.launch.shared_bytes.is_none(),
        scalars,
        extents,
        contents,
        declared,
        filled: BTreeSet::new(),
        nulls,
        elsewhere: Elsewhere::default(),
    })
}

/// Whether a text stands for the null pointer.
fn is_null(text: &str) -> bool {
    matches!(text, "0" | "null" | "NULL" | "nullptr")
}

fn kernel_launch(
    program: &Program,
    proc: ProcId,
    spec: &LaunchSpec,
    device: Option<&DeviceLimits>,
) -> Result<Option<Launch>, InputError> {
    if !spec.is_given() {
        return Ok(None);
    }
    let mut launch = Launch {
        grid: spec.grid.unwrap_or([1; 3]),
        block: spec
            .block
            .unwrap_or_else(|| in_required(program, proc, [1; 3])),
        shared_bytes: 0,
    };
    launch.shared_bytes = match spec.shared_bytes {
        Some(bytes) => bytes,
        None => usual_shared_bytes(program, proc, &launch),
    };
    validate_launch(program, proc, &launch, device)?;
    Ok(Some(launch))
}

/// The arrays of dynamic shared memory that the kernel, or what it calls, may use.
pub fn dynamic_shared(program: &Program, kernel: ProcId) -> Vec<&ArrayDecl> {
    let reachable = premises::features(program, kernel).reachable;
    let arrays = program.arrays.iter();
    let used = |a: &&ArrayDecl| a.owner.is_none_or(|owner| reachable.contains(&owner));
    arrays
        .filter(|a| a.space == Space::Shared && a.extent == Extent::LaunchShared)
        .filter(used)
        .collect()
}

/// An element for each thread: the usual dynamic shared memory.
fn usual_shared_bytes(program: &Program, kernel: ProcId, launch: &Launch) -> u32 {
    let arrays = dynamic_shared(program, kernel);
    let element = arrays.iter().map(|a| a.elem.size()).max().unwrap_or(0);
    u32::try_from(element.saturating_mul(launch.n_threads())).unwrap_or(MOST_SHARED_BYTES)
}

/// Dynamic shared memory that is tried at most where nobody says how much there is: what every
/// device gives without being asked for more.
const MOST_SHARED_BYTES: u32 = 48 << 10;

/// The launch with twice the dynamic shared memory, while that is a guess within what devices give.
pub fn with_more_shared(program: &Program, entry: &EntryPoint, launch: &Launch) -> Option<Launch> {
    let declared = static_shared_bytes(program, entry.proc);
    let most = u64::from(MOST_SHARED_BYTES).saturating_sub(declared) as u32;
    let more = launch.shared_bytes.max(16).saturating_mul(2).min(most);
    (entry.shared_is_open && more > launch.shared_bytes).then_some(Launch {
        shared_bytes: more,
        ..*launch
    })
}

/// A launch the user gave must be one the device takes.
fn validate_launch(
    program: &Program,
    proc: ProcId,
    launch: &Launch,
    device: Option<&DeviceLimits>,
) -> Result<(), InputError> {
    let unlimited = DeviceLimits::NONE;
    let shared = static_shared_bytes(program, proc);
    device
        .unwrap_or(&unlimited)
        .validate(launch, shared)
        .map_err(|refusal| {
            InputError::launch(format!(
                "launch of `{}`: {refusal}",
                program.proc(proc).name
            ))
        })
}

/// Reads a scalar of a type.
pub fn parse_value(text: &str, ty: ScalarType, name: &str) -> Result<Value, InputError> {
    let wrong = || {
        InputError::usage(format!(
            "argument `{name}={text}`: not a value of type {}",
            ty.c_name()
        ))
    };
    match ty {
        ScalarType::Bool => match text {
            "true" | "1" => Ok(Value::Bool(true)),
            "false" | "0" => Ok(Value::Bool(false)),
            _ => Err(wrong()),
        },
        ScalarType::F32 => text.parse().map(Value::f32).map_err(|_| wrong()),
        ScalarType::F64 => text.parse().map(Value::f64).map_err(|_| wrong()),
        integer => {
            let number: i128 = match text.strip_prefix("0x") {
                Some(hex) => i128::from_str_radix(hex, 16).map_err(|_| wrong())?,
                None => text.parse().map_err(|_| wrong())?,
            };
            let value = Value::int(integer, number);
            if value.as_integer() == Some(number) {
                Ok(value)
            } else {
                Err(wrong())
            }
        }
    }
}

/// The block with the extents that the kernel requires.
fn in_required(program: &Program, kernel: ProcId, mut block: [u32; 3]) -> [u32; 3] {
    for (axis, extent) in required(program, kernel) {
        block[axis] = extent;
    }
    block
}

/// Why nothing can be said of a launch: the kernel requires other blocks.
pub fn contradiction(program: &Program, kernel: ProcId, launch: &Launch) -> Option<String> {
    let of_launch = |&(axis, extent): &(usize, u32)| launch.block[axis] != extent;
    let (axis, extent) = required(program, kernel).into_iter().find(of_launch)?;
    Some(format!(
        "the kernel requires blocks of {extent} along {}, and this launch has blocks of {}",
        ["x", "y", "z"][axis],
        launch.block[axis]
    ))
}

/// Extents of the block, by axis, that the kernel's first assumptions require: OpenCL's `reqd_work_group_size`.
fn required(program: &Program, kernel: ProcId) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    let body = &program.proc(kernel).body;
    let ops = match &body.kind {
        OpKind::Seq(ops) => ops.as_slice(),
        _ => std::slice::from_ref(body),
    };
    for op in ops {
        let OpKind::Basic(Basic::Assume { cond }) = &op.kind else {
            break;
        };
        if let ExprKind::Binary(BinaryOp::Eq, left, right) = &cond.kind
            && let (ExprKind::Builtin(Builtin::BlockDim(axis)), ExprKind::Const(value)) =
                (&left.kind, &right.kind)
            && let Some(extent) = value.as_integer().and_then(|n| u32::try_from(n).ok())
        {
            found.push((*axis as usize, extent));
        }
    }
    found
}

/// Small launches to try when none was given: 1 to 3 blocks; one thread, two, around a warp,
/// powers of two, an even number that is none; square ones when the kernel asks about `y`. Dynamic
/// shared memory is an element for each thread, the usual case.
pub fn launch_ladder(
    program: &Program,
    entry: &EntryPoint,
    device: Option<&DeviceLimits>,
) -> Vec<Launch> {
    let kernel = entry.proc;
    let y = Axis::Y as usize;
    let shapes: &[([u32; 3], [u32; 3])] = if entry.asked.block[y] || entry.asked.grid[y] {
        &[
            ([1, 1, 1], [1, 1, 1]),
            ([1, 1, 1], [2, 2, 1]),
            ([2, 1, 1], [1, 1, 1]),
            ([2, 2, 1], [4, 4, 1]),
            ([1, 1, 1], [6, 2, 1]),
            ([2, 1, 1], [8, 8, 1]),
            ([2, 2, 1], [16, 16, 1]),
            ([3, 2, 1], [32, 4, 1]),
        ]
    } else {
        &[
            ([1, 1, 1], [1, 1, 1]),
            ([1, 1, 1], [2, 1, 1]),
            ([2, 1, 1], [1, 1, 1]),
            ([2, 1, 1], [4, 1, 1]),
            ([1, 1, 1], [31, 1, 1]),
            ([2, 1, 1], [32, 1, 1]),
            ([1, 1, 1], [33, 1, 1]),
            ([1, 1, 1], [48, 1, 1]),
            ([3, 1, 1], [64, 1, 1]),
            ([2, 1, 1], [128, 1, 1]),
        ]
    };
    let mut fitting: Vec<([u32; 3], [u32; 3])> = Vec::new();
    for &(grid, block) in shapes {
        let shape = (grid, in_required(program, kernel, block));
        if !fitting.contains(&shape) {
            fitting.push(shape);
        }
    }
    let launches = fitting.into_iter().map(|(grid, block)| {
        let mut launch = Launch {
            grid,
            block,
            shared_bytes: 0,
        };
        launch.shared_bytes = usual_shared_bytes(program, kernel, &launch);
        launch
    });
    launches
        .filter(|l| validate_launch(program, kernel, l, device).is_ok())
        .collect()
}

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

/// The arguments nobody gave of which a negative value is nothing out of the ordinary. Where bounds are
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
    let procedure = program.proc(entry.proc);
    let threads = launch.map_or(64, |l| l.n_blocks() * l.n_threads());
    let seed = sampling.seed.wrapping_add(sample as u64);
    let assumed = assumed(program, entry.proc);
    let further = sample.checked_sub(sampling.count);
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
        let below = negative
            .contains(&var)
            .then(|| within(assumed.get(&var), Value::int(ty, -1)));
        given
            .or(below)
            .or_else(tested)
            .or_else(named)
            .unwrap_or_else(|| {
                within(
                    assumed.get(&var),
                    sampled_scalar(ty, threads, sample, var.0),
                )
            })
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
                        Some(given) => given.resolve(&decl.name, pointer.elem)?,
                        None if procedure.is_arbitrary(var) => {
                            arbitrary::contents(&decl.name, pointer.elem, seed)
                        }
                        None => bounds.contents(Named::Param(var), pointer.elem, seed, sample),
                    },
                    observed: !pointer.is_const,
                });
            }
        }
    }
    Ok(Setup {
        declared: declared_contents::sampled(program, entry, launch, sampling, sample, &extents)?,
        entry: entry.proc,
        launch,
        args,
        arrays,
    })
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

/// Samples in which all scalars are numbers around the number of threads.
const FIRST_SAMPLES: u32 = 7;

/// A value for a scalar nobody gave, by its number among the parameters: in the first samples a number around
/// the number of threads, where guards and bounds change their minds, the same for all; after them random
/// ones, of each scalar another.
pub fn sampled_scalar(ty: ScalarType, threads: u64, sample: u32, number: u32) -> Value {
    if sample >= FIRST_SAMPLES {
        let seed = u64::from(sample);
        return match ty.is_integer() {
            true => cell_below(seed, threads.saturating_mul(4), u64::from(number), ty),
            false => random_cell(seed, u64::from(number), ty),
        };
    }
    match ty {
        ScalarType::Bool => Value::Bool(sample.is_multiple_of(2)),
        ScalarType::F32 => Value::f32(0.5 + sample as f32),
        ScalarType::F64 => Value::f64(0.5 + sample as f64),
        integer => {
            let threads = threads.min(1 << 30) as i128;
            let choices: [i128; FIRST_SAMPLES as usize] =
                [threads, threads - 1, threads / 2 + 1, 1, threads + 1, 2, 0];
            Value::int(integer, choices[sample as usize])
        }
    }
}

/// Value of an extent for given scalars; refuses negative and absurd ones.
pub fn evaluate_extent(
    program: &Program,
    proc: ProcId,
    spec: &ExtentSpec,
    scalars: &BTreeMap<VarId, Value>,
) -> Result<u64, InputError> {
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
    const MOST: i128 = 1 << 31;
    if (0..=MOST).contains(&product) {
        Ok(product as u64)
    } else {
        Err(InputError::new(
            ErrorKind::Usage,
            format!("an extent of {product} elements is out of range (0 to {MOST})"),
        ))
    }
}

/// A program that asks for values nobody knows has no text for a device: what gives them is not
/// there.
///
/// # Errors
/// Names the first such value.
pub fn can_be_written(program: &Program) -> Result<(), InputError> {
    for procedure in &program.procs {
        let mut params = procedure.params.iter();
        if let Some(asked) = params.find(|var| procedure.is_arbitrary(**var)) {
            let name = &procedure.vars[asked.0 as usize].name;
            return Err(InputError::new(
                ErrorKind::Unsupported,
                format!(
                    "`{}` needs {name}, which nobody defines: it can be judged, not written for a device",
                    procedure.name
                ),
            ));
        }
    }
    Ok(())
}

/// The launch and arguments as the report shows them.
pub fn describe(program: &Program, entry: &EntryPoint) -> SubjectLaunch {
    let procedure = program.proc(entry.proc);
    let args = entry
        .scalars
        .iter()
        .map(|(var, value)| {
            (
                procedure.vars[var.0 as usize].name.to_string(),
                value.to_string(),
            )
        })
        .chain(entry.nulls.iter().map(|var| {
            let name = &procedure.vars[var.0 as usize].name;
            (name.to_string(), "null".to_owned())
        }))
        .collect();
    SubjectLaunch {
        grid: entry.launch.map(|l| l.grid),
        block: entry.launch.map(|l| l.block),
        shared: entry
            .launch
            .filter(|_| !entry.shared_is_open)
            .map(|l| l.shared_bytes),
        args,
    }
}
