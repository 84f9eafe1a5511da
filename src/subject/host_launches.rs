//! Launches of a kernel in host code of its file: as reports show them, closed with values for what host code leaves
//! open, and asked whether they are the launch of some run.

use super::entry::EntryPoint;
use super::launches::{dynamic_shared, validate_launch};
use gridlock_checker::report::SubjectLaunch;
use gridlock_checker::report::host_launch::{self, Caller, LaunchSite};
use gridlock_frontend::{HostLaunch, LaunchInput};
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::{Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Op, OpKind};
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::evaluation::eval::{Env, eval};
use gridlock_semantics::print;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use gridlock_semantics::setup::{Arg, Launch, Setup, cell_below};
use gridlock_semantics::transition::fault::FaultKind;
use std::collections::{BTreeMap, BTreeSet};

/// Launches tried of one that leaves something open.
const SAMPLES: usize = 4;
/// Choices of what is left open that are looked at for these.
const TRIES: u64 = 800;
/// Threads of a launch that leaves something open, at most, and of one that does not.
const MOST_THREADS: u64 = 1 << 13;
const MOST_THREADS_KNOWN: u64 = 1 << 20;
/// Choices that are looked at to find those of a given launch.
const MOST_CHOICES: usize = 20_000;

/// Values of what decides how many threads a block has; the usual ones first.
const BLOCKS: &[i64] = &[32, 64, 128, 256, 16, 8, 512, 1024, 4, 1, 2, 33, 100];
/// Values of everything else.
const SIZES: &[i64] = &[
    64, 3, 32, 100, 7, 16, 1, 33, 128, 5, 257, 2, 1000, 10, 48, 4, 300, 9, 20, 8, 0,
];

/// A launch of host code with everything that it leaves open chosen.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Where host code makes it.
    pub site: LaunchSite,
    /// Grid, block and dynamic shared memory.
    pub launch: Launch,
    /// Whether every number was followed back to what may have any value.
    pub is_certain: bool,
    /// The scalar arguments.
    pub scalars: BTreeMap<VarId, Value>,
}

impl Instance {
    /// Whether a condition over the launch and the scalar arguments holds here; `false` where that hangs on more.
    pub fn meets(&self, condition: &Expr) -> bool {
        holds_at(condition, &self.launch, &self.scalars)
    }
}

/// Whether a condition over the launch and scalar arguments holds; `false` where that hangs on more.
pub fn holds_at(condition: &Expr, launch: &Launch, scalars: &BTreeMap<VarId, Value>) -> bool {
    let mut at = At { launch, scalars };
    matches!(eval(condition, &mut at), Ok(Value::Bool(true)))
}

/// The start of a kernel at a launch.
struct At<'l> {
    launch: &'l Launch,
    scalars: &'l BTreeMap<VarId, Value>,
}

impl Env for At<'_> {
    fn var(&self, var: VarId) -> Value {
        self.scalars.get(&var).copied().unwrap_or(Value::Undef)
    }

    fn builtin(&self, builtin: Builtin) -> Value {
        let extent = match builtin {
            Builtin::BlockDim(axis) => self.launch.block[axis as usize],
            Builtin::GridDim(axis) => self.launch.grid[axis as usize],
            Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) | Builtin::WarpSize => {
                return Value::Undef;
            }
        };
        Value::int(ScalarType::U32, i128::from(extent))
    }

    fn array(&self, _: ArrayId) -> ArrayRef {
        ArrayRef::Null
    }

    fn load(&mut self, _: Pointer, _: ScalarType) -> Result<Value, FaultKind> {
        Ok(Value::Undef)
    }
}

/// What is known of the inputs of a launch.
struct Inputs<'v>(&'v [Option<Value>]);

impl Env for Inputs<'_> {
    fn var(&self, var: VarId) -> Value {
        let value = self.0.get(var.0 as usize).copied().flatten();
        value.unwrap_or(Value::Undef)
    }

    fn builtin(&self, _: Builtin) -> Value {
        Value::Undef
    }

    fn array(&self, _: ArrayId) -> ArrayRef {
        ArrayRef::Null
    }

    fn load(&mut self, _: Pointer, _: ScalarType) -> Result<Value, FaultKind> {
        Ok(Value::Undef)
    }
}

/// The value of a number; `None` where it hangs on an input that is not known, or is a fault.
fn value(number: &Expr, inputs: &[Option<Value>]) -> Option<Value> {
    match eval(number, &mut Inputs(inputs)) {
        Ok(Value::Undef) | Err(_) => None,
        Ok(value) => Some(value),
    }
}

