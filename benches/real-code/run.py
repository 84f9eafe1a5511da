#!/usr/bin/env python3
"""What share of other people's CUDA is read, what is said of it, and what stands in the way.

    benches/real-code/run.py FOLDER…  [--store FILE [--continue]] [--sample N --seed S] [-- OPTIONS OF gridlock check]
    benches/real-code/run.py FOLDER…  --sample-of PROJECT=N --leave-out GLOB --into docs/real-code.md

Each FOLDER holds the sources of one project; they are no part of this tree. `gridlock check FILE --format json` runs on
each `.cu` file, under limits, with the -I that a build of the project would give (sources.py has the rule), and on
headers with kernels that no `.cu` file reaches. A file that others include is judged by itself only where not all of its
kernels were read from those.

A kernel counts once for each file whose text defines it, whether the tool came to it or not. It is *read* if some run
judged it, and every instance of it that the run names, with no device function taken as giving arbitrary values. A file
is read if all of its kernels are, and in part if some are. A run that hangs or crashes is a row like any other.

Needs python3 and a release build of gridlock. Exit status 0, whatever the shares are; 1 if the self-test fails.
"""

import argparse
import fnmatch
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from judging import Tool, judge  # noqa: E402
from sources import Project  # noqa: E402
from table import Share, tables  # noqa: E402


class Store:
    """Rows by project and file, written after each of them."""

    def __init__(self, path, again, settings):
        self.path, self.rows = path, {}
        if path and again and path.exists():
            kept = json.loads(path.read_text())
            if kept["settings"] != settings:
                sys.exit(f"{path} was made with other settings: {kept['settings']}")
            self.rows = kept["rows"]
        self.settings = settings

    def row(self, key, make):
        if key not in self.rows:
            self.rows[key] = make()
            if self.path:
                part = self.path.with_suffix(".part")
                part.write_text(json.dumps({"settings": self.settings, "rows": self.rows}, indent=1))
                part.replace(self.path)
        return self.rows[key]


def state_of(name, row):
    """What a run says of the kernel that the text calls `name`: (read, verdict, why not)."""
    if row["error"]:
        return False, None, row["error"]
    instances = [kernel for kernel in row["kernels"].values() if kernel["is"] == name]
    if not instances:
        return False, None, {"kind": "absent", "message": "the report does not name the kernel", "place": ""}
    unread = next((kernel["unread"] for kernel in instances if kernel["unread"]), None)
    if unread:
        return False, None, unread
    functions = sorted({function for kernel in instances for function in kernel["arbitrary"]})
    verdict = worst(kernel["verdict"] for kernel in instances)
    if functions:
        said = f"judged, with arbitrary values for `{'`, `'.join(functions)}`"
        return False, verdict, {"kind": "arbitrary", "message": said, "place": ""}
    return True, verdict, None


def worst(verdicts):
    order = ["refuted", "crash", "hang", "error", "unknown", "conditional", "passed", "proved"]
    return min(verdicts, key=order.index)


def measure(project, tool, store, options, said):
    """Judge the units of a project, and give its share."""
    definitions = [one for one in project.definitions() if wanted(project, one[0], options)]
    of_it = dict(one.rsplit("=", 1) for one in options.sample_of).get(project.name)
    sample = options.sample if of_it is None else int(of_it)
    n_all = len(definitions)
    if sample is not None:
        drawn = random.Random(f"{options.seed} {project.name}")
        definitions = sorted(drawn.sample(definitions, min(sample, n_all)))
    share = Share(project.name, definitions)
    asked = set(definitions)
    units = [unit for unit in project.units(tool.has_own) if wanted(project, unit, options)]
    for unit in units:
        files, folders = project.reach(unit, tool.has_own)
        open_here = {one for one in asked if one[0] in files and not share.is_read(one)}
        if not open_here:
            continue
        names = {name for path in files for name in project.kernels.get(path, ())}
        key = f"{project.name}/{unit.relative_to(project.root)}"
        row = store.row(key, lambda: judge(tool, unit, folders, names, options.alone))
        said(f"{key}: {row['seconds']:.1f} s{', ' + row['error']['message'][:90] if row['error'] else ''}")
        share.unit(unit, row, project)
        for one in sorted(open_here):
            share.note(one, *state_of(one[1], row), unit)
    return share


