//! The general systems on random programs: what they accept they keep, and their mutants are
//! caught on the same programs.

use crate::judging::sequential::{gathering, nests, of_some_form, running_sums, sequential, sums};
use crate::judging::*;
use gridlock_generation::effort;
use gridlock_generation::random::{Sizes, race_free, unrestricted};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::well_formed::check_well_formed;
use gridlock_transforms::terms::conversion::TermProgram;
use gridlock_transforms::{Derivation, NoOracle, Request, RuleSystem, apply};

const SIZES: Sizes = Sizes {
    threads: 6,
    blocks: 2,
    all_threads: 12,
    statements: 14,
    depth: 3,
    expression_depth: 2,
    iterations: 3,
    early_return: false,
    all_types: true,
    exchanges: false,
    beyond_core: false,
};

fn rewritten(program: &Program, system: &str, strategy: &str) -> Derivation {
    let rules = RuleSystem::built_in(system).expect("built in");
    let request = Request {
        strategy: Some(strategy.into()),
        ..Request::default()
    };
    let derivation = apply(program, &rules, &request, &NoOracle).expect("it can be applied");
    assert!(derivation.normal);
    check_well_formed(&derivation.program).expect("well-formed");
    derivation
}

#[test]
fn conversion_is_the_identity_on_random_kernels() {
    for seed in 0..500 {
        for program in [
            race_free(seed, &SIZES).program,
            unrestricted(seed, &SIZES).program,
        ] {
            let back = TermProgram::from_program(&program).to_program();
            assert_eq!(back.as_ref(), Ok(&program), "seed {seed}");
        }
    }
}

/// A system that has to apply so often has, in a short run, applied often enough then.
fn enough(at_least: usize) -> usize {
    effort::cases(at_least as u64, u64::MAX) as usize
}

/// How often a system applied to race-free kernels, up to the first whose outcome changed or until it applied `enough` times.
fn on_kernels(
    system: &str,
    strategy: &str,
    seeds: std::ops::Range<u64>,
    enough: usize,
) -> (usize, Vec<u64>) {
    let mut applied = 0;
    let mut changed = Vec::new();
    for seed in seeds {
        if applied >= enough || !changed.is_empty() {
            break;
        }
        let generated = race_free(seed, &SIZES);
        let derivation = rewritten(&generated.program, system, strategy);
        if derivation.applications.is_empty() {
            continue;
        }
        applied += 1;
        let expected = run(&generated.program, &generated.setup, "cuda").0;
        assert!(
            matches!(expected, Shown::Contents(_)),
            "seed {seed}: {expected:?}"
        );
        if run(&derivation.program, &generated.setup, "cuda").0 != expected {
            changed.push(seed);
        }
    }
    (applied, changed)
}

#[test]
fn kernels_keep_their_outcome() {
    for (system, strategy, seeds) in [
        ("redundant-barrier", "main", 0..600),
        ("unroll-loop", "all-loops", 0..200),
        ("peel-loop", "main", 0..200),
    ] {
        let (applied, changed) = on_kernels(system, strategy, seeds, enough(20));
        assert!(
            changed.is_empty(),
            "{system} changed the outcome for seeds {changed:?}"
        );
        assert!(applied >= 20, "{system} applied {applied} times only");
    }
}

#[test]
fn mutants_change_outcomes_of_random_kernels() {
    for (system, strategy) in [
        ("mutants/redundant-barrier-unconditional", "main"),
        ("mutants/unroll-loop-late", "all-loops"),
        ("mutants/peel-loop-stuck", "main"),
    ] {
        let (_, changed) = on_kernels(system, strategy, 0..150, usize::MAX);
        assert!(!changed.is_empty(), "{system} was not caught");
    }
}

