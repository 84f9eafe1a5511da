//! Streams, events and copies: random host programs, the canonical run against every order on the
//! reference; and each defect of the host's order found, replayed, and absent where it is ordered.

use crate::algebra::*;
use gridlock_checker::canonical::{self, CanonicalResult, CanonicalStatus, Width};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{ExploreOptions, Outcome, explore_program};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::replay;
use gridlock_generation::effort;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind, Op, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::streams::PER_THREAD;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Contents, Setup};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use std::collections::BTreeSet;

const HANDLE: Type = Type::Scalar(ScalarType::U64);

/// What a host program does between making everything and giving it back. Buffers: 0 and 1, one
/// element each on the host and on the device, the latter in managed memory. Streams: 0 is the
/// default stream, 1 blocks, 2 does not, 3 is the per-thread default stream.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// `d[to] = d[to] * 2 + d[from]`
    Launch {
        to: usize,
        from: usize,
        stream: usize,
    },
    Push {
        buffer: usize,
        stream: Option<usize>,
    },
    Pull {
        buffer: usize,
        stream: Option<usize>,
    },
    Record(usize),
    Await(usize),
    Sync(usize),
    SyncEvent,
    SyncDevice,
    /// `a[buffer] += 1`
    Touch(usize),
    /// `e[0] += 1`, in managed memory.
    TouchManaged,
    /// Frees the device's part of buffer 0 in its turn.
    Free(usize),
}

impl Arbitrary for Step {
    fn arbitrary(g: &mut Gen) -> Step {
        let pick = |g: &mut Gen, n: usize| usize::arbitrary(g) % n;
        let stream = pick(g, 4);
        let maybe = (pick(g, 3) > 0).then_some(stream);
        let (buffer, other) = (pick(g, 2), pick(g, 2));
        match pick(g, 14) {
            0..3 => Step::Launch {
                to: buffer,
                from: other,
                stream,
            },
            3 | 4 => Step::Push {
                buffer,
                stream: maybe,
            },
            5 | 6 => Step::Pull {
                buffer,
                stream: maybe,
            },
            7 => Step::Record(stream),
            8 => Step::Await(stream),
            9 => Step::Sync(stream),
            10 if bool::arbitrary(g) => Step::SyncEvent,
            10 => Step::SyncDevice,
            11 => Step::TouchManaged,
            12 if pick(g, 4) == 0 => Step::Free(stream),
            _ => Step::Touch(buffer),
        }
    }
}

#[derive(Clone, Debug)]
struct Steps(Vec<Step>);

