//! What the semantics says of each row.

use super::rows::{Case, Held, Row};
use super::values;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_lowering::device::{DeviceError, Interpreter};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, Setup};
use std::fmt::Write;

/// An input and what the semantics makes of it: a value, or the name of a kind of fault.
#[derive(Clone, Debug)]
pub struct Input {
    pub a: Value,
    pub b: Value,
    pub result: Result<Value, String>,
}

/// A case under its name in every text.
#[derive(Clone, Debug)]
pub struct Judged {
    pub name: String,
    pub case: Case,
    pub body: &'static str,
    pub inputs: Vec<Input>,
}

/// Functions that cases call; `F` makes them C or device functions.
const CALLED: &str = "
F int step(int *p, int d) { *p = *p * 3 + d; return *p; }
F int two(int a, int b) { return a * 100 + b; }
F int maybe(int a) { if (a > 0) return a; }
";

/// The functions of all cases that are read.
pub fn text(rows: &[(usize, &Row)], prefix: &str) -> String {
    let mut text = format!("{prefix}{CALLED}");
    for (number, row) in rows.iter().filter(|(_, row)| row.held != Held::Refused) {
        for (index, case) in row.cases.iter().enumerate() {
            let second = second(case);
            let _ = writeln!(
                text,
                "F {} f{number}_{index}({} a, {second} b) {{ {} }}",
                case.result, case.first, case.body
            );
        }
    }
    text
}

pub fn second(case: &Case) -> &'static str {
    if case.second.is_empty() {
        "int"
    } else {
        case.second
    }
}

pub const C: &str = "#include <math.h>\ntypedef _Bool bool;\n#define F\n";

pub fn parse(text: &str, language: Language) -> Program {
    let parsed = parse_source("rows", text, language, &ParseOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(parsed.unsupported, vec![], "{text}");
    parsed.program
}

/// Each function of a refused row, and whether the front end refuses it.
pub fn refusals(row: &Row) -> Vec<(&'static str, bool)> {
    let refused = row.cases.iter().map(|case| {
        let alone = Row {
            what: row.what,
            held: Held::Compared,
            fault: None,
            cases: std::slice::from_ref(case),
        };
        let text = text(&[(0, &alone)], C);
        let parsed = parse_source("row", &text, Language::C, &ParseOptions::default())
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let by_name = |proc: &str| proc == "f0_0";
        (
            case.body,
            parsed.unsupported.iter().any(|u| by_name(&u.proc)),
        )
    });
    refused.collect()
}

pub fn judge(rows: &'static [Row]) -> Vec<(&'static Row, Vec<Judged>)> {
    let numbered: Vec<(usize, &Row)> = rows.iter().enumerate().collect();
    let program = parse(&text(&numbered, C), Language::C);
    let interpreter = Interpreter::new(&program).expect("well-formed");
    let read = rows.iter().enumerate();
    let read = read.filter(|(_, row)| row.held != Held::Refused);
    let judged = read.map(|(number, row)| {
        let cases = row.cases.iter().enumerate().map(|(index, case)| {
            let name = format!("f{number}_{index}");
            let entry = program.find_proc(&name).expect("the function");
            let seconds = match case.second {
                "" => vec![Value::i32(0)],
                second => values::grid(second),
            };
            let mut inputs = Vec::new();
            for a in values::grid(case.first) {
                for &b in &seconds {
                    let setup = Setup {
                        declared: Default::default(),
                        observed: Default::default(),
                        device: Default::default(),
                        entry,
                        launch: None,
                        args: vec![Arg::Scalar(a), Arg::Scalar(b)],
                        arrays: vec![],
                    };
                    let result = match interpreter.observe(&setup) {
                        Ok(seen) => Ok(seen.result.expect("a result")),
                        Err(DeviceError::Fault { kind }) => Err(kind_name(&kind)),
                        Err(error) => panic!("{}: {error}", case.body),
                    };
                    inputs.push(Input { a, b, result });
                }
            }
            Judged {
                name,
                case: *case,
                body: case.body,
                inputs,
            }
        });
        (row, cases.collect())
    });
    judged.collect()
}

fn kind_name(kind: &gridlock_semantics::transition::fault::FaultKind) -> String {
    let text = format!("{kind:?}");
    let end = text.find([' ', '{', '(']).unwrap_or(text.len());
    text[..end].to_owned()
}

/// Some other value of the type.
pub fn another(value: Value) -> Value {
    match value {
        Value::Int(ty, bits) => Value::int(ty, i128::from(bits ^ 1)),
        Value::F32(bits) => Value::F32(bits ^ 1),
        Value::F64(bits) => Value::F64(bits ^ 1),
        Value::Bool(b) => Value::Bool(!b),
        other => other,
    }
}
