#!/usr/bin/env python3
"""Gridlock's explorer beside SPIN, on models written for both.

    benches/spin/run.py --quick          every verdict, right and broken, at small sizes
    benches/spin/run.py                  the tables of docs/performance.md
    benches/spin/run.py --only ticket --tables verdict --repeat 5

Needs `spin`, `gcc` and a release build of gridlock (`cargo build --release`). Each pair NAME.pml and
NAME.cu says the same: the same accesses to shared memory, one a step; without reduction both have
equally many states (--quick holds them to it). In two places they cannot be alike: a thread that waits
blocks on a guard in Promela and goes round a loop in CUDA, which is one transition more and no state;
and Promela has no barrier (treesum.pml writes one as a counter, treesum-coarse.pml with as few steps as
we could).

What is timed: `./pan` from start to end (neither `spin -a` nor gcc), and `gridlock explore` from start
to end, reading the source included (about 0.06 s). Times are seconds of processor time, user and system,
each on one thread, so that another load on the machine counts little; the table `cores` has elapsed time.
Contenders run in turns, the best of the rounds counts. A run that reaches a limit is shown with `>`. Of
SPIN's configurations the quickest counts. Tables:

    verdict  time to verdict: SPIN with its reductions, gridlock with its own
    raw      states a second of both without reduction, one thread each
    cores    gridlock without reduction on one thread and on two
"""

import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@dataclass(frozen=True)
class Case:
    """A model at one size. `depth` is for pan, which has to be told how deep a run may get."""

    model: str
    kernel: str
    sizes: dict
    grid: int
    block: int
    depth: int = 10_000

    @property
    def same_states(self):
        """Whether both have the same states without reduction: all but those with a barrier."""
        return self.kernel != "treesum"

    def name(self, broken=False):
        sizes = " ".join(f"{k}={v}" for k, v in self.sizes.items())
        return f"{self.model} {sizes}" + (" broken" if broken else "")

    def defines(self, broken):
        return [f"-D{k}={v}" for k, v in self.sizes.items()] + (["-DBUG"] if broken else [])


def treesum(n, m, model="treesum"):
    return Case(model, "treesum", {"N": n, "M": m}, grid=1, block=n)


def message(p, r):
    return Case("message", "message", {"P": p, "R": r}, grid=2 * p, block=1, depth=20 * p * r + 1000)


def pipeline(n, r):
    return Case("pipeline", "pipeline", {"N": n, "R": r}, grid=n, block=1)


def ticket(n, k):
    return Case("ticket", "ticket", {"N": n, "K": k}, grid=1, block=n)


def mutex(n, k):
    return Case("mutex", "mutex", {"N": n, "K": k}, grid=n, block=1)


def gridbarrier(n, r):
    return Case("gridbarrier", "gridbarrier", {"N": n, "R": r}, grid=n, block=1)


def lastblock(n):
    return Case("lastblock", "lastblock", {"N": n}, grid=n, block=1)


QUICK = [
    treesum(4, 4),
    treesum(4, 8, "treesum-coarse"),
    message(1, 4),
    message(2, 2),
    pipeline(3, 2),
    ticket(2, 3),
    mutex(3, 1),
    gridbarrier(3, 2),
    lastblock(4),
]

VERDICT = [
    treesum(8, 8),
    treesum(8, 16),
    treesum(16, 16),
    treesum(8, 16, "treesum-coarse"),
    treesum(16, 16, "treesum-coarse"),
    message(1, 200),
    message(2, 200),
    message(4, 5),
    message(4, 8),
    pipeline(10, 5),
    ticket(3, 20),
    ticket(4, 20),
    mutex(6, 5),
    mutex(8, 3),
    gridbarrier(8, 3),
    gridbarrier(9, 4),
    lastblock(8),
    lastblock(10),
]

RAW = [
    treesum(8, 16),
    message(4, 5),
    pipeline(10, 5),
    ticket(3, 40),
    mutex(8, 3),
    gridbarrier(8, 3),
    lastblock(8),
]
# Seconds on one thread: what starting and ending takes is little beside them.
CORES = [message(4, 5), pipeline(11, 5), ticket(3, 50), mutex(8, 4), gridbarrier(8, 4)]

