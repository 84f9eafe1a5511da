//! What is left of host code once its last launch has ended: loops that compare results, most often. They can go on
//! far longer than the launches, and nothing that is asked of those hangs on them.

use crate::compiled::Code;
use crate::compiled::instruction::{HostSite, Instr, Pc};
use crate::compiled::liveness::successors;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::analysis::ending_loops::ending_loops;

/// Whether host code that stands at `pc` neither launches nor copies nor enqueues anything any more, and ends: its loops
/// are such as surely do.
pub fn is_only_host_code(program: &Program, code: &Code, pc: Pc) -> bool {
    let ending = ending_loops(program);
    let mut seen = vec![false; code.instrs.len()];
    let mut open = vec![pc];
    while let Some(pc) = open.pop() {
        let Some(seen) = seen.get_mut(pc as usize) else {
            continue;
        };
        if std::mem::replace(seen, true) {
            continue;
        }
        let goes_on = match &code.instrs[pc as usize] {
            Instr::Repeat { .. } => ending.contains(&code.ops[pc as usize]),
            Instr::Host { site } => is_of_host_alone(&code.host[*site as usize]),
            _ => true,
        };
        if !goes_on {
            return false;
        }
        successors(code, pc, |next| open.push(next));
    }
    true
}

fn is_of_host_alone(site: &HostSite) -> bool {
    match site {
        HostSite::Nothing
        | HostSite::Free { stream: None, .. }
        | HostSite::DeviceSync
        | HostSite::StreamSync(_)
        | HostSite::StreamDestroy(_)
        | HostSite::EventSync(_)
        | HostSite::EventDestroy(_) => true,
        HostSite::Alloc { space, .. } => space.is_on_host(),
        _ => false,
    }
}
