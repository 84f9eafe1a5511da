//! Every kernel of the corpus under every engine that may speak for it: none claims what another
//! refutes, and the reduced search shows what the full one shows. `tests/engines.txt` has both counts.

use crate::labelled::{Kernel, assert_table, corpus, launch_text, request};
use gridlock::input::request::Sampling;
use gridlock::judge::mutation;
use gridlock::subject::{self, EntryPoint};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::explore::{
    Exploration, ExploreOptions, MOST_DEADLOCKS, Outcome, StuckAt, explore_system,
};
use gridlock_checker::finding::{DefectKind, Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::confirm;
use gridlock_checker::system::ExploredProgram;
use gridlock_checker::verdict::Verdict;
use gridlock_generation::effort;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::profile::{Firing, Profile};
use gridlock_semantics::setup::{Launch, Setup};
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::Actor;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;

const TABLE: &str = "tests/engines.txt";

/// A short run does a row in so many, and takes the others as stored.
const SHARE: usize = 41;

/// States the full search may keep.
const MOST_STATES: u64 = 3_000;

/// Threads that begin alike may be exchanged by a reduction: who of them faults, and who of them waits
/// where, is then the same result. False: threads are told apart.
const THREADS_ARE_INTERCHANGEABLE: bool = true;

/// Beside those of the header.
const PROFILES: [&str; 3] = ["cuda", "cuda-hw", "lockstep-warp"];

const HEAD: &str = "\
# Every kernel of tests/corpus under the engines: the canonical run (status, kinds of defect), the
# reduced search and the full one (states/transitions of each), ways runs end, deadlocks told apart,
# kinds of defect. One input; at the header's launch, or at the first smaller one that the full search
# gets through with at most 3000 states; cut: no launch tried is small enough, and the canonical run is
# compared with the reduced search alone. What is compared is in tests/gridlock/engines.rs.
# Written by: INSTA_UPDATE=always cargo test --test gridlock engines::
";

fn is_kernel(kernel: &Kernel, point: &EntryPoint) -> bool {
    kernel.prepared.surface.proc(point.proc).kind == ProcKind::Kernel
}

/// The launches to try: the header's, its own for few threads, and small ones.
fn launches(kernel: &Kernel, point: &EntryPoint) -> Vec<Option<Launch>> {
    let Some(launch) = point.launch else {
        return match is_kernel(kernel, point) {
            true => vec![Some(small(2, [2, 1, 1])), Some(small(1, [2, 1, 1]))],
            false => vec![None],
        };
    };
    let paper = Profile::named("paper").unwrap();
    let few = kernel.point(&paper).launch.unwrap_or(launch);
    let flat = launch.block[1] == 1;
    let mut found = vec![launch, few];
    for (grid, block) in [(2, 2), (1, 4), (1, 2)] {
        let block = if flat { [block, 1, 1] } else { [2, 2, 1] };
        found.push(Launch {
            shared_bytes: launch.shared_bytes,
            ..small(grid.min(launch.grid[0]), block)
        });
    }
    found.dedup();
    found.into_iter().map(Some).collect()
}

fn small(grid: u32, block: [u32; 3]) -> Launch {
    Launch {
        grid: [grid, 1, 1],
        block,
        shared_bytes: 0,
    }
}

fn limits() -> Limits {
    Limits {
        states: MOST_STATES,
        seconds: 600.0,
        ..Limits::default()
    }
}

fn search(system: &ExploredProgram, reduction: bool) -> Exploration {
    let options = ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    };
    explore_system(system, &limits(), &options)
}

/// What a search shows, as far as another one must show it too.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    ends: BTreeSet<End>,
    /// Kinds, with the operators of races.
    defects: BTreeSet<(DefectKind, Vec<OpId>)>,
    deadlocks: BTreeSet<Stuck>,
    weak_memory: bool,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Seen(Observation),
    Fault(DefectKind, Option<OpId>, Option<Actor>),
    Deadlock,
}

