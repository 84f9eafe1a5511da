//! `gridlock.toml`: what a project says about its sources, so that nobody has to say it on each command line.
//!
//! It comes with the sources, so it says only what they may say themselves: how they are read, at which launches and
//! arguments their kernels run, and the profile they are written for. It names no program and no output, raises no
//! limit, and what is required for exit status 0 stays with who runs the tool (docs/security.md).

use super::compile_commands;
use super::contents::ContentsSpec;
use super::reading::{Reading, beside};
use crate::input::error::{ErrorKind, InputError};
use crate::input::request::{ExtentSpec, LaunchSpec, OfKernel, parse_dim3};
use gridlock_boundary::input;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Dim3;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The name of the file.
pub const NAME: &str = "gridlock.toml";

/// Folders above a source in which the file is looked for, at most.
const MOST_FOLDERS: usize = 32;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    #[serde(default)]
    source: Source,
    #[serde(default)]
    check: Check,
    #[serde(default)]
    kernel: BTreeMap<String, Kernel>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Source {
    #[serde(default)]
    define: Vec<String>,
    #[serde(default)]
    include: Vec<String>,
    std: Option<String>,
    compile_commands: Option<String>,
    #[serde(default)]
    require_includes: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Check {
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
    profile: Option<Spanned<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Kernel {
    grid: Option<Spanned<Extents>>,
    block: Option<Spanned<Extents>>,
    shared_bytes: Option<u32>,
    #[serde(default)]
    args: BTreeMap<String, Scalar>,
    #[serde(default)]
    extents: BTreeMap<String, Spanned<Scalar>>,
    #[serde(default)]
    contents: BTreeMap<String, Spanned<String>>,
}

/// `64`, `[8, 8]` or `"8,8,1"`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Extents {
    One(u32),
    Several(Vec<u32>),
    Text(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Integer(i64),
    Float(f64),
    Bool(bool),
    Text(String),
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Integer(n) => n.fmt(f),
            Scalar::Float(x) => x.fmt(f),
            Scalar::Bool(b) => b.fmt(f),
            Scalar::Text(text) => text.fmt(f),
        }
    }
}

/// What a project says; paths are as seen from the working directory.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The file it stands in.
    pub file: PathBuf,
    /// How all sources are read.
    pub reading: Reading,
    /// A header that is not found is an error.
    pub require_includes: bool,
    /// The compilations of the sources.
    pub compile_commands: Option<PathBuf>,
    /// Files and folders to judge where none is named.
    pub files: Vec<PathBuf>,
    /// Files and folders within these that are passed over.
    pub exclude: Vec<PathBuf>,
    /// Name of a profile.
    pub profile: Option<Profile>,
    /// Launches and arguments, by kernel.
    pub kernels: BTreeMap<String, OfKernel>,
}

