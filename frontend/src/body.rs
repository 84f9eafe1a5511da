//! One procedure on its way into the algebra: its variables, what names mean in it, and the
//! operators made so far.
//!
//! Expressions of the algebra have no side effects. What has some in C (assignments, calls,
//! atomics inside expressions) becomes operators in front, left to right; an operand evaluated
//! earlier is kept in a temporary when a later side effect could change it.

mod address_number;
mod alignment_test;
mod arbitrary;
mod arithmetic_call;
mod assembly;
mod assignment;
mod axiom;
mod base_class;
mod bits;
mod boxed;
mod call;
mod choice;
mod command_line;
mod construct;
mod conversion;
mod cooperative_launch;
mod counting_barrier;
mod declaration;
mod device_call;
mod expression;
mod file_scope;
mod footprint;
mod function_pointer;
mod group_copy;
mod groups;
mod host_call;
mod host_value;
mod in_place;
mod initialiser;
mod integer_call;
mod jump;
mod known_arguments;
mod label;
mod launch;
mod literal;
mod loops;
mod math_call;
mod memory_call;
mod new_call;
pub(crate) mod object;
mod object_memory;
mod opencl_arithmetic;
mod opencl_atomic;
mod opencl_call;
mod opencl_math;
mod opencl_memory;
mod operands;
mod place;
mod plane_copy;
mod pointer_address;
mod random;
mod range_loop;
mod rereading;
mod seen_memory;
mod slices;
mod statement;
mod stored_pointer;
mod stream_call;
mod structured_binding;
mod switch;
mod texture;
mod tiles;
mod unassignment;
mod union_member;
mod vector;
pub(crate) mod view;
mod warp_call;
mod work_items;

use crate::Note;
use crate::ctype::{AddressSpace, CType, QualifiedType};
use crate::program_builder::Builder;
use crate::record::Part;
use crate::syntax::{Node, NodeExt};
use crate::unit::{Function, Side, Unit, is_pointer_to_pointer};
use clang_ast::Id;
pub(crate) use footprint::{MemoryUse, Unordered};
use gridlock_semantics::algebra::cell_names::CellNames;
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Procedure};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
pub(crate) use host_call::behind_void;
use jump::Flow;
pub(crate) use memory_call::copied;
pub(crate) use operands::without_order;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use unassignment::without_needless;

pub(crate) use address_number::address_variables;
pub(crate) use arbitrary::is_known_to_ask;
pub(crate) use assembly::clock_register;

/// What variables are called, with a number behind, that hold what the source gives no name; explanations of
/// defects leave them out.
const TEMPORARY: &str = "temporary";

/// Why a procedure is not supported, and where.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub span: Span,
    pub message: String,
    /// What the message comes down to when it is about another procedure that is refused.
    pub cause: Option<String>,
}

pub(crate) type Result<T> = std::result::Result<T, Refusal>;

/// What a name means.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A scalar or pointer variable.
    Var(VarId, Type),
    /// Memory: an array, or a scalar whose address is taken.
    Array(ArrayId, QualifiedType),
    /// A reference: the variable holds the address of what it refers to.
    Reference(VarId, QualifiedType),
    /// A value of several parts: one variable each.
    Object(Vec<VarId>, QualifiedType),
    /// Memory with cells of several types: an array a group.
    Memory(Vec<ArrayId>, QualifiedType),
    /// A reference to such memory.
    References(Vec<VarId>, QualifiedType),
    /// Another name of a place: a reference of a function whose call is read in place.
    Alias(place::Place),
    /// The address of a pointer that is a variable: a parameter of such a function.
    Address(place::Place),
    Constant(Expr),
    /// A `cudaError_t`: has but one value.
    Status,
    /// The variables that the arguments of a cooperative launch point to.
    Arguments(Vec<Id>),
    /// A text handed to an error reporter: nothing depends on it.
    Text,
    /// `main`'s arguments: `argv`.
    CommandLine,
    /// A text that is known while reading.
    Known(String),
}

impl Binding {
    /// What is evaluated when a name is bound so.
    fn evaluated(&self) -> Vec<Expr> {
        match self {
            Binding::Constant(value) => vec![value.clone()],
            Binding::Alias(place::Place::Value(values, _)) => values.clone(),
            Binding::Alias(place) | Binding::Address(place) => place.addresses(),
            _ => vec![],
        }
    }
}

