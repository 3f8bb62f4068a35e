"""Short games, each from its first turn to its end by the rules."""

from __future__ import annotations


def turns(text: str) -> list[str]:
    """The texts of turns, with blanks between them."""
    return text.split()


ZONG_HENG = turns(
    "a5-a6 f2-f3 c5-d5 b4-b5 e5-f5 d6-e6 c5-c4 f4-f1 a1-a2 f4-e4 a3-a4 b6-b3 a1-b1 d2-d1 e1-e2 b6-c6 c3-d3 b2-c2"
)
"""On 6 x 6 squares: eighteen pushes, two of them of rows of three, until the board is full."""
ZHIZHU = turns("c3 b4 b3 c2 a7 b1 a2 b8 a8 c5 a3xc5 c7 a1xb8xc2 b8 a6xb1xb8 b5 a4xb5xc7")
"""Seventeen stones placed and seven captured."""
YIN_YANG = turns("d4-e4 c4-c6 c4-b4 b4-b3 c3-c2 b3-b2 b2-b1 c2-c1 c1-d1")
"""Nine moves, until no stone can move."""
ZIG_ZAG = turns("S1 N4 S5 N4 S6 N3 S3 N2 S1 N6 S5 N4 S1 N2 S4 N4")
"""Sixteen sowings; each player ends with 30 seeds."""
ENDING = "tablelight 1\ngame zhizhu\nsense colour\nposition x......./xo.o..../.x...o.. x 0,0 -,-\n"
"""The head of a record: dark wins by c2-c1, which captures; c2-c3 is a draw."""
