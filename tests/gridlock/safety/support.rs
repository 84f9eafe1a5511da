//! Folders with what a test needs, and runs of the tool in them.

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub const KERNEL: &str = "__global__ void k(int *a)\n{\n    a[threadIdx.x] = 1;\n}\n";

/// Every thread writes one cell.
pub const RACE: &str = "__global__ void k(int *a)\n{\n    a[0] = threadIdx.x;\n}\n";

/// A pipeline of one step on `KERNEL`, and more at its end.
pub fn pipeline(source: &str, rest: &str) -> String {
    format!(
        "name = \"p\"\nsource = \"{source}\"\nentry = \"k\"\n\
         [[case]]\nlaunch = {{ grid = [1, 1, 1], block = [4, 1, 1] }}\nextents = {{ a = 4 }}\n{rest}"
    )
}

pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A program of the shell.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The tool in this folder.
    pub fn tool<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gridlock"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("GRIDLOCK_LOG")
            .env("COLUMNS", "100")
            .stdin(Stdio::null());
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        ran(&mut self.tool(arguments))
    }

    /// Names of all files below, in order.
    pub fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        collect(self.0.path(), self.0.path(), &mut found);
        found.sort();
        found
    }
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => collect(root, &path, found),
            false => found.push(path.strip_prefix(root).unwrap().display().to_string()),
        }
    }
}

#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

pub fn ran(command: &mut Command) -> Ran {
    of(command.output().unwrap())
}

pub fn of(output: Output) -> Ran {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Ran {
        status: output.status.code(),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

impl Ran {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Bad input, for this reason.
    pub fn refuses(&self, words: &str) {
        assert_eq!(self.status, Some(2), "{self:?}");
        assert!(self.stderr.contains(words), "{words}: {self:?}");
    }
}
