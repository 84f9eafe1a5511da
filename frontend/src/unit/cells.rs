//! The cells of memory that is accessed as several types.
//!
//! An array has cells of one scalar type. Where a file casts pointers (`float *a = (float *)bytes; int *b = (int
//! *)&a[n];`), the cells of its own shared and local arrays are chosen to fit every access that may reach them, so
//! that no access is to a part of a cell: the least scalar among the types of these accesses. Which accesses may
//! reach an array is over-approximated without regard to order: a pointer is put in one class with everything
//! assigned to it (Steensgaard, POPL 1996). A wrong choice can lead to a refusal, never to a wrong meaning, because
//! the meaning of an access follows from the cells of its pointer (`places/view.rs`).
//!
//! Arguments of kernels and variables at file scope have the cells of the types they are declared with, unless
//! something smaller is read or written there (`(char *)words`), which makes the cells smaller too. Memory that the
//! host allocates has the cells of the type it is allocated with.

use crate::syntax::casts::{behind_address, behind_void};
use crate::syntax::expression::{Call, CallForm, Expression};
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::types::contents::has_bit_fields;
use crate::types::ctype::{CType, QualifiedType};
use crate::types::layout::layout;
use crate::unit::declarations::is_dynamic_shared;
use crate::unit::known_functions::copied;
use crate::unit::{Function, Side, Unit};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::{HashMap, HashSet};

/// The facts about classes of pointers and memory that flow into one another.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    parent: HashMap<Id, Id>,
    classes: HashMap<Id, Class>,
    cells: HashMap<Id, ScalarType>,
    /// Pointer variables whose own memory is accessed as another type, with the smallest scalar of that type.
    seen_pointers: HashMap<Id, ScalarType>,
    /// Pointer variables that are read or written as pointers.
    used_pointers: HashSet<Id>,
}

#[derive(Clone, Debug, Default)]
struct Class {
    /// Declared memory whose cells can be chosen here, with the types of its elements.
    owned: Vec<QualifiedType>,
    /// Memory that is declared elsewhere, with its own cells.
    settled: Vec<ScalarType>,
    /// The same, of several types of cells.
    mixed: Vec<QualifiedType>,
    /// Whether padding of a struct is copied.
    copies_gaps: bool,
    accesses: Vec<ScalarType>,
    /// The scalars that atomics access: such an access cannot be split into several cells.
    atomics: Vec<ScalarType>,
    /// The types to which pointers are cast.
    targets: Vec<ScalarType>,
    /// `extern __shared__` arrays, which all are one.
    n_dynamic: usize,
    is_seen_otherwise: bool,
}

impl Cells {
    pub fn new(unit: &Unit<'_>) -> Cells {
        let needs = |f: &Function<'_>| has_view(unit, f.body) || copies(f.body);
        let mut cells = Cells::default();
        if unit.functions.iter().any(needs) || several_dynamic(unit) {
            let mut finder = Finder {
                unit,
                cells: &mut cells,
                function: None,
                dynamic: Vec::new(),
                seen: HashSet::new(),
            };
            finder.run();
            cells.decide();
        }
        cells
    }

    /// The cells of memory that is declared here, if they differ from those of its own type; and
    /// the cells of the target of a pointer whose type leaves them open (`void *`).
    pub fn of(&self, id: Id) -> Option<ScalarType> {
        self.cells.get(&self.root(id)?).copied()
    }

    /// The cells of a variable that is a pointer, where its own memory is seen as something else.
    pub fn of_pointer(&self, id: Id) -> Option<ScalarType> {
        let seen = self.seen_pointers.get(&id).copied();
        seen.filter(|_| !self.used_pointers.contains(&id))
    }

    /// Whether the memory is seen as another type than its own.
    pub fn is_seen_otherwise(&self, id: Id) -> bool {
        let class = self.root(id).and_then(|root| self.classes.get(&root));
        class.is_some_and(|class| class.is_seen_otherwise)
    }

    /// The representative of a class of memory.
    pub fn root(&self, id: Id) -> Option<Id> {
        let mut at = id;
        self.parent.get(&at)?;
        while let Some(&next) = self.parent.get(&at) {
            if next == at {
                break;
            }
            at = next;
        }
        Some(at)
    }

