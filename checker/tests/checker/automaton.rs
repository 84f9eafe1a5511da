//! The compiled core against the reference semantics, on random kernels.

use crate::planted::exchanged;
use gridlock_checker::automaton::{Automaton, Keeps, Unfit};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{
    Exploration, ExploreOptions, Outcome, explore, explore_flat, explore_threadwise,
};
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_checker::order::Remembering;
use gridlock_checker::order::synchronisation::Tracked;
use gridlock_checker::replay::{confirm_in, observation_after};
use gridlock_checker::system::{Explorable, ExploredProgram, Threadwise};
use gridlock_generation::effort;
use gridlock_generation::random::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, OpKind, Orders, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::profile::{Profile, Warps};
use gridlock_semantics::transition::{Actor, Label, Rule, TransitionSystem};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// States of the reference's search before a program is left out.
const MOST_STATES: u64 = 3_000;

fn limits() -> Limits {
    Limits {
        states: MOST_STATES,
        ..Limits::default()
    }
}

fn options(reduction: bool) -> ExploreOptions {
    ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    }
}

fn profile(name: &str) -> Profile {
    Profile::named(name).expect("a named profile")
}

/// `cuda`, but for warps of two lanes: small blocks have several.
fn small_warps() -> Profile {
    let mut profile = profile("cuda");
    profile.axes.warps = Warps::Independent(2);
    profile
}

fn races(found: &Exploration) -> BTreeSet<(u32, u32)> {
    let ops = found.findings.iter().filter_map(|f| match &f.evidence {
        Evidence::Race { first, second } => {
            Some((first.op.0.min(second.op.0), first.op.0.max(second.op.0)))
        }
        _ => None,
    });
    ops.collect()
}

fn automaton(
    generated: &Generated,
    profile: &Profile,
    keeps: Keeps,
) -> (Arc<ExploredProgram>, Result<Automaton, Unfit>) {
    let reference = ExploredProgram::new(&generated.program, &generated.setup, profile);
    let Ok(reference) = reference.map(Arc::new) else {
        panic!("seed {} is no program", generated.seed);
    };
    let compiled = compile(reference.program());
    let automaton = Automaton::keeping(reference.clone(), &compiled, &generated.setup, keeps);
    (reference, automaton)
}

#[derive(Debug, Default)]
struct Tally {
    fit: u32,
    judged: u32,
    racy: u32,
    faulty: u32,
    deadlocked: u32,
    fewer_states: u32,
    weak: u32,
    flat_states: u64,
    flat_reduced: u64,
}

/// Searches the automaton and `expected`, a form of the reference that keeps as much.
fn agree<T: Threadwise>(
    seed: u64,
    reference: &ExploredProgram,
    expected: &T,
    automaton: &Automaton,
    tally: &mut Tally,
) -> bool {
    let seed = (seed, &reference.profile().name);
    let expected = explore(expected, &limits(), &options(false));
    if !expected.complete {
        return false;
    }
    let full = explore(automaton, &limits(), &options(false));
    let reduced = explore_threadwise(automaton, &limits(), &options(true));
    let mut all = vec![full.clone(), reduced];
    if !automaton.has_warp_operations() {
        let exact = ExploreOptions {
            exact: true,
            ..options(true)
        };
        let flat = [options(false), options(true), exact];
        let flat = flat.map(|options| explore_flat(automaton, &limits(), &options));
        assert_eq!(
            flat[1].statistics.states, flat[2].statistics.states,
            "{seed:?}"
        );
        tally.flat_states += flat[0].statistics.states;
        tally.flat_reduced += flat[1].statistics.states;
        all.extend(flat);
    }
    for found in &all {
        assert!(found.complete, "{seed:?} {:?}", found.limits_hit);
        let outcomes: Vec<_> = found.outcomes.keys().collect();
        let wanted: Vec<_> = expected.outcomes.keys().collect();
        assert_eq!(outcomes, wanted, "{seed:?}");
        assert_eq!(races(found), races(&expected), "{seed:?}");
        for finding in &found.findings {
            // What shows only by what a state keeps is not looked for in a replay.
            let kept = automaton.keeps() == Keeps::Past;
            let confirmed = kept || confirm_in(reference, finding).is_some();
            assert!(confirmed, "{seed:?} {finding:?}");
        }
        for (outcome, schedule) in &found.outcomes {
            let seen = observation_after(reference, schedule);
            match outcome {
                Outcome::Observation(wanted) => assert_eq!(seen.as_ref(), Some(wanted), "{seed:?}"),
                Outcome::Fault { .. } | Outcome::Deadlock => assert_eq!(seen, None, "{seed:?}"),
            }
        }
    }
    assert!(
        full.statistics.states <= expected.statistics.states,
        "{seed:?}"
    );
    let has = |kind: &str| expected.findings.iter().any(|f| f.kind.name() == kind) as u32;
    let is_fault =
        |f: &gridlock_checker::finding::Finding| matches!(f.evidence, Evidence::Fault(_));
    tally.judged += 1;
    tally.racy += has("data-race");
    tally.deadlocked += has("deadlock");
    tally.faulty += expected.findings.iter().any(is_fault) as u32;
    tally.fewer_states += (2 * full.statistics.states < expected.statistics.states) as u32;
    true
}

