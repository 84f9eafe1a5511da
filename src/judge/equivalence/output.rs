//! What programs print: observable, and not modelled.

use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::{Reason, Verdict};

/// Why two programs of which one prints are not told to do the same; `leave_out` is how to ask about memory alone.
pub fn may_differ(leave_out: &str) -> String {
    format!("what is printed is not compared, and may differ ({leave_out} leaves it out)")
}

/// Withdraws what was established of memory alone: what is printed may still differ. A difference that was found stays.
pub(super) fn withdraw(judgement: &mut Judgement) {
    for property in &mut judgement.properties {
        if property.verdict > Verdict::Unknown {
            property.explanation =
                may_differ("--ignore-output") + "; of memory: " + &property.explanation;
            property.verdict = Verdict::Unknown;
            property.reason = Some(Reason::NotAttempted);
            property.assurance = None;
            property.engine = None;
        }
    }
    crate::judge::overall::summarise(judgement);
}
