//! Happens-before at the level of the host: between its threads and the operations of streams,
//! along one run (*host order*; its rules are in `docs/host.md`).
//!
//! Each host thread and each operation has a vector clock: what is ordered before what it does
//! next. An operation is ordered after what its thread did before enqueuing it and after the
//! operations its stream makes it wait for; a thread after the operations it waited for, after the
//! thread that forked it, after the branches it joins, and after the atomic updates it reads
//! (host atomics release and acquire; `WAIT` acquires). Launches are operations: what orders their
//! threads among themselves is [`crate::order::happens_before`]'s business.
//!
//! Exact for the run. What it finds there is there in every run of the same choices.

use crate::finding::DefectKind;
use crate::system::follow::Followed;
use crate::system::footprint::AccessClass;
use crate::system::{Explorable, ExploredProgram};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::host::State;
use gridlock_semantics::host::asynchronous::happenings;
use gridlock_semantics::host::happening::{Happening, Range, Toucher};
use gridlock_semantics::host::streams::Ticket;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor, Label, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Two uses of memory that nothing orders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostConflict {
    pub kind: DefectKind,
    /// Index of the transition that makes the second use.
    pub last: usize,
    pub first: Access,
    pub second: Access,
}

/// What was found along a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostOrder {
    /// One for each kind and pair of operators.
    pub conflicts: Vec<HostConflict>,
    /// Two launches that nothing orders update a place atomically in a way whose order shows: they
    /// may talk to each other while both run, which the model of atomic operations leaves out.
    pub talk: bool,
}

/// A host thread or an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Component {
    Thread(Actor),
    Operation(Ticket),
}

type Clock = BTreeMap<Component, u32>;

fn join(clock: &mut Clock, other: &Clock) {
    for (component, time) in other {
        let known = clock.entry(*component).or_default();
        *known = (*known).max(*time);
    }
}

#[derive(Clone, Copy)]
struct Use {
    by: Component,
    time: u32,
    class: AccessClass,
    access: Access,
}

struct Watch<'a> {
    system: &'a ExploredProgram,
    clocks: FxHashMap<Component, Clock>,
    /// What host atomics have released, by place.
    released: FxHashMap<(ArrayRef, i64), Clock>,
    uses: FxHashMap<(ArrayRef, i64), Vec<Use>>,
    seen: FxHashSet<(DefectKind, Access, Access)>,
    found: HostOrder,
}

/// What a run shows. `ended`: it came to its end, so that the caller looks at what it gets back.
pub fn along(system: &ExploredProgram, run: &[Followed], ended: bool) -> HostOrder {
    if !system.system().context().asynchronous {
        return HostOrder::default();
    }
    let mut watch = Watch {
        system,
        clocks: FxHashMap::default(),
        released: FxHashMap::default(),
        uses: FxHashMap::default(),
        seen: FxHashSet::default(),
        found: HostOrder::default(),
    };
    if let Some(first) = run.iter().find_map(Followed::before) {
        watch.begin(first);
    }
    for (index, step) in run.iter().enumerate() {
        watch.follow(index, step);
    }
    if ended && let Some(last) = run.len().checked_sub(1) {
        watch.hand_over(last);
    }
    watch.found
}

fn is_host(actor: Actor) -> bool {
    matches!(actor, Actor::Host | Actor::HostThread(_))
}

/// Who touches something in a step, and who is named for it.
fn toucher(before: &State, label: &Label, by: Toucher) -> (Component, Actor) {
    match by {
        Toucher::Host(host) => (Component::Thread(host), host),
        Toucher::Operation(ticket) => {
            let own = before.queues.pending.get(&ticket);
            let stream = own.map(|operation| operation.stream.actor());
            let of = |host: Actor| before.host_thread(host).map_or(0, |t| t.device);
            let device = label.actors.first().map_or(0, |host| of(*host));
            let actor = stream.unwrap_or(Actor::DefaultStream(device));
            (Component::Operation(ticket), actor)
        }
    }
}

