"""One decision from the likelihood: count, wait, ask, or tell what is wrong, whichever is expected to cost the least.

A turn that counts is not final. While the likelihood remembers what it was counted for, it is replaced when another
becomes likelier, and dropped when it turns out to have been taken back. What is likely wrong is known at once as a
`doubt`, for soft light, and `told` only when it is all but certain.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Literal, NamedTuple

from firmware_bridge.reading.constants import USUAL, Constants
from firmware_bridge.reading.hypotheses import Hypothesis, Node, probabilities, those_seen
from firmware_bridge.reading.likelihood import LISTED_ILLEGAL, OPENED, Likelihood, is_blind
from firmware_bridge.reading.reliability import Reliability
from firmware_bridge.reading.upset import Moves, Upset
from firmware_bridge.reading.ways import LISTED_AT_ONCE, Options, moves
from games.acts import steps
from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense

LOOKS = (0.0, 0.03, 0.08, 0.15, 0.3, 0.5, 0.8, 1.5, 2.5, 4.0, 7.0)
"""Seconds after a change at which the hypotheses are weighed again; guessed, as are the others here."""
DEPTH = 3
"""Turns that stay open to another reading."""
RESTS = 0.98
"""How likely it must be that hands rest for what came between to be forgotten, after `speak` seconds."""
WORK = 80
"""How much of the weighing is done in one scan, as `likelihood.GAINED` and its like count it.

A guess: with 120 the slowest scans took half as long again or more, and a fifth fewer went on weighing.
"""
UNDISPUTED = 0.99
"""The probability from which on the first turn since the root is not disputed."""

SEED = 0.7
"""Seconds that it takes to sow a seed which no sensor shows; a guess at a slow hand."""
MENTIONED = 0.01
"""How likely a turn must be, of those that a question is about, to be named in it."""

Call = Literal["wait", "ask", "tell"]


class Counted(NamedTuple):
    """A turn that counts, made from `before`, since `at` (seconds)."""

    turn: Turn[Position]
    before: Position
    at: float = -inf

    @property
    def after(self) -> Position:
        """Where it led."""
        return self.turn.after


class Decision(NamedTuple):
    """What follows from what was seen, besides the turns that count."""

    call: Call
    turns: tuple[Turn[Position], ...] = ()
    """To choose from, where it asks; the illegal one, where it tells, if it is one that the rules name."""
    nodes: tuple[Node, ...] = ()
    """The same to choose from, as what hands have done."""


class Question(NamedTuple):
    """A question that was put while the board showed `frame`: touching a site answers that these turns were made."""

    frame: Levels
    answers: Mapping[int, tuple[Node, ...]]
    touched: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds that a frame must stand still."""

    settle: float = USUAL.speak
    """Before anything is asked, or told to be wrong."""
    undo: float = 2.0
    """Before a turn that was put back counts as taken back; until then another one may take its place. A guess."""
    left_off: float = 3.0
    """Before a turn left off is spoken of. A guess."""


