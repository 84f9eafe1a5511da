//! Calls read in place: of member functions, constructors and lambdas, and of functions with a
//! parameter or a result that is neither a scalar nor a pointer (a struct, a reference to a
//! variable). The callee's body is read where the call stands, with its parameters bound to the
//! arguments.

use crate::assumed::Assumed;
use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::flow::{Answer, Flow, Given, Returned};
use crate::body::operands::{Evaluated, Operand};
use crate::body::source::Source;
use crate::body::{Body, TEMPORARY};
use crate::order::disturbance::{is_disturbed, is_moved};
use crate::order::footprint::Footprint;
use crate::refusal::Result;
use crate::storage::place::{Place, memory};
use crate::syntax::casts::{callee, is_prvalue, only_read};
use crate::syntax::expression::{CallForm, Expression};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::{has_array, is_all_cells};
use crate::types::ctype::CType;
use crate::types::record::Part;
use crate::unit::known_functions::reads_through;
use crate::unit::{Function, is_pointer_to_pointer, is_written_by_compiler};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// Most calls in place inside one another.
const MAX_DEPTH: usize = 96;

/// Most calls in place of one procedure: each may be read twice, so that nested ones multiply.
const MAX_CALLS: usize = 10_000;

/// An argument larger than this is kept in a variable.
const MAX_SUBSTITUTED: usize = 12;

/// The parts of a call: the function, the object, the arguments.
struct Call<'n> {
    function: usize,
    object: Option<Object<'n>>,
    arguments: Vec<&'n Node>,
}

struct Object<'n> {
    node: &'n Node,
    is_arrow: bool,
}

impl<'a> Source<'_, 'a> {
    /// The function whose body replaces a call, if the call is to be read in place.
    fn in_place_call<'n>(&self, node: &'n Node) -> Option<Call<'n>> {
        let Expression::Call(call) = node.expression() else {
            return None;
        };
        let callee = call.callee.without_casts();
        let arguments: Vec<&Node> = call.arguments.iter().collect();
        let found = |id: Id| {
            let function = *self.unit.function_of.get(&id)?;
            self.unit.functions[function]
                .is_in_place
                .then_some(function)
        };
        if call.form == CallForm::Member {
            let function = found(callee.kind.referenced_member_decl?)?;
            let Expression::Member { object, is_arrow } = callee.expression() else {
                return None;
            };
            let object = Object {
                node: object,
                is_arrow,
            };
            return Some(Call {
                function,
                object: Some(object).filter(|_| !self.unit.functions[function].is_static),
                arguments,
            });
        }
        let function = found(call.declaration()?)?;
        let is_member = {
            let function = &self.unit.functions[function];
            function.record.is_some() && !function.is_static
        };
        if is_member && call.form == CallForm::Operator {
            let (object, rest) = arguments.split_first()?;
            let object = Object {
                node: object,
                is_arrow: false,
            };
            return Some(Call {
                function,
                object: Some(object),
                arguments: rest.to_vec(),
            });
        }
        Some(Call {
            function,
            object: None,
            arguments,
        })
    }
}

