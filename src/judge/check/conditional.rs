//! A kernel whose launch nobody gave, with a defect at one that the tool chose: whether it is right under the conditions
//! that exclude what was found. They are assumed at its start, and it is judged again.

use super::conditions;
use super::established::established;
use super::grades::{self, Hanging};
use super::judged::{Judged, empty_judgement};
use super::meant::{
    is_about_arguments, is_about_launch, leave_out_full_blocks, says_which_launches,
};
use super::table::Table;
use super::{at_ordinary, unasked};
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::judge::preconditions::{
    self, AtOrdinary, Failing, Ordinary, OtherLaunches, Portable, Stronger,
};
use crate::subject::{self, EntryPoint, Instance};
use crate::words::sentences::{all_of, note};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::grade::Grade;
use gridlock_checker::report::{Judgement, conjuncts};
use gridlock_semantics::algebra::expr::Expr;

/// How often what is found under a condition is excluded by a further one.
const ROUNDS: usize = 3;
/// How often a condition of launches as one makes them is strengthened.
const MOST_STRENGTHENED: usize = 6;
/// Seconds for judging again, at most, as steps of the solver; the clock ends it where the machine is this many times
/// slower.
const SECONDS: f64 = 20.0;
const ON_A_SLOW_MACHINE: f64 = 3.0;
/// Share of them for the first of several conditions, and seconds for each of the others at least.
const SHARE: f64 = 0.6;
const LEAST_SECONDS: f64 = 3.0;
/// Conditions of other kernels that are tried, at most: the last.
const MOST_BEFORE: usize = 2;

/// What came of the search for conditions.
#[derive(Default)]
pub(super) struct Attempted {
    /// The condition, for other kernels, if it is one on launches.
    pub found: Option<Portable>,
    /// Where none was found, launches beside those with a defect, if they tell that it hangs on the choice of the launch.
    pub others: Option<OtherLaunches>,
}

/// Where the defects of the table hang on launches and arguments that nobody gave, what the kernel comes to under the
/// conditions that exclude them, if all that is refuted is right there; else under those of launches as one makes them,
/// where it may stay open. Else all stays as it is.
pub(super) fn attempt(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    hanging: Hanging,
    deadline: Deadline,
) -> Result<Attempted, InputError> {
    let Judged { point, request, .. } = *entry;
    let is_open = request.conditional && point.launch.is_none() && table.has_refutation();
    if !is_open || hanging.is_of_host {
        return Ok(Attempted::default());
    }
    let mut attempt = Attempt::new(table, judgement, entry, deadline);
    // What shows at every launch is excluded by nothing.
    let is_hopeless = hanging.is_partial && hanging.is_everywhere;
    let seconds = match hanging.is_partial {
        false => SECONDS,
        true => SHARE * SECONDS,
    };
    // What is not known to be right there stays refuted.
    let mut is_excluded = false;
    if !hanging.requires.is_empty()
        && !is_hopeless
        && let Some(right) = attempt
            .under(hanging.requires.clone(), ROUNDS, point, seconds)?
            .right()
    {
        if attempt.table.is_right_under(&right.table) {
            hanging.keep_assumed(attempt.table.defects_mut());
            attempt.take_over(right, None);
            return Ok(Attempted {
                found: hanging.portable,
                others: None,
            });
        }
        is_excluded = true;
    }
    let others = attempt.at_ordinary_launches()?;
    let Attempt {
        found,
        is_pointless,
        failing,
        ..
    } = attempt;
    if let Some(failing) = failing {
        at_ordinary::show(table, judgement, entry, &failing, deadline);
    }
    if is_excluded && table.has_refutation() {
        tracing::debug!("right or not under the condition: that is open");
        unasked::leave_excluded_open(table, judgement, &entry.prepared.surface, entry.subject);
    }
    let left = deadline.left();
    tracing::debug!(
        left,
        hanging.is_everywhere,
        ?others,
        "no condition was found"
    );
    let never_ends = table
        .defects()
        .iter()
        .any(|d| d.kind == DefectKind::Livelock);
    // What of them says that the defects hang on the choice of the launch.
    let others = match others {
        OtherLaunches::Wrong => None,
        // It may be luck.
        OtherLaunches::SomeRight if hanging.contents_matter => None,
        // What runs for ever is seen to do so nowhere.
        OtherLaunches::Open if never_ends => None,
        others => Some(others),
    };
    if left <= 0.0 && !(others.is_none() && hanging.is_everywhere) && table.has_refutation() {
        unasked::leave_open(table, judgement, &entry.prepared.surface, entry.subject);
    }
    Ok(Attempted {
        found,
        others: others.filter(|_| !is_pointless),
    })
}

