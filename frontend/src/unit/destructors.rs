//! Objects whose classes have destructors. Those that local variables hold end with their blocks (see
//! `statements/scope.rs`); a function that has one elsewhere is not read.

use super::{Side, Unit};
use crate::refusal::Refusal;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::{Node, NodeExt};
use crate::types::contents::has_destructor;
use crate::types::ctype::{CType, QualifiedType};
use clang_ast::Id;
use std::collections::HashSet;

/// What a function has of such objects.
struct Search<'u, 'a> {
    unit: &'u Unit<'a>,
    /// The local variables that are destroyed at the ends of their blocks.
    variables: HashSet<Id>,
    /// The first such object that is none of them.
    other: Option<(&'u Node, &'static str)>,
    jump: Option<&'u Node>,
}

impl Unit<'_> {
    /// Finds the variables that are destroyed, and marks the functions with such objects of other kinds.
    pub(super) fn settle_destructors(&mut self) {
        if !self.names.have_destructors() {
            return;
        }
        let mut variables = HashSet::new();
        let mut refused = Vec::new();
        for (index, function) in self.functions.iter().enumerate() {
            let mut search = Search {
                unit: self,
                variables: HashSet::new(),
                other: None,
                jump: None,
            };
            // A kernel's argument is destroyed by the host.
            if function.side != Side::Kernel {
                for param in &function.params {
                    search.unless_plain(param, "a parameter of a class with a destructor");
                }
            }
            if has_destructor(&function.returns) {
                let what = "a result of a class with a destructor";
                search.other.get_or_insert((function.node, what));
            }
            let parts = function.node.inner.iter();
            for node in parts.filter(|n| n.is(Kind::CXXCtorInitializer)) {
                node.inner.iter().for_each(|init| search.lasting(init));
            }
            search.visit(function.body);
            if let (false, Some(jump)) = (search.variables.is_empty(), search.jump) {
                let what = "`goto` beside an object of a class with a destructor";
                search.other.get_or_insert((jump, what));
            }
            variables.extend(search.variables);
            refused.extend(search.other.map(|(node, what)| {
                let refusal = Refusal {
                    span: self.files.span(node),
                    message: what.to_owned(),
                    cause: None,
                };
                (index, refusal)
            }));
        }
        for (index, refusal) in refused {
            self.functions[index].trouble = Some(refusal);
        }
        self.destroyed = variables;
    }

    /// The destructors that run at the end of an object's life, of those that have a body.
    pub(super) fn destructors_of(&self, ty: &QualifiedType, into: &mut Vec<usize>) {
        match &ty.ty {
            CType::Array(of, _) => self.destructors_of(of, into),
            CType::Record(record) => {
                let own = record.destructor.and_then(|id| self.function_of.get(&id));
                into.extend(own);
                let fields = record.fields.iter().map(|field| &field.ty);
                fields.for_each(|ty| self.destructors_of(ty, into));
            }
            _ => {}
        }
    }

    /// Whether a statement declares a variable that is destroyed at the end of the block.
    pub fn declares_destroyed(&self, statement: &Node) -> bool {
        !self.destroyed.is_empty()
            && statement.is(Kind::DeclStmt)
            && statement
                .inner
                .iter()
                .any(|declared| self.destroyed.contains(&declared.id))
    }
}

