//! The floors of a crate: a module knows its own room and those below, and no circle stands within a room but
//! those that ARCHITECTURE.md explains.

use super::imports::{Crate, Module, circles};
use super::rooms::{HOUSES, House};
use super::{files, none, read, root};
use std::collections::{BTreeMap, BTreeSet};

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

/// What ARCHITECTURE.md says of the rooms of a house.
fn section(house: &House) -> String {
    let page = read(&root().join("ARCHITECTURE.md"));
    let title = format!("\n## The rooms of {}\n", house.name);
    let found = page.split(&*title).nth(1).unwrap_or_else(|| {
        panic!(
            "ARCHITECTURE.md has no section on the rooms of {}",
            house.name
        )
    });
    found.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The circles that a section explains, in the lines below its heading on them: `` - `a`, `b`: why ``.
fn explained(section: &str) -> BTreeSet<String> {
    let lines = section.split("\n### Circles within a room").nth(1);
    let lines = lines.unwrap_or_default().lines();
    let lines = lines.filter_map(|line| line.strip_prefix("- "));
    let circle = |line: &str| {
        let (modules, why) = line.split_once(": ").expect("modules: why");
        assert!(!why.trim().is_empty(), "no reason for {modules}");
        let modules: BTreeSet<&str> = modules.split(", ").map(|m| m.trim_matches('`')).collect();
        Vec::from_iter(modules).join(" ")
    };
    lines.map(circle).collect()
}

/// The rooms on each floor of a section's table, whose rows begin with a floor and its rooms.
fn table(section: &str) -> BTreeMap<usize, BTreeSet<&str>> {
    let mut floors: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for row in section.lines().filter_map(|line| line.strip_prefix("| ")) {
        let mut cells = row.split(" | ");
        if let (Some(Ok(floor)), Some(rooms)) = (cells.next().map(str::parse), cells.next()) {
            let rooms = rooms.split(", ").map(|room| room.trim_matches('`'));
            floors.entry(floor).or_default().extend(rooms);
        }
    }
    floors
}

/// The library of a house, and where it is the root package the command line.
fn sources(house: &House) -> Crate {
    let source = root().join(house.folder);
    let inside = |path: &std::path::Path| path.strip_prefix(&source).unwrap().display().to_string();
    let mut all = files(&source, "rs");
    // It starts the command line, and nobody can import it.
    all.retain(|path| inside(path) != "main.rs");
    let named = all.iter().map(|path| (inside(path), read(path)));
    Crate::of(house.library, named)
}

#[test]
fn every_house_keeps_its_floors() {
    for house in &HOUSES {
        let wrong = against(&sources(house), house.floors);
        none(&format!("{}: against the floors", house.name), wrong);
    }
}

#[test]
fn the_page_has_the_floors() {
    for house in &HOUSES {
        let floors = house
            .floors
            .iter()
            .map(|rooms| rooms.iter().copied().collect());
        let floors: BTreeMap<usize, BTreeSet<&str>> = (0..).zip(floors).collect();
        assert_eq!(
            table(&section(house)),
            floors,
            "{} in ARCHITECTURE.md",
            house.name
        );
    }
}

#[test]
fn every_circle_is_explained() {
    for house in &HOUSES {
        let (found, explained) = (circles_of(&sources(house)), explained(&section(house)));
        let new = found.difference(&explained).cloned().collect();
        let what = format!(
            "{}: circles that ARCHITECTURE.md does not explain",
            house.name
        );
        none(&what, new);
        let gone = explained.difference(&found).cloned().collect();
        let what = format!(
            "{}: circles that ARCHITECTURE.md explains and that are gone",
            house.name
        );
        none(&what, gone);
    }
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
        "planted",
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
        "#[cfg(all(test, unix))]\nmod tests { use crate::roof::Roof; }\npub struct Stone;",
        "use elsewhere::roof::Roof; pub struct Stone;",
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
        // As the binary of a package names its library.
        (
            "ground.rs",
            "use planted::roof::Roof;",
            up("ground", "roof"),
        ),
        (
            "ground.rs",
            "#[cfg(not(test))]\nmod inner { use crate::roof::Roof; }",
            up("ground", "roof"),
        ),
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

#[test]
fn a_section_is_read() {
    let section = "| floor | room | for |\n|---|---|---|\n| 1 | `a`, `b` | x |\n| 1 | `c` | y |\n| 0 | `d` | z |\n\
                   - `a`, `b`: no circle\n\n### Circles within a room of it\n\n- `b::c`, `b::a`: why\n";
    let floors = [
        (0, BTreeSet::from(["d"])),
        (1, BTreeSet::from(["a", "b", "c"])),
    ];
    assert_eq!(table(section), BTreeMap::from(floors));
    assert_eq!(explained(section), BTreeSet::from(["b::a b::c".to_owned()]));
    assert!(explained("| 0 | `a` | x |").is_empty());
}
