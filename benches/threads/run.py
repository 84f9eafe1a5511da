#!/usr/bin/env python3
"""How the cost of the canonical run grows with the number of threads.

The tree sum of ../oclgrind/kernels/tree-sum.cu, 1024 threads a block, 1 to 1024 blocks, all of it
checked by one canonical run:

    gridlock check tree-sum.cu --no-proof --grid … --block 1024 --extent … --contents …

What is drawn is the judgement without reading the source (`statistics.seconds` of the report, by
the clock) and the processor time of the whole process, clang's included; of each the least of a few
runs. Writes docs/canonical-run-threads.svg.

Needs python3, gnuplot (Debian package `gnuplot-nox`) and a release build of gridlock:

    cargo build --release
    benches/threads/run.py
"""

import argparse
import json
import pathlib
import resource
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KERNEL = ROOT / "benches/oclgrind/kernels/tree-sum.cu"
BLOCK = 1024

PLOT = """
set terminal svg size 640,420 font 'sans-serif,12' background rgb 'white'
set output '{svg}'
set logscale xy
set format x '2^{{%L}}'
set logscale x 2
set xlabel 'threads'
set ylabel 'seconds'
set yrange [0.0005:2]
set key top left
set grid
$data << EOD
{data}
EOD
per_thread = {per_thread:g}
plot per_thread * x title sprintf('%.0f ns a thread', per_thread * 1e9) with lines dt 2 lc rgb '#999999', \\
     $data using 1:3 title 'whole process, processor time' with linespoints pt 6 lc rgb '#4477aa', \\
     $data using 1:2 title 'judgement, by the clock' with linespoints pt 7 lc rgb '#cc3311'
"""


def measure(gridlock, blocks, runs):
    threads = blocks * BLOCK
    command = [gridlock, "check", KERNEL, "--no-proof", "--format", "json"]
    command += ["--grid", str(blocks), "--block", str(BLOCK)]
    command += ["--extent", f"in={threads}", "--contents", "in=range:0:1"]
    command += ["--extent", f"out={blocks}", "--contents", "out=zero"]
    judged, whole = [], []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        whole.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
        report = json.loads(done.stdout)
        assert report["verdict"] == "passed", report
        judged.append(report["statistics"]["seconds"])
    return threads, min(judged), min(whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--gridlock", default=ROOT / "target/release/gridlock", type=pathlib.Path)
    parser.add_argument("--runs", default=7, type=int)
    parser.add_argument("--svg", default=ROOT / "docs/canonical-run-threads.svg", type=pathlib.Path)
    options = parser.parse_args()
    rows = []
    for power in range(11):
        rows.append(measure(options.gridlock.resolve(), 1 << power, options.runs))
        print("{:8} threads  {:8.4f} s  {:8.4f} s".format(*rows[-1]), flush=True)
    threads, judged, _ = rows[-1]
    data = "\n".join("{} {:.6f} {:.6f}".format(*row) for row in rows)
    plot = PLOT.format(svg=options.svg, data=data, per_thread=judged / threads)
    subprocess.run(["gnuplot"], input=plot, text=True, check=True)
    print(options.svg)


if __name__ == "__main__":
    main()