def wanted(project, path, options):
    inside = f"{project.name}/{path.relative_to(project.root)}"
    matches = lambda patterns: any(fnmatch.fnmatchcase(inside, pattern) for pattern in patterns)  # noqa: E731
    return (not options.only or matches(options.only)) and not matches(options.leave_out)


# Between these lines of a document stands what was measured.
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def put_into(document, text, arguments):
    """Put the tables into a document, with the command that made them, folders by their names."""
    shown = " ".join(f"'{one}'" if "*" in one else pathlib.Path(one).name if one.startswith("/") else one for one in arguments)
    head, rest = document.read_text().split(BEGIN)
    _, tail = rest.split(END)
    document.write_text(f"{head}{BEGIN}\n\n    benches/real-code/run.py {shown}\n\n{text.strip()}\n\n{END}{tail}")


def main():
    own, theirs = sys.argv[1:], []
    if "--" in own:
        theirs = own[own.index("--") + 1 :]
        own = own[: own.index("--")]
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], epilog="After `--`: options of gridlock check.")
    parser.add_argument("--gridlock", default=ROOT / "target/release/gridlock", type=pathlib.Path)
    parser.add_argument("--limit-seconds", default=5.0, type=float, help="of each run (5)")
    parser.add_argument("--alone", default=None, type=float, metavar="SECONDS", help="judge each kernel alone, so long")
    parser.add_argument("--sample", default=None, type=int, metavar="N", help="N kernels of each project")
    parser.add_argument("--seed", default=1, type=int, help="of the sample (1)")
    parser.add_argument("--only", action="append", default=[], metavar="GLOB", help="files PROJECT/PATH that match")
    parser.add_argument("--sample-of", action="append", default=[], metavar="PROJECT=N", help="N kernels of this project")
    parser.add_argument("--leave-out", action="append", default=[], metavar="GLOB", help="files PROJECT/PATH to leave out")
    parser.add_argument("--into", type=pathlib.Path, metavar="FILE", help="put the tables between two marks of a document")
    parser.add_argument("--store", type=pathlib.Path, help="write the rows to this file, as JSON")
    parser.add_argument("--continue", dest="again", action="store_true", help="keep the rows that --store has")
    parser.add_argument("--kernels", action="store_true", help="list each kernel with what became of it")
    parser.add_argument("--examples", default=1, type=int, help="places for each reason (1)")
    parser.add_argument("--quiet", action="store_true", help="no line for each file on standard error")
    parser.add_argument("--self-test", action="store_true", help="judge files of which it is known what must come out")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    options = parser.parse_args(own)
    gridlock = options.gridlock.resolve()
    if options.self_test:
        import self_test

        return self_test.run(gridlock)
    tool = Tool(gridlock, theirs, options.limit_seconds)
    settings = {"options": theirs, "limit_seconds": options.limit_seconds, "alone": options.alone}
    store = Store(options.store, options.again, settings)
    said = (lambda line: None) if options.quiet else (lambda line: print(line, file=sys.stderr, flush=True))
    shares = [measure(Project(folder), tool, store, options, said) for folder in options.folders]
    text = tables(shares, options.examples, options.kernels)
    for share in shares:
        if share.root:
            text = text.replace(f"{share.root}/", "")
    if options.into:
        told = [one for one in sys.argv[1:] if not one.startswith(("--into", "--store", "--continue", "--quiet"))]
        told = [one for one in told if one not in (str(options.into), str(options.store), "--gridlock", str(options.gridlock))]
        put_into(options.into, text, told)
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
