//! Threads that wait for each other in loops: the reduced search says what the full one says, and
//! where the program is determinate it visits next to nothing.

use crate::algebra::*;
use gridlock_checker::automaton::Automaton;
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{Exploration, ExploreOptions, explore_flat, explore_program};
use gridlock_checker::finding::{DefectKind, Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::confirm_in;
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::effort;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Scope};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::{MemoryModel, Profile};
use gridlock_semantics::setup::{Contents, Setup};
use std::collections::BTreeSet;
use std::sync::Arc;

fn profile() -> Profile {
    let mut profile = Profile::default();
    profile.axes.memory = MemoryModel::Sc;
    profile
}

fn limits() -> Limits {
    Limits {
        states: 30_000,
        ..Limits::default()
    }
}

fn explore(program: &Program, setup: &Setup, reduction: bool) -> Exploration {
    let options = ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    };
    explore_program(program, setup, &profile(), &limits(), &options).expect("the setup fits")
}

/// Kind and operators.
type What = (DefectKind, Option<(u32, u32)>);

fn what(finding: &Finding) -> What {
    match &finding.evidence {
        Evidence::Race { first, second } => {
            let (a, b) = (first.op.0, second.op.0);
            (finding.kind, Some((a.min(b), a.max(b))))
        }
        _ => (finding.kind, None),
    }
}

fn found(exploration: &Exploration) -> BTreeSet<What> {
    exploration.findings.iter().map(what).collect()
}

/// What a thread may do; `flag` and `counter` are atomic, `data` is plain.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    Put {
        data: i32,
        value: i32,
    },
    Get {
        data: i32,
    },
    Raise {
        flag: i32,
        to: i32,
    },
    Count {
        by: i32,
    },
    Wait {
        flag: i32,
        until: i32,
    },
    WaitForAny {
        flag: i32,
    },
    WaitForCount {
        at_least: i32,
    },
    Look {
        flag: i32,
    },
    /// A plain read of a flag.
    Peek {
        flag: i32,
    },
    LookAtCount,
    Barrier,
}

use Does::*;

fn fence() -> Stmt {
    basic(Basic::Fence {
        scope: Scope::Device,
    })
}

/// Each thread's list of things, in one block or a block each.
fn program(threads: &[Vec<Does>], one_block: bool) -> (Program, Setup) {
    let mut draft = Draft::new();
    let flags = draft.array("flag", Space::Global, 2, Some(vec![0; 2]));
    let counter = draft.array("counter", Space::Global, 1, Some(vec![0]));
    let data = draft.array("data", Space::Global, 2, Some(vec![0; 2]));
    let out = draft.ints("out");
    let seen = draft.local("seen");
    let mut n_seen = 0;
    let mut body = Vec::new();
    // Barriers are met by all, between the parts.
    let parts: Vec<Vec<&[Does]>> = (threads.iter())
        .map(|things| things.split(|thing| *thing == Barrier).collect())
        .collect();
    let n_parts = parts.iter().map(Vec::len).max().unwrap_or(0);
    let all = (0..n_parts).flat_map(|part| (0..threads.len()).map(move |number| (part, number)));
    for (part, number) in all {
        if part > 0 && number == 0 {
            body.push(barrier());
        }
        let mut own = Vec::new();
        for thing in parts[number].get(part).into_iter().copied().flatten() {
            // With fences on both sides, what atomics hand over is handed over.
            own.push(fence());
            let mut keep = |own: &mut Vec<Stmt>| {
                own.push(fence());
                own.push(put(&out, n_seen, seen.clone()));
                n_seen += 1;
            };
            let mut wait = |from: E, first: i32, stays: E| {
                let look = atomic(AtomicFn::Add, from, 0, Some(&seen));
                own.push(set(&seen, first));
                own.push(repeat(stays, vec![look]));
            };
            match *thing {
                Put { data: at, value } => own.push(put(&data, at, value)),
                Get { data: at } => {
                    own.push(set(&seen, data.at(at)));
                    keep(&mut own);
                }
                Raise { flag, to } => {
                    own.push(atomic(AtomicFn::Exch, flags.plus(flag), to, None));
                }
                Count { by } => own.push(atomic(AtomicFn::Add, counter.plus(0), by, None)),
                Wait { flag, until } => wait(flags.plus(flag), -1, seen.clone().differs(until)),
                WaitForAny { flag } => wait(flags.plus(flag), 0, seen.clone().equals(0)),
                WaitForCount { at_least } => {
                    wait(counter.plus(0), -1, seen.clone().lt(at_least));
                }
                Look { flag } => {
                    own.push(atomic(AtomicFn::Add, flags.plus(flag), 0, Some(&seen)));
                    keep(&mut own);
                }
                Peek { flag } => {
                    own.push(set(&seen, flags.at(flag)));
                    keep(&mut own);
                }
                LookAtCount => {
                    own.push(atomic(AtomicFn::Add, counter.plus(0), 0, Some(&seen)));
                    keep(&mut own);
                }
                Barrier => {}
            }
            own.push(fence());
        }
        body.push(when(gid().equals(number as i32), own));
    }
    let program = draft.kernel(body);
    let n = threads.len() as u32;
    let (grid, block) = if one_block { (1, n) } else { (n, 1) };
    let cells = ints("out", n_seen.max(1) as u64, Contents::Zero);
    let setup = kernel_setup(&program, grid, block, vec![cells]);
    (program, setup)
}

