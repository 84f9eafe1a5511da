"""The script's judgement tried on a project of which it is known what must come out."""

import argparse
import pathlib
import stat
import tempfile

from judging import Tool
from sources import Project, kernels
from table import kind

# File: text.
PROJECT = {
    # No clang reads this one, whatever headers there are; the kernel beside it is read.
    "unreadable.cu": "__global__ void broken(int *p) { p[threadIdx.x] = ; }\n__global__ void beside(int *p) {}\n",
    "refuted.cu": "__global__ void racy(int *p) { p[0] = threadIdx.x; }\n",
    "arbitrary.cu": "__device__ int unknown(int);\n"
    "__global__ void guesses(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = unknown(3); }\n"
    "__device__ int nondet_int();\n"
    "__global__ void any(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = nondet_int() & (int)clock(); }\n"
    "__global__ void knows(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 3; }\n",
    "template.cu": 'template <class T> __global__ void nobody(T *p) { *p = 0; }\n'
    "__global__ void fine(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 3; }\n",
    "whole.cu": '#include <deep/constants.h>\n#include "part.cuh"\nint main() { return 0; }\n',
    "part.cuh": "__global__ void in_part(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = CONSTANT; }\n",
    "include/deep/constants.h": "#pragma once\n#define CONSTANT 4\n",
    "instances.cu": "template <int N> __global__ void made(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = N; }\n"
    "template __global__ void made<1>(int *);\ntemplate __global__ void made<2>(int *);\n"
    "// __global__ void in_a_comment() {}\n#if 0\n__global__ void left_out() {}\n#endif\n"
    '__global__ void declared();\nconst char *text = "__global__ void in_a_string() {}";\n',
}

# Kernel: read, verdicts that may come out, kind of the reason.
EXPECTED = {
    "broken": (False, {None}, "unsupported"),
    "racy": (True, {"refuted"}, None),
    "guesses": (False, {"proved", "passed"}, "arbitrary"),
    "any": (True, {"proved", "passed"}, None),
    "knows": (True, {"proved", "passed"}, None),
    "nobody": (True, {"refuted"}, None),
    "fine": (True, {"proved", "passed"}, None),
    "in_part": (True, {"proved", "passed"}, None),
    "made": (True, {"proved", "passed"}, None),
    "left_out": (False, {None}, "absent"),
}

TEXTS = [
    ("__global__ void a() {}", ["a"]),
    ("__global__ void\n__launch_bounds__(256, 2)\nb(int *p, void (*f)(int)) {}", ["b"]),
    ("template <> __global__ void c<4>(int) {}", ["c"]),
    ('extern "C" __global__ __attribute__((noinline)) void d(void)\n{}', ["d"]),
    ("__global__ void e(int); /* __global__ void f() {} */", []),
    ("#define KERNEL __global__\n__global__ static void g(int a, /* ) { */ int b) {}", ["g"]),
    ('const char *s = "__global__ void h() {}"; char q = \'"\'; __global__ void i() {}', ["i"]),
]


def project(folder):
    for name, text in PROJECT.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Project(folder)


def stub(folder, name, text):
    """A program in the place of gridlock."""
    path = pathlib.Path(folder, name)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def run(gridlock):
    from run import Store, measure

    wrong = []

    def want(what, found, expected):
        if found != expected:
            wrong.append(f"{what}: {found}, expected {expected}")

    for text, names in TEXTS:
        want(f"kernels of {text!r}", list(kernels(text)), names)
    options = argparse.Namespace(only=[], leave_out=[], sample=None, sample_of=[], seed=1, alone=None)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        own = project(folder)
        store = pathlib.Path(elsewhere, "rows.json")
        tool = Tool(gridlock, ["--no-proof"], 5)
        share = measure(own, tool, Store(store, False, {}), options, lambda line: None)
        states = {one[1]: share.state(one) for one in share.definitions}
        want("kernels", sorted(states), sorted([*EXPECTED, "beside"]))
        for name, (read, verdicts, why) in EXPECTED.items():
            state = states.get(name) or {"read": None, "verdict": None, "why": None}
            want(f"{name} is read", state["read"], read)
            want(f"why {name} is not read", state["why"] and state["why"]["kind"], why)
            if state["verdict"] not in verdicts:
                wrong.append(f"verdict of {name}: {state['verdict']}, expected one of {verdicts}")
        files = {path.name: reads for path, reads in share.files().items()}
        want("files read", sorted(name for name, reads in files.items() if all(reads)), ["part.cuh", "refuted.cu", "template.cu"])
        # What is stored is not judged again, and a sample is the same each time.
        crashing = Tool(stub(elsewhere, "crashing", "kill -SEGV $$"), [], 1)
        crashing.own = tool.own
        again = measure(own, crashing, Store(store, True, {}), options, lambda line: None)
        want("continued", again.row(), share.row())
        options.sample = 3
        drawn = [measure(own, tool, Store(store, True, {}), options, lambda line: None).definitions for _ in range(2)]
        want("the sample", (len(drawn[0]), drawn[0]), (3, drawn[1]))
        # Runs that crash, hang or print nonsense are rows, and no kernel of them is read.
        options.sample = None
        for name, script, outcome in [
            ("segfault", "kill -SEGV $$", "crash"),
            ("panic", "echo panicked >&2; exit 101", "crash"),
            ("nonsense", "echo '{'", "crash"),
            ("sleeping", "sleep 1000", "hang"),
        ]:
            broken = Tool(stub(elsewhere, name, script), [], 0.1)
            broken.own, broken.patience = tool.own, 1
            options.only = ["*/refuted.cu"]
            only = measure(own, broken, Store(None, False, {}), options, lambda line: None)
            state = only.state(only.definitions[0])
            want(f"{name}: read and why", (state["read"], state["why"] and state["why"]["kind"]), (False, outcome))
    want("kind", kind({"kind": "syntax", "message": "use of undeclared identifier 'x'"})[0], "use of undeclared identifier …")
    for complaint in wrong:
        print(complaint)
    print(f"self-test: {'failed' if wrong else 'passed'}")
    return 1 if wrong else 0
