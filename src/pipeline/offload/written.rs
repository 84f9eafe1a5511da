//! The pipeline that was made of a program, as a file that `gridlock verify` runs again.

use crate::input::error::{ErrorKind, InputError};
use crate::pipeline::format::PipelineFile;
use std::path::{Component, Path, PathBuf};

/// The text of a file in the folder `out`; `source` is the program's, as the user named it.
///
/// # Errors
/// It cannot be written as TOML.
pub(super) fn text(file: &PipelineFile, source: &Path, out: &Path) -> Result<String, InputError> {
    let mut file = file.clone();
    file.source = relative(source, out);
    toml::to_string(&file).map_err(|error| {
        InputError::new(ErrorKind::Internal, format!("cannot be written: {error}"))
    })
}

/// How one comes from a folder to a file; the file as it is where that cannot be told.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let (Ok(whole), Ok(folder)) = (file.canonicalize(), folder.canonicalize()) else {
        return file.to_owned();
    };
    let steps = |path: &Path| -> Vec<_> {
        path.components()
            .map(|c| c.as_os_str().to_owned())
            .collect()
    };
    let (whole, folder) = (steps(&whole), steps(&folder));
    let same = whole
        .iter()
        .zip(&folder)
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder[same..]
        .iter()
        .map(|_| Component::ParentDir.as_os_str().to_owned());
    up.chain(whole[same..].iter().cloned()).collect()
}
