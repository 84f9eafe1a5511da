//! Names of files that read as options, or as files of options.

use super::support::{Folder, KERNEL, Ran, pipeline};
use gridlock_generation::effort;

/// What clang would write for the first name, were it an option; nothing for the others.
const NAMES: [&str; 5] = [
    "-stats-file=.%victim.cu",
    "@options.cu",
    "below/@options.cu",
    "--help.cu",
    "-ovictim.cu",
];

/// A folder with a file of each name, and one that must not change.
fn folder() -> Folder {
    let folder = Folder::new(&[("victim.cu", "precious"), ("options.cu", "-o victim.cu")]);
    for name in NAMES {
        folder.write(name, KERNEL);
    }
    // In another folder too, where the last part of the name counts.
    folder.write("below/@options.cu", KERNEL);
    // A name with a folder in it, as an option that writes would have it.
    folder.write("-stats-file=./victim.cu", KERNEL);
    folder
}

fn unharmed(folder: &Folder, name: &str, ran: &Ran) {
    assert_eq!(folder.read("victim.cu"), "precious", "{name}: {ran:?}");
}

#[test]
fn no_name_of_a_source_is_an_option() {
    let folder = folder();
    for name in NAMES.iter().chain(&["-stats-file=./victim.cu"]) {
        let check = ["check", "--block", "4", "--extent", "a=4", "--", name];
        let ran = folder.run(&check);
        assert_eq!(ran.status, Some(0), "{name}: {ran:?}");
        unharmed(&folder, name, &ran);
        if !effort::is_next_done(2) {
            continue;
        }
        for command in [
            &["explore", "--block", "2", "--", name][..],
            &["lower", "--target", "cuda", "--", name],
            &["rewrite", "--rules", "shared-memory", "--", name],
            &["equiv", "--block", "4", "--", name, name],
            &["prove", "--grid", "1", "--block", "4", "--", name],
            &[
                "diff",
                "--device",
                "interpreter",
                "--block",
                "4",
                "--",
                name,
            ],
        ] {
            let ran = folder.run(command);
            assert!(matches!(ran.status, Some(0 | 3)), "{command:?}: {ran:?}");
            unharmed(&folder, name, &ran);
        }
        let with_instance = format!("template <int N> {}", KERNEL.replace("= 1", "= N"));
        folder.write(name, &with_instance);
        let mut check = check.to_vec();
        check.splice(1..1, ["--instantiate", "k<3>"]);
        let ran = folder.run(&check);
        assert_eq!(ran.status, Some(0), "{name}: {ran:?}");
        unharmed(&folder, name, &ran);
        folder.write(name, KERNEL);
    }
}

#[test]
fn no_name_in_a_pipeline_is_an_option() {
    let folder = folder();
    for name in NAMES.iter().chain(&["-stats-file=./victim.cu"]) {
        folder.write("p.toml", &pipeline(name, ""));
        let ran = folder.run(&["verify", "p.toml"]);
        assert_eq!(ran.status, Some(0), "{name}: {ran:?}");
        unharmed(&folder, name, &ran);
    }
    for define in ["", "-stats-file=./victim.cu", "@options.cu", "N=1\\nM"] {
        let text = pipeline("@options.cu", "")
            .replace("entry", &format!("define = [\"{define}\"]\nentry"));
        folder.write("p.toml", &text);
        let ran = folder.run(&["verify", "p.toml"]);
        ran.refuses("-D");
        unharmed(&folder, define, &ran);
    }
    // There are no other keys: no program, plugin or output comes from a file.
    for key in [
        "clang = \"/bin/sh\"",
        "options = [\"-o\"]",
        "include = [\"/\"]",
        "out = \"/tmp\"",
    ] {
        let text = pipeline("@options.cu", "").replace("entry", &format!("{key}\nentry"));
        folder.write("p.toml", &text);
        folder.run(&["verify", "p.toml"]).refuses("unknown field");
    }
    let arch = "[[lower]]\ntargets = [\"cuda\"]\nnvcc = [\"sm_80 -o victim.cu\", \"--run\", \"@options.cu\"]\n";
    folder.write("p.toml", &pipeline("@options.cu", arch));
    let ran = folder.run(&["verify", "p.toml"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    unharmed(&folder, arch, &ran);
}

#[test]
fn no_line_at_the_head_of_a_file_is_an_option() {
    for line in [
        "//--gridDim=1 --blockDim=4 -D",
        "//--gridDim=1 --blockDim=4 -D-stats-file=victim.cu",
        "// gridlock: define = @options.cu",
        "// gridlock: std = c++17 -fplugin=x",
        "// gridlock: std = @options.cu",
    ] {
        let folder = folder();
        folder.write("k.cu", &format!("//pass\n{line}\n{KERNEL}"));
        let ran = folder.run(&["check", "k.cu"]);
        assert_eq!(ran.status, Some(2), "{line}: {ran:?}");
        unharmed(&folder, line, &ran);
    }
}

/// Options of the command line that name something for clang.
#[test]
fn no_value_of_an_option_is_another() {
    let folder = folder();
    folder.write("-stats-file=x/h.h", "#define N 1\n");
    folder.write("@options.cu.d/h.h", "#define N 1\n");
    folder.write(
        "k.cu",
        &format!("#include <h.h>\n{}", KERNEL.replace("= 1", "= N")),
    );
    for include in ["-I-stats-file=x", "-I@options.cu.d"] {
        let ran = folder.run(&["check", "k.cu", "--block", "4", "--extent", "a=4", include]);
        assert_eq!(ran.status, Some(0), "{include}: {ran:?}");
        unharmed(&folder, include, &ran);
    }
    folder
        .run(&["check", "k.cu", "-D", ""])
        .refuses("no name of a macro");
    folder
        .run(&["check", "k.cu", "--std", "c++17 -o x"])
        .refuses("no dialect");
}

/// Each file of a suite is given to a process of its own.
#[test]
fn no_name_in_a_suite_is_an_option() {
    let folder = Folder::new(&[]);
    let labelled = format!("//pass\n//--gridDim=1 --blockDim=4\n{KERNEL}");
    for name in ["-stats-file=x.cu", "@options.cu", "--alone.cu", "suite.cu"] {
        folder.write(&format!("-kernels/{name}"), &labelled);
    }
    let ran = folder.run(&["suite", "--jobs", "1", "--format", "json", "--", "-kernels"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.json()["rows"].as_array().map(Vec::len), Some(4));
}
