//! Arbitrary values of the host's library: random numbers and the time. They are inputs of `main`,
//! as the arbitrary values of a kernel are its inputs ([`crate::device::arbitrary`]).

use crate::body::Body;
use crate::body::code::Code;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::Node;
use crate::syntax::casts::is_null;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// `RAND_MAX`
const LARGEST: i64 = 2_147_483_647;

impl Code<'_, '_> {
    /// The end of the program, or an exception, where it is not modelled: a run that reaches it
    /// decides nothing.
    pub(crate) fn not_followed(&mut self, node: &Node) {
        let span = self.span(node);
        self.emit(Basic::Beyond, span);
    }
}

impl Body<'_, '_> {
    /// `None`: none of these. `Some(None)`: done, and it gives no value.
    pub(crate) fn host_value(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        let value = match (name, arguments) {
            ("srand" | "srandom" | "srand48", [seed]) => {
                self.effect(seed)?;
                return Ok(Some(None));
            }
            ("sleep" | "usleep", [time]) => {
                self.effect(time)?;
                Expr::i32(0)
            }
            ("rand" | "random" | "lrand48", []) => {
                let bits = self.arbitrary_value(node, name, ScalarType::U32)?;
                let most = Expr::int(ScalarType::U32, LARGEST);
                constant::binary(BinaryOp::BitAnd, bits, most)
            }
            ("drand48", []) => {
                let bits = self.arbitrary_value(node, name, ScalarType::U32)?;
                let scale = Expr::constant(Value::f64(1.0 / 4_294_967_296.0));
                constant::binary(BinaryOp::Mul, bits.cast(Type::F64), scale)
            }
            ("time", [target]) if is_null(target) => self.clock(node, name, ScalarType::I64)?,
            ("clock", []) => self.clock(node, name, ScalarType::I64)?,
            ("gridlock_time", []) => self.clock(node, "clock", ScalarType::I64)?,
            ("omp_get_wtime", []) => self.clock(node, name, ScalarType::F64)?,
            _ => return Ok(None),
        };
        let ty = self.value_type(node)?;
        Ok(Some(Some(constant::convert(value, ty))))
    }
}
