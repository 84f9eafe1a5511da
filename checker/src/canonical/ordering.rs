//! Happens-before inside a run: who moves now, and which recorded accesses are ordered before.

use super::shadow::Epoch;
use super::watch::Region;
use crate::compiled::instruction::Pc;

/// In place of a stamp: the thread has not ended.
pub const RUNS: u32 = u32::MAX;

/// Who runs now, and what is ordered before.
#[derive(Debug)]
pub struct Now {
    pub thread: u32,
    pub stamp: u32,
    /// By region: first stamp of the present interval, which began at the last barrier that orders
    /// accesses there.
    pub since: [u32; 2],
    /// First stamp of the running block.
    pub block_start: u32,
    /// First stamp of the running launch.
    pub launch_start: u32,
    /// Lanes in a warp (`LANES` only).
    pub warp_size: u32,
    /// What an access of the running lane is recorded with.
    pub clock: u32,
    /// By lane of the running warp: accesses up to this clock are ordered before now.
    pub view: Vec<u32>,
    /// By thread of the running block and region: first stamp of the interval it ended in;
    /// [`RUNS`] while it runs.
    pub ended: Vec<[u32; 2]>,
    /// By lane: clock of the last `__syncwarp` it took part in (lockstep only, for remarks).
    pub last_sync: Vec<u32>,
    /// Visible transitions the running thread has made in this turn.
    pub visible: u32,
    /// Number of the trace's segment this turn will be.
    pub segment: usize,
}

impl Now {
    pub fn same_warp(&self, thread: u32) -> bool {
        thread / self.warp_size == self.thread / self.warp_size
    }

    /// Whether a lane of the running warp did this before what the running lane does now.
    pub fn lane_ordered(&self, epoch: &Epoch) -> bool {
        self.same_warp(epoch.thread)
            && epoch.clock <= self.view[(epoch.thread % self.warp_size) as usize]
    }

    /// Whether an access belongs to the present interval: of the running block, with no barrier
    /// since that orders accesses to its memory.
    #[inline(always)]
    pub fn is_present(&self, region: Region, epoch: &Epoch) -> bool {
        epoch.stamp >= self.since[region as usize]
    }

    /// Whether the thread of an access of the running block ended in the access's interval.
    #[inline(always)]
    pub fn ended_in(&self, region: Region, epoch: &Epoch) -> bool {
        self.ended[epoch.thread as usize][region as usize] <= epoch.stamp
    }

    /// Whether a recorded access happened before the present one.
    #[inline(always)]
    pub fn ordered<const LANES: bool>(&self, region: Region, epoch: &Epoch) -> bool {
        if self.is_present(region, epoch) {
            return epoch.thread == self.thread || (LANES && self.lane_ordered(epoch));
        }
        if epoch.stamp >= self.block_start {
            return !self.ended_in(region, epoch) || (LANES && self.lane_ordered(epoch));
        }
        match region {
            Region::Shared => true,
            Region::Global => epoch.stamp < self.launch_start,
        }
    }

    /// Whether no barrier orders a recorded access before what other threads do: its thread ended
    /// in its interval, or it was made in an earlier block.
    pub fn stays_open(&self, region: Region, epoch: &Epoch) -> bool {
        match region {
            _ if epoch.stamp >= self.block_start => self.ended_in(region, epoch),
            Region::Shared => false,
            Region::Global => epoch.stamp >= self.launch_start,
        }
    }

    /// Whether it belongs to a block of this launch that ran before.
    pub fn is_of_earlier_block(&self, epoch: &Epoch) -> bool {
        (self.launch_start..self.block_start).contains(&epoch.stamp)
    }

    pub fn here(&self, pc: Pc) -> Epoch {
        Epoch {
            stamp: self.stamp,
            thread: self.thread,
            clock: self.clock,
            pc,
        }
    }
}
