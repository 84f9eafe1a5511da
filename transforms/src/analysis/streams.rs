//! Whether a program's host can tell that a launch or a copy goes on beside it, and whether there is any. Over-approximates.

use crate::terms::conversion::TermProgram;
use crate::terms::term::{Functor, Term};
use gridlock_semantics::algebra::operator::{AllocSpace, Head};

/// Whether the program has an operator by which its host runs beside its devices
/// (`gridlock_semantics::analysis::stream_operator::is_asynchronous`): then a copy is also what the host waits for.
pub fn is_asynchronous(program: &TermProgram) -> bool {
    let mut found = program.arrays.iter().any(|array| array.is_managed);
    program.root.walk(&mut |t| {
        found |= match t.as_app() {
            Some((
                Functor::Par
                | Functor::Basic(
                    Head::Wait
                    | Head::Alloc(_, AllocSpace::Managed)
                    | Head::CallGpu(true)
                    | Head::StreamCreate(_)
                    | Head::EventCreate
                    | Head::StreamWait,
                ),
                _,
            )) => true,
            // In its turn in a stream.
            Some((Functor::Basic(Head::Free(_)), [_, _])) => true,
            Some((Functor::Basic(Head::Copy(_)), [_, _, _, _])) => true,
            Some((Functor::Basic(Head::CallGpu(false)), [_, _, _, _, _, _])) => true,
            Some((Functor::Basic(Head::SetDevice), args)) => {
                args.first().and_then(Term::as_integer) != Some(0)
            }
            _ => false,
        };
    });
    found
}

/// Whether the program allocates memory of a device, copies to or from one, or launches anything.
pub fn uses_devices(program: &TermProgram) -> bool {
    let mut found = program.arrays.iter().any(|array| array.is_managed);
    program.root.walk(&mut |t| {
        let head = t.as_app().map(|(functor, _)| functor);
        found |= matches!(
            head,
            Some(Functor::Basic(
                Head::Alloc(..) | Head::Free(_) | Head::Copy(_) | Head::CallGpu(_)
            ))
        );
    });
    found
}
