"""The engine compiled by mypyc, if somebody asked for that: the same modules, and faster.

By a third in Zig Zag, twice in Zong-Heng and ZhiZhu, fifteen times in Yin-Yang.

    tablelight compile

translates them into C and builds them, by `engine.compiling`, into a folder of the user's own whose name is a
digest of the sources and of this Python's ABI. `use` puts that folder before the sources when it is there, so what was
built from other sources is never found, and nothing needs it: the readable sources are the only truth and play alike.
`TABLELIGHT_COMPILED=no` leaves it away.

Compiles the engine: checks what is needed, builds apart from everything, and puts the whole in its place at once.

One C file a module, one compiler at a time, and no mypy beside it: so a build fits into the memory of a Zero 2 W.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TextIO

from firmware_bridge.i18n.catalogue import system_words
from firmware_bridge.i18n.progress import Progress
from games.rules import Reason, say
from hardware.settings import SettingsError

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


LEVEL = "1"
"""How hard the C compiler tries: a higher level takes half as long again and gains a tenth, in Yin-Yang alone."""
BUILD = """
import sys
from concurrent.futures import ProcessPoolExecutor
from mypyc.build import mypycify
from setuptools import setup

if __name__ == "__main__":
    with ProcessPoolExecutor(1) as apart:  # so that the memory mypy took is free again
        modules = apart.submit(mypycify, sys.argv[2:], opt_level=sys.argv[1], multi_file=True).result()
    setup(name="engine", packages=[], ext_modules=modules, script_args=["build_ext", "--build-lib", "built"])
"""
TYPES = ("--config-file=", "--cache-dir=/dev/null", "--follow-imports=silent", "--ignore-missing-imports")
"""What mypy is told: only types count, and it meets modules whose imports are not there."""
LOG = "failed.log"
USUAL = 44
"""C files, before they are written and can be counted."""


def build(out: TextIO = sys.stderr, *, again: bool = False) -> Path:
    """Compile the engine for these sources and this Python, telling `out` how far it is; the folder.

    What is there already stays, unless `again`; what other sources made goes. SettingsError says what is missing or
    wrong.
    """
    files = dict(sources())
    folder = place() / digest(files.items())
    if folder.is_dir() and not again:
        return folder
    check()
    with alone(place()) as free:
        with TemporaryDirectory(dir=free, prefix="building-") as work:
            made = made_in(Path(work), files, out)
            shutil.rmtree(folder, ignore_errors=True)
            made.rename(folder)
        (free / LOG).unlink(missing_ok=True)
        for other in free.iterdir():
            if other != folder and other.is_dir():
                shutil.rmtree(other, ignore_errors=True)
    return folder


def check() -> None:
    """SettingsError if something is missing, with what to install."""
    compiler = (os.environ.get("CC") or str(sysconfig.get_config_var("CC"))).split()[0]
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not find_spec("mypyc") or not find_spec("setuptools"):
        raise SettingsError("compiling needs mypy: install it with pip install 'tablelight[compile]'")
    if not shutil.which(compiler):
        raise SettingsError(f"compiling needs a C compiler ({compiler}): sudo apt install build-essential")
    if not header.is_file():
        raise SettingsError(f"compiling needs Python's headers ({header}): sudo apt install python3-dev")


@contextmanager
def alone(folder: Path) -> Iterator[Path]:
    """`folder`, made if need be, while nobody else builds there; SettingsError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as error:
        raise SettingsError(f"{folder}: {error.strerror}; XDG_STATE_HOME can name another folder") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SettingsError(f"{folder}: the engine is being compiled already; wait for that to end") from None
        yield folder


def made_in(work: Path, sources: dict[str, bytes], out: TextIO) -> Path:
    """The folder in `work` with all modules, whole; SettingsError."""
    for name, data in sources.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(data)
    files = [f"{module.replace('.', '/')}.py" for module in MODULES]
    (work / "build.py").write_text(BUILD)
    with (work / LOG).open("wb") as log:
        command = [sys.executable, "build.py", LEVEL, *TYPES, *files]
        running = subprocess.Popen(command, cwd=work, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        failed = watched(running, work, out)
    built = work / "built"
    if failed or any(not (built / file.replace(".py", ABI)).is_file() for file in files):
        kept = (work / LOG).rename(place() / LOG)
        raise SettingsError(f"compiling failed, and the engine runs without as before; {kept} tells why")
    return built


def watched(running: subprocess.Popen[bytes], work: Path, out: TextIO) -> int:
    """Tell how far it is, until it ends: the exit code. It does not outlive an interruption."""
    with Progress(so_far, out) as progress:
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    return running.wait(0.25)
                progress.step(*done_in(work))
        finally:
            running.kill()
            running.wait()


def done_in(work: Path) -> tuple[int, int]:
    """How many parts are done, of how many: the translation, each C file, and putting all together."""
    compiled, written = (sum(1 for _ in work.rglob(f"*.{end}")) for end in ("o", "c"))
    return compiled + 1, (written or USUAL) + 2


def so_far(done: int, every: int, left: str) -> Reason:
    """How far it is."""
    return Reason.of("compiled.so-far", done=done, every=every, left=left)


def main(*, again: bool = False) -> int:
    """Compile and say so, or say in one sentence why not: the exit code."""
    began = time.monotonic()
    try:
        folder = build(again=again)
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(system_words().say(Reason.of("compiled.done", folder=str(folder), seconds=f"{time.monotonic() - began:.0f}")))
    return 0


say(
    "compiled",
    so_far="Compiling: {done} of {every} parts, seconds left: about {left}",
    done="{folder}: the engine, compiled in {seconds} s, and used from now on.",
)
