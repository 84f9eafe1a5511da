//! Comparing what two programs may do.

use crate::equiv::differences::{Differences, Seen};
use crate::equiv::map::{MapError, ObservationMap};
use crate::equiv::relate::{Unrelated, first_difference};
use crate::equiv::sides::{NamesOfSides, Sides};
use crate::explore::{Exploration, Outcome};
use crate::finding::ScheduleStep;
use crate::report::tolerance::{LargestDifference, Tolerance, larger};
use crate::report::witness::ObservedCell;
use crate::verdict::Reason;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::system::observation::Observation;
use std::collections::BTreeMap;

/// The outcomes of one side over the schedules tried, each with a schedule that leads to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutcomeSet {
    /// Each outcome seen, with a schedule that leads to it; empty where any schedule does.
    pub outcomes: BTreeMap<Outcome, Vec<ScheduleStep>>,
    /// No schedule was left out.
    pub complete: bool,
    /// A race, a deadlock or another defect was found on this side.
    pub defective: bool,
}

impl OutcomeSet {
    /// The one outcome of a run that speaks for all schedules.
    pub fn deterministic(observation: Observation) -> OutcomeSet {
        OutcomeSet {
            outcomes: BTreeMap::from([(Outcome::Observation(observation), Vec::new())]),
            complete: true,
            defective: false,
        }
    }
}

impl From<&Exploration> for OutcomeSet {
    fn from(exploration: &Exploration) -> OutcomeSet {
        OutcomeSet {
            outcomes: exploration.outcomes.clone(),
            complete: exploration.complete,
            defective: !exploration.findings.is_empty(),
        }
    }
}

/// The theory floats are compared in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Modulo {
    /// Bit by bit (all NaNs are one).
    #[default]
    Exact,
    /// Up to associativity and commutativity of `+` and `*`. On final values alone this cannot be
    /// judged where they differ: then the answer is unknown.
    AssocComm,
    /// As real numbers, for which final values that differ say nothing either.
    Reals,
}

/// How to compare.
#[derive(Clone, Default)]
pub struct CompareOptions<'a> {
    /// The theory floats are compared in.
    pub modulo: Modulo,
    /// How far floats may lie apart; bit by bit without. Not beside a theory.
    pub tolerance: Option<Tolerance>,
    /// Integers, or which way a program goes, may follow from floats.
    pub floats_decide: bool,
    /// Compare even when the old side is itself defective.
    pub allow_source_defects: bool,
    /// What names in the map stand for.
    pub constants: BTreeMap<String, i64>,
    /// What the cells of the two programs are called; without, they are numbered.
    pub names: Option<NamesOfSides<'a>>,
}

/// An outcome of one side that the other side does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What the new side does; for [`Comparison::Refines`], what it never does is in `old`.
    pub new: Option<Outcome>,
    /// A schedule that leads to `new`.
    pub new_schedule: Vec<ScheduleStep>,
    /// The outcome of the old side that comes closest.
    pub old: Option<Outcome>,
    /// A schedule that leads to `old`.
    pub old_schedule: Vec<ScheduleStep>,
    /// The relation of the map that fails, `new.out[3] == old.out[96]`; empty when the sides end
    /// in different ways.
    pub relation: String,
    /// Array and index of the new side, where cells differ.
    pub array: Option<String>,
    /// In elements; see [`Difference::array`].
    pub index: Option<i64>,
    /// Both values, where cells differ; `None` for an element that side does not have.
    pub new_value: Option<Value>,
    /// As [`Difference::new_value`], of the old side.
    pub old_value: Option<Value>,
    /// What each side leaves where the relation speaks of it.
    pub new_cells: Vec<ObservedCell>,
    /// As [`Difference::new_cells`], of the old side.
    pub old_cells: Vec<ObservedCell>,
    /// Of the floats that differ between these two outcomes.
    pub largest: Option<LargestDifference>,
    /// One sentence.
    pub message: String,
}

/// How two sides compare.
#[derive(Clone, Debug, PartialEq)]
pub enum Comparison {
    /// The same outcomes on both sides.
    Equivalent {
        /// Of floats that differ within the tolerance.
        largest: Option<LargestDifference>,
        /// How many values were compared. Of none nothing is shown.
        n_compared: u64,
    },
    /// Everything the new side does the old side may do, but not the other way round.
    Refines {
        /// What the old side may do and the new side never does.
        missing: Box<Difference>,
    },
    /// The new side does something the old side never does.
    Different(Box<Difference>),
    /// Nothing can be said.
    Unknown {
        /// Why, as a closed word.
        reason: Reason,
        /// One sentence.
        why: String,
        /// What lies apart, if floats do whose sums another order may round otherwise.
        apart: Option<Box<Difference>>,
    },
}

