//! Livelock judged on the compiled automaton: it says what the judge on the reference semantics
//! says, on random programs whose threads wait in loops, under every scheduling of blocks.

use crate::algebra::*;
use gridlock_checker::limits::Limits;
use gridlock_checker::progress::{Termination, judge_compiled, judge_on_the_reference};
use gridlock_checker::replay;
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::effort;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{AllocSpace, AtomicFn, Basic, CopyKind, Scope};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::profile::{
    BlockScheduling, ExitedThreads, NextBlock, Profile, Progress, Residency, Warps,
};
use gridlock_semantics::setup::{Contents, Setup};
use std::collections::BTreeMap;

/// SplitMix64.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> i32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n) as i32
    }
}

/// One thing a thread does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    Raise {
        flag: i32,
        to: i32,
    },
    Count,
    Wait {
        flag: i32,
        until: i32,
    },
    /// Through a variable that keeps what was seen, read twice a round.
    WaitForBoth,
    WaitForCount {
        at_least: i32,
    },
    Lock,
    Unlock,
    /// Of the block, in shared memory.
    RaiseHere,
    WaitHere,
    /// Of its own cell.
    Note,
    Barrier,
    Fence,
    /// Goes round privately for ever if the flag was last seen as 2.
    Round,
    Return,
    /// With the lanes of its warp.
    SyncWarp,
    /// At a named barrier of so many threads; perhaps without waiting.
    Meet {
        threads: i32,
        waits: bool,
    },
    GridSync,
}

use Does::*;

impl Rng {
    fn thing(&mut self) -> Does {
        let of_two = self.below(2);
        match self.below(24) {
            0..4 => Raise {
                flag: of_two,
                to: 1 + self.below(4) / 3,
            },
            4 | 5 => Count,
            6..9 => Wait {
                flag: of_two,
                until: 1 + self.below(4) / 3,
            },
            9 => WaitForBoth,
            10 | 11 => WaitForCount {
                at_least: 1 + self.below(3),
            },
            12 => Lock,
            13 => Unlock,
            14 => RaiseHere,
            15 => WaitHere,
            16 => Note,
            17 => Round,
            18 => Fence,
            19 | 20 => SyncWarp,
            21 => Meet {
                threads: 1 + self.below(3),
                waits: self.below(3) > 0,
            },
            22 if self.below(3) == 0 => GridSync,
            _ => Return,
        }
    }

    /// What often is right.
    fn idiom(&mut self, n: i32) -> Vec<Does> {
        match self.below(6) {
            0 => vec![Lock, Count, Unlock],
            1 => vec![Count, WaitForCount { at_least: n }],
            2 => vec![RaiseHere, WaitHere],
            3 => vec![Lock, Note, Unlock],
            4 => vec![Note, Barrier],
            _ => vec![self.thing()],
        }
    }
}

fn unsigned(value: i32) -> Expr {
    Expr::int(ScalarType::U32, value as i64)
}

