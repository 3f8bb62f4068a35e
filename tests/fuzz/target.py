"""Something that reads what others have written, and what must come of it whatever they wrote."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

LONGEST = 700
"""Characters of a sentence that people can still read."""
CHECK = re.compile(rb" ~[0-9a-f]{4}$", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """A reader of bytes: it takes them, or refuses them in a sentence of one of its own `errors`; nothing else.

    `seeds` are right, or nearly: what is tried are changes to them. `words` have a meaning there.
    """

    name: str
    read: Callable[[bytes], object]
    errors: tuple[type[Exception], ...]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()

    def do(self, data: bytes) -> None:
        """Let it read `data`; any other exception, or what is no sentence, is a finding."""
        try:
            self.read(data)
        except self.errors as error:
            told = str(error)
            assert told.strip(), "refused without a word"
            assert told.isprintable(), f"not fit to be shown: {told!r}"
            assert len(told) <= LONGEST, f"a sentence of {len(told)} characters: {told[:100]}"


@lru_cache(1)
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="tablelight-")  # removed as the process ends


def filed(data: bytes, name: str = "given") -> Path:
    """A file with these bytes, until the next one of this name."""
    path = Path(_folder().name) / name
    path.write_bytes(data)
    return path


def text(data: bytes) -> str:
    """The bytes as text; what is no UTF-8 becomes lone surrogates, as in what the system hands to a program."""
    return data.decode("utf-8", "surrogateescape")


def unchecked(data: bytes) -> bytes:
    """Lines without their checks, so that a change to one is not found by those alone."""
    return CHECK.sub(b"", data)


def joined(*words: str) -> tuple[bytes, ...]:
    """Words as bytes."""
    return tuple(word.encode() for word in words)
