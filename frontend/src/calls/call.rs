//! Calls: of the unit's own functions, and of those known by name.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::flow::{Last, Returned, Taken};
use crate::body::operands::Operand;
use crate::body::parameters::{Parameter, parameters};
use crate::refusal::{Refusal, Result};
use crate::request::Language;
use crate::storage::pointers::{as_argument, null_like};
use crate::syntax::casts::{Callee, callee};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{ScalarType, Type};

impl Code<'_, '_> {
    /// The result of a call read in place, where a single value is needed.
    pub(crate) fn single(&mut self, returned: Returned, node: &Node) -> Result<Option<Expr>> {
        match returned {
            Returned::Nothing if self.type_of(node).ty == CType::Status => {
                Ok(Some(Expr::int(ScalarType::U32, 0)))
            }
            Returned::Nothing => Ok(None),
            Returned::Place(place) if self.type_of(node).is_single() => {
                self.read(&place, node).map(Some)
            }
            Returned::Values(values) if self.type_of(node).is_single() => {
                match <[Expr; 1]>::try_from(values) {
                    Ok([value]) => Ok(Some(value)),
                    Err(_) => self.refuse(node, "a struct as a value here"),
                }
            }
            // The call stands where no value is needed.
            _ => Ok(None),
        }
    }

    /// Refuses a call of a function that is refused, or that does not exist on this side (host or device).
    pub(crate) fn refuse_for<T>(
        &self,
        node: &Node,
        what: String,
        function: usize,
        on_host: bool,
    ) -> Result<T> {
        let cause = self.builder.reason(function, on_host).map(str::to_string);
        let message = match &cause {
            Some(cause) => format!("{what}, which needs {cause}"),
            None => format!("{what} from here"),
        };
        Err(Refusal {
            span: self.span(node),
            message,
            cause,
        })
    }

    /// `exit(…)` in `main`.
    pub(crate) fn ends_program(&self, node: &Node) -> bool {
        let node = node.unwrapped();
        node.is(Kind::CallExpr)
            && self.kind == ProcKind::Host
            && self.builder.is_main(self.proc)
            && self.in_place.is_empty()
            && callee(node).is_some_and(|c| {
                c.name == "exit"
                    && c.id
                        .is_some_and(|id| !self.unit.function_of.contains_key(&id))
            })
    }
}

impl Body<'_, '_> {
    /// A call; `None` when it has no value.
    pub(crate) fn call(&mut self, node: &Node) -> Result<Option<Expr>> {
        if let Some(returned) = self.try_in_place(node)? {
            return self.single(returned, node);
        }
        if let Some(given) = self.call_through_pointer(node)? {
            return Ok(given);
        }
        let Some(Callee { id, name }) = callee(node) else {
            return self.refuse(node, "a call through a pointer");
        };
        let Some(id) = id else {
            return self.refuse(node, "a call through a function pointer");
        };
        if let Some(&index) = self.unit.function_of.get(&id) {
            return self.call_ours(node, index);
        }
        let arguments: Vec<&Node> = node.arguments().iter().collect();
        self.arguments_in_any_order(&arguments)?;
        let known = if self.unit.language == Language::OpenCl {
            self.opencl_call(node, &name, &arguments)?
        } else if let Some(value) = self.arithmetic_call(node, &name, &arguments)? {
            return Ok(Some(value));
        } else if let Some(value) = self.integer_call(node, &name, &arguments)? {
            return Ok(Some(value));
        } else if let Some(given) = self.math_call(node, &name, &arguments)? {
            return Ok(given);
        } else if self.on_host() {
            self.host_call(node, &name, &arguments)?
        } else {
            self.device_call(node, &name, &arguments)?
        };
        let known = match known {
            None => self.call_without_body(node, id, &name)?,
            known => known,
        };
        match known {
            Some(given) => Ok(given),
            None => self.unknown_call(node, &name),
        }
    }

    /// Whether one of the members of a struct that is passed was, as far as the text before says, never given a value.
    fn passes_unset(&self, wanted: &[Parameter], args: &[Expr]) -> bool {
        use gridlock_semantics::algebra::expr::ExprKind;
        let of_struct = wanted.iter().flat_map(|parameter| {
            let is_struct = matches!(parameter, Parameter::Parts(_));
            parameter.types().into_iter().map(move |_| is_struct)
        });
        let is_unset = |arg: &Expr| match arg.kind {
            ExprKind::Var(var) => self.unset.contains(&var),
            _ => false,
        };
        let mut all = args.iter().zip(of_struct);
        all.any(|(arg, is_struct)| is_struct && is_unset(arg))
    }

