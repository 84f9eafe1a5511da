//! Races to reverse: where, and by whom, another run is to begin.
//!
//! Let the last event of the run race with the event at position `i`. Then the run up to `i`,
//! followed by what came after but does not depend on `i`, followed by the last event, is the
//! beginning of a run that puts the two the other way round. A thread that can come first in that
//! continuation may be tried at `i` in its stead; one of them has to be (*initials* and *source
//! sets*: Abdulla, Aronis, Jonsson, Sagonas, *Optimal dynamic partial order reduction*, POPL 2014,
//! section 4, algorithm 1).

use super::choices::Choices;
use super::clocks::Position;
use super::run::Run;

/// Has the race between the last event and the one at `first` reversed, unless it is already
/// going to be, or was.
pub fn reverse(run: &Run, choices: &mut Choices, first: Position) {
    let Some((last, before)) = run.events.split_last() else {
        return;
    };
    let raced = before[first as usize].agent;
    let mut chosen = None;
    // Nothing but the race itself may hold the last event back.
    if last.latest <= first + 1 {
        if choices.covers(first, last.agent) {
            return;
        }
        chosen = Some(last.agent);
    }
    for (at, event) in before.iter().enumerate().skip(first as usize + 1) {
        // One whose past ends before `first` comes first among those that do not depend on it.
        if event.latest > first || run.clocks.is_before(raced, first, at as Position) {
            continue;
        }
        if choices.covers(first, event.agent) {
            return;
        }
        chosen = chosen.or(Some(event.agent));
    }
    if let Some(agent) = chosen {
        choices.try_later(first, agent);
    }
}
