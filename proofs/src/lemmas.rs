//! Lemmas the encoding leans on, each decided by the solver.

use crate::machine::launch::SymbolicLaunch;
use crate::solver::budget::Budget;
use crate::solver::solve::{Prover, Reader};
use crate::terms::induction::{Step, step_of};
use crate::terms::simplify::mask;
use crate::terms::term::{BitOp, Node, Order, Scope, Sort, TermId, Terms};
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::{Axis, Builtin, Expr};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;
use std::time::Duration;
use z3::ast::{BV, Bool, Dynamic};
use z3::{SatResult, Solver};

const OPS: [BitOp; 13] = [
    BitOp::Add,
    BitOp::Sub,
    BitOp::Mul,
    BitOp::UDiv,
    BitOp::SDiv,
    BitOp::URem,
    BitOp::SRem,
    BitOp::Shl,
    BitOp::LShr,
    BitOp::AShr,
    BitOp::And,
    BitOp::Or,
    BitOp::Xor,
];

fn prover() -> Prover {
    Prover::new(Budget::each(60.0, 10), Duration::from_secs(600))
}

fn is_valid(formula: &Bool) -> bool {
    let solver = Solver::new();
    solver.assert(formula.not());
    solver.check() == SatResult::Unsat
}

/// What is handed to the solver for a division by a power of two is that division.
#[test]
fn a_shift_towards_zero_is_a_division() {
    let x = BV::new_const("x", 8);
    for power in 0..7 {
        let divisor = BV::from_u64(1 << power, 8);
        let halved = crate::solver::solve::halved(&x, power);
        assert!(is_valid(&halved.eq(x.bvsdiv(&divisor))), "{power}");
        let rest = x.bvsub(halved.bvshl(BV::from_u64(u64::from(power), 8)));
        assert!(is_valid(&rest.eq(x.bvsrem(&divisor))), "{power}");
        // One too few is not.
        let shifted = x.bvashr(BV::from_u64(u64::from(power), 8));
        assert_eq!(is_valid(&shifted.eq(x.bvsdiv(&divisor))), power == 0);
    }
}

/// Operands of 8 bits in all the shapes the constructors look at.
fn operands(terms: &mut Terms) -> Vec<TermId> {
    let x = terms.fresh("x", Sort::Bits(8), Scope::Grid);
    let y = terms.fresh("y", Sort::Bits(8), Scope::Grid);
    let narrow = terms.fresh("narrow", Sort::Bits(5), Scope::Grid);
    let mut all = vec![x, terms.zero_ext(8, narrow), terms.sign_ext(8, narrow)];
    for value in [0, 1, 2, 3, 4, 7, 8, 64, 127, 128, 255] {
        all.push(terms.bits(8, value));
    }
    let (one, two) = (terms.bits(8, 1), terms.bits(8, 2));
    for (op, a, b) in [
        (BitOp::Shl, one, y),
        (BitOp::Shl, two, y),
        (BitOp::Shl, x, two),
        (BitOp::LShr, x, one),
        (BitOp::LShr, x, two),
        (BitOp::AShr, x, one),
        (BitOp::Add, x, two),
        (BitOp::Sub, x, y),
        (BitOp::And, x, two),
        (BitOp::Mul, x, y),
    ] {
        all.push(terms.bit(op, a, b));
    }
    all
}

