//! **M4.** Of the final contents of runs free of deadlock and of divergence under `cuda`'s exit
//! and divergence axes: those under `lockstep-warp` are among those under `cuda`, and so are those
//! under `paper` of programs without `__syncwarp`.

use super::schedules::{self, End};
use gridlock_generation::effort;
use gridlock_generation::random::enumerate::{Grammar, Leaf, Small};
use gridlock_generation::random::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::profile::Profile;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// A profile with `cuda`'s exit and divergence axes.
fn with_exits_of_cuda(name: &str) -> Profile {
    let mut profile = Profile::named(name).expect("a named profile");
    let axes = Profile::default().axes;
    profile.axes.exited_threads = axes.exited_threads;
    profile.axes.divergence = axes.divergence;
    profile
}

/// Final contents under a profile and under `cuda`; `None` where there are too many states.
fn finals(g: &Generated, profile: &Profile) -> Option<(BTreeSet<End>, BTreeSet<End>)> {
    let theirs = schedules::all(g, profile, 2_500)?;
    let ours = schedules::all(g, &Profile::default(), 2_500)?;
    let finals = |all: schedules::Schedules| all.finals().into_iter().cloned().collect();
    Some((finals(theirs), finals(ours)))
}

/// Number of kernels with fewer final contents than under `cuda`.
fn all_within(kernels: &[Small], launch: (u32, u32), name: &str) -> usize {
    let profile = with_exits_of_cuda(name);
    let fewer = kernels.par_iter().filter(|kernel| {
        let g = kernel.generated(launch.0, launch.1, 0);
        let (theirs, ours) = finals(&g, &profile).expect("few states");
        assert!(theirs.is_subset(&ours), "{kernel} under {name}");
        theirs.len() < ours.len()
    });
    fewer.count()
}

#[test]
fn other_profiles_add_no_contents() {
    let kernels = Grammar::full().up_to(2);
    assert_eq!(kernels.len(), 564);
    for (name, launch, n_fewer) in [
        ("lockstep-warp", (1, 2), 170),
        ("lockstep-warp", (2, 1), 0),
        ("paper", (1, 2), 45),
        ("paper", (2, 1), 34),
    ] {
        if !effort::is_next_done(3) {
            continue;
        }
        assert_eq!(all_within(&kernels, launch, name), n_fewer, "{name}");
    }
    let kernels = Grammar::core().of_size(3);
    assert_eq!(kernels.len(), 1_520);
    assert_eq!(all_within(&kernels, (1, 2), "lockstep-warp"), 222);
    assert_eq!(all_within(&kernels, (1, 2), "paper"), 0);
    let kernels = Grammar::full().with(Leaf::SyncWarp).up_to(2);
    assert_eq!(all_within(&kernels, (1, 2), "lockstep-warp"), 172);
}

/// `paper` knows no warps, so it neither waits at `__syncwarp` nor refuses a bad mask: the smallest
/// kernel with contents that `cuda` does not have.
#[test]
fn not_so_for_paper_with_syncwarp() {
    let profile = with_exits_of_cuda("paper");
    let kernels = Grammar::core().with(Leaf::SyncWarp).up_to(3);
    let more = kernels.iter().find(|kernel| {
        let g = kernel.generated(1, 2, 0);
        let (theirs, ours) = finals(&g, &profile).expect("few states");
        !theirs.is_subset(&ours)
    });
    assert_eq!(
        more.map(ToString::to_string).as_deref(),
        Some("g[0] = t + 1; __syncwarp(3); g[t] = t + 1;")
    );
}

fn has_sync_warp(g: &Generated) -> bool {
    let ops = g.program.operators();
    ops.iter()
        .any(|(_, op)| matches!(op.kind, OpKind::Basic(Basic::SyncWarp { .. })))
}

#[test]
fn random_larger_kernels() {
    let sizes = Sizes {
        threads: 2,
        blocks: 1,
        statements: 4,
        ..Sizes::default()
    };
    let counts = (0..effort::cases(100, 300)).into_par_iter().map(|seed| {
        let g = unrestricted(seed, &sizes);
        let mut counts = (0, 0);
        for name in ["lockstep-warp", "paper"] {
            if name == "paper" && has_sync_warp(&g) {
                continue;
            }
            if let Some((theirs, ours)) = finals(&g, &with_exits_of_cuda(name)) {
                assert!(theirs.is_subset(&ours), "seed {seed} under {name}");
                counts.0 += 1;
                counts.1 += usize::from(theirs.len() < ours.len());
            }
        }
        counts
    });
    let (n_compared, n_fewer) = counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    assert!(
        n_compared > 4 * effort::cases(100, 300) / 3,
        "{n_compared} compared"
    );
    assert!(n_fewer > 0, "{n_fewer} programs show the difference");
}
