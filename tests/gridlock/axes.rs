//! Every value of every axis of a profile means something: for each pair of neighbouring values
//! the smallest program found that comes out otherwise under the one than under the other, all
//! other axes being equal.

use gridlock::input::request::{EntryRequest, ExtentSpec, LaunchSpec, Request};
use gridlock::judge::check::check_parsed;
use gridlock::report::render::observation::outcome;
use gridlock::run::explored::Explored;
use gridlock::subject::closed::closed;
use gridlock_checker::explore::ExploreOptions;
use gridlock_semantics::profile::*;
use std::collections::BTreeSet;
use std::fmt::Debug;

/// A program and its launch.
struct Subject {
    source: &'static str,
    grid: u32,
    block: u32,
    /// Of one element each.
    extents: &'static [&'static str],
    /// Host function to run instead of the kernel.
    host: bool,
}

const fn kernel(grid: u32, block: u32, source: &'static str) -> Subject {
    Subject {
        source,
        grid,
        block,
        extents: &[],
        host: false,
    }
}

const LOST_UPDATE: Subject = Subject {
    source: include_str!("../../examples/literal-paper/lost-update.cu"),
    grid: 0,
    block: 0,
    extents: &["out"],
    host: true,
};

const LOST_OUTCOME: Subject = Subject {
    source: include_str!("../../examples/literal-paper/lost-outcome.cu"),
    ..LOST_UPDATE
};

const SWAP: Subject = kernel(
    1,
    2,
    "__global__ void k(int *a) { a[threadIdx.x] = a[1 - threadIdx.x]; }",
);

const MEET: Subject = kernel(1, 2, "__global__ void k() { __syncthreads(); }");

const EARLY_RETURN: Subject = kernel(
    1,
    2,
    "__global__ void k() { if (threadIdx.x == 0) return; __syncthreads(); }",
);

const SKIPPED: Subject = kernel(
    1,
    2,
    "__global__ void k() { if (threadIdx.x == 0) __syncthreads(); }",
);

const TWO_BARRIERS: Subject = kernel(
    1,
    2,
    "__global__ void k() { if (threadIdx.x == 0) __syncthreads(); else __syncthreads(); }",
);

const WARP_BARRIER: Subject = kernel(
    1,
    2,
    "__global__ void k(int *a, int *b) {
         int t = threadIdx.x; a[t] = t; __syncwarp(3); b[t] = a[1 - t]; }",
);

const NO_WARP_BARRIER: Subject = kernel(
    1,
    2,
    "__global__ void k(int *a, int *b) {
         int t = threadIdx.x; a[t] = t; b[t] = a[1 - t]; }",
);

/// Whoever starts after another block has finished sees that.
const WHO_HAS_FINISHED: &str = "__device__ int done[3];
     __global__ void k(int *out) {
         int b = blockIdx.x, seen = 0;
         for (int i = 0; i < gridDim.x; i++)
             seen += done[i];
         out[b] = seen;
         done[b] = 1; }";

const TWO_BLOCKS: Subject = kernel(2, 1, WHO_HAS_FINISHED);
const THREE_BLOCKS: Subject = kernel(3, 1, WHO_HAS_FINISHED);

/// Blocks that wait for each other.
const BLOCKS_MEET: Subject = kernel(
    2,
    1,
    include_str!("../corpus/progress/barrier-of-blocks-broken.cu"),
);

const LEARNS: Subject = kernel(
    2,
    2,
    include_str!("../corpus/profiles/used-result-broken.cu"),
);

const VOLATILE: Subject = kernel(2, 1, include_str!("../corpus/guide/last-block-sum.cu"));

const SAME_VALUE: Subject = kernel(1, 2, "__global__ void k(int *a) { a[0] = 1; }");

