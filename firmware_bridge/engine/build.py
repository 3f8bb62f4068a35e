"""The two things that are built once for the engine: its modules compiled, and the tables of endings.

`build` compiles. It checks that the tools are there, works in a temporary folder, and puts the whole build in its place
with one rename. There is one C file for each module, one compiler runs at a time, and mypy has ended before: so a build
fits into the memory of a Zero 2 W. `engine.compiled` says which modules and where builds are kept.

`work_out` computes the endings of games and writes them where `engine.endgame` looks for them.
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
from typing import Any, TextIO

from firmware_bridge.engine import compiled, endgame
from firmware_bridge.i18n import Progress, print_lines, system_words
from games.endings import Kind
from games.rules import Game, OptionError, Reason, load, names, say
from hardware.settings import SettingsError

OPTIMISATION = "2"
"""The level of the C compiler: 1 is compiled in half the time, and random games are slower by a sixth."""
SCRIPT = """
import sys
from concurrent.futures import ProcessPoolExecutor
from mypyc.build import mypycify
from setuptools import setup

if __name__ == "__main__":
    with ProcessPoolExecutor(1) as apart:  # so that the memory mypy took is free again
        modules = apart.submit(mypycify, sys.argv[2:], opt_level=sys.argv[1], multi_file=True).result()
    for module in modules:  # nobody replaces its functions, so they may call each other without a detour
        module.extra_compile_args.append("-fno-semantic-interposition")
    setup(name="engine", packages=[], ext_modules=modules, script_args=["build_ext", "--build-lib", "built"])
"""
TYPES = ("--config-file=", "--cache-dir=/dev/null", "--follow-imports=silent", "--ignore-missing-imports")
"""mypy's options: only types count, and the sources import modules that are not copied."""
LOG = "failed.log"
"""The compiler's output, kept beside the builds when one fails."""
C_FILES = 44
"""C files of a build, for its progress until they are written and can be counted; a guess."""


# Compiling ------------------------------------------------------------------------------------


def build(out: TextIO = sys.stderr, *, again: bool = False) -> Path:
    """Compile the engine for these sources and this Python, with a line of progress on `out`: the build's folder.

    A build that is there already, made here or brought by a wheel, stays, unless `again`; builds of other sources are
    deleted. SettingsError says what is missing or wrong.
    """
    files = dict(compiled.sources())
    name = compiled.digest(files.items())
    folder = compiled.place() / name
    for there in (folder, compiled.BROUGHT / name):
        if there.is_dir() and not again:
            return there
    check()
    with exclusive(compiled.place()) as free:
        with TemporaryDirectory(dir=free, prefix="building-") as work:
            made = compile_in(Path(work), files, out)
            shutil.rmtree(folder, ignore_errors=True)
            made.rename(folder)
        (free / LOG).unlink(missing_ok=True)
        for other in free.iterdir():
            if other != folder and other.is_dir():
                shutil.rmtree(other, ignore_errors=True)
    return folder


def check() -> None:
    """SettingsError if mypy, a C compiler or Python's headers are missing, with what to install."""
    compiler = (os.environ.get("CC") or str(sysconfig.get_config_var("CC"))).split()[0]
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not find_spec("mypyc") or not find_spec("setuptools"):
        raise SettingsError("compiling needs mypy: install it with pip install 'tablelight[compile]'")
    if not shutil.which(compiler):
        raise SettingsError(f"compiling needs a C compiler ({compiler}): sudo apt install build-essential")
    if not header.is_file():
        raise SettingsError(f"compiling needs Python's headers ({header}): sudo apt install python3-dev")


@contextmanager
def exclusive(folder: Path) -> Iterator[Path]:
    """`folder`, made if need be and locked, so that nobody else builds there meanwhile; SettingsError."""
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


