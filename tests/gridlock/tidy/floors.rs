//! The floors of `checker`: a module knows its own room and those below, and no circle stands within a room but
//! those that ARCHITECTURE.md explains.

use super::imports::{Crate, Module, circles};
use super::{files, none, read, root};
use std::collections::{BTreeMap, BTreeSet};

/// The rooms of `checker`, from the lowest floor up. Rooms of one floor do not know each other.
const FLOORS: [&[&str]; 9] = [
    &["limits", "verdict"],
    &["compiled", "finding"],
    &["system", "report"],
    &["order"],
    &["automaton"],
    &["canonical", "cost", "explore"],
    &["progress"],
    &["equiv"],
    &["replay"],
];

/// What `found` says against these floors: modules without a room, imports that do not go down, names of
/// one room re-exported by another.
fn against(found: &Crate, floors: &[&[&str]]) -> Vec<String> {
    let floors = floors.iter().zip(0..);
    let rooms = floors.flat_map(|(rooms, floor)| rooms.iter().map(move |room| (*room, floor)));
    let rooms: BTreeMap<&str, usize> = rooms.collect();
    let room = |module: &Module| {
        module
            .first()
            .map(String::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let floor = |module: &Module| rooms.get(&*room(module)).copied();
    let mut wrong = Vec::new();
    for module in found.modules().filter(|module| !module.is_empty()) {
        let name = module.join("::");
        let Some(mine) = floor(module) else {
            wrong.push(format!("{name} stands in no room"));
            continue;
        };
        for other in found.imports(module) {
            let is_below = floor(&other).is_some_and(|theirs| theirs < mine);
            if room(&other) != room(module) && !is_below {
                wrong.push(format!(
                    "{name} imports {}, which is not below",
                    other.join("::")
                ));
            }
        }
        for other in found.re_exports(module) {
            if room(&other) != room(module) {
                wrong.push(format!(
                    "{name} re-exports what stands in {}",
                    other.join("::")
                ));
            }
        }
    }
    for room in rooms.keys().filter(|room| {
        !found
            .modules()
            .any(|m| m.first().is_some_and(|m| m == *room))
    }) {
        wrong.push(format!("there is no room {room}"));
    }
    wrong
}

/// The circles between modules, each as its modules in order.
fn circles_of(found: &Crate) -> BTreeSet<String> {
    let modules = found.modules().filter(|module| !module.is_empty());
    let imports = modules.map(|module| (module.clone(), found.imports(module)));
    let names = |circle: BTreeSet<Module>| {
        let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
        names.join(" ")
    };
    circles(&imports.collect()).into_iter().map(names).collect()
}

/// The circles that ARCHITECTURE.md explains: the lines of its section on them, `` - `a`, `b`: why ``.
fn explained() -> BTreeSet<String> {
    let page = read(&root().join("ARCHITECTURE.md"));
    let section = page
        .split("\n### Circles within a room of `checker`\n")
        .nth(1);
    let section = section.expect("ARCHITECTURE.md has a section on circles");
    let lines = section.split("\n#").next().unwrap_or_default().lines();
    let lines = lines.filter_map(|line| line.strip_prefix("- "));
    let circle = |line: &str| {
        let (modules, why) = line.split_once(": ").expect("modules: why");
        assert!(!why.trim().is_empty(), "no reason for {modules}");
        let modules: BTreeSet<&str> = modules.split(", ").map(|m| m.trim_matches('`')).collect();
        Vec::from_iter(modules).join(" ")
    };
    lines.map(circle).collect()
}

fn checker() -> Crate {
    let source = root().join("checker/src");
    let named = |path: std::path::PathBuf| {
        let inside = path.strip_prefix(&source).unwrap();
        (inside.display().to_string(), read(&path))
    };
    Crate::of(files(&source, "rs").into_iter().map(named))
}

#[test]
fn checker_keeps_its_floors() {
    none("against the floors", against(&checker(), &FLOORS));
}

/// Each row of the page's table of rooms begins with a floor and its rooms.
#[test]
fn the_page_has_the_floors() {
    let page = read(&root().join("ARCHITECTURE.md"));
    for (rooms, floor) in FLOORS.iter().zip(0..) {
        let start = format!("| {floor} | ");
        let rows: Vec<&str> = page
            .lines()
            .filter_map(|line| line.strip_prefix(&*start))
            .collect();
        let named = rows.iter().filter_map(|row| row.split(" | ").next());
        let named: BTreeSet<&str> = named.flat_map(|cell| cell.split(", ")).collect();
        let rooms: Vec<String> = rooms.iter().map(|room| format!("`{room}`")).collect();
        let rooms: BTreeSet<&str> = rooms.iter().map(String::as_str).collect();
        assert_eq!(named, rooms, "floor {floor} in ARCHITECTURE.md");
    }
}

#[test]
fn every_circle_of_checker_is_explained() {
    let (found, explained) = (circles_of(&checker()), explained());
    let new = found.difference(&explained).cloned().collect();
    none("circles that ARCHITECTURE.md does not explain", new);
    let gone = explained.difference(&found).cloned().collect();
    none(
        "circles that ARCHITECTURE.md explains and that are gone",
        gone,
    );
}

/// The rooms of the planted crates below.
const PLANTED: [&[&str]; 3] = [&["ground"], &["left", "right"], &["roof"]];

/// A crate that keeps the floors, with one file of it replaced.
fn planted(file: &str, text: &str) -> Crate {
    let mut sources = BTreeMap::from([
        (
            "lib.rs",
            "pub mod ground; pub mod left; pub mod right; pub mod roof;",
        ),
        (
            "ground.rs",
            "pub struct Stone; impl Stone { pub fn new() -> Stone { Stone } }",
        ),
        (
            "left/mod.rs",
            "mod wall; pub use wall::Wall; pub enum Door { Open }",
        ),
        (
            "left/wall.rs",
            "use crate::ground::Stone; pub struct Wall(Stone); pub fn high() {}",
        ),
        (
            "right.rs",
            "/* crate::roof::Roof */ pub struct Stair; fn f() { crate::ground::Stone::new(); }",
        ),
        (
            "roof.rs",
            "use crate::{left::{self, Wall}, right}; pub struct Roof(Wall, right::Stair);",
        ),
    ]);
    sources.insert(file, text);
    Crate::of(
        sources
            .into_iter()
            .map(|(file, text)| (file.to_owned(), text.to_owned())),
    )
}

#[test]
fn what_keeps_the_floors_is_let_be() {
    let plain = planted("left/door.rs", "pub struct Handle;");
    assert_eq!(against(&plain, &PLANTED), [""; 0]);
    assert!(circles_of(&plain).is_empty());
    // Neither comments nor text nor tests are imports; nor is it one to say who may see something.
    for text in [
        "// use crate::roof::Roof;\npub struct Stone;",
        "pub const NAME: &str = \"crate::roof::Roof\"; pub const QUOTE: char = '\"';",
        "#[cfg(test)]\nmod tests { use crate::roof::Roof; }\npub struct Stone;",
        "pub struct Stone<'a>(&'a str); pub(in crate::roof) fn f() {}",
    ] {
        assert_eq!(
            against(&planted("ground.rs", text), &PLANTED),
            [""; 0],
            "{text}"
        );
    }
}

#[test]
fn what_breaks_the_floors_is_found() {
    let up = |name: &str, to: &str| format!("{name} imports {to}, which is not below");
    let cases = [
        (
            "cellar.rs",
            "pub struct Coal;",
            "cellar stands in no room".to_owned(),
        ),
        ("ground.rs", "use crate::roof::Roof;", up("ground", "roof")),
        (
            "ground.rs",
            "use crate::{left::{Door as D}, ground};",
            up("ground", "left"),
        ),
        (
            "ground.rs",
            "fn f() { let _ = crate::left::Door::Open; }",
            up("ground", "left"),
        ),
        (
            "ground.rs",
            "use super::right::Stair;",
            up("ground", "right"),
        ),
        (
            "ground.rs",
            "use crate::left; fn f() { left::Door::Open; }",
            up("ground", "left"),
        ),
        ("ground.rs", "use crate::roof::*;", up("ground", "roof")),
        (
            "ground.rs",
            "type Name<'a> = &'a crate::roof::Roof;",
            up("ground", "roof"),
        ),
        // The wall is in the file behind the re-export.
        (
            "ground.rs",
            "use crate::left::Wall;",
            up("ground", "left::wall"),
        ),
        (
            "left/wall.rs",
            "fn f() { super::super::roof::f(); }",
            up("left::wall", "roof"),
        ),
        // Rooms of one floor, and through each other a circle.
        ("right.rs", "use crate::left::Door;", up("right", "left")),
        (
            "roof.rs",
            "pub use crate::ground::Stone;",
            "roof re-exports what stands in ground".to_owned(),
        ),
        (
            "roof.rs",
            "pub(crate) use crate::left::{Wall as W};",
            "roof re-exports what stands in left::wall".to_owned(),
        ),
    ];
    for (file, text, what) in cases {
        let found = against(&planted(file, text), &PLANTED);
        assert!(found.contains(&what), "{file}: {text}: {found:?}");
    }
    let empty = against(
        &planted("ground.rs", ""),
        &[PLANTED[0], PLANTED[1], PLANTED[2], &["attic"]],
    );
    assert_eq!(empty, ["there is no room attic"]);
}

#[test]
fn circles_are_found() {
    let two = planted("left/wall.rs", "use super::Door; pub struct Wall(Door);");
    assert_eq!(
        circles_of(&two),
        BTreeSet::from(["left left::wall".to_owned()])
    );
    let between = planted("ground.rs", "use crate::left::Wall; pub struct Stone;");
    assert_eq!(
        circles_of(&between),
        BTreeSet::from(["ground left::wall".to_owned()])
    );
    let three = planted("ground.rs", "fn f() { crate::roof::f() } pub struct Stone;");
    assert_eq!(
        circles_of(&three),
        BTreeSet::from(["ground left left::wall right roof".to_owned()])
    );
}
