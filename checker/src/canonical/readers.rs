//! Groups of accesses that do not conflict among themselves: which of them conflicts with the
//! present access, and how the present one joins them.

use super::ordering::Now;
use super::shadow::{Epoch, Lanes, NOBODY, Pools, Readers};
use super::watch::Region;
use crate::compiled::instruction::Pc;

/// The accesses of the lanes beside the first one's.
pub fn lanes_of<'a>(
    now: &Now,
    readers: &Readers,
    pools: &'a Pools,
) -> impl Iterator<Item = Epoch> + use<'a> {
    let lanes = &pools.lanes[readers.lanes as usize];
    let stamp = readers.first.stamp;
    let warp = readers.first.thread / now.warp_size * now.warp_size;
    let known = if lanes.stamp == stamp {
        lanes.by_lane.as_slice()
    } else {
        &[]
    };
    let by_lane = known
        .iter()
        .enumerate()
        .filter(|(_, (clock, _))| *clock != 0);
    by_lane.map(move |(lane, &(clock, pc))| Epoch {
        stamp,
        thread: warp + lane as u32,
        clock,
        pc,
    })
}

impl Now {
    #[inline(always)]
    pub fn conflicts<const LANES: bool>(&self, region: Region, epoch: &Epoch) -> bool {
        epoch.thread != NOBODY && !self.ordered::<LANES>(region, epoch)
    }

    /// One of the group that is unordered with the present access.
    #[inline(always)]
    pub fn conflict_among<const LANES: bool>(
        &self,
        region: Region,
        readers: &Readers,
        pools: &Pools,
    ) -> Option<Epoch> {
        let conflicts = |epoch: &Epoch| self.conflicts::<LANES>(region, epoch);
        if conflicts(&readers.first) {
            return Some(readers.first);
        }
        // NOBODY unless of the same stamp.
        if conflicts(&readers.second) {
            return Some(readers.second);
        }
        if conflicts(&readers.open) {
            return Some(readers.open);
        }
        if LANES {
            if readers.lanes != 0 {
                let found = lanes_of(self, readers, pools).find(conflicts);
                if found.is_some() {
                    return found;
                }
            }
            if readers.more_open != 0 {
                return pools.opens[readers.more_open as usize]
                    .iter()
                    .copied()
                    .find(conflicts);
            }
        }
        None
    }

    /// Whether an access that can matter still was made by another operator than the one at `pc`.
    #[inline(always)]
    pub fn differs(&self, region: Region, epoch: &Epoch, pc: Pc) -> bool {
        epoch.pc != pc && epoch.stamp >= self.horizon(region)
    }

    /// First stamp that can matter in a region.
    #[inline(always)]
    pub fn horizon(&self, region: Region) -> u32 {
        match region {
            Region::Shared => self.block_start,
            Region::Global => self.launch_start,
        }
    }

    /// Opens the epoch of `epoch` for the rest of the launch.
    #[cold]
    pub fn open<const LANES: bool>(
        &self,
        region: Region,
        readers: &mut Readers,
        pools: &mut Pools,
        epoch: Epoch,
    ) {
        let horizon = self.horizon(region);
        let valid = readers.open.thread != NOBODY && readers.open.stamp >= horizon;
        if !valid || epoch.stamp < self.block_start {
            readers.open = epoch;
            return;
        }
        // Whatever is open conflicts with all later accesses by threads that have not ended,
        // unless lanes are ordered; one of an earlier block always does.
        if !LANES || readers.open.stamp < self.block_start {
            return;
        }
        if readers.more_open == 0 {
            pools.opens.push(Vec::new());
            readers.more_open = (pools.opens.len() - 1) as u32;
        }
        let more = &mut pools.opens[readers.more_open as usize];
        // In the order of their blocks, so the last one is of this block if any is.
        if more.last().is_some_and(|e| e.stamp < self.block_start) {
            more.clear();
        }
        more.push(epoch);
    }

    /// Adds the present access to a group; says whether it was left out for want of room.
    #[inline(always)]
    pub fn join<const LANES: bool>(
        &self,
        region: Region,
        readers: &mut Readers,
        pools: &mut Pools,
        here: Epoch,
    ) -> bool {
        if !self.is_present(region, &readers.first) {
            if readers.first.stamp >= self.horizon(region) && readers.first.thread != NOBODY {
                self.retire::<LANES>(region, readers, pools);
            }
            readers.first = here;
            readers.second = Epoch {
                thread: NOBODY,
                ..here
            };
            return false;
        }
        if readers.first.thread == here.thread {
            if LANES {
                readers.first = here;
            }
            return false;
        }
        if LANES && self.same_warp(readers.first.thread) {
            self.join_lane(readers, pools, here);
            return false;
        }
        if readers.second.thread == NOBODY {
            readers.second = here;
            return false;
        }
        let is_same = readers.second.thread == here.thread;
        // What comes after the newest access of a lane comes after all of them.
        if LANES && is_same {
            readers.second = here;
        }
        !is_same
    }

    /// Another lane of the first one's warp joins.
    pub fn join_lane(&self, readers: &mut Readers, pools: &mut Pools, here: Epoch) {
        if readers.lanes == 0 {
            let by_lane = vec![(0, 0); self.warp_size as usize];
            pools.lanes.push(Lanes { stamp: 0, by_lane });
            readers.lanes = (pools.lanes.len() - 1) as u32;
        }
        let lanes = &mut pools.lanes[readers.lanes as usize];
        if lanes.stamp != here.stamp {
            lanes.stamp = here.stamp;
            lanes.by_lane.fill((0, 0));
        }
        lanes.by_lane[(here.thread % self.warp_size) as usize] = (here.clock, here.pc);
    }

    /// A newer stamp begins: of the old one, only epochs that stay open matter.
    #[inline(never)]
    pub fn retire<const LANES: bool>(
        &self,
        region: Region,
        readers: &mut Readers,
        pools: &mut Pools,
    ) {
        let old = readers.first;
        if old.stamp < self.block_start {
            self.open::<LANES>(region, readers, pools, old);
            return;
        }
        let ended = |e: &Epoch| e.thread != NOBODY && self.ended_in(region, e);
        let second = readers.second;
        if ended(&old) {
            self.open::<LANES>(region, readers, pools, old);
        }
        if ended(&second) {
            self.open::<LANES>(region, readers, pools, second);
        }
        if LANES && readers.lanes != 0 {
            let lanes: Vec<Epoch> = lanes_of(self, readers, pools).filter(ended).collect();
            for epoch in lanes {
                self.open::<LANES>(region, readers, pools, epoch);
            }
        }
    }
}