impl<'u> Search<'u, '_> {
    fn unless_plain(&mut self, node: &'u Node, what: &'static str) {
        if has_destructor(&self.unit.type_of(node)) {
            self.other.get_or_insert((node, what));
        }
    }

    fn visit(&mut self, node: &'u Node) {
        match node.kind() {
            Kind::CompoundStmt => return node.inner.iter().for_each(|n| self.statement(n)),
            // Its cases may jump over declarations.
            Kind::SwitchStmt => {
                let of_block = |n: &'u Node| match n.is(Kind::CompoundStmt) {
                    true => n.inner.as_slice(),
                    false => std::slice::from_ref(n),
                };
                let parts = node.inner.iter().flat_map(of_block);
                return parts.for_each(|n| self.visit(n));
            }
            // Functions of their own.
            Kind::CXXRecordDecl => return,
            // A run ends there, and what is thrown is not made.
            Kind::CXXThrowExpr => return,
            Kind::LambdaExpr => {
                self.unless_plain(node, "a lambda that holds an object with a destructor");
                let parts = node.inner.iter().filter(|n| !n.is(Kind::CompoundStmt));
                return parts.for_each(|n| self.visit(n));
            }
            Kind::StmtExpr => {
                let block = node.inner.iter().flat_map(|block| &block.inner);
                return block.for_each(|n| self.visit(n));
            }
            Kind::GotoStmt | Kind::IndirectGotoStmt => {
                self.jump.get_or_insert(node);
            }
            Kind::VarDecl | Kind::DecompositionDecl => {
                self.unless_plain(node, "a variable of a class with a destructor here");
            }
            Kind::CXXBindTemporaryExpr => {
                self.unless_plain(node, "a temporary of a class with a destructor");
            }
            Kind::CXXNewExpr => self.unless_plain_memory(node, node),
            Kind::CXXDeleteExpr => node
                .inner
                .iter()
                .for_each(|n| self.unless_plain_memory(n, node)),
            Kind::MemberExpr if node.name().starts_with('~') => {
                if let Some(object) = node.child(0) {
                    let ty = self.unit.type_of(object);
                    let of = match ty.ty {
                        CType::Pointer(to) => *to,
                        _ => ty,
                    };
                    if has_destructor(&of) {
                        self.other.get_or_insert((node, "a call of a destructor"));
                    }
                }
            }
            _ => {}
        }
        node.inner.iter().for_each(|child| self.visit(child));
    }

    /// `new` and `delete` of a pointer.
    fn unless_plain_memory(&mut self, pointer: &'u Node, node: &'u Node) {
        let mut pointer = pointer;
        loop {
            if let CType::Pointer(to) = self.unit.type_of(pointer).ty
                && has_destructor(&to)
            {
                let what = "`new` and `delete` of a class with a destructor";
                self.other.get_or_insert((node, what));
            }
            match (pointer.kind().is_cast(), pointer.last()) {
                (true, Some(inner)) => pointer = inner,
                _ => return,
            }
        }
    }

    /// A statement of a block.
    fn statement(&mut self, node: &'u Node) {
        if !node.is(Kind::DeclStmt) {
            return self.visit(node);
        }
        for declared in &node.inner {
            let is_own = declared.is(Kind::VarDecl)
                && declared.kind.storage_class.is_none()
                && !declared.has_attribute(Kind::CUDASharedAttr)
                && has_destructor(&self.unit.type_of(declared));
            match is_own {
                true => {
                    self.variables.insert(declared.id);
                    declared.inner.iter().for_each(|init| self.lasting(init));
                }
                false => self.visit(declared),
            }
        }
    }

    /// The initialiser of an object that is none of its own: from C++17 on its temporaries are that object.
    fn lasting(&mut self, node: &'u Node) {
        let converts = || {
            matches!(
                node.cast(),
                CastKind::NoOp | CastKind::ConstructorConversion
            ) && node.kind.value_category.as_deref() == Some("prvalue")
        };
        let is_made = |n: &Node| {
            matches!(
                n.kind(),
                Kind::CXXConstructExpr | Kind::CXXTemporaryObjectExpr | Kind::InitListExpr
            ) || n.kind().is_cast()
        };
        match node.kind() {
            Kind::ExprWithCleanups
            | Kind::ParenExpr
            | Kind::CXXDefaultInitExpr
            | Kind::InitListExpr => {
                let listed = node.inner.iter().chain(&node.kind.array_filler);
                listed.for_each(|n| self.lasting(n));
            }
            Kind::CXXBindTemporaryExpr if node.child(0).is_some_and(is_made) => {
                node.inner.iter().for_each(|n| self.lasting(n));
            }
            kind if kind.is_cast() && converts() => {
                node.inner.iter().for_each(|n| self.lasting(n));
            }
            _ => self.visit(node),
        }
    }
}
