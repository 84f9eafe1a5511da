#!/usr/bin/env python3
"""`gridlock equiv` and `check` beside Volta (github.com/Kshitij-D/volta), on that tool's own kernels.

    git clone https://github.com/Kshitij-D/volta ../volta
    (cd ../volta && cargo build --release -p volta_bench)
    cargo build --release && benches/volta/run.py ../volta --into docs/peer-volta.md

Volta reads the PTX that nvcc makes of its kernels, which its repository has beside them, runs block 0 on unknown inputs, and compares over the real numbers; gridlock
reads the CUDA of the same kernels, runs all blocks of the launch, and compares integers exactly and floats as real numbers. Both get the launch
and the sizes of Volta's benchmarks. The kernels of a product of matrices have sizes of 4096 in them, of which all blocks of a launch
are too many: a second table has them with 64 in their place, for gridlock alone.

A run is one of each in turn, of --runs the fastest; timed are whole processes. Volta's time is given from the PTX on, and from the CUDA on, as
gridlock's is: with what nvcc takes to make the PTX of a kernel's file (once where both kernels are in one). Without a build of Volta, or without
nvcc, the columns are empty. Exit status 1 where gridlock gives a wrong answer.
"""

import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RIGHT = {"same": ["proved"], "races": ["refuted"], "none": ["proved"]}


def equivalence(name, old, new, *options):
    return name, "same", ["equiv", old, new, *options]


def races(name, expected, kernel, *options):
    return name, expected, ["check", kernel, "--property", "races", *options]


def cases():
    reduction = "01_reduction/Red-"
    for number in range(1, 5):
        yield equivalence(
            f"(Red-1, Red-{number})", f"{reduction}1.cu", f"{reduction}{number}.cu", "--grid", "1", "--block", "128"
        )
    for number in range(5, 8):
        yield races(
            f"Red-{number} (racy)", "races", f"{reduction}{number}_racy.cu",
            "--grid", "1", "--block", "8", "--shared-bytes", "256",
        )  # fmt: skip
    launches = {
        "BucketPositions": ["--grid", "1", "--block", "64"],
        "ComputeRange": ["--grid", "1", "--block", "64"],
        "ReduceValue": ["--grid", "1", "--block", "64"],
        "LayerNorm": ["--grid", "1,2", "--block", "32", "--arg", "n1=2", "--arg", "n2=1024"],
        "GradInput": None,
    }
    for name, launch in launches.items():
        for when, file, expected in [("pre", "pre_racy", "races"), ("post", "post_fixed", "none")]:
            # As Volta's: four warps a block before the mending, one after it.
            options = launch or ["--grid", "1,64", "--block", "32,4" if when == "pre" else "32,1"]
            yield races(f"{name} ({when}-fix)", expected, f"08_races/{name}-{file}.cu", *options)
    for number, threads in enumerate([512, 512, 128, 128, 128, 256, 256], 1):
        yield equivalence(
            f"(MatMul-1, MatMul-{number})", "02_matmul/MatMul-1.cu", f"02_matmul/MatMul-{number}.cu",
            "--grid", "64,64", "--a-block", "512", "--b-block", str(threads), "--modulo", "reals",
        )  # fmt: skip
    attention = ["--grid", "1", "--modulo", "reals", "--arg", "scale=0.125"]
    for name, threads in [("Attention", 1), ("FA1", 128), ("FA1-TC", 128), ("FA2-TC", 128)]:
        yield equivalence(
            f"(Attention, {name})", "03_attention/Attention.cu", f"03_attention/{name}.cu",
            "--a-block", "1", "--b-block", str(threads), *attention,
        )  # fmt: skip
    for name, threads in [("Attention", 1), ("FA1", 128), ("FA1-TC", 128), ("FA2-TC", 128)]:
        file = f"04_causal_attention/Causal-{name}"
        yield equivalence(
            f"(Causal-{name}-naive, Causal-{name}-fused)", f"{file}-naive.cu", f"{file}-fused.cu",
            "--block", str(threads), *attention,
        )  # fmt: skip
    yield equivalence(
        "(Conv2D-ref, Conv2D-opt)", "05_conv2d_llm/Conv2D-ref.cu", "05_conv2d_llm/Conv2D-opt.cu",
        "--grid", "2364", "--block", "256", "--modulo", "reals",
    )  # fmt: skip
    for number in range(1, 4):
        yield equivalence(
            f"(MatMul-1-32x32, GEMM-{number})", "06_agent_gemm/MatMul-1-ref_32x32.cu", f"06_agent_gemm/GEMM-{number}.cu",
            "--grid", "16384", "--block", "512", "--modulo", "reals",
        )  # fmt: skip


# Volta's word for the exponential function, which its kernels declare and nobody defines.
DECLARED = 'extern "C" __device__ float __symexpf(float x);'


def copied(kernels, folder):
    """The kernels with a name of the exponential function that others know, too."""
    shutil.copytree(kernels, folder, dirs_exist_ok=True)
    for path in folder.glob("*/*.cu"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(DECLARED, "#define __symexpf expf"), encoding="utf-8")


