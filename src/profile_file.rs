//! Profiles of the user's own, from TOML or JSON files.

use crate::input_error::{ErrorKind, InputError};
use gridlock_semantics::profile::{Axes, Profile};
use serde::Deserialize;
use std::path::Path;

/// What a file may hold: the axes beside the name, or under `axes` as `gridlock profiles
/// --format json` prints them, or `base` and the axes that differ from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ProfileFile<Table> {
    name: String,
    #[serde(default)]
    meaning: String,
    /// Named profile the others are taken from.
    base: Option<String>,
    #[serde(default = "Option::default")]
    axes: Option<Table>,
}

/// Reads the profile in `path`.
pub fn read(path: &Path) -> Result<Profile, InputError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot read the profile: {e}")).in_file(&name)
    })?;
    let value: serde_json::Value = match path.extension().and_then(|e| e.to_str()) {
        Some("json") => serde_json::from_str(&text).map_err(|e| {
            InputError::new(ErrorKind::Syntax, e.to_string())
                .in_file(&name)
                .at(e.line() as u32, e.column().max(1) as u32)
        })?,
        Some("toml") => toml::from_str(&text).map_err(|e| {
            let error = InputError::new(ErrorKind::Syntax, e.message()).in_file(&name);
            match e.span() {
                Some(span) => {
                    let (line, column) = line_column(&text, span.start);
                    error.at(line, column)
                }
                None => error,
            }
        })?,
        _ => {
            return Err(InputError::usage("a profile is a .toml or .json file").in_file(&name));
        }
    };
    let wrong = |message: String| InputError::new(ErrorKind::Syntax, message).in_file(name.clone());
    let file: ProfileFile<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_value(value).map_err(|e| wrong(e.to_string()))?;
    let mut axes = match &file.base {
        Some(base) => {
            let base = Profile::named(base)
                .ok_or_else(|| wrong(format!("`base`: there is no profile `{base}`")))?;
            serde_json::to_value(base.axes).map_err(|e| wrong(e.to_string()))?
        }
        None => serde_json::Value::Object(Default::default()),
    };
    if let (serde_json::Value::Object(all), Some(own)) = (&mut axes, file.axes) {
        for (axis, value) in own {
            all.insert(axis, value);
        }
    }
    let axes: Axes = serde_json::from_value(axes).map_err(|e| wrong(format!("`axes`: {e}")))?;
    Ok(Profile {
        name: file.name,
        meaning: file.meaning,
        axes,
    })
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
    use gridlock_semantics::profile::{ExitedThreads, Warps};
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
            let text = crate::render::json::profile(&profile).to_string();
            assert_eq!(read_text("json", &text).unwrap(), profile);
        }
    }

    #[test]
    fn mistakes_are_refused() {
        let cases = [
            (
                "toml",
                "name = \"x\"\n[axes]\nmerge = \"by-write\"\n",
                "missing field",
            ),
            (
                "toml",
                "name = \"x\"\nbase = \"cuda\"\n[axes]\nmerge = \"no\"\n",
                "unknown variant",
            ),
            (
                "toml",
                "name = \"x\"\nbase = \"no\"\n",
                "there is no profile `no`",
            ),
            ("toml", "base = \"cuda\"\n", "name"),
            ("toml", "name = \"x\"\ncolour = \"red\"\n", "unknown field"),
            ("json", "{\n  \"name\": }\n", "expected value"),
            ("yaml", "name: x", ".toml or .json"),
        ];
        for (extension, text, part) in cases {
            let error = read_text(extension, text).unwrap_err();
            assert!(error.message.contains(part), "{text}: {}", error.message);
        }
        let error = read_text("toml", "name = \"x\"\nbase = = 3\n").unwrap_err();
        assert_eq!((error.line, error.column), (Some(2), Some(8)));
        assert_eq!(
            read(Path::new("/nowhere.toml")).unwrap_err().kind,
            ErrorKind::File
        );
    }
}
