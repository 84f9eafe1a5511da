//! What an atomic makes of a cell, from the registers of the thread that runs it.

use crate::compiled::arithmetic;
use crate::compiled::instruction::AtomicSite;
use crate::compiled::memory::Array;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::transition::fault::FaultKind;

fn operands<'r>(site: &AtomicSite, regs: &[u64], room: &'r mut [u64; 2]) -> &'r [u64] {
    for (slot, reg) in room.iter_mut().zip(&site.operands) {
        *slot = regs[*reg as usize];
    }
    &room[..site.operands.len().min(2)]
}

/// What a cell that holds `old` holds afterwards.
pub fn new_value(site: &AtomicSite, old: u64, regs: &[u64]) -> u64 {
    let mut room = [0; 2];
    arithmetic::atomic(
        site.function,
        site.elem,
        old,
        operands(site, regs, &mut room),
    )
}

/// Whether a compare-and-swap of a cell that holds `old` fails.
pub fn fails(site: &AtomicSite, old: u64, regs: &[u64]) -> bool {
    let compare = site.operands.first().map(|reg| regs[*reg as usize]);
    compare.is_some_and(|compare| arithmetic::fails(site.function, old, &[compare]))
}

/// Applies an atomic to a cell; its old value.
pub fn update(
    site: &AtomicSite,
    array: &Array,
    index: usize,
    regs: &[u64],
) -> Result<u64, FaultKind> {
    if array.read(index).is_none() {
        if site.function != AtomicFn::Exch || site.result.is_some() {
            return Err(FaultKind::UninitialisedRead {
                array: array.name.clone(),
                space: array.space,
                index: index as i64,
            });
        }
        array.write(index, new_value(site, 0, regs));
        return Ok(0);
    }
    Ok(array.update(index, |old| new_value(site, old, regs)))
}
