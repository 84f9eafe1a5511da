//! The space of launches: which variables there are, which values they take, and the closed
//! configuration that belongs to a point.

use super::constants;
use super::offer::{self, Offer};
use super::term::Term;
use super::variable::Variable;
use super::vary::Vary;
use crate::input::error::InputError;
use crate::input::request::{EntryRequest, ExtentFactor, ExtentSpec, LaunchSpec};
use crate::subject::premises;
use crate::subject::{self, EntryPoint};
use gridlock_checker::finding::Evidence;
use gridlock_semantics::algebra::declaration::{Extent, Space as MemorySpace};
use gridlock_semantics::algebra::expr::{Axis, Builtin, ExprKind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::{Procedure, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::device_limits::{DeviceLimits, static_shared_bytes};
use gridlock_semantics::transition::fault::FaultKind;
use std::sync::Arc;

/// A point: a value for each dimension.
pub type Point = Vec<i64>;

/// One variable and the values it takes.
#[derive(Clone, Debug)]
pub struct Dimension {
    pub variable: Variable,
    pub name: String,
    pub ty: ScalarType,
    pub values: Values,
}

/// The values of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Fixed by the user.
    Fixed(i64),
    /// The user's range.
    Given(Vec<i64>),
    /// Chosen from the kernel: what is always tried, and what is there besides.
    Drawn { core: Vec<Offer>, more: Vec<Offer> },
}

impl Dimension {
    pub const fn is_fixed(&self) -> bool {
        matches!(self.values, Values::Fixed(_))
    }

    /// What the dimension offers: always tried, or (`more`) everything.
    pub fn offers(&self, more: bool) -> Vec<Offer> {
        match &self.values {
            Values::Fixed(value) => vec![Offer::Number(*value)],
            Values::Given(values) => values.iter().map(|&v| Offer::Number(v)).collect(),
            Values::Drawn { core, .. } if !more => core.clone(),
            Values::Drawn { core, more } => core.iter().chain(more).cloned().collect(),
        }
    }
}

/// The launches of one kernel.
#[derive(Clone, Debug)]
pub struct Space {
    pub program: Arc<Program>,
    pub kernel: ProcId,
    /// Launch first, then parameters, in their order.
    pub dimensions: Vec<Dimension>,
    /// Numbers the code speaks of.
    pub constants: Vec<i64>,
    /// What does not vary: extents given as expressions, scalars that are no integers.
    base: EntryPoint,
    shared_bytes: Option<u32>,
    /// Whether that is a guess, so that an index beyond it says nothing.
    pub shared_is_open: bool,
    device: Option<DeviceLimits>,
}

/// Extents of blocks tried in one dimension; in the others see [`ALONG_SIDES`].
const BLOCKS: &[i64] = &[1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 65, 96, 128];
const MORE_BLOCKS: &[i64] = &[
    5, 6, 9, 10, 12, 15, 17, 20, 24, 47, 48, 49, 63, 80, 127, 129, 160, 192, 255, 256, 257, 512,
];
/// Extents of blocks of two or three dimensions, along each.
const SIDES: &[i64] = &[1, 2, 3, 4, 8, 16];
const MORE_SIDES: &[i64] = &[5, 6, 7, 9, 12, 15, 17, 31, 32, 33, 64];
const GRIDS: &[i64] = &[1, 2, 3];
const MORE_GRIDS: &[i64] = &[4, 5, 8];
/// Dynamic shared memory where its size is not given: it is not what a defect hangs on.
const USUAL_SHARED_BYTES: u64 = 32 << 10;
/// Shared memory of a block that every device gives.
const MOST_SHARED_BYTES: u64 = 48 << 10;

impl Space {
    /// [`Space::around`], with as much dynamic shared memory, where its size is open, as every device gives beside what the
    /// kernel declares.
    pub fn with_usual_shared(
        program: &Arc<Program>,
        entry: &EntryPoint,
        device: Option<&DeviceLimits>,
    ) -> Space {
        let declared = static_shared_bytes(program, entry.proc);
        let shared = USUAL_SHARED_BYTES.min(MOST_SHARED_BYTES.saturating_sub(declared)) as u32;
        Space::around(program, entry, device, shared)
    }

    /// The space of an entry: what is given of it is fixed, everything else takes values drawn from the
    /// kernel. `open_shared_bytes`: dynamic shared memory where its size is not given.
    pub fn around(
        program: &Arc<Program>,
        entry: &EntryPoint,
        device: Option<&DeviceLimits>,
        open_shared_bytes: u32,
    ) -> Space {
        let shared_bytes = match (entry.shared_is_open, entry.launch) {
            (true, _) => Some(open_shared_bytes),
            (false, Some(launch)) => Some(launch.shared_bytes),
            (false, None) => entry.shared_bytes,
        };
        let mut space = Space {
            program: program.clone(),
            kernel: entry.proc,
            dimensions: Vec::new(),
            constants: constants::of_kernel(program, entry.proc),
            base: EntryPoint {
                launch: None,
                ..entry.clone()
            },
            shared_bytes,
            shared_is_open: entry.shared_is_open,
            device: device.cloned(),
        };
        space.add_launch(&LaunchSpec {
            grid: entry.launch.map(|l| l.grid),
            block: entry.launch.map(|l| l.block),
            shared_bytes,
        });
        space.add_parameters(&[]);
        space.draw();
        space
    }

    /// The space of `kernel`: what `entry` (the user's options) fixes is fixed, what `vary` names
    /// takes those values, everything else takes values drawn from the kernel.
    ///
    /// # Errors
    /// A name that is no variable of this kernel, a value out of range.
    pub fn new(
        program: &Arc<Program>,
        kernel: ProcId,
        entry: &EntryRequest,
        vary: &[Vary],
        device: Option<DeviceLimits>,
    ) -> Result<Space, InputError> {
        let unlaunched = EntryRequest {
            launch: LaunchSpec {
                shared_bytes: entry.launch.shared_bytes,
                ..LaunchSpec::default()
            },
            ..entry.clone()
        };
        let mut base = subject::resolve_entry(program, kernel, &unlaunched, None)?;
        base.device = device.unwrap_or_default();
        let mut space = Space {
            program: program.clone(),
            kernel,
            dimensions: Vec::new(),
            constants: constants::of_kernel(program, kernel),
            base,
            shared_bytes: entry.launch.shared_bytes,
            // An element for each thread, as the report says.
            shared_is_open: false,
            device,
        };
        space.add_launch(&entry.launch);
        space.add_parameters(vary);
        space.obey(vary)?;
        space.draw();
        Ok(space)
    }

    pub fn procedure(&self) -> &Procedure {
        self.program.proc(self.kernel)
    }

    pub fn varies(&self) -> bool {
        self.dimensions.iter().any(|d| !d.is_fixed())
    }

    /// Whether the extents of blocks vary.
    pub fn varies_in_blocks(&self) -> bool {
        let is_of_block = |variable| matches!(variable, Variable::BlockDim(_));
        let mut dimensions = self.dimensions.iter();
        dimensions.any(|d| is_of_block(d.variable) && !d.is_fixed())
    }

    /// The dimensions that vary, of those wanted.
    pub fn varying(
        &self,
        is_wanted: fn(Variable) -> bool,
    ) -> impl Iterator<Item = usize> + use<'_> {
        let dimensions = self.dimensions.iter().enumerate();
        dimensions
            .filter(move |(_, dimension)| is_wanted(dimension.variable) && !dimension.is_fixed())
            .map(|(d, _)| d)
    }

    /// The arguments that may be sizes of arrays.
    pub fn counts(&self) -> Vec<usize> {
        let scalars = self.varying(|v| matches!(v, Variable::Scalar(_)));
        let is_wide = |d: &usize| self.dimensions[*d].ty.size() >= 4;
        scalars.filter(is_wide).collect()
    }

    /// The place of a variable among the dimensions.
    pub fn find(&self, variable: Variable) -> Option<usize> {
        self.dimensions.iter().position(|d| d.variable == variable)
    }

    /// Number of threads of a block times number of blocks, at a point.
    pub fn n_threads(&self, point: &[i64]) -> i64 {
        let launch = self.dimensions.iter().zip(point);
        launch
            .filter(|(d, _)| d.variable.is_of_launch())
            .fold(1, |n: i64, (_, &value)| n.saturating_mul(value))
    }

    /// Threads of one of its blocks.
    pub fn n_threads_of_block(&self, point: &[i64]) -> i64 {
        let launch = self.dimensions.iter().zip(point);
        launch
            .filter(|(d, _)| matches!(d.variable, Variable::BlockDim(_)))
            .fold(1, |n: i64, (_, &value)| n.saturating_mul(value))
    }

    /// About how much a run at a point takes.
    pub fn effort(&self, point: &[i64]) -> i64 {
        let scalars = self.varying(|v| matches!(v, Variable::Scalar(_)));
        let sizes = scalars.fold(1i64, |sum, d| sum.saturating_add(point[d].max(0)));
        self.n_threads(point).saturating_mul(sizes)
    }

    fn add(&mut self, variable: Variable, values: Values) {
        self.dimensions.push(Dimension {
            variable,
            name: variable.name(self.procedure()),
            ty: variable.scalar_type(self.procedure()),
            values,
        });
    }

    fn add_launch(&mut self, spec: &LaunchSpec) {
        let undrawn = Values::Drawn {
            core: vec![],
            more: vec![],
        };
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let (block, grid) = self.reads(axis);
            for (read, given, variable) in [
                (block, spec.block, Variable::BlockDim(axis)),
                (grid, spec.grid, Variable::GridDim(axis)),
            ] {
                match given {
                    Some(extents) if axis == Axis::X || read || extents[axis as usize] > 1 => {
                        self.add(variable, Values::Fixed(extents[axis as usize] as i64));
                    }
                    None if axis == Axis::X || read => self.add(variable, undrawn.clone()),
                    _ => {}
                }
            }
        }
        self.dimensions.sort_by_key(|d| d.variable);
    }

    /// Whether the kernel asks about an axis of the block, and of the grid.
    fn reads(&self, axis: Axis) -> (bool, bool) {
        let (mut block, mut grid) = (false, false);
        for proc in premises::features(&self.program, self.kernel).reachable {
            let procedure = self.program.proc(proc);
            procedure.body.walk(&mut |op| {
                if procedure.moves_arbitrary(op) {
                    return;
                }
                for expression in op.expressions() {
                    expression.walk(&mut |e| match e.kind {
                        ExprKind::Builtin(Builtin::ThreadIdx(a) | Builtin::BlockDim(a)) => {
                            block |= a == axis;
                        }
                        ExprKind::Builtin(Builtin::BlockIdx(a) | Builtin::GridDim(a)) => {
                            grid |= a == axis;
                        }
                        _ => {}
                    });
                }
            });
        }
        (block, grid)
    }

    fn add_parameters(&mut self, vary: &[Vary]) {
        let procedure = self.program.clone();
        let procedure = procedure.proc(self.kernel);
        for &var in &procedure.params {
            let decl = &procedure.vars[var.0 as usize];
            match decl.ty {
                Type::Scalar(ty) if !ty.is_float() => {
                    let values = match self.base.scalars.get(&var).and_then(|v| v.as_integer()) {
                        Some(value) => Values::Fixed(value as i64),
                        None => Values::Drawn {
                            core: vec![],
                            more: vec![],
                        },
                    };
                    self.add(Variable::Scalar(var), values);
                }
                Type::Pointer(_) if vary.iter().any(|v| *v.name == *decl.name) => {
                    self.add(Variable::Extent(var), Values::Given(vec![]));
                }
                _ => {}
            }
        }
    }

    /// Takes over the user's ranges.
    fn obey(&mut self, vary: &[Vary]) -> Result<(), InputError> {
        for given in vary {
            let wrong = |why: String| {
                let name = &given.name;
                Err(InputError::usage(format!("--vary `{name}`: {why}")))
            };
            let name = match given.name.as_str() {
                "block" => "block.x",
                "grid" => "grid.x",
                other => other,
            };
            let index = self.dimensions.iter().position(|d| {
                let short = d.name.replace("Dim.", ".");
                let bare = d.name.strip_prefix("elements of ").unwrap_or(&d.name);
                short == name || bare == name
            });
            let Some(index) = index else {
                let names = self.dimensions.iter().map(|d| d.name.replace("Dim.", "."));
                let kernel = &self.procedure().name;
                return wrong(format!(
                    "`{kernel}` has no such variable (it has: {})",
                    names.collect::<Vec<_>>().join(", ")
                ));
            };
            let dimension = &mut self.dimensions[index];
            if dimension.is_fixed() {
                return wrong("it is fixed by another option".to_owned());
            }
            let least = match dimension.variable {
                Variable::BlockDim(_) | Variable::GridDim(_) => 1,
                Variable::Extent(_) => 0,
                Variable::Scalar(_) => i64::MIN,
            };
            let fits = |v: &&i64| **v >= least && offer::fits(**v, dimension.ty);
            if let Some(misfit) = given.values.iter().find(|v| !fits(v)) {
                return wrong(format!("{misfit} is out of range"));
            }
            if let Variable::Extent(var) = dimension.variable {
                self.base.extents.remove(&var);
            }
            dimension.values = Values::Given(given.values.clone());
        }
        Ok(())
    }

    /// Chooses values for what is not fixed and has no range of the user's.
    fn draw(&mut self) {
        let sides = |d: &&Dimension| matches!(d.variable, Variable::BlockDim(_));
        let flat = self.dimensions.iter().filter(sides).count() < 2;
        for index in 0..self.dimensions.len() {
            if !matches!(self.dimensions[index].values, Values::Drawn { .. }) {
                continue;
            }
            let numbers = |values: &[i64]| values.iter().map(|&v| Offer::Number(v)).collect();
            let (mut core, mut more): (Vec<Offer>, Vec<Offer>) =
                match self.dimensions[index].variable {
                    Variable::BlockDim(_) if flat => (numbers(BLOCKS), numbers(MORE_BLOCKS)),
                    Variable::BlockDim(_) => (numbers(SIDES), numbers(MORE_SIDES)),
                    Variable::GridDim(_) => (numbers(GRIDS), numbers(MORE_GRIDS)),
                    Variable::Scalar(_) | Variable::Extent(_) => self.draw_scalar(index),
                };
            let constants = match self.dimensions[index].variable {
                Variable::BlockDim(_) => &*self.constants,
                _ => &[],
            };
            for &c in constants.iter().filter(|c| (2..=512).contains(*c)) {
                for near in [c - 1, c, c + 1, 2 * c, c / 2, c / 2 + 1] {
                    if (1..=1024).contains(&near) {
                        more.push(Offer::Number(near));
                    }
                }
            }
            tidy(&mut core, &mut more);
            self.dimensions[index].values = Values::Drawn { core, more };
        }
    }

    /// Whether a parameter says how many elements an array has.
    pub fn counts_elements(&self, index: usize) -> bool {
        let mut factors = self.base.extents.values().flat_map(|spec| &spec.0);
        factors.any(|factor| {
            matches!(factor, ExtentFactor::Parameter(name)
                if *name == self.dimensions[index].name)
        })
    }

    /// Values of a scalar: small ones, and those around the numbers of threads and around the
    /// other scalars, where guards and bounds change their minds.
    fn draw_scalar(&self, index: usize) -> (Vec<Offer>, Vec<Offer>) {
        if self.dimensions[index].ty == ScalarType::Bool {
            return (vec![Offer::Number(0), Offer::Number(1)], vec![]);
        }
        let near = |term: &Term, deltas: &[i64]| -> Vec<Offer> {
            let near = |&delta| Offer::Near(term.clone(), delta);
            deltas.iter().map(near).collect()
        };
        let mut core = vec![Offer::Number(0), Offer::Number(1)];
        let mut more: Vec<Offer> = [2, 3, 4, 5, 7, 10, 16, 31, 32, 33, 64, 100]
            .map(Offer::Number)
            .to_vec();
        if self.dimensions[index].ty.is_signed() && !self.counts_elements(index) {
            core.insert(0, Offer::Number(-1));
        }
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let block = self.find(Variable::BlockDim(axis));
            let grid = self.find(Variable::GridDim(axis));
            if let Some(block) = block {
                core.extend(near(&Term::Var(block), &[-1, 0, 1]));
                more.extend(near(&Term::Var(block), &[2]));
            }
            if let (Some(block), Some(grid)) = (block, grid) {
                core.extend(near(&Term::Times(grid, block), &[-1, 0, 1]));
                more.extend(near(&Term::Times(grid, block), &[-2, 2]));
                let twice = Term::Times(grid, block).scaled(2);
                core.extend(near(&twice, &[0]));
                more.extend(near(&twice, &[-1, 1]));
            }
        }
        for (c, &number) in self.constants.iter().enumerate() {
            let around = [number - 1, number, number + 1].map(Offer::Number);
            if c < 2 { &mut core } else { &mut more }.extend(around);
        }
        for earlier in 0..index {
            if matches!(self.dimensions[earlier].variable, Variable::Scalar(_)) {
                core.extend(near(&Term::Var(earlier), &[-1, 0, 1]));
                more.extend(near(&Term::Var(earlier).scaled(2), &[0]));
            }
        }
        (core, more)
    }

    /// The entry closed at a point.
    ///
    /// # Errors
    /// The device refuses the launch.
    pub fn closed_at(&self, point: &[i64]) -> Result<EntryPoint, InputError> {
        let mut entry = self.base.clone();
        let (mut grid, mut block) = ([1u32; 3], [1u32; 3]);
        for (dimension, &value) in self.dimensions.iter().zip(point) {
            match dimension.variable {
                Variable::BlockDim(axis) => block[axis as usize] = extent(value)?,
                Variable::GridDim(axis) => grid[axis as usize] = extent(value)?,
                Variable::Scalar(var) => {
                    let value = match dimension.ty {
                        ScalarType::Bool => Value::Bool(value != 0),
                        ty => Value::int(ty, value as i128),
                    };
                    entry.scalars.insert(var, value);
                }
                Variable::Extent(var) => {
                    let elements = vec![ExtentFactor::Number(value.unsigned_abs())];
                    entry.extents.insert(var, ExtentSpec(elements));
                }
            }
        }
        let threads: u64 = block.iter().map(|&n| n as u64).product();
        let shared = self.shared_bytes.map_or_else(
            || self.bytes_a_thread().saturating_mul(threads),
            |bytes| bytes as u64,
        );
        let spec = EntryRequest {
            launch: LaunchSpec {
                grid: Some(grid),
                block: Some(block),
                shared_bytes: Some(u32::try_from(shared).unwrap_or(u32::MAX)),
            },
            ..EntryRequest::default()
        };
        let device = self.device.as_ref();
        let launched = subject::resolve_entry(&self.program, self.kernel, &spec, device);
        entry.launch = launched?.launch;
        // The report says how much a launch has.
        entry.shared_is_open = false;
        Ok(entry)
    }

    /// Bytes of dynamic shared memory for each thread where the user said nothing: one element.
    pub fn bytes_a_thread(&self) -> u64 {
        let dynamic = self
            .program
            .arrays
            .iter()
            .filter(|a| a.space == MemorySpace::Shared && a.extent == Extent::LaunchShared);
        match self.shared_bytes {
            Some(_) => 0,
            None => dynamic.map(|a| a.elem.size()).max().unwrap_or(0),
        }
    }

    /// Whether a finding is an index beyond dynamic shared memory whose size is a guess.
    pub fn is_beyond_guess(&self, evidence: &Evidence) -> bool {
        let Evidence::Fault(fault) = evidence else {
            return false;
        };
        let FaultKind::OutOfBounds { array, index, .. } = &fault.kind else {
            return false;
        };
        let dynamic = || subject::dynamic_shared(&self.program, self.kernel);
        self.shared_is_open && *index >= 0 && dynamic().iter().any(|a| a.name == *array)
    }

    /// The entry for every launch, with what the user fixed beside the launch.
    pub fn for_every_launch(&self) -> EntryPoint {
        let mut entry = self.base.clone();
        for dimension in &self.dimensions {
            if let Variable::Extent(var) = dimension.variable {
                entry.extents.remove(&var);
            }
        }
        entry
    }
}

fn extent(value: i64) -> Result<u32, InputError> {
    u32::try_from(value).map_err(|_| InputError::launch(format!("an extent of {value}")))
}

/// Each offer once, the core's own.
fn tidy(core: &mut Vec<Offer>, more: &mut Vec<Offer>) {
    let mut seen = Vec::new();
    for list in [core, more] {
        list.retain(|offer| {
            let fresh = !seen.contains(offer);
            seen.extend(fresh.then(|| offer.clone()));
            fresh
        });
    }
}
