//! Profiles of the user's own, from TOML or JSON files.

use crate::input::error::{ErrorKind, InputError};
use gridlock_boundary::input;
use gridlock_semantics::profile::*;
use gridlock_semantics::system::admission::check_profile;
use serde::Deserialize;
use std::path::Path;

/// What a file may hold: the axes under `axes`, as `gridlock profiles --format json` prints them,
/// or `base` and the axes that differ from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileFile {
    name: String,
    #[serde(default)]
    meaning: String,
    /// Named profile the others are taken from.
    base: Option<String>,
    #[serde(default)]
    axes: GivenAxes,
}

/// Reads the profile in `path`.
///
/// # Errors
/// A file that cannot be read; keys or values that there are not, with line and column; an axis
/// without a value; axes that mean nothing together.
pub fn read(path: &Path) -> Result<Profile, InputError> {
    let name = path.display().to_string();
    let text = input::read_text(path).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot read the profile: {e}")).in_file(&name)
    })?;
    let file: ProfileFile = match path.extension().and_then(|e| e.to_str()) {
        Some("json") => serde_json::from_str(&text).map_err(|e| {
            let message = e.to_string();
            // The place is said once, in front.
            let message = message.split(" at line ").next().unwrap_or(&message);
            InputError::new(ErrorKind::Syntax, message)
                .in_file(&name)
                .at(e.line() as u32, e.column().max(1) as u32)
        })?,
        Some("toml") => toml::from_str(&text).map_err(|e| {
            let (line, column) = line_column(&text, e.span().map_or(0, |span| span.start));
            InputError::new(ErrorKind::Syntax, e.message())
                .in_file(&name)
                .at(line, column)
        })?,
        _ => {
            return Err(InputError::usage("a profile is a .toml or .json file").in_file(&name));
        }
    };
    let wrong_at = |key: &str, message: String| {
        let (line, column) = line_column(&text, text.find(key).unwrap_or(0));
        InputError::new(ErrorKind::Syntax, message)
            .in_file(&name)
            .at(line, column)
    };
    let base = match &file.base {
        Some(base) => Some(
            Profile::named(base)
                .ok_or_else(|| wrong_at("base", format!("`base`: there is no profile `{base}`")))?,
        ),
        None => None,
    };
    let axes = file.axes.over(base.as_ref().map(|b| &b.axes));
    let axes = axes.map_err(|axis| {
        wrong_at(
            "axes",
            format!("`{axis}` has no value: give one, or name a `base` to take it from"),
        )
    })?;
    let profile = Profile {
        name: file.name,
        meaning: file.meaning,
        axes,
    };
    check_profile(&profile).map_err(|e| wrong_at("axes", e.to_string()))?;
    Ok(profile)
}

/// Line and column (from 1, in bytes) of a byte offset.
fn line_column(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset.min(text.len())];
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |i| i + 1);
    (line, column as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read_text(extension: &str, text: &str) -> Result<Profile, InputError> {
        let mut file = tempfile::Builder::new()
            .suffix(&format!(".{extension}"))
            .tempfile()
            .unwrap();
        file.write_all(text.as_bytes()).unwrap();
        read(file.path())
    }

    #[test]
    fn a_base_and_what_differs() {
        let profile = read_text(
            "toml",
            "name = \"mine\"\nbase = \"cuda\"\n[axes]\nexited-threads = \"defect\"\nwarps = { lockstep = 16 }\n",
        )
        .unwrap();
        assert_eq!(profile.axes.exited_threads, ExitedThreads::Defect);
        assert_eq!(profile.axes.warps, Warps::Lockstep(16));
        assert_eq!(profile.axes.merge, Profile::default().axes.merge);
    }

    #[test]
    fn what_profiles_prints_can_be_read() {
        for profile in Profile::all() {
            let text = crate::report::render::json::profile(&profile).to_string();
            assert_eq!(read_text("json", &text).unwrap(), profile);
        }
    }

    /// The message and the place.
    fn refused(extension: &str, text: &str) -> (String, Option<u32>, Option<u32>) {
        let error = read_text(extension, text).unwrap_err();
        (error.message, error.line, error.column)
    }

    #[test]
    fn mistakes_are_refused_with_their_place() {
        let cases = [
            // Keys and values that there are not.
            (
                "toml",
                "name = \"x\"\ncolour = \"red\"\n",
                "unknown field `colour`",
                2,
                1,
            ),
            (
                "toml",
                "name = \"x\"\nbase = \"cuda\"\n[axes]\nfiring = \"one\"\nwarp = \"none\"\n",
                "unknown field `warp`",
                5,
                1,
            ),
            (
                "toml",
                "name = \"x\"\nbase = \"cuda\"\n[axes]\nmerge = \"no\"\n",
                "unknown variant `no`",
                4,
                9,
            ),
            (
                "toml",
                "name = \"x\"\nbase = \"cuda\"\n[axes.safety]\nresidence = \"all-resident\"\n",
                "unknown field `residence`",
                4,
                1,
            ),
            (
                "json",
                "{\"name\": \"x\", \"base\": \"cuda\",\n \"axes\": {\"memory\": \"weak\"}}\n",
                "unknown variant `weak`",
                2,
                26,
            ),
            (
                "json",
                "{\"name\": \"x\",\n \"colour\": 1}\n",
                "unknown field `colour`",
                2,
                9,
            ),
            // What is no TOML or JSON at all.
            ("toml", "name = \"x\"\nbase = = 3\n", "", 2, 8),
            ("json", "{\n  \"name\": }\n", "expected value", 2, 11),
            // What is not there.
            (
                "toml",
                "name = \"x\"\nbase = \"no\"\n",
                "there is no profile `no`",
                2,
                1,
            ),
            ("toml", "base = \"cuda\"\n", "missing field `name`", 1, 1),
            (
                "toml",
                "name = \"x\"\n[axes]\nmerge = \"by-write\"\n",
                "`granularity` has no value",
                2,
                2,
            ),
            // Axes that mean nothing together.
            (
                "toml",
                "name = \"x\"\nbase = \"paper\"\n[axes]\nwarps = { lockstep = 32 }\n",
                "the profile has no meaning",
                3,
                2,
            ),
        ];
        for (extension, text, part, line, column) in cases {
            let (message, at_line, at_column) = refused(extension, text);
            assert!(message.contains(part), "{text}: {message}");
            assert_eq!(
                (at_line, at_column),
                (Some(line), Some(column)),
                "{text}: {message}"
            );
        }
        assert!(refused("yaml", "name: x").0.contains(".toml or .json"));
        assert_eq!(
            read(Path::new("/nowhere.toml")).unwrap_err().kind,
            ErrorKind::File
        );
    }

    #[test]
    fn part_of_a_scheduling_is_taken_from_the_base() {
        let profile = read_text(
            "toml",
            "name = \"mine\"\nbase = \"cuda\"\n[axes.termination]\nprogress = \"fair\"\n",
        )
        .unwrap();
        let cuda = Profile::default().axes.termination;
        assert_eq!(profile.axes.termination.progress, Progress::Fair);
        assert_eq!(profile.axes.termination.residency, cuda.residency);
    }
}
