//! One call of the tool: a subcommand, damaged files, and options likely and unlikely.

use crate::damage::{damaged, one_of, with_extreme_number};
use crate::material::{Seed, Sort};
use crate::options::Choice;
use crate::values;
use crate::words::Rng;
use std::time::Duration;

/// Seconds given with `--limit-seconds` and its like, where a subcommand has such an option.
const SECONDS: [&str; 3] = ["0.5", "1", "2"];
/// Bytes given with `--limit-bytes`: the least that every subcommand takes.
pub const BYTES: u64 = 512 << 20;
/// Seconds for what has no limit of its own to give: lists, prints, rewrites.
const WITHOUT_LIMIT: f64 = 10.0;

/// A subcommand and the options it has.
#[derive(Clone, Debug)]
pub struct Subcommand {
    pub name: String,
    pub options: Vec<Choice>,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Case {
    pub subcommand: String,
    pub arguments: Vec<String>,
    /// Files of its folder, with their contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// Names of files and folders it may write.
    pub outputs: Vec<String>,
    /// What its limits come to.
    pub limit: Duration,
    pub json: bool,
}

impl Case {
    /// The bytes it may hold: those that its arguments allow, where these are more than all are given.
    pub fn bytes(&self) -> u64 {
        let mut pairs = self.arguments.windows(2);
        let given = pairs.find(|pair| pair[0] == "--limit-bytes");
        let given = given.and_then(|pair| pair[1].parse().ok());
        given.map_or(BYTES, |bytes: u64| bytes.max(BYTES))
    }
}

/// What cases are made of.
pub struct Maker<'a> {
    pub seeds: &'a [Seed],
    pub subcommands: &'a [Subcommand],
}

/// A case being put together.
struct Draft<'a> {
    seeds: &'a [Seed],
    rng: Rng,
    files: Vec<(String, Vec<u8>)>,
    outputs: Vec<String>,
    arguments: Vec<String>,
}

impl Maker<'_> {
    /// The case of this number, the same each time.
    pub fn case(&self, number: u64) -> Case {
        let mut rng = Rng::new(number);
        let subcommand = &self.subcommands[rng.below(self.subcommands.len())];
        let mut draft = Draft {
            seeds: self.seeds,
            rng,
            files: Vec::new(),
            outputs: Vec::new(),
            arguments: vec![subcommand.name.clone()],
        };
        draft.inputs(&subcommand.name);
        let given = draft.options(&subcommand.options);
        let limit = draft.limits(&subcommand.options, &given);
        let json = draft.rng.below(2) == 0;
        if json && !given.contains(&"--format".to_owned()) {
            draft
                .arguments
                .extend(["--format".to_owned(), "json".to_owned()]);
        }
        // What follows `--` is no option.
        let options = draft.arguments.split(|a| a == "--").next();
        let mut pairs = options.unwrap_or_default().windows(2);
        let json = pairs.any(|pair| pair == ["--format", "json"]);
        Case {
            subcommand: subcommand.name.clone(),
            arguments: draft.arguments,
            files: draft.files,
            outputs: draft.outputs,
            limit,
            json,
        }
    }
}

