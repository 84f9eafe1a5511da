//! Fetches from textures as `gridlock_texture.h` composes them, against what the programming guide says of them,
//! computed here in another way; and that nothing of the header shows.

use crate::reading::support::{parse, refusal};
use gridlock_frontend::{Assumed, Language};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup, random_cell};
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::TransitionSystem;
use std::sync::Arc;

const SEED: u64 = 11;

const WRAP: u32 = 0;
const CLAMP: u32 = 1;
const MIRROR: u32 = 2;
const BORDER: u32 = 3;

/// A description of a texture: the cells of `shape of t`.
#[derive(Clone, Copy, Debug)]
struct Shape {
    extents: [i64; 3],
    last_level: u32,
    is_linear: bool,
    is_normalised: bool,
    modes: [u32; 3],
    blends_levels: bool,
}

impl Shape {
    fn cells(&self) -> Vec<Value> {
        let [width, height, depth] = self.extents.map(|n| n as u32 - 1);
        let [x, y, z] = self.modes;
        let (linear, normalised) = (self.is_linear.into(), self.is_normalised.into());
        // Bits beyond those that mean something.
        let more = 0xa_0000;
        let cells = [
            width | more << 4,
            height | more << 4,
            depth | more,
            self.last_level | 16,
            linear,
            normalised,
            x | 4,
            y | 8,
            z,
            self.blends_levels.into(),
        ];
        let number = |n: &u32| Value::int(ScalarType::U32, i128::from(*n));
        cells.iter().map(number).collect()
    }

    fn extent(&self, axis: usize, level: i64) -> i64 {
        (self.extents[axis] >> level).max(1)
    }

    /// The texels of an axis that count at a coordinate, with their weights; `None` for the border.
    fn along(&self, axis: usize, at: f64, level: i64, filters: bool) -> Vec<(Option<i64>, f64)> {
        let n = self.extent(axis, level);
        let (whole, rest) = (at.floor(), at - at.floor());
        let at = match (self.is_normalised, self.modes[axis]) {
            (false, _) => at,
            (true, MIRROR) if whole as i64 % 2 != 0 => (1.0 - rest) * n as f64,
            (true, MIRROR) => rest * n as f64,
            (true, _) => at * n as f64,
        };
        let texel = |i: i64| match self.modes[axis] {
            BORDER => (0..n).contains(&i).then_some(i),
            WRAP if self.is_normalised => Some(i.rem_euclid(n)),
            _ => Some(i.clamp(0, n - 1)),
        };
        if !filters {
            return vec![(texel(at.floor() as i64), 1.0)];
        }
        let below = (at - 0.5).floor();
        let weight = at - 0.5 - below;
        let below = below as i64;
        vec![(texel(below), 1.0 - weight), (texel(below + 1), weight)]
    }

    /// The mean of what `texel` gives for the texels around.
    fn sampled(
        &self,
        at: &[f64],
        layer: i64,
        level: i64,
        filters: bool,
        texel: &dyn Fn(u64) -> f64,
    ) -> f64 {
        let axes = at.iter().enumerate();
        let mut along: Vec<_> = axes
            .map(|(axis, at)| self.along(axis, *at, level, filters))
            .collect();
        along.resize(3, vec![(Some(0), 1.0)]);
        if at.len() < 3 {
            along[2] = vec![(Some(layer), 1.0)];
        }
        let mut mean = 0.0;
        for (i, a) in &along[0] {
            for (j, b) in &along[1] {
                for (k, c) in &along[2] {
                    let place = match (i, j, k) {
                        (Some(i), Some(j), Some(k)) => place([*i, *j, *k | level << 16]),
                        _ => 0,
                    };
                    mean += a * b * c * texel(place);
                }
            }
        }
        mean
    }
}

/// Where a texel lies: bits of its coordinates in turn, behind the border.
fn place(coordinates: [i64; 3]) -> u64 {
    let mut place = 1;
    for bit in 0..20 {
        for (axis, at) in coordinates.iter().enumerate() {
            place |= (*at as u64 >> bit & 1) << (3 * bit + axis + 1);
        }
    }
    place
}

/// What a fetch gives of a texture at three coordinates.
type Expected = fn(&Shape, [f64; 3]) -> f64;

fn float(place: u64) -> f64 {
    match random_cell(SEED, place, ScalarType::F32) {
        Value::F32(bits) => f64::from(f32::from_bits(bits)),
        other => panic!("{other:?}"),
    }
}

fn integer(place: u64) -> f64 {
    let cell = random_cell(SEED, place, ScalarType::I32);
    cell.as_integer().expect("a number") as f64
}

