//! Labels in the form of GPUVerify's test suite, read as that tool's tester reads them: the label is the
//! start of line 1, in whatever case; options stand on line 2 and nowhere else; messages go from line 3 to
//! the first line that is no comment or an empty one.

use super::expected::{Expected, Said};
use crate::input::error::{ErrorKind, InputError};
use crate::input::request::{LaunchSpec, parse_dim3};
use gridlock_checker::verdict::Verdict;
use gridlock_semantics::setup::Dim3;
use std::path::Path;

/// Errors that tool may be expected to end with, of its present version and earlier ones.
const ERRORS: [&str; 13] = [
    "COMMAND_LINE_ERROR",
    "CLANG_ERROR",
    "OPT_ERROR",
    "BUGLE_ERROR",
    "GPUVERIFYVCGEN_ERROR",
    "NOT_ALL_VERIFIED",
    "BOOGIE_ERROR",
    "TIMEOUT",
    "CTRL_C",
    "CONFIGURATION_ERROR",
    "JSON_ERROR",
    "BOOGIE_INTERNAL_ERROR",
    "BOOGIE_OTHER_ERROR",
];

/// Options that say how that tool goes about it, or leave out part of what is judged here: they change no
/// program and no launch.
const PASSED_OVER: [&str; 46] = [
    "adversarial-abstraction",
    "asymmetric-asserts",
    "boogie-file",
    "boogie-opt",
    "bugle-opt",
    "check-array-bounds",
    "clang-opt",
    "cruncher-opt",
    "cuda",
    "debug",
    "equality-abstraction",
    "findbugs",
    "gen-smt2",
    "infer-info",
    "invariants-as-candidates",
    "k-induction-depth",
    "keep-temps",
    "kernel-args",
    "kernel-arrays",
    "loop-unwind",
    "math-int",
    "memout",
    "no-annotations",
    "no-barrier-access-checks",
    "no-infer",
    "no-inline",
    "omit-infer",
    "only-divergence",
    "only-intra-group",
    "only-log",
    "only-requires",
    "opencl",
    "opt-opt",
    "pointer-bitwidth",
    "race-instrumenter",
    "silent",
    "solver",
    "staged-inference",
    "stop-at-bpl",
    "stop-at-gbpl",
    "time",
    "time-as-csv",
    "timeout",
    "vcgen-opt",
    "verbose",
    "verify",
];

/// What such a header says.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub expected: Expected,
    pub launch: LaunchSpec,
    /// OpenCL's global size.
    pub work_items: Option<Dim3>,
    /// Lanes of a warp move together.
    pub lockstep: bool,
    /// `--no-benign-tolerance`: writes of the same value race.
    pub same_value_races: bool,
    pub said: Said,
}

/// Whether line 1 begins with a label.
pub(super) fn is_labelled(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let first = first.trim_start_matches('\u{feff}').to_ascii_lowercase();
    first.starts_with("//pass") || first.starts_with("//xfail:")
}

/// Reads the header of `text`; `None` where line 1 holds no label.
///
/// # Errors
/// An error that tool does not know, options that are none, or none at all; an option that changes what is
/// run in a way nothing here does.
pub(super) fn read(file: &str, text: &str) -> Result<Option<Label>, InputError> {
    if !is_labelled(text) {
        return Ok(None);
    }
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let place = |number: u32| move |error: InputError| error.in_file(file).at(number, 1);
    let mut label = Label {
        expected: expected(first.trim_start_matches('\u{feff}')).map_err(place(1))?,
        launch: LaunchSpec::default(),
        work_items: None,
        lockstep: false,
        same_value_races: false,
        said: Said::default(),
    };
    let Some(options) = lines.next().and_then(|line| line.strip_prefix("//")) else {
        let message = "below a label stands `//`, and after it the options, if any";
        return Err(place(2)(InputError::usage(message)));
    };
    let mut words = options.split_whitespace();
    while let Some(word) = words.next() {
        label
            .option(&substituted(word, file).map_err(place(2))?)
            .map_err(place(2))?;
        // Their values may be words of their own.
        if word == "-D" || word == "-I" {
            words.next();
        }
    }
    if label.expected == Expected::Refuted(vec![]) {
        for line in lines {
            match line.strip_prefix("//").map(str::trim_end) {
                Some(message) if !message.is_empty() => label.said.take(message),
                _ => break,
            }
        }
    }
    Ok(Some(label))
}

fn expected(line: &str) -> Result<Expected, InputError> {
    if line.to_ascii_lowercase().starts_with("//pass") {
        return Ok(Expected::AtLeast(Verdict::Passed));
    }
    let is_of_name = |c: &char| c.is_ascii_alphabetic() || *c == '_';
    let name = line.chars().skip("//xfail:".len()).take_while(is_of_name);
    let name = name.collect::<String>().to_ascii_uppercase();
    match name.as_str() {
        "COMMAND_LINE_ERROR" | "CLANG_ERROR" => Ok(Expected::Error(ErrorKind::Syntax)),
        _ if ERRORS.contains(&&*name) => Ok(Expected::Refuted(vec![])),
        _ => Err(InputError::usage(format!(
            "`xfail:{name}`: no error of GPUVerify ({})",
            ERRORS.join(", ")
        ))),
    }
}

