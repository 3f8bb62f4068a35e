"""The way to the page: addresses, the sentence and the code, and the program that serves it, started for real."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from firmware_bridge.config import Config, PageConfig
from firmware_bridge.records import read_record
from firmware_bridge.web.mirror import (
    Mirror,
    ServerProcess,
    address,
    invitation,
    is_local,
    open_mirror,
    url,
    usual_address,
)
from hardware.settings import SettingsError


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("127.0.0.1:8000", ("127.0.0.1", 8000)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("[::1]:9000", ("::1", 9000)),
        ("table.local", ("table.local", 8000)),
        ("8080", ("127.0.0.1", 8080)),
        (":8080", ("127.0.0.1", 8080)),
    ],
)
def test_an_address_may_be_cut_short(text: str, meant: tuple[str, int]) -> None:
    assert address(text) == meant


@pytest.mark.parametrize("text", ["host:", "host:x", "host:0", "host:70000", "host:-1", "1" * 30, "host:٣"])
def test_a_wrong_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(SettingsError, match=r"it reads HOST:PORT, for one 127\.0\.0\.1:8000"):
        address(text)


def test_loopback_addresses_are_local() -> None:
    assert all(map(is_local, ("127.0.0.1", "127.8.8.8", "::1", "localhost")))
    assert not any(map(is_local, ("0.0.0.0", "::", "192.168.1.5", "table.local")))


def test_on_the_network_a_token_is_made_and_shown_as_a_code() -> None:
    mirrors = [open_mirror(Config(page=PageConfig("0.0.0.0:8000"))) for _ in range(2)]
    tokens = {mirror.server.token for mirror in mirrors if mirror}
    assert len(tokens) == 2
    assert min(map(len, tokens)) >= 12
    mirror = mirrors[0]
    assert mirror
    mirror.listening = "0.0.0.0:8000"
    first, second, *code = invitation(mirror).splitlines()
    assert re.fullmatch(rf"The page is at http://[^/]+:8000/#{mirror.server.token}", first)
    assert "may watch" in second
    assert len({len(line) for line in code}) == 1
    assert len(code) > 10


def test_a_configured_token_is_kept_and_a_local_page_needs_none() -> None:
    kept = open_mirror(Config(page=PageConfig("192.168.1.5:8000", "eight-letters")))
    assert kept
    assert url(kept.server, "192.168.1.5:8000") == "http://192.168.1.5:8000/#eight-letters"
    alone = Mirror(ServerProcess("127.0.0.1", 8000))
    alone.listening = "127.0.0.1:8000"
    assert invitation(alone) == "The page is at http://127.0.0.1:8000/"
    assert open_mirror(Config()) is None


def test_the_next_free_port_is_taken_where_none_is_asked_for() -> None:
    host, port = address(usual_address())
    with socket.socket() as taken:
        taken.bind((host, port))
        taken.listen()
        assert usual_address() == f"{host}:{port + 1}"


# The program ----------------------------------------------------------------------------------


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


@contextmanager
def playing(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The program, running."""
    told = os.environ | {"XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home), "DISPLAY": "", "LANGUAGE": "en"}
    command = [sys.executable, "-m", "firmware_bridge", "play", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=told, text=True)
    yield process
    process.kill()
    process.communicate()


def test_the_page_is_served_until_the_program_ends(tmp_path: Path) -> None:
    port = free_port()
    with playing(tmp_path, "zhizhu", "--address", f"127.0.0.1:{port}") as process:
        assert process.stdout
        assert process.stdout.readline() == f"The page is at http://127.0.0.1:{port}/\n"
        page = HTTPConnection("127.0.0.1", port, timeout=10)
        page.request("GET", "/")
        assert page.getresponse().status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    with socket.socket() as gone:
        assert gone.connect_ex(("127.0.0.1", port)) != 0
    (record,) = (tmp_path / "tablelight").glob("*.table")
    assert read_record(record).sheet.game.name == "zhizhu"


def test_a_port_that_is_taken_ends_it_with_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with playing(tmp_path, "--address", f"127.0.0.1:{port}") as process:
            out, error = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, "")
    assert str(port) in error
    assert len(error.splitlines()) == 1
    assert "Traceback" not in error