/// A constructor's result equals the plain node, for every operator and shape.
#[test]
fn simplification_keeps_the_value() {
    let mut terms = Terms::default();
    let operands = operands(&mut terms);
    let mut prover = prover();
    let mut pairs: Vec<(TermId, TermId)> = Vec::new();
    for &a in &operands {
        for &b in &operands {
            for op in OPS {
                pairs.push((terms.bit(op, a, b), terms.intern(Node::Bit(op, a, b))));
            }
            for order in [
                Order::UnsignedLess,
                Order::UnsignedLessEq,
                Order::SignedLess,
                Order::SignedLessEq,
            ] {
                let plain = terms.intern(Node::Less(order, a, b));
                pairs.push((terms.less(order, a, b), plain));
            }
            pairs.push((terms.eq(a, b), terms.intern(Node::Eq(a, b))));
        }
        for width in [3, 16] {
            if width > 8 {
                let zero = terms.intern(Node::ZeroExt(width, a));
                pairs.push((terms.zero_ext(width, a), zero));
                let sign = terms.intern(Node::SignExt(width, a));
                pairs.push((terms.sign_ext(width, a), sign));
                let back = terms.sign_ext(width, a);
                pairs.push((terms.low(6, back), terms.intern(Node::Low(6, back))));
            } else {
                let low = terms.intern(Node::Low(width, a));
                pairs.push((terms.low(width, a), low));
            }
        }
    }
    let changed: Vec<_> = pairs.into_iter().filter(|(a, b)| a != b).collect();
    assert!(changed.len() > 1000, "{}", changed.len());
    for (simple, plain) in changed {
        let read = |p: &mut Prover, t| -> Dynamic {
            match terms.sort(t) {
                Sort::Bool => p.formula(&terms, t, Reader::FIRST).into(),
                Sort::Bits(_) => p.word(&terms, t, Reader::FIRST).into(),
            }
        };
        let (a, b) = (read(&mut prover, simple), read(&mut prover, plain));
        assert!(is_valid(&a.eq(&b)), "{a} is not {b}");
    }
}

/// What is called not negative is not.
#[test]
fn not_negative() {
    let mut terms = Terms::default();
    let mut prover = prover();
    let zero = terms.bits(8, 0);
    let mut found = 0;
    for a in operands(&mut terms) {
        if terms.is_not_negative(a) {
            found += 1;
            let plain = terms.intern(Node::Less(Order::SignedLessEq, zero, a));
            assert!(is_valid(&prover.formula(&terms, plain, Reader::FIRST)));
        }
    }
    assert!(found > 8);
}

/// A kernel that asks about axis x only.
fn one_axis() -> Program {
    let span = Span::NONE;
    let body = Op::basic(
        Basic::Assign {
            var: VarId(0),
            value: Expr::builtin(Builtin::ThreadIdx(Axis::X)),
        },
        span,
    );
    Program {
        form: Form::Atomic,
        files: vec![],
        arrays: vec![],
        procs: vec![Procedure {
            name: "k".into(),
            kind: ProcKind::Kernel,
            params: vec![],
            vars: vec![VarDecl {
                name: "v".into(),
                ty: Type::U32,
                span,
            }],
            result: None,
            body,
            most_threads: None,
            span,
        }],
        cells: Default::default(),
    }
}

/// The facts about bases and totals follow from their definitions (for small extents, where the
/// solver multiplies at ease; they are linear in the indices, and nothing in them is special to
/// small numbers).
#[test]
fn facts_about_products_follow() {
    let mut terms = Terms::default();
    let launch = SymbolicLaunch::new(&mut terms, &one_axis(), ProcId(0), None, None);
    let mut prover = prover();
    let solver = Solver::new();
    let d = launch.dimensions[0];
    let base = d.base.expect("a symbolic base");
    let most = terms.bits(32, 15);
    for reader in [Reader::FIRST, Reader::ELSEWHERE] {
        for &definition in &launch.definitions {
            solver.assert(prover.formula(&terms, definition, reader));
        }
        for extent in [d.block_extent, d.grid_extent] {
            let one = terms.bits(32, 1);
            for bound in [
                terms.less(Order::UnsignedLessEq, extent, most),
                terms.less(Order::UnsignedLessEq, one, extent),
            ] {
                solver.assert(prover.formula(&terms, bound, reader));
            }
        }
        for (index, extent) in [(d.block, d.grid_extent), (d.thread, d.block_extent)] {
            let valid = terms.less(Order::UnsignedLess, index, extent);
            solver.assert(prover.formula(&terms, valid, reader));
        }
    }
    assert_eq!(solver.check(), SatResult::Sat);
    let follows = |formula: &Bool| {
        solver.push();
        solver.assert(formula.not());
        let result = solver.check();
        solver.pop(1);
        result == SatResult::Unsat
    };
    for &fact in &launch.facts {
        assert!(follows(&prover.formula(&terms, fact, Reader::FIRST)));
    }
    let facts = prover.different_blocks(&terms, &launch, Reader::ELSEWHERE);
    let (different, facts) = facts.split_last().expect("facts");
    for fact in facts {
        assert!(follows(fact), "{fact}");
    }
    // The last one is no fact but the question: the blocks may be the same.
    assert!(!follows(different));
    // A planted one: blocks do not overlap even when they are the same.
    let (a, b) = (
        prover.word(&terms, base, Reader::FIRST),
        prover.word(&terms, base, Reader::ELSEWHERE),
    );
    assert!(!follows(&a.eq(&b).not()));
}

