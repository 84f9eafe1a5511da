//! A process, its group, and whatever it started, and whatever that started.

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getppid, kill_process, kill_process_group,
    set_child_subreaper, set_parent_process_death_signal, waitid,
};
use std::fs;
use std::time::Duration;

/// How often, and how fast, orphans are looked for.
const LOOKS_FOR_ORPHANS: u32 = 100;
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// A process that leads a group.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    leader: u32,
}

/// From now on processes whose parent ends become ours instead of being lost, so that they can be found.
pub fn adopt_orphans() {
    // Where the system has no such thing, orphans that left their group are not found.
    let _ = set_child_subreaper(Some(rustix::process::getpid()));
}

/// Ends this process when the one that started it, `parent`, ends, however that ends.
pub fn die_with_parent(parent: u32) {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    // It may have ended before we said so.
    if getppid() != pid(parent) {
        kill(std::process::id());
    }
}

impl Family {
    /// The family of a process that leads its group.
    pub fn of(leader: u32) -> Family {
        Family { leader }
    }

    /// The leader and all processes below it.
    pub(super) fn members(&self) -> Vec<u32> {
        let mut all = vec![self.leader];
        all.extend(below(self.leader));
        all
    }

    /// Blocks until the leader has ended, and leaves it to be waited for.
    pub(super) fn wait_for_end(&self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        if let Some(pid) = pid(self.leader) {
            while matches!(waitid(WaitId::Pid(pid), options), Err(Errno::INTR)) {}
        }
    }

    /// Ends all of it at once.
    pub fn kill(&self) {
        // Who is below is known only as long as parents live; the leader is stopped so that it starts no more.
        self.signal_leader(Signal::STOP);
        let members = self.members();
        self.kill_group();
        members.into_iter().for_each(kill);
    }

    pub(super) fn kill_group(&self) {
        self.signal(Signal::KILL);
    }

    /// Sends a signal to the whole group. That it is gone is no error.
    pub fn signal(&self, signal: Signal) {
        if let Some(pid) = pid(self.leader) {
            let _ = kill_process_group(pid, signal);
        }
    }

    /// Sends a signal to the leader alone. That it is gone is no error.
    pub fn signal_leader(&self, signal: Signal) {
        if let Some(pid) = pid(self.leader) {
            let _ = kill_process(pid, signal);
        }
    }
}

/// Ends one process. That it is gone is no error.
pub(super) fn kill(process: u32) {
    if let Some(pid) = pid(process) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Ends everything below this process; for one that adopts orphans, when its own children are done.
pub fn kill_what_is_left() {
    for _ in 0..LOOKS_FOR_ORPHANS {
        let left = below(std::process::id());
        if left.is_empty() {
            return;
        }
        left.iter().copied().for_each(kill);
        std::thread::sleep(BETWEEN_LOOKS);
        // Those that became our children are waited for; the others are not ours to wait for, yet.
        for pid in left.into_iter().filter_map(pid) {
            let _ = waitid(
                WaitId::Pid(pid),
                WaitIdOptions::EXITED | WaitIdOptions::NOHANG,
            );
        }
    }
}

fn pid(process: u32) -> Option<Pid> {
    Pid::from_raw(process.try_into().ok()?)
}

/// Everything below a process, parents first.
fn below(process: u32) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let mut next = vec![process];
    while let Some(parent) = next.pop() {
        for child in children(parent) {
            if !found.contains(&child) {
                found.push(child);
                next.push(child);
            }
        }
    }
    found
}

/// What its threads started.
fn children(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
        return found;
    };
    for thread in threads.flatten() {
        // A thread may have ended meanwhile.
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(
            text.split_whitespace()
                .filter_map(|n| n.parse::<u32>().ok()),
        );
    }
    found
}
