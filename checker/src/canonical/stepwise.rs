//! The canonical run on the reference semantics, step by step, for programs whose threads meet at
//! named barriers or at the barrier of the grid. There a barrier ends no other thread's interval,
//! so the compiled run's barrier intervals say nothing; here each thread runs as far as it can, in
//! turn, until none can go on, with happens-before by vector clocks ([`super::clocks`]).
//!
//! By M1 the run decides every schedule when it meets no race, no divergence and no fault, if
//! joins follow from program order. For a barrier of a block or a grid they do. For a named
//! barrier they do when no thread arrives twice at one gathering, and when every arrival happens
//! after the barrier's last gathering was complete: then in no schedule can it have joined that
//! one, and by induction over the gatherings the same threads meet in all. Otherwise the run is
//! not canonical. Atomics: their results are unused and they commute, or it is not canonical.
//!
//! A run that is not canonical is one run all the same: what it meets is a defect, and it goes on to
//! meet it. Where it meets none, one more with the threads in the opposite order may: barriers whose
//! participants depend on the schedule mostly fail in one of the two.

use super::clocks::{Clocks, History, Past, later};
use super::result::{CanonicalResult, CanonicalStatus, Leak};
use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep, Statistics, append_schedule};
use crate::limits::Limits;
use crate::system::footprint::{AccessClass, are_of_one_block, place_of};
use crate::system::{CycleWatch, Explorable, ExploredProgram, Threadwise, WarpWait};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpId, OpKind, Orders};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::block::Gathered;
use gridlock_semantics::grid::meetings;
use gridlock_semantics::host::State;
use gridlock_semantics::memory::conflict::conflict;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::thread::named_barrier_at_head;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor, Label, Rule, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whether the code reachable from an entry meets in parts of a block, or in the whole grid.
pub fn is_needed(program: &Program, entry: ProcId) -> bool {
    let mut todo = vec![entry];
    let mut next = 0;
    let mut found = false;
    while let Some(&proc) = todo.get(next) {
        next += 1;
        program.proc(proc).body.walk(&mut |op| {
            let also = match &op.kind {
                OpKind::Basic(Basic::NamedBarrier { .. } | Basic::GridBarrier) => {
                    found = true;
                    None
                }
                OpKind::Basic(Basic::CallGpu { kernel, .. }) => Some(*kernel),
                OpKind::Call { proc, .. } => Some(*proc),
                _ => None,
            };
            if let Some(also) = also.filter(|proc| !todo.contains(proc)) {
                todo.push(also);
            }
        });
    }
    found
}

/// Transitions that a run may go on for after it is known not to stand for all: the explorer needs time too.
const MOST_IN_DOUBT: u64 = 50_000;

/// Why the run ended before its time.
enum Halt {
    /// The last transition was a fault, which is among the findings.
    Fault,
    Stuck,
    Discard,
    NotCanonical(String),
    Limit(String),
}

/// A run in progress.
struct Stepwise<'a> {
    system: &'a ExploredProgram,
    state: State,
    schedule: Vec<ScheduleStep>,
    findings: Vec<Finding>,
    known: FxHashSet<(OpId, OpId)>,
    n_transitions: u64,
    depth: u64,
    deadline: Instant,
    lockstep: bool,
    benign: bool,
    /// Threads take turns from the last to the first.
    backwards: bool,
    /// Why the run does not stand for all, if it does not.
    not_canonical: Option<String>,
    /// Transitions at which such a run is given up.
    most_transitions: u64,
    clocks: Clocks,
    history: History,
    /// By block and number of the barrier: what happened before its last gathering was complete.
    gatherings: FxHashMap<(u32, u32), Arc<Vec<u32>>>,
    /// By block and number of the barrier: what those had done who arrived and went on.
    gone: FxHashMap<(u32, u32), Arc<Vec<u32>>>,
}

