"""A report in a notebook: a table of verdicts, the defects, and the whole text folded away. Nothing is loaded from
anywhere, and nothing of the program becomes markup."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, List

if TYPE_CHECKING:
    from ._report import Report

# Legible on a light and on a dark background.
COLOURS = {"proved": "#2e7d32", "passed": "#2e7d32", "refuted": "#c62828", "unknown": "#b26a00", "conditional": "#b26a00"}


def page_of(report: "Report") -> str:
    """The report as HTML."""
    rows: List[str] = []
    for one in report.properties:
        covers = one.assurance or one.reason or ""
        rows.append(
            f"<tr><td style='text-align:left'><code>{escape(one.kernel)}</code></td>"
            f"<td style='text-align:left'>{escape(one.name)}</td><td>{_verdict(one.verdict)}</td>"
            f"<td style='text-align:left'>{escape(covers)}</td></tr>"
        )
    defects = "".join(
        f"<li><b>{escape(defect.kind)}</b> in <code>{escape(defect.kernel)}</code>"
        f"{' at <code>' + escape(str(defect.sites[0])) + '</code>' if defect.sites else ''}: "
        f"{escape(defect.message)}</li>"
        for defect in report.defects
    )
    return (
        "<div class='gridlock-report'>"
        f"<p>{_verdict(report.verdict)} under profile <code>{escape(report.profile)}</code></p>"
        "<table><thead><tr><th>kernel</th><th>property</th><th>verdict</th><th>covers</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
        f"{'<ul>' + defects + '</ul>' if defects else ''}"
        f"<details><summary>the whole report</summary><pre>{escape(report.text)}</pre></details>"
        "</div>"
    )


def _verdict(verdict: str) -> str:
    colour = COLOURS.get(verdict, "inherit")
    return f"<b style='color:{colour}'>{escape(verdict)}</b>"
