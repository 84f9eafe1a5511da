//! The outcomes of a litmus program under an axiomatic model of a GPU: all candidate executions
//! are enumerated and those kept that satisfy the axioms of the PTX model (Lustig, Sahasrabuddhe,
//! Giroux, ASPLOS 2019, section 5): coherence, fence-SC, atomicity, no thin air (dependencies
//! only, so load buffering is allowed), SC per place among morally strong accesses, causality.

use super::trace::{Event, Kind, Trace, traces};
use super::{Litmus, Seen};
use gridlock_semantics::algebra::operator::Scope;
use std::collections::BTreeSet;

/// A relation on at most 64 events: row by row, as bits.
#[derive(Clone, Debug)]
struct Relation(Vec<u64>);

impl Relation {
    fn empty(n: usize) -> Relation {
        Relation(vec![0; n])
    }

    fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 != 0
    }

    fn close(&mut self) {
        for k in 0..self.0.len() {
            for a in 0..self.0.len() {
                if self.has(a, k) {
                    self.0[a] |= self.0[k];
                }
            }
        }
    }

    fn has_no_cycle(mut self) -> bool {
        self.close();
        (0..self.0.len()).all(|a| !self.has(a, a))
    }

    fn union(&self, other: &Relation) -> Relation {
        Relation(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }
}

struct Candidate<'a> {
    litmus: &'a Litmus,
    events: Vec<Event>,
    /// Position in the thread's trace.
    position: Vec<usize>,
    po: Relation,
    /// Writes of each place in modification order; the initial one is left out.
    mo: Vec<Vec<usize>>,
    /// What each read reads from; `None`: the initial value.
    rf: Vec<Option<usize>>,
}

/// Every outcome the axioms allow. `most`: the greatest value that can be read.
pub fn outcomes(litmus: &Litmus, most: i32) -> BTreeSet<Seen> {
    let choices: Vec<Vec<Trace>> = (0..litmus.threads.len())
        .map(|thread| traces(litmus, thread, most))
        .collect();
    let mut found = BTreeSet::new();
    let mut chosen = Vec::new();
    choose(litmus, &choices, &mut chosen, &mut found);
    found
}

fn choose<'a>(
    litmus: &Litmus,
    choices: &'a [Vec<Trace>],
    chosen: &mut Vec<&'a Trace>,
    found: &mut BTreeSet<Seen>,
) {
    if let Some(next) = choices.get(chosen.len()) {
        for trace in next {
            chosen.push(trace);
            choose(litmus, choices, chosen, found);
            chosen.pop();
        }
        return;
    }
    if values_exist(chosen) {
        executions(litmus, chosen, found);
    }
}

/// Whether each value read is written somewhere.
fn values_exist(chosen: &[&Trace]) -> bool {
    let all = || chosen.iter().flat_map(|trace| trace.events.iter());
    all().filter(|e| e.does_read()).all(|read| {
        read.reads == 0
            || all().any(|w| w.does_write() && w.place == read.place && w.writes == read.reads)
    })
}

fn executions(litmus: &Litmus, chosen: &[&Trace], found: &mut BTreeSet<Seen>) {
    let mut candidate = Candidate {
        litmus,
        events: Vec::new(),
        position: Vec::new(),
        po: Relation::empty(0),
        mo: vec![Vec::new(); litmus.n_places],
        rf: Vec::new(),
    };
    for trace in chosen {
        for (position, event) in trace.events.iter().enumerate() {
            candidate.events.push(event.clone());
            candidate.position.push(position);
        }
    }
    let n = candidate.events.len();
    candidate.po = Relation::empty(n);
    for a in 0..n {
        for b in a + 1..n {
            if candidate.events[a].thread == candidate.events[b].thread {
                candidate.po.add(a, b);
            }
        }
    }
    candidate.rf = vec![None; n];
    candidate.orders(0, &mut |execution| {
        let mut seen: Seen = chosen.iter().flat_map(|t| t.registers).collect();
        for order in &execution.mo {
            seen.push(
                order
                    .last()
                    .map_or(0, |&last| execution.events[last].writes),
            );
        }
        if !found.contains(&seen) && execution.is_allowed() {
            found.insert(seen);
        }
    });
}

