//! A source on standard input. The supervisor reads it, whose time and whose terminal it is, and the worker gets a file
//! in its place.

use gridlock::input::error::{ErrorKind, InputError};
use gridlock_boundary::input;
use std::fs::File;
use std::io::{Read, Seek, Write};

/// A file without a name that holds what standard input has.
///
/// # Errors
/// It cannot be read, or is longer than an input may be.
pub fn kept() -> Result<File, InputError> {
    let failed = |e: std::io::Error| {
        InputError::new(ErrorKind::File, format!("cannot read standard input: {e}"))
    };
    let bytes = bounded()?;
    let mut file = tempfile::tempfile().map_err(failed)?;
    file.write_all(&bytes).map_err(failed)?;
    file.rewind().map_err(failed)?;
    Ok(file)
}

/// What standard input has, as text; what is no UTF-8 is replaced, as in a file.
///
/// # Errors
/// As [`kept`].
pub fn text() -> Result<String, InputError> {
    Ok(String::from_utf8_lossy(&bounded()?).into_owned())
}

fn bounded() -> Result<Vec<u8>, InputError> {
    let most = input::most_bytes();
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes);
    read.map_err(|e| InputError::new(ErrorKind::File, format!("cannot read standard input: {e}")))?;
    match bytes.len() as u64 > most {
        false => Ok(bytes),
        true => Err(InputError::new(
            ErrorKind::File,
            format!(
                "standard input has more than {most} bytes ({} raises the limit)",
                input::BYTES_VARIABLE
            ),
        )),
    }
}
