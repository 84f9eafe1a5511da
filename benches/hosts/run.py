#!/usr/bin/env python3
"""Whole programs as people write them: `main`, error-checking macros, a check on the host.

    cargo build --release && benches/hosts/run.py

Each program is judged by `gridlock check` as it stands, and so is its broken twin, in which one thing is wrong. Written
are the verdict, the kinds of defect, seconds by the clock and the largest resident size. Exit status 1 where a right
program is refuted, or the defect of a twin is not the one that was planted. --seconds and --megabytes set what each may
take (5 s, 1000 MB); what takes more is marked, and counts with --strict.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# What is planted in the twin.
DEFECTS = {
    "bfs": "data-race",
    "histogram": "data-race",
    "life": "data-race",
    "nbody": "out-of-bounds",
    "product": "data-race",
    "saxpy": "stale-data",
    "streams": "stale-data",
    "vector-add": "out-of-bounds",
}


# Starts a program with its output in a file, and prints seconds and kilobytes. In a process of its own: the largest
# resident size of a child counts from that of its parent on, which here has read the reports before.
MEASURED = """
import resource, subprocess, sys, time
start = time.monotonic()
with open(sys.argv[1], "wb") as out:
    subprocess.run(sys.argv[2:], stdout=out)
print(time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def judge(program, path):
    with tempfile.NamedTemporaryFile() as out:
        command = [program, "check", path, "--format", "json"]
        measured = [sys.executable, "-c", MEASURED, out.name, *command]
        done = subprocess.run(measured, stdout=subprocess.PIPE, text=True, check=True)
        seconds, kilobytes = map(float, done.stdout.split())
        with open(out.name, encoding="utf-8") as report:
            return json.load(report), seconds, kilobytes / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "target/release/gridlock")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--megabytes", type=float, default=1000)
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    failed = False
    print(f"{'program':20} {'verdict':12} {'seconds':>8} {'MB':>6}  defects")
    for name, planted in DEFECTS.items():
        for suffix in ["", "-broken"]:
            path = HERE / f"{name}{suffix}.cu"
            report, seconds, megabytes = judge(options.program, path)
            kinds = sorted({defect["kind"] for defect in report.get("defects", [])})
            verdict = report.get("verdict", "error")
            slow = seconds > options.seconds or megabytes > options.megabytes
            if suffix:
                wrong = planted not in kinds
            else:
                wrong = verdict not in ("proved", "passed")
            marks = " ".join(["WRONG"] * wrong + ["over"] * slow)
            failed |= wrong or options.strict and slow
            print(f"{path.stem:20} {verdict:12} {seconds:8.2f} {megabytes:6.0f}  {' '.join(kinds)} {marks}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
