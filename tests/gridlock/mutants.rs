//! The checker is checked: mutants of correct kernels are refuted with a kind of defect that fits what
//! was done to them, or shown to do what the original does. `tests/mutants.txt` says which, and how.

use crate::labelled;
use crate::labelled::{Kernel, assert_table, corpus, request};
use gridlock::input::request::Request;
use gridlock::judge::equivalence::{self, Compared, EquivOptions};
use gridlock::judge::mutation::{self, Fate};
use gridlock::subject::EntryPoint;
use gridlock::subject::prepared::Prepared;
use gridlock::suite::expected::Expected;
use gridlock::words::plain_words;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::verdict::{PropertyResult, Reason, Verdict};
use gridlock_generation::effort;
use gridlock_generation::mutate::{Mutant, Mutation, mutants, sample};
use gridlock_semantics::profile::Firing;
use gridlock_semantics::setup::Launch;
use rayon::prelude::*;
use std::fmt::Write;
use std::sync::OnceLock;

/// States a search may keep.
const MOST_STATES: u64 = 20_000;
/// The same for the check of whether an original is right at a launch of ours.
const MOST_STATES_AT_OTHERS: u64 = 2_000;
/// Threads of a launch of ours.
const MOST_THREADS: u64 = 128;
/// The draw that is kept; a long run judges another.
const SEED: u64 = 4;

/// Of the mutations asked for: 200 in all at least, where one has fewer.
const EACH: usize = 43;
/// Of the others.
const EACH_OTHER: usize = 12;
/// A short run judges a mutant in so many.
const SHARE: usize = 25;

/// Kernels as programs have them. They are not mutated: what a mutant shows is shown by kernels that
/// have one idea each, at a fraction of the cost, and outcomes in every schedule are compared here.
const WHOLE_PROGRAMS: &str = "samples/";

const TABLE: &str = "tests/mutants.txt";

const HEAD: &str = "\
# Mutants of correct kernels of tests/corpus: what was done in which line, and what became of it.
# refuted: shown by replay on the reference (not-equivalent: the outputs differ, both sides replayed).
# equivalent: no engine finds a defect for any input it can take, and the outcomes are the original's
# in every schedule of the inputs tried at each launch named. weak-memory: the fence that is missing is named.
# Written by: INSTA_UPDATE=always cargo test --test gridlock mutants::
";

const fn how_many(mutation: Mutation) -> usize {
    match mutation {
        Mutation::BarrierDropped
        | Mutation::BarrierMoved
        | Mutation::IndexShifted
        | Mutation::GuardWeakened
        | Mutation::WriteMadeRacy => EACH,
        Mutation::OrderWeakened | Mutation::LanesChanged | Mutation::StepChanged => EACH_OTHER,
    }
}

/// A kernel that is right under its header's first profile.
struct Original {
    kernel: &'static Kernel,
    request: Request,
    point: EntryPoint,
    /// The launches at which it is right, looked for where one of its mutants is judged.
    launches: OnceLock<Vec<Launch>>,
    mutants: Vec<Mutant>,
}

/// A kernel under its header's first profile; `None` for those that are not right, and where any set
/// of threads fires.
fn original(kernel: &'static Kernel) -> Option<Original> {
    let profile = kernel.profiles().into_iter().next()?;
    let right = matches!(kernel.header.expected, Expected::AtLeast(_));
    if !right || profile.axes.firing == Firing::Set {
        return None;
    }
    Some(Original {
        kernel,
        point: kernel.point(&profile),
        request: request(profile, MOST_STATES),
        launches: OnceLock::new(),
        mutants: mutants(&kernel.prepared.surface),
    })
}

/// All that may be mutated.
fn originals() -> Vec<Original> {
    let kernels = corpus().par_iter();
    let own = kernels.filter(|kernel| !kernel.name.starts_with(WHOLE_PROGRAMS));
    own.filter_map(original).collect()
}

/// Of each mutation as many as the table has, drawn by `seed`; each with the number of its original.
fn draw(originals: &[Original], seed: u64) -> Vec<(usize, &Mutant)> {
    let all: Vec<&[Mutant]> = originals.iter().map(|o| &o.mutants[..]).collect();
    let of_each = |m: &Mutation| sample(&all, *m, how_many(*m), seed);
    let drawn: Vec<_> = Mutation::ALL.iter().flat_map(of_each).collect();
    let asked_for: usize = Mutation::ALL.iter().map(|m| how_many(*m)).sum();
    assert!(drawn.len() * 10 >= asked_for * 9, "{}", drawn.len());
    drawn
}

