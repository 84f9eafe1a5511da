//! Two programs at a launch each, on the same unknown inputs: whether what may be observed of memory is the same.

use super::goals::{About, Failed, Goal, all_hold, on_either_side};
use super::memory::Memory;
use super::related;
use super::run::{Run, RunLimits, Subject};
use super::value::{Held, Known, Place, Value};
use crate::reals::{Compared, InputFloat, Reals};
use crate::solver::budget::{Budget, Cut};
use crate::solver::context::in_fresh_context;
use crate::solver::solve::{Answer, Prover};
use crate::terms::function::Function;
use crate::terms::normal::Normal;
use crate::terms::term::{Node, TermId, Terms};
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value as Constant;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Contents, Setup};
use smallvec::smallvec;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

pub use super::float_laws::FloatLaws;
pub use super::goals::Inputs;
pub use super::observed::{Observed, Which};
pub use super::related::Related;
pub use super::run::Unknowns;

/// Cells whose values are looked at where one is open.
const MOST_LOOKED_AT: usize = 256;

/// One of the two programs.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// In either form.
    pub program: &'a Program,
    /// A kernel with its launch. What of its inputs is unknown is not taken from here.
    pub setup: &'a Setup,
    /// Equal names on both sides mean equal inputs.
    pub unknowns: &'a Unknowns,
}

impl Side<'_> {
    /// What it is called, and the type of its cells.
    pub(crate) fn memory(&self, observed: Observed) -> (&str, ScalarType) {
        match observed {
            Observed::Argument(index) => {
                let array = &self.setup.arrays[index];
                (&array.name, array.elem)
            }
            Observed::OfFile(id) => {
                let decl = self.program.array(id);
                (&decl.name, decl.elem)
            }
        }
    }

    /// What it holds at first, where that is given.
    fn given(&self, observed: Observed) -> Contents {
        match observed {
            Observed::Argument(index) => self.setup.arrays[index].contents.clone(),
            Observed::OfFile(id) => self.setup.first_contents(id, self.program.array(id)),
        }
    }

    /// What a cell holds in the end; `None`: no value, or there is no such cell.
    fn leaves(&self, terms: &mut Terms, memory: &Memory, observed: Observed, cell: i64) -> Held {
        if let Some(held) = memory.at((observed.place(), 0), cell) {
            return held.clone();
        }
        let (_, elem) = self.memory(observed);
        let index = u64::try_from(cell).ok()?;
        if self.extent(observed).is_some_and(|extent| index >= extent) {
            return None;
        }
        let Some(name) = self.unknown(observed) else {
            return constant(terms, self.given(observed).cell(elem, index));
        };
        let number = terms.bits(64, index);
        let known = Known::Scalar(terms.intern(Node::Apply {
            function: Function::Input(name.as_str().into()),
            result: crate::machine::value::sort_of(elem),
            args: smallvec![number],
        }));
        let defined = terms.bool(true);
        Some(Value { known, defined })
    }

    fn extent(&self, observed: Observed) -> Option<u64> {
        match observed {
            Observed::Argument(index) => self.setup.arrays[index].extent,
            Observed::OfFile(id) => match self.program.array(id).extent {
                Extent::Fixed(extent) => Some(extent),
                Extent::LaunchShared => None,
            },
        }
    }

    /// The name of the unknown contents that it has at first; `None`: they are given.
    pub(super) fn unknown(&self, observed: Observed) -> Option<&String> {
        match observed {
            Observed::Argument(index) => self.unknowns.arrays[index].as_ref(),
            Observed::OfFile(id) => self.unknowns.declared.get(&id),
        }
    }
}

/// A question about two programs.
#[derive(Clone, Debug)]
pub struct EquivalenceRequest<'a> {
    /// Has to admit canonical runs.
    pub profile: &'a Profile,
    /// Memory of the old and of the new program that corresponds and is observed.
    pub observed: Vec<(Observed, Observed)>,
    /// What an observation map says of other memory, which is not observed otherwise.
    pub related: Vec<(Related, Related)>,
    /// Memory of which nobody wants to know more. Whatever else a program writes has to be observed or related.
    pub left_out: Vec<(Which, Observed)>,
    /// What is the same of floats.
    pub floats: FloatLaws,
    /// What the solver may do.
    pub budget: Budget,
    /// For the whole question.
    pub timeout: Duration,
    /// Steps of a run: an operator by one thread.
    pub steps: u64,
}