/// What comes of a subject: how runs end and which defects they have; where a limit or the memory
/// model matters, the judgement of `check`.
fn behaviour(subject: &Subject, axes: Axes, judged: bool) -> BTreeSet<String> {
    let profile = Profile {
        name: "as given".to_owned(),
        meaning: String::new(),
        axes,
    };
    let mut entry = EntryRequest::default();
    if subject.host {
        entry.entry = Some("run".to_owned());
    } else {
        entry.launch = LaunchSpec {
            grid: Some([subject.grid, 1, 1]),
            block: Some([subject.block, 1, 1]),
            shared_bytes: None,
        };
    }
    for name in subject.extents {
        let one = ExtentSpec::parse("1").expect("an extent");
        entry.extents.insert((*name).to_owned(), one);
    }
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("k.cu");
    std::fs::write(&file, subject.source).expect("the source is written");
    let mut request = Request {
        profile,
        symbolic: false,
        ..Request::default()
    };
    request.sampling.count = 1;
    let mut seen = BTreeSet::new();
    if judged {
        let parsed = gridlock::input::source::parse(&file, &Default::default()).expect("a program");
        let judgement = check_parsed("k.cu", parsed, &entry, &request).expect("a judgement");
        seen.insert(format!("{:?} {:?}", judgement.verdict, judgement.reason));
        seen.extend(judgement.defects.iter().map(|d| d.kind.name().to_owned()));
        return seen;
    }
    let closed = closed(&file, &Default::default(), &entry, &request).expect("a program");
    let (program, setup) = (&closed.prepared.surface, &closed.setup);
    let options = ExploreOptions::default();
    let explored = Explored::new(program, setup, &request.profile, &request.limits, &options)
        .expect("a profile with a meaning");
    assert!(explored.exploration.complete, "{axes:?}");
    seen.extend(explored.exploration.outcomes.keys().map(outcome));
    seen.extend(explored.defects.iter().map(|d| d.kind.name().to_owned()));
    seen.extend(explored.deadlocks.iter().map(|d| d.message.clone()));
    seen
}

/// Two neighbouring values and what tells them apart.
struct Apart<V> {
    values: (V, V),
    base: &'static str,
    subject: Subject,
    judged: bool,
}

fn apart<V>(values: (V, V), base: &'static str, subject: Subject) -> Apart<V> {
    Apart {
        values,
        base,
        subject,
        judged: false,
    }
}

/// The same, by what `check` says.
fn judged<V>(values: (V, V), base: &'static str, subject: Subject) -> Apart<V> {
    Apart {
        judged: true,
        ..apart(values, base, subject)
    }
}

/// Every two neighbours of `values` are told apart by one of `cases`, and each case tells what it
/// says apart.
#[track_caller]
fn check<V: Copy + Debug + PartialEq>(
    values: &[V],
    set: impl Fn(&mut Axes, V),
    cases: &[Apart<V>],
) {
    for pair in values.windows(2) {
        let known = cases.iter().any(|case| case.values == (pair[0], pair[1]));
        assert!(known, "nothing tells {:?} from {:?}", pair[0], pair[1]);
    }
    for case in cases {
        let base = Profile::named(case.base).expect("a named profile").axes;
        let under = |value: V| {
            let mut axes = base;
            set(&mut axes, value);
            behaviour(&case.subject, axes, case.judged)
        };
        let (a, b) = (under(case.values.0), under(case.values.1));
        assert_ne!(a, b, "{:?}", case.values);
    }
}

#[test]
fn steps_and_who_makes_them() {
    check(
        Granularity::ALL,
        |axes, value| axes.granularity = value,
        &[apart(
            (Granularity::Operator, Granularity::Access),
            "paper",
            LOST_UPDATE,
        )],
    );
    check(
        Firing::ALL,
        |axes, value| axes.firing = value,
        &[apart((Firing::One, Firing::Set), "paper", SWAP)],
    );
    check(
        Merge::ALL,
        |axes, value| axes.merge = value,
        &[apart(
            (Merge::ByValue, Merge::ByWrite),
            "paper",
            LOST_OUTCOME,
        )],
    );
}

#[test]
fn barriers() {
    use ExitedThreads::*;
    check(
        BarrierRule::ALL,
        |axes, value| axes.barrier = value,
        &[apart(
            (BarrierRule::Literal, BarrierRule::Collective),
            "paper",
            MEET,
        )],
    );
    check(
        ExitedThreads::ALL,
        |axes, value| axes.exited_threads = value,
        &[
            apart((BlockForever, ReturnOnly), "paper", EARLY_RETURN),
            apart((BlockForever, ReturnOnly), "paper-literal", EARLY_RETURN),
            apart((ReturnOnly, Arrived), "cuda", SKIPPED),
            apart((Arrived, Defect), "cuda", EARLY_RETURN),
        ],
    );
    check(
        Divergence::ALL,
        |axes, value| axes.divergence = value,
        &[apart(
            (Divergence::AnyBarrier, Divergence::SameBarrier),
            "cuda",
            TWO_BARRIERS,
        )],
    );
}

