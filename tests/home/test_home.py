"""A table as Home Assistant has it: the program as people start it, and a real broker between."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.broker import MISSING, MOSQUITTO, RunningBroker
from tests.browser.running import Program
from tests.home.observer import Observer
from tests.web.programs import ask

pytestmark = pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
ENTITIES = {
    "binary_sensor/tablelight-kitchen/sensors", "button/tablelight-kitchen/new", "event/tablelight-kitchen/event",
    "number/tablelight-kitchen/brightness", "select/tablelight-kitchen/mode", "sensor/tablelight-kitchen/game",
    "sensor/tablelight-kitchen/turn", "sensor/tablelight-kitchen/winner",
}  # fmt: skip


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    running = RunningBroker(tmp_path)
    yield running
    running.kill()


@pytest.fixture
def house(broker: RunningBroker) -> Iterator[Observer]:
    observer = Observer(broker.port)
    yield observer
    observer.close()


def started(folder: Path, broker: RunningBroker, more: str = "", *words: str, host: str = "127.0.0.1") -> Program:
    """A simulated table that this broker hears of."""
    link = f'[link]\nbroker = "{broker.address}"\nhome = "kitchen"\n'
    return Program(folder, "zong-heng", *words, more=link + more, host=host)


@pytest.fixture
def table(tmp_path: Path, broker: RunningBroker, house: Observer) -> Iterator[Program]:
    program = started(tmp_path, broker)
    house.wait(lambda: house.status == b"online")
    yield program
    program.end()


def test_a_table_announces_itself_and_tells_of_a_game(table: Program, broker: RunningBroker, house: Observer) -> None:
    late = Observer(broker.port)
    late.wait(lambda: bool(late.state) and len(late.discovery) == len(ENTITIES))  # all of it is kept by the broker
    assert set(late.discovery) == {f"homeassistant/{entity}/config" for entity in ENTITIES}
    assert late.events == []
    late.close()
    before = house.state
    assert (before["game"], before["turn"], before["side"], before["winner"]) == ("Zong-Heng", "Black", 0, "nobody")
    assert (before["turns"], before["brightness"], before["problem"], before["faults"]) == (0, 128, False, [])
    ask(table.port, {"do": "make", "turn": "a1-a2"})
    house.wait(lambda: house.state["turn"] == "White")
    assert (house.state["turns"], house.state["side"]) == (1, 1)
    house.wait(lambda: house.said("played") == 1)
    assert house.events[-1] == {"event_type": "played", "id": "table.played", "text": "Black plays a1-a2."}
    ask(table.port, {"do": "end", "resigns": 0})
    house.wait(lambda: house.state["won"] == 1)
    assert (house.state["turn"], house.state["winner"], house.state["state"]) == ("nobody", "White", "over")


def test_a_press_of_new_game_begins_one(table: Program, house: Observer) -> None:
    ask(table.port, {"do": "new", "game": "yin-yang", "levels": [0, 1], "names": ["Ann", ""], "sense": "presence"})
    house.wait(lambda: (house.state["game"], house.state["turn"]) == ("Yin-Yang", "Ann"))
    ask(table.port, {"do": "end"})
    house.wait(lambda: house.state["winner"] == "draw")
    house.ask("new", "PRESS")
    house.wait(lambda: (house.state["winner"], house.state["turn"]) == ("nobody", "Ann"))
    assert (house.state["game"], house.state["turns"]) == ("Yin-Yang", 0)
    house.wait(lambda: house.said("begins") == 2)


def test_brightness_and_what_the_lights_tell_are_set(table: Program, house: Observer) -> None:
    house.ask("brightness", "7")
    house.wait(lambda: house.state["brightness"] == 7)
    house.ask("mode", "quiet")
    house.wait(lambda: house.state["mode"] == "quiet")
    assert house.state["brightness"] == 7


def test_a_table_that_sees_nothing_has_a_problem(table: Program, house: Observer) -> None:
    ask(table.port, {"do": "mishap", "what": "unplug"})
    house.wait(lambda: house.state["problem"])
    assert house.state["state"] == "blind"
    (fault,) = house.state["faults"]
    assert fault.startswith("The table sees nothing: check the cable")
    ask(table.port, {"do": "mishap", "what": "plug"})
    house.wait(lambda: not house.state["problem"] and house.said("sighted") == 1)


def helpers(program: Program) -> dict[int, str]:
    """The processes that the program has started: number and command line."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if stat.read_text().rpartition(")")[2].split()[1] == str(program.pid):
                found[int(stat.parent.name)] = (stat.parent / "cmdline").read_text().replace("\0", " ")
    return found


