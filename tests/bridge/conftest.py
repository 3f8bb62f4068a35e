"""What several files of tests share: a page that is served, a quick disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

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


@pytest.fixture
def quiet() -> Iterator[Serving]:
    """A server of the test's own, where nothing was said before; a game has just begun there."""
    with listening() as serving:
        serving.tell(table(), story(), now())
        yield serving


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, where there is one: what is killed leaves the same behind there, only sooner."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)
