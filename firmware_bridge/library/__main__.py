"""The index of past games brought up to date, as a process of its own, for the page.

python -m firmware_bridge.library FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from firmware_bridge.library import Index
from firmware_bridge.worker import lower_priority

NICENESS = 15
"""The niceness of this process (`os.nice`): below everything that plays; guessed."""


def main() -> int:
    """Update the index of the folder that the command line names; the exit status."""
    lower_priority(NICENESS)
    index = Index(Path(sys.argv[1]))
    index.update()
    index.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
