//! Damaged trees: whatever clang may print, the front end refuses or accepts it; it does not panic. What stands for
//! clang here prints the tree of one program with some of its places changed.

use super::damage::Rng;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use serde_json::{Map, Value, json};
use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

const SAMPLE: &str = "
    #include <stdio.h>
    #include <stdlib.h>
    enum colour { RED = -1, GREEN = 7 };
    __constant__ float w[2][2] = {{1, 2}, {3}};
    __device__ int total;
    template <int N> __device__ int f(int *a, int &x) {
      for (int i = 0; i < N; i++) { if (a[i] == GREEN) return i; if (a[i]) continue; x++; }
      return x ? -1 : a[0]++;
    }
    __global__ void k(int *a, int n) {
      __shared__ int s[4]; extern __shared__ float dyn[];
      int i = threadIdx.x, m[3] = {n}, y = 3; int *p = &a[i] + 1;
      if (i >= n) return;
      do { y += f<3>(m, y); if (y > 3 && atomicAdd(&total, 1)) break; } while (n-- > 0);
      s[i & 3] += (int)(w[1][0] * sqrtf(dyn[i])); *p = min(y, sizeof(int) > 3 ? 1 : 2);
      __syncthreads();
    }
    int main() {
      int *h = (int *)malloc(16), *d; dim3 g(2, 2), b = g; b.x = 4;
      cudaError_t e = cudaMalloc(&d, 16);
      if (e != cudaSuccess) { printf(\"%d\", h[0]); exit(1); }
      cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);
      k<<<g, b, 8>>>(d, 3);
      cudaMemset(d, 0, 16); cudaFree(d); free(h); return 0;
    }";

/// Top-level declarations of the program itself, which stand behind those of the headers.
const N_OWN: usize = 6;

/// A program of the shell at `path`.
fn script(path: &Path, text: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("written");
    let may_run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, may_run).expect("allowed to run");
}

fn options(clang: PathBuf) -> ParseOptions {
    ParseOptions {
        clang: Some(clang),
        ..ParseOptions::default()
    }
}

/// How much of the program was not read, or why it was refused as a whole.
fn n_unsupported(options: &ParseOptions) -> Result<usize, String> {
    let read = parse_source("t.cu", SAMPLE, Language::Cuda, options);
    let read = read.map_err(|error| error.to_string());
    read.map(|parsed| parsed.unsupported.len())
}

/// What clang prints where it is asked for the tree. A pipe takes a copy: what the front end starts may write no file.
fn tree(folder: &Path) -> Value {
    let (clang, pipe) = (folder.join("copying"), folder.join("pipe"));
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let real = std::env::var("GRIDLOCK_CLANG").unwrap_or_else(|_| "clang-19".into());
    script(&clang, &format!("{real} \"$@\" | tee {}", pipe.display()));
    let reader = std::thread::spawn(move || std::fs::read(pipe));
    assert_eq!(n_unsupported(&options(clang)), Ok(0));
    let printed = reader
        .join()
        .expect("a reader")
        .expect("what clang printed");
    serde_json::from_slice(&printed).expect("a tree")
}

/// What clang prints first of a node and of a place, and what it prints last, in this order.
const FIRST: [&str; 10] = [
    "id",
    "kind",
    "spellingLoc",
    "expansionLoc",
    "offset",
    "file",
    "line",
    "presumedFile",
    "presumedLine",
    "col",
];
const LAST: [&str; 4] = ["tokLen", "includedFrom", "isMacroArgExpansion", "inner"];

/// A tree as clang prints it.
fn printed(tree: &Value, to: &mut String) {
    match tree {
        Value::Object(said) => {
            let place = |key: &str| {
                let first = FIRST.iter().position(|first| *first == key);
                let last = LAST.iter().position(|last| *last == key);
                first
                    .or(last.map(|last| FIRST.len() + 1 + last))
                    .unwrap_or(FIRST.len())
            };
            let mut said: Vec<_> = said.iter().collect();
            said.sort_by_key(|(key, _)| place(key));
            to.push('{');
            for (number, (key, value)) in said.into_iter().enumerate() {
                to.push_str(if number > 0 { "," } else { "" });
                to.push_str(&format!("{}:", json!(key)));
                printed(value, to);
            }
            to.push('}');
        }
        Value::Array(values) => {
            to.push('[');
            for (number, value) in values.iter().enumerate() {
                to.push_str(if number > 0 { "," } else { "" });
                printed(value, to);
            }
            to.push(']');
        }
        other => to.push_str(&other.to_string()),
    }
}

fn children(node: &mut Value) -> Option<&mut Vec<Value>> {
    node.get_mut("inner")?.as_array_mut()
}