/// Each kind of thread's list of things; `by` says who is of which kind.
fn program(kinds: &[Vec<Does>], by: E, shape: (u32, u32), look_first: bool) -> (Program, Setup) {
    let mut draft = Draft::new();
    let zeros = |n: usize| Some(vec![0; n]);
    let flags = draft.array("flag", Space::Global, 2, zeros(2));
    let counter = draft.array("counter", Space::Global, 1, zeros(1));
    let lock = draft.array("lock", Space::Global, 1, zeros(1));
    let own = draft.array("own", Space::Global, 8, zeros(8));
    let here = draft.shared("here", 1);
    let seen = draft.local("seen");
    let other = draft.local("other");
    let look = |from: E, to: &E| atomic(AtomicFn::Add, from, 0, Some(to));
    let mut body = Vec::new();
    if look_first {
        // The first step can be seen.
        body.push(look(counter.plus(0), &seen));
    }
    let uses_shared = kinds
        .iter()
        .flatten()
        .any(|d| matches!(d, RaiseHere | WaitHere));
    if uses_shared {
        body.push(when(tid().equals(0), vec![put(&here, 0, 0)]));
        body.push(barrier());
    }
    body.push(set(&seen, 0));
    let swap = |value: i32, compare: i32| {
        basic(Basic::Atomic {
            function: AtomicFn::Cas,
            scope: Scope::Device,
            pointer: lock.plus(0).0,
            operands: vec![c(compare).0, c(value).0],
            result: Some(seen.var()),
        })
    };
    let parts: Vec<Vec<&[Does]>> = (kinds.iter())
        .map(|things| things.split(|thing| *thing == Barrier).collect())
        .collect();
    let n_parts = parts.iter().map(Vec::len).max().unwrap_or(0);
    for part in 0..n_parts {
        if part > 0 {
            body.push(barrier());
        }
        for (kind, parts) in parts.iter().enumerate() {
            let mut list = Vec::new();
            for thing in parts.get(part).into_iter().copied().flatten() {
                match *thing {
                    Raise { flag, to } => {
                        list.push(atomic(AtomicFn::Exch, flags.plus(flag), to, None));
                    }
                    Count => list.push(atomic(AtomicFn::Add, counter.plus(0), 1, None)),
                    Wait { flag, until } => {
                        list.push(look(flags.plus(flag), &seen));
                        let round = vec![look(flags.plus(flag), &seen)];
                        list.push(repeat(seen.clone().differs(until), round));
                    }
                    WaitForBoth => {
                        let round = vec![look(flags.plus(0), &seen), look(flags.plus(1), &other)];
                        list.extend([set(&seen, 0), set(&other, 0)]);
                        list.push(repeat((seen.clone() * other.clone()).equals(0), round));
                    }
                    WaitForCount { at_least } => {
                        // One place at which it looks.
                        list.push(set(&seen, -1));
                        let round = vec![look(counter.plus(0), &seen)];
                        list.push(repeat(seen.clone().lt(at_least), round));
                    }
                    Lock => {
                        list.push(swap(1, 0));
                        list.push(repeat(seen.clone().differs(0), vec![swap(1, 0)]));
                    }
                    Unlock => list.push(atomic(AtomicFn::Exch, lock.plus(0), 0, None)),
                    RaiseHere => list.push(atomic(AtomicFn::Exch, here.plus(0), 1, None)),
                    WaitHere => {
                        list.push(look(here.plus(0), &seen));
                        let round = vec![look(here.plus(0), &seen)];
                        list.push(repeat(seen.clone().equals(0), round));
                    }
                    Note => list.push(put(&own, gid(), seen.clone())),
                    Fence => list.push(basic(Basic::Fence {
                        scope: Scope::Device,
                    })),
                    Round => {
                        let turn = vec![set(&other, c(1) - other.clone())];
                        list.push(set(&other, 0));
                        list.push(repeat(seen.clone().equals(2), turn));
                    }
                    Return => list.push(when(seen.clone().equals(1), vec![exit()])),
                    SyncWarp => list.push(sync_warp(u32::MAX)),
                    Meet { threads, waits } => list.push(basic(Basic::NamedBarrier {
                        id: unsigned(1),
                        threads: Some(unsigned(threads)),
                        arrive_only: !waits,
                    })),
                    GridSync => list.push(basic(Basic::GridBarrier)),
                    Barrier => {}
                }
            }
            if !list.is_empty() {
                body.push(when(by.clone().equals(kind as i32), list));
            }
        }
    }
    let program = draft.kernel(body);
    let setup = kernel_setup(&program, shape.0, shape.1, Vec::new());
    (program, setup)
}

const RESIDENCIES: [Residency; 6] = [
    Residency::StartRule,
    Residency::RunToCompletion,
    Residency::Resident(1),
    Residency::Resident(2),
    Residency::EveryResident,
    Residency::AllResident,
];
const EXITED: [ExitedThreads; 4] = [
    ExitedThreads::BlockForever,
    ExitedThreads::ReturnOnly,
    ExitedThreads::Arrived,
    ExitedThreads::Defect,
];
const GUARANTEES: [Progress; 3] = [Progress::Unfair, Progress::OccupancyBound, Progress::Fair];

fn name(answer: &Termination) -> &'static str {
    match answer {
        Termination::Ends => "ends",
        Termination::Livelock(_) => "livelock",
        Termination::Deadlock => "deadlock",
        Termination::Cut(_) => "cut",
    }
}

fn limits(states: u64) -> Limits {
    Limits {
        states,
        ..Limits::default()
    }
}

