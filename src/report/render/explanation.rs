//! How a defect came about, under its source lines: who did what with which values, in which
//! barrier interval, who waits for whom, and by which schedule.

use super::table::item;
use super::threads::extents;
use crate::report::schedule_text;
use crate::words::style::Style;
use gridlock_checker::finding::ScheduleStep;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::explanation::{
    ComparedSide, Explanation, Missing, Moment, Named, Parting, Round, Side, SourcePlace, Wait,
};
use gridlock_checker::report::witness::Witness;
use gridlock_semantics::transition::Actor;
use std::collections::BTreeSet;

/// Steps of a schedule that are written out.
const MOST_STEPS: usize = 12;

/// Groups that are named one by one.
const MOST_GROUPS: usize = 6;

/// The list under a defect; empty where nothing is known.
pub fn explanation(defect: &Defect, style: &Style) -> String {
    let mut lines = defect.explanation.as_ref().map_or(Vec::new(), lines);
    match (&defect.witness, &defect.original) {
        (Some(new), Some(old)) => {
            lines.extend(schedule(old).map(|text| format!("old program: {text}")));
            lines.extend(schedule(new).map(|text| format!("new program: {text}")));
        }
        (Some(witness), None) => lines.extend(schedule(witness)),
        (None, _) => {}
    }
    let sites = defect.accesses.iter().chain(&defect.threads);
    let files: BTreeSet<&str> = sites.map(|site| site.file.as_str()).collect();
    let only = files.first().filter(|_| files.len() == 1);
    let shown = lines.iter().map(|line| match only {
        Some(file) => item(&by_line(line, file), style),
        None => item(line, style),
    });
    shown.collect()
}

/// `k.cu:12` as `line 12`: the source lines above name the file.
fn by_line(text: &str, file: &str) -> String {
    let mut out = String::new();
    let name = format!("{file}:");
    let mut rest = text;
    while let Some(at) = rest.find(&name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        out.push_str(before);
        out.push_str(match after.starts_with(|c: char| c.is_ascii_digit()) {
            true => "line ",
            false => &name,
        });
        rest = after;
    }
    out + rest
}

/// The list as single lines, but for the schedule.
pub fn lines(told: &Explanation) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(compared(&told.compared));
    lines.extend(told.moments.iter().filter_map(moment));
    lines.extend(intervals(&told.moments));
    lines.extend(told.waits.iter().take(MOST_GROUPS).map(wait));
    if told.waits.len() > MOST_GROUPS {
        let more = told.waits.len() - MOST_GROUPS;
        lines.push(format!("{more} more groups wait"));
    }
    lines.extend(told.parting.as_ref().map(parting));
    lines.extend(told.notes.iter().cloned());
    lines
}

/// For each of two programs what it left and what wrote that, then what they began with.
fn compared(sides: &[ComparedSide]) -> Vec<String> {
    let mut lines = Vec::new();
    for side in sides {
        let whose = side.side.name();
        for cell in &side.cells {
            lines.push(match (&cell.value, cell.wrote.first()) {
                (None, _) => format!("{whose} program: there is no `{}`", cell.cell),
                (Some(value), None) => format!(
                    "{whose} program: `{}` = {value} at the end; nothing has written it",
                    cell.cell
                ),
                (Some(value), Some(last)) => format!(
                    "{whose} program: `{}` = {value} at the end, written last at {}:{}: {}",
                    cell.cell,
                    last.site.file,
                    last.site.line,
                    moment(last).unwrap_or_else(|| last.who.clone())
                ),
            });
            for before in cell.wrote.iter().skip(1) {
                lines.push(format!(
                    "{whose} program: what was copied was written at {}:{}: {}",
                    before.site.file,
                    before.site.line,
                    moment(before).unwrap_or_else(|| before.who.clone())
                ));
            }
        }
    }
    let of = |side: &ComparedSide| {
        let mut parts = Vec::new();
        if let Some(launch) = &side.launch {
            let [grid, block] = [launch.grid, launch.block].map(extents);
            parts.push(format!("grid {grid}, block {block}"));
        }
        if !side.inputs.is_empty() {
            parts.push(values(&side.inputs));
        }
        parts.join("; ")
    };
    match sides {
        [old, new] if of(old) == of(new) => lines.push(format!("both programs: {}", of(old))),
        sides => {
            let each = sides.iter().filter(|side| !of(side).is_empty());
            lines.extend(each.map(|side| format!("{} program: {}", side.side.name(), of(side))));
        }
    }
    lines
}

