//! Operations of the lanes of a warp: shuffles, votes, matches, reductions, `__activemask`.

use crate::body::Body;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::casts::behind_address;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::{BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::operator::{Basic, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::types::{ScalarType, Type};

fn function(name: &str) -> Option<WarpFn> {
    Some(match name {
        "__shfl_sync" => WarpFn::Shuffle(ShuffleMode::Index),
        "__shfl_up_sync" => WarpFn::Shuffle(ShuffleMode::Up),
        "__shfl_down_sync" => WarpFn::Shuffle(ShuffleMode::Down),
        "__shfl_xor_sync" => WarpFn::Shuffle(ShuffleMode::Xor),
        "__ballot_sync" => WarpFn::Ballot,
        "__all_sync" => WarpFn::All,
        "__any_sync" => WarpFn::Any,
        "__match_any_sync" => WarpFn::MatchAny,
        "__reduce_add_sync" => WarpFn::ReduceAdd,
        "__reduce_min_sync" => WarpFn::ReduceMin,
        "__reduce_max_sync" => WarpFn::ReduceMax,
        "__reduce_and_sync" => WarpFn::ReduceAnd,
        "__reduce_or_sync" => WarpFn::ReduceOr,
        "__reduce_xor_sync" => WarpFn::ReduceXor,
        _ => return None,
    })
}

/// The functions without a mask that CUDA 9 deprecated and devices since sm_70 do not have, as those with one.
fn legacy(name: &str) -> Option<WarpFn> {
    Some(match name {
        "__shfl" => WarpFn::Shuffle(ShuffleMode::Index),
        "__shfl_up" => WarpFn::Shuffle(ShuffleMode::Up),
        "__shfl_down" => WarpFn::Shuffle(ShuffleMode::Down),
        "__shfl_xor" => WarpFn::Shuffle(ShuffleMode::Xor),
        "__ballot" => WarpFn::Ballot,
        "__all" => WarpFn::All,
        "__any" => WarpFn::Any,
        _ => return None,
    })
}

/// Every lane of a warp.
const ALL_LANES: i64 = 0xffff_ffff;

impl Body<'_, '_> {
    /// The value of such a call; `None` for any other call.
    pub(crate) fn warp_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        let of_all = legacy(name);
        let span = self.span(node);
        if name == "__activemask" && arguments.is_empty() {
            let result = self.temporary(Type::U32, span);
            self.emit(Basic::ActiveMask { result }, span);
            return Ok(Some(Expr::var(result, Type::U32)));
        }
        let Some(function) = function(name).or(of_all) else {
            return Ok(None);
        };
        if of_all.is_some() {
            self.note(
                node,
                format!(
                    "`{name}`, which is gone since sm_70, is taken to name all lanes of the warp"
                ),
            );
        }
        let votes = matches!(function, WarpFn::Ballot | WarpFn::All | WarpFn::Any);
        let (given, default_width) = match arguments {
            [given @ .., width] if width.is(Kind::CXXDefaultArgExpr) => (given, true),
            given => (given, false),
        };
        let first = usize::from(of_all.is_none());
        let operands: Vec<Operand<'_>> = given
            .iter()
            .enumerate()
            .map(|(n, node)| match n {
                n if votes && n == first => Operand::Condition(node),
                _ => Operand::Value(node),
            })
            .collect();
        let mut operands = self.operands(&operands)?;
        if of_all.is_some() {
            operands.insert(0, Expr::int(ScalarType::U32, ALL_LANES));
        }
        if operands.is_empty() {
            return self.refuse(node, format!("this call of `{name}`"));
        }
        if default_width {
            operands.push(Expr::builtin(Builtin::WarpSize));
        }
        let mask = constant::convert(operands.remove(0), Type::U32);
        let types: Vec<Option<ScalarType>> = operands.iter().map(|o| o.ty.scalar()).collect();
        let ty = match (function, types.as_slice()) {
            (WarpFn::Shuffle(_), [Some(_), Some(_), Some(_)]) => operands[0].ty,
            (WarpFn::Ballot, [Some(_)]) => Type::U32,
            (WarpFn::MatchAny, [Some(_)]) => Type::U32,
            (WarpFn::All | WarpFn::Any, [Some(_)]) => Type::I32,
            (
                WarpFn::ReduceAdd | WarpFn::ReduceMin | WarpFn::ReduceMax,
                [Some(ScalarType::I32 | ScalarType::U32)],
            )
            | (WarpFn::ReduceAnd | WarpFn::ReduceOr | WarpFn::ReduceXor, [Some(ScalarType::U32)]) => {
                operands[0].ty
            }
            _ => return self.refuse(node, format!("this call of `{name}`")),
        };
        let result = self.temporary(ty, span);
        let basic = Basic::Warp {
            function,
            mask,
            operands,
            result: Some(result),
        };
        self.emit(basic, span);
        Ok(Some(Expr::var(result, ty)))
    }

    /// `__match_all_sync(mask, value, &all)`: the mask where all its lanes give one value, else 0; `all`
    /// says which.
    pub(crate) fn match_all(
        &mut self,
        node: &Node,
        mask: &Node,
        value: &Node,
        all: &Node,
    ) -> Result<Expr> {
        let span = self.span(node);
        let Some(all) = behind_address(all) else {
            return self.refuse(node, "a result into anything but a variable");
        };
        let parts = self.operands(&[Operand::Value(mask), Operand::Value(value)])?;
        let Ok([mask, value]) = <[Expr; 2]>::try_from(parts) else {
            return self.refuse(node, "this call of `__match_all_sync`");
        };
        if value.ty.scalar().is_none() {
            return self.refuse(node, "this call of `__match_all_sync`");
        }
        let mask = self.keep(constant::convert(mask, Type::U32), span);
        let result = self.temporary(Type::U32, span);
        let basic = Basic::Warp {
            function: WarpFn::MatchAny,
            mask: mask.clone(),
            operands: vec![value],
            result: Some(result),
        };
        self.emit(basic, span);
        let same = Expr::binary(BinaryOp::Eq, Expr::var(result, Type::U32), mask.clone());
        let same = self.keep(same, span);
        let place = self.place(all)?;
        self.write(
            &place,
            constant::convert(same.clone(), Type::I32),
            span,
            node,
        )?;
        Ok(Expr::select(same, mask, Expr::int(ScalarType::U32, 0)))
    }
}
