//! Operators as text.

use super::names::{alloc_space, warp_function};
use super::printer::Printer;
use crate::algebra::expr::Expr;
use crate::algebra::operator::{
    AtomicFn, BARRIER_ANYWHERE, Basic, CopyKind, Met, Op, OpKind, Scope,
};
use std::fmt::Write;

impl Printer<'_> {
    /// An operator as the contents of braces: sequences show no braces of their own.
    pub(super) fn body(&self, op: &Op, depth: usize, out: &mut String) {
        match &op.kind {
            OpKind::Seq(ops) if !self.options.ids => {
                for op in ops {
                    self.op(op, depth, out);
                }
            }
            _ => self.op(op, depth, out),
        }
    }

    pub(super) fn op(&self, op: &Op, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        out.push_str(&indent);
        if self.options.ids {
            let _ = write!(out, "@{} ", op.id.0);
        }
        match &op.kind {
            OpKind::Skip => out.push_str("skip;\n"),
            OpKind::Seq(ops) => {
                out.push_str("{\n");
                for op in ops {
                    self.op(op, depth + 1, out);
                }
                let _ = writeln!(out, "{indent}}}");
            }
            OpKind::If {
                cond,
                then,
                otherwise,
            } => {
                let _ = writeln!(out, "if ({}) {{", self.expr(cond));
                self.body(then, depth + 1, out);
                if otherwise.kind != OpKind::Skip || self.options.ids {
                    let _ = writeln!(out, "{indent}}} else {{");
                    self.body(otherwise, depth + 1, out);
                }
                let _ = writeln!(out, "{indent}}}");
            }
            OpKind::While { cond, body } => {
                let _ = writeln!(out, "while ({}) {{", self.expr(cond));
                self.body(body, depth + 1, out);
                let _ = writeln!(out, "{indent}}}");
            }
            OpKind::Call { proc, args, result } => {
                if let Some(result) = result {
                    let _ = write!(out, "{} = ", self.var(*result));
                }
                let name = &self.program.proc(*proc).name;
                let _ = writeln!(out, "{name}({});", self.list(args));
            }
            OpKind::Par(a, b) => {
                out.push_str("par {\n");
                self.body(a, depth + 1, out);
                let _ = writeln!(out, "{indent}}} and {{");
                self.body(b, depth + 1, out);
                let _ = writeln!(out, "{indent}}}");
            }
            OpKind::Basic(basic) => {
                out.push_str(&self.basic(basic));
                out.push_str(";\n");
            }
        }
    }

    fn basic(&self, basic: &Basic) -> String {
        match basic {
            Basic::Assign { var, value } if value.is_no_value() => {
                format!("unassign {}", self.var(*var))
            }
            Basic::Assign { var, .. } if self.proc.is_arbitrary(*var) => {
                format!("next {}", self.var(*var))
            }
            Basic::Assign { var, value } => format!("{} = {}", self.var(*var), self.expr(value)),
            Basic::Load { var, pointer } => {
                format!("{} = load {}", self.var(*var), self.cell(pointer))
            }
            Basic::Store { pointer, value } => match basic.writes_back() {
                true => format!("write back {}", self.cell(pointer)),
                false => format!("{} = {}", self.cell(pointer), self.expr(value)),
            },
            Basic::Atomic {
                function,
                scope,
                pointer,
                operands,
                result,
            } => {
                let name = match function {
                    AtomicFn::Add => "atomicAdd",
                    AtomicFn::Sub => "atomicSub",
                    AtomicFn::Min => "atomicMin",
                    AtomicFn::Max => "atomicMax",
                    AtomicFn::And => "atomicAnd",
                    AtomicFn::Or => "atomicOr",
                    AtomicFn::Xor => "atomicXor",
                    AtomicFn::Exch => "atomicExch",
                    AtomicFn::Cas => "atomicCAS",
                    AtomicFn::Inc => "atomicInc",
                    AtomicFn::Dec => "atomicDec",
                    AtomicFn::AddHalf => "atomicAdd.half",
                    AtomicFn::AddBfloat => "atomicAdd.bfloat16",
                };
                let suffix = match scope {
                    Scope::Block => "_block",
                    Scope::Device => "",
                    Scope::System => "_system",
                };
                let target = result.map_or(String::new(), |r| format!("{} = ", self.var(r)));
                format!(
                    "{target}{name}{suffix}({}, {})",
                    self.expr(pointer),
                    self.list(operands)
                )
            }
            Basic::Barrier {
                met: Met::Anywhere, ..
            } => BARRIER_ANYWHERE.to_owned(),
            Basic::Barrier { orders, agreed, .. } if agreed.is_empty() => {
                orders.barrier_name().to_string()
            }
            Basic::Barrier { orders, agreed, .. } => {
                format!("{}({})", orders.barrier_name(), self.list(agreed))
            }
            Basic::NamedBarrier {
                id,
                threads,
                arrive_only,
            } => {
                let name = if *arrive_only { "arrive" } else { "barrier" };
                let threads = threads.iter().map(|n| format!(", {}", self.expr(n)));
                format!("{name}({}{})", self.expr(id), threads.collect::<String>())
            }
            Basic::Warp {
                function,
                mask,
                operands,
                result,
            } => {
                let target = result.map_or(String::new(), |r| format!("{} = ", self.var(r)));
                let name = warp_function(*function);
                let (mask, operands) = (self.expr(mask), self.list(operands));
                format!("{target}{name}({mask}, {operands})")
            }
            Basic::Fence { scope } => match scope {
                Scope::Block => "fence_block".to_string(),
                Scope::Device => "fence".to_string(),
                Scope::System => "fence_system".to_string(),
            },
            Basic::Assert { cond } => format!("assert({})", self.expr(cond)),
            Basic::Assume { cond } => format!("assume({})", self.expr(cond)),
            Basic::Alloc {
                var,
                elem,
                bytes,
                space,
            } => format!(
                "{} = alloc_{}<{}>({})",
                self.var(*var),
                alloc_space(*space),
                elem.c_name(),
                self.expr(bytes)
            ),
            Basic::Free {
                pointer,
                space,
                stream,
            } => format!(
                "free_{}({}){}",
                alloc_space(*space),
                self.expr(pointer),
                self.in_stream(stream.as_ref())
            ),
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream,
            } => {
                let name = match kind {
                    CopyKind::HostToDevice => "copy_gpu",
                    CopyKind::DeviceToHost => "copy_back",
                    CopyKind::DeviceToDevice => "copy_device",
                    CopyKind::HostToHost => "copy_host",
                    CopyKind::Default => "copy_default",
                };
                format!(
                    "{name}({}, {}, {}){}",
                    self.expr(dst),
                    self.expr(src),
                    self.expr(bytes),
                    self.in_stream(stream.as_ref())
                )
            }
            Basic::CallGpu {
                kernel,
                grid,
                block,
                shared_bytes,
                args,
                stream,
                cooperative,
            } => format!(
                "call_gpu{} {}<<<({}), ({}), {}>>>({}){}",
                if *cooperative { "_cooperative" } else { "" },
                self.program.proc(*kernel).name,
                self.list(grid),
                self.list(block),
                self.expr(shared_bytes),
                self.list(args),
                self.in_stream(stream.as_ref())
            ),
            Basic::StreamCreate { var, non_blocking } => {
                let kind = if *non_blocking { "_non_blocking" } else { "" };
                format!("{} = stream_create{kind}()", self.var(*var))
            }
            Basic::Wait { cond } => format!("wait({})", self.expr(cond)),
            _ => self.plain(basic),
        }
    }

    /// `result = word(operands)`, as the table of operators has it.
    fn plain(&self, basic: &Basic) -> String {
        let word = match basic {
            Basic::SyncWarp { .. } => "syncwarp",
            Basic::ActiveMask { .. } => "activemask",
            _ => basic.head().word().unwrap_or(basic.head().row()),
        };
        let operands = basic.expressions().into_iter().map(|e| self.expr(e));
        let operands = operands.collect::<Vec<String>>().join(", ");
        match basic.assigned() {
            Some(var) => format!("{} = {word}({operands})", self.var(var)),
            None if operands.is_empty() => word.to_owned(),
            None => format!("{word}({operands})"),
        }
    }

    fn in_stream(&self, stream: Option<&Expr>) -> String {
        stream.map_or(String::new(), |s| format!(" in stream {}", self.expr(s)))
    }
}
