#!/usr/bin/env python3
"""The canonical run beside Oclgrind's race detection, kernel by kernel.

Each kernel of kernels/ is printed twice by `gridlock lower`, as OpenCL C for Oclgrind and as CUDA
C++ for gridlock, line for line the same program. Both run the same launch on the same data:

    oclgrind-kernel --data-races KERNEL.sim
    gridlock check KERNEL.cu --no-proof --grid … --block … --arg … --extent … --contents …

What is timed is the whole process on either side, reading and compiling included; gridlock's also
replays each race it reports on its reference semantics. Runs are paired: one of each in turn, and
of each the best. Races are compared as pairs of lines of the kernel: gridlock must report every pair that
Oclgrind does, and of a kernel without races neither may report any.

Needs python3, oclgrind (Debian package `oclgrind`) and a release build of gridlock:

    cargo build --release
    benches/oclgrind/run.py

Exit status 1 when gridlock misses a race, or is less than --least times as fast on some kernel.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Array:
    """An array argument: `elements` of `kind`, cell i being first + i * step."""

    def __init__(self, name, kind, elements, first=0, step=0):
        self.name, self.kind, self.elements = name, kind, elements
        self.first, self.step = first, step

    def sim(self):
        size = 4 * self.elements
        if self.step == 0:
            return f"<size={size} fill={self.first} {self.kind}>"
        last = self.first + self.step * (self.elements - 1)
        return f"<size={size} range={self.first}:{self.step}:{last} {self.kind}>"

    def options(self):
        contents = f"range:{self.first}:{self.step}" if self.step else f"fill:{self.first}"
        return ["--extent", f"{self.name}={self.elements}", "--contents", f"{self.name}={contents}"]


class Scalar:
    def __init__(self, name, kind, value):
        self.name, self.kind, self.value = name, kind, value

    def sim(self):
        return f"<size=4 {self.kind}>\n{self.value}"

    def options(self):
        return ["--arg", f"{self.name}={self.value}"]


def cases(small):
    """File, grid, block, arguments; of a sixty-fourth of the threads if `small`."""

    def ints(name, elements, first=0, step=0):
        return Array(name, "int", elements, first, step)

    def floats(name, elements, first=0, step=0):
        return Array(name, "float", elements, first, step)

    def n(value):
        return Scalar("n", "int", value)

    million = 1 << 14 if small else 1 << 20
    half, quarter, few = million // 2, million // 4, max(2048, million // 64)
    # Where a thread does little, more of them: seconds of Oclgrind, not tenths.
    many = 4 * million
    side, wide = (128, 256) if small else (1024, 2048)
    edge = 48 if small else 192

    def tree(threads):
        return [ints("in", threads, 0, 1), ints("out", threads // 1024)]

    def scan(threads):
        return [ints("in", threads, 3, 1), ints("out", threads)]

    def square(side):
        return [floats("in", side * side, 0, 1), floats("out", side * side), n(side)]

    def vectors(size):
        two = Scalar("a", "float", 2)
        return [two, floats("x", size, 0, 1), floats("y", size, 1, 1), n(size)]

    def dot(size):
        return [ints("x", size, 0, 1), ints("y", size, 5, 1), ints("result", 1), n(size)]

    def counted(size):
        return [ints("in", size, 0, 1), ints("bins", 64)]

    cells = edge * edge
    product = [floats("a", cells, 0, 1), floats("b", cells, 1, 1), floats("c", cells), n(edge)]
    line = [ints("in", many, 0, 1), ints("out", many), n(many)]
    falling = [ints("a", quarter, quarter, -1)]
    rising, risen = [ints("a", million, 1, 1)], [ints("a", half, 1, 1)]
    return [
        ("tree-sum", [million // 1024], [1024], tree(million)),
        ("tree-sum-racy", [million // 1024], [1024], tree(million)),
        ("scan", [half // 256], [256], scan(half)),
        ("scan-racy", [quarter // 256], [256], scan(quarter)),
        ("transpose", [wide // 32] * 2, [32, 8], square(wide)),
        ("transpose-racy", [side // 32] * 2, [32, 8], square(side)),
        ("matrix-product", [edge // 16] * 2, [16, 16], product),
        ("matrix-product-racy", [edge // 16] * 2, [16, 16], product),
        ("stencil", [many // 256], [256], line),
        ("stencil-racy", [million // 256], [256], [ints("a", million, 0, 1), n(million)]),
        ("histogram", [many // 256], [256], counted(many)),
        ("histogram-racy", [million // 256], [256], counted(million)),
        ("dot-product", [many // 4096], [256], dot(many)),
        ("dot-product-racy", [many // 4096], [256], dot(many)),
        ("bitonic-sort", [quarter // 256], [256], falling),
        ("bitonic-sort-racy", [quarter // 256], [256], falling),
        ("prefix", [million // 512], [256], rising),
        ("prefix-racy", [half // 512], [256], risen),
        ("jacobi", [wide // 16] * 2, [16, 16], square(wide)),
        ("jacobi-racy", [side // 16] * 2, [16, 16], [floats("a", million, 0, 1), n(side)]),
        ("saxpy", [many // 4096], [256], vectors(many)),
        # Every block meets every later one at each element: Oclgrind takes minutes for a launch as
        # large as the others.
        ("saxpy-racy", [few // 1024], [256], vectors(few)),
    ]


def kernel_line(path):
    """Number of the line on which the kernel begins, and its name."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        head = re.match(r"(?:kernel|__global__) void (\w+)", line)
        if head:
            return number, head.group(1)
    sys.exit(f"{path}: no kernel")


