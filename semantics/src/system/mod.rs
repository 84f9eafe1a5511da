//! The whole program as one transition system: a kernel on its own, or a host procedure with the
//! device it drives, under one profile.

pub mod admission;
pub mod observation;

pub use admission::SetupError;

use crate::algebra::declaration::Space;
use crate::algebra::ids::ArrayId;
use crate::algebra::operator::OpId;
use crate::algebra::program::Program;
use crate::algebra::value::{ArrayRef, Pointer, Value};
use crate::analysis::barriers::synchronises_grid;
use crate::atomic_form::atomic_form;
use crate::block::positions;
use crate::evaluation::arithmetic;
use crate::grid::GridState;
use crate::grid::transition::Due;
use crate::host::streams::Queues;
use crate::host::{State, transitions};
use crate::memory::{Array, ArrayInfo, Memory, declared_info};
use crate::profile::{BlockScheduling, Granularity, Profile};
use crate::setup::context::Context;
use crate::setup::{Arg, Setup};
use crate::thread::{Status, ThreadState};
use crate::transition::fault::ThreadPosition;
use crate::transition::{Actor, Advance, End, Going, Label, TransitionSystem};
use im::OrdMap;
use observation::{Observation, ObservedArray};
use std::sync::Arc;

/// Something that a finished run has not freed or destroyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// Name of the array, `stream` or `event`.
    pub name: Arc<str>,
    /// Of an array.
    pub space: Option<Space>,
    /// The operator that made it.
    pub op: OpId,
}

/// The reference semantics of a program from a setup under a profile.
#[derive(Clone, Debug)]
pub struct ProgramSystem {
    context: Context,
    initial: Vec<State>,
}

impl ProgramSystem {
    /// Takes the surface or the atomic form; granularity `access` runs the atomic form. Launches
    /// that host code makes must satisfy the limits that the setup names; its own launch must only be
    /// possible at all (at least one thread).
    pub fn new(
        program: Arc<Program>,
        setup: Setup,
        profile: Profile,
    ) -> Result<ProgramSystem, SetupError> {
        admission::check(&program, &setup, &profile)?;
        let program = match profile.axes.granularity {
            Granularity::Operator => program,
            Granularity::Access => Arc::new(atomic_form(&program)),
        };
        let mut system = ProgramSystem {
            context: Context::new(program, setup, profile.axes),
            initial: Vec::new(),
        };
        system.start();
        Ok(system)
    }

    /// Schedules blocks in another way than the profile does for safety: for termination, say.
    pub fn with_scheduling(mut self, scheduling: BlockScheduling) -> ProgramSystem {
        self.context.scheduling = scheduling;
        self.start();
        self
    }

    /// The program in the form that runs; operators in labels are its operators.
    pub fn program(&self) -> &Arc<Program> {
        &self.context.program
    }

    /// The constants of a run, which every step receives.
    pub fn context(&self) -> &Context {
        &self.context
    }

