"""``python -m gridlock``: the command itself."""

import os
import sys

from ._command import command

if __name__ == "__main__":
    tool = command()
    os.execv(tool, [tool, *sys.argv[1:]])
