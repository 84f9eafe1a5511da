//! The search for a condition: judge points, find what separates them, look where the simplest
//! conditions that do differ, hold points out to test the answer, try to prove it, and begin
//! anew with whatever contradicts it.

use super::condition::Condition;
use super::explained::{Counts, Explained, Finding, OfKind, Stated, Tried, Varied};
use super::grammar::{self, AND};
use super::grid;
use super::judge::{Judge, Outcome};
use super::offer;
use super::options::Options;
use super::pool::{Pool, admissible};
use super::rng::Rng;
use super::separate::{self, Candidate, Separating};
use super::space::{Point, Space, Values};
use super::under::{self, Attempt};
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use fixedbitset::FixedBitSet;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

/// Points judged between two reports of progress.
const BATCH: usize = 32;
/// Points looked at together to tell conditions apart.
const QUERIES: usize = 16;
/// Points held out: at the edge of the condition, and anywhere.
const EDGE: usize = 24;
const ANYWHERE: usize = 24;
/// Times a condition is revised.
const ROUNDS: usize = 24;
/// Times the search starts anew from a counterexample.
const RESTARTS: usize = 6;
/// Points judged besides where all that were tried agree.
const SECOND_LOOK: usize = 160;
/// Share of the time for a kernel that one proof may take.
const PROOF_SHARE: f64 = 0.5;

pub struct Search<'a> {
    pub judge: Judge<'a>,
    space: &'a Space,
    pub points: Vec<Point>,
    index_of: HashMap<Point, usize>,
    pub outcomes: Vec<Option<Outcome>>,
    atoms: Vec<Candidate>,
    /// Launches of host code: of the conditions that separate, those that admit them come first.
    pub of_host: Vec<Point>,
    /// Points that may still be judged.
    pub budget: usize,
    deadline: Deadline,
    rng: Rng,
    say: Say<'a>,
}

/// Who is told what is being done.
type Say<'a> = Option<&'a mut dyn FnMut(String)>;

/// What a condition is to separate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    AnyDefect,
    Kind(DefectKind),
}

/// A condition that separates what was tried.
pub struct Settled {
    pub best: Separating,
    held_out: usize,
    revisions: usize,
}

/// Explains the conditions of one kernel.
pub fn explain(
    file: &str,
    prepared: &Prepared,
    space: &Space,
    request: &Request,
    options: &Options,
    say: &mut dyn FnMut(String),
) -> Explained {
    let started = Instant::now();
    let pool = Pool::new(space, options.points);
    let mut search = Search {
        judge: Judge::new(prepared, space, request),
        space,
        index_of: pool.points.iter().cloned().zip(0..).collect(),
        outcomes: vec![None; pool.points.len()],
        points: pool.points,
        atoms: Vec::new(),
        of_host: Vec::new(),
        budget: options.points,
        deadline: request.deadline(1),
        rng: Rng::new(2),
        say: Some(say),
    };
    search.judge_points((0..pool.n_core).collect());
    search.draw_atoms();
    let answer = search.answer();
    let mut explained = search.report(file, answer);
    explained.seconds = started.elapsed().as_secs_f64();
    explained
}

/// What the search came to.
struct Answer {
    finding: Finding,
    condition: Option<(Condition, Stated)>,
    sufficient: Option<Stated>,
    kinds: Vec<OfKind>,
    assumptions: Statements<Assumption>,
}

