//! Which sources a command is given, one by one or in folders, and what the project they belong to says of them.

use gridlock::input::compile_command::{self, CompileCommand};
use gridlock::input::error::InputError;
use gridlock::input::project::{self, Project};
use gridlock::input::reading::Reading;
use gridlock::input::request::{EntryRequest, Request};
use gridlock::input::{compile_commands, folder};
use gridlock_checker::report::Judgement;
use gridlock_checker::report::assumption::Assumption;
use gridlock_frontend::ParseOptions;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What a folder is searched for: host code in C says little about kernels.
const IN_FOLDERS: [&str; 3] = ["cu", "cl", "scheme"];

/// Standard input, as the command line names it and as reports do.
pub const STDIN: &str = "-";
pub const STDIN_SHOWN: &str = "<stdin>";

/// Where else options for sources stand.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Reading the source")]
pub struct ProjectOptions {
    /// Take macros, include folders and dialect of each source from its command in this file, or in the
    /// compile_commands.json of this folder
    #[arg(long, value_name = "FILE|DIR")]
    compile_commands: Option<PathBuf>,
    /// Project file [default: gridlock.toml in the folder of the source, or the nearest one above]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Do not look for a gridlock.toml
    #[arg(long)]
    no_config: bool,
}

/// What is known of a source beside the command line.
#[derive(Clone, Debug, Default)]
pub struct OfSource {
    project: Option<Project>,
    reading: Reading,
}

impl ProjectOptions {
    fn project(&self, folder: &Path) -> Result<Option<Project>, InputError> {
        match &self.config {
            Some(file) => Project::read(file).map(Some),
            None if self.no_config => Ok(None),
            None => Project::above(folder),
        }
    }

    /// What is known of a source; a project may know several ways to compile it.
    pub fn of(&self, source: &Path) -> Result<OfSource, InputError> {
        let mut all = self.all_of(source, None)?;
        // There is always one.
        Ok(all.swap_remove(0))
    }

    /// `named`: the command line of a compiler that names the source.
    fn all_of(
        &self,
        source: &Path,
        named: Option<&CompileCommand>,
    ) -> Result<Vec<OfSource>, InputError> {
        let project = self.project(source.parent().unwrap_or(Path::new("")))?;
        let base = project
            .as_ref()
            .map(|p| p.reading.clone())
            .unwrap_or_default();
        let mut readings = match (named, &self.compile_commands, &project) {
            (Some(command), _, _) => vec![base.clone().then(command.reading.clone())],
            (None, Some(file), _) => {
                let commands = compile_commands::read(file)?;
                let of_source = compile_commands::of(&commands, source).into_iter();
                of_source
                    .map(|c| base.clone().then(c.reading.clone()))
                    .collect()
            }
            (None, None, Some(project)) => project.readings(source)?,
            (None, None, None) => Vec::new(),
        };
        if readings.is_empty() {
            readings.push(base);
        }
        let made = readings.into_iter().map(|reading| OfSource {
            project: project.clone(),
            reading,
        });
        Ok(made.collect())
    }
}

impl OfSource {
    pub fn file(&self) -> Option<&Path> {
        self.project.as_ref().map(|project| project.file.as_path())
    }

    pub fn options(&self, given: ParseOptions) -> ParseOptions {
        let mut options = self.reading.under(given);
        options.require_includes |= self.project.as_ref().is_some_and(|p| p.require_includes);
        options
    }

    pub fn entry(&self, mut entry: EntryRequest) -> EntryRequest {
        if let Some(project) = &self.project {
            entry.of_kernels = project.kernels.clone();
        }
        entry
    }

    /// The profile of the project, where the command line names none.
    pub fn request(&self, mut request: Request, is_named: bool, cooperative: bool) -> Request {
        let profile = self
            .project
            .as_ref()
            .and_then(|project| project.profile.clone());
        if let (Some(profile), false) = (profile, is_named) {
            request.profile = match cooperative {
                true => profile.cooperative(),
                false => profile,
            };
        }
        request
    }

    /// What the verdict takes for granted because of it.
    pub fn note(&self, judgement: &mut Judgement) {
        for option in &self.reading.not_followed {
            judgement.assumptions.note(Assumption::OptionNotFollowed {
                option: option.clone(),
            });
        }
        let said = self.project.as_ref().and_then(|project| {
            let options = project.says(&project.reading)?;
            Some((project.file.display().to_string(), options))
        });
        if let Some((file, options)) = said {
            judgement
                .assumptions
                .note(Assumption::ProjectOptions { file, options });
        }
    }
}

/// A source to judge.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: PathBuf,
    pub of: OfSource,
    /// Among the ways in which the source is compiled; 0 where there is one.
    pub number: usize,
    /// The command line names it; else it was found in a folder.
    pub named: bool,
}

