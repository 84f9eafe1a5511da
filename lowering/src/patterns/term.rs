//! Host operators as terms, and the high sides that match and build them.

use std::collections::BTreeMap;

/// A host operator or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// Text of the target, mostly an expression.
    Text(String),
    /// A constructor by its name, with its parts.
    App(String, Vec<Term>),
    /// Several terms in order.
    List(Vec<Term>),
    /// What a lifted text did not say.
    Open,
}

impl Term {
    /// The constructor `name` with its parts.
    pub fn app(name: &str, parts: Vec<Term>) -> Term {
        Term::App(name.to_owned(), parts)
    }

    /// A text of the target.
    pub fn text(text: impl Into<String>) -> Term {
        Term::Text(text.into())
    }

    /// The one term that says what both say; none if they disagree.
    pub(super) fn merged(&self, other: &Term) -> Option<Term> {
        Some(match (self, other) {
            (Term::Open, known) | (known, Term::Open) => known.clone(),
            (Term::Text(a), Term::Text(b)) if a == b => self.clone(),
            (Term::App(a, xs), Term::App(b, ys)) if a == b => Term::App(a.clone(), all(xs, ys)?),
            (Term::List(xs), Term::List(ys)) => Term::List(all(xs, ys)?),
            _ => return None,
        })
    }

    /// Calls `change` on every part, innermost first.
    pub(super) fn change(&mut self, change: &mut impl FnMut(&mut Term)) {
        if let Term::App(_, parts) | Term::List(parts) = self {
            parts.iter_mut().for_each(|part| part.change(change));
        }
        change(self);
    }
}

fn all(xs: &[Term], ys: &[Term]) -> Option<Vec<Term>> {
    if xs.len() != ys.len() {
        return None;
    }
    xs.iter().zip(ys).map(|(x, y)| x.merged(y)).collect()
}

/// The high side of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum High {
    Var(String),
    App(String, Vec<High>),
    /// A text that is just so: `0`.
    Literal(String),
}

/// What metavariables stand for.
pub(super) type Bindings = BTreeMap<String, Term>;

impl High {
    /// Whether the term has this form; notes what the metavariables are.
    pub(super) fn matches(&self, term: &Term, bindings: &mut Bindings) -> bool {
        match (self, term) {
            (High::Var(name), _) => bind(bindings, name, term.clone()),
            (High::Literal(wanted), Term::Text(text)) => wanted == text,
            (High::App(name, parts), Term::App(other, terms)) => {
                name == other
                    && parts.len() == terms.len()
                    && parts.iter().zip(terms).all(|(p, t)| p.matches(t, bindings))
            }
            _ => false,
        }
    }

    /// The term this form makes; metavariables without a value are open.
    pub(super) fn build(&self, bindings: &Bindings) -> Term {
        match self {
            High::Var(name) => bindings.get(name).cloned().unwrap_or(Term::Open),
            High::Literal(text) => Term::Text(text.clone()),
            High::App(name, parts) => Term::App(
                name.clone(),
                parts.iter().map(|p| p.build(bindings)).collect(),
            ),
        }
    }

    pub(super) fn vars<'a>(&'a self, found: &mut Vec<&'a str>) {
        match self {
            High::Var(name) => found.push(name),
            High::Literal(_) => {}
            High::App(_, parts) => parts.iter().for_each(|part| part.vars(found)),
        }
    }
}

/// Binds a metavariable, or compares with what it is already; false if they disagree.
pub(super) fn bind(bindings: &mut Bindings, name: &str, term: Term) -> bool {
    let merged = match bindings.get(name) {
        Some(known) => known.merged(&term),
        None => Some(term),
    };
    let Some(merged) = merged else {
        return false;
    };
    bindings.insert(name.to_owned(), merged);
    true
}

/// The operators the printer knows, with the number of their parts. Patterns speak of no others.
pub(super) const OPERATORS: &[(&str, usize)] = &[
    // A whole file: the loaded kernels' file, headers for `assert` and for grid barriers, kernels.
    ("prologue", 4),
    ("epilogue", 0),
    ("asserts", 0),
    ("grid_barriers", 0),
    ("kernel", 2),
    ("function", 0),
    // Memory. `…_declared`: the pointer's declaration, its name, bytes.
    ("init_gpu", 0),
    ("alloc_gpu", 2),
    ("alloc_gpu_declared", 3),
    ("alloc_pinned", 2),
    ("alloc_pinned_declared", 3),
    ("alloc_managed", 2),
    ("alloc_managed_declared", 3),
    ("alloc_host", 3),
    ("free_gpu", 1),
    ("free_pinned", 1),
    ("free_managed", 1),
    ("free_host", 1),
    // To, from, bytes; a stream.
    ("copy_gpu", 3),
    ("copy_back", 3),
    ("copy_on_gpu", 3),
    ("copy_host", 3),
    ("copy_to_symbol", 3),
    ("copy_from_symbol", 3),
    ("copy_gpu_async", 4),
    ("copy_back_async", 4),
    ("copy_on_gpu_async", 4),
    ("copy_host_async", 4),
    // Kernel, grid, block, bytes of shared memory, stream or `none()`, arguments.
    ("call_gpu", 6),
    ("call_gpu_cooperative", 6),
    ("extents", 3),
    ("none", 0),
    // Type of the parameter (its elements), value, position, kernel.
    ("value_argument", 4),
    ("pointer_argument", 4),
    // A pointer of the host's kind, into memory that the device reaches as well.
    ("managed", 1),
    ("local_argument", 3),
    ("sync_gpu", 0),
    ("set_device", 1),
    ("stream_create", 1),
    ("stream_create_non_blocking", 1),
    ("stream_destroy", 1),
    ("stream_sync", 1),
    ("event_create", 1),
    ("event_destroy", 1),
    ("event_sync", 1),
    ("event_record", 2),
    ("stream_wait", 2),
    // Declarations and expressions.
    ("gpu_pointer", 2),
    ("const_pointer", 2),
    ("null", 0),
    ("bool", 0),
    ("i8", 0),
    ("i16", 0),
    ("i32", 0),
    ("i64", 0),
    ("u8", 0),
    ("u16", 0),
    ("u32", 0),
    ("u64", 0),
    ("f32", 0),
    ("f64", 0),
];

/// Kinds of patterns the printer asks for, and lifting tries everywhere but the first two.
pub(super) const STATEMENT: &str = "statement";
pub(super) const DECLARATION: &str = "declaration";
pub(super) const EXPRESSION: &str = "expression";
pub(super) const TYPE: &str = "type";
pub(super) const PROLOGUE: &str = "prologue";
pub(super) const EPILOGUE: &str = "epilogue";
