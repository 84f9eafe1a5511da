//! Headers of labelled kernels: what is expected of the file, in its first comment lines.
//!
//! Our own form, one statement a line:
//!
//! ```text
//! // gridlock: verdict = refuted
//! // gridlock: kind = data-race
//! // gridlock: block = 64
//! // gridlock: arg = n=100
//! // gridlock: why = both threads write out[0]
//! ```
//!
//! `few-grid`, `few-block` and `few-arg` replace `grid`, `block` and `arg` under profiles that let any
//! set of threads fire, where the states of a launch are exponential in its threads.
//!
//! And GPUVerify's form (`gpuverify`): `//pass` or `//xfail:KIND` on line 1, `//--gridDim=… --blockDim=…` on line 2.
//! A line of the file that ends in `// <-- guilty` must be named by the defect found.

use super::expected::{Expected, Said};
use super::gpuverify::{self, Label};
use crate::input::contents::ContentsSpec;
use crate::input::error::InputError;
use crate::input::request::{EntryRequest, ExtentSpec, parse_dim3};
use gridlock_checker::verdict::Verdict;
use gridlock_semantics::profile::{Firing, Profile};

/// The label of one file.
#[derive(Clone, Debug)]
pub struct Header {
    /// What must come out.
    pub expected: Expected,
    /// Empty: the suite's own choice.
    pub profiles: Vec<String>,
    /// What is judged: entry, launch, arguments, extents, contents.
    pub entry: EntryRequest,
    /// What stands in for parts of `entry` where sets of threads fire.
    few: EntryRequest,
    /// As `--cooperative`.
    pub cooperative: bool,
    /// As `--inputs`.
    pub inputs: Option<String>,
    /// One sentence; empty in GPUVerify's form.
    pub why: String,
    /// Lines, from 1, that the defect must name.
    pub guilty: Vec<u32>,
    /// Writes of the same value are no race, as GPUVerify has it.
    pub tolerates_same_value: bool,
    /// What GPUVerify's messages, written below its label, say of the defect.
    pub said: Said,
}

/// What is gathered before it is checked.
#[derive(Default)]
struct Statements {
    verdict: Option<String>,
    kinds: Vec<String>,
    profiles: Vec<String>,
    entry: EntryRequest,
    few: EntryRequest,
    cooperative: bool,
    inputs: Option<String>,
    why: String,
}

impl Header {
    /// Whether `text` says anything of what is expected, rightly or not: line 1 in GPUVerify's form, the first
    /// comments in ours.
    pub fn is_there(text: &str) -> bool {
        gpuverify::is_labelled(text) || comments(text).any(|(_, comment)| is_statement(comment))
    }

    /// Reads the header of `text`; `file` is for messages.
    ///
    /// # Errors
    /// No header, or one that contradicts itself.
    pub fn read(file: &str, text: &str) -> Result<Header, InputError> {
        let mut found = Statements::default();
        let label = gpuverify::read(file, text)?;
        let mut work_items = None;
        if let Some(label) = &label {
            found.entry.launch = label.launch.clone();
            work_items = label.work_items;
            found
                .profiles
                .extend(label.lockstep.then(|| "lockstep-warp".to_owned()));
        }
        for (number, comment) in comments(text) {
            if label.is_none() && is_misplaced_label(comment) {
                let message = format!("`//{comment}`: GPUVerify's label stands on line 1");
                return Err(InputError::usage(message).in_file(file).at(number, 1));
            }
            statement(comment, &mut found).map_err(|e| e.in_file(file).at(number, 1))?;
        }
        let guilty: Vec<u32> = text
            .lines()
            .zip(1..)
            .filter(|(line, _)| line.trim_end().ends_with("// <-- guilty"))
            .map(|(_, number)| number)
            .collect();
        if let Some(work_items) = work_items {
            let group = found.entry.launch.block;
            let groups = crate::input::source::work_groups(work_items, group);
            found.entry.launch.grid = Some(groups.map_err(|e| e.in_file(file))?);
        }
        let ours = found.verdict.is_some();
        let expected = expectation(&found, label.as_ref()).map_err(|e| e.in_file(file))?;
        if ours && found.why.is_empty() {
            return Err(InputError::usage("the header has no `why`").in_file(file));
        }
        if !guilty.is_empty() && !matches!(expected, Expected::Refuted(_)) {
            let message = "a line is marked guilty, but no refutation is expected";
            return Err(InputError::usage(message).in_file(file).at(guilty[0], 1));
        }
        Ok(Header {
            expected,
            profiles: found.profiles,
            entry: found.entry,
            few: found.few,
            cooperative: found.cooperative,
            inputs: found.inputs,
            why: found.why,
            guilty,
            tolerates_same_value: label.as_ref().is_some_and(|l| !ours && !l.same_value_races),
            said: label.map(|l| l.said).unwrap_or_default(),
        })
    }

    /// The entry and launch to judge under `profile`.
    pub fn entry_under(&self, profile: &Profile) -> EntryRequest {
        let mut entry = self.entry.clone();
        if profile.axes.firing == Firing::Set {
            let few = &self.few;
            entry.launch.grid = few.launch.grid.or(entry.launch.grid);
            entry.launch.block = few.launch.block.or(entry.launch.block);
            entry.args.extend(few.args.clone());
        }
        entry
    }
}

