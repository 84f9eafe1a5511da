//! Host code over a real device: host operators are evaluated here, with the semantics' own
//! arithmetic; allocations, copies and launches go to the device.

mod memory;

use crate::device::accelerator::{Accelerator, LaunchArg};
use crate::device::{Device, DeviceError, DeviceInfo, RunResult};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Builtin, Expr};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, Op, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::evaluation::arithmetic;
use gridlock_semantics::evaluation::eval::{Env, eval};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use gridlock_semantics::setup::{Arg, Launch, Setup};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::system::observation::{Observation, ObservedArray};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use memory::{ArrayStorage, DeviceArray, HostArray, first_contents};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Loop iterations and calls of one host run.
const MAX_STEPS: u64 = 100_000_000;

/// A device with memory and launches, made to run whole programs.
pub struct OnAccelerator<A> {
    program: Program,
    accelerator: A,
}

impl<A: Accelerator> OnAccelerator<A> {
    /// `accelerator` has the kernels of `program` loaded.
    pub fn new(program: &Program, accelerator: A) -> OnAccelerator<A> {
        OnAccelerator {
            program: program.clone(),
            accelerator,
        }
    }

    fn outcome(
        &mut self,
        setup: &Setup,
        seconds: &mut Vec<f64>,
    ) -> Result<Observation, DeviceError> {
        // The semantics knows best which setups fit a program.
        let profile = Profile::named("cuda").ok_or_else(|| DeviceError::setup("no profile"))?;
        ProgramSystem::new(Arc::new(self.program.clone()), setup.clone(), profile)
            .map_err(|error| DeviceError::setup(error.to_string()))?;
        let is_host = self.program.proc(setup.entry).kind == ProcKind::Host;
        if is_host && self.program.arrays.iter().any(|array| array.is_managed) {
            return Err(DeviceError::unsupported("managed variables"));
        }
        self.accelerator.reset()?;
        let mut run = HostRun {
            program: &self.program,
            accelerator: &mut self.accelerator,
            host: Vec::new(),
            device: Vec::new(),
            private: BTreeMap::new(),
            frames: Vec::new(),
            seconds,
            steps: 0,
            handles: 0,
        };
        run.start(setup)
    }
}

impl<A: Accelerator> Device for OnAccelerator<A> {
    fn info(&self) -> &DeviceInfo {
        self.accelerator.info()
    }

    fn run(&mut self, setup: &Setup) -> RunResult {
        let mut seconds = Vec::new();
        let outcome = self.outcome(setup, &mut seconds);
        RunResult { outcome, seconds }
    }
}

struct HostRun<'a, A> {
    program: &'a Program,
    accelerator: &'a mut A,
    host: Vec<HostArray>,
    device: Vec<DeviceArray>,
    private: BTreeMap<ArrayId, HostArray>,
    frames: Vec<(ProcId, Vec<Value>)>,
    seconds: &'a mut Vec<f64>,
    steps: u64,
    /// Streams and events made.
    handles: u64,
}

fn fault(kind: FaultKind) -> DeviceError {
    DeviceError::Fault { kind }
}