impl<'a> Search<'a> {
    /// A search among these points and what is added to them, which is not told.
    pub fn around(
        judge: Judge<'a>,
        space: &'a Space,
        points: Vec<Point>,
        budget: usize,
        deadline: Deadline,
    ) -> Search<'a> {
        Search {
            judge,
            space,
            index_of: points.iter().cloned().zip(0..).collect(),
            outcomes: vec![None; points.len()],
            points,
            atoms: Vec::new(),
            of_host: Vec::new(),
            budget,
            deadline,
            rng: Rng::new(2),
            say: None,
        }
    }

    /// The atoms that conditions are made of, once the first points are known.
    pub fn draw_atoms(&mut self) {
        let seen = self.values_of_launch();
        self.atoms = separate::candidates(grammar::atoms(self.space, &seen), &self.points);
    }

    fn tell(&mut self, what: String) {
        if let Some(say) = &mut self.say {
            say(what);
        }
    }

    /// Judges those points that were not judged yet, as far as budget and time go; says how many
    /// were.
    pub fn judge_points(&mut self, mut indices: Vec<usize>) -> usize {
        indices.retain(|&index| self.outcomes[index].is_none());
        indices.truncate(self.budget);
        let mut n_judged = 0;
        for batch in indices.chunks(BATCH) {
            if self.deadline.left() <= 0.0 || self.judge.is_spent() {
                break;
            }
            let (judge, points, deadline) = (&self.judge, &self.points, self.deadline);
            let outcomes: Vec<Outcome> = batch
                .par_iter()
                .map(|&index| judge.judge(&points[index], deadline))
                .collect();
            for (&index, outcome) in batch.iter().zip(outcomes) {
                self.outcomes[index] = Some(outcome);
            }
            n_judged += batch.len();
            self.budget -= batch.len();
            let n = self.outcomes.iter().flatten().count();
            self.tell(format!("{n} launches of `{}`", self.space.procedure().name));
        }
        n_judged
    }

    /// Extents of launches among the points: thresholds a condition may name.
    fn values_of_launch(&self) -> Vec<Vec<i64>> {
        let dimensions = self.space.dimensions.iter().enumerate();
        let values = dimensions.map(|(d, dimension)| {
            let relevant =
                dimension.variable.is_of_launch() || matches!(dimension.values, Values::Given(_));
            let values: BTreeSet<i64> = self.points.iter().map(|p| p[d]).collect();
            match relevant && values.len() <= 128 {
                true => values.into_iter().collect(),
                false => vec![],
            }
        });
        values.collect()
    }

    /// A point's place, added if it is new.
    pub fn place_of(&mut self, point: Point) -> usize {
        if let Some(&index) = self.index_of.get(&point) {
            return index;
        }
        let index = self.points.len();
        self.points.push(point.clone());
        self.index_of.insert(point, index);
        self.outcomes.push(None);
        index
    }

    /// The points that are evidence, safe and failing.
    fn evidence(&self, target: Target) -> (FixedBitSet, FixedBitSet) {
        let mut safe = FixedBitSet::with_capacity(self.points.len());
        let mut failing = safe.clone();
        for (index, outcome) in self.outcomes.iter().enumerate() {
            match (outcome, target) {
                (Some(Outcome::Safe { .. }), _) => safe.insert(index),
                (Some(Outcome::Fails { .. }), Target::AnyDefect) => failing.insert(index),
                // Where another kind shows, this one may hide behind it.
                (Some(Outcome::Fails { kinds }), Target::Kind(kind)) if kinds.contains(&kind) => {
                    failing.insert(index);
                }
                _ => {}
            }
        }
        (safe, failing)
    }

    /// The simplest condition that separates, tested on points it was not made from.
    pub fn settle(&mut self, target: Target) -> Option<Settled> {
        let mut revisions = 0;
        let mut untested = None;
        for _ in 0..ROUNDS {
            separate::extend(&mut self.atoms, &self.points);
            let (safe, failing) = self.evidence(target);
            if safe.is_clear() || failing.is_clear() {
                return None;
            }
            let mut separating = separate::separating(&self.atoms, &safe, &failing);
            separating.sort_by_key(|s| self.n_excluded(&s.condition));
            let best = separating.first()?.clone();
            let queries = self.where_they_differ(&separating);
            if self.judge_points(queries) > 0 {
                untested = Some((best, revisions));
                continue;
            }
            let held_out = self.held_out(&best);
            self.judge_points(held_out.clone());
            let (safe, failing) = self.evidence(target);
            let decided = |i: &&usize| safe.contains(**i) || failing.contains(**i);
            let agrees = |i: &usize| best.condition.at(&self.points[*i]) == safe.contains(*i);
            let n_held_out = held_out.iter().filter(decided).count();
            if held_out.iter().filter(decided).all(agrees) {
                return Some(Settled {
                    best,
                    held_out: n_held_out,
                    revisions,
                });
            }
            revisions += 1;
        }
        // Out of rounds: the last one may have been contradicted since.
        let (safe, failing) = self.evidence(target);
        let (best, revisions) = untested?;
        let separates = safe.ones().all(|i| best.condition.at(&self.points[i]))
            && !failing.ones().any(|i| best.condition.at(&self.points[i]));
        separates.then_some(Settled {
            best,
            held_out: 0,
            revisions,
        })
    }

    /// How many launches of host code a condition excludes, but for those that fail.
    pub fn n_excluded(&self, condition: &Condition) -> usize {
        let fails = |point: &Point| {
            let known = self.index_of.get(point);
            let outcome = known.and_then(|&index| self.outcomes[index].as_ref());
            matches!(outcome, Some(Outcome::Fails { .. }))
        };
        let excluded = |point: &&Point| !condition.at(point) && !fails(point);
        self.of_host.iter().filter(excluded).count()
    }

    /// Whether a point is among those that are to be judged, or were.
    pub fn is_known(&self, point: &Point) -> bool {
        self.index_of.contains_key(point)
    }

    /// Whether no time is left.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline.left() <= 0.0
    }

    /// Points not judged yet at which the simplest condition and one of its rivals differ; those
    /// first that tell it from most of them, then those with few threads.
    fn where_they_differ(&self, separating: &[Separating]) -> Vec<usize> {
        let Some((best, rivals)) = separating.split_first() else {
            return Vec::new();
        };
        let mut differing: Vec<(usize, i64, usize)> = Vec::new();
        for index in 0..self.points.len() {
            if self.outcomes[index].is_some() {
                continue;
            }
            let here = best.holds.contains(index);
            let n = rivals
                .iter()
                .filter(|r| r.holds.contains(index) != here)
                .count();
            if n > 0 {
                differing.push((
                    rivals.len() - n,
                    self.space.n_threads(&self.points[index]),
                    index,
                ));
            }
        }
        differing.sort_unstable();
        differing.truncate(QUERIES);
        differing.into_iter().map(|(_, _, index)| index).collect()
    }

    /// Points not judged yet: neighbours of judged ones beyond the edge of the condition, and
    /// others at random.
    fn held_out(&mut self, best: &Separating) -> Vec<usize> {
        let decided = |i: &usize| {
            let outcome = self.outcomes[*i].as_ref();
            matches!(outcome, Some(Outcome::Safe { .. } | Outcome::Fails { .. }))
        };
        let judged: Vec<usize> = (0..self.points.len()).filter(decided).collect();
        let judged = self.rng.keep(judged.clone(), judged.len().min(8 * EDGE));
        let mut edge = Vec::new();
        for index in judged {
            let point = self.points[index].clone();
            for neighbour in neighbours(self.space, &point) {
                let fresh = self
                    .index_of
                    .get(&neighbour)
                    .is_none_or(|&known| self.outcomes[known].is_none());
                let across = best.condition.at(&neighbour) != best.condition.at(&point);
                if across && fresh && !edge.contains(&neighbour) {
                    edge.push(neighbour);
                }
            }
        }
        let n = edge.len().min(EDGE);
        let edge = self.rng.keep(edge, n);
        let open: Vec<usize> = (0..self.points.len())
            .filter(|&i| self.outcomes[i].is_none())
            .collect();
        let n = open.len().min(ANYWHERE);
        let mut chosen = self.rng.keep(open, n);
        for point in edge {
            let index = self.place_of(point);
            if !chosen.contains(&index) {
                chosen.push(index);
            }
        }
        chosen
    }

    /// More points, where those tried all agree.
    fn look_again(&mut self) {
        let open: Vec<usize> = (0..self.points.len())
            .filter(|&i| self.outcomes[i].is_none())
            .collect();
        let n = open.len().min(SECOND_LOOK);
        let chosen = self.rng.keep(open, n);
        self.judge_points(chosen);
    }

    fn answer(&mut self) -> Answer {
        let mut answer = Answer {
            finding: Finding::Unknown,
            condition: None,
            sufficient: None,
            kinds: Vec::new(),
            assumptions: Statements::default(),
        };
        if !self.space.varies() {
            answer.finding = Finding::NothingVaries;
            return answer;
        }
        for _ in 0..RESTARTS {
            let (safe, failing) = self.evidence(Target::AnyDefect);
            if safe.is_clear() != failing.is_clear() {
                self.look_again();
            }
            let (safe, failing) = self.evidence(Target::AnyDefect);
            match (safe.is_clear(), failing.is_clear()) {
                (true, true) => return answer,
                (true, false) => {
                    answer.finding = Finding::Never;
                    answer.kinds = self.kinds(None);
                    return answer;
                }
                (false, true) => {
                    let attempt = self.attempt(None, None);
                    if self.learn(attempt.as_ref()) {
                        continue;
                    }
                    answer.finding = Finding::Always;
                    let proved = attempt.as_ref().is_some_and(Attempt::is_proof);
                    answer.condition = None;
                    if let Some(attempt) = attempt.filter(|_| proved) {
                        answer.assumptions = attempt.assumptions.clone();
                        let stated = self.stated(None, Some(&attempt), Target::AnyDefect, 0, 0);
                        answer.condition = Some((Condition::And(vec![]), stated));
                    }
                    return answer;
                }
                (false, false) => {}
            }
            let kinds: BTreeSet<DefectKind> = self.kinds_seen();
            let whole = self.settle(Target::AnyDefect);
            let mut settled: BTreeMap<DefectKind, Settled> = BTreeMap::new();
            if kinds.len() > 1 {
                for &kind in &kinds {
                    settled.extend(self.settle(Target::Kind(kind)).map(|s| (kind, s)));
                }
            }
            // Points that were judged for one kind may contradict what was settled before them.
            let was_found = whole.is_some();
            let whole = whole.filter(|s| self.agrees(&s.best.condition, Target::AnyDefect));
            let is_contradicted = was_found && whole.is_none();
            settled.retain(|kind, s| self.agrees(&s.best.condition, Target::Kind(*kind)));
            let Some(whole) = self.better(whole, &kinds, &settled) else {
                if is_contradicted {
                    continue;
                }
                let (sufficient, again) = self.sufficient();
                if again {
                    continue;
                }
                answer.finding = Finding::NoCondition;
                answer.kinds = self.kinds_apart(&kinds, settled);
                let sufficient = sufficient.filter(|(condition, _)| self.suffices(condition));
                answer.sufficient = sufficient.map(|(_, stated)| stated);
                return answer;
            };
            let condition = whole.best.condition.clone();
            let attempt = self.attempt(Some(&condition), None);
            if self.learn(attempt.as_ref()) {
                continue;
            }
            if let Some(attempt) = attempt
                .as_ref()
                .filter(|a| a.properties.iter().any(|p| p.proved))
            {
                answer.assumptions = attempt.assumptions.clone();
            }
            let stated = self.stated(
                Some(&condition),
                attempt.as_ref(),
                Target::AnyDefect,
                whole.held_out,
                whole.revisions,
            );
            answer.kinds = match kinds.len() {
                0 | 1 => self.kinds(Some(&stated)),
                _ => self.kinds_apart(&kinds, settled),
            };
            // Their proofs may have met a launch that contradicts it.
            if !self.agrees(&condition, Target::AnyDefect) {
                continue;
            }
            answer.finding = Finding::Condition;
            answer.condition = Some((condition, stated));
            return answer;
        }
        answer.finding = Finding::NoCondition;
        for _ in 0..ROUNDS {
            let (sufficient, again) = self.sufficient();
            answer.sufficient = sufficient.map(|(_, stated)| stated);
            if !again {
                break;
            }
        }
        answer.kinds = self.kinds(None);
        answer
    }

    /// What suffices, where nothing separates; and whether a counterexample came up that asks for
    /// another try.
    fn sufficient(&mut self) -> (Option<(Condition, Stated)>, bool) {
        let (safe, failing) = self.evidence(Target::AnyDefect);
        separate::extend(&mut self.atoms, &self.points);
        let Some(found) = separate::sufficient(&self.atoms, &safe, &failing) else {
            return (None, false);
        };
        let attempt = self.attempt(Some(&found.condition), None);
        if self.learn(attempt.as_ref()) {
            return (None, true);
        }
        let condition = Some(&found.condition);
        let mut stated = self.stated(condition, attempt.as_ref(), Target::AnyDefect, 0, 0);
        let (safe, _) = self.evidence(Target::AnyDefect);
        stated.holds_at = safe.ones().filter(|&i| found.holds.contains(i)).count();
        (Some((found.condition, stated)), false)
    }

    /// Of the condition found for all defects at once and the conjunction of those for each kind
    /// the simpler.
    fn better(
        &self,
        whole: Option<Settled>,
        kinds: &BTreeSet<DefectKind>,
        settled: &BTreeMap<DefectKind, Settled>,
    ) -> Option<Settled> {
        if kinds.len() < 2 || settled.len() < kinds.len() {
            return whole;
        }
        let mut parts = settled.values();
        let first = parts.next()?;
        let mut joined = Settled {
            best: first.best.clone(),
            held_out: first.held_out,
            revisions: first.revisions,
        };
        for part in parts {
            let (before, next) = (joined.best, &part.best);
            let condition = before.condition.clone().and(next.condition.clone());
            let cost = match condition == before.condition {
                true => before.cost,
                false => before.cost + next.cost + AND,
            };
            let mut holds = before.holds;
            holds.intersect_with(&next.holds);
            joined = Settled {
                best: Separating {
                    condition,
                    cost,
                    holds,
                },
                held_out: joined.held_out + part.held_out,
                revisions: joined.revisions + part.revisions,
            };
        }
        let (safe, failing) = self.evidence(Target::AnyDefect);
        let at = |i: usize| joined.best.condition.at(&self.points[i]);
        let separates = safe.ones().all(at) && !failing.ones().any(at);
        match whole {
            Some(whole) if !separates || whole.best.cost <= joined.best.cost => Some(whole),
            _ => separates.then_some(joined),
        }
    }

    fn attempt(
        &mut self,
        condition: Option<&Condition>,
        only: Option<DefectKind>,
    ) -> Option<Attempt> {
        let what = match condition {
            Some(condition) => condition.text(self.space),
            None => "every launch".to_owned(),
        };
        self.tell(format!("a proof for: {what}"));
        let seconds = PROOF_SHARE * self.judge.request.limits.seconds;
        let deadline = Deadline::after(self.deadline.left().min(seconds));
        match only {
            None => under::prove(&self.judge, condition, seconds, deadline),
            Some(kind) => {
                let known = &self.judge;
                let mut judge = Judge::new(known.prepared, known.space, known.request);
                judge.properties = vec![kind.property()];
                under::prove(&judge, condition, seconds, deadline)
            }
        }
    }

    /// Takes a counterexample over as evidence; whether there was one that is new.
    fn learn(&mut self, attempt: Option<&Attempt>) -> bool {
        let Some((point, outcome)) = attempt.and_then(|a| a.counterexample.clone()) else {
            return false;
        };
        let index = self.place_of(point);
        let known = matches!(self.outcomes[index], Some(Outcome::Fails { .. }));
        self.outcomes[index] = Some(outcome);
        !known
    }

    fn kinds_seen(&self) -> BTreeSet<DefectKind> {
        let outcomes = self.outcomes.iter().flatten();
        let kinds = outcomes.filter_map(|outcome| match outcome {
            Outcome::Fails { kinds } => Some(kinds),
            _ => None,
        });
        kinds.flatten().copied().collect()
    }

    /// The kinds seen, all under one condition.
    fn kinds(&self, condition: Option<&Stated>) -> Vec<OfKind> {
        let kinds = self.kinds_seen().into_iter();
        kinds
            .map(|kind| self.of_kind(kind, condition.cloned()))
            .collect()
    }

    /// The kinds seen, each under its own condition, which is tried to be proved for its property.
    fn kinds_apart(
        &mut self,
        kinds: &BTreeSet<DefectKind>,
        settled: BTreeMap<DefectKind, Settled>,
    ) -> Vec<OfKind> {
        let mut found: Vec<(DefectKind, Option<(Condition, Stated)>)> = Vec::new();
        for &kind in kinds {
            let stated = settled.get(&kind).map(|s| {
                let condition = s.best.condition.clone();
                let attempt = self.attempt(Some(&condition), Some(kind));
                let target = Target::Kind(kind);
                // What is contradicted by a counterexample is not stated.
                (!self.learn(attempt.as_ref())).then(|| {
                    let stated = self.stated(
                        Some(&condition),
                        attempt.as_ref(),
                        target,
                        s.held_out,
                        s.revisions,
                    );
                    (condition, stated)
                })
            });
            found.push((kind, stated.flatten()));
        }
        // A counterexample to one may be one to another.
        let found = found.into_iter().map(|(kind, stated)| {
            let stated = stated.filter(|(c, _)| self.agrees(c, Target::Kind(kind)));
            self.of_kind(kind, stated.map(|(_, stated)| stated))
        });
        found.collect()
    }

    /// Whether a condition holds at every launch found safe and at none found to fail.
    fn agrees(&self, condition: &Condition, target: Target) -> bool {
        let (safe, failing) = self.evidence(target);
        let at = |i: usize| condition.at(&self.points[i]);
        safe.ones().all(at) && !failing.ones().any(at)
    }

    /// Whether a condition holds at no launch found to fail.
    fn suffices(&self, condition: &Condition) -> bool {
        let (_, failing) = self.evidence(Target::AnyDefect);
        !failing.ones().any(|i| condition.at(&self.points[i]))
    }

    fn of_kind(&self, kind: DefectKind, condition: Option<Stated>) -> OfKind {
        let (_, failing) = self.evidence(Target::Kind(kind));
        let least = failing
            .ones()
            .map(|i| &self.points[i])
            .min_by_key(|p| (self.space.n_threads(p), (*p).clone()));
        OfKind {
            kind,
            n_failing: failing.count_ones(..),
            example: least.map(|p| self.named(p)).unwrap_or_default(),
            condition,
        }
    }

    fn stated(
        &self,
        condition: Option<&Condition>,
        attempt: Option<&Attempt>,
        target: Target,
        held_out: usize,
        revisions: usize,
    ) -> Stated {
        let (safe, failing) = self.evidence(target);
        Stated {
            text: condition.map_or("true".to_owned(), |c| c.text(self.space)),
            code: condition
                .and_then(|c| c.in_source(self.space))
                .map(|(text, _)| text),
            proved: attempt.is_some_and(Attempt::is_proof),
            properties: attempt.map(|a| a.properties.clone()).unwrap_or_default(),
            holds_at: safe.count_ones(..),
            fails_at: failing.count_ones(..),
            held_out,
            revisions,
        }
    }

    fn named(&self, point: &Point) -> BTreeMap<String, i64> {
        let names = self.space.dimensions.iter().map(|d| d.name.clone());
        names.zip(point.iter().copied()).collect()
    }

    fn report(self, file: &str, answer: Answer) -> Explained {
        let mut counts = Counts::default();
        let mut unknown: Vec<String> = Vec::new();
        let mut points = Vec::new();
        for (point, outcome) in self.points.iter().zip(&self.outcomes) {
            let Some(outcome) = outcome else { continue };
            counts.tried += 1;
            match outcome {
                Outcome::Safe { .. } => counts.safe += 1,
                Outcome::Fails { .. } => counts.failing += 1,
                Outcome::Unknown { why } => {
                    counts.unknown += 1;
                    crate::words::sentences::note(&mut unknown, why.clone());
                }
                Outcome::Excluded { .. } => counts.excluded += 1,
            }
            points.push(Tried {
                at: self.named(point),
                outcome: outcome.clone(),
            });
        }
        let tried = |i: &usize| self.outcomes[*i].is_some();
        let tried: Vec<usize> = (0..self.points.len()).filter(tried).collect();
        let variables = self
            .space
            .dimensions
            .iter()
            .enumerate()
            .map(|(d, dimension)| {
                let values: BTreeSet<i64> = tried.iter().map(|&i| self.points[i][d]).collect();
                Varied {
                    name: dimension.name.clone(),
                    values: values.into_iter().collect(),
                    fixed: dimension.is_fixed(),
                    given: matches!(dimension.values, Values::Given(_)),
                }
            });
        let mut assumptions = answer.assumptions;
        let bytes = self.space.bytes_a_thread();
        if bytes > 0 {
            assumptions.note(Assumption::SharedBytesPerThread { bytes });
        }
        let mut limits_hit = Vec::new();
        if self.deadline.left() <= 0.0 {
            limits_hit.push(gridlock_checker::limits::TIME.to_owned());
        }
        if self.budget == 0 {
            limits_hit.push(format!("{} launches tried (--vary-points)", counts.tried));
        }
        let (condition, stated) = answer.condition.unzip();
        Explained {
            file: file.to_owned(),
            kernel: self.space.procedure().name.to_string(),
            finding: answer.finding,
            table: grid::of(self.space, &self.points, &self.outcomes, condition.as_ref()),
            condition: stated,
            sufficient: answer.sufficient,
            kinds: answer.kinds,
            counts,
            variables: variables.collect(),
            points,
            assumptions,
            unknown,
            limits_hit,
            seconds: 0.0,
        }
    }
}

/// Points beside a point: one more or less in one dimension that varies freely.
fn neighbours(space: &Space, point: &Point) -> Vec<Point> {
    let mut found = Vec::new();
    for (d, dimension) in space.dimensions.iter().enumerate() {
        for step in [-1, 1] {
            let Some(value) = point[d].checked_add(step) else {
                continue;
            };
            let offered = match &dimension.values {
                Values::Fixed(_) => false,
                Values::Given(values) => values.contains(&value),
                Values::Drawn { .. } => !dimension.variable.is_of_launch() || value >= 1,
            };
            let mut neighbour = point.clone();
            neighbour[d] = value;
            if offered && offer::fits(value, dimension.ty) && admissible(space, &neighbour) {
                found.push(neighbour);
            }
        }
    }
    found
}