/// What a parameter of a function becomes.
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
    fn types(&self) -> Vec<Type> {
        match self {
            Parameter::Var(ty) | Parameter::Reference(ty) => vec![*ty],
            Parameter::Parts(parts) => parts.iter().map(|part| part.ty).collect(),
            Parameter::Erased | Parameter::LocalMemory(_) => vec![],
        }
    }
}

pub(crate) struct Body<'u, 'a> {
    pub(crate) unit: &'u Unit<'a>,
    pub(crate) builder: &'u mut Builder,
    proc: ProcId,
    kind: ProcKind,
    vars: Vec<VarDecl>,
    /// Names of variables and arrays in use.
    taken: HashSet<String>,
    bindings: HashMap<Id, Binding>,
    /// Locals whose address is taken: they live in memory.
    boxed: HashSet<Id>,
    /// The object a member function works on, while its body is read in place.
    this: Option<place::Place>,
    /// The functions whose calls are being read in place, outermost first.
    in_place: Vec<usize>,
    /// How many calls were read in place, attempts counted.
    n_in_place: usize,
    /// Whether a place that is kept over a call keeps the pointer that it goes out from, too.
    keeps_bases: bool,
    /// What the lambdas made so far have caught, by their types.
    captures: HashMap<String, construct::Captures>,
    /// Whether `&` stands before the lvalue looked at.
    takes_address: bool,
    ops: Vec<Arc<Op>>,
    flow: Flow,
    notes: Vec<Note>,
    /// Pointer arithmetic whose result is cast at once.
    cast_next: Option<Id>,
    /// Where a pointer is given memory of other cells than it points to.
    conflict: Option<(Span, ScalarType, ScalarType)>,
    /// Where values nobody knows are asked for.
    arbitrary: arbitrary::Places,
    /// What was taken for granted, a sentence each.
    assumed: Vec<String>,
    layouts: Vec<(String, Vec<(String, u64)>)>,
    /// What the cells behind pointers are called.
    pointed: Vec<(VarId, CellNames)>,
    /// Pointers in memory.
    stored_pointers: stored_pointer::StoredPointers,
    /// The calls that begin asynchronous copies, in the order of reading.
    group_copies: group_copy::GroupCopies,
    /// Operands that the language puts in no order, of which one changes memory.
    unordered: Vec<Unordered>,
    /// Whether arguments are read only to see what evaluating them does.
    compares_arguments: bool,
}

/// A procedure, with what was read without effect and what was taken for granted.
pub(crate) struct Made {
    pub procedure: Procedure,
    pub notes: Vec<Note>,
    pub assumed: Vec<String>,
    /// Of parameters whose elements are not cells: the variables for each, and their cells an element.
    pub layouts: Vec<(String, Vec<(String, u64)>)>,
    /// What the cells behind its pointers are called.
    pub pointed: Vec<(VarId, CellNames)>,
    /// Operands without an order whose evaluation touches memory.
    pub unordered: Vec<Unordered>,
}

/// What parameters a function has in the algebra; `Err` names the one that has no meaning.
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
                // Nobody looks at it.
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

/// Whether a parameter is one of `main`'s two, or one of its that nobody looks at.
fn is_command_line(function: &Function<'_>, ty: &QualifiedType) -> bool {
    function.name == "main"
        && match &ty.ty {
            CType::Scalar(_) => true,
            CType::Pointer(to) => matches!(to.ty, CType::Pointer(_)),
            _ => false,
        }
}

fn refuse_at<T>(unit: &Unit<'_>, node: &Node, message: impl Into<String>) -> Result<T> {
    Err(Refusal {
        span: unit.files.span(node),
        message: message.into(),
        cause: None,
    })
}

/// Reads one function.
pub(crate) fn procedure<'a>(
    unit: &Unit<'a>,
    builder: &mut Builder,
    index: usize,
    name: &str,
    proc: ProcId,
    kind: ProcKind,
) -> Result<Made> {
    let mark = builder.mark();
    let first = FirstReading::default();
    let (made, first) = attempt(unit, builder, index, name, proc, kind, &first)?;
    if first.places.is_empty() {
        return Ok(made);
    }
    builder.reset(mark);
    attempt(unit, builder, index, name, proc, kind, &first).map(|(made, _)| made)
}

/// What reading a function for the first time tells.
#[derive(Default)]
struct FirstReading {
    /// Where values nobody knows are asked for.
    places: Vec<arbitrary::Asked>,
    /// What begins asynchronous copies.
    copies: Vec<group_copy::Shape>,
}

