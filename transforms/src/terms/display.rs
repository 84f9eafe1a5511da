//! Terms as text for traces and messages: close to C, one line, conversions left out.

use crate::terms::term::{BinaryOp, Functor, Term, TermKind};
use gridlock_semantics::algebra::expr::{Axis, Builtin, UnaryOp};
use gridlock_semantics::algebra::operator::{AllocSpace, CopyKind, Head, Met, Orders};
use std::fmt;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            TermKind::Literal(value) => write!(f, "{value}"),
            TermKind::Var(variable) => write!(f, "{}", variable.name),
            TermKind::Array { name, .. } | TermKind::Proc { name, .. } => write!(f, "{name}"),
            TermKind::Text(text) => write!(f, "{text}"),
            TermKind::List(items) => write!(f, "[{}]", Joined(items, ", ")),
            TermKind::App(functor, args) if functor.is_expression() => {
                write_expression(f, functor, args)
            }
            TermKind::App(functor, args) => write_operator(f, functor, args),
        }
    }
}

struct Joined<'a>(&'a [Term], &'a str);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { self.1 };
            write!(f, "{separator}{item}")?;
        }
        Ok(())
    }
}

/// Name of a built-in variable in CUDA C++.
pub fn builtin_name(builtin: Builtin) -> String {
    let (stem, axis) = match builtin {
        Builtin::ThreadIdx(axis) => ("threadIdx", axis),
        Builtin::BlockIdx(axis) => ("blockIdx", axis),
        Builtin::BlockDim(axis) => ("blockDim", axis),
        Builtin::GridDim(axis) => ("gridDim", axis),
        Builtin::WarpSize => return "warpSize".into(),
    };
    let axis = match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    format!("{stem}.{axis}")
}

/// Binding strength, weakest first, as in C.
fn strength(term: &Term) -> u8 {
    use BinaryOp::*;
    let stripped = strip(term);
    match stripped.kind() {
        TermKind::App(Functor::Select, _) => 1,
        TermKind::App(Functor::Binary(op), _) => match op {
            Or => 2,
            And => 3,
            BitOr => 4,
            BitXor => 5,
            BitAnd => 6,
            Eq | Ne => 7,
            Lt | Le | Gt | Ge => 8,
            Shl | Shr => 9,
            Add | Sub | PtrDiff => 10,
            Mul | Div | Rem => 11,
        },
        TermKind::App(Functor::Offset, _) => 10,
        TermKind::App(Functor::Unary(_), _) => 12,
        _ => 13,
    }
}

/// The term under conversions between scalars.
fn strip(term: &Term) -> &Term {
    match term.args_of(&Functor::Cast) {
        Some([inner]) => strip(inner),
        _ => term,
    }
}

struct Within<'a>(&'a Term, u8);

