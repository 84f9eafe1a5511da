//! The strongest that can be said of two kernels: the same at every launch and for all inputs; or at every launch of
//! blocks of one shape, those of the launch that is given.

use super::Compared;
use super::all_inputs::Scalars;
use super::comparing::{Comparing, Proof};
use super::launches::LaunchPair;
use crate::input::error::InputError;
use crate::judge::question::question;
use gridlock_checker::equiv::Modulo;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::Property;
use gridlock_proofs::all_sizes::{AllSizes, AllSizesRequest, same_at_all_sizes};
use gridlock_proofs::equivalence::{Side, Which};
use gridlock_proofs::{Budget, ExtentTerm, ProofRequest, ProofStatus, PropertyProof, prove_kernel};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::setup::Launch;
use std::time::Duration;

/// Operators of the generic thread, all looks at loops together.
const MOST_STEPS: u64 = 200_000;
/// Of the solver, for the comparison, and for what either kernel by itself has to keep.
const COMPARISON_SECONDS: f64 = 1.0;
const DEFECT_SECONDS: f64 = 2.0;
/// Elements of an array, of which nobody said how many it has.
const FURTHEST: u64 = 1 << 48;
/// How much longer either may take by the clock, on a machine that is slow or busy: the solver counts its steps.
const SLOW: f64 = 10.0;

/// A kernel of which it is not proved that it has no defect.
#[derive(Debug, thiserror::Error)]
#[error("{property}: {why}")]
struct NotFree {
    property: &'static str,
    why: String,
}

/// An array before whose beginning the new program may come, with an access that the old program does not make.
#[derive(Debug, thiserror::Error)]
#[error("an index into `{0}`, which the old program does not have, may lie before its beginning")]
struct BeforeBeginning(String);

/// What a kernel has to be free of by itself.
const PROPERTIES: [Property; 6] = [
    Property::Divergence,
    Property::Races,
    Property::Deadlock,
    Property::Bounds,
    Property::Arithmetic,
    Property::Assertions,
];

