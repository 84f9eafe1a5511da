//! What is known of the values of host code, and where they lie.

use clang_ast::Id;
use gridlock_semantics::algebra::expr::Expr;
use std::collections::{BTreeMap, HashMap};

/// How a statement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Next,
    Break,
    Continue,
    Return,
    /// No run goes on from here: `exit`, or conditions that exclude each other.
    Never,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// Nothing yet. A number of which nothing is known becomes an input where it is read.
    Nothing,
    /// It comes from where nothing can be read: a parameter of a function of which no caller is walked, what a function
    /// of a library gives. It may be anything.
    Open,
    /// A number, in terms of the inputs.
    Number(Expr),
    /// A struct, by member; of members that are not here nothing is known.
    Members(BTreeMap<String, Known>),
    /// An array, element by element.
    Elements(Vec<Known>),
    /// The address of a variable, or of a part of one.
    Address(Place),
}

impl Known {
    pub fn number(&self) -> Option<&Expr> {
        match self {
            Known::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// A variable, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub variable: Id,
    pub path: Vec<Step>,
}

/// From a value to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Member(String),
    Element(usize),
}

impl Place {
    pub fn of(variable: Id) -> Place {
        Place {
            variable,
            path: Vec::new(),
        }
    }

    pub fn part(mut self, step: Step) -> Place {
        self.path.push(step);
        self
    }
}

/// What holds at a point of the walk.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    values: im::HashMap<Id, Known>,
    /// The conditions on the way here; `None` for one that cannot be written in terms of the inputs.
    pub path: Vec<Option<Expr>>,
    /// What the function that is read gives back, once it has.
    pub returned: Option<Known>,
}

impl State {
    /// What a place holds; `None` where its variable was never given anything.
    pub fn read(&self, place: &Place) -> Option<Known> {
        let mut found = self.values.get(&place.variable)?;
        for step in &place.path {
            let part = match (step, found) {
                (Step::Member(name), Known::Members(members)) => members.get(name),
                (Step::Element(at), Known::Elements(elements)) => elements.get(*at),
                _ => None,
            };
            match part {
                Some(part) => found = part,
                None if *found == Known::Open => return Some(Known::Open),
                None => return Some(Known::Nothing),
            }
        }
        Some(found.clone())
    }

    pub fn write(&mut self, place: &Place, value: Known) {
        let mut at = self.values.entry(place.variable).or_insert(Known::Nothing);
        for step in &place.path {
            if let (Step::Member(_), Known::Nothing | Known::Open) = (step, &*at) {
                *at = Known::Members(BTreeMap::new());
            }
            let fits = match (step, &*at) {
                (Step::Member(_), Known::Members(_)) => true,
                (Step::Element(index), Known::Elements(elements)) => *index < elements.len(),
                _ => false,
            };
            if !fits {
                // Which part it is cannot be told.
                *at = Known::Nothing;
                return;
            }
            at = match (step, at) {
                (Step::Member(name), Known::Members(members)) => {
                    members.entry(name.clone()).or_insert(Known::Nothing)
                }
                (Step::Element(index), Known::Elements(elements)) => &mut elements[*index],
                (_, at) => at,
            };
        }
        *at = value;
    }

    /// Forgets what a variable holds.
    pub fn forget(&mut self, variable: Id) {
        self.values.insert(variable, Known::Nothing);
    }

    /// The variables that were given something.
    pub fn variables(&self) -> impl Iterator<Item = Id> {
        self.values.keys().copied()
    }

    /// What holds behind two ways, the first of which is taken where `condition` holds. `numbers`: the order of the
    /// variables, since each may become an input.
    pub fn joined(
        numbers: &HashMap<Id, u32>,
        condition: Option<&Expr>,
        one: State,
        other: State,
        choose: &mut dyn FnMut(Option<&Expr>, &Expr, &Expr) -> Known,
    ) -> State {
        let mut joined = State::default();
        let in_common = one.path.iter().zip(&other.path);
        let in_common = in_common.take_while(|(a, b)| a == b).count();
        joined.path = one.path[..in_common].to_vec();
        let mut join = |a: &Known, b: &Known| either(condition, a, b, choose);
        // Most hold the same behind both.
        let mut values = other.values;
        let mut differing: Vec<(Id, &Known, Option<Known>)> = Vec::new();
        for (variable, a) in &one.values {
            let b = values.get(variable);
            if b != Some(a) {
                differing.push((*variable, a, b.cloned()));
            }
        }
        differing.sort_by_key(|(id, ..)| numbers.get(id).copied().unwrap_or(u32::MAX));
        for (variable, a, b) in differing {
            let value = match b {
                Some(b) => join(a, &b),
                // A variable of a block that the other way does not enter.
                None => a.clone(),
            };
            values.insert(variable, value);
        }
        joined.values = values;
        joined.returned = match (&one.returned, &other.returned) {
            (Some(a), Some(b)) => Some(join(a, b)),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        joined
    }
}

fn either(
    condition: Option<&Expr>,
    a: &Known,
    b: &Known,
    choose: &mut dyn FnMut(Option<&Expr>, &Expr, &Expr) -> Known,
) -> Known {
    match (a, b) {
        _ if a == b => a.clone(),
        (Known::Number(a), Known::Number(b)) if a.ty == b.ty => choose(condition, a, b),
        (Known::Members(a), Known::Members(b)) => {
            let mut both = BTreeMap::new();
            for (name, a) in a {
                if let Some(b) = b.get(name) {
                    both.insert(name.clone(), either(condition, a, b, choose));
                }
            }
            Known::Members(both)
        }
        (Known::Elements(a), Known::Elements(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b);
            Known::Elements(
                pairs
                    .map(|(a, b)| either(condition, a, b, choose))
                    .collect(),
            )
        }
        _ => Known::Nothing,
    }
}
