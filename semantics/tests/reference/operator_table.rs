//! The table of basic operators: an operator is its head with its parts, and what is said of it by rows agrees with
//! what it is.

use gridlock_generation::random::{Sizes, unrestricted};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{
    AllocSpace, AtomicFn, Basic, CopyKind, Effect, Form, Head, Met, OpKind, Orders, Part, Scope,
    Side, Slot, WarpFn,
};
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::BTreeSet;

/// A head of each row, of those with attributes several.
fn heads() -> Vec<Head> {
    let mut heads: Vec<Head> = Head::NAMED.iter().map(|(_, head)| *head).collect();
    heads.extend([Head::Assign, Head::Load, Head::Store]);
    heads.extend([Head::Assert, Head::Assume, Head::Wait]);
    for scope in [Scope::Block, Scope::Device, Scope::System] {
        heads.extend([Head::Fence(scope), Head::Atomic(AtomicFn::Cas, scope)]);
    }
    for flag in [false, true] {
        heads.extend([Head::NamedBarrier(flag), Head::CallGpu(flag)]);
        heads.push(Head::StreamCreate(flag));
    }
    for space in [AllocSpace::Host, AllocSpace::Global] {
        heads.extend([Head::Alloc(ScalarType::F32, space), Head::Free(space)]);
    }
    for met in [Met::AtOnePlace, Met::Anywhere] {
        heads.extend([Orders::All, Orders::Nothing].map(|orders| Head::Barrier(orders, met)));
    }
    heads.extend([Head::Warp(WarpFn::Ballot), Head::Copy(CopyKind::Default)]);
    heads
}

/// What may stand in a slot: with each number of expressions up to three that its form allows.
fn fillings(slot: &Slot, next: &mut i32) -> Vec<Part> {
    let mut expr = || {
        *next += 1;
        Expr::i32(*next)
    };
    match slot.form {
        Form::One => vec![Part::One(expr())],
        Form::Optional => vec![Part::Optional(None), Part::Optional(Some(expr()))],
        Form::List => (0..=3)
            .map(|n| Part::List((0..n).map(|_| expr()).collect()))
            .collect(),
        Form::Three => vec![Part::List((0..3).map(|_| expr()).collect())],
        Form::Result => vec![Part::Result(VarId(7))],
        Form::OptionalResult => [None, Some(VarId(7))].map(Part::OptionalResult).to_vec(),
        Form::Procedure => vec![Part::Procedure(ProcId(7))],
    }
}

/// All parts that an operator with this head may have.
fn all_parts(head: Head) -> Vec<Vec<Part>> {
    let mut next = 0;
    let mut found = vec![vec![]];
    for slot in head.slots() {
        let fillings = fillings(slot, &mut next);
        let longer = found.iter().flat_map(|parts: &Vec<Part>| {
            fillings.iter().map(|filling| {
                let mut parts = parts.clone();
                parts.push(filling.clone());
                parts
            })
        });
        found = longer.collect();
    }
    found
}

#[test]
fn every_row_has_a_head_here() {
    let rows: BTreeSet<&str> = heads().into_iter().map(Head::row).collect();
    assert_eq!(rows, Head::ROWS.iter().copied().collect());
}

/// For each head `h` and all parts `p` of its forms: `parts(from_parts(h, p)) = p`, and the expressions and the result
/// are those of `p`, in order. With a part more or less, or one of another form, there is no operator.
#[test]
fn an_operator_is_its_head_with_its_parts() {
    for head in heads() {
        for parts in all_parts(head) {
            let made = Basic::from_parts(head, parts.clone());
            let mut basic = made.unwrap_or_else(|| panic!("{head:?} of {parts:?}"));
            assert_eq!((basic.head(), basic.parts()), (head, parts.clone()));
            let mut expected: Vec<Expr> = Vec::new();
            parts
                .iter()
                .for_each(|p| expected.extend_from_slice(p.expressions()));
            assert!(basic.expressions().into_iter().eq(&expected));
            assert!(
                basic
                    .expressions_mut()
                    .into_iter()
                    .map(|e| &*e)
                    .eq(&expected)
            );
            let result = parts.iter().find_map(|part| match part {
                Part::Result(var) => Some(*var),
                Part::OptionalResult(var) => *var,
                _ => None,
            });
            assert_eq!(basic.assigned(), result);

            let mut longer = parts.clone();
            longer.push(Part::One(Expr::i32(0)));
            assert_eq!(Basic::from_parts(head, longer), None);
            for n in 0..parts.len() {
                assert_eq!(Basic::from_parts(head, parts[..n].to_vec()), None);
                let mut other = parts.clone();
                other[n] = match &other[n] {
                    Part::One(_) => Part::Result(VarId(0)),
                    _ => Part::One(Expr::i32(0)),
                };
                assert_eq!(Basic::from_parts(head, other), None);
            }
        }
    }
}

#[test]
fn operators_of_random_programs_are_put_together_again() {
    for seed in 0..200 {
        let program = unrestricted(seed, &Sizes::default()).program;
        for (_, op) in program.operators() {
            if let OpKind::Basic(basic) = &op.kind {
                let again = Basic::from_parts(basic.head(), basic.parts());
                assert_eq!(again.as_ref(), Some(basic), "seed {seed}");
            }
        }
    }
}

/// What is not given is left out of a term, and an operand that is a list is told from several only if it is not the
/// only one: then it stands as its members.
#[test]
fn optional_operands_stand_last() {
    for head in heads() {
        let optional = |slot: &Slot| slot.form == Form::Optional;
        let slots = head.slots();
        let at = slots.iter().position(optional);
        assert!(at.is_none_or(|n| n + 1 == slots.len()), "{head:?}");
    }
}

/// What an operator manages is the host's, and only there; who meets or exchanges runs on the device.
#[test]
fn effects_and_sides_agree() {
    for head in heads() {
        let expected = match head.effect() {
            Effect::Manages => Side::Host,
            Effect::Meets | Effect::Exchanges | Effect::Orders => Side::Device,
            _ => continue,
        };
        assert_eq!(head.side(), expected, "{head:?}");
    }
}
