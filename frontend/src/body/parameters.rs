//! The variables, or the bindings, that a function's parameters become.

use crate::refusal::{Refusal, Result};
use crate::syntax::Node;
use crate::types::ctype::{AddressSpace, CType, QualifiedType};
use crate::types::record::Part;
use crate::unit::{Function, Side, Unit, is_pointer_to_pointer};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// The representation of a function's parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Parameter {
    Var(Type),
    Reference(Type),
    /// A value of several parts, one variable each.
    Parts(Vec<Part>),
    /// Nothing: a `cudaError_t`, a text, an unused argument of `main`.
    Erased,
    /// Nothing: local memory that an OpenCL launch gives a kernel.
    LocalMemory(QualifiedType),
}

impl Parameter {
    /// The types of the variables it becomes.
    pub fn types(&self) -> Vec<Type> {
        match self {
            Parameter::Var(ty) | Parameter::Reference(ty) => vec![*ty],
            Parameter::Parts(parts) => parts.iter().map(|part| part.ty).collect(),
            Parameter::Erased | Parameter::LocalMemory(_) => vec![],
        }
    }
}

/// The representations of a function's parameters; an error names a parameter without a meaning.
pub(crate) fn parameters<'a>(
    unit: &Unit<'a>,
    function: &Function<'a>,
    on_host: bool,
) -> Result<Vec<Parameter>> {
    let types: Vec<QualifiedType> = function
        .params
        .iter()
        .map(|p| unit.type_of(p).decayed())
        .collect();
    let reports_errors = types.iter().any(|t| t.ty == CType::Status);
    let mut parameters = Vec::new();
    for (node, ty) in function.params.iter().zip(&types) {
        let is_text = |to: &QualifiedType| to.is_const && to.ty == CType::Scalar(ScalarType::I8);
        let parameter = match &ty.ty {
            CType::Status | CType::Group(_) => Parameter::Erased,
            CType::Reference(to) if matches!(to.ty, CType::Group(_)) => Parameter::Erased,
            CType::Pointer(to)
                if function.side == Side::Kernel && to.space == AddressSpace::Local =>
            {
                Parameter::LocalMemory((**to).clone())
            }
            CType::Pointer(to) if on_host && reports_errors && is_text(to) => Parameter::Erased,
            _ if on_host && is_command_line(function, ty) => Parameter::Erased,
            CType::Reference(_) => match ty.variable_type() {
                Ok(ty) => Parameter::Reference(ty),
                Err(message) => return refuse_at(unit, node, message),
            },
            _ if !ty.is_single() => match (unit.cut_smaller(node, ty), ty.parts()) {
                (Some(ty), _) if !on_host => Parameter::Var(ty),
                (_, Ok(parts)) => Parameter::Parts(parts),
                (_, Err(message)) => return refuse_at(unit, node, message),
            },
            // The host's memory has the types it is allocated with.
            _ if on_host && unit.cut_smaller(node, ty).is_some() => match ty.variable_type() {
                Ok(ty) => Parameter::Var(ty),
                Err(_) if !node.kind.is_used => Parameter::Erased,
                Err(message) => return refuse_at(unit, node, message),
            },
            _ => match unit.pointer_type(node, ty) {
                Ok(ty) => Parameter::Var(ty),
                // The function does not use it.
                Err(_) if !node.kind.is_used => Parameter::Erased,
                Err(message) => return refuse_at(unit, node, message),
            },
        };
        // The host's pointers are variables only.
        if on_host && is_pointer_to_pointer(ty) && parameter != Parameter::Erased {
            return refuse_at(unit, node, "a pointer to a pointer");
        }
        parameters.push(parameter);
    }
    Ok(parameters)
}

/// Whether a parameter is one of `main`'s: `argc`, `argv`, or a further one that it does not use.
pub(crate) fn is_command_line(function: &Function<'_>, ty: &QualifiedType) -> bool {
    function.name == "main"
        && match &ty.ty {
            CType::Scalar(_) => true,
            CType::Pointer(to) => matches!(to.ty, CType::Pointer(_)),
            _ => false,
        }
}

pub(crate) fn refuse_at<T>(unit: &Unit<'_>, node: &Node, message: impl Into<String>) -> Result<T> {
    Err(Refusal {
        span: unit.files.span(node),
        message: message.into(),
        cause: None,
    })
}
