//! Exit statuses of the command line, computed in this one place.

use crate::input::error::{ErrorKind, InputError};
use crate::input::request::Requirement;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::Verdict;

/// What the process says when it ends. The numbers are part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// The required level is reached; everything came out as expected; the defect is reproduced;
    /// the sides agree; the search was complete.
    Reached = 0,
    /// Refuted, different, or not as expected.
    Refuted = 1,
    /// Bad input or usage.
    BadInput = 2,
    /// Neither refuted nor at the required level: undecided, cut by a limit, not normal.
    NotReached = 3,
}

impl ExitStatus {
    /// The number the process ends with.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Of a process of this program that ended with this code, 0 to 3.
    pub const fn of_code(code: i32) -> ExitStatus {
        match code {
            0 => ExitStatus::Reached,
            1 => ExitStatus::Refuted,
            3 => ExitStatus::NotReached,
            _ => ExitStatus::BadInput,
        }
    }

    /// Of a judgement (`check`, `equiv`, `prove`) under `--require`.
    pub fn of_judgement(judgement: &Judgement, requirement: Requirement) -> ExitStatus {
        match judgement.verdict {
            Verdict::Refuted => ExitStatus::Refuted,
            Verdict::Unknown => ExitStatus::NotReached,
            Verdict::Conditional if !requirement.accepts_conditions => ExitStatus::NotReached,
            Verdict::Conditional | Verdict::Passed | Verdict::Proved => match judgement.assurance {
                Some(assurance) if assurance >= requirement.assurance => ExitStatus::Reached,
                _ => ExitStatus::NotReached,
            },
        }
    }

    /// Of a state space explored: a defect found weighs more than a limit reached.
    pub const fn of_exploration(complete: bool, found_defect: bool) -> ExitStatus {
        match (found_defect, complete) {
            (true, _) => ExitStatus::Refuted,
            (false, true) => ExitStatus::Reached,
            (false, false) => ExitStatus::NotReached,
        }
    }

    /// Where a file that was asked for (a checkpoint, a witness, a page) cannot be written: what
    /// was found is reported all the same, but the user counts on the file. A defect found weighs
    /// more.
    pub const fn or_not_written(self, all_written: bool) -> ExitStatus {
        match (self, all_written) {
            (ExitStatus::Refuted, _) | (_, true) => self,
            (_, false) => ExitStatus::BadInput,
        }
    }

    /// Of what ended without a result: bad input, but for what a limit ended, of which nothing is known.
    pub const fn of_error(error: &InputError) -> ExitStatus {
        match error.kind {
            ErrorKind::Limit => ExitStatus::NotReached,
            _ => ExitStatus::BadInput,
        }
    }

    /// Of `verify` and `suite`.
    pub const fn of_expectations(all_met: bool) -> ExitStatus {
        if all_met {
            ExitStatus::Reached
        } else {
            ExitStatus::Refuted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_checker::verdict::Assurance;

    fn judgement(verdict: Verdict, assurance: Option<Assurance>) -> Judgement {
        Judgement {
            profile: Default::default(),
            subjects: vec![],
            verdict,
            reason: None,
            assurance,
            modulo: None,
            tolerance: None,
            largest_difference: None,
            properties: vec![],
            defects: vec![],
            assumptions: Default::default(),
            conditions: vec![],
            remarks: Default::default(),
            not_judged: Default::default(),
            limits_hit: vec![],
            statistics: Default::default(),
        }
    }

    fn check(verdict: Verdict, assurance: Option<Assurance>, require: Assurance, expected: u8) {
        let status =
            ExitStatus::of_judgement(&judgement(verdict, assurance), Requirement::of(require));
        assert_eq!(
            status.code(),
            expected,
            "{verdict:?} {assurance:?} {require:?}"
        );
    }

    #[test]
    fn a_file_not_written_is_2_but_for_a_defect() {
        use ExitStatus::*;
        for (status, expected) in [(Reached, 2), (NotReached, 2), (Refuted, 1), (BadInput, 2)] {
            assert_eq!(status.or_not_written(false).code(), expected, "{status:?}");
            assert_eq!(status.or_not_written(true), status);
        }
    }

    #[test]
    fn refuted_is_1_whatever_is_required() {
        check(Verdict::Refuted, None, Assurance::Tested, 1);
        check(
            Verdict::Refuted,
            Some(Assurance::AllInputs),
            Assurance::AllInputs,
            1,
        );
    }

    #[test]
    fn unknown_is_3_even_where_little_is_required() {
        check(Verdict::Unknown, None, Assurance::Tested, 3);
        check(
            Verdict::Unknown,
            Some(Assurance::AllInputs),
            Assurance::Tested,
            3,
        );
    }

    #[test]
    fn a_level_is_reached_by_itself_and_by_every_stronger_one() {
        use Assurance::*;
        let levels = [Tested, AllSchedules, AllInputs, AllInputsAllSizes];
        for (i, &given) in levels.iter().enumerate() {
            for (j, &required) in levels.iter().enumerate() {
                let verdict = if given >= AllInputs {
                    Verdict::Proved
                } else {
                    Verdict::Passed
                };
                check(verdict, Some(given), required, if i >= j { 0 } else { 3 });
            }
        }
    }

    #[test]
    fn passed_without_an_assurance_reaches_nothing() {
        check(Verdict::Passed, None, Assurance::Tested, 3);
    }

    #[test]
    fn codes_are_read_back() {
        for code in 0..=3 {
            assert_eq!(i32::from(ExitStatus::of_code(code).code()), code);
        }
    }

    #[test]
    fn exploration() {
        assert_eq!(ExitStatus::of_exploration(true, false).code(), 0);
        assert_eq!(ExitStatus::of_exploration(false, false).code(), 3);
        assert_eq!(ExitStatus::of_exploration(true, true).code(), 1);
        assert_eq!(ExitStatus::of_exploration(false, true).code(), 1);
    }

    #[test]
    fn expectations() {
        assert_eq!(ExitStatus::of_expectations(true).code(), 0);
        assert_eq!(ExitStatus::of_expectations(false).code(), 1);
    }
}