/// Compares all outcomes of the new side with those of the old side.
///
/// # Errors
/// The map does not fit what is observed.
pub fn compare_outcomes(
    new: &OutcomeSet,
    old: &OutcomeSet,
    map: &ObservationMap,
    options: &CompareOptions<'_>,
) -> Result<Comparison, MapError> {
    if old.defective && !options.allow_source_defects {
        return Ok(Comparison::Unknown {
            reason: Reason::SourceDefective,
            why: "the original is itself defective on this input".to_owned(),
            apart: None,
        });
    }
    let mut largest = None;
    let mut n_compared = 0;
    if old.complete {
        match unmatched(new, old, Direction::New, map, options)? {
            Matching::Misses(difference) => {
                return Ok(judge_floats(*difference, options, Comparison::Different));
            }
            Matching::All(seen) => (largest, n_compared) = (seen.largest, seen.n_compared),
        }
    }
    if !old.complete || !new.complete {
        let side = if old.complete { "new" } else { "old" };
        return Ok(Comparison::Unknown {
            reason: Reason::Limit,
            why: format!("not every schedule of the {side} side was tried"),
            apart: None,
        });
    }
    Ok(match unmatched(old, new, Direction::Old, map, options)? {
        Matching::All(seen) => Comparison::Equivalent {
            largest: larger(largest, seen.largest, options.tolerance.as_ref()),
            n_compared: n_compared + seen.n_compared,
        },
        Matching::Misses(missing) => {
            judge_floats(*missing, options, |missing| Comparison::Refines { missing })
        }
    })
}

/// Floats that differ say nothing when compared modulo a theory.
fn judge_floats(
    difference: Difference,
    options: &CompareOptions<'_>,
    claim: impl Fn(Box<Difference>) -> Comparison,
) -> Comparison {
    let is_float = |value: Option<Value>| {
        let ty = value.and_then(Value::scalar_type);
        ty.is_some_and(ScalarType::is_float)
    };
    if options.modulo != Modulo::Exact
        && (options.floats_decide
            || is_float(difference.new_value)
            || is_float(difference.old_value))
    {
        return Comparison::Unknown {
            reason: Reason::Unsupported,
            why: match is_float(difference.new_value) || is_float(difference.old_value) {
                true => format!(
                    "floats differ in their bits ({}), and final values do not show whether they are \
                     {}",
                    difference.relation,
                    match options.modulo {
                        Modulo::Reals => "the same real numbers",
                        _ => "sums of the same terms",
                    }
                ),
                false => format!(
                    "{}, but floats decide what these programs do, and another way to compute them may \
                     round them otherwise",
                    difference.message
                ),
            },
            apart: Some(Box::new(difference)),
        };
    }
    claim(Box::new(difference))
}

/// Whose outcomes are looked for on the other side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    New,
    Old,
}

/// Whether every outcome has one it is related to.
enum Matching {
    /// It has; and what was met in these.
    All(Seen),
    /// The first that has none.
    Misses(Box<Difference>),
}

/// The first outcome of `from` that no outcome of `among` is related to.
fn unmatched(
    from: &OutcomeSet,
    among: &OutcomeSet,
    direction: Direction,
    map: &ObservationMap,
    options: &CompareOptions<'_>,
) -> Result<Matching, MapError> {
    let mut met = Seen::default();
    for (outcome, schedule) in &from.outcomes {
        let mut closest: Option<(&Outcome, &Vec<ScheduleStep>, Unrelated)> = None;
        let mut largest_of_closest = None;
        let mut matched = false;
        for (other, other_schedule) in &among.outcomes {
            match relate(outcome, other, direction, map, options)? {
                Related::Yes(seen) => {
                    met.n_compared += seen.n_compared;
                    met.largest = larger(met.largest, seen.largest, options.tolerance.as_ref());
                    matched = true;
                    break;
                }
                Related::Differ(unrelated, seen) => {
                    let further = |seen: &Unrelated| seen.index < unrelated.index;
                    if closest.as_ref().is_none_or(|(_, _, seen)| further(seen)) {
                        largest_of_closest = seen;
                        closest = Some((other, other_schedule, unrelated));
                    }
                }
                Related::OtherEnd => {}
            }
        }
        if !matched {
            let first = among.outcomes.iter().next();
            let other = closest.as_ref().map(|(o, s, _)| (*o, *s)).or(first);
            let unrelated = closest.map(|(_, _, unrelated)| unrelated);
            let mut difference = describe((outcome, schedule), other, unrelated, direction);
            if let Some(tolerance) = &options.tolerance {
                let within = format!("does not hold within {tolerance}:");
                difference.message = difference.message.replacen("does not hold:", &within, 1);
            }
            difference.largest = largest_of_closest;
            return Ok(Matching::Misses(Box::new(difference)));
        }
    }
    Ok(Matching::All(met))
}

