"""What hands did, as one likelihood. The theory; the costs are those of `firmware_bridge.reading.constants`, in nats.

1.  *Evidence* is what each site has shown, level after level with their times, since the last undisputed position, the
    *root*. Nothing is thrown away because it looks like rest; but a gap in which no site told anything is, if all of
    them tell afterwards what they told before.
2.  A *hypothesis* is a short sequence: turns made whole one after another from the root on, each perhaps taken back or
    with a debt, turns before the root taken back, illegal ones tried and put back; and then nothing, or a turn begun,
    one on its way back, an illegal one, whole or begun, or pieces that stand elsewhere.
3.  To each site it puts a sequence of *states*: the levels that its steps bring there, those of one turn after those
    of the one before. What the site has shown is *aligned* to them by a small hidden Markov model: each stretch of one
    level is either the present state, or a later one, or an *excursion*, which costs by its length. A state that was
    never seen costs, little within a row that slides, much where a hand has lifted. At most a site costs as much as a
    sensor that *lies*. Sequences that begin alike share their states (`reading.alignment`).
4.  The cost of a hypothesis is the sum over the sites, and soft terms: steps before others that they need, by how much;
    a turn begun and left for long; a turn begun before the one before has ended, up to a few tenths of a second; and
    the prior: one of so many legal turns, or that of taking back, of one of so many illegal turns, of pieces astray.
    The order is that of the times at which the alignment puts the levels there; where there are two such times, one is
    paid for. How likely a new stone does the pushing is learned from the rows that were pushed.
5.  The probability of a hypothesis goes with exp(-cost). Resting is one hypothesis among them: pieces adjusted, bumps
    and hovering are its excursions. A turn counted too early is replaced by itself, when another becomes likelier.
6.  The search is best first. A hypothesis is followed only while its bound, what its turns cost at least, is within a
    margin of the best. A changed site concerns only turns through it, and alignments go on where they were when it
    changed last. The work is done in parts, a few in each scan; turns are listed while nothing changes.
7.  The root moves on when only one turn is left that may have been the first, and another has followed it. As the board
    rests beyond doubt, excursions and what was taken back are forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush, nsmallest
from math import inf
from operator import attrgetter

from firmware_bridge.reading.alignment import TIE, Key, Site, State, Times
from firmware_bridge.reading.constants import USUAL, Constants
from firmware_bridge.reading.hypotheses import (
    LATE,
    Ends,
    Hypothesis,
    Node,
    ended_by,
    entered,
    hidden_next,
    idle,
    pause,
    since,
    step_times,
    those_seen,
)
from firmware_bridge.reading.upset import Fall
from firmware_bridge.reading.ways import LISTED_AT_ONCE, RELEASED, Options, Sites, TurnIndex, Way
from games.rules import Game, Position, Turn
from hardware.device import Levels, Sense

OVERLAPS = 0.5
"""Seconds before the end of a turn from which on what is seen may belong to the next."""
FIRST = 1000.0
"""Nats by which those that go on from what counts are followed before others."""
BEAM = 12
"""Nodes followed, at most, each time the hypotheses are weighed."""
FALLEN = 1.5
"""Nats that a piece which is missing costs less than one too many, for hands knock pieces off; a guess."""
AGAIN = 1.0
"""Nats that another turn costs more where one was taken back: that one is often put again; a guess."""
HURRIED, HURRIES = 0.25, 2
"""How much more is done in a scan that goes on weighing, for each weighing that changes have cut off since the last
whole one, as a share, and of how many at most; guessed. A scan that sees a change is the longest without it."""
GAINED, REFUSED, BEGAN, MADE, DECIDED = 1, 3, 4, 8, 30
LISTED, LISTED_ILLEGAL, OPENED = 2, 10, 8
"""What the parts of the work take, in about seven microseconds each where that was measured: what a site has shown, an
illegal turn, one under way, one made whole; the decision, which follows upon the search; and some turns that are
listed, legal or not, and ways that are worked out."""
PASSED_OVER = 16
"""Illegal turns that are looked at and not weighed, in a part of the work."""
LEAVES = 3
"""Nodes after which something wrong is looked for."""
TRIED = 3
"""Illegal turns after one position that may have been put back."""
BEFORE = 8
"""Turns made before the root that may be taken back by hand."""
TAKES = 0.25
"""Seconds that it takes at least to take back one turn more; a guess."""
ANOTHER, ANSWERED = 0.4, 0.5
"""Seconds that it takes at least to lay another piece where one was taken, and to take one that the other player has
laid; guesses."""
NOTHING: dict[Key, list[int]] = {}
"""The turns through a site that none goes through."""
DEEPEST = 4
"""Turns in a hypothesis, at most."""
EXPLAINED = 0.5
"""Nats below which nothing is left to explain."""
WHOLE, BEGUN, REACHED = attrgetter("whole_times"), attrgetter("begun_times"), attrgetter("reach_times")
"""When the states of a site were seen: if the last is the present one, if any is, and if the last was ever reached."""


class Likelihood:
    """Weighs what the hands have done since `position`, of `game`, as a table sees it by `sense`."""

    def __init__(self, game: Game[Position], sense: Sense, position: Position, costs: Constants = USUAL) -> None:
        self.costs = costs
        self.index = TurnIndex(game, sense, costs)
        self._stale: list[Node | State] = []
        """What is not needed any more. It is taken apart bit by bit, for nobody else collects what goes in circles."""
        self.lies = [costs.lie] * len(game.sites)
        """For each site what a lie costs at most, in nats; and a level that no step puts there, however short."""
        self.excursions = [costs.excursion] * len(game.sites)
        self.taken_back: dict[Position, Position] = {}
        """Where turns that were put back had led, by where they began: players may put again what they have undone."""
        self.likeliest: Node | None = None
        """The turns that were most likely made when it was weighed last."""
        self.frame: Levels = ()
        self._seen_last: Levels = ()
        """The frame before the sensors told nothing."""
        self.changed_at = -inf
        """When a site changed last, in seconds."""
        self._sites = [Site(level, costs, self._stale, counts=sense is Sense.COUNT) for level in self.shows(position)]
        """What each has shown."""
        self.handled: dict[int, float] = {}
        """Sites where hands have, since the root, done and undone what is no turn that stands; until when (seconds)."""
        self._glimpsed = [-inf] * len(game.sites)
        """When each was last empty too shortly for a frame of its own, in seconds."""
        self._now = -inf
        self._found: list[Hypothesis] = []
        self._searching: Iterator[int] | None = None
        self._cut_off = 0
        self._liars: list[int] = []
        self._elsewhere = costs.astray + costs.astray_site
        """What a piece costs that was put elsewhere for a while."""
        self.root = Node(position)
        self.begin(position)

    def begin(self, position: Position, earlier: Sequence[tuple[Position, Turn[Position]]] = ()) -> None:
        """From here on `position` stands, whatever the sites show.

        `earlier`: the turns that led there, which hands may take back, the last one last; each with where it was made.
        """
        for hypothesis in self._found:
            if hypothesis.kind == "rest" and hypothesis.node.position == position:
                for node in hypothesis.node.net:
                    self._learn(node)
                break
        self._found = []
        self._stale.append(self.root)
        self.root = Node(position)
        self.rest = self.shows(position)
        self._earlier = list(earlier[-BEFORE:])
        self._changed: dict[int, Site] = {}
        self._tried: dict[tuple[object, ...], list[tuple[Way, Turn[Position]]]] = {}
        self._searching = self.likeliest = None
        self.handled.clear()
        for site, (seen, level) in enumerate(zip(self._sites, self.rest, strict=True)):
            seen.rests(level)
            if self.frame and self.frame[site] != level:
                seen.begin([level, self.frame[site]], [-inf, self.changed_at])
                self._changed[site] = seen

    def only(self, position: Position, turns: Sequence[Turn[Position]] | None) -> None:
        """Just these turns may be made from `position`; None: those that the rules allow."""
        if self.index.only(position, turns):
            ended, firm = self.root.ended, self.root.firm
            self._stale.append(self.root)
            self.root = Node(self.root.position)
            self.root.ended, self.root.firm = ended, firm
            self._searching = self.likeliest = None

    def shows(self, position: Position) -> Levels:
        """What the sensors show of `position`."""
        return self.index.shows(position)

    def prepare(self) -> None:
        """Nothing has changed: list some of what may be needed soon, and take apart some of what is not."""
        if self.likeliest:
            self.index.prepare(self.likeliest.position)
        self._release()

    def _release(self) -> None:
        for _ in range(min(RELEASED, len(self._stale))):
            each = self._stale.pop()
            self._stale += each.children.values()
            each.cut()

    def dissolve(self) -> Iterator[None]:
        """Let go of all that is known, a little at each step; nothing may be asked afterwards."""
        self._stale += [self.root, *(seen.first for seen in self._sites)]
        for seen in self._sites:  # each state refers to its site: no garbage is to be left
            del seen.first
        self._found, self._searching, self.likeliest = [], None, None
        while self._stale:
            self._release()
            yield
        yield from self.index.dissolve()

    @property
    def prepared(self) -> bool:
        """Whether all that may be needed soon is listed, and nothing is left to be taken apart."""
        return not self._stale and (not self.likeliest or self.index.prepared(self.likeliest.position))

    # What is seen -------------------------------------------------------------------------------

    def see(self, frame: Levels, now: float) -> None:
        """Take note of a frame that differs from the one before."""
        if is_blind(frame):
            self._seen_last = self.frame
        elif frame == self._seen_last and is_blind(self.frame):
            self._forget_gap(frame)
        for site, level in enumerate(frame):
            seen = self._changed.get(site)
            if seen:
                if seen.levels[-1] != level:
                    seen.add(level, now)
                    if seen.told:
                        self.handled[site] = now
            elif level != self.rest[site]:
                seen = self._changed[site] = self._sites[site]
                seen.begin([self.rest[site], level], [-inf, now])
        self.frame, self.changed_at = frame, now
        self._cut_off += self._searching is not None
        self._searching = None

    def _forget_gap(self, frame: Levels) -> None:
        """The sensors told nothing for a while, and tell what they told before: then nothing was done meanwhile.

        Of a sensor that is not believed nothing was told before, either.
        """
        for site, seen in list(self._changed.items()):
            if seen.levels[-1] is None and frame[site] is not None:
                self._keep(site, len(seen.levels) - 1)

    def _keep(self, site: int, most: int) -> None:
        """Of what a site that has changed has shown only so much counts, from the beginning on."""
        seen = self._changed[site]
        levels, times = seen.levels[:most], seen.times[:most]
        if levels == [self.rest[site]]:
            del self._changed[site]
            levels, times = [], []
        seen.begin(levels, times)

    def fell(self, falls: Iterable[Fall], frame: Levels) -> None:
        """Pieces were swept off, and are taken to stand on: what their sites have shown since was nothing.

        `frame`: what the board would show if they did.
        """
        for fall in falls:
            if seen := self._changed.get(fall.site):
                self._keep(fall.site, sum(time < fall.at for time in seen.times))
            self.handled[fall.site] = inf
        self.frame, self._searching = frame, None

    def counts(self, position: Position, turn: Turn[Position]) -> None:
        """This turn, made from `position`, counts, and may still be changed for another."""
        for site, level in self.index.way(self.index.passed(position), turn).after.items():
            self._sites[site].counts(level)

    def glimpse(self, sites: Iterable[int], now: float) -> bool:
        """Take note that `sites` were empty at `now`, too shortly for a frame of its own; whether that is any news.

        It is none while a contact goes on fluttering: each scan might see that, and nothing would ever be weighed.
        """
        news = False
        for site in sites:
            level = self.frame[site] if self.frame else None
            fluttered, self._glimpsed[site] = now < self._glimpsed[site] + self.costs.flutter, now
            if not level or fluttered:
                continue
            seen = self._changed.get(site)
            if seen is None:
                seen = self._changed[site] = self._sites[site]
                seen.begin([level], [-inf])
            seen.add(0, now)
            seen.add(level, now)
            news = True
        if news:
            self._cut_off += self._searching is not None
            self._searching = None
        return news

    def first_change(self, sites: Iterable[int]) -> float:
        """When the first of `sites` came to show what it shows now (seconds); -inf if none of them has changed."""
        return min((self._changed[site].times[-1] for site in sites if site in self._changed), default=-inf)

    @property
    def touched(self) -> frozenset[int]:
        """The sites that have changed since the last undisputed position, as far as that is not forgotten."""
        return frozenset(self._changed)

    def touched_since(self, at: float) -> frozenset[int]:
        """Those of them that have changed after `at` (seconds)."""
        return frozenset(site for site, seen in self._changed.items() if seen.times[-1] > at)

    @property
    def emptied(self) -> frozenset[int]:
        """The sites that were seen empty since the last undisputed position, as far as that is not forgotten."""
        return frozenset(site for site, seen in self._changed.items() if 0 in seen.levels[1:])

    def _end(self, node: Node, site: int) -> State:
        return node.chain.get(site) or self._sites[site].first

    def _past(self, node: Node, site: int) -> tuple[State, float]:
        """The state of a site that a turn which follows `node` goes on from, and when that may begin (seconds)."""
        seen = self._sites[site]
        past = node.passed.get(site) or node.chain.get(site) or seen.first
        begins = node.firm - OVERLAPS
        return past, begins if len(seen.times) > 1 and seen.times[1] < begins else -inf

    def _then(self, node: Node, site: int, key: Key) -> State:
        """The last state of a site if a turn follows `node` that brings those of `key` there."""
        past, begins = self._past(node, site)
        return past.then(key, begins)[0]

    # Weighing -----------------------------------------------------------------------------------

    def weigh(self, now: float, counted: Sequence[Position] = (), most: float = inf) -> list[Hypothesis] | None:
        """The hypotheses within the margin, the best first; those that go on from the turns `counted` are not missed.

        These are told by the positions that they led to, one after another. None if more work than `most` is needed, as
        `GAINED` and its like count it: called again, it goes on, unless a site has changed. After that it does more,
        until it has come to an end.
        """
        left = most
        if self._searching is None:
            self._now = now
            self._searching = self._search(counted)
        else:
            left *= 1 + HURRIED * min(self._cut_off, HURRIES)
        for work in self._searching:
            left -= work
            if left <= 0:
                return None
        if left < DECIDED < most:
            self._searching = iter(())
            return None
        self._searching, self._cut_off = None, 0
        return self._found

    def _search(self, counted: Sequence[Position]) -> Iterator[int]:
        """Find the hypotheses, part by part; how much work each was."""
        for seen, lie, excursion in zip(self._sites, self.lies, self.excursions, strict=True):
            if seen.lie != lie or seen.excursion != excursion:
                seen.relies(lie, excursion)
        self._liars = [site for site, lie in enumerate(self.lies) if lie < self.costs.lie]
        for seen in self._changed.values():
            seen.weigh(self._now)
        root, margin = self.root, self.costs.margin
        root.bound = 0.0
        self._rest(root)
        found: list[Hypothesis] = [Hypothesis(root.cost, root, "rest")]
        heap: list[tuple[float, int, Node]] = [(0.0, 0, root)]  # what explains more comes first
        best, count = root.cost, 0
        followed: set[tuple[object, ...]] = set()
        while heap and len(followed) < BEAM:
            _, _, node = heappop(heap)
            if node.bound + min(node.cost - node.bound, self.costs.back) > best + margin:
                continue
            if node.path in followed:
                continue
            followed.add(node.path)
            options = self.index.legal(node.position)
            while not options.whole:
                options.list(LISTED_AT_ONCE)
                yield LISTED
            for site in node.base:
                while not options.open(site):
                    yield OPENED
            begun: dict[int, float] = {}
            made: dict[int, float] = {}
            for _ in self._gains(node, options, begun, made):
                yield GAINED
            for hypothesis in self._begun(node, options, begun, best):
                if hypothesis:
                    found.append(hypothesis)
                    best = min(best, hypothesis.cost)
                yield BEGAN
            for child in self._children(node, options, made, best):
                if child:
                    self._rest(child)
                    found.append(Hypothesis(child.cost, child, "rest"))
                    best = min(best, child.cost)
                    unexplained = child.cost - child.bound
                    if unexplained > EXPLAINED and len(child.net) <= DEEPEST:
                        count += 1
                        late = child.bound + unexplained / 2
                        heappush(heap, (late - FIRST if child.goes_along(counted) else late, count, child))
                yield MADE if child else BEGAN
            found += self._returning(node, best)
            found += self._going_back(node, best)
            yield MADE
        found.sort(key=lambda hypothesis: -hypothesis.cost)
        nodes = {hypothesis.node.path: hypothesis.node for hypothesis in found if hypothesis.kind == "rest"}
        strange = list(filter(self._strange, nodes.values()))
        leaves = nsmallest(LEAVES, strange, key=lambda node: node.bound + node.cost)
        known = [node for node in strange if node.goes_along(counted) and len(node.net) == len(counted)]
        if strange:  # what was done without any turn, and after those that count
            leaves += [node for node in (min(strange, key=self._floor), *known) if node not in leaves]
        for node in leaves:
            found += self._astray(node, best)
            yield MADE
            refused = self.index.illegal(node.position)
            while not refused.whole and self._is_near(node, refused, best):
                refused.list(LISTED_AT_ONCE)
                yield LISTED_ILLEGAL
            if self._is_near(node, refused, best):
                for site in node.base:
                    while not refused.open(site):
                        yield OPENED
                for wrong in self._illegal(node, refused, best):
                    found += [wrong] if wrong else []
                    yield REFUSED
        best = min(hypothesis.cost for hypothesis in found)
        each_once: dict[tuple[object, ...], Hypothesis] = {}
        for each in sorted((each for each in found if each.cost <= best + margin), key=likeliest_first):
            each_once.setdefault((each.kind, id(each.node), id(each.turn)), each)
        self._found = found = list(each_once.values())
        if found[0].kind == "illegal":
            self._try(found[0])
        self.likeliest = node = found[0].node
        while node.parent:
            if node.back:
                self.handled |= {site: node.ended for site, *_ in node.ends}
            node = node.parent

    def _try(self, hypothesis: Hypothesis) -> None:
        """An illegal turn was most likely tried: it may be put back."""
        if hypothesis.turn:
            tried = self._tried.setdefault(hypothesis.node.path, [])
            way = self.index.way(self.index.passed(hypothesis.node.position), hypothesis.turn)
            if all(way is not other for other, _ in tried):
                tried[:] = [(way, hypothesis.turn), *tried[: TRIED - 1]]

    def _rest(self, node: Node) -> None:
        """Work out what `node` costs if nothing followed it."""
        chain, total = node.chain, node.prior + node.order
        base = node.base = {}
        for site, seen in self._changed.items():
            state = chain.get(site) or seen.first
            base[site] = cost = state.fit().whole
            total += cost
        for site, state in chain.items():
            if site not in base:
                total += state.fit().whole
        node.cost = total + self._amends(node)

    def _amends(self, node: Node) -> float:
        """What the order costs more, if nothing follows, than it does at the times at which all was there first.

        Where a piece was gone again since, either that was an excursion, or the piece came to stay only then.
        """
        chain = node.chain
        gone = {site for site, state in chain.items() if state.whole_times != state.reach_times}
        if not gone:
            return 0.0
        more = sum(chain[site].stays() - chain[site].whole for site in gone)
        if more <= TIE:
            return 0.0
        order, ended = 0.0, self.root.ended
        for turn in node.made():
            came = {site: chain[site].whole_times[end.depth - most : end.depth] for site, most, end in turn.ends}
            if turn.way is None or turn.parent is None:
                order += turn.order - (turn.parent.order if turn.parent else 0.0)
                ended = max((time for times in came.values() for time in those_seen(times)), default=turn.ended)
                continue
            times = step_times(turn.way, came)
            if made := those_seen(times):
                order += self._own(turn.parent, turn.way, times, made) + self._gap(turn.way.begun(times) - ended)
                ended = ended_by(turn.way, times, turn.owed)
        return max(0.0, min(more, order - node.order))

    def _gains(self, node: Node, options: Options, begun: dict[int, float], made: dict[int, float]) -> Iterator[None]:
        """By how much each turn makes what was seen after `node` dearer: if it is under way, and if it was made."""
        for site, due in node.base.items():
            index = options.index.get(site)
            if not index:
                continue
            known = node.chain.get(site)
            before = known.fit().reach if known else 0.0
            past, begins = self._past(node, site)
            stamp = self._sites[site].stamp
            for end, missing, members in past.each(index, begins):
                if end.stamp != stamp:
                    end.fit()
                if gain := end.begun - due:
                    for place in members:
                        begun[place] = begun.get(place, 0.0) + gain
                if gain := end.reach - before - missing:
                    for place in members:
                        made[place] = made.get(place, 0.0) + gain
            yield

    def _prior(self, node: Node, after: Position, among: float) -> float:
        """What it costs that it is this turn that was made after `node`, and no other; `among`: that it is any one."""
        again = self.taken_back.get(node.position) if self.taken_back else None
        if again is None:
            return among
        return 0.0 if after == again else among + AGAIN

    def _unseen(self, way: Way) -> float:
        """What `way` costs if nothing of it was seen; less where a site that has not changed is known to lie."""
        unseen = way.unseen
        if not self._liars:
            return unseen
        for site in self._liars:
            if site in way.keys and site not in self._changed:
                missing = sum(skip for level, skip in way.keys[site] if level != way.before[site])
                unseen -= max(0.0, missing - self.lies[site])
        return unseen

    def _begun(
        self, node: Node, options: Options, gained: Mapping[int, float], best: float
    ) -> Iterator[Hypothesis | None]:
        """The turns that may be under way after `node`; None where one was weighed that is not."""
        start, margin = node.cost + options.log, self.costs.margin
        for place, gain in gained.items():
            cost = start + gain
            if gain < 0 and cost <= best + margin:
                way = options.way(place)
                ends = self._ends(node, way.sites)
                times = step_times(way, entered(ends, BEGUN))
                made = those_seen(times)
                if made and any(time == inf and step not in way.inner for step, time in enumerate(times)):
                    cost += self._order(node, way, ends, times, BEGUN)
                    aside = [site for site in self._foreign(node) if site not in way.keys]
                    until = min((self._changed[site].times[-1] for site in aside), default=self._now)
                    cost += idle(since(times, until), len(times), self.costs)  # then it is that which takes the time
                    if any(times[place] not in (None, inf) for place in way.landings):
                        cost -= sum(max(0.0, node.base[site] - self._elsewhere) for site in aside)
                    if cost <= best + margin:
                        best = min(best, cost)
                        yield Hypothesis(cost, node, "begun", options.turns[place], hidden=hidden_next(times))
                        continue
                yield None

    def _foreign(self, node: Node) -> list[int]:
        """The sites where a piece lies aside after `node`."""
        final, frame = self.shows(node.position), self.frame
        return [site for site in node.base if frame[site] and not final[site]]

    def _ends(self, node: Node, sites: Sites) -> Ends:
        return [(site, len(key), self._then(node, site, key)) for site, key in sites]

    def _children(
        self, node: Node, options: Options, gained: Mapping[int, float], best: float
    ) -> Iterator[Node | None]:
        """The turns that may have been made whole after `node`, and the last one taken back; None as in `_begun`."""
        costs = self.costs
        start = node.prior + node.order
        for state in node.chain.values():
            start += state.fit().reach
        limit, least, among = best + costs.margin, min(costs.debt, costs.back), options.log
        for place, gain in gained.items():
            way = options.way(place)
            bound = start + self._prior(node, options.turns[place].after, among) + self._unseen(way) + gain
            if bound <= limit:
                child = self._child(node, place, None, options)
                yield child if self._is_ordered(node, child, bound, limit) else None
            if way.owed and bound + least - costs.lie <= limit:
                yield from self._in_debt(node, place, bound, limit, options)
        if node.way and not node.back and node.parent:
            yield from self._taken_back(node, start, limit)
        elif not node.net and node.undone < len(self._earlier):
            yield from self._undone(node, start, limit)
        for way, _ in self._tried.get(node.path, ()):
            yield from self._put_back(node, way, start, limit)

    def _in_debt(self, node: Node, place: int, bound: float, limit: float, options: Options) -> Iterator[Node | None]:
        """The same turn, a piece of it not laid or not taken by its end; and then perhaps taken back."""
        way, debt = options.way(place), self.costs.debt
        for owed in way.owed:
            fit = self._then(node, owed, way.keys[owed]).fit()
            late = self._then(node, owed, dict(way.late(owed))[owed]).fit()
            less = bound - fit.reach + late.reach + debt
            if less - debt + min(debt, self.costs.back) <= limit:
                child = self._child(node, place, owed, options)
                if self._is_ordered(node, child, less, limit + debt):
                    if child.bound <= limit and (child.due or fit.whole > late.whole + debt):
                        yield child
                    yield from self._taken_back(child, child.bound, limit)
                yield None

    def _child(self, node: Node, place: int, owed: int | None, options: Options) -> Node:
        child = node.children.get((place, owed))
        if child is None:
            turn, way = options.turns[place], options.way(place)
            child = node.children[place, owed] = node.after(turn.after)
            child.ends = self._ends(node, way.sites if owed is None else way.late(owed))
            for site, _, end in child.ends:
                child.chain[site] = end
            child.turn, child.way, child.owed = turn, way, owed
            child.before, child.stands = node.net, True
            child.path = (*node.path, (turn.after, owed))
        child.prior = node.prior + self._prior(node, child.position, options.log)
        child.prior += 0.0 if owed is None else self.costs.debt
        return child

    def _is_ordered(self, node: Node, child: Node, bound: float, limit: float) -> bool:
        """Work out what the order of the last turn of `child` costs; whether it is still within the limit."""
        way = child.way
        if way is None:
            return False
        child.times, order, more = self._best_order(node, way, child.ends)
        child.own = child.moved = None
        made = those_seen(child.times)
        if not made:
            return False
        child.bound = bound + order + more
        if child.bound > limit:
            return False
        if child.owed is None:
            firm = [time for place, time in enumerate(child.times) if place not in way.inner and time is not None]
            child.whole_by(max(firm, default=max(made)), self._stale)
            child.ended = max(made)
        else:
            child.ended = ended_by(way, child.times, child.owed)
            child.whole_by(child.ended, self._stale)
            paid = child.times[max(place for place, (site, _) in enumerate(way.steps) if site == child.owed)]
            child.due = paid is not None and paid > child.ended + LATE
        child.order = node.order + order
        return True

    def _best_order(self, node: Node, way: Way, ends: Ends) -> tuple[list[float | None], float, float]:
        """When the steps were made, what their order costs, and how much more the sites do than at the least."""
        times = step_times(way, entered(ends, REACHED))
        order = self._order(node, way, ends, times, REACHED)
        if order > self.costs.overlap:
            more = sum(end.whole - end.reach for _, _, end in ends)
            if more < order:
                others = step_times(way, entered(ends, WHOLE))
                late = self._order(node, way, ends, others, WHOLE) if those_seen(others) else inf
                if late + more < order:
                    return others, late, more
        return times, order, 0.0

    def _taken_back(self, node: Node, start: float, limit: float) -> Iterator[Node]:
        """The last turn taken back."""
        way, parent, costs = node.way, node.parent, self.costs
        if way is None or parent is None:
            return
        child = node.children.get((-1, None))
        if child is None:
            child = node.children[-1, None] = self._back(node, parent.position, way.reversed(node.owed, at_once=True))
            child.before = node.net[:-1]
            child.path = (*node.path, "back")
        more = costs.back - (costs.debt if node.owed is not None else 0.0)
        child.prior, child.order = node.prior + more, node.order
        times = those_seen(node.times)
        made = self._own_order(node) + pause(times, costs)
        if self._is_reversed(node, child, start + more - made, limit):
            early = [None if time is not None and time > node.firm + LATE else time for time in node.times]
            same = len(those_seen(early)) == len(times)
            left = made if same else way.order(early, self._now, costs) + pause(those_seen(early), costs)
            child.order = node.order + left - made
            child.bound += left
            if child.bound <= limit:
                yield child

    def _undone(self, node: Node, start: float, limit: float) -> Iterator[Node]:
        """The last turn before the root taken back, or the one before what was taken back already."""
        position, turn = self._earlier[-1 - node.undone]
        sites = self.index.way(position, turn).reversed(None)
        if all(site not in self._changed for site, _ in sites):
            return
        child = node.children.get((-2, None))
        if child is None:
            child = node.children[-2, None] = self._back(node, position, sites)
            child.undone += 1
            child.path = (*node.path, "undone")
        child.prior = node.prior + self.costs.back
        child.order = node.order
        if self._is_reversed(node, child, start + self.costs.back, limit):
            if node.back:  # the turns made last are taken back first, one after another
                began = min(time for _, most, end in child.ends for time in those_seen(end.reach_times[-most:]))
                early = max(0.0, node.ended + TAKES - began) / self.costs.overlap_scale
                child.order += early**2
                child.bound += early**2
            if child.bound <= limit:
                yield child

    def _put_back(self, node: Node, way: Way, start: float, limit: float) -> Iterator[Node]:
        """An illegal turn that was tried, whole or not, and put back."""
        child = node.children.get((-3, id(way)))
        if child is None:
            child = node.children[-3, id(way)] = node.after(node.position)
            for site, key in way.tried:
                child.chain[site] = end = self._then(node, site, key)
                child.ends.append((site, len(key), end))
            child.back, child.before = True, node.net
            child.path = (*node.path, id(way))
        prior = self.costs.illegal + self.index.illegal(node.position).log
        child.prior, child.order = node.prior + prior, node.order
        child.bound = start + prior + self._more(node, child)
        ended = max((self._changed[site].times[-1] for site, *_ in child.ends if site in self._changed), default=-inf)
        if child.bound <= limit and ended > -inf:
            child.ended = ended
            child.whole_by(ended, self._stale)
            yield child

    def _returning(self, node: Node, best: float) -> Iterator[Hypothesis]:
        """The last turn may be on the way back."""
        limit = best + self.costs.margin
        for child in filter(None, (node.children.get((-1, None)), node.children.get((-2, None)))):
            cost, due = child.prior + child.order + node.cost - node.prior - node.order, False
            reached: list[tuple[int, int, State]] = []
            for site, most, end in child.ends:
                state = min((each.fit() for each in end.path(most + 1)), key=attrgetter("whole"))
                cost += state.whole - self._end(node, site).fit().whole
                due = due or state is not end
                reached.append((site, end.depth - most, state))
            if not due or cost > limit:  # what the times cost more is not less than nothing
                continue
            made = whole = -inf
            back = inf  # when the turn was whole at last, and the first step of the way back was made
            steps = {site: most for site, most, _ in node.ends} if child.parent and child.undone == node.undone else {}
            for site, first, state in reached:
                returned = those_seen(state.whole_times[first:])
                made, back = max([made, *returned]), min([back, *returned])
                whole = max([whole, *those_seen(state.whole_times[first - steps.get(site, 0) : first])])
            if back < whole:
                cost += self.costs.overlap + ((whole - back) / self.costs.overlap_scale) ** 2
            if made > -inf:
                cost += idle(self._now - made, sum(most for _, most, _ in child.ends), self.costs)
                if cost <= limit:
                    yield Hypothesis(cost, node, "begun")

    def _going_back(self, node: Node, best: float) -> Iterator[Hypothesis]:
        """An illegal turn that was tried may be on its way back: hands have begun to put right what it has changed.

        Unless what is left of it is a legal one.
        """
        strange = {*self._strange(node)}
        made = (self.shows(child.position) for child in node.children.values() if child.turn and child.owed is None)
        if any(all(level in (due, None) for level, due in zip(self.frame, shown, strict=True)) for shown in made):
            return
        for way, turn in self._tried.get(node.path, ()):
            child = node.children.get((-3, id(way)))
            if child is None or strange.isdisjoint(way.keys):
                continue
            cost, returned = node.cost + child.prior - node.prior, list[float]()
            for site, most, end in child.ends:
                forth = end.depth - most // 2
                back = (each.fit() for each in end.path(most // 2 + 1))
                state = min(back, key=attrgetter("whole"))
                cost += state.whole - self._end(node, site).fit().whole
                returned += those_seen(state.whole_times[forth:])
            if returned:
                cost += idle(self._now - max(returned), 2 * len(way.steps), self.costs)
                if cost <= best + self.costs.margin:
                    yield Hypothesis(cost, node, "illegal", turn, True)

    def _back(self, node: Node, position: Position, sites: Sites) -> Node:
        """What follows `node` if its last turn is taken back, to `position`."""
        child = node.after(position)
        for site, key in sites:
            past = node.passed.get(site) or self._end(node, site)
            child.chain[site] = end = past.then(key)[0]
            child.ends.append((site, len(key), end))
        child.back = True
        return child

    def _is_reversed(self, node: Node, child: Node, bound: float, limit: float) -> bool:
        """Work out what the sites cost if the last turn was taken back; whether that was seen, and within the limit."""
        child.bound = bound + self._more(node, child)
        times = (time for _, most, end in child.ends for time in those_seen(end.reach_times[-most:]))
        ended = max(times, default=-inf)
        if child.bound > limit or ended == -inf:
            return False
        child.ended = ended
        child.whole_by(ended, self._stale)
        return True

    def _more(self, node: Node, child: Node) -> float:
        """What the sites that `child` goes through cost more, at the least, than they do after `node`."""
        before = (node.chain.get(site) for site, *_ in child.ends)
        known = sum(state.fit().reach for state in before if state)
        return sum(end.fit().reach for *_, end in child.ends) - known

    def _order(
        self, node: Node, way: Way, ends: Ends, times: Sequence[float | None], which: Callable[[State], Times]
    ) -> float:
        """What the order of the steps costs, made after `node`: their own, and one turn after another."""
        made = those_seen(times)
        if not made:
            return 0.0
        ended, before, costs = node.ended, 0.0, self.costs
        if node.way and node.parent:  # what was seen where both turns go may be this one's, and not that one's
            joint = None
            for site, _, end in ends:
                if site in node.chain:
                    joint = joint or list(node.times)
                    entered = which(end.fit())
                    first = self._end(node.parent, site).depth
                    for place, state in node.way.seen.get(site, ()):
                        if first + state < len(entered):
                            joint[place] = entered[first + state]
            if joint is not None and joint != node.times:
                ended = max(those_seen(joint), default=ended)
                before = node.way.order(joint, self._now, costs) - self._own_order(node)
        elif node.back:
            theirs = {site: which(end.fit()) for site, _, end in ends}
            back = ((theirs.get(site) or end.fit().reach_times, end.depth, most) for site, most, end in node.ends)
            ended = max(those_seen(time for each, by, most in back for time in each[by - most : by]), default=ended)
        return before + self._own(node, way, times, made) + self._gap(way.begun(times) - ended)

    def _own(self, node: Node, way: Way, times: Sequence[float | None], made: Sequence[float]) -> float:
        """What the order of the steps of one turn costs, made after `node`; `made`: those of `times` that are known."""
        own = way.order(times, self._now, self.costs) + pause(made, self.costs)
        return own + self._same_piece(node, way, times)

    def _own_order(self, node: Node) -> float:
        """What the order of the steps of the last turn of `node` costs, worked out when it is asked for first."""
        if node.own is None:
            node.own = node.way.order(node.times, self._now, self.costs) if node.way else 0.0
        return node.own

    def _gap(self, seconds: float) -> float:
        """What it costs that a turn was begun so long after the one before had ended; less than 0: before it had."""
        costs = self.costs
        if seconds >= costs.reply:
            return 0.0
        if seconds >= 0:
            return costs.overlap * (1 - seconds / costs.reply)
        return costs.overlap + (seconds / costs.overlap_scale) ** 2

    def _same_piece(self, node: Node, way: Way, times: Sequence[float | None]) -> float:
        """What it costs that a site fills so soon after the turn before has emptied it, or the other way round.

        Most likely that is one piece: it was carried past, its contact was lost, or what was taken is put back.
        """
        if not node.way or node.back:
            return 0.0
        before, early = self._moved(node, node.way), 0.0
        for (site, state), time in zip(way.steps, times, strict=True):
            if state >= 0 and time is not None and site in before and time > before[site]:
                laid = bool(node.way.after[site])
                if laid != bool(way.after[site]):
                    early = max(early, (ANSWERED if laid else ANOTHER) - (time - before[site]))
        return (early / self.costs.overlap_scale) ** 2

    def _moved(self, node: Node, way: Way) -> dict[int, float]:
        """When the last turn of `node`, made by `way`, has emptied or filled sites (seconds); worked out when asked."""
        if node.moved is None:
            taken = len(way.acts) > 1
            node.moved = {
                site: time
                for (site, state), time in zip(way.steps, node.times, strict=True)
                if state >= 0 and time is not None and (taken or way.after[site])
            }
        return node.moved

    # Something wrong ----------------------------------------------------------------------------

    def _strange(self, node: Node) -> list[int]:
        """The sites that show something else than is due after `node`."""
        final, frame = self.shows(node.position), self.frame
        return [site for site in node.base if frame[site] is not None and frame[site] != final[site]]

    def _floor(self, node: Node) -> float:
        """What `node` costs at least whatever followed."""
        return node.cost - sum(node.base.values())

    def _is_near(self, node: Node, refused: Options, best: float) -> bool:
        """Whether an illegal turn after `node` may be so likely that it is looked for."""
        return self._floor(node) + self.costs.illegal + refused.log < best + self.costs.margin

    def _astray(self, node: Node, best: float) -> Iterator[Hypothesis]:
        """Pieces stand elsewhere after `node`."""
        costs, strange = self.costs, self._strange(node)
        left = dict(node.parent.way.sites) if node.back and node.parent and node.parent.way else {}
        if any(site in left for site in strange):
            return
        if self._floor(node) + costs.astray + costs.astray_site <= best + costs.margin:
            gone: list[float] = []
            come: list[float] = []  # what has come to a site may have gone from another: then it is one piece
            for site in strange:
                saved = self._end(node, site).before_now() + costs.astray_site - node.base[site]
                if self.frame[site]:
                    come.append(saved)
                else:
                    gone.append(saved - FALLEN)
            more = sum(min(0.0, saved) for saved in come + gone)
            if gone and come:
                more -= costs.astray_site / 2 * min(sum(saved < 0 for saved in gone), sum(saved < 0 for saved in come))
            yield Hypothesis(node.cost + costs.astray + more, node, "astray")

    def _illegal(self, node: Node, refused: Options, best: float) -> Iterator[Hypothesis | None]:
        """The illegal turns that may have been made after `node`, or begun and left; None as in `_begun`."""
        costs = self.costs
        start, limit = node.cost + costs.illegal + refused.log, best + costs.margin
        whole: dict[int, float] = {}
        begun: dict[int, float] = {}
        for site, due in node.base.items():
            past, begins = self._past(node, site)
            stamp = self._sites[site].stamp
            for end, missing, members in past.each(refused.index.get(site, NOTHING), begins):
                if end.stamp != stamp:
                    end.fit()
                stands, goes_on = end.whole - due - missing, end.begun - due
                for place in members:
                    whole[place] = whole.get(place, 0.0) + stands
                    begun[place] = begun.get(place, 0.0) + goes_on
            yield None
        for count, (place, gain) in enumerate(whole.items()):
            way = refused.way(place)
            if not count % PASSED_OVER:
                yield None
            for cost, which in ((start + self._unseen(way) + gain, REACHED), (start + begun[place], BEGUN)):
                if cost > limit:
                    continue
                ends = self._ends(node, way.sites)
                times = step_times(way, entered(ends, which))
                made = those_seen(times)
                if made and (which is REACHED or inf in times):
                    cost += self._order(node, way, ends, times, which)
                    if which is BEGUN:
                        cost += idle(since(times, self._now), len(times), costs)
                    turn = refused.turns[place]
                    _ = turn.steps  # worked out now, and not for all at once when they are sorted
                    yield Hypothesis(cost, node, "illegal", turn, which is BEGUN)
                else:
                    yield None

    # Going on -----------------------------------------------------------------------------------

    def settle(self, node: Node, but: Collection[int] = ()) -> bool:
        """The board rests after `node`, beyond doubt, at all sites `but` these; whether anything is forgotten.

        What came between, and what was taken back, was nothing.
        """
        forgets = False
        for site, seen in list(self._changed.items()):
            if site in but:
                continue
            entered = self._end(node, site).fit().whole_times
            levels: list[int | None] = [self.rest[site]]
            times = [-inf]
            for turn in node.net:
                for _, most, end in filter(lambda through: through[0] == site, turn.ends):
                    came = entered[end.depth - most : end.depth]
                    for state, time in zip(end.path(most), came, strict=False):
                        if time is not None and state.level != levels[-1]:
                            levels.append(state.level)
                            times.append(time)
            if levels[-1] != seen.levels[-1]:
                levels.append(seen.levels[-1])
                times.append(max(seen.times[-1], times[-1]))
            if len(levels) == 1:
                del self._changed[site]
                seen.begin([], [])
            elif len(levels) < len(seen.levels):
                seen.begin(levels, times)
            else:
                continue
            forgets = True
        self._searching = None
        return forgets

    def tell(self, sites: Iterable[int]) -> None:
        """Players are told to put right what these sites show."""
        for site in sites:
            if seen := self._changed.get(site):
                seen.told.add(seen.times[-1])

    def _learn(self, node: Node) -> None:
        """How the row was pushed in the last turn of `node`, which is undisputed."""
        if node.way and node.way.pushed >= 0:
            self.index.learn(by_new_stone=node.times[node.way.pushed] is None)

    def advance(self, node: Node, last: Node) -> None:
        """`node`, a turn after which others were made up to `last`, is undisputed: it becomes the root."""
        final = self.shows(node.position)
        self._learn(node)
        if node.parent and node.turn:
            self._earlier = [*self._earlier[1 - BEFORE :], (node.parent.position, node.turn)]
        for site, seen in list(self._changed.items()):
            start = node.ended - OVERLAPS
            if site in node.chain:
                came = last.chain[site].fit().whole_times[node.chain[site].depth - 1]
                start = node.ended if came is None else came
            first = 0
            while first + 1 < len(seen.times) and (seen.times[first + 1] <= start or seen.levels[first] is None):
                first += 1  # where it could not tell, it told of what was made
            left = seen.levels[first:], seen.times[first:]
            seen.rests(final[site])
            if left[0] == [final[site]]:
                del self._changed[site]
            else:
                seen.begin(*left)
        self.handled = {site: until for site, until in self.handled.items() if until > node.ended}
        most = len(node.path)
        self._tried = {path[most:]: ways for path, ways in self._tried.items() if path[:most] == node.path}
        self._stale.append(self.root)
        self.root = Node(node.position)
        self.root.ended, self.root.firm = node.ended, node.firm
        self.rest = final
        for site, level in enumerate(final):
            if site not in self._changed:
                self._sites[site].rests(level)
        self._searching = None


def is_blind(frame: Levels) -> bool:
    """Whether the sensors tell nothing."""
    return all(level is None for level in frame)


def likeliest_first(hypothesis: Hypothesis) -> tuple[float, int]:
    """The order of hypotheses: by cost, and where that is the same those with fewer steps first."""
    return round(hypothesis.cost / TIE) * TIE, len(hypothesis.turn.steps) if hypothesis.turn else 0
