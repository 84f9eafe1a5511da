//! From a confirmed finding to a defect in the program's own words.

use crate::finding::DefectKind;
use crate::replay::confirmed::Confirmed;
use crate::replay::livelock::livelock;
use crate::replay::narrate::accesses;
use crate::replay::step::AccessSeen;
use crate::replay::undefined;
use crate::replay::words::{Words, group_name, verb, who};
use crate::report::defect::Defect;
use crate::report::site::Site;
use crate::report::witness::Witness;
use crate::system::ExploredProgram;
use crate::system::follow::Run;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::host::streams::DEVICES;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::{Fault, FaultKind, ThreadPosition};
use gridlock_semantics::transition::{Access, Actor};
use std::collections::BTreeMap;

/// Threads listed one by one in a defect; of the rest every group is listed once.
const MOST_SITES: usize = 64;

/// Makes the defect that `run` showed. `subject` is its place in the report.
pub fn describe(
    system: &ExploredProgram,
    kind: DefectKind,
    (confirmed, run): (&Confirmed, &Run<'_>),
    subject: usize,
    witness: Witness,
) -> Defect {
    let words = Words::of(system);
    let launch = confirmed.launch.as_ref();
    let mut defect = Defect {
        subject,
        kind,
        message: String::new(),
        array: None,
        index: None,
        element: None,
        space: None,
        accesses: Vec::new(),
        threads: Vec::new(),
        explanation: None,
        grade: Default::default(),
        confirmed: true,
        witness: Some(witness),
        original: None,
    };
    if let Some((first, second)) = &confirmed.race {
        let last = run.followed.last();
        let seen = last.map_or_else(Vec::new, |last| accesses(system, last));
        race(&mut defect, &words, confirmed, &seen, (first, second));
        host_conflict(&mut defect, &words, confirmed, first, second);
    } else if let Some(fault) = &confirmed.fault {
        fault_defect(system, run, &mut defect, &words, fault, launch);
    } else if let Some(cycle) = &confirmed.livelock {
        livelock(&mut defect, &words, &cycle.agents, cycle.can_end, launch);
    } else if let Some(leak) = &confirmed.leak {
        defect.message = format!(
            "`{}`, made at {}, is never given back",
            leak.name,
            words.place(leak.op)
        );
        defect.array = leak.space.map(|_| leak.name.to_string());
        defect.space = leak.space;
        defect.accesses = vec![words.site(Some(leak.op), Actor::Host, launch)];
    } else {
        // Who ended may have been at the barrier before, so nothing is said of that.
        let (sites, summary) = positions(&words, &confirmed.positions, launch, "");
        defect.threads = sites;
        defect.message = format!("no thread can take a step: {summary}");
    }
    defect
}

/// The message of two uses that nothing at the level of the host orders.
fn host_conflict(
    defect: &mut Defect,
    words: &Words<'_>,
    confirmed: &Confirmed,
    first: &Access,
    second: &Access,
) {
    let array = defect.array.as_deref().unwrap_or_default();
    let cell = format!("`{}`", words.element((array, second.array), second.index));
    let launch = confirmed.launch.as_ref();
    let does = |access: &Access| format!("{} {}", who(access.actor, launch), verb(access.mode));
    let (at_first, at_second) = (words.place(first.op), words.place(second.op));
    let on_host = |access: &Access| matches!(access.actor, Actor::Host | Actor::HostThread(_));
    defect.message = match defect.kind {
        DefectKind::StaleData if first.op == second.op => format!(
            "the host goes on with {cell} after its end, while {} it ({at_first}): nothing has \
             waited for that",
            does(first)
        ),
        DefectKind::StaleData if on_host(second) => format!(
            "{} {cell} at {at_second}, but {} it ({at_first}) and nothing has waited for that",
            does(second),
            does(first)
        ),
        DefectKind::StaleData => format!(
            "{} {cell} at {at_second}, while {} it at {at_first} without having waited",
            does(second),
            does(first)
        ),
        DefectKind::UnorderedStreams => format!(
            "{} {cell} ({at_first}), {} it ({at_second}), and no stream or event orders the two",
            does(first),
            does(second)
        ),
        DefectKind::UseAfterFree => format!(
            "{} frees `{}` at {at_second}, but {} {cell} ({at_first}) and nothing has waited for \
             that",
            who(second.actor, launch),
            defect.array.as_deref().unwrap_or_default(),
            does(first)
        ),
        _ => return,
    };
}

fn race(
    defect: &mut Defect,
    words: &Words<'_>,
    confirmed: &Confirmed,
    seen: &[AccessSeen],
    (first, second): (&Access, &Access),
) {
    let launch = confirmed.launch.as_ref();
    let name = seen
        .iter()
        .find(|seen| seen.access == *second)
        .map(|seen| seen.name.clone())
        .or_else(|| confirmed.array.clone());
    let array = name.unwrap_or_default();
    let index = second.index;
    let cell = words.element((&*array, second.array), index);
    let same_line = words.place(first.op) == words.place(second.op);
    // One line may hold several operators, the more so where rules made many of one.
    let at = |access: &Access| {
        let apart = same_line && first.op != second.op;
        let written = words.cell(access.op).filter(|text| apart && *text != cell);
        let cell = written.map_or(String::new(), |cell| format!(" (`{cell}`)"));
        format!("at {}{cell}", words.place(access.op))
    };
    let does = |access: &Access, what: &str| match words.writes_back(access.op) {
        true => format!("writes {what} back"),
        false => format!("{} {what}", verb(access.mode)),
    };
    let is_bits = words.writes_back(first.op) || words.writes_back(second.op);
    let why = match is_bits {
        true => " (so do bit-fields side by side, and asynchronous copies under way)",
        false => "",
    };
    defect.message = if same_line && first.mode == second.mode && first.op == second.op && !is_bits
    {
        format!(
            "{} and {} both {} `{cell}` {}, and nothing orders them",
            who(first.actor, launch),
            who(second.actor, launch),
            verb(first.mode)
                .replace("reads", "read")
                .replace("writes", "write")
                .replace("updates", "update"),
            at(first),
        )
    } else {
        format!(
            "{} {} {}, {} {} {}, and nothing orders them{why}",
            who(first.actor, launch),
            does(first, &format!("`{cell}`")),
            at(first),
            who(second.actor, launch),
            does(second, "it"),
            at(second),
        )
    };
    defect.array = Some(array);
    defect.index = Some(index);
    defect.element = Some(cell);
    defect.space = confirmed.space;
    defect.accesses = vec![
        words.access_site(first, launch),
        words.access_site(second, launch),
    ];
}

/// What is wrong with a mask.
fn bad_mask(
    actor: &str,
    place: &str,
    (mask, lane): (u32, u32),
    missing: u32,
    other: Option<u32>,
) -> String {
    if missing == 0 {
        return format!(
            "the mask {mask:#010x} at {place} does not name lane {lane}, which is {actor} itself"
        );
    }
    let lanes: Vec<String> = (0..32)
        .filter(|lane| missing >> lane & 1 != 0)
        .map(|lane| lane.to_string())
        .collect();
    let (noun, verb) = match lanes.len() {
        1 => ("lane", "waits"),
        _ => ("lanes", "wait"),
    };
    let shown = match lanes.as_slice() {
        [first, .., last]
            if missing >> missing.trailing_zeros()
                & (missing >> missing.trailing_zeros()).wrapping_add(1)
                == 0 =>
        {
            format!("{first} to {last}")
        }
        _ => lanes.join(", "),
    };
    let why = match other {
        Some(other) => format!("{verb} with the mask {other:#010x}"),
        None => format!("{} elsewhere", if lanes.len() == 1 { "is" } else { "are" }),
    };
    format!(
        "{actor}, lane {lane}, waits at {place} for the lanes of the mask {mask:#010x}, but \
         {noun} {shown} {why}"
    )
}

/// What is done with a variable that has no value, and why it has none.
fn unset_variable(
    system: &ExploredProgram,
    words: &Words<'_>,
    run: &Run<'_>,
    fault: &Fault,
    var: VarId,
    actor: &str,
) -> String {
    let place = words.place(fault.op);
    let does = words
        .op(fault.op)
        .map_or("uses", |op| undefined::use_of(op, var));
    let origin = undefined::origin(system, run, fault.actor, fault.op, var);
    match words.variable(fault.op, i64::from(var.0)) {
        Some(name) if origin.is_empty() => {
            format!("{actor} {does} `{name}` at {place}, which was never written")
        }
        Some(name) => format!("{actor} {does} `{name}` at {place}, which has no value{origin}"),
        None => format!("{actor} {does} at {place} what has no value{origin}"),
    }
}

fn fault_defect(
    system: &ExploredProgram,
    run: &Run<'_>,
    defect: &mut Defect,
    words: &Words<'_>,
    fault: &Fault,
    launch: Option<&Launch>,
) {
    let actor = who(fault.actor, launch);
    let place = words.place(fault.op);
    let mut mode = None;
    let mut guilty = |array: &str, index: Option<i64>, space, how: Option<AccessMode>| {
        defect.array = (!array.is_empty()).then(|| array.to_owned());
        defect.index = index;
        let is_named = !array.is_empty();
        let element = index.filter(|_| is_named);
        defect.element = element.map(|index| words.element_at(fault.op, array, index));
        defect.space = space;
        mode = how;
    };
    let does = |mode: AccessMode| verb(mode);
    let message = match &fault.kind {
        FaultKind::OutOfBounds {
            array,
            space,
            index,
            extent,
            mode,
        } => {
            guilty(array, Some(*index), Some(*space), Some(*mode));
            let (whole, elements) = words.elements_at(fault.op, array, *extent);
            let has = match (*extent, elements) {
                // How many is not given.
                (u64::MAX, _) => "begins at 0".to_owned(),
                (_, 1) => "has 1 element".to_owned(),
                (_, n) => format!("has {n} elements"),
            };
            format!(
                "{actor} {} `{}` at {place}, but `{whole}` {has}",
                does(*mode),
                words.element_at(fault.op, array, *index)
            )
        }
        FaultKind::NullPointer { mode } => {
            guilty("", None, None, Some(*mode));
            format!(
                "{actor} {} through a null or wild pointer at {place}",
                does(*mode)
            )
        }
        FaultKind::ConstantWrite { array, index } => {
            let constant = Space::Constant;
            guilty(array, Some(*index), Some(constant), Some(AccessMode::Write));
            let cell = words.element_at(fault.op, array, *index);
            format!("{actor} writes `{cell}` at {place}, which is constant")
        }
        FaultKind::Misaligned { array } => {
            guilty(array, None, None, None);
            format!("{actor} accesses `{array}` at {place} in pieces that are not its elements")
        }
        FaultKind::UninitialisedRead {
            array,
            space,
            index,
        } => {
            guilty(array, Some(*index), Some(*space), Some(AccessMode::Read));
            let cell = words.element_at(fault.op, array, *index);
            let why = undefined::stored(words, run, fault.actor, (array, *index));
            let why = why.unwrap_or_else(|| "was never written".to_owned());
            format!("{actor} reads `{cell}` at {place}, which {why}")
        }
        FaultKind::UnsetVariable { var } => {
            let private = Some(Space::Private);
            guilty("", Some(i64::from(var.0)), private, Some(AccessMode::Read));
            unset_variable(system, words, run, fault, *var, &actor)
        }
        FaultKind::DivisionByZero => match undefined::operation(system, run, fault) {
            Some(what) => format!("{actor} divides by zero at {place}: {what}"),
            None => format!("{actor} divides by zero at {place}"),
        },
        FaultKind::UndefinedArithmetic => match undefined::operation(system, run, fault) {
            Some(what) => format!("{actor} computes at {place} what has no defined value: {what}"),
            None => format!("{actor} computes something without a defined value at {place}"),
        },
        FaultKind::AssertionFailed => format!("the assertion at {place} fails for {actor}"),
        FaultKind::MisalignedAccess => match words.asks_alignment(fault.op) {
            None => format!("{actor} has at {place} a pointer that is not aligned"),
            Some(elements) => format!(
                "{actor} has at {place} a pointer that is no multiple of {elements} \
                 elements from the start of its array"
            ),
        },
        FaultKind::Beyond => format!("{actor} comes to what was left out at {place}"),
        FaultKind::InvalidLaunch { reason } => format!("invalid launch at {place}: {reason}"),
        FaultKind::BadWarpMask {
            mask,
            lane,
            missing,
            other,
        } => bad_mask(&actor, &place, (*mask, *lane), *missing, *other),
        FaultKind::BadWarpWidth { width } => format!(
            "{actor} shuffles at {place} with width {width}, which is no power of two up to the \
             size of a warp"
        ),
        FaultKind::NoWarps => format!(
            "{actor} exchanges values with lanes of its warp at {place}, and the profile {} knows \
             no warps",
            system.profile().name
        ),
        FaultKind::BadBarrier { reason } => {
            format!("{actor} comes to a named barrier at {place} that cannot be: {reason}")
        }
        FaultKind::BarrierDivergence { positions: where_ } => {
            let never = " without it and will never come";
            let (sites, summary) = positions(words, where_, launch, never);
            defect.threads = sites;
            let alike = where_
                .iter()
                .all(|p| p.op.is_some() && p.op == where_[0].op);
            let brought = match alike && where_[0].op.is_some_and(|op| words.brings_values(op)) {
                true => ", with different arguments",
                false => "",
            };
            format!("the threads of {actor} do not meet at one barrier: {summary}{brought}")
        }
        FaultKind::WrongMemory { array, space } => {
            guilty(array, None, Some(*space), None);
            match words.frees(fault.op) {
                true => format!(
                    "{actor} frees `{array}` at {place} by a call that is for memory of another kind"
                ),
                false => {
                    format!("{actor} accesses `{array}` at {place}, which is in the other memory")
                }
            }
        }
        FaultKind::UseAfterFree { array, space } => {
            guilty(array, None, Some(*space), None);
            format!("{actor} uses `{array}` at {place} after it was freed")
        }
        FaultKind::DeadHandle { handle, again } => {
            guilty(handle, None, Some(Space::Host), None);
            match again {
                true => format!("{actor} destroys `{handle}` a second time at {place}"),
                false => format!("{actor} uses `{handle}` at {place} after it was destroyed"),
            }
        }
        FaultKind::NoSuchDevice { device } => {
            let last = DEVICES - 1;
            format!(
                "{actor} chooses device {device} at {place}: there are devices 0 to {last} only"
            )
        }
        FaultKind::DoubleFree { array, space } => {
            guilty(array, None, Some(*space), None);
            format!("{actor} frees `{array}` a second time at {place}")
        }
    };
    defect.message = message;
    if defect.threads.is_empty() {
        defect.accesses = vec![Site {
            mode,
            ..words.site(Some(fault.op), fault.actor, launch)
        }];
    }
}

/// Each thread's site, and a summary by groups: who waits where, who has ended and how.
fn positions(
    words: &Words<'_>,
    positions: &[ThreadPosition],
    launch: Option<&Launch>,
    of_the_ended: &str,
) -> (Vec<Site>, String) {
    let mut groups: BTreeMap<
        (Option<gridlock_semantics::algebra::operator::OpId>, bool),
        Vec<Actor>,
    > = BTreeMap::new();
    let mut sites: Vec<Site> = Vec::new();
    for position in positions {
        let group = groups.entry((position.op, position.returned)).or_default();
        if sites.len() < MOST_SITES || group.is_empty() {
            let mut site = words.site(position.op, position.actor, launch);
            site.state = match (position.op, position.returned) {
                (Some(_), _) => "waits here".to_owned(),
                (None, true) => "has returned".to_owned(),
                (None, false) => "has reached the end".to_owned(),
            };
            sites.push(site);
        }
        group.push(position.actor);
    }
    // Those who wait first.
    let mut ordered: Vec<_> = groups.into_iter().collect();
    ordered.sort_by_key(|((op, returned), _)| (op.is_none(), *op, *returned));
    let parts: Vec<String> = ordered
        .iter()
        .map(|((op, returned), actors)| {
            let who = group_name(actors, launch);
            let one = actors.len() == 1;
            match (op, returned) {
                (Some(op), _) => {
                    format!(
                        "{who} wait{} at {}",
                        if one { "s" } else { "" },
                        words.place(*op)
                    )
                }
                (None, true) => {
                    format!("{who} ha{} returned", if one { "s" } else { "ve" })
                }
                (None, false) => format!(
                    "{who} ha{} reached the end{of_the_ended}",
                    if one { "s" } else { "ve" }
                ),
            }
        })
        .collect();
    (sites, parts.join("; "))
}