impl<'a> Code<'_, 'a> {
    /// An object whose address is kept in variables.
    fn steady_object(&mut self, this: Option<Place>, span: Span) -> Option<Place> {
        match this {
            Some(Place::Cell(pointer, ty)) => {
                Some(Place::Cell(self.steady_pointer(pointer, span), ty))
            }
            Some(Place::Cells(pointers, ty)) => {
                let steady = |p| self.steady_pointer(p, span);
                Some(Place::Cells(pointers.into_iter().map(steady).collect(), ty))
            }
            other => other,
        }
    }

    /// A call nested deeper than recursion is unfolded. A run that reaches it decides nothing, so any result will do.
    fn beyond(&mut self, node: &Node, function: &Function<'a>) -> Result<Returned> {
        let gives_nothing = matches!(function.returns.ty, CType::Void | CType::Status)
            || function.node.is(Kind::CXXConstructorDecl);
        let returned = match &function.returns {
            _ if gives_nothing => Returned::Nothing,
            returns if matches!(returns.ty, CType::Reference(_)) => {
                let name = function.node.name();
                return self.refuse(node, format!("recursion of `{name}`"));
            }
            returns => {
                let cells = self.unit.cells.of(function.node.id);
                let cells = cells.filter(|_| matches!(returns.ty, CType::Pointer(_)));
                let parts = returns.parts();
                let parts = parts.or_else(|message| {
                    self.refuse(function.node, format!("a function that returns {message}"))
                })?;
                let zero = |part: Part| match (seen_as(part.ty, cells), part.ty) {
                    (_, Type::Scalar(scalar)) => Expr::constant(Value::zero(scalar)),
                    (ty, _) => Expr::i32(0).cast(ty),
                };
                Returned::Values(parts.into_iter().map(zero).collect())
            }
        };
        self.emit(Basic::Beyond, self.span(node));
        Ok(returned)
    }

    /// The place that a reference or an address denotes during a call; `keep`: the call changes a value from which
    /// the address is computed.
    fn referred_to(&mut self, place: Place, keep: bool, span: Span) -> Place {
        match self.steady(place, span) {
            Place::Cell(pointer, ty) if keep => Place::Cell(self.steady_pointer(pointer, span), ty),
            Place::Cells(pointers, ty) if keep => {
                let steady = |p| self.steady_pointer(p, span);
                Place::Cells(pointers.into_iter().map(steady).collect(), ty)
            }
            place => place,
        }
    }
}

