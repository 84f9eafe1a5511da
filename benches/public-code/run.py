#!/usr/bin/env python3
"""What becomes of 200 files of other people's CUDA, drawn by a seed, with no option at all.

    benches/public-code/run.py FOLDER… [--files 200] [--seed 2026] [--store ROWS.json [--continue]] [--into docs/public-code.md]

Each FOLDER holds the sources of one project; they are no part of this tree. A file is drawn if its text has a
`__global__` outside of comments; each project gives the same number, or all that it has. `gridlock check FILE` runs on
each as it stands: no -I, no launch, no sizes. A file counts as read if the report has a verdict for one of the kernels
that its own text defines.

Needs python3 and a release build of gridlock.
"""

import argparse
import collections
import fnmatch
import json
import pathlib
import random
import re
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "real-code"))
sys.dont_write_bytecode = True

from judging import Tool, located, of_text, plain, verdicts  # noqa: E402
from sources import HEAD, kernels, read, without_noise  # noqa: E402

SUFFIXES = {".cu", ".cuh", ".h", ".hh", ".hpp", ".inl", ".inc"}
# Sources of other languages in which kernels are marked the same way.
OTHER_LANGUAGES = ["*-hip/*", "*-sycl/*", "*-omp/*", "*/hip/*", "*.hip.*"]
# From the worst to the best: a file's verdict is the worst of its kernels'.
ORDER = ["refuted", "unknown", "conditional", "passed", "proved"]
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def candidates(root):
    """The files of a project that hold a kernel's head."""
    found = []
    for path in sorted(root.rglob("*")):
        inside = str(path.relative_to(root))
        if path.suffix not in SUFFIXES or not path.is_file():
            continue
        if any(fnmatch.fnmatchcase(inside, other) for other in OTHER_LANGUAGES):
            continue
        if HEAD.search(without_noise(read(path))):
            found.append(path)
    return found


def draw(roots, n_files, seed):
    """The same number of files of each project, or all; what small ones lack is drawn of the others."""
    pools = {root: candidates(root) for root in roots}
    left, chosen = n_files, {}
    for n_open, root in zip(range(len(roots), 0, -1), sorted(roots, key=lambda root: len(pools[root]))):
        share = min(len(pools[root]), left // n_open)
        chosen[root] = sorted(random.Random(f"{seed} {root.name}").sample(pools[root], share))
        left -= share
    return {root: chosen[root] for root in roots}, {root: len(pools[root]) for root in roots}


def judge(tool, path):
    """The row of one file."""
    named = set(kernels(read(path)))
    report, wrong, seconds = tool.check(path)
    row = {"seconds": round(seconds, 2), "verdicts": {}, "unread": {}, "error": None, "defects": []}
    if wrong:
        row["error"] = {"kind": wrong[0], "message": wrong[1], "place": ""}
        return row
    if "error" in report:
        row["error"] = located(report["error"])
        return row
    for reported, said in verdicts(report).items():
        if not of_text(named, reported):
            continue
        if said["unread"] is not None:
            row["unread"][reported] = plain(said["unread"])
        else:
            row["verdicts"][reported] = said["verdict"]
    for defect in report["defects"]:
        place = defect.get("location") or {}
        row["defects"].append({"kind": defect["kind"], "message": defect["message"], "line": place.get("line")})
    return row


def why_not(row):
    """Why no kernel of a file is read."""
    if row["error"]:
        return row["error"]["message"]
    return next(iter(row["unread"].values()), "no kernel of the file is in the report")


def kind_of(reason):
    """A reason without its names, to count those that are alike."""
    return re.sub(r"\s+", " ", re.sub(r"`[^`]*`", "`…`", reason)).strip()[:110]


def verdict_of(row):
    return min(row["verdicts"].values(), key=ORDER.index) if row["verdicts"] else None


def without_folders(text, roots):
    """The text with files named from their project, and headers of the tool by their names."""
    for root in roots:
        text = text.replace(f"{root.parent}/", "")
    return re.sub(r"/\S*/gridlock-headers-[0-9a-f]+/", "", text)


def page(rows, pools, roots):
    """The tables, in Markdown."""
    is_read = {key: bool(row["verdicts"]) for key, row in rows.items()}
    n_read = sum(is_read.values())
    median = statistics.median(row["seconds"] for row in rows.values())
    of_read = statistics.median(row["seconds"] for key, row in rows.items() if is_read[key])
    out = [f"**{n_read} of {len(rows)} files have a kernel that is read**; the median of all files is {median:.1f} s, "]
    out[0] += f"of those that are read {of_read:.1f} s.\n"
    out.append("| project | files with a kernel | drawn | read |\n| --- | ---: | ---: | ---: |")
    for project, n_pool in pools.items():
        own = [key for key in rows if key.split("/")[0] == project]
        out.append(f"| {project} | {n_pool} | {len(own)} | {sum(is_read[key] for key in own)} |")
    reasons = collections.Counter(kind_of(why_not(row)) for key, row in rows.items() if not is_read[key])
    out.append("\nThe most frequent reasons why none is:\n\n| files | reason |\n| ---: | --- |")
    out += [f"| {n} | {reason.replace('|', chr(92) + '|')} |" for reason, n in reasons.most_common(10)]
    out.append("\nEach file:\n\n| file | kernels read | verdict | seconds | why not |\n| --- | ---: | --- | ---: | --- |")
    for key, row in sorted(rows.items()):
        n_all = len(row["verdicts"]) + len(row["unread"])
        why = "" if row["verdicts"] and not row["unread"] else why_not(row)
        why = re.sub(r"\s+", " ", without_folders(why, roots)).replace("|", "\\|")[:160]
        out.append(f"| {key} | {len(row['verdicts'])} of {n_all} | {verdict_of(row) or '-'} | {row['seconds']:.1f} | {why} |")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--gridlock", default=ROOT / "target/release/gridlock", type=pathlib.Path)
    parser.add_argument("--files", default=200, type=int)
    parser.add_argument("--seed", default=2026, type=int)
    parser.add_argument("--limit-seconds", default=10.0, type=float, help="of each run (10)")
    parser.add_argument("--store", type=pathlib.Path, help="write the rows to this file, as JSON, after each of them")
    parser.add_argument("--continue", dest="again", action="store_true", help="keep the rows that --store has")
    parser.add_argument("--into", type=pathlib.Path, metavar="FILE", help="put the tables between two marks of a document")
    options = parser.parse_args()
    tool = Tool(options.gridlock.resolve(), [], options.limit_seconds)
    roots = [folder.resolve() for folder in options.folders]
    chosen, pools = draw(roots, options.files, options.seed)
    rows = {}
    if options.again and options.store.exists():
        rows = json.loads(options.store.read_text())
    for root, paths in chosen.items():
        for path in paths:
            key = f"{root.name}/{path.relative_to(root)}"
            if key not in rows:
                rows[key] = judge(tool, path)
                if options.store:
                    part = options.store.with_suffix(".part")
                    part.write_text(json.dumps(rows, indent=1))
                    part.replace(options.store)
                row = rows[key]
                print(f"{key}: {row['seconds']:.1f} s, {verdict_of(row) or why_not(row)[:90]}", file=sys.stderr)
    drawn = {f"{root.name}/{path.relative_to(root)}" for root, paths in chosen.items() for path in paths}
    rows = {key: row for key, row in rows.items() if key in drawn}
    text = page(rows, {root.name: n for root, n in pools.items()}, roots)
    if options.into:
        head, rest = options.into.read_text().split(BEGIN)
        options.into.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}")
    else:
        print(text)


if __name__ == "__main__":
    main()
