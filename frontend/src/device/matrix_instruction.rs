//! `ldmatrix` and `mma` (PTX ISA, "Warp-level matrix instructions"). Which lane holds which elements is laid down there,
//! so each lane computes what it holds: `ldmatrix` lets each lane read the row whose address it gives, and what the
//! lanes need of the rows they exchange; `mma` lets the lanes exchange what they hold of the factors. Sums are made in the
//! order of their products, which is assumed ([`crate::assumed::Assumed::SumsInOrder`]), as for `mma.h`.

use crate::assumed::Assumed;
use crate::body::{Body, sequence};
use crate::constant;
use crate::device::instruction::{Assembly, lane};
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::unit::ptx::{Instruction, Operand};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::operator::{Basic, Op, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// What the elements of the factors are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Half,
    Brain,
    Tensor,
    Double,
}

/// Where element (row, k) of the left factor is: register, half of it, and which of the four lanes of its row; `high`: a
/// row of the lower half of the matrix. The same for (k, column) of the right factor.
struct Shape {
    element: Element,
    k: u32,
    left: fn(u32, u32, bool) -> (u32, u32, u32),
    right: fn(u32, u32) -> (u32, u32, u32),
    n_left: usize,
    n_right: usize,
    /// Rows that a lane has of the result: 1 or 2.
    rows: u32,
}

/// Two elements in a register, eight columns side by side.
fn packed_left(k: u32, _: u32, high: bool) -> (u32, u32, u32) {
    (k / 8 * 2 + u32::from(high), k % 2, k % 8 / 2)
}
fn packed_right(k: u32, _: u32) -> (u32, u32, u32) {
    (k / 8, k % 2, k % 8 / 2)
}
/// An element in a register, four columns side by side.
fn single_left(k: u32, _: u32, high: bool) -> (u32, u32, u32) {
    (k / 4 * 2 + u32::from(high), 0, k % 4)
}
fn single_right(k: u32, _: u32) -> (u32, u32, u32) {
    (k / 4, 0, k % 4)
}
fn double_left(k: u32, _: u32, _: bool) -> (u32, u32, u32) {
    (0, 0, k)
}

fn shape(instruction: &Instruction) -> Option<Shape> {
    let words: Vec<&str> = instruction.words.iter().map(String::as_str).collect();
    let (size, types) = match words.as_slice() {
        ["mma", "sync", "aligned", size, "row", "col", types @ ..] => (*size, types),
        _ => return None,
    };
    let packed = |element, k: u32| Shape {
        element,
        k,
        left: packed_left,
        right: packed_right,
        n_left: (k / 4) as usize,
        n_right: (k / 8) as usize,
        rows: 2,
    };
    Some(match (size, types) {
        ("m16n8k16", ["f32", "f16", "f16", "f32"]) => packed(Element::Half, 16),
        ("m16n8k16", ["f32", "bf16", "bf16", "f32"]) => packed(Element::Brain, 16),
        ("m16n8k8", ["f32", "f16", "f16", "f32"]) => packed(Element::Half, 8),
        ("m16n8k8", ["f32", "bf16", "bf16", "f32"]) => packed(Element::Brain, 8),
        ("m16n8k8", ["f32", "tf32", "tf32", "f32"]) => Shape {
            element: Element::Tensor,
            k: 8,
            left: single_left,
            right: single_right,
            n_left: 4,
            n_right: 2,
            rows: 2,
        },
        ("m16n8k4", ["f32", "tf32", "tf32", "f32"]) => Shape {
            element: Element::Tensor,
            k: 4,
            left: single_left,
            right: single_right,
            n_left: 2,
            n_right: 1,
            rows: 2,
        },
        ("m8n8k4", ["f64", "f64", "f64", "f64"]) => Shape {
            element: Element::Double,
            k: 4,
            left: double_left,
            right: single_right,
            n_left: 1,
            n_right: 1,
            rows: 1,
        },
        _ => return None,
    })
}

fn word(n: u32) -> Expr {
    Expr::int(ScalarType::U32, i64::from(n))
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    constant::binary(op, a, b)
}

fn bits_as(value: Expr, to: ScalarType) -> Expr {
    Expr::new(
        Type::Scalar(to),
        ExprKind::Math(MathFn::BitsAs(to), vec![value]),
    )
}

