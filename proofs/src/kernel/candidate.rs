//! From a model of the solver to a small launch with arguments, in which another engine looks for
//! the defect.

use crate::kernel::analysis::{Analysis, Doubts, Obstacle};
use crate::kernel::outcome::{Candidate, CandidateSite};
use crate::kernel::prove::FEWEST_THREADS;
use crate::machine::state::Access;
use crate::solver::solve::{Answer, Reader, Reading};
use crate::terms::array_key::ArrayKey;
use crate::terms::simplify::as_signed;
use crate::terms::term::{Node, Order, TermId};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::arbitrary;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use gridlock_semantics::transition::Actor;
use std::rc::Rc;
use z3::Model;
use z3::ast::Bool;

/// Two threads (or one) in a situation that would be a defect.
#[derive(Clone)]
pub struct Suspicion {
    pub kind: DefectKind,
    pub readings: Vec<Reading>,
    /// Two accesses that touch one element, or one access that is out of bounds.
    pub accesses: Vec<(Access, Reader)>,
    /// Other places the threads stand at.
    pub places: Vec<(OpId, Reader)>,
    /// Path and condition of decisions both threads take alike where both come to them.
    pub together: Vec<(TermId, TermId)>,
    pub message: String,
}

/// Bounds within which a model is first looked for: threads in a dimension of the block, blocks in
/// a dimension of the grid, scalar arguments, the least and the most.
type Size = (u64, u64, Option<(i64, u64)>);
const SIZES: [Size; 5] = [
    (4, 2, Some((0, 16))),
    (8, 3, Some((0, 64))),
    (8, 3, Some((-4, 16))),
    (64, 3, Some((0, 1024))),
    (1024, 4, None),
];
/// In the first so many of them contents of arrays are small, too.
const SMALL_CONTENTS: usize = 2;
/// Situations asked about in one question.
const BATCH: usize = 24;
/// Elements beyond which an access is not worth replaying.
const MAX_INDEX: u64 = 1 << 20;
/// Dynamic shared memory of a candidate's launch, in bytes, when the size is not given. That an index lies beyond
/// it is no defect: who replays the candidate tries more.
const SHARED_BYTES: u32 = 32 << 10;

/// A situation that is possible, but in no launch that can be run.
fn of_large_launches(suspicion: &Suspicion) -> Obstacle {
    let why = format!(
        "{}, as far as the over-approximation shows, but in no launch small enough to replay",
        suspicion.message
    );
    let mut obstacle = Obstacle::new(Reason::Inconclusive, why);
    obstacle.is_of_size = true;
    obstacle
}

