//! Operators as text: control over several lines, basic operators in one.

use super::super::words;
use super::expression::ExpressionPrinter;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{
    BARRIER_ANYWHERE, Basic, Expects, Met, Op, OpKind, Scope, WarpFn,
};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::analysis::loops::{CountedLoop, counted_loop};
use std::fmt::Write;
use std::sync::Arc;

#[derive(Clone, Copy)]
pub struct OperatorPrinter<'a> {
    pub expressions: ExpressionPrinter<'a>,
}

impl OperatorPrinter<'_> {
    /// An operator as the inside of another: a sequence of several shows no brackets.
    pub fn body(&self, op: &Arc<Op>, depth: usize, out: &mut String) {
        let alone = std::slice::from_ref(op);
        let ops = match &op.kind {
            OpKind::Seq(ops) if ops.len() > 1 && counted_loop(op).is_none() => ops.as_slice(),
            _ => alone,
        };
        self.lines(ops, depth, out);
    }

    fn lines(&self, ops: &[Arc<Op>], depth: usize, out: &mut String) {
        for (index, op) in ops.iter().enumerate() {
            out.push_str(&"  ".repeat(depth));
            self.op(op, depth, out);
            out.push_str(if index + 1 < ops.len() { ";\n" } else { "\n" });
        }
    }

    /// One operator without what separates it from the next.
    fn op(&self, op: &Arc<Op>, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        let condition = |cond: &Expr| self.expressions.expr(cond, Some(Type::BOOL));
        match &op.kind {
            OpKind::Skip => out.push_str("SKIP"),
            OpKind::Seq(ops) => match counted_loop(op) {
                Some(counted) => {
                    let _ = writeln!(out, "{}", self.loop_head(&counted));
                    self.body(counted.body, depth + 1, out);
                    let _ = write!(out, "{indent}END OF LOOP");
                }
                None => {
                    out.push_str("BEGIN\n");
                    self.lines(ops, depth + 1, out);
                    let _ = write!(out, "{indent}END");
                }
            },
            OpKind::If {
                cond,
                then,
                otherwise,
            } => {
                let _ = writeln!(out, "IF {} THEN", condition(cond));
                self.body(then, depth + 1, out);
                self.otherwise(otherwise, depth, out);
                let _ = write!(out, "{indent}END IF");
            }
            OpKind::While { cond, body } => {
                let _ = writeln!(out, "WHILE {} LOOP", condition(cond));
                self.body(body, depth + 1, out);
                let _ = write!(out, "{indent}END OF LOOP");
            }
            OpKind::Call { proc, args, result } => {
                let program = self.expressions.program;
                let vars = program.procs.get(proc.0 as usize).map(|p| &p.vars);
                let name = self.expressions.names.proc(*proc);
                let args = self.arguments(args, vars.map_or(&[], |v| v.as_slice()));
                let _ = write!(out, "{}CALL {name}({args})", self.target(*result));
            }
            OpKind::Par(a, rest) => {
                out.push_str("PARALLEL\n");
                let (mut branch, mut rest) = (a, rest);
                loop {
                    let _ = writeln!(out, "{indent}BRANCH");
                    self.body(branch, depth + 1, out);
                    match &rest.kind {
                        OpKind::Par(next, others) => (branch, rest) = (next, others),
                        _ => break,
                    }
                }
                let _ = writeln!(out, "{indent}BRANCH");
                self.body(rest, depth + 1, out);
                let _ = write!(out, "{indent}END PARALLEL");
            }
            OpKind::Basic(basic) => out.push_str(&self.basic(basic)),
        }
    }

    /// What stands between a `THEN` branch and `END IF`.
    fn otherwise(&self, op: &Arc<Op>, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        let mut op = op;
        while let OpKind::If {
            cond,
            then,
            otherwise,
        } = &op.kind
        {
            let cond = self.expressions.expr(cond, Some(Type::BOOL));
            let _ = writeln!(out, "{indent}ELSIF {cond} THEN");
            self.body(then, depth + 1, out);
            op = otherwise;
        }
        if op.kind != OpKind::Skip {
            let _ = writeln!(out, "{indent}ELSE");
            self.body(op, depth + 1, out);
        }
    }

    fn loop_head(&self, counted: &CountedLoop<'_>) -> String {
        let var = self.expressions.var(counted.var);
        let ty = self.expressions.var_type(counted.var);
        let first = self.expressions.expr(counted.init, ty);
        let range = self.bounded(counted, ty).unwrap_or_else(|| {
            let cond = self.expressions.expr(counted.cond, Some(Type::BOOL));
            let next = self.expressions.expr(counted.step, ty);
            format!("WHILE {cond} NEXT {next}")
        });
        format!("FOR ({var} FROM {first} {range}) LOOP")
    }

    /// `TO n BY 2`, where condition and step have that shape.
    fn bounded(&self, counted: &CountedLoop<'_>, ty: Option<Type>) -> Option<String> {
        let ty = ty.filter(|ty| ty.scalar().is_some_and(ScalarType::is_integer))?;
        let counter = Expr::var(counted.var, ty);
        let ExprKind::Binary(comparison, left, bound) = &counted.cond.kind else {
            return None;
        };
        let ExprKind::Binary(op, stepped, by) = &counted.step.kind else {
            return None;
        };
        if **left != counter || **stepped != counter || bound.ty != ty || by.ty != ty {
            return None;
        }
        let word = match (comparison, op) {
            (BinaryOp::Le, BinaryOp::Add) => "TO",
            (BinaryOp::Lt, BinaryOp::Add) => "BELOW",
            (BinaryOp::Ge, BinaryOp::Sub) => "DOWN TO",
            (BinaryOp::Gt, BinaryOp::Sub) => "DOWN ABOVE",
            _ => return None,
        };
        let bound = self.expressions.expr(bound, Some(ty));
        let is_one = ty.scalar().is_some_and(|s| **by == Expr::int(s, 1));
        Some(match is_one {
            true => format!("{word} {bound}"),
            false => format!("{word} {bound} BY {}", self.expressions.expr(by, Some(ty))),
        })
    }

    /// `var := `, or nothing.
    fn target(&self, var: Option<VarId>) -> String {
        var.map_or(String::new(), |v| {
            format!("{} := ", self.expressions.var(v))
        })
    }

    fn arguments(
        &self,
        args: &[Expr],
        params: &[gridlock_semantics::algebra::declaration::VarDecl],
    ) -> String {
        let shown = args.iter().enumerate().map(|(index, arg)| {
            let ty = params.get(index).map(|param| param.ty);
            self.expressions.expr(arg, ty)
        });
        shown.collect::<Vec<String>>().join(", ")
    }

    fn basic(&self, basic: &Basic) -> String {
        let e = &self.expressions;
        let any = |expr: &Expr| e.expr(expr, None);
        let u32 = |expr: &Expr| e.expr(expr, Some(Type::U32));
        let u64 = |expr: &Expr| e.expr(expr, Some(Type::U64));
        let condition = |expr: &Expr| e.expr(expr, Some(Type::BOOL));
        let element = |pointer: &Expr| pointer.ty.pointer().map(|p| Type::Scalar(p.elem));
        let in_stream = |stream: &Option<Expr>| {
            let stream = stream.as_ref();
            stream.map_or(String::new(), |s| format!(" STREAM {}", u64(s)))
        };
        match basic {
            Basic::Assign { var, value } => {
                format!("{} := {}", e.var(*var), e.expr(value, e.var_type(*var)))
            }
            Basic::Load { var, pointer } => {
                format!("{} := LOAD {}", e.var(*var), e.cell(pointer))
            }
            Basic::Store { pointer, value } => {
                let value = e.expr(value, element(pointer));
                format!("{} := {value}", e.cell(pointer))
            }
            Basic::Atomic {
                function,
                scope,
                pointer,
                operands,
                result,
            } => {
                let word = words::atomic_word(*function);
                let mut shown = vec![e.cell(pointer)];
                shown.extend(operands.iter().map(|o| e.expr(o, element(pointer))));
                let target = self.target(*result);
                format!("{target}{word}({}){}", shown.join(", "), in_scope(*scope))
            }
            Basic::Barrier {
                met: Met::Anywhere, ..
            } => BARRIER_ANYWHERE.to_owned(),
            Basic::Barrier { orders, agreed, .. } if agreed.is_empty() => {
                orders.barrier_name().to_owned()
            }
            Basic::Barrier { orders, agreed, .. } => {
                let shown: Vec<String> = agreed.iter().map(|v| e.expr(v, None)).collect();
                format!("{}({})", orders.barrier_name(), shown.join(", "))
            }
            Basic::NamedBarrier {
                id,
                threads,
                arrive_only,
            } => {
                let arrive = if *arrive_only { "_arrive" } else { "" };
                let threads = threads.iter().map(|n| format!(", {}", u32(n)));
                let threads: String = threads.collect();
                format!("named_barrier{arrive}({}{threads})", u32(id))
            }
            Basic::Warp {
                function,
                mask,
                operands,
                result,
            } => {
                let expected: [Option<Type>; 3] = match function {
                    WarpFn::Shuffle(_) => [None, None, Some(Type::I32)],
                    WarpFn::Ballot | WarpFn::All | WarpFn::Any => [Some(Type::BOOL); 3],
                    _ => [None; 3],
                };
                let mut shown = vec![u32(mask)];
                shown.extend(operands.iter().zip(expected).map(|(o, ty)| e.expr(o, ty)));
                let word = words::warp_word(*function);
                format!("{}{word}({})", self.target(*result), shown.join(", "))
            }
            Basic::Fence { scope } => format!("fence{}", in_scope(*scope)),
            Basic::Assert { cond } => format!("ASSERT {}", condition(cond)),
            Basic::Assume { cond } => format!("ASSUME {}", condition(cond)),
            Basic::Wait { cond } => format!("WAIT {}", condition(cond)),
            Basic::Alloc {
                var, bytes, space, ..
            } => {
                let word = words::allocation_word(*space);
                format!("{} := {word}({})", e.var(*var), u64(bytes))
            }
            Basic::Free {
                pointer,
                space,
                stream,
            } => {
                let word = words::release_word(*space);
                format!("{word}({}){}", any(pointer), in_stream(stream))
            }
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream,
            } => {
                let word = words::copy_word(*kind);
                let (dst, src, bytes) = (any(dst), any(src), u64(bytes));
                format!("{word}({dst}, {src}, {bytes}){}", in_stream(stream))
            }
            Basic::CallGpu {
                kernel,
                grid,
                block,
                shared_bytes,
                args,
                stream,
                cooperative,
            } => {
                let callee = e.program.procs.get(kernel.0 as usize);
                let args = self.arguments(args, callee.map_or(&[], |p| p.vars.as_slice()));
                let shared = match shared_bytes.kind {
                    ExprKind::Const(Value::Int(ScalarType::U32, 0)) => String::new(),
                    _ => format!(" SHARED {}", u32(shared_bytes)),
                };
                format!(
                    "call_gpu {}({args}) GRID ({}) BLOCK ({}){shared}{}{}",
                    e.names.proc(*kernel),
                    self.extents(grid),
                    self.extents(block),
                    in_stream(stream),
                    if *cooperative { " COOPERATIVE" } else { "" },
                )
            }
            Basic::StreamCreate { var, non_blocking } => {
                let clause = if *non_blocking { " NON_BLOCKING" } else { "" };
                format!("{} := stream_create{clause}", e.var(*var))
            }
            _ => self.plain(basic),
        }
    }

    /// `result := word(operands)`, as the table of operators has it.
    fn plain(&self, basic: &Basic) -> String {
        let head = basic.head();
        let mut operands = Vec::new();
        for (slot, part) in head.slots().iter().zip(basic.parts()) {
            let expected = match slot.expects {
                Expects::Is(ty) => Some(ty),
                Expects::Bytes => Some(Type::U64),
                Expects::Pointer | Expects::Variable | Expects::Own => None,
            };
            let shown = |operand| self.expressions.expr(operand, expected);
            operands.extend(part.expressions().iter().map(shown));
        }
        let target = self.target(basic.assigned());
        let word = head.word().unwrap_or(head.row());
        match operands.is_empty() {
            true => format!("{target}{word}"),
            false => format!("{target}{word}({})", operands.join(", ")),
        }
    }

    /// x, y, z without the ones at the end.
    fn extents(&self, extents: &[Expr; 3]) -> String {
        let one = Expr::int(ScalarType::U32, 1);
        let mut shown = extents.as_slice();
        while let [first @ .., last] = shown
            && !first.is_empty()
            && *last == one
        {
            shown = first;
        }
        let shown = shown
            .iter()
            .map(|x| self.expressions.expr(x, Some(Type::U32)));
        shown.collect::<Vec<String>>().join(", ")
    }
}

fn in_scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Block => " SCOPE BLOCK",
        Scope::Device => "",
        Scope::System => " SCOPE SYSTEM",
    }
}
