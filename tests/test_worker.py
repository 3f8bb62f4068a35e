"""The processes beside the daemon."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from firmware_bridge.worker import Worker

TELLS = """
import argparse, socket
from twin import NAME
parser = argparse.ArgumentParser()
parser.add_argument("--fd", type=int)
socket.socket(fileno=parser.parse_args().fd).send(NAME.encode())
"""


def test_a_worker_finds_the_modules_that_its_parent_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("installed", "here"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "twin.py").write_text(f"NAME = '{folder}'\n")
    (tmp_path / "installed" / "tells.py").write_text(TELLS)
    monkeypatch.syspath_prepend(tmp_path / "installed")
    monkeypatch.chdir(tmp_path / "here")  # which `python -m` would put before all others
    worker = Worker("tells")
    assert worker.alive(0.0)
    began, told = monotonic(), b""
    while not told and monotonic() < began + 30:
        told = worker.receive()
    worker.close()
    assert told == b"installed"
