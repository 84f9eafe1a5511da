//! The pipeline file: a source program, cases to judge on, steps with the verdict expected of
//! each, and what to lower and run at the end. See `docs/pipelines.md`.

use crate::input::error::{ErrorKind, InputError};
use crate::input::request::LaunchSpec;
use gridlock_boundary::input;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A pipeline, as its file has it, and as one is written.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PipelineFile {
    /// Of the pipeline, for the report.
    pub name: String,
    /// One paragraph for the report.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub story: String,
    /// Relative to the pipeline file.
    pub source: PathBuf,
    /// The kernel or host function that is transformed and judged.
    pub entry: String,
    /// Accepted and ignored, because files for older versions may have it: each step names its profile itself.
    #[serde(default, rename = "profiles", skip_serializing)]
    _profiles: Vec<String>,
    /// `-D` definitions for the front end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
    /// What the program prints is not observed. Without, no step of a program that prints is accepted: output is not
    /// modelled.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ignore_output: bool,
    /// The launches and inputs each step is judged on.
    #[serde(rename = "case")]
    pub cases: Vec<Case>,
    /// In textual order.
    #[serde(default, rename = "step", skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// A search for better programs after the steps.
    #[serde(default)]
    pub search: Option<Search>,
    /// What is lowered and run after the steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lower: Vec<Lower>,
}

/// A launch with inputs on which every step is judged.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Case {
    /// For steps that name their cases; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// For a kernel entry: `grid`, `block`, `shared-bytes`.
    #[serde(default, skip_serializing_if = "LaunchSpec::is_default")]
    pub launch: LaunchSpec,
    /// Several launches instead of one: each is a case of its own, called after the case and the launch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at_launches: Vec<LaunchSpec>,
    /// Scalar arguments, by parameter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, Scalar>,
    /// Extents of pointer parameters in elements, by parameter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extents: BTreeMap<String, Scalar>,
    /// As `--inputs`.
    #[serde(default = "default_inputs")]
    pub inputs: String,
    /// Decide by exploring every schedule, not by the canonical run.
    #[serde(default, skip_serializing_if = "is_false")]
    pub every_schedule: bool,
}

impl Default for Case {
    fn default() -> Case {
        Case {
            name: String::new(),
            launch: LaunchSpec::default(),
            at_launches: Vec::new(),
            args: BTreeMap::new(),
            extents: BTreeMap::new(),
            inputs: default_inputs(),
            every_schedule: false,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(value: &bool) -> bool {
    !*value
}

fn default_inputs() -> String {
    "random:1:3".to_owned()
}

/// A number or a text.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Scalar {
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// Any other text, as written.
    Text(String),
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Integer(n) => write!(f, "{n}"),
            Scalar::Float(x) => write!(f, "{x}"),
            Scalar::Bool(b) => write!(f, "{b}"),
            Scalar::Text(text) => write!(f, "{text}"),
        }
    }
}

/// One application of a rule system.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Rewriting {
    /// A rule system of the library by name, or a file relative to the pipeline file.
    pub rules: String,
    /// A strategy the rule file defines; `main` when absent.
    #[serde(default)]
    pub strategy: Option<String>,
    /// Values of the system's parameters that differ from their defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, Scalar>,
    /// Only this procedure is rewritten; all when absent.
    #[serde(default)]
    pub procedure: Option<String>,
    /// Relates outputs whose shape changed: `new.out[b] == old.out[b * 64]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observe: Vec<String>,
    /// The theory floats are compared modulo, as `--modulo`; their bits when absent.
    #[serde(default)]
    pub modulo: Option<String>,
    /// The entry of the program it makes, when its name changed.
    #[serde(default)]
    pub entry: Option<String>,
    /// The launch of the program it makes, where it differs from the case's.
    #[serde(default)]
    pub launch: Option<LaunchSpec>,
}

/// A rewriting with its verdict.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// Of the step, for reports and for steps that start from it.
    pub name: String,
    /// The step it starts from; the step before when absent; `source` for the source.
    #[serde(default)]
    pub from: Option<String>,
    /// What is done to the program.
    #[serde(flatten)]
    pub rewriting: Rewriting,
    /// Cases this step is judged on, by name; all when absent.
    #[serde(default)]
    pub cases: Option<Vec<String>>,
    /// What must come out, for each profile.
    #[serde(rename = "expect")]
    pub expectations: Vec<Expectation>,
}

/// The verdict a step must come out with under a profile: a minimum, or `refuted` with its kind.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Expectation {
    /// Name of the profile.
    pub profile: String,
    /// `proved` (the default) or `passed`.
    #[serde(default)]
    pub at_least: Option<String>,
    /// `refuted` or `unknown`.
    #[serde(default)]
    pub verdict: Option<String>,
    /// Kind of the defect, with `verdict = "refuted"`.
    #[serde(default)]
    pub kind: Option<String>,
    /// A text that a remark of the report must contain.
    #[serde(default)]
    pub remark: Option<String>,
}

