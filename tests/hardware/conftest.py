"""What several files of tests share: a pretended board behind a pretended port, or behind a pseudo terminal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.serial.port import SharedPort
from tests.hardware.pretend_board import Clock, Makeup, PretendBoard, PseudoTerminal, plugged_in


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def levels() -> list[int]:
    """What stands on the table."""
    return [0] * 64


@pytest.fixture
def board(levels: list[int], clock: Clock) -> PretendBoard:
    """A board as the settings take it to be."""
    return PretendBoard(levels, clock, Makeup())


@pytest.fixture
def line(board: PretendBoard) -> SharedPort:
    """The line to it."""
    return plugged_in(board)


@pytest.fixture
def terminal(board: PretendBoard) -> Iterator[PseudoTerminal]:
    """The board on a pseudo terminal."""
    terminal = PseudoTerminal(board)
    yield terminal
    terminal.unplug()
