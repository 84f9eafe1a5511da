//! From properties to the verdict of the whole: the least verdict, the lowest assurance.

use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::Verdict;

/// Fills `verdict`, `reason` and `assurance` from `properties`. Nothing judged is `unknown`.
pub fn summarise(judgement: &mut Judgement) {
    let least = judgement
        .properties
        .iter()
        .min_by_key(|p| (p.verdict, p.assurance));
    judgement.verdict = least.map_or(Verdict::Unknown, |p| p.verdict);
    judgement.reason = match judgement.verdict {
        Verdict::Unknown => least
            .and_then(|p| p.reason)
            .or(Some(gridlock_checker::verdict::Reason::NotAttempted)),
        _ => None,
    };
    judgement.assurance = match judgement.verdict {
        Verdict::Proved | Verdict::Passed | Verdict::Conditional => judgement
            .properties
            .iter()
            .filter_map(|p| p.assurance)
            .min(),
        _ => None,
    };
}