/// An option with the folder of the file for `${KERNEL_DIR}`.
fn substituted(word: &str, file: &str) -> Result<String, InputError> {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let folder = folder.display().to_string();
    let text = word.replace("${KERNEL_DIR}", &folder);
    let text = text.replace("$KERNEL_DIR", &folder);
    match text.replace("$$", "").contains('$') {
        true => Err(InputError::usage(format!(
            "`{word}`: of variables only `${{KERNEL_DIR}}` is known"
        ))),
        false => Ok(text.replace("$$", "$")),
    }
}

impl Label {
    fn option(&mut self, option: &str) -> Result<(), InputError> {
        // The front end obeys these.
        if option.starts_with("-D") || option.starts_with("-I") {
            return Ok(());
        }
        let Some(text) = option.strip_prefix("--") else {
            return Err(InputError::usage(format!("`{option}`: no option")));
        };
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        let dims = || parse_dim3(value.trim_matches(['[', ']']));
        match key {
            "gridDim" | "num_groups" => self.launch.grid = Some(dims()?),
            "blockDim" | "local_size" => self.launch.block = Some(dims()?),
            "global_size" => self.work_items = Some(dims()?),
            "warp-sync" => self.lockstep |= value == "32",
            "no-benign-tolerance" => self.same_value_races = true,
            "global_offset" => {
                let message = format!("`{option}`: launches begin at 0 here");
                return Err(InputError::new(ErrorKind::Unsupported, message));
            }
            // That tool takes what begins like one of its options for it.
            _ if PASSED_OVER.iter().any(|known| known.starts_with(key)) => {}
            _ => {
                return Err(InputError::usage(format!(
                    "`{option}`: no option of GPUVerify that is known here"
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_checker::finding::DefectKind;

    fn label(text: &str) -> Label {
        read("folder/k.cu", text)
            .expect("a header")
            .expect("a label")
    }

    #[test]
    fn the_label_is_the_start_of_line_1_in_any_case() {
        for pass in ["//pass\n//", "//PASS\n//\n", "//Pass: always\n//  \n"] {
            assert_eq!(label(pass).expected, Expected::AtLeast(Verdict::Passed));
        }
        let fails = label("//XFAIL:not_all_verified\n//--blockDim=2 --gridDim=[4,2]\n");
        assert_eq!(fails.expected, Expected::Refuted(vec![]));
        assert_eq!(fails.launch.block, Some([2, 1, 1]));
        assert_eq!(fails.launch.grid, Some([4, 2, 1]));
        for none in [
            "// pass\n//\n",
            "\n//pass\n//\n",
            " //pass\n//\n",
            "int x;\n",
        ] {
            assert!(
                read("k.cu", none).expect("no mistake").is_none(),
                "{none:?}"
            );
        }
    }

    #[test]
    fn options_stand_on_line_2_alone() {
        let later = label("//pass\n//--blockDim=2\n//--gridDim=7\n//--blockDim=9\n");
        assert_eq!(later.launch.block, Some([2, 1, 1]));
        assert_eq!(later.launch.grid, None);
        let many = "//pass\n//--warp-sync=32 --no-benign-tolerance -DW=4 -D H=2 -I ${KERNEL_DIR}/x \
                    --boogie-file=${KERNEL_DIR}/a.bpl --vcgen-op=/x --global_size=[8,8]\n";
        let many = label(many);
        assert!(many.lockstep && many.same_value_races);
        assert_eq!(many.work_items, Some([8, 8, 1]));
        assert_eq!(
            substituted("-I${KERNEL_DIR}/x", "folder/k.cu").ok(),
            Some("-Ifolder/x".to_owned())
        );
    }

    #[test]
    fn messages_begin_on_line_3_and_end_where_the_comments_do() {
        let text = "//xfail:BOOGIE_ERROR\n//\n//kernel.cu:7:3:[\\s]+error: possible write-write race\n\n\
                    //barrier may be reached by non-uniform control flow\n";
        let said = label(text).said;
        assert_eq!(said.kinds, [DefectKind::DataRace]);
        assert_eq!(said.lines, [7]);
        let after_an_empty_one =
            label("//xfail:BOOGIE_ERROR\n//\n//\n//possible read-write race\n");
        assert_eq!(after_an_empty_one.said, Said::default());
    }

    #[test]
    fn mistakes_are_refused_at_their_lines() {
        let cases = [
            ("//xfail:RACE\n//\n", 1, "no error of GPUVerify"),
            ("//xfail:\n//\n", 1, "no error of GPUVerify"),
            ("//pass\nint x;\n", 2, "stands `//`"),
            ("//pass", 2, "stands `//`"),
            ("//pass\n//--blockDim=many\n", 2, "no extent"),
            ("//pass\n//--global_offset=64\n", 2, "launches begin at 0"),
            ("//pass\n//--no-such=64\n", 2, "no option of GPUVerify"),
            ("//pass\n//pass\n", 2, "no option"),
            ("//pass\n//-I${HOME}/x\n", 2, "`${KERNEL_DIR}`"),
        ];
        for (text, line, part) in cases {
            let error = read("k.cu", text).expect_err(text);
            assert!(error.message.contains(part), "{text:?}: {}", error.message);
            assert_eq!(error.line, Some(line), "{text:?}");
        }
    }
}
