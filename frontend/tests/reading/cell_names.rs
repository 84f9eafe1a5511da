//! What the source calls a cell is what the front end makes of that text: of random types every scalar is written by
//! its name, and the cell that the store goes to has that name, and no other.

use crate::reading::support::parse;
use gridlock_frontend::Language::Cuda;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::print::array_names::ArrayNames;
use std::collections::HashSet;

/// A reproducible sequence (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// A type, and what follows the name of a variable of it for each of its scalars.
#[derive(Clone)]
struct Known {
    name: String,
    paths: Vec<String>,
}

const MOST_SCALARS: usize = 16;

fn known(name: &str, members: &[&str]) -> Known {
    let path = |member: &&str| match member.is_empty() {
        true => String::new(),
        false => format!(".{member}"),
    };
    Known {
        name: name.to_owned(),
        paths: members.iter().map(path).collect(),
    }
}

/// A new struct of known types, its declaration put into `text`.
fn declared(number: usize, types: &[Known], rng: &mut Rng, text: &mut String) -> Known {
    let name = format!("S{number}");
    let (mut fields, mut paths) = (String::new(), Vec::new());
    for field in 0..1 + rng.below(4) {
        let of = &types[rng.below(types.len())];
        let extents: Vec<usize> = (0..rng.below(3)).map(|_| 1 + rng.below(3)).collect();
        let n: usize = extents.iter().product();
        if !paths.is_empty() && paths.len() + n * of.paths.len() > MOST_SCALARS {
            break;
        }
        let dims: String = extents.iter().map(|n| format!("[{n}]")).collect();
        fields.push_str(&format!("{} f{field}{dims}; ", of.name));
        let mut subscripts = vec![String::new()];
        for extent in extents {
            let longer = |before: &String| {
                (0..extent)
                    .map(move |at| format!("[{at}]"))
                    .map({
                        let before = before.clone();
                        move |at| format!("{before}{at}")
                    })
                    .collect::<Vec<_>>()
            };
            subscripts = subscripts.iter().flat_map(longer).collect();
        }
        for subscript in subscripts {
            let whole = |path: &String| format!(".f{field}{subscript}{path}");
            paths.extend(of.paths.iter().map(whole));
        }
    }
    text.push_str(&format!("struct {name} {{ {fields}}};\n"));
    Known { name, paths }
}

/// The array and the number of the cell that a pointer points to.
fn cell(program: &Program, proc: ProcId, pointer: &Expr) -> Option<(String, i64)> {
    let (base, number) = match &pointer.kind {
        ExprKind::Offset(base, number) => (&**base, constant(number)?),
        _ => (pointer, 0),
    };
    let name = match base.kind {
        ExprKind::ArrayBase(id) => &program.array(id).name,
        ExprKind::Var(var) => &program.proc(proc).vars[var.0 as usize].name,
        _ => return None,
    };
    Some((name.to_string(), number))
}

fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Const(value) => i64::try_from(value.as_integer()?).ok(),
        _ => None,
    }
}

#[test]
fn a_name_means_the_cell_that_has_it() {
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    let mut types = vec![
        known("int", &[""]),
        known("float", &[""]),
        known("double", &[""]),
        known("unsigned char", &[""]),
        known("int *", &[""]),
        known("float2", &["x", "y"]),
        known("int3", &["x", "y", "z"]),
    ];
    let (mut text, mut said) = (String::new(), Vec::new());
    for number in 0..12 {
        let new = declared(number, &types, &mut rng, &mut text);
        let mut all = Vec::new();
        for place in [
            "s[0][2]", "s[1][0]", "p[0]", "p[7]", "p[-1]", "mine[1]", "one",
        ] {
            all.extend(new.paths.iter().map(|path| format!("{place}{path}")));
        }
        let stores: String = all.iter().map(|name| format!("{name} = 0; ")).collect();
        let name = &new.name;
        text.push_str(&format!(
            "__global__ void k{number}({name} *p) {{ __shared__ {name} s[2][3], one; {name} mine[2]; {stores}}}\n"
        ));
        said.push(all);
        types.push(new);
    }
    let parsed = parse(&text, Cuda);
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    for (number, said) in said.iter().enumerate() {
        let proc = parsed.program.find_proc(&format!("k{number}")).unwrap();
        let names = ArrayNames::new(&parsed.program, proc);
        let mut found = Vec::new();
        parsed.program.proc(proc).body.walk(&mut |op| {
            if let OpKind::Basic(Basic::Store { pointer, .. }) = &op.kind {
                found.push(cell(&parsed.program, proc, pointer).unwrap());
            }
        });
        let distinct: HashSet<&(String, i64)> = found.iter().collect();
        assert_eq!(distinct.len(), said.len(), "{text}");
        let shown: Vec<String> = found
            .iter()
            .map(|(array, n)| names.cell(&**array, *n))
            .collect();
        assert_eq!(&shown, said);
    }
}

/// Members that lie over one another, and those a library hides, have no name of their own.
#[test]
fn what_has_several_names_has_a_number() {
    let parsed = parse(
        "#include <cuda_fp16.h>
         union U { float f; unsigned u; };
         union W { float f[2]; unsigned u[2]; };
         struct A { U one; unsigned n; };
         struct B { W two; float x; };
         struct C { int tag; union { float f; int i; }; };
         __global__ void k(A *a, B *b, C *c, __half *h, __half2 *g) {
           a[1].one.u = 1; a[1].n = 2; b[1].x = 3; b[1].two.u[1] = 4; c[1].tag = 5; c[1].i = 6;
           h[3] = h[2]; g[3].y = h[1];
         }",
        Cuda,
    );
    let refused = parsed.unsupported.iter().find(|u| u.proc == "k");
    assert!(refused.is_none(), "{refused:?}");
    let proc = parsed.program.find_proc("k").unwrap();
    let names = ArrayNames::new(&parsed.program, proc);
    let mut found = Vec::new();
    parsed.program.proc(proc).body.walk(&mut |op| {
        if let OpKind::Basic(Basic::Store { pointer, .. }) = &op.kind {
            let (array, number) = cell(&parsed.program, proc, pointer).unwrap();
            found.push(names.cell(&*array, number));
        }
    });
    let expected = ["a[1].one", "a[1].n", "b[1].x"];
    assert_eq!(found[..3], expected);
    assert_eq!(found[found.len() - 2..], ["h[3]", "g[3].y"]);
    assert!(
        found[3..].iter().all(|name| !name.contains("two.u")),
        "{found:?}"
    );
}
