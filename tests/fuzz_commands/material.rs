//! What is damaged: files of the tree, and files the tool itself writes (witnesses, checkpoints,
//! derivations, lowered host code, reports), each with the files that belong beside it.

use crate::process;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// CUDA C++, OpenCL C, C or a scheme.
    Source,
    Rules,
    Pipeline,
    Profile,
    Patterns,
    /// Host code over another interface.
    Host,
    Witness,
    /// Steps of `rewrite --trace-file`.
    Derivation,
    /// A search that was cut.
    Checkpoint,
    /// What `suite --format json` printed.
    Report,
    /// What `gpu-run --prepare` wrote.
    Cases,
    /// Terms for `normalise`.
    Terms,
}

/// A file to damage.
#[derive(Clone, Debug)]
pub struct Seed {
    pub sort: Sort,
    pub name: String,
    pub bytes: Vec<u8>,
    /// Files it names, with their contents.
    pub beside: Vec<(String, Vec<u8>)>,
    /// Options that go with it: the launch its header asks for, its target, its rules.
    pub options: Vec<String>,
}

const SOURCES: [&str; 4] = ["cu", "cl", "c", "scheme"];

/// Everything there is to damage.
pub fn all(program: &Path, scratch: &Path) -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seeds = Vec::new();
    let folders = ["corpus", "language", "rules", "transformations", "input"];
    let folders = folders.map(|name| root.join("tests").join(name));
    for path in folders.iter().flat_map(|folder| files(folder)) {
        let extension = extension(&path);
        if SOURCES.contains(&&*extension) {
            let options = launch_of(&text(&path));
            seeds.push(Seed {
                options,
                ..plain(Sort::Source, &path)
            });
        } else if extension == "toml" {
            seeds.push(pipeline(&path));
        }
    }
    for path in files(&root.join("examples")) {
        match &*extension(&path) {
            "toml" => seeds.push(pipeline(&path)),
            "rules" => seeds.push(plain(Sort::Rules, &path)),
            extension if SOURCES.contains(&extension) => seeds.push(plain(Sort::Source, &path)),
            _ => {}
        }
    }
    for path in files(&root.join("transforms/rules")) {
        seeds.push(plain(Sort::Rules, &path));
    }
    for path in files(&root.join("lowering/targets")) {
        seeds.push(plain(Sort::Patterns, &path));
    }
    let own = root.join("tests/fuzz_commands/material");
    for path in files(&own) {
        match &*extension(&path) {
            "terms" => seeds.push(Seed {
                beside: vec![(
                    "simplify.rules".to_owned(),
                    bytes(&own.join("simplify.rules")),
                )],
                ..plain(Sort::Terms, &path)
            }),
            "rules" => seeds.push(plain(Sort::Rules, &path)),
            _ => {}
        }
    }
    seeds.extend(written(program, scratch, root));
    seeds
}

