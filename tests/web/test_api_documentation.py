"""`docs/api.md` and the schemas: each example is sent to a running program, and the answer has the shape shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial, reduce
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from docs.api_schema import (
    API,
    HOME_SCHEMAS,
    HOME_WORDS,
    HOUSE,
    TOPIC_SCHEMAS,
    TOPICS,
    api,
    house_topics,
    topics,
    written,
)
from firmware_bridge.home.entities import EVENTS
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import AnyRequest
from firmware_bridge.web.seating import AnySeatRequest
from games.rules import load
from tests.browser.mirrored import Mirrored
from tests.browser.running import Program
from tests.link.test_courier import met
from tests.web.programs import ask, call, listening_to

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text()
BLOCK = re.compile(r"```http\n(\w+) (\S+)\n(.*?)\n\n?(\d{3})\n(.*?)\n```", re.DOTALL)
REAL = PAGE.partition("## Turns at a real table\n")[2].partition("\n## ")[0]
EXAMPLES = BLOCK.findall(PAGE.replace(REAL, ""))
ASKED = re.findall(r"^\| `(\{.*?\})` \|", PAGE, re.MULTILINE)
MESSAGES = re.findall(r"`(tablelight/1/(?:game|table)/\S+)`\n\n```json\n(.*?)\n```", PAGE, re.DOTALL)
HOUSE_MESSAGES = re.findall(r"`(tablelight/1/home/\S+)`\n\n```json\n(.*?)\n```", PAGE, re.DOTALL)
KEYED = ("lights",)
"""Fields whose keys are no part of the form: all their values have one shape."""


def differs(shown: Any, real: Any, where: str = "$") -> Iterator[str]:
    """Where something real has another shape than what is shown: other fields, or values of another kind."""
    if isinstance(shown, dict) and isinstance(real, dict):
        if where.rpartition(".")[2] in KEYED:
            shown, real = {"": next(iter(shown.values()))}, {"": next(iter(real.values()))}
        if shown.keys() != real.keys():
            yield f"{where}: {sorted(shown.keys() ^ real.keys())}"
        for name in shown.keys() & real.keys():
            yield from differs(shown[name], real[name], f"{where}.{name}")
    elif isinstance(shown, list) and isinstance(real, list):
        yield from (
            fault for one, other in zip(shown, real, strict=False) for fault in differs(one, other, f"{where}[]")
        )
    elif type(shown) is not type(real):
        yield f"{where}: {shown!r} is shown, and {real!r} is told"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A simulated table of the program's own."""
    program = Program(tmp_path_factory.mktemp("api"), "zong-heng")
    yield program
    program.end()


def test_what_differs_is_found() -> None:
    shown = {"a": [1], "lights": {"c3": {"kind": "ask"}}, "c": None}
    assert not [*differs(shown, {"a": [2, 3], "lights": {"d4": {"kind": "won"}}, "c": None})]
    assert len([*differs(shown, {"a": ["2"], "lights": {"d4": {"sort": "won"}}, "c": 1})]) == 3
    assert [*differs(shown, {"a": []})] == ["$: ['c', 'lights']"]


def test_the_schemas_are_those_of_the_structs() -> None:
    assert API.read_text() == written(api()), "make types"
    assert TOPICS.read_text() == written(topics()), "make types"
    assert HOUSE.read_text() == written(house_topics()), "make types"


def test_every_example_is_answered_as_the_page_shows(program: Program) -> None:
    assert len(EXAMPLES) == 5
    for method, path, body, status, shown in EXAMPLES:
        answer = call(program.port, method, path.removeprefix("/api/v1"), body.encode() or None)
        assert answer.status == int(status), answer.told
        assert not [*differs(json.loads(shown), answer.told)]
        if answer.status == 422:
            assert answer.told == json.loads(shown)


