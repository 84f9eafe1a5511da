//! Running clang: from source text to the JSON syntax tree.

use crate::error::{ErrorKind, FrontendError};
use crate::header_folder::HeaderFolder;
use crate::stand_ins;
use crate::syntax::{Node, NodeExt};
use crate::{Language, ParseOptions};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Deepest nesting of JSON values read; a syntax tree node is two of them. The engines walk
/// expressions by recursion, so that a program nested deeper is refused here, with a message.
const MAX_DEPTH: usize = 700;

/// One of clang's errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// By clang's name.
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// What clang made of a file.
pub(crate) struct Read {
    pub tree: Node,
    /// Its errors, in its order. clang goes on after each, as well as it can.
    pub complaints: Vec<Complaint>,
}

/// Runs clang on the file at `path` and gives its syntax tree. `shown` is the name of that file
/// in messages.
pub(crate) fn syntax_tree(
    path: &Path,
    shown: &str,
    language: Language,
    options: &ParseOptions,
) -> Result<Read, FrontendError> {
    let headers =
        HeaderFolder::new().map_err(|e| file_error("cannot write the stand-in headers", &e))?;
    let given = name_of(path, options);
    let output = match options.instantiate.is_empty() {
        true => run(&arguments(path, headers.path(), language, options), options)?,
        false => {
            let folder = tempfile::tempdir()
                .map_err(|e| file_error("cannot make a temporary folder", &e))?;
            let wrapper = folder.path().join(INSTANCES);
            std::fs::write(&wrapper, with_instances(&given, options))
                .map_err(|e| file_error("cannot write what instantiates templates", &e))?;
            run(
                &arguments(&wrapper, headers.path(), language, options),
                options,
            )?
        }
    };
    let complaints = match output.status.success() {
        true => Vec::new(),
        // A tree with errors is good for nothing but CUDA, where host and device code part.
        false => match complaints(&output) {
            Some(complaints) if language == Language::Cuda && !output.stdout.is_empty() => {
                complaints
            }
            _ => return Err(first_diagnostic(&output, &given, shown, options)),
        },
    };
    let tree = read_tree(output.stdout, shown)?;
    Ok(Read { tree, complaints })
}

/// clang's errors, if each has a place in a file and none is about how templates are instantiated on request.
fn complaints(output: &Output) -> Option<Vec<Complaint>> {
    let text = String::from_utf8_lossy(&output.stderr);
    let mut found = Vec::new();
    for line in text.lines() {
        if line.contains(": fatal error: ") || line.starts_with("error: ") {
            return None;
        }
        let Some((place, message)) = line.split_once(": error: ") else {
            continue;
        };
        let mut parts = place.rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let file = parts.next()?.to_string();
        if file.ends_with(INSTANCES) {
            return None;
        }
        let message = message.to_string();
        found.push(Complaint {
            file,
            line,
            column,
            message,
        });
    }
    (!found.is_empty()).then_some(found)
}

/// The file that instantiates templates for the file asked for, in a folder of its own.
const INSTANCES: &str = "gridlock_instances.cu";

/// clang's name of the file at `path`.
pub(crate) fn name_of(path: &Path, options: &ParseOptions) -> PathBuf {
    match options.instantiate.is_empty() {
        true => path.to_path_buf(),
        false => std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()),
    }
}

/// The file asked for, and an instance a line: to name one is to make it.
fn with_instances(path: &Path, options: &ParseOptions) -> String {
    let mut text = format!("#include \"{}\"\n", path.display());
    for (number, instance) in options.instantiate.iter().enumerate() {
        text += &format!("static auto *gridlock_instance_{number} = &{instance};\n");
    }
    text
}

/// Whether clang has dialects of a language to choose from; what OpenCL C is read as is fixed.
fn takes_standard(language: Language) -> bool {
    matches!(language, Language::Cuda | Language::C)
}

fn file_error(what: &str, error: &io::Error) -> FrontendError {
    FrontendError::new(ErrorKind::File, format!("{what}: {error}"))
}

fn arguments(
    path: &Path,
    headers: &Path,
    language: Language,
    options: &ParseOptions,
) -> Vec<std::ffi::OsString> {
    let mut all: Vec<std::ffi::OsString> = Vec::new();
    let mut add = |text: &str| all.push(text.into());
    let dialect: &[&str] = match language {
        Language::C => &["-x", "c", "-std=gnu17"],
        // clang declares the built-in functions that are used, and no others.
        Language::OpenCl => &[
            "-x",
            "cl",
            "-cl-std=CL2.0",
            "-cl-no-stdinc",
            "-Xclang",
            "-fdeclare-opencl-builtins",
            "-include",
            stand_ins::OPENCL_PRELUDE,
        ],
        // A scheme is no text for clang.
        Language::Cuda | Language::Scheme => &[
            "-x",
            "cuda",
            "--cuda-device-only",
            "--cuda-gpu-arch=sm_90",
            "-nocudainc",
            "-nocudalib",
            "-std=c++17",
            "-Xclang",
            "-fcuda-allow-variadic-functions",
            "-include",
            stand_ins::CUDA_PRELUDE,
        ],
    };
    for text in dialect {
        add(text);
    }
    // The sizes and the signedness of `char` are those of this target on every machine.
    for text in [
        "--target=x86_64-unknown-linux-gnu",
        "-nostdinc",
        "-fno-builtin",
        "-w",
        // An error of C++17's, which CUDA's compilers let pass.
        "-Wno-register",
        "-ferror-limit=0",
        "-fno-color-diagnostics",
        "-fno-caret-diagnostics",
        "-fsyntax-only",
        "-Xclang",
        "-ast-dump=json",
    ] {
        add(text);
    }
    // The last `-std` counts.
    if let Some(standard) = options
        .standard
        .as_ref()
        .filter(|_| takes_standard(language))
    {
        add(&format!("-std={standard}"));
    }
    for (name, value) in &options.defines {
        match value {
            Some(value) => add(&format!("-D{name}={value}")),
            None => add(&format!("-D{name}")),
        }
    }
    for dir in &options.include_dirs {
        all.push("-I".into());
        all.push(dir.into());
    }
    all.push("-isystem".into());
    all.push(headers.into());
    all.push("--".into());
    all.push(path.into());
    all
}

