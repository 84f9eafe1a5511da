//! Which registers a thread may still read: the others are no part of its state.
//!
//! Backwards over the code to a fixed point, as usual (Aho, Lam, Sethi, Ullman, *Compilers*, 9.2.5),
//! but that what only computes registers that are never read reads nothing itself: a counter that
//! is only ever counted up is *faint* (Giegerich, Möncke, Wilhelm, *Invariance of approximative
//! semantics with respect to program transformations*, 1981). A register is *kept* where it is live
//! and may differ from the image every thread of the launch starts with: because some instruction
//! writes it, or because it tells threads apart.

use super::Code;
use super::instruction::{Instr, Pc, Reg};
use fixedbitset::FixedBitSet;
use gridlock_semantics::algebra::expr::Builtin;

/// Registers kept at each instruction, ascending.
#[derive(Clone, Debug)]
pub struct Kept {
    at: Vec<Vec<Reg>>,
}

impl Kept {
    pub fn of(code: &Code) -> Kept {
        let varying = varying(code);
        let live = live_before(code, code.image.len());
        let at = live
            .into_iter()
            .map(|live| live.intersection(&varying).map(|reg| reg as Reg).collect())
            .collect();
        Kept { at }
    }

    /// The registers kept by a thread that stands at `pc`.
    pub fn at(&self, pc: Pc) -> &[Reg] {
        self.at.get(pc as usize).map_or(&[], Vec::as_slice)
    }
}

/// The registers kept by a thread that starts.
fn kept_at_start(code: &Code) -> Vec<Reg> {
    let live = live_before(code, code.image.len());
    let first = live.first().map(|live| {
        live.intersection(&varying(code))
            .map(|reg| reg as Reg)
            .collect()
    });
    first.unwrap_or_default()
}

/// The registers that may differ from what every thread starts with.
fn varying(code: &Code) -> FixedBitSet {
    let mut varying = FixedBitSet::with_capacity(code.image.len());
    for (builtin, reg) in &code.builtins {
        if matches!(builtin, Builtin::ThreadIdx(_) | Builtin::BlockIdx(_)) {
            varying.insert(*reg as usize);
        }
    }
    for instr in &code.instrs {
        code.written(instr, |reg| varying.insert(reg as usize));
    }
    varying
}

