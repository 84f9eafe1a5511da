//! The launches that a kernel is written for, where nobody says which they are: sizes that are positive, blocks of the
//! extents that the code names, whole warps.
//!
//! A kernel with many arguments is right at so few of all launches that no search among these finds any. So the search
//! goes the other way: from launches as one would make them, where nothing goes wrong, and takes back what is not needed.
//! What comes out is a guess, which is judged like any other condition before it is told.

use super::blocks::{block_dimensions, blocks};
use super::condition::{Atom, Condition, Relation, all};
use super::constants;
use super::failing::{Best, Failing, keep_best};
use super::guesses::{Guesses, compare, covered, less_than_equal, multiple, products, with_bounds};
use super::inside::{Inside, moved, needed_by};
use super::of_host::of_host;
use super::of_use::{LEAST_THREADS, is_of_use};
use super::other_launches::{Ordinary, OtherLaunches};
use super::pool::admissible;
use super::portable::Portable;
use super::rng::Rng;
use super::space::{Point, Space};
use super::stronger::{Known, Stronger};
use super::term::Term;
use super::variable::Variable;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint, Instance};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::finding::Finding;
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Transitions of all runs, and how many the setting up of one counts as.
const STEPS: u64 = 100_000_000;
const OF_SETUP: u64 = 5_000;
/// Seconds for all of it: far beyond what these take, for machines that crawl.
const SECONDS: f64 = 60.0;
/// Transitions of one thread in one run.
const DEPTH: u64 = 5_000;
/// Memory of a run.
const BYTES: u64 = 64 << 20;
/// Launches tried of a guess, and those among them that have to be decided.
const TRIED: usize = 8;
const LEAST: usize = 5;
/// Launches tried without one of its parts, and those among them that have to be decided.
const TRIED_WITHOUT: usize = 8;
const LEAST_WITHOUT: usize = 3;
/// Of the launches tried, those with the largest blocks, and those with the most threads.
const LARGE: usize = 2;
/// Launches drawn for each that is tried.
const OF_DRAWN: usize = 3;
/// Launches looked at for one at which the kernel does something.
const OF_USE_AT: usize = 48;
/// Draws for one launch.
const DRAWS: usize = 30;

const GRIDS: &[i64] = &[1, 1, 2, 2, 3, 9, 17];
const SIZES: &[i64] = &[1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 64, 100, 128];
/// Sizes drawn have this at most.
const MOST_DRAWN: i64 = 256;
const NOT_POSITIVE: &[i64] = &[0, -1, -2, -33, i32::MIN as i64];
const FAR: &[i64] = &[
    40_000,
    65_536,
    1 << 20,
    1 << 28,
    1 << 30,
    (1 << 30) + 1,
    i32::MAX as i64,
];
/// A size that is enough for all threads of the launches tried with those.
const ENOUGH: i64 = 128;
/// Launches tried with them, of so many threads at least.
const BASES: usize = 3;
const SOME_THREADS: i64 = 32;
/// Products that are bounded one by one before all are, at most.
const MOST_ALONE: usize = 3;

/// What came of launches as one makes them.
pub(crate) struct AtOrdinary {
    /// Conditions under which nothing went wrong at those tried, each admitting launches with blocks of many threads that
    /// change memory. The first is the weakest; the others also keep products of sizes small.
    pub conditions: Vec<Ordinary>,
    /// What the last of them may be strengthened by.
    pub stronger: Option<Stronger>,
    pub others: OtherLaunches,
    /// One with a defect, where at all something went wrong.
    pub failing: Option<Failing>,
}

impl AtOrdinary {
    fn without_condition(others: OtherLaunches) -> AtOrdinary {
        AtOrdinary {
            conditions: Vec::new(),
            stronger: None,
            others,
            failing: None,
        }
    }
}