class LikelihoodReader:
    """Reads a game from `position`: `see` is shown each settled frame, `turns` are those that count by now."""

    def __init__(
        self,
        game: Game[Position],
        sense: Sense,
        position: Position,
        costs: Constants = USUAL,
        patience: Patience | None = None,
    ) -> None:
        self.patience = patience or Patience()
        costs = replace(costs, speak=self.patience.settle) if patience else costs
        self._looks = sorted({*LOOKS, self.patience.settle, self.patience.undo, self.patience.left_off})
        self._costs = costs
        self.likelihood = Likelihood(game, sense, position, costs)
        self.reliability = Reliability(game, sense, costs)
        """What is believed of the sensors."""
        self._veiled = game.pieces == "seeds" and sense is Sense.PRESENCE
        """Whether no sensor counts the seeds."""
        self.upset = Upset()
        """What was swept off, and is to be put back before anything counts."""
        self._numbers = {site: number for number, site in enumerate(game.sites)}
        self.likelihood.lies, self.likelihood.excursions = self.reliability.lies, self.reliability.excursions
        self.raw: Levels = ()
        """The settled frame seen last."""
        self.frame: Levels = ()
        """What is believed of it."""
        self.turns: list[Counted] = []
        """The turns that count, the first one first."""
        self.final = 0
        """How many of them stay as they are, but that hands may take them back."""
        self._start, self._closed = position, False
        self.weighed_at = -inf
        """When some of what was seen was weighed last, in seconds."""
        self._to_lay = True
        """Whether the board has not shown the position yet that it was put to."""
        self._clear()

    def _clear(self) -> None:
        """Nothing is known of what the hands do."""
        self.standing: tuple[Node, ...] = ()
        """The turns that count and are not final, as what hands have done."""
        self.decision = Decision("wait")
        self.doubt = 0.0
        """How likely it is that something is wrong, 0-1."""
        self.hypotheses: list[Hypothesis] = []
        """What the hands may have done, the likeliest first, and how likely each is."""
        self.shares: Sequence[float] = ()
        self._question: Question | None = None
        self._lapsed = 0
        """How many of the turns that are not final have not been put back."""
        self.told = False
        """Whether players were told of something wrong, and it has not been put right."""
        self._sighted = False
        """Whether nothing was seen before this frame, and it shows what stood: there is no hand to wait for."""
        self._pressed = self._sowing = False
        """Whether Done was pressed, and whether there may be seeds in a hand."""
        self.patient = self.left_off = False
        """Whether nothing has changed for a while, or for so long that a turn under way has been left off."""
        self._due = -inf
        self._look = 0

    def dissolve(self) -> Iterator[None]:
        """Let go of all that is known, a little at each step; nothing may be asked afterwards."""
        self.hypotheses = []
        yield from self.likelihood.dissolve()

    # What is seen -------------------------------------------------------------------------------

    def see(self, frame: Levels, now: float) -> bool:
        """A settled frame at `now` (seconds), the same object again while nothing changes; whether it was weighed."""
        self.look(frame, now)
        return self.read(now)

    def look(self, frame: Levels, now: float) -> bool:
        """Take note of a settled frame at `now` (seconds); whether it differs from the one before."""
        self.raw = frame
        frame = self.reliability.see(frame, now)
        if frame is self.frame:
            return False
        self._change(frame, now)
        return True

    def read(self, now: float) -> bool:
        """Go on weighing what was seen by `now` (seconds), if it is due; whether there is news of hands or sensors."""
        learning = not self.reliability.learned
        if learning:
            self.reliability.learn()
        if now >= self._due:
            return self._weigh(now, WORK)
        if not learning:
            self.likelihood.prepare()
        return self.reliability.learned and self.reliability.news

    def _change(self, frame: Levels, now: float) -> None:
        first, before, self.frame = not self.frame, self.frame, frame
        self._sighted = not first and is_blind(before) and self._is_shown(self.position)
        if first:
            self.likelihood.see(frame, now)
        else:
            self._see_upset(before, frame, now)
        if first:
            self._begin()
        if self._to_lay and not self.standing and self._is_shown(self.position):
            self._to_lay = False
            self.likelihood.settle(self.likelihood.root)  # what pieces did on their way there was no turn
        self._look, self._due, self._pressed = 0, now, False
        if self._question:
            self._hear(self._question, frame, now)

    def _see_upset(self, before: Levels, frame: Levels, now: float) -> None:
        """Have weighed what was seen, but that pieces which were swept off are taken to stand until they are back."""
        likelihood = self.likelihood
        back = self.upset.see(before, frame, now, likelihood.shows(self.position))
        likelihood.handled |= dict.fromkeys(back, now)
        likelihood.see(self.upset.standing(frame), now)
        if self.upset.suspected:
            self._judge_upset(0)

    def _judge_upset(self, most: float) -> float:
        """Find out what was swept off, when all turns are listed, by `most` work: what is left of it, 0 if not yet."""
        turns = [self.likelihood.index.legal(self.position), self.likelihood.index.illegal(self.position)]
        for options in turns:
            while not options.whole:
                if most <= 0:
                    return 0
                options.list(LISTED_AT_ONCE)
                most -= LISTED_ILLEGAL
            for site in self.upset.sites:
                while not options.open(site):
                    if most <= 0:
                        return 0
                    most -= OPENED
        if fallen := self.upset.judge(self._emptying):
            self.likelihood.fell(fallen, self.upset.standing(self.frame))
        return most

    def _emptying(self, sites: Iterable[int]) -> Iterator[Moves]:
        """What each turn takes and lays that empties one of `sites`, legal or not; and taking back the last one."""
        index, position, sites = self.likelihood.index, self.position, list(sites)
        if self.turns:
            last = self.turns[-1]
            yield moves(index.way(index.passed(last.before), last.turn).reversed(None))
        for options in (index.legal(position), index.illegal(position)):
            yield from options.emptying(sites)

    def glimpse(self, sites: Iterable[int], now: float) -> None:
        """Take note that `sites` were empty at `now` (seconds), too shortly for a settled frame."""
        if self.likelihood.glimpse(sites, now):
            self._due = min(self._due, now)

    @property
    def position(self) -> Position:
        """Where the turns that count have led."""
        return self.turns[-1].after if self.turns else self._start

    def passed(self, position: Position) -> Position:
        """The position once the passes that are forced have been played."""
        return self.likelihood.index.passed(position)

    def known(self, position: Position) -> tuple[Turn[Position], ...] | None:
        """The turns that the rules allow in `position`, if they were listed for some hypothesis and none is forced."""
        return self.likelihood.index.known(position)

    def legal(self, position: Position) -> Options:
        """The turns that may be made from `position`, all listed."""
        return self.likelihood.index.legal(position).all()

    def illegal(self, position: Position) -> Options:
        """The illegal turns that people try in `position`, all listed."""
        return self.likelihood.index.illegal(position).all()

    @property
    def blind(self) -> bool:
        """Whether the sensors tell nothing."""
        return is_blind(self.frame)

    @property
    def pending(self) -> bool:
        """Whether more may follow from this frame if it goes on standing."""
        rests = self.hypotheses and self.hypotheses[0].kind == "rest" and self.hypotheses[0].node.net == self.standing
        return self._due < inf and not (rests and self._look > 0 and self.shares[0] > RESTS)

    @property
    def weighing(self) -> bool:
        """Whether what was seen last is not weighed to the end."""
        return self._due <= self.weighed_at

    @property
    def prepared(self) -> bool:
        """Whether the turns that may follow are listed, and what the last ones tell of the sensors is learned."""
        return self.likelihood.prepared and self.reliability.learned

    @property
    def at_work(self) -> bool:
        """Whether this frame is to be weighed again if it goes on standing, or turns that may follow to be listed."""
        return self._due < inf or not self.prepared

    def likely_next(self) -> list[Node]:
        """The turns made whole after those that count, which do not count yet; the likeliest first."""
        path = [counted.after for counted in self.turns[self.final :]]
        depth = len(path)
        resting = (each for each in self.hypotheses if each.kind == "rest" and not each.node.undone)
        nets = [each.node.net for each in resting if follows(each, path)]
        return list({net[depth].position: net[depth] for net in reversed(nets) if len(net) > depth}.values())[::-1]

    @property
    def unseen(self) -> float:
        """Seconds for which a slow hand may go on with the turn under way before a sensor shows anything of it."""
        return SEED * next((each.hidden for each in self.hypotheses if each.kind == "begun" and each.turn), 0)

    @property
    def rests(self) -> bool:
        """Whether most likely nothing was done after the turns that count, whatever the sensors show."""
        return bool(self.hypotheses) and self._rests(self.standing)

    # What players say ---------------------------------------------------------------------------

    def put(
        self, position: Position, played: Iterable[tuple[Position, Turn[Position]]] = (), *, closed: bool = False
    ) -> None:
        """Go on from `position`, which is to stand on the board whatever the sites show; `played` led there.

        `closed`: hands take nothing back.
        """
        self._start, self._closed = position, closed
        kept = [Counted(turn, before) for before, turn in played]
        same = sum(node.turn == made.turn for node, made in zip(self.standing, kept[self.final :], strict=False))
        self._learn(self.standing[:same])
        self.turns = kept
        self.reliability.begin()
        self.likelihood.taken_back.clear()
        self._to_lay = not self.frame or not self._is_shown(position)
        self._begin()

    def _begin(self) -> None:
        """What counts is final, and what stands on the board is to stand there, or is still to be put right."""
        if self.upset:
            self.upset.clear()
            self.likelihood.see(self.frame, self.likelihood.changed_at)
        self.final = len(self.turns)
        earlier = [] if self._closed else [(counted.before, counted.turn) for counted in self.turns]
        self.likelihood.begin(self.position, earlier)
        self._clear()

    def only(self, position: Position, turns: Sequence[Turn[Position]] | None) -> None:
        """Just these turns may be made from `position`; None: those that the rules allow."""
        self.likelihood.only(position, turns)
        self._due = min(self._due, self.likelihood.changed_at)

    @property
    def questioned(self) -> bool:
        """Whether a question was put that may still be answered."""
        return self._question is not None

    def ask(self, answers: Mapping[int, tuple[Node, ...]]) -> None:
        """A question is put: who touches one of these sites says that these turns were made since the root."""
        self._question = Question(self.frame, answers)

    def _hear(self, question: Question, frame: Levels, now: float) -> None:
        """Whether the question was answered by a touch: one of its sites, and nothing else, comes and goes."""
        changed = [site for site, (was, level) in enumerate(zip(question.frame, frame, strict=True)) if was != level]
        if not changed and question.touched is not None:
            self.choose(question.answers[question.touched], now)
        elif len(changed) == 1 and changed[0] in question.answers:
            self._question = question._replace(touched=changed[0])
        else:
            self._question = None

    def choose(self, made: Sequence[Node], now: float) -> None:
        """These turns were made since the root: the players say so."""
        undone = made[-1].undone if made else 0  # turns made before the root were taken back first
        self.turns[self.final - undone :] = self._counted(made, now)
        self._learn(() if undone else made)
        self._begin()
        self._due = now

    def righted(self) -> None:
        """The board is as it should be again, after players were told that it was not: what they did there is over."""
        self.told = False
        self.likelihood.settle(self.standing[-1] if self.standing else self.likelihood.root)
        self._due = self.likelihood.changed_at

    def tell(self, sites: Iterable[int]) -> None:
        """Players are told to put right what these sites show."""
        self.told = True
        self.likelihood.tell(sites)

    def forgive(self, but: Collection[int]) -> None:
        """The same for what is right again while a turn is under way, at its sites `but`."""
        self.told = False
        self.likelihood.settle(self.standing[-1] if self.standing else self.likelihood.root, but)

    def done(self, now: float) -> None:
        """Done is pressed: a turn is whole, by what its player says."""
        count = len(self.turns)
        self._pressed = True
        self._weigh(now, inf)
        if len(self.turns) != count:
            self._pressed = False
            self._weigh(now, inf)

    # Weighing -----------------------------------------------------------------------------------

    def _weigh(self, now: float, most: float) -> bool:
        """Weigh with so much work at `most`; whether that was done to the end."""
        likelihood, self.weighed_at = self.likelihood, now
        if self.blind:
            self.hypotheses, self.shares, self.decision, self.doubt, self._due = [], (), Decision("wait"), 0.0, inf
            return True
        if self.upset.suspected:
            most = self._judge_upset(most)
        if most <= 0:
            self._due = now
            return False
        found = likelihood.weigh(now, [counted.after for counted in self.turns[self.final :]], most)
        if found is None:
            self._due = now
            return False
        quiet = now - likelihood.changed_at
        self.patient, self.left_off = quiet >= self._costs.quiet, quiet >= self.patience.left_off
        looks = self._looks
        while self._look < len(looks) and likelihood.changed_at + looks[self._look] <= now:
            self._look += 1
        self._due = likelihood.changed_at + looks[self._look] if self._look < len(looks) else inf
        if self._pressed:
            found = self._told_whole(found)
        found = lawful(found, self._is_shown)
        shares = probabilities(found)
        self.hypotheses, self.shares = found, shares
        if self._take_back(shares, quiet):
            return True
        self.standing = self._count(found, shares, quiet, now)
        for counted in self.turns[self.final :]:
            likelihood.counts(counted.before, counted.turn)
        if not self.hypotheses:
            return True
        self._decide(found, shares, quiet, len(self.standing))
        self._go_on(self.standing, shares, quiet)
        return True

    def _told_whole(self, found: Sequence[Hypothesis]) -> list[Hypothesis]:
        """The same, where Done was pressed: a legal turn more than counts is likelier by that."""
        depth, less = len(self.turns) - self.final, self._costs.done
        told = (
            each._replace(cost=each.cost - less)
            if each.kind == "rest" and len(each.node.net) > depth and not unpaid(each)
            else each
            for each in found
        )
        return sorted(told, key=lambda each: each.cost)

    def _take_back(self, shares: Sequence[float], quiet: float) -> bool:
        """Whether hands have taken back turns that were final: then these count no longer."""
        best = self.hypotheses[0]
        undone = best.node.undone
        weighed = zip(self.hypotheses, shares, strict=True)
        likely = sum(share for each, share in weighed if each.kind == "rest" and each.node.undone == undone)
        veiled = self._is_veiled(self.turns[self.final - undone :])
        due = self._costs.speak if best.node.net else inf if veiled else self._lapses
        if self.upset or not undone or best.kind != "rest" or likely < self._costs.scolded or quiet < due:
            return False
        self._drop(len(self.turns) - self.final + undone)
        return True

    def _drop(self, count: int) -> None:
        """The last `count` turns were taken back by hand: what stood before them stands, and may be put again."""
        for lost in self.turns[-count:]:
            self.likelihood.taken_back[lost.before] = lost.after
        del self.turns[-count:]
        self._begin()
        self._due = self.likelihood.changed_at

    # Counting -----------------------------------------------------------------------------------

    def _count(
        self, hypotheses: Sequence[Hypothesis], shares: Sequence[float], quiet: float, now: float
    ) -> tuple[Node, ...]:
        """Let turns count, one after another, as long as that is expected to cost less than to wait."""
        self._sowing = False
        known = self.turns[self.final :]
        kept = 1 - self._costs.scolded
        path: tuple[Position, ...] = ()
        standing: tuple[Node, ...] = ()
        weighed = zip(hypotheses, shares, strict=True)
        left = [(each, share, each.net) for each, share in weighed if not each.node.undone]
        lost = 1 - sum(share for _, share, _ in left)
        while True:
            place = len(path)
            mass: dict[Position, float] = {}
            likeliest: dict[Position, Hypothesis] = {}
            for hypothesis, share, net in left:
                if len(net) > place:
                    result = net[place].position
                    mass[result] = mass.get(result, 0.0) + share
                    likeliest.setdefault(result, hypothesis)
            if not mass:
                break
            total = lost + sum(share for _, share, _ in left)
            result = max(mass, key=mass.__getitem__)
            counted = known[place].after if place < len(known) else None
            if counted is not None and counted != result and mass.get(counted, 0.0) > kept * total:
                result = counted
            share = mass[result] / total
            rivals = [(each, share) for each, share, net in left if len(net) <= place or net[place].position != result]
            other, illegal = (each / total for each in self._rivals(rivals, likeliest[result]))
            loss = self._costs.wrong * other + self._costs.accepted * illegal
            loss += self._costs.amended * max(0.0, 1 - share - other - illegal)
            if loss >= self._costs.count and not (counted == result and share > kept):
                break
            if counted != result and (
                self.upset
                or unpaid(likeliest[result])
                or self._still_sowing(likeliest[result], place, now)
                or (self._puts_right and quiet < self._costs.speak)  # pieces are carried about
            ):
                break
            path = (*path, result)
            standing = likeliest[result].node.net[: len(path)]
            left = [each for each in left if len(each[2]) > place and each[2][place].position == result]
        self._write(standing, known, quiet, now)
        return standing

    def _still_sowing(self, likeliest: Hypothesis, place: int, now: float) -> bool:
        """Whether seeds that no sensor shows may still be in the hand, at the end of what was seen."""
        node = likeliest.node
        if self._pressed or likeliest.kind != "rest" or len(node.net) != place + 1 or not (node.way and node.way.sown):
            return False
        only_lifted = node.way.hidden > 0 and len(those_seen(node.times)) == 1  # what is held in a hand looks so, too
        due = inf if only_lifted else node.ended + SEED * node.way.hidden
        self._sowing = now < due
        self._due = min(self._due, due) if self._sowing else self._due
        return self._sowing

    def _rivals(self, rivals: Sequence[tuple[Hypothesis, float]], best: Hypothesis) -> tuple[float, float]:
        """How likely it is that other turns were made, whole, and look the same, though other pieces stand there.

        First legal ones, then such that end with an illegal one.
        """
        stands = best.node.position.cells
        shown = self.likelihood.shows(best.node.position)
        other = illegal = 0.0
        for hypothesis, share in rivals:
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

    def _write(self, standing: Sequence[Node], known: Sequence[Counted], quiet: float, now: float) -> None:
        """The turns of `standing` count, those that counted already since when they did.

        A turn that was put back goes on counting for a while: another one may take its place.
        """
        written = self._counted(standing, now)
        same = 0
        while same < min(len(known), len(written)) and known[same].after == written[same].after:
            if same >= self._lapsed and known[same].turn != written[same].turn:
                break  # it was put back, and another one made that leads to the same
            same += 1
        self._lapsed = len(written) if len(written) < len(known) else len(known)
        if same < len(written):
            self.turns[self.final :] = [*known[:same], *written[same:]]
        elif same < len(known) and (self.upset or quiet >= self._lapses) and self._rests(standing):
            if self._is_veiled(known[same:]):
                return
            self._drop(len(known) - same)

    @property
    def _puts_right(self) -> bool:
        """Whether hands put right what players were told of, where sensors show when that is done."""
        return self.told and not self._veiled

    @property
    def _lapses(self) -> float:
        """Seconds of rest after which a turn that was put back counts no more: few where that was called for."""
        return self._costs.speak if self._puts_right else self.patience.undo

    def _rests(self, standing: Sequence[Node]) -> bool:
        """Whether most likely nothing was done after these turns."""
        best = self.hypotheses[0]
        return best.kind == "rest" and best.node.net == tuple(standing)

    @property
    def put_back(self) -> bool:
        """Whether turns that count were put back, as far as can be seen, where only Undo or the next turn says so."""
        if not (self._veiled and self.hypotheses and self._rests(self.standing)):
            return False
        lost = self.turns[self.final - self.hypotheses[0].node.undone :][len(self.standing) :]
        return self._is_veiled(lost)

    def _is_veiled(self, lost: Iterable[Counted]) -> bool:
        """Whether a picture does not take back one of these turns: the sensors have not shown all of its steps.

        Unless hands had begun to put it back by the time that it counted.
        """
        index = self.likelihood.index
        for turn, before, at in lost if self._veiled else ():
            way = index.way(index.passed(before), turn)
            if any(place < 0 for _, place in way.steps) and self.likelihood.first_change(way.keys) > at:
                return True
        return False

    def _counted(self, made: Iterable[Node], now: float) -> list[Counted]:
        """Turns made one after another since the root."""
        return [Counted(node.turn, node.parent.position, now) for node in made if node.turn and node.parent]

    # Asking and telling -------------------------------------------------------------------------

    def _decide(self, hypotheses: Sequence[Hypothesis], shares: Sequence[float], quiet: float, depth: int) -> None:
        """Whether to ask or to tell what is wrong; nothing is said of a frame that has not stood."""
        wrong = [pair for pair in zip(shares, hypotheses, strict=True) if pair[1].kind in ("illegal", "astray")]
        self.doubt = sum(share for share, _ in wrong)
        whole = [
            (share, hypothesis)
            for share, hypothesis in zip(shares, hypotheses, strict=True)
            if hypothesis.kind == "rest" and len(hypothesis.node.net) > depth and not unpaid(hypothesis)
        ]
        self.decision = Decision("wait")
        if quiet < self._costs.speak and not self._pressed:
            return
        if self.upset:
            self.doubt, self.decision = 1.0, Decision("tell")
            return
        held, best = sum(share for share, _ in whole), max((share for share, _ in whole), default=0.0)
        unsure, patient = 1 - self._costs.scolded, quiet >= self._costs.quiet
        # While a turn is on its way, a piece may be put down for a while.
        on_its_way = any(each.kind == "begun" and each.turn for each in hypotheses)
        may_be_told = self.left_off or (patient and not on_its_way)
        settled = self.doubt if may_be_told else sum(share for share, each in wrong if not each.going_on)
        if settled > self._costs.scolded and held < unsure:
            _, first = max(wrong, key=lambda pair: pair[0])
            self.decision = Decision("tell", (first.turn,) if first.turn else ())
        elif not self._sowing and held > unsure and self._may_ask(best, held, patient=patient):
            self.decision = self._question_of(whole, held)

    def _may_ask(self, best: float, held: float, *, patient: bool) -> bool:
        """Whether it is time for a question: at once if turns are as likely, else when nothing more is to come."""
        if self._pressed:
            return held > max(self.doubt, 0.5)
        soon = (patient and not self.told) or (best < self._costs.scolded and held > self.doubt)
        return soon and held + self.doubt > (1 + self._costs.scolded) / 2

    def _question_of(self, whole: Sequence[tuple[float, Hypothesis]], held: float) -> Decision:
        """Ask which of these turns were made; what is hardly one of them is left out."""
        nodes: dict[Turn[Position] | None, Node] = {}
        path = [node.position for node in self.standing]
        for share, hypothesis in whole:
            if share > MENTIONED * held and len(hypothesis.net) == len(path) + 1 and follows(hypothesis, path):
                nodes.setdefault(hypothesis.node.net[-1].turn, hypothesis.node)
        turns = tuple(node.net[-1].turn for node in nodes.values() if node.net[-1].turn)
        if not turns:
            return Decision("tell")  # nobody can be asked about two turns at once
        return Decision("ask", turns, tuple(nodes.values()))

    # Going on -----------------------------------------------------------------------------------

    def _go_on(self, standing: tuple[Node, ...], shares: Sequence[float], quiet: float) -> None:
        """Forget what is not disputed any more: what came between, and in the end the first turn since the root."""
        best = self.hypotheses[0]
        if (quiet >= self._costs.speak or self._sighted) and not self.put_back:
            shown = self._is_shown(self.position)
            if self._rests(standing):
                resting = sum(
                    share
                    for each, share in zip(self.hypotheses, shares, strict=True)
                    if (each.kind == "rest" and each.node.position == best.node.position)
                    or (shown and each.kind == "begun" and each.turn and each.node.net == best.node.net)
                )
                if resting > (0.5 if self.patient or self._sighted else RESTS):
                    self.likelihood.settle(best.node)
            elif shown and best.kind == "astray" and self.likelihood.settle((self.likelihood.root, *standing)[-1]):
                self._due = min(self._due, self.likelihood.changed_at)
        if not standing or self._question or self.decision.call == "ask":
            return  # what is asked about is told since the root
        first = standing[0]
        agreed = sum(
            share
            for hypothesis, share in zip(self.hypotheses, shares, strict=True)
            if hypothesis.node.net and hypothesis.node.net[0].position == first.position
        )
        if (len(standing) > 1 and agreed > UNDISPUTED) or len(standing) > DEPTH:
            self._learn(standing, 1)
            self.likelihood.advance(first, standing[-1])
            self.final += 1

    def _is_shown(self, position: Position) -> bool:
        """Whether the board shows `position`: then no piece is astray, however it came there."""
        due = self.likelihood.shows(position)
        return all(level in (stands, None) for level, stands in zip(self.frame, due, strict=True))

    def _learn(self, made: Sequence[Node], count: int | None = None) -> None:
        """What the sensors showed of the first `count` of these turns, which are not disputed any more, or of all."""
        before, numbers = self.likelihood.root.position, self._numbers
        for place, node in enumerate(made[:count]):
            if node.turn:
                others = [other.turn for other in made[place + 1 :] if other.turn]
                later = {numbers[site] for turn in others for site, _ in steps(turn.acts)}
                later |= set() if node.owed is None else {node.owed}
                later.update(self.likelihood.handled)
                self.reliability.played(before, node.turn, node.ended, later)
            before = node.position