impl<'a> EquivalenceRequest<'a> {
    /// Whether the arrays of these numbers, in both setups, are left exactly alike; nothing else may be written. For the solver
    /// so many seconds, by the clock twice as many.
    pub fn of_arrays(
        profile: &'a Profile,
        arrays: impl IntoIterator<Item = usize>,
        seconds: f64,
        steps: u64,
    ) -> EquivalenceRequest<'a> {
        let alike = |number| (Observed::Argument(number), Observed::Argument(number));
        EquivalenceRequest {
            profile,
            observed: arrays.into_iter().map(alike).collect(),
            related: Vec::new(),
            left_out: Vec::new(),
            floats: FloatLaws::Exact,
            budget: Budget::of_seconds(seconds),
            timeout: Duration::from_secs_f64(2.0 * seconds),
            steps,
        }
    }
}

/// What came of the question.
#[derive(Clone, Debug)]
pub enum Equivalence {
    /// Every schedule of both leaves the same, for all inputs; both are free of races, divergence, faults and
    /// unwritten reads, and end.
    Proved,
    /// A model of the solver, to be run. Nothing is refuted before.
    Suspected {
        /// The array, as the old program names it, and the cell that may differ; what is [`RETURNED`] counts as an array.
        array: String,
        /// Its number.
        cell: i64,
        /// Where.
        inputs: Inputs,
        /// The cell differs as a real number, by much more than rounding explains.
        over_reals: bool,
    },
    /// Nothing is claimed.
    Open {
        /// What stands in the way, as in `line 12: a named barrier`.
        why: String,
        /// In which program, where it is in one.
        which: Option<Which>,
        /// The bound that was met, if it is one.
        cut: Option<Cut>,
        /// Inputs that are worth a run; what it shows, nobody knows.
        tries: Vec<Inputs>,
    },
}

/// Stands for the array where what a procedure of the host returns may differ.
pub const RETURNED: &str = "the result";

/// Tries to prove that the two programs leave the same.
pub fn equivalent(old: Side<'_>, new: Side<'_>, request: &EquivalenceRequest<'_>) -> Equivalence {
    // A context of its own: what the solver answers does not depend on what was asked before.
    let found = in_fresh_context(|| attempt(old, new, request, Sought::Proof));
    if request.floats != FloatLaws::Reassociated || matches!(found, Equivalence::Proved) {
        return found;
    }
    // What differs as a real number is no sum of the same: other terms, as constants are folded exactly there.
    let over_reals = EquivalenceRequest {
        floats: FloatLaws::Reals,
        ..request.clone()
    };
    match in_fresh_context(|| attempt(old, new, &over_reals, Sought::Difference)) {
        apart @ Equivalence::Suspected {
            over_reals: true, ..
        } => apart,
        _ => found,
    }
}

/// What is asked of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    Proof,
    /// Only where cells are different real numbers.
    Difference,
}

fn open(why: impl Into<String>, which: Option<Which>) -> Equivalence {
    Equivalence::Open {
        why: why.into(),
        which,
        cut: None,
        tries: Vec::new(),
    }
}

