//! What arrays hold at first where a model of the solver is to become a launch: the cells that the
//! situation reads, as the model has them. Where the kernel assumes something about contents, every
//! thread of the launch is asked to meet it, so that the run does not end before it begins.

use crate::kernel::analysis::Analysis;
use crate::kernel::request::ProofRequest;
use crate::solver::solve::{Answer, Reader, Reading};
use crate::terms::array_key::ArrayKey;
use crate::terms::term::{BitOp, Node, Order, Scope, TermId};
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Contents, Launch};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;
use z3::Model;
use z3::ast::Bool;

/// Cells from here on are not named: contents are listed from the first cell on.
const MOST_CELLS: u64 = 4096;
/// What small contents are at most, below 0 or above.
const SMALL: u64 = 100;
/// Threads of a launch, at most, of which each is asked to meet what the kernel assumes.
const MOST_THREADS: u64 = 1024;

/// By array, the cells that a model speaks of, and the bits they hold.
#[derive(Debug, Default)]
pub struct Cells(BTreeMap<ArrayKey, BTreeMap<u64, u64>>);

impl Cells {
    /// The contents of an array of such elements, zero where the model says nothing; `None` where it
    /// says nothing at all, or the elements are of a type whose operations the solver does not know.
    /// Cells from `extent` on are no cells.
    pub fn contents(
        &self,
        array: ArrayKey,
        elem: ScalarType,
        extent: Option<u64>,
    ) -> Option<Contents> {
        let cells = self.0.get(&array).filter(|_| !elem.is_float())?;
        let (&last, _) = cells.range(..extent.unwrap_or(MOST_CELLS)).next_back()?;
        let value = |index: u64| match (cells.get(&index), elem) {
            (None, _) => Value::zero(elem),
            (Some(bits), ScalarType::Bool) => Value::Bool(*bits != 0),
            (Some(bits), elem) => Value::int(elem, i128::from(*bits)),
        };
        Some(Contents::Values((0..=last).map(value).collect()))
    }

    /// The same of the arrays that the file declares.
    pub fn declared(&self, program: &Program) -> BTreeMap<ArrayId, Contents> {
        let named = self.0.keys().filter_map(|key| match key {
            ArrayKey::Declared(id) => Some(*id),
            _ => None,
        });
        let told = |id: ArrayId| {
            let decl = program.array(id);
            let extent = match decl.extent {
                Extent::Fixed(elements) => Some(elements),
                Extent::LaunchShared => None,
            };
            let contents = self.contents(ArrayKey::Declared(id), decl.elem, extent)?;
            Some((id, contents))
        };
        named.filter_map(told).collect()
    }
}

/// Contents with which a launch meets what a kernel assumes of them, in every thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Met {
    /// Of the arrays that pointer parameters point to, by parameter.
    pub params: BTreeMap<VarId, Contents>,
    /// Of the arrays that the file declares (`__device__`, `__constant__`).
    pub declared: BTreeMap<ArrayId, Contents>,
}

/// Contents of arrays with which the launch and the scalars of `request` meet the assumptions of
/// `kernel`, as far as the solver can say. `None`: the kernel assumes nothing of contents, the launch
/// has too many threads, or there are none.
pub fn contents_that_meet(
    program: &Program,
    kernel: ProcId,
    request: &ProofRequest,
) -> Option<Met> {
    let launch = request.launch?;
    let mut analysis = Analysis::new(program, kernel, request).ok()?;
    let readings = analysis.assumed_of_all(&launch)?;
    let Answer::Satisfiable(model) = analysis.ask(&readings, &[]) else {
        return None;
    };
    let cells = analysis.cells(&model, &readings);
    let procedure = program.proc(kernel);
    let mut param = |var: &VarId| match procedure.vars[var.0 as usize].ty {
        Type::Pointer(pointer) => {
            let array = ArrayKey::Param(*var);
            let extent = analysis.extents.get(&array).copied();
            let extent = match extent {
                Some(term) => Some(analysis.read(&model, term, Reader::FIRST)?),
                None => None,
            };
            Some((*var, cells.contents(array, pointer.elem, extent)?))
        }
        Type::Scalar(_) => None,
    };
    Some(Met {
        params: procedure.params.iter().filter_map(&mut param).collect(),
        declared: cells.declared(program),
    })
}

