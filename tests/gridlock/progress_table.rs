//! Who ends under which scheduling of blocks: the tables of `docs/progress.md`, made here.
//!
//! `INSTA_UPDATE=always cargo test --test gridlock progress_table::` writes them anew.

use gridlock_checker::limits::Limits;
use gridlock_checker::progress::{Termination, judge};
use gridlock_checker::replay;
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::profile::{
    BlockScheduling, NextBlock, Profile, Progress, Residency, Warps,
};
use gridlock_semantics::setup::{Launch, Setup};
use std::fmt::Write;
use std::io::Write as _;

struct Subject {
    name: &'static str,
    source: &'static str,
    n_blocks: u32,
    n_threads: u32,
}

const BARRIER: Subject = Subject {
    name: "A spin barrier of three blocks",
    source: "\
__device__ int arrived;
__global__ void meet()
{
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) { }
}
",
    n_blocks: 3,
    n_threads: 1,
};

const BACKWARD: Subject = Subject {
    name: "Block 1 waits for block 0",
    source: "\
__device__ int ready;
__global__ void hand_over()
{
    if (blockIdx.x == 0)
        atomicExch(&ready, 1);
    else
        while (atomicAdd(&ready, 0) == 0) { }
}
",
    n_blocks: 2,
    n_threads: 1,
};

const FORWARD: Subject = Subject {
    name: "Block 0 waits for block 1",
    source: "\
__device__ int ready;
__global__ void hand_over()
{
    if (blockIdx.x == 1)
        atomicExch(&ready, 1);
    else
        while (atomicAdd(&ready, 0) == 0) { }
}
",
    n_blocks: 2,
    n_threads: 1,
};

const SPIN_LOCK: Subject = Subject {
    name: "A lock by compare-and-swap, three blocks",
    source: "\
__device__ int lock;
__global__ void one_at_a_time()
{
    while (atomicCAS(&lock, 0, 1) != 0) { }
    atomicExch(&lock, 0);
}
",
    n_blocks: 3,
    n_threads: 1,
};

const TICKET_LOCK: Subject = Subject {
    name: "A ticket lock, three blocks",
    source: "\
__device__ int next;
__device__ int serving;
__global__ void one_at_a_time()
{
    int ticket = atomicAdd(&next, 1);
    while (atomicAdd(&serving, 0) != ticket) { }
    atomicAdd(&serving, 1);
}
",
    n_blocks: 3,
    n_threads: 1,
};

const FLAGGED_LOCK: Subject = Subject {
    name: "A lock by compare-and-swap, given back before the lanes meet",
    source: "\
__device__ int lock;
__global__ void one_at_a_time()
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
",
    n_blocks: 1,
    n_threads: 2,
};

impl Subject {
    fn program(&self) -> Program {
        let mut file = tempfile::Builder::new().suffix(".cu").tempfile().unwrap();
        file.write_all(self.source.as_bytes()).unwrap();
        gridlock::input::source::parse(file.path(), &Default::default())
            .unwrap()
            .program
    }
}

const GUARANTEES: [(Progress, &str); 3] = [
    (Progress::Unfair, "`unfair`"),
    (Progress::OccupancyBound, "`occupancy-bound`"),
    (Progress::Fair, "`fair`"),
];

const RESIDENCIES: [(Residency, &str); 6] = [
    (Residency::StartRule, "`start-rule`"),
    (Residency::RunToCompletion, "`run-to-completion`"),
    (Residency::Resident(1), "`resident(1)`"),
    (Residency::Resident(2), "`resident(2)`"),
    (Residency::EveryResident, "`every-resident`"),
    (Residency::AllResident, "`all-resident`"),
];

const ORDERS: [(NextBlock, &str); 2] = [(NextBlock::Any, "any"), (NextBlock::InOrder, "in order")];

/// What comes of a program under a profile, in one word. A livelock counts once it is replayed.
fn cell(program: &Program, subject: &Subject, profile: &Profile) -> &'static str {
    let setup = Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: program.procs_of_kind(ProcKind::Kernel).next().unwrap(),
        launch: Some(Launch {
            grid: [subject.n_blocks, 1, 1],
            block: [subject.n_threads, 1, 1],
            shared_bytes: 0,
        }),
        args: vec![],
        arrays: vec![],
    };
    let system = ExploredProgram::for_termination(program, &setup, profile).unwrap();
    match judge(&system, &Limits::default()).answer {
        Termination::Ends => "ends",
        Termination::Livelock(finding) => {
            let shown = replay::confirm(program, &setup, profile, &finding);
            assert!(shown.is_some(), "{}: {profile:?}", subject.name);
            "**livelock**"
        }
        Termination::Deadlock => "**deadlock**",
        Termination::Cut(_) => "unknown",
    }
}

