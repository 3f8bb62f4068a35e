"""What people do about a turn besides making it: habits, each a way of carrying acts out that ends as the acts say.

A habit knows no rules. It has acts, the stones, and acts of other turns that may come to a player's mind. `Players`
are two people with two hands each; `Players.make` carries the acts of a turn out, from a time on, and says when it
began and when the last of it was done. Where a stone is forgotten (``debt``) that stone is laid, or taken, later on.

Seeds from `PUBLISHED` on are kept for figures that are published: whoever fits a constant uses those below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Generic, NamedTuple, TypeVar

from hardware.simulation.hands import Act, captures
from hardware.simulation.paths import CLEAN_ROWS, HIGH, ROWS, Board, Halt, Hand, Manner, Stones, between, manner
from hardware.simulation.sowing import SeedHand, Seeds

PUBLISHED = 1_000_000
"""The first of the seeds that figures are published from; those below are for tuning."""

HOLD = (0.03, 4.0)
"""Seconds for which a stone is held or left somewhere on its way; a guess."""
REGRET = (0.1, 6.0)
"""Seconds after which a turn is regretted; a guess."""
ABSENT = (3.0, 90.0)
"""Seconds for which somebody thinks, or is away, in the midst of a turn; a guess."""
ANSWERS = 0.15
"""Seconds after the first stone has moved before which nobody answers that turn: about the least in which people react
to what they see."""


class Made(NamedTuple):
    """A turn as it was made: when the first stone moved and when the last came to rest, in seconds; and who owes what.

    `own`: when its own acts began, after whatever was made and taken back before. `owed`: the acts left out.
    """

    begun: float
    own: float
    ended: float
    owed: tuple[Act, ...] = ()


H = TypeVar("H", Hand, SeedHand)


class Making(Generic[H]):
    """A turn that one person makes now, with this hand."""

    def __init__(self, hand: H, acts: Sequence[Act], others: Sequence[Sequence[Act]]) -> None:
        self.hand: H = hand
        self.acts, self.others, self.choose = list(acts), others, hand.choose
        self.own = hand.time
        self.owed: tuple[Act, ...] = ()

    def make(self, acts: Sequence[Act] | None = None, halts: Callable[[str], Sequence[Halt]] = lambda site: ()) -> None:
        """Do `acts` (all of the turn's), holding stones on their way to a site as `halts` says."""
        left = list(self.acts if acts is None else acts)
        while left:
            act, begun = left.pop(0), self.hand.time
            there = halts(act[1][-1])
            hand = self.hand
            if isinstance(hand, Hand) and act[0] == "push" and left and is_laid(left[0], act):
                laid = left.pop(0)
                hand.push(act[1], laid[2][0], hand.row(), halts(laid[1][0]))
            else:
                hand.do(act, there)
            if left and self.choose.random() < self.hand.manner.both:
                self.hand.time = max(begun, self.hand.time - self.choose.uniform(0, 0.3))
            elif left:
                self.hand.pause()

    def regret(self, other: Sequence[Act]) -> None:
        """Do the acts `other`, and put everything back."""
        before = self.hand.stones.board()
        self.make(other)
        self.hand.time += between(self.choose, *REGRET)
        self.hand.restore(before)
        self.hand.pause()
        self.own = self.hand.time

    def somewhere(self) -> str | None:
        """A stone that the turn leaves alone."""
        busy = {site for act in self.acts for site in act[1]}
        free = [site for site in self.hand.stones.on if site not in busy]
        return self.choose.choice(free) if free else None


def is_laid(act: Act, pushed: Act) -> bool:
    """Whether `act` lays a new stone where the row that is `pushed` began."""
    return act[0] == "lay" and act[1] == pushed[1][:1]


# The habits -----------------------------------------------------------------------------------


def natural(making: Making[H]) -> None:
    """Just the turn, in the person's own manner."""
    making.make()


def steady(making: Making[H]) -> None:
    """Just the turn, with clean hands: one act after the other, stones lifted over all that stands."""
    manner = making.hand.manner
    making.hand.manner = replace(manner, low=0.0, both=0.0, height=max(HIGH, manner.height))
    making.make()


def low(making: Making[Hand]) -> None:
    """Stones are slid over the board, or carried low over their neighbours."""
    making.hand.manner = replace(making.hand.manner, low=1.0)
    making.make()


def straddle(making: Making[Hand]) -> None:
    """A stone is put down between two sites for a while, and pushed home."""

    def between_sites(site: str) -> list[Halt]:
        x, y = making.hand.stones.place(site)
        spots = [other for other in making.hand.stones.beside(site) if other not in making.hand.stones.on]
        if not spots:
            return []
        a, b = making.hand.stones.place(making.choose.choice(spots))
        share = making.choose.uniform(0.3, 0.6)
        return [((x + share * (a - x), y + share * (b - y), 0.0), between(making.choose, *HOLD))]

    making.make(halts=between_sites)


def hover(making: Making[Hand]) -> None:
    """A stone is held low over its site, and goes up and down, before it is let go."""

    def above(site: str) -> list[Halt]:
        x, y = making.hand.stones.place(site)
        heights = [making.choose.uniform(0, 0.9) for _ in range(making.choose.randint(1, 4))]
        return [((x, y, height), between(making.choose, 0.02, 1.5)) for height in heights]

    making.make(halts=above)


def park(making: Making[Hand]) -> None:
    """A stone is put down on another empty site on its way, also a captured one on its way off."""

    def aside(site: str) -> list[Halt]:
        busy = {site for act in making.acts for site in act[1]}
        near = [
            other
            for other in making.hand.stones.beside(site)
            if other not in making.hand.stones.on and other not in busy
        ]
        if not near or making.choose.random() < 0.3:
            return []
        return [((*making.hand.stones.place(making.choose.choice(near)), 0.0), between(making.choose, *HOLD))]

    making.make(halts=aside)


def adjust(making: Making[Hand]) -> None:
    """Other stones are put straight: slid a little, or lifted and put down again; before the turn, or after it."""

    def put_straight() -> None:
        for _ in range(making.choose.randint(1, 3)):
            site = making.somewhere()
            if site:
                over = making.choose.gauss(0, 0.2), making.choose.gauss(0, 0.2)
                height = max(0.0, making.choose.gauss(0.1, 0.5))
                making.hand.shift(site, over, height, between(making.choose, 0.02, 2.0))
                making.hand.pause(0.3)

    before = making.choose.random() < 0.5
    if before:
        put_straight()
        making.own = making.hand.time
    making.make()
    if not before:
        making.hand.pause()
        put_straight()


def change_of_mind(making: Making[H]) -> None:
    """Another turn is begun and taken back, and then this one is made."""
    if making.others:
        other = making.choose.choice(making.others)
        making.regret(other[: making.choose.randint(1, max(1, len(other) - 1))])
    making.make()


def take_back(making: Making[H]) -> None:
    """Another turn is made, whole, and taken back, and then this one is made."""
    if making.others:
        making.regret(making.choose.choice(making.others))
    making.make()


def captures_first(making: Making[H]) -> None:
    """What is captured goes off before the rest, where nothing forbids it."""
    early: list[int] = captures(making.acts)
    making.make([*(making.acts[at] for at in early), *(act for at, act in enumerate(making.acts) if at not in early)])


def debt(making: Making[H]) -> None:
    """The last stone to be laid, or taken, is forgotten, and paid later."""
    if len(making.acts) > 1 and making.acts[-1][0] in ("lay", "take"):
        making.owed = tuple(making.acts[-1:])
        making.acts = making.acts[:-1]
    making.make()


def absent(making: Making[Hand]) -> None:
    """In the midst of the turn nothing happens for long."""
    left, hand = making.acts, making.hand
    at = making.choose.randint(1, max(1, len(left) - 1))
    if left[at:] and is_laid(left[at], left[at - 1]):  # the row is moved, and the new stone waits
        making.make(left[: at - 1])
        hand.push(left[at - 1][1], None, "fingers")
    else:
        making.make(left[:at])
    if left[at:]:
        hand.time += between(making.choose, *ABSENT)
        making.make(left[at:])


def brush(making: Making[Hand]) -> None:
    """A sleeve moves some neighbouring stones, which are put back."""
    making.make()
    site = making.somewhere()
    if site:
        near = [other for other in making.hand.stones.beside(site) if other in making.hand.stones.on]
        over = making.choose.gauss(0, 0.4), making.choose.gauss(0, 0.4)
        start = ended = making.hand.time
        for each in [site, *near[: making.choose.randint(0, 3)]]:
            making.hand.time = start + making.choose.uniform(0.0, 0.5)
            making.hand.shift(each, over, 0.0, between(making.choose, 0.05, 2.0))
            ended = max(ended, making.hand.time)
        making.hand.time = ended


def both_hands(making: Making[H]) -> None:
    """The other hand begins each act before this one has ended."""
    making.hand.manner = replace(making.hand.manner, both=1.0, pause=0.05)
    making.make()


def two_grabs(making: Making[SeedHand]) -> None:
    """The seeds of a pit are lifted in two grabs, the second perhaps once those of the first have been sown."""
    making.hand.grabs = 2
    making.make()


def doubles(making: Making[SeedHand]) -> None:
    """Now and then two seeds fall into one pit, and the second is moved on."""
    making.hand.doubles = 0.3
    making.make()


def counting(making: Making[SeedHand]) -> None:
    """Seeds are counted before the turn: a finger stirs some pits, or the seeds of one are lifted and put back."""
    hand = making.hand
    for site in making.choose.sample(sorted(making.hand.stones.on), min(3, len(making.hand.stones.on))):
        if making.choose.random() < 0.3:
            many = hand.lift(site)
            hand.pause(1.0)
            hand.drop(site, many)
        else:
            hand.touch(site, between(making.choose, 0.05, 3.0))
        hand.pause(0.3)
    making.own = hand.time
    making.make()


def undecided(making: Making[SeedHand]) -> None:
    """Another pit is lifted, perhaps a seed or two of it sown, and all is put back where it was."""
    hand, begun = making.hand, [act for other in making.others for act in other if act[0] == "sow"]
    for act in begun[:1]:
        before = hand.stones.board()
        few = making.choose.randint(0, min(2, len(act[1]) - 1))
        hand.sow(act[1][: few + 1], few)
        hand.time += between(making.choose, *REGRET)
        hand.restore(before)
        hand.pause()
        making.own = hand.time
    making.make()


def thinking(making: Making[SeedHand]) -> None:
    """The hand stops in the midst of the seeds, for long."""
    making.hand.rhythm, making.hand.manner = 1.0, replace(making.hand.manner, tail=1.5)
    making.make()


HABITS: dict[str, Callable[[Making[Hand]], None]] = {
    "steady": steady,
    "natural": natural,
    "low": low,
    "straddle": straddle,
    "hover": hover,
    "park": park,
    "adjust": adjust,
    "change of mind": change_of_mind,
    "take back": take_back,
    "captures first": captures_first,
    "debt": debt,
    "absent": absent,
    "brush": brush,
    "both hands": both_hands,
    **dict.fromkeys((*ROWS, "overlap"), natural),
}
"""What people do, by name: among them each way to move a row, and the next player reaching in (``overlap``)."""
SEED_HABITS: dict[str, Callable[[Making[SeedHand]], None]] = {
    "steady": steady,
    "natural": natural,
    "two grabs": two_grabs,
    "doubles": doubles,
    "counting": counting,
    "thinking": thinking,
    "change of mind": undecided,
    "debt": debt,
    "overlap": natural,
}
"""The same with seeds."""

MIXED = {
    "natural": 40, "low": 10, "straddle": 4, "hover": 5, "park": 3, "adjust": 10, "change of mind": 5, "take back": 2,
    "captures first": 5, "debt": 2, "absent": 2, "brush": 2, "both hands": 5, "overlap": 5,
}  # fmt: skip
"""The habits of a mixed evening with their weights; all of them guesses, for nobody has measured them."""

SEEDS_MIXED = {
    "natural": 60, "two grabs": 6, "doubles": 5, "counting": 8, "thinking": 5, "change of mind": 5, "debt": 2,
    "overlap": 5,
}  # fmt: skip
"""The same with seeds."""


class Players:
    """Two people at a table; the same `seed` gives the same evening. `habit` is one of `HABITS`; any other name mixes
    them as in `MIXED`."""

    def __init__(self, stones: Stones | Seeds, habit: str, seed: int | str) -> None:
        self.stones, self.habit = stones, habit
        self.mixed = SEEDS_MIXED if isinstance(stones, Seeds) else MIXED
        self.choose = Random(f"players {seed} {habit}")
        rows = (habit,) if habit in ROWS else CLEAN_ROWS
        self.manners: list[Manner] = [manner(self.choose, rows) for _ in range(2)]
        self.thinks = between(self.choose, 0.4, 4.0)
        """Median seconds between two turns; a guess."""
        self.begun, self.ended = 0.0, 0.5
        """When the last turn began and when it ended, in seconds."""
        self.owed: list[Act] = []

    def chosen(self) -> str:
        """The habit that shows in the next turn; what is owed still is not forgotten twice."""
        habit = self.habit
        if habit not in HABITS and habit not in SEED_HABITS:
            habit = self.choose.choices(list(self.mixed), list(self.mixed.values()))[0]
        return "natural" if habit == "debt" and self.owed else habit

    def make(self, side: int, acts: Sequence[Act], others: Sequence[Sequence[Act]] = (), habit: str = "steady") -> Made:
        """Make a turn, after the last one; `others` are acts of other turns that come to mind."""
        hand = self.stones.hand(self.manners[side], self.choose, self.ended)
        busy = {site for act in acts for site in act[1]} | {
            site for other in others for act in other for site in act[1]
        }
        if any(act[1][0] in busy for act in self.owed):
            self._pay(hand)
        if habit == "overlap":
            hand.time = max(self.ended + self.choose.uniform(-0.3, 0.3), self.begun + ANSWERS)
        else:
            hand.pause(self.thinks)
        if isinstance(hand, Hand):
            own, owed = carry_out(Making(hand, acts, others), HABITS[habit])
        else:
            own, owed = carry_out(Making(hand, acts, others), SEED_HABITS[habit])
        self.begun, self.ended = hand.begun, max(self.ended, hand.time)
        made = Made(hand.begun, max(hand.begun, own), self.ended, owed)
        if self.owed:
            hand.pause()
            self._pay(hand)
        self.owed += owed
        return made

    def put_back(self, board: Board, stands: float) -> float:
        """Let the board stand for so many seconds and put it back as it was on `board`; when that was done."""
        hand = self.stones.hand(self.manners[0], self.choose, self.ended + stands)
        hand.restore(board)
        self.ended = max(self.ended, hand.time)
        return self.ended

    def pay(self) -> None:
        """Lay and take what is owed still."""
        self._pay(self.stones.hand(self.manners[0], self.choose, self.ended))

    def _pay(self, hand: Hand | SeedHand) -> None:
        for act in self.owed:
            hand.do(act)
            hand.pause()
        self.owed = []
        self.ended = max(self.ended, hand.time)


def carry_out(making: Making[H], habit: Callable[[Making[H]], None]) -> tuple[float, tuple[Act, ...]]:
    """Make a turn by this habit: when its own acts began, and what is owed."""
    habit(making)
    return making.own, making.owed


def can(board: Board, acts: Sequence[Act]) -> bool:
    """Whether hands can do these acts on `board`: there is something to move, and nothing where it goes."""
    stands = {site: level for site, level in board.items() if level}
    for kind, sites, levels, _ in acts:
        moved = sites[:-1] if kind in ("carry", "push") else sites if kind in ("take", "flip") else ()
        if any(site not in stands for site in moved) or len({*sites}) < len(sites):
            return False
        for site in moved:
            del stands[site]
        if kind != "take":
            goals = sites[-len(levels) :]
            if any(site in stands for site in goals):
                return False
            stands.update(zip(goals, levels, strict=True))
    return True