def simulation(opencl, grid, block, arguments):
    size = [g * b for g, b in zip(grid, block)]
    shape = [" ".join(str(d) for d in (dims + [1, 1])[:3]) for dims in (size, block)]
    lines = [opencl.name, kernel_line(opencl)[1], *shape, ""]
    return "\n".join(lines + [argument.sim() for argument in arguments]) + "\n"


def timed(command, directory):
    """Seconds by the clock and of processor time, and what was printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall, cpu, done


def oclgrind_races(text, first):
    """Pairs of lines of the kernel, which begins at line `first`, two entities a report."""
    pairs = set()
    for report in re.split(r"\n(?=\S[^\n]*data race at)", text):
        if "data race at" not in report:
            continue
        lines = [int(line) - first for line in re.findall(r"At line (\d+)", report)]
        if len(lines) == 2:
            pairs.add(tuple(sorted(lines)))
    return pairs


def gridlock_races(judgement, first):
    pairs = set()
    for defect in judgement["defects"]:
        if defect["kind"] == "data-race":
            pairs.add(tuple(sorted(access["line"] - first for access in defect["accesses"])))
    return pairs


def measure(case, gridlock, directory, runs):
    name, grid, block, arguments = case
    opencl, cuda = directory / f"{name}.cl", directory / f"{name}.cu"
    for target, path in (("opencl", opencl), ("cuda", cuda)):
        source = HERE / "kernels" / f"{name}.cu"
        lower = [gridlock, "lower", source, "--target", target, "-o", path]
        subprocess.run(lower, check=True, capture_output=True)
    (cl_first, _), (cu_first, _) = kernel_line(opencl), kernel_line(cuda)
    lines = [len(path.read_text().splitlines()) for path in (opencl, cuda)]
    assert lines[0] - cl_first == lines[1] - cu_first, f"{name}: the two texts differ in length"
    simulated = directory / f"{name}.sim"
    simulated.write_text(simulation(opencl, grid, block, arguments))
    theirs = ["oclgrind-kernel", "--data-races", simulated.name]
    ours = [gridlock, "check", cuda.name, "--no-proof"]
    ours += ["--grid", ",".join(map(str, grid)), "--block", ",".join(map(str, block))]
    for argument in arguments:
        ours += argument.options()
    best = {}
    for _ in range(runs):
        for who, command in (("theirs", theirs), ("ours", ours)):
            wall, cpu, done = timed(command, directory)
            known = best.get(who, (wall, cpu, done))
            best[who] = (min(wall, known[0]), min(cpu, known[1]), done)
    # The races once more and untimed: a report in JSON has the witness in it, data and all.
    report = timed([*ours, "--format", "json"], directory)[2]
    theirs, ours = best["theirs"], best["ours"]
    if theirs[2].returncode != 0:
        sys.exit(f"{name}: oclgrind: {theirs[2].stderr}")
    judgement = json.loads(report.stdout)
    if "verdict" not in judgement:
        sys.exit(f"{name}: gridlock: {report.stdout}{report.stderr}")
    threads = 1
    for extent in grid + block:
        threads *= extent
    return {
        "kernel": name,
        "threads": threads,
        "oclgrind": theirs[:2],
        "gridlock": ours[:2],
        "oclgrind_races": oclgrind_races(theirs[2].stdout + theirs[2].stderr, cl_first),
        "gridlock_races": gridlock_races(judgement, cu_first),
        "verdict": judgement["verdict"],
    }


def complaints(row, least):
    """What is wrong with a row."""
    found = []
    missed = row["oclgrind_races"] - row["gridlock_races"]
    if missed:
        found.append(f"missed races at lines {sorted(missed)}")
    racy = row["kernel"].endswith("-racy")
    expected = "refuted" if racy else "passed"
    if row["verdict"] != expected:
        found.append(f"verdict {row['verdict']}, expected {expected}")
    if racy != bool(row["gridlock_races"]):
        found.append("races where there are none, or none where there are")
    if least and row["oclgrind"][0] < least * row["gridlock"][0]:
        found.append(f"less than {least:g} times as fast")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--gridlock", default=ROOT / "target/release/gridlock", type=pathlib.Path)
    parser.add_argument("--runs", default=3, type=int, help="runs of each (the best counts)")
    parser.add_argument("--least", default=30.0, type=float, help="times as fast, at least; 0 for any")
    parser.add_argument("--small", action="store_true", help="a sixty-fourth of the threads")
    parser.add_argument("kernels", nargs="*", help="only these")
    options = parser.parse_args()
    gridlock = options.gridlock.resolve()
    head = f"{'kernel':20} {'threads':>8}  {'oclgrind':>15}  {'gridlock':>15}  {'ratio':>6} {'cpu':>6}  races"
    print(f"{'':29}  {'wall, cpu s':>15}  {'wall, cpu s':>15}\n{head}")
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        for case in cases(options.small):
            if options.kernels and case[0] not in options.kernels:
                continue
            row = measure(case, gridlock, pathlib.Path(directory), options.runs)
            (their_wall, their_cpu), (wall, cpu) = row["oclgrind"], row["gridlock"]
            races = f"{len(row['oclgrind_races'])} of {len(row['gridlock_races'])}"
            print(
                f"{row['kernel']:20} {row['threads']:8}  {their_wall:7.2f} {their_cpu:7.2f}  "
                f"{wall:7.3f} {cpu:7.3f}  {their_wall / wall:6.0f} {their_cpu / cpu:6.0f}  {races}",
                flush=True,
            )
            for complaint in complaints(row, options.least):
                print(f"    {complaint}", flush=True)
                wrong += 1
    print(f"Races: pairs of lines that Oclgrind reports, of those gridlock does. {os.cpu_count()} processors.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