impl Project {
    /// Reads a project file.
    ///
    /// # Errors
    /// It cannot be read, has an unknown key, or a value that means nothing, with line and column.
    pub fn read(path: &Path) -> Result<Project, InputError> {
        let name = path.display().to_string();
        let text = input::read_text(path).map_err(|e| {
            InputError::new(ErrorKind::File, format!("cannot read: {e}")).in_file(&name)
        })?;
        let at = |offset: usize, message: &str| {
            let (line, column) = line_column(&text, offset);
            let error = InputError::new(ErrorKind::Syntax, message);
            error.in_file(&name).at(line, column)
        };
        let file: File = toml::from_str(&text)
            .map_err(|e| at(e.span().map_or(0, |span| span.start), e.message()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let within = |paths: &[String]| paths.iter().map(|path| beside(folder, path)).collect();
        let mut reading = Reading {
            include_dirs: within(&file.source.include),
            standard: file.source.std,
            ..Reading::default()
        };
        file.source
            .define
            .iter()
            .for_each(|text| reading.define(text));
        let profile = file.check.profile.as_ref().map(|named| {
            let found = Profile::named(named.get_ref());
            found.ok_or_else(|| {
                let known: Vec<String> = Profile::all().into_iter().map(|p| p.name).collect();
                let message = format!(
                    "there is no profile `{}`; known: {}",
                    named.get_ref(),
                    known.join(", ")
                );
                at(named.span().start, &message)
            })
        });
        let mut kernels = BTreeMap::new();
        for (kernel, given) in &file.kernel {
            kernels.insert(kernel.clone(), given.read(&at)?);
        }
        Ok(Project {
            file: path.to_owned(),
            reading,
            require_includes: file.source.require_includes,
            compile_commands: file
                .source
                .compile_commands
                .map(|path| beside(folder, &path)),
            files: match file.check.files.is_empty() {
                false => within(&file.check.files),
                true => vec![match folder.as_os_str().is_empty() {
                    true => PathBuf::from("."),
                    false => folder.to_owned(),
                }],
            },
            exclude: within(&file.check.exclude),
            profile: profile.transpose()?,
            kernels,
        })
    }

    /// The project that a source belongs to: the file in its folder or the nearest one above, but not beyond the
    /// root of a repository.
    ///
    /// # Errors
    /// As [`Project::read`].
    pub fn of(source: &Path) -> Result<Option<Project>, InputError> {
        let parent = source.parent().unwrap_or(Path::new(""));
        Project::above(parent)
    }

    /// As [`Project::of`], for a folder.
    ///
    /// # Errors
    /// As [`Project::read`].
    pub fn above(folder: &Path) -> Result<Option<Project>, InputError> {
        let Ok(whole) = std::fs::canonicalize(match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        }) else {
            return Ok(None);
        };
        for above in whole.ancestors().take(MOST_FOLDERS) {
            let file = above.join(NAME);
            if file.is_file() {
                return Project::read(&from_here(&file)).map(Some);
            }
            if above.join(".git").exists() {
                break;
            }
        }
        Ok(None)
    }

    /// Whether a file is passed over.
    pub fn excludes(&self, file: &Path) -> bool {
        let whole = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = whole(file);
        self.exclude
            .iter()
            .any(|path| file.starts_with(whole(path)))
    }

    /// How a source is read: each of its compilations, or the one way there is.
    ///
    /// # Errors
    /// The compilations cannot be read.
    pub fn readings(&self, source: &Path) -> Result<Vec<Reading>, InputError> {
        let Some(commands) = &self.compile_commands else {
            return Ok(vec![self.reading.clone()]);
        };
        let commands = compile_commands::read(commands)?;
        let of_source = compile_commands::of(&commands, source);
        let mut readings: Vec<Reading> = of_source
            .into_iter()
            .map(|command| self.reading.clone().then(command.reading.clone()))
            .collect();
        if readings.is_empty() {
            readings.push(self.reading.clone());
        }
        Ok(readings)
    }

    /// What it says of how a source is read and judged, for the report; `None`: nothing.
    pub fn says(&self, reading: &Reading) -> Option<String> {
        let mut all = reading.texts();
        if self.require_includes {
            all.push("--require-includes".to_owned());
        }
        (!all.is_empty()).then(|| all.join(" "))
    }
}

impl Kernel {
    fn read(&self, at: &dyn Fn(usize, &str) -> InputError) -> Result<OfKernel, InputError> {
        let dims = |given: &Option<Spanned<Extents>>| -> Result<Option<Dim3>, InputError> {
            let Some(given) = given else {
                return Ok(None);
            };
            let text = match given.get_ref() {
                Extents::One(n) => n.to_string(),
                Extents::Several(all) => {
                    all.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
                }
                Extents::Text(text) => text.clone(),
            };
            parse_dim3(&text)
                .map(Some)
                .map_err(|e| at(given.span().start, &e.message))
        };
        let mut extents = BTreeMap::new();
        for (name, text) in &self.extents {
            let spec = ExtentSpec::parse(&text.get_ref().to_string());
            extents.insert(
                name.clone(),
                spec.map_err(|e| at(text.span().start, &e.message))?,
            );
        }
        let mut contents = BTreeMap::new();
        for (name, text) in &self.contents {
            let spec = ContentsSpec::parse(text.get_ref());
            contents.insert(
                name.clone(),
                spec.map_err(|e| at(text.span().start, &e.message))?,
            );
        }
        let args = self
            .args
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string()));
        Ok(OfKernel {
            launch: LaunchSpec {
                grid: dims(&self.grid)?,
                block: dims(&self.block)?,
                shared_bytes: self.shared_bytes,
            },
            args: args.collect(),
            extents,
            contents,
        })
    }
}

