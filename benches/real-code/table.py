"""Shares of files and kernels as tables in Markdown."""

import collections
import pathlib
import re

VERDICTS = ["proved", "passed", "conditional", "refuted", "unknown"]


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else ""


def kind(why):
    """A reason without the names in it, which are counted apart."""
    message = re.sub(r"\(--[^)]*\)", "", why["message"])
    names = re.findall(r"[`']([^`'\n]{1,60})['`]", message)
    message = re.sub(r"[`'][^`'\n]{1,120}['`]", "…", message)
    message = re.sub(r"…(, …)+", "…", re.sub(r"\b\d+\b", "N", message)).strip()
    if why["kind"] in ("hang", "crash"):
        message = f"{why['kind']}: {message}"
    return message, names


class Share:
    """What became of the kernels (file, name) of one project."""

    def __init__(self, name, definitions):
        self.name, self.definitions = name, definitions
        self.states, self.rows, self.root = {}, [], None

    def unit(self, path, row, project):
        self.root = project.root
        self.rows.append((path, row))

    def is_read(self, one):
        return one in self.states and self.states[one]["read"]

    def note(self, one, read, verdict, why, unit):
        """What one more run says of a kernel; that it is read counts more than that it is not, and the first reason more
        than later ones, but that a report does not name it counts least."""
        known = self.states.get(one)
        if known is None or read or known["why"] and known["why"]["kind"] == "absent":
            self.states[one] = {"read": read, "verdict": verdict, "why": why, "unit": unit}

    def state(self, one):
        absent = {"kind": "absent", "message": "no run reached the kernel", "place": ""}
        return self.states.get(one, {"read": False, "verdict": None, "why": absent, "unit": one[0]})

    def files(self):
        """For each file with kernels, whether each of them is read."""
        found = collections.defaultdict(list)
        for one in self.definitions:
            found[one[0]].append(self.state(one)["read"])
        return found

    def row(self):
        files = list(self.files().values())
        states = [self.state(one) for one in self.definitions]
        read = [state for state in states if state["read"]]
        verdicts = collections.Counter(state["verdict"] for state in read)
        arbitrary = sum(state["why"]["kind"] == "arbitrary" for state in states if state["why"])
        counts = [len(files), sum(map(all, files)), sum(any(f) and not all(f) for f in files)]
        counts += [len(states), len(read), arbitrary, *(verdicts[verdict] for verdict in VERDICTS)]
        return counts

    def place(self, one, why):
        """Where it stands, from the folder of the project."""
        text = why["place"] or str(one[0])
        inside = str(self.root) + "/" if self.root else ""
        return f"{self.name}/{text.removeprefix(inside)}" if text.startswith(inside) else text


def shares_table(shares):
    head = ["project", "files", "read", "in part", "share", "kernels", "read", "share", "with arbitrary values", *VERDICTS]
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)]
    rows = [(share.name, share.row()) for share in shares]
    rows.append(("all", [sum(column) for column in zip(*(row for _, row in rows))]))
    for name, row in rows:
        files, whole, part, kernels, read, arbitrary, *verdicts = row
        cells = [name, files, whole, part, percent(whole, files), kernels, read, percent(read, kernels), arbitrary]
        lines.append([*cells, *verdicts])
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def reasons(shares):
    """Reasons of what is not read: kernels and files for each, the names in them, and places."""
    found = {}
    for share in shares:
        for one in share.definitions:
            state = share.state(one)
            if state["read"]:
                continue
            message, names = kind(state["why"])
            entry = found.setdefault(message, {"kernels": 0, "files": set(), "names": collections.Counter(), "places": {}})
            entry["kernels"] += 1
            if (share.name, one[0]) not in entry["files"]:
                entry["names"].update(set(names))
            entry["files"].add((share.name, one[0]))
            entry["places"].setdefault(share.place(one, state["why"]), state["why"]["message"])
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]["files"]), -item[1]["kernels"], item[0])))


def reasons_table(shares, examples):
    lines = ["| files | kernels | what stands in the way | names | example |", "|---:|---:|---|---|---|"]
    for message, entry in reasons(shares).items():
        names = ", ".join(f"`{name}` {count}" for name, count in entry["names"].most_common(6))
        places = "; ".join(f"`{place}`" for place in list(entry["places"])[:examples])
        cells = [len(entry["files"]), entry["kernels"], message.replace("|", "\\|"), names.replace("|", "\\|"), places]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def accidents(shares):
    """Runs that crashed or had to be killed."""
    lines = []
    for share in shares:
        for path, row in share.rows:
            if row["error"] and row["error"]["kind"] in ("hang", "crash"):
                lines.append(f"- `{share.name}/{path.relative_to(share.root)}`: {row['error']['kind']}, {row['error']['message']}")
    return "\n".join(lines) or "none"


def kernels_list(shares):
    lines = ["| kernel | file | verdict | why not read |", "|---|---|---|---|"]
    for share in shares:
        for one in share.definitions:
            state = share.state(one)
            why = "" if state["read"] else f"{state['why']['message']} ({share.place(one, state['why'])})"
            path = pathlib.Path(one[0]).relative_to(share.root) if share.root else one[0]
            lines.append(f"| `{one[1]}` | {share.name}/{path} | {state['verdict'] or ''} | {why.replace('|', chr(92) + '|')} |")
    return "\n".join(lines)


def tables(shares, examples, each):
    runs = sum(len(share.rows) for share in shares)
    seconds = sum(row["seconds"] for share in shares for _, row in share.rows)
    text = f"## Shares\n\n{shares_table(shares)}\n\n{runs} runs, {seconds:.0f} s.\n"
    text += f"\n## What is not read\n\n{reasons_table(shares, examples)}\n\n## Crashes and hangs\n\n{accidents(shares)}\n"
    return text + (f"\n## Kernels\n\n{kernels_list(shares)}\n" if each else "")
