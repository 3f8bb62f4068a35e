"""The whole conversation with a board over a bad line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from hardware.serial.port import SharedPort
from tests.hardware.pretend_board import Clock, Makeup, PretendBoard, plugged_in


def followed(line: SharedPort, clock: Clock, seconds: float) -> Iterator[float]:
    """Scan a hundred times a second."""
    for _ in range(round(100 * seconds)):
        clock.skip(0.01)
        line.pump()
        yield clock()


@pytest.mark.parametrize(
    "fault",
    [
        lambda board: setattr(board, "lost", 0.02),
        lambda board: setattr(board, "wrong", 0.02),
        lambda board: board.reset(),
        lambda board: board.forget_event(),
        lambda board: board.garbage(500),
    ],
    ids=["bytes lost", "bits turned", "reset", "event lost", "garbage"],
)
def test_whatever_happens_levels_and_picture_are_right_again(
    fault: Callable[[PretendBoard], None], clock: Clock
) -> None:
    levels = [0] * 20
    board = PretendBoard(levels, clock, Makeup(channels=20, pixels=30))
    line = plugged_in(board)
    line.join(lambda hello: "")
    picture = bytes(range(90))
    for turn in range(20):
        fault(board)
        levels[turn] = 1
        line.conversation.show(bytes([turn]) + picture[1:])
        list(followed(line, clock, 0.5))
        board.lost = board.wrong = 0.0
        list(followed(line, clock, 2.0))
        assert line.conversation.levels == tuple(levels)
        assert line.conversation.shown
        assert board.pictures[-1][0] == (turn, 1, 2)
        assert board.pictures[-1][29] == (87, 88, 89)
    assert board.hurried == 0
