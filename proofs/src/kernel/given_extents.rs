//! How many elements arrays have, as the request and the declarations say.

use crate::kernel::request::{ExtentTerm, ProofRequest};
use crate::machine::state::{Followed, Machine};
use crate::machine::value::State;
use crate::terms::array_key::ArrayKey;
use crate::terms::term::{Order, TermId};
use gridlock_checker::report::assumption::Assumption;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(crate) struct GivenExtents {
    /// Numbers of 64 bits.
    pub elements: FxHashMap<ArrayKey, TermId>,
    /// What is assumed of them.
    pub assumptions: Vec<Assumption>,
}

impl GivenExtents {
    /// Evaluates the extents at the entry of `kernel`; that none is negative becomes a fact of the launch.
    pub fn new(
        machine: &mut Machine,
        kernel: ProcId,
        request: &ProofRequest,
        entry: &State,
    ) -> Followed<GivenExtents> {
        let mut given = GivenExtents::default();
        let program = machine.program;
        let procedure = program.proc(kernel);
        for (&var, extent) in &request.extents {
            let elements = match extent {
                ExtentTerm::Elements(n) => machine.terms.bits(64, *n),
                ExtentTerm::Of(expr) => {
                    let value = machine.scalar(expr, &procedure.body, &mut entry.clone())?;
                    let signed = expr.ty.scalar().is_none_or(|ty| ty.is_signed());
                    let terms = &mut machine.terms;
                    let value = if signed {
                        terms.sign_ext(64, value)
                    } else {
                        terms.zero_ext(64, value)
                    };
                    let zero = terms.bits(64, 0);
                    let counts = terms.less(Order::SignedLessEq, zero, value);
                    machine.launch.facts.push(counts);
                    let array = procedure.vars[var.0 as usize].name.to_string();
                    let counted = Assumption::ExtentNotNegative { array };
                    given.assumptions.push(counted);
                    value
                }
            };
            given.elements.insert(ArrayKey::Param(var), elements);
        }
        let dynamic = request.given_shared_bytes();
        for (index, decl) in program.arrays.iter().enumerate() {
            let elements = match (decl.extent, dynamic) {
                (Extent::Fixed(n), _) => n,
                (Extent::LaunchShared, Some(bytes)) => u64::from(bytes) / decl.elem.size(),
                (Extent::LaunchShared, None) => continue,
            };
            let elements = machine.terms.bits(64, elements);
            let id = ArrayId(index as u32);
            given.elements.insert(ArrayKey::Declared(id), elements);
        }
        Ok(given)
    }
}