impl Arbitrary for Steps {
    fn arbitrary(g: &mut Gen) -> Steps {
        let n = 2 + usize::arbitrary(g) % 5;
        Steps((0..n).map(|_| Step::arbitrary(g)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Steps>> {
        let steps = self.0.clone();
        Box::new((0..steps.len()).map(move |at| {
            let mut fewer = steps.clone();
            fewer.remove(at);
            Steps(fewer)
        }))
    }
}

fn handle(n: u32) -> Expr {
    match n {
        3 => Expr::constant(Value::int(ScalarType::U64, PER_THREAD.into())),
        _ => Expr::int(ScalarType::U64, n as i64),
    }
}

fn unsigned(n: i64) -> Expr {
    Expr::int(ScalarType::U32, n)
}

fn in_stream(kind: CopyKind, dst: &E, src: &E, stream: Option<Expr>) -> Stmt {
    basic(Basic::Copy {
        kind,
        dst: dst.0.clone(),
        src: src.0.clone(),
        bytes: unsigned(4),
        stream,
    })
}

fn statement(step: Step, kernel: ProcId, a: &E, d: &[E; 2], event: &Expr) -> Stmt {
    let stream = |n: usize| handle(n as u32);
    let event = event.clone();
    match step {
        Step::Launch {
            to,
            from,
            stream: n,
        } => basic(Basic::CallGpu {
            kernel,
            grid: [1; 3].map(unsigned),
            block: [1; 3].map(unsigned),
            shared_bytes: unsigned(0),
            args: vec![d[to].0.clone(), d[from].0.clone()],
            stream: (n > 0).then(|| stream(n)),
            cooperative: false,
        }),
        Step::Push { buffer, stream: n } => {
            let source = a.plus(buffer as i32);
            in_stream(CopyKind::HostToDevice, &d[buffer], &source, n.map(stream))
        }
        Step::Pull { buffer, stream: n } => {
            let target = a.plus(buffer as i32);
            in_stream(CopyKind::DeviceToHost, &target, &d[buffer], n.map(stream))
        }
        Step::Record(n) => basic(Basic::EventRecord {
            event,
            stream: stream(n),
        }),
        Step::Await(n) => basic(Basic::StreamWait {
            stream: stream(n),
            event,
        }),
        Step::Sync(n) => basic(Basic::StreamSync { stream: stream(n) }),
        Step::SyncEvent => basic(Basic::EventSync { event }),
        Step::SyncDevice => basic(Basic::DeviceSync),
        Step::TouchManaged => put(&d[1], 0, d[1].at(0) + 1),
        Step::Free(n) => basic(Basic::Free {
            pointer: d[0].0.clone(),
            space: AllocSpace::Global,
            stream: Some(stream(n)),
        }),
        Step::Touch(buffer) => put(a, buffer as i32, a.at(buffer as i32) + 1),
    }
}

fn program(steps: &[Step], ending: &[Step]) -> (Program, Setup) {
    let mut draft = Draft::new();
    let (p, q) = (draft.ints("p"), draft.ints("q"));
    let kernel = ProcId(0);
    let body = vec![put(&p, 0, p.at(0) * 2 + q.at(0))];
    draft.end("k", ProcKind::Kernel, None, body);
    let a = draft.ints("a");
    let d = [draft.pointer("d"), draft.pointer("e")];
    let handles = ["s", "t", "ev"].map(|name| draft.local_of(name, HANDLE));
    let mut body: Vec<Stmt> = vec![
        alloc(&d[0], 1, AllocSpace::Global),
        alloc(&d[1], 1, AllocSpace::Managed),
    ];
    for (n, one) in d.iter().enumerate() {
        let source = a.plus(n as i32);
        body.push(in_stream(CopyKind::HostToDevice, one, &source, None));
    }
    body.push(basic(Basic::DeviceSync));
    for (var, non_blocking) in [(&handles[0], false), (&handles[1], true)] {
        let var = var.var();
        body.push(basic(Basic::StreamCreate { var, non_blocking }));
    }
    body.push(basic(Basic::EventCreate {
        var: handles[2].var(),
    }));
    let event = handles[2].0.clone();
    let all = steps.iter().chain(ending);
    body.extend(all.map(|step| statement(*step, kernel, &a, &d, &event)));
    for one in &d {
        body.push(free(one, AllocSpace::Global));
    }
    for one in &handles[..2] {
        body.push(basic(Basic::StreamDestroy {
            stream: one.0.clone(),
        }));
    }
    body.push(basic(Basic::EventDestroy { event }));
    draft.end("main", ProcKind::Host, None, body);
    let program = draft.finish();
    let setup = host_setup(&program, vec![ints("a", 2, Contents::Random { seed: 5 })]);
    (program, setup)
}

/// Everything is waited for and read back.
const ORDERLY: [Step; 3] = [
    Step::SyncDevice,
    Step::Pull {
        buffer: 0,
        stream: None,
    },
    Step::Pull {
        buffer: 1,
        stream: None,
    },
];

fn profile() -> Profile {
    Profile::named("cuda").expect("a named profile")
}

/// The result, the same when launches may be wide: what they touched is asked for all the same.
fn run(program: &Program, setup: &Setup) -> CanonicalResult {
    let compiled = compile(program);
    let limits = Limits::default();
    let run_as = |width| canonical::run_as(&compiled, setup, &profile(), &limits, width);
    let (narrow, wide) = (run_as(Width::Narrow), run_as(Width::Wide));
    assert_eq!(wide.findings, narrow.findings);
    assert_eq!(wide.status, narrow.status);
    assert_eq!(wide.wide_launches, 0);
    wide
}

fn kinds(result: &CanonicalResult) -> BTreeSet<DefectKind> {
    result.findings.iter().map(|f| f.kind).collect()
}

fn is_of_order(kind: DefectKind) -> bool {
    use DefectKind::{DoubleFree, StaleData, UnorderedStreams, UseAfterFree};
    matches!(
        kind,
        StaleData | UnorderedStreams | UseAfterFree | DoubleFree
    )
}

/// One run decides every order: without a defect all orders end as it did; with one the reference
/// shows it; and what shows in some order, one run finds.
fn one_run_decides(steps: &[Step], ending: &[Step]) {
    let (program, setup) = program(steps, ending);
    let result = run(&program, &setup);
    let found = kinds(&result);
    for finding in &result.findings {
        let confirmed = replay::confirm(&program, &setup, &profile(), finding);
        assert!(confirmed.is_some(), "{finding:?}");
    }
    let options = ExploreOptions {
        reduction: false,
        ..ExploreOptions::default()
    };
    let limits = Limits {
        states: 60_000,
        ..Limits::default()
    };
    let explored = explore_program(&program, &setup, &profile(), &limits, &options)
        .expect("a setup that fits");
    if !explored.complete {
        return;
    }
    let reduced = explore_program(&program, &setup, &profile(), &limits, &Default::default())
        .expect("a setup that fits");
    assert!(reduced.outcomes.keys().eq(explored.outcomes.keys()));
    let shown: BTreeSet<DefectKind> = explored.findings.iter().map(|f| f.kind).collect();
    assert_eq!(found.is_empty(), shown.is_empty(), "{found:?} {shown:?}");
    if found.is_empty() {
        assert_eq!(result.status, CanonicalStatus::Decides);
        let observation = result.observation.expect("a run that ended");
        let outcomes: Vec<&Outcome> = explored.outcomes.keys().collect();
        assert_eq!(outcomes, [&Outcome::Observation(observation)]);
    } else {
        assert!(found.iter().any(|kind| is_of_order(*kind)), "{found:?}");
    }
}

#[test]
fn one_run_decides_every_order_of_random_host_programs() {
    fn holds(steps: Steps) -> bool {
        one_run_decides(&steps.0, &ORDERLY);
        one_run_decides(&steps.0, &[]);
        true
    }
    QuickCheck::new()
        .tests(effort::cases(30, 2_000))
        .quickcheck(holds as fn(Steps) -> bool);
}

fn push(buffer: usize, stream: usize) -> Step {
    Step::Push {
        buffer,
        stream: Some(stream),
    }
}

fn pull(buffer: usize, stream: usize) -> Step {
    Step::Pull {
        buffer,
        stream: Some(stream),
    }
}

fn launch_of(to: usize, from: usize, stream: usize) -> Step {
    Step::Launch { to, from, stream }
}

/// What is found with the steps, and with them once one is left out.
#[track_caller]
fn check(steps: &[Step], without: usize, expected: DefectKind) {
    one_run_decides(steps, &ORDERLY);
    let (ordered, setup) = program(steps, &ORDERLY);
    assert_eq!(kinds(&run(&ordered, &setup)), BTreeSet::new());
    let mut fewer = steps.to_vec();
    fewer.remove(without);
    let (unordered, setup) = program(&fewer, &ORDERLY);
    assert!(kinds(&run(&unordered, &setup)).contains(&expected));
}

#[test]
fn each_way_to_order_is_missed_when_it_is_not_there() {
    use DefectKind::{StaleData, UnorderedStreams};
    let cases: [(&[Step], usize, DefectKind); 9] = [
        (
            &[launch_of(1, 0, 3), Step::Sync(3), Step::TouchManaged],
            1,
            StaleData,
        ),
        (
            &[launch_of(0, 1, 3), Step::Sync(3), launch_of(0, 1, 1)],
            1,
            UnorderedStreams,
        ),
        (&[pull(0, 2), Step::Sync(2), Step::Touch(0)], 1, StaleData),
        (&[push(0, 1), Step::Sync(1), Step::Touch(0)], 1, StaleData),
        (
            &[pull(0, 2), Step::Record(2), Step::SyncEvent, Step::Touch(0)],
            2,
            StaleData,
        ),
        (
            &[
                push(0, 1),
                Step::Record(1),
                Step::Await(2),
                launch_of(0, 0, 2),
            ],
            2,
            UnorderedStreams,
        ),
        (
            &[
                push(0, 1),
                Step::Record(1),
                Step::Await(2),
                launch_of(1, 0, 2),
            ],
            1,
            UnorderedStreams,
        ),
        (
            &[launch_of(0, 1, 2), Step::SyncDevice, launch_of(0, 1, 1)],
            1,
            UnorderedStreams,
        ),
        (
            // An action of the default stream stands between blocking streams only.
            &[launch_of(0, 1, 2), Step::Sync(2), launch_of(0, 1, 0)],
            1,
            UnorderedStreams,
        ),
    ];
    for (steps, without, expected) in cases {
        check(steps, without, expected);
    }
    // The default stream orders what blocks it, and reads do not get in each other's way.
    for steps in [
        [launch_of(0, 1, 1), launch_of(0, 1, 0)],
        [launch_of(0, 0, 0), launch_of(0, 1, 1)],
        [launch_of(0, 0, 3), launch_of(0, 1, 0)],
        [push(0, 1), push(1, 2)],
    ] {
        let (program, setup) = program(&steps, &ORDERLY);
        assert_eq!(kinds(&run(&program, &setup)), BTreeSet::new());
    }
}

#[test]
fn what_is_freed_or_handed_over_too_early_is_found() {
    let (early, setup) = program(&[launch_of(0, 1, 2)], &[]);
    assert_eq!(
        kinds(&run(&early, &setup)),
        BTreeSet::from([DefectKind::UseAfterFree])
    );
    let (early, setup) = program(&[pull(0, 2)], &[]);
    assert!(kinds(&run(&early, &setup)).contains(&DefectKind::StaleData));
}

#[test]
fn memory_freed_in_its_turn_is_freed_behind_what_is_ordered_before() {
    use DefectKind::{DoubleFree, UseAfterFree};
    // The free at the end of `main` is a second one in each of these.
    let cases: [(&[Step], DefectKind); 4] = [
        (&[launch_of(0, 1, 1), Step::Free(1)], DoubleFree),
        (&[Step::Free(1), launch_of(0, 1, 1)], UseAfterFree),
        (&[launch_of(0, 1, 1), Step::Free(2)], UseAfterFree),
        (
            &[launch_of(0, 1, 1), Step::Sync(1), Step::Free(2)],
            DoubleFree,
        ),
    ];
    for (steps, expected) in cases {
        one_run_decides(steps, &[]);
        let (program, setup) = program(steps, &[]);
        let found = kinds(&run(&program, &setup));
        assert!(found.contains(&expected), "{found:?}");
        assert!(expected == UseAfterFree || !found.contains(&UseAfterFree));
    }
}

/// `PAR` of what two host threads do with `a`.
fn parallel(make: impl FnOnce(&E, &E) -> [Stmt; 2]) -> (Program, Setup) {
    let mut draft = Draft::new();
    let a = draft.ints("a");
    let x = draft.local("x");
    let [left, right] = make(&a, &x);
    let par = Op::new(OpKind::Par(left, right), Span::NONE);
    draft.end("main", ProcKind::Host, None, vec![set(&x, 0), par]);
    let program = draft.finish();
    let setup = host_setup(&program, vec![ints("a", 2, Contents::Zero)]);
    (program, setup)
}

#[test]
fn host_threads_race_unless_they_wait_for_each_other() {
    use gridlock_semantics::algebra::operator::AtomicFn;
    type Branches = fn(&E, &E) -> [Stmt; 2];
    let cases: [(Branches, &[DefectKind]); 4] = [
        (
            |a, x| [put(a, 0, 1), set(x, a.at(0))],
            &[DefectKind::DataRace],
        ),
        (|a, x| [put(a, 0, 1), set(x, a.at(1))], &[]),
        (
            |a, x| {
                let point = atomic(AtomicFn::Exch, a.plus(1), 1, None);
                let cond = a.at(1).equals(1).0;
                [
                    seq(vec![put(a, 0, 1), point]),
                    seq(vec![basic(Basic::Wait { cond }), set(x, a.at(0))]),
                ]
            },
            &[],
        ),
        (
            |a, x| {
                let cond = a.at(1).equals(1).0;
                [
                    seq(vec![put(a, 0, 1), put(a, 1, 1)]),
                    seq(vec![basic(Basic::Wait { cond }), set(x, a.at(0))]),
                ]
            },
            &[DefectKind::DataRace],
        ),
    ];
    for (index, (make, expected)) in cases.into_iter().enumerate() {
        let (program, setup) = parallel(make);
        let options = ExploreOptions::default();
        let explored = explore_program(&program, &setup, &profile(), &Limits::default(), &options)
            .expect("a setup that fits");
        assert!(explored.complete);
        let found: BTreeSet<DefectKind> = explored.findings.iter().map(|f| f.kind).collect();
        assert_eq!(found, expected.iter().copied().collect(), "case {index}");
        for finding in &explored.findings {
            let confirmed = replay::confirm(&program, &setup, &profile(), finding);
            assert!(confirmed.is_some(), "case {index}: {finding:?}");
        }
    }
}