/// Sequences of rewritings to try, from one program on.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Search {
    /// The step whose program it starts from; the last one accepted under the profile when absent.
    #[serde(default)]
    pub from: Option<String>,
    /// Name of the profile each rewriting is judged under.
    #[serde(default = "default_profile")]
    pub profile: String,
    /// What each rewriting in a sequence must come out with: `proved` (the default) or `passed`.
    #[serde(default = "default_level")]
    pub at_least: String,
    /// Rewritings in a sequence.
    #[serde(default = "default_depth")]
    pub depth: u32,
    /// Programs reported.
    #[serde(default = "default_keep")]
    pub keep: usize,
    /// Programs judged.
    #[serde(default = "default_programs")]
    pub programs: usize,
    /// By the clock.
    #[serde(default = "default_seconds")]
    pub seconds: f64,
    /// The best must cost less than the program the search starts from.
    #[serde(default)]
    pub expect_better: bool,
    /// How programs are ranked.
    #[serde(default)]
    pub cost: Weights,
    /// The rewritings that a sequence is made of.
    #[serde(rename = "move")]
    pub moves: Vec<Move>,
}

fn default_profile() -> String {
    "cuda".to_owned()
}

fn default_level() -> String {
    "proved".to_owned()
}

const fn default_depth() -> u32 {
    3
}

const fn default_keep() -> usize {
    5
}

const fn default_programs() -> usize {
    200
}

const fn default_seconds() -> f64 {
    120.0
}

/// What a search may do to a program.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Move {
    /// For the report; the rules and the strategy when absent.
    #[serde(default)]
    pub name: Option<String>,
    /// What is done to the program.
    #[serde(flatten)]
    pub rewriting: Rewriting,
}

impl Move {
    /// Its name in reports.
    pub fn label(&self) -> String {
        let rules = self.name.as_deref().unwrap_or(&self.rewriting.rules);
        match (&self.name, &self.rewriting.strategy) {
            (None, Some(strategy)) => format!("{rules} ({strategy})"),
            _ => rules.to_owned(),
        }
    }
}

/// What each thing counted is worth, in accesses of one thread to global memory.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Weights {
    /// Of one launch.
    pub launches: u64,
    /// Of one barrier of a block or of the grid, for each block.
    pub barriers: u64,
    /// Of one `__syncwarp`, for each warp.
    pub warp_barriers: u64,
    /// Of one access of one thread.
    pub global_accesses: u64,
    /// Of one branch after which a warp's threads go different ways.
    pub divergent_branches: u64,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            launches: 10_000,
            barriers: 100,
            warp_barriers: 5,
            global_accesses: 1,
            divergent_branches: 20,
        }
    }
}

/// The name of what a search found, where a step is asked for.
pub const BEST: &str = "best";

/// What to do with an accepted program at the end.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Lower {
    /// The step whose program is lowered, or `best`, what a search found; the last one accepted when
    /// absent.
    #[serde(default)]
    pub step: Option<String>,
    /// `cuda`, `opencl`, `host`, `cuda-driver`, `opencl-host`, `csharp`.
    pub targets: Vec<String>,
    /// Compile the CUDA text with nvcc for these architectures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nvcc: Vec<String>,
    /// Run on these devices and compare with the interpreter: `opencl`, `cuda`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<String>,
}

impl PipelineFile {
    /// A pipeline without cases and steps.
    pub fn of(source: PathBuf, define: Vec<String>) -> PipelineFile {
        PipelineFile {
            source,
            define,
            ..PipelineFile::default()
        }
    }

    /// Reads and checks a pipeline file.
    pub fn load(path: &Path) -> Result<PipelineFile, InputError> {
        let shown = path.display().to_string();
        let text = input::read_text(path).map_err(|error| {
            InputError::new(ErrorKind::File, format!("cannot read: {error}")).in_file(&shown)
        })?;
        let mut pipeline: PipelineFile = toml::from_str(&text).map_err(|error| {
            let message = error.message().to_owned();
            let at = error.span().map(|span| named(&text, span.start, &message));
            let at = at.map(|offset| place(&text, offset));
            let error = InputError::new(ErrorKind::Syntax, message).in_file(&shown);
            at.map_or(error.clone(), |(line, column)| error.at(line, column))
        })?;
        pipeline.check(&shown)?;
        pipeline.part_launches();
        Ok(pipeline)
    }

