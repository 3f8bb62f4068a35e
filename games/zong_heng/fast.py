"""Zong-Heng for searching: the position is one integer, and a push is the bits that it changes.

From the lowest bit: the ranks from the first, then the files, so that each square is held twice, and the side to move.
A line is one bit for each of its squares with a black stone, then one for each with a white one: a number so small that
what can be pushed along the line is looked up by it. Every dark square is taken, so it also tells which those are.

A random game knows no numbers: each line is one of the `Content` it can have, which has its pushes and leads to what
it becomes by them, and by a push along a line that crosses it. A full board is a few words (`Stripe`), of as many ranks
as fit into one, on which groups grow. Boards up to 8 squares a side are two words as well (`CoreZongHeng`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.core import INTERPRETED, Core, Luck, Turns
from games.fast import Chance
from games.rules import Position
from games.zong_heng.rules import PASS, Board, ZongHeng

if TYPE_CHECKING:
    from mypy_extensions import i64

REMEMBERED = 1300
"""Contents of each line of which the moves are kept: on a board of 8 all there are."""
WORD: Final = 62
"""Bits of a word that are used for squares."""
EACH: Final = 16
"""Bits for the number of pushes of one side; those of the other come above them."""
MANY: Final = (1 << EACH) - 1
CORE: Final = 8
"""Squares along a side, at most, of a board that fits into the two words of a `Core`."""
PAIRS: Final = 0x5555555555555555
FOURS: Final = 0x3333333333333333
EIGHTS: Final = 0x0F0F0F0F0F0F0F0F


def ones(bits: i64) -> i64:
    """How many of the lowest 63 bits are set, where there are many: sums of two, four, eight bits, and of those."""
    bits -= bits >> 1 & PAIRS
    bits = (bits & FOURS) + (bits >> 2 & FOURS)
    return ((bits + (bits >> 4)) & EIGHTS) % 255


if INTERPRETED and not TYPE_CHECKING:
    ones = int.bit_count


# What can stand on a line -------------------------------------------------------------------


class Push:
    """A push along a line, the first of its kind."""

    def __init__(self, along: int, changes: list[int], origin: int, target: int) -> None:
        """`changes`: for each place of the line 1 where a black stone comes or goes, plus 2 for a white one."""
        self.along: i64 = along
        """The bits it changes in its line."""
        self.first: i64 = min(origin, target)
        """The place from which `changes` tell."""
        self.changes: i64 = sum(change << 2 * place for place, change in enumerate(changes)) >> 2 * min(origin, target)
        """Two bits for each place."""
        self.dark: i64 = sum((changes[place] & 1) << place // 2 for place in range(origin % 2, len(changes), 2))
        """The dark squares that change their colour."""
        light = range(1 - origin % 2, len(changes), 2)
        self.black: i64 = sum((changes[place] & 1) << place // 2 for place in light)
        """The light squares on which a black stone comes or goes."""
        self.white: i64 = sum(changes[place] >> 1 << place // 2 for place in light)
        self.origin: i64 = origin
        self.target: i64 = target
        self.after: Content | None = None
        """What its line becomes, once that is known."""


class Content:
    """What stands on a line, whichever it is."""

    def __init__(self, key: int, size: int) -> None:
        self.key: i64 = key
        self.black: list[Push] = []
        """What Black can push."""
        self.white: list[Push] = []
        self.next: list[Content | None] = [None] * (4 * size)
        """What it becomes by a change (1 black, 2 white, 3 both): by four times the place plus the change."""
        self.many: i64 = 0
        """How many pushes Black has, and above `EACH` bits White."""

    def cut(self) -> None:
        """Lead nowhere."""
        self.next = [None] * len(self.next)
        for push in self.black:
            push.after = None
        for push in self.white:
            push.after = None


class Contents:
    """What can stand on a line of a board of this size; found as it comes up."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._known: dict[int, Content] = {}

    def of(self, key: int) -> Content:
        """That of the line with these bits."""
        content = self._known.get(key)
        if content is None:
            if len(self._known) >= 8 * REMEMBERED:
                self.forget()
            content = self._known[key] = self._made(key)
        return content

    def forget(self) -> None:
        """Begin anew; contents in use stay good."""
        for content in self._known.values():
            content.cut()
        self._known.clear()

    def pushed(self, content: Content, push: Push) -> Content:
        """What a line becomes by a push along it."""
        after = push.after
        if after is None:
            after = push.after = self.of(int(content.key ^ push.along))
        return after

    def crossed(self, content: Content, change: i64) -> Content:
        """What a line becomes by a change at a place of it, given as in `Content.next`."""
        after = content.next[change]
        if after is None:
            place, levels = int(change) >> 2, int(change) & 3
            bits = (levels & 1 | levels >> 1 << self.size) << place
            after = content.next[change] = self.of(int(content.key) ^ bits)
        return after

    def _made(self, key: int) -> Content:
        size, content = self.size, Content(key, self.size)
        levels = [(key >> place & 1) | (key >> size + place & 1) << 1 for place in range(size)]
        for start in range(0 if all(levels[::2]) else 1, size, 2):
            for own, found in ((1, content.black), (2, content.white)):
                found += self._push(levels[start:], own, start, 1) + self._push(levels[start::-1], own, start, -1)
        content.many = len(content.black) | len(content.white) << EACH
        return content

    def _push(self, levels: list[int], own: int, start: int, step: int) -> list[Push]:
        """The push of the row that begins with these levels: none or one."""
        length = levels.index(0) if 0 in levels else 0
        if 2 * levels[:length].count(own) <= length:
            return []
        along, changes = 0, [0] * self.size
        for place, (new, old) in enumerate(zip([own, *levels], levels[: length + 1], strict=False)):
            at, change = start + place * step, new ^ old
            along |= (change & 1 | change >> 1 << self.size) << at
            changes[at] = change
        return [Push(along, changes, start, start + length * step)]