/// Outcomes, races, deadlocks and faults are those of the reference, in full and in reduced
/// search; every finding replays on the reference, and every schedule leads to its outcome.
#[test]
fn the_automaton_does_what_the_reference_does() {
    let profiles = [profile("cuda"), profile("cuda-hw"), profile("portable")];
    let n = effort::cases(75, 8_000);
    let mut tally = Tally::default();
    for seed in 0..n {
        let generated = unrestricted(seed, &Sizes::default());
        let profile = &profiles[(seed % 3) as usize];
        let (reference, automaton) = automaton(&generated, profile, Keeps::Nothing);
        if let Ok(automaton) = automaton {
            tally.fit += 1;
            agree(seed, &reference, &*reference, &automaton, &mut tally);
        }
    }
    let n = n as u32;
    println!("{tally:?}");
    assert!(tally.fit > n / 2, "{} of {n} are automata", tally.fit);
    assert!(tally.judged > n / 3, "{}", tally.judged);
    assert!(tally.racy > n / 10 && tally.faulty > n / 10);
    assert!(tally.fewer_states > n / 10, "{}", tally.fewer_states);
}

/// What random programs are made of, by the names below; of those that are automata.
#[derive(Default)]
struct Contents(BTreeMap<&'static str, u32>);

impl Contents {
    fn add(&mut self, program: &Program, n_blocks: u64) {
        let mut names: BTreeSet<&'static str> = BTreeSet::new();
        if n_blocks > 1 {
            names.insert("several blocks");
        }
        for (_, op) in program.operators() {
            let OpKind::Basic(basic) = &op.kind else {
                continue;
            };
            names.extend(match basic {
                Basic::SyncWarp { .. } => Some("sync"),
                Basic::Warp { .. } => Some("exchange"),
                Basic::Barrier { .. } => Some("barrier"),
                Basic::NamedBarrier { .. } => Some("named barrier"),
                Basic::GridBarrier => Some("grid barrier"),
                Basic::Fence { .. } => Some("fence"),
                Basic::Atomic { function, .. } => Some(match function {
                    AtomicFn::Cas => "compare and swap",
                    AtomicFn::Exch => "exchange with memory",
                    AtomicFn::Inc | AtomicFn::Dec => "counting atomic",
                    _ => "atomic",
                }),
                _ => None,
            });
        }
        for name in names {
            *self.0.entry(name).or_default() += 1;
        }
    }

    #[track_caller]
    fn has(&self, least: &[(&str, u32)]) {
        for (name, least) in least {
            let found = self.0.get(name).copied().unwrap_or(0);
            assert!(found >= *least, "{name}: {found} of {least}: {:?}", self.0);
        }
    }
}

/// Takes the private steps of everybody; `None` where somebody takes too many of them.
fn settled<T: Threadwise>(system: &T, mut state: T::State) -> Option<T::State> {
    let shape = system.device(&state)?;
    for block in 0..shape.n_blocks {
        for thread in 0..shape.n_threads {
            let mut left = 500;
            loop {
                let mut found = Vec::new();
                system.fire_actor(&state, Actor::Thread { block, thread }, &mut found);
                match found.pop() {
                    Some((label, next))
                        if found.is_empty()
                            && !label.is_visible()
                            && !system.is_discarded(&next) =>
                    {
                        left -= 1;
                        if left == 0 {
                            return None;
                        }
                        state = next;
                    }
                    _ => break,
                }
            }
        }
    }
    Some(state)
}

/// Visible transitions, and failed assumptions.
fn visible<T: Threadwise>(system: &T, state: &T::State) -> Vec<(Label, T::State)> {
    let mut found = Vec::new();
    system.successors(state, &mut found);
    found.retain(|(label, next)| label.is_visible() || system.is_discarded(next));
    found.sort_by_key(|(label, _)| (label.actors.clone(), label.op));
    found
}

/// What a walk met, by rule; faults apart.
type Met = BTreeMap<(Rule, bool), u32>;

/// Follows a random walk in both: the same labels in every state, the same places to stand, the
/// same end. Gives the number of steps, or where the two differ.
fn walk(
    reference: &ExploredProgram,
    automaton: &Automaton,
    mut choice: u64,
    met: &mut Met,
) -> Result<u32, String> {
    let mut a = reference.initial().remove(0);
    let mut b = automaton.initial().remove(0);
    for n in 0.. {
        let Some(state) = settled(reference, a) else {
            return Ok(n);
        };
        a = state;
        let mut left = visible(reference, &a);
        let mut right = visible(automaton, &b);
        let labels = |found: &[(Label, _)]| -> Vec<Label> {
            found
                .iter()
                .map(|(label, _): &(Label, _)| label.clone())
                .collect()
        };
        let labels_right: Vec<Label> = right.iter().map(|(label, _)| label.clone()).collect();
        if labels(&left) != labels_right {
            return Err(format!("{:#?}\n{:#?}", labels(&left), labels_right));
        }
        if reference.positions(&a) != automaton.positions(&b) {
            let (a, b) = (reference.positions(&a), automaton.positions(&b));
            return Err(format!("{a:?}\n{b:?}"));
        }
        if reference.is_final(&a) != automaton.is_final(&b) {
            return Err("only one of them is final".to_owned());
        }
        if reference.observe(&a) != automaton.observe(&b) {
            return Err("memory has other contents".to_owned());
        }
        for (label, _) in &left {
            *met.entry((label.rule, label.fault.is_some())).or_default() += 1;
        }
        let goes_on = |label: &Label| label.fault.is_none();
        let ways: Vec<usize> = (0..left.len()).filter(|&n| goes_on(&left[n].0)).collect();
        let ways: Vec<usize> = ways
            .into_iter()
            .filter(|&n| !reference.is_discarded(&left[n].1))
            .collect();
        if ways.is_empty() {
            return Ok(n);
        }
        choice = choice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let way = ways[(choice >> 33) as usize % ways.len()];
        a = left.swap_remove(way).1;
        b = right.swap_remove(way).1;
    }
    Ok(0)
}

fn beyond() -> Sizes {
    Sizes {
        beyond_core: true,
        exchanges: true,
        statements: 7,
        all_threads: 6,
        ..Sizes::default()
    }
}

/// Along random walks the two have the same visible transitions, label by label, in states that
/// correspond.
#[test]
fn walks_have_the_same_labels() {
    let profiles = [profile("cuda"), small_warps(), profile("portable")];
    let n = effort::cases(600, 50_000);
    let (mut contents, mut met, mut steps) = (Contents::default(), Met::new(), 0);
    for seed in 0..n {
        let generated = unrestricted(seed, &beyond());
        let profile = &profiles[(seed % 3) as usize];
        let (reference, automaton) = automaton(&generated, profile, Keeps::Nothing);
        let Ok(automaton) = automaton else {
            continue;
        };
        let launch = generated.setup.launch.expect("a kernel");
        contents.add(reference.program(), launch.n_blocks());
        for choice in 0..4 {
            match walk(&reference, &automaton, choice + seed, &mut met) {
                Ok(n) => steps += n,
                Err(why) => panic!("seed {seed} under {}: {why}", profile.name),
            }
        }
    }
    let n = n as u32;
    contents.has(&[
        ("several blocks", n / 10),
        ("sync", n / 50),
        ("exchange", n / 10),
        ("barrier", n / 10),
        ("fence", n / 50),
        ("atomic", n / 20),
        ("compare and swap", n / 100),
        ("counting atomic", n / 50),
        ("named barrier", n / 50),
        ("grid barrier", n / 20),
    ]);
    for rule in [Rule::NamedBarrier, Rule::GridBarrier] {
        for faults in [false, true] {
            let found = met.get(&(rule, faults)).copied().unwrap_or(0);
            assert!(found > n / 100, "{rule:?} {faults}: {met:?}");
        }
    }
    assert!(steps > 5 * n, "{steps}");
    for rule in [Rule::R1, Rule::R10, Rule::CollectiveBarrier] {
        assert!(met.contains_key(&(rule, false)), "{rule:?}: {met:?}");
    }
    for rule in [Rule::WarpBarrier, Rule::WarpExchange] {
        assert!(
            met.get(&(rule, false)) > Some(&(n / 20)),
            "{rule:?}: {met:?}"
        );
    }
    assert!(met.get(&(Rule::R1, true)) > Some(&(n / 20)), "{met:?}");
}

/// The same where states keep the past of each warp, which races across exchanges need.
#[test]
fn exchanges_and_the_races_across_them_are_those_of_the_reference() {
    let profiles = [profile("cuda"), small_warps(), profile("cuda-hw")];
    let sizes = Sizes {
        exchanges: true,
        ..Sizes::default()
    };
    let n = effort::cases(75, 8_000);
    let (mut tally, mut contents) = (Tally::default(), Contents::default());
    for seed in 0..n {
        let generated = unrestricted(seed, &sizes);
        let profile = &profiles[(seed % 3) as usize];
        let (reference, automaton) = automaton(&generated, profile, Keeps::Past);
        let Ok(automaton) = automaton else {
            continue;
        };
        tally.fit += 1;
        let expected = Remembering(&reference);
        if agree(seed, &reference, &expected, &automaton, &mut tally) {
            let launch = generated.setup.launch.expect("a kernel");
            contents.add(reference.program(), launch.n_blocks());
        }
    }
    let n = n as u32;
    contents.has(&[("exchange", n / 5), ("sync", n / 50), ("barrier", n / 10)]);
    assert!(tally.racy > n / 10 && tally.faulty > n / 5);
}

/// The same for lanes that exchange values and also meet at named barriers, which order what exchanges do not.
#[test]
fn named_barriers_order_what_exchanges_do_not() {
    let sizes = Sizes {
        exchanges: true,
        beyond_core: true,
        statements: 6,
        ..Sizes::default()
    };
    let n = effort::cases(200, 20_000);
    let (mut tally, mut contents) = (Tally::default(), Contents::default());
    for seed in 0..n {
        let generated = unrestricted(seed, &sizes);
        let (reference, automaton) = automaton(&generated, &small_warps(), Keeps::Past);
        let Ok(automaton) = automaton else {
            continue;
        };
        tally.fit += 1;
        let expected = Remembering(&reference);
        let has_both = {
            let operators = reference.program().operators();
            let has = |wanted: fn(&Basic) -> bool| {
                let is = |op: &OpKind| matches!(op, OpKind::Basic(basic) if wanted(basic));
                operators.iter().any(|(_, op)| is(&op.kind))
            };
            has(|basic| matches!(basic, Basic::Warp { .. }))
                && has(|basic| matches!(basic, Basic::NamedBarrier { .. }))
        };
        if has_both && agree(seed, &reference, &expected, &automaton, &mut tally) {
            contents.add(reference.program(), 1);
        }
    }
    println!("{tally:?} {:?}", contents.0);
    contents.has(&[
        ("exchange", n as u32 / 50),
        ("named barrier", n as u32 / 50),
    ]);
    assert!(tally.racy > n as u32 / 200, "{tally:?}");
}

/// The same where states keep the order of accesses: also what stands against sequential
/// consistency is the same.
#[test]
fn the_order_of_accesses_is_that_of_the_reference() {
    let profiles = [profile("cuda"), small_warps(), profile("portable")];
    let sizes = Sizes {
        beyond_core: true,
        statements: 6,
        ..Sizes::default()
    };
    let n = effort::cases(125, 8_000);
    let (mut tally, mut contents) = (Tally::default(), Contents::default());
    for seed in 0..n {
        let generated = unrestricted(seed, &sizes);
        let profile = &profiles[(seed % 3) as usize];
        let (reference, automaton) = automaton(&generated, profile, Keeps::Order);
        let Ok(automaton) = automaton else {
            continue;
        };
        tally.fit += 1;
        let expected = Tracked::new(&reference);
        if agree(seed, &reference, &expected, &automaton, &mut tally) {
            let launch = generated.setup.launch.expect("a kernel");
            contents.add(reference.program(), launch.n_blocks());
            assert_eq!(automaton.reasons(), expected.reasons(), "{seed}");
            tally.weak += !automaton.reasons().is_empty() as u32;
        }
    }
    let n = n as u32;
    contents.has(&[
        ("fence", n / 50),
        ("atomic", n / 10),
        ("compare and swap", n / 100),
        ("exchange", n / 20),
        ("several blocks", n / 20),
    ]);
    assert!(tally.weak > n / 20, "{}", tally.weak);
}

/// An automaton of the program so changed, beside the reference of the program as it was.
fn planted(
    seed: u64,
    sizes: &Sizes,
    keeps: Keeps,
    change: &impl Fn(&Basic) -> Option<Basic>,
) -> Option<(Arc<ExploredProgram>, Automaton)> {
    let generated = unrestricted(seed, sizes);
    let profile = small_warps();
    let reference = ExploredProgram::new(&generated.program, &generated.setup, &profile);
    let reference = Arc::new(reference.expect("a program"));
    let program = exchanged(reference.program(), change);
    if program == **reference.program() {
        return None;
    }
    let compiled = compile(&program);
    let automaton = Automaton::keeping(reference.clone(), &compiled, &generated.setup, keeps);
    Some((reference, automaton.ok()?))
}

/// A fault planted in what is compiled is seen in the walks: of a kind each.
#[test]
fn walks_tell_programs_apart() {
    let full = Expr::int(ScalarType::U32, u32::MAX as i64);
    let one_lane = move |basic: &Basic| match basic {
        Basic::SyncWarp { mask } if *mask == full => Some(Basic::SyncWarp {
            mask: Expr::int(ScalarType::U32, 1),
        }),
        _ => None,
    };
    let other_vote = |basic: &Basic| match basic {
        Basic::Warp {
            function: WarpFn::All,
            mask,
            operands,
            result,
        } => Some(Basic::Warp {
            function: WarpFn::Any,
            mask: mask.clone(),
            operands: operands.clone(),
            result: *result,
        }),
        Basic::Warp {
            function: WarpFn::Shuffle(mode),
            mask,
            operands,
            result,
        } => Some(Basic::Warp {
            function: WarpFn::Shuffle(match mode {
                ShuffleMode::Up => ShuffleMode::Down,
                _ => ShuffleMode::Up,
            }),
            mask: mask.clone(),
            operands: operands.clone(),
            result: *result,
        }),
        _ => None,
    };
    let other_atomic = |basic: &Basic| match basic {
        Basic::Atomic {
            function: AtomicFn::Add,
            scope,
            pointer,
            operands,
            result,
        } => Some(Basic::Atomic {
            function: AtomicFn::Sub,
            scope: *scope,
            pointer: pointer.clone(),
            operands: operands.clone(),
            result: *result,
        }),
        _ => None,
    };
    let no_barrier = |basic: &Basic| match basic {
        Basic::Barrier { .. } => Some(Basic::Assert {
            cond: Expr::bool(true),
        }),
        _ => None,
    };
    let arrives_only = |basic: &Basic| match basic {
        Basic::NamedBarrier {
            id,
            threads: Some(threads),
            arrive_only: false,
        } => Some(Basic::NamedBarrier {
            id: id.clone(),
            threads: Some(threads.clone()),
            arrive_only: true,
        }),
        _ => None,
    };
    let of_block = |basic: &Basic| match basic {
        Basic::GridBarrier => Some(Basic::barrier(Orders::All)),
        _ => None,
    };
    fn seen(change: &impl Fn(&Basic) -> Option<Basic>) -> (u32, u32) {
        let (mut planted_in, mut seen) = (0, 0);
        for seed in 0..300 {
            if let Some((reference, automaton)) = planted(seed, &beyond(), Keeps::Nothing, change) {
                planted_in += 1;
                let mut met = Met::new();
                seen += (0..4).any(|n| walk(&reference, &automaton, n, &mut met).is_err()) as u32;
            }
        }
        (planted_in, seen)
    }
    for (name, (planted_in, seen), least) in [
        ("mask", seen(&one_lane), 3),
        ("exchange", seen(&other_vote), 3),
        ("atomic", seen(&other_atomic), 5),
        ("barrier", seen(&no_barrier), 40),
        ("named barrier", seen(&arrives_only), 3),
        ("grid barrier", seen(&of_block), 3),
    ] {
        assert!(seen >= least, "{name}: {seen} of {planted_in}");
    }
}
