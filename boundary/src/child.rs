//! Children with limits: seconds, bytes, and never longer than this process.

mod descendants;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Resource, Rlimit, Signal};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Bytes of what a child says on its standard error that are kept.
const MOST_SAID: usize = 16 << 20;

/// Read from a pipe at a time.
const PIECE: usize = 256 << 10;

/// Between two looks whether a child that says nothing has ended.
const LOOK: Duration = Duration::from_millis(50);

/// How much a child may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// By the clock, and of one processor.
    pub seconds: f64,
    /// Of its address space.
    pub bytes: u64,
    /// Whether it may write files; else only what is a pipe to us.
    pub may_write: bool,
}

/// How a child ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, or by a signal that was not ours.
    Ended {
        /// How: its exit code, or the number of the signal.
        status: ExitStatus,
        /// What stands on its standard error.
        said: Vec<u8>,
        /// Whether that is all of it, or only the first 16 MiB.
        said_all: bool,
    },
    /// Stopped, with every process it had started, because it took too long.
    OutOfTime,
    /// Stopped because the reader wanted no more.
    NotWanted {
        /// What stood on its standard error by then.
        said: Vec<u8>,
    },
}

/// Who is given what a child prints, a piece at a time, with all that stood on its standard error before that piece; it
/// may say that it wants no more.
pub type Reader<'r> = &'r mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// Runs a child to its end. What it prints goes to `reader`. The child gets no standard input.
///
/// # Errors
/// It cannot be started, or its pipes fail.
pub fn run(mut command: Command, limits: Limits, reader: Reader<'_>) -> io::Result<End> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    within(&mut command, limits);
    dies_with_us(&mut command);
    let mut child = Stopped(command.spawn()?);
    let (Some(printed), Some(said)) = (child.0.stdout.take(), child.0.stderr.take()) else {
        return Err(io::Error::other("no pipes"));
    };
    let mut printed = Pipe::new(printed.into());
    let mut errors = Pipe::new(said.into());
    let mut said = Vec::new();
    let mut said_all = true;
    let end = Instant::now() + Duration::from_secs_f64(limits.seconds.clamp(0.0, 1e9));
    let (mut piece, mut piece_said) = (vec![0; PIECE], vec![0; PIECE]);
    let ended = |status, said, said_all| End::Ended {
        status,
        said,
        said_all,
    };
    loop {
        let now = Instant::now();
        if now >= end {
            return Ok(End::OutOfTime);
        }
        // A process the child started may keep a pipe open for longer than it lives.
        let has_ended = child.0.try_wait()?;
        let pause = match has_ended {
            Some(_) => Duration::ZERO,
            None => LOOK.min(end - now),
        };
        let n_ready = wait(&[&printed, &errors], pause)?;
        if let (0, Some(status)) = (n_ready, has_ended) {
            return Ok(ended(status, said, said_all));
        }
        let n_printed = printed.read(&mut piece)?;
        // What was said before that was printed is in the pipe.
        while let Some(n) = errors.read(&mut piece_said)? {
            let room = MOST_SAID - said.len();
            said_all &= n <= room;
            said.extend_from_slice(&piece_said[..n.min(room)]);
            if Instant::now() >= end {
                return Ok(End::OutOfTime);
            }
        }
        if let Some(n) = n_printed
            && reader(&piece[..n], &said).is_break()
        {
            return Ok(End::NotWanted { said });
        }
        if printed.is_closed() && errors.is_closed() {
            // It may go on without its pipes, but not beyond its time.
            while Instant::now() < end {
                if let Some(status) = child.0.try_wait()? {
                    return Ok(ended(status, said, said_all));
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Sets the limits of a child that is started later.
#[expect(
    unsafe_code,
    reason = "between fork and exec; only system calls are made there, and nothing is allocated"
)]
fn within(command: &mut Command, limits: Limits) {
    let seconds = limits.seconds.clamp(0.0, 1e9).ceil() as u64 + 1;
    let all = [
        (Resource::Cpu, seconds),
        (Resource::As, limits.bytes),
        // A compiler that crashes leaves nothing behind.
        (Resource::Core, 0),
    ];
    // SAFETY: the closure is async-signal-safe: it only calls `prlimit`.
    unsafe {
        command.pre_exec(move || {
            for (resource, most) in all {
                lower(resource, most)?;
            }
            match limits.may_write {
                true => Ok(()),
                false => lower(Resource::Fsize, 0),
            }
        });
    }
}

/// Lowers a limit of this process; one that is lower already stays.
fn lower(resource: Resource, most: u64) -> io::Result<()> {
    let known = rustix::process::getrlimit(resource);
    let least = |known: Option<u64>| Some(known.map_or(most, |known| known.min(most)));
    let new = Rlimit {
        current: least(known.current),
        maximum: least(known.maximum),
    };
    Ok(rustix::process::setrlimit(resource, new)?)
}

/// A child started later is killed when the thread that starts it ends, however that comes about.
#[expect(
    unsafe_code,
    reason = "between fork and exec; only system calls are made there, and nothing is allocated"
)]
pub fn dies_with_us(command: &mut Command) {
    let us = rustix::process::getpid();
    // SAFETY: the closure is async-signal-safe: it only calls `prctl` and `getppid`.
    unsafe {
        command.pre_exec(move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            match rustix::process::getppid() == Some(us) {
                true => Ok(()),
                // We ended before the child could ask to be told.
                false => Err(io::Error::from(io::ErrorKind::Interrupted)),
            }
        });
    }
}

/// Kills a child and every process it has started, and waits for it.
pub fn stop(child: &mut Child) {
    if let (Ok(None), Some(pid)) = (child.try_wait(), Pid::from_raw(child.id() as i32)) {
        descendants::kill(pid);
    }
    // It may have ended just now: then there is nothing to kill, and no longer anything to wait for.
    let _ = child.kill();
    let _ = child.wait();
}

/// A child that does not outlive this value.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        stop(&mut self.0);
    }
}

/// One end of a pipe, until it is closed.
struct Pipe(Option<std::fs::File>);

impl Pipe {
    fn new(end: OwnedFd) -> Pipe {
        Pipe(Some(end.into()))
    }

    fn is_closed(&self) -> bool {
        self.0.is_none()
    }

    /// What has come, if something has; it does not wait.
    fn read(&mut self, piece: &mut [u8]) -> io::Result<Option<usize>> {
        let Some(file) = &mut self.0 else {
            return Ok(None);
        };
        let mut ready = [PollFd::new(&*file, PollFlags::IN)];
        if poll(&mut ready, Some(&Timespec::default())).unwrap_or(0) == 0 {
            return Ok(None);
        }
        match file.read(piece) {
            Ok(0) => {
                self.0 = None;
                Ok(None)
            }
            Ok(n) => Ok(Some(n)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Waits until something comes out of a pipe, or one is closed: how many have something to say.
fn wait(pipes: &[&Pipe], pause: Duration) -> io::Result<usize> {
    let files = pipes.iter().filter_map(|pipe| pipe.0.as_ref());
    let mut ready: Vec<PollFd<'_>> = files
        .map(|file| PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN))
        .collect();
    let timeout = Timespec {
        tv_sec: pause.as_secs() as i64,
        tv_nsec: i64::from(pause.subsec_nanos()),
    };
    match poll(&mut ready, Some(&timeout)) {
        Ok(n_ready) => Ok(n_ready),
        Err(rustix::io::Errno::INTR) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests;