/// One block more, twice as wide, and of two warps.
fn other_launches(launch: Launch) -> Vec<Launch> {
    let with = |grid: u32, block: u32| {
        let mut other = launch;
        (other.grid[0], other.block[0]) = (grid, block);
        other
    };
    let [grid, block] = [launch.grid[0], launch.block[0]];
    let mut found: Vec<Launch> = Vec::new();
    for other in [with(grid + 1, block), with(grid, 2 * block), with(grid, 64)] {
        if n_threads(other) <= MOST_THREADS && other != launch && !found.contains(&other) {
            found.push(other);
        }
    }
    found
}

fn n_threads(launch: Launch) -> u64 {
    launch.n_blocks() * launch.n_threads()
}

impl Original {
    fn launches(&self) -> &[Launch] {
        let others = request(self.request.profile.clone(), MOST_STATES_AT_OTHERS);
        let is_right = |launch: &Launch| {
            let right = mutation::is_right_at(&self.kernel.prepared, &self.point, *launch, &others);
            right.unwrap()
        };
        self.launches.get_or_init(|| {
            let Some(launch) = self.point.launch else {
                return Vec::new();
            };
            let more = other_launches(launch).into_iter();
            let more: Vec<Launch> = more.filter(is_right).collect();
            // A large launch costs much and, where a smaller one is right, shows little more.
            let own = (n_threads(launch) <= MOST_THREADS || more.is_empty()).then_some(launch);
            own.into_iter().chain(more).collect()
        })
    }

    /// What became of a mutant. `twice`: a proof of what a run refutes is looked for, and would be a
    /// mistake of ours.
    fn judge(&self, mutant: &Mutant, twice: bool) -> Fate {
        let prepared = Prepared::new(mutant.program.clone());
        let new = (&prepared, &self.point);
        let old = (&self.kernel.prepared, &self.point);
        let fate = mutation::judge(old, new, self.launches(), &self.request).unwrap();
        if let Fate::Refuted { launch, .. } = fate
            && twice
        {
            let side = |prepared| {
                let mut point = self.point.clone();
                point.launch = launch.or(point.launch);
                Compared {
                    file: self.kernel.name.clone(),
                    prepared,
                    point,
                }
            };
            let mut request = self.request.clone();
            request.limits.seconds = SECONDS_TO_CONTRADICT;
            let (one, other) = (side(&self.kernel.prepared), side(&prepared));
            let proved = equivalence::is_proved(&one, &other, &request, &EquivOptions::default());
            assert!(
                !proved.unwrap_or(false),
                "{}:{}: {}: refuted, yet proved to do the same",
                self.kernel.name,
                mutant.span.line,
                mutant.description
            );
        }
        if let Fate::Refuted { kind, launch, .. } = fate
            && kind != DefectKind::NotEquivalent
            && twice
        {
            let mut request = self.request.clone();
            request.properties = Some(vec![kind.property()]);
            request.limits.seconds = SECONDS_TO_CONTRADICT;
            let alone = mutation::alone(&prepared, &self.point, launch, &request).unwrap();
            let spoken_of = |p: &&PropertyResult| {
                // A proof of bounds speaks of arrays of known extent; a run also meets elements below
                // the start of others.
                p.kind == kind.property() && !p.explanation.contains("of known extent")
            };
            for property in alone.properties.iter().filter(spoken_of) {
                assert!(
                    matches!(property.verdict, Verdict::Refuted | Verdict::Unknown),
                    "{}:{}: {}: {} was shown, yet {:?}",
                    self.kernel.name,
                    mutant.span.line,
                    mutant.description,
                    kind.name(),
                    property
                );
            }
        }
        fate
    }
}

/// For a proof or a run that contradicts a refutation, which is looked for at every third mutant.
const SECONDS_TO_CONTRADICT: f64 = 2.0;
const ONE_IN: usize = 3;

/// Whether it is what should become of such a mutant.
fn fits(mutation: Mutation, fate: &Fate) -> bool {
    match fate {
        Fate::Refuted { kind, .. } => mutation::plausible(mutation).contains(kind),
        Fate::Equivalent { .. } => true,
        Fate::Open { reason, .. } => {
            mutation == Mutation::OrderWeakened && *reason == Reason::WeakMemory
        }
    }
}

fn row(original: &Original, mutant: &Mutant, fate: &Fate) -> String {
    let (verdict, how) = match fate {
        Fate::Refuted { kind, engine, .. } => {
            let engine = engine.map_or("", plain_words::engine);
            ("refuted", format!("{} [{engine}]", kind.name()))
        }
        Fate::Equivalent { engine, .. } => {
            let engine = engine.map_or("", plain_words::engine);
            let launches = original.launches().iter();
            let texts: Vec<String> = launches
                .map(|launch| labelled::launch_text(Some(*launch)))
                .collect();
            let where_to = match texts.is_empty() {
                true => "at launches of its own".to_owned(),
                false => format!("at {}", texts.join(", ")),
            };
            ("equivalent", format!("{where_to} [{engine}]"))
        }
        Fate::Open { reason, why } => {
            let reason = plain_words::reason_name(*reason);
            ("unknown", format!("{reason}: {why}"))
        }
    };
    format!(
        "    {:3} {:15} {:10} {how}: {}",
        mutant.span.line,
        mutant.mutation.name(),
        verdict,
        mutant.description
    )
}

