//! Basic operators of the domain.

use super::super::problem::{Problem, Reading};
use super::super::tree::{LaunchTree, OperatorTree, Tree};
use super::super::type_text::type_text;
use super::super::words;
use super::place::Place;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{
    AllocSpace, AtomicFn, BARRIER_ANYWHERE, Basic, CopyKind, Expects, Form, Head, Met, Orders,
    Part, Scope, WarpFn,
};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{ScalarType, Type};

impl Place<'_> {
    pub(super) fn operator(&self, tree: &OperatorTree) -> Reading<Basic> {
        let word = tree.word;
        clauses(tree)?;
        if let Some(function) = words::atomic_function(word) {
            return self.atomic(tree, function);
        }
        if let Some(function) = words::warp_function(word) {
            return self.warp(tree, function);
        }
        if let Some(space) = words::allocation(word) {
            return self.alloc(tree, space);
        }
        if let Some(head) = Head::named(word) {
            return self.plain(tree, head);
        }
        if word == "stream_create" {
            self.operands::<0>(tree, "")?;
            return Ok(Basic::StreamCreate {
                var: self.required_target(tree, Type::U64)?,
                non_blocking: tree.is_non_blocking,
            });
        }
        no_result(tree)?;
        if let Some(kind) = words::copy_kind(word) {
            return self.copy(tree, kind);
        }
        if let Some(space) = words::release(word) {
            let [pointer] = self.operands(tree, "pointer")?;
            let pointer = self.pointer(pointer, None)?;
            let stream = self.stream(tree.stream.as_ref())?;
            return Ok(Basic::Free {
                pointer,
                space,
                stream,
            });
        }
        if let Some(orders) = words::barrier(word) {
            return self.barrier(tree, orders);
        }
        match word {
            BARRIER_ANYWHERE => {
                self.operands::<0>(tree, "")?;
                Ok(Basic::Barrier {
                    orders: Orders::All,
                    met: Met::Anywhere,
                    agreed: Vec::new(),
                })
            }
            "fence" => {
                self.operands::<0>(tree, "")?;
                Ok(Basic::Fence {
                    scope: tree.scope.unwrap_or(Scope::Device),
                })
            }
            "named_barrier" | "named_barrier_arrive" => {
                let threads = match tree.operands.get(1) {
                    Some(threads) => Some(self.typed(threads, Type::U32)?),
                    None => None,
                };
                let id = match threads {
                    Some(_) => self.operands::<2>(tree, "id, threads")?[0],
                    None => self.operands::<1>(tree, "id")?[0],
                };
                Ok(Basic::NamedBarrier {
                    id: self.typed(id, Type::U32)?,
                    threads,
                    arrive_only: word == "named_barrier_arrive",
                })
            }
            _ => Problem::at(tree.word_at, format!("`{word}` is no operator")),
        }
    }

    /// A barrier, with the variables that all have to bring alike.
    fn barrier(&self, tree: &OperatorTree, orders: Orders) -> Reading<Basic> {
        let agreed: Vec<Expr> = (tree.operands.iter())
            .map(|operand| self.expr(operand, None))
            .collect::<Reading<_>>()?;
        match (agreed.iter().zip(&tree.operands)).find(|(e, _)| !matches!(e.kind, ExprKind::Var(_)))
        {
            Some((_, operand)) => Problem::at(operand.at, "a variable is needed here".to_owned()),
            None => Ok(Basic::Barrier {
                orders,
                met: Met::AtOnePlace,
                agreed,
            }),
        }
    }

    /// An operator without attributes: operands and result are what the table says.
    fn plain(&self, tree: &OperatorTree, head: Head) -> Reading<Basic> {
        let slots = head.slots();
        if !slots.iter().any(|slot| slot.form == Form::Result) {
            no_result(tree)?;
        }
        let operands = slots.iter().filter(|slot| slot.form != Form::Result);
        let names: Vec<&str> = operands.map(|slot| slot.name).collect();
        count(tree, names.len(), &names.join(", "))?;
        let mut given = tree.operands.iter();
        let mut parts = Vec::new();
        for slot in slots {
            parts.push(match (slot.form, slot.expects) {
                (Form::Result, Expects::Is(ty)) => Part::Result(self.required_target(tree, ty)?),
                (_, expects) => {
                    let Some(operand) = given.next() else {
                        break;
                    };
                    Part::One(match expects {
                        Expects::Is(ty) => self.typed(operand, ty)?,
                        Expects::Bytes => self.bytes(operand)?,
                        Expects::Pointer => self.pointer(operand, None)?,
                        Expects::Variable | Expects::Own => self.expr(operand, None)?,
                    })
                }
            });
        }
        match Basic::from_parts(head, parts) {
            Some(basic) => Ok(basic),
            None => Problem::at(tree.word_at, format!("`{}` has no notation", tree.word)),
        }
    }

    /// The operands, if there are as many as the operator takes; `names` are for the message.
    fn operands<'t, const N: usize>(
        &self,
        tree: &'t OperatorTree,
        names: &str,
    ) -> Reading<[&'t Tree; N]> {
        count(tree, N, names)?;
        Ok(std::array::from_fn(|n| &tree.operands[n]))
    }

    /// The variable of type `ty` that an operator with a result assigns.
    fn required_target(&self, tree: &OperatorTree, ty: Type) -> Reading<VarId> {
        let Some(target) = &tree.target else {
            return kept(tree);
        };
        let (var, given) = self.variable(target)?;
        self.fits(given, ty, target.at)?;
        Ok(var)
    }

    /// The variable of type `ty` for a result that may be left.
    fn target(&self, tree: &OperatorTree, ty: Type) -> Reading<Option<VarId>> {
        match &tree.target {
            Some(_) => self.required_target(tree, ty).map(Some),
            None => Ok(None),
        }
    }

    /// Bytes: an integer of any type.
    fn bytes(&self, tree: &Tree) -> Reading<Expr> {
        let bytes = self.expr(tree, Some(Type::U64))?;
        match bytes.ty {
            Type::Scalar(scalar) if scalar.is_integer() => Ok(bytes),
            other => {
                let found = type_text(other);
                let message = format!("a number of bytes is needed here, this is `{found}`");
                Problem::at(tree.at, message)
            }
        }
    }

    fn alloc(&self, tree: &OperatorTree, space: AllocSpace) -> Reading<Basic> {
        let [bytes] = self.operands(tree, "bytes")?;
        let Some(target) = &tree.target else {
            return kept(tree);
        };
        let (var, ty) = self.variable(target)?;
        let Type::Pointer(pointer) = ty else {
            let found = type_text(ty);
            let message = format!("an allocation gives a pointer, the variable is `{found}`");
            return Problem::at(target.at, message);
        };
        Ok(Basic::Alloc {
            var,
            elem: pointer.elem,
            bytes: self.bytes(bytes)?,
            space,
        })
    }

    fn copy(&self, tree: &OperatorTree, kind: CopyKind) -> Reading<Basic> {
        let [dst, src, bytes] = self.operands(tree, "to, from, bytes")?;
        Ok(Basic::Copy {
            kind,
            dst: self.pointer(dst, None)?,
            src: self.pointer(src, None)?,
            bytes: self.bytes(bytes)?,
            stream: self.stream(tree.stream.as_ref())?,
        })
    }

    fn stream(&self, stream: Option<&Tree>) -> Reading<Option<Expr>> {
        stream.map(|s| self.typed(s, Type::U64)).transpose()
    }

    fn atomic(&self, tree: &OperatorTree, function: AtomicFn) -> Reading<Basic> {
        let cell = match function {
            AtomicFn::Cas => self.operands::<3>(tree, "cell, compare, value")?[0],
            _ => self.operands::<2>(tree, "cell, value")?[0],
        };
        let pointer = self.cell(cell)?;
        let elem = pointer.ty.pointer().map_or(ScalarType::Bool, |p| p.elem);
        let mut operands = Vec::new();
        for operand in tree.operands.iter().skip(1) {
            operands.push(self.typed(operand, Type::Scalar(elem))?);
        }
        Ok(Basic::Atomic {
            function,
            scope: tree.scope.unwrap_or(Scope::Device),
            pointer,
            operands,
            result: self.target(tree, Type::Scalar(elem))?,
        })
    }

    fn warp(&self, tree: &OperatorTree, function: WarpFn) -> Reading<Basic> {
        let (mask, operands, ty) = match function {
            WarpFn::Shuffle(_) => {
                let [mask, value, lane, width] = self.operands(tree, "mask, value, lane, width")?;
                let value = self.expr(value, None)?;
                let ty = value.ty;
                let lane = self.expr(lane, None)?;
                (mask, vec![value, lane, self.typed(width, Type::I32)?], ty)
            }
            WarpFn::Ballot | WarpFn::All | WarpFn::Any => {
                let [mask, cond] = self.operands(tree, "mask, condition")?;
                let ty = match function {
                    WarpFn::Ballot => Type::U32,
                    _ => Type::I32,
                };
                (mask, vec![self.condition(cond)?], ty)
            }
            _ => {
                let [mask, value] = self.operands(tree, "mask, value")?;
                let value = self.expr(value, None)?;
                let ty = match function {
                    WarpFn::MatchAny => Type::U32,
                    _ => value.ty,
                };
                (mask, vec![value], ty)
            }
        };
        Ok(Basic::Warp {
            function,
            mask: self.typed(mask, Type::U32)?,
            operands,
            result: self.target(tree, ty)?,
        })
    }

    pub(super) fn launch(&self, tree: &LaunchTree) -> Reading<Basic> {
        let names = &self.declared.names;
        let kernel = names.proc(ProcKind::Kernel, &tree.kernel, tree.kernel_at)?;
        let shared_bytes = match &tree.shared_bytes {
            Some(bytes) => self.typed(bytes, Type::U32)?,
            None => Expr::int(ScalarType::U32, 0),
        };
        Ok(Basic::CallGpu {
            kernel,
            args: self.arguments(kernel, &tree.args, tree.kernel_at)?,
            grid: self.extents(&tree.grid)?,
            block: self.extents(&tree.block)?,
            shared_bytes,
            stream: self.stream(tree.stream.as_ref())?,
            cooperative: tree.is_cooperative,
        })
    }

    /// x, y, z; those not given are 1.
    fn extents(&self, trees: &[Tree]) -> Reading<[Expr; 3]> {
        let one = || Expr::int(ScalarType::U32, 1);
        let mut extents = [one(), one(), one()];
        for (extent, tree) in extents.iter_mut().zip(trees) {
            *extent = self.typed(tree, Type::U32)?;
        }
        Ok(extents)
    }
}