    fn start(&mut self) {
        let context = &self.context;
        let Setup {
            entry,
            launch,
            args,
            arrays,
            declared: _,
            observed: _,
            device: _,
        } = &context.setup;
        let is_kernel = launch.is_some();
        let mut memory = Memory::default();
        for (index, decl) in context.program.arrays.iter().enumerate() {
            let contents = context.setup.first_contents(ArrayId(index as u32), decl);
            let array = Array::new(Arc::new(ArrayInfo {
                contents,
                ..(*declared_info(decl, None)).clone()
            }));
            match decl.space {
                Space::Global | Space::Constant => memory.global.push_back(array),
                Space::Host => memory.host.push_back(array),
                Space::Shared | Space::Private => {}
            }
        }
        let bound = if is_kernel {
            &mut memory.global
        } else {
            &mut memory.host
        };
        let first = bound.len() as u32;
        for array in arrays {
            bound.push_back(Array::new(Arc::new(ArrayInfo {
                name: array.name.clone(),
                elem: array.elem,
                space: if is_kernel {
                    Space::Global
                } else {
                    Space::Host
                },
                extent: array.extent,
                contents: array.contents.clone(),
                allocated: None,
                pinned: false,
                of_new: false,
                managed: false,
                device: None,
            })));
        }
        let value = |arg: &Arg| match arg {
            Arg::Scalar(value) => *value,
            Arg::Null => arithmetic::NULL,
            Arg::Array(index) => {
                let number = first + *index as u32;
                Value::Pointer(Pointer {
                    array: if is_kernel {
                        ArrayRef::Global(number)
                    } else {
                        ArrayRef::Host(number)
                    },
                    offset: 0,
                })
            }
        };
        let values: Vec<Value> = args.iter().map(value).collect();
        let state = |host, device| State {
            memory: memory.clone(),
            host,
            branches: OrdMap::new(),
            queues: Queues::default(),
            device,
            end: None,
        };
        self.initial = match launch {
            Some(launch) => {
                // A grid barrier implies a cooperative launch.
                let cooperative = synchronises_grid(&context.program, *entry);
                GridState::initial(context, *entry, *launch, &values, cooperative)
                    .into_iter()
                    .map(|grid| state(None, Some(grid)))
                    .collect()
            }
            None => {
                let host = ThreadState::initial(&context.program, *entry, &values);
                vec![state(Some(Arc::new(host)), None)]
            }
        };
    }

    /// The transitions in which exactly these actors fire: one thread, several that fire
    /// together, [`Actor::Block`] for a collective barrier, [`Actor::Device`] for R8 and R9, or
    /// [`Actor::Host`]. Any of the threads that do a warp operation together, or of a path of a
    /// lockstep warp, stands for all of them; so do all of them. At `__activemask()` among
    /// independent threads exactly those named fire. Empty when they cannot fire.
    /// Costs as much as those transitions, not as much as all successors.
    pub fn fire(&self, state: &State, actors: &[Actor]) -> Vec<(Label, State)> {
        if state.end.is_some() {
            return vec![];
        }
        transitions::fire(&self.context, state, actors)
    }

    /// What exactly these actors, threads or blocks of a launch in progress, are about to do together; `None` where they
    /// are others, or cannot fire. [`Self::fire`] is this and [`Self::outcomes`].
    pub fn due(&self, state: &State, actors: &[Actor]) -> Option<Due> {
        match state.end {
            Some(_) => None,
            None => transitions::due(&self.context, state, actors),
        }
    }

    /// The transitions that are due in a state.
    pub fn outcomes(&self, state: &State, due: Due) -> Vec<(Label, State)> {
        transitions::outcomes(&self.context, state, due)
    }

    /// Whether nothing changes but the threads that fire, so that [`Self::advance`] may make the transition.
    pub fn is_own(&self, due: &Due) -> bool {
        due.is_own(&self.context)
    }

    /// Makes a transition that is due in place, where it [is own](Self::is_own): a state that nothing shares is not copied.
    pub fn advance(&self, state: &mut State, due: Due) -> Label {
        match &mut state.device {
            Some(grid) => due.make(grid),
            None => due.label().clone(),
        }
    }

    /// Makes own transitions of one thread in place, one after another while `go` says so, where nothing changes but that
    /// thread and memory; how many. Nothing has changed where these actors have another transition or none.
    pub fn advance_alone(
        &self,
        state: &mut State,
        actors: &[Actor],
        go: impl FnMut(Advance) -> Going,
    ) -> u32 {
        match state.end {
            Some(_) => 0,
            None => transitions::advance(&self.context, state, actors, go),
        }
    }

    /// The observables of a state, which should be final.
    pub fn observe(&self, state: &State) -> Observation {
        let observed = self.observed_arrays().into_iter().filter_map(|array| {
            let array = state.memory.array(array)?;
            Some(ObservedArray {
                name: array.info.name.clone(),
                elem: array.info.elem,
                cells: array.contents(),
            })
        });
        Observation {
            arrays: observed.collect(),
            result: state.host.as_ref().and_then(|host| host.result),
        }
    }