def test_turns_at_a_real_table_are_answered_as_the_page_shows() -> None:
    """A real board under simulated hands, which have begun the turn by the time that it is dropped."""
    examples = BLOCK.findall(REAL)
    assert len(examples) == 2
    table = Mirrored(ScoreSheet(load("zong-heng", size=8)))
    try:
        for method, path, body, status, shown in examples:
            asked = partial(call, method=method, path=path.removeprefix("/api/v1"), body=body.encode())
            answer = table.answered(asked)
            assert answer.status == int(status), answer.told
            names = [sentence["name"] for sentence in answer.told["said"]]
            assert names == [sentence["name"] for sentence in json.loads(shown)["said"]]
            assert not [*differs(json.loads(shown), answer.told)]
            told = table.answered(partial(call, method="GET", path="/table")).told
            assert told["plan"] == ("a1-a2" if names == ["plans"] else "")
            assert told["simulated"] is False
    finally:
        table.close()


def test_events_come_as_the_page_shows(program: Program) -> None:
    (block,) = re.findall(r"```sse\nGET /api/v1/events\n\n(.*?)```", PAGE, re.DOTALL)
    shown = re.findall(r"event: (\w+)\n(id: \d+\n)?data: (.*?)\n", block)
    assert [name for name, *_ in shown] == ["seats", "said"]
    with listening_to(program.port, "table", "seats", "said") as told:
        name, _, table = next(told)
        assert name == "table"
        assert not [*differs(call(program.port, "GET", "/table").told, table)]
        ask(program.port, {"do": "make", "turn": "z9"})
        for name, numbered, data in shown:
            number, real = next((number, data) for kind, number, data in told if kind == name)
            assert not [*differs(json.loads(data), real)]
            assert number == (real["number"] if numbered else None)


def test_all_that_can_be_asked_has_an_example_that_a_table_takes(program: Program) -> None:
    tags = {kind.__struct_config__.tag for kind in get_args(AnyRequest) + get_args(AnySeatRequest)}
    assert tags == {json.loads(form)["do"] for form in ASKED}
    for form in ASKED:
        answer = ask(program.port, form.encode())
        assert answer.status in (200, 202) or form == '{"do": "answer", "grants": true}', (form, answer.told)


@pytest.mark.parametrize(("topic", "shown"), MESSAGES)
def test_messages_of_linked_tables_have_the_shape_shown(topic: str, shown: str, tmp_path: Path) -> None:
    hub, first, _ = met(tmp_path)
    place = topic.replace("ID", first.pairing.game).replace("TABLE", first.pairing.table).replace("USER", "any")
    said = json.loads(shown)["said"]
    assert not [*differs(said, json.loads(hub.kept[place])["said"])]
    names = {"ID": "{game}", "TABLE": "{table}", "/0/": "/{seat}/", "USER": "{user}"}
    pattern = reduce(lambda told, name: told.replace(name, names[name]), names, topic)
    kind = TOPIC_SCHEMAS[pattern]
    assert msgspec.to_builtins(msgspec.convert(said, kind)).keys() == said.keys()


def test_every_topic_has_an_example() -> None:
    assert len(MESSAGES) == len(TOPIC_SCHEMAS) == 3
    assert {topic.replace("kitchen", "{table}") for topic, _ in HOUSE_MESSAGES} == set(HOME_SCHEMAS)


@pytest.mark.parametrize(("topic", "shown"), HOUSE_MESSAGES)
def test_messages_for_a_house_have_the_shape_shown(topic: str, shown: str) -> None:
    told = json.loads(shown)
    assert msgspec.to_builtins(msgspec.convert(told, HOME_SCHEMAS[topic.replace("kitchen", "{table}")])) == told


def test_the_page_names_all_words_and_events_of_a_house() -> None:
    named = re.findall(r"^\| `(do/\w+|status)` \|", PAGE, re.MULTILINE)
    assert {f"tablelight/1/home/{{table}}/{name}" for name in named} == set(HOME_WORDS)
    assert f"`event_type` is one of {', '.join(EVENTS)};" in PAGE