#[test]
fn warps() {
    check(
        &[
            Warps::None,
            Warps::Independent(1),
            Warps::Independent(2),
            Warps::Lockstep(2),
            Warps::Lockstep(1),
        ],
        |axes, value| axes.warps = value,
        &[
            // Nothing is ordered where warps are unknown; a mask that names a lane beyond a warp
            // of one waits for no other.
            apart(
                (Warps::None, Warps::Independent(1)),
                "cuda",
                kernel(1, 2, "__global__ void k() { __syncwarp(2); }"),
            ),
            apart(
                (Warps::Independent(1), Warps::Independent(2)),
                "cuda",
                WARP_BARRIER,
            ),
            apart(
                (Warps::Independent(2), Warps::Lockstep(2)),
                "cuda",
                NO_WARP_BARRIER,
            ),
            apart(
                (Warps::Lockstep(2), Warps::Lockstep(1)),
                "cuda",
                NO_WARP_BARRIER,
            ),
        ],
    );
}

#[test]
fn blocks_for_safety() {
    use Residency::*;
    let in_sets = |residency| {
        move |axes: &mut Axes| {
            axes.safety.residency = residency;
            axes.granularity = Granularity::Access;
        }
    };
    // Under the start rule blocks may start together, where sets of threads fire.
    let starts: Vec<BTreeSet<String>> = [StartRule, RunToCompletion]
        .into_iter()
        .map(|residency| {
            let mut axes = Profile::named("paper").expect("a named profile").axes;
            in_sets(residency)(&mut axes);
            behaviour(&TWO_BLOCKS, axes, false)
        })
        .collect();
    assert_ne!(starts[0], starts[1]);
    check(
        &[RunToCompletion, Resident(2), EveryResident],
        |axes, value| axes.safety.residency = value,
        &[
            apart((RunToCompletion, Resident(2)), "cuda", TWO_BLOCKS),
            apart((Resident(2), EveryResident), "cuda", THREE_BLOCKS),
        ],
    );
    check(
        NextBlock::ALL,
        |axes, value| {
            axes.safety.residency = RunToCompletion;
            axes.safety.next = value;
        },
        &[apart(
            (NextBlock::Any, NextBlock::InOrder),
            "cuda",
            TWO_BLOCKS,
        )],
    );
}

#[test]
fn blocks_for_termination() {
    use Residency::*;
    check(
        &[RunToCompletion, Resident(2), EveryResident, AllResident],
        |axes, value| axes.termination.residency = value,
        &[
            judged((RunToCompletion, Resident(2)), "cuda", BLOCKS_MEET),
            judged((Resident(2), EveryResident), "cuda", BLOCKS_MEET),
            judged((EveryResident, AllResident), "cuda", BLOCKS_MEET),
        ],
    );
    let progress = |progress| {
        let mut axes = Profile::default().axes;
        axes.termination.residency = AllResident;
        axes.termination.progress = progress;
        behaviour(&BLOCKS_MEET, axes, true)
    };
    let seen: Vec<BTreeSet<String>> = Progress::ALL.iter().map(|p| progress(*p)).collect();
    assert_ne!(seen[0], seen[1], "an unfair scheduler never runs one block");
    // Which blocks have a place is the axis *residency*; every start that is possible is owed
    // under both, so that these two promise the same.
    assert_eq!(seen[1], seen[2]);
}

#[test]
fn memory_and_same_value_writes() {
    check(
        MemoryModel::ALL,
        |axes, value| axes.memory = value,
        &[
            judged(
                (MemoryModel::Sc, MemoryModel::ScIfSynchronised),
                "cuda",
                LEARNS,
            ),
            judged(
                (
                    MemoryModel::ScIfSynchronised,
                    MemoryModel::ScIfSynchronisedVolatile,
                ),
                "cuda",
                VOLATILE,
            ),
        ],
    );
    check(
        SameValueWrites::ALL,
        |axes, value| axes.same_value_writes = value,
        &[apart(
            (SameValueWrites::Race, SameValueWrites::Benign),
            "cuda",
            SAME_VALUE,
        )],
    );
}

/// An axis that is added does not compile here until it has a test above.
#[test]
fn every_axis_has_its_test() {
    let Axes {
        granularity: _,
        firing: _,
        merge: _,
        barrier: _,
        exited_threads: _,
        divergence: _,
        warps: _,
        safety: _,
        termination: _,
        memory: _,
        same_value_writes: _,
    } = Profile::default().axes;
    // So does a value of the two axes whose values carry numbers.
    let _ = |residency: Residency| match residency {
        Residency::StartRule
        | Residency::RunToCompletion
        | Residency::Resident(_)
        | Residency::EveryResident
        | Residency::AllResident => {}
    };
    let _ = |warps: Warps| match warps {
        Warps::None | Warps::Independent(_) | Warps::Lockstep(_) => {}
    };
}