impl fmt::Display for Within<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if strength(self.0) < self.1 {
            write!(f, "({})", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

fn write_expression(f: &mut fmt::Formatter<'_>, functor: &Functor, args: &[Term]) -> fmt::Result {
    match (functor, args) {
        (Functor::Builtin(builtin), _) => write!(f, "{}", builtin_name(*builtin)),
        (Functor::Unary(op), [a]) => {
            let symbol = match op {
                UnaryOp::Neg => "-",
                UnaryOp::BitNot => "~",
                UnaryOp::Not => "!",
            };
            write!(f, "{symbol}{}", Within(a, 12))
        }
        (Functor::Binary(op), [a, b]) => {
            let own = strength(&Term::app(functor.clone(), vec![]));
            let symbol = op.c_symbol();
            write!(f, "{} {symbol} {}", Within(a, own), Within(b, own + 1))
        }
        (Functor::Cast, [a]) => write!(f, "{a}"),
        (Functor::Select, [c, a, b]) => {
            write!(f, "{} ? {} : {}", Within(c, 2), Within(a, 2), Within(b, 1))
        }
        (Functor::Math(function), args) => {
            let name = format!("{function:?}").to_lowercase();
            write!(f, "{name}({})", Joined(args, ", "))
        }
        (Functor::Offset, [p, e]) => write!(f, "{} + {}", Within(p, 10), Within(e, 11)),
        (Functor::Load, [p]) => write_cell(f, p),
        (_, args) => write!(f, "{functor:?}({})", Joined(args, ", ")),
    }
}

fn write_cell(f: &mut fmt::Formatter<'_>, pointer: &Term) -> fmt::Result {
    match pointer.args_of(&Functor::Offset) {
        Some([p, e]) => write!(f, "{}[{e}]", Within(p, 13)),
        _ => write!(f, "*{}", Within(pointer, 12)),
    }
}

fn write_operator(f: &mut fmt::Formatter<'_>, functor: &Functor, args: &[Term]) -> fmt::Result {
    match (functor, args) {
        (Functor::Skip, _) => write!(f, ";"),
        (Functor::Seq, parts) => write!(f, "{{ {} }}", Joined(parts, " ")),
        (Functor::If, [c, t, e]) => {
            write!(f, "if ({c}) {t}")?;
            if e.args_of(&Functor::Skip).is_none() {
                write!(f, " else {e}")?;
            }
            Ok(())
        }
        (Functor::While, [c, b]) => write!(f, "while ({c}) {b}"),
        (Functor::For, [v, init, cond, step, body]) => {
            write!(f, "for ({v} = {init}; {cond}; {v} = {step}) {body}")
        }
        (Functor::Basic(Head::Assign), [v, e]) if e.is_no_value() => {
            write!(f, "unassign {v};")
        }
        (Functor::Basic(Head::Assign), [v, e]) => write!(f, "{v} = {e};"),
        (Functor::Basic(Head::Load), [v, p]) => {
            write!(f, "{v} = ")?;
            write_cell(f, p)?;
            write!(f, ";")
        }
        (Functor::Basic(Head::Store), [p, e]) if e.is_no_value() => {
            write!(f, "write back ")?;
            write_cell(f, p)?;
            write!(f, ";")
        }
        (Functor::Basic(Head::Store), [p, e]) => {
            write_cell(f, p)?;
            write!(f, " = {e};")
        }
        (Functor::Basic(Head::Barrier(_, Met::Anywhere)), _) => write!(f, "__barrier_sync(0);"),
        (Functor::Basic(Head::Barrier(Orders::All, _)), _) => write!(f, "__syncthreads();"),
        (Functor::Basic(Head::Barrier(orders, _)), _) => write!(f, "{};", orders.barrier_name()),
        (Functor::Basic(Head::SyncWarp), [mask]) => write!(f, "__syncwarp({mask});"),
        (Functor::Basic(Head::Exit), _) => write!(f, "return;"),
        (Functor::Call, [p, args, result]) => {
            if result.as_variable().is_some() {
                write!(f, "{result} = ")?;
            }
            write!(f, "{p}({});", Joined(args.children(), ", "))
        }
        (Functor::Basic(Head::InitGpu), _) => write!(f, "init_gpu();"),
        (Functor::Basic(Head::Alloc(_, space)), [v, bytes]) => {
            let name = match space {
                AllocSpace::Host => "alloc_host",
                AllocSpace::Pinned => "alloc_pinned",
                AllocSpace::Global => "alloc_gpu",
                AllocSpace::Managed => "alloc_managed",
                AllocSpace::New => "alloc_new",
                AllocSpace::Owned => "alloc_owned",
                AllocSpace::OwnedGlobal => "alloc_owned_gpu",
            };
            write!(f, "{name}({v}, {bytes});")
        }
        (Functor::Basic(Head::Free(space)), [p]) => {
            let name = match space {
                AllocSpace::Host => "free_host",
                AllocSpace::Pinned => "free_pinned",
                AllocSpace::Global => "free_gpu",
                AllocSpace::Managed => "free_managed",
                AllocSpace::New => "free_new",
                AllocSpace::Owned => "free_owned",
                AllocSpace::OwnedGlobal => "free_owned_gpu",
            };
            write!(f, "{name}({p});")
        }
        (Functor::Basic(Head::Copy(kind)), [dst, src, bytes]) => {
            let name = match kind {
                CopyKind::HostToDevice => "copy_gpu",
                CopyKind::DeviceToHost => "copy_back",
                CopyKind::DeviceToDevice => "copy_device",
                CopyKind::HostToHost => "copy_host",
                CopyKind::Default => "copy_default",
            };
            write!(f, "{name}({dst}, {src}, {bytes});")
        }
        (Functor::Basic(Head::CallGpu(false)), [k, grid, block, _, args]) => {
            write!(
                f,
                "{k}<<<{grid}, {block}>>>({});",
                Joined(args.children(), ", ")
            )
        }
        (Functor::Helper(name), args) => write!(f, "{name}({})", Joined(args, ", ")),
        (Functor::Procedure(kind), [name, params, _, _, body]) => {
            let params = Joined(params.children(), ", ");
            write!(f, "{kind:?} {name}({params}) {body}")
        }
        (Functor::Basic(head), args) => write_with_attributes(f, *head, args),
        (other, args) => write!(f, "{other:?}({})", Joined(args, ", ")),
    }
}

/// A basic operator that C has no text for: its row, its attributes, its operands.
fn write_with_attributes(f: &mut fmt::Formatter<'_>, head: Head, args: &[Term]) -> fmt::Result {
    let joined = Joined(args, ", ");
    match (head, args.len()) {
        (Head::Load, _) => write!(f, "LoadInto({joined})"),
        (Head::NamedBarrier(arrive_only), n) => {
            let counts = n == 2;
            write!(
                f,
                "NamedBarrier {{ arrive_only: {arrive_only}, counts: {counts} }}({joined})"
            )
        }
        (Head::StreamCreate(non_blocking), _) => {
            write!(
                f,
                "StreamCreate {{ non_blocking: {non_blocking} }}({joined})"
            )
        }
        (Head::Copy(kind), 4) => write!(f, "CopyInStream({kind:?})({joined})"),
        (Head::CallGpu(cooperative), n) => {
            let no_stream = if n == 5 { ", []" } else { "" };
            write!(
                f,
                "CallGpuInStream {{ cooperative: {cooperative} }}({joined}{no_stream})"
            )
        }
        _ => write!(f, "{head:?}({joined})"),
    }
}