/// Where the threads of each block stand, in order of their numbers or of where they stand.
type Stuck = Vec<(Option<u32>, Option<OpId>, bool, Option<Actor>)>;

impl Shown {
    fn by(exploration: &Exploration) -> Shown {
        let actor = |actor: Actor| (!THREADS_ARE_INTERCHANGEABLE).then_some(actor);
        let end = |outcome: &Outcome| match outcome {
            Outcome::Observation(seen) => End::Seen(seen.clone()),
            Outcome::Fault {
                kind,
                actor: who,
                op,
            } => End::Fault(*kind, *op, actor(*who)),
            Outcome::Deadlock => End::Deadlock,
        };
        let stuck = |stuck: &StuckAt| {
            let block = |of: Actor| match of {
                Actor::Thread { block, .. } => Some(block),
                _ => None,
            };
            let positions = stuck.positions.iter();
            let stand = positions.map(|p| (block(p.actor), p.op, p.returned, actor(p.actor)));
            let mut stand: Stuck = stand.collect();
            stand.sort_unstable();
            stand
        };
        let ops = |finding: &Finding| match &finding.evidence {
            Evidence::Race { first, second } => {
                vec![first.op.min(second.op), first.op.max(second.op)]
            }
            _ => Vec::new(),
        };
        Shown {
            ends: exploration.outcomes.keys().map(end).collect(),
            defects: exploration
                .findings
                .iter()
                .map(|f| (f.kind, ops(f)))
                .collect(),
            deadlocks: exploration.deadlocks.iter().map(stuck).collect(),
            weak_memory: !exploration.weak_memory.is_empty(),
        }
    }

    fn kinds(&self) -> BTreeSet<DefectKind> {
        self.defects.iter().map(|(kind, _)| *kind).collect()
    }
}

/// One kernel at one launch under one profile.
struct Case<'a> {
    kernel: &'a Kernel,
    profile: &'a Profile,
    point: EntryPoint,
    launch: Option<Launch>,
    setup: Setup,
}