/// The number that the low 16 bits of a register are.
fn half(bits: Expr) -> Expr {
    let and = |mask| binary(BinaryOp::BitAnd, bits.clone(), word(mask));
    let up = |value: Expr, by| binary(BinaryOp::Shl, value, Expr::i32(by));
    // The exponent is that of a single less 112, also for numbers below the normal ones.
    let scaled = bits_as(up(and(0x7fff), 13), ScalarType::F32);
    let two_112 = Expr::constant(Value::F32(0x7780_0000));
    let number = bits_as(binary(BinaryOp::Mul, scaled, two_112), ScalarType::U32);
    let beyond = binary(BinaryOp::BitOr, up(and(0x3ff), 13), word(0x7f80_0000));
    let is_beyond = Expr::binary(BinaryOp::Eq, and(0x7c00), word(0x7c00));
    let magnitude = Expr::select(is_beyond, beyond, number);
    let sign = up(and(0x8000), 16);
    bits_as(binary(BinaryOp::BitOr, magnitude, sign), ScalarType::F32)
}

impl Body<'_, '_> {
    /// False: none of those that are read.
    pub(super) fn matrix_instruction(
        &mut self,
        assembly: &Assembly<'_>,
        instruction: &Instruction,
    ) -> Result<bool> {
        if instruction.guard.is_some() {
            return Ok(false);
        }
        if let Some(shape) = shape(instruction) {
            return self.multiplied(assembly, instruction, &shape);
        }
        let words: Vec<&str> = instruction.words.iter().map(String::as_str).collect();
        let (n, is_transposed) = match words.as_slice() {
            ["ldmatrix", "sync", "aligned", "m8n8", n, rest @ .., "b16"] => {
                let n = match *n {
                    "x1" => 1,
                    "x2" => 2,
                    "x4" => 4,
                    _ => return Ok(false),
                };
                match rest {
                    ["shared"] | ["shared::cta"] | [] => (n, false),
                    ["trans", "shared"] | ["trans", "shared::cta"] | ["trans"] => (n, true),
                    _ => return Ok(false),
                }
            }
            _ => return Ok(false),
        };
        let [to, from] = instruction.operands.as_slice() else {
            return Ok(false);
        };
        let targets = match to {
            Operand::Vector(targets) => targets.clone(),
            one => vec![one.clone()],
        };
        if targets.len() != n as usize {
            return Ok(false);
        }
        let row = self.address_of_operand(assembly, from)?;
        let cell = row.ty.pointer().map_or(1, |p| p.elem.size());
        if cell > 4 {
            return self.refuse(assembly.node, "`ldmatrix` of cells of 8 bytes");
        }
        let span = assembly.span;
        // A row is four words.
        let mut words = Vec::new();
        for _ in 0..4 {
            words.push(self.declare("row", Type::U32, span));
        }
        let (ops, ()) = self.apart(|b| {
            for (index, var) in words.iter().enumerate() {
                let by = Expr::int(ScalarType::I64, (index as u64 * (4 / cell)) as i64);
                let at = moved(row.clone(), by, 1);
                let value = b.read_view(&at, ScalarType::U32, assembly.node)?;
                b.emit(Basic::Assign { var: *var, value }, span);
            }
            Ok(())
        })?;
        for var in &words {
            let value = word(0);
            self.emit(Basic::Assign { var: *var, value }, span);
        }
        let own = self.keep(lane(), span);
        let gives = Expr::binary(BinaryOp::Lt, own.clone(), word(8 * n));
        self.emit_if(gives, sequence(ops), Op::skip(), span);
        let words: Vec<Expr> = words.iter().map(|var| Expr::var(*var, Type::U32)).collect();
        let group = self.keep(binary(BinaryOp::Shr, own.clone(), Expr::i32(2)), span);
        let in_group = self.keep(binary(BinaryOp::BitAnd, own, word(3)), span);
        for (matrix, target) in targets.iter().enumerate() {
            let first = word(8 * matrix as u32);
            let value = if is_transposed {
                let which = binary(BinaryOp::Shr, group.clone(), Expr::i32(1));
                let at = binary(
                    BinaryOp::Mul,
                    binary(BinaryOp::BitAnd, group.clone(), word(1)),
                    word(16),
                );
                let mut parts = Vec::new();
                for odd in 0..2 {
                    let row = binary(BinaryOp::Mul, in_group.clone(), word(2));
                    let row = binary(
                        BinaryOp::Add,
                        binary(BinaryOp::Add, row, word(odd)),
                        first.clone(),
                    );
                    let found = self.word_of_row(assembly, &words, row, which.clone());
                    let found = binary(BinaryOp::Shr, found, at.clone());
                    parts.push(binary(BinaryOp::BitAnd, found, word(0xffff)));
                }
                let high = parts.pop().unwrap_or(word(0));
                let low = parts.pop().unwrap_or(word(0));
                binary(
                    BinaryOp::BitOr,
                    low,
                    binary(BinaryOp::Shl, high, Expr::i32(16)),
                )
            } else {
                let row = binary(BinaryOp::Add, group.clone(), first);
                self.word_of_row(assembly, &words, row, in_group.clone())
            };
            let value = self.keep(value, span);
            self.set_operand(assembly, target, value)?;
        }
        Ok(true)
    }

