//! Options of one side of a comparison: `--a-grid`, `--b-arg`, …

use super::subject::{EntryOptions, SourceOptions};

macro_rules! side_options {
    ($name:ident, $heading:literal, $kernel:literal, $grid:literal, $block:literal, $shared:literal,
     $arg:literal, $extent:literal, $instantiate:literal) => {
        #[derive(Clone, Debug, Default, clap::Args)]
        #[command(next_help_heading = $heading)]
        pub struct $name {
            /// Kernel or host function
            #[arg(id = $kernel, long = $kernel, value_name = "NAME")]
            kernel: Option<String>,
            /// Blocks in the grid
            #[arg(id = $grid, long = $grid, value_name = "X[,Y[,Z]]")]
            grid: Option<String>,
            /// Threads in a block
            #[arg(id = $block, long = $block, value_name = "X[,Y[,Z]]")]
            block: Option<String>,
            /// Dynamic shared memory of a block, in bytes
            #[arg(id = $shared, long = $shared, value_name = "BYTES")]
            shared_bytes: Option<u32>,
            /// Value of a scalar parameter (repeatable)
            #[arg(id = $arg, long = $arg, value_name = "NAME=VALUE")]
            args: Vec<String>,
            /// Number of elements of an array parameter (repeatable)
            #[arg(id = $extent, long = $extent, value_name = "NAME=COUNT")]
            extents: Vec<String>,
            /// Make this instance of a kernel template, `kernel<float, 256>` (repeatable)
            #[arg(id = $instantiate, long = $instantiate, value_name = "KERNEL<ARGUMENTS>")]
            instantiate: Vec<String>,
        }

        impl $name {
            /// How this side's file is read: as both are, with its own instances beside.
            pub fn source(&self, both: &SourceOptions) -> SourceOptions {
                let mut source = both.clone();
                source.instantiate.extend(self.instantiate.iter().cloned());
                source
            }
        }

        impl From<$name> for EntryOptions {
            fn from(own: $name) -> EntryOptions {
                EntryOptions {
                    kernel: own.kernel,
                    grid: own.grid,
                    block: own.block,
                    shared_bytes: own.shared_bytes,
                    args: own.args,
                    extents: own.extents,
                    // Both sides run from one input: it is said once.
                    contents: Vec::new(),
                }
            }
        }
    };
}

side_options!(
    SideA,
    "A only",
    "a-kernel",
    "a-grid",
    "a-block",
    "a-shared-bytes",
    "a-arg",
    "a-extent",
    "a-instantiate"
);
side_options!(
    SideB,
    "B only",
    "b-kernel",
    "b-grid",
    "b-block",
    "b-shared-bytes",
    "b-arg",
    "b-extent",
    "b-instantiate"
);

/// What is said for both sides, with what one side says for itself put over it.
pub fn side(both: &EntryOptions, own: EntryOptions) -> EntryOptions {
    let pairs = |both: &[String], own: Vec<String>| {
        let name = |text: &String| text.split('=').next().unwrap_or("").trim().to_owned();
        let mut all: Vec<String> = both
            .iter()
            .filter(|text| !own.iter().any(|o| name(o) == name(text)))
            .cloned()
            .collect();
        all.extend(own);
        all
    };
    EntryOptions {
        kernel: own.kernel.or_else(|| both.kernel.clone()),
        grid: own.grid.or_else(|| both.grid.clone()),
        block: own.block.or_else(|| both.block.clone()),
        shared_bytes: own.shared_bytes.or(both.shared_bytes),
        args: pairs(&both.args, own.args),
        extents: pairs(&both.extents, own.extents),
        contents: pairs(&both.contents, own.contents),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_side_overrides_both() {
        let both = EntryOptions {
            grid: Some("4".to_owned()),
            block: Some("64".to_owned()),
            args: vec!["n=100".to_owned(), "m=3".to_owned()],
            ..EntryOptions::default()
        };
        let own = EntryOptions {
            grid: Some("2".to_owned()),
            args: vec!["n=50".to_owned()],
            ..EntryOptions::default()
        };
        let merged = side(&both, own);
        assert_eq!(merged.grid.as_deref(), Some("2"));
        assert_eq!(merged.block.as_deref(), Some("64"));
        assert_eq!(merged.args, ["m=3", "n=50"]);
    }
}
