//! The litmus tests with names: what the explorer says of each, under `cuda`. The table stands in
//! `docs/memory-model.md`; whatever it calls `passed` the axioms are asked about as well.

use crate::litmus::*;
use gridlock_semantics::algebra::operator::{AtomicFn, Scope};
use gridlock_semantics::profile::Profile;
use std::fmt::Write;

/// How the threads of a litmus test synchronise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    Fenced,
    NoRelease,
    NoAcquire,
    Unfenced,
    BlockScope,
    PlainFlags,
    Spinning,
}

const VARIANTS: [(Variant, &str); 7] = [
    (Variant::Fenced, "fences"),
    (Variant::NoRelease, "first fence missing"),
    (Variant::NoAcquire, "second fence missing"),
    (Variant::Unfenced, "no fences"),
    (Variant::BlockScope, "`_block` fences, atomics"),
    (Variant::PlainFlags, "plain flags, fences"),
    (Variant::Spinning, "fences, spinning"),
];

impl Variant {
    fn scope(self) -> Scope {
        match self {
            Variant::BlockScope => Scope::Block,
            _ => Scope::Device,
        }
    }

    /// The first fence of a pair: before a release, or in the first of two threads.
    fn first(self) -> Vec<Stmt> {
        let missing = matches!(self, Variant::NoRelease | Variant::Unfenced);
        if missing {
            vec![]
        } else {
            vec![Stmt::Fence(self.scope())]
        }
    }

    fn second(self) -> Vec<Stmt> {
        let missing = matches!(self, Variant::NoAcquire | Variant::Unfenced);
        if missing {
            vec![]
        } else {
            vec![Stmt::Fence(self.scope())]
        }
    }

    fn set(self, place: usize, value: i32) -> Stmt {
        match self {
            Variant::PlainFlags => Stmt::Write(place, value),
            _ => Stmt::Rmw {
                function: AtomicFn::Exch,
                place,
                operands: vec![value],
                register: None,
                scope: self.scope(),
            },
        }
    }

    fn get(self, register: usize, place: usize) -> Stmt {
        let scope = self.scope();
        match self {
            Variant::PlainFlags => Stmt::Read(register, place),
            Variant::Spinning => Stmt::Spin {
                register,
                place,
                scope,
            },
            _ => Stmt::Rmw {
                function: AtomicFn::Add,
                place,
                operands: vec![0],
                register: Some(register),
                scope,
            },
        }
    }
}

fn thread(parts: Vec<Vec<Stmt>>) -> Vec<Stmt> {
    parts.concat()
}

/// A named test: its places, and its threads in a variant.
struct Shape {
    name: &'static str,
    places: usize,
    threads: fn(Variant) -> Vec<Vec<Stmt>>,
    /// It waits for a flag, so that spinning makes sense.
    waits: bool,
}

const SHAPES: [Shape; 8] = [
    Shape {
        name: "MP, message passing",
        places: 2,
        waits: true,
        threads: |v| {
            let read = Stmt::When(0, 1, vec![Stmt::Read(1, 0)]);
            vec![
                thread(vec![vec![Stmt::Write(0, 1)], v.first(), vec![v.set(1, 1)]]),
                thread(vec![vec![v.get(0, 1)], v.second(), vec![read]]),
            ]
        },
    },
    Shape {
        name: "SB, store buffering",
        places: 2,
        waits: false,
        threads: |v| {
            vec![
                thread(vec![vec![v.set(0, 1)], v.first(), vec![v.get(0, 1)]]),
                thread(vec![vec![v.set(1, 1)], v.second(), vec![v.get(0, 0)]]),
            ]
        },
    },
    Shape {
        name: "LB, load buffering",
        places: 2,
        waits: false,
        threads: |v| {
            vec![
                thread(vec![vec![v.get(0, 0)], v.first(), vec![v.set(1, 1)]]),
                thread(vec![vec![v.get(0, 1)], v.second(), vec![v.set(0, 1)]]),
            ]
        },
    },
    Shape {
        name: "CoRR, coherence",
        places: 1,
        waits: false,
        threads: |v| {
            vec![
                vec![v.set(0, 1)],
                thread(vec![vec![v.get(0, 0)], v.second(), vec![v.get(1, 0)]]),
            ]
        },
    },
    Shape {
        name: "2+2W",
        places: 2,
        waits: false,
        threads: |v| {
            vec![
                thread(vec![vec![v.set(0, 1)], v.first(), vec![v.set(1, 2)]]),
                thread(vec![vec![v.set(1, 1)], v.second(), vec![v.set(0, 2)]]),
            ]
        },
    },
    Shape {
        name: "WRC, write to read causality",
        places: 2,
        waits: false,
        threads: |v| {
            vec![
                vec![v.set(0, 1)],
                thread(vec![vec![v.get(0, 0)], v.first(), vec![v.set(1, 1)]]),
                thread(vec![vec![v.get(0, 1)], v.second(), vec![v.get(1, 0)]]),
            ]
        },
    },
    Shape {
        name: "ISA2, a message handed on",
        places: 3,
        waits: true,
        threads: |v| {
            let hand_on = thread(vec![v.first(), vec![v.set(2, 1)]]);
            let read = Stmt::When(0, 1, vec![Stmt::Read(1, 0)]);
            vec![
                thread(vec![vec![Stmt::Write(0, 1)], v.first(), vec![v.set(1, 1)]]),
                thread(vec![
                    vec![v.get(0, 1)],
                    v.second(),
                    vec![Stmt::When(0, 1, hand_on)],
                ]),
                thread(vec![vec![v.get(0, 2)], v.second(), vec![read]]),
            ]
        },
    },
    Shape {
        name: "IRIW, independent readers",
        places: 2,
        waits: false,
        threads: |v| {
            vec![
                vec![v.set(0, 1)],
                vec![v.set(1, 1)],
                thread(vec![vec![v.get(0, 0)], v.first(), vec![v.get(1, 1)]]),
                thread(vec![vec![v.get(0, 1)], v.second(), vec![v.get(1, 0)]]),
            ]
        },
    },
];