/// Tries launches as one makes them, for a kernel of which nobody says which they are.
pub(crate) fn ordinary(
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    deadline: Deadline,
) -> AtOrdinary {
    if !request.profile.admits_canonical_run() || !entry.nulls.is_empty() {
        return AtOrdinary::without_condition(OtherLaunches::Wrong);
    }
    let space = Space::with_usual_shared(&prepared.surface, entry, device);
    let made = subject::with_own_blocks(&prepared.surface, entry, device);
    let mut trying = Trying::new(prepared, entry, &space, request, &made, deadline);
    let guesses = Guesses {
        space: &space,
        numbers: &trying.numbers,
        of_host: &trying.of_host,
    };
    let mut guesses = guesses.all().into_iter();
    let atoms = guesses.find_map(|guess| trying.from(guess));
    let others = trying.others(&of_host(&space, prepared, entry, request, device));
    let Some(atoms) = atoms else {
        return AtOrdinary {
            failing: trying.failing().filter(|_| others == OtherLaunches::Wrong),
            ..AtOrdinary::without_condition(others)
        };
    };
    let mut told = vec![atoms.clone()];
    let products = products(&space);
    if products.len() <= MOST_ALONE {
        let alone = products.iter().map(std::slice::from_ref);
        told.extend(alone.map(|product| with_bounds(&atoms, product)));
    }
    told.push(with_bounds(&atoms, &products));
    told.dedup();
    told.retain(|atoms: &Vec<Atom>| !atoms.is_empty());
    let stronger = trying.stronger(&atoms, told.last());
    let told = told.iter();
    AtOrdinary {
        conditions: told
            .filter_map(|atoms| Ordinary::new(&space, &trying.safe, atoms))
            .collect(),
        stronger,
        ..AtOrdinary::without_condition(others)
    }
}

/// The condition that was found for another kernel, if nothing goes wrong here at launches that meet it: what of it is
/// needed.
pub(crate) fn as_before(
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    before: &Portable,
    deadline: Deadline,
) -> Option<Ordinary> {
    if !request.profile.admits_canonical_run() || !entry.nulls.is_empty() {
        return None;
    }
    let space = Space::with_usual_shared(&prepared.surface, entry, device);
    let guess = before.in_space(&space);
    let made = subject::with_own_blocks(&prepared.surface, entry, device);
    let mut trying = Trying::new(prepared, entry, &space, request, &made, deadline);
    trying.steps = STEPS / 10;
    let atoms = trying.from((!guess.is_empty()).then_some(guess)?)?;
    Ordinary::new(&space, &trying.safe, (!atoms.is_empty()).then_some(&atoms)?)
}

/// Threads of a block at most, by launch bounds.
fn most_threads(space: &Space) -> Option<i64> {
    space.program.proc(space.kernel).most_threads.map(i64::from)
}

/// Whether a point meets the atoms that speak of `known` dimensions only, and not `without`, if it is one of these.
fn is_met(
    atoms: &[Atom],
    without: Option<&Atom>,
    known: &dyn Fn(usize) -> bool,
    point: &[i64],
) -> bool {
    let is_reached = |term: &&Term| term.variables().iter().all(|v| known(*v));
    let reached = |atom: &&Atom| atom.terms().iter().all(is_reached);
    let met = atoms.iter().filter(reached).all(|atom| atom.at(point));
    met && without.filter(reached).is_none_or(|atom| !atom.at(point))
}

struct Trying<'a> {
    prepared: &'a Prepared,
    entry: &'a EntryPoint,
    space: &'a Space,
    request: &'a Request,
    /// Of the code.
    numbers: Vec<i64>,
    /// The blocks of the launches of host code that say one.
    of_host: BTreeSet<[u32; 3]>,
    blocks: Vec<[i64; 3]>,
    deadline: Deadline,
    rng: Rng,
    /// Transitions left.
    steps: u64,
    /// The kernel with arguments that point so far into their arrays.
    moved: Option<(Inside, Prepared)>,
    /// Launches at which nothing went wrong, and at which something did.
    safe: Vec<Point>,
    failing: Vec<Point>,
    /// Guesses where nothing went wrong at any launch tried.
    held: Vec<Vec<Atom>>,
    /// Whether there is a guess, with blocks of many threads, of which no launch was decided to be wrong, and not enough to
    /// be right.
    is_open: bool,
    /// Of those with blocks of many threads, as the source speaks of them, and with sizes of one at least.
    best_failing: Option<Best>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Safe,
    Fails,
    Open,
}

