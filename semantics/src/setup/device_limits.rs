//! The launches that a device accepts (CUDA C++ Programming Guide, "Compute Capabilities").

use crate::algebra::declaration::{Extent, Space};
use crate::algebra::expr::ExprKind;
use crate::algebra::ids::{ArrayId, ProcId};
use crate::algebra::operator::OpKind;
use crate::algebra::program::Program;
use crate::setup::{Dim3, Launch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use thiserror::Error;

/// The limits of one device family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DeviceLimits {
    /// Blocks in each dimension.
    pub grid: Dim3,
    /// Threads in each dimension.
    pub block: Dim3,
    /// Threads in a block, all dimensions together.
    pub threads: u64,
    /// Bytes of shared memory a block may declare.
    pub static_shared_bytes: u64,
    /// Bytes of shared memory a block may use, declared and dynamic together (after opting in,
    /// where the device asks for that).
    pub shared_bytes: u64,
}

/// A launch the device refuses; the reason names the number and the limit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct InvalidLaunch {
    /// Names the number that is refused, and the limit.
    pub reason: String,
}

impl DeviceLimits {
    /// No limit but that there is a thread and that thread and block numbers fit 32 bits.
    pub const NONE: DeviceLimits = DeviceLimits {
        grid: [u32::MAX; 3],
        block: [u32::MAX; 3],
        threads: u32::MAX as u64,
        static_shared_bytes: u64::MAX,
        shared_bytes: u64::MAX,
    };

    /// The limits of a compute capability (`sm_70` …), or `none`.
    pub fn named(name: &str) -> Option<DeviceLimits> {
        let kib = match name {
            "none" => return Some(DeviceLimits::NONE),
            "sm_70" | "sm_72" => 96,
            "sm_75" => 64,
            "sm_80" | "sm_87" => 163,
            "sm_86" | "sm_89" | "sm_120" => 99,
            "sm_90" | "sm_100" => 227,
            _ => return None,
        };
        Some(DeviceLimits {
            grid: [i32::MAX as u32, 65535, 65535],
            block: [1024, 1024, 64],
            threads: 1024,
            static_shared_bytes: 48 << 10,
            shared_bytes: kib << 10,
        })
    }

    /// The same device, if it had blocks of any size.
    pub fn with_any_block(self) -> DeviceLimits {
        DeviceLimits {
            block: DeviceLimits::NONE.block,
            threads: DeviceLimits::NONE.threads,
            ..self
        }
    }

    /// The first name that means these limits.
    pub fn name(&self) -> Option<&'static str> {
        let names = ["sm_90", "sm_70", "sm_75", "sm_80", "sm_86", "none"];
        let means = |name: &&str| DeviceLimits::named(name) == Some(*self);
        names.into_iter().find(means)
    }

    /// Whether a launch of `kernel` succeeds: by the limits of the device, and by what the kernel says of its blocks.
    pub fn accept(
        &self,
        launch: &Launch,
        program: &Program,
        kernel: ProcId,
    ) -> Result<(), InvalidLaunch> {
        self.validate(launch, static_shared_bytes(program, kernel))?;
        let threads = product(launch.block);
        match program.proc(kernel).most_threads {
            Some(most) if threads > u128::from(most) => Err(InvalidLaunch {
                reason: format!(
                    "{threads} threads in a block, and the kernel takes at most {most} (`__launch_bounds__`)"
                ),
            }),
            _ => Ok(()),
        }
    }

    /// Whether the device accepts `launch` of a kernel that declares `static_shared_bytes` bytes
    /// of shared memory.
    pub fn validate(&self, launch: &Launch, static_shared_bytes: u64) -> Result<(), InvalidLaunch> {
        let refuse = |reason: String| Err(InvalidLaunch { reason });
        for (what, extents, limits) in [
            ("grid", launch.grid, self.grid),
            ("block", launch.block, self.block),
        ] {
            for ((axis, extent), limit) in ["x", "y", "z"].iter().zip(extents).zip(limits) {
                if extent == 0 {
                    return refuse(format!("the {what} has no extent in {axis} (0)"));
                }
                if extent > limit {
                    return refuse(format!(
                        "the {what} is {extent} in {axis}, the limit is {limit}"
                    ));
                }
            }
        }
        let (threads, blocks) = (product(launch.block), product(launch.grid));
        if threads > self.threads as u128 {
            let limit = self.threads;
            return refuse(format!(
                "{threads} threads in a block, the limit is {limit}"
            ));
        }
        if blocks > u32::MAX as u128 {
            return refuse(format!(
                "{blocks} blocks in the grid, more than can be numbered"
            ));
        }
        let total = static_shared_bytes as u128 + launch.shared_bytes as u128;
        if static_shared_bytes > self.static_shared_bytes {
            let limit = self.static_shared_bytes;
            return refuse(format!(
                "{static_shared_bytes} bytes of declared shared memory, the limit is {limit}"
            ));
        }
        if total > self.shared_bytes as u128 {
            let limit = self.shared_bytes;
            return refuse(format!(
                "{total} bytes of shared memory in a block, the limit is {limit}"
            ));
        }
        Ok(())
    }
}

impl Default for DeviceLimits {
    /// `sm_90`.
    fn default() -> DeviceLimits {
        DeviceLimits::named("sm_90").unwrap_or(DeviceLimits::NONE)
    }
}

/// Bytes of shared memory with a declared extent that a launch of `kernel` uses, in the kernel
/// itself and in the functions it calls.
pub fn static_shared_bytes(program: &Program, kernel: ProcId) -> u64 {
    let mut procs = vec![kernel];
    let mut arrays: BTreeSet<ArrayId> = BTreeSet::new();
    let mut next = 0;
    while let Some(&id) = procs.get(next) {
        next += 1;
        program.proc(id).body.walk(&mut |op| {
            if let OpKind::Call { proc, .. } = &op.kind
                && !procs.contains(proc)
            {
                procs.push(*proc);
            }
            for expr in op.expressions() {
                expr.walk(&mut |e| {
                    if let ExprKind::ArrayBase(array) = e.kind {
                        arrays.insert(array);
                    }
                });
            }
        });
    }
    let bytes = arrays.iter().map(|&id| {
        let decl = program.array(id);
        match (decl.space, decl.extent) {
            (Space::Shared, Extent::Fixed(extent)) => extent.saturating_mul(decl.elem.size()),
            _ => 0,
        }
    });
    bytes.fold(0, u64::saturating_add)
}

fn product(extents: Dim3) -> u128 {
    extents.iter().map(|&d| d as u128).product()
}