fn with(residency: Residency, next: NextBlock, progress: Progress) -> Profile {
    let mut profile = Profile::default();
    profile.axes.termination = BlockScheduling {
        residency,
        next,
        progress,
    };
    profile
}

/// What both judges say, by name; `None` where the reference was cut.
fn agree(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    what: &str,
) -> Option<(&'static str, u64, u64)> {
    let system = ExploredProgram::for_termination(program, setup, profile).unwrap();
    let slow = judge_on_the_reference(&system, &limits(4_000));
    if matches!(slow.answer, Termination::Cut(_)) {
        return None;
    }
    let quick = judge_compiled(&system, &limits(1_000_000));
    let quick = quick.unwrap_or_else(|| panic!("not decided: {what}"));
    assert_eq!(
        name(&quick.answer),
        name(&slow.answer),
        "{what} {:?}\n{}",
        profile.axes.termination,
        gridlock_semantics::print::program(program, Default::default())
    );
    if let Termination::Livelock(finding) = &quick.answer {
        let shown = replay::confirm(program, setup, profile, finding);
        assert!(shown.is_some(), "{what} {finding:?}");
    }
    Some((
        name(&quick.answer),
        quick.statistics.states,
        slow.statistics.states,
    ))
}

#[test]
fn random_programs() {
    let mut seen: BTreeMap<(String, &str), u32> = BTreeMap::new();
    let (mut quick_states, mut slow_states, mut judged) = (0, 0, 0);
    for seed in 0..effort::cases(350, 7_000) {
        let mut rng = Rng(seed);
        let shapes = [(1, 2), (2, 1), (3, 1), (1, 3), (2, 2)];
        let shape = shapes[rng.below(5) as usize];
        let n = (shape.0 * shape.1) as i32;
        // Everybody does the same, each thread or each block something else.
        let (by, n_kinds) = match rng.below(4) {
            0 => (c(0), 1),
            1 => (bid(), shape.0),
            2 => (tid(), shape.1),
            _ => (gid(), shape.0 * shape.1),
        };
        let kinds: Vec<Vec<Does>> = (0..n_kinds)
            .map(|_| {
                let n_things = 1 + rng.below(3);
                (0..n_things)
                    .flat_map(|_| match rng.below(2) {
                        0 => rng.idiom(n),
                        _ => vec![rng.thing()],
                    })
                    .collect()
            })
            .collect();
        let (program, setup) = program(&kinds, by.clone(), shape, rng.below(3) == 0);
        for _ in 0..2 {
            let residency = RESIDENCIES[rng.below(6) as usize];
            let next = [NextBlock::Any, NextBlock::InOrder][rng.below(2) as usize];
            let progress = GUARANTEES[rng.below(3) as usize];
            let mut profile = with(residency, next, progress);
            let warps = [1, 2, 32].map(Warps::Independent);
            profile.axes.warps = [Warps::None, warps[0], warps[1], warps[2]][rng.below(4) as usize];
            profile.axes.exited_threads = EXITED[rng.below(4) as usize];
            let what = format!("seed {seed}: {kinds:?} by {by:?} {shape:?}");
            let Some((answer, quick, slow)) = agree(&program, &setup, &profile, &what) else {
                continue;
            };
            judged += 1;
            quick_states += quick;
            slow_states += slow;
            *seen.entry((format!("{progress:?}"), answer)).or_default() += 1;
        }
    }
    println!("{judged} {quick_states} {slow_states} {seen:?}");
    let n = |progress: &str, answer| {
        seen.get(&(progress.to_owned(), answer))
            .copied()
            .unwrap_or(0)
    };
    for progress in ["Unfair", "OccupancyBound", "Fair"] {
        for answer in ["ends", "livelock"] {
            assert!(n(progress, answer) > 40, "{progress} {answer} {seen:?}");
        }
    }
    assert!(judged > 600, "{judged}");
}

