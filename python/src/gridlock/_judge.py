"""``check`` and ``equiv``: the options of the command as arguments."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._command import run
from ._report import Report

#: The text of a program, or the path of a file: a ``str`` with a line end or a brace in it is a text.
Source = Union[str, "os.PathLike[str]"]

#: A number, or up to three of them.
Extents = Union[int, Sequence[int]]

ENDINGS = {"cuda": ".cu", "opencl": ".cl", "c": ".c"}


def is_text(source: Source) -> bool:
    """Whether a source is the text of a program and no path."""
    return isinstance(source, str) and any(c in source for c in "\n{;")


def check(
    source: Source,
    *,
    kernel: Optional[str] = None,
    grid: Optional[Extents] = None,
    block: Optional[Extents] = None,
    shared_bytes: Optional[int] = None,
    args: Optional[Mapping[str, object]] = None,
    extents: Optional[Mapping[str, object]] = None,
    contents: Optional[Mapping[str, str]] = None,
    properties: Optional[Sequence[str]] = None,
    profile: Optional[str] = None,
    require: Optional[str] = None,
    define: Sequence[str] = (),
    include: Sequence[Union[str, "os.PathLike[str]"]] = (),
    std: Optional[str] = None,
    limit_seconds: Optional[float] = None,
    language: str = "cuda",
    filename: Optional[str] = None,
    options: Sequence[str] = (),
) -> Report:
    """Judges the kernels of a program.

    source: the path of a file, or the text of a program (in ``language``: ``cuda``, ``opencl`` or ``c``; reports
        call it ``filename``).
    kernel: judge this one only; without it, all.
    grid, block: the launch; without them, every launch.
    args, extents, contents: values of scalar parameters, numbers of elements and first contents of arrays, by name.
    properties: some of ``races``, ``divergence``, ``deadlock``, ``bounds``, ``uninitialised-reads``,
        ``arithmetic``, ``assertions``, ``host``.
    require: what must be established for ``report.reached``: ``sizes``, ``all-inputs`` (the default),
        ``schedules`` or ``tested``.
    define, include, std: macros (``N=4``), folders of included files, the dialect of C++.
    limit_seconds: for the whole; 60 for a kernel without it.
    options: further options of ``gridlock check``, as words.

    Raises ``GridlockError`` where the program cannot be read.
    """
    words = ["check"]
    words += _entry("", kernel, grid, block, shared_bytes, args, extents, contents)
    if properties:
        words.append("--property=" + ",".join(properties))
    words += _judging(profile, require, define, include, std, limit_seconds)
    words += [str(option) for option in options]
    if is_text(source):
        name = filename or "<source>" + ENDINGS[language]
        status, report = run([*words, f"--stdin-filename={name}", "-"], str(source))
    else:
        status, report = run([*words, _path(source)])
    return Report(status, report)


def equiv(
    a: Source,
    b: Source,
    *,
    kernel: Optional[str] = None,
    a_kernel: Optional[str] = None,
    b_kernel: Optional[str] = None,
    grid: Optional[Extents] = None,
    block: Optional[Extents] = None,
    a_grid: Optional[Extents] = None,
    a_block: Optional[Extents] = None,
    b_grid: Optional[Extents] = None,
    b_block: Optional[Extents] = None,
    shared_bytes: Optional[int] = None,
    args: Optional[Mapping[str, object]] = None,
    extents: Optional[Mapping[str, object]] = None,
    contents: Optional[Mapping[str, str]] = None,
    observe: Sequence[str] = (),
    modulo: Optional[str] = None,
    profile: Optional[str] = None,
    require: Optional[str] = None,
    define: Sequence[str] = (),
    include: Sequence[Union[str, "os.PathLike[str]"]] = (),
    std: Optional[str] = None,
    limit_seconds: Optional[float] = None,
    language: str = "cuda",
    options: Sequence[str] = (),
) -> Report:
    """Compares two programs: does ``b`` do what ``a`` does? Sources and options are as in :func:`check`.

    observe: relations between outputs whose shape changed, ``new.out[b] == old.out[b * 64]``.
    modulo: the theory that floats are compared modulo, ``assoc-comm``; without it, bit by bit.

    Raises ``GridlockError`` where a program cannot be read, or the two cannot be compared.
    """
    words = ["equiv"]
    words += _entry("", kernel, grid, block, shared_bytes, args, extents, contents)
    words += _entry("a-", a_kernel, a_grid, a_block)
    words += _entry("b-", b_kernel, b_grid, b_block)
    words += [f"--observe={relation}" for relation in observe]
    if modulo:
        words.append(f"--modulo={modulo}")
    words += _judging(profile, require, define, include, std, limit_seconds)
    words += [str(option) for option in options]
    with tempfile.TemporaryDirectory(prefix="gridlock-") as folder:
        paths: List[str] = []
        for name, source in (("a", a), ("b", b)):
            if is_text(source):
                path = os.path.join(folder, name + ENDINGS[language])
                with open(path, "w", encoding="utf-8") as file:
                    file.write(str(source))
                paths.append(path)
            else:
                paths.append(_path(source))
        if any(is_text(source) for source in (a, b)):
            # Texts include by relative names what is seen from here.
            words.append("-I" + os.curdir)
        status, report = run([*words, *paths])
    return Report(status, _named(report, folder))


def _named(report: Dict[str, Any], folder: str) -> Dict[str, Any]:
    """The report with the names that texts have for people, without the folder they were put into."""

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(folder + os.sep, "")
        if isinstance(value, list):
            return [walk(one) for one in value]
        if isinstance(value, dict):
            return {key: walk(one) for key, one in value.items()}
        return value

    found = walk(report)
    assert isinstance(found, dict)
    return found


def _path(source: Source) -> str:
    """The path as a word that is never taken for an option."""
    path = os.fspath(source)
    return os.path.join(os.curdir, path) if path.startswith("-") else path


def _dims(extents: Extents) -> str:
    if isinstance(extents, int):
        return str(extents)
    return ",".join(str(int(extent)) for extent in extents)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _entry(
    side: str,
    kernel: Optional[str],
    grid: Optional[Extents],
    block: Optional[Extents],
    shared_bytes: Optional[int] = None,
    args: Optional[Mapping[str, object]] = None,
    extents: Optional[Mapping[str, object]] = None,
    contents: Optional[Mapping[str, str]] = None,
) -> List[str]:
    words: List[str] = []
    if kernel is not None:
        words.append(f"--{side}kernel={kernel}")
    if grid is not None:
        words.append(f"--{side}grid={_dims(grid)}")
    if block is not None:
        words.append(f"--{side}block={_dims(block)}")
    if shared_bytes is not None:
        words.append(f"--{side}shared-bytes={shared_bytes}")
    for option, values in (("arg", args), ("extent", extents), ("contents", contents)):
        for name, value in (values or {}).items():
            words.append(f"--{side}{option}={name}={_value(value)}")
    return words


def _judging(
    profile: Optional[str],
    require: Optional[str],
    define: Sequence[str],
    include: Sequence[Union[str, "os.PathLike[str]"]],
    std: Optional[str],
    limit_seconds: Optional[float],
) -> List[str]:
    words: List[str] = []
    if profile is not None:
        words.append(f"--profile={profile}")
    if require is not None:
        words.append(f"--require={require}")
    words += [f"-D{macro}" for macro in define]
    words += [f"-I{os.fspath(folder)}" for folder in include]
    if std is not None:
        words.append(f"--std={std}")
    if limit_seconds is not None:
        words.append(f"--limit-seconds={limit_seconds}")
    return words