    fn find(&mut self, id: Id) -> Id {
        self.parent.entry(id).or_insert(id);
        let mut at = id;
        while let Some(&next) = self.parent.get(&at) {
            if next == at {
                break;
            }
            // Path halving makes later searches shorter.
            let after = self.parent.get(&next).copied().unwrap_or(next);
            self.parent.insert(at, after);
            at = after;
        }
        at
    }

    fn class(&mut self, id: Id) -> &mut Class {
        let root = self.find(id);
        self.classes.entry(root).or_default()
    }

    fn join(&mut self, a: Id, b: Id) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        self.parent.insert(b, a);
        let Some(other) = self.classes.remove(&b) else {
            return;
        };
        let class = self.classes.entry(a).or_default();
        class.owned.extend(other.owned);
        class.settled.extend(other.settled);
        class.mixed.extend(other.mixed);
        class.copies_gaps |= other.copies_gaps;
        class.accesses.extend(other.accesses);
        class.atomics.extend(other.atomics);
        class.targets.extend(other.targets);
        class.n_dynamic += other.n_dynamic;
        class.is_seen_otherwise |= other.is_seen_otherwise;
    }

    fn decide(&mut self) {
        for (root, class) in &self.classes {
            if let Some(cell) = class.cell() {
                self.cells.insert(*root, cell);
            }
        }
    }
}

impl Class {
    /// Whether something smaller than the declared cells is read or written, and nothing larger by an atomic.
    fn is_cut_smaller(&self, declared: ScalarType) -> bool {
        let used = self.accesses.iter().chain(&self.atomics);
        let Some(least) = used.map(|s| s.size()).min() else {
            return false;
        };
        least < declared.size() && self.atomics.iter().all(|s| s.size() <= least)
    }

    fn cell(&self) -> Option<ScalarType> {
        let is_dynamic = self.n_dynamic > 0;
        if !self.is_seen_otherwise && !is_dynamic {
            return None;
        }
        // Padding has no value in memory that was not filled byte by byte.
        if self.copies_gaps && !self.owned.is_empty() {
            return None;
        }
        if self.owned.is_empty()
            && self.mixed.is_empty()
            && let Some(&first) = self.settled.first()
            && !self.is_cut_smaller(first)
        {
            return self.settled.iter().all(|s| *s == first).then_some(first);
        }
        let used = self.accesses.iter().chain(&self.atomics).copied();
        let mut used: Vec<ScalarType> = used.collect();
        if used.is_empty() {
            used.clone_from(&self.targets);
        }
        let least = used.iter().map(|s| s.size()).min()?;
        let own = self.owned.iter().filter_map(|ty| {
            let scalars = layout(ty)?;
            scalars.first().map(|(_, scalar)| *scalar)
        });
        let own = own.filter(|own| used.contains(own));
        let candidates = self.atomics.iter().copied().chain(own).chain(used.clone());
        candidates.into_iter().find(|s| s.size() == least)
    }
}

/// Whether `memcpy` or one of its kin is called.
fn copies(node: &Node) -> bool {
    let named = node.kind.referenced_decl.as_ref();
    named.is_some_and(|decl| copied(&decl.name).is_some()) || node.inner.iter().any(copies)
}

/// Whether pointers are cast somewhere, or there is a variable that is a union.
fn has_view(unit: &Unit<'_>, node: &Node) -> bool {
    let is_explicit = !node.is(Kind::ImplicitCastExpr);
    (is_explicit && *node.cast() == CastKind::BitCast)
        || (node.is(Kind::VarDecl) && is_union(element(&unit.type_of(node))))
        || node.inner.iter().any(|inner| has_view(unit, inner))
}

fn is_union(ty: &QualifiedType) -> bool {
    matches!(&ty.ty, CType::Record(record) if record.is_union)
}

/// Whether there may be several names, or several types, of the dynamic shared memory.
fn several_dynamic(unit: &Unit<'_>) -> bool {
    fn count(unit: &Unit<'_>, node: &Node) -> usize {
        let inside = node.inner.iter().map(|inner| count(unit, inner));
        usize::from(node.is(Kind::VarDecl) && is_dynamic_shared(node, &unit.type_of(node)))
            + inside.sum::<usize>()
    }
    let globals = unit
        .globals
        .values()
        .filter(|n| is_dynamic_shared(n, &unit.type_of(n)))
        .count();
    let locals: usize = unit.functions.iter().map(|f| count(unit, f.body)).sum();
    globals + locals > 1
}

