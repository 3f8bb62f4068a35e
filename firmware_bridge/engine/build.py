"""What the engine has made beforehand: its own modules compiled, and the tables of endings.

Compiling checks what is needed, builds apart from everything, and puts the whole in its place at once. One C file a
module, one compiler at a time, and no mypy beside it: so a build fits into the memory of a Zero 2 W. Endings are worked
out for ZhiZhu and Zig Zag, and kept where the engine looks.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from firmware_bridge.engine import compiled, endgame
from firmware_bridge.i18n import Progress, system_words
from games.rules import Reason, say
from hardware.settings import SettingsError

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
    files = dict(compiled.sources())
    folder = compiled.place() / compiled.digest(files.items())
    if folder.is_dir() and not again:
        return folder
    check()
    with alone(compiled.place()) as free:
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
    files = [f"{module.replace('.', '/')}.py" for module in compiled.MODULES]
    (work / "build.py").write_text(BUILD)
    with (work / LOG).open("wb") as log:
        command = [sys.executable, "build.py", LEVEL, *TYPES, *files]
        running = subprocess.Popen(command, cwd=work, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        failed = watched(running, work, out)
    built = work / "built"
    if failed or any(not (built / file.replace(".py", compiled.ABI)).is_file() for file in files):
        kept = (work / LOG).rename(compiled.place() / LOG)
        raise SettingsError(f"compiling failed, and the engine runs without as before; {kept} tells why")
    return built


def watched(running: subprocess.Popen[bytes], work: Path, out: TextIO) -> int:
    """Tell how far it is, until it ends: the exit code. It does not outlive an interruption."""
    with Progress(compiled_so_far, out) as progress:
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


def compiled_so_far(done: int, every: int, left: str) -> Reason:
    """How far it is."""
    return Reason.of("compiled.so-far", done=done, every=every, left=left)


def compile_engine(*, again: bool = False) -> int:
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


COUNTED = {"zhizhu": "stones", "zig-zag": "seeds"}
"""What the reach of a game's endings counts."""


def work_out(reaches: Mapping[str, int], *, again: bool = False) -> int:
    """Work out the endings of these games, each up to so many seeds or stones, and write them; SettingsError.

    Those that are there and go as far stay, unless `again`; with nothing left to do that is an error.
    """
    there = {} if again else {game: kept(game) for game in reaches}
    wanted = {game: reach for game, reach in reaches.items() if there.get(game, 0) < reach}
    for game, reach in wanted.items():
        work_out_one(game, reach)
    if not wanted:
        raise SettingsError("; ".join(holding(game, reach) for game, reach in there.items()))
    return 0


def work_out_one(game: str, reach: int) -> None:
    """Work out the endings of a game and write them, whatever is there; SettingsError."""
    path = endgame.place(game)
    ready(path)
    made = endgame.kind(game)
    progress = Progress(
        lambda done, every, left: endings_so_far(game, made.reached(done, reach), reach, left), sys.stderr
    )
    endings = made.build(reach, progress.step)
    try:
        endings.write(path)
    except OSError as error:
        raise unwritten(path, error) from None
    told = {"file": str(path), "size": f"{path.stat().st_size:,}"}
    print(system_words().say(Reason.of(f"endings.done-{COUNTED[game]}", count=reach, **told)))


def ready(path: Path) -> None:
    """Make the folder; SettingsError if nothing can be written to it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(None, "nothing can be written to its folder")
    except OSError as error:
        raise unwritten(path, error) from None


def kept(game: str) -> int:
    """The reach of the endings that are there; 0 if there are none that can be used."""
    try:
        return endgame.kind(game).read(endgame.place(game)).reach
    except endgame.EndgameError:
        return 0


def holding(game: str, reach: int) -> str:
    """What is said of endings that go as far as is wanted."""
    return (
        f"{endgame.place(game)}: holds the endings up to {reach} {COUNTED[game]} already; --force works them out again"
    )


def unwritten(path: Path, error: OSError) -> SettingsError:
    """What is said when the endings cannot be written."""
    return SettingsError(f"{path}: {error.strerror or error}; XDG_STATE_HOME can name another folder")


def endings_so_far(game: str, done: int, reach: int, left: str) -> Reason:
    """What is said while they are worked out."""
    return Reason.of(f"endings.{COUNTED[game]}-so-far", done=done, count=reach, left=left)


say(
    "endings",
    seeds_so_far="Zig Zag, seeds: {done} of {count}, seconds left: about {left}",
    stones_so_far="ZhiZhu, stones of each player: {done} of {count}, seconds left: about {left}",
    done_seeds="{file}: the endings of Zig Zag with up to {count} seeds in the pits, {size} bytes. "
    "The engine looks them up.",
    done_stones="{file}: the endings of ZhiZhu with up to {count} stones of each player, {size} bytes. "
    "The engine looks them up.",
)
