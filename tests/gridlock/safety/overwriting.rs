//! What a command writes never takes the place of what it reads.

use super::support::{Folder, KERNEL, RACE, pipeline};
use std::os::unix::fs::symlink;

const RULES: &str = "shared-memory";

/// `source` refuses to be the output of each of these commands under any of its names; `OUT` stands for the name.
fn check(source: &str, text: &str, command: &[&str]) {
    let folder = Folder::new(&[(source, text)]);
    symlink(folder.path(source), folder.path("soft")).unwrap();
    std::fs::hard_link(folder.path(source), folder.path("hard")).unwrap();
    std::fs::create_dir(folder.path("below")).unwrap();
    let before = folder.files();
    for name in [source, "soft", "hard", &format!("./below/../{source}")] {
        let command: Vec<&str> = command
            .iter()
            .map(|a| if *a == "OUT" { name } else { *a })
            .collect();
        let ran = folder.run(&command);
        ran.refuses("this is an input of the command");
        assert_eq!(folder.read(source), text, "{command:?}");
        assert_eq!(folder.files(), before, "{command:?}");
    }
}

#[test]
fn a_source_is_not_overwritten() {
    check(
        "k.cu",
        KERNEL,
        &["lower", "k.cu", "-t", "cuda", "-o", "OUT"],
    );
    check(
        "k.cu",
        KERNEL,
        &["lower", "k.cu", "-t", "scheme", "-o", "OUT"],
    );
    check(
        "k.cu",
        RACE,
        &["check", "k.cu", "--block", "2", "--save-witness", "OUT"],
    );
    check(
        "k.cu",
        RACE,
        &[
            "equiv",
            "k.cu",
            "k.cu",
            "--block",
            "2",
            "--save-witness",
            "OUT",
        ],
    );
    check("k.cu", RACE, &["prove", "k.cu", "--save-witness", "OUT"]);
    for option in ["--save-witness", "--dot", "--html", "--checkpoint"] {
        check(
            "k.cu",
            RACE,
            &["explore", "k.cu", "--block", "2", option, "OUT"],
        );
    }
    check(
        "k.cu",
        KERNEL,
        &["rewrite", "k.cu", "--rules", RULES, "--trace-file", "OUT"],
    );
    let host = "int main() { return 0; }\n";
    check(
        "k.cpp",
        host,
        &["lift", "k.cpp", "--target", "cuda-runtime", "-o", "OUT"],
    );
}

#[test]
fn nor_are_headers_rules_profiles_and_witnesses() {
    let folder = Folder::new(&[("k.cu", "#include \"h.h\"\n"), ("h.h", RACE)]);
    let lower = ["lower", "k.cu", "-t", "cuda", "-o", "h.h"];
    folder.run(&lower).refuses("this is an input");
    assert_eq!(folder.read("h.h"), RACE);
    folder.write("p.toml", "base = \"cuda\"\nname = \"p\"\n");
    let check = [
        "check",
        "k.cu",
        "--block",
        "2",
        "--profile",
        "p.toml",
        "--save-witness",
        "p.toml",
    ];
    folder.run(&check).refuses("this is an input");
    let made = folder.run(&["check", "k.cu", "--block", "2", "--save-witness", "w.json"]);
    assert_eq!(made.status, Some(1), "{made:?}");
    let witness = folder.read("w.json");
    folder
        .run(&["replay", "w.json", "--html", "w.json"])
        .refuses("this is an input");
    assert_eq!(folder.read("w.json"), witness);
    let mut trace = vec![
        "rewrite",
        "k.cu",
        "--rules",
        RULES,
        "--trace-file",
        "t.json",
    ];
    // No rule applies: a trace of no steps.
    let made = folder.run(&trace);
    assert_eq!(made.status, Some(3), "{made:?}");
    trace.extend(["--replay", "t.json"]);
    let again: Vec<&str> = trace
        .into_iter()
        .filter(|a| !["--rules", RULES].contains(a))
        .collect();
    folder.run(&again).refuses("this is an input");
}

