"""Judge GPU kernels from Python: does a kernel race, diverge, deadlock, or read what nobody wrote, and do two
programs do the same, under every schedule the hardware may choose?

    >>> import gridlock
    >>> report = gridlock.check("__global__ void k(int *a) { a[0] = threadIdx.x; }", block=64)
    >>> report.verdict
    'refuted'
    >>> report.defects[0].kind
    'data-race'

The module starts the command ``gridlock``, which the package brings, and reads its report.
"""

from ._checked import checked
from ._command import GridlockError, command, version
from ._judge import Source, check, equiv
from ._kernel import Kernel
from ._report import Defect, Property, Refuted, Report, Site

__all__ = [
    "Defect",
    "GridlockError",
    "Kernel",
    "Property",
    "Refuted",
    "Report",
    "Site",
    "Source",
    "check",
    "checked",
    "command",
    "equiv",
    "version",
]
