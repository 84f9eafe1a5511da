//! Two kernels compared for all launches and all sizes: what one thread that stands for all writes.
//!
//! Both kernels are run for the same launch and the same thread. They leave the same if each write of the one is one of
//! the other: under the same condition, to the same cell, the same value. That neither has a defect is not shown here:
//! it is what [`crate::prove_kernel`] is for, and has to be asked first.

use super::closed::Closed;
use super::equivalence::{Observed, Side, Which};
use super::float_laws::FloatLaws;
use super::generic::{Access, Event, Write};
use super::run::{Run, RunLimits, Subject};
use super::value::{Known, Place};
use crate::machine::launch::{Given, SymbolicLaunch};
use crate::solver::budget::{Budget, Cut};
use crate::solver::context::in_fresh_context;
use crate::solver::solve::{Answer, Prover};
use crate::terms::function::Function;
use crate::terms::normal::{Normal, linear};
use crate::terms::substitute::Substitution;
use crate::terms::term::{Node, Order, Origin, Scope, Sort, TermId, Terms};
use gridlock_checker::report::assumption::{Assumption, Counter};
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use gridlock_semantics::profile::Profile;
use smallvec::smallvec;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// A question about two kernels at all launches.
#[derive(Clone, Debug)]
pub struct AllSizesRequest<'a> {
    /// Has to admit canonical runs.
    pub profile: &'a Profile,
    /// Memory of the old and of the new kernel that corresponds and is observed.
    pub observed: Vec<(Observed, Observed)>,
    /// Arrays of the old and of the new kernel's setup that correspond, observed or not.
    pub arrays: Vec<(usize, usize)>,
    /// Whether sums and products of floats are compared as multisets.
    pub floats_commute: bool,
    /// Only launches of such blocks.
    pub block: Option<[u32; 3]>,
    /// The axes that either kernel asks about; the others have extent 1 where that is open.
    pub asked: LaunchAxes,
    /// What the solver may do.
    pub budget: Budget,
    /// For the whole question.
    pub timeout: Duration,
    /// Operators run at most.
    pub steps: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum AllSizes {
    /// Where neither kernel has a defect, both leave the same: for all inputs, at every launch that is the same on both
    /// sides.
    Same {
        /// What is taken for granted.
        assumptions: Vec<Assumption>,
        /// Arrays of the new kernel's setup of which it may access an element that the old kernel does not, of the array that
        /// corresponds, where it does: whether there is such an element is still to be asked.
        other_elements: BTreeSet<usize>,
    },
    /// Nothing is claimed.
    Open {
        /// What stands in the way.
        why: String,
        /// In which program, where it is in one.
        which: Option<Which>,
        /// The bound that was met, if it is one.
        cut: Option<Cut>,
    },
}

fn open(why: impl Into<String>, which: Option<Which>) -> AllSizes {
    AllSizes::Open {
        why: why.into(),
        which,
        cut: None,
    }
}

/// Tries to show that the two kernels leave the same at every launch, as far as neither has a defect.
pub fn same_at_all_sizes(old: Side<'_>, new: Side<'_>, request: &AllSizesRequest<'_>) -> AllSizes {
    in_fresh_context(|| attempt(old, new, request))
}

/// What a run of one side left.
struct Left {
    events: BTreeMap<Place, Vec<Event>>,
    obligations: Vec<TermId>,
    assumed: Vec<TermId>,
    /// Of what is assumed, what excuses a defect.
    excuses: Vec<TermId>,
    counters: BTreeSet<(u32, String)>,
    accesses: Vec<Access>,
}

