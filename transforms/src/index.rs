//! Which rules may match a term: a discrimination net over their left sides, so that a step tries no other.
//!
//! A left side is a string, the heads of its parts in the order of a walk with a star for what any term may
//! stand for; the net is the tree of these strings, and a walk over the term with all ways open finds the
//! rules whose strings fit (McCune, *Experiments with discrimination-tree indexing*, JAR 1992). The net
//! errs on one side: operands that may change places, runs and whatever the matcher looks through are stars.
//! A source of several statements is found by its first statement that has a head, among those of a block.

use crate::language::pattern::{Pattern, PatternKind};
use crate::matching::matcher::peel;
use crate::rules::RuleSystem;
use crate::terms::term::{BinaryOp, Functor, Term, TermKind};
use gridlock_semantics::algebra::operator::{AllocSpace, Head};

/// What stands at the head of a term, as far as patterns tell heads apart.
#[derive(Clone, Debug, PartialEq)]
enum Key {
    Compound(Functor, usize),
    /// Of any element type.
    Alloc,
    List(usize),
    Int(i128),
}

/// A left side.
enum Shape {
    Any,
    Head(Key, Vec<Shape>),
}

#[derive(Debug, Default)]
struct State {
    heads: Vec<(Key, usize)>,
    star: Option<usize>,
    /// Rules whose left sides end here.
    rules: Vec<usize>,
}

#[derive(Debug)]
struct Net {
    states: Vec<State>,
}

/// Rules by their left sides.
#[derive(Debug)]
pub struct Index {
    /// Left sides that match the term itself.
    whole: Net,
    /// Those that match a run of its statements.
    inside: Net,
    n_rules: usize,
}

/// Rules of a system, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates(Vec<bool>);

impl Candidates {
    pub fn holds(&self, rule: usize) -> bool {
        self.0.get(rule).copied().unwrap_or(true)
    }
}

impl Index {
    pub fn new(system: &RuleSystem) -> Index {
        let mut index = Index {
            whole: Net::new(),
            inside: Net::new(),
            n_rules: system.rules().len(),
        };
        let moving: Vec<BinaryOp> = [system.commutative(), system.associative()].concat();
        for (number, rule) in system.rules().iter().enumerate() {
            match &rule.source.kind {
                PatternKind::Statements(items) => match items.as_slice() {
                    [only] if !matches!(only.kind, PatternKind::Run(_)) => {
                        index.whole.add(&shape(only, &moving), number);
                    }
                    several => {
                        let mut shapes = several.iter().map(|item| shape(item, &moving));
                        let first = shapes.find(|shape| matches!(shape, Shape::Head(..)));
                        match first {
                            Some(first) => index.inside.add(&first, number),
                            None => index.whole.add(&Shape::Any, number),
                        }
                    }
                },
                _ => index.whole.add(&shape(&rule.source, &moving), number),
            }
        }
        index
    }

    /// The rules that may match `term`; no other does.
    pub fn candidates(&self, term: &Term) -> Candidates {
        let mut found = vec![false; self.n_rules];
        self.whole.search(term, &mut found);
        if !self.inside.is_empty() && term.is_operator() {
            match term.args_of(&Functor::Seq) {
                Some(_) => {
                    for statement in term.statements() {
                        self.inside.search(&statement, &mut found);
                    }
                }
                None => self.inside.search(term, &mut found),
            }
        }
        Candidates(found)
    }
}