/// What the tool writes.
fn written(program: &Path, scratch: &Path, root: &Path) -> Vec<Seed> {
    let folder = scratch.join("material");
    std::fs::create_dir_all(&folder).expect("a folder");
    let run = |arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
        let most = Duration::from_secs(60);
        process::run(program, &arguments, &folder, &scratch.join("making"), most)
    };
    let copied = |from: &str, to: &str| {
        let contents = bytes(&root.join(from));
        std::fs::write(folder.join(to), &contents).expect("a copy");
        contents
    };
    let mut seeds = Vec::new();
    let mut take = |sort, name: &str, beside: Vec<(String, Vec<u8>)>, options: &[&str]| {
        let path = folder.join(name);
        if path.exists() {
            let options = options.iter().map(|o| (*o).to_owned()).collect();
            seeds.push(Seed {
                beside,
                options,
                ..plain(sort, &path)
            });
        }
    };

    let broken = [
        ("races/neighbour-broken.cu", "--block=4"),
        ("barriers/in-a-branch-broken.cu", "--block=2"),
        ("progress/endless-loop-broken.cu", "--block=2"),
        ("memory/message-broken.cu", "--grid=2"),
        ("bounds/guard-broken.cu", "--block=8"),
        ("assertions/guard-broken.cu", "--block=4"),
        ("schemes/reversal-broken.scheme", "--block=4"),
        ("opencl/group-sum-broken.cl", "--block=4"),
    ];
    for (number, (from, launch)) in broken.into_iter().enumerate() {
        let from = format!("tests/corpus/{from}");
        if !root.join(&from).exists() {
            continue;
        }
        let file = format!("{number}.{}", extension(Path::new(&from)));
        let contents = copied(&from, &file);
        let witness = format!("{number}.json");
        let options = launch_of(&String::from_utf8_lossy(&contents));
        let mut arguments = vec![
            "check",
            &file,
            "--save-witness",
            &witness,
            "--limit-seconds",
            "10",
        ];
        match options.is_empty() {
            true => arguments.push(launch),
            false => arguments.extend(options.iter().map(String::as_str)),
        }
        run(&arguments);
        take(Sort::Witness, &witness, vec![(file, contents)], &[]);
    }

    let racy = copied("tests/corpus/memory/mutex.cu", "mutex.cu");
    for (number, engine) in ["stateful", "stateless"].into_iter().enumerate() {
        let kept = format!("{number}.search");
        let options = ["--grid", "2", "--block", "2", "--engine", engine];
        let cut = [
            "explore",
            "mutex.cu",
            "--limit-states",
            "60",
            "--checkpoint",
            &kept,
        ];
        run(&[&cut, &options[..]].concat());
        take(
            Sort::Checkpoint,
            &kept,
            vec![("mutex.cu".to_owned(), racy.clone())],
            &options,
        );
    }

    let summed = copied("examples/tree-sum/tree_sum.cu", "tree_sum.cu");
    run(&[
        "rewrite",
        "tree_sum.cu",
        "--rules",
        "shared-memory",
        "--trace-file",
        "steps.json",
    ]);
    take(
        Sort::Derivation,
        "steps.json",
        vec![("tree_sum.cu".to_owned(), summed)],
        &[],
    );

    let host = copied("tests/corpus/host/launch.cu", "launch.cu");
    for target in ["cuda-driver", "opencl-host", "csharp"] {
        run(&["lower", "launch.cu", "--target", target, "-o", target]);
        let (kernels, codes): (Vec<PathBuf>, Vec<PathBuf>) = files(&folder.join(target))
            .into_iter()
            .partition(|p| ["cu", "cl"].contains(&&*extension(p)));
        if let ([kernels], [code]) = (&kernels[..], &codes[..]) {
            let name = |path: &Path| {
                path.file_name()
                    .expect("a file")
                    .to_string_lossy()
                    .into_owned()
            };
            let beside = vec![(name(kernels), bytes(kernels))];
            let options = ["--target", target, "--kernels", &*name(kernels)];
            take(
                Sort::Host,
                &format!("{target}/{}", name(code)),
                beside,
                &options,
            );
        }
    }

    let few = folder.join("few");
    std::fs::create_dir_all(&few).expect("a folder");
    std::fs::write(few.join("launch.cu"), host).expect("a copy");
    let report = run(&["suite", "few", "--format", "json"]).stdout;
    std::fs::write(folder.join("report.json"), report).expect("a report");
    take(Sort::Report, "report.json", vec![], &[]);
    let listing = run(&["profiles", "cuda", "--format", "json"]).stdout;
    let listing: serde_json::Value = serde_json::from_str(&listing).expect("profiles as JSON");
    let mut profile = listing["profiles"][0]["axes"].clone();
    profile["name"] = "own".into();
    std::fs::write(folder.join("own.json"), profile.to_string()).expect("a profile");
    take(Sort::Profile, "own.json", vec![], &[]);
    let cases = folder.join("cases.json").display().to_string();
    let (arguments, most) = (["gpu-run", "--prepare", &cases], Duration::from_secs(120));
    let arguments = arguments.map(str::to_owned);
    process::run(program, &arguments, root, &scratch.join("making"), most);
    take(Sort::Cases, "cases.json", vec![], &[]);
    seeds
}

/// A pipeline whose source and rules stand beside it. Nothing in it is run on a device, and no other
/// compiler is asked.
fn pipeline(path: &Path) -> Seed {
    let mut seed = plain(Sort::Pipeline, path);
    let folder = path.parent().expect("a folder");
    let mut lines = Vec::new();
    for line in text(path).lines() {
        if line.starts_with("run =") || line.starts_with("nvcc =") {
            continue;
        }
        let mut line = line.to_owned();
        for key in ["source = \"", "rules = \"", "target = \""] {
            let Some(value) = line.strip_prefix(key).and_then(|v| v.split('"').next()) else {
                continue;
            };
            let named = folder.join(value);
            if named.is_file() {
                let name = named
                    .file_name()
                    .expect("a file")
                    .to_string_lossy()
                    .into_owned();
                line = line.replace(value, &name);
                seed.beside.push((name, bytes(&named)));
                break;
            }
        }
        lines.push(line);
    }
    seed.bytes = lines.join("\n").into_bytes();
    seed
}

/// The launch that the header of a labelled file asks for, as options.
fn launch_of(text: &str) -> Vec<String> {
    let mut options = Vec::new();
    for line in text.lines().take_while(|line| line.starts_with("//")) {
        let Some((key, value)) = line
            .strip_prefix("// gridlock: ")
            .and_then(|statement| statement.split_once(" = "))
        else {
            continue;
        };
        if ["grid", "block", "arg", "extent", "contents"].contains(&key) {
            options.extend([format!("--{key}"), value.to_owned()]);
        }
    }
    options
}

fn plain(sort: Sort, path: &Path) -> Seed {
    Seed {
        sort,
        name: path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned(),
        bytes: bytes(path),
        beside: Vec::new(),
        options: Vec::new(),
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let names = process::names_in(folder);
    let paths = names.into_iter().map(|name| folder.join(name));
    paths.filter(|path| path.is_file()).collect()
}

fn extension(path: &Path) -> String {
    path.extension()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&bytes(path)).into_owned()
}
