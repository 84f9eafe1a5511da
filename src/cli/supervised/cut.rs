//! Why a worker gave no report.

use gridlock::report::exit_status::ExitStatus;
use gridlock_checker::verdict::Reason;
use signal_hook::consts::{SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGSEGV, SIGTERM};
use std::fmt;
use std::os::unix::process::ExitStatusExt;

#[derive(Clone, Debug, PartialEq)]
pub enum Cut {
    Seconds {
        seconds: f64,
        /// For each kernel.
        each: bool,
    },
    /// It and what it started held more than this.
    Bytes(u64),
    /// The system refused it memory.
    MemoryRefused,
    /// We were asked to end.
    Signal(i32),
    /// Somebody ended the worker, or the system did, which is short of memory.
    Killed(i32),
    /// A mistake of ours: a panic, an abort, a stack that overflowed.
    Failed(String),
}

impl Cut {
    /// Of a worker that ended with neither of the statuses that commands end with.
    pub(super) fn of_end(status: std::process::ExitStatus) -> Cut {
        match (status.code(), status.signal()) {
            (Some(code), _) => Cut::Failed(format!("a panic (status {code})")),
            (_, Some(SIGABRT)) => Cut::Failed("it aborted".to_owned()),
            (_, Some(SIGSEGV | SIGBUS)) => {
                Cut::Failed("a bad access to memory, or a stack that overflowed".to_owned())
            }
            (_, Some(SIGILL | SIGFPE)) => Cut::Failed("a bad instruction".to_owned()),
            (_, Some(signal)) => Cut::Killed(signal),
            (None, None) => Cut::Failed("it ended in an unknown way".to_owned()),
        }
    }

    pub fn reason(&self) -> Reason {
        match self {
            Cut::Seconds { .. } | Cut::Bytes(_) | Cut::MemoryRefused => Reason::Limit,
            Cut::Signal(_) | Cut::Killed(_) | Cut::Failed(_) => Reason::Interrupted,
        }
    }

    /// The limit that was met.
    pub fn limit(&self) -> Option<String> {
        (self.reason() == Reason::Limit).then(|| self.to_string())
    }

    /// What went wrong in this program.
    pub fn failure(&self) -> Option<String> {
        match self {
            Cut::Failed(how) => Some(format!(
                "the process that judged failed: {how}; please report this, with the input"
            )),
            _ => None,
        }
    }

    /// The exit status, where no defect is known.
    pub fn status(&self) -> ExitStatus {
        match self {
            Cut::Failed(_) => ExitStatus::BadInput,
            _ => ExitStatus::NotReached,
        }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::Seconds { seconds, each } => {
                let whose = if *each { "a kernel" } else { "in all" };
                write!(f, "{seconds} s {whose}")
            }
            Cut::Bytes(bytes) => write!(f, "{} of memory in all", size(*bytes)),
            Cut::MemoryRefused => f.write_str("the system had no more memory to give"),
            Cut::Signal(SIGINT) => f.write_str("interrupted (SIGINT)"),
            Cut::Signal(SIGTERM) => f.write_str("interrupted (SIGTERM)"),
            Cut::Signal(SIGHUP) => f.write_str("interrupted (SIGHUP)"),
            Cut::Signal(signal) => write!(f, "interrupted (signal {signal})"),
            Cut::Killed(signal) => write!(
                f,
                "the process that judged was ended from outside (signal {signal}): by hand, or by a system \
                 short of memory"
            ),
            Cut::Failed(how) => write!(f, "the process that judged failed: {how}"),
        }
    }
}

/// A number of bytes: in the largest unit of which it is a whole number.
fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::ExitStatus as Ended;

    fn check(raw: i32, reason: Reason, status: u8, part: &str) {
        let cut = Cut::of_end(Ended::from_raw(raw));
        assert_eq!(cut.reason(), reason, "{cut}");
        assert_eq!(cut.status().code(), status, "{cut}");
        assert!(cut.to_string().contains(part), "{cut}");
    }

    #[test]
    fn how_workers_end() {
        // As `wait` tells: a status times 256, or a signal.
        check(101 << 8, Reason::Interrupted, 2, "a panic");
        check(6, Reason::Interrupted, 2, "aborted");
        check(11, Reason::Interrupted, 2, "overflowed");
        check(9, Reason::Interrupted, 3, "from outside");
        check(15, Reason::Interrupted, 3, "from outside");
    }

    #[test]
    fn limits_are_those_of_seconds_and_bytes() {
        let seconds = |each| Cut::Seconds { seconds: 2.5, each };
        assert_eq!(seconds(false).limit().as_deref(), Some("2.5 s in all"));
        assert_eq!(seconds(true).limit().as_deref(), Some("2.5 s a kernel"));
        for (bytes, said) in [(7, "7 bytes"), (3 << 20, "3 MiB"), (8 << 30, "8 GiB")] {
            let said = format!("{said} of memory in all");
            assert_eq!(Cut::Bytes(bytes).limit(), Some(said));
        }
        assert_eq!(Cut::Signal(SIGINT).limit(), None);
    }
}
