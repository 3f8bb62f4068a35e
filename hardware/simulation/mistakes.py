"""Hands that make mistakes: what goes wrong around a turn, as small changes of its touches.

Such a hand knows no rules either. It has the touches of a turn, sees what stands on the board and which sites lie
beside each other, and each `Mistake` inserts something: between two touches, or beside them, by another finger.
Whatever a mistake disturbs is put right again, so that the turn ends as it was meant. Only ``abandon`` leaves the
board as it was before the turn, and then `Performance.made` is False. The same seed makes the same mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from hardware.simulation.hands import HandMotion, Surroundings, Touch


@dataclass(frozen=True, slots=True)
class Mistake:
    """One `kind` of mistake (see `KINDS`): its chance in a turn, 0-1, and about how many seconds it takes."""

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

    `begins`: the place of the first touch that belongs to the turn; `kinds`: the mistakes that happened.
    """

    touches: list[Touch]
    begins: int = 0
    made: bool = True
    kinds: tuple[str, ...] = ()


class Hands:
    """Hands that make these mistakes, each turn by chance; the same `seed` gives the same evening."""

    def __init__(self, mistakes: Sequence[Mistake], seed: int = 0) -> None:
        self.mistakes = tuple(mistakes)
        self.choose = Random(f"hands {seed}")
        """Whatever is left to chance."""

    def make(self, touches: Iterable[Touch], around: Surroundings) -> Performance:
        """The touches of a turn with whatever goes wrong this time."""
        motion = HandMotion(touches, around, self.choose)
        happened = []
        for mistake in self.mistakes:
            if motion.touches and self.choose.random() < mistake.rate:
                before = motion.touches[:]
                KINDS[mistake.kind](motion, mistake.time)
                happened += [mistake.kind] if motion.touches != before else []
        return performance(motion, tuple(happened))


def performance(motion: HandMotion, kinds: tuple[str, ...]) -> Performance:
    """What has become of a turn."""
    begins = next((place for place, touch in enumerate(motion.touches) if touch.own), 0)
    return Performance(motion.touches, begins, motion.made, kinds)


# The kinds ------------------------------------------------------------------------------------


def bump(motion: HandMotion, time: float) -> None:
    """The table is bumped: up to four pieces that the turn leaves alone lose their contact for `time`."""
    still = [site for site, level in motion.untouched().items() if level]
    place = motion.choose.randrange(len(motion.touches))
    for site in motion.sample(still, 1, 4):
        level = motion.around.before[site]
        jolted = level - 1 if motion.around.seeds else 0
        off, back = ((site, jolted),), ((site, level),)
        motion.overlay(place, [Touch(motion.varied(0.02), off), Touch(motion.varied(time), back)])


def nudge(motion: HandMotion, time: float) -> None:
    """A sleeve takes a stone along to the empty site beside it, or a seed into the pit beside it; back after `time`."""
    still, seeds = motion.untouched(), motion.around.seeds
    free = [site for site, level in still.items() if seeds or not level]
    pairs = [(site, other) for site, level in still.items() if level for other in motion.beside(site, free)]
    if not pairs:
        return
    origin, target = motion.choose.choice(pairs)
    had, moved = still[origin], 1 if seeds else still[origin]
    left, reached = (origin, had - moved), (target, still[target] + moved)
    there = [Touch(0.02, (left,)), Touch(motion.varied(0.05), (reached,))]
    back = [Touch(motion.varied(time), ((target, still[target]),)), Touch(motion.varied(0.05), ((origin, had),))]
    motion.overlay(motion.choose.randrange(len(motion.touches)), there + back)


def reach_in(motion: HandMotion, time: float) -> None:
    """Another player lifts a piece as the turn ends, and puts it back `time` later."""
    standing = [(site, level) for site, level in motion.untouched().items() if level]
    if standing:
        site, level = motion.choose.choice(standing)
        lifted = Touch(motion.varied(0.05), ((site, 0),))
        motion.overlay(max(0, len(motion.touches) - 2), [lifted, Touch(motion.varied(time), ((site, level),))])


def hover(motion: HandMotion, time: float) -> None:
    """The first touch is made, taken back after `time`, and made again."""
    for place in motion.own_places()[:1]:
        motion.insert(place, motion.made_and_undone(place, motion.touches[place : place + 1], time))


