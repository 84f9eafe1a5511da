//! Random expressions of all types, printed as C, compiled by clang with traps on everything C
//! leaves undefined, run, and compared with the semantics bit by bit.

mod support;

use gridlock_lowering::host;
use gridlock_semantics::eval::{Env, eval};
use gridlock_semantics::expr::{BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::fault::FaultKind;
use gridlock_semantics::program::{ArrayId, ProcKind, Program, VarId};
use gridlock_semantics::types::{ScalarType, Type};
use gridlock_semantics::value::{ArrayRef, Pointer, Value};
use std::fmt::Write;
use std::process::Command;
use support::{Proc, program, set, when_else};

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

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Small, or at an edge, or anything.
    fn value(&mut self, ty: ScalarType) -> Value {
        let raw = match self.below(4) {
            0 => self.below(5) as i128 - 2,
            1 => self.pick(&[
                i128::from(i32::MIN),
                i128::from(i32::MAX),
                -128,
                127,
                255,
                65535,
            ]),
            2 => self.pick(&[
                i128::from(i64::MIN),
                i128::from(i64::MAX),
                i128::from(u32::MAX),
            ]),
            _ => i128::from(self.roll() as i64),
        };
        match ty {
            ScalarType::Bool => Value::Bool(raw & 1 == 1),
            ScalarType::F32 => Value::f32((raw % 1000) as f32 / 8.0),
            ScalarType::F64 => Value::f64((raw % 100_000) as f64 / 16.0),
            int => Value::int(int, raw),
        }
    }

    /// An expression of a type over one variable of each type.
    fn expr(&mut self, ty: ScalarType, depth: u32) -> Expr {
        let whole = Type::Scalar(ty);
        if depth == 0 || self.below(8) == 0 {
            return if self.below(3) == 0 {
                Expr::new(whole, ExprKind::Const(self.value(ty)))
            } else {
                let index = TYPES.iter().position(|t| *t == ty).expect("a type");
                Expr::var(VarId(index as u32), whole)
            };
        }
        let depth = depth - 1;
        match self.below(10) {
            0 | 1 => {
                let from = self.pick(&TYPES);
                self.expr(from, depth).cast(whole)
            }
            2 => {
                let cond = self.expr(ScalarType::Bool, depth);
                Expr::select(cond, self.expr(ty, depth), self.expr(ty, depth))
            }
            3 if ty == ScalarType::Bool => Expr::unary(UnaryOp::Not, self.expr(ty, depth)),
            3 if ty.is_float() => Expr::unary(UnaryOp::Neg, self.expr(ty, depth)),
            3 => {
                let op = self.pick(&[UnaryOp::Neg, UnaryOp::BitNot]);
                Expr::unary(op, self.expr(ty, depth))
            }
            4 if ty.is_integer() => {
                let function = self.pick(&[MathFn::Min, MathFn::Max, MathFn::Abs]);
                let mut args = vec![self.expr(ty, depth)];
                if function != MathFn::Abs {
                    args.push(self.expr(ty, depth));
                }
                Expr::new(whole, ExprKind::Math(function, args))
            }
            _ if ty == ScalarType::Bool => {
                use BinaryOp::*;
                if self.below(3) == 0 {
                    let op = self.pick(&[And, Or]);
                    return Expr::binary(op, self.expr(ty, depth), self.expr(ty, depth));
                }
                let of = self.pick(&TYPES);
                let op = self.pick(&[Lt, Le, Gt, Ge, Eq, Ne]);
                Expr::binary(op, self.expr(of, depth), self.expr(of, depth))
            }
            _ if ty.is_float() => {
                let op = self.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div]);
                Expr::binary(op, self.expr(ty, depth), self.expr(ty, depth))
            }
            5 => {
                let op = self.pick(&[BinaryOp::Shl, BinaryOp::Shr]);
                let amount = if self.below(3) == 0 {
                    self.expr(ScalarType::U8, depth)
                } else {
                    Expr::i32(self.below(u64::from(ty.bits())) as i32)
                };
                Expr::binary(op, self.expr(ty, depth), amount)
            }
            _ => {
                use BinaryOp::*;
                let op = self.pick(&[
                    Add, Add, Sub, Sub, Mul, Mul, Div, Rem, BitAnd, BitOr, BitXor,
                ]);
                Expr::binary(op, self.expr(ty, depth), self.expr(ty, depth))
            }
        }
    }

    /// A bound on some variable: what the ranges of the printer are fed with.
    fn guard(&mut self) -> Expr {
        let ty = self.pick(&TYPES[1..9]);
        let index = TYPES.iter().position(|t| *t == ty).expect("a type");
        let var = Expr::var(VarId(index as u32), Type::Scalar(ty));
        let bound = Expr::new(Type::Scalar(ty), ExprKind::Const(self.value(ty)));
        let op = self.pick(&[BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge]);
        Expr::binary(op, var, bound)
    }
}

/// One value for each variable.
struct Inputs(Vec<Value>);

