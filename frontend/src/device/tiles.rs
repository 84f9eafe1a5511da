//! `thread_block_tile<N>` of cooperative groups, N a power of two up to 32: N neighbouring threads of a block, and
//! therefore a part of a warp. Its member functions are the operations of the warp with the tile's lanes as mask
//! (CUDA C++ Programming Guide, "Thread Block Tile"); ranks count inside the tile. `reduce` is the sum, least or
//! greatest value by a tree of exchanges: of floats, one order of summation among those it may have.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::body::source::Source;
use crate::constant;
use crate::device::groups::{n_in_block, rank_in_block};
use crate::refusal::Result;
use crate::syntax::{Node, NodeExt};
use crate::types::group::Tile;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{Basic, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::types::{ScalarType, Type};

fn word(n: u32) -> Expr {
    Expr::int(ScalarType::U32, i64::from(n))
}

/// The first of the tile's lanes in its warp.
fn first_lane(n: u32) -> Expr {
    let bits = word(31 & !(n - 1));
    constant::binary(BinaryOp::BitAnd, rank_in_block(Type::U32), bits)
}

/// The lanes of the tile.
fn lanes(n: u32) -> Expr {
    match n {
        32 => word(u32::MAX),
        n => Expr::binary(BinaryOp::Shl, word((1 << n) - 1), first_lane(n)),
    }
}

fn exchange(name: &str) -> Option<ShuffleMode> {
    Some(match name {
        "shfl" => ShuffleMode::Index,
        "shfl_up" => ShuffleMode::Up,
        "shfl_down" => ShuffleMode::Down,
        "shfl_xor" => ShuffleMode::Xor,
        _ => return None,
    })
}

impl Source<'_, '_> {
    /// A set of lanes of the warp as one of the tile's ranks.
    fn among_the_tile(&self, n: u32, function: WarpFn, result: Expr) -> Expr {
        match function {
            WarpFn::Ballot | WarpFn::MatchAny if n < 32 => {
                Expr::binary(BinaryOp::Shr, result, first_lane(n))
            }
            _ => result,
        }
    }
}

impl Code<'_, '_> {
    fn of_lanes(
        &mut self,
        node: &Node,
        n: u32,
        function: WarpFn,
        operands: Vec<Expr>,
        ty: Type,
    ) -> Expr {
        let span = self.span(node);
        let result = self.temporary(ty, span);
        let basic = Basic::Warp {
            function,
            mask: lanes(n),
            operands,
            result: Some(result),
        };
        self.emit(basic, span);
        Expr::var(result, ty)
    }

    fn exchanged(
        &mut self,
        node: &Node,
        n: u32,
        mode: ShuffleMode,
        value: Expr,
        lane: Expr,
    ) -> Expr {
        let (ty, lane) = (value.ty, constant::convert(lane, Type::I32));
        let operands = vec![value, lane, Expr::i32(n as i32)];
        self.of_lanes(node, n, WarpFn::Shuffle(mode), operands, ty)
    }
}

impl Body<'_, '_> {
    /// A call of a member of a tile of `n` threads, or of a function of the tile; the outer `None` for any other
    /// call.
    pub(crate) fn tile_call(
        &mut self,
        node: &Node,
        tile: Tile,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        let span = self.span(node);
        let n = tile.threads;
        if !n.is_power_of_two() || n > 32 {
            return self.refuse(node, format!("a tile of {n} threads"));
        }
        let value = match (name, arguments) {
            ("sync" | "synchronize", []) => {
                self.emit(Basic::SyncWarp { mask: lanes(n) }, span);
                return Ok(Some(None));
            }
            ("thread_rank", []) => {
                constant::binary(BinaryOp::Rem, rank_in_block(Type::U32), word(n))
            }
            ("size" | "num_threads" | "group_size", []) => word(n),
            // Within the group that the tile is a part of.
            ("meta_group_rank", []) => {
                let rank = match tile.parent {
                    None => rank_in_block(Type::U32),
                    Some(m) => constant::binary(BinaryOp::Rem, rank_in_block(Type::U32), word(m)),
                };
                constant::binary(BinaryOp::Div, rank, word(n))
            }
            ("meta_group_size", []) => {
                let of = tile.parent.map_or_else(|| n_in_block(Type::U32), word);
                let up = constant::binary(BinaryOp::Add, of, word(n - 1));
                constant::binary(BinaryOp::Div, up, word(n))
            }
            ("any" | "all" | "ballot", [cond]) => {
                let cond = self.condition(cond)?;
                let (function, ty) = match name {
                    "any" => (WarpFn::Any, Type::I32),
                    "all" => (WarpFn::All, Type::I32),
                    _ => (WarpFn::Ballot, Type::U32),
                };
                let result = self.of_lanes(node, n, function, vec![cond], ty);
                self.among_the_tile(n, function, result)
            }
            ("match_any", [value]) => {
                let value = self.value(value)?;
                let result = self.of_lanes(node, n, WarpFn::MatchAny, vec![value], Type::U32);
                self.among_the_tile(n, WarpFn::MatchAny, result)
            }
            ("reduce", [value, how]) => self.tile_reduction(node, n, value, how)?,
            (_, [value, lane]) if exchange(name).is_some() => {
                let parts = self.operands(&[Operand::Value(value), Operand::Value(lane)])?;
                let Ok([value, lane]) = <[Expr; 2]>::try_from(parts) else {
                    return self.refuse(node, "an exchange of this");
                };
                if value.ty.scalar().is_none() {
                    return self.refuse(node, "an exchange of this");
                }
                let mode = exchange(name).unwrap_or(ShuffleMode::Index);
                self.exchanged(node, n, mode, value, lane)
            }
            _ => return Ok(None),
        };
        Ok(Some(Some(value)))
    }

    /// `reduce(tile, value, how)`.
    fn tile_reduction(&mut self, node: &Node, n: u32, value: &Node, how: &Node) -> Result<Expr> {
        let span = self.span(node);
        let op = how.without_casts().type_text().to_owned();
        let mut sum = self.value(value)?;
        if sum.ty.scalar().is_none() {
            return self.refuse(node, "a reduction of this");
        }
        sum = self.keep(sum, span);
        let mut distance = n / 2;
        while distance > 0 {
            let lane = Expr::i32(distance as i32);
            let other = self.exchanged(node, n, ShuffleMode::Xor, sum.clone(), lane);
            let less = || Expr::binary(BinaryOp::Lt, sum.clone(), other.clone());
            let both = match op.rsplit("::").next().unwrap_or_default() {
                how if how.starts_with("plus<") => {
                    Expr::binary(BinaryOp::Add, sum.clone(), other.clone())
                }
                how if how.starts_with("less<") => Expr::select(less(), sum.clone(), other.clone()),
                how if how.starts_with("greater<") => {
                    Expr::select(less(), other.clone(), sum.clone())
                }
                _ => return self.refuse(how, "a reduction by this function"),
            };
            sum = self.keep(both, span);
            distance /= 2;
        }
        Ok(sum)
    }
}