const FETCHES: &[(&str, Expected)] = &[
    ("tex1D<float>(t, x)", |s, at| {
        s.sampled(&at[..1], 0, 0, s.is_linear, &float)
    }),
    ("tex2D<float>(t, x, y)", |s, at| {
        s.sampled(&at[..2], 0, 0, s.is_linear, &float)
    }),
    ("tex3D<float>(t, x, y, z)", |s, at| {
        s.sampled(&at, 0, 0, s.is_linear, &float)
    }),
    ("tex2D<float4>(v, x, y).z", |s, at| {
        s.sampled(&at[..2], 0, 0, s.is_linear, &|at| float(4 * at + 2))
    }),
    ("tex3D<int>(i, x, y, z)", |s, at| {
        s.sampled(&at, 0, 0, false, &integer)
    }),
    ("tex2D<int2>(i2, x, y).y", |s, at| {
        s.sampled(&at[..2], 0, 0, false, &|at| integer(2 * at + 1))
    }),
    ("tex2DLayered<float>(t, x, y, (int)z)", |s, at| {
        let layer = (at[2].trunc() as i64).clamp(0, s.extents[2] - 1);
        s.sampled(&at[..2], layer, 0, s.is_linear, &float)
    }),
    ("tex1Dfetch<int>(l, (int)x)", |_, at| {
        let at = at[0].trunc();
        if at < 0.0 { 0.0 } else { integer(at as u64) }
    }),
    ("tex1Dfetch(r, (int)x)", |_, at| {
        let at = at[0].trunc();
        if at < 0.0 { 0.0 } else { integer(at as u64) }
    }),
    ("tex2D(q, x, y).y", |s, at| {
        s.sampled(&at[..2], 0, 0, s.is_linear, &|at| float(2 * at + 1))
    }),
    ("tex2DLod<float>(t, x, y, z)", |s, at| {
        let level = at[2].clamp(0.0, f64::from(s.last_level));
        let of = |level: f64| s.sampled(&at[..2], 0, level as i64, s.is_linear, &float);
        if !s.blends_levels {
            return of((level + 0.5).floor());
        }
        let (fine, rest) = (level.floor(), level - level.floor());
        let coarse = (fine + 1.0).min(f64::from(s.last_level));
        (1.0 - rest) * of(fine) + rest * of(coarse)
    }),
];

/// One fetch of each kind, by one thread.
fn kernel() -> Arc<Program> {
    let fetches = FETCHES.iter().enumerate();
    let fetches: String = fetches
        .map(|(index, (fetch, _))| format!("  to[{index}] = {fetch};\n"))
        .collect();
    let objects: String = ["t", "v", "i", "i2", "l"]
        .map(|name| format!(", cudaTextureObject_t {name}"))
        .concat();
    let text = format!(
        "texture<int> r;\ntexture<short2, 2, cudaReadModeNormalizedFloat> q;\n\
         __global__ void k(float *to, const float *at{objects}) {{\n\
         float x = at[0], y = at[1], z = at[2];\n{fetches}}}\n"
    );
    let parsed = parse(&text, Language::Cuda);
    assert_eq!(parsed.unsupported, vec![]);
    let assumed: Vec<&Assumed> = parsed.assumptions.iter().map(|a| &a.assumed).collect();
    assert_eq!(assumed, [&Assumed::TexturesApart]);
    Arc::new(parsed.program)
}

fn run(program: &Arc<Program>, shape: &Shape, at: [f64; 3]) -> Vec<f64> {
    let entry = program.find_proc("k").expect("the kernel is there");
    let procedure = program.proc(entry);
    let (mut args, mut arrays) = (Vec::new(), Vec::new());
    for var in &procedure.params {
        let decl = &procedure.vars[var.0 as usize];
        let elem = match decl.ty {
            Type::Pointer(to) => to.elem,
            Type::Scalar(ty) => {
                args.push(Arg::Scalar(Value::int(ty, 1 << 40)));
                continue;
            }
        };
        let contents = match &*decl.name {
            "to" => Contents::Values(vec![Value::f32(0.0); FETCHES.len()]),
            "at" => Contents::Values(at.map(|x| Value::f32(x as f32)).to_vec()),
            name if name.starts_with("shape of ") => Contents::Values(shape.cells()),
            _ => Contents::Random { seed: SEED },
        };
        args.push(Arg::Array(arrays.len()));
        arrays.push(ArrayArg {
            name: decl.name.clone(),
            elem,
            extent: (&*decl.name == "to").then_some(FETCHES.len() as u64),
            contents,
            observed: &*decl.name == "to",
        });
    }
    let setup = Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry,
        launch: Some(Launch {
            grid: [1, 1, 1],
            block: [1, 1, 1],
            shared_bytes: 0,
        }),
        args,
        arrays,
    };
    let profile = Profile::named("cuda").expect("there is such a profile");
    let system = ProgramSystem::new(program.clone(), setup, profile).expect("a setup that fits");
    let mut state = system.initial().remove(0);
    while !system.is_final(&state) {
        assert!(state.fault().is_none(), "{:?}", state.fault());
        let mut next = Vec::new();
        system.successors(&state, &mut next);
        state = next.swap_remove(0).1;
    }
    let left = system.observe(&state);
    let number = |cell: &Value| match cell {
        Value::F32(bits) => f64::from(f32::from_bits(*bits)),
        other => panic!("{other:?}"),
    };
    left.arrays[0].cells.iter().map(number).collect()
}