/// A search that is gone on with may be kept where it came from: that is the same search.
#[test]
fn a_checkpoint_may_take_its_own_place() {
    let folder = Folder::new(&[("k.cu", RACE)]);
    let explore = [
        "explore",
        "k.cu",
        "--block",
        "6",
        "--no-reduction",
        "--no-termination",
    ];
    let made = folder.run(&[&explore[..], &["--limit-states", "10", "--checkpoint", "c"]].concat());
    assert!(folder.path("c").exists(), "{made:?}");
    let on = [
        "--limit-states",
        "20",
        "--continue",
        "c",
        "--checkpoint",
        "c",
    ];
    let on = folder.run(&[&explore[..], &on].concat());
    assert_ne!(on.status, Some(2), "{on:?}");
    let page = ["--continue", "c", "--dot", "c"];
    folder
        .run(&[&explore[..], &page].concat())
        .refuses("this is an input");
}

#[test]
fn a_pipeline_does_not_overwrite_what_it_reads() {
    let lower = "[[lower]]\ntargets = [\"cuda\"]\n";
    let folder = Folder::new(&[("report.json", KERNEL)]);
    // Whoever made the folder may call a source as a result is called.
    for name in ["00-source.scheme", "p-cuda.cu"] {
        let folder = Folder::new(&[("k.cu", KERNEL)]);
        symlink(folder.path("k.cu"), folder.path(name)).unwrap();
        folder.write("p.toml", &pipeline("k.cu", lower));
        for option in ["--out", "--write"] {
            if (option, name) == ("--write", "00-source.scheme") {
                continue;
            }
            folder
                .run(&["verify", "p.toml", option, "."])
                .refuses("this is an input");
            assert_eq!(folder.read("k.cu"), KERNEL);
        }
    }
    // The pipeline itself may stand where the report goes.
    folder.write("k.cu", KERNEL);
    folder.write("report.json", &pipeline("k.cu", ""));
    folder
        .run(&["verify", "report.json", "--out", "."])
        .refuses("this is an input");
}

#[test]
fn no_result_leaves_its_folder() {
    let expect = "[[step]]\nname = \"../../s\"\nrules = \"shared-memory\"\n\
                  expect = [{ profile = \"../profile.toml\", verdict = \"unknown\" }]\n";
    let folder = Folder::new(&[
        ("a/k.cu", KERNEL),
        ("a/profile.toml", "base = \"cuda\"\nname = \"../../q\"\n"),
    ]);
    let text = pipeline("k.cu", expect).replace("\"p\"", "\"../../../p\"");
    folder.write(
        "a/p.toml",
        &format!("{text}[[lower]]\ntargets = [\"cuda\"]\nstep = \"source\"\n"),
    );
    std::fs::create_dir(folder.path("a/b")).unwrap();
    let mut tool = folder.tool(&["verify", "../p.toml", "--out", "c/d", "--keep-going"]);
    let ran = super::support::ran(tool.current_dir(folder.path("a/b")));
    let known = ["a/k.cu", "a/p.toml", "a/profile.toml"];
    let new: Vec<String> = folder
        .files()
        .into_iter()
        .filter(|f| !known.contains(&f.as_str()))
        .collect();
    assert!(!new.is_empty(), "{ran:?}");
    let outside = new.iter().find(|file| !file.starts_with("a/b/c/d/"));
    assert_eq!(outside, None, "{ran:?}");
}

/// A link that came with the folder leads nowhere.
#[test]
fn a_link_in_the_folder_of_results_is_not_followed() {
    let folder = Folder::new(&[
        ("k.cu", KERNEL),
        ("p.toml", &pipeline("k.cu", "")),
        ("victim", "precious"),
    ]);
    std::fs::create_dir(folder.path("out")).unwrap();
    for name in ["report.json", "00-source.scheme"] {
        symlink(folder.path("victim"), folder.path(&format!("out/{name}"))).unwrap();
    }
    let ran = folder.run(&["verify", "p.toml", "--out", "out"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(folder.read("victim"), "precious");
    assert!(folder.read("out/report.json").contains("\"p\""));
}
