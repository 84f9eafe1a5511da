//! Options that say what is judged: entry, launch, arguments, and how the file is read.

use gridlock::input::contents::ContentsSpec;
use gridlock::input::error::InputError;
use gridlock::input::request::{EntryRequest, ExtentSpec, LaunchSpec, parse_dim3};
use gridlock_checker::limits::Limits;
use gridlock_frontend::{MAX_RECURSION, ParseOptions};
use gridlock_semantics::setup::arbitrary::is_arbitrary;
use gridlock_semantics::setup::texture::is_of_texture;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Which entry, at which launch, with which arguments.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "What to run")]
pub struct EntryOptions {
    /// Kernel or host function; without it, every kernel of the file
    #[arg(long, short, value_name = "NAME", visible_alias = "entry")]
    pub kernel: Option<String>,
    /// Blocks in the grid: `4`, or `4,2,1` for x, y and z
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub grid: Option<String>,
    /// Threads in a block: `64`, or `8,8,1` for x, y and z
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub block: Option<String>,
    /// Dynamic shared memory of a block, in bytes; without it, `check` takes as much as is used
    #[arg(long, value_name = "BYTES")]
    pub shared_bytes: Option<u32>,
    /// Value of a scalar parameter; 0 for a pointer that is null (repeatable)
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub args: Vec<String>,
    /// Number of elements of an array parameter: a number, a scalar parameter, or a product
    /// (`a=n*4`); without it, how far an array may be used is not judged (repeatable)
    #[arg(long = "extent", value_name = "NAME=COUNT")]
    pub extents: Vec<String>,
    /// First contents of an array parameter, or of a variable of the file: `zero`, `undef`,
    /// `fill:VALUE`, `range:FIRST:STEP` (wraps round where the type ends), `list:VALUE,…` (so many elements; beyond, where --extent says more, 0), `random:SEED`,
    /// `below:BOUND:SEED` (random numbers from 0 up to, but not with, the bound), `arbitrary:SEED`
    /// (random, and about half of them zero) or `@FILE` (plain little-endian bytes, or NumPy's `.npy`; it says how
    /// many elements there are, too), of a variable also `initial`; without it, random, and of
    /// an array of indices in most samples within what it indexes (repeatable)
    #[arg(long = "contents", value_name = "NAME=CONTENTS")]
    pub contents: Vec<String>,
}

impl EntryOptions {
    pub fn request(&self) -> Result<EntryRequest, InputError> {
        let dims = |text: &Option<String>, option: &str| {
            text.as_deref()
                .map(parse_dim3)
                .transpose()
                .map_err(|e| InputError::usage(format!("--{option} {}", e.message)))
        };
        let mut extents = BTreeMap::new();
        for (name, text) in pairs("extent", &self.extents)? {
            extents.insert(name, ExtentSpec::parse(&text)?);
        }
        let mut contents = BTreeMap::new();
        for (name, text) in pairs("contents", &self.contents)? {
            contents.insert(name, ContentsSpec::of_option(&text)?);
        }
        Ok(EntryRequest {
            entry: self.kernel.clone(),
            launch: LaunchSpec {
                grid: dims(&self.grid, "grid")?,
                block: dims(&self.block, "block")?,
                shared_bytes: self.shared_bytes,
            },
            args: pairs("arg", &self.args)?,
            extents,
            contents,
            asked: None,
            layouts: Vec::new(),
            has_any_block: false,
            of_kernels: BTreeMap::new(),
            launches: Vec::new(),
            other_launches: Default::default(),
        })
    }
}

/// Reads `NAME=VALUE` texts; the same name twice is refused.
pub fn pairs(option: &str, texts: &[String]) -> Result<BTreeMap<String, String>, InputError> {
    let mut found = BTreeMap::new();
    for text in texts {
        let Some((name, value)) = text.split_once('=') else {
            return Err(InputError::usage(format!(
                "--{option} `{text}`: write NAME=VALUE"
            )));
        };
        let (name, value) = (name.trim(), value.trim());
        // Members of a struct in memory (`p.{x,y}`), and values nobody knows, have names of their own.
        let of_c = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_name = name.starts_with(|c| of_c(c) && !c.is_ascii_digit())
            && (name.chars().all(|c| of_c(c) || ".{,}[]".contains(c))
                || is_arbitrary(name)
                || is_of_texture(name));
        if !is_name {
            return Err(InputError::usage(format!(
                "--{option} `{text}`: `{name}` is no name of a parameter"
            )));
        }
        if value.is_empty() {
            return Err(InputError::usage(format!(
                "--{option} `{text}`: there is nothing after `=`"
            )));
        }
        if found.insert(name.to_owned(), value.to_owned()).is_some() {
            return Err(InputError::usage(format!(
                "--{option} `{text}`: `{name}` was given before"
            )));
        }
    }
    Ok(found)
}

/// How source files are read.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Reading the source")]
pub struct SourceOptions {
    /// Define a macro (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Look for included files here (repeatable)
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,
    /// Refuse a file that includes a header which is not found, or in which clang finds an error [default:
    /// judge what does not depend on these, and say so]
    #[arg(long)]
    pub require_includes: bool,
    /// Make this instance of a kernel template, `kernel<float, 256>` (repeatable)
    #[arg(long, value_name = "KERNEL<ARGUMENTS>")]
    pub instantiate: Vec<String>,
    /// Dialect of C++ or C to read the file as, as clang names it [default: c++17; gnu17 for C]
    #[arg(long = "std", value_name = "DIALECT")]
    pub standard: Option<String>,
    /// Unfold calls of recursive functions this deep [default: 8, less where a function calls itself in
    /// several places]
    #[arg(long, value_name = "DEPTH")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RECURSION)))]
    pub recursion: Option<u32>,
    /// Give `main` these arguments, separated by spaces [default: none]
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub argv: Option<String>,
}

impl SourceOptions {
    fn arguments(&self) -> Vec<String> {
        let text = self.argv.as_deref().unwrap_or_default();
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// As [`SourceOptions::parse_options`], within the limits of a command.
    pub fn parse_options_within(&self, limits: &Limits) -> ParseOptions {
        ParseOptions {
            limits: gridlock::input::source::read_limits(limits),
            ..self.parse_options()
        }
    }

    pub fn parse_options(&self) -> ParseOptions {
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        ParseOptions {
            defines: self.defines.iter().map(define).collect(),
            include_dirs: self.includes.clone(),
            require_includes: self.require_includes,
            instantiate: self.instantiate.clone(),
            standard: self.standard.clone(),
            recursion: self.recursion,
            argv: self.arguments(),
            ..ParseOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: Result<&[(&str, &str)], &str>) {
        let texts: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
        match (pairs("arg", &texts), expected) {
            (Ok(found), Ok(expected)) => {
                let found: Vec<(&str, &str)> = found.iter().map(|(n, v)| (&**n, &**v)).collect();
                assert_eq!(found, expected);
            }
            (Err(error), Err(part)) => {
                assert!(error.message.contains(part), "{}", error.message)
            }
            (found, expected) => panic!("{found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn names_and_values() {
        check(&["n=100", " m = -1"], Ok(&[("m", "-1"), ("n", "100")]));
        check(&["n"], Err("write NAME=VALUE"));
        check(&["=3"], Err("no name of a parameter"));
        check(&["3n=3"], Err("no name of a parameter"));
        check(&["n="], Err("nothing after"));
        check(&["n=1", "n=2"], Err("given before"));
    }
}
