//! What a launch starts with: code, shape, arguments and memory; from a setup, or from a state of
//! the reference in which host code has just begun a launch.

use super::cells::Cells;
use super::system::Unfit;
use crate::compiled::memory::{Array, at_start, declared};
use crate::compiled::{Code, raw};
use crate::system::ExploredProgram;
use crate::system::footprint::{AccessClass, MayTouch};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Axis, Builtin};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::analysis::barriers::synchronises_grid;
use gridlock_semantics::evaluation::arithmetic::NULL;
use gridlock_semantics::grid::GridState;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::Warps;
use gridlock_semantics::setup::context::declared_refs;
use gridlock_semantics::setup::{Arg, Contents, Dim3, Launch, Setup};

/// A launch about to be made.
pub(super) struct Start {
    pub kernel: ProcId,
    pub launch: Launch,
    pub cooperative: bool,
    args: Vec<Value>,
    /// By number.
    globals: Vec<Array>,
    /// The arrays seen at the end, by number.
    pub observed: Vec<usize>,
}

impl Start {
    /// A kernel on its own. `length`: how long an array without extent is made.
    pub fn of_setup(
        program: &Program,
        setup: &Setup,
        length: impl Fn(usize) -> Option<u64>,
    ) -> Result<Start, Unfit> {
        let Some(launch) = setup.launch else {
            return Err(Unfit("host code"));
        };
        let declarations = (0..).map(ArrayId).zip(&program.arrays);
        let is_global = |space| matches!(space, Space::Global | Space::Constant);
        let mut globals: Vec<Array> = declarations
            .filter(|(_, decl)| is_global(decl.space))
            .map(|(id, decl)| at_start(setup, id, decl))
            .collect();
        let n_declared = globals.len();
        for (index, array) in setup.arrays.iter().enumerate() {
            let (name, contents) = (array.name.clone(), array.contents.clone());
            let mut made = Array::new(name, Space::Global, array.elem, array.extent, contents);
            if made.is_open() {
                made.grow(length(index).ok_or(Unfit("arrays without extent"))?);
            }
            globals.push(made);
        }
        let args = setup.args.iter().map(|arg| match arg {
            Arg::Scalar(value) => *value,
            Arg::Null => NULL,
            Arg::Array(index) => Value::Pointer(Pointer {
                array: ArrayRef::Global((n_declared + index) as u32),
                offset: 0,
            }),
        });
        let mut observed = Vec::new();
        for arg in &setup.args {
            if let Arg::Array(index) = arg
                && !observed.contains(&(n_declared + index))
                && setup.arrays[*index].observed
            {
                observed.push(n_declared + index);
            }
        }
        if !setup.observed.is_empty() {
            let declared = declared_refs(program);
            observed.extend(
                setup
                    .observed
                    .iter()
                    .filter_map(|id| match declared[id.0 as usize] {
                        ArrayRef::Global(number) => Some(number as usize),
                        _ => None,
                    }),
            );
        }
        Ok(Start {
            kernel: setup.entry,
            launch,
            cooperative: synchronises_grid(program, setup.entry),
            args: args.collect(),
            globals,
            observed,
        })
    }

    /// The launch that host code has just begun. All memory that it can write is seen at its end.
    pub fn of_state(reference: &ExploredProgram, state: &State) -> Result<Start, Unfit> {
        let grid = state.device.as_ref().filter(|grid| is_fresh(grid));
        let Some(grid) = grid else {
            return Err(Unfit("a launch on its way"));
        };
        if reference.system().context().asynchronous {
            return Err(Unfit("streams"));
        }
        let first = grid.blocks.front().and_then(|block| block.threads.front());
        let frame = first.and_then(|thread| thread.frames.first());
        let (Some(thread), Some(frame)) = (first, frame) else {
            return Err(Unfit("a launch on its way"));
        };
        let n_params = reference.program().proc(grid.kernel).params.len();
        let args: Vec<Value> = frame.vars.iter().take(n_params).copied().collect();
        let elsewhere = |value: &Value| match value {
            Value::Pointer(at) => !matches!(at.array, ArrayRef::Global(_) | ArrayRef::Null),
            _ => false,
        };
        if args.iter().any(elsewhere) {
            return Err(Unfit("memory of the host"));
        }
        let mut globals = Vec::with_capacity(state.memory.global.len());
        for array in &state.memory.global {
            let info = &array.info;
            if info.device.is_some_and(|device| device != thread.device) || info.pinned {
                return Err(Unfit("memory of another device"));
            }
            if info.extent.is_none() {
                return Err(Unfit("arrays without extent"));
            }
            let contents = Contents::Values(array.contents());
            let name = info.name.clone();
            let mut own = Array::new(name, info.space, info.elem, info.extent, contents);
            if array.freed {
                own.free();
            }
            globals.push(own);
        }
        Ok(Start {
            kernel: grid.kernel,
            launch: grid.launch,
            cooperative: grid.cooperative,
            args,
            observed: (0..globals.len()).collect(),
            globals,
        })
    }

    pub fn cells(&self, program: &Program, code: &Code, may_touch: Option<&MayTouch>) -> Cells {
        let mut cells = Cells::default();
        for (number, array) in self.globals.iter().enumerate() {
            let reference = ArrayRef::Global(number as u32);
            let written =
                |touched: &MayTouch| touched.may_interfere(reference, AccessClass::Read, true);
            let fixed = array.freed() || !may_touch.is_none_or(written);
            cells.push_global(array, fixed);
        }
        for (index, decl) in program.arrays.iter().enumerate() {
            let used = code.shared.iter().any(|id| id.0 as usize == index);
            let array = used.then(|| declared(decl, self.launch.shared_bytes));
            cells.push_declared(array.as_ref());
        }
        cells
    }

    /// Registers every thread starts with, but for who it is.
    pub fn image(&self, code: &Code, warps: Warps) -> Vec<u64> {
        let mut image = code.image.clone();
        for ((reg, _), arg) in code.params.iter().zip(&self.args) {
            let reg = *reg as usize;
            match arg {
                Value::Pointer(at) => {
                    image[reg] = raw::from_array(at.array);
                    image[reg + 1] = at.offset as u64;
                }
                scalar => image[reg] = raw::from_value(*scalar),
            }
        }
        for (builtin, reg) in &code.builtins {
            image[*reg as usize] = match builtin {
                Builtin::BlockDim(axis) => extent(self.launch.block, *axis),
                Builtin::GridDim(axis) => extent(self.launch.grid, *axis),
                Builtin::WarpSize => warps.size() as u64,
                Builtin::ThreadIdx(_) | Builtin::BlockIdx(_) => 0,
            };
        }
        image
    }
}

/// Whether no thread of a launch has moved yet, and some may.
pub fn is_fresh(grid: &GridState) -> bool {
    grid.started == 0 && grid.unfinished > 0 && grid.blocks.iter().all(|block| !block.started)
}

pub(super) fn extent(extents: Dim3, axis: Axis) -> u64 {
    extents[axis as usize] as u64
}