# Name, options of gcc beside -O2 -DSAFETY.
SPIN_REDUCED = [("spin", []), ("spin, COLLAPSE", ["-DCOLLAPSE"])]
SPIN_BITSTATE = ("spin, BITSTATE", ["-DBITSTATE"])
SPIN_RAW = ("spin, NOREDUCE", ["-DNOREDUCE"])


@dataclass
class Run:
    """One run of one contender."""

    wall: float
    cpu: float
    rss_mb: float
    verdict: str
    states: int | None = None
    transitions: int | None = None
    search: float | None = None
    instructions: int | None = None
    load: float = 0.0


@dataclass
class Contender:
    name: str
    command: list
    read: object
    env: dict = field(default_factory=dict)
    runs: list = field(default_factory=list)

    def best(self):
        return min(self.runs, key=lambda run: run.cpu)


def measure(contender, options):
    """Runs it once. `read` makes (verdict, states, transitions, seconds of search) of its output."""
    bytes_ = int(options.memory * 2**30)

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))

    command, counts = contender.command, None
    if options.instructions:
        counts = tempfile.NamedTemporaryFile()
        command = ["perf", "stat", "-x,", "-e", "instructions:u", "-o", counts.name, "--", *command]
    load = os.getloadavg()[0]
    with tempfile.TemporaryFile() as out:
        started = time.monotonic()
        child = subprocess.Popen(
            command,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=options.work,
            env={**os.environ, **contender.env},
            preexec_fn=limited,
            start_new_session=True,
        )
        # pan has no limit in seconds; interrupted, it says how far it came.
        signals = [(options.limit, signal.SIGINT), (options.limit + 20, signal.SIGKILL)]
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            wall = time.monotonic() - started
            if pid:
                break
            if signals and (cpu_seconds(child.pid) > signals[0][0] or wall > 10 * signals[0][0]):
                os.killpg(child.pid, signals.pop(0)[1])
            time.sleep(0.002 if wall < 1 else 0.05)
        child.returncode = status
        out.seek(0)
        text = out.read().decode(errors="replace")
    run = Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, "limit", load=load)
    if counts:
        for line in Path(counts.name).read_text().splitlines():
            if "instructions" in line and line.split(",")[0].isdigit():
                run.instructions = int(line.split(",")[0])
    if len(signals) == 2 or text:
        run.verdict, run.states, run.transitions, run.search = contender.read(text)
        if run.verdict == "?":
            sys.exit(f"{contender.name}: {' '.join(map(str, command))}\n{text[-2000:]}")
    return run


