"""Kernels judged before they are compiled: a decorator for what makes them."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, overload

from ._judge import check, is_text
from ._kernel import Kernel, compiler_options
from ._report import Refuted, Report

F = TypeVar("F", bound=Callable[..., Any])

#: Parameters, in order, of callables that are not written in Python and do not tell them.
KNOWN = {
    "RawKernel": ["code", "name", "options"],
    "RawModule": ["code", "path", "options"],
}


@overload
def checked(target: F) -> F: ...
@overload
def checked(target: None = None, *, strict: bool = False, **options: Any) -> Callable[[F], F]: ...


def checked(target: Any = None, *, strict: bool = False, **options: Any) -> Any:
    """Judges the kernels that a callable makes, and raises :class:`gridlock.Refuted`, whose text is the report, where
    one has a defect.

    Around a constructor or a compiler of kernels the source is judged before it is compiled:

        RawKernel = gridlock.checked(cupy.RawKernel)
        load_inline = gridlock.checked(torch.utils.cpp_extension.load_inline)

    Around a function of your own, the kernel that it returns is judged: the text of a program, or an object with
    the text in ``code``, as CuPy's ``RawKernel`` has:

        @gridlock.checked(block=256, args={"n": 1000}, extents={"x": "n"})
        def axpy():
            return cupy.RawKernel(SOURCE, "axpy")

    ``options`` are those of :func:`gridlock.check`. ``strict``: raise also where what is required (``require``) is
    not established, though no defect is known. A source is judged once for each set of options.
    """
    if target is None:
        return lambda function: checked(function, strict=strict, **options)
    judged: Dict[Any, Report] = {}

    def judge(source: str, name: Optional[str], read: Dict[str, Any]) -> None:
        own = {**read, **options}
        if name is not None:
            own.setdefault("kernel", name)
            own.setdefault("filename", f"{name}.cu")
        key = (source, repr(sorted(own.items(), key=lambda pair: pair[0])))
        if key not in judged:
            judged[key] = check(source, **own)
        report = judged[key]
        if report.refuted or strict and not report.reached:
            raise Refuted(report)

    @functools.wraps(target, updated=())
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        before = _sources(target, args, kwargs)
        for source, name, read in before:
            judge(source, name, read)
        made = target(*args, **kwargs)
        if not before:
            for source, name, read in _made(made):
                judge(source, name, read)
        return made

    return wrapper


def _sources(
    target: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]
) -> List[Tuple[str, Optional[str], Dict[str, Any]]]:
    """What is going to be compiled: text, name of the kernel, how it is read."""
    given = _arguments(target, args, kwargs)
    found: List[Tuple[str, Optional[str], Dict[str, Any]]] = []
    code = given.get("code")
    if isinstance(code, str) and is_text(code):
        name = given.get("name") if getattr(target, "__name__", "") != "RawModule" else None
        found.append((code, name, compiler_options(tuple(given.get("options") or ()))))
    cuda = given.get("cuda_sources")
    if cuda:
        # They are compiled as one file.
        text = cuda if isinstance(cuda, str) else "\n".join(cuda)
        read: Dict[str, Any] = compiler_options(tuple(given.get("extra_cuda_cflags") or ()))
        folders = [str(folder) for folder in given.get("extra_include_paths") or ()]
        if folders:
            read["include"] = [*read.get("include", []), *folders]
        read["filename"] = f"{given.get('name', 'extension')}.cu"
        found.append((text, None, read))
    return found


def _arguments(target: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, Any]:
    names = KNOWN.get(getattr(target, "__name__", ""))
    if names is not None:
        return {**dict(zip(names, args)), **kwargs}
    try:
        return dict(inspect.signature(target).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        # The call itself says what is wrong with it.
        return dict(kwargs)


def _made(made: Any) -> List[Tuple[str, Optional[str], Dict[str, Any]]]:
    if isinstance(made, str) and is_text(made):
        return [(made, None, {})]
    if isinstance(getattr(made, "code", None), str):
        kernel = Kernel.of(made)
        return [(str(kernel.source), kernel.name, kernel.options)]
    if isinstance(made, Kernel):
        return [(str(made.source), made.name, made.options)] if is_text(made.source) else []
    raise TypeError(
        f"what was made, a {type(made).__name__}, has no text of a kernel: return it, or an object that has it in `code`"
    )
