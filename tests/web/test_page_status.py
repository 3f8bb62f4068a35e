"""How the table is, at the page: for people, and for those who collect."""

from __future__ import annotations

import time
from http import HTTPStatus

import pytest

from firmware_bridge.health import PARTS, Status, metrics
from firmware_bridge.session import Inside
from firmware_bridge.web.server import aged
from tests.web.page_server import PATIENCE, Serving, listening

STATUS = Status(7, "0.1.0", 60.0, 99.5, 0.01, dict.fromkeys(PARTS, 0.001), sensors={"mute": ("<c3>",)})


def inside(serving: Serving, path: str) -> tuple[int, str]:
    """What is answered once the server has taken in what it was told."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer, told = serving.fetch(path)
        if answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
            return answer.status, told
    raise AssertionError("the server tells nothing of the table")


def test_metrics_are_those_of_the_table() -> None:
    with listening() as serving:
        answer, told = serving.fetch("/metrics")
        assert answer.status == HTTPStatus.SERVICE_UNAVAILABLE
        assert "try again" in told
        serving.tell(Inside(STATUS))
        assert inside(serving, "/metrics") == (200, metrics(STATUS))
        assert serving.fetch("/metrics")[0].getheader("Content-Type") == "text/plain; version=0.0.4; charset=utf-8"


def test_the_page_of_the_status_is_for_people_in_their_language() -> None:
    with listening() as serving:
        serving.tell(Inside(STATUS))
        status, told = inside(serving, "/status")
        assert status == HTTPStatus.OK
        assert "<dt>Scans</dt><dd>100 a second</dd>" in told
        assert "&lt;c3&gt;: " in told
        assert 'lang="fr"' in serving.fetch("/status", Accept_Language="fr")[1]
        answer, _ = serving.fetch("/status")
        assert answer.getheader("Refresh") == "5"


def test_a_table_that_tells_nothing_any_more_stands_still() -> None:
    assert aged(STATUS, 2.0) == STATUS
    assert aged(STATUS, 60.0).silent == 60.01


@pytest.mark.parametrize("path", ["/status", "/metrics"])
def test_they_are_guarded_like_all_else(path: str) -> None:
    with listening() as serving:
        serving.tell(Inside(STATUS))
        assert serving.fetch(path, Host="evil.example")[0].status == HTTPStatus.FORBIDDEN
        assert serving.fetch(path, "POST")[0].status == HTTPStatus.METHOD_NOT_ALLOWED