fn extent(number: &Expr, inputs: &[Option<Value>]) -> Option<u32> {
    u32::try_from(value(number, inputs)?.as_integer()?).ok()
}

/// The parameter of the kernel that an argument is for, if it has the argument's type.
fn parameter(procedure: &Procedure, name: &str, number: &Expr) -> Option<VarId> {
    let named = |var: &&VarId| {
        let decl = &procedure.vars[var.0 as usize];
        *decl.name == *name && decl.ty == number.ty
    };
    procedure.params.iter().find(named).copied()
}

pub(super) fn site(launch: &HostLaunch) -> LaunchSite {
    LaunchSite {
        function: launch.function.clone(),
        file: launch.file.clone(),
        line: launch.line,
        column: launch.column,
    }
}

/// Whether what a launch leaves open may have any value, and nothing on the way to it was missed.
fn is_certain(launch: &HostLaunch) -> bool {
    !launch.in_part && launch.inputs.iter().all(|input| input.is_free)
}

/// The launches of an entry in host code, for the report.
pub fn described(entry: &EntryPoint) -> Vec<host_launch::HostLaunch> {
    entry.host_launches.iter().map(in_words).collect()
}

fn in_words(launch: &HostLaunch) -> host_launch::HostLaunch {
    let names = Names::of(&launch.inputs);
    let numbers = |numbers: &[Expr; 3]| numbers.iter().map(|n| names.text(n)).collect();
    let shared = names.text(&launch.shared_bytes);
    let args = launch.args.iter();
    host_launch::HostLaunch {
        site: site(launch),
        is_known: launch.inputs.is_empty(),
        in_part: launch.in_part,
        grid: numbers(&launch.grid),
        block: numbers(&launch.block),
        shared: Some(shared).filter(|text| text != "0"),
        args: args
            .map(|(name, number)| (name.clone(), names.text(number)))
            .collect(),
        conditions: launch.conditions.iter().map(|c| names.text(c)).collect(),
    }
}

/// The names of inputs, for printing.
struct Names(Program);

impl Names {
    fn of(inputs: &[LaunchInput]) -> Names {
        let vars = inputs.iter().map(|input| VarDecl {
            name: input.name.as_str().into(),
            ty: Type::Scalar(input.ty),
            span: Span::NONE,
        });
        let procedure = Procedure {
            name: "host".into(),
            kind: ProcKind::Host,
            params: Vec::new(),
            vars: vars.collect(),
            result: None,
            body: Op::new(OpKind::Seq(Vec::new()), Span::NONE),
            most_threads: None,
            span: Span::NONE,
        };
        Names(Program {
            form: Form::Surface,
            files: Vec::new(),
            arrays: Vec::new(),
            procs: vec![procedure],
            cells: Default::default(),
        })
    }

    /// A number without the conversions and suffixes that C makes of itself.
    fn text(&self, number: &Expr) -> String {
        let is_integer = |e: &Expr| e.ty.scalar().is_some_and(ScalarType::is_integer);
        let bare = number.map(&mut |e| match &e.kind {
            ExprKind::Cast(inner) if is_integer(&e) && is_integer(inner) => (**inner).clone(),
            ExprKind::Const(constant) if is_integer(&e) && e.ty != Type::BOOL => {
                let small = constant.as_integer().and_then(|n| i32::try_from(n).ok());
                small.map_or(e.clone(), Expr::i32)
            }
            _ => e,
        });
        print::expr_as_written(&self.0, ProcId(0), &bare)
    }
}

/// Whether all that the launch at a place hangs on is said by host code itself: nothing is left to its callers, or to what
/// was not followed.
pub fn says_all(entry: &EntryPoint, at: &LaunchSite) -> bool {
    let is_said = |input: &LaunchInput| !input.choices.is_empty();
    let mut launches = entry.host_launches.iter();
    launches.any(|launch| site(launch) == *at && launch.inputs.iter().all(is_said))
}

/// Whether the launch at a place is one of `main`, with numbers that may all come: the program that is here has it.
pub fn is_of_program(entry: &EntryPoint, at: &LaunchSite) -> bool {
    let mut launches = entry.host_launches.iter();
    launches.any(|launch| site(launch) == *at && launch.is_of_main && is_certain(launch))
}

/// Whether host code says which blocks its launches of an entry have.
fn says_block(launch: &HostLaunch) -> bool {
    launch.block.iter().all(|n| value(n, &[]).is_some())
}

