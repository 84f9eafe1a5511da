//! Random host functions over all types, printed as C, compiled by clang with traps on everything
//! C leaves undefined, run, and compared with the semantics bit by bit: first expressions under a
//! guard, then statements with loops and branches.

use crate::support::{Block, Proc, for_loop, program, set, when_else};
use gridlock_generation::effort;
use gridlock_lowering::device::{DeviceError, Interpreter};
use gridlock_lowering::host;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::Op;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, Setup};
use std::fmt::Write;
use std::process::Command;
use std::sync::Arc;

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

/// SplitMix64, and the loop counters in scope.
struct Rng {
    state: u64,
    counters: Vec<VarId>,
}

impl Rng {
    fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
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
            if ty == ScalarType::I32 && !self.counters.is_empty() && self.below(2) == 0 {
                let counters = self.counters.clone();
                return Expr::var(self.pick(&counters), Type::I32);
            }
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
                use MathFn::*;
                // C has no function that turns bits round.
                let functions = [Min, Max, Abs, PopCount, FindFirstSet, CountLeadingZeros];
                let mut function = self.pick(&functions);
                if !function.is_defined_on(ty) {
                    function = Abs;
                }
                let args = (0..function.arity())
                    .map(|_| self.expr(ty, depth))
                    .collect();
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

/// Statements over the parameters, which they assign, and counters of their own.
impl Rng {
    fn statements(&mut self, depth: u32, proc: &mut Proc) -> Block {
        let n = 1 + self.below(3);
        (0..n).map(|_| self.statement(depth, proc)).collect()
    }

    fn statement(&mut self, depth: u32, proc: &mut Proc) -> Arc<Op> {
        match if depth == 0 {
            self.below(3)
        } else {
            self.below(6)
        } {
            // What grows from one iteration to the next.
            1 => set(VarId(3), Expr::i32(self.below(9) as i32)),
            2 => {
                let operands = [
                    Expr::var(VarId(3), Type::I32),
                    Expr::var(self.counters.last().copied().unwrap_or(VarId(3)), Type::I32),
                    Expr::constant(self.value(ScalarType::I32)),
                ];
                let mut operand = || operands[self.below(3) as usize].clone();
                let (a, b) = (operand(), operand());
                let op = self.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul]);
                set(VarId(3), Expr::binary(op, a, b))
            }
            3 => {
                let cond = if self.below(2) == 0 {
                    self.guard()
                } else {
                    self.expr(ScalarType::Bool, 2)
                };
                let then = self.statements(depth - 1, proc);
                let otherwise = self.statements(depth - 1, proc);
                when_else(cond, then, otherwise)
            }
            4 => {
                let i = proc.local(&format!("i{depth}"), Type::I32);
                let counter = || Expr::var(i, Type::I32);
                let small = |rng: &mut Rng, n| Expr::i32(1 + rng.below(n) as i32);
                let (init, cond, step) = match self.below(4) {
                    0 => {
                        let last = self.value(ScalarType::I32);
                        // From close below any bound up to it.
                        let first = last.as_integer().expect("an int") - 1 - self.below(6) as i128;
                        let bound = Expr::constant(last);
                        let first = Expr::constant(Value::int(ScalarType::I32, first));
                        (
                            first,
                            Expr::binary(BinaryOp::Lt, counter(), bound),
                            Expr::binary(BinaryOp::Add, counter(), Expr::i32(1)),
                        )
                    }
                    1 => (
                        small(self, 3),
                        Expr::binary(BinaryOp::Le, counter(), small(self, 20)),
                        Expr::binary(BinaryOp::Mul, counter(), Expr::i32(2)),
                    ),
                    2 => (
                        small(self, 50),
                        Expr::binary(BinaryOp::Gt, counter(), Expr::i32(0)),
                        Expr::binary(BinaryOp::Div, counter(), Expr::i32(2)),
                    ),
                    _ => (
                        small(self, 9),
                        Expr::binary(BinaryOp::Ge, counter(), Expr::i32(-2)),
                        Expr::binary(BinaryOp::Sub, counter(), small(self, 3)),
                    ),
                };
                self.counters.push(i);
                let body = self.statements(depth - 1, proc);
                self.counters.pop();
                for_loop(i, init, cond, step, body)
            }
            _ => {
                let index = self.below(TYPES.len() as u64);
                let value = self.expr(TYPES[index as usize], 3);
                set(VarId(index as u32), value)
            }
        }
    }
}

/// A host function that returns a value of `ty`.
struct Function {
    ty: ScalarType,
    make: fn(&mut Rng, &mut Proc, ScalarType, VarId) -> Block,
    seed: u64,
}

/// `if (guard) result = a; else result = b;`
fn guarded(rng: &mut Rng, _: &mut Proc, ty: ScalarType, result: VarId) -> Block {
    let cond = Expr::binary(BinaryOp::And, rng.guard(), rng.guard());
    vec![when_else(
        cond,
        vec![set(result, rng.expr(ty, 4))],
        vec![set(result, rng.expr(ty, 3))],
    )]
}

fn statements(rng: &mut Rng, proc: &mut Proc, ty: ScalarType, result: VarId) -> Block {
    let mut body = rng.statements(3, proc);
    body.push(set(result, rng.expr(ty, 2)));
    body
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
        let mut rng = Rng {
            state: function.seed,
            counters: vec![],
        };
        let body = (function.make)(&mut rng, &mut proc, function.ty, result);
        proc.done(body)
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
    agree(guarded, effort::cases(700, 1500), 2500);
}

#[test]
fn printed_statements_do_what_the_semantics_says() {
    agree(statements, effort::cases(300, 600), 700);
}

fn agree(
    make: fn(&mut Rng, &mut Proc, ScalarType, VarId) -> Block,
    n_functions: u64,
    at_least: usize,
) {
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
    let mut rng = Rng {
        state: 2026,
        counters: vec![],
    };
    let functions: Vec<Function> = (0..n_functions)
        .map(|seed| Function {
            ty: rng.pick(&TYPES),
            make,
            seed,
        })
        .collect();
    let program = as_program(&functions);
    let interpreter = Interpreter::new(&program).expect("well-formed");
    let mut text = host::program(&program).expect("lowers").text;
    text.push_str(HARNESS);
    let mut expected = Vec::new();
    for (number, function) in functions.iter().enumerate() {
        let mut found = 0;
        for _ in 0..30 {
            let inputs: Vec<Value> = TYPES.iter().map(|ty| rng.value(*ty)).collect();
            let setup = Setup {
                declared: Default::default(),
                observed: Default::default(),
                device: Default::default(),
                entry: ProcId(number as u32),
                launch: None,
                args: inputs.iter().map(|value| Arg::Scalar(*value)).collect(),
                arrays: vec![],
            };
            // A run that faults is none C must agree with.
            let value = match interpreter.observe(&setup) {
                Ok(observation) => observation.result.expect("a result"),
                Err(DeviceError::Fault { .. }) => continue,
                Err(error) => panic!("{error}"),
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
    assert!(expected.len() > at_least, "{}", expected.len());

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