impl Analysis<'_> {
    /// A model of the same situation at the same launch in which every thread meets what the kernel
    /// assumes; `None` where nothing is assumed of a thread, or there is none.
    pub fn where_all_meet(
        &mut self,
        readings: &[Reading],
        extra: &[Bool],
        launch: &Launch,
    ) -> Option<(Rc<Model>, Vec<Reading>)> {
        let mut all = self.assumed_of_all(launch)?;
        all.extend_from_slice(readings);
        for (axis, d) in self.machine.launch.dimensions.into_iter().enumerate() {
            for (extent, given) in [
                (d.block_extent, launch.block[axis]),
                (d.grid_extent, launch.grid[axis]),
            ] {
                let given = self.machine.terms.bits(32, u64::from(given));
                let same = self.machine.terms.eq(extent, given);
                all.push((same, Reader::FIRST));
            }
        }
        match self.ask(&all, extra) {
            Answer::Satisfiable(model) => Some((model, all)),
            _ => None,
        }
    }

    /// What the kernel assumes, of each thread of a launch.
    fn assumed_of_all(&mut self, launch: &Launch) -> Option<Vec<Reading>> {
        let terms = &mut self.machine.terms;
        let mut assumed = Vec::new();
        for one in &self.whole.assumed {
            let met = terms.implies(one.path, one.cond);
            // What speaks of scalars and the launch alone is a matter of those.
            if speaks_of_contents(terms, &self.machine.loaded, met) {
                assumed.push(met);
            }
        }
        let few = launch.n_threads().saturating_mul(launch.n_blocks()) <= MOST_THREADS;
        if assumed.is_empty() || !few {
            return None;
        }
        let definitions = self.machine.launch.definitions.clone();
        let mut readings = Vec::new();
        for block in 0..launch.n_blocks() as u32 {
            for thread in 0..launch.n_threads() as u32 {
                // The first two of each are those of the situation.
                let reader = Reader {
                    block: 2 + block as u16,
                    interval: 2,
                    thread: 2 + thread as u16,
                };
                let here = Launch::coordinates(launch.grid, block);
                let this = Launch::coordinates(launch.block, thread);
                for (axis, d) in self.machine.launch.dimensions.into_iter().enumerate() {
                    for (index, given) in [(d.block, here[axis]), (d.thread, this[axis])] {
                        let given = self.machine.terms.bits(32, u64::from(given));
                        readings.push((self.machine.terms.eq(index, given), reader));
                    }
                }
                let parts = definitions.iter().chain(&assumed);
                readings.extend(parts.map(|part| (*part, reader)));
            }
        }
        Some(readings)
    }

    /// The cells whose contents the readings speak of, in a model.
    pub fn cells(&mut self, model: &Model, readings: &[Reading]) -> Cells {
        let mut cells = Cells::default();
        for (array, offset, value, reader) in self.loads_in(readings) {
            let read = |a: &mut Self, term| {
                let terms = &a.machine.terms;
                a.prover.value(terms, model, term, reader)
            };
            let (Some(index), Some(bits)) = (read(self, offset), read(self, value)) else {
                continue;
            };
            if index < MOST_CELLS {
                let of_array = cells.0.entry(array).or_default();
                of_array.entry(index).or_insert(bits);
            }
        }
        cells
    }

    /// That the cells which the readings speak of lie where contents can name them.
    pub fn cells_are_near(&mut self, readings: &[Reading]) -> Vec<Reading> {
        let loads = self.loads_in(readings);
        let terms = &mut self.machine.terms;
        let most = terms.bits(64, MOST_CELLS);
        let near = |(_, offset, _, reader)| {
            let bound = terms.less(Order::UnsignedLess, offset, most);
            (bound, reader)
        };
        loads.into_iter().map(near).collect()
    }

    /// That what the readings take from arrays is a small number, below 0 or not.
    pub fn contents_are_small(&mut self, readings: &[Reading]) -> Vec<Reading> {
        let mut small = Vec::new();
        for (array, _, value, reader) in self.loads_in(readings) {
            let is_integer = self.element_type(array).is_some_and(ScalarType::is_integer);
            let terms = &mut self.machine.terms;
            let width = terms.width(value);
            if is_integer && width > 8 {
                let least = terms.bits(width, SMALL);
                let above = terms.bit(BitOp::Add, value, least);
                let most = terms.bits(width, 2 * SMALL);
                small.push((terms.less(Order::UnsignedLessEq, above, most), reader));
            }
        }
        small
    }

    /// That no integer which the readings take from an array is negative.
    pub fn contents_are_ordinary(&mut self, readings: &[Reading]) -> Vec<Reading> {
        let mut ordinary = Vec::new();
        for (array, _, value, reader) in self.loads_in(readings) {
            let elem = self.element_type(array);
            if elem.is_some_and(|elem| elem.is_integer() && elem.is_signed()) {
                let terms = &mut self.machine.terms;
                let zero = terms.bits(terms.width(value), 0);
                let bound = terms.less(Order::SignedLessEq, zero, value);
                ordinary.push((bound, reader));
            }
        }
        ordinary
    }

    fn element_type(&self, array: ArrayKey) -> Option<ScalarType> {
        match array {
            ArrayKey::Null => None,
            ArrayKey::Param(var) => {
                let procedure = self.program.proc(self.kernel);
                procedure.vars[var.0 as usize].ty.pointer().map(|p| p.elem)
            }
            ArrayKey::Declared(id) => Some(self.program.array(id).elem),
        }
    }

    /// Array, offset and value of each load that the readings speak of, and its reader.
    fn loads_in(&self, readings: &[Reading]) -> Vec<(ArrayKey, TermId, TermId, Reader)> {
        let terms = &self.machine.terms;
        let mut seen: FxHashSet<Reading> = FxHashSet::default();
        let mut stack: Vec<Reading> = readings.to_vec();
        let mut found = Vec::new();
        while let Some((term, reader)) = stack.pop() {
            let shared = match terms.scope(term) {
                Scope::Grid => Reader::FIRST,
                _ => reader,
            };
            if !seen.insert((term, shared)) {
                continue;
            }
            if let Some(&(array, offset)) = self.machine.loaded.get(&term) {
                found.push((array, offset, term, reader));
                stack.push((offset, reader));
            }
            stack.extend(terms.children(term).into_iter().map(|c| (c, reader)));
        }
        // The order of a stack would do, but that of the terms is easier to follow.
        found.sort_by_key(|(array, offset, value, reader)| {
            let at = (reader.block, reader.interval, reader.thread);
            (*array, at, *offset, *value)
        });
        found
    }
}

fn speaks_of_contents(
    terms: &crate::terms::term::Terms,
    loaded: &rustc_hash::FxHashMap<TermId, (ArrayKey, TermId)>,
    term: TermId,
) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if loaded.contains_key(&term) {
            return true;
        }
        if !matches!(terms.node(term), Node::Symbol(_)) {
            stack.extend(terms.children(term));
        }
    }
    false
}