/// What is expected is said, and by the reference too where it is not cut.
fn check(kinds: &[Vec<Does>], by: E, shape: (u32, u32), profile: &Profile, expected: &str) {
    let (program, setup) = program(kinds, by, shape, false);
    let what = format!("{kinds:?} {shape:?}");
    agree(&program, &setup, profile, &what);
    let system = ExploredProgram::for_termination(&program, &setup, profile).unwrap();
    let found = judge_compiled(&system, &limits(1_000_000)).unwrap();
    let termination = profile.axes.termination;
    assert_eq!(name(&found.answer), expected, "{what} {termination:?}");
    if let Termination::Livelock(finding) = &found.answer {
        assert!(replay::shows(&program, &setup, profile, finding), "{what}");
    }
}

/// Programs that are right, each with what is forgotten in it.
#[test]
fn planted_faults() {
    use NextBlock::{Any, InOrder};
    use Progress::{Fair, OccupancyBound, Unfair};
    let all = |progress| with(Residency::AllResident, Any, progress);
    let places = |n, next| with(Residency::Resident(n), next, OccupancyBound);
    let one_kind = |things: &[Does], shape, profile: &Profile, expected| {
        check(&[things.to_vec()], c(0), shape, profile, expected);
    };
    // A lock that nobody gives back.
    for shape in [(1, 3), (3, 1)] {
        for progress in [OccupancyBound, Fair] {
            one_kind(&[Lock, Count, Unlock], shape, &all(progress), "ends");
            one_kind(&[Lock, Count], shape, &all(progress), "livelock");
        }
        one_kind(&[Lock, Count, Unlock], shape, &all(Unfair), "livelock");
    }
    // A flag that nobody sets, or sets to something else.
    let wait = Wait { flag: 0, until: 1 };
    for (to, expected) in [(1, "ends"), (2, "livelock")] {
        let kinds = [vec![Raise { flag: 0, to }], vec![wait]];
        check(&kinds, gid(), (1, 2), &all(OccupancyBound), expected);
        check(&kinds, gid(), (2, 1), &all(OccupancyBound), expected);
        check(&kinds, gid(), (2, 1), &places(1, InOrder), expected);
        check(&kinds, gid(), (2, 1), &places(1, Any), "livelock");
    }
    // A block that waits for a later one.
    let kinds = [vec![wait], vec![Raise { flag: 0, to: 1 }]];
    check(&kinds, bid(), (2, 2), &all(OccupancyBound), "ends");
    check(&kinds, bid(), (2, 2), &places(2, InOrder), "ends");
    check(&kinds, bid(), (2, 2), &places(1, InOrder), "livelock");
    // One too many is waited for.
    for (at_least, expected) in [(3, "ends"), (4, "livelock")] {
        let things = [Count, WaitForCount { at_least }];
        one_kind(&things, (3, 1), &all(OccupancyBound), expected);
        one_kind(&things, (3, 1), &places(2, Any), "livelock");
        one_kind(&things, (1, 3), &places(1, Any), expected);
    }
    // Blocks whose threads wait for each other need no other block.
    let here = [RaiseHere, WaitHere, Note];
    one_kind(
        &here,
        (3, 2),
        &with(Residency::EveryResident, Any, OccupancyBound),
        "ends",
    );
    one_kind(
        &here[1..],
        (3, 2),
        &with(Residency::EveryResident, Any, OccupancyBound),
        "livelock",
    );
    // A barrier at which one stays away.
    let mut waits_for_ever = all(OccupancyBound);
    waits_for_ever.axes.exited_threads = ExitedThreads::BlockForever;
    let kinds = [vec![Count, Barrier, Count], vec![Count, Barrier, wait]];
    check(&kinds, tid(), (1, 2), &waits_for_ever, "livelock");
    let leaves = [
        vec![Raise { flag: 0, to: 1 }, wait, Return, Barrier, Count],
        vec![Count, Barrier],
    ];
    check(&leaves, tid(), (1, 2), &waits_for_ever, "deadlock");
}

