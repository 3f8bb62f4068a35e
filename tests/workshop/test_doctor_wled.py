"""The doctor before a controller in the network: a real web server that tells what WLED would, or something else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from firmware_bridge.workshop.doctor import Finding, examine
from firmware_bridge.workshop.machine import Machine, fetch
from tests.workshop.computers import found, graded, grow, wired

INFO = b'{"ver": "0.14.1", "vid": 2402252, "leds": {"count": 66, "pwr": 0, "fps": 4}, "name": "WLED", "udpport": 21324}'


@contextmanager
def page(body: bytes, status: int = 200) -> Iterator[int]:
    """The port of a web server that answers with this at /json/info."""

    class Info(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/json/info" else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    with HTTPServer(("127.0.0.1", 0), Info) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def told(folder: Path, port: int = 1, more: str = "", host: str = "127.0.0.1") -> list[Finding]:
    """What the doctor says of WLED, whose page is at this port, for a board of 64 squares and two lamps."""
    board = wired(folder, f'kind = "wled"\nhost = "{host}"\n{more}', "[pixels]\nstatus = [64, 65]")
    return list(examine(Machine(grow(folder), fetch=partial(fetch, port=port)), board))


def test_wled_that_has_the_lights_is_right(tmp_path: Path) -> None:
    with page(INFO) as port:
        says = found(told(tmp_path, port), "wled")
    assert says == Finding("ok", "wled", "WLED 0.14.1 at 127.0.0.1 has 66 lights.")


def test_fewer_lights_than_the_board_has_are_a_fault(tmp_path: Path) -> None:
    with page(INFO.replace(b"66", b"30")) as port:
        says = found(told(tmp_path, port), "wled")
    assert says.grade == "fault"
    assert says.say == (
        "WLED 0.14.1 at 127.0.0.1 has 30 lights, and the board 66: "
        "set the length of the strip there, under LED Preferences, to 66 at least."
    )


@pytest.mark.parametrize("body", [b"<html>", b"{}", b"[1]", b'{"ver": "1", "leds": {"count": "many"}}', b"\xff", b""])
def test_a_page_of_something_else_is_no_wled(body: bytes, tmp_path: Path) -> None:
    with page(body) as port:
        says = found(told(tmp_path, port), "wled")
    assert says == Finding("fault", "wled", "What answers at http://127.0.0.1 is no WLED: give its address as host.")


def test_a_page_that_refuses_is_told_with_its_status(tmp_path: Path) -> None:
    with page(b"", 503) as port:
        says = found(told(tmp_path, port), "wled")
    assert says.grade == "fault"
    assert says.say.startswith("WLED does not answer at http://127.0.0.1 (status 503): switch it on, or")


def test_wled_that_is_off_is_a_fault(tmp_path: Path) -> None:
    says = found(told(tmp_path), "wled")
    assert says.grade == "fault"
    assert says.say.startswith("WLED does not answer at http://127.0.0.1 (Connection refused): switch it on, or give")


def test_a_host_that_does_not_resolve_is_the_only_fault_told(tmp_path: Path) -> None:
    says = found(told(tmp_path, more="port = 5000", host="lamps.invalid"), "wled")
    assert says.grade == "fault"
    assert says.say.startswith("The lights: the network knows no lamps.invalid (")


def test_another_port_than_ddp_has_is_remarked_on(tmp_path: Path) -> None:
    with page(INFO) as port:
        says = told(tmp_path, port, "port = 5000")
    assert "WLED hears port 4048 alone, and port = 5000 is set: leave it out." in graded(says, "remark")


def test_other_lights_are_not_looked_for_in_the_network(tmp_path: Path) -> None:
    findings = examine(Machine(grow(tmp_path)), wired(tmp_path, 'kind = "terminal"'))
    assert not [finding for finding in findings if finding.about == "wled"]