/// How often a system applied to the functions, up to the first that it changed or until it applied `enough` times.
/// Applications that copy what they only assume to be enough, and functions that are defective themselves, are left out.
fn on_loops(
    programs: &[Program],
    system: &str,
    then: Option<&str>,
    enough: usize,
) -> (usize, Vec<String>) {
    let mut applied = 0;
    let mut changed = Vec::new();
    let strategy = if system.ends_with("parallelise-loop") {
        "all-loops"
    } else {
        "main"
    };
    for program in programs {
        if applied >= enough || !changed.is_empty() {
            break;
        }
        let name = program.procs[0].name.to_string();
        let mut derivation = rewritten(program, system, strategy);
        let copies_enough = derivation
            .assumptions
            .iter()
            .all(|a| !a.text.contains("cells"));
        if derivation.applications.is_empty() || !copies_enough {
            continue;
        }
        if let Some(then) = then {
            derivation = rewritten(&derivation.program, then, "main");
        }
        let mut compared = 0;
        for n in [0, 1, 6] {
            let setup = host_setup_of(program, &name, n, 16, 5);
            let expected = run(program, &setup, "cuda").0;
            if matches!(expected, Shown::Defects(_)) {
                continue;
            }
            compared += 1;
            if run(&derivation.program, &setup, "cuda").0 != expected {
                changed.push(name.clone());
                break;
            }
        }
        applied += usize::from(compared > 0);
    }
    (applied, changed)
}

#[test]
fn loops_keep_what_they_compute() {
    let programs = sequential();
    for (system, then, at_least) in [
        ("parallelise-loop", None, 20),
        ("parallelise-loop", Some("host-code-motion"), 20),
        ("fuse-loops", None, 3),
        ("split-loop", None, 10),
        ("strip-mine", None, 50),
        ("peel-loop", None, 50),
    ] {
        let (applied, changed) = on_loops(&programs, system, then, enough(at_least));
        assert!(
            changed.is_empty(),
            "{system} then {then:?} changed {changed:?}"
        );
        assert!(applied >= at_least, "{system} applied {applied} times only");
    }
}

#[test]
fn loops_of_other_forms_keep_what_they_compute() {
    let programs = of_some_form();
    for (system, at_least) in [("normalise-loops", 100), ("parallelise-loop", 20)] {
        let (applied, changed) = on_loops(&programs, system, None, enough(at_least));
        assert!(changed.is_empty(), "{system} changed {changed:?}");
        assert!(applied >= at_least, "{system} applied {applied} times only");
    }
    for system in ["normalise-loops-short", "normalise-loops-first"] {
        let (_, changed) = on_loops(&programs, &format!("mutants/{system}"), None, usize::MAX);
        assert!(!changed.is_empty(), "{system} was not caught");
    }
}

/// The outer loops of nests become kernels that compute the same. Where the loop itself touches the last of the
/// cells that are copied for certain, arrays with no more cells than the loop needs are enough.
#[test]
fn nests_keep_what_they_compute() {
    on_nests("parallelise-loop", 60, 30);
}

/// The same for kernels of two dimensions.
#[test]
fn nests_keep_what_they_compute_in_two_dimensions() {
    on_nests("parallelise-nest", 20, 10);
}

fn on_nests(system: &str, at_least: usize, at_least_with_fewest: usize) {
    let rules = RuleSystem::built_in(system).expect("built in");
    let request = Request {
        params: [("loop".to_owned(), "i".to_owned())].into(),
        ..Request::default()
    };
    let (mut applied, mut assumed, mut with_fewest) = (0, 0, 0);
    for program in nests() {
        let derivation = apply(&program, &rules, &request, &NoOracle).expect("applies");
        if derivation.applications.is_empty() {
            continue;
        }
        applied += 1;
        let may_lack_cells = derivation
            .assumptions
            .iter()
            .any(|a| a.text.contains("cells"));
        assumed += usize::from(may_lack_cells);
        let mut is_enough = true;
        for (m, n) in [(-1, -1), (0, 2), (2, 0), (1, 1), (3, 2), (2, 3), (3, 3)] {
            let shown = |program: &Program, cells| {
                run(program, &nest_setup(program, m, n, cells), "cuda").0
            };
            let is_right = |shown: &Shown| matches!(shown, Shown::Contents(_));
            let expected = shown(&program, 60);
            if !is_right(&expected) {
                continue;
            }
            let name = &program.procs[0].name;
            assert_eq!(
                shown(&derivation.program, 60),
                expected,
                "{name} at {m}, {n}"
            );
            let fewest = (0..60).find(|&cells| is_right(&shown(&program, cells)));
            let fewest = fewest.unwrap_or(60);
            let same = shown(&derivation.program, fewest) == shown(&program, fewest);
            assert!(
                same || may_lack_cells,
                "{name} at {m}, {n} with {fewest} cells"
            );
            is_enough &= same;
        }
        with_fewest += usize::from(is_enough && may_lack_cells);
    }
    assert!(applied >= at_least, "applied {applied} times only");
    assert!(
        with_fewest >= at_least_with_fewest,
        "{with_fewest} of {assumed} copy no more than they need"
    );
}

