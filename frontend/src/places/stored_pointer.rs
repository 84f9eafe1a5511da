//! Pointers in memory: numbers, as pointers to functions are. 0 is the null pointer. In any other number the upper
//! bits say which memory it points into, among those that the procedure knows, and the lower bits give the offset in
//! elements. A pointer read from memory is a choice among the memories that its type can point to; a number that
//! means none of them gives the null pointer, whose use is a defect.
//!
//! The meaning of these numbers is fixed within one procedure, so functions that access pointers in memory are read
//! in place. Pointers beyond that are refused: those read from an argument's memory or from the host, and those that
//! other threads could not use (to a thread's private memory, stored in memory that others can read).

use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::stored_pointers::Target;
use crate::constant;
use crate::refusal::{Refusal, Result};
use crate::storage::place::{is_view, moved};
use crate::storage::pointers::{is_null_pointer, requalify};
use crate::syntax::Node;
use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::{Group, POINTER_CELL, no_memory};
use crate::unit::Function;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::BTreeMap;

/// Bits of a number for the offset of a pointer in its memory, including a sign.
const OFFSET_BITS: i64 = 40;

/// Numbers of parameters begin here; below are those of declared arrays.
const FIRST_PARAMETER: i64 = 1 << 20;

const NAMED_LATER: &str = "a pointer in memory that comes before what it points into is named";

/// Most memories that a pointer read from memory may point into.
const MAX_TARGETS: usize = 32;

/// Where the cells of a pointer may lie.
#[derive(Default)]
struct Reach {
    spaces: Vec<Space>,
    is_argument: bool,
}

impl Code<'_, '_> {
    /// Variables that a parameter became.
    pub(crate) fn note_parameter(&mut self, node: &Node, vars: &[VarId]) {
        let is_steady = self.boxed.contains(&node.id) || self.unit.is_steady(node.id);
        for var in vars {
            if self.vars[var.0 as usize].ty.pointer().is_some() {
                self.stored_pointers.given.push(*var);
                if is_steady {
                    self.stored_pointers.steady.insert(*var);
                }
            }
        }
    }

    /// A pointer variable whose declaration gives it the only value that it ever has.
    pub(crate) fn note_origin(&mut self, node: &Node, var: VarId, value: &Expr) {
        if value.ty.pointer().is_some() && self.unit.is_steady(node.id) {
            self.stored_pointers.origins.insert(var, value.clone());
        }
    }

    /// A new variable: facts about a discarded variable with the same number are removed.
    pub(crate) fn forget_variable(&mut self, var: VarId) {
        self.stored_pointers.origins.remove(&var);
        self.stored_pointers.temporaries.remove(&var);
    }

    /// A temporary that holds a pointer.
    pub(crate) fn note_kept(&mut self, var: VarId, value: &Expr) {
        if value.ty.pointer().is_some() {
            self.stored_pointers.origins.insert(var, value.clone());
        }
    }

