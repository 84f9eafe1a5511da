//! Races of what a thread does before it returns with what others do behind the barrier that its end
//! completes: the two are never possible in one state. Here they race in some schedules only, and all
//! schedules leave the same contents.

use crate::algebra::*;
use crate::running::zeros;
use gridlock_checker::explore::{Engine, Exploration, ExploreOptions, explore_program};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::shows;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::profile::{MemoryModel, Profile};
use gridlock_semantics::setup::Setup;

/// What keeps the reader and the writer apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Apart {
    /// The end of the reader completes the barrier of the block.
    Return,
    /// It completes a named barrier of the whole block.
    NamedReturn,
    /// Both meet at the barrier of the block, which orders them.
    Meeting,
    /// Both meet at the named barrier.
    NamedMeeting,
}

impl Apart {
    const ALL: [Apart; 4] = [
        Apart::Return,
        Apart::NamedReturn,
        Apart::Meeting,
        Apart::NamedMeeting,
    ];

    fn races(self) -> bool {
        matches!(self, Apart::Return | Apart::NamedReturn)
    }

    fn barrier(self) -> Stmt {
        match self {
            Apart::Return | Apart::Meeting => barrier(),
            Apart::NamedReturn | Apart::NamedMeeting => basic(Basic::NamedBarrier {
                arrive_only: false,
                id: c(2).to(ScalarType::U32).0,
                threads: None,
            }),
        }
    }
}

/// Thread 0 reads `x[0]` if it was the `turn`-th to count; thread 1 writes it behind the barrier.
fn reader_and_writer(apart: Apart, turn: i32) -> (Program, Setup) {
    let mut draft = Draft::new();
    let (x, count) = (draft.ints("x"), draft.ints("count"));
    let (v, seen) = (draft.local("v"), draft.local("seen"));
    let mut reader = vec![when(v.clone().equals(turn), vec![set(&seen, x.at(0))])];
    if apart.races() {
        reader.push(exit());
    }
    let program = draft.kernel(vec![
        set(&seen, 0),
        atomic(AtomicFn::Add, count.plus(0), 1, Some(&v)),
        when(tid().equals(0), reader),
        apart.barrier(),
        when(tid().equals(1), vec![put(&x, 0, 1)]),
    ]);
    let arrays = vec![zeros("x", 1), zeros("count", 1)];
    let setup = kernel_setup(&program, 1, 2, arrays);
    (program, setup)
}

/// Named profiles whose barriers excuse those who have returned, and one that asks for no synchronisation.
fn profiles() -> Vec<Profile> {
    let named = |name: &str| Profile::named(name).expect("a named profile");
    let mut sequential = named("cuda");
    sequential.name = "sequentially consistent".to_owned();
    sequential.axes.memory = MemoryModel::Sc;
    vec![
        named("cuda"),
        named("cuda-hw"),
        named("lockstep-warp"),
        sequential,
    ]
}

fn explored(program: &Program, setup: &Setup, profile: &Profile, engine: Engine) -> Exploration {
    let options = ExploreOptions {
        engine,
        ..ExploreOptions::default()
    };
    explore_program(program, setup, profile, &Limits::default(), &options).expect("well-formed")
}

#[test]
fn what_a_thread_did_before_its_end_races_with_what_comes_behind_the_barrier() {
    for profile in profiles() {
        for (apart, turn) in Apart::ALL
            .into_iter()
            .flat_map(|apart| [(apart, 0), (apart, 1)])
        {
            let (program, setup) = reader_and_writer(apart, turn);
            let found = explored(&program, &setup, &profile, Engine::Stateful);
            let context = format!("{}, {apart:?}, {turn}", profile.name);
            assert!(found.complete, "{context}: {:?}", found.limits_hit);
            assert_eq!(found.outcomes.len(), 1, "{context}");
            let kinds: Vec<DefectKind> = found.findings.iter().map(|f| f.kind).collect();
            let expected = match apart.races() {
                true => vec![DefectKind::DataRace],
                false => vec![],
            };
            assert_eq!(kinds, expected, "{context}");
            assert_eq!(found.weak_memory, [], "{context}");
            for finding in &found.findings {
                assert!(shows(&program, &setup, &profile, finding), "{context}");
            }
        }
    }
}

/// It keeps no order of accesses: it says what it does not follow.
#[test]
fn the_stateless_search_claims_nothing_where_ends_complete_barriers() {
    for apart in [Apart::Return, Apart::NamedReturn] {
        let (program, setup) = reader_and_writer(apart, 1);
        let found = explored(&program, &setup, &Profile::default(), Engine::Stateless);
        assert!(!found.complete, "{apart:?}");
        let [limit] = &found.limits_hit[..] else {
            panic!("{:?}", found.limits_hit);
        };
        assert!(limit.contains("ends of threads"), "{limit}");
    }
}
