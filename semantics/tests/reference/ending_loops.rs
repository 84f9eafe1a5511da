//! Loops that are said to end do, whatever they count in.

use gridlock_semantics::algebra::expr::{BinaryOp, Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::analysis::ending_loops::ending_loops;
use gridlock_semantics::analysis::loops::counted_loop;
use gridlock_semantics::evaluation::eval::{Env, eval};
use gridlock_semantics::transition::fault::FaultKind;
use quickcheck::{Arbitrary, Gen, quickcheck};
use std::sync::Arc;

/// `for (i = first; i OP n; i += step)` over types of at most 8 bits, with the bound a constant or a variable.
#[derive(Clone, Debug)]
struct Loop {
    op: Arc<Op>,
    first: Value,
    n: Value,
}

const COUNTER: VarId = VarId(0);
const BOUND: VarId = VarId(1);

fn op(kind: OpKind) -> Arc<Op> {
    Op::new(kind, Span::NONE)
}

fn assign(var: VarId, value: Expr) -> Arc<Op> {
    op(OpKind::Basic(Basic::Assign { var, value }))
}

fn cast(to: ScalarType, of: Expr) -> Expr {
    Expr::new(Type::Scalar(to), ExprKind::Cast(Arc::new(of)))
}

fn binary(ty: ScalarType, op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::new(
        Type::Scalar(ty),
        ExprKind::Binary(op, Arc::new(a), Arc::new(b)),
    )
}

impl Arbitrary for Loop {
    fn arbitrary(g: &mut Gen) -> Loop {
        let types = [ScalarType::I8, ScalarType::U8, ScalarType::I32];
        let counter = *g.choose(&types[..2]).expect("two");
        let bound = *g.choose(&types).expect("three");
        let compared = *g
            .choose(&[ScalarType::I32, ScalarType::U32, ScalarType::I8])
            .expect("three");
        let value = |ty: ScalarType, g: &mut Gen| {
            let (least, greatest) = ScalarType::I8.range();
            let ends = [least, greatest, 0, 255, 300, -1, -2, 126];
            let any = i128::from(i16::arbitrary(g) % 400);
            let end = *g.choose(&ends).expect("some");
            Value::int(ty, if bool::arbitrary(g) { any } else { end })
        };
        let (first, n) = (value(counter, g), value(bound, g));
        let var = |var: VarId, ty: ScalarType| Expr::new(Type::Scalar(ty), ExprKind::Var(var));
        let end = match bool::arbitrary(g) {
            true => var(BOUND, bound),
            false => Expr::constant(n),
        };
        let (a, b) = (cast(compared, var(COUNTER, counter)), cast(compared, end));
        let (a, b) = if bool::arbitrary(g) { (a, b) } else { (b, a) };
        let comparisons = [
            BinaryOp::Lt,
            BinaryOp::Le,
            BinaryOp::Gt,
            BinaryOp::Ge,
            BinaryOp::Ne,
        ];
        let cond = binary(
            ScalarType::Bool,
            *g.choose(&comparisons).expect("five"),
            a,
            b,
        );
        let by = Expr::constant(Value::int(
            ScalarType::I32,
            *g.choose(&[1, -1, 2]).expect("three"),
        ));
        let sum = *g.choose(&[BinaryOp::Add, BinaryOp::Sub]).expect("two");
        let next = binary(
            ScalarType::I32,
            sum,
            cast(ScalarType::I32, var(COUNTER, counter)),
            by,
        );
        let body = op(OpKind::Seq(vec![
            op(OpKind::Seq(Vec::new())),
            assign(COUNTER, cast(counter, next)),
        ]));
        let whole = op(OpKind::While { cond, body });
        Loop {
            op: op(OpKind::Seq(vec![
                assign(COUNTER, Expr::constant(first)),
                whole,
            ])),
            first,
            n,
        }
    }
}

struct Values(Value, Value);

impl Env for Values {
    fn var(&self, var: VarId) -> Value {
        if var == COUNTER { self.0 } else { self.1 }
    }

    fn builtin(&self, _: Builtin) -> Value {
        Value::Undef
    }

    fn array(&self, _: ArrayId) -> ArrayRef {
        ArrayRef::Null
    }

    fn load(&mut self, _: Pointer, _: ScalarType) -> Result<Value, FaultKind> {
        Ok(Value::Undef)
    }
}

fn is_said_to_end(case: &Loop) -> bool {
    let mut program = Program {
        form: Form::Surface,
        files: vec![],
        arrays: vec![],
        procs: vec![Procedure {
            name: "f".into(),
            kind: ProcKind::Host,
            params: vec![],
            vars: vec![],
            result: None,
            body: case.op.clone(),
            most_threads: None,
            span: Span::NONE,
        }],
        cells: Default::default(),
    };
    program.number_operators();
    !ending_loops(&program).is_empty()
}

fn runs_to_an_end(case: &Loop) -> bool {
    let found = counted_loop(&case.op).expect("it is one");
    let mut counter = case.first;
    // A counter of 8 bits that has not left within these rounds goes round and round.
    for _ in 0..600 {
        let mut now = Values(counter, case.n);
        if eval(found.cond, &mut now) == Ok(Value::Bool(false)) {
            return true;
        }
        counter = eval(found.step, &mut now).expect("it has a value");
    }
    false
}

quickcheck! {
    fn what_is_said_to_end_ends(case: Loop) -> bool {
        !is_said_to_end(&case) || runs_to_an_end(&case)
    }
}

#[test]
fn usual_loops_are_said_to_end() {
    let mut gen_ = Gen::new(10);
    let cases = (0..4_000).map(|_| Loop::arbitrary(&mut gen_));
    let (said, all) = cases.fold((0, 0), |(said, all), case| {
        (said + u32::from(is_said_to_end(&case)), all + 1)
    });
    // One in five or so: the rest goes round, by two, or has a bound that it may step over.
    assert!(said * 12 > all, "{said} of {all}");
}
