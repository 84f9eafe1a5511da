//! A condition judged again before it is told: at launches that were not used to find it, and by a proof where that
//! goes through. One that fails anywhere is not told; what contradicts it is evidence for the next.

use super::condition::Condition;
use super::fresh;
use super::judge::{Judge, Outcome, UNDECIDED};
use super::search::{Search, Target};
use super::space::{Point, Space};
use super::under;
use super::variable::Variable;
use crate::input::deadline::Deadline;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_semantics::algebra::expr::{Axis, Builtin, Expr};
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::evaluation::eval::{Env, eval};
use gridlock_semantics::transition::fault::FaultKind;
use std::collections::BTreeMap;

/// Conditions judged again, one after the other, at most.
const ROUNDS: u64 = 5;
/// Points judged in one round, beside those that tell the next condition from its rivals.
const POINTS: usize = 180;
/// Points judged between two looks at what is left of the budget.
const BATCH: usize = 8;
/// Transitions of all runs of one round, and of one run.
const STEPS: u64 = 3_000_000;
const IN_ONE_RUN: u64 = 200_000;
/// Fresh launches of which it must be known whether the condition holds there, where there are so many: in all, and in
/// each of the ways in which it is met, at few threads and at many.
const LEAST: usize = 8;
const LEAST_OF_EACH: usize = 1;
/// Launches that no run decides at which the solver is asked for the defect, at most, and what it may do for each.
const ASKED: usize = 24;
const SECONDS_OF_EACH: f64 = 0.1;
/// What the solver may do for a proof, as seconds; and on a machine too slow for that, as time.
const SOLVER_SECONDS: f64 = 0.5;
const PROOF_SECONDS: f64 = 30.0;

/// A condition that failed nowhere.
pub struct Established {
    pub condition: Condition,
    /// Launches tried that meet it.
    pub held_at: usize,
    /// Proved for every launch and every input.
    pub is_proved: bool,
    /// Of the proof.
    pub assumptions: Statements<Assumption>,
}

/// The simplest condition that holds at fresh launches, too. `is_fit` says of a condition whether it may be told as
/// far as the first points say.
pub fn established(
    search: &mut Search,
    space: &Space,
    kind: DefectKind,
    here: &Point,
    is_fit: &dyn Fn(&Search, &Condition) -> bool,
) -> Option<Established> {
    // Conditions that were tried at fresh launches, and excluded no more than is right.
    let mut tried: Vec<Condition> = Vec::new();
    for round in 0..ROUNDS {
        let settled = search.settle(Target::Kind(kind));
        let Some(condition) = settled.map(|settled| settled.best.condition) else {
            break;
        };
        if tried.contains(&condition) || !is_fit(search, &condition) {
            tracing::debug!("{}: not fit to be told", condition.text(space));
            break;
        }
        search.budget = POINTS;
        search.judge.allow(STEPS, IN_ONE_RUN);
        let is_tested = is_tested(search, space, &condition, here, round);
        if search.judge.contents_matter() || search.is_out_of_time() {
            return None;
        }
        if is_contradicted_nowhere(search, space, &condition, kind) {
            if !is_tested {
                // Launches that are too large for runs are not too large for a proof.
                return told(search, space, condition, kind).filter(|told| told.is_proved);
            }
            if is_needed(search, &condition) {
                return told(search, space, condition, kind);
            }
            tried.push(condition);
        }
        // The next one is told from its rivals.
        search.budget = POINTS;
        search.judge.allow(STEPS, IN_ONE_RUN);
    }
    // Nothing separates. Of what is enough, what admits most, and all launches of host code that are right.
    tried.retain(|condition| {
        is_contradicted_nowhere(search, space, condition, kind) && search.n_excluded(condition) == 0
    });
    tried.reverse();
    let widest = tried
        .into_iter()
        .max_by_key(|condition| n_safe(search, condition))?;
    told(search, space, widest, kind)
}

