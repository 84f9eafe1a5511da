//! Which array a report speaks of, by its name, and what its cells are called. Several memories of a run may have
//! one name: arrays of several procedures, arguments, allocations. Where their cells have different names, and it is
//! not known which array is meant, they are only numbered.

use crate::algebra::cell_names::CellNames;
use crate::algebra::declaration::VarDecl;
use crate::algebra::ids::{ArrayId, ProcId};
use crate::algebra::operator::{Basic, OpKind};
use crate::algebra::program::{ProcKind, Program};
use crate::algebra::types::ScalarType;
use crate::algebra::value::ArrayRef;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An array of a run, as reports speak of it.
#[derive(Clone, Copy, Debug)]
pub struct Spoken<'n> {
    name: &'n str,
    /// Its declaration, where it has one and that is known.
    declared: Option<ArrayId>,
}

impl<'n> From<&'n str> for Spoken<'n> {
    fn from(name: &'n str) -> Spoken<'n> {
        Spoken {
            name,
            declared: None,
        }
    }
}

impl<'n> From<(&'n str, Option<ArrayId>)> for Spoken<'n> {
    fn from((name, declared): (&'n str, Option<ArrayId>)) -> Spoken<'n> {
        Spoken { name, declared }
    }
}

impl<'n> From<(&'n str, ArrayRef)> for Spoken<'n> {
    fn from((name, array): (&'n str, ArrayRef)) -> Spoken<'n> {
        let declared = match array {
            ArrayRef::Shared(id) | ArrayRef::Private(id) => Some(id),
            ArrayRef::Null | ArrayRef::Global(_) | ArrayRef::Host(_) => None,
        };
        Spoken { name, declared }
    }
}

/// What the cells are called of the arrays of a run, by the arrays' names and declarations.
pub struct ArrayNames<'a> {
    program: &'a Program,
    /// `None`: several arrays of this name, whose cells have different names.
    known: BTreeMap<Arc<str>, Option<CellNames>>,
}

impl<'a> ArrayNames<'a> {
    /// The names in a run that starts at `entry`.
    pub fn new(program: &'a Program, entry: ProcId) -> ArrayNames<'a> {
        let mut names = ArrayNames {
            program,
            known: BTreeMap::new(),
        };
        let reached = reached(program, entry);
        for decl in &program.arrays {
            if decl.owner.is_none_or(|owner| reached.contains(&owner)) {
                names.add(&decl.name, program.cells.of_array(decl));
            }
        }
        if let Some(proc) = program.procs.get(entry.0 as usize) {
            for param in &proc.params {
                if let Some(var) = proc.vars.get(param.0 as usize) {
                    names.variable(&proc.name, var, &var.name, None);
                }
            }
        }
        for &id in &reached {
            let proc = program.proc(id);
            proc.body.walk(&mut |op| {
                if let OpKind::Basic(Basic::Alloc { var, elem, .. }) = &op.kind
                    && let Some(decl) = proc.vars.get(var.0 as usize)
                {
                    let name = proc.allocation_name(*var, op.span.line);
                    names.variable(&proc.name, decl, &name, Some(*elem));
                }
            });
        }
        names
    }

    /// What memory is called that has a variable's name, of cells of a type where that is known.
    fn variable(
        &mut self,
        proc: &Arc<str>,
        var: &VarDecl,
        name: &Arc<str>,
        elem: Option<ScalarType>,
    ) {
        let cells = self.program.cells.of_memory(proc, var, name, elem);
        self.add(name, cells.unwrap_or_else(|| CellNames::of_name(name)));
    }

    fn add(&mut self, name: &Arc<str>, cells: CellNames) {
        let known = self.known.entry(name.clone());
        let known = known.or_insert_with(|| Some(cells.clone()));
        if *known != Some(cells) {
            *known = None;
        }
    }

    /// A cell of the array of that name, as the source writes it.
    pub fn cell<'n>(&self, array: impl Into<Spoken<'n>>, index: i64) -> String {
        self.named(array.into(), index, CellNames::name)
    }

    /// What a pointer to a cell of that array points to: the largest struct that starts there.
    pub fn object<'n>(&self, array: impl Into<Spoken<'n>>, index: i64) -> String {
        self.named(array.into(), index, CellNames::object)
    }

    fn named(&self, array: Spoken<'_>, index: i64, text: fn(&CellNames, i64) -> String) -> String {
        let name = match (self.of_declared(array), self.known.get(array.name)) {
            (Some(cells), _) => text(&cells, index),
            (None, Some(Some(cells))) => text(cells, index),
            (None, Some(None)) => format!("{}[{index}]", array.name),
            (None, None) => text(&CellNames::of_name(array.name), index),
        };
        self.program.in_source_names(&name)
    }

    /// The variable that an array of that name is, or is part of, and how many elements of it so many cells are.
    pub fn elements<'n>(&self, array: impl Into<Spoken<'n>>, cells: u64) -> (String, u64) {
        let array = array.into();
        let declared = self.of_declared(array);
        match declared
            .as_ref()
            .or(self.known.get(array.name).and_then(Option::as_ref))
        {
            Some(known) => (
                self.program.in_source_names(&known.base),
                known.elements(cells),
            ),
            None => (array.name.to_owned(), cells),
        }
    }

    fn of_declared(&self, array: Spoken<'_>) -> Option<CellNames> {
        let decl = self.program.arrays.get(array.declared?.0 as usize)?;
        Some(self.program.cells.of_array(decl))
    }
}