/// Reads a function, with what the `first` reading of it told; gives the same.
fn attempt<'a>(
    unit: &Unit<'a>,
    builder: &mut Builder,
    index: usize,
    name: &str,
    proc: ProcId,
    kind: ProcKind,
    first: &FirstReading,
) -> Result<(Made, FirstReading)> {
    let function = &unit.functions[index];
    if let Some(trouble) = &function.trouble {
        return Err(trouble.clone());
    }
    if let (false, Some(at)) = (function.is_recursive, unit.recursion(index)) {
        return refuse_at(unit, at, format!("recursion of `{}`", function.node.name()));
    }
    if function.node.kind.variadic {
        return refuse_at(unit, function.node, "a variable number of arguments");
    }
    let mut body = Body::new(unit, builder, proc, kind);
    body.in_place.extend(function.is_recursive.then_some(index));
    body.find_boxed(function.body);
    body.required_group(function)?;
    let mut params = body.parameters(function)?;
    params.extend(body.hold_arbitrary(&first.places, unit.files.span(function.node)));
    body.declare_copies(&first.copies);
    body.assigned_locals(function);
    if kind == ProcKind::Kernel {
        body.assume_enumerators(function);
        body.assume_in_range(function);
        body.assume_axioms()?;
    }
    let result = body.result(function)?;
    let mut all = std::mem::take(&mut body.ops);
    let main = body.block(|b| {
        b.function_body(function.body)?;
        b.finish_copies(function.node)
    })?;
    body.check_stored_pointers()?;
    all.extend(body.no_copies_yet());
    all.extend(body.first_arbitrary(unit.files.span(function.node)));
    all.extend(body.flow_prologue(unit.files.span(function.node)));
    all.extend(main);
    if let Some((span, own, given)) = body.conflict {
        return Err(Refusal {
            span,
            message: format!(
                "a pointer to `{}` cells that is given one to `{}` cells",
                own.usual_name(),
                given.usual_name()
            ),
            cause: None,
        });
    }
    let span = unit.files.span(function.node);
    let procedure = Procedure {
        name: Arc::from(name),
        kind,
        params,
        vars: std::mem::take(&mut body.vars),
        result,
        body: without_needless(&sequence(all)),
        span,
    };
    let made = Made {
        procedure,
        notes: std::mem::take(&mut body.notes),
        assumed: std::mem::take(&mut body.assumed),
        layouts: std::mem::take(&mut body.layouts),
        pointed: std::mem::take(&mut body.pointed),
        unordered: std::mem::take(&mut body.unordered),
    };
    let told = FirstReading {
        places: std::mem::take(&mut body.arbitrary.found),
        copies: body.group_copies.shapes(),
    };
    Ok((made, told))
}

impl<'u, 'a> Body<'u, 'a> {
    pub(crate) fn new(
        unit: &'u Unit<'a>,
        builder: &'u mut Builder,
        proc: ProcId,
        kind: ProcKind,
    ) -> Body<'u, 'a> {
        Body {
            unit,
            builder,
            proc,
            kind,
            vars: Vec::new(),
            taken: HashSet::new(),
            bindings: HashMap::new(),
            boxed: HashSet::new(),
            this: None,
            in_place: Vec::new(),
            n_in_place: 0,
            keeps_bases: false,
            captures: HashMap::new(),
            takes_address: false,
            ops: Vec::new(),
            flow: Flow::default(),
            notes: Vec::new(),
            cast_next: None,
            conflict: None,
            arbitrary: arbitrary::Places::default(),
            assumed: Vec::new(),
            layouts: Vec::new(),
            pointed: Vec::new(),
            stored_pointers: stored_pointer::StoredPointers::default(),
            group_copies: group_copy::GroupCopies::default(),
            unordered: Vec::new(),
            compares_arguments: false,
        }
    }

    fn on_host(&self) -> bool {
        self.kind == ProcKind::Host
    }

    fn span(&self, node: &Node) -> Span {
        self.unit.files.span(node)
    }

    fn refuse<T>(&self, node: &Node, message: impl Into<String>) -> Result<T> {
        refuse_at(self.unit, node, message)
    }

    fn note(&mut self, node: &Node, message: impl Into<String>) {
        let span = self.span(node);
        self.notes.push(Note {
            span,
            message: message.into(),
        });
    }

    fn type_of(&self, node: &Node) -> QualifiedType {
        self.unit.type_of(node)
    }

    /// The type a node's value has in the algebra.
    fn value_type(&self, node: &Node) -> Result<Type> {
        let ty = self.type_of(node);
        match ty.ty {
            CType::Status => Ok(Type::U32),
            _ => ty
                .variable_type()
                .or_else(|message| self.refuse(node, message)),
        }
    }