impl<A: Accelerator> HostRun<'_, A> {
    fn start(&mut self, setup: &Setup) -> Result<Observation, DeviceError> {
        if let Some((id, _)) = setup.declared.first_key_value() {
            let name = &self.program.array(*id).name;
            let message = format!("a device starts `{name}` with what the file declares");
            return Err(DeviceError::Setup { message });
        }
        self.declare();
        let entry = self.program.proc(setup.entry);
        let is_kernel = entry.kind == ProcKind::Kernel;
        let mut refs = Vec::new();
        for array in &setup.arrays {
            let cells = first_contents(array)?;
            refs.push(if is_kernel {
                let buffer = self.accelerator.alloc(array.elem, cells.len() as u64)?;
                self.accelerator.write(buffer, 0, &cells)?;
                self.device.push(DeviceArray {
                    name: array.name.clone(),
                    elem: array.elem,
                    cells: cells.len() as u64,
                    place: ArrayStorage::Allocated(buffer),
                    freed: false,
                });
                ArrayRef::Global(self.device.len() as u32 - 1)
            } else {
                self.host.push(HostArray {
                    name: array.name.clone(),
                    elem: array.elem,
                    cells,
                    freed: false,
                });
                ArrayRef::Host(self.host.len() as u32 - 1)
            });
        }
        let mut values = Vec::new();
        for (param, arg) in entry.params.iter().zip(&setup.args) {
            let ty = entry.vars[param.0 as usize].ty;
            let array = match arg {
                Arg::Scalar(value) => {
                    values.push(arithmetic::cast(*value, ty).map_err(fault)?);
                    continue;
                }
                Arg::Array(index) => refs.get(*index).copied().unwrap_or(ArrayRef::Null),
                Arg::Null => ArrayRef::Null,
            };
            values.push(Value::Pointer(Pointer { array, offset: 0 }));
        }
        let result = if is_kernel {
            let launch = setup
                .launch
                .ok_or_else(|| DeviceError::setup("a kernel needs a launch"))?;
            self.launch(setup.entry, launch, &values)?;
            None
        } else {
            self.call(setup.entry, values)?
        };
        let mut arrays = Vec::new();
        for arg in &setup.args {
            let Arg::Array(index) = arg else { continue };
            let Some(array) = setup.arrays.get(*index).filter(|array| array.observed) else {
                continue;
            };
            if arrays.iter().any(|(seen, _)| *seen == index) {
                continue;
            }
            let cells = match refs.get(*index) {
                Some(ArrayRef::Host(n)) => self.host[*n as usize].cells.clone(),
                Some(ArrayRef::Global(n)) => {
                    let n = *n as usize;
                    let (place, cells) = (self.device[n].place, self.device[n].cells);
                    let buffer = self.buffer(place)?;
                    self.accelerator.read(buffer, 0, cells)?
                }
                _ => vec![],
            };
            let observed = ObservedArray {
                name: array.name.clone(),
                elem: array.elem,
                cells,
            };
            arrays.push((index, observed));
        }
        Ok(Observation {
            arrays: arrays.into_iter().map(|(_, array)| array).collect(),
            result,
        })
    }

    fn call(&mut self, proc: ProcId, args: Vec<Value>) -> Result<Option<Value>, DeviceError> {
        let procedure = self.program.proc(proc);
        let mut vars = vec![Value::Undef; procedure.vars.len()];
        for (param, value) in procedure.params.iter().zip(args) {
            vars[param.0 as usize] = value;
        }
        self.frames.push((proc, vars));
        let body = procedure.body.clone();
        self.execute(&body)?;
        let frame = self.frames.pop();
        Ok(procedure
            .result
            .and_then(|var| frame.map(|(_, vars)| vars[var.0 as usize])))
    }

    fn step(&mut self) -> Result<(), DeviceError> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            let what = format!("{MAX_STEPS} steps of host code");
            return Err(DeviceError::Limit { what });
        }
        Ok(())
    }

    fn value(&mut self, expr: &Expr) -> Result<Value, DeviceError> {
        eval(expr, self).map_err(fault)
    }

    fn integer(&mut self, expr: &Expr) -> Result<i128, DeviceError> {
        Ok(self.value(expr)?.integer())
    }

    fn pointer(&mut self, expr: &Expr, mode: AccessMode) -> Result<Pointer, DeviceError> {
        match self.value(expr)? {
            Value::Pointer(pointer) if pointer.array != ArrayRef::Null => Ok(pointer),
            _ => Err(fault(FaultKind::NullPointer { mode })),
        }
    }

    fn assign(&mut self, var: VarId, value: Value) {
        if let Some((_, vars)) = self.frames.last_mut() {
            vars[var.0 as usize] = value;
        }
    }

    fn execute(&mut self, op: &Arc<Op>) -> Result<(), DeviceError> {
        match &op.kind {
            OpKind::Skip => Ok(()),
            OpKind::Seq(parts) => parts.iter().try_for_each(|part| self.execute(part)),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => {
                if self.value(cond)? == Value::Bool(true) {
                    self.execute(then)
                } else {
                    self.execute(otherwise)
                }
            }
            OpKind::While { cond, body } => {
                while self.value(cond)? == Value::Bool(true) {
                    self.step()?;
                    self.execute(body)?;
                }
                Ok(())
            }
            OpKind::Call { proc, args, result } => {
                self.step()?;
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.value(arg)?);
                }
                let returned = self.call(*proc, values)?;
                if let (Some(var), Some(value)) = (result, returned) {
                    self.assign(*var, value);
                }
                Ok(())
            }
            OpKind::Par(..) => Err(DeviceError::unsupported("host operators in parallel")),
            OpKind::Basic(basic) => self.basic(basic),
        }
    }

    fn basic(&mut self, basic: &Basic) -> Result<(), DeviceError> {
        match basic {
            Basic::Assign { var, value } => {
                let value = self.value(value)?;
                self.assign(*var, value);
            }
            Basic::Load { var, pointer } => {
                let elem = pointer.pointee();
                let from = self.pointer(pointer, AccessMode::Read)?;
                let value = self.load(from, elem).map_err(fault)?;
                self.assign(*var, value);
            }
            Basic::Store { pointer, .. } if basic.writes_back() => {
                let elem = pointer.pointee();
                let to = self.pointer(pointer, AccessMode::Write)?;
                self.cell(to, elem, AccessMode::Write).map_err(fault)?;
            }
            Basic::Store { pointer, value } => {
                let elem = pointer.pointee();
                let to = self.pointer(pointer, AccessMode::Write)?;
                let value = self.value(value)?;
                *self.cell(to, elem, AccessMode::Write).map_err(fault)? = value;
            }
            Basic::Assert { cond } => {
                if self.value(cond)? != Value::Bool(true) {
                    return Err(fault(FaultKind::of_assertion(cond)));
                }
            }
            Basic::Beyond => return Err(fault(FaultKind::Beyond)),
            Basic::Assume { cond } => {
                if self.value(cond)? != Value::Bool(true) {
                    return Err(DeviceError::setup(
                        "an assumption of the program does not hold",
                    ));
                }
            }
            Basic::InitGpu | Basic::DeviceSync => {}
            Basic::Alloc {
                var,
                elem,
                bytes,
                space,
            } => {
                let bytes = self.integer(bytes)? as u64;
                let name: Arc<str> = "allocation".into();
                if !bytes.is_multiple_of(elem.size()) {
                    return Err(fault(FaultKind::Misaligned { array: name }));
                }
                let cells = bytes / elem.size();
                let array = match space {
                    AllocSpace::Host | AllocSpace::Pinned | AllocSpace::New | AllocSpace::Owned => {
                        self.host.push(HostArray {
                            name,
                            elem: *elem,
                            cells: vec![Value::Undef; cells as usize],
                            freed: false,
                        });
                        ArrayRef::Host(self.host.len() as u32 - 1)
                    }
                    AllocSpace::Managed => {
                        return Err(DeviceError::unsupported("managed memory"));
                    }
                    AllocSpace::Global | AllocSpace::OwnedGlobal => {
                        let buffer = self.accelerator.alloc(*elem, cells)?;
                        self.device.push(DeviceArray {
                            name,
                            elem: *elem,
                            cells,
                            place: ArrayStorage::Allocated(buffer),
                            freed: false,
                        });
                        ArrayRef::Global(self.device.len() as u32 - 1)
                    }
                };
                self.assign(*var, Value::Pointer(Pointer { array, offset: 0 }));
            }
            Basic::Free { pointer, .. } => {
                if let Value::Pointer(pointer) = self.value(pointer)? {
                    self.free(pointer)?;
                }
            }
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream: _,
            } => {
                let to = self.pointer(dst, AccessMode::Write)?;
                let from = self.pointer(src, AccessMode::Read)?;
                let bytes = self.integer(bytes)? as u64;
                self.copy(*kind, to, from, bytes)?;
            }
            Basic::CallGpu {
                kernel,
                grid,
                block,
                shared_bytes,
                args,
                stream: _,
                cooperative: _,
            } => {
                self.step()?;
                let mut extents = [[0u32; 3]; 2];
                for (dims, exprs) in extents.iter_mut().zip([grid, block]) {
                    for (dim, expr) in dims.iter_mut().zip(exprs) {
                        *dim = self.integer(expr)? as u32;
                    }
                }
                let launch = Launch {
                    grid: extents[0],
                    block: extents[1],
                    shared_bytes: self.integer(shared_bytes)? as u32,
                };
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.value(arg)?);
                }
                self.launch(*kernel, launch, &values)?;
            }
            // Every operation runs when it is enqueued, on the one device there is. That is one
            // of the orders streams leave open, and all end alike where nothing unordered meets.
            Basic::StreamCreate { var, .. } | Basic::EventCreate { var } => {
                self.handles += 1;
                let handle = Value::int(ScalarType::U64, self.handles as i128);
                self.assign(*var, handle);
            }
            Basic::SetDevice { .. }
            | Basic::StreamDestroy { .. }
            | Basic::StreamSync { .. }
            | Basic::EventDestroy { .. }
            | Basic::EventRecord { .. }
            | Basic::EventSync { .. }
            | Basic::StreamWait { .. } => {}
            Basic::Wait { .. } => {
                return Err(DeviceError::unsupported("waiting for a condition"));
            }
            // Of the device, and atomics, which the host may have too.
            _ => return Err(DeviceError::unsupported("a device operator in host code")),
        }
        Ok(())
    }

    fn launch(
        &mut self,
        kernel: ProcId,
        launch: Launch,
        args: &[Value],
    ) -> Result<(), DeviceError> {
        DeviceLimits::default()
            .accept(&launch, self.program, kernel)
            .map_err(|refused| {
                fault(FaultKind::InvalidLaunch {
                    reason: refused.to_string(),
                })
            })?;
        let mut given = Vec::new();
        for value in args {
            given.push(match value {
                Value::Pointer(pointer) => match pointer.array {
                    ArrayRef::Null => LaunchArg::Null,
                    ArrayRef::Global(n) => {
                        let place = match self.device.get(n as usize) {
                            Some(array) if !array.freed => array.place,
                            Some(array) => {
                                return Err(fault(FaultKind::UseAfterFree {
                                    array: array.name.clone(),
                                    space: Space::Global,
                                }));
                            }
                            None => return Err(DeviceError::setup("no such device array")),
                        };
                        LaunchArg::Pointer {
                            buffer: self.buffer(place)?,
                            offset: pointer.offset,
                        }
                    }
                    _ => {
                        let message = "a kernel argument that points into host memory";
                        return Err(DeviceError::unsupported(message));
                    }
                },
                scalar => LaunchArg::Scalar(*scalar),
            });
        }
        let seconds = self.accelerator.launch(kernel, &launch, &given)?;
        self.seconds.push(seconds);
        Ok(())
    }
}

