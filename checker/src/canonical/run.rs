//! The state of a canonical run, and what the parts of the run share: memory, the detector, the
//! trace, limits.

use super::arrays::Arrays;
use super::names::MOST_LOCATIONS;
use super::owners::Owner;
use super::result::{CanonicalStatus, Leak, Width};
use super::schedule::Hit;
use super::streams::Streams;
use super::trace::{Actors, Moment, Segment, Trace};
use super::watch::{Conflict, Location, Region, Watch};
use crate::compiled::memory::Array;
use crate::compiled::memory::{at_start, declared};
use crate::compiled::{Code, Compiled, raw};
use crate::limits::Limits;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Space};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::analysis::stream_operator::is_asynchronous;
use gridlock_semantics::print::array_names::ArrayNames;
use gridlock_semantics::profile::{Axes, Profile};
use gridlock_semantics::setup::context::declared_refs;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use gridlock_semantics::setup::{Arg, Launch, Setup};
use gridlock_semantics::system::observation::{Observation, ObservedArray};
use gridlock_semantics::transition::fault::{Fault, FaultKind, ThreadPosition};
use gridlock_semantics::transition::{Access, Actor};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Why a run ended before its time.
#[derive(Clone, Debug)]
pub enum Halt {
    Fault(Fault),
    /// No actor can move.
    Stuck(Vec<ThreadPosition>),
    Discard,
    Limit(String),
    /// A thread is in a cycle of the loop that ends here, and others may have to move first.
    Cycle(OpId),
    /// A limit in host code behind the last launch, from this operator on.
    Rest {
        from: OpId,
        what: String,
    },
    /// Nothing else is wanted of the run: it has met every race it looks for, or come to the launch it is made for.
    Enough,
    /// A wide launch was given up, and is to be run again.
    Again(Again),
}

/// How a launch that was given up is run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// Thread after thread.
    Narrow,
    /// The same; something races.
    Racing,
    /// The same, its blocks one after another: what one does may concern others.
    OneByOne,
    /// Wide, with this global array as long as that.
    Longer { array: u32, len: u64 },
}

/// Arrays of a kernel's arguments as they are at the start of a run, by number.
#[derive(Default)]
pub struct Untouched(FxHashMap<usize, Array>);

/// A run in progress.
pub struct Run<'a> {
    pub compiled: &'a Compiled,
    pub setup: &'a Setup,
    pub axes: Axes,
    /// Of the devices.
    pub global: Arrays<'a>,
    pub host: Arrays<'a>,
    pub watch: Watch,
    /// Recorded in a second run only.
    pub trace: Option<Trace>,
    /// A traced run may end once it has met every race it looks for.
    pub races_suffice: bool,
    /// A run of a host program may end with the first launch that races, where that is looked at by itself
    /// ([`super::alone`]).
    pub first_race_suffices: bool,
    pub hits: Vec<Hit>,
    /// Those that were named as they were met.
    pub named: Vec<Hit>,
    /// Where not all pairs of operators that race may be among them.
    pub unnamed: Vec<Location>,
    pub lockstep_pair: Option<(Arc<str>, Access, Access)>,
    pub not_canonical: Option<String>,
    /// Why contents of cells in the end hang on the order of atomics, where nothing else does.
    pub open_contents: Option<String>,
    /// The host uses streams, and asks of launches what they touched.
    pub uses_streams: bool,
    /// In such a program, but while an operator of streams runs.
    pub streams: Option<Streams>,
    /// Launches begun.
    pub launch: u32,
    /// Those of kernels in which threads use the results of atomics, and so learn of one another.
    pub told: FxHashSet<u32>,
    /// First stamp of each block of the present launch.
    pub block_starts: Vec<u32>,
    pub transitions: u64,
    pub depth: u64,
    /// The number of a launch that is wanted by itself: the run ends there.
    pub wanted_alone: Option<u32>,
    /// What it is given.
    pub alone: Option<Setup>,
    /// How launches are run.
    pub width: Width,
    /// Parts of a launch may run side by side ([`super::side_by_side`]).
    pub side_by_side: bool,
    /// Blocks of so many threads, or more, may be run wide one by one ([`super::wide::in_order`]).
    pub in_order: Option<u64>,
    /// Launches run wide to their end.
    pub wide_launches: u64,
    /// Launches run in parts to their end.
    pub parted_launches: u64,
    /// Blocks run wide in launches that were not.
    pub wide_blocks: u64,
    /// Cells that may still be allocated.
    room: u64,
    deadline: Instant,
    turns: u32,
}

