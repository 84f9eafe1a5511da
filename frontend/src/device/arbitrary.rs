//! Arbitrary values: the results of functions without a body, and of clocks. (Random numbers are in
//! [`crate::device::random`], arrays of unknown contents in [`crate::device::texture`].) For each place that needs
//! such values, the kernel has a parameter that points to them: `gridlock_semantics::setup::arbitrary` explains how.
//! The number of these places is known only when the kernel has been read, and a procedure's parameters come before
//! its other variables; such a kernel is therefore read twice.

use crate::assumed::Assumed;
use crate::body::Body;
use crate::body::asked::Asked;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::refusal::Result;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::setup::arbitrary;
use std::sync::Arc;

impl Code<'_, '_> {
    /// Makes a parameter for each place that the first reading of the kernel found.
    pub(crate) fn hold_arbitrary(&mut self, places: &[Asked], span: Span) -> Vec<VarId> {
        let declare = |asked: &Asked| self.declare(&asked.name, asked.ty(), span);
        self.arbitrary.params = places.iter().map(declare).collect();
        self.arbitrary.params.clone()
    }

    /// Points each parameter to its thread's first value.
    pub(crate) fn first_arbitrary(&self, span: Span) -> Vec<Arc<Op>> {
        if self.on_host() {
            return vec![];
        }
        let params = self.arbitrary.params.iter();
        params
            .filter(|var| arbitrary::is_arbitrary(&self.vars[var.0 as usize].name))
            .map(|&var| self.moved_by(var, arbitrary::number_of_thread(), span))
            .collect()
    }

    fn moved_by(&self, var: VarId, elements: Expr, span: Span) -> Arc<Op> {
        let pointer = Expr::var(var, self.vars[var.0 as usize].ty);
        let value = Expr::offset(pointer, elements);
        Op::basic(Basic::Assign { var, value }, span)
    }

    /// An arbitrary value of this type; `of` names its source in reports.
    pub(crate) fn arbitrary_value(
        &mut self,
        node: &Node,
        of: &str,
        elem: ScalarType,
    ) -> Result<Expr> {
        let is_main = self.on_host() && self.builder.is_main(self.proc);
        if self.kind != ProcKind::Kernel && !is_main {
            return self.refuse(
                node,
                format!("what `{of}` gives, outside of kernels and `main`"),
            );
        }
        let span = self.span(node);
        let place = arbitrary::name_of_place(of, span.line);
        let mut name = place.clone();
        let mut number = 2;
        while self.arbitrary.found.iter().any(|a| a.name == name) {
            name = format!("{place} ({number})");
            number += 1;
        }
        let at = self.arbitrary.found.len();
        self.arbitrary.found.push(Asked {
            name: name.clone(),
            elem,
            is_written: false,
        });
        let value = self.declare(&format!("value of {name}"), Type::Scalar(elem), span);
        if let Some(&param) = self.arbitrary.params.get(at) {
            let pointer = Expr::var(param, self.vars[param.0 as usize].ty);
            if let Some(load) = Expr::load(pointer) {
                let read = Basic::Assign {
                    var: value,
                    value: load,
                };
                self.emit(read, span);
            }
            let by = match is_main {
                true => Expr::int(ScalarType::I64, 1),
                false => arbitrary::number_of_threads(),
            };
            let next = self.moved_by(param, by, span);
            self.ops.push(next);
        }
        Ok(Expr::var(value, Type::Scalar(elem)))
    }

    /// A read-only array of unknown contents that the whole kernel shares.
    pub(crate) fn held_array(&mut self, node: &Node, name: &str, elem: ScalarType) -> Result<Expr> {
        let asked = Asked {
            name: name.to_owned(),
            elem,
            is_written: false,
        };
        self.held(node, asked)
    }

    /// An array of unknown contents that the whole kernel shares. One name is one array.
    pub(crate) fn held(&mut self, node: &Node, asked: Asked) -> Result<Expr> {
        if self.kind != ProcKind::Kernel {
            return self.refuse(node, format!("`{}` outside of kernels", asked.name));
        }
        let ty = asked.ty();
        let mut places = self.arbitrary.found.iter();
        let found = places.position(|a| a.name == asked.name);
        let at = found.unwrap_or(self.arbitrary.found.len());
        match found.map(|at| self.arbitrary.found[at].elem) {
            Some(elem) if elem != asked.elem => {
                let (first, then) = (elem.usual_name(), asked.elem.usual_name());
                let message = format!("`{}`, seen as `{first}` and as `{then}`", asked.name);
                return self.refuse(node, message);
            }
            Some(_) => {}
            None => self.arbitrary.found.push(asked),
        }
        let param = self.arbitrary.params.get(at).copied();
        // In the first reading any variable will do.
        let var = param.unwrap_or_else(|| self.temporary(ty, self.span(node)));
        Ok(Expr::var(var, ty))
    }

    /// Records the assumption about a function of which only the type is known.
    pub(crate) fn assume(&mut self, assumed: Assumed) {
        if !self.assumed.contains(&assumed) {
            self.assumed.push(assumed);
        }
    }

    /// The time.
    pub(crate) fn clock(&mut self, node: &Node, name: &str, elem: ScalarType) -> Result<Expr> {
        self.assume(Assumed::AnyValue(name.to_owned()));
        self.arbitrary_value(node, name, elem)
    }
}

impl Body<'_, '_> {
    /// A call of a function of device code that has no body here. `None`: there is no such function.
    pub(crate) fn call_without_body(
        &mut self,
        node: &Node,
        id: Id,
        name: &str,
    ) -> Result<Option<Option<Expr>>> {
        let Some(&declaration) = self.unit.bodiless.get(&id).filter(|_| !self.on_host()) else {
            return Ok(None);
        };
        let refused = |what: &str| format!("a call of `{name}`, which has no body here and {what}");
        if declaration.kind.variadic {
            return self.refuse(node, refused("takes a variable number of arguments"));
        }
        let params = declaration.inner.iter().filter(|n| n.is(Kind::ParmVarDecl));
        let types: Vec<QualifiedType> = params.map(|p| self.type_of(p).decayed()).collect();
        if !types.iter().all(is_value) {
            return self.refuse(node, refused("may write through what it is given"));
        }
        let gives = match self.unit.names.parse(declaration.type_text()).ty {
            CType::Function(returns) => returns.ty,
            other => other,
        };
        let elem = match gives {
            CType::Void => None,
            CType::Scalar(elem) => Some(elem),
            _ => return self.refuse(node, refused("gives no scalar")),
        };
        let arguments = node.arguments().iter().zip(&types);
        let operands = arguments.map(|(argument, ty)| match ty.is_single() {
            true => Operand::Value(argument),
            false => Operand::Parts(argument),
        });
        let operands: Vec<Operand<'_>> = operands.collect();
        let span = self.span(node);
        for value in self.operands(&operands)? {
            // The argument is evaluated, whatever its use.
            if value.has_load() {
                self.keep(value, span);
            }
        }
        self.assume(Assumed::NoBody {
            function: name.to_owned(),
            gives_value: elem.is_some(),
        });
        match elem {
            Some(elem) => {
                let value = self.arbitrary_value(node, name, elem)?;
                Ok(Some(Some(value)))
            }
            None => Ok(Some(None)),
        }
    }
}

/// Whether a value of this type gives access to no memory.
fn is_value(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Scalar(_) => true,
        CType::Record(_) => ty
            .parts()
            .is_ok_and(|parts| parts.iter().all(|part| part.ty.scalar().is_some())),
        _ => false,
    }
}