/// A loop that counts how often it has waited: the number grows, and nothing depends on it.
#[test]
fn counters_of_attempts() {
    let waiting = |looked_at: bool, is_set: bool| {
        let mut draft = Draft::new();
        let flag = draft.array("flag", Space::Global, 1, Some(vec![0]));
        let out = draft.array("out", Space::Global, 2, Some(vec![0; 2]));
        let [seen, tries] = ["seen", "tries"].map(|name| draft.local(name));
        let look = || atomic(AtomicFn::Add, flag.plus(0), 0, Some(&seen));
        let mut round = vec![look(), set(&tries, tries.clone() + 1)];
        if looked_at {
            round.push(put(&out, tid(), tries.clone()));
        }
        let set_flag = match is_set {
            true => vec![atomic(AtomicFn::Exch, flag.plus(0), 1, None)],
            false => vec![],
        };
        let body = vec![
            when(tid().equals(1), set_flag),
            set(&tries, 0),
            look(),
            repeat(seen.clone().equals(0), round),
        ];
        let program = draft.kernel(body);
        let setup = kernel_setup(&program, 1, 2, Vec::new());
        (program, setup)
    };
    let profile = Profile::default();
    for is_set in [true, false] {
        let (program, setup) = waiting(false, is_set);
        let expected = if is_set { "ends" } else { "livelock" };
        let (answer, ..) = agree(&program, &setup, &profile, "tries").expect("few states");
        assert_eq!(answer, expected);
        // Where somebody looks at it, no state comes back.
        let (program, setup) = waiting(true, is_set);
        let system = ExploredProgram::for_termination(&program, &setup, &profile).unwrap();
        let cut = judge_compiled(&system, &limits(2_000)).unwrap();
        assert_eq!(name(&cut.answer), "cut");
    }
}

/// Larger launches. The numbers are asserted, so that nothing more is left out unnoticed.
#[test]
fn numbers_of_states() {
    let profile = Profile::default();
    let judged = |things: &[Does], shape| {
        let (program, setup) = program(&[things.to_vec()], c(0), shape, false);
        let system = ExploredProgram::for_termination(&program, &setup, &profile).unwrap();
        let found = judge_compiled(&system, &limits(1_000_000)).unwrap();
        (name(&found.answer), found.statistics.states)
    };
    let lock = [Lock, Count, Unlock];
    let meet = |n| [Count, WaitForCount { at_least: n }];
    assert_eq!(judged(&lock, (1, 4)), ("ends", 21));
    assert_eq!(judged(&lock, (4, 1)), ("ends", 54));
    assert_eq!(judged(&lock, (1, 32)), ("ends", 1_057));
    assert_eq!(judged(&lock, (12, 1)), ("ends", 2_170));
    // Determinate.
    assert_eq!(judged(&meet(64), (1, 64)), ("ends", 1));
    assert_eq!(judged(&meet(65), (1, 64)), ("livelock", 65));
}

/// Host code around launches that wait: judged launch by launch where it ends, else left to the reference.
#[test]
fn host_programs() {
    let judged = |wanted: i32| {
        let mut draft = Draft::new();
        let counter = draft.ints("counter");
        let seen = draft.local("seen");
        let look = atomic(AtomicFn::Add, counter.plus(0), 0, Some(&seen));
        let body = vec![
            atomic(AtomicFn::Add, counter.plus(0), 1, None),
            set(&seen, -1),
            repeat(seen.clone().lt(wanted), vec![look]),
        ];
        let kernel = draft.end("k", ProcKind::Kernel, None, body);
        let result = draft.ints("result");
        let memory = draft.pointer("memory");
        let body = vec![
            basic(Basic::InitGpu),
            alloc(&memory, 1, AllocSpace::Global),
            copy(CopyKind::HostToDevice, &memory, &result, 1),
            launch(kernel, 1, 3, vec![memory.clone()]),
            launch(kernel, 1, 3, vec![memory.clone()]),
            copy(CopyKind::DeviceToHost, &result, &memory, 1),
            free(&memory, AllocSpace::Global),
        ];
        draft.end("main", ProcKind::Host, None, body);
        let program = draft.finish();
        let setup = host_setup(&program, vec![ints("result", 1, Contents::Zero)]);
        let profile = Profile::default();
        let system = ExploredProgram::for_termination(&program, &setup, &profile).unwrap();
        let quick = judge_compiled(&system, &limits(100_000)).map(|found| found.answer);
        let slow = judge_on_the_reference(&system, &limits(100_000)).answer;
        (quick, slow)
    };
    // The second launch finds three.
    let (quick, slow) = judged(3);
    assert_eq!(quick, Some(Termination::Ends));
    assert_eq!(slow, Termination::Ends);
    let (quick, slow) = judged(4);
    assert_eq!(quick, None);
    assert_eq!(name(&slow), "livelock");
}