def hesitate(motion: HandMotion, time: float) -> None:
    """On its way a piece rests for `time` on an empty site beside its target; a seed, in a pit beside it."""
    for place in motion.any_placement():
        ((target, level),) = motion.touches[place].changes
        shown, seeds = motion.shown(place), motion.around.seeds
        spots = motion.beside(target, [site for site, there in shown.items() if seeds or not there])
        if spots:
            spot = motion.choose.choice(spots)
            there = (spot, shown[spot] + 1 if seeds else level)
            back = (spot, shown[spot])
            motion.insert(place, [Touch(motion.varied(0.3), (there,)), Touch(motion.varied(time), (back,))])


def off_centre(motion: HandMotion, time: float) -> None:
    """A piece is put down between the sites: its own shows it, loses it, and has it again `time` later."""
    for place in motion.any_placement():
        motion.insert(place, motion.made_and_undone(place, motion.touches[place : place + 1], time))


def wrong_piece(motion: HandMotion, time: float) -> None:
    """Another piece, or pit of seeds, is lifted first and put back."""
    standing = [site for site, level in motion.untouched().items() if level]
    for place in motion.own_places()[:1]:
        motion.insert(place, motion.taken_off(place, motion.sample(standing, 1, 1), 0.3, time))


def sweep(motion: HandMotion, time: float) -> None:
    """A sleeve sweeps off up to five pieces that stand together, and each is put back."""
    place = motion.choose.randrange(len(motion.touches))
    standing = [site for site, level in motion.shown(place).items() if level]
    for first in motion.sample(standing, 1, 1):
        motion.insert(
            place, motion.taken_off(place, [first, *motion.sample(motion.beside(first, standing), 1, 4)], 0.02, time)
        )


def knock_over(motion: HandMotion, time: float) -> None:
    """Most of the board goes over at once, and each piece is put back where it stood."""
    place = motion.choose.randrange(len(motion.touches))
    standing = [site for site, level in motion.shown(place).items() if level]
    most = motion.sample(standing, len(standing) * 2 // 3, len(standing))
    motion.insert(place, motion.taken_off(place, most, 0.005, time))


def both_hands(motion: HandMotion, time: float) -> None:
    """Two hands at once: each touch of the turn follows the one before within `time`; in a sowing, one of them."""
    later = motion.own_places()[1:]
    for place in motion.sample(later, 1, 1) if motion.around.seeds else later:
        hurried = min(motion.touches[place].wait, motion.choose.uniform(0, time))
        motion.touches[place] = motion.touches[place]._replace(wait=hurried)


def captures(motion: HandMotion) -> list[int]:
    """The places of the captures that any moment of the turn is right for."""
    return [place for place, touch in enumerate(motion.touches) if touch.own and touch.capture]


def early_capture(motion: HandMotion, time: float) -> None:
    """A captured stone goes off before the move, or in the midst of it; the move goes on `time` later."""
    for place in motion.sample(captures(motion), 1, 1):
        target = motion.choose.choice(motion.own_places())
        if target < place:
            capture = motion.touches.pop(place)
            motion.touches[target] = motion.touches[target]._replace(wait=motion.varied(time))
            motion.insert(target, [capture])


def late_capture(motion: HandMotion, time: float) -> None:
    """A captured stone stands for `time` before it is remembered."""
    for place in captures(motion)[:1]:
        motion.touches[place] = motion.touches[place]._replace(wait=motion.varied(time))


def walk_away(motion: HandMotion, time: float) -> None:
    """In the midst of the turn nothing happens for `time`."""
    for place in motion.sample(motion.own_places()[1:], 1, 1):
        motion.touches[place] = motion.touches[place]._replace(wait=motion.varied(time))


def change_of_mind(motion: HandMotion, time: float) -> None:
    """Another turn is begun and taken back after `time`, and then the turn is made that was meant."""
    other = motion.around.other
    for place in motion.own_places()[:1] if other else ():
        begun = other[: motion.choose.randint(1, max(1, len(other) - 1))]
        motion.insert(place, motion.made_and_undone(place, begun, time))


def abandon(motion: HandMotion, time: float) -> None:
    """The turn is begun, and after `time` given up: the board is as before it, and the turn is not made."""
    if len(motion.touches) > 1 and motion.made:
        motion.made = False
        begun = motion.touches[: motion.choose.randint(1, len(motion.touches) - 1)]
        motion.touches = motion.made_and_undone(0, begun, time)


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
"""Every kind of mistake by name; one that a turn has no room for does not happen."""


TIMES = {
    "both hands": 0.03,
    "bump": 0.04,
    "knock over": 0.25,
    "late capture": 5.0,
    "nudge": 0.8,
    "off centre": 0.15,
    "walk away": 12.0,
}
"""Seconds that a kind usually takes (guessed), where that is not 0.4."""


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
"""Hands by name: four kinds of people (their rates are guessed), and each kind of mistake in every other turn."""
