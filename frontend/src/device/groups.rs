//! Cooperative groups: `thread_block` and `grid_group`. Each of these types has a single value, so
//! a group needs no variable: its type says which group it is.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::source::Source;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::syntax::expression::{CallForm, Expression};
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use crate::types::group::Group;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Orders};
use gridlock_semantics::algebra::types::Type;

type Axes = fn(Axis) -> Builtin;

fn product(of: Axes, ty: Type) -> Expr {
    let axis = |axis| Expr::builtin(of(axis)).cast(ty);
    let xy = Expr::binary(BinaryOp::Mul, axis(Axis::X), axis(Axis::Y));
    Expr::binary(BinaryOp::Mul, xy, axis(Axis::Z))
}

/// The linear number of a thread or block, x fastest.
fn rank(index: Axes, extent: Axes, ty: Type) -> Expr {
    let at = |axis| Expr::builtin(index(axis)).cast(ty);
    let of = |axis| Expr::builtin(extent(axis)).cast(ty);
    let plane = Expr::binary(
        BinaryOp::Add,
        at(Axis::Y),
        Expr::binary(BinaryOp::Mul, of(Axis::Y), at(Axis::Z)),
    );
    Expr::binary(
        BinaryOp::Add,
        at(Axis::X),
        Expr::binary(BinaryOp::Mul, of(Axis::X), plane),
    )
}

pub(crate) fn rank_in_block(ty: Type) -> Expr {
    rank(Builtin::ThreadIdx, Builtin::BlockDim, ty)
}

/// How many threads the block has.
pub(crate) fn n_in_block(ty: Type) -> Expr {
    product(Builtin::BlockDim, ty)
}

fn rank_of_block(ty: Type) -> Expr {
    rank(Builtin::BlockIdx, Builtin::GridDim, ty)
}

impl Source<'_, '_> {
    /// The group an expression is, if it is one.
    pub(crate) fn group(&self, node: &Node) -> Option<Group> {
        let ty = self.type_of(node);
        match ty.ty {
            CType::Group(group) => Some(group),
            CType::Reference(to) => match to.ty {
                CType::Group(group) => Some(group),
                _ => None,
            },
            _ => None,
        }
    }

    /// The coordinates a member of a group gives.
    pub(crate) fn group_coordinates(&self, node: &Node) -> Option<Place> {
        let Expression::Call(call) = node.expression() else {
            return None;
        };
        let Expression::Member { object, .. } = call.callee.expression() else {
            return None;
        };
        let group = self.group(object)?;
        Some(Place::Coordinates(match (group, call.callee.name()) {
            (Group::Block, "thread_index") => Builtin::ThreadIdx,
            (Group::Block, "group_index") => Builtin::BlockIdx,
            (Group::Block, "dim_threads" | "group_dim") => Builtin::BlockDim,
            (Group::Grid, "block_index") => Builtin::BlockIdx,
            (Group::Grid, "dim_blocks" | "group_dim") => Builtin::GridDim,
            _ => return None,
        }))
    }
}

impl Code<'_, '_> {
    /// A coordinate or extent that the source asks for.
    pub(crate) fn coordinate(&mut self, builtin: Builtin) -> Expr {
        self.builder
            .asked
            .entry(self.proc)
            .or_default()
            .note(builtin);
        Expr::builtin(builtin)
    }

    /// Notes that the source asks for all that an expression reads.
    pub(crate) fn asked_for(&mut self, expr: Expr) -> Expr {
        expr.walk(&mut |e| {
            if let ExprKind::Builtin(builtin) = e.kind {
                self.coordinate(builtin);
            }
        });
        expr
    }

    /// A call of a function of a group; `None` for any other call.
    pub(crate) fn group_function(
        &mut self,
        node: &Node,
        group: Group,
        name: &str,
    ) -> Option<Option<Expr>> {
        let span = self.span(node);
        let narrow = Type::U32;
        let wide = Type::Scalar(gridlock_semantics::algebra::types::ScalarType::U64);
        Some(Some(match (group, name) {
            (Group::Block, "sync" | "synchronize") => {
                self.emit(Basic::barrier(Orders::All), span);
                return Some(None);
            }
            (Group::Grid, "sync" | "synchronize") => {
                self.emit(Basic::GridBarrier, span);
                return Some(None);
            }
            (Group::Block, "thread_rank") => rank_in_block(narrow),
            (Group::Block, "size" | "num_threads" | "group_size") => {
                product(Builtin::BlockDim, narrow)
            }
            // A kernel that is judged alone is launched cooperatively if it has a grid barrier; in a host program the
            // launch decides.
            (Group::Grid, "is_valid") => Expr::bool(true),
            (Group::Grid, "thread_rank") => {
                let block = product(Builtin::BlockDim, wide);
                let before = Expr::binary(BinaryOp::Mul, rank_of_block(wide), block);
                Expr::binary(BinaryOp::Add, before, rank_in_block(wide))
            }
            (Group::Grid, "size" | "num_threads" | "group_size") => Expr::binary(
                BinaryOp::Mul,
                product(Builtin::GridDim, wide),
                product(Builtin::BlockDim, wide),
            ),
            (Group::Grid, "block_rank") => rank_of_block(wide),
            (Group::Grid, "num_blocks") => product(Builtin::GridDim, wide),
            _ => return None,
        }))
    }
}

impl Body<'_, '_> {
    /// `object.member(…)` or `group.member(…)`: `None` when it gives no value.
    pub(crate) fn member_call(&mut self, node: &Node) -> Result<Option<Expr>> {
        if let Some(returned) = self.try_in_place(node)? {
            return self.single(returned, node);
        }
        if let Expression::Call(call) = node.expression()
            && call.form == CallForm::Operator
            && let Some(id) = call.declaration()
            && let Some(&function) = self.unit.function_of.get(&id)
        {
            return self.call_ours(node, function);
        }
        let callee = node.child(0);
        let of = callee.and_then(|callee| match callee.expression() {
            Expression::Member { object, .. } => self.group(object),
            _ => None,
        });
        if let (Some(callee), Some(Group::Tile(tile))) = (callee, of) {
            let arguments: Vec<&Node> = node.arguments().iter().collect();
            let name = callee.name().to_owned();
            return match self.tile_call(node, tile, &name, &arguments)? {
                Some(value) => Ok(value),
                None => self.refuse(node, format!("the member `{name}` of a tile")),
            };
        }
        let (Some(callee), Some(group), []) = (callee, of, node.arguments()) else {
            return self.refuse(node, node.kind().in_words());
        };
        let name = callee.name().to_owned();
        match self.group_function(node, group, &name) {
            Some(value) => Ok(value),
            None => self.refuse(node, format!("the member `{name}` of this group")),
        }
    }
}