    /// The pointers that the number in a cell stands for, one for each group of what it points to.
    pub(crate) fn stored_pointer(
        &mut self,
        cell: &Expr,
        ty: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<Expr>> {
        let CType::Pointer(to) = &ty.ty else {
            return self.refuse(node, "a pointer in memory");
        };
        if self.on_host() {
            return self.refuse(node, "a pointer in memory");
        }
        let number = match is_view(cell, ty) {
            true => Some(self.read_view(cell, POINTER_CELL, node)?),
            false => Expr::load(cell.clone()),
        };
        let Some(number) = number else {
            return self.refuse(node, "a pointer in memory");
        };
        if matches!(to.ty, CType::Function(_)) {
            return Ok(vec![constant::convert(number, Type::U32)]);
        }
        let reach = self.reach(cell);
        if reach.is_argument {
            return self.refuse(node, "a pointer in the memory of an argument");
        }
        if reach.spaces.iter().any(|space| !is_of_program(*space)) {
            return self.refuse(node, "a pointer in memory that the host fills");
        }
        let groups = to.groups().unwrap_or_default();
        let lead = groups
            .first()
            .and_then(|lead| Some((lead.pointer.elem, lead.count?)));
        let Some((lead, per_element)) = lead else {
            return self.refuse(node, no_memory(to));
        };
        let targets = self.targets(to);
        if targets.len() > MAX_TARGETS {
            return self.refuse(node, "a pointer that may point into this many arrays");
        }
        let span = self.span(node);
        let number = constant::convert(self.kept_number(number, span), Type::I64);
        let whole = |value: i64| Expr::int(ScalarType::I64, value);
        let half = whole(1 << (OFFSET_BITS - 1));
        let rounded = Expr::binary(BinaryOp::Add, number.clone(), half);
        let memory = Expr::binary(BinaryOp::Shr, rounded, whole(OFFSET_BITS));
        let memory = self.kept_number(memory, span);
        let mut found: Vec<Expr> = groups
            .iter()
            .map(|group| Expr::i32(0).cast(Type::Pointer(group.pointer)))
            .collect();
        for (id, target) in targets.iter().rev() {
            let is_meant = Expr::binary(BinaryOp::Eq, memory.clone(), whole(*id));
            let start = whole(id << OFFSET_BITS);
            let by = Expr::binary(BinaryOp::Sub, number.clone(), start);
            for (at, group) in groups.iter().enumerate() {
                let by = match (at, group.count) {
                    (0, _) => by.clone(),
                    (_, Some(count)) => {
                        let elements =
                            Expr::binary(BinaryOp::Div, by.clone(), whole(per_element as i64));
                        Expr::binary(BinaryOp::Mul, elements, whole(count as i64))
                    }
                    _ => return self.refuse(node, no_memory(to)),
                };
                let base = target.pointers[at].clone();
                let base = requalify(base, Type::Pointer(group.pointer));
                let meant = moved(base, by, 1);
                found[at] = Expr::select(is_meant.clone(), meant, found[at].clone());
            }
        }
        let known = targets.keys().copied().collect();
        self.stored_pointers
            .read
            .push((lead, groups.len(), known, span));
        Ok(found)
    }

    fn kept_number(&mut self, number: Expr, span: Span) -> Expr {
        let kept = self.keep(number, span);
        if let ExprKind::Var(var) = kept.kind {
            self.stored_pointers.temporaries.insert(var);
        }
        kept
    }

    /// The expression, read from memory, that was assigned to a variable which never changes. It has the same value
    /// as long as the variable has, because its temporaries are assigned where the variable is, and nowhere else.
    fn as_it_was_read(&self, pointer: &Expr) -> Option<Expr> {
        let ExprKind::Var(var) = pointer.kind else {
            return None;
        };
        let origin = self.stored_pointers.origins.get(&var)?;
        let known = &self.stored_pointers;
        let is_fixed = |var: &VarId| known.temporaries.contains(var) || known.steady.contains(var);
        let mut all_fixed = true;
        origin.walk(&mut |part| match &part.kind {
            ExprKind::Var(var) => all_fixed &= is_fixed(var),
            ExprKind::Load(_) => all_fixed = false,
            _ => {}
        });
        match &origin.kind {
            ExprKind::Select(..) if all_fixed => Some(origin.clone()),
            ExprKind::Var(_) => self.as_it_was_read(origin),
            _ => None,
        }
    }

    /// Writes the number that stands for pointers to the groups of something into a cell.
    pub(crate) fn store_pointer(
        &mut self,
        cell: &Expr,
        ty: &QualifiedType,
        pointers: &[Expr],
        span: Span,
        node: &Node,
    ) -> Result<()> {
        use gridlock_semantics::algebra::operator::Basic;
        let (CType::Pointer(to), [lead, ..]) = (&ty.ty, pointers) else {
            return self.refuse(node, "a pointer in memory");
        };
        if self.on_host() {
            return self.refuse(node, "a pointer in memory");
        }
        let value = match lead.ty {
            // A function's.
            Type::Scalar(_) => lead.clone(),
            Type::Pointer(_) => {
                let reach = self.reach(cell);
                self.pointer_number(lead, to, &reach, node)?
            }
        };
        let value = constant::convert(value, Type::Scalar(POINTER_CELL));
        if is_view(cell, ty) {
            return self.write_view(cell, POINTER_CELL, value, span, node);
        }
        let pointer = cell.clone();
        self.emit(Basic::Store { pointer, value }, span);
        Ok(())
    }

    /// The number of a pointer.
    fn pointer_number(
        &mut self,
        pointer: &Expr,
        to: &QualifiedType,
        reach: &Reach,
        node: &Node,
    ) -> Result<Expr> {
        if is_null_pointer(pointer) {
            return Ok(Expr::int(ScalarType::I64, 0));
        }
        if let Some(read) = self.as_it_was_read(pointer) {
            return self.pointer_number(&read, to, reach, node);
        }
        if let ExprKind::Select(cond, then, otherwise) = &pointer.kind {
            let then = self.pointer_number(then, to, reach, node)?;
            let otherwise = self.pointer_number(otherwise, to, reach, node)?;
            return Ok(Expr::select((**cond).clone(), then, otherwise));
        }
        let Some(elem) = pointer.ty.pointer().map(|p| p.elem) else {
            return self.refuse(node, "a pointer in memory");
        };
        let groups = to.groups().unwrap_or_default();
        if groups.first().map(|group| group.pointer.elem) != Some(elem) {
            let what = format!("a pointer in memory to `{}` cells", elem.usual_name());
            return self.refuse(node, what);
        }
        let mut targets = self.targets(to);
        let known = self.start(pointer);
        match known {
            Some(id) => targets.retain(|other, _| *other == id),
            // There must be only one memory into which it can point, also at the end of the procedure.
            None if self.knows_all_memory(elem) => {
                let ids = targets.keys().copied().collect();
                let span = self.span(node);
                self.stored_pointers.only.push((to.clone(), ids, span));
            }
            None => targets.clear(),
        }
        let mut all = targets.into_iter();
        let (Some((id, target)), None) = (all.next(), all.next()) else {
            return self.refuse(
                node,
                "a pointer in memory that may point into several arrays",
            );
        };
        let is_safe = match target.space {
            Some(Space::Private) => {
                !reach.is_argument && reach.spaces.iter().all(|s| *s == Space::Private)
            }
            Some(Space::Global | Space::Constant) => true,
            _ => reach.spaces.iter().all(|s| *s != Space::Global) && !reach.is_argument,
        };
        if !is_safe {
            return self.refuse(node, "a pointer that others who read it could not follow");
        }
        let Some(base) = target.pointers.first().cloned() else {
            return self.refuse(node, no_memory(to));
        };
        let start = Expr::int(ScalarType::I64, id << OFFSET_BITS);
        let distance = match &pointer.kind {
            ExprKind::ArrayBase(_) => None,
            ExprKind::Offset(inner, by) if matches!(inner.kind, ExprKind::ArrayBase(_)) => {
                Some((**by).clone())
            }
            _ => Some(Expr::binary(BinaryOp::PtrDiff, pointer.clone(), base)),
        };
        let number = match distance {
            Some(by) => Expr::binary(BinaryOp::Add, start, by),
            None => start,
        };
        let is_declared = matches!(root(pointer).kind, ExprKind::ArrayBase(_));
        self.stored_pointers.written.insert(id, target);
        Ok(match is_declared {
            true => number,
            false => {
                let is_there = constant::to_bool(pointer.clone());
                Expr::select(is_there, number, Expr::int(ScalarType::I64, 0))
            }
        })
    }

    /// Whether all pointers to such cells point into memory that this procedure names.
    fn knows_all_memory(&self, elem: ScalarType) -> bool {
        let known = &self.stored_pointers;
        let moves = |var: &&VarId| !known.steady.contains(var);
        let mut moving = known.given.iter().filter(moves);
        let of_cells = |var: &VarId| {
            let ty = self.vars[var.0 as usize].ty;
            ty.pointer().is_some_and(|pointer| pointer.elem == elem)
        };
        let gives_pointer = |function: &Function<'_>| {
            !function.is_in_place && matches!(function.returns.ty, CType::Pointer(_))
        };
        !moving.any(of_cells) && !self.unit.functions.iter().any(gives_pointer)
    }

