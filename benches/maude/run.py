#!/usr/bin/env python3
"""Rewriting of ground terms beside Maude: the same rules, the same terms, the same normal forms.

Three systems of rules that both can express:

    identities   0 + x = x, 1 * x = x, 0 * x = 0 on random trees of 127 nodes, 1/3 zeros, 1/3 ones
    reversal     naive reversal of lists of 200 elements: append behind the reversed rest
    copies       copies `x := y` in straight-line code are propagated into what follows

Whole processes are timed, in turn, and of each the best run counts: reading, rewriting, printing. Maude reads
a command for each term (`eq`); what it reports as rewrites is compared with our count, and the normal
forms must be the same, term by term. Then both generate work inside, so that rewriting alone is timed:
Maude by `show timing`, gridlock by `--statistics`, each term anew (Maude keeps nothing between commands).

Needs python3, maude (Debian package `maude`, 3.2) and a release build of gridlock:

    cargo build --release && benches/maude/run.py

Exit status 1 when normal forms differ, gridlock is slower end to end, or slower inside than --least million
rewrites a second. (Maude's time inside is a sum of milliseconds, one number a command: too coarse for small terms.)
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

IDENTITIES = {
    "ops": "ops z u a b c d : -> E [ctor] .\n  ops p m : E E -> E .\n  var X : E .",
    "equations": [
        ("p(z,X)", "X"),
        ("p(X,z)", "X"),
        ("m(u,X)", "X"),
        ("m(X,u)", "X"),
        ("m(z,X)", "z"),
        ("m(X,z)", "z"),
    ],
}
REVERSAL = {
    "ops": (
        "op nil : -> E [ctor] .\n  op c : E E -> E [ctor] .\n  op e : Nat -> E [ctor] .\n"
        "  op rev : E -> E .\n  op app : E E -> E .\n  vars H T L : E ."
    ),
    "equations": [
        ("rev(nil)", "nil"),
        ("rev(c(H,T))", "app(rev(T),c(H,nil))"),
        ("app(nil,L)", "L"),
        ("app(c(H,T),L)", "c(H,app(T,L))"),
    ],
}
# prog(s(x, y, rest)): x := y, then rest; s(x, f(y), rest) computes. What follows a copy uses y for x until
# either is assigned anew, which these programs never do: every name is assigned once.
COPIES = {
    "ops": (
        "op nil : -> E [ctor] .\n  op copy : E E E -> E [ctor] .\n  op comp : E E E E -> E [ctor] .\n"
        "  op v : Nat -> E [ctor] .\n  op prog : E -> E .\n  op sub : E E E -> E .\n  op pick : E E E -> E .\n"
        "  vars X Y Z W R : E ."
    ),
    "equations": [
        ("prog(nil)", "nil"),
        ("prog(copy(X,Y,R))", "prog(sub(X,Y,R))"),
        ("prog(comp(X,Y,Z,R))", "comp(X,Y,Z,prog(R))"),
        ("sub(X,Y,nil)", "nil"),
        ("sub(X,Y,copy(W,Z,R))", "copy(W,pick(X,Y,Z),sub(X,Y,R))"),
        ("sub(X,Y,comp(W,Z,Z,R))", "comp(W,pick(X,Y,Z),pick(X,Y,Z),sub(X,Y,R))"),
        ("pick(X,Y,X)", "Y"),
        ("pick(X,Y,Z)", "Z"),
    ],
}


def tree(rng, depth):
    if depth == 0:
        share = rng.random()
        return "z" if share < 1 / 3 else "u" if share < 2 / 3 else rng.choice("abcd")
    return f"{rng.choice('pm')}({tree(rng, depth - 1)},{tree(rng, depth - 1)})"


def chain(items):
    text = "nil"
    for item in reversed(items):
        text = f"c({item},{text})"
    return text


def reversal(rng, length):
    return f"rev({chain([f'e({rng.randrange(1000)})' for _ in range(length)])})"


def copies(rng, length):
    """Straight-line code over fresh names; operands are names before."""
    text = "nil"
    for line in reversed(range(1, length + 1)):
        operand = f"v({rng.randrange(line)})"
        if rng.random() < 0.5:
            text = f"copy(v({line}),{operand},{text})"
        else:
            text = f"comp(v({line}),{operand},{operand},{text})"
    return f"prog({text})"


def owise(system, left):
    """Maude tries equations in any order: the last for `pick` is for what is left."""
    return " [owise]" if left == "pick(X,Y,Z)" else ""


def maude_module(system):
    lines = ["fmod S is", "  protecting NAT .", "  sort E .", f"  {system['ops']}"]
    for left, right in system["equations"]:
        lines.append(f"  eq {left} = {right}{owise(system, left)} .")
    return "\n".join(lines + ["endfm", ""])


def rule_term(text):
    """`p(z,X)` as `_p(_z(), $x)`."""
    text = re.sub(r"\b([A-Z])\b", lambda m: "$" + m.group(1).lower(), text)
    text = re.sub(r"(?<!\$)\b([a-z]+)\b(?!\()", r"_\1()", text)
    return re.sub(r"(?<![_$])\b([a-z]+)\(", r"_\1(", text)


def rules(system):
    lines = ['system bench', 'about "The same as in Maude."', 'source "benches/maude"', 'status "exact"']
    names = []
    for number, (left, right) in enumerate(system["equations"]):
        names.append(f"r{number}")
        lines.append(f"rule r{number}: ({rule_term(left)}) -> ({rule_term(right)})")
    return "\n".join(lines + [f"strategy main = innermost({' <+ '.join(names)})", ""])


def ground(text):
    return re.sub(r"\b([a-z]+)\b", r"_\1", text)


def plain(text):
    return re.sub(r"\s|_", "", text)


def timed(command, folder):
    started = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    took = time.monotonic() - started
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return took, done.stdout


def maude_results(text):
    """Normal forms, and rewrites in all."""
    joined = text.replace("\n    ", "")
    forms = re.findall(r"^result [^:\n]*: (.*)$", joined, re.M)
    rewrites = sum(int(n) for n in re.findall(r"^rewrites: (\d+)", text, re.M))
    milliseconds = sum(int(n) for n in re.findall(r"in (\d+)ms cpu", text))
    return [plain(form) for form in forms], rewrites, milliseconds / 1000


def measure(name, system, terms, options, folder):
    (folder / "s.maude").write_text(
        "set show command off .\n" + maude_module(system)
        + "".join(f"reduce {term} .\n" for term in terms) + "quit\n"
    )  # fmt: skip
    (folder / "s.rules").write_text(rules(system))
    (folder / "terms.txt").write_text("".join(ground(term) + "\n" for term in terms))
    gridlock = options.gridlock.resolve()
    ours_command = [gridlock, "normalise", "terms.txt", "--rules", "s.rules"]
    best = {}
    for _ in range(options.runs):
        for who, command in (
            # By its full name: Maude goes by $PWD, not by where it is.
            ("maude", ["maude", "-no-banner", "-no-wrap", folder / "s.maude"]),
            ("ours", ours_command),
            ("inside", [*ours_command, "--each-anew", "--statistics"]),
            ("kept", [*ours_command, "--each-anew", "--provenance"]),
        ):
            took, text = timed(command, folder)
            rate = re.search(r"([\d.]+) million a second", text)
            known = best.get(who)
            best[who] = (
                min(took, known[0]) if known else took,
                text,
                max(float(rate.group(1)) if rate else 0.0, known[2] if known else 0.0),
            )
    forms, rewrites, seconds = maude_results(best["maude"][1])
    ours = [plain(line) for line in best["ours"][1].splitlines()]
    applied = int(re.search(r"(\d+)  applications", best["inside"][1]).group(1))
    theirs_rate = rewrites / seconds / 1e6 if seconds else float("nan")
    print(
        f"{name:11} {len(terms):6}  {best['maude'][0]:7.2f} {best['ours'][0]:7.2f} "
        f"{best['maude'][0] / best['ours'][0]:6.1f}   {rewrites:10,} {applied:10,}  "
        f"{theirs_rate:6.1f} {best['inside'][2]:6.1f} {best['kept'][2]:6.1f}",
        flush=True,
    )
    wrong = 0
    if forms != ours:
        differing = [i for i, (a, b) in enumerate(zip(forms, ours)) if a != b]
        print(f"    normal forms differ: {len(forms)} and {len(ours)}, first at {differing[:3]}")
        wrong += 1
    if best["ours"][0] > best["maude"][0]:
        print("    slower end to end")
        wrong += 1
    if best["inside"][2] < options.least:
        print(f"    less than {options.least} million rewrites a second inside")
        wrong += 1
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--gridlock", default=ROOT / "target/release/gridlock", type=pathlib.Path)
    parser.add_argument("--runs", default=3, type=int, help="runs of each (the best counts)")
    parser.add_argument("--least", default=6.8, type=float, help="million rewrites a second inside")
    parser.add_argument("--small", action="store_true", help="a hundredth of the terms: the normal forms alone")
    options = parser.parse_args()
    share = 100 if options.small else 1
    if options.small:
        options.least = 0.0
    rng = random.Random(20261120)
    cases = [
        ("identities", IDENTITIES, [tree(rng, 6) for _ in range(20000 // share)]),
        ("reversal", REVERSAL, [reversal(rng, 200) for _ in range(1000 // share)]),
        ("copies", COPIES, [copies(rng, 100) for _ in range(1000 // share)]),
    ]
    print(f"{'':18}   end to end, s          {'rewrites':>21}   million a second inside")
    print(f"{'system':11} {'terms':>6}  {'maude':>7} {'ours':>7} {'ratio':>6}   {'maude':>10} {'ours':>10}  "
          f"{'maude':>6} {'ours':>6} {'kept':>6}")  # fmt: skip
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, system, terms in cases:
            wrong += measure(name, system, terms, options, pathlib.Path(folder))
    print("`kept`: with provenance, every application kept.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