/// `thread (3,0,0) reads `s[4]` = 7 as `s[t + d]`, with t = 3, d = 1; in round 2 of the loop at
/// line 10`.
fn moment(moment: &Moment) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(cell) = &moment.cell
        && !moment.does.contains(&format!("`{cell}`"))
    {
        parts.push(match moment.does.is_empty() {
            true => format!("at `{cell}`"),
            false => format!("as `{cell}`"),
        });
    }
    if !moment.values.is_empty() {
        parts.push(format!("with {}", values(&moment.values)));
    }
    if !moment.rounds.is_empty() {
        parts.push(format!("in {}", rounds(&moment.rounds, &moment.site.file)));
    }
    if !moment.calls.is_empty() {
        let calls: Vec<String> = moment.calls.iter().map(place).collect();
        parts.push(format!("called at {}", calls.join(", then ")));
    }
    if parts.is_empty() && moment.does.is_empty() {
        return None;
    }
    let who = match moment.does.as_str() {
        "" => moment.who.clone(),
        does => format!("{} {does}", moment.who),
    };
    Some(match parts.is_empty() {
        true => who,
        false => format!("{who} {}", parts.join(", ")),
    })
}

/// `a = 1, b = 2`.
pub fn values(values: &[Named]) -> String {
    let texts = values.iter().map(|v| format!("{} = {}", v.name, v.value));
    texts.collect::<Vec<_>>().join(", ")
}

fn place(at: &SourcePlace) -> String {
    format!("{}:{}", at.file, at.line)
}

