"""Finds the engine's modules compiled by mypyc, where there are any: they play alike, and faster.

Games are searched faster by a third up to fifteen times.

`tablelight compile` translates the modules into C and builds them (`engine.build`) into a folder of the user's own; a
wheel for one kind of computer brings a build of its own beside this module. The name of either is a digest of the
sources and of this Python's ABI, so a build of other sources is never found. `use` has Python import the modules from
there; the readable sources remain the only truth, and the program needs nothing else. The environment variable
`TABLELIGHT_COMPILED=no` switches compiled modules off.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from firmware_bridge.i18n import print_lines, system_words
from games.fast import beside
from games.rules import Game, Reason, say

SOURCES = ("games/**/*.py", "firmware_bridge/__init__.py", "firmware_bridge/engine/*.py")
"""The compiled modules, all that they import of the project, and what builds them: a change makes a build stale."""
ROOT = Path(__file__).parents[2]
COMPILED = (
    "games/core.py",
    "games/*/fast.py",
    "games/*/endgame.py",
    "firmware_bridge/engine/alphabeta.py",
    "firmware_bridge/engine/exact.py",
    "firmware_bridge/engine/uct.py",
)
"""Where searches spend their time."""
MODULES = tuple(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for pattern in COMPILED
    for path in sorted(ROOT.glob(pattern))
)
"""The modules that are compiled."""
ABI = EXTENSION_SUFFIXES[0]
"""How the file of a compiled module ends, such as ``.cpython-311-x86_64-linux-gnu.so``."""
BROUGHT = Path(__file__).with_name("built")
"""Where a wheel for one kind of computer keeps its build."""
VARIABLE = "TABLELIGHT_COMPILED"
"""The environment variable that switches compiled modules off."""


def sources() -> Iterator[tuple[str, bytes]]:
    """Each source: its path within the project, and its bytes."""
    for path in sorted(path for pattern in SOURCES for path in ROOT.glob(pattern)):
        yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """The name of a build of these sources for this Python."""
    hashed = hashlib.sha256(ABI.encode())
    for name, data in files:
        hashed.update(b"%s %d\n%s" % (name.encode(), len(data), data))
    return hashed.hexdigest()[:20]


def place() -> Path:
    """Where builds are kept, a folder for each: in the user's own state folder."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "tablelight" / "compiled"


class BuiltFinder(MetaPathFinder):
    """Finds the modules of the build in `folder`."""

    def __init__(self, folder: Path) -> None:
        files = folder.rglob(f"*{ABI}")
        self.files = {".".join(path.relative_to(folder).parts).removesuffix(ABI): path for path in files}
        """The files by the full names of their modules; one more is what mypyc makes for all of them together."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of this name, if it was built."""
        return spec_from_file_location(name, self.files[name]) if name in self.files else None

    def usable(self) -> bool:
        """Whether every module is there, none is loaded from its source yet, and what they share can be loaded."""
        shared = [name for name in self.files if "." not in name]
        if not {*MODULES} <= self.files.keys() or {*MODULES} & sys.modules.keys():
            return False
        try:
            for name in shared:
                spec = spec_from_file_location(name, self.files[name])
                assert spec
                sys.modules[name] = module_from_spec(spec)
        except ImportError:
            return False
        return True


def use() -> bool:
    """Have the modules imported from a build of exactly these sources, if there is one: whether searches run compiled.

    If a module was imported before, all run from their sources.
    """
    if any(isinstance(finder, BuiltFinder) for finder in sys.meta_path):
        return True
    if os.environ.get(VARIABLE) == "no":
        return False
    with suppress(OSError):
        name = digest(sources())
        for builds in (place(), BROUGHT):
            finder = BuiltFinder(builds / name)
            if finder.usable():
                sys.meta_path.insert(0, finder)
                return True
    return False


def tell(game: Game[Any]) -> None:
    """Say once a run that searches are not compiled and how to change that.

    Not if the user switched it off, and not of a game that brings a search of its own.
    """
    if not use() and os.environ.get(VARIABLE) != "no" and not beside(game, "search"):
        say_slower()


@cache
def say_slower() -> None:
    """Say so, once a run."""
    print_lines(system_words().say(Reason("compiled.slower")), file=sys.stderr)


say(
    "compiled",
    slower="The engine is not compiled, so it thinks more slowly than it could; tablelight compile changes that.",
)