/// The same under a condition that was found for another kernel, if all that is refuted is right there; whether it is.
pub(super) fn as_before(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    before: &[Portable],
    deadline: Deadline,
) -> Result<bool, InputError> {
    let Judged {
        prepared,
        point,
        request,
        device,
        ..
    } = *entry;
    let is_open = request.conditional && point.launch.is_none() && table.has_refutation();
    if !is_open || before.is_empty() || grades::is_of_host(table, point) {
        return Ok(false);
    }
    let mut attempt = Attempt::new(table, judgement, entry, deadline);
    for known in before.iter().rev().take(MOST_BEFORE) {
        let said = preconditions::as_before(prepared, point, request, device, known, deadline);
        let Some(said) = said else {
            continue;
        };
        if let Some(right) = attempt
            .under_ordinary(&said, SHARE * deadline.left())?
            .right()
            && attempt.table.is_right_under(&right.table)
        {
            attempt.take_over(right, Some(&said));
            return Ok(true);
        }
    }
    Ok(false)
}

struct Attempt<'a, 'e> {
    table: &'a mut Table,
    judgement: &'a mut Judgement,
    entry: &'a Judged<'e>,
    deadline: Deadline,
    /// Whether the source says which launches the kernel is meant for.
    of_launch: bool,
    /// Launches of host code with blocks that it says: what is asked of a launch admits them.
    of_host: Vec<Instance>,
    /// The condition that was found, for other kernels.
    found: Option<Portable>,
    /// Whether a condition was not taken because a test of the source would be pointless where it holds.
    is_pointless: bool,
    /// A launch as one makes them, with a defect, where all of these have some.
    failing: Option<Failing>,
}

/// What came of judging a kernel where a condition holds.
enum Under {
    Right(Box<Right>),
    /// These defects show there.
    Refuted(Vec<Defect>),
    /// The condition leaves out too much, or too little is known of it.
    Unfit,
}

impl Under {
    fn right(self) -> Option<Right> {
        match self {
            Under::Right(right) => Some(*right),
            Under::Refuted(_) | Under::Unfit => None,
        }
    }
}

/// What a kernel comes to where a condition holds.
struct Right {
    judgement: Judgement,
    table: Table,
    /// Defects that only showed there, and are excluded, too.
    behind: Vec<Defect>,
}

impl<'a, 'e> Attempt<'a, 'e> {
    fn new(
        table: &'a mut Table,
        judgement: &'a mut Judgement,
        entry: &'a Judged<'e>,
        deadline: Deadline,
    ) -> Attempt<'a, 'e> {
        let (program, point) = (&entry.prepared.surface, entry.point);
        Attempt {
            table,
            judgement,
            entry,
            deadline: Deadline::after(deadline.left().min(ON_A_SLOW_MACHINE * SECONDS)),
            of_launch: says_which_launches(program, point.proc),
            of_host: subject::with_own_blocks(program, point, entry.device),
            found: None,
            is_pointless: false,
            failing: None,
        }
    }

    /// Under conditions of launches as one makes them: the strongest first, and if the kernel is right there, the first of
    /// the weaker ones under which it is. What comes of such launches.
    fn at_ordinary_launches(&mut self) -> Result<OtherLaunches, InputError> {
        let Judged {
            prepared,
            point,
            request,
            device,
            ..
        } = *self.entry;
        let AtOrdinary {
            conditions: found,
            stronger,
            others,
            failing,
        } = preconditions::ordinary(prepared, point, request, device, self.deadline);
        self.failing = failing;
        let Some((strongest, weaker)) = found.split_last() else {
            return Ok(others);
        };
        let begun = self.deadline.left();
        let (mut right, said) = match self.under_ordinary(strongest, SHARE * begun.min(SECONDS))? {
            Under::Right(right) => (*right, strongest),
            Under::Refuted(defects) => {
                if let Some(stronger) = stronger
                    && let Some((right, said)) = self.strengthened(stronger, defects)?
                {
                    self.take_over(right, Some(&said));
                }
                return Ok(others);
            }
            Under::Unfit => return Ok(others),
        };
        if !self.table.is_right_under(&right.table) {
            // Nothing went wrong where it holds, but that is not all that could.
            self.take_over(right, Some(said));
            return Ok(others);
        }
        let took = begun - self.deadline.left();
        let mut said = said;
        for one in weaker {
            let better = self.under_ordinary(one, took.max(LEAST_SECONDS))?.right();
            // A condition that is proved is not given up for one that was tried.
            let is_as_good = |better: &Right| {
                self.table.is_right_under(&better.table)
                    && (better.table.is_proved() || !right.table.is_proved())
            };
            if let Some(better) = better.filter(is_as_good) {
                (right, said) = (better, one);
                break;
            }
        }
        self.take_over(right, Some(said));
        Ok(others)
    }

