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

use super::host_uses::{Use, Uses};
use crate::finding::DefectKind;
use crate::system::follow::Followed;
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

struct Watch<'a> {
    system: &'a ExploredProgram,
    clocks: FxHashMap<Component, Clock>,
    /// What host atomics have released, by place.
    released: FxHashMap<(ArrayRef, i64), Clock>,
    uses: Uses<Component>,
    /// The uses that one more may be in conflict with.
    earlier: Vec<Use<Component>>,
    seen: FxHashSet<(DefectKind, Access, Access)>,
    found: HostOrder,
}

/// What a run shows. `ended`: it came to its end, so that the caller looks at what it gets back.
pub fn along(system: &ExploredProgram, run: &[Followed], ended: bool) -> HostOrder {
    along_with(Uses::new(), system, run, ended)
}

fn along_with(
    uses: Uses<Component>,
    system: &ExploredProgram,
    run: &[Followed],
    ended: bool,
) -> HostOrder {
    if !system.system().context().asynchronous {
        return HostOrder::default();
    }
    let mut watch = Watch {
        system,
        clocks: FxHashMap::default(),
        released: FxHashMap::default(),
        uses,
        earlier: Vec::new(),
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
            self.uses(index, by, *access, 1);
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
                let access = Access {
                    actor,
                    array,
                    index: first,
                    mode,
                    op,
                };
                self.uses(index, by, access, len as i64);
            }
            Happening::Freed { by, array } => {
                let (by, actor) = toucher(before, label, by);
                self.free(index, (by, actor), array, op);
            }
        }
    }

    fn is_ordered(&mut self, earlier: &Use<Component>, by: Component) -> bool {
        let time = self.clock(by).get(&earlier.by).copied().unwrap_or(0);
        earlier.by == by || time >= earlier.time
    }

    /// A use of the `len` elements from that of the access on.
    fn uses(&mut self, index: usize, by: Component, access: Access, len: i64) {
        let class = self.system.access_class(&access);
        let mut earlier = std::mem::take(&mut self.earlier);
        (self.uses).of_elements(access.array, access.index, len, &mut earlier);
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
            let second = Access {
                index: other.access.index,
                ..access
            };
            self.report(kind, index, other.access, second);
        }
        earlier.clear();
        self.earlier = earlier;
        let time = self.clock(by).get(&by).copied().unwrap_or(1);
        let one = Use {
            by,
            time,
            class,
            access,
        };
        self.uses.add(one, len);
    }

    fn free(&mut self, index: usize, (by, actor): (Component, Actor), array: ArrayRef, op: OpId) {
        for one in self.uses.of_array(array) {
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
        let arrays = self.uses.arrays().into_iter();
        let in_given = arrays.filter(|array| given.contains(array));
        let uses = in_given.flat_map(|array| self.uses.of_array(array));
        let written = uses.filter(|one| one.access.mode != AccessMode::Read);
        let written: Vec<Use<Component>> = written.collect();
        for one in written {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::follow::Run;
    use gridlock_generation::effort;
    use gridlock_generation::random::{Sizes, unrestricted_host};
    use gridlock_semantics::profile::Profile;
    use gridlock_semantics::transition::TransitionSystem;
    use std::collections::BTreeSet;

    type Pair = (DefectKind, [(OpId, AccessMode); 2]);

    fn pairs(found: &HostOrder) -> BTreeSet<Pair> {
        let of = |c: &HostConflict| (c.kind, [c.first, c.second].map(|a| (a.op, a.mode)));
        found.conflicts.iter().map(of).collect()
    }

    /// A large range as one use shows what its elements show one by one.
    #[test]
    fn ranges_are_used_as_their_elements_are() {
        let sizes = Sizes {
            beyond_core: true,
            ..Sizes::default()
        };
        let profile = Profile::named("cuda").expect("a named profile");
        let n = effort::cases(300, 20_000);
        let mut with_conflicts = 0;
        for seed in 0..n {
            let generated = unrestricted_host(seed, &sizes);
            let system = ExploredProgram::new(&generated.program, &generated.setup, &profile);
            let system = system.expect("it fits");
            let Ok([initial]) = <[State; 1]>::try_from(system.initial()) else {
                continue;
            };
            let mut run = Run::new(&system, initial);
            run.complete(2_000);
            let ended = system.is_final(&run.state);
            let shown = |large| {
                let uses = Uses::with_large(large);
                pairs(&along_with(uses, &system, &run.followed, ended))
            };
            let (by_element, by_range) = (shown(i64::MAX), shown(1));
            // Of one thread's uses of a kind, that of a range is kept beside a later one of an element of it.
            assert!(
                by_element.is_subset(&by_range) && by_element.is_empty() == by_range.is_empty(),
                "{seed}: {by_element:?}, {by_range:?}"
            );
            with_conflicts += u64::from(!by_element.is_empty());
        }
        assert!(with_conflicts > n / 50, "{with_conflicts} of {n}");
    }

    /// What was enqueued before the part of a run that is looked at is ordered there as it is in the whole.
    #[test]
    fn a_part_shows_nothing_that_the_whole_does_not() {
        let sizes = Sizes {
            statements: 2,
            beyond_core: true,
            ..Sizes::default()
        };
        let profile = Profile::named("cuda").expect("a named profile");
        let n = effort::cases(300, 20_000);
        let (mut with_pending, mut with_conflicts) = (0, 0);
        for seed in 0..n {
            let generated = unrestricted_host(seed, &sizes);
            let system = ExploredProgram::new(&generated.program, &generated.setup, &profile);
            let system = system.expect("it fits");
            let Ok([initial]) = <[State; 1]>::try_from(system.initial()) else {
                continue;
            };
            let mut run = Run::new(&system, initial);
            run.complete(2_000);
            let whole = pairs(&along(&system, &run.followed, false));
            with_conflicts += u64::from(!whole.is_empty());
            let mut is_pending = false;
            for from in 1..run.followed.len() {
                let part = &run.followed[from..];
                let first = part.iter().find_map(Followed::before);
                is_pending |= first.is_some_and(|first| first.queues.pending.len() > 1);
                let shown = pairs(&along(&system, part, false));
                assert!(
                    shown.is_subset(&whole),
                    "{seed} from {from}: {shown:?}, {whole:?}"
                );
            }
            with_pending += u64::from(is_pending);
        }
        assert!(with_pending > n / 20, "{with_pending} of {n}");
        assert!(with_conflicts > n / 50, "{with_conflicts} of {n}");
    }
}
