"""One decision from the likelihood: count, wait, ask, or tell what is wrong, whichever is expected to cost the least.

A turn that counts is not final. While the likelihood remembers what it was counted for, it is replaced when another
becomes likelier, and dropped when it turns out to have been taken back. What is likely wrong is known at once as a
`doubt`, for soft light, and `told` only when it is all but certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Literal, NamedTuple

from firmware_bridge.reading.constants import USUAL, Constants
from firmware_bridge.reading.hypotheses import Hypothesis, Node, probabilities
from firmware_bridge.reading.likelihood import Likelihood
from firmware_bridge.reading.reliability import Reliability
from games.acts import steps
from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense

LOOKS = (0.0, 0.03, 0.08, 0.15, 0.3, 0.5, 0.8, 1.5, 2.5, 4.0, 7.0)
"""Seconds after a change at which the hypotheses are weighed again; guessed, as are the others here."""
DEPTH = 3
"""Turns that stay open to another reading."""
SETTLES, RESTS = 0.5, 0.98
"""Seconds of rest, and how likely it must be, after which what came between is forgotten."""
WORK = 3
"""Parts of the weighing that are done in one scan."""
UNDISPUTED = 0.999
"""The probability from which on the first turn since the root is not disputed."""

Call = Literal["wait", "ask", "tell"]


class Counted(NamedTuple):
    """A turn that counts, since `at` (seconds)."""

    turn: Turn[Position]
    after: Position
    at: float


class Decision(NamedTuple):
    """What follows from what was seen, besides the turns that count."""

    call: Call
    turns: tuple[Turn[Position], ...] = ()
    """To choose from, where it asks; the illegal one, where it tells, if it is one that the rules name."""


class LikelihoodReader:
    """Reads a game from `position`: `see` is shown each settled frame, `turns` are those that count by now."""

    def __init__(self, game: Game[Position], sense: Sense, position: Position, costs: Constants = USUAL) -> None:
        self._costs = costs
        self.likelihood = Likelihood(game, sense, position, costs)
        self.reliability = Reliability(game, sense, costs)
        """What is believed of the sensors."""
        self._numbers = {site: number for number, site in enumerate(game.sites)}
        self.likelihood.lies, self.likelihood.excursions = self.reliability.lies, self.reliability.excursions
        self.turns: list[Counted] = []
        """The turns that count, the first one first."""
        self.final = 0
        """How many of them stay as they are, but that hands may take them back."""
        self.decision = Decision("wait")
        self.doubt = 0.0
        """How likely it is that something is wrong, 0-1."""
        self.hypotheses: list[Hypothesis] = []
        """What the hands may have done, the likeliest first."""
        self._frame: Levels = ()
        self._due = inf
        self._look = 0

    def see(self, frame: Levels, now: float) -> bool:
        """A settled frame at `now` (seconds), the same object again while nothing changes; whether it was weighed."""
        frame = self.reliability.see(frame, now)
        if frame is not self._frame:
            first = not self._frame
            self._frame = frame
            self.likelihood.see(frame, now)
            if first:
                self.likelihood.begin(self.likelihood.root.position)
            self._look = 0
            self._due = now
        if now < self._due:
            self.likelihood.prepare()
            return False
        self._weigh(now)
        return True

    def put(self, position: Position) -> None:
        """Go on from `position`, which stands on the board whatever the sites show."""
        self.likelihood.begin(position)
        self.reliability.begin()
        self.final = len(self.turns)
        self.hypotheses = []
        self.decision, self.doubt = Decision("wait"), 0.0

    def _weigh(self, now: float) -> None:
        likelihood = self.likelihood
        quiet = now - likelihood.changed_at
        found = likelihood.weigh(now, [counted.after for counted in self.turns[self.final :]], WORK)
        if found is None:
            self._due = now
            return
        self.hypotheses = found
        while self._look < len(LOOKS) and LOOKS[self._look] <= quiet:
            self._look += 1
        self._due = likelihood.changed_at + LOOKS[self._look] if self._look < len(LOOKS) else inf
        shares = probabilities(self.hypotheses)
        if self._take_back(shares, quiet):
            return
        standing = self._count(self.hypotheses, shares, quiet, now)
        self._decide(self.hypotheses, shares, quiet, len(standing))
        self._go_on(standing, shares, quiet)

    def _take_back(self, shares: Sequence[float], quiet: float) -> bool:
        """Whether hands have taken back turns that were final: then these count no longer."""
        best = self.hypotheses[0]
        undone = best.node.undone
        weighed = zip(self.hypotheses, shares, strict=True)
        likely = sum(share for each, share in weighed if each.kind == "rest" and each.node.undone == undone)
        if not undone or best.kind != "rest" or best.node.net or likely < 1 - self._costs.kept or quiet < SETTLES:
            return False
        self.final -= undone
        del self.turns[self.final :]
        self.likelihood.take_back(undone)
        return True

    # Counting -----------------------------------------------------------------------------------

    def _count(
        self, hypotheses: Sequence[Hypothesis], shares: Sequence[float], quiet: float, now: float
    ) -> tuple[Node, ...]:
        """Let turns count, one after another, as long as that is expected to cost less than to wait."""
        known = self.turns[self.final :]
        path: tuple[Position, ...] = ()
        standing: tuple[Node, ...] = ()
        left = [pair for pair in zip(hypotheses, shares, strict=True) if not pair[0].node.undone]
        lost = 1 - sum(share for _, share in left)
        while True:
            left = [pair for pair in left if follows(pair[0], path)]
            mass: dict[Position, float] = {}
            likeliest: dict[Position, Hypothesis] = {}
            for hypothesis, share in left:
                if len(hypothesis.node.net) > len(path):
                    result = hypothesis.node.net[len(path)].position
                    mass[result] = mass.get(result, 0.0) + share
                    likeliest.setdefault(result, hypothesis)
            if not mass:
                break
            total = lost + sum(share for _, share in left)
            result = max(mass, key=mass.__getitem__)
            place = len(path)
            counted = known[place].after if place < len(known) else None
            if counted is not None and counted != result and mass.get(counted, 0.0) > self._costs.kept * total:
                result = counted
            share = mass[result] / total
            other, illegal = (each / total for each in self._rivals(left, (*path, result), likeliest[result]))
            loss = self._costs.wrong * other + self._costs.accepted * illegal
            loss += self._costs.amended * max(0.0, 1 - share - other - illegal)
            least = self._costs.count_quiet if quiet >= self._costs.quiet else self._costs.count
            if loss >= least and not (counted == result and share > self._costs.kept):
                break
            path = (*path, result)
            standing = likeliest[result].node.net[: len(path)]
        self._write(standing, known, now)
        return standing

    def _rivals(
        self, weighed: Sequence[tuple[Hypothesis, float]], path: tuple[Position, ...], best: Hypothesis
    ) -> tuple[float, float]:
        """How likely it is that other turns were made, whole, and look the same, though other pieces stand there.

        First legal ones, then such that end with an illegal one.
        """
        stands = best.node.position.cells
        shown = self.likelihood.shows(best.node.position)
        other = illegal = 0.0
        for hypothesis, share in weighed:
            if follows(hypothesis, path):
                continue
            if hypothesis.kind == "rest" and self._alike(hypothesis.node.position, shown):
                other += share
            elif hypothesis.kind == "illegal" and hypothesis.turn:
                after = hypothesis.turn.after
                illegal += share if after.cells != stands and self._alike(after, shown) else 0.0
        return other, illegal

    def _alike(self, position: Position, shown: Levels) -> bool:
        """Whether the sensors show this of `position`, those left out that are not believed."""
        doubtful, shows = self.reliability.doubtful, self.likelihood.shows(position)
        return shows == shown or all(
            level == other or site in doubtful for site, (level, other) in enumerate(zip(shows, shown, strict=True))
        )

    def _write(self, standing: Sequence[Node], known: Sequence[Counted], now: float) -> None:
        """The turns of `standing` count, those that counted already since when they did."""
        written: list[Counted] = []
        for place, node in enumerate(standing):
            same = place < len(known) and known[place].after == node.position and len(written) == place
            if same and all(old.after == new.after for old, new in zip(known, written, strict=False)):
                written.append(known[place])
            elif node.turn:
                written.append(Counted(node.turn, node.position, now))
        self.turns[self.final :] = written

    # Asking and telling -------------------------------------------------------------------------

    def _decide(self, hypotheses: Sequence[Hypothesis], shares: Sequence[float], quiet: float, depth: int) -> None:
        """Whether to ask or to tell what is wrong; nothing is said of a frame that has not stood."""
        wrong = [pair for pair in zip(shares, hypotheses, strict=True) if pair[1].kind in ("illegal", "astray")]
        self.doubt = sum(share for share, _ in wrong)
        whole = [
            (share, hypothesis)
            for share, hypothesis in zip(shares, hypotheses, strict=True)
            if hypothesis.kind == "rest" and len(hypothesis.node.net) > depth
        ]
        self.decision = Decision("wait")
        if quiet < self._costs.speak:
            return
        held, best = sum(share for share, _ in whole), max((share for share, _ in whole), default=0.0)
        unsure, patient = 1 - self._costs.scolded, quiet >= self._costs.quiet
        settled = self.doubt if patient else sum(share for share, each in wrong if not each.going_on)
        if settled > self._costs.scolded and held < unsure:
            _, first = max(wrong, key=lambda pair: pair[0])
            self.decision = Decision("tell", (first.turn,) if first.turn else ())
        elif held > unsure and held + self.doubt > 1 - unsure / 2 and (patient or best < self._costs.scolded):
            turns = {hypothesis.node.position: hypothesis.node.turn for _, hypothesis in whole}
            self.decision = Decision("ask", tuple(turn for turn in turns.values() if turn))

    # Going on -----------------------------------------------------------------------------------

    def _go_on(self, standing: tuple[Node, ...], shares: Sequence[float], quiet: float) -> None:
        """Forget what is not disputed any more: what came between, and in the end the first turn since the root."""
        best = self.hypotheses[0]
        if best.kind == "rest" and best.node.net == standing and quiet >= SETTLES:
            resting = sum(
                share
                for hypothesis, share in zip(self.hypotheses, shares, strict=True)
                if hypothesis.kind == "rest" and hypothesis.node.position == best.node.position
            )
            if resting > RESTS:
                self.likelihood.settle(best.node)
        if not standing:
            return
        first = standing[0]
        agreed = sum(
            share
            for hypothesis, share in zip(self.hypotheses, shares, strict=True)
            if hypothesis.node.net and hypothesis.node.net[0].position == first.position
        )
        if (len(standing) > 1 and agreed > UNDISPUTED) or len(standing) > DEPTH:
            self._learn(first, standing[1:])
            self.likelihood.advance(first)
            self.final += 1

    def _learn(self, first: Node, others: Sequence[Node]) -> None:
        """What the sensors showed of the `first` turn, now that it is not disputed; `others` followed it."""
        if first.turn:
            numbers = self._numbers
            later = {numbers[site] for node in others if node.turn for site, _ in steps(node.turn.acts)}
            later |= set() if first.owed is None else {first.owed}
            later.update(self.likelihood.handled)
            self.reliability.played(self.likelihood.root.position, first.turn, first.ended, later)


def follows(hypothesis: Hypothesis, path: Sequence[Position]) -> bool:
    """Whether the turns of `hypothesis` that stand lead through the positions of `path` first."""
    net = hypothesis.node.net
    return len(net) >= len(path) and all(node.position == due for node, due in zip(net, path, strict=False))
