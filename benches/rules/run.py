#!/usr/bin/env python3
"""The index over left sides: a system of simplifications on a large program, with it and without.

A C function of --statements assignments, conditionals and loops is generated, with a system of 32 rules tried
everywhere, innermost places last. Whole processes are timed, in turn, the best of --runs counts; programs
and applications must be the same.

    cargo build --release && benches/rules/run.py
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

EXPRESSIONS = [
    ("$x + 0", "$x"), ("$x - 0", "$x"), ("$x * 1", "$x"), ("$x / 1", "$x"), ("$x << 0", "$x"),
    ("$x >> 0", "$x"), ("$x ^ 0", "$x"), ("$x | 0", "$x"), ("$x:Name & $x", "$x"), ("$x:Name | $x", "$x"),
    ("$x:Name - $x", "0"), ("$x:Name ^ $x", "0"), ("$x * 2", "$x << 1"), ("$x * 4", "$x << 2"),
    ("$x * 8", "$x << 3"), ("$x % 1", "0"), ("0 - (0 - $x)", "$x"), ("($x << $n:Int) << $m:Int", "$x << $n + $m"),
    ("($x + $n:Int) + $m:Int", "$x + ($n + $m)"), ("$x:Name + $x", "$x << 1"),
    ("min($x:Name, $x)", "$x"), ("max($x:Name, $x)", "$x"),
]  # fmt: skip
STATEMENTS = [
    ("$x = $x;", ";"),
    ("if ($u) { } else { }", ";"),
    ("$a[$i] = $e; __syncthreads(); __syncthreads();", "$a[$i] = $e; __syncthreads();"),
    ("for ($i = 0; $i < 1; $i = $i + 1) $p", "{ $i = 0; $p $i = $i + 1; }"),
    ("while (0) $p", ";"),
    ("__syncwarp(); __syncwarp();", "__syncwarp();"),
    ("alloc_gpu($d, $n); free_gpu($d);", ";"),
    ("copy_gpu($d, $h, $n); copy_gpu($d, $h, $n);", "copy_gpu($d, $h, $n);"),
    ("$k<<<$g, $b>>>($ps*); $k<<<$g, $b>>>($ps*);", "$k<<<$g, $b>>>($ps*);"),
    ("$x = $n:Int; $x = $m:Int;", "$x = $m;"),
]


def rules():
    lines = ['system bench about "Simplifications." source "benches/rules" status "exact for integers"']
    names = []
    for number, (left, right) in enumerate(EXPRESSIONS):
        names.append(f"e{number}")
        lines.append(f"rule e{number}: ({left})\n-> ({right})")
    for number, (left, right) in enumerate(STATEMENTS):
        names.append(f"s{number}")
        lines.append(f"rule s{number}: {left}\n-> {right}")
    return "\n".join(lines + [f"strategy main = everywhere({' <+ '.join(names)})", ""])


def expression(rng, depth):
    if depth == 0:
        return rng.choice(["x", "y", "z", "n", "a[i]", "1", "2", "0", "7"])
    op = rng.choice(["+", "+", "-", "*", "*", "&", "|", "^"])
    return f"({expression(rng, depth - 1)} {op} {expression(rng, depth - 1)})"


def statement(rng, depth):
    kind = rng.random()
    if depth and kind < 0.15:
        return f"if ({expression(rng, 1)} < n) {{ {statement(rng, depth - 1)} {statement(rng, depth - 1)} }}"
    if depth and kind < 0.25:
        return f"for (i = 0; i < n; i++) {{ {statement(rng, depth - 1)} }}"
    if kind < 0.5:
        return f"a[{rng.choice('xyzi')}] = {expression(rng, 2)};"
    return f"{rng.choice('xyz')} = {expression(rng, 2)};"


def program(rng, n):
    # Functions of 50 statements: a strategy goes through the statements of a block for each run it looks for.
    text = []
    for number in range(0, n, 50):
        body = "\n    ".join(statement(rng, 2) for _ in range(50))
        text.append(f"int f{number}(int *a, int n, int x, int y, int z) {{\n    int i = 0;\n    {body}\n    return x;\n}}\n")
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--gridlock", default=ROOT / "target/release/gridlock", type=pathlib.Path)
    parser.add_argument("--statements", default=2000, type=int)
    parser.add_argument("--runs", default=3, type=int)
    options = parser.parse_args()
    rng = random.Random(20261122)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "s.rules").write_text(rules())
        (folder / "p.c").write_text(program(rng, options.statements))
        command = [options.gridlock.resolve(), "rewrite", "p.c", "--rules", "s.rules", "--fuel", "100000", "--format", "json"]
        best, shown = {}, {}
        for _ in range(options.runs):
            for who, extra in (("index", []), ("all", ["--try-all"])):
                started = time.monotonic()
                done = subprocess.run([*command, *extra], cwd=folder, capture_output=True, text=True, check=False)
                took = time.monotonic() - started
                if done.returncode not in (0, 3):
                    sys.exit(done.stdout[-500:] + done.stderr[-500:])
                best[who] = min(took, best.get(who, took))
                shown[who] = json.loads(done.stdout)
        tries = shown["index"]["tries"]
        print(f"{options.statements} statements, {len(EXPRESSIONS) + len(STATEMENTS)} rules, "
              f"{len(shown['index']['applications'])} applications")
        print(f"asked {tries['asked']:,}  tried {tries['tried']:,}  "
              f"saved {100 * (1 - tries['tried'] / tries['asked']):.1f} %")
        print(f"index {best['index']:.2f} s  all {best['all']:.2f} s")
        same = all(shown["index"][key] == shown["all"][key] for key in ("applications", "text"))
    if not same:
        print("the programs or applications differ")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
