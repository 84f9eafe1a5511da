//! Launches of a kernel: the one that was given, if a device takes it; else small ones to try.

use super::entry::EntryPoint;
use super::premises;
use crate::input::error::InputError;
use crate::input::request::LaunchSpec;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, ExprKind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::setup::device_limits::{DeviceLimits, static_shared_bytes};

/// The launch that was given; none was where neither grid nor block is.
///
/// # Errors
/// One that the device refuses.
pub(super) fn given(
    program: &Program,
    proc: ProcId,
    spec: &LaunchSpec,
    device: Option<&DeviceLimits>,
) -> Result<Option<Launch>, InputError> {
    if !spec.is_given() {
        return Ok(None);
    }
    let mut launch = Launch {
        grid: spec.grid.unwrap_or([1; 3]),
        block: spec
            .block
            .unwrap_or_else(|| in_required(program, proc, [1; 3])),
        shared_bytes: 0,
    };
    launch.shared_bytes = match spec.shared_bytes {
        Some(bytes) => bytes,
        None => usual_shared_bytes(program, proc, &launch),
    };
    validate_launch(program, proc, &launch, device)?;
    Ok(Some(launch))
}

/// The arrays of dynamic shared memory that the kernel, or what it calls, may use.
pub fn dynamic_shared(program: &Program, kernel: ProcId) -> Vec<&ArrayDecl> {
    let reachable = premises::features(program, kernel).reachable;
    let arrays = program.arrays.iter();
    let used = |a: &&ArrayDecl| a.owner.is_none_or(|owner| reachable.contains(&owner));
    arrays
        .filter(|a| a.space == Space::Shared && a.extent == Extent::LaunchShared)
        .filter(used)
        .collect()
}

/// An element for each thread: the usual dynamic shared memory.
fn usual_shared_bytes(program: &Program, kernel: ProcId, launch: &Launch) -> u32 {
    let arrays = dynamic_shared(program, kernel);
    let element = arrays.iter().map(|a| a.elem.size()).max().unwrap_or(0);
    u32::try_from(element.saturating_mul(launch.n_threads())).unwrap_or(MOST_USUAL_SHARED_BYTES)
}

/// Dynamic shared memory that a launch has where more than can be said would be usual: what every
/// device gives without being asked for more.
const MOST_USUAL_SHARED_BYTES: u32 = 48 << 10;

/// Dynamic shared memory that a launch of an entry can have at most: what is left of the most that the device
/// gives where a host asks for it. An index beyond that is outside whatever the size is.
fn most_shared_bytes(program: &Program, entry: &EntryPoint) -> u32 {
    let declared = static_shared_bytes(program, entry.proc);
    let of_device = match entry.device.shared_bytes {
        // No device has that much.
        u64::MAX => DeviceLimits::default().shared_bytes,
        bytes => bytes,
    };
    u32::try_from(of_device.saturating_sub(declared)).unwrap_or(u32::MAX)
}

/// The launch with twice the dynamic shared memory, while its size is a guess and devices give so much.
pub fn with_more_shared(program: &Program, entry: &EntryPoint, launch: &Launch) -> Option<Launch> {
    let most = most_shared_bytes(program, entry);
    let more = launch.shared_bytes.max(16).saturating_mul(2).min(most);
    (entry.shared_is_open && more > launch.shared_bytes).then_some(Launch {
        shared_bytes: more,
        ..*launch
    })
}

/// A launch the user gave must be one the device takes.
pub(crate) fn validate_launch(
    program: &Program,
    proc: ProcId,
    launch: &Launch,
    device: Option<&DeviceLimits>,
) -> Result<(), InputError> {
    let unlimited = DeviceLimits::NONE;
    device
        .unwrap_or(&unlimited)
        .accept(launch, program, proc)
        .map_err(|refusal| {
            InputError::launch(format!(
                "launch of `{}`: {refusal}",
                program.proc(proc).name
            ))
        })
}

/// The block with the extents that the kernel requires.
fn in_required(program: &Program, kernel: ProcId, mut block: [u32; 3]) -> [u32; 3] {
    for (axis, extent) in required(program, kernel) {
        block[axis] = extent;
    }
    block
}