impl Case<'_> {
    fn name(&self) -> String {
        format!(
            "{} under {} at {}",
            self.kernel.name,
            self.profile.name,
            launch_text(self.launch)
        )
    }

    fn confirmed(&self, finding: &Finding) -> bool {
        let program = &self.kernel.prepared.surface;
        confirm(program, &self.setup, self.profile, finding).is_some()
    }

    /// The row of the table, having compared everything, and the reduced search where there is one; `None` where the
    /// full search is cut.
    fn row(&self) -> Option<(String, Option<Exploration>)> {
        let full = search(&self.system(), false);
        if !full.complete {
            return None;
        }
        let shown = Shown::by(&full);
        let canonical = self.canonical(&shown);
        let mut searched = None;
        if self.profile.axes.firing == Firing::One {
            let reduced = search(&self.system(), true);
            assert!(
                reduced.complete,
                "{}: {:?}",
                self.name(),
                reduced.limits_hit
            );
            let mut also = Shown::by(&reduced);
            // Which of many deadlocks are told apart is chance.
            let many = |e: &Exploration| e.deadlocks.len() == MOST_DEADLOCKS;
            if many(&full) && many(&reduced) {
                also.deadlocks = Shown::by(&full).deadlocks;
            }
            assert_eq!(also, shown, "{}", self.name());
            searched = Some(reduced);
        }
        let of_reduced = searched.as_ref().map_or_else(|| "-".to_owned(), counts);
        let row = self.columns(&canonical, &of_reduced, &counts(&full), &shown);
        Some((row, searched))
    }

    /// The row where the full search is cut: the canonical run against the reduced search, unless that
    /// is cut as well.
    fn row_without_full(&self) -> String {
        let reduced = search(&self.system(), true);
        if !reduced.complete {
            return format!(
                "    {:14} every launch tried is too large",
                self.profile.name
            );
        }
        let shown = Shown::by(&reduced);
        let canonical = self.canonical(&shown);
        self.columns(&canonical, &counts(&reduced), "cut", &shown)
    }

    fn system(&self) -> ExploredProgram {
        let program = &self.kernel.prepared.surface;
        ExploredProgram::new(program, &self.setup, self.profile).unwrap()
    }

    fn columns(&self, canonical: &str, reduced: &str, full: &str, shown: &Shown) -> String {
        let kinds: Vec<&str> = shown.kinds().iter().map(|k| k.name()).collect();
        let row = format!(
            "    {:14} {:9} {canonical:32} {reduced:>11} {full:>11} {:2} ends {:2} stuck {}",
            self.profile.name,
            launch_text(self.launch),
            shown.ends.len(),
            shown.deadlocks.len(),
            kinds.join(" ")
        );
        row.trim_end().to_owned()
    }

    /// The canonical run against the full search; what it says, in words.
    fn canonical(&self, shown: &Shown) -> String {
        if !self.profile.admits_canonical_run() {
            return "-".to_owned();
        }
        let compiled = &self.kernel.prepared.compiled;
        let run = canonical::run(compiled, &self.setup, self.profile, &limits());
        let mut kinds: BTreeSet<DefectKind> = BTreeSet::new();
        for finding in &run.findings {
            if !kinds.contains(&finding.kind) && self.confirmed(finding) {
                kinds.insert(finding.kind);
            }
        }
        let word = match &run.status {
            CanonicalStatus::Decides => "decides",
            CanonicalStatus::DecidesDefects { .. } => "decides defects",
            CanonicalStatus::Faulted => "ends",
            CanonicalStatus::AssumptionFailed => "vacuous",
            CanonicalStatus::NotCanonical { .. } | CanonicalStatus::Cycle { .. } => "hands over",
            CanonicalStatus::Limit { .. } | CanonicalStatus::LaunchesDecide { .. } => "cut",
            CanonicalStatus::Unfit { .. } => "unfit",
        };
        let name = self.name();
        // What it shows, every schedule shows to the search.
        for kind in &kinds {
            assert!(shown.kinds().contains(kind), "{name}: {kind:?} {shown:?}");
        }
        if run.status == CanonicalStatus::Decides && run.findings.is_empty() {
            assert!(shown.defects.is_empty(), "{name}: {shown:?}");
            let seen = run.observation.into_iter().map(End::Seen).collect();
            assert_eq!(shown.ends, seen, "{name}");
        }
        if matches!(
            run.status,
            CanonicalStatus::Decides
                | CanonicalStatus::DecidesDefects { .. }
                | CanonicalStatus::Faulted
        ) {
            assert_eq!(
                kinds.is_empty(),
                shown.defects.is_empty(),
                "{name}: {shown:?}"
            );
        }
        let names: Vec<&str> = kinds.iter().map(|k| k.name()).collect();
        format!("{word} {}", names.join(" ")).trim_end().to_owned()
    }
}

fn counts(exploration: &Exploration) -> String {
    let statistics = &exploration.statistics;
    format!("{}/{}", statistics.states, statistics.transitions)
}

/// A kernel's row under one profile.
fn row(kernel: &Kernel, profile: &Profile, stored: Option<&StoredTable>) -> String {
    let point = kernel.point(profile);
    let case = |launch: Option<Launch>| {
        let program = &kernel.prepared.surface;
        let sampling = Sampling::default();
        let setup = subject::sampled_setup(program, &point, launch, sampling, 0).unwrap();
        let mut point = point.clone();
        point.launch = launch;
        Case {
            kernel,
            profile,
            point,
            launch,
            setup,
        }
    };
    let launches = launches(kernel, &point);
    let full = |launch: Option<Launch>| {
        let case = case(launch);
        let (row, searched) = case.row()?;
        case.nothing_is_proved_that_is_refuted(searched);
        Some(row)
    };
    let without_full = || case(launches[0]).row_without_full();
    let rest = || launches.iter().find_map(|launch| full(*launch));
    match stored.and_then(|stored| stored.launch(kernel, profile)) {
        Some(Stored::None) => without_full(),
        Some(Stored::At(text)) => {
            let known = launches.iter().find(|launch| launch_text(**launch) == text);
            let row = known.and_then(|launch| full(*launch));
            row.or_else(rest).unwrap_or_else(without_full)
        }
        None => rest().unwrap_or_else(without_full),
    }
}

