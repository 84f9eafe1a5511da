//! The same functions as OpenCL, on a device (PoCL on machines without a GPU): a kernel a row, one
//! thread an input.

use super::rows::{Held, ROWS, Row};
use super::semantics::{self, Judged, second};
use super::values::scalar;
use gridlock_frontend::Language;
use gridlock_lowering::device::{DeviceError, DeviceKind, open};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::fmt::Write;

const CUDA: &str = "#define F __device__\n";

/// Threads of the block; inputs beyond are done by the next block.
const BLOCK: u32 = 64;

/// Three arrays a case (two operands, results) and how many inputs it has.
fn kernel(number: usize, cases: &[Judged]) -> String {
    let mut params = Vec::new();
    let mut body = String::new();
    for (index, judged) in cases.iter().enumerate() {
        let case = &judged.case;
        params.push(format!(
            "const {} *a{index}, const {} *b{index}, {} *r{index}, int n{index}",
            case.first,
            second(case),
            case.result
        ));
        let _ = writeln!(
            body,
            "    if (i < n{index}) r{index}[i] = {}(a{index}[i], b{index}[i]);",
            judged.name
        );
    }
    format!(
        "__global__ void row{number}({}) {{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}}}\n",
        params.join(", ")
    )
}

fn array(name: String, c_type: &str, cells: Vec<Value>) -> ArrayArg {
    ArrayArg {
        name: name.into(),
        elem: scalar(c_type),
        extent: Some(cells.len() as u64),
        contents: Contents::Values(cells),
        observed: true,
    }
}

/// How many values the device agreed on; `None` where there is none. Panics at a difference.
pub fn compare(judged: &[(&'static Row, Vec<Judged>)]) -> Option<usize> {
    let numbers = |what| ROWS.iter().position(|row| row.what == what);
    let rows: Vec<_> = judged
        .iter()
        .filter(|(row, _)| row.held != Held::Fault)
        .map(|judged| (numbers(judged.0.what).expect("a row"), judged))
        .collect();
    let numbered: Vec<(usize, &Row)> = rows.iter().map(|(n, _)| (*n, &ROWS[*n])).collect();
    let mut text = semantics::text(&numbered, CUDA);
    for (number, (_, cases)) in &rows {
        text.push_str(&kernel(*number, cases));
    }
    let program = semantics::parse(&text, Language::Cuda);
    let mut device = match open(DeviceKind::OpenCl, &program) {
        Ok(device) => device,
        Err(DeviceError::Missing { .. }) if std::env::var_os("GRIDLOCK_NO_OPENCL").is_some() => {
            return None;
        }
        Err(error) => panic!("{error}; or set GRIDLOCK_NO_OPENCL where there is none"),
    };
    let mut n_compared = 0;
    for (number, (row, cases)) in rows {
        let (mut args, mut arrays) = (Vec::new(), Vec::new());
        let mut longest = 0;
        for (index, judged) in cases.iter().enumerate() {
            let case = &judged.case;
            let defined: Vec<_> = judged.inputs.iter().filter(|i| i.result.is_ok()).collect();
            let n = defined.len();
            longest = longest.max(n as u32);
            let firsts = defined.iter().map(|i| i.a).collect();
            let seconds = defined.iter().map(|i| i.b).collect();
            let zeros = vec![Value::zero(scalar(case.result)); n];
            for (name, c_type, cells) in [
                ("a", case.first, firsts),
                ("b", second(case), seconds),
                ("r", case.result, zeros),
            ] {
                args.push(Arg::Array(arrays.len()));
                arrays.push(array(format!("{name}{index}"), c_type, cells));
            }
            args.push(Arg::Scalar(Value::i32(n as i32)));
        }
        let setup = Setup {
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
            entry: program
                .find_proc(&format!("row{number}"))
                .expect("the kernel"),
            launch: Some(Launch {
                grid: [longest.div_ceil(BLOCK), 1, 1],
                block: [BLOCK, 1, 1],
                shared_bytes: 0,
            }),
            args,
            arrays,
        };
        let seen = device.run(&setup).outcome;
        let seen = seen.unwrap_or_else(|error| panic!("{}: {error}", row.what));
        for (index, judged) in cases.iter().enumerate() {
            let results = &seen.arrays[3 * index + 2].cells;
            let defined = judged.inputs.iter().filter(|i| i.result.is_ok());
            for (found, input) in results.iter().zip(defined) {
                assert!(
                    input.result.as_ref() == Ok(found),
                    "{}: the device gives {found}: {} at {input:?}",
                    row.what,
                    judged.body
                );
                n_compared += 1;
            }
        }
    }
    Some(n_compared)
}