def unpaid(hypothesis: Hypothesis) -> bool:
    """Whether the last turn still owes a piece, or still has one to take, and nothing has followed it."""
    node = hypothesis.node
    return hypothesis.kind == "rest" and bool(node.net) and node.net[-1].owed is not None and not node.due


def lawful(found: Sequence[Hypothesis], shown: Callable[[Position], bool]) -> list[Hypothesis]:
    """The same without what is wrong of which nothing is to be put right. `shown`: whether the board shows a position.

    Illegal turns that lead to what a likelier legal one leads to, or are the first steps of one that is under way; and
    pieces that stand elsewhere, where the board shows just what a legal turn leads to.
    """
    legal: dict[bytes, float] = {}
    lengths = {len(each.turn.steps) for each in found if each.kind == "illegal" and each.turn}
    begun = {
        (id(each.node), each.turn.steps[:count])
        for each in found
        if each.kind == "begun" and each.turn
        for count in lengths
    }
    for each in found:
        if each.kind == "rest" and each.node.turn and each.node.net:
            legal[each.node.position.cells] = min(each.cost, legal.get(each.node.position.cells, inf))
    made = any(each.kind == "rest" and each.node.turn and shown(each.node.position) for each in found)

    def is_lawful(wrong: Hypothesis, turn: Turn[Position]) -> bool:
        return legal.get(turn.after.cells, inf) <= wrong.cost or (id(wrong.node), turn.steps) in begun

    return [
        each
        for each in found
        if not (each.kind == "astray" and made)
        and not (each.kind == "illegal" and each.turn and is_lawful(each, each.turn))
    ]


def follows(hypothesis: Hypothesis, path: Sequence[Position]) -> bool:
    """Whether the turns of `hypothesis` that stand lead through the positions of `path` first."""
    net = hypothesis.net
    return len(net) >= len(path) and all(node.position == due for node, due in zip(net, path, strict=False))
