//! May two pointers of a procedure point into one array?
//!
//! `Yes` (*apart*) and `No` (*one was computed from the other*) are certain; two parameters are
//! `Unknown`. Memory holds no pointers, so where a pointer came from shows in the assignments of the
//! procedure: pointers that some assignment connects are of one *family*. Two families meet only in
//! what they had from outside.

use super::Answer;
use crate::terms::conversion::TermProgram;
use crate::terms::term::{Functor, Term, TermKind};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::Head;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::Type;

/// Whether what `a` and `b` point into are different arrays, wherever both are used.
pub fn apart(program: &TermProgram, procedure: &Term, a: &Term, b: &Term) -> Answer {
    let (a, b) = (sources(a), sources(b));
    let ([_, ..], [_, ..]) = (&a[..], &b[..]) else {
        return Answer::Unknown;
    };
    let (a, b) = (family(procedure, a), family(procedure, b));
    if a.iter().any(|t| b.contains(t)) {
        return Answer::No;
    }
    let (a, b) = (
        origin(program, procedure, &a),
        origin(program, procedure, &b),
    );
    Answer::known(match (a, b) {
        // What is allocated here is no array that was there before, or that is allocated elsewhere.
        (Origin::Allocated, _) | (_, Origin::Allocated) => true,
        (Origin::Declared, Origin::Declared) => true,
        // No launch can hand over an array of a block.
        (Origin::SharedArray, Origin::Given) | (Origin::Given, Origin::SharedArray) => {
            matches!(
                procedure.as_app(),
                Some((Functor::Procedure(ProcKind::Kernel), _))
            )
        }
        (Origin::Declared | Origin::SharedArray, Origin::SharedArray)
        | (Origin::SharedArray, Origin::Declared) => true,
        _ => false,
    })
}

/// Whether the pointers point into different arrays, each two of them.
pub fn no_alias(program: &TermProgram, procedure: &Term, pointers: &[Term]) -> Answer {
    let mut answer = Answer::Yes;
    for (n, a) in pointers.iter().enumerate() {
        for b in &pointers[n + 1..] {
            match apart(program, procedure, a, b) {
                Answer::Yes => {}
                Answer::No => return Answer::No,
                Answer::Unknown => answer = Answer::Unknown,
            }
        }
    }
    answer
}

/// `Yes` where no pointer of one list of arguments points into what one of the other points into.
pub fn nothing_in_common(program: &TermProgram, procedure: &Term, xs: &Term, ys: &Term) -> Answer {
    let pointers = |list: &Term| -> Vec<Term> {
        let is_pointer = |t: &&Term| t.ty().is_some_and(|ty| ty.pointer().is_some());
        list.children().iter().filter(is_pointer).cloned().collect()
    };
    let (xs, ys) = (pointers(xs), pointers(ys));
    let disjoint = |x, y| apart(program, procedure, x, y) == Answer::Yes;
    Answer::known(xs.iter().all(|x| ys.iter().all(|y| disjoint(x, y))))
}

/// Pointers and arrays an address is computed from.
pub fn sources(address: &Term) -> Vec<Term> {
    let mut found = Vec::new();
    collect(address, &mut found);
    found
}

fn collect(term: &Term, into: &mut Vec<Term>) {
    match term.kind() {
        TermKind::Var(v) if matches!(v.ty, Type::Pointer(_)) => into.push(term.clone()),
        TermKind::Array { .. } => into.push(term.clone()),
        // What is loaded is a number.
        TermKind::App(Functor::Load, _) => {}
        _ => term.children().iter().for_each(|t| collect(t, into)),
    }
}

/// All that assignments of the procedure connect with these.
pub fn family(procedure: &Term, mut members: Vec<Term>) -> Vec<Term> {
    loop {
        let before = members.len();
        procedure.walk(&mut |t| {
            let connected = match t.as_app() {
                Some((Functor::Basic(Head::Assign) | Functor::For, args)) => pointers_of(args),
                // A result may be computed from any argument.
                Some((Functor::Call, args @ [_, _, result])) if result.as_variable().is_some() => {
                    pointers_of(args)
                }
                _ => return,
            };
            if connected.iter().any(|c| members.contains(c)) {
                for pointer in connected {
                    if !members.contains(&pointer) {
                        members.push(pointer);
                    }
                }
            }
        });
        if members.len() == before {
            return members;
        }
    }
}

/// Pointers an operator gets a pointer from and gives it to; none where it gives a number.
fn pointers_of(args: &[Term]) -> Vec<Term> {
    let target = match args {
        [var, ..] if var.as_variable().is_some() => var,
        [.., result] => result,
        [] => return vec![],
    };
    match target.as_variable().map(|v| v.ty) {
        Some(Type::Pointer(_)) => args.iter().flat_map(sources).collect(),
        _ => vec![],
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// One allocation of this procedure gives it its only array.
    Allocated,
    /// Declared, not in shared memory.
    Declared,
    SharedArray,
    /// Parameters only.
    Given,
    /// Several of these.
    Mixed,
}

fn origin(program: &TermProgram, procedure: &Term, family: &[Term]) -> Origin {
    let [_, params, _, _, body] = procedure.children() else {
        return Origin::Mixed;
    };
    let [only] = family else {
        let given = family.iter().all(|t| t.as_variable().is_some());
        let allocated = family.iter().any(|t| allocations(body, t) > 0);
        return match given && !allocated {
            true => Origin::Given,
            false => Origin::Mixed,
        };
    };
    if let TermKind::Array { id, .. } = only.kind() {
        let array = program.arrays.get(*id as usize);
        return match array.map(|declared| declared.space) {
            Some(Space::Shared) => Origin::SharedArray,
            Some(_) => Origin::Declared,
            None => Origin::Mixed,
        };
    }
    match (params.children().contains(only), allocations(body, only)) {
        (false, 1..) => Origin::Allocated,
        (true, 0) => Origin::Given,
        _ => Origin::Mixed,
    }
}

fn allocations(body: &Term, pointer: &Term) -> usize {
    let mut count = 0;
    body.walk(&mut |t| {
        if let Some((Functor::Basic(Head::Alloc(..)), [target, ..])) = t.as_app() {
            count += usize::from(target == pointer);
        }
    });
    count
}