/// A procedure and all it calls or launches; from host code, every procedure.
fn reached(program: &Program, entry: ProcId) -> BTreeSet<ProcId> {
    let all = || (0..program.procs.len() as u32).map(ProcId);
    let is_kernel = |proc: &crate::algebra::program::Procedure| proc.kind == ProcKind::Kernel;
    if !program.procs.get(entry.0 as usize).is_some_and(is_kernel) {
        return all().collect();
    }
    let mut reached = BTreeSet::from([entry]);
    let mut open = vec![entry];
    while let Some(next) = open.pop() {
        program.proc(next).body.walk(&mut |op| {
            if let OpKind::Call { proc, .. } = &op.kind
                && (proc.0 as usize) < program.procs.len()
                && reached.insert(*proc)
            {
                open.push(*proc);
            }
        });
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::cell_names::{Member, Shape};
    use crate::algebra::declaration::{ArrayDecl, Extent, Space};
    use crate::algebra::described_cells::DescribedCells;
    use crate::algebra::ids::VarId;
    use crate::algebra::operator::Op;
    use crate::algebra::program::{Form, Procedure};
    use crate::algebra::span::Span;
    use crate::algebra::types::Type;

    fn point(base: &str) -> CellNames {
        let member = |name: &str| Member {
            name: name.into(),
            shape: Shape::Cell,
        };
        CellNames {
            base: base.into(),
            is_array: true,
            of: Shape::Struct([member("x"), member("y")].into()),
        }
    }

    fn array(name: &str, owner: Option<u32>, extent: u64, line: u32) -> ArrayDecl {
        ArrayDecl {
            name: name.into(),
            elem: ScalarType::F32,
            extent: Extent::Fixed(extent),
            dims: vec![extent],
            space: Space::Shared,
            is_volatile: false,
            is_managed: false,
            init: None,
            owner: owner.map(ProcId),
            symbol: None,
            span: Span { line, ..Span::NONE },
        }
    }

    fn kernel(name: &str, body: Arc<Op>) -> Procedure {
        Procedure {
            name: name.into(),
            kind: ProcKind::Kernel,
            params: vec![VarId(0)],
            vars: vec![VarDecl {
                name: "p".into(),
                ty: Type::pointer_to(ScalarType::F32),
                span: Span::NONE,
            }],
            result: None,
            body,
            most_threads: None,
            span: Span::NONE,
        }
    }

    fn program() -> Program {
        let arrays = vec![array("s", Some(0), 64, 1), array("s", Some(1), 64, 2)];
        let mut program = Program {
            form: Form::Surface,
            files: vec![],
            arrays,
            procs: vec![kernel("a", Op::skip()), kernel("b", Op::skip())],
            cells: DescribedCells::default(),
        };
        let (first, param) = (program.arrays[0].clone(), program.procs[0].vars[0].clone());
        program.cells.describe_array(&first, point("s"));
        program
            .cells
            .describe_variable(&"a".into(), &param, point("p"));
        program
    }

    fn cells(program: &Program, entry: u32) -> [String; 2] {
        let names = ArrayNames::new(program, ProcId(entry));
        [names.cell("s", 3), names.cell("p", 3)]
    }

    #[test]
    fn each_kernel_has_its_own() {
        let program = program();
        assert_eq!(cells(&program, 0), ["s[1].y", "p[1].y"]);
        assert_eq!(cells(&program, 1), ["s[3]", "p[3]"]);
        let names = ArrayNames::new(&program, ProcId(0));
        assert_eq!(names.elements("s", 64), ("s".to_owned(), 32));
        assert_eq!(names.cell("s", 64), "s[32].x");
        assert_eq!(names.cell("p", -1), "p[-1].y");
        assert_eq!(names.object("p", 4), "p[2]");
    }

    /// A kernel that reaches both arrays: the name does not tell which is meant.
    #[test]
    fn two_of_one_name_are_numbered() {
        let mut program = program();
        let call = OpKind::Call {
            proc: ProcId(1),
            args: vec![],
            result: None,
        };
        program.procs[0].body = Op::new(call, Span::NONE);
        assert_eq!(cells(&program, 0), ["s[3]", "p[1].y"]);
        let second = program.arrays[1].clone();
        program.cells.describe_array(&second, point("s"));
        assert_eq!(cells(&program, 0), ["s[1].y", "p[1].y"]);
    }

    /// What is no longer as it was declared is numbered.
    #[test]
    fn what_was_changed_is_numbered() {
        let changes: [fn(&mut Program); 5] = [
            |p| p.arrays[0].extent = Extent::Fixed(66),
            |p| p.arrays[0].dims = vec![2, 32],
            |p| p.arrays[0].elem = ScalarType::I32,
            |p| p.arrays[0].name = "r".into(),
            |p| p.arrays[0].span = Span::NONE,
        ];
        for change in changes {
            let mut program = program();
            change(&mut program);
            assert_ne!(cells(&program, 0)[0], "s[1].y");
        }
        let changes: [fn(&mut Program); 3] = [
            |p| p.procs[0].name = "c".into(),
            |p| p.procs[0].vars[0].name = "q".into(),
            |p| p.procs[0].vars[0].ty = Type::pointer_to(ScalarType::I32),
        ];
        for change in changes {
            let mut program = program();
            change(&mut program);
            assert_eq!(cells(&program, 0)[1], "p[3]");
        }
    }

    #[test]
    fn names_are_no_part_of_a_program() {
        let described = program();
        let mut plain = described.clone();
        plain.cells = DescribedCells::default();
        assert_eq!(described, plain);
    }
}
