"""The number of turn sequences from positions for which everybody counts the same.

The figures are those that programs for chess have long been checked with (chessprogramming.org, "Perft Results").
"""

from __future__ import annotations

import pytest
from boards import CHESS, KIWIPETE, at

from games.rules import perft

KNOWN = {
    str(CHESS.start()): (20, 400, 8902),
    KIWIPETE: (48, 2039),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": (14, 191, 2812),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": (6, 264, 9467),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": (44, 1486),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -": (46, 2079),
}


@pytest.mark.parametrize("text", KNOWN)
def test_the_number_of_sequences_is_the_known_one(text: str) -> None:
    counts = perft(CHESS, len(KNOWN[text]), at(text))
    assert tuple(count.sequences for count in counts) == KNOWN[text]