def cpu_seconds(pid):
    """Processor time of a running child so far; 0 where nobody can say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found[1]) if found else None


def whole(x):
    return None if x is None else int(x)


def read_pan(text):
    states = whole(number(r"([\d.e+]+) states, stored", text))
    transitions = whole(number(r"([\d.e+]+) transitions", text))
    seconds = number(r"elapsed time ([\d.e+-]+)", text)
    errors = number(r"errors: (\d+)", text)
    cut = any(sign in text for sign in ("out of memory", "max search depth too small", "Interrupted"))
    if errors:
        verdict = "defect"
    elif cut:
        verdict = "limit"
    elif errors is None:
        verdict = "?"
    else:
        verdict = "correct"
    return verdict, states, transitions, seconds


def read_gridlock(text):
    start = text.find("{")
    try:
        answer = json.JSONDecoder().raw_decode(text[start:])[0] if start >= 0 else {}
    except json.JSONDecodeError:
        answer = {}
    if "statistics" not in answer:
        out_of_memory = "memory allocation" in text
        return ("limit" if out_of_memory else "?"), None, None, None
    statistics = answer["statistics"]
    if answer["defects"] or answer["deadlocks"]:
        verdict = "defect"
    else:
        verdict = "correct" if answer["complete"] else "limit"
    return verdict, statistics["states"], statistics["transitions"], statistics["seconds"]


class Bench:
    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.rows = []

    def pan(self, name, case, flags, broken=False):
        folder = self.work / re.sub(r"\W+", "-", f"{case.name(broken)} {name}")
        folder.mkdir(exist_ok=True)
        source = HERE / f"{case.model}.pml"
        self.call(["spin", *case.defines(broken), "-a", source], folder)
        self.call(["gcc", "-O2", "-DSAFETY", "-w", *flags, "-o", "pan", "pan.c"], folder)
        return Contender(name, [folder / "pan", f"-m{case.depth}", "-n"], read_pan)

    def gridlock(self, name, case, flags, broken=False, threads=None):
        options = self.options
        command = [
            options.gridlock, "explore", HERE / f"{case.kernel}.cu", *case.defines(broken),
            "--grid", str(case.grid), "--block", str(case.block),
            "--profile", HERE / "sc.toml", "--no-termination", "--format", "json",
            "--limit-seconds", str(10 * options.limit), "--limit-states", str(10**10),
            "--limit-bytes", str(int(options.memory * 0.8 * 2**30)), *flags,
        ]  # fmt: skip
        threads = threads or options.threads
        return Contender(name, command, read_gridlock, {"RAYON_NUM_THREADS": str(threads)})

    def call(self, command, folder):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")

    def race(self, table, case, contenders, broken=False):
        """Runs them in turns; those that reach a limit once do not run again."""
        for round_ in range(self.options.repeat):
            for contender in contenders:
                if contender.runs and contender.runs[0].verdict == "limit":
                    continue
                run = measure(contender, self.options)
                contender.runs.append(run)
                print(
                    f"{table:8} {case.name(broken):36} {contender.name:20} {run.verdict:8}"
                    f" {run.wall:8.2f} s {run.cpu:8.2f} s cpu {run.rss_mb:8.0f} MB"
                    f" {count(run.states):>12} states  load {run.load:.1f}",
                    file=sys.stderr,
                    flush=True,
                )
                self.rows.append(
                    {"table": table, "case": case.name(broken), "contender": contender.name, **vars(run)}
                )
        return [contender.best() for contender in contenders]

    def quick(self):
        """Small sizes: both must agree, find what is planted, and without reduction visit equally many
        states."""
        wrong = []
        for case in self.chosen(QUICK):
            for broken in (False, True):
                expected = "defect" if broken else "correct"
                contenders = [
                    self.pan("spin", case, [], broken),
                    self.pan(SPIN_RAW[0], case, SPIN_RAW[1], broken),
                    self.gridlock("gridlock", case, [], broken),
                    self.gridlock("gridlock, raw", case, ["--no-reduction"], broken),
                ]
                runs = self.race("quick", case, contenders, broken)
                for contender, run in zip(contenders, runs):
                    if run.verdict != expected:
                        wrong.append(f"{case.name(broken)}: {contender.name} says {run.verdict}")
                theirs, mine = runs[1].states, runs[3].states
                if case.same_states and not broken and theirs != mine:
                    wrong.append(f"{case.name()}: {theirs} states there, {mine} here")
        for line in wrong:
            print(line)
        print("quick: " + ("they differ" if wrong else "all verdicts and counts agree"))
        return 1 if wrong else 0

    def chosen(self, cases):
        return [c for c in cases if not self.options.only or re.search(self.options.only, c.name())]

    def verdict(self):
        table = Table("model", "SPIN", "states", "MB", "gridlock", "states", "MB", "verdicts", "faster")
        for case in self.chosen(VERDICT):
            spins = [self.pan(name, case, flags) for name, flags in SPIN_REDUCED]
            own = self.gridlock("gridlock", case, [])
            *theirs, mine = self.race("verdict", case, [*spins, own])
            best = min(theirs, key=lambda run: (run.verdict == "limit", run.cpu))
            table.row(
                case.name(), seconds(best), count(best.states), f"{best.rss_mb:.0f}",
                seconds(mine), count(mine.states), f"{mine.rss_mb:.0f}",
                f"{best.verdict}, {mine.verdict}", ratio(best, mine),
            )  # fmt: skip
        return table

    def broken(self):
        table = Table("model, broken", "SPIN", "states", "gridlock", "states", "verdicts")
        for case in self.chosen(VERDICT):
            spin = self.pan("spin", case, [], broken=True)
            own = self.gridlock("gridlock", case, ["--stop-at-first"], broken=True)
            theirs, mine = self.race("broken", case, [spin, own], broken=True)
            table.row(
                case.name(), seconds(theirs), count(theirs.states), seconds(mine), count(mine.states),
                f"{theirs.verdict}, {mine.verdict}",
            )  # fmt: skip
        return table

    def raw(self):
        table = Table("model", "SPIN states", "states/s", "gridlock states", "states/s", "gridlock/SPIN")
        for case in self.chosen(RAW):
            spin = self.pan(SPIN_RAW[0], case, SPIN_RAW[1])
            own = self.gridlock("gridlock, raw", case, ["--no-reduction"], threads=1)
            theirs, mine = self.race("raw", case, [spin, own])
            rates = [(run.states or 0) / run.cpu for run in (theirs, mine)]
            table.row(
                case.name(), count(theirs.states), count(int(rates[0])),
                count(mine.states), count(int(rates[1])), f"{rates[1] / rates[0]:.2f}",
            )  # fmt: skip
        return table

    def cores(self):
        table = Table("model", "states", "1 thread, s", "2 threads, s", "faster")
        for case in self.chosen(CORES):
            both = [
                self.gridlock(f"gridlock, {n} thread", case, ["--no-reduction"], threads=n) for n in (1, 2)
            ]
            one, two = self.race("cores", case, both)
            table.row(
                case.name(), count(one.states), f"{one.search:.2f}", f"{two.search:.2f}",
                f"{one.search / two.search:.2f}",
            )  # fmt: skip
        return table


class Table:
    def __init__(self, *heads):
        self.lines = [heads, ["---"] + ["---:"] * (len(heads) - 1)]

    def row(self, *cells):
        self.lines.append(cells)

    def __str__(self):
        return "\n".join("| " + " | ".join(cells) + " |" for cells in self.lines)


def count(n):
    return "" if n is None else f"{n:,}"


def seconds(run):
    return ("> " if run.verdict == "limit" else "") + f"{run.cpu:.2f} s"


def ratio(theirs, mine):
    if mine.verdict == "limit":
        return "" if theirs.verdict == "limit" else f"< {theirs.cpu / mine.cpu:.2g}"
    return ("> " if theirs.verdict == "limit" else "") + f"{theirs.cpu / mine.cpu:.3g}"


def built():
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "gridlock"


def machine():
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    spin = subprocess.run(["spin", "-V"], capture_output=True, text=True).stdout.strip()
    gcc = subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return f"{cpu[1] if cpu else '?'}, {os.cpu_count()} processors; {spin}; {gcc}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, verdicts only")
    parser.add_argument("--only", metavar="REGEX", help="cases whose name has this in it")
    parser.add_argument("--tables", default="verdict,broken,raw,cores", help="which, with commas")
    parser.add_argument("--repeat", type=int, help="rounds (3; quick: 1)")
    parser.add_argument("--limit", type=float, default=200, help="seconds of processor time a run may take (200)")
    parser.add_argument("--memory", type=float, default=8, help="GiB a run may take (8)")
    parser.add_argument("--threads", type=int, default=1, help="threads of gridlock, but for `cores` (1)")
    parser.add_argument("--gridlock", type=lambda path: Path(path).resolve(), default=built().resolve(), help="binary to measure")
    parser.add_argument("--instructions", action="store_true", help="count instructions by perf")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run there")
    options = parser.parse_args()
    options.repeat = options.repeat or (1 if options.quick else 3)
    for tool in ("spin", "gcc"):
        if not shutil.which(tool):
            sys.exit(f"{tool} not found: apt-get install {tool}")
    if not options.gridlock.exists():
        sys.exit(f"{options.gridlock}: cargo build --release, or --gridlock PATH")
    with tempfile.TemporaryDirectory() as work:
        options.work = work
        bench = Bench(options, Path(work))
        if options.quick:
            return bench.quick()
        print(machine())
        for name in options.tables.split(","):
            table = getattr(bench, name)()
            print(f"\n{name} (best of {options.repeat}, load {os.getloadavg()[0]:.1f})\n\n{table}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(bench.rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