enum Related {
    /// With what was met, whose floats the tolerance admits.
    Yes(Seen),
    /// With the largest difference of floats.
    Differ(Unrelated, Option<LargestDifference>),
    /// One ends in a defect or elsewhere than the other.
    OtherEnd,
}

fn relate(
    outcome: &Outcome,
    other: &Outcome,
    direction: Direction,
    map: &ObservationMap,
    options: &CompareOptions<'_>,
) -> Result<Related, MapError> {
    let (new, old) = match direction {
        Direction::New => (outcome, other),
        Direction::Old => (other, outcome),
    };
    Ok(match (new, old) {
        (Outcome::Observation(new), Outcome::Observation(old)) => {
            let sides = Sides {
                new,
                old,
                constants: &options.constants,
                names: options.names,
                differences: Differences::new(options.tolerance),
            };
            let found = first_difference(&sides, map)?;
            let seen = sides.differences.into_seen();
            match found {
                None => Related::Yes(seen),
                Some(unrelated) => Related::Differ(unrelated, seen.largest),
            }
        }
        (Outcome::Fault { kind: a, .. }, Outcome::Fault { kind: b, .. }) if a == b => {
            Related::Yes(Seen::one())
        }
        (Outcome::Deadlock, Outcome::Deadlock) => Related::Yes(Seen::one()),
        _ => Related::OtherEnd,
    })
}

fn describe(
    outcome: (&Outcome, &Vec<ScheduleStep>),
    other: Option<(&Outcome, &Vec<ScheduleStep>)>,
    unrelated: Option<Unrelated>,
    direction: Direction,
) -> Difference {
    let owned = |side: Option<(&Outcome, &Vec<ScheduleStep>)>| match side {
        Some((outcome, schedule)) => (Some(outcome.clone()), schedule.clone()),
        None => (None, Vec::new()),
    };
    let (new, old) = match direction {
        Direction::New => (Some(outcome), other),
        Direction::Old => (other, Some(outcome)),
    };
    let message = message(outcome.0, unrelated.as_ref(), direction);
    let unrelated = unrelated.unwrap_or(Unrelated {
        relation: String::new(),
        array: None,
        index: None,
        new_value: None,
        old_value: None,
        new_cells: Vec::new(),
        old_cells: Vec::new(),
    });
    let (new, new_schedule) = owned(new);
    let (old, old_schedule) = owned(old);
    Difference {
        new,
        new_schedule,
        old,
        old_schedule,
        relation: unrelated.relation,
        array: unrelated.array,
        index: unrelated.index,
        new_value: unrelated.new_value,
        old_value: unrelated.old_value,
        new_cells: unrelated.new_cells,
        old_cells: unrelated.old_cells,
        largest: None,
        message,
    }
}

fn message(outcome: &Outcome, unrelated: Option<&Unrelated>, direction: Direction) -> String {
    let (who, whom) = match direction {
        Direction::New => ("new", "old"),
        Direction::Old => ("old", "new"),
    };
    let shown = |value: Option<Value>| match value {
        None => "nothing".to_owned(),
        Some(Value::Undef) => "a value never written".to_owned(),
        Some(value) => value.to_string(),
    };
    match (outcome, unrelated) {
        (Outcome::Observation(_), Some(u)) if u.relation.is_empty() => format!(
            "array `{}` is observed on one side only",
            u.array.as_deref().unwrap_or_default()
        ),
        (Outcome::Observation(_), Some(u)) => format!(
            "`{}` does not hold: the new program leaves {}, the old one {}",
            u.relation,
            shown(u.new_value),
            shown(u.old_value)
        ),
        (Outcome::Observation(_), None) => {
            format!("the {who} program comes to its end, the {whom} one never does")
        }
        (Outcome::Fault { kind, .. }, _) => format!(
            "the {who} program runs into a defect ({}), the {whom} one does not",
            kind.name()
        ),
        (Outcome::Deadlock, _) => {
            format!("the {who} program may come to a deadlock, the {whom} one does not")
        }
    }
}
