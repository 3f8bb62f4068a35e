"""The engine as it was at an earlier commit, as a player: a process of its own that runs the sources of that commit.

They are taken out of git into build/before/COMMIT, and compiled there if the engine of today is compiled, too; all that
they keep stays in that folder. The process is asked a line a turn and answers a line; the player that answers is the
`engine@SECONDS` of that commit, so its seconds are those of its processor.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from games.rules import Position

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "before"
COMMIT = "a3c2663"
"""The last one before positions were searched as numbers of the processor's own (`games.core`)."""
PARTS = ("games", "hardware", "firmware_bridge", "benchmarks")
DONE = "prepared"
"""A file that says that a folder is whole."""
SERVE = """
import json, sys
import firmware_bridge.engine
from functools import lru_cache
from benchmarks.players import player
from firmware_bridge.engine import uct
from games.rules import load

game = load(sys.argv[1])
turn, read = player(game, sys.argv[2]), lru_cache(1024)(game.position)
print(json.dumps(not str(uct.__file__).endswith(".py")), flush=True)
for line in sys.stdin:
    position, before, number = json.loads(line)
    print(json.dumps(turn(read(position), [read(text) for text in before], number)), flush=True)
"""


def whole(commit: str) -> str:
    """The full name of a commit; ValueError."""
    command = ["git", "rev-parse", "--quiet", "--verify", "--end-of-options", f"{commit}^{{commit}}"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        raise ValueError(f"there is no commit {commit!r} here; git log lists those that there are")
    return found.stdout.strip()


def environment(folder: Path, compiled: bool) -> dict[str, str]:
    """That of a process with the sources in `folder`."""
    told = {"PYTHONPATH": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    return os.environ | told | {"TABLELIGHT_COMPILED": "yes" if compiled else "no"}


def prepared(commit: str, compiled: bool) -> Path:
    """The folder with the sources of a commit, compiled if that is wanted; made if need be: minutes. ValueError."""
    folder = FOLDER / whole(commit)[:12]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / DONE).exists():
            take_out(commit, folder)
        if compiled:
            build(commit, folder)
    return folder


def take_out(commit: str, folder: Path) -> None:
    """Write the sources of a commit into `folder`; ValueError if there is nobody to ask among them."""
    found = subprocess.run(["git", "archive", whole(commit), "--", *PARTS], cwd=ROOT, capture_output=True)
    if found.returncode:
        raise ValueError(f"{commit} has no benchmarks.players to ask: choose a later commit")
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as packed:
        packed.extractall(folder, filter="data")
    if not (folder / "benchmarks" / "players.py").exists():
        raise ValueError(f"{commit} has no benchmarks.players to ask: choose a later commit")
    (folder / DONE).touch()


def build(commit: str, folder: Path) -> None:
    """Compile these sources, if they are not yet; ValueError."""
    script = "import sys; from firmware_bridge.engine.build import compile_engine; sys.exit(compile_engine())"
    command = [sys.executable, "-c", script]
    built = subprocess.run(
        command, cwd=folder, env=environment(folder, True), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if built.returncode:
        raise ValueError(f"{commit} cannot be compiled: {built.stdout.strip().splitlines()[-1]}")


class Before:
    """The engine of `commit` with so many seconds a turn at the game of this name; ValueError if it cannot be had."""

    def __init__(self, game: str, commit: str, seconds: float, compiled: bool) -> None:
        folder = prepared(commit, compiled)
        command = [sys.executable, "-c", SERVE, game, f"engine@{seconds:g}"]
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(folder, compiled),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.compiled: bool = self._answer()
        """Whether it runs compiled."""
        if self.compiled != compiled:
            self.close()
            raise ValueError(f"{commit} does not run {'' if compiled else 'un'}compiled, as the engine of today does")

    def turn(self, position: Position, before: Sequence[Position], number: int) -> str:
        """Its turn in this position, after these, in the game of this number."""
        assert self._process.stdin
        print(json.dumps([str(position), [str(each) for each in before], number]), file=self._process.stdin, flush=True)
        answer: str = self._answer()
        return answer

    def _answer(self) -> str | bool:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise ValueError("the engine of the earlier commit has ended; what it printed says why")
        found: str | bool = json.loads(line)
        return found

    def close(self) -> None:
        """End the process, which ends with its input."""
        self._process.communicate()
