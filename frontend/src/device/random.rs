//! Generators of random numbers (`curand_kernel.h`). The state of a generator is memory, which each draw reads and
//! writes. The result of a draw may be any number of the documented range.
//!
//! The threads of one block, up to 256, share a state of MTGP32; each of them has a cell of its own in it.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::syntax::Node;
use crate::types::ctype::CType;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// Cells of a state that the threads of a block share.
const SHARED_CELLS: u64 = 256;

impl Code<'_, '_> {
    /// Gives the state a new arbitrary value of 32 bits.
    fn next_state(&mut self, node: &Node, name: &str, cell: Expr) -> Result<Expr> {
        let bits = self.arbitrary_value(node, name, ScalarType::U32)?;
        let span = self.span(node);
        let store = Basic::Store {
            pointer: cell,
            value: bits.clone(),
        };
        self.emit(store, span);
        Ok(bits)
    }

    /// The result that a function computes from 32 random bits.
    fn drawn(&mut self, node: &Node, name: &str, bits: Expr) -> Result<Expr> {
        let smallest = 1.0 / 4_294_967_296.0;
        match name {
            // From 0, not included, to 1.
            "curand_uniform" | "curand_uniform_double" => {
                let is_double = name.ends_with("double");
                let number = |x: f64| match is_double {
                    true => Expr::constant(Value::f64(x)),
                    false => Expr::constant(Value::f32(x as f32)),
                };
                let ty = if is_double { Type::F64 } else { Type::F32 };
                let scaled = constant::binary(BinaryOp::Mul, bits.cast(ty), number(smallest));
                Ok(constant::binary(
                    BinaryOp::Add,
                    scaled,
                    number(smallest / 2.0),
                ))
            }
            "curand_normal" => self.arbitrary_value(node, name, ScalarType::F32),
            "curand_normal_double" => self.arbitrary_value(node, name, ScalarType::F64),
            _ => Ok(bits),
        }
    }
}

impl Body<'_, '_> {
    /// `None`: no function of a generator. `Some(None)`: done, and it gives no value.
    pub(crate) fn random_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        if !name.starts_with("curand") {
            return Ok(None);
        }
        match (name, arguments) {
            ("curand_init", [seed, sequence, offset, state]) => {
                let numbers = [seed, sequence, offset].map(|n| Operand::Value(n));
                self.operands(&numbers)?;
                let cell = self.generator(node, state)?;
                self.next_state(node, name, cell)?;
                Ok(Some(None))
            }
            ("curand" | "curand_uniform" | "curand_uniform_double", [state])
            | ("curand_poisson", [state, _])
            | ("curand_normal" | "curand_normal_double", [state]) => {
                let cell = self.generator(node, state)?;
                // A generator that was not initialised has no value to give.
                if let Some(old) = Expr::load(cell.clone()) {
                    let span = self.span(node);
                    self.keep(old, span);
                }
                let bits = self.next_state(node, name, cell)?;
                self.drawn(node, name, bits).map(|value| Some(Some(value)))
            }
            _ => Ok(None),
        }
    }

    /// The cell of a generator's state that this thread uses.
    fn generator(&mut self, node: &Node, state: &Node) -> Result<Expr> {
        let CType::Pointer(to) = self.type_of(state).decayed().ty else {
            return self.refuse(node, "this generator of random numbers");
        };
        let Some((_, Some(n_cells))) = to.cells() else {
            return self.refuse(node, "this generator of random numbers");
        };
        let pointer = self.value(state)?;
        if n_cells != SHARED_CELLS {
            return Ok(pointer);
        }
        let wide = |builtin| Expr::builtin(builtin).cast(Type::I64);
        let [x, y, z] = [Axis::X, Axis::Y, Axis::Z].map(|a| wide(Builtin::ThreadIdx(a)));
        let scaled = |by: Expr, axis, plus: Expr| {
            let by = Expr::binary(BinaryOp::Mul, by, wide(Builtin::BlockDim(axis)));
            Expr::binary(BinaryOp::Add, by, plus)
        };
        let thread = scaled(scaled(z, Axis::Y, y), Axis::X, x);
        let most = Expr::int(ScalarType::I64, SHARED_CELLS as i64);
        Ok(moved(pointer, Expr::binary(BinaryOp::Rem, thread, most), 1))
    }
}
