//! Variables, names and arrays that templates declare.

use crate::building::builder::{Builder, Built, unbuildable};
use crate::language::pattern::LocalId;
use crate::matching::matcher::Binding;
use crate::terms::term::{Term, TermKind, Variable};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Builder<'_> {
    /// A new variable; its name is `name`, with a number where the program has such a name.
    pub fn fresh_variable(&mut self, name: &str, ty: Type) -> Term {
        let id = self.program.next_variable;
        self.program.next_variable += 1;
        Term::variable(Variable {
            id,
            name: self.fresh_name(name).into(),
            ty,
            span: self.span,
        })
    }

    /// A name no variable, array or procedure of the program has, nor a variable made for the rule before.
    pub fn fresh_name(&self, name: &str) -> String {
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        self.program.root.walk(&mut |term| {
            if let Some(variable) = term.as_variable() {
                taken.insert(&variable.name);
            } else if let Some((_, name)) = term.as_proc() {
                taken.insert(name);
            }
        });
        taken.extend(self.program.arrays.iter().map(|a| &*a.name));
        let locals = self.locals.iter().flatten();
        taken.extend(locals.filter_map(|t| Some(&*t.as_variable()?.name)));
        let made = self
            .substitution
            .bindings
            .iter()
            .flatten()
            .flat_map(Binding::items);
        let made: Vec<Term> = made.collect();
        for term in made
            .iter()
            .flat_map(|term| [term].into_iter().chain(term.children()))
        {
            taken.extend(term.as_variable().map(|variable| &*variable.name));
        }
        if !taken.contains(name) {
            return name.to_owned();
        }
        let numbered = (2..).map(|n: u32| format!("{name}_{n}"));
        let mut free = numbered.filter(|n| !taken.contains(n.as_str()));
        free.next().unwrap_or_default()
    }

    /// Declares the array of the local, once.
    pub fn declare_array(&mut self, id: LocalId) -> Built<()> {
        if self.locals[id].is_some() {
            return Ok(());
        }
        let local = &self.rule.locals[id];
        let Some((space, extent)) = &local.array else {
            return unbuildable(format!("`{}` is no statement", local.name));
        };
        let Some(extent) = self.expression(extent)?.as_integer() else {
            return unbuildable(format!("the extent of `{}` is no constant", local.name));
        };
        let Type::Scalar(elem) = self.type_of(&local.ty, None)? else {
            return unbuildable(format!("`{}` cannot hold pointers", local.name));
        };
        let extent = u64::try_from(extent).unwrap_or(0);
        let made = self.array(&local.name, elem, *space, extent);
        self.locals[id] = Some(made);
        Ok(())
    }

    /// Where a declared array is, and of how many elements.
    pub fn declaration(&self, array: &Term) -> Built<(Space, u64)> {
        let declared = match array.kind() {
            TermKind::Array { id, .. } => self.program.arrays.get(*id as usize),
            _ => None,
        };
        match declared.map(|array| (array.space, array.extent)) {
            Some((space, Extent::Fixed(extent))) => Ok((space, extent)),
            _ => unbuildable(format!("`{array}` is no array of a declared extent")),
        }
    }

    /// Declares an array of the procedure at hand.
    pub fn array(&mut self, name: &str, elem: ScalarType, space: Space, extent: u64) -> Term {
        let name: Arc<str> = self.fresh_name(name).into();
        let array = self.program.arrays.len() as u32;
        self.program.arrays.push(ArrayDecl {
            name: name.clone(),
            elem,
            extent: Extent::Fixed(extent),
            dims: vec![extent],
            space,
            is_volatile: false,
            is_managed: false,
            init: None,
            owner: Some(ProcId(self.question.proc)),
            symbol: None,
            span: self.span,
        });
        Term::array(array, name, PointerType::to(elem))
    }
}