/// Damages one place of the tree: drops a child, doubles one, turns the order round, or takes away or replaces what a
/// node says of itself.
fn damage(node: &mut Value, random: &mut Rng) {
    let n_children = children(node).map_or(0, |inner| inner.len());
    if n_children > 0 && random.below(8) != 0 {
        let number = random.below(n_children);
        let inner = children(node).expect("it has children");
        return damage(&mut inner[number], random);
    }
    match (random.below(14), children(node)) {
        (0, Some(inner)) => drop(inner.pop()),
        (1, Some(inner)) => inner.extend(inner.first().cloned()),
        (2, Some(inner)) => inner.reverse(),
        (3, Some(inner)) => inner.push(Value::Null),
        (4, Some(inner)) => inner.push(json!({})),
        (way, _) => match node.as_object_mut() {
            Some(said) => replace(said, way, random),
            None => *node = json!({"kind": "IntegerLiteral"}),
        },
    }
}

/// Replaces what a node says of itself, or takes it away.
fn replace(said: &mut Map<String, Value>, way: usize, random: &mut Rng) {
    let (key, value) = match way {
        5 => ("type", json!({"qualType": "float"})),
        6 => ("type", json!({"qualType": "int (*)[3]"})),
        7 => ("name", json!("strange")),
        8 => ("opcode", json!("&")),
        9 => ("value", json!("-99999999999999999999999999999")),
        10 => ("castKind", json!("LValueToRValue")),
        11 => ("kind", json!("ArraySubscriptExpr")),
        12 => ("referencedDecl", json!({"id": "0x0"})),
        _ => {
            let keys: Vec<String> = said.keys().cloned().collect();
            let gone = keys.get(random.below(keys.len()));
            return drop(gone.and_then(|key| said.remove(key)));
        }
    };
    said.insert(key.into(), value);
}

/// Without what the headers of the tool declare, which is known by name: it all goes faster.
fn of_the_program(mut tree: Value) -> Value {
    let is_kept = |node: &Value| {
        let is_one_of = |names: &[&str]| names.iter().any(|name| node["name"] == *name);
        match node["kind"].as_str() {
            Some("FunctionDecl" | "FunctionTemplateDecl") => is_one_of(&["k", "main", "f"]),
            Some("CXXRecordDecl") => is_one_of(&["dim3", "uint3"]),
            Some("LinkageSpecDecl" | "NamespaceDecl") => false,
            _ => true,
        }
    };
    children(&mut tree).expect("declarations").retain(is_kept);
    tree
}

/// What reads trees in the place of those that clang prints.
fn reader(folder: &Path) -> impl Fn(&Value) -> Result<usize, String> {
    let (clang, file) = (folder.join("printing"), folder.join("tree"));
    script(&clang, &format!("exec cat {}", file.display()));
    let options = options(clang);
    move |tree| {
        let mut text = String::new();
        printed(tree, &mut text);
        std::fs::write(&file, text).expect("written");
        n_unsupported(&options)
    }
}

/// Extents made of two operands were read for ever: the constructor was taken to say the parts of what it makes.
#[test]
fn extents_without_their_third_operand_are_read_to_an_end() {
    fn shorten(node: &mut Value) -> usize {
        let is_made = node["kind"] == "CXXConstructExpr" && node["type"]["qualType"] == "dim3";
        let own = match children(node) {
            Some(operands) if is_made && operands.len() == 3 => operands.pop().into_iter().len(),
            _ => 0,
        };
        let inner = children(node).into_iter().flatten();
        own + inner.map(shorten).sum::<usize>()
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut damaged = of_the_program(tree(folder.path()));
    assert!(shorten(&mut damaged) > 0, "`g(2, 2)` stands in the program");
    assert_ne!(reader(folder.path())(&damaged), Ok(0));
}

#[test]
fn no_tree_makes_it_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = of_the_program(tree(folder.path()));
    let read = reader(folder.path());
    assert_eq!(read(&whole), Ok(0), "the undamaged tree is accepted");
    let (first, count) = (effort::first(1), effort::cases(30, 6_000));
    let mut n_refused = 0;
    for seed in first..first + count {
        let mut random = Rng::new(seed);
        let mut damaged = whole.clone();
        let own = children(&mut damaged).expect("declarations");
        let number = own.len() - 1 - random.below(N_OWN);
        for _ in 0..=random.below(3) {
            damage(&mut own[number], &mut random);
        }
        let came = catch_unwind(AssertUnwindSafe(|| read(&damaged)));
        let came = came.unwrap_or_else(|_| panic!("seed {seed} makes it panic"));
        n_refused += u64::from(came != Ok(0));
    }
    assert!(
        n_refused * 4 > count,
        "the damage shows: {n_refused} of {count}"
    );
}