impl Analysis<'_> {
    /// Decides many situations: first whether any of them is possible, in few queries, then one
    /// by one where that is not excluded.
    ///
    /// Situations are made when they are asked about: there may be very many. Once nothing more can be asked
    /// and that is said, the rest is left.
    pub fn decide_all(
        &mut self,
        suspicions: impl IntoIterator<Item = Suspicion>,
        doubts: &mut Doubts,
    ) {
        let mut suspicions = suspicions.into_iter().peekable();
        while suspicions.peek().is_some() && !doubts.are_enough() {
            if doubts.open.is_some() && self.prover.is_spent() {
                return;
            }
            let batch: Vec<Suspicion> = suspicions.by_ref().take(BATCH).collect();
            let excluded = batch.len() > 1 && self.excludes(&batch);
            if excluded {
                continue;
            }
            if batch.len() > 1 && self.excludes_of_small_launches(&batch) {
                doubts.open.get_or_insert(of_large_launches(&batch[0]));
                continue;
            }
            for suspicion in batch {
                self.decide(suspicion, doubts);
            }
        }
    }

    /// [`Analysis::decide_all`], but that a candidate must also meet `given`: one that does not
    /// leaves the matter open.
    pub fn decide_all_given(
        &mut self,
        suspicions: Vec<Suspicion>,
        given: TermId,
        doubts: &mut Doubts,
    ) {
        let mut suspicions = suspicions.into_iter().peekable();
        while suspicions.peek().is_some() && !doubts.are_enough() {
            let batch: Vec<Suspicion> = suspicions.by_ref().take(BATCH).collect();
            if self.excludes(&batch) {
                continue;
            }
            if self.excludes_of_small_launches(&batch) {
                doubts.open.get_or_insert(of_large_launches(&batch[0]));
                continue;
            }
            for mut suspicion in batch {
                let extra = self.extra(&suspicion);
                if self
                    .ask_for_any(&suspicion.readings, &extra)
                    .is_unsatisfiable()
                {
                    continue;
                }
                let why = format!("{}, for some arguments", suspicion.message);
                let anyhow = suspicion.clone();
                suspicion.readings.push((given, Reader::FIRST));
                let ordinary = self.contents_are_ordinary(&suspicion.readings);
                suspicion.readings.extend(ordinary);
                let mut within = Doubts::default();
                self.decide(suspicion, &mut within);
                doubts.models += within.models;
                if within.suspected.is_none() {
                    let obstacle = Obstacle::new(Reason::Inconclusive, why);
                    if doubts.open.replace(obstacle).is_none() {
                        self.out_of_the_ordinary(anyhow);
                    }
                }
                doubts.suspected = doubts.suspected.take().or(within.suspected);
            }
        }
    }

    /// Looks for a launch in which the situation is possible for arguments or contents of whatever kind.
    fn out_of_the_ordinary(&mut self, suspicion: Suspicion) {
        let known = self.candidates.len();
        self.decide(suspicion, &mut Doubts::default());
        for candidate in &mut self.candidates[known..] {
            candidate.is_ordinary = false;
        }
    }

    /// Whether none of the situations is possible, asked as one question.
    fn excludes(&mut self, batch: &[Suspicion]) -> bool {
        let mut readers = Vec::new();
        let mut any = Vec::new();
        let always = self.machine.terms.bool(true);
        for suspicion in batch {
            let mut parts = self.extra(suspicion);
            for &(term, reader) in &suspicion.readings {
                readers.push((always, reader));
                parts.push(self.prover.formula(&self.machine.terms, term, reader));
            }
            any.push(Bool::and(&parts));
        }
        readers.dedup();
        let cut = self.prover.cut;
        let answer = self.ask_for_any(&readers, &[Bool::or(&any)]);
        // What is open here is asked again, one by one.
        self.prover.cut = cut;
        answer.is_unsatisfiable()
    }

    /// Whether none of the situations is possible in a launch of as many threads as proofs are bounded to: no launch
    /// that is small enough to run shows one then.
    fn excludes_of_small_launches(&mut self, batch: &[Suspicion]) -> bool {
        if !self.request.bounds_launches || self.request.launch.is_some() {
            return false;
        }
        let launch = &mut self.machine.launch;
        let known = launch.facts.len();
        let bound = launch.bound(&mut self.machine.terms, FEWEST_THREADS);
        launch.facts.extend(bound);
        let excluded = self.excludes(batch);
        self.machine.launch.facts.truncate(known);
        excluded
    }

    /// Asks whether the situation is possible; if so, looks for a launch to replay.
    pub fn decide(&mut self, suspicion: Suspicion, doubts: &mut Doubts) {
        if doubts.are_enough() {
            return;
        }
        let extra = self.extra(&suspicion);
        match self.ask_for_any(&suspicion.readings, &extra) {
            Answer::Unsatisfiable => {}
            Answer::Open(why) => {
                let obstacle = self.gave_up(&suspicion.message, &why);
                doubts.open.get_or_insert(obstacle);
            }
            Answer::Satisfiable(_) => {
                if self.excludes_of_small_launches(std::slice::from_ref(&suspicion)) {
                    doubts.open.get_or_insert(of_large_launches(&suspicion));
                    return;
                }
                doubts.models += 1;
                if let Some(candidate) = self.concretise(&suspicion, &extra) {
                    doubts.suspected.get_or_insert(suspicion.message.clone());
                    self.candidates.push(candidate);
                } else {
                    doubts.open.get_or_insert(of_large_launches(&suspicion));
                }
            }
        }
    }

    /// What else the situation says: the threads differ, the elements are the same.
    fn extra(&mut self, suspicion: &Suspicion) -> Vec<Bool> {
        let mut extra = Vec::new();
        let rows = match suspicion.accesses.as_slice() {
            [(a, _), (b, _)] => self.row(a).zip(self.row(b)),
            _ => None,
        };
        let mut others = suspicion.readings.iter().map(|r| r.1);
        let other = others.find(|&r| r != Reader::FIRST);
        let terms = &self.machine.terms;
        let launch = &self.machine.launch;
        if let Some(other) = other {
            if other.block == Reader::FIRST.block {
                extra.push(self.prover.different_threads(terms, launch, other));
            } else {
                extra.extend(self.prover.different_blocks(terms, launch, other));
            }
            for &(path, cond) in &suspicion.together {
                let both = Bool::and(&[
                    self.prover.formula(terms, path, Reader::FIRST),
                    self.prover.formula(terms, path, other),
                ]);
                let a = self.prover.formula(terms, cond, Reader::FIRST);
                let b = self.prover.formula(terms, cond, other);
                extra.push(both.implies(a.eq(&b)));
            }
        }
        if let [(a, reader_a), (b, reader_b)] = suspicion.accesses.as_slice() {
            if let Some((x, y)) = rows.filter(|(x, y)| x.length == y.length) {
                for (x, y) in [(x.row, y.row), (x.column, y.column)] {
                    let x = self.prover.word(terms, x, *reader_a);
                    let y = self.prover.word(terms, y, *reader_b);
                    extra.push(x.eq(&y));
                }
                return extra;
            }
            // Compare what was extended, where both were extended alike.
            let (x, y) = match (terms.node(a.index), terms.node(b.index)) {
                (Node::ZeroExt(_, x), Node::ZeroExt(_, y))
                | (Node::SignExt(_, x), Node::SignExt(_, y))
                    if terms.width(*x) == terms.width(*y) =>
                {
                    (*x, *y)
                }
                _ => (a.index, b.index),
            };
            let x = self.prover.word(terms, x, *reader_a);
            let y = self.prover.word(terms, y, *reader_b);
            extra.push(x.eq(&y));
        }
        extra
    }

    /// A launch in which the situation is possible, the smaller the better.
    fn concretise(&mut self, suspicion: &Suspicion, extra: &[Bool]) -> Option<Candidate> {
        for (turn, size) in SIZES.into_iter().enumerate() {
            let mut readings = suspicion.readings.clone();
            for bound in self.size_bounds(size, suspicion) {
                readings.push(bound);
            }
            for &(_, reader) in &suspicion.readings {
                for &definition in &self.machine.launch.definitions {
                    readings.push((definition, reader));
                }
            }
            if size.2.is_some() {
                readings.extend(self.cells_are_near(&suspicion.readings));
            }
            if turn < SMALL_CONTENTS {
                readings.extend(self.contents_are_small(&suspicion.readings));
            }
            if let Answer::Satisfiable(model) = self.ask(&readings, extra) {
                let model = match suspicion.kind {
                    DefectKind::DataRace => self.of_threads_inside(model, &mut readings, extra),
                    _ => model,
                };
                let launch = self.model_launch(&model)?;
                let (model, readings) = self
                    .where_all_meet(&readings, extra, &launch)
                    .unwrap_or((model, readings));
                return self.candidate(suspicion, &model, &readings);
            }
        }
        None
    }

    /// A run that ends outside of an array may not come to a race: a model whose threads stay inside, if there is one.
    fn of_threads_inside(
        &mut self,
        model: Rc<Model>,
        readings: &mut Vec<Reading>,
        extra: &[Bool],
    ) -> Rc<Model> {
        let inside = self.accesses_are_inside();
        let mut readers: Vec<Reader> = readings.iter().map(|reading| reading.1).collect();
        readers.dedup();
        let are_inside = readers.iter().all(|&reader| {
            let formula = self.prover.formula(&self.machine.terms, inside, reader);
            let holds = model.eval(&formula, true);
            holds.and_then(|holds| holds.as_bool()) == Some(true)
        });
        if are_inside {
            return model;
        }
        let mut preferred = readings.clone();
        preferred.extend(readers.into_iter().map(|reader| (inside, reader)));
        match self.ask(&preferred, extra) {
            Answer::Satisfiable(better) => {
                *readings = preferred;
                better
            }
            _ => model,
        }
    }

    /// That a thread accesses no element outside of its array, as far as extents are known, and none below 0.
    fn accesses_are_inside(&mut self) -> TermId {
        let mut all = self.machine.terms.bool(true);
        for access in &self.whole.accesses {
            let terms = &mut self.machine.terms;
            let inside = match self.extents.get(&access.array) {
                Some(extent) => terms.less(Order::UnsignedLess, access.index, *extent),
                None => {
                    let first = terms.bits(64, 0);
                    terms.less(Order::SignedLessEq, first, access.index)
                }
            };
            let inside = terms.implies(access.path, inside);
            all = terms.and(all, inside);
        }
        all
    }

    fn size_bounds(
        &mut self,
        (threads, blocks, scalars): Size,
        suspicion: &Suspicion,
    ) -> Vec<Reading> {
        let mut bounds = Vec::new();
        let terms = &mut self.machine.terms;
        if self.request.launch.is_none() {
            for d in self.machine.launch.dimensions {
                for (extent, most) in [(d.block_extent, threads), (d.grid_extent, blocks)] {
                    let most = terms.bits(32, most);
                    let bound = terms.less(Order::UnsignedLessEq, extent, most);
                    bounds.push((bound, Reader::FIRST));
                }
            }
        }
        if let Some((least, most)) = scalars {
            let procedure = self.program.proc(self.kernel);
            for &param in &procedure.params {
                let ty = procedure.vars[param.0 as usize].ty.scalar();
                let Some(ty) = ty.filter(|ty| ty.is_integer()) else {
                    continue;
                };
                let given = self.request.scalars.contains_key(&param);
                if !given
                    && let Some(crate::machine::value::SymValue::Scalar(term)) =
                        self.entry.get(param)
                {
                    let width = terms.width(*term);
                    let last = terms.bits(width, most.min(100));
                    let bound = match least < 0 && ty.is_signed() {
                        false => terms.less(Order::UnsignedLessEq, *term, last),
                        true => {
                            let first = terms.bits(width, least as u64);
                            let above = terms.less(Order::SignedLessEq, first, *term);
                            let below = terms.less(Order::SignedLessEq, *term, last);
                            terms.and(above, below)
                        }
                    };
                    bounds.push((bound, Reader::FIRST));
                }
            }
        }
        if suspicion.kind == DefectKind::DataRace {
            for (access, reader) in &suspicion.accesses {
                let most = terms.bits(64, MAX_INDEX);
                let bound = terms.less(Order::UnsignedLess, access.index, most);
                bounds.push((bound, *reader));
            }
        }
        bounds
    }

    fn candidate(
        &mut self,
        suspicion: &Suspicion,
        model: &Model,
        readings: &[Reading],
    ) -> Option<Candidate> {
        let launch = self.model_launch(model)?;
        let mut readings = readings.to_vec();
        readings.extend(suspicion.accesses.iter().map(|(a, r)| (a.index, *r)));
        let cells = self.cells(model, &readings);
        let procedure = self.program.proc(self.kernel);
        let mut args = Vec::new();
        let mut arrays = Vec::new();
        for &param in &procedure.params {
            let decl = &procedure.vars[param.0 as usize];
            match decl.ty {
                Type::Pointer(pointer) => {
                    let extent = self.extents.get(&ArrayKey::Param(param)).copied();
                    let extent = match extent {
                        Some(term) => Some(self.read(model, term, Reader::FIRST)?),
                        None => None,
                    };
                    args.push(Arg::Array(arrays.len()));
                    arrays.push(ArrayArg {
                        name: decl.name.clone(),
                        elem: pointer.elem,
                        extent,
                        contents: match procedure.is_arbitrary(param) {
                            true => arbitrary::contents(&decl.name, pointer.elem, 1),
                            false => cells
                                .contents(ArrayKey::Param(param), pointer.elem, extent)
                                .unwrap_or(Contents::Random { seed: 1 }),
                        },
                        observed: !pointer.is_const,
                    });
                }
                Type::Scalar(ty) => {
                    args.push(Arg::Scalar(self.model_scalar(model, param, ty)?));
                }
            }
        }
        let mut sites = Vec::new();
        for (access, reader) in &suspicion.accesses {
            let index = self.read(model, access.index, *reader)?;
            sites.push(CandidateSite {
                op: access.op,
                actor: self.actor(model, &launch, *reader)?,
                mode: Some(access.mode),
                element: Some((self.array_name(access.array), as_signed(index, 64))),
            });
        }
        for &(op, reader) in &suspicion.places {
            sites.push(CandidateSite {
                op,
                actor: self.actor(model, &launch, reader)?,
                mode: None,
                element: None,
            });
        }
        Some(Candidate {
            kind: suspicion.kind,
            setup: Setup {
                declared: cells.declared(self.program),
                observed: Vec::new(),
                device: Default::default(),
                entry: self.kernel,
                launch: Some(launch),
                args,
                arrays,
            },
            sites,
            message: suspicion.message.clone(),
            is_ordinary: true,
        })
    }

    pub fn read(&mut self, model: &Model, term: TermId, reader: Reader) -> Option<u64> {
        self.prover.value(&self.machine.terms, model, term, reader)
    }

    fn model_launch(&mut self, model: &Model) -> Option<Launch> {
        let given = self.request.launch;
        let mut launch = given.unwrap_or(Launch {
            grid: [1; 3],
            block: [1; 3],
            shared_bytes: 0,
        });
        if given.is_none() {
            for (axis, d) in self.machine.launch.dimensions.into_iter().enumerate() {
                launch.grid[axis] = self.read(model, d.grid_extent, Reader::FIRST)? as u32;
                launch.block[axis] = self.read(model, d.block_extent, Reader::FIRST)? as u32;
            }
        }
        if let Some(bytes) = self.request.given_shared_bytes() {
            launch.shared_bytes = bytes;
            return Some(launch);
        }
        let dynamic = |a: &gridlock_semantics::algebra::declaration::ArrayDecl| {
            a.extent == Extent::LaunchShared
        };
        if self.program.arrays.iter().any(dynamic) {
            launch.shared_bytes = SHARED_BYTES;
        }
        Some(launch)
    }

    fn model_scalar(&mut self, model: &Model, param: VarId, ty: ScalarType) -> Option<Value> {
        let term = self.scalar_param(param)?;
        let bits = self.read(model, term, Reader::FIRST)?;
        Some(match ty {
            ScalarType::Bool => Value::Bool(bits != 0),
            ScalarType::F32 => Value::f32(f32::from_bits(bits as u32)),
            ScalarType::F64 => Value::f64(f64::from_bits(bits)),
            int => Value::int(int, bits as i128),
        })
    }

    fn actor(&mut self, model: &Model, launch: &Launch, reader: Reader) -> Option<Actor> {
        let (mut block, mut thread) = ([0u32; 3], [0u32; 3]);
        for (axis, d) in self.machine.launch.dimensions.into_iter().enumerate() {
            block[axis] = self.read(model, d.block, reader)? as u32;
            thread[axis] = self.read(model, d.thread, reader)? as u32;
        }
        let linear = |at: [u32; 3], of: [u32; 3]| at[0] + of[0] * (at[1] + of[1] * at[2]);
        Some(Actor::Thread {
            block: linear(block, launch.grid),
            thread: linear(thread, launch.block),
        })
    }
}
