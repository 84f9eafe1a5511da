#!/usr/bin/env python3
"""Seconds and memory of `gridlock equiv` on each pair of tests/pairs, right and wrong.

    cargo build --release && benches/pairs/run.py --into docs/equivalence-times.md

Each pair is judged as its head says, one after the other. Written are the verdicts, seconds by the clock and the largest
resident size; exit status 1 where a verdict is not the one of the head, or a pair takes more than --seconds or
--megabytes.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# In a process of its own: the largest resident size of a child counts from that of its parent on.
MEASURED = """
import resource, subprocess, sys, time
start = time.monotonic()
with open(sys.argv[1], "wb") as out:
    subprocess.run(sys.argv[2:], stdout=out)
print(time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def head(path):
    """What the first lines say: `launch`, `after`, `wrong`, `modulo`."""
    said = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("// ") or ":" not in line:
            break
        key, value = line[3:].split(":", 1)
        said[key.strip()] = value.strip()
    return said


def judge(program, path, said, other):
    modulo = ["--modulo", said["modulo"]] if "modulo" in said else []
    with tempfile.NamedTemporaryFile() as out:
        command = [program, "equiv", path, path, "--a-kernel", "before", "--b-kernel", other]
        command += said["launch"].split() + modulo + ["--format", "json"]
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, out.name, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
        )
        seconds, kilobytes = map(float, done.stdout.split())
        with open(out.name, encoding="utf-8") as report:
            return json.load(report)["verdict"], seconds, kilobytes / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "target/release/gridlock")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--megabytes", type=float, default=4000)
    parser.add_argument("--into", type=pathlib.Path, help="a page to write")
    options = parser.parse_args()
    rows, wrong = [], False
    for path in sorted((ROOT / "tests/pairs").glob("*.cu")):
        said = head(path)
        for other in ("after", "wrong"):
            verdict, seconds, megabytes = judge(options.program, path, said, other)
            is_right = verdict == said[other]
            fits = seconds <= options.seconds and megabytes <= options.megabytes
            wrong |= not (is_right and fits)
            note = "" if is_right else f", expected {said[other]}"
            print(f"{path.stem:36} {other:6} {verdict}{note} {seconds:.2f} s {megabytes:.0f} MB", flush=True)
            rows.append((path.stem, other, verdict, seconds, megabytes))
    times = [row[3] for row in rows]
    summary = (
        f"{len(rows)} comparisons of {len(rows) // 2} pairs: median {statistics.median(times):.2f} s, "
        f"longest {max(times):.2f} s, at most {max(row[4] for row in rows):.0f} MB"
    )
    print(summary)
    if options.into:
        lines = [
            "# Time of proofs of equivalence",
            "",
            "What `gridlock equiv` takes for each pair of [pairs.md](pairs.md), as a command from its start to its end: reading the",
            "file with clang, samples, the proof or the run that refutes. Written by `benches/pairs/run.py --into` this page, with",
            "two processors; times over the size of a launch are in [performance.md](performance.md#proofs-of-equivalence).",
            "",
            f"{summary}.",
            "",
            "| pair | after | seconds | MB | wrong | seconds | MB |",
            "|---|---|---|---|---|---|---|",
        ]
        for one, other in zip(rows[::2], rows[1::2]):
            cells = [f"{verdict} | {seconds:.2f} | {megabytes:.0f}" for _, _, verdict, seconds, megabytes in (one, other)]
            lines.append(f"| {one[0]} | {' | '.join(cells)} |")
        options.into.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
