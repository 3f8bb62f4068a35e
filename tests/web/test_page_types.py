"""The types that the page's JavaScript is checked with: they are up to date, and true of what is told."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from msgspec import convert, inspect, to_builtins
from websockets.asyncio.client import ClientConnection

from docs.page_types import TYPES, described, named, written
from firmware_bridge.session import said
from firmware_bridge.web.forms import AnyForm, TableForm
from games.acts import carry
from games.rules import Reason
from tests.web.page_server import Serving, heard, hello, now, say, spoken, story, table, watching

KINDS = ("page", "table", "story", "now", "said", "refused")
"""All that is told but `alone`, after which the server ends."""


def test_the_types_are_those_of_the_structs() -> None:
    assert TYPES.read_text() == written(), "make types"


def test_all_that_browsers_are_told_has_the_fields_of_its_type_and_no_others(serving: Serving) -> None:
    async def do(browser: ClientConnection) -> list[dict[str, Any]]:
        outcome, turns = said(Reason.of("rules.repetition")), (("a1-a2", (carry("a1", "a2", 1),)),)
        serving.tell(table(), story(2, outcome=outcome, beside=(3, 4), ways=turns), now(aside=outcome), spoken(1))
        page = await hello(browser)
        await say(browser, {"do": "dance"})
        return [page, *[await heard(browser, kind) for kind in KINDS[1:]]]

    for form in watching(serving, do):
        assert json.loads(json.dumps(to_builtins(convert(form, AnyForm)))) == form


def test_a_browser_is_told_when_it_is_alone(quiet: Serving) -> None:
    async def do() -> dict[str, Any]:
        async with quiet.browse() as browser:
            await hello(browser)
            quiet.daemon.close()
            return await heard(browser, "alone")

    alone = asyncio.run(do())
    assert to_builtins(convert(alone, AnyForm)) == alone


@pytest.mark.parametrize(
    ("type", "name"),
    [
        (int | str | None, "number | string | null"),
        (list[int | None], "(number | null)[]"),
        (tuple[tuple[str, float], ...], "[string, number][]"),
        (dict[str, tuple[bool, int]], "Record<string, [boolean, number]>"),
    ],
)
def test_a_type_is_named_as_typescript_names_it(type: Any, name: str) -> None:
    assert named(inspect.type_info(type)) == name


def test_a_type_that_no_message_has_had_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="BytesType"):
        named(inspect.type_info(bytes))


def test_what_has_a_default_may_be_left_out_of_requests_alone() -> None:
    told = inspect.type_info(TableForm)
    assert isinstance(told, inspect.StructType)
    assert "  title: string;" in described(told, asked=False)
    assert "  title?: string;" in described(told, asked=True)
    assert "  game: string;" in described(told, asked=True)
