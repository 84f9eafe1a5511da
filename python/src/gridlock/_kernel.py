"""A kernel with what is known of it, judged at several launches and compared with others."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from ._judge import Source, check, equiv
from ._report import Report


class Kernel:
    """A kernel of a program.

    >>> scale = Kernel("__global__ void scale(float *a) { a[threadIdx.x] *= 2; }")
    >>> scale.check(block=64).verdict
    'proved'
    """

    def __init__(self, source: Source, name: Optional[str] = None, **options: Any) -> None:
        """``name``: which kernel; ``None`` where the program has one. ``options``: those of :func:`gridlock.check`
        that hold whenever it is judged, ``define`` or ``profile`` say."""
        self.source = source
        self.name = name
        self.options: Dict[str, Any] = options

    @classmethod
    def of(cls, kernel: Any, **options: Any) -> "Kernel":
        """The kernel of an object that holds its text, such as CuPy's ``RawKernel``: ``code``, ``name`` and
        ``options`` are read."""
        code = getattr(kernel, "code", None)
        if not isinstance(code, str):
            raise TypeError(f"{type(kernel).__name__} has no text in `code`")
        read = compiler_options(getattr(kernel, "options", ()) or ())
        return cls(code, getattr(kernel, "name", None), **{**read, **options})

    def check(self, **options: Any) -> Report:
        """Judges it; options as in :func:`gridlock.check`."""
        return check(self.source, **{"kernel": self.name, **self.options, **options})

    def equiv(self, other: "Kernel", **options: Any) -> Report:
        """Whether ``other`` does what this one does; options as in :func:`gridlock.equiv`."""
        names = {"a_kernel": self.name, "b_kernel": other.name}
        return equiv(self.source, other.source, **{**names, **self.options, **options})

    def __repr__(self) -> str:
        return f"<gridlock kernel {self.name or 'without a name'}>"


def compiler_options(words: Sequence[str]) -> Dict[str, List[str]]:
    """What options of a compiler say about how a source is read: macros, folders, the dialect. Others are left out:
    they choose how code is made, not what it means."""
    found: Dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        for names, key in (
            (("--define-macro=", "-D"), "define"),
            (("--include-path=", "-isystem", "-I"), "include"),
            (("--std=", "-std="), "std"),
        ):
            name = next((name for name in names if word.startswith(name)), None)
            if name is None:
                continue
            value = word[len(name) :].lstrip("=") or next(rest, "")
            if key == "std":
                found[key] = value
            elif value:
                found.setdefault(key, []).append(value)
            break
    return found
