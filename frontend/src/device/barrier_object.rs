//! Barriers that are objects in shared memory (`cuda::barrier`), composed in `stand-ins/gridlock_barrier.h` of named
//! barriers. The number of a barrier is made of the place of its object, so one object is one barrier.
//!
//! Where a program waits for the token of an earlier arrival, a named barrier will not do, which cannot be waited for
//! without arriving. Then each thread of the block has two named barriers of its own for each object, used in turn. To
//! arrive is to arrive at those of all other threads; to wait is to arrive at one's own, and wait there. If every thread of
//! the block arrives once a phase, as is made sure of, a thread's own barrier is complete when all have arrived in that
//! phase, and what they did before is ordered before what it does then, and nothing else is: exactly what a phase of the
//! object does. (Two, because a thread may arrive in the next phase before another has waited in this one, and not in the
//! one after that.)

use crate::body::Body;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::syntax::{Node, NodeExt};
use crate::unit::Function;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::block::named_barrier::FIRST_OBJECT;

/// Most cells of an array of barriers.
const MAX_CELLS: u32 = 1 << 12;
/// Most arrays of a program with barriers in them, so that the numbers of their threads' own barriers fit.
const MAX_ARRAYS: u32 = 400;
/// Most cells of an array of barriers at which threads arrive and wait apart.
const MAX_TURNS: u64 = 64;

/// The array that a pointer leads into, and where.
fn place_of(pointer: &Expr) -> (&ExprKind, Option<Expr>) {
    match &pointer.kind {
        ExprKind::Offset(base, by) => match place_of(base) {
            (root, None) => (root, Some((**by).clone())),
            (root, Some(first)) => {
                let both = Expr::binary(BinaryOp::Add, first, (**by).clone());
                (root, Some(both))
            }
        },
        ExprKind::Cast(inner) if inner.ty.pointer().is_some() => place_of(inner),
        kind => (kind, None),
    }
}

impl Body<'_, '_> {
    /// `None`: no function of such barriers. `Some(None)`: done, and it gives no value.
    pub(crate) fn barrier_object_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        match (name, arguments) {
            ("gridlock_barrier_number", [of]) => {
                let (array, by) = self.barrier_place(node, of)?;
                let first = i64::from(FIRST_OBJECT) + i64::from(array.0) * i64::from(MAX_CELLS);
                let first = Expr::int(ScalarType::U32, first);
                let number = match by {
                    None => first,
                    Some(by) => {
                        let by = constant::convert(by, Type::U32);
                        let last = Expr::int(ScalarType::U32, i64::from(MAX_CELLS) - 1);
                        let by = constant::binary(BinaryOp::BitAnd, by, last);
                        constant::binary(BinaryOp::Add, first, by)
                    }
                };
                Ok(Some(Some(number)))
            }
            ("gridlock_barrier_turn", [of]) => {
                let (array, by) = self.barrier_place(node, of)?;
                let turns = self.turns_of(node, array)?;
                let base = Expr::array_base(turns, PointerType::to(ScalarType::U32));
                let pointer = match by {
                    None => base,
                    Some(by) => moved(base, by, 1),
                };
                Ok(Some(Some(pointer)))
            }
            ("gridlock_barrier_is_split", []) => {
                let waits = |f: &Function<'_>| {
                    let of = f.record.as_deref().unwrap_or_default();
                    f.node.name() == "wait" && of.starts_with("cuda::barrier<")
                };
                Ok(Some(Some(Expr::bool(
                    self.unit.functions.iter().any(waits),
                ))))
            }
            ("gridlock_barrier_beyond", []) => {
                let span = self.span(node);
                self.emit(Basic::Beyond, span);
                Ok(Some(None))
            }
            ("gridlock_barrier_sync" | "gridlock_barrier_arrive", [number, threads]) => {
                let span = self.span(node);
                let operands = [Operand::Value(number), Operand::Value(threads)];
                let Ok([id, threads]) = <[Expr; 2]>::try_from(self.operands(&operands)?) else {
                    return self.refuse(node, "this barrier");
                };
                let threads = self.keep(constant::convert(threads, Type::U32), span);
                // The number as it is, so written that it shows what it is of.
                let least = Expr::int(ScalarType::U32, i64::from(FIRST_OBJECT));
                let id = vec![constant::convert(id, Type::U32), least];
                let basic = Basic::NamedBarrier {
                    id: Expr::new(Type::U32, ExprKind::Math(MathFn::Max, id)),
                    threads: Some(threads),
                    arrive_only: name == "gridlock_barrier_arrive",
                };
                self.emit(basic, span);
                Ok(Some(None))
            }
            ("gridlock_barrier_pipeline", _) => self.refuse(
                node,
                "a `cuda::pipeline` with threads that only produce or only consume",
            ),
            ("gridlock_barrier_drop", _) => {
                self.refuse(node, "`arrive_and_drop` of a `cuda::barrier`")
            }
            _ => Ok(None),
        }
    }

    /// The shared array that a barrier lies in, and where.
    fn barrier_place(&mut self, node: &Node, of: &Node) -> Result<(ArrayId, Option<Expr>)> {
        let Some(pointer) = self.pointers(of)?.into_iter().next() else {
            return self.refuse(node, "this barrier");
        };
        let (mut root, mut by) = place_of(&pointer);
        // A pointer that was kept in a temporary: where it leads is known when it is used.
        while let ExprKind::Var(var) = root
            && let Some(kept) = self.stored_pointers.origins.get(var)
        {
            root = place_of(kept).0;
            if let (ExprKind::ArrayBase(array), Some(to)) = (root, pointer.ty.pointer()) {
                let base = Expr::array_base(*array, to);
                by = Some(Expr::binary(BinaryOp::PtrDiff, pointer.clone(), base));
            }
        }
        match root {
            ExprKind::ArrayBase(array)
                if self.builder.array(*array).space == Space::Shared && array.0 < MAX_ARRAYS =>
            {
                Ok((*array, by))
            }
            _ => self.refuse(
                node,
                "a `cuda::barrier` that is not named where it is used, or not shared",
            ),
        }
    }

    /// The private array that says where this thread stands at each barrier of a shared one.
    fn turns_of(&mut self, node: &Node, array: ArrayId) -> Result<ArrayId> {
        let turns = &self.thread_copies.turns;
        if let Some((_, found, _)) = turns.iter().find(|(of, ..)| *of == array) {
            return Ok(*found);
        }
        let n = match self.builder.array(array).extent {
            Extent::Fixed(n) if n <= MAX_TURNS => n,
            _ => return self.refuse(node, "so many barriers in one array"),
        };
        let span = self.span(node);
        let name = self.fresh_name("turn");
        let owner = self.proc;
        let made = self.builder.add_array(ArrayDecl {
            name: name.into(),
            elem: ScalarType::U32,
            extent: Extent::Fixed(n),
            dims: vec![],
            space: Space::Private,
            is_volatile: false,
            is_managed: false,
            init: None,
            owner: Some(owner),
            symbol: None,
            span,
        });
        self.thread_copies.turns.push((array, made, n));
        Ok(made)
    }
}