/// The number of its original, the mutant, and what became of it.
type Judged<'a> = (usize, &'a Mutant, Fate);

/// Judges those of a draw that `is_judged` takes by their numbers. None may come to what does not fit its mutation.
fn judged<'a>(
    originals: &'a [Original],
    drawn: Vec<(usize, &'a Mutant)>,
    is_judged: impl Fn(usize) -> bool + Sync,
) -> Vec<Judged<'a>> {
    let judged: Vec<Judged> = drawn
        .into_par_iter()
        .enumerate()
        .filter(|(n, _)| is_judged(*n))
        .map(|(n, (number, mutant))| {
            let fate = originals[number].judge(mutant, n % ONE_IN == 0);
            (number, mutant, fate)
        })
        .collect();
    let wrong: Vec<String> = judged
        .iter()
        .filter(|(_, mutant, fate)| !fits(mutant.mutation, fate))
        .map(|(n, mutant, fate)| {
            let original = &originals[*n];
            format!("{}\n{}", original.kernel.name, row(original, mutant, fate))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    judged
}

fn paragraph(original: &Original) -> String {
    let profile = &original.request.profile.name;
    format!("\n{} ({profile})\n", original.kernel.name)
}

fn table(originals: &[Original], judged: &[Judged]) -> String {
    let mut text = HEAD.to_owned();
    for mutation in Mutation::ALL {
        let of_it = judged.iter().filter(|(_, m, _)| m.mutation == *mutation);
        let count = |what: fn(&Fate) -> bool| of_it.clone().filter(|j| what(&j.2)).count();
        let _ = write!(
            text,
            "\n{:15} {:3} refuted, {:3} equivalent, {:3} unknown",
            mutation.name(),
            count(|fate| matches!(fate, Fate::Refuted { .. })),
            count(|fate| matches!(fate, Fate::Equivalent { .. })),
            count(|fate| matches!(fate, Fate::Open { .. })),
        );
    }
    text.push('\n');
    for (number, original) in originals.iter().enumerate() {
        let own = judged.iter().filter(|(of, ..)| *of == number);
        let rows: Vec<String> = own.map(|(_, m, fate)| row(original, m, fate)).collect();
        if !rows.is_empty() {
            let _ = writeln!(text, "{}{}", paragraph(original), rows.join("\n"));
        }
    }
    text
}

/// A short run judges every fifth mutant of the table and holds its row; a long one all, and another draw.
#[test]
fn mutants_are_refuted_with_the_right_kind_or_equivalent() {
    let originals = originals();
    let is_short = effort::seed().is_none() && !effort::writes_tables();
    let in_turn = |n: usize| effort::is_done(n, SHARE);
    let of_the_table = judged(&originals, draw(&originals, SEED), in_turn);
    if let Some(seed) = effort::seed() {
        judged(&originals, draw(&originals, seed), |_| true);
    }
    if !is_short {
        assert_table(TABLE, &table(&originals, &of_the_table));
        return;
    }
    let stored = std::fs::read_to_string(TABLE).unwrap();
    let changed: Vec<String> = of_the_table
        .iter()
        .filter_map(|(number, mutant, fate)| {
            let original = &originals[*number];
            let (head, row) = (paragraph(original), row(original, mutant, fate));
            let own = stored.split_once(&head).map_or("", |(_, rest)| rest);
            let own = own.split("\n\n").next().unwrap_or("");
            let is_kept = own.lines().any(|line| line == row);
            (!is_kept).then(|| format!("{head}{row}"))
        })
        .collect();
    assert!(
        changed.is_empty(),
        "{TABLE} has no such rows (if that is meant, write it anew: see its head):\n{}",
        changed.join("\n")
    );
}

/// Every mutation has mutants, every mutant differs from its original and says where and how.
#[test]
fn mutants_are_what_they_say() {
    let mut n_of = vec![0; Mutation::ALL.len()];
    for kernel in corpus() {
        let original = &kernel.prepared.surface;
        for mutant in mutants(original) {
            n_of[mutant.mutation as usize] += 1;
            assert_ne!(mutant.program, **original);
            assert!(!mutant.description.is_empty());
            assert!(
                !mutant.span.is_none(),
                "{}: {}",
                kernel.name,
                mutant.description
            );
        }
    }
    assert!(n_of.iter().all(|n| *n >= EACH_OTHER), "{n_of:?}");
}