def compile_in(work: Path, sources: dict[str, bytes], out: TextIO) -> Path:
    """Compile `sources` in the folder `work`: the folder in it with all compiled modules; SettingsError."""
    for name, data in sources.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(data)
    files = [f"{module.replace('.', '/')}.py" for module in compiled.MODULES]
    (work / "build.py").write_text(SCRIPT)
    with (work / LOG).open("wb") as log:
        command = [sys.executable, "build.py", OPTIMISATION, *TYPES, *files]
        running = subprocess.Popen(command, cwd=work, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        failed = _wait(running, work, out)
    built = work / "built"
    if failed or any(not (built / file.replace(".py", compiled.ABI)).is_file() for file in files):
        log_kept = (work / LOG).rename(compiled.place() / LOG)
        raise SettingsError(f"compiling failed, and the engine runs without as before; {log_kept} tells why")
    return built


def _wait(running: subprocess.Popen[bytes], work: Path, out: TextIO) -> int:
    """Show the progress until the process ends: its exit code. An interruption ends the process too."""
    with Progress(_compiled_so_far, out) as progress:
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    return running.wait(0.25)
                progress.step(*_parts_done(work))
        finally:
            running.kill()
            running.wait()


def _parts_done(work: Path) -> tuple[int, int]:
    """How many parts are done, of how many: the translation, each C file, and the linking."""
    compiled, written = (sum(1 for _ in work.rglob(f"*.{end}")) for end in ("o", "c"))
    return compiled + 1, (written or C_FILES) + 2


def _compiled_so_far(done: int, every: int, left: str) -> Reason:
    return Reason.of("compiled.so-far", done=done, every=every, left=left)


def compile_engine(*, again: bool = False) -> int:
    """Compile and print where the build is, or in one sentence why it failed: the exit status."""
    began = time.monotonic()
    try:
        folder = build(again=again)
    except SettingsError as error:
        print_lines(str(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print_lines(
        system_words().say(Reason.of("compiled.done", folder=str(folder), seconds=f"{time.monotonic() - began:.0f}"))
    )
    return 0


# Endings --------------------------------------------------------------------------------------


def work_out(name: str | None, wanted: Mapping[str, int], *, again: bool = False) -> int:
    """Work out the endings of a game, or of all that have some, and write them: the exit status.

    `wanted` says how far they go, by the pieces of a game; as far as they can where it says nothing. Files that are
    there and go as far stay, unless `again`. OptionError if there are no such endings; SettingsError if nothing is
    left to do or a file cannot be written.
    """
    reaches = {game: reach(game, wanted.get(game.pieces)) for game in games_with_endings(name)}
    due = {game: reach for game, reach in reaches.items() if again or _existing_reach(game) < reach}
    for game, reaching in due.items():
        _write_endings(game, reaching)
    if not due:
        raise SettingsError("; ".join(_already_there(game) for game in reaches))
    return 0


def games_with_endings(name: str | None) -> list[Game[Any]]:
    """The game of this name, or all games that have endings; OptionError."""
    found = [game for game in map(load, [name] if name else names(installed=True)) if endgame.kind(game)]
    if not found:
        others = ", ".join(game.name for game in games_with_endings(None)) if name else "none"
        raise OptionError(f"{name} has no endings; the games that have some: {others}")
    return found


def reach(game: Game[Any], wanted: int | None) -> int:
    """How far its endings are to go, in seeds or stones; OptionError if they cannot."""
    kind = _kind(game)
    if wanted is not None and not kind.LEAST <= wanted <= kind.LARGEST:
        raise OptionError(f"{game.name}: --{game.pieces} is a number from {kind.LEAST} to {kind.LARGEST}")
    return kind.LARGEST if wanted is None else wanted


def _kind(game: Game[Any]) -> Kind:
    kind = endgame.kind(game)
    assert kind
    return kind


def _write_endings(game: Game[Any], reach: int) -> None:
    """Work out the endings of one game and write them over what is there; SettingsError."""
    path, kind = endgame.place(game), _kind(game)
    _make_folder(path)
    progress = Progress(
        lambda done, every, left: _endings_so_far(game, kind.reached(done, reach), reach, left), sys.stderr
    )
    endings = kind.build(reach, progress.step)
    try:
        endgame.write(game, path, reach, endings.packed())
    except OSError as error:
        raise _unwritable(path, error) from None
    told = {"file": str(path), "size": f"{path.stat().st_size:,}"}
    print_lines(system_words().say(Reason.of(f"{game.name}.endings-done", count=reach, **told)))


def _make_folder(path: Path) -> None:
    """Make the folder of `path`; SettingsError if nothing can be written to it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(None, "nothing can be written to its folder")
    except OSError as error:
        raise _unwritable(path, error) from None


def _existing_reach(game: Game[Any]) -> int:
    """The reach of the file of endings that is there; 0 if there is none that can be used."""
    there = endgame.usable(game, endgame.place(game))
    return there.reach if there else 0


def _already_there(game: Game[Any]) -> str:
    there = f"{_existing_reach(game)} {game.pieces}"
    return f"{endgame.place(game)}: holds the endings up to {there} already; --force works them out again"


def _unwritable(path: Path, error: OSError) -> SettingsError:
    return SettingsError(f"{path}: {error.strerror or error}; XDG_STATE_HOME can name another folder")


def _endings_so_far(game: Game[Any], done: int, reach: int, left: str) -> Reason:
    return Reason.of(f"{game.name}.endings-so-far", done=done, count=reach, left=left)


say(
    "compiled",
    so_far="Compiling: {done} of {every} parts, seconds left: about {left}",
    done="{folder}: the engine, compiled in {seconds} s, and used from now on.",
)