impl<A: Accelerator> Env for HostRun<'_, A> {
    fn var(&self, var: VarId) -> Value {
        self.frames
            .last()
            .and_then(|(_, vars)| vars.get(var.0 as usize))
            .copied()
            .unwrap_or(Value::Undef)
    }

    fn builtin(&self, _: Builtin) -> Value {
        Value::Undef
    }

    fn array(&self, array: ArrayId) -> ArrayRef {
        let declared_before = |spaces: &[Space]| {
            self.program.arrays[..array.0 as usize]
                .iter()
                .filter(|decl| spaces.contains(&decl.space))
                .count() as u32
        };
        match self.program.array(array).space {
            Space::Host => ArrayRef::Host(declared_before(&[Space::Host])),
            Space::Global | Space::Constant => {
                ArrayRef::Global(declared_before(&[Space::Global, Space::Constant]))
            }
            Space::Shared => ArrayRef::Shared(array),
            Space::Private => ArrayRef::Private(array),
        }
    }

    fn load(&mut self, pointer: Pointer, elem: ScalarType) -> Result<Value, FaultKind> {
        let value = *self.cell(pointer, elem, AccessMode::Read)?;
        if value == Value::Undef {
            let array = self.host_array(pointer, AccessMode::Read)?.name.clone();
            return Err(FaultKind::UninitialisedRead {
                array,
                space: Space::Host,
                index: pointer.offset,
            });
        }
        Ok(value)
    }
}