/// A path as seen from the working directory, where it lies there or above.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(below) => below.to_owned(),
        Err(_) => {
            let mut up = PathBuf::new();
            for above in here.ancestors().skip(1).take(MOST_FOLDERS) {
                up.push("..");
                match path.strip_prefix(above) {
                    Ok(below) if above.parent().is_some() => return up.join(below),
                    _ => {}
                }
            }
            path.to_owned()
        }
    }
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

    fn read_text(text: &str) -> Result<Project, InputError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(NAME);
        std::fs::write(&file, text).unwrap();
        Project::read(&file)
    }

    #[test]
    fn what_a_project_says() {
        let project = read_text(
            "[source]\ndefine = [\"N=4\", \"M\"]\ninclude = [\"inc\"]\nstd = \"c++20\"\n\
             [check]\nprofile = \"cuda-hw\"\n\
             [kernel.scan]\ngrid = 4\nblock = [8, 8]\nargs = { n = 100 }\nextents = { a = \"n*2\", b = 7 }\n\
             contents = { a = \"zero\" }\n",
        )
        .unwrap();
        let said = project.says(&project.reading).unwrap();
        assert!(said.starts_with("-D N=4 -D M -I "), "{said}");
        assert!(said.ends_with("inc --std c++20"), "{said}");
        assert_eq!(project.profile.unwrap().name, "cuda-hw");
        let scan = &project.kernels["scan"];
        assert_eq!(scan.launch.grid, Some([4, 1, 1]));
        assert_eq!(scan.launch.block, Some([8, 8, 1]));
        assert_eq!(scan.args["n"], "100");
        assert_eq!(scan.extents.len(), 2);
    }

    /// What it may not say is unknown to it.
    #[test]
    fn what_it_may_not_say_is_refused_with_its_place() {
        let refused = |text: &str, place: &str, part: &str| {
            let error = read_text(text).unwrap_err().to_string();
            assert!(
                error.contains(&format!("{NAME}:{place}: ")),
                "{text}: {error}"
            );
            assert!(error.contains(part), "{text}: {error}");
        };
        for key in [
            "clang",
            "plugin",
            "options",
            "output",
            "limit-seconds",
            "argv",
        ] {
            refused(
                &format!("[source]\n{key} = \"x\"\n"),
                "2:1",
                "unknown field",
            );
        }
        for key in ["require", "limits", "html", "run-devices", "save-witness"] {
            refused(&format!("[check]\n{key} = \"x\"\n"), "2:1", "unknown field");
        }
        refused(
            "[check]\nprofile = \"./p.toml\"\n",
            "2:11",
            "no profile `./p.toml`",
        );
        refused("[kernel.k]\nblock = \"8,y\"\n", "2:9", "`y` is no extent");
        refused("[kernel.k]\nblock = \"x\"\n", "2:9", "`x` is no extent");
        for missing in ["", "8,", "4x"] {
            let text = format!("[kernel.k]\nblock = \"{missing}\"\n");
            refused(&text, "2:9", "an extent is missing");
        }
        refused(
            "[kernel.k]\nextents = { a = \"n+1\" }\n",
            "2:17",
            "neither a number",
        );
        refused("[source\n", "1:8", "");
    }

    #[test]
    fn the_nearest_one_above_up_to_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("repo/src/deep");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::write(folder.path().join(NAME), "").unwrap();
        let of = || Project::of(&below.join("k.cu")).unwrap().map(|p| p.file);
        assert!(of().is_some_and(|file| file.ends_with(NAME)));
        std::fs::create_dir(folder.path().join("repo/.git")).unwrap();
        assert_eq!(of(), None, "that of another repository is none of ours");
        std::fs::write(folder.path().join("repo/src").join(NAME), "").unwrap();
        assert!(of().is_some_and(|file| file.ends_with("src/gridlock.toml")));
    }
}
