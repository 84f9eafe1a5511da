//! Programs as readable text, in a notation close to C. For people and for tests; the text says
//! everything but spans (and ids, unless asked for).
//!
//! The conversion of a subscript to `I64`, which every subscript has, is not shown.

pub mod array_names;
pub mod cell_expression;
mod names;
pub mod source_names;
mod written_cell;

use crate::algebra::declaration::{ArrayDecl, Extent, Space};
use crate::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use crate::algebra::ids::ProcId;
use crate::algebra::operator::{AtomicFn, Basic, CopyKind, Op, OpKind, Scope};
use crate::algebra::program::{ProcKind, Procedure, Program};
use crate::algebra::types::{PointerType, ScalarType, Type};
use crate::algebra::value::Value;
use names::{alloc_space, builtin_name, warp_function};
use std::fmt::Write;

/// What to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOptions {
    /// Operator ids, as `@12`, in front of each operator.
    pub ids: bool,
}

/// The whole program.
pub fn program(program: &Program, options: PrintOptions) -> String {
    let mut out = String::new();
    for array in program.arrays.iter().filter(|a| a.owner.is_none()) {
        let _ = writeln!(out, "{};", array_decl(array));
    }
    for (index, _) in program.procs.iter().enumerate() {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&procedure(program, ProcId(index as u32), options));
    }
    out
}

/// One procedure with its arrays and variables.
pub fn procedure(program: &Program, id: ProcId, options: PrintOptions) -> String {
    let proc = program.proc(id);
    let printer = Printer {
        program,
        proc,
        options,
        as_written: false,
    };
    let mut out = String::new();
    let kind = match proc.kind {
        ProcKind::Host => "host",
        ProcKind::Device => "device",
        ProcKind::Kernel => "kernel",
    };
    let params: Vec<String> = proc
        .params
        .iter()
        .map(|p| {
            let var = &proc.vars[p.0 as usize];
            declaration(var.ty, &var.name)
        })
        .collect();
    let _ = write!(out, "{kind} {}({})", proc.name, params.join(", "));
    if let Some(result) = proc.result {
        let var = &proc.vars[result.0 as usize];
        let _ = write!(out, " -> {}", declaration(var.ty, &var.name));
    }
    out.push_str(" {\n");
    for array in program.arrays.iter().filter(|a| a.owner == Some(id)) {
        let _ = writeln!(out, "  {};", array_decl(array));
    }
    for (index, var) in proc.vars.iter().enumerate() {
        let is_named = |v: &crate::algebra::ids::VarId| v.0 as usize == index;
        if !proc.params.iter().any(is_named) && !proc.result.iter().any(is_named) {
            let _ = writeln!(out, "  {};", declaration(var.ty, &var.name));
        }
    }
    printer.body(&proc.body, 1, &mut out);
    out.push_str("}\n");
    out
}

/// One operator of procedure `proc`, over as many lines as it needs.
pub fn operator(program: &Program, proc: ProcId, op: &Op, options: PrintOptions) -> String {
    let printer = Printer {
        program,
        proc: program.proc(proc),
        options,
        as_written: false,
    };
    let mut out = String::new();
    printer.op(op, 0, &mut out);
    out
}

/// An expression of procedure `proc`.
pub fn expr(program: &Program, proc: ProcId, expr: &Expr) -> String {
    let printer = Printer {
        program,
        proc: program.proc(proc),
        options: PrintOptions::default(),
        as_written: false,
    };
    printer.expr(expr)
}

/// An expression of procedure `proc`, with the cells that it reads as the source writes them: `s[t].y`.
pub fn expr_as_written(program: &Program, proc: ProcId, expr: &Expr) -> String {
    let printer = Printer {
        program,
        proc: program.proc(proc),
        options: PrintOptions::default(),
        as_written: true,
    };
    printer.expr(expr)
}

fn array_decl(array: &ArrayDecl) -> String {
    let space = match array.space {
        Space::Host => "host",
        Space::Global if array.is_managed => "managed",
        Space::Global => "global",
        Space::Shared => "shared",
        Space::Constant => "constant",
        Space::Private => "private",
    };
    let volatile = if array.is_volatile { " volatile" } else { "" };
    let mut text = format!("{space}{volatile} {} {}", array.elem.c_name(), array.name);
    match array.extent {
        Extent::LaunchShared => text.push_str("[]"),
        Extent::Fixed(extent) => {
            if array.dims.iter().product::<u64>() == extent {
                for dim in &array.dims {
                    let _ = write!(text, "[{dim}]");
                }
            } else {
                let _ = write!(text, "[{extent}]");
            }
        }
    }
    if let Some(init) = &array.init {
        let values: Vec<String> = init.iter().map(|&v| constant(v)).collect();
        let _ = write!(text, " = {{{}}}", values.join(", "));
    }
    text
}

