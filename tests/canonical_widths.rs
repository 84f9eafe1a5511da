//! Every kernel of the corpus, run canonically thread after thread, 64 threads an instruction, and as
//! the run itself chooses, on one processor and on several: one result, and wide wherever nothing is
//! out of the ordinary.

mod labelled;

use gridlock::request::Sampling;
use gridlock::subject;
use gridlock_checker::canonical::{self, CanonicalResult, CanonicalStatus, Width};
use gridlock_checker::limits::Limits;
use gridlock_semantics::device_limits::DeviceLimits;
use gridlock_semantics::profile::{Profile, Warps};
use gridlock_semantics::setup::{Launch, Setup};
use labelled::{Kernel, corpus, launch_text};
use rayon::ThreadPool;
use rayon::prelude::*;

/// Processors the wide run is given.
const PROCESSORS: [usize; 3] = [1, 2, 3];

/// Blocks that fill a strip of 64 threads in part, just, and not the second or third of theirs.
const BLOCKS: [u32; 4] = [1, 64, 100, 130];

/// Under which any corpus kernel that may be run canonically is run, beside those of its header.
const PROFILES: [&str; 2] = ["cuda", "portable"];

/// One kernel at one launch under one profile, all ways agreed.
struct Row {
    name: String,
    result: CanonicalResult,
    /// Launches a run by itself took wide.
    of_itself: u64,
    /// Nothing was found, and all schedules are decided.
    clean: bool,
    may_be_wide: bool,
}

fn pools() -> Vec<ThreadPool> {
    let pool = |n: &usize| rayon::ThreadPoolBuilder::new().num_threads(*n).build();
    PROCESSORS.iter().map(|n| pool(n).unwrap()).collect()
}

/// All that a result says but how it was come by.
fn shown(result: &CanonicalResult) -> String {
    let mut result = result.clone();
    result.statistics.seconds = 0.0;
    result.wide_launches = 0;
    format!("{result:#?}")
}

fn row(kernel: &Kernel, profile: &Profile, setup: &Setup, pools: &[ThreadPool]) -> Row {
    let name = format!(
        "{} under {} at {}",
        kernel.name,
        profile.name,
        launch_text(setup.launch)
    );
    let limits = Limits {
        seconds: 600.0,
        depth: 10_000,
        ..Limits::default()
    };
    let compiled = &kernel.prepared.compiled;
    let device = DeviceLimits::default();
    let run = |width| canonical::run_as(compiled, setup, profile, &limits, device, width);
    let narrow = run(Width::Narrow);
    assert_eq!(narrow.wide_launches, 0, "{name}");
    let expected = shown(&narrow);
    let mut wide = Vec::new();
    for pool in pools {
        let n = pool.current_num_threads();
        let result = pool.install(|| run(Width::Wide));
        assert_eq!(shown(&result), expected, "{name}, {n} processors");
        wide.push(result);
    }
    let mut counts = wide.iter().map(|result| result.wide_launches);
    let first = counts.next();
    assert!(counts.all(|count| Some(count) == first), "{name}");
    let auto = pools[1].install(|| run(Width::Auto));
    assert_eq!(shown(&auto), expected, "{name}, as it chooses");
    Row {
        name,
        of_itself: auto.wide_launches,
        clean: narrow.status == CanonicalStatus::Decides && narrow.findings.is_empty(),
        may_be_wide: !matches!(profile.axes.warps, Warps::Lockstep(_)),
        result: wide.swap_remove(0),
    }
}

/// The header's launch, and larger ones of three blocks; host programs make their own.
fn launches(own: Option<Launch>) -> Vec<Option<Launch>> {
    let Some(own) = own else {
        return vec![None];
    };
    let larger = BLOCKS.iter().map(|&n| Launch {
        grid: [3, 1, 1],
        block: [n, 1, 1],
        ..own
    });
    [own].into_iter().chain(larger).map(Some).collect()
}

fn rows(kernel: &Kernel, pools: &[ThreadPool]) -> Vec<Row> {
    let mut profiles = kernel.profiles();
    for name in PROFILES {
        if profiles.iter().all(|profile| profile.name != name) {
            profiles.push(kernel.launched(name));
        }
    }
    profiles.retain(Profile::admits_canonical_run);
    let mut rows = Vec::new();
    for profile in &profiles {
        let point = kernel.point(profile);
        for launch in launches(point.launch) {
            let program = &kernel.prepared.surface;
            let sampled = subject::sampled_setup(program, &point, launch, Sampling::default(), 0);
            rows.push(row(kernel, profile, &sampled.unwrap(), pools));
        }
    }
    rows
}

#[test]
fn one_result_however_wide() {
    let pools = pools();
    let started = std::time::Instant::now();
    let kernels = corpus();
    eprintln!("read {:?}", started.elapsed());
    let rows: Vec<Row> = kernels
        .par_iter()
        .flat_map_iter(|kernel| rows(kernel, &pools))
        .collect();
    eprintln!("ran {:?}", started.elapsed());
    let clean: Vec<&Row> = rows.iter().filter(|row| row.clean).collect();
    for row in &clean {
        if row.may_be_wide && row.result.wide_launches == 0 {
            eprintln!("narrow: {}", row.name);
        }
    }
    let n_wide = clean
        .iter()
        .filter(|row| row.result.wide_launches > 0)
        .count();
    let n_itself = clean.iter().filter(|row| row.of_itself > 0).count();
    eprintln!("{} {} {} {}", rows.len(), clean.len(), n_wide, n_itself);
}