impl<'a> Run<'a> {
    /// A run at its beginning; the setup fits the program ([`check_setup`]). `untouched`: what an earlier run of it left.
    pub fn new(
        compiled: &'a Compiled,
        setup: &'a Setup,
        profile: &Profile,
        limits: &Limits,
        untouched: Untouched,
    ) -> Run<'a> {
        let Untouched(mut untouched) = untouched;
        let axes = profile.axes;
        let program = compiled.program();
        let deadline = Instant::now() + Duration::from_secs_f64(limits.seconds.clamp(0.0, 1e9));
        let uses_streams = is_asynchronous(program);
        let mut run = Run {
            uses_streams,
            streams: uses_streams.then(Streams::default),
            room: room(limits).saturating_sub(initial_cells(program, setup)),
            ..Run::of_nothing(compiled, setup, axes, limits.depth, deadline)
        };
        for (index, decl) in program.arrays.iter().enumerate() {
            let id = ArrayId(index as u32);
            match decl.space {
                Space::Global | Space::Constant => run.global.own.push(at_start(setup, id, decl)),
                Space::Host => run.host.own.push(declared(decl, 0)),
                Space::Shared | Space::Private => {}
            }
        }
        let is_kernel = setup.launch.is_some();
        run.watch.is_last_launch = is_kernel;
        let (space, bound) = if is_kernel {
            (Space::Global, &mut run.global.own)
        } else {
            (Space::Host, &mut run.host.own)
        };
        for array in &setup.arrays {
            let as_at_start = untouched.remove(&bound.len());
            bound.push(as_at_start.unwrap_or_else(|| {
                let (name, contents) = (array.name.clone(), array.contents.clone());
                Array::new(name, space, array.elem, array.extent, contents)
            }));
        }
        run
    }

    /// A run of blocks of the present launch, over the same memory, with nothing found yet.
    pub fn beside(&self) -> Run<'_> {
        Run {
            global: Arrays::lent(&self.global),
            host: Arrays::lent(&self.host),
            launch: self.launch,
            in_order: self.in_order,
            ..Run::of_nothing(
                self.compiled,
                self.setup,
                self.axes,
                self.depth,
                self.deadline,
            )
        }
    }

    /// A run without memory.
    fn of_nothing(
        compiled: &'a Compiled,
        setup: &'a Setup,
        axes: Axes,
        depth: u64,
        deadline: Instant,
    ) -> Run<'a> {
        Run {
            compiled,
            setup,
            axes,
            global: Arrays::default(),
            host: Arrays::default(),
            watch: Watch::new(axes.warps.size(), axes.same_value_writes.are_benign()),
            trace: None,
            races_suffice: false,
            first_race_suffices: false,
            hits: Vec::new(),
            named: Vec::new(),
            unnamed: Vec::new(),
            lockstep_pair: None,
            not_canonical: None,
            open_contents: None,
            uses_streams: false,
            streams: None,
            launch: 0,
            told: FxHashSet::default(),
            block_starts: Vec::new(),
            transitions: 0,
            depth,
            wanted_alone: None,
            alone: None,
            width: Width::Narrow,
            side_by_side: false,
            in_order: None,
            wide_launches: 0,
            parted_launches: 0,
            wide_blocks: 0,
            room: 0,
            deadline,
            turns: 0,
        }
    }

    /// The arrays that hold what they held at first, for another run of the same kernel, as this one is over: filling
    /// millions of cells takes longer than many a launch.
    pub fn untouched(&mut self) -> Untouched {
        if self.setup.launch.is_none() {
            return Untouched::default();
        }
        let first = self.first_bound() as usize;
        let mut untouched = FxHashMap::default();
        // From the last on, so that numbers stay.
        while self.global.len() > first {
            let number = self.global.len() - 1;
            let (Some(array), read_only) = (self.global.own.pop(), &self.watch.read_only) else {
                break;
            };
            if read_only.get(number) == Some(&true) && !array.is_open() {
                untouched.insert(number, array);
            }
        }
        Untouched(untouched)
    }

    pub fn program(&self) -> &'a Arc<Program> {
        self.compiled.program()
    }

    /// Number of the first array of the setup, behind the declared ones.
    pub fn first_bound(&self) -> u32 {
        let is_kernel = self.setup.launch.is_some();
        let counts = |decl: &&ArrayDecl| match decl.space {
            Space::Global | Space::Constant => is_kernel,
            Space::Host => !is_kernel,
            Space::Shared | Space::Private => false,
        };
        self.program().arrays.iter().filter(counts).count() as u32
    }

    /// The registers of an argument of the entry: one, or two for a pointer.
    pub fn argument(&self, arg: &Arg) -> [u64; 2] {
        match arg {
            Arg::Scalar(value) => [raw::from_value(*value), 0],
            Arg::Null => [0, 0],
            Arg::Array(index) => {
                let number = self.first_bound() + *index as u32;
                let array = if self.setup.launch.is_some() {
                    ArrayRef::Global(number)
                } else {
                    ArrayRef::Host(number)
                };
                [raw::from_array(array), 0]
            }
        }
    }

    /// What is seen of the finished run.
    pub fn observe(&self, result: Option<Value>) -> Observation {
        let arrays: &[Array] = if self.setup.launch.is_some() {
            &self.global
        } else {
            &self.host
        };
        let first = self.first_bound() as usize;
        let mut seen: Vec<usize> = Vec::new();
        for arg in &self.setup.args {
            if let Arg::Array(index) = arg
                && !seen.contains(index)
                && self
                    .setup
                    .arrays
                    .get(*index)
                    .is_some_and(|array| array.observed)
            {
                seen.push(*index);
            }
        }
        let of_arguments = seen.iter().filter_map(|index| arrays.get(first + index));
        let declared = match self.setup.observed.is_empty() {
            true => Vec::new(),
            false => declared_refs(self.program()),
        };
        let of_file = self
            .setup
            .observed
            .iter()
            .filter_map(|id| match declared[id.0 as usize] {
                ArrayRef::Global(number) => self.global.get(number as usize),
                ArrayRef::Host(number) => self.host.get(number as usize),
                _ => None,
            });
        let observed = of_arguments.chain(of_file).map(|array| ObservedArray {
            name: array.name.clone(),
            elem: array.elem,
            cells: array.values(),
        });
        Observation {
            arrays: observed.collect(),
            result,
        }
    }

    /// What was never given back, but for the array the result points into.
    pub fn leaks(&self, result: Option<Value>) -> Vec<Leak> {
        let given = match result {
            Some(Value::Pointer(pointer)) => pointer.array,
            _ => ArrayRef::Null,
        };
        let global = (0..).map(ArrayRef::Global).zip(self.global.iter());
        let host = (0..).map(ArrayRef::Host).zip(self.host.iter());
        let left = global
            .chain(host)
            .filter(|(reference, array)| !array.freed() && *reference != given);
        let arrays = left.filter_map(|(_, array)| {
            Some(Leak {
                name: array.name.clone(),
                op: array.allocated?,
            })
        });
        let handle = |name: &str, op: OpId| Leak {
            name: name.into(),
            op,
        };
        let queues = self.streams.as_ref().map(|streams| &streams.queues);
        let streams = queues.into_iter().flat_map(|q| &q.streams);
        let events = queues.into_iter().flat_map(|q| &q.events);
        let streams = streams.filter(|s| !s.destroyed);
        let events = events.filter(|e| !e.destroyed);
        arrays
            .chain(streams.map(|s| handle("stream", s.op)))
            .chain(events.map(|e| handle("event", e.op)))
            .collect()
    }

    /// Lets an array without extent grow.
    pub fn grow(&mut self, is_host: bool, array: u32, len: u64) {
        let arrays: &mut [Array] = if is_host {
            &mut self.host
        } else {
            &mut self.global
        };
        if let Some(array) = arrays.get_mut(array as usize) {
            array.grow(len);
        }
    }

    /// [`Self::grow`], of the memory that a run may take.
    pub fn grow_within_room(&mut self, is_host: bool, array: u32, len: u64) -> Result<(), Halt> {
        let arrays: &[Array] = if is_host { &self.host } else { &self.global };
        let now = arrays.get(array as usize).map_or(len, |array| array.len());
        if !is_host && self.global.as_lent().is_some() {
            return Err(Halt::Again(Again::OneByOne));
        }
        self.reserve(len.saturating_sub(now))?;
        self.grow(is_host, array, len);
        Ok(())
    }

    /// Takes room for `cells` more cells of memory.
    pub fn reserve(&mut self, cells: u64) -> Result<(), Halt> {
        match self.room.checked_sub(cells) {
            Some(left) => {
                self.room = left;
                Ok(())
            }
            None => Err(Halt::Limit(crate::limits::BYTES.to_owned())),
        }
    }

    /// Whether there is room for so many more cells.
    pub fn fits(&self, cells: u64) -> bool {
        cells <= self.room
    }

    /// When the run's time is over.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Sets when it has to end.
    pub fn end_by(&mut self, deadline: Instant) {
        self.deadline = deadline;
    }

    /// Gives back what [`Run::reserve`] took.
    pub fn release(&mut self, cells: u64) {
        self.room += cells;
    }

    /// Counts a thread's turn; an error when the time is over.
    pub fn tick(&mut self) -> Result<(), Halt> {
        self.turns = self.turns.wrapping_add(1);
        if self.turns.is_multiple_of(64) && Instant::now() > self.deadline {
            return Err(Halt::Limit(crate::limits::TIME.to_owned()));
        }
        if self.watch.owner.as_ref().is_some_and(Owner::is_shared) {
            return Err(Halt::Again(Again::OneByOne));
        }
        if self.trace.as_ref().is_some_and(Trace::is_full) {
            return Err(Halt::Limit(crate::limits::RECORD.to_owned()));
        }
        Ok(())
    }

    /// Records steps just made by `actors`, and resolves the marks met in them.
    pub fn record(&mut self, actors: Actors, steps: u32, block: Option<u32>) {
        self.transitions += steps as u64;
        if steps > 0
            && let Some(trace) = &mut self.trace
            && !trace.is_full()
        {
            trace.push(Segment {
                actors,
                steps,
                launch: self.launch,
                block,
                stamp: self.watch.now.stamp,
            });
        }
    }

    /// A step that is one transition by itself.
    pub fn record_one(&mut self, actor: Actor, block: Option<u32>) {
        self.record(Actors::One(actor), 1, block);
    }

    /// The moment after the last step recorded.
    pub fn now(&self) -> Moment {
        let next = self.trace.as_ref().map_or(0, Trace::next);
        Moment {
            segment: next.saturating_sub(1),
            steps: u32::MAX,
        }
    }

    pub fn note_not_canonical(&mut self, why: impl FnOnce() -> String) {
        if self.not_canonical.is_none() {
            self.not_canonical = Some(why());
        }
    }

    /// The block and barrier interval a stamp of the present launch belongs to.
    pub fn place_of(&self, stamp: u32) -> (u32, u32) {
        let block = self
            .block_starts
            .partition_point(|&start| start <= stamp)
            .saturating_sub(1);
        (
            block as u32,
            stamp - self.block_starts.get(block).copied().unwrap_or(stamp),
        )
    }

    fn name_of(&self, location: &Location) -> Arc<str> {
        match location.region {
            Region::Shared => self.program().array(ArrayId(location.array)).name.clone(),
            Region::Global => self.global[location.array as usize].name.clone(),
        }
    }

    /// A cell as the source writes it.
    fn cell_of(&self, location: &Location) -> String {
        let names = ArrayNames::new(self.program(), self.setup.entry);
        let declared = match location.region {
            Region::Shared => Some(ArrayId(location.array)),
            Region::Global => None,
        };
        names.cell((&*self.name_of(location), declared), location.index as i64)
    }

    /// The two accesses of a conflict in the present launch.
    fn accesses(&self, conflict: &Conflict, code: &Code) -> (Access, Access) {
        let location = conflict.location;
        let array = match location.region {
            Region::Shared => ArrayRef::Shared(ArrayId(location.array)),
            Region::Global => ArrayRef::Global(location.array),
        };
        let side = |side: &super::watch::Side| Access {
            actor: Actor::Thread {
                block: self.place_of(side.epoch.stamp).0,
                thread: side.epoch.thread,
            },
            array,
            index: location.index as i64,
            mode: side.mode,
            op: code.ops[side.epoch.pc as usize],
        };
        (side(&conflict.first), side(&conflict.second))
    }

    /// Keeps of locations of which not all pairs were named so many as can be looked at once more.
    pub fn take_unnamed(&mut self, locations: Vec<Location>) {
        let room = MOST_LOCATIONS.saturating_sub(self.unnamed.len());
        self.unnamed.extend(locations.into_iter().take(room));
    }

    /// Takes over what the detector found in the launch that ends or halts.
    pub fn collect(&mut self, code: &Code) {
        let unnamed = self.watch.take_unnamed();
        self.take_unnamed(unnamed);
        let hit = |run: &Run<'_>, (conflict, count): (Conflict, u64)| {
            let (first, second) = run.accesses(&conflict, code);
            Hit {
                conflict,
                first,
                second,
                count,
                launch: run.launch,
            }
        };
        for race in self.watch.take_races() {
            let hit = hit(self, race);
            self.hits.push(hit);
        }
        for race in self.watch.take_named() {
            let hit = hit(self, race);
            self.named.push(hit);
        }
        if let Some(conflict) = self.watch.found.lockstep_pair.take()
            && self.lockstep_pair.is_none()
        {
            let (first, second) = self.accesses(&conflict, code);
            self.lockstep_pair = Some((self.name_of(&conflict.location), first, second));
        }
        if let Some(location) = self.watch.found.mixed_atomics.take()
            && self.not_canonical.is_none()
        {
            let cell = self.cell_of(&location);
            self.note_not_canonical(|| format!("different atomic functions meet on {cell}"));
        }
        if let Some(pc) = self.watch.found.open_atomic.take() {
            let why = super::machine::why_uncommutative(self.program(), code, pc);
            self.open_contents.get_or_insert(why);
        }
        if self.watch.found.open_read.take().is_some()
            && let Some(why) = self.open_contents.clone()
        {
            self.note_not_canonical(|| why);
        }
        if let Some(location) = self.watch.found.same_value_write.take()
            && self.not_canonical.is_none()
        {
            let cell = self.cell_of(&location);
            self.note_not_canonical(|| format!("several threads write the same value to {cell}"));
        }
    }

    /// The fault of an actor at an operator.
    pub fn fault(kind: FaultKind, actor: Actor, op: OpId) -> Halt {
        Halt::Fault(Fault { kind, actor, op })
    }
}