/// The comments before the first line of anything else, with their lines.
fn comments(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().map(str::trim).zip(1..);
    let first = lines.take_while(|(line, _)| line.is_empty() || line.starts_with("//"));
    first.filter_map(|(line, number)| Some((number, line.strip_prefix("//")?.trim())))
}

fn is_statement(comment: &str) -> bool {
    comment.starts_with("gridlock:") || is_misplaced_label(comment)
}

/// What would be GPUVerify's label on line 1.
fn is_misplaced_label(comment: &str) -> bool {
    let comment = comment.to_ascii_lowercase();
    comment == "pass" || comment.starts_with("xfail:")
}

/// Reads one comment (what follows `//`) into `found`; comments that are no statement are passed
/// over.
fn statement(comment: &str, found: &mut Statements) -> Result<(), InputError> {
    let Some(text) = comment.strip_prefix("gridlock:") else {
        return Ok(());
    };
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| InputError::usage(format!("`{}`: write KEY = VALUE", text.trim())))?;
    ours(key.trim(), value.trim(), found)
}

fn ours(key: &str, value: &str, found: &mut Statements) -> Result<(), InputError> {
    if value.is_empty() {
        return Err(InputError::usage(format!("`{key}` has no value")));
    }
    let list = || value.split(',').map(|part| part.trim().to_owned());
    let pair = || {
        let (name, value) = value.split_once('=').ok_or_else(|| {
            InputError::usage(format!("`{key} = {value}`: write {key} = NAME=VALUE"))
        })?;
        Ok::<_, InputError>((name.trim().to_owned(), value.trim().to_owned()))
    };
    match key {
        "verdict" => found.verdict = Some(value.to_owned()),
        "kind" => found.kinds.extend(list()),
        "profile" => found.profiles.extend(list()),
        "kernel" => found.entry.entry = Some(value.to_owned()),
        "grid" => found.entry.launch.grid = Some(parse_dim3(value)?),
        "block" => found.entry.launch.block = Some(parse_dim3(value)?),
        "few-grid" => found.few.launch.grid = Some(parse_dim3(value)?),
        "few-block" => found.few.launch.block = Some(parse_dim3(value)?),
        "shared-bytes" => {
            let bytes = value.parse().map_err(|_| {
                InputError::usage(format!("`shared-bytes = {value}`: a number of bytes"))
            })?;
            found.entry.launch.shared_bytes = Some(bytes);
        }
        "arg" => found.entry.args.extend([pair()?]),
        "few-arg" => found.few.args.extend([pair()?]),
        "extent" => {
            let (name, value) = pair()?;
            found.entry.extents.insert(name, ExtentSpec::parse(&value)?);
        }
        "contents" => {
            let (name, value) = pair()?;
            let contents = ContentsSpec::parse(&value)?;
            found.entry.contents.insert(name, contents);
        }
        // The front end obeys these.
        "define" | "instantiate" | "std" | "recursion" | "argv" => {}
        "cooperative" if value == "yes" => found.cooperative = true,
        "cooperative" => return Err(InputError::usage("`cooperative`: say `yes`, or nothing")),
        "inputs" => found.inputs = Some(value.to_owned()),
        "why" => {
            if !found.why.is_empty() {
                found.why.push(' ');
            }
            found.why.push_str(value);
        }
        _ => return Err(InputError::usage(format!("unknown key `{key}`"))),
    }
    Ok(())
}

/// The expectation the statements amount to.
fn expectation(found: &Statements, label: Option<&Label>) -> Result<Expected, InputError> {
    let wrong = |message: String| Err(InputError::usage(message));
    let Some(verdict) = &found.verdict else {
        return match label {
            Some(label) => Ok(label.expected.clone()),
            None => wrong("no header: say `// gridlock: verdict = …` or `//pass`".to_owned()),
        };
    };
    match (verdict.as_str(), found.kinds.as_slice()) {
        ("passed", []) => Ok(Expected::AtLeast(Verdict::Passed)),
        ("proved", []) => Ok(Expected::AtLeast(Verdict::Proved)),
        ("passed" | "proved", _) => wrong(format!("`verdict = {verdict}` takes no `kind`")),
        ("refuted" | "error", []) => wrong(format!("`verdict = {verdict}` needs a `kind`")),
        ("refuted", names) => {
            let kinds = names.iter().map(|name| named("defect", name));
            Ok(Expected::Refuted(kinds.collect::<Result<_, _>>()?))
        }
        ("conditional", names) => {
            let kinds = names.iter().map(|name| named("defect", name));
            Ok(Expected::Conditional(kinds.collect::<Result<_, _>>()?))
        }
        ("unknown", []) => Ok(Expected::Unknown(None)),
        ("unknown", [name]) => Ok(Expected::Unknown(Some(named("reason", name)?))),
        ("error", [name]) => Ok(Expected::Error(named("error", name)?)),
        ("unknown" | "error", _) => wrong(format!("`verdict = {verdict}` takes one `kind`")),
        _ => wrong(format!(
            "unknown verdict `{verdict}`: proved, passed, conditional, refuted, unknown or error"
        )),
    }
}

