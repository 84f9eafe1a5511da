//! T9: a matrix product tiled in shared memory.

use crate::judging::*;
use gridlock_checker::finding::DefectKind;
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};

const PRODUCT: &str = "__global__ void product(const int *a, const int *b, int *c, int n) {\n\
                       \x20 int row = blockIdx.y * blockDim.y + threadIdx.y;\n\
                       \x20 int col = threadIdx.x + blockIdx.x * blockDim.x;\n\
                       \x20 int sum = 0;\n\
                       \x20 for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];\n\
                       \x20 c[row * n + col] = sum;\n\
                       }\n";

/// An `n` by `n` product by blocks of `tile` by `tile`.
fn setup(program: &Program, n: u32, tile: u32) -> Setup {
    let entry = program
        .procs_of_kind(ProcKind::Kernel)
        .next()
        .expect("a kernel");
    let array = |name: &str, seed: u64| ArrayArg {
        name: name.into(),
        elem: ScalarType::I32,
        extent: Some(u64::from(n * n)),
        contents: Contents::Random { seed },
        observed: true,
    };
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry,
        launch: Some(Launch {
            grid: [n / tile, n / tile, 1],
            block: [tile, tile, 1],
            shared_bytes: 0,
        }),
        args: vec![
            Arg::Array(0),
            Arg::Array(1),
            Arg::Array(2),
            Arg::Scalar(Value::i32(n as i32)),
        ],
        arrays: vec![array("a", 1), array("b", 2), array("c", 3)],
    }
}

#[test]
fn the_product_is_tiled() {
    let naive = source(Language::Cuda, PRODUCT);
    let tiled = transformed(&naive, "tiled-product", &[("tile", "4")]);
    // Rows and columns are read off; the shape of the launch is assumed.
    assert_eq!(tiled.assumptions.len(), 3, "{:?}", tiled.assumptions);
    for n in [4, 8, 12] {
        let setup = setup(&naive, n, 4);
        let expected = run(&naive, &setup, "cuda").0;
        assert!(matches!(expected, Shown::Contents(_)));
        assert_eq!(run(&tiled.program, &setup, "cuda").0, expected, "n = {n}");
    }
}

#[test]
fn a_tile_overwritten_while_it_is_used_is_a_race() {
    let naive = source(Language::Cuda, PRODUCT);
    let mutant = transformed(&naive, "mutants/tiled-product-no-barrier", &[("tile", "4")]);
    let (shown, _) = run(&mutant.program, &setup(&naive, 8, 4), "cuda");
    assert_eq!(shown, Shown::Defects(vec![DefectKind::DataRace]));
}