    /// What the kernel comes to under a condition that excludes the defects shown under a weaker one, and what shows under
    /// that, until nothing does.
    fn strengthened(
        &mut self,
        mut stronger: Stronger,
        mut defects: Vec<Defect>,
    ) -> Result<Option<(Right, Ordinary)>, InputError> {
        for _ in 0..MOST_STRENGTHENED {
            let witnesses = defects.iter().filter_map(|d| d.witness.as_ref());
            let Some(said) = stronger.excluding(witnesses.map(|w| &w.setup)) else {
                return Ok(None);
            };
            let seconds = SHARE * self.deadline.left().min(SECONDS);
            match self.under_ordinary(&said, seconds)? {
                Under::Right(right) => return Ok(Some((*right, said))),
                Under::Refuted(more) => defects = more,
                Under::Unfit => return Ok(None),
            }
        }
        Ok(None)
    }

    fn under_ordinary(&mut self, said: &Ordinary, seconds: f64) -> Result<Under, InputError> {
        tracing::debug!("at launches as one makes them: {}", said.text);
        let point = EntryPoint {
            tried: said.launches.clone(),
            ..self.entry.point.clone()
        };
        self.under(said.requires.clone(), 1, &point, seconds)
    }

    /// Whether something is asked of launches that leaves out some that the source speaks of. What is asked of arguments, too,
    /// leaves out what callers of host code may choose; but each launch there has to be met for some choice.
    fn excludes_what_is_meant(&self, requires: &[Expr]) -> bool {
        let (about, of_arguments): (Vec<&Expr>, Vec<&Expr>) = requires
            .iter()
            .partition(|required| is_about_launch(required));
        if about.is_empty() {
            return false;
        }
        let (mixed, alone): (Vec<&Expr>, Vec<&Expr>) = about
            .iter()
            .partition(|required| is_about_arguments(required));
        let chosen = [of_arguments, mixed].concat();
        let meets = |made: &Instance, asked: &[&Expr]| asked.iter().all(|asked| made.meets(asked));
        let left_out = |made: &Instance| meets(made, &chosen) && !meets(made, &alone);
        let Judged {
            prepared,
            point,
            device,
            ..
        } = *self.entry;
        let program = &prepared.surface;
        self.of_launch
            || leave_out_full_blocks(program, point, &alone)
            || self.of_host.iter().any(left_out)
            || !subject::each_can_meet(program, point, device, &chosen)
    }

    /// Judges the kernel where all of `requires` holds, and what else excludes the defects found there.
    fn under(
        &mut self,
        mut requires: Vec<Expr>,
        rounds: usize,
        point: &EntryPoint,
        seconds: f64,
    ) -> Result<Under, InputError> {
        let deadline = Deadline::after(self.deadline.left().min(ON_A_SLOW_MACHINE * seconds));
        let entry = self.entry;
        let Judged {
            prepared,
            request,
            device,
            ..
        } = *entry;
        if self.excludes_what_is_meant(&requires) {
            tracing::debug!("leaves out launches that are meant");
            return Ok(Under::Unfit);
        }
        let mut quiet = request.told_to_nobody();
        // Time is left for runs where a proof comes to its limit.
        quiet.limits.seconds = quiet.limits.seconds.min(deadline.left()).min(seconds);
        let mut behind: Vec<Defect> = Vec::new();
        for round in 1..=rounds {
            let kernel = point.proc;
            let assumed = preconditions::requiring(&prepared.surface, kernel, requires.clone());
            let Some(assumed) = assumed else {
                return Ok(Under::Unfit);
            };
            let again = Judged {
                prepared: &assumed,
                point,
                request: &quiet,
                ..*entry
            };
            let mut found = empty_judgement(&quiet);
            let (mut under, _) = established(&mut found, &again, deadline, &[], || None)?;
            self.judgement.statistics += found.statistics;
            if under.has_refutation() {
                if round == rounds {
                    tracing::debug!("refuted under the condition, too");
                    return Ok(Under::Refuted(under.take_defects()));
                }
                let more = grades::hang_on(&mut under, &assumed, point, &quiet, device, deadline);
                if more.requires.is_empty() || self.excludes_what_is_meant(&more.requires) {
                    return Ok(Under::Unfit);
                }
                let mut shown = under.take_defects();
                more.keep_assumed(&mut shown);
                requires.extend(more.requires);
                behind.extend(shown);
                continue;
            }
            let of = self.entry.point;
            let pointless = preconditions::made_pointless(prepared, &assumed, of, request, device);
            if let Some(test) = pointless {
                tracing::debug!("makes the test in line {} pointless", test.line);
                self.is_pointless = true;
                return Ok(Under::Unfit);
            }
            // It may not have been met again, and be there nevertheless.
            let (profile, limits) = (&request.profile, &request.limits);
            let is_excluded = |defect: &Defect| {
                let witness = defect.witness.as_ref();
                witness.is_some_and(|w| {
                    preconditions::is_excluded(&assumed, &w.setup, profile, limits)
                })
            };
            if !self.table.defects().iter().chain(&behind).all(is_excluded) {
                tracing::debug!("a defect shows where the condition holds");
                return Ok(Under::Unfit);
            }
            return Ok(Under::Right(Box::new(Right {
                judgement: found,
                table: under,
                behind,
            })));
        }
        Ok(Under::Unfit)
    }

