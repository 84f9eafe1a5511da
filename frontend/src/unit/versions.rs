//! Which procedures are made: a function of host and device may be one of each, and what a header of ours declares and
//! nobody names is none.

use super::{Function, Side, Unit, is_axiom};
use crate::clang::header_folder::is_stand_in;
use std::collections::HashSet;

impl Unit<'_> {
    /// The functions reachable from those `start` accepts, themselves included, passing only
    /// through functions of side `Both`.
    fn reached(&self, start: impl Fn(Side) -> bool) -> HashSet<usize> {
        let all = 0..self.functions.len();
        let mut open: Vec<usize> = all.filter(|&i| start(self.functions[i].side)).collect();
        let mut reached: HashSet<usize> = open.iter().copied().collect();
        while let Some(index) = open.pop() {
            for &(callee, _) in &self.functions[index].mentions {
                if self.functions[callee].side == Side::Both && reached.insert(callee) {
                    open.push(callee);
                }
            }
        }
        reached
    }

    pub fn is_of_stand_in(&self, function: &Function<'_>) -> bool {
        let path = self.files.path(function.node);
        path.is_some_and(|path| is_stand_in(&path))
    }

    /// The procedures to make: index of a function, and whether it is the host's version.
    pub fn versions(&self) -> Vec<(usize, bool)> {
        let on_host = self.reached(|side| side == Side::Host);
        let on_device = self.reached(|side| matches!(side, Side::Device | Side::Kernel));
        let mut versions = Vec::new();
        let mentions = self.functions.iter().flat_map(|f| f.mentions.iter());
        let mentioned: HashSet<usize> = mentions.map(|&(index, _)| index).collect();
        for (index, function) in self.functions.iter().enumerate() {
            match function.side {
                // A function without callers becomes a procedure if it can; otherwise the reason is reported.
                _ if is_axiom(function) || function.is_ours => {}
                // A recursive function in a file of C may be the one to be judged.
                _ if function.is_in_place
                    && !(function.is_recursive && function.side == Side::Host)
                    && (function.record.is_some() || mentioned.contains(&index)) => {}
                Side::Host => versions.push((index, true)),
                Side::Device | Side::Kernel => versions.push((index, false)),
                Side::Both => {
                    let host = on_host.contains(&index);
                    // What a header declares and nobody names is no part of the program.
                    let is_kept = || !host && !self.is_of_stand_in(function);
                    if on_device.contains(&index) || is_kept() {
                        versions.push((index, false));
                    }
                    if host {
                        versions.push((index, true));
                    }
                }
            }
        }
        versions
    }
}
