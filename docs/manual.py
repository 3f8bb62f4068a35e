"""Writes docs/tablelight.1, the man page of all commands, from the parser itself.

make man
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from firmware_bridge import __version__

PAGE = Path(__file__).with_name("tablelight.1")
WHAT = {
    "module": "firmware_bridge.cli.main",
    "function": "parser",
    "project-name": "tablelight",
    "prog": "tablelight",
    "version": __version__,
    "manual-title": "Tablelight",
    "author": "The Tablelight founders",
    "format": "single-commands-section",
}


def manual() -> str:
    """The page, in English and in lines of eighty, and the same on every day."""
    program = str(Path(sys.executable).with_name("argparse-manpage"))
    command = [program, *(f"--{key}={value}" for key, value in WHAT.items())]
    plain = os.environ | {"LANGUAGE": "C", "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    told = subprocess.run(command, env=plain, capture_output=True, text=True, check=True).stdout
    undated = re.sub(r'^(\.TH TABLELIGHT "1") "[^"]*"', r'\1 ""', told)
    return undated.replace(".SH NAME\ntablelight\n", ".SH NAME\ntablelight \\- a companion for a real game table\n")


def main() -> None:
    """Write the page."""
    PAGE.write_text(manual())


if __name__ == "__main__":
    main()
