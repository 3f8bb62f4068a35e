"""What a long benchmark has done so far, in a file beside its results, a line each: a run that was cut off goes on.

It goes on only with what was done by the same sources, which `digest` tells.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parent.parent


def sources(*patterns: str) -> list[Path]:
    """The program's files whose paths match one of these, in order."""
    return sorted({file for pattern in patterns for file in ROOT.glob(pattern)})


def digest(files: Iterable[Path]) -> str:
    """What tells these files from others, 16 hexadecimal digits: equal where their contents are."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def resume(kept: Path, how: str) -> list[str]:
    """The lines of the run that was begun in just this way; else none, and a file of another run is put aside."""
    if kept.exists():
        first, *lines = kept.read_text().splitlines() or [""]
        if first == how:
            return lines
        others = (kept.with_suffix(f".old{number or ''}") for number in count())
        aside = next(path for path in others if not path.exists())
        kept.replace(aside)
        print(f"{kept.name} is of another run and was put aside as {aside.name}.", file=sys.stderr)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(how + "\n")
    return []