struct Finder<'u, 'a> {
    unit: &'u Unit<'a>,
    cells: &'u mut Cells,
    /// The function whose body is being searched.
    function: Option<usize>,
    /// The functions that name dynamic shared memory, and the declarations they name.
    dynamic: Vec<(usize, Id)>,
    seen: HashSet<Id>,
}

impl Finder<'_, '_> {
    fn run(&mut self) {
        for index in 0..self.unit.functions.len() {
            self.function = Some(index);
            let function = &self.unit.functions[index];
            for param in &function.params {
                let ty = self.unit.type_of(param).decayed();
                if function.side == Side::Kernel
                    && let CType::Pointer(to) = &ty.ty
                {
                    self.settled(param.id, to);
                }
            }
            for init in function
                .node
                .inner
                .iter()
                .filter(|n| n.is(Kind::CXXCtorInitializer))
            {
                if let (Some(field), Some(value)) = (&init.kind.any_init, init.last()) {
                    self.flows(field.id, value);
                }
                self.visit(init, true);
            }
            self.visit(function.body, true);
        }
        self.join_dynamic();
    }

    /// All dynamic shared memory that one kernel reaches is one array.
    fn join_dynamic(&mut self) {
        for (kernel, function) in self.unit.functions.iter().enumerate() {
            if function.side != Side::Kernel {
                continue;
            }
            let mut reached = HashSet::from([kernel]);
            let mut open = vec![kernel];
            while let Some(next) = open.pop() {
                for &(callee, _) in &self.unit.functions[next].mentions {
                    if reached.insert(callee) {
                        open.push(callee);
                    }
                }
            }
            let mut named = self.dynamic.iter().filter(|(f, _)| reached.contains(f));
            let Some(&(_, first)) = named.next() else {
                continue;
            };
            for &(_, other) in named {
                self.cells.join(first, other);
            }
        }
    }

    /// The canonical declaration of a variable.
    fn canonical(&self, id: Id) -> Id {
        self.unit.globals.get(&id).map_or(id, |node| node.id)
    }

    /// Memory that is declared: a variable of this procedure, or one at file scope.
    fn declared(&mut self, node: &Node) {
        if !self.seen.insert(node.id) {
            return;
        }
        let ty = self.unit.type_of(node);
        let is_shared = node.has_attribute(Kind::CUDASharedAttr);
        let is_global = self.unit.globals.contains_key(&node.id);
        let elem = match &ty.ty {
            CType::Array(of, _) => element(of),
            CType::Scalar(_) | CType::Record(_) => &ty,
            _ => return,
        };
        if is_shared || !is_global {
            let elem = elem.clone();
            let class = self.cells.class(node.id);
            class.is_seen_otherwise |= is_union(&elem);
            class.owned.push(elem);
            class.n_dynamic += usize::from(is_dynamic_shared(node, &ty));
        } else {
            self.settled(node.id, &ty);
        }
    }

    /// Memory whose cells are chosen here only if they must be.
    fn settled(&mut self, id: Id, ty: &QualifiedType) {
        match ty.cells() {
            Some((pointer, _)) => self.cells.class(id).settled.push(pointer.elem),
            None if layout(element(ty)).is_some() => {
                self.cells.class(id).mixed.push(element(ty).clone());
            }
            None => {}
        }
    }

    fn named(&mut self, id: Id) {
        let Some(&node) = self.unit.globals.get(&id) else {
            return;
        };
        self.memory_named(node);
    }

    fn memory_named(&mut self, node: &Node) {
        self.declared(node);
        let is_dynamic = is_dynamic_shared(node, &self.unit.type_of(node));
        if let Some(function) = self.function.filter(|_| is_dynamic) {
            self.dynamic.push((function, node.id));
        }
    }

    /// The value is assigned to the variable `to`.
    fn flows(&mut self, to: Id, value: &Node) {
        if !matches!(self.unit.type_of(value).decayed().ty, CType::Pointer(_)) {
            return;
        }
        for from in self.sources(value) {
            self.cells.join(to, from);
        }
    }

