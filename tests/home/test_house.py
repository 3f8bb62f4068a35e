"""What a house is told, and what of all that comes from there is taken for something: as values, without a network."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert
from msgspec import json as coding

from benchmarks.broker import MISSING, MOSQUITTO, free_port
from firmware_bridge.audio.sound import SPOKEN
from firmware_bridge.config import Config
from firmware_bridge.events import Event
from firmware_bridge.home import open_home
from firmware_bridge.home.entities import EVENTS, MODES, Shown, Topics, discovery, home_state
from firmware_bridge.home.house import House
from firmware_bridge.home.process import UNHEARD
from firmware_bridge.i18n import LANGUAGES, words
from firmware_bridge.link.pairing import Broker, broker_of
from firmware_bridge.session import AnyRequest
from hardware.settings import SettingsError
from hardware.settings import convert as set_by

TOPICS = Topics("kitchen")
ENGLISH = words("en")


def shown(**told: Any) -> Shown:
    """A table of two people."""
    usual = {
        "game": "zong-heng", "title": "Zong-Heng", "options": {"size": 8}, "players": ("Black", "White"), "side": 0,
        "state": "rest", "brightness": 128,
    }  # fmt: skip
    return convert(usual | told, Shown)


# What is told ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "turn", "winner"),
    [
        ({}, "Black", "nobody"),
        ({"side": 1, "people": ("", "Bo")}, "Bo", "nobody"),
        ({"side": 1, "winner": 1, "outcome": "White wins."}, "nobody", "White"),
        ({"side": None, "outcome": "A draw."}, "nobody", "draw"),
        ({"game": "", "title": "", "players": (), "side": None, "state": "choosing"}, "nobody", "nobody"),
    ],
)
def test_whose_turn_it_is_and_who_has_won_are_names(told: dict[str, Any], turn: str, winner: str) -> None:
    state = home_state(shown(**told), ENGLISH)
    assert (state.turn, state.winner) == (turn, winner)


@pytest.mark.parametrize(
    ("told", "problem", "count"),
    [({}, False, 0), ({"ailing": ("c3: tells nothing",)}, True, 1), ({"state": "blind", "ailing": ("x",)}, True, 2)],
)
def test_sensors_that_ail_or_tell_nothing_are_a_problem(told: dict[str, Any], problem: bool, count: int) -> None:
    state = home_state(shown(**told), ENGLISH)
    assert (state.problem, len(state.faults)) == (problem, count)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_entity_has_a_name_and_an_identity_of_its_own(language: str) -> None:
    told = [json.loads(message.payload) for message in discovery(TOPICS, words(language))]
    for key in ("name", "unique_id", "object_id"):
        assert len({each[key] for each in told}) == len(told) == 8
    assert all(message.kept for message in discovery(TOPICS, words(language)))


# What is asked -----------------------------------------------------------------------------------


def taken(topic: str, payload: bytes, told: Shown) -> Any:
    """The request that something is, as the page reads it; it raises for one that the page would not."""
    request = TOPICS.request(topic, payload, told)
    return request and coding.decode(coding.encode(request), type=AnyRequest)


@pytest.mark.parametrize("told", [shown(), shown(simulated=True, sense="colour", engine=(0, 3), time_control="10+5")])
def test_everything_that_can_be_asked_is_a_request_of_the_page(told: Shown) -> None:
    asked = [(TOPICS.new, b"PRESS"), *((TOPICS.mode, mode.encode()) for mode in MODES)]
    asked += [(TOPICS.brightness, str(level).encode()) for level in range(256)]
    assert all(taken(topic, payload, told) for topic, payload in asked)
    begun = taken(TOPICS.new, b"PRESS", told)
    assert (begun.game, begun.options, begun.levels, begun.clock) == (
        "zong-heng", {"size": 8}, told.engine, told.time_control,
    )  # fmt: skip


def test_a_new_game_at_a_table_that_asks_by_light_is_the_usual_one() -> None:
    told = shown(game="", title="", players=(), state="choosing", side=None)
    assert TOPICS.request(TOPICS.new, b"PRESS", told) == {"do": "press", "button": "done"}


@given(
    st.sampled_from([*TOPICS.asked, TOPICS.state, "x"]), st.binary(max_size=40) | st.text(max_size=20).map(str.encode)
)
def test_whatever_else_comes_is_nothing(topic: str, payload: bytes) -> None:
    request = taken(topic, payload, shown())
    known = {TOPICS.new: payload == b"PRESS", TOPICS.mode: payload in [mode.encode() for mode in MODES]}
    number = payload.isdigit() and len(payload) <= 3 and int(payload) <= 255
    assert (request is not None) == known.get(topic, topic == TOPICS.brightness and number)


def test_nothing_can_be_asked_of_a_table_that_is_not_known() -> None:
    house = House("kitchen", Broker("nowhere"), ENGLISH)
    assert house.hear(TOPICS.new, b"PRESS", 0.0) == house.due(0.0) == []
    assert house.status(here=False).payload == b"offline"
    *announced, status = house.connected(0.0)
    assert (len(announced), status) == (8, house.status(here=False))


# The daemon's side -------------------------------------------------------------------------------


@pytest.mark.skipif(not MOSQUITTO, reason=MISSING)
def test_a_broker_that_is_not_there_is_told_once_it_has_been_for_a_while() -> None:
    home = open_home("kitchen", broker_of(f"127.0.0.1:{free_port()}")[0])
    told: list[Event] = []
    until, ahead = time.monotonic() + 40, 0.0
    try:
        while not told:
            assert time.monotonic() < until
            told = home.see("127.0.0.1:1", "", time.monotonic() + ahead)
            ahead += 0.05 if home.worker.spoke else 0.0  # five times as fast, once it runs
            time.sleep(0.01)
        assert ahead > UNHEARD / 2
        assert [event.name for event in told] == ["home-fault"]
        sentence = ENGLISH.say(told[0].say)
        assert sentence.startswith("The broker mqtt://127.0.0.1:")
        assert "Home Assistant hears nothing of the table" in sentence
        assert home.see("127.0.0.1:1", "", time.monotonic() + ahead) == []
    finally:
        home.close()


@pytest.mark.parametrize("word", ["Kitchen", "two words", "-", "a/b", "x" * 33, "#"])
def test_a_name_that_is_no_word_is_refused(word: str) -> None:
    with pytest.raises(SettingsError, match=r"^link\.home: expected `str` matching regex"):
        set_by({"link": {"broker": "mqtt://localhost", "home": word}}, Config)


def test_a_house_without_a_broker_is_refused_in_one_sentence() -> None:
    with pytest.raises(SettingsError, match=r"link\.home: .* at a broker: name one, as link\.broker$"):
        set_by({"link": {"home": "kitchen"}}, Config)


def test_a_house_is_told_of_nothing_but_what_is_said_aloud() -> None:
    assert set(EVENTS) <= SPOKEN
