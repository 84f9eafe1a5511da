//! What a comparison comes to: its inputs, what is taken for granted and not judged, and the verdict.

use super::comparing::{Comparing, Proof, missed, most};
use super::paired::partner;
use super::sides::Compared;
use crate::judge::pointer_premises::Entry;
use crate::judge::question::question;
use crate::subject::{self, Floats};
use gridlock_checker::report::Subject;
use gridlock_checker::report::not_judged::NotJudged;
use gridlock_checker::report::remark::{Remark, Way};
use gridlock_checker::verdict::{Assurance, Engine, Property, PropertyResult, Reason, Verdict};
use gridlock_proofs::{Budget, prove_kernel};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::ProcKind;
use std::collections::BTreeSet;

/// Of the solver, for what is certain of one program.
const SECONDS_FOR_OVERFLOWS: f64 = 0.5;
/// Branches named in a remark at most.
const MOST_BRANCHES: usize = 8;

impl<'a> Comparing<'a> {
    pub(super) fn describe_inputs(&mut self) {
        let one = self.has_one_input();
        let inputs = match one {
            true => "as given".to_owned(),
            false => {
                let sampling = self.request.sampling;
                let compared = match self.n_compared() {
                    0 => "",
                    _ => subject::WHAT_IS_COMPARED,
                };
                let wide = match (self.n_wide, self.floats) {
                    (0, _) => "",
                    (_, Floats::Any) => ", and whole ranges",
                    (_, Floats::Ordinary) => ", and whole ranges with floats of ordinary size",
                    (_, Floats::Exact) => ", and whole ranges with floats whose sums are exact",
                };
                format!(
                    "random, {} a launch, seed {}{compared}{wide}",
                    sampling.count, sampling.seed
                )
            }
        };
        let subjects = [self.old, self.new].map(|side| Subject {
            file: side.file.clone(),
            kernel: side.prepared.surface.proc(side.point.proc).name.to_string(),
            launch: subject::describe(&side.prepared.surface, &side.point),
            host_launches: Vec::new(),
            host_tried: None,
            inputs: inputs.clone(),
        });
        self.judgement.subjects.extend(subjects);
    }