/// Loops that add up become kernels with atomics that compute the same. Where one of the rules makes plain additions of
/// these, or forgets what a sum began with, that shows.
#[test]
fn sums_keep_what_they_compute() {
    let changed = |system: &str| changed_sums(&sums(), system, &["in-a-cell", "plain"]);
    let (applied, wrong) = changed("parallelise-loop");
    assert_eq!(wrong, [""; 0], "of {applied}");
    assert!(applied >= 60, "applied {applied} times only");
    for mutant in ["sums-plain", "sums-from-zero"] {
        let (applied, wrong) = changed(&format!("mutants/{mutant}"));
        assert!(
            2 * wrong.len() > applied,
            "{mutant}: {} of {applied}",
            wrong.len()
        );
    }
}

/// How many programs one of the rules is applied to, and those that then compute something else.
fn changed_sums(programs: &[Program], system: &str, wanted: &[&str]) -> (usize, Vec<String>) {
    let request = Request {
        params: [("block".to_owned(), "2".to_owned())].into(),
        ..Request::default()
    };
    let rules = RuleSystem::built_in(system).expect("built in");
    let (mut applied, mut changed) = (0, Vec::new());
    for program in programs {
        let derivation = apply(program, &rules, &request, &NoOracle).expect("applies");
        let mut names = derivation.applications.iter().map(|a| a.rule.as_str());
        if !names.any(|name| wanted.contains(&name)) {
            continue;
        }
        applied += 1;
        for (m, n) in [(2, 0), (0, 1), (1, 2), (2, 3), (3, 5), (1, 6)] {
            let shown = |program: &Program| run(program, &nest_setup(program, m, n, 60), "cuda").0;
            let expected = shown(program);
            if matches!(expected, Shown::Contents(_)) && shown(&derivation.program) != expected {
                changed.push(format!("{} at {m}, {n}", program.procs[0].name));
                break;
            }
        }
    }
    (applied, changed)
}

/// Running sums become scans that compute the same.
#[test]
fn running_sums_keep_what_they_compute() {
    let programs = running_sums();
    let (applied, wrong) = changed_sums(&programs, "parallelise-loop", &["in-place"]);
    assert_eq!(wrong, [""; 0], "of {applied}");
    assert!(applied >= 60, "applied {applied} times only");
    for mutant in ["scans-one-buffer", "scans-long"] {
        let system = format!("mutants/{mutant}");
        let (applied, wrong) = changed_sums(&programs, &system, &["in-place"]);
        assert!(
            2 * wrong.len() > applied,
            "{mutant}: {} of {applied}",
            wrong.len()
        );
    }
}