/// A value of a closed vocabulary by its name in JSON; `what` is for the message.
fn named<T: serde::de::DeserializeOwned>(what: &str, name: &str) -> Result<T, InputError> {
    serde_json::from_value(serde_json::Value::String(name.to_owned()))
        .map_err(|_| InputError::usage(format!("unknown kind of {what} `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_checker::finding::DefectKind;

    fn read(text: &str) -> Result<Header, InputError> {
        Header::read("k.cu", text)
    }

    #[test]
    fn our_form() {
        let header = read(
            "// gridlock: verdict = refuted\n// gridlock: kind = data-race, out-of-bounds\n\
             // gridlock: block = 8,8\n// gridlock: arg = n=100\n// gridlock: extent = a=n\n\
             // gridlock: why = two threads\n// gridlock: why = write a[0]\n\n\
             __global__ void k(int *a, int n) {\n  a[0] = n; // <-- guilty\n}\n",
        )
        .unwrap();
        assert_eq!(
            header.expected,
            Expected::Refuted(vec![DefectKind::DataRace, DefectKind::OutOfBounds])
        );
        assert_eq!(header.entry.launch.block, Some([8, 8, 1]));
        assert_eq!(header.entry.launch.grid, None);
        assert_eq!(header.entry.args["n"], "100");
        assert_eq!(header.why, "two threads write a[0]");
        assert_eq!(header.guilty, [10]);
    }

    #[test]
    fn few_threads_where_sets_of_them_fire() {
        let header = read(
            "// gridlock: verdict = passed\n// gridlock: grid = 4\n// gridlock: block = 64\n\
             // gridlock: arg = n=100\n// gridlock: arg = m=1\n// gridlock: few-block = 2\n\
             // gridlock: few-arg = n=1\n// gridlock: why = x\n",
        )
        .unwrap();
        let under = |name| header.entry_under(&Profile::named(name).unwrap());
        let (cuda, paper) = (under("cuda"), under("paper"));
        assert_eq!(cuda.launch.block, Some([64, 1, 1]));
        assert_eq!((&*cuda.args["n"], &*cuda.args["m"]), ("100", "1"));
        assert_eq!(paper.launch.block, Some([2, 1, 1]));
        assert_eq!(paper.launch.grid, Some([4, 1, 1]));
        assert_eq!((&*paper.args["n"], &*paper.args["m"]), ("1", "1"));
    }

    /// Same-value writes are tolerated in GPUVerify's form alone, and there unless an option says otherwise.
    #[test]
    fn gpuverify_form() {
        let header = read("//pass\n//--blockDim=[64,1] --gridDim=2 --no-inline\n").unwrap();
        assert_eq!(header.expected, Expected::AtLeast(Verdict::Passed));
        assert_eq!(header.entry.launch.block, Some([64, 1, 1]));
        assert_eq!(header.entry.launch.grid, Some([2, 1, 1]));
        assert!(header.tolerates_same_value);
        let header = read("//xfail:BOOGIE_ERROR\n//--blockDim=4 --no-benign-tolerance\n").unwrap();
        assert_eq!(header.expected, Expected::Refuted(vec![]));
        assert!(!header.tolerates_same_value);
        let ours = read("// gridlock: verdict = passed\n// gridlock: why = x\n").unwrap();
        assert!(!ours.tolerates_same_value);
        let header = read("//pass\n//--local_size=4 --global_size=[8,1]\n").unwrap();
        assert_eq!(header.entry.launch.grid, Some([2, 1, 1]));
    }

    #[test]
    fn mistakes_are_refused() {
        let cases = [
            ("int x;\n", "no header"),
            ("\n// a comment\n\nint x;\n//pass\n", "no header"),
            ("// gridlock: verdict = proved\n", "no `why`"),
            (
                "// gridlock: verdict = refuted\n// gridlock: why = x\n",
                "needs a `kind`",
            ),
            (
                "// gridlock: verdict = refuted\n// gridlock: kind = race\n// gridlock: why = x\n",
                "unknown kind of defect `race`",
            ),
            (
                "// gridlock: verdict = maybe\n// gridlock: why = x\n",
                "unknown verdict",
            ),
            ("// gridlock: verdicts = proved\n", "unknown key"),
            ("// gridlock: proved\n", "KEY = VALUE"),
            ("// gridlock: arg = n\n", "NAME=VALUE"),
            ("// gridlock: block = many\n", "no extent"),
            ("// gridlock: cooperative = perhaps\n", "say `yes`"),
            (
                "//pass\n//\nint x; // <-- guilty\n",
                "no refutation is expected",
            ),
            ("// A story.\n//PASS\n", "stands on line 1"),
            ("\n// xfail:BOOGIE_ERROR\n", "stands on line 1"),
        ];
        for (text, part) in cases {
            let error = read(text).unwrap_err();
            assert!(error.message.contains(part), "{text:?}: {}", error.message);
        }
    }
}
