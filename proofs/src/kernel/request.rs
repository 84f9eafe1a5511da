//! What to prove, and what may be taken as given.

use crate::solver::budget::Budget;
use gridlock_checker::verdict::Property;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Launch;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Number of elements of the array a pointer parameter points to.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtentTerm {
    /// That many elements (not bytes).
    Elements(u64),
    /// An integer expression over the kernel's scalar parameters (`n`, `w * h`); a negative value
    /// is excluded (the report lists that assumption).
    Of(Expr),
}

/// A question about one kernel. What is not fixed is arbitrary.
#[derive(Clone, Debug)]
pub struct ProofRequest {
    /// What the hardware guarantees; the properties are judged under it.
    pub profile: Profile,
    /// Only this launch; `None`: every launch.
    pub launch: Option<Launch>,
    /// Only launches of such blocks, where there is no launch that says more.
    pub block: Option<[u32; 3]>,
    /// The axes that the kernel's source asks about, where that is less than what its code reads;
    /// over every launch the others have extent 1 (the report lists that assumption).
    pub asked: Option<LaunchAxes>,
    /// Whether it is open how much dynamic shared memory there is; then its bounds are not judged.
    pub shared_is_open: bool,
    /// Where it is not, and there is no launch that says it: how much every launch has, in bytes.
    pub shared_bytes: Option<u32>,
    /// Fixed scalar arguments, by parameter.
    pub scalars: BTreeMap<VarId, Value>,
    /// Scalar arguments of which a small negative value is nothing out of the ordinary: places rather than
    /// sizes. See [`crate::kernel::outcome::Candidate::is_ordinary`].
    pub places: BTreeSet<VarId>,
    /// Extents of arrays, by pointer parameter; bounds of the others are not judged.
    pub extents: BTreeMap<VarId, ExtentTerm>,
    /// What the solver may do.
    pub budget: Budget,
    /// For the whole question, on a machine too slow for the budget.
    pub total_timeout: Duration,
    /// What to prove, in the order of the results.
    pub properties: Vec<Property>,
    /// Whether, where bounds are not among the properties, candidates are looked for in which an index
    /// into an array of no known extent is below 0. Nothing is said of bounds where there are none.
    pub beginnings: bool,
    /// Whether what is possible only in launches too large to run may be excluded by a bound on their threads (the report
    /// lists that assumption).
    pub bounds_launches: bool,
}

impl ProofRequest {
    /// How much dynamic shared memory every launch that is asked about has, if that is known.
    pub(crate) fn given_shared_bytes(&self) -> Option<u32> {
        let of_launch = self.launch.map(|launch| launch.shared_bytes);
        of_launch
            .or(self.shared_bytes)
            .filter(|_| !self.shared_is_open)
    }

    /// All inputs and all launches under `profile`: everything that can be asked of a kernel, with
    /// the budget of a proof of half a minute.
    pub fn all_sizes(profile: Profile) -> ProofRequest {
        ProofRequest {
            profile,
            launch: None,
            block: None,
            asked: None,
            shared_is_open: true,
            shared_bytes: None,
            scalars: BTreeMap::new(),
            places: BTreeSet::new(),
            extents: BTreeMap::new(),
            budget: Budget::of_seconds(36.0),
            total_timeout: Duration::from_secs(60),
            properties: vec![
                Property::Races,
                Property::Divergence,
                Property::Deadlock,
                Property::Bounds,
                Property::UninitialisedReads,
                Property::Arithmetic,
                Property::Assertions,
            ],
            beginnings: false,
            bounds_launches: false,
        }
    }
}