impl Watch<'_> {
    fn clock(&mut self, of: Component) -> &mut Clock {
        self.clocks
            .entry(of)
            .or_insert_with(|| Clock::from([(of, 1)]))
    }

    /// What follows is later than what came before.
    fn tick(&mut self, of: Component) {
        *self.clock(of).entry(of).or_default() += 1;
    }

    fn absorb(&mut self, into: Component, other: &Clock) {
        join(self.clock(into), other);
    }

    /// Operations that were enqueued before the run begins are ordered after those that they wait for.
    fn begin(&mut self, at: &State) {
        for (ticket, operation) in &at.queues.pending {
            let own = Component::Operation(*ticket);
            for earlier in &operation.after {
                let clock = self.clock(Component::Operation(*earlier)).clone();
                self.absorb(own, &clock);
            }
        }
    }

    fn follow(&mut self, index: usize, step: &Followed) {
        let label = &step.label;
        let actor = label.actors.first().copied();
        if let (Rule::Fork | Rule::Join, Some(parent)) = (label.rule, actor) {
            self.fork_or_join(label.rule, parent);
            return;
        }
        if let Some(before) = step.before() {
            for happening in happenings(self.system.system().context(), before, label) {
                self.happening(index, before, step, happening);
            }
        }
        let running = step.before().and_then(|before| before.queues.running);
        for access in &label.accesses {
            let by = match running {
                _ if is_host(access.actor) => Component::Thread(access.actor),
                Some(ticket) => Component::Operation(ticket),
                None => continue,
            };
            if let (ArrayRef::Shared(_), Component::Operation(_)) = (access.array, by) {
                continue;
            }
            let place = (access.array, access.index);
            let is_atomic = is_host(access.actor) && access.mode == AccessMode::Atomic;
            if is_atomic && let Some(clock) = self.released.get(&place).cloned() {
                self.absorb(by, &clock);
            }
            self.uses(index, by, *access);
            // WAIT only looks.
            if is_atomic && label.rule != Rule::StreamOperation {
                let clock = self.clock(by).clone();
                join(self.released.entry(place).or_default(), &clock);
                self.tick(by);
            }
        }
    }

    fn fork_or_join(&mut self, rule: Rule, parent: Actor) {
        let branches = gridlock_semantics::host::par::branches(parent);
        for branch in branches.into_iter().flatten() {
            let (parent, branch) = (Component::Thread(parent), Component::Thread(branch));
            let (from, to) = match rule {
                Rule::Fork => (parent, branch),
                _ => (branch, parent),
            };
            let clock = self.clock(from).clone();
            self.absorb(to, &clock);
            self.tick(from);
        }
    }

    fn happening(&mut self, index: usize, before: &State, step: &Followed, happening: Happening) {
        let label = &step.label;
        let Some(op) = label.op else {
            return;
        };
        match happening {
            Happening::Enqueued {
                host,
                ticket,
                after,
            } => {
                let host = Component::Thread(host);
                let mut clock = self.clock(host).clone();
                for earlier in after {
                    join(&mut clock, self.clock(Component::Operation(earlier)));
                }
                let own = Component::Operation(ticket);
                clock.insert(own, 1);
                self.clocks.insert(own, clock);
                self.tick(host);
            }
            Happening::Waited { host, tickets } => {
                for ticket in tickets {
                    let clock = self.clock(Component::Operation(ticket)).clone();
                    self.absorb(Component::Thread(host), &clock);
                }
            }
            Happening::Touched { by, range } => {
                let (by, actor) = toucher(before, label, by);
                let Range {
                    array,
                    first,
                    len,
                    mode,
                } = range;
                for index_in in first..first + len as i64 {
                    let access = Access {
                        actor,
                        array,
                        index: index_in,
                        mode,
                        op,
                    };
                    self.uses(index, by, access);
                }
            }
            Happening::Freed { by, array } => {
                let (by, actor) = toucher(before, label, by);
                self.free(index, (by, actor), array, op);
            }
        }
    }

    fn is_ordered(&mut self, earlier: &Use, by: Component) -> bool {
        let time = self.clock(by).get(&earlier.by).copied().unwrap_or(0);
        earlier.by == by || time >= earlier.time
    }

    fn uses(&mut self, index: usize, by: Component, access: Access) {
        let class = self.system.access_class(&access);
        let place = (access.array, access.index);
        let earlier = self.uses.remove(&place).unwrap_or_default();
        for other in &earlier {
            let both =
                |holds: fn(AccessMode) -> bool| holds(other.access.mode) && holds(access.mode);
            if both(AccessMode::reads_only) || self.is_ordered(other, by) {
                continue;
            }
            if both(AccessMode::is_atomic) {
                let launches = matches!(
                    (other.by, by),
                    (Component::Operation(_), Component::Operation(_))
                );
                self.found.talk |= launches && class.interferes(other.class);
                continue;
            }
            let kind = match (other.by, by) {
                (Component::Thread(_), Component::Thread(_)) => DefectKind::DataRace,
                (Component::Operation(_), Component::Operation(_)) => DefectKind::UnorderedStreams,
                _ => DefectKind::StaleData,
            };
            self.report(kind, index, other.access, access);
        }
        let time = self.clock(by).get(&by).copied().unwrap_or(1);
        let mut kept = earlier;
        kept.retain(|other| other.by != by || other.access.mode != access.mode);
        kept.push(Use {
            by,
            time,
            class,
            access,
        });
        self.uses.insert(place, kept);
    }

    fn free(&mut self, index: usize, (by, actor): (Component, Actor), array: ArrayRef, op: OpId) {
        let of_array = self.uses.iter().filter(|((of, _), _)| *of == array);
        let mut uses: Vec<Use> = of_array.flat_map(|(_, uses)| uses).copied().collect();
        uses.sort_unstable_by_key(|one| (one.access.index, one.by));
        for one in uses {
            if !self.is_ordered(&one, by) {
                let second = Access {
                    actor,
                    array,
                    index: one.access.index,
                    mode: AccessMode::Write,
                    op,
                };
                self.report(DefectKind::UseAfterFree, index, one.access, second);
            }
        }
    }

    /// The entry ends: the caller has the arrays it gave.
    fn hand_over(&mut self, last: usize) {
        let setup = &self.system.system().context().setup;
        let declared = self.system.system().context().arrays.iter();
        let n_declared = declared.filter(|a| matches!(a, ArrayRef::Host(_))).count();
        let given: FxHashSet<ArrayRef> = (0..setup.arrays.len())
            .map(|n| ArrayRef::Host((n_declared + n) as u32))
            .collect();
        let written = |one: &Use| one.access.mode != AccessMode::Read;
        let in_given = self
            .uses
            .iter()
            .filter(|((array, _), _)| given.contains(array));
        let mut uses: Vec<Use> = in_given
            .flat_map(|(_, uses)| uses)
            .filter(|one| written(one))
            .copied()
            .collect();
        uses.sort_unstable_by_key(|one| (one.access.array, one.access.index));
        for one in uses {
            if !self.is_ordered(&one, Component::Thread(Actor::Host)) {
                let second = Access {
                    actor: Actor::Host,
                    mode: AccessMode::Read,
                    ..one.access
                };
                self.report(DefectKind::StaleData, last, one.access, second);
            }
        }
    }

    fn report(&mut self, kind: DefectKind, last: usize, first: Access, second: Access) {
        // Elements and threads of a kind say nothing new.
        let place = |access: Access| Access {
            actor: Actor::Host,
            array: ArrayRef::Null,
            index: 0,
            ..access
        };
        if self.seen.insert((kind, place(first), place(second))) {
            self.found.conflicts.push(HostConflict {
                kind,
                last,
                first,
                second,
            });
        }
    }
}