impl<'a> Trying<'a> {
    /// `made`: launches of host code with blocks that it says.
    fn new(
        prepared: &'a Prepared,
        entry: &'a EntryPoint,
        space: &'a Space,
        request: &'a Request,
        made: &[Instance],
        deadline: Deadline,
    ) -> Trying<'a> {
        let mut numbers = constants::all_of_kernel(&prepared.surface, space.kernel);
        numbers.extend(constants::of_shared_arrays(&prepared.surface, space.kernel));
        // Blocks as large as launch bounds allow are what these are for.
        numbers.extend(most_threads(space).filter(|n| (2..=1024).contains(n)));
        numbers.sort_unstable();
        numbers.dedup();
        Trying {
            of_host: made.iter().map(|instance| instance.launch.block).collect(),
            prepared,
            entry,
            space,
            request,
            blocks: blocks(space, &numbers),
            numbers,
            deadline: Deadline::after(deadline.left().min(SECONDS)),
            rng: Rng::new(5),
            steps: STEPS,
            moved: None,
            safe: Vec::new(),
            failing: Vec::new(),
            held: Vec::new(),
            is_open: false,
            best_failing: None,
        }
    }

    /// What came of the launches, and comes of those of host code, where no condition did.
    fn others(&mut self, of_host: &[Point]) -> OtherLaunches {
        if self.held.iter().any(|guess| self.is_of_use_as_meant(guess)) {
            return OtherLaunches::Held;
        }
        if self.is_open || self.is_spent() {
            return OtherLaunches::Open;
        }
        for point in of_host {
            self.outcome(point);
        }
        let mut meant = self.blocks.clone();
        meant.retain(|block| most_threads(self.space) == Some(block.iter().product()));
        for _ in 0..2 * TRIED {
            if let Some(point) = self.draw(&meant, &[], None) {
                self.outcome(&point);
            }
        }
        match self.is_of_use_as_meant(&[]) {
            true => OtherLaunches::SomeRight,
            false => OtherLaunches::Wrong,
        }
    }

    /// A launch with a defect, of those as one makes them.
    fn failing(&mut self) -> Option<Failing> {
        if self.best_failing.is_none() {
            let mut large = self.blocks.clone();
            large.retain(|block| block.iter().product::<i64>() >= LEAST_THREADS);
            let counts = self.space.counts().into_iter();
            let positive: Vec<Atom> = counts.map(|d| compare(d, Relation::Ge, 1)).collect();
            for _ in 0..2 * TRIED {
                if let Some(point) = self.draw(&large, &positive, None)
                    && !self.is_spent()
                {
                    self.outcome(&point);
                }
            }
        }
        let best = self.best_failing.take()?;
        let at = self.space.closed_at(&best.point).ok()?;
        Some(Failing {
            at,
            sample: best.sample,
        })
    }

    /// Whether a launch is as one makes them.
    fn is_ordinary(&self, point: &Point) -> bool {
        let mut counts = self.space.counts().into_iter();
        self.is_large(point) && self.is_meant(point) && counts.all(|d| point[d] >= 1)
    }

    /// What may be asked besides where `strongest`, with bounds on products beside the `needed`, turns out to be too little.
    fn stronger(&self, needed: &[Atom], strongest: Option<&Vec<Atom>>) -> Option<Stronger> {
        let held = self.held.last()?;
        let known = Known {
            space: self.space.clone(),
            safe: self.safe.clone(),
            failing: self.failing.clone(),
        };
        Some(Stronger::new(
            known,
            needed,
            strongest?,
            held,
            &self.numbers,
        ))
    }

    fn is_spent(&self) -> bool {
        self.steps == 0 || self.deadline.left() <= 0.0
    }

    /// What is needed of a guess, if nothing goes wrong where it holds.
    fn from(&mut self, guess: Vec<Atom>) -> Option<Vec<Atom>> {
        if self.is_spent() || !self.holds(&guess, TRIED, LEAST) {
            return None;
        }
        tracing::debug!("holds: {}", self.words(&guess));
        self.held.push(guess.clone());
        let mut atoms = self.without_what_is_not_needed(guess);
        self.bound_products(&mut atoms);
        tracing::debug!("needed: {}", self.words(&atoms));
        let is_told = self.holds(&atoms, 2 * TRIED, LEAST) && self.is_of_use(&atoms);
        is_told.then_some(atoms)
    }

    /// Whether nothing goes wrong at launches that meet all of it, and enough of them were decided.
    fn holds(&mut self, atoms: &[Atom], tried: usize, least: usize) -> bool {
        self.is_safe(atoms, None, tried, least)
    }

    /// The same at launches that do not meet one more atom.
    fn is_safe(
        &mut self,
        atoms: &[Atom],
        without: Option<&Atom>,
        tried: usize,
        least: usize,
    ) -> bool {
        let mut n_safe = 0;
        let drawn = OF_DRAWN * tried;
        let blocks = self.blocks_where(atoms, without);
        let mut points: Vec<Point> = (0..drawn)
            .map_while(|_| self.draw(&blocks, atoms, without))
            .collect();
        if points.is_empty() {
            // No launch meets the others without meeting this one: they say it already.
            return without.is_some();
        }
        // What takes least first: one that fails is enough.
        points.sort_by_key(|point| self.space.effort(point));
        points.dedup();
        // And the largest blocks, for which a tile may be too small, and the most blocks, for which sizes may be.
        let mut rest = points.split_off(points.len().min(tried - 2 * LARGE));
        rest.sort_by_key(|point| Reverse(self.space.n_threads_of_block(point)));
        points.extend(rest.drain(..rest.len().min(LARGE)));
        rest.sort_by_key(|point| Reverse(self.space.n_threads(point)));
        points.extend(rest.into_iter().take(LARGE));
        // There may be no more launches than these that meet it.
        let least = least.min(points.len());
        let mut is_open = false;
        for point in points {
            match self.outcome(&point) {
                Outcome::Safe => n_safe += 1,
                Outcome::Fails => {
                    tracing::debug!("fails at {point:?}: {}", self.words(atoms));
                    return false;
                }
                Outcome::Open => is_open |= self.is_large(&point) && self.is_meant(&point),
            }
            if self.is_spent() {
                return false;
            }
        }
        self.is_open |= is_open && n_safe < least;
        n_safe >= least
    }

    fn words(&self, atoms: &[Atom]) -> String {
        let parts = atoms.iter().cloned().map(Condition::Atom).collect();
        Condition::And(parts).text(self.space)
    }

    /// Leaves out, or replaces by less, each atom without which nothing goes wrong either.
    fn without_what_is_not_needed(&mut self, mut atoms: Vec<Atom>) -> Vec<Atom> {
        let is_of_grid = |atom: &Atom| {
            let variables = atom.terms().into_iter().flat_map(Term::variables);
            let of_grid =
                |d: usize| matches!(self.space.dimensions[d].variable, Variable::GridDim(_));
            variables.into_iter().any(of_grid)
        };
        // What sizes and blocks need shows in one block; how many blocks there may be hangs on them.
        let (last, first): (Vec<Atom>, Vec<Atom>) = atoms.iter().cloned().partition(is_of_grid);
        for atom in first.into_iter().rev().chain(last.into_iter().rev()) {
            let Some(at) = atoms.iter().position(|known| *known == atom) else {
                continue;
            };
            let mut rest = atoms.clone();
            rest.remove(at);
            if self.is_safe(&rest, Some(&atom), TRIED_WITHOUT, LEAST_WITHOUT) {
                atoms = rest;
                continue;
            }
            for weaker in self.weaker(&atom) {
                let mut instead = atoms.clone();
                instead.splice(at..=at, weaker);
                if self.is_safe(&instead, Some(&atom), TRIED_WITHOUT, LEAST_WITHOUT) {
                    atoms = instead;
                    break;
                }
            }
        }
        atoms
    }

    /// What says less than an atom.
    fn weaker(&self, atom: &Atom) -> Vec<Vec<Atom>> {
        match atom {
            Atom::Compare(Term::Var(d), Relation::Ge, Term::Number(1)) => {
                vec![vec![compare(*d, Relation::Ge, 0)]]
            }
            Atom::Compare(Term::Var(d), Relation::Eq, Term::Number(n)) => {
                match self.space.dimensions[*d].variable {
                    Variable::GridDim(axis) => {
                        let covered = covered(self.space, &self.numbers, *d, axis);
                        covered.into_iter().map(|atom| vec![atom]).collect()
                    }
                    _ => less_than_equal(*d, *n),
                }
            }
            // What it is equal to bounds it, or another argument does.
            Atom::Compare(Term::Var(d), Relation::Eq, Term::Var(first)) => {
                let counts = self.space.counts().into_iter().rev();
                let others = counts.filter(|other| other != d && other != first);
                let relations = [Relation::Ge, Relation::Le];
                std::iter::once(*first)
                    .chain(others)
                    .flat_map(|other| relations.map(|relation| (relation, other)))
                    .map(|(relation, other)| {
                        vec![Atom::Compare(Term::Var(*d), relation, Term::Var(other))]
                    })
                    .collect()
            }
            // A smaller divisor.
            Atom::Multiple(Term::Var(d), Term::Number(n)) if *n > 2 => {
                let divisors = self.numbers.iter().rev();
                let divisors = divisors.filter(|m| **m < *n && n % **m == 0);
                divisors.map(|m| vec![multiple(*d, *m)]).collect()
            }
            _ => vec![],
        }
    }

    /// Where large sizes go wrong, bounds on their products: an array has no more elements than an `int` counts.
    fn bound_products(&mut self, atoms: &mut Vec<Atom>) {
        let scalars = self.space.counts();
        let mut failing: Vec<Point> = Vec::new();
        // Some threads, and sizes for all of them.
        let mut bases: Vec<Point> = self
            .safe
            .iter()
            .filter(|point| all(atoms, point) && self.space.n_threads(point) >= SOME_THREADS)
            .cloned()
            .collect();
        bases.sort_by_key(|point| self.space.n_threads(point));
        bases.truncate(BASES);
        for base in &mut bases {
            scalars.iter().for_each(|&d| base[d] = base[d].max(ENOUGH));
        }
        for (&d, base) in scalars
            .iter()
            .flat_map(|d| bases.iter().map(move |base| (d, base)))
        {
            for &far in FAR {
                let mut point = base.clone();
                point[d] = far;
                if self.is_spent() || !all(atoms, &point) {
                    continue;
                }
                match self.outcome(&point) {
                    Outcome::Fails => failing.push(point),
                    Outcome::Safe => {}
                    // A loop that runs so often, say: a larger number says no more.
                    Outcome::Open => break,
                }
            }
        }
        for product in products(self.space) {
            if failing.iter().any(|point| !product.at(point)) {
                failing.retain(|point| product.at(point));
                atoms.push(product);
            }
        }
    }

    /// Whether the kernel is of use at some launch with blocks of many threads.
    fn is_of_use(&self, atoms: &[Atom]) -> bool {
        self.is_of_use_at(atoms, |_| true)
    }

    /// The same at launches with blocks that the source speaks of.
    fn is_of_use_as_meant(&self, atoms: &[Atom]) -> bool {
        self.is_of_use_at(atoms, |point| self.is_meant(point))
    }

    fn is_of_use_at(&self, atoms: &[Atom], is_wanted: impl Fn(&Point) -> bool) -> bool {
        let large = |point: &&Point| all(atoms, point) && self.is_large(point) && is_wanted(point);
        let mut safe = self.safe.iter().filter(large).take(OF_USE_AT);
        safe.any(|point| {
            let at = self.space.closed_at(point);
            at.is_ok_and(|at| is_of_use(self.prepared, &at, self.request))
        })
    }

    /// Whether blocks have many threads, or as many as they may have.
    fn is_large(&self, point: &Point) -> bool {
        let least = LEAST_THREADS.min(most_threads(self.space).unwrap_or(i64::MAX));
        self.space.n_threads_of_block(point) >= least
    }

    /// Whether blocks are those of host code, where it says them, and else as large as launch bounds allow.
    fn is_meant(&self, point: &Point) -> bool {
        let is_block = |block: &[u32; 3]| {
            let extents = block_dimensions(self.space).into_iter().zip(block);
            let mut extents = extents.filter_map(|(d, n)| Some((d?, *n)));
            extents.all(|(d, n)| point[d] == i64::from(n))
        };
        match self.of_host.is_empty() {
            true => {
                most_threads(self.space).is_none_or(|n| self.space.n_threads_of_block(point) == n)
            }
            false => self.of_host.iter().any(is_block),
        }
    }

    fn setup(&self, point: &Point, sample: u32) -> Option<Setup> {
        let entry = self.space.closed_at(point).ok()?;
        let (program, sampling) = (&self.prepared.surface, self.request.sampling);
        subject::sampled_setup(program, &entry, entry.launch, sampling, sample).ok()
    }

    /// By two runs with different contents of arrays. What a run finds is not replayed: it only says where not to look.
    fn outcome(&mut self, point: &Point) -> Outcome {
        let mut outcome = Outcome::Safe;
        for sample in [0, 2] {
            let Some(setup) = self.setup(point, sample) else {
                return Outcome::Open;
            };
            let limits = Limits {
                seconds: self.deadline.left(),
                bytes: self.request.limits.bytes.min(BYTES),
                depth: DEPTH,
                ..self.request.limits
            };
            let run = canonical::run(
                &self.prepared.compiled,
                &setup,
                &self.request.profile,
                &limits,
            );
            self.steps = self
                .steps
                .saturating_sub(run.statistics.transitions + OF_SETUP);
            match run.status {
                CanonicalStatus::AssumptionFailed => return Outcome::Open,
                _ if run
                    .findings
                    .iter()
                    .any(|f| self.space.is_beyond_guess(&f.evidence)) =>
                {
                    return Outcome::Open;
                }
                _ if !run.findings.is_empty() => {
                    if !self.fails_inside(&run.findings, &setup, &limits) {
                        return Outcome::Open;
                    }
                    self.failing.push(point.clone());
                    if self.is_ordinary(point) {
                        let threads = self.space.n_threads_of_block(point);
                        let effort = self.space.effort(point);
                        keep_best(
                            &mut self.best_failing,
                            (point, sample),
                            &run.findings,
                            (threads, effort),
                        );
                    }
                    return Outcome::Fails;
                }
                // Where order matters (atomics on floats), it is the engines' to decide.
                CanonicalStatus::Decides
                | CanonicalStatus::DecidesDefects { .. }
                | CanonicalStatus::NotCanonical { .. } => {}
                _ => outcome = Outcome::Open,
            }
        }
        if outcome == Outcome::Safe && !self.safe.contains(point) {
            self.safe.push(point.clone());
        }
        outcome
    }

    /// Whether a run that ended so fails where arguments point so far into their arrays that it would not end there, too.
    fn fails_inside(&mut self, findings: &[Finding], setup: &Setup, limits: &Limits) -> bool {
        let program = &self.prepared.atomic;
        let needed = findings.iter().map(|f| needed_by(program, self.entry, f));
        let Some(needed) = needed.collect::<Option<Vec<Inside>>>() else {
            return true;
        };
        let needed: Inside = needed.into_iter().flatten().collect();
        if !matches!(&self.moved, Some((inside, _)) if *inside == needed) {
            let moved = moved(program, self.entry.proc, &needed);
            self.moved = moved.map(|moved| (needed, moved));
        }
        let Some((_, moved)) = &self.moved else {
            return true;
        };
        let run = canonical::run(&moved.compiled, setup, &self.request.profile, limits);
        let spent = run.statistics.transitions + OF_SETUP;
        self.steps = self.steps.saturating_sub(spent);
        !run.findings.is_empty()
    }

    /// The blocks that may meet all atoms, as far as these speak of blocks alone, and not `without`.
    fn blocks_where(&self, atoms: &[Atom], without: Option<&Atom>) -> Vec<[i64; 3]> {
        let axes = block_dimensions(self.space);
        let is_block = |d: usize| axes.contains(&Some(d));
        let mut point = vec![0; self.space.dimensions.len()];
        let mut fits = |block: &&[i64; 3]| {
            for (axis, extent) in axes.iter().zip(**block) {
                axis.iter().for_each(|&d| point[d] = extent);
            }
            is_met(atoms, without, &is_block, &point)
        };
        self.blocks.iter().filter(&mut fits).copied().collect()
    }

    /// A launch with one of the blocks that meets all atoms, and does not meet `without`.
    fn draw(
        &mut self,
        blocks: &[[i64; 3]],
        atoms: &[Atom],
        without: Option<&Atom>,
    ) -> Option<Point> {
        let n = self.space.dimensions.len();
        for _ in 0..DRAWS {
            let block = *self.rng.pick(blocks)?;
            let mut point: Point = vec![0; n];
            let mut is_complete = true;
            for d in 0..n {
                let dimension = &self.space.dimensions[d];
                let values: Vec<i64> = match dimension.variable {
                    _ if dimension.is_fixed() => dimension
                        .offers(false)
                        .iter()
                        .filter_map(|o| o.at(&point))
                        .collect(),
                    Variable::BlockDim(axis) => vec![block[axis as usize]],
                    Variable::GridDim(_) => GRIDS.to_vec(),
                    Variable::Scalar(_) | Variable::Extent(_) => self.sizes(d, &point),
                };
                let fits = |value: &i64| {
                    let mut tried = point.clone();
                    tried[d] = *value;
                    super::offer::fits(*value, dimension.ty)
                        && is_met(atoms, without, &|v| v <= d, &tried)
                };
                let values: Vec<i64> = values.into_iter().filter(fits).collect();
                match self.rng.pick(&values) {
                    Some(value) => point[d] = *value,
                    None => is_complete = false,
                }
            }
            if is_complete
                && is_met(atoms, without, &|_| true, &point)
                && admissible(self.space, &point)
            {
                return Some(point);
            }
        }
        None
    }

    /// Values of an argument, around those before it and the numbers of the code.
    fn sizes(&self, d: usize, point: &[i64]) -> Vec<i64> {
        if self.space.dimensions[d].ty == ScalarType::Bool {
            return vec![0, 1];
        }
        let mut values = SIZES.to_vec();
        if !self.space.counts_elements(d) {
            values.extend(NOT_POSITIVE);
        }
        let blocks = self.space.n_threads_of_block(point).max(1);
        let threads = self.space.n_threads(point).max(1);
        for near in [blocks, threads, 2 * threads]
            .into_iter()
            .chain(point[..d].iter().copied())
        {
            values.extend([near - 1, near, near + 1]);
        }
        for &number in &self.numbers {
            values.extend([number, 2 * number].iter().filter(|n| **n <= MOST_DRAWN));
        }
        // What takes longer says no more.
        values.retain(|value| *value <= MOST_DRAWN);
        values
    }
}