fn attempt(old: Side<'_>, new: Side<'_>, request: &AllSizesRequest<'_>) -> AllSizes {
    if !request.profile.admits_canonical_run() {
        return open(
            "one run does not speak for all schedules under this profile",
            None,
        );
    }
    let most = |side: &Side<'_>| side.program.proc(side.setup.entry).most_threads;
    if let Some(of_new) = most(&new)
        && most(&old).is_none_or(|of_old| of_new < of_old)
    {
        let why =
            format!("the new kernel takes at most {of_new} threads a block (`__launch_bounds__`)");
        return open(why, Some(Which::New));
    }
    let mut terms = Terms::default();
    let given = Given {
        grid: None,
        block: request.block,
    };
    let asked = Some(request.asked);
    let launch = SymbolicLaunch::with(&mut terms, old.program, old.setup.entry, given, asked);
    let deadline = Instant::now() + request.timeout;
    let mut sides = Vec::new();
    for (side, which) in [(old, Which::Old), (new, Which::New)] {
        let subject = Subject {
            program: side.program,
            setup: side.setup,
            unknowns: side.unknowns,
            profile: request.profile,
            floats: match request.floats_commute {
                true => FloatLaws::Reassociated,
                false => FloatLaws::Exact,
            },
        };
        let limits = RunLimits {
            steps: request.steps,
            deadline,
        };
        let run = match Run::of_generic(&mut terms, subject, launch.clone(), limits) {
            Ok(run) => run,
            Err(stopped) => return open(stopped.to_string(), Some(which)),
        };
        let excuses = run.excuses();
        let Some(generic) = run.generic else {
            return open("no generic thread", Some(which));
        };
        sides.push(Left {
            events: generic.events,
            counters: generic.counters_assumed,
            accesses: generic.accesses,
            obligations: run.obligations.iter().map(|o| o.cond).collect(),
            assumed: run.assumed,
            excuses,
        });
    }
    let [of_old, of_new] = &sides[..] else {
        return open("two sides", None);
    };
    let mut comparison = Comparison {
        prover: Prover::new(request.budget, request.timeout),
        hypotheses: launch.facts.clone(),
        floats_commute: request.floats_commute,
        threads: launch
            .dimensions
            .iter()
            .filter(|d| terms.as_bits(d.thread).is_none())
            .map(|d| (d.thread, d.block_extent))
            .collect(),
        terms,
    };
    // A value that is used before something is assumed has to be there all the same.
    let of_launch = comparison.hypotheses.clone();
    for (left, which) in [(of_old, Which::Old), (of_new, Which::New)] {
        comparison.hypotheses.extend(&left.excuses);
        for obligation in &left.obligations {
            if let Err(cut) = comparison.holds(*obligation) {
                return AllSizes::Open {
                    why: "it is not shown that every value that is used is there".to_owned(),
                    which: Some(which),
                    cut,
                };
            }
        }
    }
    comparison.hypotheses = of_launch;
    // What the original assumes holds; of the other that has to follow.
    comparison.hypotheses.extend(&of_old.assumed);
    if !comparison.some_input() {
        return open("it is not seen that some input meets what is assumed", None);
    }
    for assumed in &of_new.assumed {
        if let Err(cut) = comparison.holds(*assumed) {
            return AllSizes::Open {
                why: "it assumes what the old program does not".to_owned(),
                which: Some(Which::New),
                cut,
            };
        }
    }
    for (left, which) in [(of_old, Which::Old), (of_new, Which::New)] {
        for place in left.events.keys() {
            if let Place::Argument(_) = place {
                let is_observed = request.observed.iter().any(|(i, j)| match which {
                    Which::Old => i.place() == *place,
                    Which::New => j.place() == *place,
                });
                if !is_observed {
                    return open(
                        "an array is written that nothing corresponds to",
                        Some(which),
                    );
                }
            }
        }
    }
    let mut n_written = 0;
    for (i, j) in &request.observed {
        let ((name, elem), (_, other_elem)) = (old.memory(*i), new.memory(*j));
        if elem != other_elem || old.unknown(*i) != new.unknown(*j) {
            return open(
                format!("`{name}` does not hold the same on both sides at first"),
                None,
            );
        }
        let writes = |left: &Left, of: Observed| -> Option<Vec<Write>> {
            let events = left.events.get(&of.place());
            let events = events.into_iter().flatten();
            events
                .map(|event| match event {
                    Event::Written(write) => Some(write.clone()),
                    Event::Apart(_) | Event::Earlier | Event::Anything => None,
                })
                .collect()
        };
        let (Some(a), Some(b)) = (writes(of_old, *i), writes(of_new, *j)) else {
            return open(format!("writes to `{name}` are not followed"), None);
        };
        n_written += a.len();
        if let Err(stopped) = comparison.alike(&a, &b, name) {
            return stopped;
        }
    }
    if n_written == 0 {
        return open("neither program writes anything that is observed", None);
    }
    let mut other_elements = BTreeSet::new();
    for access in &of_new.accesses {
        let Place::Argument(array) = access.place else {
            continue;
        };
        let corresponding = request.arrays.iter().find(|(_, new)| *new == array);
        let place = corresponding.map(|(old, _)| Place::Argument(*old));
        let of_old = of_old
            .accesses
            .iter()
            .filter(|old| Some(old.place) == place);
        if !other_elements.contains(&array) && !comparison.is_made_by_any(access, of_old) {
            other_elements.insert(array);
        }
    }
    let mut assumptions = launch.assumptions;
    let counters: BTreeSet<&(u32, String)> = sides.iter().flat_map(|left| &left.counters).collect();
    if !counters.is_empty() {
        let counters = counters.into_iter().map(|(line, name)| Counter {
            counter: name.clone(),
            line: *line,
        });
        assumptions.push(Assumption::CountersDoNotOverflow {
            counters: counters.collect(),
        });
    }
    AllSizes::Same {
        assumptions,
        other_elements,
    }
}

