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
import os
import pathlib
import subprocess
import sys
import time

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


def judge(program, path):
    start = time.monotonic()
    child = subprocess.Popen(
        [program, "check", path, "--format", "json"], stdout=subprocess.PIPE, text=True
    )
    text = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    return json.loads(text), time.monotonic() - start, usage.ru_maxrss / 1024


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