/// Some launches of host code, where it makes some and says of each which blocks it has: what they all are the kernel is
/// written for.
pub fn if_all_say_blocks(
    program: &Program,
    entry: &EntryPoint,
    device: Option<&DeviceLimits>,
) -> Vec<Instance> {
    match entry.host_launches.iter().all(says_block) {
        true => instances(program, entry, device),
        false => Vec::new(),
    }
}

/// Some launches of those places in host code that say which blocks they have.
pub fn with_own_blocks(
    program: &Program,
    entry: &EntryPoint,
    device: Option<&DeviceLimits>,
) -> Vec<Instance> {
    let own = EntryPoint {
        host_launches: entry
            .host_launches
            .iter()
            .filter(|launch| says_block(launch))
            .cloned()
            .collect(),
        ..entry.clone()
    };
    instances(program, &own, device)
}

/// Launches to try: those of host code that are known, and of the others some, with values for what they leave open.
pub fn instances(
    program: &Program,
    entry: &EntryPoint,
    device: Option<&DeviceLimits>,
) -> Vec<Instance> {
    let mut all: Vec<Instance> = Vec::new();
    for launch in &entry.host_launches {
        let mut found: Vec<Instance> = Vec::new();
        for instance in drawn(program, entry, device, launch) {
            let is_same =
                |k: &Instance| (k.launch, &k.scalars) == (instance.launch, &instance.scalars);
            if !found.iter().chain(&all).any(is_same) {
                found.push(instance);
            }
            if found.len() == SAMPLES {
                break;
            }
        }
        found.sort_by_key(|i| i.launch.n_blocks() * i.launch.n_threads());
        all.extend(found);
    }
    all
}

/// Whether each place in host code that says which blocks it launches has a launch that meets all of it, among many drawn; or
/// none is to be had.
pub fn each_can_meet(
    program: &Program,
    entry: &EntryPoint,
    device: Option<&DeviceLimits>,
    conditions: &[&Expr],
) -> bool {
    let mut own = entry.host_launches.iter().filter(|l| says_block(l));
    own.all(|launch| {
        let mut drawn = drawn(program, entry, device, launch).peekable();
        drawn.peek().is_none()
            || drawn.any(|instance| conditions.iter().all(|asked| instance.meets(asked)))
    })
}

/// A launch of host code with values for what it leaves open, drawn again and again.
fn drawn<'a>(
    program: &'a Program,
    entry: &'a EntryPoint,
    device: Option<&'a DeviceLimits>,
    launch: &'a HostLaunch,
) -> impl Iterator<Item = Instance> + 'a {
    let is_known = launch.inputs.is_empty();
    let pools: Vec<Vec<Value>> = (0..launch.inputs.len())
        .map(|input| pool(launch, input))
        .collect();
    let (tries, most) = match is_known {
        true => (1, MOST_THREADS_KNOWN),
        false => (TRIES, MOST_THREADS),
    };
    (0..tries).filter_map(move |turn| {
        let of_turn = |(pool, at): (&Vec<Value>, u64)| {
            let drawn = cell_below(turn, pool.len() as u64, at, ScalarType::U32);
            pool.get(drawn.as_integer()? as usize).copied()
        };
        let inputs: Vec<Option<Value>> = pools.iter().zip(0..).map(of_turn).collect();
        instance(program, entry, device, launch, &inputs, most)
    })
}

fn instance(
    program: &Program,
    entry: &EntryPoint,
    device: Option<&DeviceLimits>,
    launch: &HostLaunch,
    inputs: &[Option<Value>],
    most_threads: u64,
) -> Option<Instance> {
    let holds = |condition: &Expr| value(condition, inputs) == Some(Value::Bool(true));
    if !launch.conditions.iter().all(holds) {
        return None;
    }
    let extents = |numbers: &[Expr; 3]| -> Option<[u32; 3]> {
        let [x, y, z] = numbers;
        Some([extent(x, inputs)?, extent(y, inputs)?, extent(z, inputs)?])
    };
    let (grid, block) = (extents(&launch.grid)?, extents(&launch.block)?);
    if grid.contains(&0) || block.contains(&0) {
        return None;
    }
    let own = Launch {
        grid,
        block,
        shared_bytes: extent(&launch.shared_bytes, inputs)?,
    };
    let extents = grid.iter().chain(&block);
    let n_threads = extents.fold(1u64, |n, extent| n.saturating_mul(u64::from(*extent)));
    if n_threads > most_threads {
        return None;
    }
    validate_launch(program, entry.proc, &own, device).ok()?;
    // What the user gave is so.
    if entry
        .shared_bytes
        .is_some_and(|bytes| bytes != own.shared_bytes)
    {
        return None;
    }
    let procedure = program.proc(entry.proc);
    let mut scalars = BTreeMap::new();
    for (name, number) in &launch.args {
        if let Some(var) = parameter(procedure, name, number) {
            scalars.insert(var, value(number, inputs)?);
        }
    }
    // What the user gave is so.
    let agrees = |(var, given): (&VarId, &Value)| scalars.get(var).is_none_or(|v| v == given);
    entry.scalars.iter().all(agrees).then(|| Instance {
        site: site(launch),
        launch: own,
        is_certain: is_certain(launch),
        scalars,
    })
}