impl<'a> Body<'_, 'a> {
    /// Reads a call in place; `None` when it is not such a call.
    pub(crate) fn try_in_place(&mut self, node: &Node) -> Result<Option<Returned>> {
        if let Some(returned) = self.assigned_by_compiler(node)? {
            return Ok(Some(returned));
        }
        let Some(call) = self.in_place_call(node) else {
            return Ok(None);
        };
        let Some(object) = &call.object else {
            return self
                .call_in_place(node, call.function, &call.arguments, None)
                .map(Some);
        };
        let (ops, this) = self.apart(|b| b.object_of(object, node))?;
        let beside = (!self.unit.is_ordered || !orders_object(node)).then(|| Evaluated {
            values: this.addresses(),
            span: self.span(node),
            ops: ops.clone(),
        });
        self.ops.extend(ops);
        self.call_beside(node, call.function, &call.arguments, Some(this), beside)
            .map(Some)
    }

    fn object_of(&mut self, object: &Object<'_>, node: &Node) -> Result<Place> {
        let span = self.span(node);
        let place = match object.is_arrow {
            true => self.pointed_object(object.node, node)?,
            false => self.place(object.node)?,
        };
        // A temporary gets variables: the member function may change it.
        if let Place::Value(values, ty) = place {
            let object = self.new_object(TEMPORARY, &ty, span, node)?;
            self.write_parts(&object, values, span, node)?;
            return Ok(object);
        }
        Ok(self.steady(place, span))
    }

    /// `a = b` of structs in C++ without an `operator=` of their own.
    fn assigned_by_compiler(&mut self, node: &Node) -> Result<Option<Returned>> {
        let Expression::Call(call) = node.expression() else {
            return Ok(None);
        };
        if call.name() != "operator=" {
            return Ok(None);
        }
        let id = call.declaration();
        let index = id.and_then(|id| self.unit.function_of.get(&id).copied());
        let is_ours = index.is_some_and(|i| !is_written_by_compiler(&self.unit.functions[i]));
        if is_ours {
            return Ok(None);
        }
        let callee = call.callee.without_casts().expression();
        let (node_of_object, is_arrow, value) = match (call.form, call.arguments, callee) {
            (CallForm::Operator, [left, right], _) => (left, false, right),
            (CallForm::Member, [right], Expression::Member { object, is_arrow }) => {
                (object, is_arrow, right)
            }
            _ => return Ok(None),
        };
        let object = Object {
            node: node_of_object,
            is_arrow,
        };
        let span = self.span(node);
        let (ops, mut values) = self.apart(|b| b.parts(value))?;
        let (object_ops, place) = self.apart(|b| b.object_of(&object, node))?;
        let is_first = self.unit.is_ordered && call.form == CallForm::Operator;
        if !is_first {
            let of_object = Footprint::new(&object_ops, &place.addresses());
            let of_value = Footprint::new(&ops, &values);
            self.unordered_pair(&of_object, &of_value, span)?;
        }
        self.ops.extend(ops);
        self.keep_before(&mut values, &object_ops);
        self.ops.extend(object_ops);
        self.assign_parts(&place, values, span, node)?;
        Ok(Some(Returned::Place(place)))
    }

    /// `place = values`, all of them taken before the first part changes.
    pub(crate) fn assign_parts(
        &mut self,
        place: &Place,
        values: Vec<Expr>,
        span: gridlock_semantics::algebra::span::Span,
        node: &Node,
    ) -> Result<()> {
        let values = match values.len() {
            1 => values,
            _ => self.keep_all(values, span),
        };
        self.write_parts(place, values, span, node)
    }

    /// The parts of a call's result.
    pub(crate) fn called_parts(&mut self, node: &Node) -> Result<Vec<Expr>> {
        match self.try_in_place(node)? {
            Some(Returned::Values(values)) => return Ok(values),
            Some(Returned::Place(place)) => return self.read_parts(&place, node),
            Some(Returned::Nothing) => {
                return self.refuse(node, "the value of a call that gives none");
            }
            None => {}
        }
        let callee = callee(node);
        let name = callee.as_ref().map_or("", |c| c.name.as_str());
        if let Some((elem, n)) = self.type_of(node).vector()
            && let Some(values) = self.vector_call(node, name, (elem, n))?
        {
            return Ok(values);
        }
        if let (Some(_), CType::Record(_)) = (name.strip_prefix("make_"), self.type_of(node).ty) {
            let operands: Vec<_> = node.arguments().iter().map(Operand::Value).collect();
            return self.operands(&operands);
        }
        if let (true, false, [pointer]) = (reads_through(name), self.on_host(), node.arguments())
            && matches!(self.type_of(node).ty, CType::Record(_))
        {
            let pointers = self.pointers(pointer)?;
            let place = self.cell(pointers, node)?;
            return self.read_parts(&place, node);
        }
        if node.is(Kind::CXXMemberCallExpr) || node.is(Kind::CXXOperatorCallExpr) {
            return self.refuse(node, node.kind().in_words());
        }
        // The result is a pointer to several groups, and its function is refused or missing.
        match self.call(node)? {
            Some(value) => Ok(vec![value]),
            None => self.refuse(node, "the value of a call that gives none"),
        }
    }

    /// The place to which a call returns a reference.
    pub(crate) fn called_place(&mut self, node: &Node) -> Result<Place> {
        match self.try_in_place(node)? {
            Some(Returned::Place(place)) => Ok(place),
            Some(_) => self.refuse(node, "the place this call gives"),
            None if node.is(Kind::CallExpr) => {
                let name = callee(node).map(|c| c.name).unwrap_or_default();
                self.refuse(node, format!("a call of `{name}`"))
            }
            None => self.refuse(node, node.kind().in_words()),
        }
    }

    /// Reads the body of a function here.
    pub(crate) fn call_in_place(
        &mut self,
        node: &Node,
        index: usize,
        arguments: &[&Node],
        this: Option<Place>,
    ) -> Result<Returned> {
        self.call_beside(node, index, arguments, this, None)
    }

    /// The same, where `beside` was evaluated before, although the language allows it between or after the arguments.
    fn call_beside(
        &mut self,
        node: &Node,
        index: usize,
        arguments: &[&Node],
        this: Option<Place>,
        mut beside: Option<Evaluated>,
    ) -> Result<Returned> {
        let unit = self.unit;
        let function = &unit.functions[index];
        if function.is_intrinsic {
            return self.intrinsic(node, index, arguments);
        }
        let name = function.node.name();
        if let Some(trouble) = &function.trouble {
            return Err(trouble.clone());
        }
        let is_recursive = function.is_recursive;
        let n_around = self.in_place.iter().filter(|f| **f == index).count();
        if is_recursive && n_around >= unit.unfolded(index) {
            return self.beyond(node, function);
        }
        // A lambda that is passed to itself.
        if !is_recursive && n_around > 0 {
            return self.refuse(node, format!("recursion of `{name}`"));
        }
        if self.in_place.len() >= MAX_DEPTH {
            return self.refuse(node, "calls nested this deeply");
        }
        if function.is_ours && name.starts_with("cuda") {
            self.assume(Assumed::SmallMachine(name.to_owned()));
        }
        self.n_in_place += 1;
        if self.n_in_place > MAX_CALLS {
            return self.refuse(node, "this many calls read in place");
        }
        if function.node.kind.variadic || arguments.len() != function.params.len() {
            return self.refuse(node, format!("this call of `{name}`"));
        }
        // A second reading of a call inside a call would double at each level.
        let keep = is_recursive && n_around > 0;
        let span = self.span(node);
        let this = match keep {
            true => self.steady_object(this, span),
            false => this,
        };
        let before = self.before_reading();
        if orders_arguments(node, self.unit.is_ordered) {
            beside = None;
        } else {
            beside.get_or_insert_default();
        }
        let (mut ops, made) = self.apart(|b| {
            b.body_in_place(
                (function, index),
                span,
                arguments,
                &this,
                keep,
                beside.as_ref(),
            )
        })?;
        let mut made = made;
        let mut of_this = this.as_ref().and_then(Place::pointers).unwrap_or_default();
        let (mut keep, outer) = (keep, self.keeps_bases);
        let mut keeps_bases = outer;
        while !ops.is_empty() {
            // If an expression that the callee uses directly changes during the call, the call is read again with all
            // values kept in variables. The base pointer of a place is not copied, so that arrays keep their names,
            // unless the call changes it.
            let changed = |expr: &Expr| match keep {
                false => is_disturbed(expr, &ops),
                true => !keeps_bases && is_moved(expr, &ops, before.n_vars()),
            };
            if !made.1.iter().chain(&of_this).any(changed) {
                break;
            }
            self.take_back(&before);
            (keep, keeps_bases) = (true, keeps_bases || keep);
            self.keeps_bases = keeps_bases;
            let again = self.apart(|b| {
                let this = b.steady_object(this.clone(), span);
                of_this = this.as_ref().and_then(Place::pointers).unwrap_or_default();
                b.body_in_place(
                    (function, index),
                    span,
                    arguments,
                    &this,
                    true,
                    beside.as_ref(),
                )
            });
            self.keeps_bases = outer;
            (ops, made) = again?;
        }
        self.ops.extend(ops);
        Ok(made.0)
    }

    /// The result of the call, and the caller's expressions that the callee uses directly. The arguments and the
    /// evaluation `beside` them are unordered; without the latter the arguments are evaluated left to right.
    ///
    /// **Lemma (arguments once).** Each argument is evaluated once, in front of the body. A parameter that is only
    /// read may stand for its argument's value, or another name of a place, as long as nothing in the call changes
    /// what that depends on; where something does, the call is read again with all of it kept in variables.
    fn body_in_place(
        &mut self,
        (function, index): (&Function<'a>, usize),
        span: Span,
        arguments: &[&Node],
        this: &Option<Place>,
        keep: bool,
        beside: Option<&Evaluated>,
    ) -> Result<(Returned, Vec<Expr>)> {
        self.find_boxed(function.body);
        // An outer call of the same function has its own bindings, which are restored.
        let names = function
            .is_recursive
            .then(|| (self.bindings.clone(), self.captures.clone()));
        let mut given = Given::default();
        let mut bound = Vec::new();
        let mut evaluated = Vec::new();
        for (param, argument) in function.params.iter().zip(arguments) {
            let (ops, binding) =
                self.apart(|b| b.bind_argument(function, param, argument, keep, &mut given))?;
            evaluated.push(Evaluated {
                values: binding.evaluated(),
                span: self.span(argument),
                ops,
            });
            bound.push((param.id, binding));
        }
        if let Some(beside) = beside {
            evaluated.push(beside.clone());
            self.in_any_order(&evaluated)?;
            evaluated.pop();
        }
        self.ops
            .extend(evaluated.into_iter().flat_map(|one| one.ops));
        for (id, binding) in bound {
            given.replaced.push((id, self.bindings.insert(id, binding)));
        }
        let outer_this = std::mem::replace(&mut self.this, this.clone());
        let mut returns = Returns::default();
        count_returns(function.body, &mut returns);
        let at_end = function.body.last().is_some_and(|s| s.is(Kind::ReturnStmt));
        let is_direct = returns.0 == 1 && at_end;
        let flow = Flow::in_place(self.in_loop());
        let outer_flow = std::mem::replace(&mut self.flow, flow);
        self.in_place.push(index);
        // Nothing of a stand-in header shows in messages: its operators have the place of the call.
        let outer_at = self.intrinsic_at;
        if function.is_of_header {
            self.intrinsic_at = outer_at.or(Some(span));
        }
        let made = self.run_in_place(function, is_direct, &mut given);
        self.intrinsic_at = outer_at;
        self.in_place.pop();
        self.flow = outer_flow;
        self.this = outer_this;
        for (id, before) in given.replaced.into_iter().rev() {
            match before {
                Some(before) => self.bindings.insert(id, before),
                None => self.bindings.remove(&id),
            };
        }
        if let Some((bindings, captures)) = names {
            self.bindings = bindings;
            self.captures = captures;
        }
        Ok((made?, given.assumed))
    }

    fn run_in_place(
        &mut self,
        function: &Function<'a>,
        is_direct: bool,
        given: &mut Given,
    ) -> Result<Returned> {
        let span = self.span(function.node);
        given
            .replaced
            .extend(self.bind_captures(function, function.node)?.replaced);
        if function.node.is(Kind::CXXConstructorDecl) {
            self.run_initialisers(function)?;
        }
        let returns = &function.returns;
        let gives_nothing = matches!(returns.ty, CType::Void | CType::Status)
            || function.node.is(Kind::CXXConstructorDecl);
        self.flow.answer = match (gives_nothing, is_direct) {
            (true, _) => Answer::None,
            (false, true) => Answer::Direct(None),
            (false, false) => {
                let parts = returns.parts();
                let parts = parts.or_else(|message| {
                    self.refuse(function.node, format!("a function that returns {message}"))
                })?;
                let cells = self.unit.cells.of(function.node.id);
                let seen = cells.filter(|_| matches!(returns.ty, CType::Pointer(_)));
                let declare = |part: Part| {
                    let name = format!("{}{}", function.node.name(), part.path);
                    self.declare(&name, seen_as(part.ty, seen), span)
                };
                Answer::Vars(parts.into_iter().map(declare).collect())
            }
        };
        self.flow.gives_place = matches!(returns.ty, CType::Reference(_));
        let body = self.block(|b| b.function_body(function.body))?;
        let prologue = self.flow_prologue(span);
        self.ops.extend(prologue);
        self.ops.extend(body);
        let value = |b: &Self, var: &gridlock_semantics::algebra::ids::VarId| {
            Expr::var(*var, b.vars[var.0 as usize].ty)
        };
        match std::mem::take(&mut self.flow.answer) {
            Answer::None => Ok(Returned::Nothing),
            Answer::Direct(Some(returned)) => Ok(returned),
            Answer::Direct(None) => self.refuse(function.node, "this function"),
            Answer::Vars(vars) => {
                let values: Vec<Expr> = vars.iter().map(|var| value(self, var)).collect();
                match &returns.ty {
                    CType::Reference(to) => Ok(Returned::Place(memory(values, (**to).clone()))),
                    _ => Ok(Returned::Values(values)),
                }
            }
        }
    }

    /// `return value;` of a function that is read in place.
    pub(crate) fn answer(&mut self, value: &Node) -> Result<()> {
        let span = self.span(value);
        let gives_place = self.flow.gives_place;
        // Destructors run after the value is computed, and may change what it is computed from.
        let is_early = !self.flow.alive.is_empty();
        match self.flow.answer.clone() {
            Answer::None => self.effect(value),
            Answer::Direct(_) if gives_place => {
                let place = self.place(value)?;
                let place = self.referred_to(place, is_early, span);
                self.flow.answer = Answer::Direct(Some(Returned::Place(place)));
                Ok(())
            }
            Answer::Direct(_) => {
                let mut values = self.parts(value)?;
                if is_early {
                    values = self.keep_all(values, span);
                }
                self.flow.answer = Answer::Direct(Some(Returned::Values(values)));
                Ok(())
            }
            Answer::Vars(vars) => {
                let values = match gives_place {
                    true => match self.place(value)?.pointers() {
                        Some(pointers) => pointers,
                        None => {
                            return self.refuse(value, "a reference that several `return`s give");
                        }
                    },
                    false => self.parts(value)?,
                };
                if values.len() != vars.len() {
                    return self.refuse(value, "a result of this type");
                }
                for (var, value) in vars.into_iter().zip(values) {
                    self.assign_var(var, value, span);
                }
                Ok(())
            }
        }
    }

    fn bind_argument(
        &mut self,
        function: &Function<'a>,
        param: &'a Node,
        argument: &Node,
        keep: bool,
        given: &mut Given,
    ) -> Result<Binding> {
        let ty = self.type_of(param).decayed();
        let span = self.span(argument);
        let is_only_read = only_read(function.body, param.id, false);
        let is_read = !keep && !self.boxed.contains(&param.id) && is_only_read;
        let plain = |value: &Expr| !value.has_load() && size(value) <= MAX_SUBSTITUTED;
        match &ty.ty {
            _ if self.is_command_line(argument) => Ok(Binding::CommandLine),
            // The function does not use it.
            CType::Pointer(to) if !param.kind.is_used && to.ty == CType::Void => Ok(Binding::Text),
            CType::Pointer(_) if self.on_host() && self.is_text(argument) => {
                self.text_binding(argument)
            }
            CType::Status => {
                self.effect(argument)?;
                Ok(Binding::Status)
            }
            _ if self.unit.addresses.contains(&param.id) && !self.on_host() => {
                let value = self.address_number(argument)?;
                let ty = value.ty;
                let var = self.declare(param.name(), ty, span);
                self.note_origin(param, var, &value);
                self.assign_var(var, value, span);
                Ok(Binding::Var(var, ty))
            }
            CType::Group(_) => Ok(Binding::Text),
            CType::Reference(to) if matches!(to.ty, CType::Group(_)) => Ok(Binding::Text),
            CType::Reference(_) if self.texture_named(argument).is_some() => {
                let name = self.texture_named(argument).unwrap_or_default();
                Ok(Binding::Texture(name))
            }
            CType::Reference(to) => {
                if is_prvalue(argument) {
                    if to.is_single() {
                        let value = self.value(argument)?;
                        let var = self.declare(param.name(), value.ty, span);
                        let ty = value.ty;
                        self.assign_var(var, value, span);
                        return Ok(Binding::Var(var, ty));
                    }
                    let object = self.new_object(param.name(), to, span, argument)?;
                    self.initialise_place(&object, argument, span)?;
                    return Ok(Binding::Alias(object));
                }
                let place = self.place(argument)?;
                let place = self.referred_to(place, keep, span);
                given.assumed.extend(place.addresses());
                Ok(Binding::Alias(place))
            }
            _ if ty.is_single() && !is_pointer_to_pointer(&ty) => {
                if self.boxed.contains(&param.id) {
                    let value = self.value(argument)?;
                    let place = self.box_local(param)?;
                    self.write(&place, value, span, argument)?;
                    return match self.bindings.get(&param.id) {
                        Some(binding) => Ok(binding.clone()),
                        None => self.refuse(argument, "this argument"),
                    };
                }
                let value = self.value(argument)?;
                let is_constant = matches!(value.kind, ExprKind::Const(_));
                if is_constant && !self.boxed.contains(&param.id) && is_only_read
                    || is_read && plain(&value)
                {
                    given.assumed.push(value.clone());
                    return Ok(Binding::Constant(value));
                }
                let ty = value.ty;
                let var = self.declare(param.name(), ty, span);
                self.note_origin(param, var, &value);
                self.assign_var(var, value, span);
                Ok(Binding::Var(var, ty))
            }
            _ if is_pointer_to_pointer(&ty) => {
                let named = self.address_of_pointer(param, argument);
                if let Some(named) = named.filter(|_| is_only_read) {
                    let place = self.place(named)?;
                    let place = self.referred_to(place, keep, span);
                    given.assumed.extend(place.addresses());
                    return Ok(Binding::Address(place));
                }
                match self.named_address(argument) {
                    Some(place) if is_only_read => {
                        let place = self.referred_to(place, keep, span);
                        given.assumed.extend(place.addresses());
                        Ok(Binding::Address(place))
                    }
                    Some(_) => self.refuse(argument, "a pointer to a pointer that is assigned"),
                    None if named.is_some() => {
                        self.refuse(argument, "a pointer to a pointer that is assigned")
                    }
                    None => {
                        let value = self.value(argument)?;
                        let ty = value.ty;
                        let var = self.declare(param.name(), ty, span);
                        self.note_origin(param, var, &value);
                        self.assign_var(var, value, span);
                        Ok(Binding::Var(var, ty))
                    }
                }
            }
            CType::Pointer(_) => {
                let values = self.parts(argument)?;
                let several = values.len() > 1;
                let mut vars = Vec::new();
                let groups = ty.parts().unwrap_or_default();
                for (index, value) in values.into_iter().enumerate() {
                    let path = groups.get(index).map_or("", |part| part.path.as_str());
                    let name = format!("{}{}", param.name(), if several { path } else { "" });
                    let var = self.declare(&name, value.ty, span);
                    self.note_origin(param, var, &value);
                    self.assign_var(var, value, span);
                    vars.push(var);
                }
                match vars.as_slice() {
                    [var] => Ok(Binding::Var(*var, self.vars[var.0 as usize].ty)),
                    _ => Ok(Binding::Object(vars, ty)),
                }
            }
            _ => {
                let in_memory = has_array(&ty) && is_all_cells(&ty);
                if self.boxed.contains(&param.id) && self.is_memory(param, &ty) {
                    let place = self.object_in_memory(param, &ty, span)?;
                    self.initialise_place(&place, argument, span)?;
                    return Ok(Binding::Alias(place));
                }
                if is_read && !in_memory {
                    let values = self.parts(argument)?;
                    if values.iter().all(plain) {
                        given.assumed.extend(values.iter().cloned());
                        return Ok(Binding::Alias(Place::Value(values, ty)));
                    }
                    let values = self.keep_all(values, span);
                    return Ok(Binding::Alias(Place::Value(values, ty)));
                }
                let object = self.new_object(param.name(), &ty, span, argument)?;
                self.initialise_place(&object, argument, span)?;
                Ok(Binding::Alias(object))
            }
        }
    }
}

