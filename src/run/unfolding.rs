//! Runs that come to what the front end left out: calls of recursive functions nested deeper than they
//! were unfolded, asynchronous copies that a loop begins again; and to what the semantics leaves out:
//! page-locked memory of the host that a device uses. Such a run shows no defect and decides nothing.

use gridlock_checker::finding::{DefectKind, Evidence, Finding};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;

/// Why a finding is a limit and no defect, if it is one.
pub(crate) fn left_out(program: &Program, finding: &Finding) -> Option<String> {
    if finding.kind != DefectKind::Beyond {
        return None;
    }
    let op = match &finding.evidence {
        Evidence::Fault(fault) => Some(fault.op),
        _ => None,
    };
    let operators = program.operators();
    let found = operators.into_iter().find(|(_, o)| Some(o.id) == op);
    let place = match found.map_or(0, |(_, op)| op.span.line) {
        0 => String::new(),
        line => format!("line {line}: "),
    };
    let is_left_out = found.is_none_or(|(_, op)| matches!(op.kind, OpKind::Basic(Basic::Beyond)));
    let why = match is_left_out {
        true => {
            "what comes here was left out: a call nested deeper than recursion is unfolded (--recursion), an \
             exception, `exit` outside `main`, or an asynchronous copy begun again before it is waited for"
        }
        false => "the device uses page-locked memory of the host, which is not modelled",
    };
    Some(format!("{place}{why}"))
}
