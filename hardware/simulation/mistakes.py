"""Hands that fumble: what goes wrong around a turn, as small changes of its acts.

A fumbling hand knows no rules either. It has the acts of a turn, sees what stands on the board and which sites lie
beside each other, and each `Mistake` works something into the acts: between two of them, or beside them, by another
finger. What a fumble disturbs it puts right again, so that the turn ends as it was meant; only ``abandon`` leaves
the board as it was, and then `Made` says so. The same seed makes the same fumbles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from hardware.simulation.hands import Act, HandMotion, Surroundings, Touch


@dataclass(frozen=True, slots=True)
class Mistake:
    """One `kind` of fumble (see `KINDS`): its chance in a turn, 0-1, and about how many seconds it takes."""

    kind: str
    rate: float = 1.0
    time: float = 0.4

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"there is no fumble {self.kind!r}; there are {', '.join(sorted(KINDS))}")
        if not (0 <= self.rate <= 1 and self.time >= 0):
            raise ValueError(f"a fumble has a rate of 0 to 1 and a time of 0 or more, not {self.rate} and {self.time}")


class Performance(NamedTuple):
    """What the hands really do. `made` is False if the turn is given up and the board is as before it.

    `begins`: the place of the first act that belongs to the turn; `kinds`: the fumbles that happened.
    """

    acts: list[Act]
    begins: int = 0
    made: bool = True
    kinds: tuple[str, ...] = ()


class Hands:
    """Hands that fumble so, each turn by chance; the same `seed` gives the same evening."""

    def __init__(self, fumbles: Sequence[Mistake], seed: int = 0) -> None:
        self.fumbles = tuple(fumbles)
        self.choose = Random(f"hands {seed}")
        """Whatever is left to chance."""

    def make(self, acts: Iterable[Act], around: Surroundings) -> Performance:
        """The acts of a turn with whatever goes wrong this time."""
        doing = HandMotion(acts, around, self.choose)
        happened = []
        for fumble in self.fumbles:
            if doing.touches and self.choose.random() < fumble.rate:
                before = doing.touches[:]
                KINDS[fumble.kind](doing, fumble.time)
                happened += [fumble.kind] if doing.touches != before else []
        return made(doing, tuple(happened))


def made(doing: HandMotion, kinds: tuple[str, ...]) -> Performance:
    """What has become of a turn."""
    begins = next((place for place, touch in enumerate(doing.touches) if touch.own), 0)
    return Performance([Act(touch.wait, touch.changes) for touch in doing.touches], begins, doing.made, kinds)


# The kinds ------------------------------------------------------------------------------------


def bump(doing: HandMotion, time: float) -> None:
    """The table is bumped: up to four pieces that the turn leaves alone lose their contact for `time`."""
    still = [site for site, level in doing.still().items() if level]
    place = doing.choose.randrange(len(doing.touches))
    for site in doing.some(still, 1, 4):
        level = doing.around.before[site]
        jolted = level - 1 if doing.around.seeds else 0
        off, back = ((site, jolted),), ((site, level),)
        doing.meanwhile(place, [Touch(doing.about(0.02), off), Touch(doing.about(time), back)])


def nudge(doing: HandMotion, time: float) -> None:
    """A sleeve takes a stone along to the empty site beside it, or a seed into the pit beside it; back after `time`."""
    still, seeds = doing.still(), doing.around.seeds
    free = [site for site, level in still.items() if seeds or not level]
    pairs = [(site, other) for site, level in still.items() if level for other in doing.beside(site, free)]
    if not pairs:
        return
    origin, target = doing.choose.choice(pairs)
    had, moved = still[origin], 1 if seeds else still[origin]
    left, reached = (origin, had - moved), (target, still[target] + moved)
    there = [Touch(0.02, (left,)), Touch(doing.about(0.05), (reached,))]
    back = [Touch(doing.about(time), ((target, still[target]),)), Touch(doing.about(0.05), ((origin, had),))]
    doing.meanwhile(doing.choose.randrange(len(doing.touches)), there + back)


def reach_in(doing: HandMotion, time: float) -> None:
    """Another player lifts a piece as the turn ends, and puts it back `time` later."""
    standing = [(site, level) for site, level in doing.still().items() if level]
    if standing:
        site, level = doing.choose.choice(standing)
        lifted = Touch(doing.about(0.05), ((site, 0),))
        doing.meanwhile(max(0, len(doing.touches) - 2), [lifted, Touch(doing.about(time), ((site, level),))])


def hover(doing: HandMotion, time: float) -> None:
    """The first act is made, taken back after `time`, and made again."""
    for place in doing.own()[:1]:
        doing.between(place, doing.undone(place, doing.touches[place : place + 1], time))


def hesitate(doing: HandMotion, time: float) -> None:
    """On its way a piece rests for `time` on an empty site beside its target; a seed, in a pit beside it."""
    for place in doing.fill():
        ((target, level),) = doing.touches[place].changes
        shown, seeds = doing.shown(place), doing.around.seeds
        spots = doing.beside(target, [site for site, there in shown.items() if seeds or not there])
        if spots:
            spot = doing.choose.choice(spots)
            there = (spot, shown[spot] + 1 if seeds else level)
            back = (spot, shown[spot])
            doing.between(place, [Touch(doing.about(0.3), (there,)), Touch(doing.about(time), (back,))])


def off_centre(doing: HandMotion, time: float) -> None:
    """A piece is put down between the sites: its own shows it, loses it, and has it again `time` later."""
    for place in doing.fill():
        doing.between(place, doing.undone(place, doing.touches[place : place + 1], time))


def wrong_piece(doing: HandMotion, time: float) -> None:
    """Another piece, or pit of seeds, is lifted first and put back."""
    standing = [site for site, level in doing.still().items() if level]
    for place in doing.own()[:1]:
        doing.between(place, doing.off(place, doing.some(standing, 1, 1), 0.3, time))


def sweep(doing: HandMotion, time: float) -> None:
    """A sleeve sweeps off up to five pieces that stand together, and each is put back."""
    place = doing.choose.randrange(len(doing.touches))
    standing = [site for site, level in doing.shown(place).items() if level]
    for first in doing.some(standing, 1, 1):
        doing.between(place, doing.off(place, [first, *doing.some(doing.beside(first, standing), 1, 4)], 0.02, time))


def knock_over(doing: HandMotion, time: float) -> None:
    """Most of the board goes over at once, and each piece is put back where it stood."""
    place = doing.choose.randrange(len(doing.touches))
    standing = [site for site, level in doing.shown(place).items() if level]
    most = doing.some(standing, len(standing) * 2 // 3, len(standing))
    doing.between(place, doing.off(place, most, 0.005, time))


def both_hands(doing: HandMotion, time: float) -> None:
    """Two hands at once: each act of the turn follows the one before within `time`; in a sowing, one of them."""
    later = doing.own()[1:]
    for place in doing.some(later, 1, 1) if doing.around.seeds else later:
        hurried = min(doing.touches[place].wait, doing.choose.uniform(0, time))
        doing.touches[place] = doing.touches[place]._replace(wait=hurried)


def taken(doing: HandMotion) -> list[int]:
    """The places of the captures at the end: what goes off whose sites no other act of the turn has to do with."""
    own = doing.own()
    sites = [[site for site, _ in touch.changes] for touch in doing.touches]
    alone = [place for place in own if all(sum(site in other for other in sites) == 1 for site in sites[place])]
    captures = [place for place in alone if not any(level for _, level in doing.touches[place].changes)]
    return [] if doing.around.seeds or len(captures) == len(own) else captures


def early_capture(doing: HandMotion, time: float) -> None:
    """A captured stone goes off before the move, or in the midst of it; the move goes on `time` later."""
    for place in doing.some(taken(doing), 1, 1):
        target = doing.choose.choice(doing.own())
        if target < place:
            capture = doing.touches.pop(place)
            doing.touches[target] = doing.touches[target]._replace(wait=doing.about(time))
            doing.between(target, [capture])


def late_capture(doing: HandMotion, time: float) -> None:
    """A captured stone stands for `time` before it is remembered."""
    for place in taken(doing)[:1]:
        doing.touches[place] = doing.touches[place]._replace(wait=doing.about(time))


def walk_away(doing: HandMotion, time: float) -> None:
    """In the midst of the turn nothing happens for `time`."""
    for place in doing.some(doing.own()[1:], 1, 1):
        doing.touches[place] = doing.touches[place]._replace(wait=doing.about(time))


def change_of_mind(doing: HandMotion, time: float) -> None:
    """Another turn is begun and taken back after `time`, and then the turn is made that was meant."""
    other = [Touch(*act) for act in doing.around.other]
    for place in doing.own()[:1] if other else ():
        begun = other[: doing.choose.randint(1, max(1, len(other) - 1))]
        doing.between(place, doing.undone(place, begun, time))


def abandon(doing: HandMotion, time: float) -> None:
    """The turn is begun, and after `time` given up: the board is as before it, and the turn is not made."""
    if len(doing.touches) > 1 and doing.made:
        doing.made = False
        begun = doing.touches[: doing.choose.randint(1, len(doing.touches) - 1)]
        doing.touches = doing.undone(0, begun, time)


KINDS: dict[str, Callable[[HandMotion, float], None]] = {
    "abandon": abandon,
    "both hands": both_hands,
    "bump": bump,
    "change of mind": change_of_mind,
    "early capture": early_capture,
    "hesitate": hesitate,
    "hover": hover,
    "knock over": knock_over,
    "late capture": late_capture,
    "nudge": nudge,
    "off centre": off_centre,
    "reach in": reach_in,
    "sweep": sweep,
    "walk away": walk_away,
    "wrong piece": wrong_piece,
}
"""Every kind of fumble by name; a hand that cannot fumble so in a turn does not."""


TIMES = {
    "both hands": 0.03,
    "bump": 0.04,
    "knock over": 0.25,
    "late capture": 5.0,
    "nudge": 0.8,
    "off centre": 0.15,
    "walk away": 12.0,
}
"""Seconds that a kind usually takes, where that is not 0.4."""


def sometimes(**rates: float) -> tuple[Mistake, ...]:
    """These kinds at these rates, with their usual times; an underscore is a space."""
    named = ((kind.replace("_", " "), rate) for kind, rate in rates.items())
    return tuple(Mistake(kind, rate, TIMES.get(kind, 0.4)) for kind, rate in named)


HANDS = {
    "steady": (),
    "careful": sometimes(bump=0.01, hover=0.03, hesitate=0.03, walk_away=0.02, late_capture=0.05),
    "hurried": sometimes(both_hands=0.2, early_capture=0.2, off_centre=0.05, reach_in=0.05, bump=0.05, nudge=0.02),
    "clumsy": sometimes(
        change_of_mind=0.03, hover=0.05, hesitate=0.05, wrong_piece=0.05, off_centre=0.1, bump=0.1, nudge=0.05,
        sweep=0.03, knock_over=0.005, early_capture=0.1, late_capture=0.1,
    ),
    "child": sometimes(
        abandon=0.05, change_of_mind=0.1, hover=0.15, hesitate=0.1, wrong_piece=0.15, off_centre=0.1, both_hands=0.05,
        bump=0.15, nudge=0.1, reach_in=0.1, sweep=0.05, knock_over=0.02, early_capture=0.1, walk_away=0.05,
    ),
} | {kind: sometimes(**{kind: 0.5}) for kind in KINDS}  # fmt: skip
"""Hands by name: how people are, and each kind by itself in every other turn."""