/// For each instruction, the registers that something done on some way from it depends on.
fn live_before(code: &Code, n_regs: usize) -> Vec<FixedBitSet> {
    let n = code.instrs.len();
    let mut live = vec![FixedBitSet::with_capacity(n_regs); n];
    loop {
        let mut changed = false;
        for pc in (0..n).rev() {
            let mut now = FixedBitSet::with_capacity(n_regs);
            successors(code, pc as Pc, |next| {
                if let Some(after) = live.get(next as usize) {
                    now.union_with(after);
                }
            });
            let instr = &code.instrs[pc];
            let mut matters = !only_computes(instr);
            code.written(instr, |reg| matters |= now.contains(reg as usize));
            code.written(instr, |reg| now.set(reg as usize, false));
            if matters {
                code.read(instr, |reg| now.insert(reg as usize));
            }
            if now != live[pc] {
                live[pc] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// Whether an instruction does nothing but write registers, whatever it reads.
fn only_computes(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Move { .. }
            | Instr::MovePointer { .. }
            | Instr::Op1 { .. }
            | Instr::Op2 { .. }
            | Instr::Offset { .. }
            | Instr::PointerToBool { .. }
            | Instr::Increment { .. }
    )
}

/// Calls `each` for every instruction that may come next after the one at `pc`.
pub fn successors(code: &Code, pc: Pc, mut each: impl FnMut(Pc)) {
    match code.instrs[pc as usize] {
        Instr::Jump { to } | Instr::Repeat { to } => each(to),
        Instr::JumpIfFalse { to, .. } => {
            each(to);
            each(pc + 1);
        }
        Instr::Branch { otherwise, .. } => {
            each(otherwise);
            each(pc + 1);
        }
        Instr::Exit { .. } | Instr::End => {}
        _ => each(pc + 1),
    }
}

impl Code {
    /// The registers that a thread may still read when it starts, and that something may have written since.
    pub fn kept_at_start(&self) -> &[Reg] {
        self.at_start.get_or_init(|| kept_at_start(self))
    }

    /// Calls `each` for every register an instruction reads.
    pub fn read(&self, instr: &Instr, mut each: impl FnMut(Reg)) {
        let mut pointer = |reg: Reg| {
            each(reg);
            each(reg + 1);
        };
        match *instr {
            Instr::MovePointer { src, .. } => pointer(src),
            Instr::PointerOp { a, b, .. } => {
                pointer(a);
                pointer(b);
            }
            Instr::Offset { ptr, elements, .. }
            | Instr::Load { ptr, elements, .. }
            | Instr::WriteBack { ptr, elements, .. }
            | Instr::StoreNothing { ptr, elements, .. } => {
                pointer(ptr);
                each(elements);
            }
            Instr::Store {
                src, ptr, elements, ..
            } => {
                pointer(ptr);
                each(elements);
                each(src);
            }
            Instr::Atomic { site } => {
                let site = &self.atomics[site as usize];
                pointer(site.ptr);
                each(site.elements);
                site.operands.iter().for_each(|reg| each(*reg));
            }
            Instr::Move { src, .. } => each(src),
            Instr::Op1 { a, .. } | Instr::PointerToBool { a, .. } => each(a),
            Instr::Op2 { a, b, .. } | Instr::Partial { a, b, .. } => {
                each(a);
                each(b);
            }
            Instr::Slow { site } => {
                let operands = &self.slow[site as usize].operands;
                operands.iter().for_each(|(reg, _)| each(*reg));
            }
            Instr::CheckDefined { flag, .. } => each(flag),
            Instr::JumpIfFalse { cond, .. }
            | Instr::Branch { cond, .. }
            | Instr::Assert { cond, .. }
            | Instr::Assume { cond } => each(cond),
            Instr::Increment { counter } => each(counter),
            Instr::Barrier { site } | Instr::GridBarrier { site } => {
                let counters = &self.barriers[site as usize].counters;
                counters.iter().for_each(|reg| each(*reg));
            }
            Instr::SyncWarp { mask } => each(mask),
            Instr::Warp { site } => {
                let site = &self.warps[site as usize];
                each(site.mask);
                site.is_value.into_iter().for_each(&mut each);
                site.operands.iter().for_each(|(reg, _)| each(*reg));
            }
            Instr::NamedBarrier { site } => {
                let site = &self.named[site as usize];
                each(site.id.0);
                site.threads.iter().for_each(|(reg, _)| each(*reg));
            }
            // Nothing; or not asked for (`automaton::thread::is_modelled`).
            _ => {}
        }
    }

    /// Calls `each` for every register an instruction writes.
    pub fn written(&self, instr: &Instr, mut each: impl FnMut(Reg)) {
        match *instr {
            Instr::MovePointer { dst, .. } | Instr::Offset { dst, .. } => {
                each(dst);
                each(dst + 1);
            }
            Instr::Move { dst, .. }
            | Instr::Op1 { dst, .. }
            | Instr::Op2 { dst, .. }
            | Instr::Partial { dst, .. }
            | Instr::PointerOp { dst, .. }
            | Instr::PointerToBool { dst, .. }
            | Instr::Load { dst, .. } => each(dst),
            Instr::Slow { site } => each(self.slow[site as usize].dst),
            Instr::Increment { counter } => each(counter),
            Instr::Atomic { site } => {
                if let Some(result) = self.atomics[site as usize].result {
                    each(result);
                }
            }
            Instr::ActiveMask { dst } => each(dst),
            Instr::Warp { site } => {
                if let Some((result, flag)) = self.warps[site as usize].result {
                    each(result);
                    flag.into_iter().for_each(each);
                }
            }
            // Leaving a barrier sets every iteration counter to zero.
            Instr::Barrier { .. } | Instr::GridBarrier { .. } => {
                self.counters.iter().for_each(|reg| each(*reg))
            }
            // Nothing; or not asked for (`automaton::thread::is_modelled`).
            _ => {}
        }
    }
}
