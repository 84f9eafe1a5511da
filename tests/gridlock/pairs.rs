//! Pairs of kernels, each with a twin that is wrong: `before`, `after` and `wrong` of one file. What `equiv` says of them
//! stands at the head of the file; `docs/pairs.md` lists them all.

use crate::labelled::assert_table;
use crate::tool::run;
use gridlock_generation::effort;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const FOLDER: &str = "tests/pairs";
/// In a short run one pair in so many is judged.
const SHARE: usize = 11;
/// Of a long run, so that a slow machine changes no verdict.
const SECONDS: &str = "120";

struct Pair {
    name: String,
    path: PathBuf,
    /// The lines `// key: value` at its head.
    head: BTreeMap<String, String>,
    /// The comment behind them.
    about: String,
}

impl Pair {
    fn read(path: PathBuf) -> Pair {
        let text = std::fs::read_to_string(&path).unwrap();
        let comments = text.lines().filter_map(|line| line.strip_prefix("// "));
        let (mut head, mut about) = (BTreeMap::new(), None);
        for line in comments {
            match line.split_once(": ") {
                Some((key @ ("launch" | "after" | "wrong" | "modulo"), value)) => {
                    head.insert(key.to_owned(), value.to_owned());
                }
                _ => about = about.or(Some(line.to_owned())),
            }
        }
        Pair {
            name: path.file_stem().unwrap().display().to_string(),
            path,
            head,
            about: about.expect("a comment"),
        }
    }

    fn of(&self, key: &str) -> &str {
        self.head.get(key).map_or("", String::as_str)
    }

    fn verdict(&self, side: &str) -> String {
        let path = self.path.display().to_string();
        let mut arguments = vec!["equiv", &path, &path, "--format", "json"];
        arguments.extend(["--a-kernel", "before", "--b-kernel", side]);
        arguments.extend(["--limit-seconds", SECONDS]);
        arguments.extend(self.of("launch").split_whitespace());
        if let Some(modulo) = self.head.get("modulo") {
            arguments.extend(["--modulo", modulo]);
        }
        let report = run(&arguments).json();
        report["verdict"].as_str().unwrap_or("none").to_owned()
    }
}

fn pairs() -> Vec<Pair> {
    let files = std::fs::read_dir(Path::new(FOLDER)).unwrap();
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(Pair::read).collect()
}

#[test]
fn every_pair_comes_out_as_its_head_says() {
    let pairs = pairs();
    assert!(pairs.len() >= 60, "{}", pairs.len());
    let chosen: Vec<&Pair> = pairs
        .iter()
        .enumerate()
        .filter(|(number, _)| effort::is_done(*number, SHARE))
        .map(|(_, pair)| pair)
        .collect();
    let unlike = |pair: &&Pair| {
        let sides = ["after", "wrong"].into_iter();
        let unlike = sides.filter_map(|side| {
            let (verdict, expected) = (pair.verdict(side), pair.of(side));
            (verdict != expected)
                .then(|| format!("{} {side}: {verdict}, expected {expected}\n", pair.name))
        });
        unlike.collect::<String>()
    };
    let unlike: String = chosen.par_iter().map(unlike).collect();
    assert!(unlike.is_empty(), "{unlike}");
    // A wrong one is at most not decided.
    for pair in &pairs {
        let wrong = pair.of("wrong");
        assert!(["refuted", "unknown"].contains(&wrong), "{}", pair.name);
    }
}

/// The page says of each pair what its head says.
#[test]
fn the_page_lists_every_pair() {
    let pairs = pairs();
    let count = |side: &str, verdict: &str| {
        let is = |pair: &&Pair| pair.of(side) == verdict;
        pairs.iter().filter(is).count()
    };
    let mut text = format!(
        "# Pairs of kernels\n\n\
         Kernels and what people make of them, each with a twin that has one thing wrong: \
         [`tests/pairs/`](../tests/pairs). A file\nholds `before`, `after` and `wrong`; its head says at which launch they \
         are compared and what `gridlock equiv` says, for all\ninputs of that launch. Of {} pairs {} are proved and {} \
         refuted, as they should be; of the twins {} are refuted.\n\n\
         Written by `INSTA_UPDATE=always cargo test --test gridlock pairs::`, which also judges them.\n\n\
         | pair | what is done | floats | after | wrong |\n|---|---|---|---|---|\n",
        pairs.len(),
        count("after", "proved"),
        count("after", "refuted"),
        count("wrong", "refuted"),
    );
    for pair in &pairs {
        let floats = match pair.of("modulo") {
            "" => "exact",
            modulo => modulo,
        };
        let _ = writeln!(
            text,
            "| [{name}](../tests/pairs/{name}.cu) | {} | {floats} | {} | {} |",
            pair.about,
            pair.of("after"),
            pair.of("wrong"),
            name = pair.name,
        );
    }
    assert_table("docs/pairs.md", &text);
}
