//! Launches a device accepts and refuses.

use crate::building::*;
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::setup::device_limits::{DeviceLimits, static_shared_bytes};
use gridlock_semantics::setup::{Dim3, Launch};

fn check(limits: &str, grid: Dim3, block: Dim3, shared: (u64, u32), expected: &str) {
    let launch = Launch {
        grid,
        block,
        shared_bytes: shared.1,
    };
    let limits = DeviceLimits::named(limits).expect("known limits");
    match limits.validate(&launch, shared.0) {
        Ok(()) => assert_eq!(expected, ""),
        Err(invalid) => assert_eq!(invalid.reason, expected),
    }
}

#[test]
fn each_limit() {
    let one = [1, 1, 1];
    let kib = 1024;
    check("sm_90", one, [1024, 1, 1], (0, 0), "");
    check(
        "sm_90",
        one,
        [1025, 1, 1],
        (0, 0),
        "the block is 1025 in x, the limit is 1024",
    );
    check(
        "sm_90",
        one,
        [1, 1, 65],
        (0, 0),
        "the block is 65 in z, the limit is 64",
    );
    let many = "2048 threads in a block, the limit is 1024";
    check("sm_90", one, [1024, 2, 1], (0, 0), many);
    check(
        "sm_90",
        one,
        [1, 0, 1],
        (0, 0),
        "the block has no extent in y (0)",
    );
    check(
        "sm_90",
        [0, 1, 1],
        one,
        (0, 0),
        "the grid has no extent in x (0)",
    );
    check("sm_90", [i32::MAX as u32, 1, 1], one, (0, 0), "");
    let wide = "the grid is 65536 in y, the limit is 65535";
    check("sm_90", [1, 65_536, 1], one, (0, 0), wide);
    let blocks = "4294967296 blocks in the grid, more than can be numbered";
    check("sm_90", [1 << 15, 1 << 15, 2], one, (0, 0), "");
    check("none", [1 << 16, 1 << 16, 1], one, (0, 0), blocks);
    check("sm_90", one, one, (48 * kib, 0), "");
    let declared = "49153 bytes of declared shared memory, the limit is 49152";
    check("sm_90", one, one, (48 * kib + 1, 0), declared);
    check("sm_90", one, one, (27 * kib, 200 * 1024), "");
    let total = "232449 bytes of shared memory in a block, the limit is 232448";
    check("sm_90", one, one, (27 * kib, 200 * 1024 + 1), total);
    let small = "65537 bytes of shared memory in a block, the limit is 65536";
    check("sm_75", one, one, (0, 64 * 1024 + 1), small);
    check("none", one, [4096, 1, 1], (0, 0), "");
    check(
        "none",
        one,
        [4096, 0, 1],
        (0, 0),
        "the block has no extent in y (0)",
    );
    let huge = "79228162458924105385300197375 threads in a block, the limit is 4294967295";
    check("none", one, [u32::MAX; 3], (0, 0), huge);
    assert_eq!(DeviceLimits::named("sm_9000"), None);
}

#[test]
fn counting_threads_saturates() {
    let launch = Launch {
        grid: [u32::MAX; 3],
        block: [u32::MAX; 3],
        shared_bytes: 0,
    };
    assert!(launch.n_threads() > u32::MAX as u64 && launch.n_blocks() > u32::MAX as u64);
}

#[test]
fn shared_memory_of_called_functions_counts() {
    let mut k = Build::kernel(1, 1);
    let f = k.procedure("f", ProcKind::Device);
    let own = k.declared("own", Space::Shared, 4, Some(0));
    let theirs = k.declared("theirs", Space::Shared, 8, Some(f.0));
    let unused = k.declared("unused", Space::Shared, 16, None);
    let dynamic = k.declared("dynamic", Space::Shared, 1, Some(0));
    k.program.arrays[3].extent = Extent::LaunchShared;
    k.body_of(f, store(&theirs, int(0), int(0)));
    let _ = unused;
    k.body(seq([
        store(&own, int(0), int(0)),
        store(&dynamic, int(0), int(0)),
        call(f, vec![], None),
    ]));
    assert_eq!(static_shared_bytes(&k.finished(), ProcId(0)), (4 + 8) * 4);
}

#[test]
fn dynamic_shared_memory_has_the_extent_of_the_launch() {
    use crate::exploring::{Outcome, explore};
    for (bytes, index, fits) in [(8, 1, true), (8, 2, false), (7, 1, false), (0, 0, false)] {
        let mut k = Build::kernel(1, 1);
        let dynamic = k.declared("dynamic", Space::Shared, 1, Some(0));
        k.program.arrays[0].extent = Extent::LaunchShared;
        k.setup.launch.as_mut().expect("a launch").shared_bytes = bytes;
        k.body(store(&dynamic, int(index), int(0)));
        let found = explore(&k.system("cuda"), 10);
        let is_final = matches!(found.outcomes.first(), Some(Outcome::Final(_)));
        assert_eq!(is_final, fits, "{bytes} {index}");
    }
}
