//! Another process watched from outside: what it takes is measured, and it can be stopped with all that it
//! started. A watch inside the process would not survive a failed allocation, a solver that does not return,
//! or a stack that overflows.

mod family;
mod memory;

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

pub use family::{Family, adopt_orphans, die_with_parent, kill_what_is_left};

/// What this program, clang and the solver need to begin with: limits on the memory of a process are not
/// smaller.
pub const LEAST_BYTES: u64 = 512 << 20;
/// Between two looks at what a process takes. One that ends is noticed at once.
const LOOK: Duration = Duration::from_millis(15);
/// Waiting for what was killed; it may be in the middle of a system call.
const AFTER_KILL: Duration = Duration::from_secs(2);

/// What a process has taken so far.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Since it was started.
    pub time: Duration,
    /// Bytes of memory of its own (no files) that it and all processes below it have now.
    pub bytes: u64,
}

/// How the watch ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<R> {
    /// By itself, or ended by another process.
    Ended(ExitStatus),
    /// We stopped it, for this reason.
    Stopped(R),
}

/// A process in a group of its own.
#[derive(Debug)]
pub struct Watched {
    /// The process; its pipes may be taken.
    pub child: Child,
    started: Instant,
}

impl Watched {
    /// # Errors
    /// The process cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Watched> {
        Ok(Watched {
            child: command.process_group(0).spawn()?,
            started: Instant::now(),
        })
    }

    /// The process with all it starts.
    pub fn family(&self) -> Family {
        Family::of(self.child.id())
    }

    /// Waits for the process's end. `look` is called again and again, and gives a reason to stop it. However it
    /// ends, nothing of what it started in its group is left.
    ///
    /// # Errors
    /// The process cannot be waited for.
    pub fn watch<R>(
        mut self,
        look: &mut dyn FnMut(Taken, &Family) -> Option<R>,
    ) -> io::Result<End<R>> {
        let family = self.family();
        let (sender, ended) = channel();
        let waiter = std::thread::spawn(move || {
            family.wait_for_end();
            // The receiver may be gone.
            let _ = sender.send(());
        });
        let mut stopped = None;
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            let taken = Taken {
                time: self.started.elapsed(),
                bytes: memory::bytes_of(&family),
            };
            if let Some(reason) = look(taken, &family) {
                family.kill();
                stopped = Some(reason);
                let _ = ended.recv_timeout(AFTER_KILL);
                break;
            }
        }
        // It is not waited for yet, so that no other process gets its number, which is the group's.
        family.kill_group();
        let status = match (self.child.try_wait()?, &stopped) {
            (Some(status), _) => Some(status),
            (None, Some(_)) => None,
            (None, None) => Some(self.child.wait()?),
        };
        if status.is_some() {
            let _ = waiter.join();
        }
        Ok(match (stopped, status) {
            (Some(reason), _) => End::Stopped(reason),
            (None, Some(status)) => End::Ended(status),
            (None, None) => unreachable!("waited for above"),
        })
    }
}
