"""What Home Assistant shows of a table, and what it may ask: topics, states and discovery messages, as values.

1. A table has a *name*, one word, of which all its topics and identities are made. Everything is JSON but the status,
   and what is asked; all but events is kept by the broker.
2. Each thing that is shown is an *entity*, announced by a discovery message of its own, in the form per component that
   Home Assistant reads since 2018: ``homeassistant/<component>/<node>/<object>/config``. Later forms gather them all
   in one message, and need a release of 2024.11.
3. What is asked is a word or a number. It becomes a request of programs (`docs/api.md`), which the table's page takes
   in or refuses like anybody's. Whatever else comes on these topics is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct, json

from firmware_bridge import __version__
from firmware_bridge.i18n import Words
from firmware_bridge.link.courier import Message
from games.rules import say

ROOT = "tablelight/1/home"
"""Where all topics of a house begin; the number counts up when who reads them would no longer understand."""
DISCOVERY = "homeassistant"
"""Where Home Assistant listens for discovery messages, unless it is told otherwise."""
ONLINE, OFFLINE = b"online", b"offline"
PRESS = b"PRESS"
"""What a button sends when it is pressed."""
MODES = ("coach", "referee", "quiet")
EVENTS = (
    "amended", "astray", "begins", "blind", "drawn", "lit", "passed", "played", "righted", "sighted", "undone", "unlit",
    "won",
)  # fmt: skip
"""The events that a house is told of: what has changed in the game, and what is wrong with the table."""
LONGEST = 16
"""Bytes of anything that can be asked, at most: a guess, twice the longest word."""
NUMBER = re.compile(rb"\d{1,3}")

Mode = Literal["coach", "referee", "quiet"]
Level = Annotated[int, Meta(ge=0, le=255)]


# What is told -------------------------------------------------------------------------------------


class Shown(Struct, frozen=True):
    """The table as its page tells programs, as far as a house is told of it (`web/api_forms.py`, `TableNow`)."""

    game: str
    title: str = ""
    options: Mapping[str, int | str] = {}
    sense: str = ""
    simulated: bool = False
    mode: Mode = "coach"
    engine: tuple[int, int] = (0, 0)
    players: Sequence[str] = ()
    people: tuple[str, str] = ("", "")
    time_control: str = ""
    before: int = 0
    turns: Sequence[Raw] = ()
    side: int | None = None
    state: str = "choosing"
    status: str = ""
    outcome: str | None = None
    winner: int | None = None
    brightness: Level = 0
    ailing: Sequence[str] = ()


class HomeState(Struct, frozen=True):
    """How the table stands, in the language of its computer.

    `game` and `mode` are what is played, and how much the lights tell; `game` is empty while it is being chosen.
    `turn` names who is to move, `winner` who has won, or that nobody does; `side` and `won` are the same as 0, 1 or
    null. `state` and `status` are as programs are told, `turns` counts those made. `brightness` is 0-255. `problem`:
    whether sensors ail, or tell nothing; `faults` has a sentence for each ailment.
    """

    game: str
    mode: Mode
    turn: str
    side: int | None
    winner: str
    won: int | None
    state: str
    status: str
    turns: int
    brightness: Level
    problem: bool
    faults: Sequence[str]


class HomeEvent(Struct, frozen=True):
    """Something that the table has said: what kind of event it is, the id of the sentence, and the sentence."""

    event_type: str
    id: str
    text: str


def home_state(shown: Shown, words: Words) -> HomeState:
    """How a table stands that is shown so."""
    over = shown.outcome is not None
    side = None if over or shown.state == "choosing" else shown.side
    blind = shown.state == "blind"
    nobody = words.text("home.draw" if over and shown.winner is None else "home.nobody")
    return HomeState(
        game=shown.title,
        mode=shown.mode,
        turn=player(shown, side) or words.text("home.nobody"),
        side=side,
        winner=player(shown, shown.winner) or nobody,
        won=shown.winner,
        state=shown.state,
        status=shown.status,
        turns=shown.before + len(shown.turns),
        brightness=shown.brightness,
        problem=blind or bool(shown.ailing),
        faults=[*([words.text("table.blind")] if blind else ()), *shown.ailing],
    )


def player(shown: Shown, side: int | None) -> str:
    """What the player at a seat is called; empty for nobody."""
    if side is None or side >= len(shown.players):
        return ""
    return shown.people[side] or shown.players[side]


# Topics -------------------------------------------------------------------------------------------


class Topics:
    """The topics of the table of this name."""

    def __init__(self, name: str) -> None:
        self.name = name
        root = f"{ROOT}/{name}"
        self.status, self.state, self.event = f"{root}/status", f"{root}/state", f"{root}/event"
        self.new, self.mode, self.brightness = (f"{root}/do/{what}" for what in ("new", "mode", "brightness"))

    @property
    def asked(self) -> tuple[str, ...]:
        """Those on which something is asked."""
        return (self.new, self.mode, self.brightness)

    def available(self, *, here: bool) -> Message:
        """That the table can be reached, or cannot."""
        return Message(self.status, ONLINE if here else OFFLINE)

    def stands(self, state: HomeState) -> Message:
        """How the table stands."""
        return Message(self.state, json.encode(state))

    def happened(self, event: HomeEvent) -> Message:
        """That something has happened, which is of no use to who comes later."""
        return Message(self.event, json.encode(event), kept=False)

    def request(self, topic: str, payload: bytes, shown: Shown) -> dict[str, Any] | None:
        """The request of programs that something asked is, at a table that is shown so; None if it is nothing."""
        if len(payload) > LONGEST:
            return None
        if topic == self.new and payload == PRESS:
            return another(shown)
        if topic == self.mode and payload.decode("ascii", "replace") in MODES:
            return {"do": "show", "mode": payload.decode()}
        if topic == self.brightness and NUMBER.fullmatch(payload) and int(payload) <= 255:
            return {"do": "brightness", "level": int(payload)}
        return None


def another(shown: Shown) -> dict[str, Any]:
    """The request for another game of the kind that is played; for the usual one where none has been chosen yet."""
    if not shown.game:
        return {"do": "press", "button": "done"}
    wanted = {
        "do": "new", "game": shown.game, "options": shown.options, "levels": shown.engine, "clock": shown.time_control,
        "names": shown.people,
    }  # fmt: skip
    return wanted | ({"sense": shown.sense} if shown.simulated else {})


# Discovery ----------------------------------------------------------------------------------------


def discovery(topics: Topics, words: Words) -> list[Message]:
    """A discovery message for each entity of a table."""
    node = f"tablelight-{topics.name}"
    common = {
        "availability_topic": topics.status,
        "device": {
            "identifiers": [node],
            "name": f"Tablelight {topics.name}",
            "manufacturer": "Tablelight",
            "sw_version": __version__,
        },
        "origin": {"name": "Tablelight", "sw_version": __version__},
    }
    return [
        Message(
            f"{DISCOVERY}/{component}/{node}/{object}/config",
            json.encode(
                {"name": words.text(f"home.{object}"), "unique_id": f"{node}-{object}", "object_id": f"{node}-{object}"}
                | common
                | own
            ),
        )
        for (component, object), own in entities(topics).items()
    ]


def entities(topics: Topics) -> dict[tuple[str, str], dict[str, Any]]:
    """Component and object of each entity, and what its discovery message has of its own."""

    def of(template: str) -> dict[str, Any]:
        return {"state_topic": topics.state, "value_template": f"{{{{ {template} }}}}"}

    details = {"json_attributes_topic": topics.state}
    return {
        ("sensor", "turn"): of("value_json.turn") | details | {"icon": "mdi:account-arrow-right"},
        ("sensor", "winner"): of("value_json.winner") | {"icon": "mdi:trophy"},
        ("sensor", "game"): of("value_json.game") | {"icon": "mdi:checkerboard"},
        ("select", "mode"): of("value_json.mode")
        | {"command_topic": topics.mode, "options": list(MODES), "icon": "mdi:lightbulb-group"},
        ("binary_sensor", "sensors"): of("'ON' if value_json.problem else 'OFF'")
        | details
        | {"device_class": "problem", "entity_category": "diagnostic"},
        ("number", "brightness"): of("value_json.brightness")
        | {"command_topic": topics.brightness, "min": 0, "max": 255, "step": 1, "mode": "slider"}
        | {"icon": "mdi:brightness-6", "entity_category": "config"},
        ("button", "new"): {"command_topic": topics.new, "payload_press": PRESS.decode(), "icon": "mdi:restart"},
        ("event", "event"): {"state_topic": topics.event, "event_types": list(EVENTS), "icon": "mdi:message-text"},
    }


say(
    "home",
    turn="Turn",
    winner="Winner",
    game="Game",
    mode="Lights tell",
    sensors="Sensors",
    brightness="Brightness",
    new="New game",
    event="What happens",
    nobody="nobody",
    draw="draw",
)