fn row(text: &mut String, cells: &[&str]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

/// Residency × which block is next × guarantee.
fn blocks(text: &mut String, subject: &Subject) {
    let program = subject.program();
    head(text, subject);
    let mut titles = vec!["places".to_owned()];
    for (_, order) in ORDERS {
        titles.extend(GUARANTEES.map(|(_, name)| format!("{order}, {name}")));
    }
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    row(text, &titles);
    row(text, &["---"; 7]);
    for (residency, name) in RESIDENCIES {
        let mut cells = vec![name];
        for (next, _) in ORDERS {
            for (progress, _) in GUARANTEES {
                let mut profile = Profile::default();
                profile.axes.termination = BlockScheduling {
                    residency,
                    next,
                    progress,
                };
                cells.push(cell(&program, subject, &profile));
            }
        }
        row(text, &cells);
    }
}

fn head(text: &mut String, subject: &Subject) {
    let _ = writeln!(
        text,
        "\n### {}\n\n```cuda\n{}```\n",
        subject.name, subject.source
    );
}

/// Two threads of one warp, independent and in lockstep.
fn warps(text: &mut String, subject: &Subject) {
    let program = subject.program();
    head(text, subject);
    row(
        text,
        &[
            "two threads of a warp",
            "`unfair`",
            "`occupancy-bound`",
            "`fair`",
        ],
    );
    row(text, &["---"; 4]);
    for (warps, name) in [
        (Warps::Independent(32), "`independent(32)`"),
        (Warps::Lockstep(32), "`lockstep(32)`"),
    ] {
        let mut cells = vec![name];
        for (progress, _) in GUARANTEES {
            let mut profile = Profile::default();
            profile.axes.warps = warps;
            profile.axes.termination.progress = progress;
            cells.push(cell(&program, subject, &profile));
        }
        row(text, &cells);
    }
}

/// Sets of threads fire together: the start rule as the paper means it.
fn sets(text: &mut String, subjects: &[&Subject]) {
    let _ = writeln!(
        text,
        "\n### Sets of threads fire together, two blocks, `start-rule`\n"
    );
    row(
        text,
        &["as `paper`", "`unfair`", "`occupancy-bound`", "`fair`"],
    );
    row(text, &["---"; 4]);
    for subject in subjects {
        let program = subject.program();
        let two = Subject {
            n_blocks: 2,
            ..**subject
        };
        let name = subject
            .name
            .replace("of three blocks", "of blocks")
            .replace(", three blocks", "");
        let mut cells = vec![name.as_str()];
        for (progress, _) in GUARANTEES {
            let mut profile = Profile::named("paper").unwrap();
            profile.axes.termination.progress = progress;
            cells.push(cell(&program, &two, &profile));
        }
        row(text, &cells);
    }
}

const PAGE: &str = "docs/progress.md";
const BEGIN: &str =
    "<!-- Written by INSTA_UPDATE=always cargo test --test gridlock progress_table::. -->\n";
const END: &str = "<!-- End of what the test writes. -->";

#[test]
fn the_page_shows_what_comes_out() {
    let mut text = String::new();
    let subjects = [&BARRIER, &BACKWARD, &FORWARD, &SPIN_LOCK, &TICKET_LOCK];
    for subject in subjects {
        blocks(&mut text, subject);
    }
    let in_a_warp = Subject {
        name: "A lock by compare-and-swap",
        n_blocks: 1,
        n_threads: 2,
        ..SPIN_LOCK
    };
    warps(&mut text, &in_a_warp);
    warps(&mut text, &FLAGGED_LOCK);
    sets(&mut text, &subjects);
    text.push('\n');

    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("where the tables begin");
    let (written, after) = rest.split_once(END).expect("where the tables end");
    if std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") {
        std::fs::write(PAGE, format!("{before}{BEGIN}{text}{END}{after}")).unwrap();
        return;
    }
    for (was, is) in written.lines().zip(text.lines()) {
        assert_eq!(
            was, is,
            "{PAGE} is not what comes out (see the head of this test)"
        );
    }
    assert_eq!(written.lines().count(), text.lines().count());
}