struct Comparison {
    terms: Terms,
    /// Coordinates of the thread that are open, and their extents.
    threads: Vec<(TermId, TermId)>,
    prover: Prover,
    hypotheses: Vec<TermId>,
    floats_commute: bool,
}

impl Comparison {
    fn some_input(&mut self) -> bool {
        let hypotheses = self.hypotheses.clone();
        matches!(self.decide(&hypotheses), Answer::Satisfiable(_))
    }

    fn decide(&mut self, asked: &[TermId]) -> Answer {
        let mut closed = Closed::default();
        let asked: Vec<TermId> = asked
            .iter()
            .map(|one| closed.of(&mut self.terms, *one))
            .collect();
        self.prover.decide_all(&self.terms, &asked)
    }

    /// Whether `cond` holds at every launch.
    fn holds(&mut self, cond: TermId) -> Result<(), Option<Cut>> {
        let cond = Normal::new(self.floats_commute).of(&mut self.terms, cond);
        if self.terms.as_bool(cond) == Some(true) {
            return Ok(());
        }
        let fails = self.terms.not(cond);
        let mut asked = self.hypotheses.clone();
        asked.push(fails);
        match self.decide(&asked) {
            Answer::Unsatisfiable => Ok(()),
            Answer::Satisfiable(_) => Err(None),
            Answer::Open(cut) => Err(Some(cut)),
        }
    }

