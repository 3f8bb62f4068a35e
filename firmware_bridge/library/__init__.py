"""Games that were played: an index of all records, to be searched and counted."""

from firmware_bridge.library.index import RESULTS, Game, Index, Wanted, wanted
from firmware_bridge.library.wording import HEADS, known, score_head, score_row, tally_head, tally_row, title, versus

__all__ = [
    "HEADS",
    "RESULTS",
    "Game",
    "Index",
    "Wanted",
    "known",
    "score_head",
    "score_row",
    "tally_head",
    "tally_row",
    "title",
    "versus",
    "wanted",
]
