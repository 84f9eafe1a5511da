//! `show FILE SYSTEM…`: applies systems of the library one after another and prints the program.
use gridlock_semantics::print;
use gridlock_transforms::{NoOracle, Request, RuleSystem, apply};

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a file");
    let parsed = gridlock_frontend::parse_file(file.as_ref(), &Default::default()).unwrap();
    let mut program = parsed.program;
    for step in args {
        let (name, strategy) = match step.split_once(':') {
            Some((n, s)) => (n.to_owned(), Some(s.to_owned())),
            None => (step, None),
        };
        let system = RuleSystem::built_in(&name).expect("known system");
        let request = Request {
            strategy,
            ..Default::default()
        };
        let derivation = apply(&program, &system, &request, &NoOracle).unwrap();
        println!("== {name}: normal {}", derivation.normal);
        for a in &derivation.applications {
            println!("  {} in {} at line {}", a.rule, a.procedure, a.span.line);
        }
        for a in &derivation.assumptions {
            println!("  assumes {}", a.text);
        }
        for r in &derivation.refusals {
            println!(
                "  refused {} in {} line {}: {} {}",
                r.rule, r.procedure, r.span.line, r.condition, r.unknown
            );
        }
        program = derivation.program;
        if let Err(ill) = gridlock_semantics::well_formed::check_well_formed(&program) {
            println!("ILL FORMED {ill:?}");
        }
        println!("{}", print::program(&program, Default::default()));
        if std::env::var("SPANS").is_ok() {
            for (p, op) in program.operators() {
                println!(
                    "{} {} {:?} {:.60}",
                    p.0,
                    op.span.line,
                    op.provenance,
                    format!("{:?}", op.kind)
                );
            }
        }
    }
}
