//! Programs as readable text, in a notation close to C. For people and for tests; the text says
//! everything but spans (and ids, unless asked for).
//!
//! The conversion of a subscript to `I64`, which every subscript has, is not shown.

pub mod array_names;
pub mod cell_expression;
mod expression;
mod names;
mod operator;
mod printer;
pub mod source_names;
mod written_cell;

pub use printer::PrintOptions;

use crate::algebra::declaration::{ArrayDecl, Extent, Space};
use crate::algebra::expr::Expr;
use crate::algebra::ids::ProcId;
use crate::algebra::operator::Op;
use crate::algebra::program::{ProcKind, Program};
use names::{constant, declaration};
use printer::Printer;
use std::fmt::Write;

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

/// One operator of procedure `proc`, with its cells as the source writes them.
pub fn operator_as_written(program: &Program, proc: ProcId, op: &Op) -> String {
    let printer = Printer {
        program,
        proc: program.proc(proc),
        options: PrintOptions::default(),
        as_written: true,
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
