//! Programs that can be written for a device.

use crate::input::error::{ErrorKind, InputError};
use gridlock_semantics::algebra::program::Program;
/// A program that asks for unknown values has no text for a device: what gives them is not
/// there.
///
/// # Errors
/// Names the first such value.
pub fn can_be_written(program: &Program) -> Result<(), InputError> {
    for procedure in &program.procs {
        let mut params = procedure.params.iter();
        if let Some(asked) = params.find(|var| procedure.is_arbitrary(**var)) {
            let name = &procedure.vars[asked.0 as usize].name;
            return Err(InputError::new(
                ErrorKind::Unsupported,
                format!(
                    "`{}` needs {name}, which is not defined: it can be judged, not written for a device",
                    procedure.name
                ),
            ));
        }
    }
    Ok(())
}
