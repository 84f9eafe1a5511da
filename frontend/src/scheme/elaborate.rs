//! From trees to a program: names are looked up, types follow from operands, constants get the
//! type that is needed where they stand.

mod domain;
mod expressions;
mod place;
mod statements;

use super::problem::{Problem, Reading};
use super::scope::{FileScope, Meaning, shown};
use super::tree::{ArrayTree, ProcTree, SchemeTree, VarTree};
use super::type_text::type_text;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, VarDecl};
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::program::{Procedure, Program};
use gridlock_semantics::algebra::span::SourceFile;
use gridlock_semantics::algebra::types::Type;
use place::{Declared, Place};

/// The program, its operators numbered. It may still be ill-formed in ways that
/// `check_well_formed` names.
pub fn elaborate(tree: &SchemeTree, file: SourceFile) -> Reading<Program> {
    let mut declared = Declared {
        names: FileScope::default(),
        arrays: Vec::new(),
        procs: Vec::new(),
    };
    for array in &tree.arrays {
        declared.array(array, None)?;
    }
    for (index, proc) in tree.procs.iter().enumerate() {
        declared.procedure(proc, ProcId(index as u32))?;
    }
    for (index, proc) in tree.procs.iter().enumerate() {
        let id = ProcId(index as u32);
        let place = Place {
            declared: &declared,
            id,
        };
        let body = place.body(&proc.body)?;
        declared.procs[index].body = body;
    }
    let mut program = Program {
        form: tree.form,
        files: vec![file],
        arrays: declared.arrays,
        procs: declared.procs,
        cells: Default::default(),
    };
    program.number_operators();
    Ok(program)
}

impl Declared {
    fn procedure(&mut self, tree: &ProcTree, id: ProcId) -> Reading<()> {
        self.names
            .declare_proc(tree.kind, &tree.name, id, tree.name_at)?;
        self.names.inside.push(Default::default());
        let own = self.names.inside.len() - 1;
        let mut vars = Vec::new();
        let mut declare_var = |names: &mut FileScope, var: &VarTree| {
            let meaning = Meaning::Var(VarId(vars.len() as u32));
            names.inside[own].declare(&var.name, meaning, var.at)?;
            vars.push(VarDecl {
                name: var.name.text.clone(),
                ty: var.ty,
                span: var.at,
            });
            Ok(())
        };
        for var in tree.params.iter().chain(&tree.vars) {
            declare_var(&mut self.names, var)?;
        }
        for array in &tree.arrays {
            self.array(array, Some(id))?;
        }
        let result = match &tree.result {
            None => None,
            Some((name, at)) => match self.names.inside[own].get(name) {
                Some(Meaning::Var(var)) => Some(var),
                _ => {
                    let message = format!(
                        "the result {} is neither a parameter nor a variable of the procedure",
                        shown(name)
                    );
                    return Problem::at(*at, message);
                }
            },
        };
        self.procs.push(Procedure {
            name: tree.name.text.clone(),
            kind: tree.kind,
            params: (0..tree.params.len() as u32).map(VarId).collect(),
            vars,
            result,
            body: gridlock_semantics::algebra::operator::Op::skip(),
            most_threads: None,
            span: tree.at,
        });
        Ok(())
    }

    fn array(&mut self, tree: &ArrayTree, owner: Option<ProcId>) -> Reading<()> {
        let meaning = Meaning::Array(ArrayId(self.arrays.len() as u32));
        let scope = match owner {
            Some(owner) => &mut self.names.inside[owner.0 as usize],
            None => &mut self.names.arrays,
        };
        scope.declare(&tree.name, meaning, tree.at)?;
        let mut cells = None;
        if let Some(init) = &tree.init {
            let mut values = Vec::new();
            for cell in init {
                let ty = Type::Scalar(tree.elem);
                match expressions::constant(cell, ty)? {
                    Some(Expr {
                        ty: given,
                        kind: ExprKind::Const(value),
                    }) if given == ty => values.push(value),
                    _ => {
                        let needed = type_text(ty);
                        let message = format!("a constant of type `{needed}` is needed here");
                        return Problem::at(cell.at, message);
                    }
                }
            }
            cells = Some(values);
        }
        let extent = match (tree.is_launch_shared, tree.extent) {
            (true, Some(_)) => {
                let message = "`LAUNCH` says the extent: `EXTENT` cannot say another";
                return Problem::at(tree.at, message);
            }
            (true, None) => Extent::LaunchShared,
            (false, Some(extent)) => Extent::Fixed(extent),
            (false, None) => {
                let product = tree.dims.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
                match product {
                    Some(product) => Extent::Fixed(product),
                    None => {
                        let message = format!("{} has too many elements", shown(&tree.name));
                        return Problem::at(tree.at, message);
                    }
                }
            }
        };
        self.arrays.push(ArrayDecl {
            name: tree.name.text.clone(),
            elem: tree.elem,
            extent,
            dims: tree.dims.clone(),
            space: tree.space,
            is_volatile: tree.is_volatile,
            is_managed: tree.is_managed,
            init: cells,
            owner,
            symbol: None,
            span: tree.at,
        });
        Ok(())
    }
}
