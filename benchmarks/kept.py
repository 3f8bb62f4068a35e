"""What a long benchmark has done so far, in a file beside its results, a line each: a run that was cut off goes on."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path


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