fn attempt(
    old: Side<'_>,
    new: Side<'_>,
    request: &EquivalenceRequest<'_>,
    sought: Sought,
) -> Equivalence {
    if !request.profile.admits_canonical_run() {
        return open(
            "one run does not speak for all schedules under this profile",
            None,
        );
    }
    let mut terms = Terms::default();
    let deadline = Instant::now() + request.timeout;
    let mut defects = [Vec::new(), Vec::new()];
    let mut goals = Vec::new();
    let mut assumed = Vec::new();
    // What excuses a defect: of the old program what it assumes first, of the new one that and what the old one assumes
    // first. What a program assumes later says which runs leave something to compare; a race before it is one.
    let mut excuses = [Vec::new(), Vec::new()];
    let mut left = Vec::new();
    let mut returned = Vec::new();
    let mut of_map = Vec::new();
    for (one, other) in &request.related {
        one.memory(&mut of_map);
        other.memory(&mut of_map);
    }
    for (side, which) in [(old, Which::Old), (new, Which::New)] {
        let limits = RunLimits {
            steps: request.steps,
            deadline,
        };
        let subject = Subject {
            program: side.program,
            setup: side.setup,
            unknowns: side.unknowns,
            profile: request.profile,
            floats: request.floats,
        };
        let run = Run::of(&mut terms, subject, limits);
        let observed = |pair: &(Observed, Observed)| match which {
            Which::Old => pair.0.place(),
            Which::New => pair.1.place(),
        };
        let mut run = match run {
            Ok(run) => run,
            Err(stopped) => return open(stopped.to_string(), Some(which)),
        };
        let mut places: Vec<Place> = request.observed.iter().map(observed).collect();
        places.extend(
            of_map
                .iter()
                .filter(|(of, _)| *of == which)
                .map(|(_, memory)| memory.place()),
        );
        let left_out = request.left_out.iter().filter(|(of, _)| *of == which);
        places.extend(left_out.map(|(_, memory)| memory.place()));
        let of_file = (0..).map(ArrayId).zip(&side.program.arrays);
        let of_file = of_file
            .filter(|(_, decl)| {
                decl.owner.is_none() && !matches!(decl.space, Space::Shared | Space::Private)
            })
            .map(|(id, _)| Place::Global(id));
        let arguments = (0..side.setup.arrays.len()).map(Place::Argument);
        for place in arguments.chain(of_file) {
            if run.memory.is_written(place) && !places.contains(&place) {
                let name = run.name(place);
                return open(
                    format!("`{name}` is written, and nothing corresponds to it"),
                    Some(which),
                );
            }
        }
        let own = run.excuses();
        for of_side in &mut excuses[which as usize..] {
            of_side.extend(&own);
        }
        defects[which as usize].extend(run.obligations.drain(..).map(|obligation| Goal {
            cond: obligation.cond,
            about: About::Defect {
                which,
                otherwise: obligation.otherwise,
                span: obligation.span,
            },
        }));
        match which {
            Which::Old => assumed.append(&mut run.assumed),
            // What the new program assumes has to follow.
            Which::New => goals.extend(run.assumed.drain(..).map(|cond| Goal {
                cond,
                about: About::Assumed,
            })),
        }
        returned.push(run.host.returned.take());
        left.push(run.memory);
    }
    let [old_memory, new_memory] = &left[..] else {
        unreachable!("two sides")
    };
    let mut normal = Normal::new(request.floats == FloatLaws::Reassociated);
    let mut of_reals: Vec<Cell> = Vec::new();
    let mut n_cells = 0;
    for (i, j) in &request.observed {
        let (a, b) = (i.place(), j.place());
        let cells: BTreeSet<i64> = old_memory
            .written((a, 0))
            .chain(new_memory.written((b, 0)))
            .map(|(cell, _)| cell)
            .collect();
        n_cells += cells.len();
        let ((name, elem), (_, other_elem)) = (old.memory(*i), new.memory(*j));
        if elem != other_elem || !begin_alike(&old, *i, &new, *j) {
            return open(
                format!("`{name}` does not hold the same on both sides at first"),
                None,
            );
        }
        for cell in cells {
            let (one, other) = (
                old.leaves(&mut terms, old_memory, *i, cell),
                new.leaves(&mut terms, new_memory, *j, cell),
            );
            let (Some(one), Some(other)) = (one, other) else {
                return open(format!("`{name}[{cell}]` may hold no value"), None);
            };
            let (Known::Scalar(s), Known::Scalar(t)) = (&one.known, &other.known) else {
                return open("a pointer in memory", None);
            };
            let about = || About::Cell {
                array: name.to_owned(),
                cell,
            };
            for defined in [one.defined, other.defined] {
                if terms.as_bool(defined) != Some(true) {
                    goals.push(Goal {
                        cond: defined,
                        about: about(),
                    });
                }
            }
            if s == t {
                continue;
            }
            if request.floats == FloatLaws::Reals && elem.is_float() {
                of_reals.push((name.to_owned(), cell, [*s, *t]));
                continue;
            }
            let (s, t) = (normal.of(&mut terms, *s), normal.of(&mut terms, *t));
            let cond = terms.eq(s, t);
            if terms.as_bool(cond) != Some(true) {
                goals.push(Goal {
                    cond,
                    about: about(),
                });
            }
        }
    }
    for (one, other) in &request.related {
        let mut defined = Vec::new();
        let mut of_cell = None;
        let mut held = |terms: &mut Terms, which: Which, of: Observed, cell: i64| {
            let (side, memory) = match which {
                Which::Old => (&old, old_memory),
                Which::New => (&new, new_memory),
            };
            let (name, elem) = side.memory(of);
            of_cell.get_or_insert((name.to_owned(), cell));
            let value = side.leaves(terms, memory, of, cell)?;
            defined.push(value.defined);
            match value.known {
                Known::Scalar(term) => Some((elem, term)),
                Known::Pointer(_) => None,
            }
        };
        let sides = related::sides(&mut terms, [one, other], &mut held);
        let (Some((ty, [s, t])), Some((array, cell))) = (sides, of_cell) else {
            return open(
                "an observation map of what may hold no value, or of several types",
                None,
            );
        };
        n_cells += 1;
        if request.floats == FloatLaws::Reals && ty.is_float() {
            // What the old program divides by, say, is taken for granted; of a side that speaks of both it would not be.
            match [one, other].map(Related::is_of_old) {
                [true, _] => of_reals.push((array.clone(), cell, [s, t])),
                [_, true] => of_reals.push((array.clone(), cell, [t, s])),
                _ => {
                    return open(
                        "a map over real numbers of which no side is the old program's",
                        None,
                    );
                }
            }
        } else {
            let (s, t) = (normal.of(&mut terms, s), normal.of(&mut terms, t));
            defined.push(terms.eq(s, t));
        }
        for cond in defined {
            if terms.as_bool(cond) != Some(true) {
                goals.push(Goal {
                    cond,
                    about: About::Cell {
                        array: array.clone(),
                        cell,
                    },
                });
            }
        }
    }
    let is_returned = match &returned[..] {
        [None, None] => false,
        [Some(Some(one)), Some(Some(other))] => {
            let (Known::Scalar(s), Known::Scalar(t)) = (&one.known, &other.known) else {
                return open("a pointer that is returned", None);
            };
            if terms.sort(*s) != terms.sort(*t) {
                return open("they return values of several types", None);
            }
            let (s, t) = (normal.of(&mut terms, *s), normal.of(&mut terms, *t));
            let same = terms.eq(s, t);
            for cond in [one.defined, other.defined, same] {
                goals.push(Goal {
                    cond,
                    about: About::Returned,
                });
            }
            true
        }
        _ => return open("one of them may return no value", None),
    };
    if n_cells == 0 && !is_returned {
        return open("neither program writes anything that is observed", None);
    }
    if let Some(differs) = over_reals(&mut terms, &of_reals, deadline) {
        return differs;
    }
    if sought == Sought::Difference {
        return open("no cell lies apart", None);
    }
    let mut prover = Prover::new(request.budget, request.timeout);
    prover.seeks_words = true;
    if !assumed.is_empty() {
        match prover.decide_all(&terms, &assumed) {
            Answer::Satisfiable(_) => {}
            Answer::Unsatisfiable => return open("no input meets the programs' assumptions", None),
            Answer::Open(cut) => return cut_short("whether some input meets the assumptions", cut),
        }
    }
    let [of_old, of_new] = &excuses;
    let [defects_of_old, defects_of_new] = &defects;
    for (assumed, goals) in [
        (of_old, defects_of_old),
        (of_new, defects_of_new),
        (&assumed, &goals),
    ] {
        if let Err(failed) = all_hold(&mut terms, &mut prover, assumed, goals) {
            let tries = match failed.cut {
                Some(_) => on_either_side(&mut terms, &mut prover, assumed, failed.cond),
                None => Vec::new(),
            };
            return said(failed, tries);
        }
    }
    Equivalence::Proved
}

