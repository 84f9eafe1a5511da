//! What came out of a proof attempt.

use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Assurance, Property, Reason};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::Actor;

/// What is known of one property of a kernel after an attempt to prove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofStatus {
    /// It holds in every configuration that the request leaves open, under the assumptions of the
    /// outcome.
    Proved {
        /// How far the proof reaches.
        assurance: Assurance,
    },
    /// The solver has a model of a defect: see the candidates of this property. Nothing is
    /// refuted until one of them is replayed; if none replays, the property is `unknown`, reason
    /// `inconclusive`.
    Candidate,
    /// Neither proved nor suspected of failing.
    Unknown {
        /// Why, as a closed word; [`PropertyProof::why`] says it in a sentence.
        reason: Reason,
    },
    /// The property's premise is absent (bounds without extents).
    NotJudged,
}

/// The result for one property.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyProof {
    /// The property that was asked about.
    pub property: Property,
    /// What came out.
    pub status: ProofStatus,
    /// One plain sentence: what was established or what stood in the way.
    pub why: String,
}

/// One side of a suspected defect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateSite {
    /// In the program given to [`crate::prove_kernel`].
    pub op: OpId,
    /// The thread that executes it in the model.
    pub actor: Actor,
    /// Only for accesses.
    pub mode: Option<AccessMode>,
    /// Name of the array and the index in elements; only for accesses.
    pub element: Option<(String, i64)>,
}

/// A model of the solver, as a closed configuration in which the defect is to be looked for (by
/// the canonical run or the explorer). The cells of arrays that the situation reads are the model's, as
/// far as the solver knows operations on their type.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The defect that the model suggests.
    pub kind: DefectKind,
    /// Profile, launch, arguments and contents of arrays of the model.
    pub setup: Setup,
    /// The operators of the defect: two for a race, one for most others.
    pub sites: Vec<CandidateSite>,
    /// One sentence for people.
    pub message: String,
    /// False: an index lies below the beginning of an array, and only for arguments or contents that are
    /// out of the ordinary, a size of -5 say.
    pub is_ordinary: bool,
}

/// What came out of all the questions about one kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofOutcome {
    /// One for each property asked for, in that order.
    pub results: Vec<PropertyProof>,
    /// What the proved properties take for granted.
    pub assumptions: Statements<Assumption>,
    /// Suspected defects, each to be replayed before it counts.
    pub candidates: Vec<Candidate>,
    /// Accesses that can never happen, counters that wrap around.
    pub remarks: Statements<Remark>,
    /// Solver queries made.
    pub queries: u64,
    /// Steps the solver took for them, as budgets count them.
    pub steps: u64,
    /// Wall-clock time, all queries included.
    pub seconds: f64,
    /// The budgets and timeouts that cut the attempt short, as the report names them; empty if it
    /// was complete.
    pub limits_hit: Vec<String>,
}

impl ProofOutcome {
    /// The result for `property`, if it was asked for.
    pub fn of(&self, property: Property) -> Option<&PropertyProof> {
        self.results.iter().find(|r| r.property == property)
    }
}