fn permutations(items: &[usize], visit: &mut dyn FnMut(&[usize])) {
    fn extend(rest: &mut Vec<usize>, taken: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
        if rest.is_empty() {
            return visit(taken);
        }
        for k in 0..rest.len() {
            let item = rest.remove(k);
            taken.push(item);
            extend(rest, taken, visit);
            taken.pop();
            rest.insert(k, item);
        }
    }
    extend(&mut items.to_vec(), &mut Vec::new(), visit);
}

impl Candidate<'_> {
    /// Every modification order and reads-from that agree with the values and with atomicity.
    fn orders(&mut self, place: usize, visit: &mut dyn FnMut(&mut Candidate)) {
        if place == self.mo.len() {
            return self.reads(0, visit);
        }
        let writes: Vec<usize> = (0..self.events.len())
            .filter(|&e| self.events[e].does_write() && self.events[e].place == place)
            .collect();
        let mut all = Vec::new();
        permutations(&writes, &mut |order| all.push(order.to_vec()));
        for order in all {
            let mut before = None;
            let fits = order.iter().all(|&e| {
                let value = before.map_or(0, |b: usize| self.events[b].writes);
                let fits = self.events[e].kind != Kind::Rmw || self.events[e].reads == value;
                if self.events[e].kind == Kind::Rmw {
                    self.rf[e] = before;
                }
                before = Some(e);
                fits
            });
            if fits {
                self.mo[place] = order;
                self.orders(place + 1, visit);
            }
        }
    }

    /// What the reads that do not write read from.
    fn reads(&mut self, event: usize, visit: &mut dyn FnMut(&mut Candidate)) {
        if event == self.events.len() {
            return visit(self);
        }
        let own = self.events[event].clone();
        if !matches!(own.kind, Kind::Read | Kind::AtomicRead) {
            return self.reads(event + 1, visit);
        }
        let sources = self.mo[own.place].clone();
        if own.reads == 0 {
            self.rf[event] = None;
            self.reads(event + 1, visit);
        }
        for source in sources {
            if self.events[source].writes == own.reads {
                self.rf[event] = Some(source);
                self.reads(event + 1, visit);
            }
        }
    }

    /// Whether two events are of one block, or both reach across blocks.
    fn reach(&self, a: usize, b: usize) -> bool {
        let block = |e: usize| self.litmus.block_of(self.events[e].thread);
        let wide = |e: usize| self.events[e].scope != Scope::Block;
        block(a) == block(b) || wide(a) && wide(b)
    }

    /// Program order, or both atomic (or fences) and of sufficient scope.
    fn morally_strong(&self, a: usize, b: usize) -> bool {
        let strong = |e: usize| self.events[e].is_atomic() || self.events[e].kind == Kind::Fence;
        self.events[a].thread == self.events[b].thread || strong(a) && strong(b) && self.reach(a, b)
    }

    fn is_allowed(&mut self) -> bool {
        if !self.no_thin_air() || !self.sc_per_place() {
            return false;
        }
        let fences: Vec<usize> = (0..self.events.len())
            .filter(|&e| self.events[e].kind == Kind::Fence)
            .collect();
        let base = self.causality();
        let mut allowed = false;
        permutations(&fences, &mut |order| {
            if !allowed {
                let mut hb = base.clone();
                for (k, &a) in order.iter().enumerate() {
                    for &b in &order[k + 1..] {
                        if self.reach(a, b) {
                            hb.add(a, b);
                        }
                    }
                }
                allowed = self.is_causal(hb);
            }
        });
        allowed
    }

    /// Reads-from and dependencies make no cycle. A read-modify-write counts twice: what it
    /// writes need not depend on what it reads.
    fn no_thin_air(&self) -> bool {
        let n = self.events.len();
        let mut relation = Relation::empty(2 * n);
        for (e, event) in self.events.iter().enumerate() {
            if let Some(source) = self.rf[e].filter(|_| event.does_read()) {
                relation.add(n + source, e);
            }
            if event.passes_on {
                relation.add(e, n + e);
            }
            let first = e - self.position[e];
            for &by in &event.controlled_by {
                relation.add(first + by, n + e);
            }
        }
        relation.has_no_cycle()
    }

    fn before_in_mo(&self, a: usize, b: usize) -> bool {
        let order = &self.mo[self.events[a].place];
        let at = |e: usize| order.iter().position(|&w| w == e);
        match (at(a), at(b)) {
            (Some(a), Some(b)) => a < b,
            _ => false,
        }
    }

    /// From-reads: `a` reads what `b` overwrites.
    fn reads_before(&self, a: usize, b: usize) -> bool {
        let (reader, writer) = (&self.events[a], &self.events[b]);
        if a == b || !reader.does_read() || !writer.does_write() || reader.place != writer.place {
            return false;
        }
        self.rf[a].is_none_or(|source| source != b && self.before_in_mo(source, b))
    }

    fn reads_from(&self, a: usize, b: usize) -> bool {
        self.events[b].does_read() && self.rf[b] == Some(a)
    }

    fn sc_per_place(&self) -> bool {
        let n = self.events.len();
        let mut relation = Relation::empty(n);
        for a in 0..n {
            for b in 0..n {
                let one_place = self.events[a].place == self.events[b].place
                    && !matches!(self.events[a].kind, Kind::Fence | Kind::Barrier)
                    && !matches!(self.events[b].kind, Kind::Fence | Kind::Barrier);
                if a == b || !one_place {
                    continue;
                }
                let communicates =
                    self.reads_from(a, b) || self.reads_before(a, b) || self.before_in_mo(a, b);
                if self.po.has(a, b) || communicates && self.morally_strong(a, b) {
                    relation.add(a, b);
                }
            }
        }
        relation.has_no_cycle()
    }

    /// Program order, barriers, and release to acquire, not closed.
    fn causality(&self) -> Relation {
        let n = self.events.len();
        let mut hb = self.po.clone();
        let is = |e: usize, kind: Kind| self.events[e].kind == kind;
        for a in 0..n {
            for b in 0..n {
                let (x, y) = (&self.events[a], &self.events[b]);
                if is(a, Kind::Barrier) && is(b, Kind::Barrier) && x.thread != y.thread {
                    let number = |e: usize| {
                        (0..e)
                            .filter(|&c| is(c, Kind::Barrier) && self.po.has(c, e))
                            .count()
                    };
                    let reached = self.litmus.grid_barriers
                        || self.litmus.block_of(x.thread) == self.litmus.block_of(y.thread);
                    let together = reached && number(a) == number(b);
                    if together {
                        // Both directions: what is before one is before what is behind the other.
                        for before in (0..n).filter(|&c| self.po.has(c, a)) {
                            for behind in (0..n).filter(|&c| self.po.has(b, c)) {
                                hb.add(before, behind);
                            }
                        }
                    }
                }
                let fences = is(a, Kind::Fence) && is(b, Kind::Fence);
                if fences && self.reach(a, b) && self.synchronise(a, b) {
                    hb.add(a, b);
                }
            }
        }
        hb
    }

    /// A write behind fence `a` is observed by a read before fence `b`, through a chain of
    /// read-modify-writes.
    fn synchronise(&self, a: usize, b: usize) -> bool {
        let n = self.events.len();
        let writes = (0..n).filter(|&w| self.po.has(a, w) && self.events[w].kind == Kind::Rmw);
        for write in writes {
            let mut chain = vec![write];
            while let Some(at) = chain.pop() {
                for read in 0..n {
                    let strong = self.events[read].is_atomic()
                        && self.reads_from(at, read)
                        && self.morally_strong(at, read);
                    if !strong {
                        continue;
                    }
                    if self.po.has(read, b) && self.reach(a, read) && self.reach(write, b) {
                        return true;
                    }
                    if self.events[read].does_write() {
                        chain.push(read);
                    }
                }
            }
        }
        false
    }

    /// Coherence and causality under an order that may not be closed yet.
    fn is_causal(&self, mut hb: Relation) -> bool {
        hb = hb.union(&self.po);
        hb.close();
        let n = self.events.len();
        for a in 0..n {
            if hb.has(a, a) {
                return false;
            }
            for b in 0..n {
                if !hb.has(a, b) {
                    continue;
                }
                // b reads from a write that a has overwritten, or a reads what b writes.
                if self.before_in_mo(b, a) || self.reads_before(b, a) || self.reads_from(b, a) {
                    return false;
                }
            }
        }
        true
    }
}