/// Both searches agree; the reduced one's result.
fn agree(threads: &[Vec<Does>], one_block: bool) -> Option<Exploration> {
    let (program, setup) = program(threads, one_block);
    let full = explore(&program, &setup, false);
    if !full.complete {
        return None;
    }
    let reduced = explore(&program, &setup, true);
    let of = format!("{threads:?}, one block: {one_block}");
    assert!(reduced.complete, "{of}");
    let outcomes = |found: &Exploration| found.outcomes.keys().cloned().collect::<Vec<_>>();
    assert_eq!(outcomes(&full), outcomes(&reduced), "{of}");
    // Races that happens-before shows are looked for along one run for each outcome, and the two
    // searches need not show the same run.
    let system = ExploredProgram::new(&program, &setup, &profile()).expect("the setup fits");
    let system = Arc::new(system);
    let code = compile(system.program());
    let automaton = Automaton::of(system.clone(), &code, &setup).expect("an automaton");
    let unreduced = ExploreOptions {
        reduction: false,
        ..ExploreOptions::default()
    };
    let side_by_side = explore_flat(&automaton, &limits(), &unreduced);
    let by_full = found(&full);
    assert!(found(&side_by_side).is_subset(&found(&reduced)), "{of}");
    for finding in &reduced.findings {
        let is_known = by_full.contains(&what(finding));
        assert!(is_known || confirm_in(&system, finding).is_some(), "{of}");
    }
    assert!(reduced.cycle || !full.cycle, "{of}");
    assert!(reduced.statistics.states <= full.statistics.states, "{of}");
    Some(reduced)
}

const MESSAGE: [Does; 2] = [Put { data: 0, value: 7 }, Raise { flag: 0, to: 1 }];
const RECEIPT: [Does; 2] = [Wait { flag: 0, until: 1 }, Get { data: 0 }];

/// Determinate programs take two states; their near misses are not taken for determinate.
#[test]
fn near_misses() {
    let few = |threads: &[Vec<Does>]| {
        let reduced = agree(threads, false).expect("few states");
        assert_eq!(
            found(&reduced),
            BTreeSet::new(),
            "{threads:?} {:?}",
            reduced.findings
        );
        assert_eq!(reduced.outcomes.len(), 1, "{threads:?}");
        assert!(
            reduced.statistics.states <= 2,
            "{threads:?} {:?}",
            reduced.statistics
        );
    };
    let more = |threads: &[Vec<Does>], n_outcomes: usize, races: bool| {
        let reduced = agree(threads, false).expect("few states");
        assert_eq!(reduced.outcomes.len(), n_outcomes, "{threads:?}");
        assert_eq!(!reduced.findings.is_empty(), races, "{threads:?}");
        assert!(reduced.statistics.states > 2, "{threads:?}");
    };
    few(&[MESSAGE.to_vec(), RECEIPT.to_vec()]);
    let flag_first = vec![MESSAGE[1], MESSAGE[0]];
    more(&[flag_first, RECEIPT.to_vec()], 2, true);

    // A counter as a barrier, right and with one too few.
    let meeting = |at_least| {
        let own = |n: i32| {
            vec![
                Put { data: n, value: 1 },
                Count { by: 1 },
                WaitForCount { at_least },
                Get { data: 1 - n },
            ]
        };
        [own(0), own(1)]
    };
    few(&meeting(2));
    more(&meeting(1), 3, true);

    // Different additions, and a look at what let the thread go.
    let sums = |at_least| {
        vec![
            vec![Count { by: 1 }],
            vec![Count { by: 2 }],
            vec![WaitForCount { at_least }, LookAtCount],
        ]
    };
    more(&sums(2), 2, false);
    let reduced = agree(&sums(3), false).expect("few states");
    assert_eq!(reduced.outcomes.len(), 1);

    // Two who raise the flag, and one who takes it down again.
    let raise = |to| vec![Raise { flag: 0, to }];
    let waits = vec![WaitForAny { flag: 0 }, Look { flag: 0 }];
    more(&[raise(1), raise(2), waits.clone()], 2, false);
    let up_and_down = vec![Raise { flag: 0, to: 1 }, Raise { flag: 0, to: 0 }];
    more(&[up_and_down, waits], 2, false);

    // A plain read that nothing orders after, or before, an atomic that changes nothing.
    let (peek, look) = (Peek { flag: 0 }, Look { flag: 0 });
    more(&[vec![peek], vec![look]], 1, true);
    let raises = vec![peek, MESSAGE[1]];
    more(&[raises, vec![Wait { flag: 0, until: 1 }]], 1, true);
    let peeks_late = vec![Wait { flag: 0, until: 1 }, peek];
    more(&[vec![MESSAGE[1], look], peeks_late], 1, true);
}