/// The answer, and for `passed` the axioms' agreement.
fn answer(litmus: &Litmus) -> &'static str {
    let exploration = litmus.explore(&Profile::default());
    let verdict = verdict(&exploration);
    if verdict == "passed" {
        let weak = axioms::outcomes(litmus, greatest(litmus));
        let interleaved = observed(&exploration);
        let beyond: Vec<&Seen> = weak.difference(&interleaved).collect();
        assert!(beyond.is_empty(), "{beyond:?}\n{litmus:#?}");
    }
    verdict
}

/// The greatest value written.
fn greatest(litmus: &Litmus) -> i32 {
    let text = format!("{:?}", litmus.threads);
    1 + text.contains("operands: [2]") as i32
}

fn table() -> String {
    let mut text = String::from(
        "| test | synchronisation | one block, global | one block, shared | a block each |\n\
         |---|---|---|---|---|\n",
    );
    for shape in &SHAPES[..SHAPES.len() - 1] {
        for (variant, name) in VARIANTS {
            if variant == Variant::Spinning && !shape.waits {
                continue;
            }
            let litmus = || Litmus::new(shape.places, (shape.threads)(variant));
            let _ = writeln!(
                text,
                "| {} | {name} | {} | {} | {} |",
                shape.name,
                answer(&litmus()),
                answer(&litmus().in_shared_memory()),
                answer(&litmus().apart()),
            );
        }
    }
    text
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/memory-model.md");
const BEGIN: &str = "<!-- litmus: written by INSTA_UPDATE=always cargo test -p gridlock-checker --test checker litmus_table:: -->\n";
const END: &str = "<!-- end of litmus -->";

#[test]
fn the_table_in_the_docs_is_what_comes_out() {
    let table = table();
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let from = page.find(BEGIN).expect("the table begins") + BEGIN.len();
    let to = page.find(END).expect("the table ends");
    if std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") {
        let new = format!("{}{table}{}", &page[..from], &page[to..]);
        std::fs::write(PAGE, new).expect("the page can be written");
        return;
    }
    assert_eq!(&page[from..to], table, "{PAGE} is not what comes out");
}

/// IRIW has four threads and thousands of states: not in every variant.
#[test]
fn independent_readers() {
    let Some(shape) = SHAPES.last() else { return };
    let apart = |v| answer(&Litmus::new(shape.places, (shape.threads)(v)).apart());
    assert_eq!(apart(Variant::Fenced), "passed");
    assert_eq!(apart(Variant::NoAcquire), "weak-memory");
}

/// Message passing through barriers alone: of the block, for threads of one; of the grid, for
/// threads of several.
#[test]
fn barriers_pass_messages() {
    let message = |apart: bool, grid_barriers: bool| {
        let mut litmus = Litmus::new(2, vec![vec![Stmt::Write(0, 1), exch(1, 1)], vec![]]);
        litmus.threads[0].push(vec![]);
        litmus.threads[1].push(vec![read(0, 1), Stmt::Read(1, 0)]);
        litmus.grid_barriers = grid_barriers;
        if apart { litmus.apart() } else { litmus }
    };
    assert_eq!(answer(&message(false, false)), "passed");
    assert_eq!(answer(&message(true, true)), "passed");
    assert_eq!(answer(&message(true, false)), "race");
}

