"""The program as people start it, on a port of its own, and what it leaves on disk."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from firmware_bridge.records import Line, read_lines, read_record
from firmware_bridge.score import ScoreSheet

QUICK = """
[table]
debounce = 0
settle = 0.05
[record]
folder = "{folder}"
"""
"""A frame counts in the scan in which it is seen."""


BY_ME = """
[page]
carry = false
"""
"""The engine's turns are carried out by whoever sits at the page."""


def free_port(host: str) -> int:
    """A port that nobody has at this moment."""
    with socket.socket() as asking:
        asking.bind((host, 0))
        port: int = asking.getsockname()[1]
        return port


class Program:
    """`tablelight play GAME` with its page; without a game where `game` is empty. `words` go on its command line.

    `more` is added to its configuration, of which `quick` has what tests want; else all is as shipped.
    """

    def __init__(
        self, folder: Path, game: str, *words: str, host: str = "127.0.0.1", more: str = "", quick: str = QUICK
    ) -> None:
        self.folder = folder
        self.record = folder / "game.table"
        self.port = free_port(host)
        self.origin = f"http://127.0.0.1:{self.port}"
        config = folder / "tablelight.toml"
        config.write_text(quick.format(folder=folder) + more)
        command = (
            sys.executable, "-m", "firmware_bridge", "play", *filter(None, [game]), "--address", f"{host}:{self.port}",
            "--config", str(config), "--record", str(self.record), *words,
        )  # fmt: skip
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self.said = self._announced()

    def _announced(self) -> str:
        """What it says until its page is served."""
        said = ""
        assert self._process.stdout
        for line in self._process.stdout:
            said += line
            if f":{self.port}/" in line:
                return said
        raise AssertionError(f"the program ended before its page was served: {said}")

    @property
    def pid(self) -> int:
        """The program itself."""
        return self._process.pid

    @property
    def server(self) -> int:
        """The process that serves the page."""
        pid = self._process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    def kill_server(self) -> None:
        """End the page's server as nobody should."""
        os.kill(self.server, signal.SIGKILL)

    def end(self) -> str:
        """Press Ctrl-C; what the program said in all. Nothing more happens where it has ended before."""
        if self._process.returncode is not None:
            return self.said
        self._process.send_signal(signal.SIGINT)
        try:
            said, _ = self._process.communicate(timeout=20)
        finally:
            self._process.kill()  # nothing is left running, whatever became of it
        return self.said + said

    def kept(self, path: Path | None = None) -> ScoreSheet:
        """The game as its record tells it."""
        return read_record(path or self.record).sheet

    def lines(self, path: Path | None = None) -> list[Line]:
        """The lines of its record."""
        return list(read_lines((path or self.record).read_text()))

    def latest(self) -> Path:
        """The record that was begun last."""
        return max(self.folder.glob("*.table"), key=lambda path: path.stat().st_mtime_ns)
