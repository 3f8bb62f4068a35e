"""Home Assistant itself looks at what a table says of itself: `make test-home`, which installs it beside the tests.

It judges messages by its own schemas; and it runs, finds a table at a broker, shows a game, and begins another one. It
is no part of the other tests, for it takes half a gigabyte, and a Python of 3.11 or 3.12.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.broker import RunningBroker, free_port
from firmware_bridge.home.entities import Topics, discovery
from firmware_bridge.i18n import LANGUAGES, words
from tests.browser.running import Program
from tests.home.observer import PATIENCE, Observer
from tests.web.programs import ask

JUDGE, LIVING = (Path(__file__).with_name(name) for name in ("validating.py", "living.py"))
PYTHON = os.environ["HOMEASSISTANT"]
"""A Python that has the package homeassistant."""


class Assistant:
    """Home Assistant at a broker of this computer, in a folder of its own."""

    def __init__(self, port: int, folder: Path) -> None:
        folder.mkdir()
        self._log = (folder / "log").open("w")
        self._process = subprocess.Popen(
            [PYTHON, "-P", LIVING, str(port), str(free_port()), folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True,
        )  # fmt: skip

    def ask(self, service: str = "", **data: Any) -> dict[str, tuple[str, dict[str, Any]]]:
        """Have it do something; its entities, each with its state and attributes."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"service": service, "data": data} if service else {}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"it has ended; see {self._log.name}"
        return {entity: (state, told) for entity, (state, told) in json.loads(line).items() if "tablelight" in entity}

    def wait(self, due: Callable[[dict[str, str]], bool]) -> dict[str, str]:
        """The states of its entities, once something is so; without the name of the table."""
        until = time.monotonic() + PATIENCE
        while True:
            told = {entity.replace("tablelight_kitchen_", ""): state for entity, (state, _) in self.ask().items()}
            if due(told):
                return told
            assert time.monotonic() < until, told
            time.sleep(0.1)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()
        self._log.close()


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


def test_it_finds_the_table_shows_a_game_and_begins_another(tmp_path: Path) -> None:
    broker = RunningBroker(tmp_path)
    program = Program(tmp_path, "zong-heng", more=f'[link]\nbroker = "{broker.address}"\nhome = "kitchen"\n')
    house = Assistant(broker.port, tmp_path / "house")
    try:
        found = house.wait(lambda told: len(told) == 8 and told["sensor.turn"] == "Black")
        assert (found["sensor.game"], found["sensor.winner"]) == ("Zong-Heng", "nobody")
        assert (found["binary_sensor.sensors"], found["number.brightness"], found["select.mode"]) == (
            "off", "128", "coach",
        )  # fmt: skip
        ask(program.port, {"do": "make", "turn": "a1-a2"})
        house.wait(lambda told: told["sensor.turn"] == "White")
        ask(program.port, {"do": "mishap", "what": "unplug"})
        house.wait(lambda told: told["binary_sensor.sensors"] == "on")
        ask(program.port, {"do": "mishap", "what": "plug"})
        house.wait(lambda told: told["binary_sensor.sensors"] == "off")
        house.ask("number.set_value", entity_id="number.tablelight_kitchen_brightness", value=33)
        house.wait(lambda told: told["number.brightness"] == "33")
        house.ask("select.select_option", entity_id="select.tablelight_kitchen_mode", option="referee")
        house.wait(lambda told: told["select.mode"] == "referee")
        house.ask("button.press", entity_id="button.tablelight_kitchen_new")
        house.wait(lambda told: told["sensor.turn"] == "Black")
        assert house.ask()["sensor.tablelight_kitchen_turn"][1]["turns"] == 0
        assert house.ask()["event.tablelight_kitchen_event"][1]["event_type"] == "begins"
        program.end()
        house.wait(lambda told: told["sensor.turn"] == told["button.new"] == "unavailable")
    finally:
        program.end()
        house.close()
        broker.kill()