def small_products(kernels, folder):
    for number in range(1, 8):
        text = (kernels / f"02_matmul/MatMul-{number}.cu").read_text(encoding="utf-8")
        (folder / f"MatMul-{number}.cu").write_text(re.sub(r"(#define [MNK]) 4096u?", r"\1 64u", text), encoding="utf-8")
    for number, threads in enumerate([512, 512, 128, 128, 128, 256, 256], 1):
        yield equivalence(
            f"(MatMul-1, MatMul-{number}), 64", str(folder / "MatMul-1.cu"), str(folder / f"MatMul-{number}.cu"),
            "--grid", "1", "--a-block", "512", "--b-block", str(threads), "--modulo", "reals",
        )  # fmt: skip


def ours(program, kernels, command, seconds):
    start = time.monotonic()
    done = subprocess.run(
        [program, *command, "--format", "json", "--limit-seconds", str(seconds)],
        cwd=kernels, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    taken = time.monotonic() - start
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "error", done.stderr.strip().splitlines()[:1], taken
    if "verdict" not in report:
        return "not read", report["error"]["message"], taken
    first = (report.get("properties") or [{}])[0]
    return report["verdict"], first.get("explanation") or first.get("reason") or "", taken


def theirs(volta, name, seconds):
    if volta is None:
        return "", None
    start = time.monotonic()
    command = [volta / "target/release/volta-bench", "single", name]
    try:
        done = subprocess.run(
            command, cwd=volta / "crates/volta_bench", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"over {seconds} s", None
    taken = time.monotonic() - start
    status = re.search(r"^Status:\s*(.+)$", done.stdout, re.MULTILINE)
    passed = re.search(r"^Passed:\s*yes$", done.stdout, re.MULTILINE)
    said = status.group(1).strip() if status else "error"
    return f"{said}{'' if passed else ', not as expected'}", taken


def nvcc():
    """The compiler that `make` fetches, or the one on PATH."""
    own = ROOT / ".toolchain/cuda/bin/nvcc"
    return own if own.exists() else shutil.which("nvcc")


COMPILED = {}


def compiled(kernels, command, runs):
    """Seconds that nvcc takes to make PTX of a command's files, of `runs` the fewest; `None` where it does not."""
    compiler = nvcc()
    if compiler is None:
        return None
    files = sorted({argument for argument in command if argument.endswith(".cu")})
    for file in files:
        if file not in COMPILED:
            COMPILED[file] = min(ptx_made(compiler, kernels, file) for _ in range(runs))
    total = sum(COMPILED[file] for file in files)
    return None if math.isinf(total) else total


def ptx_made(compiler, kernels, file):
    start = time.monotonic()
    # As the PTX in Volta's repository says of itself.
    done = subprocess.run(
        [compiler, "-ptx", "-arch=sm_80", file, "-o", os.devnull],
        cwd=kernels, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return time.monotonic() - start if done.returncode == 0 else math.inf


def shown(seconds):
    return "" if seconds is None else f"{seconds:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default=ROOT / "target/release/gridlock")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--into", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder.resolve()
    kernels = folder / "crates/volta_bench/kernels"
    volta = folder if (folder / "target/release/volta-bench").exists() else None
    rows, small, wrong = [], [], 0
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        copied(kernels, made)
        listed = [(case, rows) for case in cases()]
        listed += [(case, small) for case in small_products(kernels, made)]
        for (name, expected, command), into in listed:
            if options.only not in name:
                continue
            best = None
            other = ("", None)
            for _ in range(options.runs):
                verdict, why, taken = ours(options.program, made, command, options.seconds)
                best = min(best or taken, taken)
                if into is rows:
                    said, seconds = theirs(volta, name, options.seconds)
                    if seconds is not None:
                        other = (said, min(other[1] or seconds, seconds))
                    elif other[1] is None:
                        other = (said, None)
                # A limit is met again.
                if taken > options.seconds / 2:
                    break
            is_right = verdict in RIGHT[expected]
            is_wrong = verdict in ("proved", "refuted") and not is_right
            wrong += is_wrong
            mark = "right" if is_right else "WRONG" if is_wrong else ""
            from_cuda = None
            if other[1] is not None and (made_in := compiled(kernels, command, options.runs)) is not None:
                from_cuda = made_in + other[1]
            into.append((name, expected, verdict, mark, shown(best), other[0], shown(other[1]), shown(from_cuda)))
            print(*into[-1], "" if is_right else why, sep=" | ", flush=True)
    head = "| pair or kernel | expected | gridlock | | seconds | Volta | from PTX | from CUDA |\n"
    head += "| --- | --- | --- | --- | ---: | --- | ---: | ---: |\n"
    lines = lambda table: "".join("| " + " | ".join(row) + " |\n" for row in table)
    n_right = sum(row[3] == "right" for row in rows)
    timed = [row for row in rows if row[3] == "right" and row[7]]
    fewer = lambda column: sum(float(row[4]) < float(row[column]) for row in timed)
    text = f"**{n_right} of {len(rows)} right**; of {len(timed)} that both timed gridlock takes less time for {fewer(7)}"
    text += f" where both begin with the CUDA, and for {fewer(6)} where Volta's PTX is there already.\n\n{head}{lines(rows)}"
    small_head = "| pair | expected | gridlock | | seconds |\n| --- | --- | --- | --- | ---: |\n"
    text += f"\nWith 64 in the place of 4096:\n\n{small_head}{lines(row[:5] for row in small)}"
    if options.into:
        page = options.into.read_text(encoding="utf-8")
        begin, end = "<!-- measured: begin -->\n", "<!-- measured: end -->"
        before, rest = page.split(begin)
        options.into.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")
    else:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
