//! The ends of objects with destructors: at the end of the block that declares them, in the reverse of the order in
//! which they were made ([stmt.jump], [class.dtor] of C++).
//!
//! A jump out of the block is a flag (see `jump.rs`) that guards the statements behind it, so every way out of the
//! block leads to its end, where the destructors stand once: a barrier in a destructor is one barrier. A kernel's `return`
//! is such a jump, too, where objects are alive, and ends the thread behind the outermost of their blocks.

use crate::body::Body;
use crate::body::flow::{Alive, Last, Taken};
use crate::body::sequence;
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::syntax::kind::Kind;
use crate::syntax::statement::Statement;
use crate::syntax::{Node, NodeExt};
use crate::types::contents::has_destructor;
use crate::types::ctype::{CType, QualifiedType};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::types::Type;

/// Most elements of an array whose destructors are written out.
const MAX_DESTROYED: u64 = 64;

impl Source<'_, '_> {
    /// The statements of a block, and of blocks in it, in order. A block at whose end objects are destroyed stays one.
    pub(crate) fn flatten<'n>(&self, node: &'n Node, into: &mut Vec<&'n Node>) {
        let has_end = || node.inner.iter().any(|n| self.unit.declares_destroyed(n));
        if node.is(Kind::CompoundStmt) && !has_end() {
            for child in &node.inner {
                self.flatten(child, into);
            }
        } else if !node.is(Kind::NullStmt) && !node.is_absent() {
            into.push(node);
        }
    }
}

impl Body<'_, '_> {
    /// A declaration of objects that are destroyed, and the `rest` of its block.
    pub(crate) fn until_destroyed(&mut self, node: &Node, rest: &[&Node]) -> Result<Taken> {
        match node.statement() {
            Statement::Declarations(declarations) => self.declared(declarations, rest),
            _ => self.refuse(node, "a declaration like this one"),
        }
    }

    fn declared(&mut self, declarations: &[Node], rest: &[&Node]) -> Result<Taken> {
        let Some((node, others)) = declarations.split_first() else {
            return self.statements(rest, Last::default());
        };
        self.local(node)?;
        if !self.unit.destroyed.contains(&node.id) {
            return self.declared(others, rest);
        }
        let place = self.bound(node.id, node.name(), node)?;
        let ty = self.type_of(node);
        self.flow.alive.push(Alive::default());
        let made = self.apart(|b| b.declared(others, rest));
        let is_left = self.flow.alive.pop().and_then(|alive| alive.is_left);
        let (ops, taken) = made?;
        let span = self.span(node);
        if let Some(flag) = is_left {
            self.assign_var(flag, Expr::bool(false), span);
        }
        self.ops.extend(ops);
        let end = self.block(|b| b.destroy(&place, &ty, node))?;
        match is_left {
            Some(flag) => {
                let goes_on = constant::not(Expr::var(flag, Type::BOOL));
                self.emit_if(goes_on, sequence(end), Op::skip(), span);
            }
            None => self.ops.extend(end),
        }
        if !taken.returned || !self.exits() || !self.flow.alive.is_empty() {
            return Ok(taken);
        }
        let returned = Taken {
            returned: true,
            ..Taken::default()
        };
        let exit = Op::basic(Basic::Exit, span);
        let is_left = self.is_taken(returned);
        self.emit_if(is_left, exit, Op::skip(), span);
        Ok(Taken {
            returned: false,
            ..taken
        })
    }

    /// Leaves the objects of the function as they are: the program ends here.
    pub(crate) fn leave_all(&mut self, node: &Node) {
        let span = self.span(node);
        for at in 0..self.flow.alive.len() {
            let flag = match self.flow.alive[at].is_left {
                Some(flag) => flag,
                None => self.declare("ended", Type::BOOL, span),
            };
            self.flow.alive[at].is_left = Some(flag);
            self.assign_var(flag, Expr::bool(true), span);
        }
    }

    /// Runs the destructor of an object, then those of its members and bases, the last one first.
    fn destroy(&mut self, place: &Place, ty: &QualifiedType, node: &Node) -> Result<()> {
        match &ty.ty {
            CType::Array(of, Some(len)) if *len <= MAX_DESTROYED => {
                for index in (0..*len).rev() {
                    let element = self.element_at(place, of, index, node)?;
                    self.destroy(&element, of, node)?;
                }
                Ok(())
            }
            CType::Record(record) => {
                if let Some(id) = record.destructor {
                    let Some(&index) = self.unit.function_of.get(&id) else {
                        return self.refuse(node, "a destructor without a body");
                    };
                    self.call_in_place(node, index, &[], Some(place.clone()))?;
                }
                let fields = record.fields.iter().enumerate().rev();
                for (index, field) in fields.filter(|(_, f)| has_destructor(&f.ty)) {
                    let member = self.field(place, index, node)?;
                    self.destroy(&member, &field.ty, node)?;
                }
                Ok(())
            }
            _ => self.refuse(node, "an array of this many objects with destructors"),
        }
    }
}