    /// Whether the old kernel's thread makes this access of the new one's, too: in the same iterations of as many loops.
    fn is_made_by_any<'a>(
        &mut self,
        access: &Access,
        mut others: impl Iterator<Item = &'a Access>,
    ) -> bool {
        let (guard, cell) = self.in_shared_iterations(access);
        others.any(|other| {
            other.iterations.len() == access.iterations.len() && {
                let (other_guard, other_cell) = self.in_shared_iterations(other);
                let comes_there = self.terms.implies(guard, other_guard);
                other_cell == cell && self.holds(comes_there).is_ok()
            }
        })
    }

    /// When there is an access, and to which cell, in normal form; iterations are named by the depth of their loops.
    fn in_shared_iterations(&mut self, access: &Access) -> (TermId, TermId) {
        let iterations = access.iterations.iter().enumerate();
        let pairs: Vec<(TermId, TermId)> = iterations
            .map(|(depth, iteration)| (*iteration, self.shared_iteration(depth)))
            .collect();
        let mut renamed = Substitution::new(pairs);
        let mut normal = Normal::new(false);
        let [guard, cell] = [access.guard, access.cell].map(|term| {
            let term = renamed.of(&mut self.terms, term);
            normal.of(&mut self.terms, term)
        });
        (guard, cell)
    }

    /// What iterations of loops that correspond are called.
    fn shared_iteration(&mut self, depth: usize) -> TermId {
        self.terms.intern(Node::Apply {
            function: Function::Iteration(depth),
            result: Sort::Bits(64),
            args: smallvec![],
        })
    }

    /// Whether the two lists of writes are alike, one by one.
    fn alike(&mut self, a: &[Write], b: &[Write], name: &str) -> Result<(), AllSizes> {
        if a.len() != b.len() {
            let why = format!(
                "`{name}` is written at {} places by the one and at {} by the other",
                a.len(),
                b.len()
            );
            return Err(open(why, None));
        }
        // Loops correspond one to one.
        let mut loops: BTreeMap<u32, u32> = BTreeMap::new();
        let mut back: BTreeMap<u32, u32> = BTreeMap::new();
        for (a, b) in a.iter().zip(b) {
            let stopped = |what: &str, cut: Option<Cut>| AllSizes::Open {
                why: format!(
                    "it is not shown that line {} of the old program and line {} of the new write {what} `{name}`",
                    a.span.line, b.span.line
                ),
                which: None,
                cut,
            };
            if a.repeats.len() != b.repeats.len() {
                return Err(stopped("in loops that are alike to", None));
            }
            let mut pairs = Vec::new();
            for (number, (r, s)) in a.repeats.iter().zip(&b.repeats).enumerate() {
                let there = *loops.entry(r.number).or_insert(s.number);
                let from = *back.entry(s.number).or_insert(r.number);
                if (there, from) != (s.number, r.number) {
                    return Err(stopped("in the same loop to", None));
                }
                let shared = self.shared_iteration(number);
                pairs.push((r.iteration, shared));
                pairs.push((s.iteration, shared));
            }
            // The thread of the new program that writes what this one of the old program writes.
            let moved = self.moved(a, b);
            let (b_guard, b_cell) = (b.guard, b.cell);
            let mut other_thread = match &moved {
                Some(pairs) => Substitution::of_small(&mut self.terms, pairs),
                None => Substitution::default(),
            };
            let mut of_other = |terms: &mut Terms, term: TermId| match &moved {
                Some(_) => other_thread.of(terms, term),
                None => term,
            };
            let b_guard = of_other(&mut self.terms, b_guard);
            let b_cell = of_other(&mut self.terms, b_cell);
            let mut renamed = Substitution::new(pairs);
            let mut of = |terms: &mut Terms, term: TermId| renamed.of(terms, term);
            let (guard, other) = (of(&mut self.terms, a.guard), of(&mut self.terms, b_guard));
            let (cell, other_cell) = (of(&mut self.terms, a.cell), of(&mut self.terms, b_cell));
            let (Some(value), Some(other_value)) = (&a.value, &b.value) else {
                return Err(stopped("a value to", None));
            };
            let (Known::Scalar(x), Known::Scalar(y)) = (&value.known, &other_value.known) else {
                return Err(stopped("a number to", None));
            };
            let y = of_other(&mut self.terms, *y);
            let other_defined = of_other(&mut self.terms, other_value.defined);
            let (x, y) = (of(&mut self.terms, *x), of(&mut self.terms, y));
            let defined = [value.defined, other_defined].map(|d| of(&mut self.terms, d));
            let alike = self.terms.eq(guard, other);
            self.holds(alike)
                .map_err(|cut| stopped("under the same condition to", cut))?;
            for (one, other, what) in [
                (cell, other_cell, "the same cell of"),
                (x, y, "the same value to"),
            ] {
                let mut normal = Normal::new(self.floats_commute);
                let one = normal.of(&mut self.terms, one);
                let other = normal.of(&mut self.terms, other);
                let same = self.terms.eq(one, other);
                let same = self.terms.implies(guard, same);
                self.holds(same).map_err(|cut| stopped(what, cut))?;
            }
            for defined in defined {
                let there = self.terms.implies(guard, defined);
                self.holds(there)
                    .map_err(|cut| stopped("a value to", cut))?;
            }
        }
        Ok(())
    }

    /// Where the two writes differ in the cell, and a permutation of the threads of a block makes up for that: what the
    /// coordinates of the new program's thread are.
    fn moved(&mut self, a: &Write, b: &Write) -> Option<Vec<(TermId, TermId)>> {
        let mut normal = Normal::new(false);
        let from = normal.of(&mut self.terms, a.cell);
        let to = normal.of(&mut self.terms, b.cell);
        if from == to {
            return None;
        }
        let pairs = permuted(&mut self.terms, &self.threads, from, to)?;
        // The thread is one of the block, and another for each: then it is a permutation, as blocks are finite.
        let mut second = Vec::new();
        let mut distinct = self.terms.bool(false);
        let mut alike = self.terms.bool(true);
        for ((symbol, _), (wide, extent)) in pairs.iter().zip(&self.threads) {
            let sort = self.terms.sort(*symbol);
            let other =
                self.terms
                    .fresh_from(Origin::AnotherThread, "another", sort, Scope::Thread);
            let other = self.terms.zero_ext(32, other);
            let fits = self.terms.less(Order::UnsignedLess, other, *extent);
            alike = self.terms.and(alike, fits);
            let same = self.terms.eq(other, *wide);
            let differs = self.terms.not(same);
            distinct = self.terms.or(distinct, differs);
            second.push((*symbol, other));
        }
        let mut others = Substitution::of_small(&mut self.terms, &second);
        let mut in_block = self.terms.bool(true);
        for ((_, coordinate), (_, extent)) in pairs.iter().zip(&self.threads) {
            let fits = self.terms.less(Order::UnsignedLess, *coordinate, *extent);
            in_block = self.terms.and(in_block, fits);
            let theirs = others.of(&mut self.terms, *coordinate);
            let same = self.terms.eq(theirs, *coordinate);
            alike = self.terms.and(alike, same);
        }
        let clash = self.terms.and(alike, distinct);
        let no_clash = self.terms.not(clash);
        let is_one = self.terms.and(in_block, no_clash);
        self.holds(is_one).is_ok().then_some(pairs)
    }
}