/// A block's barrier is no fence for other blocks, and hands on what is owed to them.
#[test]
fn a_barrier_of_the_block_owes_other_blocks_a_fence() {
    let litmus = |fence: bool| {
        let mut behind = vec![];
        behind.extend(fence.then_some(FENCE));
        behind.push(exch(1, 1));
        let observer = |phase: Vec<Stmt>| vec![phase, vec![]];
        let litmus = Litmus {
            threads: vec![
                vec![vec![exch(0, 1)], vec![]],
                vec![vec![], behind],
                observer(vec![read(0, 1), FENCE, read(1, 0)]),
                observer(vec![]),
            ],
            n_places: 2,
            n_blocks: 2,
            shared: false,
            grid_barriers: false,
        };
        answer(&litmus)
    };
    assert_eq!(litmus(false), "weak-memory");
    assert_eq!(litmus(true), "passed");
}

/// A plain write after a thread's own read-modify-write is ordered after those that came before it
/// in the chain, at that place only: the one who comes last may set a counter back.
#[test]
fn who_comes_last_may_reset() {
    let count = || rmw(AtomicFn::Add, 0, 1, Some(0));
    let reset_by = |value: i32| vec![count(), Stmt::When(0, value, vec![Stmt::Write(0, 0)])];
    for n in [2, 3] {
        let all = |thread: Vec<Stmt>| Litmus::new(1, vec![thread; n as usize]);
        for apart in [false, true] {
            let answer = |litmus: Litmus| answer(&if apart { litmus.apart() } else { litmus });
            assert_eq!(answer(all(reset_by(n - 1))), "passed", "{n}");
            assert_eq!(answer(all(reset_by(0))), "race", "{n}");
            assert_eq!(answer(all(vec![count(), Stmt::Write(0, 0)])), "race", "{n}");
            // Nobody knows who comes last.
            let blind = vec![rmw(AtomicFn::Add, 0, 1, None), Stmt::Write(0, 0)];
            assert_eq!(answer(all(blind)), "race", "{n}");
        }
        // In shared memory, and with a scope that does not reach other blocks.
        let last = all(reset_by(n - 1));
        assert_eq!(answer(&last.clone().in_shared_memory()), "passed");
        let mut narrow = last.apart();
        for thread in &mut narrow.threads {
            if let Stmt::Rmw { scope, .. } = &mut thread[0][0] {
                *scope = Scope::Block;
            }
        }
        assert_eq!(answer(&narrow), "race", "{n}");
    }
    // Another place than that of the chain stays unordered.
    let other = |write: Stmt| {
        let mut first = vec![rmw(AtomicFn::Add, 1, 1, None), FENCE, count()];
        let second = vec![count(), Stmt::When(0, 1, vec![write])];
        first.push(Stmt::When(0, 1, vec![]));
        answer(&Litmus::new(2, vec![first, second]).apart())
    };
    assert_eq!(other(Stmt::Write(0, 0)), "passed");
    assert_eq!(other(Stmt::Write(1, 0)), "weak-memory");
    // A plain read of the counter is not ordered by this, only a write.
    assert_eq!(other(Stmt::Read(1, 0)), "race");
}

/// The reasons name the fence and its place.
#[test]
fn reasons_name_the_fence() {
    let text = |threads: Vec<Vec<Stmt>>| {
        let litmus = Litmus::new(2, threads).apart();
        let exploration = litmus.explore(&Profile::default());
        let program = litmus.kernel();
        let texts = exploration.weak_memory.iter().map(|w| w.text(&program));
        texts.collect::<Vec<_>>().join("; ")
    };
    let message = |v: Variant| text((SHAPES[0].threads)(v));
    // Lines count from 11, statement by statement.
    assert_eq!(
        message(Variant::NoRelease),
        "only atomics order the access at line 11 and the one at line 16; add a `__threadfence()` \
         before the atomic at line 12"
    );
    assert_eq!(
        message(Variant::NoAcquire),
        "only atomics order the access at line 11 and the one at line 16; add a `__threadfence()` \
         after the atomic at line 14"
    );
    let buffering = text((SHAPES[1].threads)(Variant::Unfenced));
    assert!(
        buffering.starts_with(
            "the atomics at line 11 and line 12 may take effect in another order than the \
             program's; add a `__threadfence()` between them"
        ),
        "{buffering}"
    );
}