fn shape(pattern: &Pattern, moving: &[BinaryOp]) -> Shape {
    use PatternKind as P;
    let any = |n: usize| (0..n).map(|_| Shape::Any).collect::<Vec<_>>();
    let all = |parts: &[&Pattern]| parts.iter().map(|part| shape(part, moving)).collect();
    let is_run = |part: &Pattern| matches!(part.kind, P::Run(_));
    match &pattern.kind {
        P::Int { value, .. } => Shape::Head(Key::Int(*value), vec![]),
        P::List(items) if !items.iter().any(is_run) => {
            let items: Vec<&Pattern> = items.iter().collect();
            Shape::Head(Key::List(items.len()), all(&items))
        }
        P::App(functor, args) if !args.iter().any(is_run) => {
            let key = Key::Compound(functor.clone(), args.len());
            let args: Vec<&Pattern> = args.iter().collect();
            match functor {
                Functor::Binary(op) if moving.contains(op) => Shape::Head(key, any(args.len())),
                _ => Shape::Head(key, all(&args)),
            }
        }
        // Of these the operands are any number; the operator is one of two.
        P::App(Functor::Binary(op), _) => {
            Shape::Head(Key::Compound(Functor::Binary(*op), 2), any(2))
        }
        P::Assign { value, .. } => {
            let parts = vec![Shape::Any, shape(value, moving)];
            Shape::Head(Key::Compound(Functor::Basic(Head::Assign), 2), parts)
        }
        P::For {
            init, cond, step, ..
        } => {
            let mut parts = vec![Shape::Any];
            parts.extend([init, cond, step].map(|part| shape(part, moving)));
            parts.push(Shape::Any);
            Shape::Head(Key::Compound(Functor::For, 5), parts)
        }
        P::Alloc(..) => Shape::Head(Key::Alloc, any(2)),
        P::Launch { grid, .. } => match grid.is_empty() {
            true => Shape::Head(Key::Compound(Functor::Call, 3), any(3)),
            false => Shape::Head(
                Key::Compound(Functor::Basic(Head::CallGpu(false)), 5),
                any(5),
            ),
        },
        P::Procedure { kind, .. } => {
            Shape::Head(Key::Compound(Functor::Procedure(*kind), 5), any(5))
        }
        _ => Shape::Any,
    }
}

/// The heads under which a term is looked for.
fn is_key(key: &Key, term: &Term) -> bool {
    match (key, term.kind()) {
        (Key::Compound(functor, n_args), TermKind::App(head, args)) => {
            head == functor && args.len() == *n_args
        }
        (Key::Alloc, TermKind::App(Functor::Basic(Head::Alloc(_, AllocSpace::Global)), _)) => true,
        (Key::List(n), TermKind::List(items)) => items.len() == *n,
        (Key::Int(value), _) => term.as_integer() == Some(*value),
        _ => false,
    }
}

impl Net {
    fn new() -> Net {
        Net {
            states: vec![State::default()],
        }
    }

    fn is_empty(&self) -> bool {
        self.states.len() == 1
    }

    fn add(&mut self, shape: &Shape, rule: usize) {
        let end = self.insert(0, shape);
        self.states[end].rules.push(rule);
    }

    fn insert(&mut self, at: usize, shape: &Shape) -> usize {
        let known = match shape {
            Shape::Any => self.states[at].star,
            Shape::Head(key, _) => {
                let heads = &self.states[at].heads;
                heads.iter().find(|(own, _)| own == key).map(|(_, s)| *s)
            }
        };
        let next = known.unwrap_or_else(|| {
            self.states.push(State::default());
            let next = self.states.len() - 1;
            match shape {
                Shape::Any => self.states[at].star = Some(next),
                Shape::Head(key, _) => self.states[at].heads.push((key.clone(), next)),
            }
            next
        });
        match shape {
            Shape::Any => next,
            Shape::Head(_, parts) => parts.iter().fold(next, |at, part| self.insert(at, part)),
        }
    }

    fn search(&self, term: &Term, found: &mut [bool]) {
        self.walk(0, &mut vec![term], found);
    }

    fn walk(&self, at: usize, open: &mut Vec<&Term>, found: &mut [bool]) {
        let state = &self.states[at];
        let Some(term) = open.pop() else {
            for rule in &state.rules {
                found[*rule] = true;
            }
            return;
        };
        if let Some(next) = state.star {
            self.walk(next, open, found);
        }
        let peeled = peel(term);
        for (key, next) in &state.heads {
            if is_key(key, peeled) {
                let before = open.len();
                if !matches!(key, Key::Int(_)) {
                    open.extend(peeled.children().iter().rev());
                }
                self.walk(*next, open, found);
                // A thread that returns leaves what it found.
                open.truncate(before);
            }
        }
        open.push(term);
    }
}
