//! Well-formedness: the only place that rejects a program. Stepping a well-formed program is
//! total: whatever it does wrong is a fault, which is a result.

mod calls;
mod operators;
mod parallel;
mod refusal;
mod types;

pub use refusal::IllFormed;

use crate::algebra::declaration::{Extent, Space};
use crate::algebra::ids::ProcId;
use crate::algebra::program::{ProcKind, Program};

/// Accepts a program every engine can run, or gives every reason against it:
/// ids in range and distinct, expressions typed, no loads in the expressions of an atomic form,
/// host operators on the host only, barriers on the device only, branches of `PAR` apart, calls to procedures
/// of the right kind with the right arguments, and no recursion.
pub fn check_well_formed(program: &Program) -> Result<(), Vec<IllFormed>> {
    let mut reasons = Vec::new();
    arrays(program, &mut reasons);
    for index in 0..program.procs.len() {
        procedure(program, ProcId(index as u32), &mut reasons);
    }
    operators::check(program, &mut reasons);
    if reasons.is_empty() {
        calls::check_recursion(program, &mut reasons);
    }
    if reasons.is_empty() {
        parallel::check_nesting(program, &mut reasons);
    }
    if reasons.is_empty() {
        Ok(())
    } else {
        Err(reasons)
    }
}

fn arrays(program: &Program, reasons: &mut Vec<IllFormed>) {
    for array in &program.arrays {
        let mut refuse = |message: String| {
            reasons.push(IllFormed {
                span: array.span,
                message,
            });
        };
        let name = &array.name;
        if array.extent == Extent::LaunchShared && array.space != Space::Shared {
            refuse(format!(
                "`{name}` has the launch's extent but is not in shared memory"
            ));
        }
        if let Extent::Fixed(extent) = array.extent {
            let product = array.dims.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
            if !array.dims.is_empty() && product != Some(extent) {
                refuse(format!(
                    "the dimensions of `{name}` do not make its extent {extent}"
                ));
            }
            if extent > i64::MAX as u64 {
                refuse(format!("`{name}` is too large: {extent} elements"));
            }
            let given = array.init.as_ref().map_or(0, |cells| cells.len() as u64);
            if given > extent {
                refuse(format!(
                    "`{name}` has {given} initial values for {extent} elements"
                ));
            }
        }
        let mut cells = array.init.iter().flatten();
        if cells.any(|value| value.scalar_type() != Some(array.elem)) {
            refuse(format!(
                "an initial value of `{name}` has another type than its elements"
            ));
        }
        if array.space == Space::Shared && array.init.is_some() {
            refuse(format!(
                "`{name}` is in shared memory and has an initial value"
            ));
        }
        if array
            .owner
            .is_some_and(|owner| owner.0 as usize >= program.procs.len())
        {
            refuse(format!(
                "`{name}` belongs to a procedure that does not exist"
            ));
        }
        if array.space == Space::Private && array.owner.is_none() {
            refuse(format!("`{name}` is private but belongs to no procedure"));
        }
    }
}

fn procedure(program: &Program, id: ProcId, reasons: &mut Vec<IllFormed>) {
    let proc = program.proc(id);
    let mut refuse = |message: String| {
        reasons.push(IllFormed {
            span: proc.span,
            message,
        });
    };
    let name = &proc.name;
    if proc.params.len() > proc.vars.len() {
        refuse(format!("`{name}` has more parameters than variables"));
    }
    for (index, param) in proc.params.iter().enumerate() {
        if param.0 as usize != index {
            refuse(format!(
                "the parameters of `{name}` are not its first variables"
            ));
        }
    }
    if let Some(result) = proc.result {
        if result.0 as usize >= proc.vars.len() {
            refuse(format!("`{name}` has no variable for its result"));
        }
        if proc.kind == ProcKind::Kernel {
            refuse(format!("the kernel `{name}` has a result"));
        }
    }
}
