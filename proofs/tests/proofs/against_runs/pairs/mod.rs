//! Random pairs of kernels, of which one is the other, changed in steps that keep what it does and, in two of three pairs, in
//! some that seldom do. Most are free of defects.

mod reals;
mod words;

use super::Rng;
use std::fmt::Write;

/// Threads of the block, and elements of shared memory.
pub const N: u64 = 4;
/// Pairs that are read together.
pub const TOGETHER: u64 = 25;

#[derive(Clone)]
pub enum Expr {
    Leaf(String),
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Shared(Box<Expr>),
}

#[derive(Clone)]
pub enum Step {
    Set(&'static str, Expr),
    Out(Expr, Expr),
    Put(Expr, Expr),
    Sum(Expr),
    Barrier,
    If(Expr, Vec<Step>, Vec<Step>),
    Repeat(u64, Vec<Step>),
    Leave(Expr),
}

use Expr::{Binary, Choice, Leaf, Not, Shared};

/// What kernels compute with.
pub struct Kind {
    /// An expression of at most this depth.
    pub expr: fn(&mut Rng, u32) -> Expr,
    /// A place among four, now and then outside.
    pub place: fn(&mut Rng) -> Expr,
    /// What is asked in a branch.
    pub cond: fn(&mut Rng) -> Expr,
    /// Whether threads add to one cell.
    pub has_sums: bool,
    /// Another way to write the same.
    pub same: fn(&mut Rng, &mut Expr),
    /// Something else, mostly.
    pub other: fn(&mut Rng, &mut Expr),
    /// Whether numbers of cells are written in other ways, too.
    pub changes_places: bool,
}

pub fn leaf(text: impl ToString) -> Expr {
    Leaf(text.to_string())
}

pub fn boxed(op: &'static str, a: Expr, b: Expr) -> Expr {
    Binary(op, Box::new(a), Box::new(b))
}

/// Where a thread writes, mostly its own.
fn own(rng: &mut Rng, kind: &Kind) -> Expr {
    match rng.roll(12) {
        0 => (kind.place)(rng),
        1 => boxed("-", leaf(N - 1), leaf("t")),
        _ => leaf("t"),
    }
}

fn steps(rng: &mut Rng, count: u64, depth: u32, kind: &Kind) -> Vec<Step> {
    let mut all = Vec::new();
    for _ in 0..count {
        match rng.roll(16) {
            0..=4 => {
                let name = *rng.pick(&["u", "v", "u", "v", "w"]);
                all.push(Step::Set(name, (kind.expr)(rng, 2)));
            }
            5..=6 => all.push(Step::Out(own(rng, kind), (kind.expr)(rng, 3))),
            7..=8 if depth == 2 || rng.roll(4) == 0 => {
                // What others read is mostly put between two barriers.
                let fences = if depth == 2 { rng.roll(24) } else { 24 };
                if fences > 0 && depth == 2 {
                    all.push(Step::Barrier);
                }
                all.push(Step::Put(own(rng, kind), (kind.expr)(rng, 2)));
                if fences > 1 && depth == 2 {
                    all.push(Step::Barrier);
                }
            }
            9 if kind.has_sums => all.push(Step::Sum((kind.expr)(rng, 2))),
            10..=12 if depth > 0 => {
                let cond = (kind.cond)(rng);
                let then = {
                    let n = 1 + rng.roll(2);
                    steps(rng, n, depth - 1, kind)
                };
                let otherwise = {
                    let n = rng.roll(2);
                    steps(rng, n, depth - 1, kind)
                };
                all.push(Step::If(cond, then, otherwise));
            }
            13 if depth > 0 => {
                let n = 1 + rng.roll(3);
                all.push(Step::Repeat(n, steps(rng, 2, depth - 1, kind)));
            }
            14 if rng.roll(4) == 0 => all.push(Step::Leave((kind.cond)(rng))),
            15 if rng.roll(4) == 0 => all.push(Step::Barrier),
            _ => all.push(Step::Set("u", (kind.expr)(rng, 2))),
        }
    }
    all
}

fn print_expr(e: &Expr, text: &mut String) {
    let mut all = |parts: &[(&str, Option<&Expr>)]| {
        for (plain, inner) in parts {
            text.push_str(plain);
            if let Some(inner) = inner {
                print_expr(inner, text);
            }
        }
    };
    match e {
        Leaf(name) => all(&[(name, None)]),
        Not(a) => all(&[("!(", Some(a)), (")", None)]),
        Binary(op, a, b) => all(&[
            ("(", Some(a)),
            (" ", None),
            (op, None),
            (" ", Some(b)),
            (")", None),
        ]),
        Choice(c, a, b) => all(&[
            ("(", Some(c)),
            (" ? ", Some(a)),
            (" : ", Some(b)),
            (")", None),
        ]),
        Shared(at) => all(&[("s[", Some(at)), ("]", None)]),
    }
}

fn shown(e: &Expr) -> String {
    let mut text = String::new();
    print_expr(e, &mut text);
    text
}

pub fn print_steps(all: &[Step], indent: usize, text: &mut String) {
    for step in all {
        let pad = " ".repeat(4 * indent);
        let _ = match step {
            Step::Set(name, e) => writeln!(text, "{pad}{name} = {};", shown(e)),
            Step::Out(at, e) => writeln!(text, "{pad}out[{}] = {};", shown(at), shown(e)),
            Step::Put(at, e) => writeln!(text, "{pad}s[{}] = {};", shown(at), shown(e)),
            Step::Sum(e) => writeln!(text, "{pad}atomicAdd(&out[{N}], (int)({}));", shown(e)),
            Step::Barrier => writeln!(text, "{pad}__syncthreads();"),
            Step::Leave(e) => writeln!(text, "{pad}if ({}) return;", shown(e)),
            Step::If(cond, then, otherwise) => {
                let _ = writeln!(text, "{pad}if ({}) {{", shown(cond));
                print_steps(then, indent + 1, text);
                let _ = writeln!(text, "{pad}}} else {{");
                print_steps(otherwise, indent + 1, text);
                writeln!(text, "{pad}}}")
            }
            Step::Repeat(n, body) => {
                let _ = writeln!(text, "{pad}for (int i = 0; i < {n}; i++) {{");
                print_steps(body, indent + 1, text);
                writeln!(text, "{pad}}}")
            }
        };
    }
}

/// Every expression in some order, those that are numbers of cells only if `places` says so.
fn each(all: &mut [Step], places: bool, see: &mut dyn FnMut(&mut Expr)) {
    fn inside(e: &mut Expr, places: bool, see: &mut dyn FnMut(&mut Expr)) {
        see(e);
        match e {
            Leaf(_) => {}
            Shared(_) if !places => {}
            Not(a) | Shared(a) => inside(a, places, see),
            Binary(_, a, b) => [a, b].into_iter().for_each(|e| inside(e, places, see)),
            Choice(c, a, b) => [c, a, b].into_iter().for_each(|e| inside(e, places, see)),
        }
    }
    for step in all {
        match step {
            Step::Set(_, e) | Step::Sum(e) | Step::Leave(e) => inside(e, places, see),
            Step::Out(at, e) | Step::Put(at, e) => {
                if places {
                    inside(at, places, see);
                }
                inside(e, places, see);
            }
            Step::Barrier => {}
            Step::If(cond, then, otherwise) => {
                inside(cond, places, see);
                each(then, places, see);
                each(otherwise, places, see);
            }
            Step::Repeat(_, body) => each(body, places, see),
        }
    }
}

/// A kernel and another that is drawn from it; whether the other may do something else.
pub fn pair(rng: &mut Rng, kind: &Kind) -> ([Vec<Step>; 2], bool) {
    let n = 2 + rng.roll(5);
    let old = steps(rng, n, 2, kind);
    let mut new = old.clone();
    let places = kind.changes_places;
    for _ in 0..1 + rng.roll(4) {
        somewhere(&mut new, places, rng, kind.same);
    }
    let is_changed = rng.roll(3) > 0;
    match rng.roll(4) {
        _ if !is_changed => {}
        0 => rearrange(&mut new, rng),
        n => (0..n).for_each(|_| somewhere(&mut new, places, rng, kind.other)),
    }
    ([old, new], is_changed)
}

/// One expression by lot.
fn somewhere(
    all: &mut [Step],
    places: bool,
    rng: &mut Rng,
    change: impl FnOnce(&mut Rng, &mut Expr),
) {
    let mut n = 0;
    each(all, places, &mut |_| n += 1);
    if n == 0 {
        return;
    }
    let (chosen, mut at) = (rng.roll(n), 0);
    let mut change = Some(change);
    each(all, places, &mut |e| {
        if at == chosen
            && let Some(change) = change.take()
        {
            change(rng, e);
        }
        at += 1;
    });
}

/// Steps left out, doubled or exchanged.
fn rearrange(all: &mut Vec<Step>, rng: &mut Rng) {
    if all.is_empty() {
        return;
    }
    let at = rng.roll(all.len() as u64) as usize;
    match rng.roll(4) {
        0 => drop(all.remove(at)),
        1 => all.insert(at, all[at].clone()),
        _ => {
            let other = (at + 1) % all.len();
            all.swap(at, other);
        }
    }
}
