"""The command that judges: where it is, and how it is run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from typing import Any, Dict, Optional, Sequence

#: Names the command to run, by its whole path.
VARIABLE = "GRIDLOCK"


class GridlockError(Exception):
    """The command could not judge: bad input, a wrong option, a file that cannot be read.

    The text is that of the message, with the place and the line of source where there is one.
    """

    def __init__(self, text: str, error: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(text)
        error = error or {}
        #: ``usage``, ``file``, ``syntax``, ``unsupported``, ``launch``, ``limit`` or ``internal``.
        self.kind: str = error.get("kind") or "internal"
        #: What is wrong, without a place.
        self.message: str = error.get("message") or text
        #: Where; line and column are from 1.
        self.file: Optional[str] = error.get("file")
        self.line: Optional[int] = error.get("line")
        self.column: Optional[int] = error.get("column")


def command() -> str:
    """The path of the command: ``$GRIDLOCK``, else the one installed with this package, else the one on ``PATH``.

    Raises ``GridlockError`` where there is none.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        if not os.path.isabs(chosen) or not os.access(chosen, os.X_OK):
            raise GridlockError(f"${VARIABLE} is {chosen!r}: it must be the whole path of a program")
        return chosen
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    if hasattr(sysconfig, "get_preferred_scheme"):
        folders.append(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    # The working directory is never searched.
    path = os.environ.get("PATH", "").split(os.pathsep)
    folders.extend(folder for folder in path if os.path.isabs(folder))
    for folder in folders:
        found = shutil.which("gridlock", path=folder) if folder else None
        if found:
            return found
    raise GridlockError(
        "the command `gridlock` is not found: install the package whole (pip install gridlock), or say where it is "
        f"in the environment variable {VARIABLE}"
    )


def version() -> str:
    """The version of the command."""
    ran = subprocess.run([command(), "--version"], capture_output=True, text=True, check=True)
    return ran.stdout.split()[-1]


def run(arguments: Sequence[str], source: Optional[str] = None) -> "tuple[int, Dict[str, Any]]":
    """Runs the command; its exit status and its report. ``source`` is its standard input.

    Raises ``GridlockError`` where there is no verdict.
    """
    words = [command(), arguments[0], "--format=json", "--with-text", *arguments[1:]]
    ran = subprocess.run(
        words,
        input=source if source is not None else "",
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    try:
        report = json.loads(ran.stdout)
    except ValueError:
        said = (ran.stderr or ran.stdout).strip()
        raise GridlockError(said or f"the command ended with status {ran.returncode} and said nothing") from None
    if "verdict" not in report:
        error = report.get("error", {})
        text = report.get("text") or error.get("message") or ran.stderr
        raise GridlockError(str(text).strip(), error)
    return ran.returncode, report