/// Values to try of an input.
fn pool(launch: &HostLaunch, input: usize) -> Vec<Value> {
    let LaunchInput { ty, choices, .. } = &launch.inputs[input];
    if ty.is_float() {
        let of = |x: f64| match ty {
            ScalarType::F32 => Value::f32(x as f32),
            _ => Value::f64(x),
        };
        return [0.5, 1.0, 2.5, 0.0].map(of).to_vec();
    }
    if *ty == ScalarType::Bool {
        return vec![Value::Bool(true), Value::Bool(false)];
    }
    let names = |expr: &Expr| {
        let mut found = false;
        expr.walk(&mut |e| found |= e.kind == ExprKind::Var(VarId(input as u32)));
        found
    };
    let mut numbers: Vec<i64> = match (choices.as_slice(), launch.block.iter().any(names)) {
        ([], true) => BLOCKS.to_vec(),
        ([], false) => SIZES.to_vec(),
        (choices, _) => choices.to_vec(),
    };
    if choices.is_empty() {
        // What it is compared with.
        for condition in launch.conditions.iter().filter(|c| names(c)) {
            condition.walk(&mut |e| {
                if let ExprKind::Const(constant) = &e.kind
                    && let Some(number) = constant.as_integer().and_then(|n| i64::try_from(n).ok())
                {
                    numbers.extend([number, number.saturating_add(1), number.saturating_sub(1)]);
                }
            });
        }
    }
    let fits = |n: &i64| Value::int(*ty, i128::from(*n)).as_integer() == Some(i128::from(*n));
    let numbers: BTreeSet<i64> = numbers.into_iter().filter(fits).collect();
    numbers
        .into_iter()
        .map(|n| Value::int(*ty, i128::from(n)))
        .collect()
}

/// Who makes the launch of a run, if that can be told.
pub fn caller(program: &Program, entry: &EntryPoint, setup: &Setup) -> Option<Caller> {
    let mut all_differ = !entry.host_launches.is_empty() && !entry.has_other_launches;
    let mut found = None;
    for launch in &entry.host_launches {
        let is_certain = is_certain(launch);
        match is_made_by(program, entry, setup, launch) {
            Some(true) => {
                let made_by = Caller::HostCode {
                    site: site(launch),
                    is_certain,
                };
                if is_certain {
                    return Some(made_by);
                }
                found.get_or_insert(made_by);
            }
            Some(false) => {}
            None => all_differ = false,
        }
    }
    found.or_else(|| all_differ.then_some(Caller::NoneInSight))
}