/// What `check` is given.
#[derive(Debug)]
pub enum Given {
    One(Box<Source>),
    /// Several, or whatever a folder has.
    Several(Vec<Source>),
}

/// Finds the sources.
///
/// # Errors
/// There is none; a folder or a file of options cannot be read.
pub fn find(
    files: &[PathBuf],
    behind: &[OsString],
    options: &ProjectOptions,
) -> Result<Given, InputError> {
    if let Some(command) = compile_command_of(behind)? {
        if !files.is_empty() {
            let message = "name the sources either before `--` or in the compile command";
            return Err(InputError::usage(message));
        }
        let mut sources = Vec::new();
        for path in &command.sources {
            let of = options.all_of(path, Some(&command))?;
            sources.extend(numbered(path, of, true));
        }
        return Ok(one_or_several(sources));
    }
    let mut files = files.to_vec();
    files.extend(behind.iter().map(PathBuf::from));
    if files.is_empty() {
        return everything(options);
    }
    if files.len() > 1 && files.iter().any(|file| file.as_os_str() == STDIN) {
        return Err(InputError::usage("standard input (`-`) is judged alone"));
    }
    let mut sources = Vec::new();
    let mut of_folder = false;
    for file in &files {
        match file.is_dir() {
            true => {
                of_folder = true;
                sources.extend(in_folder(file, options)?);
            }
            false => sources.extend(numbered(file, options.all_of(file, None)?, true)),
        }
    }
    // The same source twice is one.
    let mut seen = std::collections::HashSet::new();
    sources.retain(|source: &Source| seen.insert((source.path.clone(), source.number)));
    Ok(match of_folder {
        true => Given::Several(sources),
        false => one_or_several(sources),
    })
}

/// One source of several, and in which of the ways it is compiled.
///
/// # Errors
/// As [`find`].
pub fn alone(
    path: &Path,
    number: usize,
    behind: &[OsString],
    options: &ProjectOptions,
) -> Result<Source, InputError> {
    let command = compile_command_of(behind)?;
    let all = options.all_of(path, command.as_ref())?;
    let source = numbered(path, all, true).into_iter().nth(number);
    source.ok_or_else(|| {
        let message = "how it is compiled has changed meanwhile";
        InputError::usage(message).in_file(path.display().to_string())
    })
}

fn compile_command_of(behind: &[OsString]) -> Result<Option<CompileCommand>, InputError> {
    let words: Vec<String> = behind
        .iter()
        .map(|w| w.to_string_lossy().into_owned())
        .collect();
    let is_command = words
        .first()
        .is_some_and(|first| compile_command::is_compiler(first));
    match is_command {
        true => compile_command::read(&words, Path::new("")).map(Some),
        false => Ok(None),
    }
}

/// What a project consists of.
fn everything(options: &ProjectOptions) -> Result<Given, InputError> {
    let mut sources = Vec::new();
    if let Some(file) = &options.compile_commands {
        let commands = compile_commands::read(file)?;
        let mut paths: Vec<PathBuf> = commands.into_iter().flat_map(|c| c.sources).collect();
        paths.dedup();
        for path in paths {
            sources.extend(numbered(&path, options.all_of(&path, None)?, false));
        }
        if sources.is_empty() {
            let message = "no command in it compiles CUDA or OpenCL C";
            return Err(InputError::usage(message).in_file(file.display().to_string()));
        }
        return Ok(Given::Several(sources));
    }
    let Some(project) = options.project(Path::new(""))? else {
        return Err(InputError::usage(format!(
            "nothing to judge: name a file, a folder, `-` for standard input, or a compile command after `--`; \
             without any of these, there must be a {} here or above",
            project::NAME
        )));
    };
    for path in &project.files {
        match path.is_dir() {
            true => sources.extend(in_folder(path, options)?),
            false => sources.extend(numbered(path, options.all_of(path, None)?, true)),
        }
    }
    Ok(Given::Several(sources))
}

fn in_folder(path: &Path, options: &ProjectOptions) -> Result<Vec<Source>, InputError> {
    let mut sources = Vec::new();
    for file in folder::sources(path, &IN_FOLDERS)? {
        let all = options.all_of(&file, None)?;
        let is_excluded = |of: &OfSource| of.project.as_ref().is_some_and(|p| p.excludes(&file));
        if !all.iter().any(is_excluded) {
            sources.extend(numbered(&file, all, false));
        }
    }
    Ok(sources)
}

fn numbered(path: &Path, all: Vec<OfSource>, named: bool) -> Vec<Source> {
    let made = all.into_iter().enumerate().map(|(number, of)| Source {
        path: path.to_owned(),
        of,
        number,
        named,
    });
    made.collect()
}

fn one_or_several(mut sources: Vec<Source>) -> Given {
    match sources.len() {
        1 => Given::One(Box::new(sources.swap_remove(0))),
        _ => Given::Several(sources),
    }
}