/// Whether two arrays hold the same at first.
fn begin_alike(old: &Side<'_>, i: Observed, new: &Side<'_>, j: Observed) -> bool {
    match (old.unknown(i), new.unknown(j)) {
        (None, None) => old.given(i) == new.given(j),
        (of_old, of_new) => of_old == of_new,
    }
}

/// A value that is given.
fn constant(terms: &mut Terms, value: Constant) -> Held {
    let term = match value {
        Constant::Bool(b) => terms.bool(b),
        Constant::Int(ty, bits) => terms.bits(ty.bits(), bits),
        Constant::F32(bits) => terms.bits(32, u64::from(bits)),
        Constant::F64(bits) => terms.bits(64, bits),
        Constant::Undef | Constant::Pointer(_) => return None,
    };
    let defined = terms.bool(true);
    Some(Value {
        known: Known::Scalar(term),
        defined,
    })
}

/// A cell of an array, and what both programs leave there.
type Cell = (String, i64, [TermId; 2]);

/// What stands in the way of cells' being the same real numbers; `None`: nothing.
fn over_reals(terms: &mut Terms, cells: &[Cell], deadline: Instant) -> Option<Equivalence> {
    let mut reals = Reals::new(deadline);
    for (_, _, [old, _]) in cells {
        reals.take_for_granted(terms, *old);
    }
    let mut first_open = None;
    for (at, (name, number, [old, new])) in cells.iter().enumerate() {
        let (old, new) = (*old, *new);
        if Instant::now() > deadline {
            return first_open.or(Some(cut_short("whether all cells are the same", Cut::Time)));
        }
        // A cell that differs says more than one that is open.
        if first_open.is_some() {
            match crate::reals::apart(terms, old, new) {
                Some(inputs) => return Some(apart(name, *number, inputs)),
                None if at > MOST_LOOKED_AT => return first_open,
                None => continue,
            }
        }
        match reals.compared(terms, old, new) {
            Compared::Same => {}
            Compared::Apart(inputs) => return Some(apart(name, *number, inputs)),
            Compared::Open(why) => {
                first_open = Some(open(format!("of `{name}[{number}]`: {why}"), None));
            }
        }
    }
    first_open
}

