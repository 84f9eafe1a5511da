//! The closed vocabularies (verdicts, assurances, reasons, engines) in plain words. The names are
//! those of the JSON contract.

use super::style::Ink;
use gridlock_checker::verdict::{Assurance, Engine, Reason, Verdict};

/// Name of a verdict and its colour.
pub const fn verdict(verdict: Verdict) -> (&'static str, Ink) {
    match verdict {
        Verdict::Refuted => ("refuted", Ink::Bad),
        Verdict::Unknown => ("unknown", Ink::Unsure),
        Verdict::Conditional => ("conditional", Ink::Unsure),
        Verdict::Passed => ("passed", Ink::Good),
        Verdict::Proved => ("proved", Ink::Good),
    }
}

/// What an assurance covers. All but `tested` cover every schedule.
pub const fn assurance(assurance: Assurance) -> &'static str {
    match assurance {
        Assurance::Tested => "some schedules of the inputs tried",
        Assurance::AllSchedules => "every schedule of the inputs tried",
        Assurance::AllInputs => "all inputs at this launch",
        Assurance::AllInputsAllSizes => "all inputs, all launches",
    }
}

/// The name of an assurance in JSON and on the command line.
pub const fn assurance_name(assurance: Assurance) -> &'static str {
    match assurance {
        Assurance::Tested => "tested",
        Assurance::AllSchedules => "all-schedules",
        Assurance::AllInputs => "all-inputs",
        Assurance::AllInputsAllSizes => "all-inputs-all-sizes",
    }
}

/// Why nothing is claimed.
pub const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Limit => "a limit was reached",
        Reason::Vacuous => "the assumptions cannot hold",
        Reason::WeakMemory => "it communicates in a way interleaving does not describe",
        Reason::Unsupported => "not supported",
        Reason::SourceDefective => "the original is itself defective",
        Reason::Inconclusive => "the engines could not decide",
        Reason::NotAttempted => "not judged",
        Reason::Interrupted => "it was interrupted",
    }
}

/// The name of a reason in JSON.
pub const fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Limit => "limit",
        Reason::Vacuous => "vacuous",
        Reason::WeakMemory => "weak-memory",
        Reason::Unsupported => "unsupported",
        Reason::SourceDefective => "source-defective",
        Reason::Inconclusive => "inconclusive",
        Reason::NotAttempted => "not-attempted",
        Reason::Interrupted => "interrupted",
    }
}

/// The name of an engine in text.
pub const fn engine(engine: Engine) -> &'static str {
    match engine {
        Engine::Explorer => "explorer",
        Engine::CanonicalRun => "canonical run",
        Engine::Symbolic => "proof",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words used in text are the names used in JSON.
    #[test]
    fn names_are_those_of_json() {
        for v in [
            Verdict::Refuted,
            Verdict::Unknown,
            Verdict::Conditional,
            Verdict::Passed,
            Verdict::Proved,
        ] {
            assert_eq!(serde_json::to_value(v).unwrap(), verdict(v).0);
        }
        for a in [
            Assurance::Tested,
            Assurance::AllSchedules,
            Assurance::AllInputs,
            Assurance::AllInputsAllSizes,
        ] {
            assert_eq!(serde_json::to_value(a).unwrap(), assurance_name(a));
        }
        for r in [
            Reason::Limit,
            Reason::Vacuous,
            Reason::WeakMemory,
            Reason::Unsupported,
            Reason::SourceDefective,
            Reason::Inconclusive,
            Reason::NotAttempted,
            Reason::Interrupted,
        ] {
            assert_eq!(serde_json::to_value(r).unwrap(), reason_name(r));
        }
    }
}