    /// The memory that a pointer points into, if the expression shows it.
    fn start(&self, pointer: &Expr) -> Option<i64> {
        match &root(pointer).kind {
            ExprKind::ArrayBase(array) => Some(of_array(*array)),
            ExprKind::Var(var) if self.stored_pointers.steady.contains(var) => {
                Some(FIRST_PARAMETER + i64::from(var.0))
            }
            ExprKind::Var(var) => {
                let origin = self.stored_pointers.origins.get(var)?;
                self.start(origin)
            }
            _ => None,
        }
    }

    /// The memories that a pointer to something may point into, by their numbers.
    fn targets(&self, to: &QualifiedType) -> BTreeMap<i64, Target> {
        let mut found = BTreeMap::new();
        let groups = to.groups().unwrap_or_default();
        let Some(lead) = groups.first().map(|group| group.pointer.elem) else {
            return found;
        };
        let leads = |pointer: &Expr| pointer.ty.pointer().is_some_and(|p| p.elem == lead);
        let is_steady = |var: &VarId| self.stored_pointers.steady.contains(var);
        for (id, target) in &self.stored_pointers.written {
            let fits = target.pointers.len() == groups.len();
            if fits && target.pointers.first().is_some_and(leads) {
                found.insert(*id, target.clone());
            }
        }
        let parameters = self.stored_pointers.steady.iter();
        for var in parameters.filter(|_| groups.len() == 1) {
            let pointer = Expr::var(*var, self.vars[var.0 as usize].ty);
            if leads(&pointer) {
                let target = Target {
                    pointers: vec![pointer],
                    space: None,
                };
                found.insert(FIRST_PARAMETER + i64::from(var.0), target);
            }
        }
        for binding in self.bindings.values() {
            match binding {
                Binding::Array(array, _) if groups.len() == 1 => {
                    let decl = self.builder.array(*array);
                    if decl.elem == lead && decl.space != Space::Host {
                        let pointer = gridlock_semantics::algebra::types::PointerType::to(lead);
                        let target = Target {
                            pointers: vec![Expr::array_base(*array, pointer)],
                            space: Some(decl.space),
                        };
                        found.insert(of_array(*array), target);
                    }
                }
                Binding::Memory(arrays, ty) if element(ty) == element(to) => {
                    let bases = arrays.iter().zip(&groups);
                    let base = |(array, group): (&ArrayId, &Group)| {
                        Expr::array_base(*array, group.pointer)
                    };
                    let target = Target {
                        pointers: bases.map(base).collect(),
                        space: arrays.first().map(|a| self.builder.array(*a).space),
                    };
                    if let (Some(first), true) = (arrays.first(), arrays.len() == groups.len()) {
                        found.insert(of_array(*first), target);
                    }
                }
                Binding::Object(vars, ty) if vars.len() == groups.len() && groups.len() > 1 => {
                    let value = |var: &VarId| Expr::var(*var, self.vars[var.0 as usize].ty);
                    let is_meant = matches!(&ty.ty, CType::Pointer(own) if own.ty == to.ty);
                    if let (Some(first), true) = (vars.first().filter(|v| is_steady(v)), is_meant) {
                        let target = Target {
                            pointers: vars.iter().map(value).collect(),
                            space: None,
                        };
                        found.insert(FIRST_PARAMETER + i64::from(first.0), target);
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Where a cell may lie.
    fn reach(&self, cell: &Expr) -> Reach {
        let mut reach = Reach::default();
        self.add_reach(cell, &mut reach);
        reach
    }

    fn add_reach(&self, cell: &Expr, reach: &mut Reach) {
        match &root(cell).kind {
            ExprKind::ArrayBase(array) => reach.spaces.push(self.builder.array(*array).space),
            ExprKind::Select(_, then, otherwise) => {
                self.add_reach(then, reach);
                self.add_reach(otherwise, reach);
            }
            ExprKind::Var(var) if self.stored_pointers.origins.contains_key(var) => {
                let origin = &self.stored_pointers.origins[var];
                self.add_reach(origin, reach);
            }
            _ if is_null_pointer(cell) => {}
            ExprKind::Var(var) if self.stored_pointers.steady.contains(var) => {
                reach.is_argument = true;
            }
            // Any memory of such cells.
            _ => {
                let elem = cell.ty.pointer().map(|p| p.elem);
                let arrays = self.bindings.values().flat_map(|binding| match binding {
                    Binding::Array(array, _) => vec![*array],
                    Binding::Memory(arrays, _) => arrays.clone(),
                    _ => vec![],
                });
                let fitting = arrays.map(|array| self.builder.array(array));
                let fitting = fitting.filter(|decl| Some(decl.elem) == elem);
                reach.spaces.extend(fitting.map(|decl| decl.space));
                let of_cells = |var: &VarId| {
                    let ty = self.vars[var.0 as usize].ty;
                    ty.pointer().is_some_and(|p| Some(p.elem) == elem)
                };
                reach.is_argument |= self.stored_pointers.given.iter().any(of_cells);
            }
        }
    }

    /// Checks that each pointer written to memory is among the choices of every later read of such a pointer.
    pub(crate) fn check_stored_pointers(&self) -> Result<()> {
        for (lead, n_groups, known, span) in &self.stored_pointers.read {
            for (id, target) in &self.stored_pointers.written {
                let first = target.pointers.first().and_then(|p| p.ty.pointer());
                let fits = first.is_some_and(|p| p.elem == *lead);
                if fits && target.pointers.len() == *n_groups && !known.contains(id) {
                    return Err(Refusal {
                        span: *span,
                        message: NAMED_LATER.to_owned(),
                        cause: None,
                    });
                }
            }
        }
        for (to, known, span) in &self.stored_pointers.only {
            if self.targets(to).keys().any(|id| !known.contains(id)) {
                return Err(Refusal {
                    span: *span,
                    message: NAMED_LATER.to_owned(),
                    cause: None,
                });
            }
        }
        Ok(())
    }
}

fn of_array(array: ArrayId) -> i64 {
    i64::from(array.0) + 1
}

/// Memory that only the program itself writes.
fn is_of_program(space: Space) -> bool {
    matches!(space, Space::Shared | Space::Private | Space::Global)
}

/// The pointer from which another is an offset.
fn root(pointer: &Expr) -> &Expr {
    match &pointer.kind {
        ExprKind::Offset(base, _) => root(base),
        ExprKind::Cast(inner) if inner.ty.pointer().is_some() => root(inner),
        _ => pointer,
    }
}

/// The element type of an array, through all its dimensions.
fn element(ty: &QualifiedType) -> &CType {
    match &ty.ty {
        CType::Array(of, _) => element(of),
        other => other,
    }
}
