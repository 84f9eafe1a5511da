"""What the text of other people's projects says: which kernels a file defines, which files it includes, and which
folders a build of the project would look in.

Nothing here asks a compiler. A kernel that only a macro spells out is not found, and one that `#if` leaves out is.
"""

import os
import pathlib
import re

# Suffixes of files that a translation unit in CUDA may consist of. Only `.cu` is compiled by itself.
UNIT = {".cu"}
PARTS = UNIT | {".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".c", ".cc", ".cpp", ".cxx"}
# A header of these is judged by itself if no unit includes it; a `.cpp` with kernels belongs to another language.
ALONE = {".cu", ".cuh", ".h", ".hh", ".hpp", ".inl", ".inc"}

NOISE = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/|R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'""", re.S
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)
HEAD = re.compile(r"\b__global__\b")
NAME = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]*>\s*)?\(")
# What may stand between `__global__` and the name of a kernel with parentheses of its own.
ATTRIBUTES = {"__launch_bounds__", "__attribute__", "__declspec", "__maxnreg__", "__cluster_dims__", "__align__"}


def without_noise(text):
    """The text without comments, and with empty strings; lines stay where they are."""

    def blank(found):
        piece = found.group(0)
        return ('""' if piece[0] in "\"R'" else " ") + "\n" * piece.count("\n")

    return NOISE.sub(blank, text)


def closing(text, at):
    """The index behind the parenthesis that closes the one at `at`, or None."""
    depth = 0
    for index in range(at, min(len(text), at + 20000)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index + 1
    return None


def kernels(text):
    """Names of the kernels that a text defines, in order, each with its line; overloads are one."""
    text = without_noise(text)
    found = {}
    for head in HEAD.finditer(text):
        line_start = text.rfind("\n", 0, head.start()) + 1
        if text[line_start : head.start()].lstrip().startswith("#"):
            continue  # `#define KERNEL __global__`
        at = head.end()
        while name := NAME.search(text, at):
            end = closing(text, name.end() - 1)
            if end is None or re.search(r"[;{}]", text[at : name.start()]):
                break
            if name.group(1) not in ATTRIBUTES:
                if re.match(r"\s*\{", text[end:]):
                    found.setdefault(name.group(1), text.count("\n", 0, head.start()) + 1)
                break
            at = end
    return found


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


# Names of folders that hold what several programs of a project share.
SHARED = {"include", "includes", "inc", "common", "common_src", "util", "utils", "utilities", "src", "lib", "shared", "helpers"}
GIVEN = re.compile(r"-I[ \t]*(\.[\w./+-]*)")


class Project:
    """The sources under a folder."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.name = self.root.name
        paths = (p for p in self.root.rglob("*") if p.suffix in PARTS and p.is_file() and not p.is_symlink())
        self.files = sorted(paths)
        known = set(self.files)
        self.kernels, self.includes = {}, {}
        for path in self.files:
            text = read(path)
            if path.suffix in ALONE:
                self.kernels[path] = kernels(text) if "__global__" in text else {}
            plain = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
            self.includes[path] = [(kind == '"', name.strip()) for kind, name in INCLUDE.findall(plain)]
        self.given = {}
        for path in self.root.rglob("[Mm]akefile*"):
            if path.is_file():
                folders = (path.parent / name for name in GIVEN.findall(read(path)))
                self.given[path.parent] = {pathlib.Path(os.path.normpath(folder)) for folder in folders}
        self.by_name = {}
        for path in known:
            self.by_name.setdefault(path.name, []).append(path)
        self.closures = {}

    def definitions(self):
        """All (file, kernel) of the project."""
        return [(path, name) for path in self.files for name in self.kernels.get(path, ())]

    def may_be_given(self, folder, asking):
        """Would a build of `asking` have this folder among its -I? If it lies above or below the folder of `asking`, is
        named for what is shared and lies beside one of those above, or a makefile there names it."""
        above = [asking.parent, *asking.parent.parents]
        above = above[: above.index(self.root) + 1]
        if folder in above or asking.parent in folder.parents:
            return True
        if any(folder in self.given.get(place, ()) for place in above):
            return True
        inner = folder.parts[len(pathlib.Path(os.path.commonpath([asking.parent, folder])).parts) :]
        return bool(inner) and inner[0].lower() in SHARED

    def nearest(self, asking, name):
        """The file of the project that `#include "name"` in `asking` may mean: of those whose path ends in `name`, in
        a folder that may be given, the one that shares most folders with `asking`, and of these the one that is least
        deep."""
        wanted = pathlib.PurePosixPath(name)
        tail = [part for part in wanted.parts if part not in ("..", ".", "/")]
        if not tail:
            return None
        fitting = [p for p in self.by_name.get(tail[-1], ()) if list(p.parts[-len(tail) :]) == tail]
        fitting = [p for p in fitting if self.may_be_given(p.parents[len(tail) - 1], asking)]

        def nearness(path):
            common = os.path.commonpath([asking.parent, path])
            return (-len(pathlib.Path(common).parts), len(path.parts), str(path))

        return min(fitting, key=nearness, default=None)

    def reach(self, unit, has_own):
        """The files that `unit` consists of, and the folders to give with -I. `has_own(name)`: the tool has a header of
        that name. A folder is given where an include is found neither beside its file nor by the tool."""
        if unit in self.closures:
            return self.closures[unit]
        files, folders, waiting = [], [], [unit]
        while waiting:
            path = waiting.pop(0)
            if path in files:
                continue
            files.append(path)
            for quoted, name in self.includes.get(path, ()):
                beside = pathlib.Path(os.path.normpath(path.parent / name))
                if quoted and beside in self.includes:
                    waiting.append(beside)
                    continue
                in_given = [pathlib.Path(os.path.normpath(folder / name)) for folder in folders]
                target = next((p for p in in_given if p in self.includes), None)
                if target is None and not has_own(name):
                    target = self.nearest(path, name)
                    depth = len(pathlib.PurePosixPath(name).parts)
                    if target is not None and ".." not in pathlib.PurePosixPath(name).parts:
                        folders.append(target.parents[depth - 1])
                    elif target is not None:
                        target = None  # `../x.h` names a place, and there is nothing at it
                if target is not None:
                    waiting.append(target)
        self.closures[unit] = (files, folders)
        return self.closures[unit]

    def units(self, has_own):
        """What to judge, in order: `.cu` files that no other source includes, those that some do, and last headers
        with kernels that none of these reaches."""
        compiled = [path for path in self.files if path.suffix in UNIT]
        included = set()
        for path in compiled:
            included |= set(self.reach(path, has_own)[0][1:])
        first = [path for path in compiled if path not in included]
        last = [path for path in self.files if self.kernels.get(path) and path not in included and path not in compiled]
        return first + [path for path in compiled if path in included] + last
