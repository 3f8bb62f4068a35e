"""The endings of ZhiZhu, worked out once: with few stones and empty hands, who wins and in how many turns.

An ending is the stones of both, who is to move, and the return that each must not make. Its byte is 0 if the game is
drawn, else one more than the *distance*: the turns of both players until the end, if the winner hurries and the loser
puts it off; odd if the mover wins, even if the other does. It falls with every turn of a win that is played well, so
the engine gets there and does not go round, for which who wins would not be enough.
`endgame_web` numbers the endings, 32 that look alike as one; `endgame_retrograde` works them out.

What is proved, the house rule on the third standing included (`stood` are the positions that have stood twice):

- *Draws*, always. Whoever keeps to drawn positions cannot be forced out of them, and a third standing only draws.
- *Wins and losses in which nothing stood twice.* The distance falls with every turn of a win, so no position of it
  comes twice; one that stood once before may come again, and that is its second time.
- *Wins and losses no farther from the end than any decided position in `stood`.* On the way are only positions nearer
  to the end, none of which is in `stood`; those that are drawn are not on the way.

Elsewhere the third standing may save the loser: there the search goes on by itself and takes the table for a guess.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from firmware_bridge.engine.endgame import Ask, damaged, keep, kept
from firmware_bridge.engine.endgame_retrograde import FARTHEST, worked_out
from firmware_bridge.engine.endgame_web import place, standing, standings
from games.fast.weighed import DECIDED, WON
from games.fast.zhizhu import ALL, BACK, HAND

GAME = "zhizhu"
LARGEST = 4
"""Stones of each player in the largest ending: about 1.1 MB in the file, 7 MB in memory."""
DECISIVE = {2: 0, 3: 40_383, 4: 2_171_607}
"""How many endings are won or lost up to so many stones; that is how far it is to work them out."""
TOLD = 2000
"""Endings between two reports of how far it is, a twentieth of a second here."""
HANDS = 255 << HAND[0]
GUESS = DECIDED // 2
"""The weight of a win that the house rule may yet turn into a draw, more than anything else that is guessed."""
Stones = tuple[int, int]
"""The mover's and the other's."""


@cache
def order(reach: int) -> tuple[Stones, ...]:
    """The tables up to so many stones, in the order in which they are saved."""
    return tuple((own, other) for own in range(3, reach + 1) for other in range(3, reach + 1))


def size(stones: Stones) -> int:
    """The bytes of a table."""
    return len(standings(stones[0]).rows) * len(standings(stones[1]))


class Endgame:
    """The endings with up to `reach` stones of each player: by the stones of both a byte for each ending."""

    def __init__(self, tables: dict[Stones, bytes], reach: int) -> None:
        self.tables = tables
        self.reach = reach

    def distance(self, state: int) -> int | None:
        """The turns until the end, even for whoever loses; -1 if it is drawn; None where the table does not say."""
        if state & HANDS:
            return None
        dark, light = state & ALL, state >> 24 & ALL
        count = dark.bit_count(), light.bit_count()
        if max(count) > self.reach or min(count) < 3:
            return None
        dark, light = standing(dark, state >> BACK[0] & 127), standing(light, state >> BACK[1] & 127)
        if state >> 48 & 1:
            return self.tables[count[1], count[0]][place(light, dark)] - 1
        return self.tables[count][place(dark, light)] - 1

    def weight(self, state: int) -> int | None:
        """The weight of `state` for its side to move if nothing stood before it; None where the table does not say."""
        distance = self.distance(state)
        return None if distance is None else weight(distance, WON)

    def known(self, root: int, stood: Collection[int]) -> Ask:
        """What is proved; no draws if `root` is one, so that the search finds the turn that asks most of the other."""
        return self._ask(stood, draws=self.distance(root) != -1)

    def ahead(self, root: int, stood: Collection[int]) -> Ask:
        """As `known`, and a guess by the distance where that is not proved."""
        return self._ask(stood, draws=self.distance(root) != -1, guess=True)

    def exact(self, root: int, stood: Collection[int]) -> Ask | None:
        """What is proved, if `root` is drawn; else None."""
        return self._ask(stood, draws=True) if self.distance(root) == -1 else None

    def _ask(self, stood: Collection[int], *, draws: bool, guess: bool = False) -> Ask:
        nearest, least, most = self._nearest(stood), -1 if draws else 0, self.reach

        def ask(state: int) -> int | None:
            if (state & ALL).bit_count() > most:  # nearly every position of a search: no more is done for those
                return None
            distance = self.distance(state)
            if distance is None or distance < least or (distance > nearest and not guess):
                return None
            return weight(distance, WON if distance <= nearest else GUESS)

        return ask

    def _nearest(self, stood: Collection[int]) -> int:
        """The distance of the decided position in `stood` that is nearest to the end."""
        distances = [self.distance(state) for state in stood]
        return min([distance for distance in distances if distance is not None and distance >= 0], default=FARTHEST)

    def write(self, path: Path) -> None:
        """Save the tables; the file appears whole or not at all; OSError."""
        keep(path, GAME, self.reach, zlib.compress(b"".join(self.tables[stones] for stones in order(self.reach)), 9))


def weight(distance: int, won: int) -> int:
    """The weight of a distance: a nearer win is worth more, a nearer loss less; 0 for a draw."""
    return 0 if distance < 0 else won - distance if distance & 1 else distance - won


def read(path: Path) -> Endgame:
    """The tables saved at `path`; `EndgameError` if they cannot be used."""
    reach, packed = kept(path, GAME, sum(map(size, order(LARGEST))))
    if not 3 <= reach <= LARGEST:
        raise damaged(path)
    whole = sum(map(size, order(reach)))
    try:
        data = zlib.decompressobj().decompress(packed, whole + 1)
    except zlib.error:
        raise damaged(path) from None
    if len(data) != whole:
        raise damaged(path)
    return Endgame(parted(data, reach), reach)


def parted(data: bytes, reach: int) -> dict[Stones, bytes]:
    """The tables out of their bytes, one after another."""
    found, first = {}, 0
    for stones in order(reach):
        found[stones] = data[first : first + size(stones)]
        first += size(stones)
    return found


def build(reach: int = LARGEST, progress: Callable[[int, int], None] = lambda done, all: None) -> Endgame:
    """Work the endings out up to `reach` stones each, 3 or more; `progress` hears how many of how many are done."""
    done = 0

    def told() -> None:
        nonlocal done
        done += 1
        if not done % TOLD or done == DECISIVE[reach]:
            progress(done, DECISIVE[reach])

    tables = worked_out(reach, told)
    return Endgame({stones: bytes(table.bytes) for stones, table in tables.items()}, reach)


def reached(done: int, reach: int) -> int:
    """The stones up to which all is worked out, where so many endings are done; 2 before any."""
    return max(count for count, every in DECISIVE.items() if every <= done)