/// With which launch the stored table compares a kernel under a profile.
#[derive(Debug, PartialEq, Eq)]
enum Stored {
    At(String),
    /// The full search is cut at each.
    None,
}

/// Launches of the stored table, so that those at which a search was cut are not tried again each time; long runs and
/// the writing of the table try all.
struct StoredTable(String);

impl StoredTable {
    fn read() -> Option<StoredTable> {
        if effort::writes_tables() || effort::seed().is_some() {
            return None;
        }
        std::fs::read_to_string(TABLE).ok().map(StoredTable)
    }

    fn row(&self, kernel: &Kernel, profile: &Profile) -> Option<&str> {
        let mut paragraphs = self.0.split("\n\n");
        let rows = paragraphs.find_map(|p| p.strip_prefix(&kernel.name)?.strip_prefix('\n'))?;
        let start = format!("    {:14} ", profile.name);
        rows.lines().find(|row| row.starts_with(&start))
    }

    fn launch(&self, kernel: &Kernel, profile: &Profile) -> Option<Stored> {
        let row = self.row(kernel, profile)?.get(19..)?;
        if row.contains("too large") || row.contains(" cut ") {
            return Some(Stored::None);
        }
        // Behind the launch stands what the canonical run says, a word or a dash.
        let launch = row.get(..9)?.trim();
        Some(Stored::At(launch.to_owned()))
    }
}

impl Case<'_> {
    /// The symbolic engine, and what is made of it: no property is proved that the search refutes.
    fn nothing_is_proved_that_is_refuted(&self, searched: Option<Exploration>) {
        if !self.profile.admits_canonical_run() || !is_kernel(self.kernel, &self.point) {
            return;
        }
        let mut asked = request(self.profile.clone(), MOST_STATES);
        asked.limits.seconds = 5.0;
        let prepared = &self.kernel.prepared;
        let judged = mutation::alone(prepared, &self.point, self.launch, &asked).unwrap();
        let shown = searched.unwrap_or_else(|| search(&self.system(), true));
        for finding in &shown.findings {
            let claimed = judged
                .properties
                .iter()
                .find(|p| p.kind == finding.kind.property() && p.verdict >= Verdict::Passed);
            assert!(
                claimed.is_none() || !self.confirmed(finding),
                "{}: {:?} although {:?}",
                self.name(),
                claimed,
                finding.kind
            );
        }
    }
}

#[test]
fn engines_agree_on_the_corpus() {
    let kernels = corpus();
    let stored = StoredTable::read();
    let paragraphs: Vec<String> = kernels
        .par_iter()
        .enumerate()
        .map(|(number, kernel)| {
            let mut profiles: Vec<Profile> = PROFILES.map(|p| kernel.launched(p)).to_vec();
            for profile in kernel.profiles() {
                if !profiles.iter().any(|p| p.name == profile.name) {
                    profiles.push(profile);
                }
            }
            let kept = |profile: &Profile| stored.as_ref()?.row(kernel, profile);
            let rows: Vec<String> = (number..)
                .zip(&profiles)
                .map(|(number, profile)| match kept(profile) {
                    Some(row) if !effort::is_done(number, SHARE) => row.to_owned(),
                    _ => row(kernel, profile, stored.as_ref()),
                })
                .collect();
            format!("\n{}\n{}\n", kernel.name, rows.join("\n"))
        })
        .collect();
    let mut text = HEAD.to_owned();
    for paragraph in &paragraphs {
        let _ = write!(text, "{paragraph}");
    }
    let rows = || text.lines().filter(|line| line.starts_with("    "));
    let n_open = rows().filter(|row| row.contains("too large")).count();
    assert!(
        10 * n_open <= rows().count(),
        "{n_open} rows are not compared"
    );
    assert_table(TABLE, &text);
}