    pub(crate) fn call_ours(&mut self, node: &Node, index: usize) -> Result<Option<Expr>> {
        let unit = self.unit;
        let function = &unit.functions[index];
        let name = function.node.name();
        let span = self.span(node);
        let proc = match self.builder.proc(index, self.on_host()) {
            Some(proc) => proc,
            None => {
                let what = format!("a call of `{name}`");
                return self.refuse_for(node, what, index, self.on_host());
            }
        };
        let wanted = parameters(unit, function, self.on_host())?;
        let mut given = node.arguments().iter().zip(&wanted);
        let is_text = |(argument, parameter): (&Node, &Parameter)| {
            *parameter != Parameter::Erased && self.is_text(argument)
        };
        if self.on_host() && given.any(is_text) {
            let arguments: Vec<&Node> = node.arguments().iter().collect();
            let returned = self.call_in_place(node, index, &arguments, None)?;
            return self.single(returned, node);
        }
        if wanted.len() != node.arguments().len() {
            return self.refuse(node, format!("this call of `{name}`"));
        }
        let mut operands = Vec::new();
        for (argument, parameter) in node.arguments().iter().zip(&wanted) {
            match parameter {
                Parameter::Var(_) => operands.push(Operand::Value(argument)),
                Parameter::Reference(_) => operands.push(Operand::Address(argument)),
                Parameter::Parts(_) => operands.push(Operand::Parts(argument)),
                Parameter::LocalMemory(_) => {
                    return self.refuse(node, format!("a call of the kernel `{name}`"));
                }
                Parameter::Erased => {
                    // A text has no effects; a status may come from a call that has.
                    if self.type_of(argument).ty == CType::Status {
                        self.effect(argument)?;
                    }
                }
            }
        }
        let types: Vec<Type> = wanted.iter().flat_map(Parameter::types).collect();
        let before = self.before_reading();
        let (mut ops, mut args) = self.apart(|b| b.operands(&operands))?;
        if self.passes_unset(&wanted, &args) {
            // Passing what has no value is a use of it, but not of a member of what is passed as a whole. A function that is
            // read in place copies its members.
            self.take_back(&before);
            let arguments: Vec<&Node> = node.arguments().iter().collect();
            let attempt = self.apart(|b| b.call_in_place(node, index, &arguments, None));
            if let Ok((ops, returned)) = attempt {
                self.ops.extend(ops);
                return self.single(returned, node);
            }
            self.take_back(&before);
            (ops, args) = self.apart(|b| b.operands(&operands))?;
        }
        for (arg, ty) in args.iter_mut().zip(&types) {
            *arg = null_like(arg.clone(), *ty);
        }
        let fits = |(arg, ty): (&Expr, &Type)| arg.ty.same_shape(*ty);
        let is_pointer = |arg: &Expr| arg.ty.pointer().is_some();
        let seen = types.len() != args.len() || !args.iter().zip(&types).all(fits);
        if seen && args.iter().any(is_pointer) {
            // A procedure's pointers have the cells of their types; a function with pointers to other cells is read
            // in place.
            self.take_back(&before);
            let arguments: Vec<&Node> = node.arguments().iter().collect();
            let returned = self.call_in_place(node, index, &arguments, None)?;
            return self.single(returned, node);
        }
        self.ops.extend(ops);
        if types.len() != args.len() {
            return self.refuse(node, format!("an argument of this type for `{name}`"));
        }
        for (arg, ty) in args.iter_mut().zip(types) {
            if !arg.ty.same_shape(ty) {
                return self.refuse(node, format!("an argument of this type for `{name}`"));
            }
            *arg = as_argument(arg.clone());
        }
        let result = match function.returns.ty {
            CType::Void | CType::Status => None,
            _ => {
                let ty = function.returns.variable_type();
                let ty = ty.or_else(|message| self.refuse(node, message))?;
                Some(self.temporary(ty, span))
            }
        };
        let given = result.map(|var| Expr::var(var, self.vars[var.0 as usize].ty));
        self.ops
            .push(Op::new(OpKind::Call { proc, args, result }, span));
        if function.returns.ty == CType::Status {
            return Ok(Some(Expr::int(ScalarType::U32, 0)));
        }
        Ok(given)
    }

    pub(crate) fn end_program(&mut self, node: &Node, last: Last) -> Result<Taken> {
        let call = node.unwrapped();
        let span = self.span(node);
        if let (Some(code), Some(result)) = (call.arguments().first(), self.flow.result) {
            let value = self.value(code)?;
            self.assign_var(result, value, span);
        }
        self.leave_all(node);
        Ok(self.returns(last, span))
    }
}