/// Runs the first clang there is: the option's, `$GRIDLOCK_CLANG`, `clang-19`, `clang`.
fn run(arguments: &[std::ffi::OsString], options: &ParseOptions) -> Result<Output, FrontendError> {
    let from_env = || std::env::var_os("GRIDLOCK_CLANG").map(PathBuf::from);
    let candidates = match options.clang.clone().or_else(from_env) {
        Some(chosen) => vec![chosen],
        None => vec!["clang-19".into(), "clang".into()],
    };
    for candidate in &candidates {
        match Command::new(candidate).args(arguments).output() {
            Ok(output) => return Ok(output),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let message = format!("cannot run {}: {error}", candidate.display());
                return Err(FrontendError::new(ErrorKind::Clang, message));
            }
        }
    }
    let tried: Vec<String> = candidates.iter().map(|c| c.display().to_string()).collect();
    let message = format!(
        "no clang found (tried {}): install the package clang-19, or name one in GRIDLOCK_CLANG",
        tried.join(", ")
    );
    Err(FrontendError::new(ErrorKind::Clang, message))
}

/// clang's first complaint, as an error of the file it speaks of.
fn first_diagnostic(
    output: &Output,
    path: &Path,
    shown: &str,
    options: &ParseOptions,
) -> FrontendError {
    let text = String::from_utf8_lossy(&output.stderr);
    let path = path.to_string_lossy();
    for line in text.lines() {
        let Some((place, message)) = line
            .split_once(": error: ")
            .or_else(|| line.split_once(": fatal error: "))
        else {
            continue;
        };
        let mut parts = place.rsplitn(3, ':');
        let (column, row, file) = (parts.next(), parts.next(), parts.next());
        if let (Some(Ok(column)), Some(Ok(row)), Some(file)) =
            (column.map(str::parse), row.map(str::parse::<u32>), file)
        {
            let instance = options.instantiate.get(row.wrapping_sub(2) as usize);
            if let (true, Some(instance)) = (file.ends_with(INSTANCES), instance) {
                let message = format!("--instantiate '{instance}': {message}");
                return FrontendError::new(ErrorKind::Syntax, message).at(shown, 0, 0);
            }
            let file = if file == path { shown } else { file };
            return FrontendError::new(ErrorKind::Syntax, message).at(file, row, column);
        }
        if place.starts_with("clang") || place.starts_with("error") {
            break;
        }
    }
    let first = text.lines().next().unwrap_or("no message").to_string();
    FrontendError::new(ErrorKind::Clang, format!("clang failed: {first}"))
}

/// Parses the dump; needs a stack with room for its nesting.
fn read_tree(json: Vec<u8>, shown: &str) -> Result<Node, FrontendError> {
    if depth(&json) > MAX_DEPTH {
        let message = "a program nested this deeply";
        return Err(FrontendError::new(ErrorKind::Unsupported, message).at(shown, 0, 0));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(&json);
    deserializer.disable_recursion_limit();
    let mut tree = Node::deserialize(&mut deserializer).map_err(|error| {
        FrontendError::new(
            ErrorKind::Clang,
            format!("cannot read clang's syntax tree (wanted: clang 19): {error}"),
        )
    })?;
    drop_comments(&mut tree);
    Ok(tree)
}

/// Comments that document a declaration stand among its children.
fn drop_comments(node: &mut Node) {
    node.inner.retain(|child| !child.is("FullComment"));
    for child in &mut node.inner {
        drop_comments(child);
    }
}

/// Deepest nesting of objects and arrays in a JSON text.
fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    let (mut in_string, mut escaped) = (false, false);
    for &byte in json {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// clang's dump of a CUDA source text.
    pub(crate) fn dump(text: &str) -> Vec<u8> {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("source.cu");
        std::fs::write(&path, text).expect("written");
        let headers = HeaderFolder::new().expect("written");
        let options = ParseOptions::default();
        let arguments = arguments(&path, headers.path(), Language::Cuda, &options);
        let output = run(&arguments, &options).expect("clang runs");
        assert!(output.status.success());
        output.stdout
    }

    #[test]
    fn depth_ignores_brackets_in_strings() {
        assert_eq!(depth(br#"{"a": ["[[[\"{", {}]}"#), 3);
    }
}
