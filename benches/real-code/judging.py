"""One run of `gridlock check`, and what it says of each kernel of a file."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

# The assumption that puts arbitrary values in the place of a device function (docs/reports.md). Any value is what a
# clock, a generator of random numbers (`any-value`), and a function called after that (`nondet`) give.
ARBITRARY = {"no-body"}
NONDETERMINISTIC = re.compile(r"(__VERIFIER_)?nondet\w*")
# A report with more kernels than this is not asked for each of them which functions it takes as arbitrary.
ALONE_AT_MOST = 60


class Tool:
    """`gridlock check` under limits."""

    def __init__(self, binary, options, seconds):
        self.binary, self.options, self.seconds = str(binary), list(options), seconds
        self.own = {}
        # Seconds beyond three times its own limit after which a run is killed.
        self.patience = 20

    def check(self, path, options=(), seconds=None):
        """(report or None, what went wrong or None, seconds). A report is what was printed as JSON, an error too."""
        seconds = seconds or self.seconds
        command = [self.binary, "check", str(path), "--format", "json", "--limit-seconds", str(seconds)]
        command += [*options, *self.options]
        most = 3 * seconds + self.patience
        started = time.monotonic()
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True
        )
        try:
            out, err = child.communicate(timeout=most)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return None, ("hang", f"killed after {most:g} s"), time.monotonic() - started
        took = time.monotonic() - started
        try:
            report = json.loads(out)
            if isinstance(report, dict) and child.returncode in (0, 1, 2, 3):
                return report, None, took
        except (ValueError, UnicodeDecodeError):
            pass
        said = err.decode(errors="replace").strip().splitlines() or ["nothing on standard error"]
        return None, ("crash", f"exit status {child.returncode}: {said[0][:300]}"), took

    def has_own(self, name):
        """Does the tool find a header of this name without any -I?"""
        if name not in self.own:
            with tempfile.TemporaryDirectory() as folder:
                probe = pathlib.Path(folder, "probe.cu")
                probe.write_text(f"#include <{name}>\n__global__ void probe() {{}}\n")
                report = Tool(self.binary, [], 20).check(probe)[0] or {}
            missing = "file not found" in report.get("error", {}).get("message", "")
            missing |= any("header" in assumed["kind"] and "missing" in assumed["kind"] for assumed in report.get("assumed", []))
            self.own[name] = not missing
        return self.own[name]


def verdicts(report):
    """For each procedure of a report: its verdict, and why it was not read, if so."""
    found = {}
    whole = {"verdict": report["verdict"], "unread": None}
    for index, subject in enumerate(report["subjects"]):
        of_it = [p for p in report["properties"] if p.get("subject") == index]
        unread = next((p["explanation"] for p in of_it if p.get("reason") == "unsupported"), None)
        said = {p["verdict"] for p in of_it}
        if not of_it:
            # Judged at the launches of the host code: the host program's verdict speaks of it.
            found[subject["kernel"]] = {**whole, "by_host": True}
            continue
        for verdict in ("refuted", "unknown", "conditional", "passed", "proved"):
            if verdict in said:
                break
        found[subject["kernel"]] = {"verdict": verdict, "unread": unread}
    return found


def of_text(names, reported):
    """Which of the `names` that the text defines a reported one is: itself, an overload or instance (`fill_float_4`)."""
    if reported in names:
        return reported
    fitting = [name for name in names if reported.startswith(name + "_")]
    return max(fitting, key=len, default=None)


def arbitrary(report):
    """The device functions that a report takes as giving any value."""
    functions = {a["arguments"]["function"] for a in report.get("assumed", []) if a["kind"] in ARBITRARY}
    return sorted(one for one in functions if not NONDETERMINISTIC.fullmatch(one))


def judge(tool, path, folders, names, alone=None):
    """The row of one file: `names` are the kernels that the text of the file and what it includes defines. With `alone`,
    a number of seconds, each kernel that is read is judged by itself."""
    given = [option for folder in folders for option in ("-I", str(folder))]
    report, wrong, took = tool.check(path, given)
    row = {"seconds": round(took, 2), "kernels": {}, "error": None, "host": None}
    if wrong:
        row["error"] = {"kind": wrong[0], "message": wrong[1], "place": str(path)}
        return row
    if "error" in report:
        row["error"] = located(report["error"])
        return row
    judged = verdicts(report)
    functions = arbitrary(report)
    row["host"] = next((gap["why"] for gap in report["not_judged"] if gap["kind"] == "unsupported-host-code"), None)
    kernels = {name: of_text(names, name) for name in judged if of_text(names, name)}
    for reported, name in kernels.items():
        state = {"is": name, "verdict": judged[reported]["verdict"], "unread": None, "arbitrary": []}
        state["by_host"] = judged[reported].get("by_host", False)
        if judged[reported]["unread"] is not None:
            state.update(verdict=None, unread=place_of(tool, path, given, reported, judged[reported]["unread"]))
        elif functions and len(kernels) == 1:
            state["arbitrary"] = functions
        elif functions:
            of_it = functions
            if len(kernels) <= ALONE_AT_MOST:
                one = tool.check(path, [*given, "--kernel", reported], min(2, tool.seconds))[0] or {}
                of_it = arbitrary(one) if "verdict" in one else functions
            state["arbitrary"] = of_it
        if alone and state["unread"] is None:
            state.update(by_itself(tool, path, given, reported, alone))
        row["kernels"][reported] = state
    # A report of a whole program whose time was over names none of the kernels that it launches.
    for name in sorted(names - set(kernels.values())):
        row["kernels"].update(asked_for(tool, path, given, name, names))
    return row


def asked_for(tool, path, given, name, names):
    """The states of a kernel, or of the instances of a template, each asked for by its name."""
    found = {}
    report, wrong, _ = tool.check(path, [*given, "--kernel", name])
    instances = [name]
    if report and "error" in report:
        listed = re.search(r"\(the file has: ([^)]*)\)", report["error"]["message"])
        instances = [one for one in re.split(r",\s*", listed[1]) if of_text(names, one) == name] if listed else [name]
    for instance in instances:
        if instance != name:
            report, wrong, _ = tool.check(path, [*given, "--kernel", instance])
        state = {"is": name, "verdict": None, "unread": None, "arbitrary": [], "by_host": False}
        if wrong:
            state["unread"] = {"kind": wrong[0], "message": wrong[1], "place": str(path)}
        elif "error" in report:
            state["unread"] = located(report["error"])
        else:
            state.update(verdict=report["verdict"], arbitrary=arbitrary(report))
        found[instance] = state
    return found


def by_itself(tool, path, given, kernel, seconds):
    """The verdict of one kernel, judged alone, and its first defect with what excludes it."""
    report, wrong, _ = tool.check(path, [*given, "--kernel", kernel], seconds)
    if wrong:
        return {"verdict": wrong[0], "by_host": False}
    if "verdict" not in report:
        return {"verdict": "error", "by_host": False, "defect": report["error"]["message"]}
    said = {"verdict": report["verdict"], "by_host": False}
    defect = next(iter(report["defects"]), None)
    if defect:
        said["defect"] = defect["message"]
        said["only_if"] = defect.get("only_if")
    return said


def place_of(tool, path, given, kernel, said):
    """Why a kernel is not read, with the place, which only a run of its own tells."""
    one = tool.check(path, [*given, "--kernel", kernel])[0] or {}
    if one.get("error"):
        return located(one["error"])
    return {"kind": "unsupported", "message": plain(said), "place": str(path)}


def located(error):
    place = error.get("file") or ""
    if error.get("line"):
        place += f":{error['line']}"
    return {"kind": error["kind"], "message": plain(error["message"]), "place": place}


def plain(message):
    """Without the words that every such message begins with."""
    return re.sub(r"^(not supported: )+", "", message)
