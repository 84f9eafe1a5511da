//! Processes that a child has started, and those that these have started.

use rustix::process::{Pid, Signal, kill_process};
use std::collections::HashSet;

/// Kills a process and all its descendants. Each is stopped first, so that it starts no process while the others are
/// looked for. One whose parent has ended is no longer found.
pub(super) fn kill(root: Pid) {
    let mut known: HashSet<Pid> = HashSet::new();
    let mut new = vec![root];
    while !new.is_empty() {
        for &pid in &new {
            // A process that is gone need not be stopped.
            let _ = kill_process(pid, Signal::STOP);
        }
        known.extend(new);
        new = children_of(&known);
    }
    for pid in known {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Children of these that are not among them.
fn children_of(parents: &HashSet<Pid>) -> Vec<Pid> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pid = |text: &str| Pid::from_raw(text.parse().ok()?);
    let found = processes.filter_map(|entry| {
        let name = entry.ok()?.file_name();
        let child = pid(name.to_str()?)?;
        let stat =
            std::fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero())).ok()?;
        // The name, which stands in brackets, may hold anything; then come the state and the parent.
        let (_, rest) = stat.rsplit_once(") ")?;
        let parent = pid(rest.split(' ').nth(1)?)?;
        (parents.contains(&parent) && !parents.contains(&child)).then_some(child)
    });
    found.collect()
}
