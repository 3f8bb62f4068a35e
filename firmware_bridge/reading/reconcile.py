"""What the hands are doing: one position at rest, all its turns, and the evidence since.

The theory, in rules that the code below follows one by one.

 1. Evidence. Since the last rest we keep, in order, the sites *touched* (their level changed) and the sites
    *emptied* (seen empty). A frame that equals the rest forgets both: a stone lifted and put back is nothing.
    Only where steps of a sowing are invisible (seeds by presence) a pit that was emptied keeps the turn alive.
    What is back as it was sooner than a hand could do it was only *glimpsed*: the table was bumped. Nor do pieces
    count that went off together as no turn takes them, and were put back before the turn went on: they were *spilt*.
 2. Fit. A turn fits the evidence when every site that differs from the rest shows a level that some step of the
    turn puts there, and when the first site of its path seen empty is one that the turn may lift first. (A refused
    turn cannot have filled a site before it lifted the stone that it fills it with; a legal one may have taken
    another.) A sowing begins with a lift. Seeds by presence (*strict*) show little but an order: there what was seen
    to change, one after another, must be how the turn begins, and the frame what it then shows.
 3. Parsimony. A touched site that is back as it stood, though the turn does not leave it so, is *unexplained*: a slip
    put right, a hesitation; and so is it if the new stone, which a push lays last, came before another of the row,
    any new stone before one that its act needs, or a seed before the lift. Of a whole row, either all inner sites
    were seen to move or none; those that were not count too. Of all turns that fit, legal or refused, only those with
    the least unexplained are alive; a refused turn that explains more than every legal one, glimpses included, makes
    the table go *Astray*, with its reason. No legal turn alive: Astray too, with every site that differs and what
    belongs there.
 4. Complete. The frame equals the result of a legal turn alive, and the lifts it owes were seen (of a strict turn:
    all that it shows). Owed are all but those of a row's inner sites, where a stone came in from behind. A stone
    seen replaced by another also shows that the row was pushed. Where several results remain, an owed lift was
    never seen, a refused turn fits as well and equals the frame too, or more is unexplained than the turn has sites:
    *Which?* The players answer by touching the site where the turn began.
    Where the turn is known beforehand no lift is owed: the picture of its result tells it, however it came about.
    A piece that is to be taken where another one comes (*swapped*) must be seen to go, or the turn is under way: a
    lifted piece in the hand looks the same.
 5. Otherwise the turn is under way. A turn is *sure* when it is complete, wholly explained, all its steps show,
    no other turn alive could go on from this frame, and what it captures went off as a hand takes it, one by one.
 6. A site that reads None fits anything; but once it was touched, a frame that fits through it is neither rest nor
    complete, and a turn that has to do with it is asked about. When all sites read None the table is Blind. History
    is forgiven where there can be none: after Blind, and after a restart. Owed lifts then need not have been seen.

`Fit` is how turns agree with the evidence: rules 2 and 3, and what rule 4 asks of one turn. `Reconciler` comes to the
verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from weakref import ref

from firmware_bridge.reading.evidence import Evidence
from firmware_bridge.reading.signature import SensorView, Signature
from firmware_bridge.reading.verdict import Astray, AtRest, Blind, Complete, UnderWay, Verdict, Which, sites_to_touch
from games.rules import Position, Turn
from hardware.device import Levels, Sense


class Fit:
    """The evidence `seen` by sensors of `sense`, and what players have answered; only reads the evidence.

    `chosen`: there is one result, known beforehand, so no lift must be seen to tell it from others.
    """

    def __init__(self, seen: Evidence, sense: Sense, *, chosen: bool) -> None:
        self._seen, self._sense = seen, sense
        self.chosen = chosen
        self.answer: int | None = None
        """The site that players have touched to say which turn it was."""
        self.meant: frozenset[Position] | None = None
        """The results that the answer stands for; None for all turns that begin there."""

    def best(self, signatures: Sequence[Signature]) -> tuple[tuple[Signature, ...], int]:
        """The ways that fit with the fewest sites unexplained, and that number."""
        scores = {signature: self.unexplained(signature) for signature in signatures if self.fits(signature)}
        fewest = min(scores.values(), default=0)
        return tuple(signature for signature, score in scores.items() if score == fewest), fewest

    def beside(self, signatures: Iterable[Signature]) -> int:
        """How much was glimpsed that the best of `signatures` does not explain."""
        return min(map(self._seen.glimpsed_beside, signatures), default=0)

    def fits(self, signature: Signature) -> bool:
        """Whether `signature` may be what the hands are making, or have made (rule 2); or is the answer."""
        evidence = self._seen
        put_there = all(signature.puts(site, evidence.frame[site]) for site in evidence.differs if site != self.answer)
        if self.answer is not None and signature.turn.reason is None:
            meant = signature.begins == self.answer if self.meant is None else signature.turn.after in self.meant
            return meant and put_there
        if signature.strict and evidence.emptied and not evidence.forgiving:
            seen, _ = evidence.followed(signature)
            return self._opened(signature) and seen > 0 and evidence.shows(signature.state(seen))
        return put_there and self._begun(signature) and (not signature.flips or self._in_turn(signature))

    def _in_turn(self, signature: Signature) -> bool:
        """Whether the pieces that become others were left alone until what must come before was there."""
        frame, rest, since = self._seen.frame, self._seen.rest, self._seen.since
        begun = [flip for flip in signature.flips if frame[flip] != rest[flip]]
        due = [(site, flip) for flip in begun for site in signature.awaited[flip]]
        return all(frame[site] != 0 and since(site) <= since(flip) for site, flip in due)

    def _opened(self, signature: Signature) -> bool:
        """Whether the pit seen empty first is that of a strict `signature`, or this one cannot be seen."""
        unseen = any(self._seen.frame[site] is None for site in signature.opens)
        return unseen or not signature.opens.isdisjoint(self._seen.emptied[0])

    def _begun(self, signature: Signature) -> bool:
        """Whether what was seen empty first is what `signature` may lift first."""
        first = next((group for group in self._seen.emptied if not group.isdisjoint(signature.shown)), None)
        if first is None:
            return not (signature.sown and self._seen.differs) or self._seen.forgiving
        return not signature.opens.isdisjoint(first) and (
            signature.turn.reason is None or self._seen.in_order(signature)
        )

    def unexplained(self, signature: Signature) -> int:
        """What was seen and is no part of `signature`; and the sites of its row that were not seen to move."""
        if signature.strict:
            return self._seen.followed(signature)[1]
        late = signature.sown and not self._seen.in_order(signature)
        unmoved = self.pictured(signature) and not self.dark(signature)
        return self._seen.back(signature) + late + (self._seen.unmoved(signature) if unmoved else 0)

    def dark(self, signature: Signature) -> bool:
        """Whether a site that `signature` has to do with cannot be seen."""
        return None in self._seen.frame and any(self._seen.frame[site] is None for site in signature.path)

    def pictured(self, signature: Signature) -> bool:
        """Whether the frame shows the result of `signature`."""
        return self._seen.shows(signature.after)

    def whole(self, signature: Signature) -> bool:
        """Whether the frame shows its result, and of a strict one each step was seen."""
        if not self.pictured(signature):
            return False
        if self._seen.forgiving or self.answer is not None:
            return True
        return not (signature.strict and self._seen.followed(signature)[0] < len(signature.seen)) and not (
            signature.swapped and self.capture_due(signature)
        )

    def capture_due(self, signature: Signature) -> bool:
        """Whether a piece is still to be taken whose site looks the same with the one that comes there."""
        return any(
            not (self._seen.glimpsed(site) or site in self._seen.replaced)
            for site in signature.swapped
            if self._seen.rest[site] == signature.after[site]
        )

    def lifts_seen(self, signature: Signature) -> bool:
        """Whether each lift that `signature` owes was seen, or need not be."""
        if self.chosen or self.answer is not None:
            return True
        if self._seen.forgiving:
            return not (signature.swapped and self.capture_due(signature))
        if not self._seen.replaced.isdisjoint(signature.shown):
            return True
        owed = {site for site in signature.owed if self._seen.frame[site] is not None}
        return signature.strict or all(map(self._seen.lifted, owed))

    def lifts_glimpsed(self, signature: Signature) -> bool:
        """Whether each lift owed was at least glimpsed, and the table was not bumped elsewhere.

        Any of its lifts will do where the picture tells the turn, and only a stone laid without one looks the same.
        """
        if not self._seen.shaken.keys() <= signature.lifts:
            return False
        if self._sense is Sense.PRESENCE:
            return all(map(self._seen.glimpsed, signature.owed))
        return any(map(self._seen.glimpsed, signature.lifts))

    def likeliest(self, refused: Sequence[Signature]) -> Signature:
        """The refused turn to speak of: one that equals the frame, begins where the hands did, and is short."""
        first = self._seen.first_emptied
        return min(
            refused,
            key=lambda signature: (not self.whole(signature), signature.origin not in first, len(signature.steps)),
        )


def lifting(watch: Reconciler) -> Callable[[], set[frozenset[int]]]:
    """Tells the sets of sites that turns of `watch` empty, and does not keep it alive: collecting takes 0.2 s."""
    seen_by = ref(watch)

    def lifts() -> set[frozenset[int]]:
        here = seen_by()
        return {signature.lifts for signature in here.signatures} if here else set()

    return lifts


class Reconciler:
    """The evidence about one position, fed with settled frames.

    `chosen`: there is one result, known beforehand, so no lift must be seen to tell it from others.
    """

    def __init__(
        self,
        sensors: SensorView,
        position: Position,
        turns: tuple[Turn[Position], ...] | None = None,
        *,
        chosen: bool = False,
    ) -> None:
        self.sensors = sensors
        self.position = position
        self.turns = sensors.game.turns(position) if turns is None else turns
        """The legal turns; none once the game is over, by whatever reason."""
        self.rest = sensors.frame(position)
        """What the sensors show of the position."""
        self._refused: list[Signature] = []
        self._preparing = self._prepare()
        self.seen = Evidence(self.rest, strict=sensors.strict, together=lifting(self))
        """The evidence since the last rest."""
        self.unexplained = 0
        """Of the last verdict's turns alive: how many sites they leave unexplained."""
        self._asked: dict[int, frozenset[Position] | None] = {}
        self._fit = Fit(self.seen, sensors.sense, chosen=chosen)

    @cached_property
    def signatures(self) -> tuple[Signature, ...]:
        """The legal turns as the sensors see them; of a pass they see nothing."""
        return tuple(self._signature(turn) for turn in self.turns if turn.acts)

    @property
    def refused(self) -> Sequence[Signature]:
        """The illegal turns people try, those that no sensor can tell from a legal one left out."""
        self.prepare(None)
        return self._refused

    def prepare(self, most: int | None = 4) -> None:
        """Work ahead on the turns, `most` of them at a time: while nothing moves there is time for it."""
        for _ in islice(self._preparing, most):
            pass

    def _prepare(self) -> Iterator[None]:
        legal = set()
        for signature in self.signatures:
            legal.add(signature.seen)
            yield
        for turn in self.sensors.game.tries(self.position) if legal else ():
            signature = self._signature(turn)
            if signature.seen not in legal:
                self._refused.append(signature)
            yield

    def _signature(self, turn: Turn[Position]) -> Signature:
        return self.sensors.signature(self.position, turn)

    # Evidence (rules 1 and 6) -----------------------------------------------------------------

    def feed(self, frame: Levels, now: float) -> None:
        """Take note of what has changed at `now` (seconds)."""
        answer = self._fit.answer
        if answer is not None and not self.seen.differs and frame[answer] == self.seen.frame[answer]:
            self._forget()  # the board was put back as it was, and another piece is touched
        touched = self.seen.feed(frame, now)
        if self.seen.blind:
            self._forget()
        answer = next((site for site in reversed(touched) if site in self._asked), None)
        if answer is not None:
            self._fit.answer, self._fit.meant = answer, self._asked[answer]

    def _forget(self) -> None:
        self.seen.forget()
        self.unask()

    def unask(self) -> None:
        """Whatever was asked and answered no longer counts."""
        self._asked, self._fit.answer, self._fit.meant = {}, None, None

    def forgive(self) -> None:
        """Owed lifts need no longer be seen: there was nobody to see them."""
        self.seen.forgiving = True

    def without(self, sites: Collection[int]) -> Reconciler:
        """The same, as it would be if `sites` could not be seen."""
        other = Reconciler(self.sensors, self.position, self.turns, chosen=self._fit.chosen)
        other.signatures, other._refused, other._preparing = self.signatures, self._refused, self._preparing
        other.seen.forgiving = self.seen.forgiving
        for at, frame in self.seen.frames():
            other.feed(tuple(None if site in sites else level for site, level in enumerate(frame)), at)
        return other

    def seen_from(self, position: Position) -> Reconciler:
        """What the board shows now, as it would be seen from another position."""
        other = Reconciler(self.sensors, position)
        other.feed(self.seen.frame, 0.0)
        return other

    # The verdict ------------------------------------------------------------------------------

    def verdict(self) -> Verdict:
        """What the evidence so far comes to."""
        if self.seen.blind:
            return Blind()
        if not self.seen.differs and not self.seen.hidden and not self._still_sowing():
            return self._rest()
        if self._fit.chosen and (carried_out := self._carried_out()):
            return carried_out
        signatures, self.unexplained = self._fit.best(self.signatures)
        if self.unexplained or not signatures:
            refused, more = self._fit.best(self.refused)
            if refused and (
                not signatures or more + self._fit.beside(refused) < self.unexplained + self._fit.beside(signatures)
            ):
                return self._slip(self._fit.likeliest(refused))
        if not signatures:
            return (
                Astray(self.seen.differs)
                if self.seen.differs
                else UnderWay(self.signatures)
                if self.signatures
                else AtRest()
            )
        return self._judge(signatures)

    def _carried_out(self) -> Complete | None:
        """The turn known beforehand, once the frame shows its result and one of its sites was touched: by any way."""
        for signature in self.signatures:
            if self._fit.whole(signature) and not self._fit.dark(signature) and not self.seen.hidden:
                self.unexplained = 0
                return None if signature.shown.keys().isdisjoint(self.seen.touched) else Complete(signature, sure=True)
        return None

    def _rest(self) -> AtRest | Which | Complete:
        """At rest; unless a turn was made of which the last is hidden by a site that cannot be seen."""
        if self.seen.emptied and None in self.seen.frame:
            made = tuple(filter(self._made, self.signatures))
            if made:
                return Complete(made[0], sure=True) if self.answered else Which(made)
        if not self.answered:  # else a piece is touched for an answer, where nothing else can be seen
            self._forget()
        self.seen.forgiving = False
        return AtRest()

    def _made(self, signature: Signature) -> bool:
        """Whether the frame shows the result of `signature`, and it was seen how it came about."""
        return self._fit.fits(signature) and self._fit.whole(signature) and self._fit.lifts_seen(signature)

    def _slip(self, refused: Signature) -> Astray:
        """The illegal turn was made, or begun; a whole one of a legal turn's name is put right toward that."""
        legal = next((signature for signature in self.signatures if signature.turn.text == refused.turn.text), None)
        if not legal or legal.sown or not self._fit.whole(refused):
            return Astray(self.seen.differs, refused)
        pairs = enumerate(zip(self.seen.frame, self.rest, strict=True))
        wrong = tuple(site for site, (level, rest) in pairs if level not in (legal.after.get(site, rest), None))
        return Astray(wrong, refused, legal)

    def beyond(self, turn: Turn[Position]) -> Astray | None:
        """What is wrong if the hands made `turn` and went on to an illegal one of its name; None if they did not."""
        named = (signature for signature in self.refused if signature.turn.text == turn.text)
        slips = [signature for signature in named if self._fit.whole(signature) and self._fit.fits(signature)]
        return self._slip(self._fit.likeliest(slips)) if slips else None

    def _still_sowing(self) -> bool:
        if not self.seen.emptied or self.seen.forgiving:
            return False
        return any(signature.veiled and self._fit.fits(signature) for signature in self.signatures)

    def _judge(self, signatures: tuple[Signature, ...]) -> Verdict:
        """Rules 4 and 5, for the legal turns alive."""
        whole = [signature for signature in signatures if self._fit.whole(signature)]
        seen = [signature for signature in whole if self._fit.lifts_seen(signature)]
        proven = seen or [signature for signature in whole if self._fit.lifts_glimpsed(signature)]
        if not proven:
            return Which(tuple(whole)) if whole else UnderWay(signatures)
        if (
            len({signature.turn.after for signature in proven}) > 1
            or self._disputed(proven[0])
            or self._unseen(proven[0])
        ):
            return Which(tuple(proven))
        if not self.answered and not proven[0].strict and self.unexplained > len(proven[0].path):
            return Which(tuple(proven))
        if rows := self._longer_rows(proven[0]):
            return Which((proven[0], *rows))
        others = (
            signature
            for signature in signatures
            if signature not in whole or (signature not in proven and self._fit.dark(signature))
        )
        if self.answered:
            return Complete(proven[0], sure=True)
        doubtful = self.unexplained or self.seen.forgiving or not seen or self.seen.swept(proven[0])
        sure = not doubtful and not any(signature.reached(self.seen.frame) for signature in others)
        return Complete(proven[0], sure and not proven[0].veiled)

    def _longer_rows(self, signature: Signature) -> list[Signature]:
        """Rows with the same frame that explain each touch, while `signature` does not; but not all their sites moved.

        So it looks where the sensors are too slow for the stones within a row.
        """
        if self.answered or not self.unexplained or not self.seen.back(signature):
            return []
        rows = (
            row
            for row in self.signatures
            if row.inner and row.turn.after != signature.turn.after and self._fit.pictured(row)
        )
        return [row for row in rows if self._fit.fits(row) and not self.seen.back(row) and self._fit.lifts_seen(row)]

    def _unseen(self, signature: Signature) -> bool:
        """Whether a site that was touched, or is part of `signature`, cannot be seen, and nobody has answered."""
        return self.seen.hidden or (not self.answered and self._fit.dark(signature))

    def ask(self, which: Which) -> None:
        """The question has been put: from now on touching one of its sites is the answer."""
        sites = sites_to_touch(self.sensors.game, which.signatures)
        by_results = any(site != other.begins for site, other in zip(sites, which.signatures, strict=True))
        self._asked = {
            site: frozenset(other.turn.after for at, other in zip(sites, which.signatures, strict=True) if at == site)
            if by_results
            else None
            for site in sites
            if site is not None
        }

    @property
    def answered(self) -> bool:
        """Whether the players have said which turn it was."""
        return self._fit.answer is not None

    def _disputed(self, signature: Signature) -> bool:
        """Whether a refused turn explains the same evidence and equals the frame too."""
        if self.answered:
            return False
        differs = set(self.seen.differs)
        return any(
            differs <= other.after.keys()  # first, for it is quick, and leaves few
            and not self._fit.dark(other)  # what cannot be seen speaks for nothing
            and self._fit.whole(other)
            and self._fit.fits(other)
            and self._fit.unexplained(other) <= self.unexplained
            and self.seen.glimpsed_beside(other) <= self.seen.glimpsed_beside(signature)
            and self._fit.lifts_seen(other)
            and other.turn.after.board != signature.turn.after.board
            for other in self.refused
        )

    def left_off(self) -> Signature | None:
        """The illegal turn that the hands would have made if they were to stop here; None if there is none."""
        refused, _ = self._fit.best([signature for signature in self.refused if self._fit.whole(signature)])
        return self._fit.likeliest(refused) if refused else None

    def likely(self, signatures: Iterable[Signature]) -> bool:
        """Whether hands would begin one of these as they have begun: with its origin, or with its first step."""
        first = self.seen.first_emptied
        return any(signature.origin in first or not first.isdisjoint(signature.path[:1]) for signature in signatures)

    def whole(self) -> Which | None:
        """The legal turns whose result the frame shows: those alive, else any, whatever of them was seen."""
        signatures, _ = self._fit.best(self.signatures)
        pictured = tuple(signature for signature in signatures or self.signatures if self._fit.pictured(signature))
        return Which(pictured) if pictured else None