/// What becomes of a nest by one system after the other: `None` where one does not apply, else the first with which it
/// computes something else.
fn through<'s>(program: &Program, systems: &[(&'s str, &str)]) -> Option<Option<&'s str>> {
    let setups = [(-1, -1), (0, 2), (1, 1), (1, 3), (3, 2), (2, 5), (3, 3)];
    let shown = |program: &Program| {
        setups.map(|(m, n)| run(program, &nest_setup(program, m, n, 60), "cuda").0)
    };
    let expected = shown(program);
    let mut program = program.clone();
    for &(system, strategy) in systems {
        let rules = RuleSystem::built_in(system).expect("built in");
        let request = Request {
            strategy: Some(strategy.to_owned()),
            params: rules
                .parameters()
                .iter()
                .filter_map(|p| match &*p.name {
                    "threads" => Some((p.name.to_string(), "4".to_owned())),
                    "block" => Some((p.name.to_string(), "2".to_owned())),
                    _ => None,
                })
                .collect(),
            ..Request::default()
        };
        let derivation = apply(&program, &rules, &request, &NoOracle).expect("applies");
        // A single loop needs no flattening.
        if derivation.applications.is_empty() && system != "flatten-nest" {
            return None;
        }
        program = derivation.program;
        check_well_formed(&program).expect("well-formed");
        let found = shown(&program);
        let mut both = expected.iter().zip(&found);
        if both.any(|(e, f)| matches!(e, Shown::Contents(_)) && e != f) {
            return Some(Some(system));
        }
    }
    Some(None)
}

/// Nests that become chunks, are packed, and run on the device, one chunk after the other or overlapping, compute the same
/// all the way. Where a system of these has one thing wrong, that shows.
#[test]
fn chunks_keep_what_they_compute() {
    let mut programs = gathering();
    programs.truncate(effort::cases(200, 600) as usize);
    let n_programs = programs.len();
    let chunks = [("flatten-nest", "main"), ("chunk-loop", "main")];
    let packed = [chunks[0], chunks[1], ("pack-chunks", "main")];
    let device = "chunks-on-device";
    let launched = [&packed[..], &[(device, "main")]].concat();
    let overlapped = [&packed[..], &[(device, "overlapped")]].concat();
    for (systems, at_least) in [
        (&chunks[..], n_programs / 2),
        (&packed[..], n_programs / 12),
        (&launched[..], n_programs / 12),
        (&overlapped[..], n_programs / 12),
    ] {
        let all = programs.iter().filter_map(|program| {
            let changed = through(program, systems)?;
            Some((&program.procs[0].name, changed))
        });
        let all: Vec<_> = all.collect();
        let changed: Vec<_> = all
            .iter()
            .filter(|(_, changed)| changed.is_some())
            .collect();
        assert!(changed.is_empty(), "{changed:?}");
        assert!(all.len() >= at_least, "{systems:?}: {} only", all.len());
    }
    let mutants = [
        (0, "mutants/flatten-nest-transposed"),
        (1, "mutants/chunk-loop-floor"),
        (1, "mutants/chunk-loop-unguarded"),
        (2, "mutants/pack-chunks-first"),
        (3, "mutants/chunks-on-device-early"),
        (3, "mutants/chunks-on-device-last"),
    ];
    for (step, mutant) in mutants {
        let systems = [&packed[..step], &[(mutant, "main")]].concat();
        let caught = |program: &&Program| matches!(through(program, &systems), Some(Some(_)));
        let n_caught = programs.iter().filter(caught).take(5).count();
        assert_eq!(n_caught, 5, "{mutant}");
    }
}

#[test]
fn mutants_change_what_loops_compute() {
    let programs = sequential();
    for system in [
        "fuse-loops-dependent",
        "split-loop-dependent",
        "peel-loop-stuck",
    ] {
        let (_, changed) = on_loops(&programs, &format!("mutants/{system}"), None, usize::MAX);
        assert!(!changed.is_empty(), "{system} was not caught");
    }
    let (_, changed) = on_loops(
        &programs,
        "parallelise-loop",
        Some("mutants/host-code-motion-too-far"),
        usize::MAX,
    );
    assert!(!changed.is_empty(), "copies moved too far were not caught");
}

#[test]
fn every_system_gives_well_formed_programs() {
    let kernels = (0..effort::cases(8, 40)).map(|seed| unrestricted(seed, &SIZES).program);
    let programs: Vec<Program> = kernels
        .chain(sequential().into_iter().take(effort::cases(8, 40) as usize))
        .collect();
    for system in RuleSystem::built_in_names() {
        for program in &programs {
            rewritten(program, system, "main");
        }
    }
}