/// A product of both factors becomes the known product; of one, it stays.
#[test]
fn known_products_are_recognised() {
    let mut terms = Terms::default();
    let launch = SymbolicLaunch::new(&mut terms, &one_axis(), ProcId(0), None, None);
    let d = launch.dimensions[0];
    let base = d.base.expect("a symbolic base");
    let product = terms.bit(BitOp::Mul, d.block_extent, d.block);
    assert_eq!(product, base);
    let two = terms.bits(32, 2);
    let double = terms.bit(BitOp::Mul, d.block_extent, two);
    let product = terms.bit(BitOp::Mul, d.block, double);
    assert_eq!(product, terms.bit(BitOp::Mul, base, two));
    let wide = |terms: &mut Terms, t| terms.zero_ext(64, t);
    let (a, b) = (wide(&mut terms, d.block), wide(&mut terms, d.block_extent));
    assert_eq!(terms.bit(BitOp::Mul, a, b), wide(&mut terms, base));
    let square = terms.bit(BitOp::Mul, d.block, d.block);
    assert!(matches!(terms.node(square), Node::Bit(BitOp::Mul, ..)));
}

/// Steps are recognised only where the rest does not change in the loop.
#[test]
fn steps() {
    let mut terms = Terms::default();
    let word = Sort::Bits(32);
    let outer = terms.fresh("outer", word, Scope::Grid);
    let mark = terms.mark();
    let v = terms.fresh("v", word, Scope::Thread);
    let inner = terms.fresh("inner", word, Scope::Thread);
    let sum = terms.bit(BitOp::Add, v, outer);
    assert_eq!(
        step_of(&mut terms, v, sum, mark),
        Some(Step::Add {
            step: outer,
            subtracts: false
        })
    );
    let changing = terms.bit(BitOp::Add, v, inner);
    assert_eq!(step_of(&mut terms, v, changing, mark), None);
    let twice = terms.bit(BitOp::Add, sum, v);
    assert_eq!(step_of(&mut terms, v, twice, mark), None);
    let from = terms.bit(BitOp::Sub, outer, v);
    assert_eq!(step_of(&mut terms, v, from, mark), None);
    let minus = terms.bit(BitOp::Sub, v, outer);
    let step = terms.bits(32, mask(32));
    let negative = terms.bit(BitOp::Mul, outer, step);
    let Some(Step::Add { step, subtracts }) = step_of(&mut terms, v, minus, mark) else {
        panic!("not recognised");
    };
    assert!(subtracts);
    let mut prover = prover();
    let (a, b) = (
        prover.word(&terms, step, Reader::FIRST),
        prover.word(&terms, negative, Reader::FIRST),
    );
    assert!(is_valid(&a.eq(&b)));
    assert_eq!(
        step_of(&mut terms, v, outer, mark),
        Some(Step::Replaced(outer))
    );
}