/// The reduced search of a program with a fault in a loop's way, and with barriers between.
#[test]
fn behind_a_barrier() {
    let (first, second) = (
        vec![MESSAGE[0], Barrier, MESSAGE[1], Wait { flag: 1, until: 1 }],
        vec![
            Get { data: 0 },
            Barrier,
            RECEIPT[0],
            Raise { flag: 1, to: 1 },
        ],
    );
    let reduced = agree(&[first, second], true).expect("few states");
    assert_eq!(reduced.findings.len(), 1, "a race before the barrier");
    let (first, second) = (
        vec![MESSAGE[0], Barrier, MESSAGE[1], Wait { flag: 1, until: 1 }],
        vec![
            Barrier,
            Get { data: 0 },
            RECEIPT[0],
            Raise { flag: 1, to: 1 },
        ],
    );
    let reduced = agree(&[first, second], true).expect("few states");
    assert!(reduced.findings.is_empty());
    assert!(reduced.statistics.states <= 4);
}

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

    fn thing(&mut self) -> Does {
        let (which, of_two) = (self.below(10), self.below(2));
        match which {
            0 => Put {
                data: of_two,
                value: 1 + self.below(2),
            },
            1 => Get { data: of_two },
            2 => Raise {
                flag: of_two,
                to: self.below(3),
            },
            3 => Count {
                by: 1 + self.below(5) / 4,
            },
            4 => Wait {
                flag: of_two,
                until: 1 + self.below(2),
            },
            5 => WaitForAny { flag: of_two },
            6 => WaitForCount {
                at_least: 1 + self.below(3),
            },
            7 => Look { flag: of_two },
            8 => Peek { flag: of_two },
            _ => LookAtCount,
        }
    }

    /// Threads that hand on through flags and meet at the counter, with something of it broken.
    fn handing_over(&mut self) -> Vec<Vec<Does>> {
        let mut threads = vec![Vec::new(), Vec::new(), Vec::new()];
        let mut count = 0;
        for _ in 0..1 + self.below(3) {
            if self.below(3) == 0 {
                count += threads.len() as i32;
                for thread in &mut threads {
                    thread.push(Count { by: 1 });
                    thread.push(WaitForCount { at_least: count });
                }
            } else {
                let (from, data) = (self.below(3), self.below(2));
                let to = (from + 1 + self.below(2)) % 3;
                let value = 1 + self.below(2);
                threads[from as usize].extend([
                    Put { data, value },
                    Raise {
                        flag: data,
                        to: value,
                    },
                ]);
                threads[to as usize].extend([
                    Wait {
                        flag: data,
                        until: value,
                    },
                    Get { data },
                ]);
            }
        }
        if self.below(3) > 0 {
            let thread = self.below(3) as usize;
            let at = self.below(threads[thread].len().max(1) as u64) as usize;
            let thing = self.thing();
            match self.below(3) {
                0 if at < threads[thread].len() => threads[thread][at] = thing,
                1 if at < threads[thread].len() => {
                    threads[thread].remove(at);
                }
                _ => threads[thread].insert(at, thing),
            }
        }
        threads
    }
}

#[test]
fn random_programs() {
    let (mut judged, mut determinate, mut racy) = (0, 0, 0);
    let n = effort::cases(400, 20_000);
    for seed in 0..n {
        let mut rng = Rng(seed);
        let threads: Vec<Vec<Does>> = if seed % 2 == 0 {
            rng.handing_over()
        } else {
            let n = 2 + rng.below(2);
            let things = |rng: &mut Rng| {
                let n = 1 + rng.below(4);
                (0..n).map(|_| rng.thing()).collect()
            };
            (0..n).map(|_| things(&mut rng)).collect()
        };
        let Some(reduced) = agree(&threads, rng.below(2) == 0) else {
            continue;
        };
        judged += 1;
        racy += !reduced.findings.is_empty() as u32;
        determinate += (reduced.cycle && reduced.statistics.states <= 2) as u32;
    }
    let n = n as u32;
    assert!(judged > n / 4 * 3, "{judged} judged");
    assert!(determinate > n / 20, "{determinate} determinate");
    assert!(racy > n / 20, "{racy} with defects");
}
