//! Programs the tool starts: found in places of the machine, never in the working directory nor beside what is
//! read.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program of that name in the folders of `PATH`. Entries that are empty or relative, which mean the working
/// directory, are passed over.
pub fn find(name: &OsStr) -> Option<PathBuf> {
    in_folders(name, &env::var_os("PATH").unwrap_or_default())
}

fn in_folders(name: &OsStr, path: &OsStr) -> Option<PathBuf> {
    let mut folders = env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.find_map(|folder| Some(folder.join(name)).filter(|file| is_program(file)))
}

/// The program that the user chose: by its absolute path, or by a name that is looked for in `PATH`. `None` where
/// there is none, and for a path relative to the working directory.
pub fn chosen(program: &Path) -> Option<PathBuf> {
    if program.is_absolute() {
        return Some(program.to_owned()).filter(|file| is_program(file));
    }
    match program.components().count() {
        1 if program.file_name() == Some(program.as_os_str()) => find(program.as_os_str()),
        _ => None,
    }
}

/// A file that comes with this program, in `../lib/gridlock` as seen from its folder; for a build in its source
/// tree (`TREE/target/PROFILE/gridlock`), in `TREE/.toolchain`.
pub fn installed_beside(name: &str) -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let folder = program.parent()?;
    let installed = folder.parent()?.join("lib/gridlock").join(name);
    if is_program(&installed) {
        return Some(installed);
    }
    let target = folder.parent()?;
    let is_build = target.file_name() == Some(OsStr::new("target"));
    let built = target.parent()?.join(".toolchain").join(name);
    Some(built).filter(|file| is_build && is_program(file))
}

/// How the program at an absolute path is started: what it starts in turn is not looked for in the working
/// directory either.
pub fn command(program: &Path) -> Command {
    assert!(program.is_absolute(), "{}", program.display());
    let mut command = Command::new(program);
    if let Some(path) = env::var_os("PATH") {
        command.env("PATH", absolute_folders(&path));
    }
    command
}

/// A `PATH` without entries that mean the working directory.
fn absolute_folders(path: &OsStr) -> OsString {
    let folders = env::split_paths(path).filter(|folder| folder.is_absolute());
    // What was split at colons holds none.
    env::join_paths(folders).unwrap_or_default()
}

fn is_program(file: &Path) -> bool {
    std::fs::metadata(file)
        .is_ok_and(|known| known.is_file() && known.permissions().mode() & 0o111 != 0)
}

/// The name of a file as an argument: never taken for an option, nor for a file of options.
pub fn file_argument(path: &Path) -> PathBuf {
    let first = path.as_os_str().as_encoded_bytes().first();
    match first {
        Some(b'-' | b'@') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a program `tool` in it.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let tool = folder.path().join("tool");
        std::fs::write(&tool, "#!/bin/sh\n").expect("written");
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).expect("set");
        folder
    }

    /// The working directory of the tests is that of the package.
    #[test]
    fn relative_and_empty_folders_are_passed_over() {
        let name = OsStr::new("tool");
        let folder = folder();
        let real = folder.path().display().to_string();
        let here = env::current_dir().expect("a working directory");
        let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
        let relative = up.join(folder.path().strip_prefix("/").expect("absolute"));
        assert!(relative.join("tool").is_file(), "it is there, relatively");
        let relative = relative.display().to_string();
        let found = |path: &str| in_folders(name, OsStr::new(path));
        assert_eq!(found(&relative), None);
        assert_eq!(found(&format!(":{relative}:.:")), None);
        let expected = Some(folder.path().join("tool"));
        assert_eq!(found(&format!("{relative}:{real}")), expected);
        let kept = absolute_folders(OsStr::new(&format!(":.:{real}:bin:{relative}")));
        assert_eq!(kept, OsStr::new(&real));
    }

    #[test]
    fn what_is_chosen_is_absolute_or_a_name() {
        let folder = folder();
        let tool = folder.path().join("tool");
        assert_eq!(chosen(&tool), Some(tool));
        assert_eq!(chosen(&folder.path().join("nothing")), None);
        assert_eq!(chosen(folder.path()), None);
        assert!(chosen(Path::new("sh")).is_some_and(|sh| sh.is_absolute()));
        assert_eq!(chosen(Path::new("./src")), None);
        assert_eq!(chosen(Path::new("src/lib.rs")), None);
        assert_eq!(chosen(Path::new("..")), None);
        assert_eq!(chosen(Path::new("")), None);
    }

    #[test]
    fn names_are_no_options() {
        let check = |given: &str, expected: &str| {
            assert_eq!(file_argument(Path::new(given)), Path::new(expected));
        };
        check("-stats-file=x.cu", "./-stats-file=x.cu");
        check("@options.cu", "./@options.cu");
        check("kernel.cu", "kernel.cu");
        check("/a/-b.cu", "/a/-b.cu");
    }
}