/// Cells of memory a run may have: half its bytes, the other half being for what the detector
/// remembers.
fn room(limits: &Limits) -> u64 {
    limits.bytes / 16
}

/// Cells of the arrays there are at the start.
fn initial_cells(program: &Program, setup: &Setup) -> u64 {
    use gridlock_semantics::algebra::declaration::Extent;
    let declared = program
        .arrays
        .iter()
        .map(|decl| match (decl.space, decl.extent) {
            (Space::Global | Space::Constant | Space::Host, Extent::Fixed(extent)) => extent,
            _ => 0,
        });
    let given = setup.arrays.iter().map(|array| array.extent.unwrap_or(0));
    declared.chain(given).fold(0, u64::saturating_add)
}

/// Whether the setup fits the entry and the limits; why not, if it does not.
pub fn check_setup(
    compiled: &Compiled,
    setup: &Setup,
    limits: &Limits,
) -> Result<(), CanonicalStatus> {
    if initial_cells(compiled.program(), setup) > room(limits) {
        return Err(CanonicalStatus::Limit {
            what: crate::limits::BYTES.to_owned(),
        });
    }
    use gridlock_semantics::algebra::program::ProcKind;
    let unfit = |why: &str| {
        Err(CanonicalStatus::Unfit {
            why: why.to_owned(),
        })
    };
    let Some(proc) = compiled.program().procs.get(setup.entry.0 as usize) else {
        return unfit("there is no such procedure");
    };
    match (proc.kind, &setup.launch) {
        (ProcKind::Device, _) => return unfit("a device function is no entry"),
        (ProcKind::Kernel, None) => return unfit("a kernel needs a launch"),
        (ProcKind::Host, Some(_)) => return unfit("host code takes no launch"),
        (ProcKind::Kernel, Some(launch)) => {
            let program = compiled.program();
            if let Err(refused) = DeviceLimits::NONE.accept(launch, program, setup.entry) {
                return unfit(&refused.reason);
            }
        }
        (ProcKind::Host, None) => {}
    }
    if compiled.entry(setup.entry).is_none() {
        return unfit("the code is too large once its calls are inlined");
    }
    if proc.params.len() != setup.args.len() {
        return unfit("the number of arguments differs from that of parameters");
    }
    let array_is_there = |arg: &Arg| match arg {
        Arg::Array(index) => *index < setup.arrays.len(),
        Arg::Scalar(_) | Arg::Null => true,
    };
    if !setup.args.iter().all(array_is_there) {
        return unfit("an argument names an array that is not there");
    }
    Ok(())
}

/// Launch shape from seven extents.
pub fn launch_of(shape: [u32; 7]) -> Launch {
    let [gx, gy, gz, bx, by, bz, shared_bytes] = shape;
    Launch {
        grid: [gx, gy, gz],
        block: [bx, by, bz],
        shared_bytes,
    }
}
