//! Profiles by name or from a file.

use crate::input::error::InputError;
use gridlock_semantics::profile::Profile;
use std::path::Path;

/// A named profile, or one read from a TOML or JSON file (a name that has a dot or a slash).
///
/// # Errors
/// An unknown name, a file that cannot be read or does not give every axis.
pub fn find(name: &str) -> Result<Profile, InputError> {
    if let Some(profile) = Profile::named(name) {
        return Ok(profile);
    }
    if !name.contains(['.', '/']) {
        let known: Vec<String> = Profile::all().into_iter().map(|p| p.name).collect();
        return Err(InputError::usage(format!(
            "unknown profile `{name}`; known: {}; or the path of a profile file",
            known.join(", ")
        )));
    }
    crate::input::profile_file::read(Path::new(name))
}

/// The profile a file is judged under where none is named: `opencl` for OpenCL C, else `cuda`.
pub fn usual(file: &Path) -> Profile {
    let is_opencl = file.extension().is_some_and(|e| e == "cl");
    let named = Profile::named(if is_opencl { "opencl" } else { "cuda" });
    named.unwrap_or_default()
}
