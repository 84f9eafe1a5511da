//! A question to the solver about one entry.

use crate::input::request::{ExtentFactor, ExtentSpec, Request};
use crate::subject::EntryPoint;
use crate::subject::places::places;
use crate::subject::prepared::Prepared;
use gridlock_checker::verdict::Property;
use gridlock_proofs::{Budget, ExtentTerm, ProofRequest};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::time::Duration;

/// The question whether `properties` hold at `point`, for everything `point` leaves open.
pub fn question(
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    properties: Vec<Property>,
    budget: Budget,
    time: Duration,
) -> ProofRequest {
    let extents = point.extents.iter();
    ProofRequest {
        launch: point.launch,
        asked: Some(point.asked),
        shared_is_open: point.shared_is_open,
        shared_bytes: point.shared_bytes,
        scalars: point.scalars.clone(),
        places: places(&prepared.surface, point.proc),
        extents: extents
            .map(|(var, spec)| (*var, extent_term(&prepared.surface, point, spec)))
            .collect(),
        properties,
        budget,
        total_timeout: time,
        ..ProofRequest::all_sizes(request.profile.clone())
    }
}

/// An extent as an expression over the entry's parameters.
fn extent_term(program: &Program, point: &EntryPoint, spec: &ExtentSpec) -> ExtentTerm {
    if let [ExtentFactor::Number(elements)] = spec.0.as_slice() {
        return ExtentTerm::Elements(*elements);
    }
    let procedure = program.proc(point.proc);
    let factors = spec.0.iter().map(|factor| match factor {
        ExtentFactor::Number(number) => Expr::int(ScalarType::I64, *number as i64),
        ExtentFactor::Parameter(name) => procedure
            .params
            .iter()
            .find(|v| *procedure.vars[v.0 as usize].name == **name)
            .map_or(Expr::int(ScalarType::I64, 0), |v| {
                Expr::var(*v, procedure.vars[v.0 as usize].ty).cast(Type::I64)
            }),
    });
    let product = factors.reduce(|a, b| Expr::binary(BinaryOp::Mul, a, b));
    ExtentTerm::Of(product.unwrap_or(Expr::int(ScalarType::I64, 1)))
}