/// Runs `setup` once; once more where that does not decide and shows no defect.
pub fn run(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    limits: &Limits,
) -> CanonicalResult {
    let started = Instant::now();
    let mut result = run_in_order(program, setup, profile, limits, false);
    let undecided = matches!(result.status, CanonicalStatus::NotCanonical { .. });
    if undecided && result.findings.iter().all(|f| f.kind == DefectKind::Leak) {
        let limits = Limits {
            seconds: limits.seconds - started.elapsed().as_secs_f64(),
            ..*limits
        };
        let other = run_in_order(program, setup, profile, &limits, true);
        let mut statistics = result.statistics;
        statistics += other.statistics;
        if other.findings.iter().any(|f| f.kind != DefectKind::Leak) {
            result = other;
        }
        result.statistics = statistics;
    }
    result
}

fn run_in_order(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    limits: &Limits,
    backwards: bool,
) -> CanonicalResult {
    let started = Instant::now();
    let mut result = CanonicalResult {
        status: CanonicalStatus::Decides,
        observation: None,
        findings: Vec::new(),
        occurrences: Vec::new(),
        statistics: Statistics::default(),
        lockstep_remark: None,
        leaks: Vec::new(),
        wide_launches: 0,
        parted_launches: 0,
        wide_blocks: 0,
        launches: None,
        alone: None,
    };
    let system = match ExploredProgram::new(program, setup, profile) {
        Ok(system) => system,
        Err(error) => {
            let why = error.to_string();
            result.status = CanonicalStatus::Unfit { why };
            return result;
        }
    };
    let not_canonical = |why: &str| CanonicalStatus::NotCanonical {
        why: why.to_owned(),
    };
    let mut initial = system.initial();
    let (Some(state), true) = (initial.pop(), initial.is_empty()) else {
        result.status = not_canonical("the launch may begin in several ways");
        return result;
    };
    if system.system().context().asynchronous {
        result.status = not_canonical("the host uses streams");
        return result;
    }
    let mut run = Stepwise {
        system: &system,
        state,
        schedule: Vec::new(),
        findings: Vec::new(),
        known: FxHashSet::default(),
        n_transitions: 0,
        depth: limits.depth,
        deadline: started + Duration::from_secs_f64(limits.seconds.clamp(0.0, 1e9)),
        lockstep: profile.axes.warps.is_lockstep(),
        benign: profile.axes.same_value_writes.are_benign(),
        backwards,
        not_canonical: None,
        most_transitions: u64::MAX,
        clocks: Clocks::default(),
        history: History::default(),
        gatherings: FxHashMap::default(),
        gone: FxHashMap::default(),
    };
    run.begin_launch();
    let outcome = run.run_to_end();
    result.statistics.transitions = run.n_transitions;
    result.statistics.executions = outcome.is_ok() as u64;
    let doubt = run.not_canonical.take();
    result.status = match outcome {
        // In another run there may be no such limit, and the assumption may hold.
        Ok(()) | Err(Halt::Discard | Halt::Limit(_)) if doubt.is_some() => {
            CanonicalStatus::NotCanonical {
                why: doubt.unwrap_or_default(),
            }
        }
        Ok(()) if run.state.memory.beyond_showing().is_some() => CanonicalStatus::Limit {
            what: crate::limits::LENGTH.to_owned(),
        },
        Ok(()) => {
            result.observation = Some(system.system().observe(&run.state));
            result.leaks = leaks(&system, &run.state);
            let schedule = &run.schedule;
            run.findings.extend(result.leaks.iter().map(|leak| Finding {
                kind: DefectKind::Leak,
                schedule: schedule.clone(),
                evidence: Evidence::Leak {
                    name: leak.name.to_string(),
                    op: leak.op,
                },
            }));
            CanonicalStatus::Decides
        }
        Err(Halt::Fault) => CanonicalStatus::Faulted,
        Err(Halt::Stuck) => {
            let positions = system.system().positions(&run.state);
            run.findings.push(Finding {
                kind: DefectKind::Deadlock,
                schedule: run.schedule.clone(),
                evidence: Evidence::Stuck { positions },
            });
            CanonicalStatus::Faulted
        }
        Err(Halt::Discard) => CanonicalStatus::AssumptionFailed,
        Err(Halt::NotCanonical(why)) => CanonicalStatus::NotCanonical { why },
        Err(Halt::Limit(what)) => CanonicalStatus::Limit { what },
    };
    result.occurrences = vec![1; run.findings.len()];
    result.findings = run.findings;
    result.statistics.seconds = started.elapsed().as_secs_f64();
    result
}

