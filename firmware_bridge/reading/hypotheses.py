"""Hypotheses: what hands may have done, as turns made one after another, and what is under way after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import exp, inf, log
from typing import Literal, NamedTuple

from firmware_bridge.reading.alignment import State, Times
from firmware_bridge.reading.constants import Constants
from firmware_bridge.reading.ways import Way
from games.rules import Position, Turn

LATE = 0.3
"""Seconds after a turn was whole within which what is seen of it is not the next one's."""
PACE = 0.3
"""Seconds from one step to the next of which nothing can be seen, at the least; a guess."""
Ends = list[tuple[int, int, State]]
"""Sites through which a turn goes: how many states it brings there, and the last one."""
Kind = Literal["rest", "begun", "illegal", "astray"]


class Node:
    """Turns made one after another from the root on; `chain` has the last state of each site that they go through."""

    __slots__ = (
        "back", "base", "before", "bound", "chain", "children", "cost", "due", "ended", "ends", "firm", "moved",
        "order", "owed", "own", "parent", "passed", "path", "position", "prior", "stands", "times", "turn", "undone",
        "way",
    )  # fmt: skip

    def __init__(self, position: Position) -> None:
        self.position = position
        self.parent: Node | None = None
        self.turn: Turn[Position] | None = None
        self.way: Way | None = None
        self.owed: int | None = None
        """The site where a piece was not laid or taken when the next turn began; `due`, if it was later."""
        self.due = False
        self.back = False
        self.undone = 0
        """How many of the turns made before the root were taken back."""
        self.prior = 0.0
        self.order = 0.0
        """What the order of all steps costs, and `own` that of its last turn's, made at `times`; None: not asked."""
        self.own: float | None = 0.0
        self.moved: dict[int, float] | None = None
        """When its last turn has emptied or filled sites, in seconds; None: not asked."""
        self.times: list[float | None] = []
        self.bound = 0.0
        self.cost = inf
        self.base: dict[int, float] = {}
        """For each site that has changed, what it costs if nothing followed."""
        self.ended = -inf
        """When its last turn was whole, in seconds."""
        self.firm = -inf
        """When its last turn was whole but for steps that may pass unseen, in seconds."""
        self.path: tuple[object, ...] = ()
        """What tells it from others: each turn by where it leads, with what was taken back."""
        self.chain: dict[int, State] = {}
        self.ends: Ends = []
        """Those through which its last turn went."""
        self.passed: dict[int, State] = {}
        """The same, those of the last turn having come by its end."""
        self.before: tuple[Node, ...] = ()
        """The turns that still stand, each by the node at its end; but its own, if that `stands`."""
        self.stands = False
        self.children: dict[tuple[int, int | None], Node] = {}

    @property
    def net(self) -> tuple[Node, ...]:
        """The turns that still stand, each by the node at its end."""
        return (*self.before, self) if self.stands else self.before

    def after(self, position: Position) -> Node:
        """One turn more, at sites that are still to be told."""
        node = Node(position)
        node.parent = self
        node.chain = dict(self.chain)
        node.undone = self.undone
        return node

    def cut(self) -> None:
        """Nothing follows it any more."""
        self.children = {}

    def made(self) -> list[Node]:
        """The nodes from the first after the root to this one."""
        found, node = list[Node](), self
        while node.parent:
            found.append(node)
            node = node.parent
        return found[::-1]

    def goes_along(self, counted: Sequence[Position]) -> bool:
        """Whether all its turns are those that led to these positions."""
        alone = not self.back and self.owed is None and len(self.net) <= len(counted)
        return alone and all(node.position == due for node, due in zip(self.net, counted, strict=False))

    def whole_by(self, firm: float, stale: list[Node | State]) -> None:
        """The last turn was whole at `firm` (seconds); what followed it otherwise is `stale`."""
        if firm != self.firm:
            self.firm = firm
            stale += self.children.values()
            self.children = {}
            self.passed = {site: end.by(firm + LATE, most) for site, most, end in self.ends if site != self.owed}