    /// The arrays that are observed of a finished run: in the order of the entry's arguments, then those of the file.
    pub fn observed_arrays(&self) -> Vec<ArrayRef> {
        let setup = &self.context.setup;
        let is_kernel = setup.launch.is_some();
        let first = match is_kernel {
            true => self.first_bound(|s| matches!(s, ArrayRef::Global(_))),
            false => self.first_bound(|s| matches!(s, ArrayRef::Host(_))),
        };
        let mut seen: Vec<usize> = Vec::new();
        for arg in &setup.args {
            if let Arg::Array(index) = arg
                && !seen.contains(index)
                && setup.arrays[*index].observed
            {
                seen.push(*index);
            }
        }
        let numbers = seen.into_iter().map(|index| (first + index) as u32);
        let of_arguments = numbers.map(|number| match is_kernel {
            true => ArrayRef::Global(number),
            false => ArrayRef::Host(number),
        });
        let of_file = setup.observed.iter();
        of_arguments
            .chain(of_file.map(|id| self.context.arrays[id.0 as usize]))
            .collect()
    }

    /// Number of the first array of the setup, behind the declared ones.
    fn first_bound(&self, is_before: impl Fn(&ArrayRef) -> bool) -> usize {
        self.context
            .arrays
            .iter()
            .filter(|array| is_before(array))
            .count()
    }

    /// Where every thread stands: the host first, when there is one, then the threads of the
    /// launch in progress.
    pub fn positions(&self, state: &State) -> Vec<ThreadPosition> {
        let mut found = Vec::new();
        for actor in state.host_threads() {
            found.extend(state.host_thread(actor).map(|host| ThreadPosition {
                actor,
                op: host.position(),
                returned: host.status == Status::Returned,
            }));
        }
        if let Some(grid) = &state.device {
            for (index, block) in grid.blocks.iter().enumerate() {
                found.extend(positions(index as u32, block));
            }
        }
        found
    }

    /// Everything that was allocated or created and not freed or destroyed, except the array into
    /// which the entry's result points.
    pub fn leaks(&self, state: &State) -> Vec<Leak> {
        let Memory { global, host } = &state.memory;
        let result = state.host.as_ref().and_then(|host| host.result);
        let given = match result {
            Some(Value::Pointer(pointer)) => state.memory.array(pointer.array),
            _ => None,
        };
        let arrays = global
            .iter()
            .chain(host)
            .filter(|array| !array.freed && given.is_none_or(|given| !std::ptr::eq(*array, given)));
        let arrays = arrays.filter_map(|array| {
            Some(Leak {
                name: array.info.name.clone(),
                space: Some(array.info.space),
                op: array.info.allocated?,
            })
        });
        let handle = |name: &str, op: OpId| Leak {
            name: name.into(),
            space: None,
            op,
        };
        let streams = state.queues.streams.iter().filter(|s| !s.destroyed);
        let events = state.queues.events.iter().filter(|e| !e.destroyed);
        arrays
            .chain(streams.map(|s| handle("stream", s.op)))
            .chain(events.map(|e| handle("event", e.op)))
            .collect()
    }

    /// What is known of a global or host array of a run: its name, element type and extent.
    pub fn array<'a>(&self, state: &'a State, array: ArrayRef) -> Option<&'a Array> {
        state.memory.array(array)
    }
}

impl TransitionSystem for ProgramSystem {
    type State = State;

    fn initial(&self) -> Vec<State> {
        self.initial.clone()
    }

    fn successors(&self, state: &State, found: &mut Vec<(Label, State)>) {
        if state.end.is_some() {
            return;
        }
        found.extend(transitions::all(&self.context, state));
    }

    fn is_final(&self, state: &State) -> bool {
        state.is_final()
    }

    fn is_discarded(&self, state: &State) -> bool {
        state.end == Some(End::Discarded)
    }
}
