//! A program under construction: its arrays, and which procedure each function becomes.

use crate::types::ctype::QualifiedType;
use clang_ast::Id;
use gridlock_semantics::algebra::cell_names::CellNames;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Space};
use gridlock_semantics::algebra::described_cells::DescribedCells;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A version of a function: its index in the unit, and whether it is the host's.
pub(crate) type Version = (usize, bool);

#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub arrays: Vec<ArrayDecl>,
    /// The arrays that a host program may fill ([`crate::parsed::Parsed::fillable`]).
    fillable: BTreeSet<ArrayId>,
    /// The axes that the source of each procedure asks about ([`crate::parsed::Parsed::asked`]).
    pub asked: BTreeMap<ProcId, LaunchAxes>,
    globals: HashMap<(Id, Space, ScalarType), ArrayId>,
    launch_shared: Vec<ArrayId>,
    /// The same, by the names found to denote one memory.
    launch_shared_of: HashMap<Id, ArrayId>,
    /// The uses of dynamic shared memory: the procedure, the array and the place.
    launch_shared_uses: Vec<(ProcId, ArrayId, Span)>,
    /// The names of the cells of arrays, with the type of the memory; `None` where two different ones were recorded.
    cells: BTreeMap<ArrayId, (QualifiedType, Option<CellNames>)>,
    procs: HashMap<Version, ProcId>,
    main: Option<ProcId>,
    reasons: HashMap<Version, String>,
}

impl Builder {
    /// `reasons` are the versions left out, and why.
    pub fn new(
        procs: HashMap<Version, ProcId>,
        main: Option<ProcId>,
        reasons: HashMap<Version, String>,
    ) -> Builder {
        Builder {
            procs,
            main,
            reasons,
            ..Builder::default()
        }
    }

    /// The procedure a function becomes; `None` when it is left out.
    pub fn proc(&self, function: usize, on_host: bool) -> Option<ProcId> {
        self.procs.get(&(function, on_host)).copied()
    }

    /// Why a function is left out.
    pub fn reason(&self, function: usize, on_host: bool) -> Option<&str> {
        self.reasons.get(&(function, on_host)).map(String::as_str)
    }

    pub fn is_main(&self, proc: ProcId) -> bool {
        self.main == Some(proc)
    }

    pub fn array(&self, id: ArrayId) -> &ArrayDecl {
        &self.arrays[id.0 as usize]
    }

    pub fn add_array(&mut self, decl: ArrayDecl) -> ArrayId {
        self.arrays.push(decl);
        ArrayId(self.arrays.len() as u32 - 1)
    }

    /// How many arrays there are, to come back to with [`Builder::reset`].
    pub fn mark(&self) -> usize {
        self.arrays.len()
    }

    /// Forgets the arrays made since `mark`.
    pub fn reset(&mut self, mark: usize) {
        self.arrays.truncate(mark);
        let is_kept = |array: &ArrayId| (array.0 as usize) < mark;
        self.globals.retain(|_, array| is_kept(array));
        self.fillable.retain(is_kept);
        self.cells.retain(|array, _| is_kept(array));
        self.launch_shared.retain(is_kept);
        self.launch_shared_of.retain(|_, array| is_kept(array));
        self.launch_shared_uses
            .retain(|(_, array, _)| is_kept(array));
    }

    /// The array of one group of a variable at file scope, declared at its first use.
    pub fn global(&mut self, id: Id, space: Space, decl: ArrayDecl) -> ArrayId {
        let key = (id, space, decl.elem);
        if let Some(&array) = self.globals.get(&key) {
            return array;
        }
        let array = self.add_array(decl);
        self.globals.insert(key, array);
        array
    }

    /// Whether names of an array's cells, as memory of a type, are recorded.
    pub fn names_cells_of(&self, array: ArrayId, ty: &QualifiedType) -> bool {
        self.cells.get(&array).is_some_and(|(known, _)| known == ty)
    }

    /// Records the names of an array's cells as memory of a type, `None` if they are not known.
    pub fn name_cells(&mut self, array: ArrayId, ty: &QualifiedType, cells: Option<CellNames>) {
        let new = || (ty.clone(), cells.clone());
        let (_, known) = self.cells.entry(array).or_insert_with(new);
        if *known != cells {
            *known = None;
        }
    }

    /// The names of the cells of the arrays.
    pub fn described_cells(&self) -> DescribedCells {
        let mut described = DescribedCells::default();
        for (array, (_, cells)) in &self.cells {
            if let Some(cells) = cells {
                described.describe_array(self.array(*array), cells.clone());
            }
        }
        described
    }

    pub fn may_be_filled(&mut self, array: ArrayId) {
        self.fillable.insert(array);
    }

    /// Takes out the arrays, and which of them a host program may fill.
    pub fn into_arrays(self) -> (Vec<ArrayDecl>, Vec<ArrayId>) {
        (self.arrays, self.fillable.into_iter().collect())
    }

    /// The array of `extern __shared__`. Declarations of one name and type are one array, and so
    /// are those of one `memory`.
    pub fn launch_shared(&mut self, decl: ArrayDecl, memory: Option<Id>) -> ArrayId {
        if let Some(&array) = memory.and_then(|memory| self.launch_shared_of.get(&memory)) {
            return array;
        }
        let array = self.dynamic_array(decl);
        if let Some(memory) = memory {
            self.launch_shared_of.insert(memory, array);
        }
        array
    }

    fn dynamic_array(&mut self, decl: ArrayDecl) -> ArrayId {
        let same = |&&id: &&ArrayId| {
            let other = self.array(id);
            other.name == decl.name
                && other.elem == decl.elem
                && other.is_volatile == decl.is_volatile
        };
        if let Some(&array) = self.launch_shared.iter().find(same) {
            return array;
        }
        let array = self.add_array(decl);
        self.launch_shared.push(array);
        array
    }

    pub fn uses_launch_shared(&mut self, proc: ProcId, array: ArrayId, span: Span) {
        self.launch_shared_uses.push((proc, array, span));
    }

    /// Where one of `procs` names dynamic shared memory by another array than `first`'s: the
    /// two would be two views of one memory.
    pub fn second_view(&self, procs: &[ProcId]) -> Option<(ProcId, Span, Arc<str>)> {
        let mut uses = self
            .launch_shared_uses
            .iter()
            .filter(|(proc, _, _)| procs.contains(proc));
        let (_, first, _) = uses.next()?;
        uses.find(|(_, array, _)| array != first)
            .map(|&(proc, array, span)| (proc, span, self.array(array).name.clone()))
    }
}