    /// A case for each launch of those that have several.
    fn part_launches(&mut self) {
        let mut parted: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut cases = Vec::new();
        for case in std::mem::take(&mut self.cases) {
            if case.at_launches.is_empty() {
                parted
                    .entry(case.name.clone())
                    .or_default()
                    .push(case.name.clone());
                cases.push(case);
                continue;
            }
            for launch in &case.at_launches {
                let at = launch.to_string();
                let name = match case.name.as_str() {
                    "" => at,
                    name => format!("{name}, {at}"),
                };
                parted
                    .entry(case.name.clone())
                    .or_default()
                    .push(name.clone());
                cases.push(Case {
                    name,
                    launch: launch.clone(),
                    at_launches: Vec::new(),
                    ..case.clone()
                });
            }
        }
        self.cases = cases;
        for step in &mut self.steps {
            let of_step = step.cases.take();
            step.cases = of_step.map(|names| {
                let parts = names.iter().filter_map(|name| parted.get(name));
                parts.flatten().cloned().collect()
            });
        }
    }

    /// References between steps and cases must resolve, expectations must make sense.
    fn check(&self, shown: &str) -> Result<(), InputError> {
        let wrong = |message: String| Err(InputError::usage(message).in_file(shown));
        if self.cases.is_empty() {
            return wrong("a pipeline needs at least one [[case]]".to_owned());
        }
        for case in &self.cases {
            if case.at_launches.is_empty() {
                continue;
            }
            let is_one = case.launch != LaunchSpec::default();
            if is_one || case.at_launches.iter().any(|launch| !launch.is_given()) {
                return wrong(format!(
                    "case `{}`: either launch, or at-launches = [{{ grid = …, block = … }}, …]",
                    case.name
                ));
            }
        }
        let mut known = vec!["source"];
        for step in &self.steps {
            if let Some(from) = &step.from
                && !known.contains(&from.as_str())
            {
                return wrong(format!("step `{}`: no earlier step `{from}`", step.name));
            }
            if known.contains(&step.name.as_str()) {
                return wrong(format!("two steps are named `{}`", step.name));
            }
            if step.name == BEST && self.search.is_some() {
                return wrong(format!(
                    "step `{BEST}`: with a [search] that is what the search finds; give the step another \
                     name"
                ));
            }
            if !is_theory(&step.rewriting.modulo) {
                return wrong(format!(
                    "step `{}`: modulo is \"assoc-comm\" or \"reals\", or absent",
                    step.name
                ));
            }
            known.push(&step.name);
            for case in step.cases.iter().flatten() {
                if !self.cases.iter().any(|c| c.name == *case) {
                    return wrong(format!("step `{}`: no case `{case}`", step.name));
                }
            }
            if step.expectations.is_empty() {
                return wrong(format!(
                    "step `{}` expects nothing: add [[step.expect]]",
                    step.name
                ));
            }
            for expect in &step.expectations {
                if !matches!(expect.at_least.as_deref(), None | Some("proved" | "passed"))
                    || !matches!(
                        expect.verdict.as_deref(),
                        None | Some("refuted" | "unknown")
                    )
                    || (expect.at_least.is_some() && expect.verdict.is_some())
                {
                    return wrong(format!(
                        "step `{}`: expect either at-least = \"proved\" | \"passed\" or \
                         verdict = \"refuted\" | \"unknown\"",
                        step.name
                    ));
                }
            }
        }
        self.search.as_ref().map_or(Ok(()), |search| {
            let from = search.from.as_deref().unwrap_or("source");
            if !known.contains(&from) {
                return wrong(format!("[search]: no step `{from}`"));
            }
            if search.moves.iter().any(|m| !is_theory(&m.rewriting.modulo)) {
                return wrong(
                    "[[search.move]]: modulo is \"assoc-comm\" or \"reals\", or absent".to_owned(),
                );
            }
            if search.moves.is_empty() {
                return wrong("[search] has nothing to try: add [[search.move]]".to_owned());
            }
            if !matches!(search.at_least.as_str(), "proved" | "passed") {
                return wrong("[search]: at-least is \"proved\" or \"passed\"".to_owned());
            }
            if !search.seconds.is_finite() || search.seconds < 0.0 {
                return wrong("[search]: seconds is a number, 0 or more".to_owned());
            }
            Ok(())
        })
    }
}

/// Whether floats can be compared modulo it.
fn is_theory(modulo: &Option<String>) -> bool {
    matches!(modulo.as_deref(), None | Some("assoc-comm" | "reals"))
}

/// Where the field that a message names stands, of the table at an offset; a step is read as a whole, so
/// that errors in its fields have the table's place.
fn named(text: &str, table: usize, message: &str) -> usize {
    let field = message
        .strip_prefix("unknown field `")
        .and_then(|rest| rest.split('`').next());
    let Some(field) = field else {
        return table;
    };
    let mut at = table;
    for line in text[table..].split_inclusive('\n') {
        let key = line.split('=').next().unwrap_or_default();
        if line.contains('=') && key.trim() == field {
            return at + (key.len() - key.trim_start().len());
        }
        at += line.len();
    }
    table
}

/// Line and column, from 1, of a byte offset.
fn place(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset.min(text.len())];
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) as u32 + 1;
    (line, column)
}
