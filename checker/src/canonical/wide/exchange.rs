//! Operations that lanes of a warp do together, in a wide run: those of a mask must all be there.
//! `__syncwarp` orders nothing here: what depends on its order looks like a race, and is left to
//! the run that follows it.

use super::Odd;
use super::lanes::{LANES, Lanes, each};
use crate::compiled::instruction::{Reg, WarpSite};
use crate::compiled::raw;
use gridlock_semantics::algebra::operator::WarpFn;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::block::warp::exchange;

/// Most lanes of a warp.
const MOST_LANES: usize = 32;

/// The threads of a strip that stand at an operation of warps.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub set: u64,
    /// All of the strip that have not ended.
    pub alive: u64,
    pub warp_size: u32,
}

/// Lanes of one warp and one mask.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// Its place in the strip.
    first: usize,
    lanes: u64,
}

impl Standing {
    /// Calls `meet` for the lanes of each warp and mask; how many there were.
    fn each_mask(
        self,
        regs: &mut [Lanes],
        mask: Reg,
        mut meet: impl FnMut(&mut [Lanes], Met) -> Result<(), Odd>,
    ) -> Result<u64, Odd> {
        let size = self.warp_size as usize;
        let whole = u64::MAX >> (LANES - size);
        let mut count = 0;
        for first in (0..LANES).step_by(size) {
            let mut left = self.set >> first & whole;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                let own = regs[mask as usize][first + lane] as u32 as u64;
                let lanes = own & whole & self.alive >> first;
                let agree = |lane: usize| regs[mask as usize][first + lane] as u32 as u64 == own;
                if own >> lane & 1 == 0 || lanes & !left != 0 || !each(lanes).all(agree) {
                    return Err(Odd::Look);
                }
                meet(regs, Met { first, lanes })?;
                left &= !lanes;
                count += 1;
            }
        }
        Ok(count)
    }

    /// `__syncwarp`; its transitions.
    pub fn meet(self, regs: &mut [Lanes], mask: Reg) -> Result<u64, Odd> {
        self.each_mask(regs, mask, |_, _| Ok(()))
    }

    /// An exchange; its transitions.
    pub fn exchange(self, regs: &mut [Lanes], site: &WarpSite) -> Result<u64, Odd> {
        let size = self.warp_size;
        self.each_mask(regs, site.mask, |regs, met| match site.function {
            WarpFn::Shuffle(_) => shuffle(regs, site, met, size),
            _ => any_exchange(regs, site, met, size),
        })
    }
}

fn operand(regs: &[Lanes], site: &WarpSite, number: usize, lane: usize) -> Value {
    site.operand(number, |reg| regs[reg as usize][lane])
}

fn give(regs: &mut [Lanes], site: &WarpSite, lane: usize, result: Value) {
    if let Some((reg, flag)) = site.result {
        regs[reg as usize][lane] = raw::from_value(result);
        if let Some(flag) = flag {
            regs[flag as usize][lane] = (result != Value::Undef) as u64;
        }
    }
}

fn shuffle(regs: &mut [Lanes], site: &WarpSite, met: Met, size: u32) -> Result<(), Odd> {
    let (WarpFn::Shuffle(mode), 3) = (site.function, site.operands.len()) else {
        return Err(Odd::Look);
    };
    let mut values = [Value::Undef; MOST_LANES];
    for lane in each(met.lanes) {
        values[lane] = operand(regs, site, 0, met.first + lane);
    }
    for lane in each(met.lanes) {
        let place = met.first + lane;
        let own = [
            values[lane],
            operand(regs, site, 1, place),
            operand(regs, site, 2, place),
        ];
        exchange::check(site.function, size, &own).map_err(|_| Odd::Look)?;
        let result = match exchange::source(mode, lane as u32, size, &own) {
            None => own[0],
            Some(from) => values.get(from as usize).copied().unwrap_or(Value::Undef),
        };
        give(regs, site, place, result);
    }
    Ok(())
}

fn any_exchange(regs: &mut [Lanes], site: &WarpSite, met: Met, size: u32) -> Result<(), Odd> {
    let mut lanes: Vec<Option<Vec<Value>>> = vec![None; size as usize];
    for lane in each(met.lanes) {
        let brought = (0..site.operands.len()).map(|n| operand(regs, site, n, met.first + lane));
        lanes[lane] = Some(brought.collect());
    }
    let results = exchange::results(site.function, &lanes);
    for lane in each(met.lanes) {
        give(regs, site, met.first + lane, results[lane]);
    }
    Ok(())
}