fn function_name(function: MathFn) -> String {
    let name = match function {
        MathFn::Min => "min",
        MathFn::Max => "max",
        MathFn::Abs => "abs",
        MathFn::Sqrt => "sqrt",
        MathFn::Floor => "floor",
        MathFn::Ceil => "ceil",
        MathFn::Trunc => "trunc",
        MathFn::Fma => "fma",
        MathFn::PopCount => "popcount",
        MathFn::FindFirstSet => "ffs",
        MathFn::CountLeadingZeros => "clz",
        MathFn::ReverseBits => "brev",
        MathFn::Elementary(function) => function.name(),
        MathFn::BitsAs(to) => return format!("bits<{}>", type_name(Type::Scalar(to))),
        MathFn::Aligned(n) => return format!("aligned<{n}>"),
    };
    name.to_owned()
}

fn type_name(ty: Type) -> String {
    declaration(ty, "").trim_end().to_string()
}

fn declaration(ty: Type, name: &str) -> String {
    match ty {
        Type::Scalar(scalar) => format!("{} {name}", scalar.c_name()),
        Type::Pointer(PointerType {
            elem,
            is_const,
            is_volatile,
        }) => {
            let is_const = if is_const { "const " } else { "" };
            let is_volatile = if is_volatile { "volatile " } else { "" };
            format!("{is_const}{is_volatile}{} *{name}", elem.c_name())
        }
    }
}

fn constant(value: Value) -> String {
    match value {
        Value::Int(ScalarType::U32, _) => format!("{value}u"),
        Value::Int(ScalarType::I64, _) => format!("{value}ll"),
        Value::Int(ScalarType::U64, _) => format!("{value}ull"),
        Value::Int(ScalarType::I32, _) => format!("{value}"),
        Value::Int(ty, _) => format!("({}){value}", ty.c_name()),
        Value::F32(_) => format!("{value}f"),
        _ => format!("{value}"),
    }
}

/// Binding strength of C's binary operators; greater binds tighter.
fn strength(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Mul | Div | Rem => 10,
        Add | Sub | PtrDiff => 9,
        Shl | Shr => 8,
        Lt | Le | Gt | Ge => 7,
        Eq | Ne => 6,
        BitAnd => 5,
        BitXor => 4,
        BitOr => 3,
        And => 2,
        Or => 1,
    }
}

const POSTFIX: u8 = 12;
const PREFIX: u8 = 11;

struct Printer<'a> {
    program: &'a Program,
    proc: &'a Procedure,
    options: PrintOptions,
    /// Whether cells go by the names that the source has for them.
    as_written: bool,
}