    /// What is taken for granted of both sides alike, what is not judged, and how inputs correspond.
    pub(super) fn note_premises(&mut self) {
        let (old, new) = (self.old, self.new);
        let [old_proc, new_proc] =
            [old, new].map(|side| side.prepared.surface.proc(side.point.proc));
        let known_of_old = |v| old.point.extents.contains_key(&v) || old.point.nulls.contains(&v);
        let mut moved = Vec::new();
        let mut known_of_new: BTreeSet<VarId> = BTreeSet::new();
        for (position, var) in new_proc.params.iter().enumerate() {
            let partner = partner(old_proc, new_proc, position, *var);
            let own = new.point.extents.contains_key(var) || new.point.nulls.contains(var);
            if own || partner.is_some_and(|p| known_of_old(old_proc.params[p])) {
                known_of_new.insert(*var);
            }
            let is_own = !new_proc.is_arbitrary(*var);
            if partner.is_some_and(|p| p != position) && is_own {
                moved.push(new_proc.vars[var.0 as usize].name.to_string());
            }
        }
        let entry = |subject: usize, side: &'a Compared| Entry {
            subject,
            program: &side.prepared.surface,
            point: &side.point,
        };
        let (of_old, of_new) = (entry(0, old), entry(1, new));
        of_old.note_open_bounds(&mut self.judgement.not_judged, known_of_old);
        of_new.note_open_bounds(&mut self.judgement.not_judged, |v| {
            known_of_new.contains(&v)
        });
        for entry in [of_old, of_new] {
            let is_proved = !self.proof_is_none();
            entry.note_aliasing(&mut self.judgement, is_proved);
            entry.note_not_null(&mut self.judgement.assumptions);
        }
        // What is so of both is said once.
        let open = std::mem::take(&mut self.judgement.not_judged);
        let mut told = Vec::new();
        for open in open {
            if !told.iter().any(|t: &NotJudged| t.gap == open.gap) {
                told.push(open);
            }
        }
        self.judgement.not_judged.extend(told);
        if !moved.is_empty() {
            let parameters = moved;
            self.judgement
                .remarks
                .note(Remark::PairedByName { parameters });
        }
        if !self.options.observe.is_empty() {
            let relations = self.options.observe.clone();
            self.judgement.remarks.note(Remark::Observed { relations });
        }
    }

    /// Says which signed arithmetic certainly overflows, as C++ leaves undefined what either program does then.
    pub(super) fn note_overflows(&mut self) {
        if !self.request.symbolic {
            return;
        }
        for (side, name) in [(self.old, "old"), (self.new, "new")] {
            let budget = Budget::of_seconds(SECONDS_FOR_OVERFLOWS);
            let time = Budget::patience(SECONDS_FOR_OVERFLOWS, self.deadline.left());
            let nothing_else = Vec::new();
            let (prepared, point) = (side.prepared, &side.point);
            let question = question(prepared, point, self.request, nothing_else, budget, time);
            let told = prove_kernel(&prepared.atomic, point.proc, &question).remarks;
            for remark in told.iter().cloned() {
                if let Remark::SignedOverflow {
                    line,
                    expression,
                    value_type,
                    wraps_to,
                    ..
                } = remark
                {
                    self.judgement.remarks.note(Remark::SignedOverflow {
                        program: Some(name.to_owned()),
                        line,
                        expression,
                        value_type,
                        wraps_to,
                    });
                }
            }
        }
    }

    pub(super) fn conclude(&mut self) {
        let mut result = PropertyResult {
            subject: 1,
            kind: Property::Equivalence,
            verdict: Verdict::Unknown,
            reason: Some(Reason::NotAttempted),
            assurance: None,
            engine: None,
            explanation: String::new(),
        };
        if let Some(why) = self.refuted.take() {
            result.verdict = Verdict::Refuted;
            result.reason = None;
            result.explanation = why;
        } else if let Some((reason, why)) = self.open.take() {
            result.reason = Some(reason);
            result.explanation = why;
        } else if self.n_runs > 0 && self.n_values == 0 && self.proof_is_none() {
            result.reason = Some(Reason::NotAttempted);
            result.explanation = match self.options.observe.is_empty() {
                true => "nothing that either program leaves is observed".to_owned(),
                false => "no value falls under the observation map, and nothing else is observed"
                    .to_owned(),
            };
        } else if self.n_runs == 0 && self.proof.is_none() {
            result.reason = Some(Reason::Vacuous);
            result.explanation =
                "none of the inputs tried meets the programs' assumptions (--arg gives others)"
                    .to_owned();
        } else {
            if !matches!(self.proof, Some(Proof::AllSizes(_) | Proof::Whole)) {
                self.note_branches();
            }
            self.all_alike(&mut result);
        }
        result.engine = match (result.verdict, &self.proof) {
            (Verdict::Unknown, _) => None,
            (Verdict::Proved, Some(Proof::Whole | Proof::AllSizes(_))) => Some(Engine::Symbolic),
            _ => Some(self.engine),
        };
        let tells = self.options.tolerance.is_some() || result.verdict == Verdict::Refuted;
        self.judgement.largest_difference = self.largest.take().filter(|_| tells);
        self.judgement.properties.push(result);
    }

    fn all_alike(&self, result: &mut PropertyResult) {
        let n = self.n_runs;
        let within = match &self.options.tolerance {
            Some(tolerance) => format!(" within {tolerance}"),
            None => String::new(),
        };
        let left_out = match self.n_left_out {
            0 => String::new(),
            n => format!(", {n} more left out for a defect of the original or a limit"),
        };
        let seen = match self.engine {
            Engine::Explorer => format!(
                "the same outcomes{within} in every schedule explored of {n} sampled inputs{left_out}"
            ),
            _ => format!(
                "the same outcome{within} in every schedule of {n} sampled inputs{left_out}, by the \
                 canonical run"
            ),
        };
        let seen = match (&self.options.tolerance, most(self.largest.as_ref())) {
            (Some(_), Some(most)) => format!("{seen}; {most}"),
            _ => seen,
        };
        let seen = match &self.proof {
            Some(Proof::Whole) => {
                result.verdict = Verdict::Proved;
                result.reason = None;
                result.assurance = Some(Assurance::AllInputs);
                result.explanation = match self.options.observe.is_empty() {
                    true => "the same contents of memory in every schedule".to_owned(),
                    false => "in every schedule the same contents of memory, as the observation map relates them".to_owned(),
                };
                return;
            }
            Some(Proof::AllSizes(blocks)) => {
                let is_of_all = blocks.is_none() && self.gives_no_argument();
                result.verdict = Verdict::Proved;
                result.reason = None;
                result.assurance = Some(match is_of_all {
                    true => Assurance::AllInputsAllSizes,
                    false => Assurance::AllInputs,
                });
                let same = "the same contents of memory in every schedule";
                result.explanation = match blocks {
                    Some(blocks) => format!("{same}, and at every other launch of {blocks}"),
                    None => same.to_owned(),
                };
                return;
            }
            Some(Proof::Part(what)) => format!("{seen}; proved {what}"),
            Some(Proof::Stopped(why)) => format!("{seen}; not proved for all inputs: {why}"),
            None => seen,
        };
        let is_closed = |side: &Compared| {
            let procedure = side.prepared.surface.proc(side.point.proc);
            procedure.kind == ProcKind::Host && procedure.params.is_empty()
        };
        if !self.request.sampling.all_only {
            result.verdict = Verdict::Passed;
            result.reason = None;
            result.assurance = Some(Assurance::AllSchedules);
            result.explanation = seen;
        } else if is_closed(self.old) && is_closed(self.new) && self.options.tolerance.is_none() {
            result.verdict = Verdict::Proved;
            result.reason = None;
            result.assurance = Some(Assurance::AllInputs);
            result.explanation =
                "the same outcomes in every schedule of two closed programs".to_owned();
        } else {
            result.reason = Some(Reason::Inconclusive);
            result.explanation = format!(
                "{seen}; equivalence is not proved for all inputs, and samples do not count (--inputs all)"
            );
        }
    }

    /// Says which branches no run took.
    fn note_branches(&mut self) {
        if !self.options.tell_branches || self.engine != Engine::CanonicalRun {
            return;
        }
        for (side, name) in [(self.old, "old"), (self.new, "new")] {
            let mut ways: Vec<Way> = Vec::new();
            for missed in missed(side) {
                let span = side.prepared.compiled.span(missed.op);
                let way = Way {
                    line: span.line,
                    holds: missed.way,
                };
                if way.line > 0 && !ways.contains(&way) {
                    ways.push(way);
                }
            }
            let n = ways.len();
            ways.truncate(MOST_BRANCHES);
            if n > 0 {
                self.judgement.remarks.note(Remark::BranchesNotTaken {
                    program: name.to_owned(),
                    ways,
                    more: n.saturating_sub(MOST_BRANCHES) as u32,
                });
            }
        }
    }
}
