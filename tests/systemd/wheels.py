"""Prints what must be fetched so that the installer needs no network: what the project and its building depend on."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

BY_APT = "spidev"
"""There are no wheels of it; the container has Debian's own."""

project = tomllib.loads(Path(sys.argv[1]).read_text())
extras = project["project"]["optional-dependencies"]


def needs(extra: str) -> Iterator[str]:
    """What an extra takes, those that it takes from others included."""
    for need in extras[extra]:
        others = re.fullmatch(r"tablelight\[(.*)\]", need)
        if others:
            for other in others[1].split(","):
                yield from needs(other)
        elif not need.startswith(BY_APT):
            yield need


for need in (*project["build-system"]["requires"], "wheel", *project["project"]["dependencies"], *needs("pi")):
    print(need)
