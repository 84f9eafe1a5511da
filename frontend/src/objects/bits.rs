//! Bit-fields, read and written (`types/bit_field.rs` says what they are).

use crate::body::Body;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::refusal::Result;
use crate::storage::place::{Bits, Place, field_pointers};
use crate::syntax::Node;
use crate::types::bit_field::truncated;
use crate::unit::Function;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;

impl Code<'_, '_> {
    /// **Lemma (bits in range).** The variable of a bit-field holds a value that fits its width, because each
    /// assignment truncates. A cell may hold a value from outside, so a value read from it is truncated.
    pub(crate) fn read_bits(&mut self, bits: &Bits, node: &Node) -> Result<Expr> {
        let value = self.read(&bits.own, node)?;
        match bits.own {
            Place::Var(..) => Ok(value),
            _ => Ok(truncated(value, bits.width)),
        }
    }

    /// The bit-field with the addresses of its object evaluated once.
    pub(crate) fn steady_bits(&mut self, bits: Bits, span: Span) -> Bits {
        let object = self.steady(bits.object, span);
        let own = match (object.ty(), object.pointers(), bits.own) {
            (Some(of), Some(pointers), Place::Cell(pointer, ty)) => {
                let found = field_pointers(&pointers, of, bits.index, &ty);
                let found = found.and_then(|mut all| all.pop());
                Place::Cell(found.unwrap_or(pointer), ty)
            }
            (_, _, own) => own,
        };
        Bits {
            object,
            own,
            ..bits
        }
    }

    /// Arguments that are structs: each of their bit-fields holds a value that fits its width.
    pub(crate) fn assume_in_range(&mut self, function: &Function<'_>) {
        for &node in &function.params {
            let Some(Binding::Object(vars, ty)) = self.bindings.get(&node.id) else {
                continue;
            };
            let both = vars.clone().into_iter().zip(ty.parts().unwrap_or_default());
            let span = self.span(node);
            for (var, part) in both {
                let value = Expr::var(var, part.ty);
                let fits = part.width.map(|width| truncated(value.clone(), width));
                if let Some(fits) = fits.filter(|fits| *fits != value) {
                    let cond = Expr::binary(BinaryOp::Eq, value, fits);
                    self.emit(Basic::Assume { cond }, span);
                }
            }
        }
    }
}

impl Body<'_, '_> {
    /// **Lemma (one memory location).** In memory the other fields of the location are written back: a thread that
    /// accesses one of them at the same time is in a race.
    pub(crate) fn write_bits(
        &mut self,
        bits: &Bits,
        value: Expr,
        span: Span,
        node: &Node,
    ) -> Result<()> {
        let value = bits.holds(value);
        if let Place::Var(..) = bits.own {
            return self.write(&bits.own, value, span, node);
        }
        let steady = self.steady_bits(bits.clone(), span);
        self.write(&steady.own, value, span, node)?;
        for pointer in steady.neighbours() {
            let Some(elem) = pointer.ty.pointer().map(|to| to.elem) else {
                continue;
            };
            let value = Expr::no_value(Type::Scalar(elem));
            self.emit(Basic::Store { pointer, value }, span);
        }
        Ok(())
    }
}
