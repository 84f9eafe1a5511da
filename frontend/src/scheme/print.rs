//! Programs as text in the scheme notation. What is printed is read back as the same program
//! ([`super::same`]), if the program is well-formed and nested no deeper than the reader goes.

mod expression;
mod names;
mod operator;

use super::type_text::type_text;
use super::{literal, words};
use expression::ExpressionPrinter;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::{Form, Procedure, Program};
use gridlock_semantics::algebra::types::Type;
use names::{Names, kind_word};
use operator::OperatorPrinter;
use std::fmt::Write;

/// The whole program. Comments are no part of a program.
pub fn print(program: &Program) -> String {
    let names = Names::new(program);
    let mut out = String::new();
    if program.form == Form::Atomic {
        out.push_str("FORM ATOMIC;\n\n");
    }
    for (array, decl) in program.arrays.iter().enumerate() {
        if decl.owner.is_none() {
            let _ = writeln!(out, "{}", array_text(decl, names.declared_array(array)));
        }
    }
    for index in 0..program.procs.len() {
        if !out.is_empty() && !out.ends_with("\n\n") {
            out.push('\n');
        }
        procedure(program, &names, ProcId(index as u32), &mut out);
    }
    out
}

/// The whole program below the comment lines at the head of its first file, which say what is
/// expected of it.
pub fn print_with_head(program: &Program) -> String {
    let text = program.files.first().map_or("", |file| &file.text);
    let mut out = String::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        if !line.trim_start().starts_with("//") {
            break;
        }
        out.push_str(line.trim());
        out.push('\n');
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out + &print(program)
}

fn procedure(program: &Program, names: &Names, id: ProcId, out: &mut String) {
    let proc = program.proc(id);
    let word = kind_word(proc.kind);
    let declared = |index: usize| {
        let ty = type_text(proc.vars[index].ty);
        format!("{} : {ty}", names.var(id, index))
    };
    let n_params = proc.params.len().min(proc.vars.len());
    let params: Vec<String> = (0..n_params).map(declared).collect();
    let _ = write!(out, "{word} {}({})", names.proc(id), params.join(", "));
    if let Some(result) = proc.result {
        let _ = write!(out, " RESULT {}", names.var(id, result.0 as usize));
    }
    out.push_str("\n====\n");
    for (array, decl) in program.arrays.iter().enumerate() {
        if decl.owner == Some(id) {
            let _ = writeln!(out, "  {}", array_text(decl, names.declared_array(array)));
        }
    }
    variables(proc, names, id, n_params, out);
    let expressions = ExpressionPrinter {
        program,
        names,
        proc: id,
    };
    OperatorPrinter { expressions }.body(&proc.body, 1, out);
    let _ = writeln!(out, "END OF {word}");
}

/// Variables that stand side by side and have one type share a line.
fn variables(proc: &Procedure, names: &Names, id: ProcId, n_params: usize, out: &mut String) {
    let mut index = n_params;
    while index < proc.vars.len() {
        let ty = proc.vars[index].ty;
        let mut line = format!("  VAR {}", names.var(id, index));
        index += 1;
        while index < proc.vars.len() && proc.vars[index].ty == ty && line.len() < 80 {
            let _ = write!(line, ", {}", names.var(id, index));
            index += 1;
        }
        let _ = writeln!(out, "{line} : {};", type_text(ty));
    }
}

fn array_text(decl: &ArrayDecl, name: &str) -> String {
    let space = match decl.space {
        Space::Host => "HOST",
        Space::Global if decl.is_managed => "MANAGED",
        Space::Global => "GLOBAL",
        Space::Shared => "SHARED",
        Space::Constant => "CONSTANT",
        Space::Private => "PRIVATE",
    };
    let volatile = if decl.is_volatile { "volatile " } else { "" };
    let elem = words::type_word(decl.elem);
    let mut text = format!("{space} ARRAY {name} : {volatile}{elem}");
    if decl.extent == Extent::LaunchShared {
        text.push_str("[LAUNCH]");
    }
    for dim in &decl.dims {
        let _ = write!(text, "[{dim}]");
    }
    let product = decl.dims.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
    if let Extent::Fixed(extent) = decl.extent
        && product != Some(extent)
    {
        let _ = write!(text, " EXTENT {extent}");
    }
    if let Some(init) = &decl.init {
        let ty = Some(Type::Scalar(decl.elem));
        let cells: Vec<String> = init.iter().map(|v| literal::written(*v, ty)).collect();
        text.push_str(" := {");
        for (index, cell) in cells.iter().enumerate() {
            match index % 16 {
                0 if cells.len() > 16 => text.push_str("\n    "),
                _ => text.push(' '),
            }
            text.push_str(cell);
            text.push_str(if index + 1 < cells.len() { "," } else { " " });
        }
        text.push('}');
    }
    text.push(';');
    text
}