# Random games -------------------------------------------------------------------------------


class Lines:
    """A board on which pushes are made, as the contents of its lines: the ranks, then the files."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._size: i64 = contents.size
        self.lines: list[Content] = []
        self._ranks: i64 = 0
        """How many pushes each side has along ranks, as `Content.many`."""
        self._files: i64 = 0
        """The same along files."""

    def stand(self, lines: list[Content]) -> None:
        """Have these contents."""
        self.lines, self._ranks, self._files = lines, 0, 0
        for number in range(self._size):
            self._ranks += lines[number].many
            self._files += lines[self._size + number].many

    def pushes(self, side: i64) -> i64:
        """How many pushes that side has."""
        return self._ranks + self._files >> EACH * side & MANY

    def push(self, side: i64, which: i64) -> None:
        """Make that side's push of this number, from 0 on, by lines."""
        lines, contents, size, shift = self.lines, self._contents, self._size, EACH * side
        ranks: i64 = self._ranks >> shift & MANY
        rank = which < ranks
        number: i64 = 0
        if not rank:
            number = size
            which -= ranks
        content = lines[number]
        here: i64 = content.many >> shift & MANY
        while which >= here:
            which -= here
            number += 1
            content = lines[number]
            here = content.many >> shift & MANY
        push = content.white[which] if side else content.black[which]
        after = push.after or contents.pushed(content, push)
        along: i64 = after.many - content.many
        lines[number] = after
        crossing: i64 = push.first + size if rank else push.first
        place: i64 = number << 2 if rank else number - size << 2
        changes: i64 = push.changes
        across: i64 = 0
        while changes:
            if changes & 3:
                content = lines[crossing]
                after = content.next[place | changes & 3] or contents.crossed(content, place | changes & 3)
                across += after.many - content.many
                lines[crossing] = after
            changes >>= 2
            crossing += 1
        if rank:
            self._ranks, self._files = self._ranks + along, self._files + across
        else:
            self._files, self._ranks = self._files + along, self._ranks + across

    def play(self, side: i64, left: i64, luck: Luck) -> None:
        """Play a random game to its end, every push as likely as every other, from `left` empty squares."""
        while left:
            many = self.pushes(side)
            if many:
                self.push(side, luck.among(many))
                left -= 1
            side = 1 - side


