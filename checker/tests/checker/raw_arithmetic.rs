//! The register code computes what `semantics::arithmetic` says: every operator on every type,
//! on the values where something happens.

use crate::algebra;
use crate::algebra::{Draft, E};
use gridlock_checker::canonical::{self, CanonicalResult};
use gridlock_checker::compiled::compile;
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::evaluation::arithmetic;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::well_formed::check_well_formed;

const TYPES: [ScalarType; 11] = [
    ScalarType::Bool,
    ScalarType::I8,
    ScalarType::I16,
    ScalarType::I32,
    ScalarType::I64,
    ScalarType::U8,
    ScalarType::U16,
    ScalarType::U32,
    ScalarType::U64,
    ScalarType::F32,
    ScalarType::F64,
];

/// Values of a type where something may go wrong.
fn values(ty: ScalarType) -> Vec<Value> {
    let floats = [
        0.0,
        -0.0,
        1.5,
        -2.5,
        3e9,
        -1e19,
        1e300,
        f64::INFINITY,
        f64::NAN,
        5e-324,
    ];
    match ty {
        ScalarType::Bool => vec![Value::Bool(false), Value::Bool(true)],
        ScalarType::F32 => floats.iter().map(|x| Value::f32(*x as f32)).collect(),
        ScalarType::F64 => floats.iter().map(|x| Value::f64(*x)).collect(),
        int => {
            let (least, greatest) = int.range();
            let mut found: Vec<i128> = vec![
                0,
                1,
                2,
                7,
                31,
                33,
                -1,
                -3,
                least,
                least + 1,
                greatest,
                greatest / 3,
            ];
            found.retain(|n| (least..=greatest).contains(n));
            found.into_iter().map(|n| Value::int(int, n)).collect()
        }
    }
}

/// The kernel `out[0] = make(x, …)` and its result for given parameters.
struct Tester {
    program: Program,
    to: ScalarType,
    compiled: gridlock_checker::compiled::Compiled,
}

impl Tester {
    fn new(from: &[ScalarType], to: ScalarType, make: impl FnOnce(Vec<Expr>) -> Expr) -> Tester {
        let mut draft = Draft::new();
        let params = from
            .iter()
            .map(|ty| draft.param("x", Type::Scalar(*ty)).0)
            .collect();
        let out = draft.param("out", Type::pointer_to(to));
        let value = make(params);
        assert_eq!(value.ty, Type::Scalar(to));
        let program = draft.kernel(vec![algebra::put(&out, 0, E(value))]);
        assert_eq!(check_well_formed(&program), Ok(()));
        let compiled = compile(&program);
        Tester {
            program,
            to,
            compiled,
        }
    }

    fn result(&self, operands: &[Value]) -> Result<Value, FaultKind> {
        let mut args: Vec<Arg> = operands.iter().map(|v| Arg::Scalar(*v)).collect();
        args.push(Arg::Array(0));
        let setup = Setup {
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
            entry: ProcId(self.program.procs.len() as u32 - 1),
            launch: Some(Launch {
                grid: [1; 3],
                block: [1; 3],
                shared_bytes: 0,
            }),
            args,
            arrays: vec![ArrayArg {
                name: "out".into(),
                elem: self.to,
                extent: Some(1),
                contents: Contents::Undef,
                observed: true,
            }],
        };
        let profile = Profile::default();
        let result: CanonicalResult =
            canonical::run(&self.compiled, &setup, &profile, &Limits::default());
        match result.findings.first().map(|finding| &finding.evidence) {
            Some(Evidence::Fault(fault)) => Err(fault.kind.clone()),
            Some(other) => panic!("{other:?}"),
            None => Ok(result.observation.expect("it ended").arrays[0].cells[0]),
        }
    }
}

#[test]
fn binary_operators_agree_with_the_reference() {
    use BinaryOp::*;
    let all = [
        Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, Lt, Le, Gt, Ge, Eq, Ne, And, Or,
    ];
    let mut compared = 0;
    for op in all {
        for left in TYPES {
            let rights: Vec<ScalarType> = match op {
                Shl | Shr => TYPES.into_iter().filter(|ty| ty.is_integer()).collect(),
                _ => vec![left],
            };
            for right in rights {
                let sample = Expr::binary(
                    op,
                    Expr::constant(values(left)[0]),
                    Expr::constant(values(right)[0]),
                );
                let to = sample.ty.scalar().expect("a scalar");
                let mut draft = Draft::new();
                let x = draft.param("x", Type::Scalar(left));
                let y = draft.param("y", Type::Scalar(right));
                let out = draft.param("out", Type::pointer_to(to));
                let value = Expr::binary(op, x.0, y.0);
                let program = draft.kernel(vec![algebra::put(&out, 0, E(value))]);
                if check_well_formed(&program).is_err() {
                    continue;
                }
                let tester = Tester::new(&[left, right], to, |mut params| {
                    let right = params.pop().expect("two");
                    Expr::binary(op, params.pop().expect("two"), right)
                });
                for a in values(left) {
                    for b in values(right) {
                        let expected = arithmetic::binary(op, a, b);
                        assert_eq!(tester.result(&[a, b]), expected, "{a:?} {op:?} {b:?}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn unary_operators_agree_with_the_reference() {
    let mut compared = 0;
    for op in [UnaryOp::Neg, UnaryOp::BitNot, UnaryOp::Not] {
        for ty in TYPES {
            let fits = match op {
                UnaryOp::Neg => ty != ScalarType::Bool,
                UnaryOp::BitNot => ty.is_integer(),
                UnaryOp::Not => ty == ScalarType::Bool,
            };
            if !fits {
                continue;
            }
            let tester = Tester::new(&[ty], ty, |params| Expr::unary(op, params[0].clone()));
            for a in values(ty) {
                assert_eq!(
                    tester.result(&[a]),
                    arithmetic::unary(op, a),
                    "{op:?} {a:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn conversions_agree_with_the_reference() {
    let mut compared = 0;
    for from in TYPES {
        for to in TYPES {
            let ty = Type::Scalar(to);
            let tester = Tester::new(&[from], to, |params| params[0].clone().cast(ty));
            for a in values(from) {
                assert_eq!(
                    tester.result(&[a]),
                    arithmetic::cast(a, ty),
                    "{a:?} to {to:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn mathematical_functions_agree_with_the_reference() {
    use MathFn::*;
    let mut compared = 0;
    for function in [
        Min,
        Max,
        Abs,
        Sqrt,
        Floor,
        Ceil,
        Trunc,
        Fma,
        PopCount,
        FindFirstSet,
        CountLeadingZeros,
        ReverseBits,
    ] {
        let arity = function.arity();
        for ty in TYPES {
            if !function.is_defined_on(ty) {
                continue;
            }
            let tester = Tester::new(&vec![ty; arity], ty, |params| {
                Expr::new(Type::Scalar(ty), ExprKind::Math(function, params))
            });
            let some = values(ty);
            let n = some.len();
            for k in 0..n.pow(arity as u32) {
                let args: Vec<Value> = (0..arity).map(|i| some[k / n.pow(i as u32) % n]).collect();
                let expected = arithmetic::math(function, &args);
                assert_eq!(tester.result(&args), expected, "{function:?} {args:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}
