//! A condition as an assumption: is the kernel right at every launch and for every input that
//! meets it? The proof is asked of the kernel as the user would write it, with the condition as
//! its first operator.

use super::condition::Condition;
use super::judge::{Judge, Outcome};
use super::space::{Point, Space, Values};
use super::variable::Variable;
use crate::input::deadline::Deadline;
use crate::judge::question::question;
use crate::subject::prepared::Prepared;
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::limits::Limits;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::Property;
use gridlock_proofs::{Budget, Candidate, ProofStatus};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, Setup};
use gridlock_semantics::well_formed::check_well_formed;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// Transitions of one thread of a run that shows whether a configuration meets an assumption.
const DEPTH: u64 = 20_000;

/// What a proof under a condition established of one property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnderCondition {
    /// The property.
    pub property: Property,
    /// Whether it holds for every launch and input that meets the condition.
    pub proved: bool,
    /// Where it is not proved: what stood in the way.
    pub why: String,
}

/// What came of trying to prove a kernel under a condition.
pub struct Attempt {
    pub properties: Vec<UnderCondition>,
    pub assumptions: Statements<Assumption>,
    /// A launch that meets the condition and fails, if the proof ran into one.
    pub counterexample: Option<(Point, Outcome)>,
    /// The proof ran into a launch that meets the condition and of which no run says that it is safe.
    pub is_doubtful: bool,
}

impl Attempt {
    pub fn is_proof(&self) -> bool {
        !self.properties.is_empty() && self.properties.iter().all(|p| p.proved)
    }
}

/// Tries to prove everything that is judged, at all launches that meet `condition` (`None`: at
/// all) and the values the user fixed. `None` where no proof can be asked for.
pub fn prove(
    judge: &Judge,
    condition: Option<&Condition>,
    seconds: f64,
    deadline: Deadline,
) -> Option<Attempt> {
    let (space, request) = (judge.space, judge.request);
    let sized = |d: &super::space::Dimension| matches!(d.variable, Variable::Extent(_));
    if !request.symbolic
        || !request.profile.admits_canonical_run()
        || space.dimensions.iter().any(sized)
        || !space.for_every_launch().nulls.is_empty()
        || deadline.left() <= 0.0
    {
        return None;
    }
    let assumed = assuming(space, condition)?;
    let mut question = question(
        &assumed,
        &space.for_every_launch(),
        request,
        judge.properties.clone(),
        Budget::of_seconds(seconds),
        Duration::from_secs_f64(deadline.left()),
    );
    // The condition may speak of axes that the source does not ask about.
    question.asked = None;
    let proof = gridlock_proofs::prove_kernel(&assumed.atomic, space.kernel, &question);
    let properties = proof
        .results
        .iter()
        .filter(|r| r.status != ProofStatus::NotJudged)
        .map(|r| UnderCondition {
            property: r.property,
            proved: matches!(r.status, ProofStatus::Proved { .. }),
            why: r.why.clone(),
        })
        .collect();
    let mut is_doubtful = false;
    let counterexample = proof.candidates.iter().find_map(|candidate| {
        let (point, outcome) = examine(judge, candidate, deadline)?;
        let meets = condition.is_none_or(|c| c.at(&point));
        is_doubtful |= meets && !matches!(outcome, Outcome::Safe { .. } | Outcome::Excluded { .. });
        (meets && matches!(outcome, Outcome::Fails { .. })).then_some((point, outcome))
    });
    let mut assumptions = fixed(space);
    assumptions.extend(proof.assumptions);
    Some(Attempt {
        properties,
        assumptions,
        counterexample,
        is_doubtful,
    })
}

/// What the user fixed: a proof speaks of nothing else.
fn fixed(space: &Space) -> Statements<Assumption> {
    let given = space.dimensions.iter().filter_map(|d| match d.values {
        Values::Fixed(value) => Some(Assumption::GivenValue {
            name: d.name.clone(),
            value,
        }),
        _ => None,
    });
    given.collect()
}

/// The program with the condition, and what the user fixed of the launch, assumed at the start
/// of the kernel.
pub fn assuming(space: &Space, condition: Option<&Condition>) -> Option<Prepared> {
    let procedure = space.procedure();
    let mut assumptions: Vec<Expr> = Vec::new();
    for dimension in &space.dimensions {
        if let Values::Fixed(value) = dimension.values
            && dimension.variable.is_of_launch()
        {
            let variable = dimension.variable.expression(procedure)?;
            let value = Expr::int(ScalarType::U32, value);
            assumptions.push(Expr::binary(BinaryOp::Eq, variable, value));
        }
    }
    if let Some(condition) = condition {
        assumptions.push(condition.in_source(space)?.1);
    }
    requiring(&space.program, space.kernel, assumptions)
}