    /// Word `which` of the row that another lane has read.
    fn word_of_row(
        &mut self,
        assembly: &Assembly<'_>,
        words: &[Expr],
        of: Expr,
        which: Expr,
    ) -> Expr {
        let of = self.keep(of, assembly.span);
        let mut found = word(0);
        for (index, own) in words.iter().enumerate().rev() {
            let there = self.of_lane(assembly, own.clone(), of.clone());
            let is_it = Expr::binary(BinaryOp::Eq, which.clone(), word(index as u32));
            found = Expr::select(is_it, there, found);
        }
        self.keep(found, assembly.span)
    }

    /// What another lane of the warp has.
    fn of_lane(&mut self, assembly: &Assembly<'_>, value: Expr, lane: Expr) -> Expr {
        let ty = value.ty;
        let lane = constant::convert(lane, Type::I32);
        let operands = vec![value, lane, Expr::i32(32)];
        let function = WarpFn::Shuffle(ShuffleMode::Index);
        self.warp_result(function, word(u32::MAX), operands, ty, assembly.span)
    }

    fn multiplied(
        &mut self,
        assembly: &Assembly<'_>,
        instruction: &Instruction,
        shape: &Shape,
    ) -> Result<bool> {
        let lists: Vec<Vec<Operand>> = instruction
            .operands
            .iter()
            .map(|operand| match operand {
                Operand::Vector(parts) => parts.clone(),
                one => vec![one.clone()],
            })
            .collect();
        let [to, left, right, first] = lists.as_slice() else {
            return Ok(false);
        };
        let n_results = 2 * shape.rows as usize;
        if (to.len(), left.len(), right.len(), first.len())
            != (n_results, shape.n_left, shape.n_right, n_results)
        {
            return Ok(false);
        }
        self.assume(Assumed::SumsInOrder);
        let span = assembly.span;
        let (register, sum) = match shape.element {
            Element::Double => (ScalarType::F64, ScalarType::F64),
            _ => (ScalarType::U32, ScalarType::F32),
        };
        let mut held = Vec::new();
        for list in [left, right] {
            let mut values = Vec::new();
            for operand in list {
                let value = self.number_of(assembly, operand, register)?;
                values.push(self.keep(value, span));
            }
            held.push(values);
        }
        let mut sums = Vec::new();
        for operand in first {
            let value = self.number_of(assembly, operand, sum)?;
            sums.push(self.keep(value, span));
        }
        let own = self.keep(lane(), span);
        let four = binary(BinaryOp::BitAnd, own.clone(), word(0x1c));
        let row_lanes = self.keep(four, span);
        let in_group = self.keep(binary(BinaryOp::BitAnd, own, word(3)), span);
        // The lanes of column 2t: 8t to 8t+3.
        let column_lanes = self.keep(binary(BinaryOp::Mul, in_group, word(8)), span);
        let number = |value: Expr, part: u32| match shape.element {
            Element::Double => value,
            Element::Tensor => bits_as(
                binary(BinaryOp::BitAnd, value, word(0xffff_e000)),
                ScalarType::F32,
            ),
            Element::Half => half(binary(
                BinaryOp::BitAnd,
                binary(BinaryOp::Shr, value, Expr::i32(16 * part as i32)),
                word(0xffff),
            )),
            Element::Brain => {
                let top = match part {
                    0 => binary(BinaryOp::Shl, value, Expr::i32(16)),
                    _ => binary(BinaryOp::BitAnd, value, word(0xffff_0000)),
                };
                bits_as(top, ScalarType::F32)
            }
        };
        for k in 0..shape.k {
            let mut factors = Vec::new();
            for high in 0..shape.rows {
                let (at, part, by) = (shape.left)(k, 0, high == 1);
                let from = binary(BinaryOp::Add, row_lanes.clone(), word(by));
                let value = self.of_lane(assembly, held[0][at as usize].clone(), from);
                factors.push(self.keep(number(value, part), span));
            }
            let mut columns = Vec::new();
            for odd in 0..2 {
                let (at, part, by) = (shape.right)(k, 0);
                let from = binary(BinaryOp::Add, column_lanes.clone(), word(4 * odd + by));
                let value = self.of_lane(assembly, held[1][at as usize].clone(), from);
                columns.push(self.keep(number(value, part), span));
            }
            for (high, factor) in factors.iter().enumerate() {
                for (odd, column) in columns.iter().enumerate() {
                    let at = 2 * high + odd;
                    let product = Expr::binary(BinaryOp::Mul, factor.clone(), column.clone());
                    let value = Expr::binary(BinaryOp::Add, sums[at].clone(), product);
                    sums[at] = self.keep(value, span);
                }
            }
        }
        for (operand, value) in to.iter().zip(sums) {
            self.set_operand(assembly, operand, value)?;
        }
        Ok(true)
    }
}
