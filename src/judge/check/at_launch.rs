//! What neither proofs nor samples decided, at a launch that is given: whether there is a defect for some input. The launch is run on
//! inputs that are unknown; where control and addresses do not hang on them, that takes no longer than a run.

use super::judged::Judged;
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::ExtentFactor;
use crate::run::trial;
use crate::subject;
use crate::subject::of_model::with_inputs;
use crate::subject::premises::has_floats;
use crate::subject::unknown_inputs::unknowns;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::verdict::{Assurance, Engine, Property, Verdict};
use gridlock_proofs::Budget;
use gridlock_proofs::defects::{Safety, SafetyRequest, is_safe};
use gridlock_proofs::equivalence::{Inputs, Side, Unknowns};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::analysis::begins_anew::may_begin_anew;
use gridlock_semantics::setup::{Arg, Setup};

/// Threads of a launch, all blocks together, above which no proof is tried.
const MOST_THREADS: u64 = 16_384;
/// Operators by one thread each.
const MOST_STEPS: u64 = 2_000_000;
/// Of the solver, and part of the time that is left.
const MOST_SECONDS: f64 = 3.0;
const SHARE: f64 = 0.3;

/// Whether the run on unknown inputs speaks of a property: of all at once that are of a kernel.
fn is_spoken_of(property: Property) -> bool {
    !matches!(property, Property::Host | Property::Equivalence)
}

/// Proves for all inputs what is open, where the launch is given.
pub(super) fn attempt(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    deadline: Deadline,
) -> Result<(), InputError> {
    let mut open = table.open();
    open.retain(|property| is_spoken_of(*property));
    if open.is_empty() || !entry.request.symbolic || table.has_refutation() {
        return Ok(());
    }
    let Some(mut question) = Question::of(entry, deadline)? else {
        return Ok(());
    };
    let mut answer = question.asked(entry, deadline);
    // What only some arguments show is for conditions to say; at those of the sample, contents may show it.
    if let Safety::Suspected { why, .. } | Safety::Open { why, .. } = &answer
        && question.fix_integers()
    {
        let of_others = why.clone();
        answer = match question.asked(entry, deadline) {
            Safety::Safe => {
                table.tell_what_is_open(&open, &of_others);
                return Ok(());
            }
            other => other,
        };
    }
    match answer {
        Safety::Safe => {
            // What was left of an iteration or a call before is no value, and a run does not tell.
            if may_begin_anew(&entry.prepared.surface, entry.point.proc) {
                open.retain(|property| *property != Property::UninitialisedReads);
            }
            for property in open {
                table.establish(
                    property,
                    Verdict::Proved,
                    Assurance::AllInputs,
                    Engine::Symbolic,
                    "a run of this launch on unknown inputs meets no defect".to_owned(),
                );
            }
            if has_floats(&entry.prepared.surface) {
                judgement.assumptions.note(Assumption::FloatsAsWritten {});
            }
        }
        Safety::Suspected { why, inputs } => {
            question.try_out(entry, &inputs, table, judgement, deadline);
            table.tell_what_is_open(&open, &why);
        }
        Safety::Open { why, cut } => {
            tracing::debug!("not proved for all inputs at this launch: {why} {cut:?}");
            table.tell_what_is_open(&open, &why);
        }
    }
    Ok(())
}

/// A launch with what is unknown of its inputs.
pub(super) struct Question {
    setup: Setup,
    unknowns: Unknowns,
}

impl Question {
    /// `None` where a run on unknown inputs is not tried.
    pub fn of(entry: &Judged<'_>, deadline: Deadline) -> Result<Option<Question>, InputError> {
        let Judged {
            prepared,
            point,
            request,
            ..
        } = *entry;
        let program = &prepared.surface;
        let is_kernel = program.proc(point.proc).kind == ProcKind::Kernel;
        let is_open = point.shared_is_open || !point.nulls.is_empty() || point.has_unset_contents();
        let is_tried = is_kernel && !is_open && request.profile.admits_canonical_run();
        let Some(launch) = point.launch.filter(|_| is_tried) else {
            return Ok(None);
        };
        let n_threads = launch.n_blocks().saturating_mul(launch.n_threads());
        // An extent that is said by an argument would be that of a sample.
        let mut factors = point.extents.values().flat_map(|extent| &extent.0);
        let hangs_on_arguments = factors.any(|factor| matches!(factor, ExtentFactor::Parameter(_)));
        if n_threads > MOST_THREADS || deadline.left() <= 0.0 || hangs_on_arguments {
            return Ok(None);
        }
        let made = subject::sampled_setup(program, point, point.launch, request.sampling, 0);
        Ok(made.ok().map(|setup| Question {
            unknowns: unknowns(program, point, &setup),
            setup,
        }))
    }

    /// Takes integers among the arguments for those of the sample; whether some were unknown.
    fn fix_integers(&mut self) -> bool {
        let mut has_some = false;
        for (arg, unknown) in self.setup.args.iter().zip(&mut self.unknowns.scalars) {
            if matches!(arg, Arg::Scalar(Value::Int(..) | Value::Bool(_))) {
                has_some |= unknown.take().is_some();
            }
        }
        has_some
    }

    pub fn asked(&self, entry: &Judged<'_>, deadline: Deadline) -> Safety {
        let there_is = (SHARE * deadline.left()).max(0.0);
        let seconds = MOST_SECONDS.min(there_is);
        let side = Side {
            program: &entry.prepared.surface,
            setup: &self.setup,
            unknowns: &self.unknowns,
        };
        let request = SafetyRequest {
            profile: &entry.request.profile,
            budget: Budget::of_seconds(seconds),
            timeout: Budget::patience(seconds, there_is),
            steps: MOST_STEPS,
        };
        is_safe(side, &request)
    }

    /// Runs the launch on the inputs of a model, and takes over what that shows.
    fn try_out(
        &self,
        entry: &Judged<'_>,
        inputs: &Inputs,
        table: &mut Table,
        judgement: &mut Judgement,
        deadline: Deadline,
    ) {
        let procedure = entry.prepared.surface.proc(entry.point.proc);
        let types = procedure.params.iter();
        let types: Vec<Type> = types.map(|var| procedure.vars[var.0 as usize].ty).collect();
        // What the results hold at first seldom matters.
        for with_results in [false, true] {
            let setup = with_inputs(&self.setup, &self.unknowns, &types, inputs, with_results);
            let trial = trial::run(entry.prepared, &setup, entry.request, deadline);
            judgement.statistics += trial.statistics;
            for mut defect in trial.defects {
                defect.subject = entry.subject;
                table.refute(defect, Engine::Symbolic);
            }
            if table.has_refutation() {
                return;
            }
        }
    }
}