    fn arguments<'n>(&mut self, index: usize, arguments: impl Iterator<Item = &'n Node>) {
        let params = self.unit.functions[index].params.clone();
        for (param, argument) in params.into_iter().zip(arguments) {
            match self.unit.type_of(param).ty {
                CType::Reference(_) => {
                    for from in self.places(argument) {
                        self.cells.join(param.id, from);
                    }
                }
                _ => self.flows(param.id, argument),
            }
        }
    }

    /// Visits everything in a node; `counts` says whether a place that the node denotes is
    /// accessed, and not only pointed to.
    fn visit(&mut self, node: &Node, counts: bool) {
        let mut counts_inside = true;
        match node.expression() {
            Expression::Other if node.is(Kind::VarDecl) => {
                match self.unit.globals.contains_key(&node.id) {
                    true => self.named(node.id),
                    false => self.memory_named(node),
                }
                if let Some(init) = node.kind.init.as_ref().and_then(|_| node.last()) {
                    match self.unit.type_of(node).ty {
                        CType::Reference(_) => {
                            for from in self.places(init) {
                                self.cells.join(node.id, from);
                            }
                        }
                        _ => self.flows(node.id, init),
                    }
                    let ty = self.unit.type_of(node);
                    self.fields(&ty, init);
                    if matches!(element(&ty).ty, CType::Pointer(_)) {
                        self.elements(node.id, init);
                    }
                }
            }
            Expression::Assign { left, right } => {
                for to in self.places(left) {
                    if self.is_pointer(left) {
                        self.flows(to, right);
                    }
                }
            }
            Expression::Other if node.is(Kind::ReturnStmt) => {
                if let (Some(index), Some(value)) = (self.function, node.child(0)) {
                    let function = &self.unit.functions[index];
                    let id = function.node.id;
                    match function.returns.ty {
                        CType::Reference(_) => {
                            for from in self.places(value) {
                                self.cells.join(id, from);
                            }
                        }
                        _ => self.flows(id, value),
                    }
                }
            }
            Expression::Call(call) => self.call(&call),
            Expression::Construct(arguments) => {
                if let Some(index) = self.unit.constructor(node) {
                    self.arguments(index, arguments.iter());
                }
            }
            Expression::AddressOf(_) => counts_inside = false,
            Expression::Member {
                is_arrow: false, ..
            } => {
                self.access(node, counts);
                counts_inside = false;
            }
            Expression::Dereference(_)
            | Expression::Subscript { .. }
            | Expression::Member { .. } => self.access(node, counts),
            Expression::Name(decl) => {
                self.named(decl.id);
                self.access(node, counts);
            }
            Expression::Parentheses => counts_inside = counts,
            Expression::Cast {
                how: CastKind::NoOp,
                ..
            } if node.is(Kind::ImplicitCastExpr) => counts_inside = counts,
            Expression::List(_) => self.fields(&self.unit.type_of(node), node),
            Expression::Cast {
                how: CastKind::BitCast,
                inner,
            } => self.cast(node, inner),
            _ => {}
        }
        for child in &node.inner {
            self.visit(child, counts_inside);
        }
    }

    /// What a list gives the fields of a struct.
    fn fields(&mut self, ty: &QualifiedType, list: &Node) {
        let list = list.unwrapped();
        if let (CType::Record(record), true) = (&ty.ty, list.is(Kind::InitListExpr)) {
            let record = record.clone();
            for (field, value) in record.fields.iter().zip(&list.inner) {
                if let Some(id) = field.id {
                    self.flows(id, value);
                }
            }
        }
    }

    /// What a list gives the elements of an array of pointers.
    fn elements(&mut self, array: Id, list: &Node) {
        let list = list.unwrapped();
        match list.is(Kind::InitListExpr) {
            true => list
                .inner
                .iter()
                .for_each(|item| self.elements(array, item)),
            false => self.flows(array, list),
        }
    }

    fn call(&mut self, call: &Call<'_>) {
        let rest = call.arguments;
        let id = call.declaration();
        if let Some(index) = id.and_then(|id| self.unit.function_of.get(&id).copied()) {
            let function = &self.unit.functions[index];
            let on_object =
                call.form == CallForm::Operator && function.record.is_some() && !function.is_static;
            self.arguments(index, rest.iter().skip(usize::from(on_object)));
            return;
        }
        let name = call.named().map_or("", |d| d.name.as_str());
        if let Some(of) = copied(name) {
            self.copy(&rest[..of.min(rest.len())], rest.get(2));
        }
        for (at, argument) in rest.iter().enumerate() {
            let bare = behind_void(argument);
            let CType::Pointer(to) = self.unit.type_of(bare).decayed().ty else {
                continue;
            };
            let scalars = layout(element(&to)).unwrap_or_default();
            for from in self.sources(bare) {
                let class = self.cells.class(from);
                let into = match name.starts_with("atomic") && at == 0 {
                    true => &mut class.atomics,
                    false => &mut class.accesses,
                };
                into.extend(scalars.iter().map(|(_, scalar)| *scalar));
            }
        }
    }

    /// `memcpy` and its kin touch bytes, where they do not plainly touch whole elements.
    fn copy(&mut self, pointers: &[Node], bytes: Option<&Node>) {
        let mut types = Vec::new();
        for pointer in pointers {
            let bare = behind_void(pointer);
            match self.unit.type_of(bare).decayed().ty {
                CType::Pointer(to) => types.push((bare, *to)),
                _ => return,
            }
        }
        let Some(bytes) = bytes else { return };
        let whole = |ty: &QualifiedType| match (ty.cells(), ty.size()) {
            (Some((pointer, Some(count))), Some(size))
                if count * pointer.elem.size() == size && !has_bit_fields(ty) =>
            {
                Some((pointer.elem.size(), true))
            }
            (_, size) => size.map(|size| (size, false)),
        };
        let units: Option<Vec<(u64, bool)>> = types.iter().map(|(_, ty)| whole(ty)).collect();
        let Some(units) = units else { return };
        let fits = units
            .iter()
            .all(|(unit, _)| self.unit.is_multiple(bytes, *unit));
        let alike = match (types.as_slice(), units.as_slice()) {
            ([(_, a), (_, b)], [x, y]) => a.ty == b.ty || (x == y && x.1),
            _ => true,
        };
        if fits && alike {
            return;
        }
        for (pointer, ty) in types {
            let covered: u64 =
                layout(&ty).map_or(0, |scalars| scalars.iter().map(|(_, s)| s.size()).sum());
            for root in self.sources(pointer) {
                let class = self.cells.class(root);
                class.is_seen_otherwise = true;
                class.accesses.push(ScalarType::U8);
                class.copies_gaps |= ty.size() != Some(covered);
            }
        }
    }

    fn cast(&mut self, node: &Node, inner: &Node) {
        let (from, to) = (self.unit.type_of(inner).ty, self.unit.type_of(node).ty);
        let (CType::Pointer(from), CType::Pointer(to)) = (from, to) else {
            return;
        };
        if from.ty == to.ty || to.ty == CType::Void {
            return;
        }
        let scalars = layout(element(&to)).unwrap_or_default();
        if scalars.is_empty() {
            return;
        }
        if let Some(id) = self.pointer_seen_whole(inner) {
            let least = scalars
                .iter()
                .map(|(_, scalar)| *scalar)
                .min_by_key(|s| s.size());
            if let Some(scalar) = least {
                let known = self.cells.seen_pointers.entry(id).or_insert(scalar);
                if scalar.size() < known.size() {
                    *known = scalar;
                }
            }
            return;
        }
        for root in self.sources(inner) {
            let class = self.cells.class(root);
            class.is_seen_otherwise = true;
            class
                .targets
                .extend(scalars.iter().map(|(_, scalar)| *scalar));
        }
    }

    /// The variable that `&p` is the address of, where it is a pointer.
    fn pointer_seen_whole(&self, node: &Node) -> Option<Id> {
        let named = behind_address(node)?.unwrapped();
        let decl = named.kind.referenced_decl.as_ref()?;
        self.is_pointer(named).then(|| self.canonical(decl.id))
    }

    /// Notes the types read or written at a place.
    fn access(&mut self, node: &Node, counts: bool) {
        let ty = self.unit.type_of(node);
        if let (true, CType::Pointer(_), Some(decl)) = (counts, &ty.ty, &node.kind.referenced_decl)
        {
            let id = self.canonical(decl.id);
            self.cells.used_pointers.insert(id);
        }
        if !counts || !matches!(ty.ty, CType::Scalar(_) | CType::Record(_)) {
            return;
        }
        let scalars = layout(&ty).unwrap_or_default();
        for root in self.places(node) {
            let class = self.cells.class(root);
            class
                .accesses
                .extend(scalars.iter().map(|(_, scalar)| *scalar));
        }
    }

    fn is_pointer(&self, node: &Node) -> bool {
        matches!(self.unit.type_of(node).ty, CType::Pointer(_))
    }

    /// What a pointer may come from: variables, fields, declared memory, functions that give it.
    fn sources(&mut self, node: &Node) -> Vec<Id> {
        let node = node.unwrapped();
        match node.expression() {
            Expression::Binary {
                op: BinaryOp::Add | BinaryOp::Sub,
                left,
                ..
            } if self.is_pointer(left) || is_decay(left) => self.sources(left),
            Expression::Binary {
                op: BinaryOp::Add,
                right,
                ..
            }
            | Expression::Comma { right, .. } => self.sources(right),
            Expression::Assign { left, .. } | Expression::CompoundAssign { left, .. } => {
                self.places(left)
            }
            Expression::AddressOf(place) => self.places(place),
            Expression::Step(step) => self.places(step.operand),
            Expression::Conditional {
                then, otherwise, ..
            } => {
                let mut all = self.sources(then);
                all.extend(self.sources(otherwise));
                all
            }
            Expression::Call(call) => self.given(&call),
            Expression::Dereference(_)
            | Expression::Name(_)
            | Expression::Member { .. }
            | Expression::Subscript { .. } => self.places(node),
            Expression::Cast {
                how: CastKind::ArrayToPointerDecay | CastKind::LValueToRValue,
                inner,
            } => self.places(inner),
            Expression::Cast { inner, .. } => self.sources(inner),
            _ => vec![],
        }
    }

    /// The function whose result a call is.
    fn given(&self, call: &Call<'_>) -> Vec<Id> {
        let index = call
            .declaration()
            .and_then(|id| self.unit.function_of.get(&id));
        index
            .map(|index| self.unit.functions[*index].node.id)
            .into_iter()
            .collect()
    }

    /// What a place is part of: declared memory, or what a pointer points to. A pointer variable
    /// stands for what it points to.
    fn places(&mut self, node: &Node) -> Vec<Id> {
        let node = node.unwrapped();
        match node.expression() {
            Expression::Name(decl) if decl.kind.is_variable() => {
                self.named(decl.id);
                vec![self.canonical(decl.id)]
            }
            Expression::Member { object, is_arrow } => {
                let field = node.kind.referenced_member_decl;
                match field {
                    Some(field) if self.is_pointer(node) => vec![field],
                    _ if is_arrow => self.sources(object),
                    _ => self.places(object),
                }
            }
            Expression::Subscript { left, right } => match self.unit.type_of(left).ty {
                CType::Scalar(_) => self.sources(right),
                _ => self.sources(left),
            },
            Expression::Dereference(pointer) => self.sources(pointer),
            Expression::Step(step) => self.places(step.operand),
            Expression::Comma { right, .. } => self.places(right),
            Expression::Assign { left, .. }
            | Expression::CompoundAssign { left, .. }
            | Expression::Binary { left, .. }
            | Expression::Logical { left, .. } => self.places(left),
            Expression::Conditional {
                then, otherwise, ..
            } => {
                let mut all = self.places(then);
                all.extend(self.places(otherwise));
                all
            }
            Expression::Call(call) => self.given(&call),
            Expression::Cast { inner, .. } => self.places(inner),
            _ => vec![],
        }
    }
}

fn is_decay(node: &Node) -> bool {
    *node.unwrapped().cast() == CastKind::ArrayToPointerDecay
}

/// What an array is made of in the end.
fn element(ty: &QualifiedType) -> &QualifiedType {
    let mut ty = ty;
    while let CType::Array(of, _) = &ty.ty {
        ty = of;
    }
    ty
}