impl Env for Inputs {
    fn var(&self, var: VarId) -> Value {
        self.0.get(var.0 as usize).copied().unwrap_or(Value::Undef)
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

/// `if (guard) result = a; else result = b;`
struct Function {
    ty: ScalarType,
    guard: Expr,
    then: Expr,
    otherwise: Expr,
}

impl Function {
    fn roll(dice: &mut Dice) -> Function {
        let ty = dice.pick(&TYPES);
        let guards = [dice.guard(), dice.guard()];
        let [a, b] = guards;
        Function {
            ty,
            guard: Expr::binary(BinaryOp::And, a, b),
            then: dice.expr(ty, 4),
            otherwise: dice.expr(ty, 3),
        }
    }

    /// `None` where some evaluation is a fault, whatever branch is taken: C evaluates the same.
    fn value(&self, inputs: &[Value]) -> Option<Value> {
        let mut env = Inputs(inputs.to_vec());
        let branch = match eval(&self.guard, &mut env).ok()? {
            Value::Bool(true) => &self.then,
            _ => &self.otherwise,
        };
        eval(branch, &mut env).ok()
    }
}

fn names() -> Vec<String> {
    (0..TYPES.len()).map(|i| format!("x{i}")).collect()
}

fn as_program(functions: &[Function]) -> Program {
    let procs = functions.iter().enumerate().map(|(number, function)| {
        let name: &'static str = Box::leak(format!("e{number}").into_boxed_str());
        let mut proc = Proc::new(ProcKind::Host, name);
        for (ty, name) in TYPES.iter().zip(names()) {
            proc.param(&name, Type::Scalar(*ty));
        }
        let result = proc.local("result", Type::Scalar(function.ty));
        proc.result = Some(result);
        proc.done(vec![when_else(
            function.guard.clone(),
            vec![set(result, function.then.clone())],
            vec![set(result, function.otherwise.clone())],
        )])
    });
    program(vec![], procs.collect())
}

fn bits(value: Value) -> u64 {
    match value {
        Value::Bool(b) => u64::from(b),
        Value::Int(_, bits) | Value::F64(bits) => bits,
        Value::F32(bits) => u64::from(bits),
        Value::Pointer(_) | Value::Undef => 0,
    }
}

/// A constant of a type, by its bits where decimal digits do not do.
fn literal(value: Value) -> String {
    match value {
        Value::F32(bits) => format!("as_float({bits}u)"),
        Value::F64(bits) => format!("as_double({bits}ULL)"),
        Value::Int(ty, bits) => format!("({}){bits}ULL", ty.c_name()),
        other => other.to_string(),
    }
}

#[test]
fn printed_expressions_compute_what_the_semantics_says() {
    const HARNESS: &str = "
#include <stdint.h>
#include <stdio.h>
static float as_float(uint32_t x) { float f; memcpy(&f, &x, 4); return f; }
static double as_double(uint64_t x) { double f; memcpy(&f, &x, 8); return f; }
static uint64_t of_float(float f) { uint32_t x; memcpy(&x, &f, 4); return f != f ? 0x7fc00000 : x; }
static uint64_t of_double(double f)
{ uint64_t x; memcpy(&x, &f, 8); return f != f ? 0x7ff8000000000000ULL : x; }
int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
";
    let mut dice = Dice(2026);
    let functions: Vec<Function> = (0..1500).map(|_| Function::roll(&mut dice)).collect();
    let mut text = host::program(&as_program(&functions)).expect("lowers").text;
    text.push_str(HARNESS);
    let mut expected = Vec::new();
    for (number, function) in functions.iter().enumerate() {
        let mut found = 0;
        for _ in 0..30 {
            let inputs: Vec<Value> = TYPES.iter().map(|ty| dice.value(*ty)).collect();
            let Some(value) = function.value(&inputs) else {
                continue;
            };
            let args: Vec<String> = inputs.iter().map(|v| literal(*v)).collect();
            let call = format!("e{number}({})", args.join(", "));
            let shown = match function.ty {
                ScalarType::F32 => format!("of_float({call})"),
                ScalarType::F64 => format!("of_double({call})"),
                int => {
                    let mask = u64::MAX >> (64 - int.size() * 8);
                    format!("(uint64_t){call} & {mask}ULL")
                }
            };
            writeln!(
                text,
                "    printf(\"%llu\\n\", (unsigned long long)({shown}));"
            )
            .expect("writes");
            expected.push((number, inputs, value));
            found += 1;
            if found == 6 {
                break;
            }
        }
    }
    text.push_str("    return 0;\n}\n");
    assert!(expected.len() > 5000, "{}", expected.len());

    let folder = tempfile::tempdir().expect("a folder");
    let (source, binary) = (folder.path().join("e.c"), folder.path().join("e"));
    std::fs::write(&source, &text).expect("writes");
    let clang = std::env::var("GRIDLOCK_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    // Not `shift-base`: clang and GCC define `<<` of negative integers, as C++20 does.
    let undefined =
        "signed-integer-overflow,shift-exponent,integer-divide-by-zero,float-cast-overflow";
    let build = Command::new(clang)
        .args([
            "-std=c11",
            "-O1",
            "-ffp-contract=off",
            "-w",
            "-fsanitize-trap=all",
        ])
        .arg(format!("-fsanitize={undefined}"))
        .arg("-o")
        .arg(&binary)
        .arg(&source)
        .arg("-lm")
        .output()
        .expect("clang runs");
    assert!(
        build.status.success(),
        "{}",
        String::from_utf8_lossy(&build.stderr)
    );
    let run = Command::new(&binary).output().expect("runs");
    let output = String::from_utf8_lossy(&run.stdout);
    let lines: Vec<&str> = output.lines().collect();
    let shown = |number: usize| {
        let head = format!(" e{number}(");
        let start = text.find(&head).unwrap_or(0);
        let end = text[start..]
            .find("\n}\n")
            .map_or(text.len(), |end| start + end);
        &text[start..end]
    };
    for (line, (number, inputs, value)) in lines.iter().zip(&expected) {
        assert_eq!(
            line.parse::<u64>().expect("a number"),
            bits(*value),
            "{} at {inputs:?}",
            shown(*number)
        );
    }
    if let Some((number, inputs, _)) = expected.get(lines.len()) {
        panic!(
            "{}: undefined in C: {} at {inputs:?}",
            run.status,
            shown(*number)
        );
    }
}
