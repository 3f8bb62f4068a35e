"""How turns agree with the evidence: rules 2 and 3 of `reading.reconcile`, and what rule 4 asks of one turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_bridge.reading.evidence import Evidence
from firmware_bridge.reading.signature import Way
from hardware.device import Sense


class Fit:
    """The evidence `seen` by sensors of `sense`, and what players have answered; only reads the evidence.

    `chosen`: there is one result, known beforehand, so no lift must be seen to tell it from others.
    """

    def __init__(self, seen: Evidence, sense: Sense, *, chosen: bool) -> None:
        self._seen, self._sense = seen, sense
        self.chosen = chosen
        self.answer: int | None = None
        """The site that players have touched to say where the turn began."""

    def best(self, ways: Sequence[Way]) -> tuple[tuple[Way, ...], int]:
        """The ways that fit with the fewest sites unexplained, and that number."""
        scores = {way: self.unexplained(way) for way in ways if self.fits(way)}
        fewest = min(scores.values(), default=0)
        return tuple(way for way, score in scores.items() if score == fewest), fewest

    def beside(self, ways: Iterable[Way]) -> int:
        """How much was glimpsed that the best of `ways` does not explain."""
        return min(map(self._seen.glimpsed_beside, ways), default=0)

    def fits(self, way: Way) -> bool:
        """Whether `way` may be what the hands are making, or have made (rule 2); or is the answer."""
        evidence = self._seen
        put_there = all(way.puts(site, evidence.frame[site]) for site in evidence.differs)
        if self.answer is not None and way.turn.reason is None:
            return way.begins == self.answer and put_there
        if way.strict and evidence.emptied and not evidence.forgiving:
            seen, _ = evidence.followed(way)
            return self._opened(way) and seen > 0 and evidence.shows(way.state(seen))
        return put_there and self._begun(way)

    def _opened(self, way: Way) -> bool:
        """Whether the pit seen empty first is that of a strict `way`, or this one cannot be seen."""
        unseen = any(self._seen.frame[site] is None for site in way.opens)
        return unseen or not way.opens.isdisjoint(self._seen.emptied[0])

    def _begun(self, way: Way) -> bool:
        """Whether what was seen empty first is what `way` may lift first."""
        first = next((group for group in self._seen.emptied if not group.isdisjoint(way.shown)), None)
        if first is None:
            return not (way.sown and self._seen.differs) or self._seen.forgiving
        return not way.opens.isdisjoint(first) and (way.turn.reason is None or self._seen.in_order(way))

    def unexplained(self, way: Way) -> int:
        """What was seen and is no part of `way`; and the sites of its row that were not seen to move."""
        if way.strict:
            return self._seen.followed(way)[1]
        late = way.sown and not self._seen.in_order(way)
        unmoved = self.pictured(way) and not self.dark(way)
        return self._seen.back(way) + late + (self._seen.unmoved(way) if unmoved else 0)

    def dark(self, way: Way) -> bool:
        """Whether a site that `way` has to do with cannot be seen."""
        return None in self._seen.frame and any(self._seen.frame[site] is None for site in way.path)

    def pictured(self, way: Way) -> bool:
        """Whether the frame shows the result of `way`."""
        return self._seen.shows(way.after)

    def whole(self, way: Way) -> bool:
        """Whether the frame shows its result, and of a strict one each step was seen."""
        unseen = way.strict and not self._seen.forgiving and self.answer is None
        return self.pictured(way) and not (unseen and self._seen.followed(way)[0] < len(way.seen))

    def lifts_seen(self, way: Way) -> bool:
        """Whether each lift that `way` owes was seen, or need not be."""
        if self.chosen or self._seen.forgiving or self.answer is not None:
            return True
        if not self._seen.replaced.isdisjoint(way.shown):
            return True
        owed = {site for site in way.owed if self._seen.frame[site] is not None}
        return way.strict or all(map(self._seen.lifted, owed))

    def lifts_glimpsed(self, way: Way) -> bool:
        """Whether each lift owed was at least glimpsed, and the table was not bumped elsewhere.

        Any of its lifts will do where the picture tells the turn, and only a stone laid without one looks the same.
        """
        if not self._seen.shaken.keys() <= way.lifts:
            return False
        if self._sense is Sense.PRESENCE:
            return all(map(self._seen.glimpsed, way.owed))
        return any(map(self._seen.glimpsed, way.lifts))

    def likeliest(self, refused: Sequence[Way]) -> Way:
        """The refused turn to speak of: one that equals the frame, begins where the hands did, and is short."""
        first = self._seen.first_emptied
        return min(refused, key=lambda way: (not self.whole(way), way.origin not in first, len(way.steps)))