/// The program with assumptions at the start of a kernel; `None` where they mean nothing there.
pub fn requiring(program: &Program, kernel: ProcId, assumptions: Vec<Expr>) -> Option<Prepared> {
    let span = program.proc(kernel).span;
    let assumed = assumptions.into_iter();
    let assumed = assumed.map(|cond| Op::basic(Basic::Assume { cond }, span));
    beginning_with(program, kernel, assumed.collect())
}

/// The program with a kernel that does something else first; `None` where that means nothing there.
pub fn beginning_with(
    program: &Program,
    kernel: ProcId,
    mut parts: Vec<Arc<Op>>,
) -> Option<Prepared> {
    let mut program = program.clone();
    let kernel = &mut program.procs[kernel.0 as usize];
    let span = kernel.span;
    parts.push(kernel.body.clone());
    kernel.body = Op::new(OpKind::Seq(parts), span);
    program.number_operators();
    check_well_formed(&program).ok()?;
    Some(Prepared::new(program))
}

/// Whether a run ends because it does not meet what is assumed.
pub(crate) fn is_excluded(
    assumed: &Prepared,
    witness: &Setup,
    profile: &Profile,
    limits: &Limits,
) -> bool {
    let limits = Limits {
        depth: DEPTH,
        ..*limits
    };
    let run = canonical::run(&assumed.compiled, witness, profile, &limits);
    run.status == CanonicalStatus::AssumptionFailed
}

/// A model of the solver, run as it is.
fn examine(judge: &Judge, candidate: &Candidate, deadline: Deadline) -> Option<(Point, Outcome)> {
    let point = point_of(judge.space, &candidate.setup)?;
    Some((point, judge.run(&candidate.setup, deadline)))
}

/// Where a configuration stands in the space.
pub fn point_of(space: &Space, setup: &Setup) -> Option<Point> {
    let launch = setup.launch?;
    let params = &space.procedure().params;
    let values = space.dimensions.iter().map(|d| match d.variable {
        Variable::BlockDim(axis) => Some(launch.block[axis as usize] as i64),
        Variable::GridDim(axis) => Some(launch.grid[axis as usize] as i64),
        Variable::Scalar(var) => {
            let position = params.iter().position(|p| *p == var)?;
            match setup.args.get(position)? {
                Arg::Scalar(value) => i64::try_from(value.as_integer()?).ok(),
                _ => None,
            }
        }
        Variable::Extent(_) => None,
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_frontend::{Language, ParseOptions, parse_source};
    use gridlock_semantics::algebra::types::Type;
    use gridlock_semantics::algebra::value::Value;
    use gridlock_semantics::setup::Launch;
    use gridlock_semantics::setup::device_limits::DeviceLimits;

    /// A run that meets a condition and has a defect is not one that the condition excludes.
    #[test]
    fn what_meets_a_condition_is_not_excluded() {
        let text = "__global__ void k(int n) { __shared__ int s[4]; s[n] = threadIdx.x; }";
        let options = ParseOptions::default();
        let parsed = parse_source("k.cu", text, Language::Cuda, &options).expect("reads");
        let (program, kernel) = (parsed.program, ProcId(0));
        let n = program.proc(kernel).params[0];
        let at_most_2 = Expr::binary(BinaryOp::Le, Expr::var(n, Type::I32), Expr::i32(2));
        let assumed = requiring(&program, kernel, vec![at_most_2]).expect("well-formed");
        let is_excluded_at = |n: i32, threads: u32| {
            let setup = Setup {
                entry: kernel,
                launch: Some(Launch {
                    grid: [1, 1, 1],
                    block: [threads, 1, 1],
                    shared_bytes: 0,
                }),
                args: vec![Arg::Scalar(Value::i32(n))],
                arrays: Vec::new(),
                declared: Default::default(),
                observed: Vec::new(),
                device: DeviceLimits::default(),
            };
            is_excluded(&assumed, &setup, &Profile::default(), &Limits::default())
        };
        assert!(is_excluded_at(3, 1) && is_excluded_at(9, 2));
        assert!(
            !is_excluded_at(2, 1),
            "it meets the condition, and is right"
        );
        assert!(!is_excluded_at(2, 2), "it meets the condition, and races");
        assert!(
            !is_excluded_at(-1, 1),
            "it meets the condition, and is out of bounds"
        );
    }
}