/// Why nothing can be said of a launch: the kernel requires other blocks.
pub fn contradiction(program: &Program, kernel: ProcId, launch: &Launch) -> Option<String> {
    let of_launch = |&(axis, extent): &(usize, u32)| launch.block[axis] != extent;
    let (axis, extent) = required(program, kernel).into_iter().find(of_launch)?;
    Some(format!(
        "the kernel requires blocks of {extent} along {}, and this launch has blocks of {}",
        ["x", "y", "z"][axis],
        launch.block[axis]
    ))
}

/// Extents of the block, by axis, that the kernel's first assumptions require: OpenCL's `reqd_work_group_size`.
fn required(program: &Program, kernel: ProcId) -> Vec<(usize, u32)> {
    let mut found = Vec::new();
    let body = &program.proc(kernel).body;
    let ops = match &body.kind {
        OpKind::Seq(ops) => ops.as_slice(),
        _ => std::slice::from_ref(body),
    };
    for op in ops {
        let OpKind::Basic(Basic::Assume { cond }) = &op.kind else {
            break;
        };
        if let ExprKind::Binary(BinaryOp::Eq, left, right) = &cond.kind
            && let (ExprKind::Builtin(Builtin::BlockDim(axis)), ExprKind::Const(value)) =
                (&left.kind, &right.kind)
            && let Some(extent) = value.as_integer().and_then(|n| u32::try_from(n).ok())
        {
            found.push((*axis as usize, extent));
        }
    }
    found
}

/// Small launches to try when none was given: 1 to 3 blocks; one thread, two, around a warp,
/// powers of two, an even number that is none; square ones when the kernel asks about `y`. Dynamic
/// shared memory is what was given, or an element for each thread, the usual case.
pub fn launch_ladder(
    program: &Program,
    entry: &EntryPoint,
    device: Option<&DeviceLimits>,
) -> Vec<Launch> {
    let kernel = entry.proc;
    let y = Axis::Y as usize;
    let shapes: &[([u32; 3], [u32; 3])] = if entry.asked.block[y] || entry.asked.grid[y] {
        &[
            ([1, 1, 1], [1, 1, 1]),
            ([1, 1, 1], [2, 2, 1]),
            ([2, 1, 1], [1, 1, 1]),
            ([2, 2, 1], [4, 4, 1]),
            ([1, 1, 1], [6, 2, 1]),
            ([2, 1, 1], [8, 8, 1]),
            ([2, 2, 1], [16, 16, 1]),
            ([3, 2, 1], [32, 4, 1]),
        ]
    } else {
        &[
            ([1, 1, 1], [1, 1, 1]),
            ([1, 1, 1], [2, 1, 1]),
            ([2, 1, 1], [1, 1, 1]),
            ([2, 1, 1], [4, 1, 1]),
            ([1, 1, 1], [31, 1, 1]),
            ([2, 1, 1], [32, 1, 1]),
            ([1, 1, 1], [33, 1, 1]),
            ([1, 1, 1], [48, 1, 1]),
            ([3, 1, 1], [64, 1, 1]),
            ([2, 1, 1], [128, 1, 1]),
        ]
    };
    // An axis that is not asked about has extent 1; there are as many threads all the same.
    let along = |[a, b, c]: [u32; 3], asked: [bool; 3]| match asked[y] {
        true => [a, b, c],
        false => [a * b, 1, c],
    };
    let mut fitting: Vec<([u32; 3], [u32; 3])> = Vec::new();
    for &(grid, block) in shapes {
        let (grid, block) = (
            along(grid, entry.asked.grid),
            along(block, entry.asked.block),
        );
        let shape = (grid, in_required(program, kernel, block));
        if !fitting.contains(&shape) {
            fitting.push(shape);
        }
    }
    let launches = fitting.into_iter().map(|(grid, block)| {
        let mut launch = Launch {
            grid,
            block,
            shared_bytes: 0,
        };
        let usual = || usual_shared_bytes(program, kernel, &launch);
        launch.shared_bytes = entry.shared_bytes.unwrap_or_else(usual);
        launch
    });
    launches
        .filter(|l| validate_launch(program, kernel, l, device).is_ok())
        .collect()
}