impl Comparing<'_> {
    /// Tries the proof at every launch, where no sample met what the programs assume.
    pub(super) fn prove_beyond_samples(&mut self) -> Result<(), InputError> {
        self.prove_where_all_is_open()?;
        Ok(())
    }

    /// What the proof at every launch stops at, whatever samples say; `None`: it goes through.
    pub(super) fn stops_at_all_sizes(mut self) -> Result<Option<String>, InputError> {
        if self.prove_where_all_is_open()? {
            return Ok(None);
        }
        Ok(Some(self.not_at_all_sizes.unwrap_or_default()))
    }

    fn prove_where_all_is_open(&mut self) -> Result<bool, InputError> {
        let is_kernel =
            |side: &Compared| side.prepared.surface.proc(side.point.proc).kind == ProcKind::Kernel;
        let is_asked = self.is_asked_of_solver() && self.options.observe.is_empty();
        if !is_asked || !is_kernel(self.old) || !is_kernel(self.new) {
            return Ok(false);
        }
        let pairs = super::launches::launches(self.old, self.new)?;
        self.prove_at_all_sizes(&pairs)
    }

    /// Tries blocks of the launch, then those of any shape.
    pub(super) fn prove_at_all_sizes(&mut self, pairs: &[LaunchPair]) -> Result<bool, InputError> {
        let Some(&(old_launch, new_launch)) = pairs.first() else {
            return Ok(false);
        };
        // What is compared is one thread of both: they have the same launch.
        if old_launch != new_launch || self.options.tolerance.is_some() {
            return Ok(false);
        }
        // What does not hold for blocks of one shape does not hold for all.
        let given = self.old.point.launch.or(self.new.point.launch);
        if let Some(launch) = given {
            if !self.proved_with(pairs, Some(launch))? {
                return Ok(false);
            }
            let blocks = match launch.block {
                [x, 1, 1] => format!("blocks of {x} threads"),
                [x, y, 1] => format!("blocks of {x} × {y} threads"),
                [x, y, z] => format!("blocks of {x} × {y} × {z} threads"),
            };
            self.proof = Some(Proof::AllSizes(Some(blocks)));
        }
        if self.proved_with(pairs, None)? {
            self.proof = Some(Proof::AllSizes(None));
            return Ok(true);
        }
        Ok(given.is_some())
    }

    /// The proof, with the blocks and the shared memory of a launch, if one is named.
    fn proved_with(
        &mut self,
        pairs: &[LaunchPair],
        launch: Option<Launch>,
    ) -> Result<bool, InputError> {
        let (old, new) = self.setups_of_proof(pairs[0])?;
        let (of_old, of_new) = self.unknowns(&old, &new, Scalars::All);
        let asked = self.old.point.asked.or(self.new.point.asked);
        let request = AllSizesRequest {
            profile: &self.request.profile,
            observed: self.observed(&old, &new),
            arrays: self
                .given_arrays(&old, &new)
                .filter_map(|(of_old, own, _)| Some((of_old?, own)))
                .collect(),
            floats_commute: self.modulo != Modulo::Exact,
            block: launch.map(|launch| launch.block),
            asked,
            budget: Budget::of_seconds(COMPARISON_SECONDS),
            timeout: Duration::from_secs_f64(COMPARISON_SECONDS * SLOW),
            steps: MOST_STEPS,
        };
        let sides = [(self.old, &old, &of_old), (self.new, &new, &of_new)].map(
            |(side, setup, unknowns)| Side {
                program: &side.prepared.surface,
                setup,
                unknowns,
            },
        );
        let (mut assumptions, other_elements): (Statements<Assumption>, _) =
            match same_at_all_sizes(sides[0], sides[1], &request) {
                AllSizes::Same {
                    assumptions,
                    other_elements,
                } => (assumptions.into_iter().collect(), other_elements),
                AllSizes::Open { why, which, .. } => {
                    tracing::debug!(?which, "not proved at all sizes: {why}");
                    self.not_at_all_sizes = Some(match which {
                        Some(Which::Old) => format!("in the old program, {why}"),
                        Some(Which::New) => format!("in the new program, {why}"),
                        None => why,
                    });
                    return Ok(false);
                }
            };
        for (side, name) in [(self.old, "old"), (self.new, "new")] {
            match self.is_free_of_defects(side, launch) {
                Ok(taken) => assumptions.extend(taken),
                Err(why) => {
                    tracing::debug!("not proved at all sizes: {why}");
                    self.not_at_all_sizes = Some(format!("in the {name} program, {why}"));
                    return Ok(false);
                }
            }
        }
        let in_question: Vec<VarId> = self
            .given_arrays(&old, &new)
            .filter(|(_, array, _)| other_elements.contains(array))
            .map(|(_, _, var)| var)
            .collect();
        match self.keeps_to_beginnings(launch, &in_question) {
            Ok(taken) => assumptions.extend(taken),
            Err(why) => {
                let why = format!("in the new program, {why}");
                tracing::debug!("not proved at all sizes: {why}");
                self.not_at_all_sizes = Some(why);
                return Ok(false);
            }
        }
        self.judgement.assumptions.extend(assumptions);
        self.note_assumptions();
        Ok(true)
    }

    /// Where an array ends nobody may have said; that it has a beginning is known. What the new program accesses and the old
    /// one does not has to lie behind it.
    ///
    /// # Errors
    /// An array before whose beginning the new program may come, where the old one may not.
    fn keeps_to_beginnings(
        &self,
        launch: Option<Launch>,
        in_question: &[VarId],
    ) -> Result<Statements<Assumption>, BeforeBeginning> {
        let new = self.new;
        let open = in_question
            .iter()
            .filter(|var| !new.point.extents.contains_key(var) && !new.point.nulls.contains(var));
        let mut all = Statements::default();
        for var in open {
            let Some(taken) = self.stays_behind(new, launch, *var) else {
                let proc = new.prepared.surface.proc(new.point.proc);
                let name = proc.vars[var.0 as usize].name.to_string();
                return Err(BeforeBeginning(name));
            };
            all.extend(taken);
        }
        Ok(all)
    }

    /// What is taken for granted where no index into an array lies before its beginning, or further than any array reaches.
    fn stays_behind(
        &self,
        side: &Compared,
        launch: Option<Launch>,
        array: VarId,
    ) -> Option<Statements<Assumption>> {
        let mut asked = self.question_of(side, launch, vec![Property::Bounds]);
        asked.extents = [(array, ExtentTerm::Elements(FURTHEST))].into();
        let outcome = prove_kernel(&side.prepared.atomic, side.point.proc, &asked);
        let is_proved =
            |judged: &PropertyProof| matches!(judged.status, ProofStatus::Proved { .. });
        outcome
            .results
            .iter()
            .all(is_proved)
            .then_some(outcome.assumptions)
    }

    /// What is asked of one of the kernels by itself. What is given to the one is given to the other.
    fn question_of(
        &self,
        side: &Compared,
        launch: Option<Launch>,
        properties: Vec<Property>,
    ) -> ProofRequest {
        let seconds = DEFECT_SECONDS.min(self.deadline.left());
        let mut asked = question(
            side.prepared,
            &side.point,
            self.request,
            properties,
            Budget::of_seconds(seconds),
            Duration::try_from_secs_f64(seconds * SLOW).unwrap_or_default(),
        );
        asked.launch = None;
        asked.block = launch.map(|launch| launch.block);
        asked.asked = Some(self.old.point.asked.or(self.new.point.asked));
        if let Some(launch) = launch {
            asked.shared_bytes = Some(launch.shared_bytes);
            asked.shared_is_open = false;
        }
        asked
    }

    /// What is taken for granted where a kernel is proved to have no defect at the launches asked about; in words, what
    /// the proof stops at.
    fn is_free_of_defects(
        &self,
        side: &Compared,
        launch: Option<Launch>,
    ) -> Result<Statements<Assumption>, NotFree> {
        let asked = self.question_of(side, launch, PROPERTIES.to_vec());
        let outcome = prove_kernel(&side.prepared.atomic, side.point.proc, &asked);
        for judged in &outcome.results {
            let holds = match judged.status {
                ProofStatus::Proved { .. } => true,
                // Nothing is there to be judged: no extent, no assertion.
                ProofStatus::NotJudged => {
                    matches!(judged.property, Property::Bounds | Property::Assertions)
                }
                _ => false,
            };
            if !holds {
                return Err(NotFree {
                    property: judged.property.name(),
                    why: judged.why.clone(),
                });
            }
        }
        Ok(outcome.assumptions)
    }
}