impl Draft<'_> {
    fn chance(&mut self, in_hundred: usize) -> bool {
        self.rng.below(100) < in_hundred
    }

    fn add(&mut self, arguments: &[&str]) {
        self.arguments
            .extend(arguments.iter().map(|a| (*a).to_owned()));
    }

    fn seed(&mut self, sort: Sort) -> Seed {
        let of_sort: Vec<&Seed> = self.seeds.iter().filter(|seed| seed.sort == sort).collect();
        assert!(!of_sort.is_empty(), "nothing of {sort:?} to damage");
        of_sort[self.rng.below(of_sort.len())].clone()
    }

    /// A file of this sort, mostly damaged, with what belongs beside it: its name and its options.
    fn file(&mut self, sort: Sort) -> (String, Vec<String>) {
        let mut seed = self.seed(sort);
        let other = self.seed(sort);
        let intact = self.chance(35);
        if !intact && (seed.beside.is_empty() || self.chance(80)) {
            seed.bytes = self.changed(sort, &seed.bytes, &other.bytes);
        } else if !intact {
            let at = self.rng.below(seed.beside.len());
            let beside = &mut seed.beside[at].1;
            *beside = self.changed(Sort::Source, beside, &other.bytes);
        }
        // Beside another file of the same name, in the folder of a suite too, it is another.
        let taken = |name: &str, files: &[(String, Vec<u8>)]| {
            let of_suite = format!("few/{name}");
            files.iter().any(|(n, _)| n == name || *n == of_suite)
        };
        let mut name = seed.name.clone();
        if taken(&name, &self.files) {
            name = format!("second-{name}");
        }
        for (name, bytes) in seed.beside {
            if !taken(&name, &self.files) {
                self.files.push((name, bytes));
            }
        }
        self.files.push((name.clone(), seed.bytes));
        (name, seed.options)
    }

    /// Text with something wrong: of programs half keep their syntax, or there would be little to judge.
    fn changed(&mut self, sort: Sort, bytes: &[u8], other: &[u8]) -> Vec<u8> {
        let mildly = sort == Sort::Source && self.chance(65);
        match mildly {
            true => with_extreme_number(bytes, &mut self.rng),
            false => damaged(bytes, other, &mut self.rng),
        }
    }

    /// The files a subcommand works on.
    fn inputs(&mut self, subcommand: &str) {
        let (sort, of_hundred, option) = match subcommand {
            "explore" => (Sort::Checkpoint, 25, Some("--continue")),
            "trace" => (Sort::Witness, 30, Some("--witness")),
            "rewrite" => (Sort::Derivation, 25, Some("--replay")),
            "prove" => (Sort::Rules, 15, None),
            "lower" => (Sort::Patterns, 15, Some("--patterns")),
            "lift" => (Sort::Patterns, 20, Some("--patterns")),
            "suite" => (Sort::Report, 25, Some("--baseline")),
            _ => (Sort::Source, 0, None),
        };
        let special = self.chance(of_hundred).then(|| self.file(sort));
        if let (Some((name, options)), Some(option)) = (&special, option) {
            self.add(&[option, name]);
            self.arguments.extend(options.iter().cloned());
        }
        match subcommand {
            "explore" | "rewrite" if special.is_some() => {
                // The program that goes with it.
                let program = self.files[0].0.clone();
                self.add(&[&program]);
            }
            "trace" if special.is_some() => {}
            "prove" if special.is_some() => {
                let rules = self
                    .files
                    .last()
                    .map_or(String::new(), |(name, _)| name.clone());
                self.add(&[&rules]);
            }
            "check" | "explore" | "trace" | "prove" | "lower" | "rewrite" | "diff" | "equiv"
            | "offload" => {
                let (name, options) = self.file(Sort::Source);
                self.add(&[&name]);
                if !["lower", "rewrite", "offload"].contains(&subcommand) && self.chance(70) {
                    self.arguments.extend(options);
                }
                if subcommand == "check" && self.chance(15) {
                    // Several are judged each in a process of its own.
                    let (second, _) = self.file(Sort::Source);
                    self.add(&[&second]);
                }
                if subcommand == "equiv" {
                    let (second, _) = match self.chance(70) {
                        true => self.changed_twin(&name),
                        false => self.file(Sort::Source),
                    };
                    self.add(&[&second]);
                }
                if subcommand == "diff" {
                    self.add(&["--device", "interpreter"]);
                }
                if subcommand == "rewrite" {
                    let (rules, _) = self.file(Sort::Rules);
                    self.add(&["--rules", &rules]);
                }
            }
            "verify" => {
                let (name, _) = self.file(Sort::Pipeline);
                self.add(&[&name]);
            }
            "lift" => {
                let (name, options) = self.file(Sort::Host);
                self.add(&[&name]);
                // A target or a pattern file.
                let skip = if special.is_some() { 2 } else { 0 };
                self.arguments.extend(options.into_iter().skip(skip));
            }
            "replay" => {
                let (name, _) = self.file(Sort::Witness);
                self.add(&[&name]);
            }
            "suite" => {
                for _ in 0..=self.rng.below(2) {
                    let (name, _) = self.file(Sort::Source);
                    if let Some((own, _)) = self.files.iter_mut().find(|(own, _)| *own == name) {
                        *own = format!("few/{name}");
                    }
                }
                self.add(&["few", "--jobs", "1"]);
            }
            "normalise" => {
                let (terms, _) = self.file(Sort::Terms);
                let rules = match self.chance(70) {
                    true => "simplify.rules".to_owned(),
                    false => self.file(Sort::Rules).0,
                };
                self.add(&[&terms, "--rules", &rules]);
            }
            "gpu-run" => {
                let (cases, _) = self.file(Sort::Cases);
                self.add(&[
                    "--device",
                    "interpreter",
                    "--no-recordings",
                    "--cases",
                    &cases,
                ]);
            }
            "completions" => self.add(&["bash"]),
            _ => {}
        }
    }

    /// The file of this name once more, with one thing changed.
    fn changed_twin(&mut self, name: &str) -> (String, Vec<String>) {
        let other = self.seed(Sort::Source).bytes;
        let own = self.files.iter().find(|(n, _)| n == name);
        let bytes = own.map_or(Vec::new(), |(_, bytes)| bytes.clone());
        let twin = format!("twin-{name}");
        let changed = self.changed(Sort::Source, &bytes, &other);
        self.files.push((twin.clone(), changed));
        (twin, Vec::new())
    }

    /// Some of the options there are, with values; their names.
    fn options(&mut self, choices: &[Choice]) -> Vec<String> {
        // Set by `inputs` or `limits`, or (the device) never another than there.
        const SET: [&str; 13] = [
            "--device",
            "--continue",
            "--replay",
            "--patterns",
            "--cases",
            "--rules",
            "--jobs",
            "--witness",
            "--step",
            "--prepare",
            "--recordings",
            "--verbose",
            "--watch",
        ];
        let mut given = Vec::new();
        let n_given = [0, 0, 1, 1, 2, 4][self.rng.below(6)];
        for _ in 0..n_given {
            if choices.is_empty() {
                break;
            }
            let choice = &choices[self.rng.below(choices.len())];
            let once = given.contains(&choice.name) || self.arguments.contains(&choice.name);
            if SET.contains(&&*choice.name) || once && !self.chance(5) {
                continue;
            }
            self.arguments.push(choice.name.clone());
            given.push(choice.name.clone());
            if !choice.value.is_empty() {
                let first = self.files.first().map(|(name, _)| name.as_str());
                let (value, is_output) =
                    values::value(choice, first, self.outputs.len(), &mut self.rng);
                if is_output {
                    self.outputs.push(value.clone());
                }
                self.arguments.push(value);
            }
        }
        if self.chance(2) {
            let odd = one_of(
                &mut self.rng,
                &["--", "-", "--no-such-option", "-x", "", "@file", "x"],
            );
            self.add(&[odd]);
        }
        given
    }

    /// Limits where there are such options and none is given, and the time they come to.
    fn limits(&mut self, choices: &[Choice], given: &[String]) -> Duration {
        let has = |name: &str| choices.iter().any(|choice| choice.name == name);
        let free = |name: &str| has(name) && !given.iter().any(|g| g == name);
        let seconds = one_of(&mut self.rng, &SECONDS);
        if free("--limit-bytes") {
            self.add(&["--limit-bytes", &BYTES.to_string()]);
        }
        if free("--fuel") {
            self.add(&["--fuel", "5000"]);
        }
        for name in ["--limit-seconds", "--file-seconds", "--time-limit"] {
            if free(name) {
                self.add(&[name, seconds]);
            }
        }
        let allowed = |name: &str| -> Option<f64> {
            let at = self.arguments.iter().position(|a| a == name)?;
            self.arguments
                .get(at + 1)?
                .parse()
                .ok()
                .filter(|s| *s > 0.0)
        };
        // A suite takes the time of each of its files, `diff` that of the device besides.
        let n_judged = self
            .files
            .iter()
            .filter(|(name, _)| name.starts_with("few/"))
            .count();
        let whole = allowed("--limit-seconds").map(|s| s + allowed("--time-limit").unwrap_or(0.0));
        let of_files = allowed("--file-seconds").map(|s| s * n_judged as f64);
        let limit = match (of_files, whole) {
            (Some(of_files), _) => of_files,
            (None, Some(whole)) => whole,
            (None, None) if has("--limit-seconds") => 1.0,
            (None, None) => WITHOUT_LIMIT,
        };
        Duration::from_secs_f64(limit)
    }
}