/// Whether the object of a call comes before the arguments from C++17 on. An operator follows the rule of the
/// built-in one.
fn orders_object(call: &Node) -> bool {
    match operator_name(call) {
        Some("()" | "->") => true,
        Some(_) => orders_arguments(call, true) || call.arguments().len() <= 1,
        None => true,
    }
}

/// Whether arguments are evaluated left to right: those of some operators from C++17 on (`is_ordered`), and those in
/// the braces of a constructor.
fn orders_arguments(call: &Node, is_ordered: bool) -> bool {
    match operator_name(call) {
        Some("<<" | ">>" | "[]" | "->*" | "," | "&&" | "||") => is_ordered,
        Some(_) => false,
        None => call.kind.list,
    }
}

/// The operator that a call is written as.
fn operator_name(call: &Node) -> Option<&str> {
    let Expression::Call(call) = call.expression() else {
        return None;
    };
    let name = call.name();
    (call.form == CallForm::Operator).then(|| name.strip_prefix("operator").unwrap_or(name))
}

/// The type of a pointer into memory whose cells are known.
fn seen_as(ty: Type, cells: Option<ScalarType>) -> Type {
    match (ty, cells) {
        (Type::Pointer(pointer), Some(elem)) => Type::Pointer(PointerType { elem, ..pointer }),
        (ty, _) => ty,
    }
}

#[derive(Default)]
struct Returns(usize);

fn count_returns(node: &Node, returns: &mut Returns) {
    if node.is(Kind::LambdaExpr) {
        return;
    }
    returns.0 += node.is(Kind::ReturnStmt) as usize;
    for child in &node.inner {
        count_returns(child, returns);
    }
}

fn size(expr: &Expr) -> usize {
    let mut n = 0;
    expr.walk(&mut |_| n += 1);
    n
}
