"""The engine compiled by mypyc, if somebody asked for that: the same modules, and faster.

By a third in Zig Zag, twice in Zong-Heng and ZhiZhu, fifteen times in Yin-Yang.

    tablelight compile

translates them into C and builds them, by `engine.build`, into a folder of the user's own whose name is a
digest of the sources and of this Python's ABI. `use` puts that folder before the sources when it is there, so what was
built from other sources is never found, and nothing needs it: the readable sources are the only truth and play alike.
`TABLELIGHT_COMPILED=no` leaves it away.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from firmware_bridge.i18n import system_words
from games.rules import Reason, say

MODULES = (
    "games.fast.yin_yang",
    "games.fast.zhizhu",
    "games.fast.zig_zag",
    "games.fast.zong_heng",
    "firmware_bridge.engine.alphabeta",
    "firmware_bridge.engine.endgame_zhizhu",
    "firmware_bridge.engine.endgame_zig_zag",
    "firmware_bridge.engine.uct",
)
"""Those in which searching spends its time."""
SOURCES = ("games/**/*.py", "firmware_bridge/__init__.py", "firmware_bridge/engine/*.py")
"""All that they are made of, and what makes them; a change of any of these makes a build useless."""
ROOT = Path(__file__).parents[2]
ABI = EXTENSION_SUFFIXES[0]
"""How the file of a compiled module ends, such as ``.cpython-311-x86_64-linux-gnu.so``."""
VARIABLE = "TABLELIGHT_COMPILED"


def sources() -> Iterator[tuple[str, bytes]]:
    """Each source, by its path within the project, and what is in it."""
    for path in sorted(path for pattern in SOURCES for path in ROOT.glob(pattern)):
        yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """What tells a build of these sources from those of others or for another Python."""
    told = hashlib.sha256(ABI.encode())
    for name, data in files:
        told.update(b"%s %d\n%s" % (name.encode(), len(data), data))
    return told.hexdigest()[:20]


def place() -> Path:
    """Where builds are kept, a folder each: in the user's own state folder."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "tablelight" / "compiled"


class Built(MetaPathFinder):
    """Finds the modules of one build before any others."""

    def __init__(self, folder: Path) -> None:
        files = folder.rglob(f"*{ABI}")
        self.files = {".".join(path.relative_to(folder).parts).removesuffix(ABI): path for path in files}
        """The modules by their full names; what mypyc makes for all of them together is one too."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of this name, if it was built."""
        return spec_from_file_location(name, self.files[name]) if name in self.files else None

    def good(self) -> bool:
        """Whether all is there, nothing of it loaded yet from its source, and what they share can be loaded."""
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
    """Whether searches run compiled; the first call sees to it, if they were built for exactly these sources.

    Too late for modules that were imported before: then all stays as it is.
    """
    if any(isinstance(finder, Built) for finder in sys.meta_path):
        return True
    if os.environ.get(VARIABLE) == "no":
        return False
    try:
        built = Built(place() / digest(sources()))
    except OSError:
        return False
    if built.good():
        sys.meta_path.insert(0, built)
        return True
    return False


@cache
def tell() -> None:
    """Say once a run that thinking is slower than need be, and what changes that; nothing if it was asked for."""
    if not use() and os.environ.get(VARIABLE) != "no":
        print(system_words().say(Reason("compiled.slower")), file=sys.stderr)


say(
    "compiled",
    slower="The engine is not compiled, so it thinks more slowly than it could; tablelight compile changes that.",
)
