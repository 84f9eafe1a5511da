//! Every rule system of the library loads and says what it is.

use gridlock_transforms::RuleSystem;
use gridlock_transforms::language::library::library;

#[test]
fn every_system_of_the_library_loads() {
    for name in RuleSystem::built_in_names() {
        let system = RuleSystem::built_in(name).expect("listed systems exist");
        assert_eq!(name.trim_start_matches("mutants/"), system.name());
        assert!(system.source().contains("paper"), "{name}: no source");
    }
}

#[test]
fn the_strategy_library_parses() {
    let names: Vec<String> = library().into_iter().map(|d| d.name).collect();
    for name in [
        "try",
        "topdown",
        "bottomup",
        "once",
        "innermost",
        "outermost",
    ] {
        assert!(names.iter().any(|n| n == name), "no {name}");
    }
    for name in ["FirstTop", "TopDown", "BottomUp"] {
        assert!(names.iter().any(|n| n == name), "no {name}");
    }
}
