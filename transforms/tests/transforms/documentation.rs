//! What `docs/rules.md` shows and lists is so.

use gridlock_transforms::RuleSystem;
use gridlock_transforms::language::functions::FUNCTIONS;
use gridlock_transforms::language::library::library;

const DOCS: &str = include_str!("../../../docs/rules.md");

#[test]
fn the_example_loads() {
    let start = DOCS.find("    system double-add").expect("the example");
    let end = start
        + DOCS[start..]
            .find("## Grammar")
            .expect("the end of the example");
    let system = RuleSystem::parse("docs/rules.md", &DOCS[start..end]).expect("it loads");
    assert_eq!(system.name(), "double-add");
}

#[test]
fn the_example_with_a_rest_loads() {
    let start = DOCS.find("    system factor").expect("the example");
    let end = start + DOCS[start..].find("All ways are tried").expect("its end");
    let system = RuleSystem::parse("docs/rules.md", &DOCS[start..end]).expect("it loads");
    assert_eq!(system.associative().len(), 1);
}

#[test]
fn every_function_strategy_and_system_is_documented() {
    let functions = FUNCTIONS.iter().map(|f| f.name.to_owned());
    let strategies = library().into_iter().map(|d| d.name);
    let systems = RuleSystem::built_in_names().map(|n| n.trim_start_matches("mutants/").to_owned());
    for name in functions.chain(strategies).chain(systems) {
        assert!(DOCS.contains(&name), "{name} is not in docs/rules.md");
    }
}
