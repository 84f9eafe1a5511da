//! How much the solver may do, counted in its own steps, so that what is answered does not hang on
//! the machine or on what else it does.

use std::fmt;
use std::time::Duration;

/// Steps of the solver (Z3's resource units, `rlimit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// For one question to the solver.
    pub query: u64,
    /// For all questions of one proof.
    pub total: u64,
}

/// Steps that a processor of today gets done in about a second of a hard question.
const STEPS_A_SECOND: f64 = 2_500_000.0;
/// Part of a proof's budget that one question may use up.
const QUERY_SHARE: f64 = 0.2;
/// How many times as long the same steps may take where the machine is slow or has much else to do.
const ON_A_SLOW_MACHINE: f64 = 5.0;

impl Budget {
    /// For a proof that may take about so many seconds.
    pub fn of_seconds(seconds: f64) -> Budget {
        let total = (seconds.max(0.0) * STEPS_A_SECOND).min(1e15);
        Budget {
            query: (total * QUERY_SHARE) as u64,
            total: total as u64,
        }
    }

    /// How long a proof that may take about so many seconds is waited for, of the time in seconds that there is: what it
    /// comes to hangs on the steps that are counted, not on the machine.
    pub fn patience(seconds: f64, there_is: f64) -> Duration {
        let longest = (seconds * ON_A_SLOW_MACHINE).min(there_is);
        Duration::try_from_secs_f64(longest).unwrap_or_default()
    }

    /// For `times` questions, each of about so many seconds at most.
    pub fn each(seconds: f64, times: u32) -> Budget {
        let query = (seconds.max(0.0) * STEPS_A_SECOND).min(1e15) as u64;
        Budget {
            query,
            total: query.saturating_mul(u64::from(times)),
        }
    }
}

/// What ended a question without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The steps for one question.
    Query,
    /// The steps for the whole proof.
    Total,
    /// The time for the whole proof.
    Time,
    /// The solver's own doing.
    Solver,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cut::Query => {
                "the steps the solver may take for one question of a proof (a larger --limit-seconds gives it more)"
            }
            Cut::Total => {
                "the steps the solver may take for one proof (a larger --limit-seconds gives it more)"
            }
            Cut::Time => "the time for a proof (--limit-seconds)",
            Cut::Solver => "the solver answered neither yes nor no to a question of a proof",
        })
    }
}