class Stripe:
    """Some ranks of a full board, from the lowest bit."""

    def __init__(self) -> None:
        self.white: i64 = 0
        self.left: i64 = 0
        """Squares whose group has not been found."""
        self.grown: i64 = 0
        """Squares of the groups that are being found: one of each colour."""
        self.beside: i64 = 0
        """Squares that are joined to the one to their right."""
        self.below: i64 = 0
        """Squares that are joined to the one above them in the stripe."""
        self.up: i64 = 0
        """Squares of the lowest rank of the next stripe that are joined to the one below them."""


class Groups:
    """Compares the groups of full boards."""

    def __init__(self, size: int) -> None:
        count = -(-size * size // WORD)
        self._ranks = size // count
        self._size: i64 = size
        self._top: i64 = size * (self._ranks - 1)
        """How far the highest rank of a stripe is from its lowest."""
        self._rank: i64 = (1 << size) - 1
        self._all: i64 = (1 << size * self._ranks) - 1
        self._left: i64 = sum(1 << at for at in range(size * self._ranks) if at % size < size - 1)
        """The squares that have one to their right."""
        self._stripes = [Stripe() for _ in range(count)]
        self._order = sorted(range(count), key=lambda at: abs(2 * at + 1 - count))
        """The stripes, from the middle of the board."""

    def result(self, whites: list[int]) -> float:
        """1.0 if Black's groups are the larger, 0.0 if White's, 0.5 if alike; `whites` has each rank's white stones."""
        self._stand(whites)
        blacks, lights = [0], [0]
        most: i64 = 0
        other: i64 = 0
        light_left: i64 = 0
        for stripe in self._stripes:
            light_left += ones(stripe.white)
        dark_left: i64 = self._size * self._size - light_left
        while dark_left or light_left:
            self._seed()
            self._grow()
            dark: i64 = 0
            light: i64 = 0
            for stripe in self._stripes:
                white: i64 = stripe.grown & stripe.white
                light += ones(white)
                dark += ones(stripe.grown ^ white)
                stripe.left ^= stripe.grown
                stripe.grown = 0
            blacks.append(dark)
            lights.append(light)
            dark_left -= dark
            light_left -= light
            most, other = max(most, dark), max(other, light)
            if most > max(other, light_left) or other > max(most, dark_left):  # nothing as large can come
                return float(most > other)
        blacks.sort(reverse=True)
        lights.sort(reverse=True)
        return 0.5 if blacks == lights else float(blacks > lights)

    def _stand(self, whites: list[int]) -> None:
        """Have these stones."""
        rank, size = 0, self._size
        before: Stripe | None = None
        for stripe in self._stripes:
            white: i64 = 0
            shift: i64 = 0
            for _ in range(self._ranks):
                white |= whites[rank] << shift
                shift += size
                rank += 1
            stripe.white, stripe.left = white, self._all
            stripe.beside = ~(white ^ white >> 1) & self._left
            stripe.below = ~(white ^ white >> size) & self._all >> size
            stripe.up = 0
            if before is not None:
                before.up = ~(before.white >> self._top ^ white) & self._rank
            before = stripe

    def _seed(self) -> None:
        """Begin with a square of each colour; those of the middle are likely to be of a large group."""
        dark = light = True
        for at in self._order:
            stripe = self._stripes[at]
            here: i64 = stripe.left & ~stripe.white
            if dark and here:
                stripe.grown, dark = stripe.grown | here & -here, False
            here = stripe.left & stripe.white
            if light and here:
                stripe.grown, light = stripe.grown | here & -here, False

    def _grow(self) -> None:
        """Let the groups grow until they are whole."""
        stripes, size, top = self._stripes, self._size, self._top
        last: i64 = len(stripes) - 1
        more = True
        while more:
            more = False
            for at in range(last + 1):
                stripe = stripes[at]
                grown: i64 = stripe.grown
                if at:
                    lower = stripes[at - 1]
                    grown |= lower.grown >> top & lower.up
                if at < last:
                    grown |= (stripes[at + 1].grown & stripe.up) << top
                beside: i64 = stripe.beside
                below: i64 = stripe.below
                group: i64 = 0
                while group != grown:
                    group = grown
                    grown |= (grown & beside) << 1
                    grown |= (grown & below) << size
                    grown |= grown >> 1 & beside
                    grown |= grown >> size & below
                if grown != stripe.grown:
                    stripe.grown, more = grown, True


# Two words ----------------------------------------------------------------------------------


class CoreZongHeng(Core):
    """The rules on two words, for boards up to `CORE` squares a side.

    Dark and light squares are numbered apart, by ranks from the first, so that each line has every second one. The
    first word: the dark squares with a black stone, the side to move, and the last light square if it has a white
    stone; the second word: the light squares with a black stone, then the others with a white one.
    """

    def __init__(self, contents: Contents) -> None:
        size = contents.size
        self._contents = contents
        self._size: i64 = size
        self._half: i64 = size // 2
        self._line: i64 = (1 << size // 2) - 1
        self._squares: i64 = size * size // 2
        self._every: i64 = (1 << size * size // 2) - 1
        """All squares of one kind."""
        self._side: i64 = 1 << size * size // 2
        """White to move, in the first word. (Compiled, to shift a plain 1 so far would fail: it has 32 bits.)"""
        self._file: i64 = sum(1 << size * at for at in range(size // 2))
        """Every second rank of a file."""
        self._spread: i64 = sum(1 << (size - 1) * at for at in range(size // 2))
        """Spreads neighbouring bits over a file, and draws those of a file together, by multiplication."""
        self._drawn: i64 = (size - 1) * (size // 2 - 1)
        """Where they are then."""
        self._groups = Groups(size)
        self._apart = [sum((bits >> at & 1) << 2 * at for at in range(size // 2)) for bits in range(1 << size // 2)]
        """The squares of one kind in a rank, from the first, with every second one left free."""
        self._known: list[Content | None] = [None] * (2 << 3 * (size // 2))
        """By the bits of a line's dark squares, black and white stones on its light ones, and how it begins."""

    def words(self, state: int) -> tuple[i64, i64]:
        """The words for a state."""
        size, half, squares = int(self._size), int(self._half), int(self._squares)
        dark = black = white = 0
        for rank in range(size):
            for file in range(size):
                levels = state >> 2 * size * rank + file
                bit = 1 << rank * half + file // 2
                if (rank + file) % 2 == 0:
                    dark |= bit if levels & 1 else 0
                else:
                    black |= bit if levels & 1 else 0
                    white |= bit if levels >> size & 1 else 0
        return self._packed(dark, black, white, state >> 4 * size * size, squares)

    def _packed(self, dark: i64, black: i64, white: i64, side: i64, squares: i64) -> tuple[i64, i64]:
        last: i64 = white >> squares - 1
        return dark | (side | last << 1) << squares, black | (white ^ last << squares - 1) << squares

    def _white(self, a: i64, b: i64) -> i64:
        """The light squares with a white stone."""
        squares = self._squares
        return b >> squares | a >> squares + 1 << squares - 1

    def state(self, a: i64, b: i64) -> int:
        """The state for these words."""
        size, half, squares = int(self._size), int(self._half), self._squares
        dark, black, white = int(a), int(b & self._every), int(self._white(a, b))
        state = int(a >> squares & 1) << 4 * size * size
        for rank in range(size):
            for file in range(size):
                at = rank * half + file // 2
                if (rank + file) % 2 == 0:
                    level = 1 if dark >> at & 1 else 2
                else:
                    level = (black >> at & 1) | (white >> at & 1) << 1
                for line, place in ((rank, file), (size + file, rank)):
                    state |= ((level & 1) | level >> 1 << size) << 2 * size * line + place
        return state

    def _content(self, number: i64, dark: i64, black: i64, white: i64) -> Content:
        """What stands on the line of this number."""
        half, line = self._half, self._line
        key: i64 = (number & 1) << 3 * half
        if number < self._size:
            at: i64 = number * half
            key |= dark >> at & line | (black >> at & line) << half | (white >> at & line) << 2 * half
        else:
            file, spread, drawn = self._file, self._spread, self._drawn
            at = (number & 1) * half + (number - self._size >> 1)
            key |= (dark >> at & file) * spread >> drawn & line
            at += half - 2 * half * (number & 1)
            key |= ((black >> at & file) * spread >> drawn & line) << half
            key |= ((white >> at & file) * spread >> drawn & line) << 2 * half
        content = self._known[key]
        return self._learnt(int(key)) if content is None else content

    def _learnt(self, key: int) -> Content:
        """The content of the line with this key, which is remembered from now on."""
        half = int(self._half)
        odd = key >> 3 * half
        bits = 0
        for at in range(half):
            dark, light = 2 * at + odd, 2 * at + 1 - odd
            bits |= 1 << dark if key >> at & 1 else 1 << 2 * half + dark
            bits |= (key >> half + at & 1) << light | (key >> 2 * half + at & 1) << 2 * half + light
        content = self._known[key] = self._contents.of(bits)
        return content

    def count(self, a: i64, b: i64) -> i64:
        """How many legal turns there are."""
        squares = self._squares
        black: i64 = b & self._every
        white = self._white(a, b)
        many: i64 = 0
        for number in range(2 * self._size):
            many += self._content(number, a, black, white).many
        many = many >> EACH * (a >> squares & 1) & MANY
        return many or (1 if ones(black | white) < squares else 0)

    def ended(self, a: i64, b: i64) -> i64:
        """2 if the groups of the side to move are the larger, 1 if they are alike, else 0."""
        dark: i64 = ~a & self._every
        light = self._white(a, b)
        half, line = self._half, self._line
        whites: list[int] = []
        for rank in range(self._size):
            odd: i64 = rank & 1
            squares: i64 = self._apart[dark >> rank * half & line] << odd
            whites.append(int(squares | self._apart[light >> rank * half & line] << 1 - odd))
        black = int(2 * self._groups.result(whites))
        return 2 - black if a >> self._squares & 1 else black

    def fill(self, a: i64, b: i64, turns: Turns) -> None:
        """Fill `turns` with every legal turn; none exactly when the game is over."""
        squares, size, half = self._squares, self._size, self._half
        dark: i64 = a & self._every
        black: i64 = b & self._every
        white = self._white(a, b)
        side: i64 = a >> squares & 1
        turns.many = 0
        for number in range(2 * size):
            content = self._content(number, dark, black, white)
            for push in content.white if side else content.black:
                d, e, f = push.dark, push.black, push.white
                at: i64 = number * half
                to: i64 = at
                if number >= size:
                    d, e, f = (
                        d * self._spread & self._file,
                        e * self._spread & self._file,
                        f * self._spread & self._file,
                    )
                    at = (number & 1) * half + (number - size >> 1)
                    to = at + half - 2 * half * (number & 1)
                words = self._packed(dark ^ d << at, black ^ e << to, white ^ f << to, 1 - side, squares)
                turns.add(words[0], words[1], number << 6 | push.origin << 3 | push.target, 0)
        if not turns.many and ones(black | white) < squares:
            turns.add(a ^ self._side, b, 0, 0)


# The form that is searched -----------------------------------------------------------------


class Line(dict[int, tuple[int, ...]]):
    """The moves of one side along one line, by what stands on it; fills itself from the pushes of any line.

    A move is the bits that it changes and, above them, its name: line, origin and target.
    """

    def __init__(self, contents: Contents, number: int, side: int) -> None:
        super().__init__()
        size = contents.size
        self._first = 2 * size * number
        self._crossing = number - size if number >= size else 2 * size * size + number
        self._width = 2 * size
        self._side = 4 * size * size
        self._number = number
        self._contents = contents
        self._white = side == 1

    def __missing__(self, key: int) -> tuple[int, ...]:
        if len(self) >= REMEMBERED:
            self.clear()
        content = self._contents.of(key)
        self[key] = tuple([self._move(push) for push in (content.white if self._white else content.black)])
        return self[key]

    def _move(self, push: Push) -> int:
        move = int(push.along) << self._first
        changes, across = int(push.changes), self._crossing + self._width * int(push.first)
        while changes:
            move |= (changes & 1 | (changes >> 1 & 1) << self._width // 2) << across
            changes, across = changes >> 2, across + self._width
        name = self._number << 8 | int(push.origin) << 4 | int(push.target)
        return move | (2 * name + 1) << self._side


class FastZongHeng:
    """The rules of `games.zong_heng.rules` on integers, for any size; a forced pass changes nothing but the side."""

    exact = 10
    """Empty squares from which a search to the very end takes a second at most, mostly far less."""

    def __init__(self, game: ZongHeng) -> None:
        self._grid = game.grid
        self._size = size = game.grid.files
        self._at_side = 4 * size * size
        self._side = 1 << self._at_side
        self._bits = 2 * self._side - 1
        """Those of a state: what lies above them in a move is its name."""
        self._key = (1 << 2 * size) - 1
        self._contents = Contents(size)
        self._lines = tuple([Line(self._contents, number, side) for number in range(2 * size)] for side in (0, 1))
        lines, together = 2 * size, WORD // (2 * size)
        self._words = [
            ((1 << 2 * size * many) - 1, many) for many in [together] * (lines // together) + [lines % together]
        ]
        """Words of so many lines, and their bits."""
        self._board = Lines(self._contents)
        self._groups = Groups(size)

    def core(self) -> CoreZongHeng | None:
        """The rules on two words; None for a board that does not fit into them."""
        return CoreZongHeng(self._contents) if self._size <= CORE else None

    def state(self, position: Position) -> int:
        """The integer for `position`."""
        size, state = self._size, position.side << self._at_side
        for at, level in enumerate(position.cells):
            if level:
                rank, file = divmod(at, size)
                state |= 1 << 2 * size * rank + size * (level - 1) + file
                state |= 1 << 2 * size * (size + file) + size * (level - 1) + rank
        return state

    def position(self, state: int) -> Board:
        """The position of this integer."""
        black, white = self._stones(state, 0), self._stones(state, 1)
        cells = bytes((black >> at & 1) | (white >> at & 1) << 1 for at in self._grid.squares)
        return Board(cells, self.side(state), self._grid)

    def _stones(self, state: int, side: int) -> int:
        """The stones of one side by squares."""
        size, stones = self._size, 0
        for rank in range(size):
            stones |= (state >> (2 * rank + side) * size & (1 << size) - 1) << rank * size
        return stones

    def side(self, state: int) -> int:
        """Who is to move: 0 Black, 1 White."""
        return state >> self._at_side

    def left(self, state: int) -> int:
        """The turns left to the end, passes not counted: the empty squares."""
        return self._size**2 - (state & self._side - 1).bit_count() // 2

    def moves(self, state: int) -> list[int]:
        """Every push, or the forced pass; empty when the board is full."""
        found: list[int] = []
        key, width = self._key, 2 * self._size
        rest = state
        for line in self._lines[state >> self._at_side]:
            found += line[rest & key]
            rest >>= width
        return found or ([self._side] if self.left(state) else [])

    def after(self, state: int, move: int) -> int:
        """The state after `move`."""
        return state ^ move & self._bits

    def text(self, state: int, move: int) -> str:
        """The text of the turn: the square the push starts from and the one it fills."""
        name = move >> self._at_side + 1
        if move == self._side:
            return PASS
        number, places = name >> 8, (name >> 4 & 15, name & 15)
        rank, size = number < self._size, self._size
        squares = [size * number + place if rank else size * place + number - size for place in places]
        return "-".join(self._grid.names(squares))

    def result(self, state: int) -> float:
        """Of a full board: 1.0 if Black's groups are the larger, 0.0 if White's, 0.5 if they are alike."""
        key, size = (1 << self._size) - 1, self._size
        return self._groups.result([state >> (2 * rank + 1) * size & key for rank in range(size)])

    def playout(self, state: int, random: Chance) -> float:
        """A random game from here to its end, every turn as likely as every other: its result."""
        board, contents, width, left = self._board, self._contents, 2 * self._size, self.left(state)
        line: i64 = self._key
        lines: list[Content] = []
        for bits, many in self._words:
            word: i64 = state & bits
            for _ in range(many):
                lines.append(contents.of(int(word & line)))
                word >>= width
            state >>= many * width
        board.stand(lines)
        board.play(state, left, Luck(random.getrandbits(31)))
        return self._groups.result([int(content.key) >> self._size for content in lines[: self._size]])


FAST = FastZongHeng