/// Judges fresh launches; whether enough of those that meet the condition were decided.
fn is_tested(
    search: &mut Search,
    space: &Space,
    condition: &Condition,
    here: &Point,
    round: u64,
) -> bool {
    let decided = search.points.iter().zip(&search.outcomes);
    let decided =
        decided.filter(|(_, o)| matches!(o, Some(Outcome::Safe { .. } | Outcome::Fails { .. })));
    let fails = search.points.iter().zip(&search.outcomes);
    let fails = fails.filter(|(_, o)| matches!(o, Some(Outcome::Fails { .. })));
    let mut failing: Vec<Point> = vec![here.clone()];
    failing.extend(fails.map(|(point, _)| point.clone()));
    let mut bases: Vec<Point> = decided.map(|(point, _)| point.clone()).collect();
    bases.push(here.clone());
    bases.extend(search.of_host.iter().cloned());
    let is_known = |point: &Point| search.is_known(point);
    let points = fresh::points(space, condition, &is_known, (&failing, &bases), round);
    let indices: Vec<usize> = points
        .into_iter()
        .map(|point| search.place_of(point))
        .collect();
    for batch in indices.chunks(BATCH) {
        search.judge_points(batch.to_vec());
        if search.judge.is_spent() || search.is_out_of_time() {
            break;
        }
    }
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    let mut n_of_each: BTreeMap<fresh::Sort, (usize, usize)> = BTreeMap::new();
    for index in indices {
        let point = &search.points[index];
        let sort = fresh::sort(space, condition, point);
        if !sort.holds {
            continue;
        }
        let outcome = &search.outcomes[index];
        let is_decided = matches!(outcome, Some(Outcome::Safe { .. } | Outcome::Fails { .. }));
        if let Some(Outcome::Unknown { why }) = outcome {
            *open.entry(why).or_default() += 1;
        }
        let n = n_of_each.entry(sort).or_default();
        *n = (n.0 + 1, n.1 + usize::from(is_decided));
    }
    let (n_inside, n_decided) = n_of_each
        .values()
        .fold((0, 0), |(n, m), of_one| (n + of_one.0, m + of_one.1));
    let is_enough = n_decided >= n_inside.min(LEAST)
        && n_of_each
            .values()
            .all(|(_, decided)| *decided >= LEAST_OF_EACH);
    tracing::debug!(
        "{}: {n_decided} of {n_inside} fresh launches decided, enough: {is_enough}; open: {open:?}",
        condition.text(space)
    );
    is_enough
}

/// Whether nothing of the kind showed where the condition is met: in its mathematical meaning, and as the source would
/// have it, whose products wrap around.
fn is_contradicted_nowhere(
    search: &Search,
    space: &Space,
    condition: &Condition,
    kind: DefectKind,
) -> bool {
    let in_source = condition.in_source(space).map(|(_, expression)| expression);
    let fails = |outcome: &Option<Outcome>| matches!(outcome, Some(Outcome::Fails { kinds }) if kinds.contains(&kind));
    let is_met = |point: &Point| {
        let holds = |e: &Expr| eval(e, &mut At { space, point }) == Ok(Value::Bool(true));
        condition.at(point) || in_source.as_ref().is_some_and(holds)
    };
    let mut judged = search.points.iter().zip(&search.outcomes);
    !judged.any(|(point, outcome)| fails(outcome) && is_met(point))
}

/// Whether every launch that is safe meets the condition.
fn is_needed(search: &Search, condition: &Condition) -> bool {
    let is_safe = |outcome: &Option<Outcome>| matches!(outcome, Some(Outcome::Safe { .. }));
    let mut judged = search.points.iter().zip(&search.outcomes);
    judged.all(|(point, outcome)| !is_safe(outcome) || condition.at(point))
}

/// Launches found safe that meet the condition.
fn n_safe(search: &Search, condition: &Condition) -> usize {
    let judged = search.points.iter().zip(&search.outcomes);
    let holds = judged.filter(|(point, outcome)| {
        matches!(outcome, Some(Outcome::Safe { .. })) && condition.at(point)
    });
    holds.count()
}