NONSENSE: tuple[tuple[str, bytes], ...] = (
    ("new", b""), ("new", b"press"), ("new", b'{"do": "new"}'), ("new", b"PRESS" * 20), ("new", bytes(200_000)),
    ("brightness", b"256"), ("brightness", b"-1"), ("brightness", b"1e2"), ("brightness", b"\xff\xfe"),
    ("brightness", "٣".encode()), ("brightness", b"9" * 5000), ("mode", b"coach\n"), ("mode", b"loud"),
    ("mode", b"\x00" * 900_000), ("other", b"PRESS"), ("new/more", b"PRESS"),
)  # fmt: skip


def test_nonsense_and_floods_of_it_change_nothing(table: Program, house: Observer) -> None:
    ask(table.port, {"do": "make", "turn": "a1-a2"})
    house.wait(lambda: (house.state["turn"], house.state["state"]) == ("White", "rest"))
    before = house.state
    for what, payload in NONSENSE * 30:
        house.ask(what, payload)
    house.ask("brightness", "100")  # what comes after it is still heard
    house.wait(lambda: house.state["brightness"] == 100)
    assert house.state == before | {"brightness": 100}
    assert (house.status, house.said("begins")) == (b"online", 0)


def test_a_flood_of_presses_is_one_press(table: Program, house: Observer) -> None:
    for _ in range(500):
        house.ask("new", "PRESS")
        house.ask("brightness", "200")
    house.wait(lambda: house.said("begins") == 1 and house.state["brightness"] == 200)
    house.listen(2.0)
    assert house.said("begins") == 1


def test_what_was_asked_before_the_table_came_is_not_done(
    tmp_path: Path, broker: RunningBroker, house: Observer
) -> None:
    house.ask("new", "PRESS", retain=True)
    house.ask("brightness", "5", retain=True)
    house.listen(0.5)
    program = started(tmp_path, broker)
    try:
        house.wait(lambda: house.status == b"online")
        house.listen(1.0)
        assert (house.state["brightness"], house.said("begins")) == (128, 0)
    finally:
        program.end()


def test_a_table_that_ends_is_not_available(tmp_path: Path, broker: RunningBroker, house: Observer) -> None:
    program = started(tmp_path, broker)
    house.wait(lambda: house.status == b"online")
    program.end()
    house.wait(lambda: house.status == b"offline")


@pytest.mark.parametrize("module", ["firmware_bridge.web", "firmware_bridge.home"])
def test_what_is_killed_comes_back_with_the_table(table: Program, house: Observer, module: str) -> None:
    os.kill(next(pid for pid, words in helpers(table).items() if module in words), signal.SIGKILL)
    house.wait(lambda: house.status == b"offline")
    house.wait(lambda: house.status == b"online")
    house.ask("brightness", "9")
    house.wait(lambda: house.state["brightness"] == 9)


def test_a_broker_that_is_killed_hears_of_the_table_again(
    tmp_path: Path, broker: RunningBroker, table: Program, house: Observer
) -> None:
    broker.kill()
    ask(table.port, {"do": "make", "turn": "a1-a2"})
    broker.start()
    again = Observer(broker.port)
    again.wait(lambda: again.status == b"online" and again.state.get("turns") == 1)
    again.close()


def test_on_a_network_the_house_has_the_right_that_the_token_gives(
    tmp_path: Path, broker: RunningBroker, house: Observer
) -> None:
    program = started(tmp_path, broker, '[page]\ntoken = "sesame-sesame"\n', host="0.0.0.0")
    try:
        house.wait(lambda: house.status == b"online")
        assert ask(program.port, {"do": "brightness", "level": 1}).status == 401
        house.ask("brightness", "11")
        house.wait(lambda: house.state["brightness"] == 11)
    finally:
        program.end()


def test_at_a_broker_of_the_documented_command_a_table_and_the_house_have_their_rights(tmp_path: Path) -> None:
    broker = RunningBroker.of_club(tmp_path, "kitchen", "attic", "homeassistant")
    house = Observer(broker.port, folder=tmp_path, user="homeassistant")
    other = Observer(broker.port, folder=tmp_path, user="attic")
    secret = f'ca = "{tmp_path}/broker.crt"\nuser = "kitchen"\npassword_file = "{tmp_path}/kitchen.password"\n'
    program = started(tmp_path, broker, secret)
    try:
        house.wait(lambda: house.status == b"online" and len(house.discovery) == len(ENTITIES))
        other.ask("brightness", "1")
        other.listen(0.5)
        assert other.kept == {}
        house.ask("brightness", "12")
        house.wait(lambda: house.state["brightness"] == 12)
    finally:
        program.end()
        house.close()
        other.close()
        broker.kill()


def test_nothing_is_said_of_a_table_that_is_not_to_be_told_of(
    tmp_path: Path, broker: RunningBroker, house: Observer
) -> None:
    program = Program(tmp_path, "zong-heng", more=f'[link]\nbroker = "{broker.address}"\n')
    house.listen(2.0)
    assert house.kept == {}
    assert not any("firmware_bridge.home" in words for words in helpers(program).values())
    program.end()