/// A cell that lies far apart at some inputs.
fn apart(name: &str, number: i64, of_inputs: Vec<InputFloat>) -> Equivalence {
    let mut inputs = Inputs::default();
    for (name, cell, bits) in of_inputs {
        match cell {
            Some(cell) => inputs.cells.push((name, cell, bits)),
            None => inputs.scalars.push((name, bits)),
        }
    }
    Equivalence::Suspected {
        array: name.to_owned(),
        cell: number,
        inputs,
        over_reals: true,
    }
}

fn cut_short(what: &str, cut: Cut) -> Equivalence {
    Equivalence::Open {
        why: format!("{what} is open"),
        which: None,
        cut: Some(cut),
        tries: Vec::new(),
    }
}

/// What a goal that was not shown to hold comes to.
fn said(failed: Failed<'_>, mut tries: Vec<Inputs>) -> Equivalence {
    let suspected = |array: &str, cell, inputs| Equivalence::Suspected {
        array: array.to_owned(),
        cell,
        inputs,
        over_reals: false,
    };
    match (failed.inputs, failed.about) {
        (Some(inputs), About::Cell { array, cell }) => suspected(array, *cell, inputs),
        (Some(inputs), About::Returned) => suspected(RETURNED, 0, inputs),
        (inputs, about) => {
            let (why, which) = about.open();
            tries.extend(inputs);
            Equivalence::Open {
                why,
                which,
                cut: failed.cut,
                tries,
            }
        }
    }
}