#[test]
fn fetches_give_what_the_guide_says() {
    let program = kernel();
    let mut state = 5u64;
    let mut drawn = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % n
    };
    for round in 0..160 {
        let shape = Shape {
            extents: [0; 3].map(|_| 1 + drawn(5) as i64),
            last_level: drawn(4) as u32,
            is_linear: round % 2 == 0,
            is_normalised: round % 4 < 2,
            modes: [0; 3].map(|_| drawn(4) as u32),
            blends_levels: drawn(2) == 1,
        };
        // Exact in the arithmetic of both.
        let range = if shape.is_normalised { 256 } else { 768 };
        let at = [0; 3].map(|_| (drawn(range) as f64 - range as f64 / 3.0).floor() / 64.0);
        let found = run(&program, &shape, at);
        for ((fetch, expected), found) in FETCHES.iter().zip(found) {
            let expected = expected(&shape, at);
            let is_close = (found - expected).abs() < 1e-3;
            assert!(
                is_close,
                "{fetch}: {found}, not {expected}, {at:?} of {shape:?}"
            );
        }
    }
}

#[test]
fn coordinates_far_outside_are_at_the_edge() {
    let program = kernel();
    let shape = Shape {
        extents: [4, 3, 2],
        last_level: 0,
        is_linear: false,
        is_normalised: false,
        modes: [CLAMP; 3],
        blends_levels: false,
    };
    for (at, edge) in [(1e30, [3, 2, 1]), (-1e30, [0, 0, 0]), (f64::NAN, [0, 0, 0])] {
        // The coordinate of a list is an integer, and its conversion would be undefined.
        let found = run(&program, &shape, [0.0, at, 0.0])[1];
        let expected = float(place([0, edge[1], 0]));
        assert_eq!(found, expected, "{at}");
    }
}

#[test]
fn nothing_of_the_header_shows_in_the_kernel() {
    let program = kernel();
    let entry = program.find_proc("k").expect("the kernel is there");
    let proc = program.proc(entry);
    let names: Vec<&str> = proc
        .params
        .iter()
        .map(|var| &*proc.vars[var.0 as usize].name)
        .collect();
    let expected = [
        "to",
        "at",
        "t",
        "v",
        "i",
        "i2",
        "l",
        "texels of t",
        "shape of t",
        "texels of v",
        "shape of v",
        "texels of i",
        "shape of i",
        "texels of i2",
        "shape of i2",
        "texels of l",
        "r",
        "q",
        "shape of q",
    ];
    assert_eq!(names, expected);
    proc.body.walk(&mut |op| {
        let is_here = op.span.line >= 3 && op.span.line <= 5 + FETCHES.len() as u32;
        assert!(op.span.file.0 == 0 && is_here, "{op:?}");
    });
}

#[test]
fn objects_without_a_name_share_an_array() {
    let text = "__global__ void k(float *to, const cudaTextureObject_t *all, int n) {\n\
                to[0] = tex1D<float>(all[n], 0.5f);\n}";
    let parsed = parse(text, Language::Cuda);
    assert_eq!(parsed.unsupported, vec![]);
    let entry = parsed.program.find_proc("k").expect("the kernel is there");
    let proc = parsed.program.proc(entry);
    let last = proc
        .params
        .iter()
        .map(|var| &*proc.vars[var.0 as usize].name);
    let last: Vec<&str> = last.skip(3).collect();
    assert_eq!(last, ["texels of textures", "shape of textures"]);
}

#[test]
fn a_parameter_that_is_assigned_is_no_name() {
    let text = "__global__ void k(float *to, cudaTextureObject_t a, cudaTextureObject_t b, int n) {\n\
                if (n > 0) a = b;\nto[0] = tex1D<float>(a, 0.5f);\n}";
    let parsed = parse(text, Language::Cuda);
    let entry = parsed.program.find_proc("k").expect("the kernel is there");
    let proc = parsed.program.proc(entry);
    let mut names = proc
        .params
        .iter()
        .map(|var| &*proc.vars[var.0 as usize].name);
    assert!(names.any(|name| name == "texels of textures"));
}

#[test]
fn what_is_not_modelled_is_refused_by_name() {
    for (code, expected) in [
        (
            "to[0] = tex2Dgather<float4>(t, 0.5f, 0.5f).x;",
            "1:77: a call of `tex2Dgather`",
        ),
        (
            "surf1Dwrite(1.0f, all[0], 4);",
            "1:69: a surface that is no parameter of the kernel",
        ),
        (
            "surf1Dwrite(1.0f, t, 4); surf1Dwrite(1, t, 8);",
            "1:94: `cells of t`, seen as `float` and as `int`",
        ),
    ] {
        let text = format!(
            "__global__ void k(float *to, cudaTextureObject_t t, unsigned long long *all) {{{code}}}"
        );
        let found = refusal(&text, Language::Cuda, "k");
        let message = |text: &str| text.split_once(": ").map(|(_, m)| m.to_owned());
        assert_eq!(message(&found), message(expected), "{found}");
    }
}