class Hypothesis(NamedTuple):
    """What the hands may have done: the turns up to `node`, and then `kind`; `turn` is the one begun or illegal."""

    cost: float
    node: Node
    kind: Kind
    turn: Turn[Position] | None = None
    going_on: bool = False
    """Whether the illegal turn is not whole yet."""
    hidden: int = 0
    """How many steps of the turn under way come next of which nothing can be seen."""

    @property
    def returning(self) -> bool:
        """Whether the last turn is on its way back."""
        return self.kind == "begun" and self.turn is None

    @property
    def net(self) -> tuple[Node, ...]:
        """The turns that still stand, each by the node at its end."""
        return self.node.net[:-1] if self.returning else self.node.net


def entered(ends: Ends, which: Callable[[State], Times]) -> dict[int, Times]:
    """When each site came to the states that a turn brings there."""
    return {site: which(end.fit())[end.depth - most :] for site, most, end in ends}


def step_times(way: Way, came: Mapping[int, Times]) -> list[float | None]:
    """When each step of a turn was seen; None where it was not, inf where it is due. `came`: its states, by site."""
    return [
        None if place < 0 else times[place] if place < len(times := came[site]) else inf for site, place in way.steps
    ]


def ended_by(way: Way, times: Sequence[float | None], owed: int | None) -> float:
    """When a turn was whole (seconds), but for what it may owe at a site; `times`: of its steps, some of them seen."""
    if owed is None:
        return max(those_seen(times))
    last = max(place for place, (site, _) in enumerate(way.steps) if site == owed)
    others = (time for place, time in enumerate(times) if place != last and place not in way.inner)
    return max(those_seen(others), default=max(those_seen(times)))


def those_seen(times: Iterable[float | None]) -> list[float]:
    """Those of the times that are known."""
    return [time for time in times if time is not None and time < inf]


def idle(seconds: float, steps: int, costs: Constants) -> float:
    """What it costs that a turn of so many steps has not gone on for so long: the longest pause is at any of them."""
    scale = costs.left_scale / steps ** (1 / costs.left)
    return costs.left * log(1 + max(0.0, seconds) / scale)


def since(times: Sequence[float | None], now: float) -> float:
    """For how long (seconds) a turn has not gone on, but for the steps of which nothing can be seen, at its pace."""
    known = [(time, place) for place, time in enumerate(times) if time is not None and time < inf]
    (first, begun), (last, place) = min(known), max(known)
    pace = max(PACE, (last - first) / (place - begun)) if place > begun else PACE
    return now - last - pace * hidden_after(times, place)


def hidden_after(times: Sequence[float | None], place: int) -> int:
    """How many steps of which nothing can be seen come after the one at `place`, before one that is due."""
    return next((step for step, time in enumerate(times[place + 1 :]) if time is not None), 0)


def hidden_next(times: Sequence[float | None]) -> int:
    """The same after the step that was seen last."""
    return hidden_after(times, max((time, place) for place, time in enumerate(times) if time not in (None, inf))[1])


def pause(times: Sequence[float], costs: Constants) -> float:
    """What the longest pause between steps costs that were made at `times` (seconds)."""
    if len(times) < 2 or max(times) - min(times) <= costs.left_scale:
        return 0.0
    longest = max(later - sooner for sooner, later in pairwise(sorted(times)))
    return costs.left * log(1 + max(0.0, longest - costs.left_scale) / costs.left_scale)


def probabilities(hypotheses: Sequence[Hypothesis]) -> list[float]:
    """How likely each is, if it must be one of them."""
    least = min((hypothesis.cost for hypothesis in hypotheses), default=0.0)
    weights = [exp(least - hypothesis.cost) for hypothesis in hypotheses]
    total = sum(weights)
    return [weight / total for weight in weights]