impl Printer<'_> {
    /// An operator as the contents of braces: sequences show no braces of their own.
    fn body(&self, op: &Op, depth: usize, out: &mut String) {
        match &op.kind {
            OpKind::Seq(ops) if !self.options.ids => {
                for op in ops {
                    self.op(op, depth, out);
                }
            }
            _ => self.op(op, depth, out),
        }
    }

    fn op(&self, op: &Op, depth: usize, out: &mut String) {
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
            Basic::Barrier(orders, agreed) if agreed.is_empty() => {
                orders.barrier_name().to_string()
            }
            Basic::Barrier(orders, agreed) => {
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
            Basic::GridBarrier => "grid_barrier".to_string(),
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
            Basic::ActiveMask { result } => format!("{} = activemask()", self.var(*result)),
            Basic::SyncWarp { mask } => format!("syncwarp({})", self.expr(mask)),
            Basic::Fence { scope } => match scope {
                Scope::Block => "fence_block".to_string(),
                Scope::Device => "fence".to_string(),
                Scope::System => "fence_system".to_string(),
            },
            Basic::Exit => "exit".to_string(),
            Basic::Assert { cond } => format!("assert({})", self.expr(cond)),
            Basic::Assume { cond } => format!("assume({})", self.expr(cond)),
            Basic::Beyond => "beyond".to_string(),
            Basic::InitGpu => "init_gpu".to_string(),
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
            Basic::DeviceSync => "device_sync".to_string(),
            Basic::SetDevice { device } => format!("set_device({})", self.expr(device)),
            Basic::StreamCreate { var, non_blocking } => {
                let kind = if *non_blocking { "_non_blocking" } else { "" };
                format!("{} = stream_create{kind}()", self.var(*var))
            }
            Basic::StreamDestroy { stream } => format!("stream_destroy({})", self.expr(stream)),
            Basic::StreamSync { stream } => format!("stream_sync({})", self.expr(stream)),
            Basic::EventCreate { var } => format!("{} = event_create()", self.var(*var)),
            Basic::EventDestroy { event } => format!("event_destroy({})", self.expr(event)),
            Basic::EventRecord { event, stream } => {
                format!("event_record({}, {})", self.expr(event), self.expr(stream))
            }
            Basic::EventSync { event } => format!("event_sync({})", self.expr(event)),
            Basic::StreamWait { stream, event } => {
                format!("stream_wait({}, {})", self.expr(stream), self.expr(event))
            }
            Basic::Wait { cond } => format!("wait({})", self.expr(cond)),
        }
    }

    fn in_stream(&self, stream: Option<&Expr>) -> String {
        stream.map_or(String::new(), |s| format!(" in stream {}", self.expr(s)))
    }

    fn var(&self, var: crate::algebra::ids::VarId) -> String {
        match self.proc.vars.get(var.0 as usize) {
            Some(decl) => decl.name.to_string(),
            None => format!("var{}", var.0),
        }
    }

    fn list(&self, exprs: &[Expr]) -> String {
        let texts: Vec<String> = exprs.iter().map(|e| self.expr(e)).collect();
        texts.join(", ")
    }

    fn expr(&self, expr: &Expr) -> String {
        self.strong(expr, 0)
    }

    /// The cell a pointer points to: `p[i]`, or `*p`.
    fn cell(&self, pointer: &Expr) -> String {
        match &pointer.kind {
            ExprKind::Offset(base, index) => {
                format!("{}[{}]", self.strong(base, POSTFIX), self.index(index))
            }
            ExprKind::Var(var) if self.proc.is_arbitrary(*var) => self.var(*var),
            _ => format!("*{}", self.strong(pointer, PREFIX)),
        }
    }

    /// A number of elements; the outermost conversion to `I64` goes without saying.
    fn index(&self, index: &Expr) -> String {
        match &index.kind {
            ExprKind::Cast(inner) if index.ty == Type::I64 && inner.ty != Type::I64 => {
                self.expr(inner)
            }
            ExprKind::Const(value) => value.to_string(),
            _ => self.expr(index),
        }
    }

    /// The expression in brackets if it binds less tightly than `least`.
    fn strong(&self, expr: &Expr, least: u8) -> String {
        let (own, text) = match &expr.kind {
            ExprKind::Const(value) => {
                let text = constant(*value);
                let own = if text.starts_with(['-', '(']) {
                    PREFIX
                } else {
                    POSTFIX
                };
                (own, text)
            }
            ExprKind::Var(var) => (POSTFIX, self.var(*var)),
            ExprKind::Builtin(builtin) => (POSTFIX, builtin_name(*builtin)),
            ExprKind::Unary(op, a) => {
                let symbol = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                };
                (PREFIX, format!("{symbol}{}", self.strong(a, PREFIX)))
            }
            ExprKind::Binary(op, a, b) => {
                let own = strength(*op);
                let left = self.strong(a, own);
                let right = self.strong(b, own + 1);
                (own, format!("{left} {} {right}", op.c_symbol()))
            }
            ExprKind::Cast(a) => (
                PREFIX,
                format!("({}){}", type_name(expr.ty), self.strong(a, PREFIX)),
            ),
            ExprKind::Select(c, a, b) => (
                0,
                format!(
                    "{} ? {} : {}",
                    self.strong(c, 1),
                    self.strong(a, 1),
                    self.strong(b, 1)
                ),
            ),
            ExprKind::Math(function, args) => (
                POSTFIX,
                format!("{}({})", function_name(*function), self.list(args)),
            ),
            ExprKind::ArrayBase(id) => {
                let name = self.program.arrays.get(id.0 as usize);
                (
                    POSTFIX,
                    name.map_or(format!("array{}", id.0), |a| a.name.to_string()),
                )
            }
            ExprKind::Offset(..) => (PREFIX, format!("&{}", self.cell(expr))),
            ExprKind::Load(pointer) => match self.written_cell(pointer) {
                Some(text) => (POSTFIX, text),
                None => (PREFIX, self.cell(pointer)),
            },
        };
        // A load prints as a postfix expression when it has a subscript.
        let own = match &expr.kind {
            ExprKind::Load(p) if matches!(p.kind, ExprKind::Offset(..)) => POSTFIX,
            _ => own,
        };
        if own < least || (own == 0 && least > 0) {
            format!("({text})")
        } else {
            text
        }
    }
}