/// Whether the launch of host code is that of a run, for some values of what it leaves open.
fn is_made_by(
    program: &Program,
    entry: &EntryPoint,
    setup: &Setup,
    launch: &HostLaunch,
) -> Option<bool> {
    let own = setup.launch?;
    let procedure = program.proc(entry.proc);
    let u32s = |numbers: [u32; 3]| numbers.map(|n| Value::int(ScalarType::U32, i128::from(n)));
    let mut wanted: Vec<(&Expr, Value)> = Vec::new();
    wanted.extend(launch.grid.iter().zip(u32s(own.grid)));
    wanted.extend(launch.block.iter().zip(u32s(own.block)));
    if !entry.shared_is_open {
        let bytes = Value::int(ScalarType::U32, i128::from(own.shared_bytes));
        wanted.push((&launch.shared_bytes, bytes));
    }
    for (name, number) in &launch.args {
        let Some(var) = parameter(procedure, name, number) else {
            continue;
        };
        let at = procedure.params.iter().position(|p| *p == var)?;
        if let Some(Arg::Scalar(given)) = setup.args.get(at) {
            wanted.push((number, *given));
        }
    }
    let mut inputs: Vec<Option<Value>> = vec![None; launch.inputs.len()];
    for (number, given) in &wanted {
        if let Some(input) = copied(number)
            && let Some(slot) = inputs.get_mut(input)
        {
            let ty = launch.inputs[input].ty;
            *slot = match (ty.is_integer(), given.as_integer()) {
                (true, Some(integer)) => Some(Value::int(ty, integer)),
                _ if given.scalar_type() == Some(ty) => Some(*given),
                _ => None,
            };
        }
    }
    let open: Vec<usize> = (0..inputs.len()).filter(|i| inputs[*i].is_none()).collect();
    let is_open = |expr: &Expr| {
        let mut found = false;
        expr.walk(&mut |e| {
            if let ExprKind::Var(var) = e.kind {
                found |= open.contains(&(var.0 as usize));
            }
        });
        found
    };
    let chosen = |inputs: &[Option<Value>], input: usize| {
        let choices = &launch.inputs[input].choices;
        let value = inputs[input].and_then(|v| v.as_integer());
        choices.is_empty() || value.is_none_or(|v| choices.iter().any(|c| i128::from(*c) == v))
    };
    let agrees = |inputs: &[Option<Value>], only_closed: bool| {
        let number = |(number, given): &(&Expr, Value)| {
            only_closed && is_open(number) || value(number, inputs) == Some(*given)
        };
        let condition = |condition: &Expr| {
            only_closed && is_open(condition) || value(condition, inputs) == Some(Value::Bool(true))
        };
        wanted.iter().all(number)
            && launch.conditions.iter().all(condition)
            && (0..inputs.len()).all(|input| chosen(inputs, input))
    };
    if !agrees(&inputs, true) {
        return Some(false);
    }
    if open.is_empty() {
        return Some(true);
    }
    // Values that may make up those of the launch: itself, its parts, and the usual ones.
    let mut near: BTreeSet<i128> = [0, 1, 2, 3].into();
    let of_launch: Vec<i128> = wanted.iter().filter_map(|(_, v)| v.as_integer()).collect();
    for a in &of_launch {
        near.insert(*a);
        near.extend(of_launch.iter().filter(|b| **b != 0).map(|b| a / b));
    }
    let pools: Vec<Vec<Value>> = open
        .iter()
        .map(|&input| {
            let ty = launch.inputs[input].ty;
            let mut values: Vec<Value> = match ty.is_integer() && ty != ScalarType::Bool {
                true => near.iter().map(|n| Value::int(ty, *n)).collect(),
                false => Vec::new(),
            };
            for value in pool(launch, input) {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            values
        })
        .collect();
    let mut at = vec![0usize; open.len()];
    for _ in 0..MOST_CHOICES {
        for ((slot, pool), input) in at.iter().zip(&pools).zip(&open) {
            inputs[*input] = pool.get(*slot).copied();
        }
        if agrees(&inputs, false) {
            return Some(true);
        }
        let mut carry = true;
        for (slot, pool) in at.iter_mut().zip(&pools) {
            *slot += usize::from(carry);
            carry = *slot >= pool.len();
            if carry {
                *slot = 0;
            }
        }
        if carry {
            break;
        }
    }
    None
}

/// The input that a number is, maybe converted between integer types.
fn copied(number: &Expr) -> Option<usize> {
    match &number.kind {
        ExprKind::Var(var) => Some(var.0 as usize),
        ExprKind::Cast(inner)
            if number.ty.scalar().is_some_and(|ty| ty.is_integer())
                && inner.ty.scalar().is_some_and(|ty| ty.is_integer()) =>
        {
            copied(inner)
        }
        _ => None,
    }
}

/// The launch and the scalar arguments of a run, for the report.
pub fn shown_at(program: &Program, setup: &Setup) -> SubjectLaunch {
    let procedure = program.proc(setup.entry);
    let uses_shared = !dynamic_shared(program, setup.entry).is_empty();
    let args = procedure.params.iter().zip(&setup.args);
    let args = args.filter_map(|(var, arg)| {
        let name = procedure.vars[var.0 as usize].name.to_string();
        match arg {
            Arg::Scalar(value) => Some((name, value.to_string())),
            Arg::Null => Some((name, "null".to_owned())),
            Arg::Array(_) => None,
        }
    });
    SubjectLaunch {
        grid: setup.launch.map(|l| l.grid),
        block: setup.launch.map(|l| l.block),
        shared: setup
            .launch
            .map(|l| l.shared_bytes)
            .filter(|bytes| *bytes > 0 && uses_shared),
        args: args.collect(),
    }
}
