//! Lowered kernels run on an OpenCL device (PoCL on machines without a GPU).

use crate::support::{kernel_setup, random};
use gridlock_lowering::device::{Device, DeviceError, DeviceKind, open};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, Contents, Setup};
use gridlock_semantics::system::observation::Observation;

/// The device. Absent, the tests fail, unless GRIDLOCK_NO_OPENCL says that is known.
fn device(program: &Program) -> Option<Box<dyn Device>> {
    match open(DeviceKind::OpenCl, program) {
        Ok(device) => Some(device),
        Err(DeviceError::Missing { .. }) if std::env::var_os("GRIDLOCK_NO_OPENCL").is_some() => {
            None
        }
        Err(error) => panic!("{error}; or set GRIDLOCK_NO_OPENCL where there is none"),
    }
}

fn run(program: &Program, setup: &Setup) -> Option<Observation> {
    Some(device(program)?.run(setup).outcome.expect("runs"))
}

fn integers(observation: &Observation, array: usize) -> Vec<i128> {
    let cells = &observation.arrays[array].cells;
    cells
        .iter()
        .map(|cell| cell.as_integer().unwrap())
        .collect()
}

#[test]
fn a_guarded_map() {
    let n = 100;
    let arrays = vec![
        random("in", ScalarType::I32, n, 7),
        random("out", ScalarType::I32, n, 8),
    ];
    let setup = kernel_setup(4, 32, 0, arrays, &[n as i32]);
    let Some(seen) = run(&crate::support::add_one(), &setup) else {
        return;
    };
    let expected: Vec<i128> = integers(&seen, 0).iter().map(|v| v + 1).collect();
    assert_eq!(integers(&seen, 1), expected);
}

#[test]
fn a_tree_in_dynamic_shared_memory() {
    let arrays = vec![
        random("in", ScalarType::I32, 256, 1),
        random("out", ScalarType::I32, 4, 2),
    ];
    let Some(seen) = run(
        &crate::support::block_sum(),
        &kernel_setup(4, 64, 256, arrays, &[]),
    ) else {
        return;
    };
    let expected: Vec<i128> = integers(&seen, 0)
        .chunks(64)
        .map(|c| c.iter().sum())
        .collect();
    assert_eq!(integers(&seen, 1), expected);
}

#[test]
fn host_code_and_kernels_sort() {
    let program = crate::support::bitonic();
    for n in [2u64, 64, 1024] {
        let mut array = random("a", ScalarType::I32, n, n);
        let values: Vec<Value> = (0..n as i32)
            .map(|i| Value::i32((i * 7919) % 1009 - 500))
            .collect();
        array.contents = Contents::Values(values.clone());
        let setup = Setup {
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
            entry: program.find_proc("bitonic_sort").unwrap(),
            launch: None,
            args: vec![Arg::Array(0), Arg::Scalar(Value::i32(n as i32))],
            arrays: vec![array],
        };
        let Some(seen) = run(&program, &setup) else {
            return;
        };
        let mut expected: Vec<i128> = values.iter().map(|v| v.as_integer().unwrap()).collect();
        expected.sort_unstable();
        assert_eq!(integers(&seen, 0), expected);
    }
}