    /// What was found under a condition, which is what `said` says, or else what the defects hang on.
    fn take_over(&mut self, right: Right, said: Option<&Ordinary>) {
        let Right {
            judgement: found,
            table: under,
            mut behind,
        } = right;
        let (judgement, subject) = (&mut *self.judgement, self.entry.subject);
        let program = &self.entry.prepared.surface;
        // Defects for arguments out of the ordinary, and what was cut.
        judgement.conditions.extend(found.conditions);
        for limit in found.limits_hit {
            note(&mut judgement.limits_hit, limit);
        }
        judgement.assumptions.extend(found.assumptions);
        judgement.remarks.extend(found.remarks);
        if let Some(said) = said {
            self.found = Some(said.portable.clone());
            let is_proved = under.is_proved();
            for defect in self.table.defects_mut() {
                let grade = &mut defect.grade;
                grade.only_if = Some(said.text.clone());
                grade.requires = Some(format!("__requires({});", said.code));
                grade.only_if_held_at = Some(said.held_at);
                grade.only_if_proved = is_proved;
            }
        }
        let mut texts: Vec<String> = Vec::new();
        for defect in self.table.defects().iter().chain(&behind) {
            let text = defect.grade.only_if.as_deref();
            for part in text.map(conjuncts).unwrap_or_default() {
                note(&mut texts, part.to_owned());
            }
        }
        let whole = Whole::of(self.table.defects().iter().chain(&behind), &texts, &under);
        let found = self.table.defects_mut().iter_mut();
        for defect in found.filter(|defect| defect.grade.only_if.is_none()) {
            whole.excludes(&mut defect.grade);
        }
        for defect in &mut behind {
            whole.excludes(&mut defect.grade);
        }
        let excluded = self.table.under_condition(under, &all_of(&texts));
        for mut defect in excluded {
            defect.subject = subject;
            conditions::excluded(judgement, program, defect);
        }
        for mut defect in behind {
            defect.subject = subject;
            conditions::excluded(judgement, program, defect);
            // It is a run of the kernel with a condition before it, which is in no file.
            if let Some(condition) = judgement.conditions.last_mut() {
                condition.defect.witness = None;
            }
        }
    }
}

/// All that is asked at the start of a kernel.
struct Whole {
    text: String,
    code: Option<String>,
    held_at: Option<u64>,
    is_proved: bool,
}

impl Whole {
    /// The conditions of these defects together, which are `texts`, where the kernel comes to `under`.
    fn of<'d>(defects: impl Iterator<Item = &'d Defect>, texts: &[String], under: &Table) -> Whole {
        let grades: Vec<&Grade> = defects.map(|defect| &defect.grade).collect();
        let mut codes: Vec<String> = Vec::new();
        let stated = grades.iter().filter(|grade| grade.only_if.is_some());
        let all_are_in_source = stated.clone().all(|grade| grade.requires.is_some());
        for code in stated.clone().filter_map(|grade| grade.requires.as_deref()) {
            let code = code.trim_start_matches("__requires(");
            note(&mut codes, code.trim_end_matches(");").to_owned());
        }
        Whole {
            text: all_of(texts),
            code: all_are_in_source.then(|| format!("__requires({});", all_in_source(&codes))),
            held_at: stated.filter_map(|grade| grade.only_if_held_at).min(),
            is_proved: under.is_proved(),
        }
    }

    /// For a defect that no condition was found to exclude by itself: where it showed first, or as it only showed where
    /// others held, which is all that its own was proved for.
    fn excludes(&self, grade: &mut Grade) {
        let has_own = grade.only_if.replace(self.text.clone()).is_some();
        grade.requires = self.code.clone();
        if !has_own {
            grade.only_if_held_at = self.held_at;
            grade.only_if_proved = self.is_proved;
        }
    }
}

fn all_in_source(codes: &[String]) -> String {
    let text = |code: &String| match code {
        code if codes.len() > 1 && code.contains("||") => format!("({code})"),
        code => code.clone(),
    };
    codes.iter().map(text).collect::<Vec<_>>().join(" && ")
}