/// `round 2 of the loop at line 10, round 1 of the one at line 11`.
fn rounds(rounds: &[Round], file: &str) -> String {
    let texts = rounds.iter().enumerate().map(|(at, round)| {
        let noun = if at == 0 { "the loop" } else { "the one" };
        let at = match round.of.file == file {
            true => format!("line {}", round.of.line),
            false => place(&round.of),
        };
        format!("round {} of {noun} at {at}", round.number)
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The barrier interval of both sides, or of each.
fn intervals(moments: &[Moment]) -> Vec<String> {
    let told: Vec<(&Moment, &str)> = moments
        .iter()
        .filter_map(|moment| Some((moment, moment.interval.as_ref()?.text.as_str())))
        .collect();
    match told.as_slice() {
        [] => Vec::new(),
        [(_, first), rest @ ..] if rest.iter().all(|(_, text)| text == first) => {
            let whose = if rest.is_empty() { "" } else { ", of both" };
            vec![format!("barrier interval{whose}: {first}")]
        }
        each => each
            .iter()
            .map(|(moment, text)| format!("barrier interval of {}: {text}", moment.who))
            .collect(),
    }
}

/// `threads (0,0,0) to (7,0,0) wait at k.cu:13 (`__syncthreads()`) for all threads of the block at
/// this barrier: threads (8,0,0) to (15,0,0) have reached the end`.
fn wait(wait: &Wait) -> String {
    let verb = if wait.number == 1 { "waits" } else { "wait" };
    let mut text = format!("{} {verb}", wait.who);
    if wait.site.line > 0 {
        text.push_str(&format!(" at {}:{}", wait.site.file, wait.site.line));
    }
    if !wait.at.is_empty() {
        text.push_str(&format!(" (`{}`)", code(&wait.at)));
    }
    if !wait.calls.is_empty() {
        let calls: Vec<String> = wait.calls.iter().map(place).collect();
        text.push_str(&format!(", called at {},", calls.join(", then ")));
    }
    text.push_str(&format!(" for {}", wait.needs));
    match wait.for_whom.is_empty() {
        true => text,
        false => format!("{text}: {}", missing(&wait.for_whom)),
    }
}

/// A line of the source without its comment.
fn code(line: &str) -> &str {
    let code = line.split("//").next().unwrap_or(line).trim();
    code.trim_end_matches(['{', ';']).trim_end()
}

fn missing(missing: &[Missing]) -> String {
    let shown = missing.iter().take(MOST_GROUPS);
    let mut texts: Vec<String> = shown.map(|m| format!("{} {}", m.who, m.stands)).collect();
    if missing.len() > MOST_GROUPS {
        let more: usize = missing.iter().skip(MOST_GROUPS).map(|m| m.number).sum();
        texts.push(format!("{more} more are elsewhere"));
    }
    texts.join("; ")
}

/// `their ways part at k.cu:11: `t < 8` holds for thread (0,0,0) (t = 0), not for …`.
fn parting(parting: &Parting) -> String {
    let side = |side: &Side| {
        let verb = if side.holds { "holds" } else { "does not hold" };
        let values = match side.values.is_empty() {
            true => String::new(),
            false => format!(" ({})", values(&side.values)),
        };
        format!("{verb} for {}{values}", side.who)
    };
    let sides: Vec<String> = parting.sides.iter().map(side).collect();
    let condition = match parting.condition.as_str() {
        "" => "the condition there".to_owned(),
        condition => format!("`{condition}`"),
    };
    let place = place(&parting.at);
    format!(
        "their ways part at {place}: {condition} {}",
        sides.join(", ")
    )
}

/// `schedule, 6 steps and 2 switches: b0.t0 ×2, b0.t1, …`.
fn schedule(witness: &Witness) -> Option<String> {
    let steps = &witness.schedule;
    if steps.is_empty() && witness.cycle.is_empty() {
        return None;
    }
    let n: u64 = steps.iter().map(|step| u64::from(step.steps)).sum();
    let switches = steps
        .windows(2)
        .filter(|w| w[0].actors != w[1].actors)
        .count();
    let plural = |n: u64, noun: &str, nouns: &str| match n {
        1 => format!("1 {noun}"),
        n => format!("{n} {nouns}"),
    };
    let mut text = format!(
        "schedule, {} and {}: {}",
        plural(n, "step", "steps"),
        plural(switches as u64, "switch", "switches"),
        short(steps)
    );
    if !witness.cycle.is_empty() {
        text.push_str(&format!("; then for ever: {}", short(&witness.cycle)));
    }
    Some(text)
}

/// A schedule in few words: `b0.t0 to b0.t15 ×2 each, b0, b0.t3`.
fn short(steps: &[ScheduleStep]) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        if texts.len() == MOST_STEPS {
            texts.push(format!("… ({} more)", steps.len() - at));
            break;
        }
        let next = at + in_a_row(&steps[at..]);
        texts.push(match next - at {
            0..=2 => schedule_text::text(&steps[at..=at]),
            _ => {
                let first = schedule_text::text(&steps[at..=at]);
                let last = schedule_text::text(&steps[next - 1..next]);
                match first.split_once(' ') {
                    Some((first, _)) => format!("{first} to {last} each"),
                    None => format!("{first} to {last}"),
                }
            }
        });
        at = match next - at {
            0..=2 => at + 1,
            _ => next,
        };
    }
    texts.join(", ")
}

/// How many steps from the first on are of threads one after the other, with as many transitions.
fn in_a_row(steps: &[ScheduleStep]) -> usize {
    let follows = |pair: &[ScheduleStep]| {
        let same = (pair[0].steps, pair[0].choice) == (pair[1].steps, pair[1].choice);
        same && match (pair[0].actors.as_slice(), pair[1].actors.as_slice()) {
            (
                [
                    Actor::Thread {
                        block: a,
                        thread: t,
                    },
                ],
                [
                    Actor::Thread {
                        block: b,
                        thread: u,
                    },
                ],
            ) => a == b && t + 1 == *u,
            _ => false,
        }
    };
    1 + steps.windows(2).take_while(|pair| follows(pair)).count()
}

#[cfg(test)]
mod tests {
    use super::{by_line, short};
    use crate::report::schedule_text::parse;

    fn check(schedule: &str, expected: &str) {
        assert_eq!(short(&parse(schedule).unwrap()), expected);
    }

    #[test]
    fn threads_in_a_row_are_told_at_once() {
        check(
            "b0.t0 ×2, b0.t1 ×2, b0.t2 ×2, b0",
            "b0.t0 to b0.t2 ×2 each, b0",
        );
        check("b0.t0, b0.t1, b0.t2, b0.t3", "b0.t0 to b0.t3");
        check("b0.t0 ×2, b0.t1 ×2", "b0.t0 ×2, b0.t1 ×2");
        check("b0.t0 ×2, b0.t1 ×2, b0.t2", "b0.t0 ×2, b0.t1 ×2, b0.t2");
        check("b0.t3, b1.t4, b1.t5", "b0.t3, b1.t4, b1.t5");
    }

    #[test]
    fn long_schedules_are_cut() {
        let long: Vec<&str> = ["b0.t0", "b1.t0"].into_iter().cycle().take(40).collect();
        let shown = short(&parse(&long.join(", ")).unwrap());
        assert!(shown.ends_with("b1.t0, … (28 more)"), "{shown}");
    }

    #[test]
    fn places_in_the_file_shown_are_lines() {
        let cases = [
            ("at a/k.cu:12 and a/k.cu:7", "at line 12 and line 7"),
            ("at b/k.cu:12", "at b/k.cu:12"),
            ("a/k.cu: gone", "a/k.cu: gone"),
        ];
        for (text, expected) in cases {
            assert_eq!(by_line(text, "a/k.cu"), expected);
        }
    }
}
