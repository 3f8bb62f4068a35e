"""A page that is served, shared by the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.page_server import Serving, listening, now, story, table


@pytest.fixture(scope="session")
def everyones() -> Iterator[Serving]:
    """One server for all; nobody leaves it broken."""
    with listening() as serving:
        yield serving


@pytest.fixture
def serving(everyones: Serving) -> Serving:
    """It, with a game that has just begun."""
    everyones.asked()
    everyones.tell(table(), story(), now())
    return everyones


@pytest.fixture
def quiet() -> Iterator[Serving]:
    """A server of the test's own, where nothing was said before; a game has just begun there."""
    with listening() as serving:
        serving.tell(table(), story(), now())
        yield serving