/// For each coordinate what it has to be in `to` for the cell to be `from`, read off their sums.
fn permuted(
    terms: &mut Terms,
    threads: &[(TermId, TermId)],
    from: TermId,
    to: TermId,
) -> Option<Vec<(TermId, TermId)>> {
    let (from, to) = (linear(terms, from)?, linear(terms, to)?);
    let mut found = Vec::new();
    for (thread, _) in threads {
        let Node::ZeroExt(_, symbol) = *terms.node(*thread) else {
            return None;
        };
        let is_it = |part: &TermId| {
            *part == symbol || matches!(terms.node(*part), Node::ZeroExt(_, s) if *s == symbol)
        };
        let with: Vec<(&Vec<TermId>, &u64)> = to
            .iter()
            .filter(|(product, _)| product.iter().any(is_it))
            .collect();
        let [(product, factor)] = with[..] else {
            return None;
        };
        let at = product.iter().position(is_it)?;
        let mut others = product.clone();
        others.remove(at);
        // In the other cell, who stands there.
        let mut there = from.iter().filter_map(|(product, n)| {
            let mut rest = product.clone();
            for part in &others {
                let at = rest.iter().position(|p| p == part)?;
                rest.remove(at);
            }
            let [one] = rest[..] else {
                return None;
            };
            let is_thread = threads.iter().any(|(thread, _)| {
                *thread == one
                    || matches!((terms.node(*thread), terms.node(one)), (Node::ZeroExt(_, s), Node::ZeroExt(_, t)) if s == t)
            });
            (n == factor && is_thread).then_some(one)
        });
        let one = there.next()?;
        if there.next().is_some() {
            return None;
        }
        let inner = match *terms.node(one) {
            Node::ZeroExt(_, inner) => inner,
            _ => return None,
        };
        found.push((symbol, inner));
    }
    Some(
        found
            .into_iter()
            .map(|(symbol, inner)| (symbol, terms.zero_ext(32, inner)))
            .collect(),
    )
}
