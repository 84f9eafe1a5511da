//! Whether a program's host can tell that a launch or a copy goes on beside it. Over-approximates.

use crate::terms::conversion::TermProgram;
use crate::terms::term::{Functor, Term};
use gridlock_semantics::algebra::operator::AllocSpace;

/// Whether the program has an operator by which its host runs beside its devices
/// (`gridlock_semantics::analysis::stream_operator::is_asynchronous`): then a copy is also what the host waits for.
pub fn is_asynchronous(program: &TermProgram) -> bool {
    let mut found = program.arrays.iter().any(|array| array.is_managed);
    program.root.walk(&mut |t| {
        found |= match t.as_app() {
            Some((
                Functor::Par
                | Functor::Wait
                | Functor::Alloc(_, AllocSpace::Managed)
                | Functor::CopyInStream(_)
                | Functor::CallGpuInStream { .. }
                | Functor::StreamCreate { .. }
                | Functor::EventCreate
                | Functor::StreamWait,
                _,
            )) => true,
            // In its turn in a stream.
            Some((Functor::Free(_), [_, _])) => true,
            Some((Functor::SetDevice, args)) => args.first().and_then(Term::as_integer) != Some(0),
            _ => false,
        };
    });
    found
}