/// An index is told by its row and its column, where these are in range and their sum has room: for all words of few
/// bits. Without room it is not. It has room below a product that does not wrap around, and then lies below it.
#[test]
fn rows_and_columns_are_told_by_their_sum() {
    let collides = |width: u32, needs_room: bool| {
        let modulus = 1i64 << width;
        let signed = |value: i64| {
            let value = value.rem_euclid(modulus);
            if value >= modulus / 2 {
                value - modulus
            } else {
                value
            }
        };
        (0..modulus / 2).any(|length| {
            let mut seen = rustc_hash::FxHashSet::default();
            (0..modulus / 2).any(|row| {
                let has_room =
                    (0..=width - 2).any(|b| length <= 1 << b && row < 1 << (width - 2 - b));
                let mut all_rows = row + 1..modulus / 2;
                let is_row = all_rows.any(|rows| length * rows < modulus / 2);
                let indices = || (0..length).map(|column| signed(row * length + column));
                assert!(!is_row || indices().all(|index| (0..(row + 1) * length).contains(&index)));
                (has_room || is_row || !needs_room) && indices().any(|index| !seen.insert(index))
            })
        })
    };
    for width in 4..=9 {
        assert!(!collides(width, true));
        assert!(collides(width, false));
    }
}

/// Floats at which laws of rounding break: of both signs, next to powers of two, without a full number of digits.
fn floats() -> Vec<f32> {
    let mut all = vec![f32::NAN, f32::INFINITY, 0.0, f32::MAX, f32::MIN_POSITIVE];
    for exponent in [0u32, 1, 2, 22, 23, 24, 100, 126, 127, 128, 150, 253, 254] {
        for digits in [0u32, 1, 2, 3, 0x2a_aaaa, 0x55_5555, 0x7f_fffe, 0x7f_ffff] {
            all.push(f32::from_bits(exponent << 23 | digits));
        }
    }
    let negative: Vec<f32> = all.iter().map(|x| -x).collect();
    all.extend(negative);
    all
}

/// What the normal form says of floats holds of what the semantics computes.
#[test]
fn laws_of_floats() {
    use gridlock_semantics::algebra::expr::{BinaryOp, MathFn};
    use gridlock_semantics::algebra::value::Value;
    use gridlock_semantics::evaluation::arithmetic::{binary, math};
    let of = |op, a: f32, b: f32| binary(op, Value::f32(a), Value::f32(b)).unwrap();
    let of_three = |a: f32, b: f32, c: f32| {
        math(MathFn::Fma, &[Value::f32(a), Value::f32(b), Value::f32(c)]).unwrap()
    };
    let extreme = |of: MathFn, a: Value, b: Value| math(of, &[a, b]).unwrap();
    let all = floats();
    let mut n_unlike = 0;
    for a in all.iter().copied() {
        for power in -126..=126 {
            let by = 2f32.powi(power);
            let quotient = of(BinaryOp::Div, a, by);
            assert_eq!(quotient, of(BinaryOp::Mul, a, 1.0 / by), "{a:?} / {by:?}");
            // By another number it is not.
            let third = 3.0 * by;
            n_unlike += u32::from(of(BinaryOp::Div, a, third) != of(BinaryOp::Mul, a, 1.0 / third));
        }
        assert_eq!(of(BinaryOp::Mul, a, 2.0), of(BinaryOp::Add, a, a), "{a:?}");
        for b in all.iter().copied() {
            assert_eq!(of(BinaryOp::Add, a, b), of(BinaryOp::Add, b, a));
            assert_eq!(of(BinaryOp::Mul, a, b), of(BinaryOp::Mul, b, a));
            assert_eq!(of(BinaryOp::Sub, a, b), of(BinaryOp::Add, a, -b));
            assert_eq!(of_three(a, b, 1.5), of_three(b, a, 1.5));
            for function in [MathFn::Max, MathFn::Min] {
                let (x, y) = (Value::f32(a), Value::f32(b));
                let both = extreme(function, x, y);
                assert_eq!(both, extreme(function, y, x), "{a:?} {b:?}");
                assert_eq!(both, extreme(function, both, y), "{a:?} {b:?}");
                for c in all.iter().copied().step_by(7) {
                    let z = Value::f32(c);
                    let right = extreme(function, x, extreme(function, y, z));
                    assert_eq!(extreme(function, both, z), right, "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
    assert!(n_unlike > 1000, "{n_unlike}");
}