/// The condition with what is known of it; `None` where a proof runs into a launch that may contradict it.
fn told(
    search: &Search,
    space: &Space,
    condition: Condition,
    kind: DefectKind,
) -> Option<Established> {
    let (prepared, request) = (search.judge.prepared, search.judge.request);
    let mut judge = Judge::new(prepared, space, request);
    judge.properties = vec![kind.property()];
    judge.by_one_run = true;
    let deadline = Deadline::after(PROOF_SECONDS);
    if let Some(point) = may_fail_at(search, &judge, &condition, kind, deadline) {
        tracing::debug!("{}: may fail at {point:?}", condition.text(space));
        return None;
    }
    let attempt = under::prove(&judge, Some(&condition), SOLVER_SECONDS, deadline);
    // What hides behind another defect there is not known.
    if attempt.as_ref().is_some_and(|a| a.is_doubtful) {
        tracing::debug!(
            "{}: a proof runs into a launch at which it may fail",
            condition.text(space)
        );
        return None;
    }
    let is_proved = attempt.as_ref().is_some_and(under::Attempt::is_proof);
    let assumptions = attempt.filter(|_| is_proved).map(|a| a.assumptions);
    Some(Established {
        held_at: n_safe(search, &condition),
        condition,
        is_proved,
        assumptions: assumptions.unwrap_or_default(),
    })
}

/// A launch that meets the condition, that no run decided (it reaches far into arrays that are not kept whole), and at
/// which the solver sees the defect, and no run says that it is not there.
fn may_fail_at(
    search: &Search,
    judge: &Judge,
    condition: &Condition,
    kind: DefectKind,
    deadline: Deadline,
) -> Option<Point> {
    let is_cut = |outcome: &Option<Outcome>| matches!(outcome, Some(Outcome::Unknown { why }) if why == UNDECIDED);
    let judged = search.points.iter().zip(&search.outcomes);
    let open = judged.filter(|(point, outcome)| is_cut(outcome) && condition.at(point));
    let mut open: Vec<&Point> = open.map(|(point, _)| point).collect();
    // Those with the largest numbers first: what reaches far may wrap around.
    open.sort_by_key(|point| std::cmp::Reverse(point.iter().map(|v| v.unsigned_abs()).max()));
    let may_fail = |point: &&&Point| {
        deadline.left() > 0.0 && judge.may_fail(point, kind, SECONDS_OF_EACH, deadline)
    };
    open.iter()
        .take(ASKED)
        .find(may_fail)
        .map(|point| (*point).clone())
}

/// A point as what an expression of the source is evaluated in.
struct At<'a> {
    space: &'a Space,
    point: &'a Point,
}

impl At<'_> {
    fn of(&self, wanted: Variable) -> Option<Value> {
        let at = self.space.find(wanted)?;
        let value = *self.point.get(at)?;
        Some(match self.space.dimensions[at].ty {
            ScalarType::Bool => Value::Bool(value != 0),
            ty => Value::int(ty, i128::from(value)),
        })
    }
}

impl Env for At<'_> {
    fn var(&self, var: VarId) -> Value {
        self.of(Variable::Scalar(var)).unwrap_or(Value::Undef)
    }

    fn builtin(&self, builtin: Builtin) -> Value {
        let variable = |axis: Axis, is_block: bool| match is_block {
            true => Variable::BlockDim(axis),
            false => Variable::GridDim(axis),
        };
        let found = match builtin {
            Builtin::BlockDim(axis) => self.of(variable(axis, true)),
            Builtin::GridDim(axis) => self.of(variable(axis, false)),
            _ => None,
        };
        found.unwrap_or(Value::Undef)
    }

    fn array(&self, _: ArrayId) -> ArrayRef {
        ArrayRef::Null
    }

    fn load(&mut self, _: Pointer, _: ScalarType) -> Result<Value, FaultKind> {
        Ok(Value::Undef)
    }
}
