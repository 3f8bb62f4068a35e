"""Home Assistant itself looks at what a table says of itself: `make test-home`, which installs it beside the tests.

It is no part of the other tests, for it takes half a gigabyte, and a Python of 3.11 or 3.12.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks.broker import RunningBroker
from firmware_bridge.home.entities import Topics, discovery
from firmware_bridge.i18n import LANGUAGES, words
from tests.browser.running import Program
from tests.home.observer import Observer
from tests.web.programs import ask

JUDGE = Path(__file__).with_name("validating.py")
PYTHON = os.environ["HOMEASSISTANT"]
"""A Python that has the package homeassistant."""


def judged(found: dict[str, Any]) -> list[str]:
    """The faults that Home Assistant finds."""
    done = subprocess.run([PYTHON, "-P", JUDGE], input=json.dumps(found), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    faults: list[str] = json.loads(done.stdout)
    return faults


def told(name: str = "kitchen", language: str = "en") -> dict[str, Any]:
    """What is announced of a table, without states and events."""
    messages = discovery(Topics(name), words(language))
    return {"discovery": {topic: json.loads(data) for topic, data, _ in messages}, "states": [], "events": []}


def test_every_discovery_message_is_valid_in_every_language_and_under_every_name() -> None:
    found = told()
    for language, name in zip(LANGUAGES, ("a", "0-9", "x" * 32, "living-room"), strict=True):
        found["discovery"] |= told(name, language)["discovery"]
    assert len(found["discovery"]) == 5 * 8
    assert judged(found) == []


@pytest.mark.parametrize(
    ("entity", "changes"),
    [
        ("number/tablelight-kitchen/brightness", {"command_topic": "#"}),
        ("number/tablelight-kitchen/brightness", {"min": 256}),
        ("sensor/tablelight-kitchen/turn", {"value_template": "{{ value_json."}),
        ("sensor/tablelight-kitchen/turn", {"state_topics": "a"}),
        ("binary_sensor/tablelight-kitchen/sensors", {"device_class": "trouble"}),
        ("button/tablelight-kitchen/new", {"device": {}}),
    ],
)
def test_a_message_that_is_wrong_is_found(entity: str, changes: dict[str, Any]) -> None:
    found = told()
    found["discovery"][f"homeassistant/{entity}/config"] |= changes
    assert judged(found)


def test_all_that_a_game_tells_can_be_shown(tmp_path: Path) -> None:
    broker = RunningBroker(tmp_path)
    house = Observer(broker.port)
    program = Program(tmp_path, "zong-heng", more=f'[link]\nbroker = "{broker.address}"\nhome = "kitchen"\n')
    try:
        house.wait(lambda: house.status == b"online")
        states = [house.state]
        for request, due in (
            ({"do": "make", "turn": "a1-a2"}, lambda: house.state["turn"] == "White"),
            ({"do": "mishap", "what": "unplug"}, lambda: house.state["problem"]),
            ({"do": "mishap", "what": "plug"}, lambda: not house.state["problem"]),
            ({"do": "end"}, lambda: house.state["winner"] == "draw"),
        ):
            ask(program.port, request)
            house.wait(due)
            states.append(house.state)
        house.ask("new", "PRESS")
        house.wait(lambda: house.said("begins") == 1)
        assert judged({"discovery": house.discovery, "states": states, "events": house.events}) == []
        assert len(house.events) >= 4
    finally:
        program.end()
        house.close()
        broker.kill()
