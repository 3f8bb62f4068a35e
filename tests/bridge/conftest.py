"""What several files of tests share: a page that is served."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browsing import Serving, listening, now, story, table


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