    fn emit(&mut self, basic: Basic, span: Span) {
        self.ops.push(Op::basic(basic, span));
    }

    fn emit_if(&mut self, cond: Expr, then: Arc<Op>, otherwise: Arc<Op>, span: Span) {
        let kind = OpKind::If {
            cond,
            then,
            otherwise,
        };
        self.ops.push(Op::new(kind, span));
    }

    /// The operators that `make` emits, instead of emitting them here.
    fn block(&mut self, make: impl FnOnce(&mut Self) -> Result<()>) -> Result<Vec<Arc<Op>>> {
        let (ops, ()) = self.apart(make)?;
        Ok(ops)
    }

    fn apart<T>(&mut self, make: impl FnOnce(&mut Self) -> Result<T>) -> Result<(Vec<Arc<Op>>, T)> {
        let outside = std::mem::take(&mut self.ops);
        let made = make(self);
        let inside = std::mem::replace(&mut self.ops, outside);
        Ok((inside, made?))
    }

    /// A name no other variable or array of the procedure has.
    fn fresh_name(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "unnamed" } else { wanted };
        let mut name = wanted.to_string();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }

    fn declare(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        let name = Arc::from(self.fresh_name(name));
        self.vars.push(VarDecl { name, ty, span });
        let var = VarId(self.vars.len() as u32 - 1);
        self.forget_variable(var);
        var
    }

    fn temporary(&mut self, ty: Type, span: Span) -> VarId {
        self.declare(TEMPORARY, ty, span)
    }

    /// A fresh variable that holds `value`.
    fn keep(&mut self, value: Expr, span: Span) -> Expr {
        let ty = value.ty;
        let var = self.temporary(ty, span);
        self.note_kept(var, &value);
        self.emit(Basic::Assign { var, value }, span);
        Expr::var(var, ty)
    }

    /// Assigns a value to a variable. When the value is the temporary that the last operator
    /// made, that operator gives it to the variable directly.
    fn assign_var(&mut self, var: VarId, value: Expr, span: Span) {
        if let Some(op) = self.retargeted(var, &value) {
            self.ops.pop();
            self.ops.push(op);
            if let Some(last) = self.vars.pop() {
                self.taken.remove(&*last.name);
            }
            return;
        }
        let ty = self.vars[var.0 as usize].ty;
        let value = view::null_like(value, ty);
        if let (Type::Pointer(own), Type::Pointer(given)) = (ty, value.ty)
            && own.elem != given.elem
        {
            self.conflict.get_or_insert((span, own.elem, given.elem));
            return;
        }
        let value = match (ty, value.ty) {
            (Type::Pointer(_), _) => value,
            _ => crate::constant::convert(value, ty),
        };
        self.emit(Basic::Assign { var, value }, span);
    }

    /// The last operator with `var` for its result, if `value` is its result and nothing else
    /// can read that.
    fn retargeted(&self, var: VarId, value: &Expr) -> Option<Arc<Op>> {
        use gridlock_semantics::algebra::expr::ExprKind;
        let ExprKind::Var(temporary) = value.kind else {
            return None;
        };
        let is_last = temporary.0 as usize + 1 == self.vars.len() && temporary != var;
        let target = self.vars.get(var.0 as usize)?;
        if !is_last || !target.ty.same_shape(value.ty) {
            return None;
        }
        let last = self.ops.last()?;
        let mut kind = last.kind.clone();
        match &mut kind {
            OpKind::Call { result, .. } | OpKind::Basic(Basic::Atomic { result, .. })
                if *result == Some(temporary) =>
            {
                *result = Some(var);
            }
            OpKind::Basic(Basic::Alloc { var: result, .. }) if *result == temporary => {
                *result = var;
            }
            _ => return None,
        }
        Some(Op::new(kind, last.span))
    }

    /// Makes variables of the parameters and binds their names.
    fn parameters(&mut self, function: &Function<'a>) -> Result<Vec<VarId>> {
        let parameters = parameters(self.unit, function, self.on_host())?;
        let mut ids = Vec::new();
        let mut boxed = Vec::new();
        let mut in_memory = Vec::new();
        for (position, (&node, parameter)) in function.params.iter().zip(parameters).enumerate() {
            let span = self.span(node);
            let declared = self.type_of(node).decayed();
            let binding = match parameter {
                Parameter::Erased if declared.ty == CType::Status => Binding::Status,
                Parameter::Erased if self.on_host() && is_command_line(function, &declared) => {
                    self.main_parameter(position, node.kind.is_used, declared.scalar())
                }
                Parameter::Erased => Binding::Text,
                Parameter::LocalMemory(to) => self.launch_local(node, &to)?,
                Parameter::Var(ty) => {
                    let var = self.declare(node.name(), ty, span);
                    ids.push(var);
                    self.note_parameter(node, &[var]);
                    self.note_cells(node, &declared, ty);
                    self.note_layout(node, &declared, &[var]);
                    self.name_behind(node, &declared, &[var]);
                    if self.boxed.contains(&node.id) {
                        boxed.push((node, var, ty));
                    }
                    Binding::Var(var, ty)
                }
                Parameter::Parts(parts) => {
                    let mut vars = Vec::new();
                    for part in parts {
                        let name = format!("{}{}", node.name(), part.path);
                        vars.push(self.declare(&name, part.ty, span));
                    }
                    ids.extend(&vars);
                    self.note_layout(node, &declared, &vars);
                    self.name_behind(node, &declared, &vars);
                    self.note_parameter(node, &vars);
                    if self.is_memory(node, &declared) {
                        in_memory.push((node, vars.clone(), declared.clone()));
                    }
                    Binding::Object(vars, declared)
                }
                Parameter::Reference(ty) => {
                    let var = self.declare(node.name(), ty, span);
                    ids.push(var);
                    let to = match declared.ty {
                        CType::Reference(to) => *to,
                        _ => declared,
                    };
                    Binding::Reference(var, to)
                }
            };
            self.bindings.insert(node.id, binding);
        }
        for (node, var, ty) in boxed {
            let span = self.span(node);
            let place = self.box_local(node)?;
            self.write(&place, Expr::var(var, ty), span, node)?;
        }
        for (node, vars, ty) in in_memory {
            let span = self.span(node);
            let binding = self.local_memory(node.name(), &ty, span);
            let place = self.place_of(binding.clone(), node)?;
            self.bindings.insert(node.id, binding);
            let value = |var: VarId| Expr::var(var, self.vars[var.0 as usize].ty);
            let values = vars.into_iter().map(value).collect();
            self.write_parts(&place, values, span, node)?;
        }
        Ok(ids)
    }

    /// What C++ says of arguments whose type is an enumeration: a value outside of its range is none.
    fn assume_enumerators(&mut self, function: &Function<'a>) {
        for &node in &function.params {
            let text = node.type_text().trim_start_matches("const ");
            let name = text.strip_prefix("enum ").unwrap_or(text);
            let known = self.unit.enum_ranges.get(name);
            let (Some(&(least, most)), Some(&Binding::Var(var, ty))) =
                (known, self.bindings.get(&node.id))
            else {
                continue;
            };
            let Some(scalar) = ty.scalar().filter(|s| s.is_integer()) else {
                continue;
            };
            let span = self.span(node);
            let bound = |n| Expr::constant(Value::int(scalar, n));
            let value = || Expr::var(var, ty);
            let mut cond = Expr::binary(BinaryOp::Le, value(), bound(most));
            if scalar.is_signed() {
                let above = Expr::binary(BinaryOp::Ge, value(), bound(least));
                cond = Expr::binary(BinaryOp::And, above, cond);
            }
            self.emit(Basic::Assume { cond }, span);
            let name = node.name();
            self.note(
                node,
                format!("`{name}` is an enumeration: its values are {least} to {most}"),
            );
        }
    }

    fn result(&mut self, function: &Function<'a>) -> Result<Option<VarId>> {
        if matches!(function.returns.ty, CType::Void | CType::Status) {
            return Ok(None);
        }
        let node = function.node;
        if matches!(function.returns.ty, CType::Reference(_)) {
            return self.refuse(node, "a function that returns a reference");
        }
        let span = self.span(node);
        match function.returns.variable_type() {
            Ok(ty) => {
                let result = self.declare("result", ty, span);
                self.flow.result = Some(result);
                Ok(Some(result))
            }
            Err(message) => self.refuse(node, format!("a function that returns {message}")),
        }
    }
}

/// Operators one after another, as one operator.
pub(crate) fn sequence(mut ops: Vec<Arc<Op>>) -> Arc<Op> {
    match ops.len() {
        0 => Op::skip(),
        1 => ops.swap_remove(0),
        _ => {
            let span = crate::place_in_source::join(ops[0].span, ops[ops.len() - 1].span);
            Op::new(OpKind::Seq(ops), span)
        }
    }
}
