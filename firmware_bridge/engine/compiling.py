"""Compiles the engine: checks what is needed, builds apart from everything, and puts the whole in its place at once.

One C file a module, one compiler at a time, and no mypy beside it: so a build fits into the memory of a Zero 2 W.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from firmware_bridge.engine.compiled import ABI, MODULES, digest, place, sources
from firmware_bridge.i18n.catalogue import here
from firmware_bridge.i18n.progress import Progress
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
    print(here().say(Reason.of("compiled.done", folder=str(folder), seconds=f"{time.monotonic() - began:.0f}")))
    return 0


say(
    "compiled",
    so_far="Compiling: {done} of {every} parts, seconds left: about {left}",
    done="{folder}: the engine, compiled in {seconds} s, and used from now on.",
)