/// Arrays that were never freed. (Streams are not run here.)
fn leaks(system: &ExploredProgram, state: &State) -> Vec<Leak> {
    let left = system.system().leaks(state).into_iter();
    left.map(|leak| Leak {
        name: leak.name,
        op: leak.op,
    })
    .collect()
}

impl Stepwise<'_> {
    fn run_to_end(&mut self) -> Result<(), Halt> {
        loop {
            let before = self.n_transitions;
            match self.shape() {
                None => {
                    self.alone(Actor::Host)?;
                }
                Some((n_blocks, n_threads)) => {
                    for block in 0..n_blocks {
                        for turn in 0..n_threads {
                            let thread = match self.backwards {
                                true => n_threads - 1 - turn,
                                false => turn,
                            };
                            self.alone(Actor::Thread { block, thread })?;
                        }
                        self.alone(Actor::Block(block))?;
                    }
                }
            }
            if self.n_transitions == before {
                self.alone(Actor::Device)?;
            }
            if self.n_transitions == before {
                return match self.system.is_final(&self.state) {
                    true => Ok(()),
                    false => Err(Halt::Stuck),
                };
            }
        }
    }

    fn shape(&self) -> Option<(u32, u32)> {
        let grid = self.state.device.as_ref()?;
        Some((grid.blocks.len() as u32, grid.launch.n_threads() as u32))
    }

    /// The steps of one actor until it waits for others.
    fn alone(&mut self, actor: Actor) -> Result<(), Halt> {
        let mut watch = CycleWatch::new(1_024);
        let mut steps = 0;
        loop {
            let mut found = self.system.system().fire(&self.state, &[actor]);
            let Some((label, next)) = found.pop() else {
                return Ok(());
            };
            if !found.is_empty() {
                return Err(Halt::NotCanonical(
                    "a step may end in several ways".to_owned(),
                ));
            }
            steps += 1;
            if steps > self.depth || watch.comes_back(label.op, &self.state) {
                return Err(Halt::Limit(crate::limits::DEPTH.to_owned()));
            }
            if self.n_transitions > self.most_transitions {
                return Err(Halt::Limit(
                    "transitions of a run that decides nothing".to_owned(),
                ));
            }
            if self.n_transitions.is_multiple_of(256) && Instant::now() > self.deadline {
                return Err(Halt::Limit(crate::limits::TIME.to_owned()));
            }
            if matches!(label.rule, Rule::WarpBarrier | Rule::WarpExchange)
                && let Some(why) = self.open_participants(actor)
            {
                self.doubt(why);
            }
            let boundary = matches!(label.rule, Rule::R8 | Rule::R9 | Rule::GridBarrier);
            self.take(label, next)?;
            // One launch, one barrier of the grid at a time.
            if boundary {
                return Ok(());
            }
        }
    }

    /// Why who takes part in the warp operation that `actor` stands at may be others in another
    /// run: at `__activemask()`, and in lockstep where a lane of the warp has ended, perhaps on a
    /// path that might have run later.
    fn open_participants(&self, actor: Actor) -> Option<&'static str> {
        let Actor::Thread { block, thread } = actor else {
            return None;
        };
        if !self.lockstep {
            let open = self.system.warp_wait(&self.state, actor) == Some(WarpWait::Nobody);
            return open.then_some("which lanes __activemask() names is not determined");
        }
        let size = self.system.system().context().warp_size();
        let first = thread / size * size;
        let grid = self.state.device.as_ref()?;
        let threads = &grid.blocks.get(block as usize)?.threads;
        let mut lanes = threads.iter().skip(first as usize).take(size as usize);
        lanes
            .any(|lane| !lane.is_running())
            .then_some("a lane of a warp has ended, perhaps on a path that might have run later")
    }

    fn take(&mut self, label: Label, next: State) -> Result<(), Halt> {
        self.n_transitions += 1;
        let choice = 0;
        if label.is_visible() {
            let actors = crate::system::acting(&label);
            let step = ScheduleStep {
                actors,
                steps: 1,
                choice,
            };
            append_schedule(&mut self.schedule, &[step]);
        }
        self.accesses(&label);
        if let Some(fault) = &label.fault {
            self.findings.push(Finding {
                kind: DefectKind::of_fault(&fault.kind),
                schedule: self.schedule.clone(),
                evidence: Evidence::Fault(fault.clone()),
            });
            return Err(Halt::Fault);
        }
        self.order(&label, &next)?;
        let launched = self.state.device.is_none() && next.device.is_some();
        self.state = next;
        if launched {
            self.begin_launch();
        }
        match self.system.is_discarded(&self.state) {
            true => Err(Halt::Discard),
            false => Ok(()),
        }
    }

    fn begin_launch(&mut self) {
        self.history.clear();
        self.gatherings.clear();
        self.gone.clear();
        if let Some((n_blocks, n_threads)) = self.shape() {
            self.clocks = Clocks::new((n_blocks * n_threads) as usize);
        }
    }

    fn number(&self, actor: &Actor) -> Option<u32> {
        let (_, n_threads) = self.shape()?;
        match actor {
            Actor::Thread { block, thread } => Some(block * n_threads + thread),
            _ => None,
        }
    }

    /// Notes why the run stands for itself alone.
    fn doubt(&mut self, why: &str) {
        if self.not_canonical.is_none() {
            self.not_canonical = Some(why.to_owned());
            self.most_transitions = self.n_transitions + MOST_IN_DOUBT;
        }
    }

    fn accesses(&mut self, label: &Label) {
        for access in &label.accesses {
            let Some(thread) = self.number(&access.actor) else {
                continue;
            };
            let class = self.system.access_class_of(access);
            if class == AccessClass::Atomic {
                self.doubt("the result of an atomic is used, or atomics do not commute");
            }
            let present = Past {
                thread,
                moment: self.clocks.now(thread),
                class,
                access: *access,
            };
            let unordered = self
                .history
                .unordered(&self.clocks, place_of(access), present);
            for past in unordered {
                self.judge(&past, access, class);
            }
        }
    }

    fn judge(&mut self, past: &Past, access: &Access, class: AccessClass) {
        let first = past.access;
        let (one, other) = (
            self.system.access_kind(&first),
            self.system.access_kind(access),
        );
        let is_one_block = are_of_one_block(&first, access);
        if !conflict(one, other, is_one_block, || self.benign) {
            if one.mode == AccessMode::Write {
                self.doubt("several threads write to one place");
            } else if one.mode.is_atomic() && other.mode.is_atomic() && past.class.interferes(class)
            {
                self.doubt("different atomic functions meet");
            }
            return;
        }
        let ops = (first.op.min(access.op), first.op.max(access.op));
        if self.known.insert(ops) {
            self.findings.push(Finding {
                kind: DefectKind::DataRace,
                schedule: self.schedule.clone(),
                evidence: Evidence::Race {
                    first,
                    second: *access,
                },
            });
        }
    }

    fn is_partial(&self, label: &Label) -> bool {
        self.system.barrier_orders(label.op) != Orders::All
    }

    /// Whom a transition orders.
    fn order(&mut self, label: &Label, next: &State) -> Result<(), Halt> {
        let numbers = |run: &Self| -> Vec<u32> {
            let mut all: Vec<u32> = label.actors.iter().filter_map(|a| run.number(a)).collect();
            all.sort_unstable();
            all
        };
        match label.rule {
            Rule::CollectiveBarrier if self.is_partial(label) => {
                return Err(Halt::NotCanonical(
                    "a barrier orders one memory only, beside named barriers".to_owned(),
                ));
            }
            Rule::CollectiveBarrier | Rule::GridBarrier | Rule::WarpBarrier => {
                let met = numbers(self);
                self.clocks.meet(&met, &met);
            }
            Rule::NamedBarrier => self.named(label, next)?,
            _ if self.lockstep && label.actors.len() > 1 => {
                let met = numbers(self);
                self.clocks.meet(&met, &met);
            }
            _ => {}
        }
        Ok(())
    }

    fn named(&mut self, label: &Label, next: &State) -> Result<(), Halt> {
        let (Some(before), Some(after)) = (&self.state.device, &next.device) else {
            return Ok(());
        };
        let Some(&Actor::Thread { block, .. }) = label.actors.first() else {
            return Ok(());
        };
        let met = meetings::meetings_of(before, after, label);
        let (old, new) = (
            &before.blocks[block as usize],
            &after.blocks[block as usize],
        );
        let changed = |id: &u32| old.named.get(id) != new.named.get(id);
        let mut touched: Vec<u32> = old.named.keys().chain(new.named.keys()).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        touched.retain(changed);
        let complete: Vec<u32> = touched
            .iter()
            .copied()
            .filter(|id| !new.named.contains_key(id))
            .collect();
        // Otherwise it ends.
        let arrives = |actor: &&Actor| match actor {
            Actor::Thread { thread, .. } => {
                named_barrier_at_head(&old.threads[*thread as usize]).is_some()
            }
            _ => false,
        };
        let arrives_again = |actor: &Actor, id: &u32| match actor {
            Actor::Thread { thread, .. } => {
                let here = |g: &Gathered| g.arrived.contains(thread);
                old.named.get(id).is_some_and(here)
            }
            _ => false,
        };
        let mut doubtful = None;
        for id in &touched {
            for actor in label.actors.iter().filter(arrives) {
                let last = self.gatherings.get(&(block, *id));
                let thread = self.number(actor);
                let late = match last {
                    Some(all) => thread.is_some_and(|thread| self.clocks.has_heard(thread, all)),
                    None => true,
                };
                if !late || arrives_again(actor, id) {
                    doubtful = Some(*id);
                }
            }
        }
        let n_threads = before.launch.n_threads() as u32;
        let gone_on = meetings::gone_on(before, after, label);
        for (_, meeting) in met {
            let global = |thread: &u32| block * n_threads + thread;
            let from: Vec<u32> = meeting.from.iter().map(global).collect();
            let to: Vec<u32> = meeting.to.iter().map(global).collect();
            let mut moments = self.clocks.together(&from);
            if let Some(earlier) = self.gone.remove(&(block, meeting.id)) {
                moments = match from.is_empty() {
                    true => earlier,
                    false => later(&moments, &earlier),
                };
            }
            for id in &complete {
                self.gatherings.insert((block, *id), moments.clone());
            }
            self.clocks.hear(&moments, &from, &to);
        }
        for gone in gone_on {
            let moments = self.clocks.leave(block * n_threads + gone.thread);
            let all = match self.gone.get(&(gone.block, gone.id)) {
                Some(earlier) => later(earlier, &moments),
                None => moments,
            };
            self.gone.insert((gone.block, gone.id), all);
        }
        if let Some(id) = doubtful {
            self.doubt(&format!(
                "which threads meet at barrier {id} may depend on the schedule"
            ));
        }
        Ok(())
    }
}