/// There are as many operands as the operator takes; `names` are for the message.
fn count(tree: &OperatorTree, n: usize, names: &str) -> Reading<()> {
    let (word, n_found) = (tree.word, tree.operands.len());
    let message = match n {
        _ if n_found == n => return Ok(()),
        0 => format!("`{word}` takes no operands"),
        1 => format!("`{word}({names})` takes 1 operand, not {n_found}"),
        _ => format!("`{word}({names})` takes {n} operands, not {n_found}"),
    };
    Problem::at(tree.word_at, message)
}

/// An operator without a result stands alone.
fn no_result(tree: &OperatorTree) -> Reading<()> {
    match &tree.target {
        Some(target) => Problem::at(target.at, format!("`{}` has no result", tree.word)),
        None => Ok(()),
    }
}

/// An operator whose result must go somewhere stands alone.
fn kept<T>(tree: &OperatorTree) -> Reading<T> {
    let word = tree.word;
    let message = format!("the result of `{word}` must be kept: `x := {word}…`");
    Problem::at(tree.word_at, message)
}

/// A clause stands only behind operators that have it.
fn clauses(tree: &OperatorTree) -> Reading<()> {
    let word = tree.word;
    let has_scope = word == "fence" || words::atomic_function(word).is_some();
    let has_stream = words::copy_kind(word).is_some() || words::release(word).is_some();
    let wrong = if tree.scope.is_some() && !has_scope {
        "SCOPE"
    } else if tree.stream.is_some() && !has_stream {
        "STREAM"
    } else if tree.is_non_blocking && word != "stream_create" {
        "NON_BLOCKING"
    } else {
        return Ok(());
    };
    Problem::at(tree.word_at, format!("`{word}` has no `{wrong}`"))
}
