//! `compile_commands.json`, which CMake, Bear and Ninja write: the command line of each compilation of a project.

use super::compile_command::{self, CompileCommand};
use super::reading::beside;
use crate::input::error::{ErrorKind, InputError};
use gridlock_boundary::input;
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};

/// The usual name of the file.
pub const NAME: &str = "compile_commands.json";

/// An entry, as the file has it; what else stands there is not asked for.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: String,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The compilations of a project whose sources can be judged: one for each source and each way to read it, in the
/// order of the file.
///
/// # Errors
/// The file cannot be read or is none; an entry has no command, or one that means nothing.
pub fn read(path: &Path) -> Result<Vec<CompileCommand>, InputError> {
    let path = match path.is_dir() {
        true => &path.join(NAME),
        false => path,
    };
    let name = path.display().to_string();
    let text = input::read_text(path).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot read: {e}")).in_file(&name)
    })?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|e| {
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        InputError::new(ErrorKind::Syntax, format!("no {NAME}: {message}"))
            .in_file(&name)
            .at(e.line().max(1) as u32, e.column().max(1) as u32)
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut found: Vec<CompileCommand> = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let wrong = |message: String| {
            let message = format!("entry {} ({}): {message}", number + 1, entry.file);
            InputError::new(ErrorKind::Syntax, message).in_file(&name)
        };
        let words = match (&entry.arguments, &entry.command) {
            (Some(words), _) => words.clone(),
            (None, Some(command)) => compile_command::split(command)
                .ok_or_else(|| wrong("a quote of its command is not closed".to_owned()))?,
            (None, None) => return Err(wrong("neither `command` nor `arguments`".to_owned())),
        };
        let working = folder.join(&entry.directory);
        let source = normal(&beside(&working, &entry.file));
        let is_judged = |command: &CompileCommand| {
            let of_cuda = matches!(extension(&source), Some("cu" | "cl"));
            of_cuda || command.reading.language.is_some()
        };
        let command = match compile_command::read(&words, &working) {
            Ok(command) => command,
            // Host code.
            Err(error) if error.kind == ErrorKind::Usage && error.file.is_none() => continue,
            Err(error) => return Err(error),
        };
        if !is_judged(&command) {
            continue;
        }
        let one = CompileCommand {
            sources: vec![source],
            reading: command.reading,
        };
        if !found.contains(&one) {
            found.push(one);
        }
    }
    Ok(found)
}

/// The compilations of a source among these.
pub fn of<'c>(commands: &'c [CompileCommand], source: &Path) -> Vec<&'c CompileCommand> {
    let wanted = whole(source);
    let names = |command: &&CompileCommand| command.sources.iter().any(|s| whole(s) == wanted);
    commands.iter().filter(names).collect()
}

fn whole(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| normal(path))
}

fn extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// Without `.` and, where what stands before it is a name, `..`; as the working directory has it where that is
/// above.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    let here = std::env::current_dir().unwrap_or_default();
    match out.strip_prefix(&here) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
        _ => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilations_of_a_project() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("k.cu"), "").unwrap();
        let entry = |file: &str, command: &str| serde_json::json!({"directory": folder.path(), "file": file, "command": command});
        let all = serde_json::json!([
            entry("k.cu", "nvcc -DN=1 -Iinc -c k.cu -o k.o"),
            entry("k.cu", "nvcc -DN=2 -c k.cu"),
            entry("./k.cu", "nvcc -DN=2 -O3 -c k.cu"),
            entry("main.cpp", "g++ -c main.cpp"),
            {"directory": folder.path(), "file": "l.cu", "arguments": ["nvcc", "-c", "l.cu"]},
        ]);
        std::fs::write(folder.path().join(NAME), all.to_string()).unwrap();
        let found = read(folder.path()).unwrap();
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0].reading.include_dirs, [folder.path().join("inc")]);
        let of_k = of(&found, &folder.path().join("k.cu"));
        let values: Vec<_> = of_k
            .iter()
            .map(|c| c.reading.defines[0].1.as_deref())
            .collect();
        assert_eq!(values, [Some("1"), Some("2")]);
    }

    #[test]
    fn what_is_none_is_refused_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(NAME);
        let refused = |text: &str, part: &str| {
            std::fs::write(&file, text).unwrap();
            let error = read(&file).unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
            assert!(error.file.is_some());
        };
        refused("[\n {", ":2:2: no compile_commands.json");
        refused(
            r#"[{"directory": "/", "file": "k.cu"}]"#,
            "entry 1 (k.cu): neither",
        );
        refused(
            r#"[{"directory": "/", "file": "k.cu", "command": "nvcc 'k.cu"}]"#,
            "not closed",
        );
    }
}
