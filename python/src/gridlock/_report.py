"""What a judgement says, as objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from ._html import page_of


@dataclass(frozen=True)
class Site:
    """A place in the source, and who was there."""

    #: As reports name it.
    file: str
    #: From 1; 0 where it is not known.
    line: int
    #: From 1, in bytes; 0 where it is not known.
    column: int
    #: Coordinates; ``None`` for the host.
    thread: Optional[Tuple[int, ...]] = None
    block: Optional[Tuple[int, ...]] = None
    #: ``read``, ``write`` or ``atomic``, of an access.
    mode: Optional[str] = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Defect:
    """Something that a program does, and that was replayed before it was called so."""

    #: ``data-race``, ``barrier-divergence``, …
    kind: str
    #: What happens, in a sentence.
    message: str
    #: The kernel or host function.
    kernel: str
    #: Both sides of a conflict, the guilty access, or those who wait.
    sites: List[Site]
    #: The array and the element it is about, where it is about one.
    array: Optional[str]
    element: Optional[str]
    #: A condition on launch and arguments without which it does not show, as a line of C++ to copy.
    requires: Optional[str]
    #: As the command has it; ``witness`` in it replays with ``gridlock replay``.
    json: Dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Property:
    """What was established of one property of one kernel."""

    #: The kernel or host function.
    kernel: str
    #: ``races``, ``divergence``, …
    name: str
    #: ``proved``, ``passed``, ``refuted`` or ``unknown``.
    verdict: str
    #: What the verdict covers: ``all-inputs-all-sizes``, ``all-inputs``, ``all-schedules``, ``tested``.
    assurance: Optional[str]
    #: Why nothing is known.
    reason: Optional[str]
    #: In words.
    explanation: str


class Report:
    """The report of a judgement. ``str()`` of it is the report that the command prints."""

    def __init__(self, exit_status: int, report: Dict[str, Any]) -> None:
        #: 0: what was required is established; 1: refuted; 3: neither.
        self.exit_status = exit_status
        #: As the command has it.
        self.json = report
        #: ``proved``, ``passed``, ``refuted`` or ``unknown``.
        self.verdict: str = report["verdict"]
        #: What the verdict covers.
        self.assurance: Optional[str] = report.get("assurance")
        #: Why nothing is known.
        self.reason: Optional[str] = report.get("reason")
        #: The name of the profile it holds under.
        self.profile: str = (report.get("profile") or {}).get("name", "")
        #: What the verdict takes for granted, in sentences.
        self.assumptions: List[str] = list(report.get("assumptions", []))
        self.remarks: List[str] = list(report.get("remarks", []))
        self.limits_hit: List[str] = list(report.get("limits_hit", []))
        subjects = report.get("subjects", [])
        names = [subject.get("kernel", "") for subject in subjects]
        #: The kernels and host functions that were judged.
        self.kernels: List[str] = names
        self.properties: List[Property] = [
            Property(
                kernel=names[one["subject"]],
                name=one["kind"],
                verdict=one["verdict"],
                assurance=one.get("assurance"),
                reason=one.get("reason"),
                explanation=one.get("explanation", ""),
            )
            for one in report.get("properties", [])
        ]
        self.defects: List[Defect] = [_defect(one, names) for one in report.get("defects", [])]

    @property
    def refuted(self) -> bool:
        """Whether a defect is known."""
        return self.verdict == "refuted"

    @property
    def reached(self) -> bool:
        """Whether what was required is established."""
        return self.exit_status == 0

    @property
    def text(self) -> str:
        """The report as the command prints it."""
        return str(self.json.get("text", "")).strip()

    def raise_if_refuted(self) -> "Report":
        """The report itself; raises :class:`Refuted` where a defect is known."""
        if self.refuted:
            raise Refuted(self)
        return self

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        kinds = ", ".join(defect.kind for defect in self.defects)
        judged = ", ".join(self.kernels)
        return f"<gridlock report of {judged}: {self.verdict}{': ' + kinds if kinds else ''}>"

    def _repr_html_(self) -> str:
        return page_of(self)


class Refuted(AssertionError):
    """A program has a defect, or does not do what another does. The text is the report."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.text)
        #: The report.
        self.report = report

    def __str__(self) -> str:
        return "\n" + self.report.text


def _defect(one: Dict[str, Any], names: List[str]) -> Defect:
    return Defect(
        kind=one["kind"],
        message=one.get("message", ""),
        kernel=names[one["subject"]] if one["subject"] < len(names) else "",
        sites=[_site(site) for site in [*one.get("accesses", []), *one.get("threads", [])]],
        array=one.get("array"),
        element=one.get("element"),
        requires=one.get("requires"),
        json=one,
    )


def _site(site: Dict[str, Any]) -> Site:
    def coordinates(name: str) -> Optional[Tuple[int, ...]]:
        value = site.get(name)
        return tuple(value) if value is not None else None

    mode = site.get("mode")
    return Site(
        file=site.get("file", ""),
        line=site.get("line", 0),
        column=site.get("column", 0),
        thread=coordinates("thread"),
        block=coordinates("block"),
        mode=mode.lower() if isinstance(mode, str) else None,
    )
