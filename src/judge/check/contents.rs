//! A kernel whose launch nobody gave, with a defect that hangs on what arrays hold which say where others are accessed:
//! whether it is right where they hold such places. That is assumed, and the kernel is judged again, with what else its
//! defects hang on then.

use super::conditional;
use super::conditions;
use super::established::established;
use super::grades;
use super::judged::{Judged, empty_judgement};
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::judge::preconditions::{self, OfArrays};
use crate::words::sentences::{all_of, note};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::{Condition, Established, Judgement, conjuncts};
use gridlock_checker::verdict::Engine;

/// How often more is asked of contents.
const ROUNDS: usize = 3;

/// What the kernel comes to under a condition on contents, if the defects of the table do not show there or a further
/// condition excludes them; whether there is one. Else all stays as it is.
pub(super) fn attempt(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    deadline: Deadline,
) -> Result<bool, InputError> {
    let Judged {
        prepared,
        point,
        request,
        device,
        subject,
        ..
    } = *entry;
    // A defect of what is not judged hides the rest.
    let is_own = |c: &&Condition| c.subject == subject && c.source.is_none();
    let in_the_way = judgement.conditions.iter().filter(is_own);
    let in_the_way: Vec<Defect> = in_the_way.map(|c| c.defect.clone()).collect();
    let is_hidden = !in_the_way.is_empty() && !table.open().is_empty();
    let is_open = request.conditional && point.launch.is_none();
    if !is_open || !table.has_refutation() && !is_hidden || grades::is_of_host(table, point) {
        return Ok(false);
    }
    let mut all = OfArrays::default();
    let mut shown: Vec<Defect> = table.defects().iter().chain(&in_the_way).cloned().collect();
    for _ in 0..ROUNDS {
        let (profile, limits) = (&request.profile, &request.limits);
        let with = preconditions::with_contents(prepared, point, &all, &shown, profile, limits);
        let Some(with) = with.filter(|_| deadline.left() > 0.0) else {
            return Ok(false);
        };
        tracing::debug!("under a condition on contents: {}", with.text);
        let mut quiet = request.told_to_nobody();
        quiet.limits.seconds = quiet.limits.seconds.min(deadline.left());
        let again = Judged {
            prepared: &with.prepared,
            request: &quiet,
            ..*entry
        };
        let mut found = empty_judgement(&quiet);
        let (mut under, _) = established(&mut found, &again, deadline, &[], || None)?;
        let is_excluded = |defect: &Defect| with.excludes(defect, profile, limits);
        // What was shown with such contents is there, too, whether or not it was found again.
        for defect in table.defects().iter().filter(|d| !is_excluded(d)) {
            under.refute_foreseen(defect.clone(), Engine::CanonicalRun);
        }
        let more = found.conditions.iter().map(|c| &c.defect);
        let more = under.defects().iter().chain(more).cloned().collect();
        if under.has_refutation() {
            let prepared = &with.prepared;
            let hanging = grades::hang_on(&mut under, prepared, point, &quiet, device, deadline);
            found.assumptions.extend(hanging.assumptions.clone());
            conditional::attempt(&mut under, &mut found, &again, hanging, deadline)?;
        }
        judgement.statistics += found.statistics;
        let is_still_hidden = || {
            let mut conditions = found.conditions.iter();
            conditions.any(|c| c.source.is_none()) && !under.open().is_empty()
        };
        let is_excused = in_the_way.iter().all(is_excluded);
        if under.has_refutation() || is_hidden && (is_still_hidden() || !is_excused) {
            (all, shown) = (with.all, more);
            continue;
        }
        for limit in found.limits_hit {
            note(&mut judgement.limits_hit, limit);
        }
        judgement.assumptions.extend(found.assumptions);
        judgement.remarks.extend(found.remarks);
        let of_launches = found.conditions;
        let whole = whole(&with.text, &of_launches);
        let mut excluded = table.under_condition(under.clone(), &with.text);
        for defect in &mut excluded {
            // What shows with such contents, too, needs all of it.
            let mut others = of_launches.iter();
            let needs_more = others.any(|c| c.source.is_some() && c.defect.kind == defect.kind);
            let grade = &mut defect.grade;
            grade.only_if_proved = !needs_more && under.is_proved_of(defect.kind.property());
            grade.only_if = Some(match needs_more {
                true => whole.clone(),
                false => with.text.clone(),
            });
            defect.subject = subject;
        }
        let still: Vec<_> = of_launches.iter().map(|c| place(&c.defect)).collect();
        for condition in judgement.conditions.iter_mut().filter(|c| is_own(&&**c)) {
            if is_excluded(&condition.defect) && !still.contains(&place(&condition.defect)) {
                condition.source = Some(with.text.clone());
                condition.status = Some(Established::Tried);
                condition.defect.grade.only_if = Some(with.text.clone());
            }
        }
        let known: Vec<_> = excluded.iter().chain(&in_the_way).map(place).collect();
        for defect in excluded {
            conditions::excluded(judgement, &prepared.surface, defect);
        }
        for mut condition in of_launches {
            if known.contains(&place(&condition.defect)) {
                continue;
            }
            // It is a run of the kernel with assumptions in it, which is in no file.
            condition.defect.witness = None;
            condition.requires = None;
            condition.defect.grade.requires = None;
            if condition.source.is_some() {
                condition.source = Some(whole.clone());
                condition.defect.grade.only_if = Some(whole.clone());
            }
            judgement.conditions.push(condition);
        }
        return Ok(true);
    }
    Ok(false)
}

/// A condition on contents, and what else excludes the defects that show where it holds.
fn whole(contents: &str, of_launches: &[Condition]) -> String {
    let mut parts = vec![contents.to_owned()];
    for source in of_launches.iter().filter_map(|c| c.source.as_ref()) {
        for part in conjuncts(source) {
            note(&mut parts, part.to_owned());
        }
    }
    all_of(&parts)
}

/// Where a defect is, and what it is.
fn place(defect: &Defect) -> (DefectKind, Option<(u32, u32)>) {
    let site = defect.accesses.iter().chain(&defect.threads).next();
    (defect.kind, site.map(|site| (site.line, site.column)))
}
