"""What hands did, as one likelihood: how people really play, and what must hold of any game."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import inf, log
from pathlib import Path
from random import Random

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.reading.constants import USUAL, table
from firmware_bridge.reading.decision import LikelihoodReader
from firmware_bridge.reading.hypotheses import PACE, Hypothesis, idle, since
from firmware_bridge.reading.likelihood import Likelihood
from firmware_bridge.reading.ways import Options, TurnIndex, Way, passed
from games.acts import steps
from games.rules import Position, Turn, load, names
from hardware.device import Levels, Sense

SCAN = 0.01
Moment = tuple[float, str, int]
"""Seconds after the moment before, a site, and what truly comes to stand there."""


class Watched:
    """A game from `text` as its reader sees it, at a table whose sensors tell `sense`."""

    def __init__(self, game: str, sense: Sense, text: str | None = None) -> None:
        self.game, self.sense = load(game), sense
        self.position = self.game.position(text) if text else self.game.start()
        self.reader = LikelihoodReader(self.game, sense, self.position)
        self.frame: Levels = self.reader.likelihood.shows(self.position)
        self.now = 0.0
        self.calls: set[str] = set()
        self.wait(1.0)

    def wait(self, seconds: float) -> None:
        """Let time pass, scan by scan; at once, as a daemon does, while what was seen is weighed part by part."""
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now = round(self.now + SCAN, 4)
            self.reader.see(self.frame, self.now)
            while self.reader.weighing:
                self.reader.see(self.frame, self.now)
            self.calls.add(self.reader.decision.call)

    def hands(self, *moments: Moment) -> None:
        """Let hands do this."""
        number = {site: place for place, site in enumerate(self.game.sites)}
        for seconds, site, level in moments:
            self.wait(seconds)
            levels = list(self.frame)
            levels[number[site]] = self.sense.of(level)
            self.frame = tuple(levels) if tuple(levels) != self.frame else self.frame
        self.wait(SCAN)

    def turn(self, text: str) -> Turn[Position]:
        """The legal turn of this text in the position by now."""
        return next(turn for turn in self.game.turns(self.position) if turn.text == text)

    def make(self, turn: Turn[Position], pace: float = 0.3) -> None:
        """Make `turn`, step by step."""
        self.hands(*((pace, *step) for step in turn.steps))

    @property
    def counted(self) -> list[str]:
        """The turns that count by now."""
        return [counted.turn.text for counted in self.reader.turns]


def zong_heng() -> Watched:
    """Three black stones in a row from a1, by presence; Black is to move."""
    ranks = str(load("zong-heng").start()).split()[0].split("/")
    return Watched("zong-heng", Sense.PRESENCE, "/".join([*ranks[:-1], "xxx.x.x."]) + " x")


def finger(*row: str) -> list[Moment]:
    """A row pushed at once from behind, by presence."""
    leaves = [(0.3 if place == 0 else 0.01, site, 0) for place, site in enumerate(row[:-1])]
    return [*leaves, *((0.06 if place == 0 else 0.01, site, 1) for place, site in enumerate(row[1:]))]


# How people play ------------------------------------------------------------------------------


def test_a_turn_taken_back_and_another_with_the_same_picture_at_once_is_the_other_one() -> None:
    watched = zong_heng()
    watched.hands(*finger("a1", "b1", "c1", "d1"), (0.3, "a1", 1))
    watched.wait(0.8)
    assert watched.counted == ["a1-d1"]
    watched.hands((0.0, "a1", 0), *finger("d1", "c1", "b1", "a1"))
    watched.hands((0.4, "c1", 0), (0.1, "d1", 1), (0.4, "c1", 1))
    watched.wait(3.0)
    assert watched.counted == ["c1-d1"]


@pytest.mark.parametrize("pause", [0.4, 4.0])
def test_a_row_moved_stone_by_stone_with_no_gap_seen_is_one_turn(pause: float) -> None:
    watched = zong_heng()
    watched.hands((0.3, "c1", 0), (0.1, "d1", 1))
    watched.hands((0.5, "c1", 1), (0.01, "b1", 0))
    watched.hands((0.5, "b1", 1), (0.01, "a1", 0), (pause, "a1", 1))
    watched.wait(2.0)
    assert watched.counted == ["a1-d1"]


@pytest.mark.parametrize("early", [0.05, 0.1, 0.2, 0.3])
def test_the_next_player_may_reach_in_before_the_last_act(early: float) -> None:
    watched = zong_heng()
    watched.hands(*finger("a1", "b1", "c1", "d1"))
    watched.position = watched.turn("a1-d1").after
    own = next(turn for turn in watched.game.turns(watched.position) if turn.lifts[0][1] in "678")
    (lift, _), *rest = own.steps
    watched.hands((0.5, lift, 0), (early, "a1", 1), *((0.3, *step) for step in rest))
    watched.wait(2.0)
    assert len(watched.counted) == 2
    assert watched.reader.turns[0].turn.text == "a1-d1"
    assert watched.reader.turns[1].after == own.after


def test_three_stones_lifted_almost_at_once_by_players_who_overlap_were_not_swept_off() -> None:
    watched = Watched("zhizhu", Sense.PRESENCE, "x...x.../x......./o.o..o.. x 0,0 -,-")
    watched.hands((0.3, "a1", 0), (0.02, "a5", 0), (0.06, "a2", 1), (0.02, "c2", 1), (0.02, "c1", 0))
    watched.wait(0.1)
    assert watched.counted == ["a1-a2", "c1-c2"]
    watched.hands((0.3, "a6", 1))
    watched.wait(1.0)
    assert watched.counted == ["a1-a2", "c1-c2", "a5-a6"]


@pytest.mark.parametrize("lasts", [0.05, 0.09, 0.15, 0.3])
def test_a_neighbour_that_closes_while_a_stone_lands_is_nothing(lasts: float) -> None:
    watched = Watched("zhizhu", Sense.PRESENCE)
    watched.hands((0.3, "a2", 1), (0.03, "a1", 1), (lasts, "a2", 0))
    watched.wait(2.0)
    assert watched.counted == ["a1"]


def test_a_stone_that_passes_the_point_where_it_is_laid_later_was_not_laid_first() -> None:
    watched = Watched("zhizhu", Sense.PRESENCE)
    watched.hands((0.3, "b1", 1), (0.04, "b1", 0), (0.1, "a8", 1), (0.7, "b1", 1))
    watched.wait(1.0)
    assert watched.counted == ["a8", "b1"]
    assert watched.reader.hypotheses[0].net[-1].turn == watched.reader.turns[1].turn


def test_of_two_stones_laid_at_almost_the_same_time_the_first_one_is_the_first() -> None:
    watched = Watched("zhizhu", Sense.PRESENCE)
    watched.hands((0.3, "a5", 1), (0.1, "c2", 1))
    watched.wait(1.0)
    assert watched.counted == ["a5", "c2"]
    found = zip(watched.reader.hypotheses, watched.reader.shares, strict=True)
    swapped = [
        share for each, share in found if len(each.net) == 2 and each.net[0].turn != watched.reader.turns[0].turn
    ]
    assert sum(swapped) < 0.001


def test_hands_that_stop_in_the_midst_of_a_sowing_have_made_nothing_illegal() -> None:
    watched = Watched("zig-zag", Sense.COUNT)
    first = watched.turn("S1")
    watched.make(first)
    watched.wait(1.0)
    watched.position = first.after
    turn = next(turn for turn in watched.game.turns(watched.position) if len(turn.acts) > 1)
    lap = len(steps(turn.acts[:1]))
    watched.hands(*((0.3, *step) for step in turn.steps[:lap]))
    watched.wait(30.0)
    assert not [each for each in watched.reader.hypotheses if each.kind == "illegal"]
    assert "tell" not in watched.calls
    watched.hands(*((0.3, *step) for step in turn.steps[lap:]))
    watched.wait(1.0)
    assert watched.counted == ["S1", turn.text]


def test_a_hand_that_weighs_on_a_scale_is_one_excursion() -> None:
    watched = Watched("zig-zag", Sense.COUNT)
    stands = watched.game.start().board[watched.game.sites.index("S2")]
    pressed = [(0.03, "S2", stands + more) for more in (1, 2, 3, 4, 5, 4, 3, 2, 1, 0)]
    watched.hands((0.3, "S2", stands - 1), *pressed)
    watched.wait(0.1)
    assert watched.reader.hypotheses[0].kind == "rest"
    assert watched.reader.hypotheses[0].cost < USUAL.lie - USUAL.excursion


def test_a_stone_held_over_a_point_comes_to_where_it_is_laid() -> None:
    watched = Watched("zhizhu", Sense.PRESENCE)
    watched.hands((0.3, "a2", 1), (0.5, "a2", 0), (0.2, "a3", 1))
    watched.wait(2.0)
    assert watched.counted == ["a3"]


def test_a_stone_still_missing_when_the_next_turn_is_made_may_be_laid_late() -> None:
    watched = zong_heng()
    watched.hands(*finger("a1", "b1", "c1", "d1"))
    watched.position = watched.turn("a1-d1").after
    own = next(turn for turn in watched.game.turns(watched.position) if turn.lifts[0][1] in "678")
    watched.wait(2.0)
    watched.make(own)
    watched.hands((1.0, "a1", 1))
    watched.wait(2.0)
    assert [counted.after for counted in watched.reader.turns] == [watched.position, own.after]
    assert "tell" not in watched.calls


def test_turns_that_were_final_are_taken_back_one_after_another() -> None:
    watched = Watched("zhizhu", Sense.PRESENCE)
    watched.hands((0.3, "a1", 1), (2.0, "b2", 1), (2.0, "c3", 1))
    watched.wait(2.0)
    assert watched.counted == ["a1", "b2", "c3"]
    assert watched.reader.final == 2
    for left, site in enumerate(["c3", "b2", "a1"]):
        watched.hands((2.0, site, 0))
        watched.wait(2.1)  # it is weighed again after 2, in parts
        assert watched.counted == ["a1", "b2", "c3"][: 2 - left]
    watched.hands((2.0, "c5", 1))
    watched.wait(2.0)
    assert watched.counted == ["c5"]


def test_players_who_push_with_the_new_stone_are_known_after_one_such_turn() -> None:
    watched = zong_heng()
    turn, start = watched.turn("a1-d1"), watched.position
    index = watched.reader.likelihood.index
    usual = index.way(start, turn).unseen
    watched.hands(*finger("b1", "c1", "d1"), (0.01, "b1", 1))
    watched.wait(2.0)
    watched.position = turn.after
    watched.make(watched.game.turns(watched.position)[0])
    watched.wait(2.0)
    assert watched.counted[0] == "a1-d1"
    learned = index.way(start, turn).unseen
    assert learned < usual - 4
    for _ in range(20):
        index.learn(by_new_stone=False)
    assert learned < index.way(start, turn).unseen < usual


def test_players_who_say_that_they_pushed_with_the_new_stone_are_believed_from_then_on() -> None:
    watched = zong_heng()
    turn, index = watched.turn("a1-d1"), watched.reader.likelihood.index
    usual = index.way(watched.position, turn).unseen
    watched.hands((0.3, "d1", 1))
    watched.wait(2.0)
    assert watched.counted == []
    watched.reader.put(turn.after)
    assert index.way(watched.position, turn).unseen < usual - 4


def test_an_illegal_turn_is_told_and_forgotten_once_it_is_put_back() -> None:
    watched = zong_heng()
    watched.hands((0.3, "h8", 0), (0.3, "h5", 1))
    watched.wait(2.0)
    assert watched.reader.decision.call == "tell"
    watched.hands((0.3, "h5", 0), (0.3, "h8", 1))
    watched.wait(1.0)
    assert watched.reader.decision.call == "wait"
    watched.make(watched.turn("a1-d1"))
    watched.wait(2.0)
    assert watched.counted == ["a1-d1"]


def test_what_has_been_forgotten_once_is_no_reason_to_weigh_again() -> None:
    watched = zong_heng()
    likelihood = watched.reader.likelihood
    watched.hands((0.1, "h8", 0), (0.1, "h5", 1), (0.1, "h5", 0), (0.1, "h8", 1))
    assert likelihood.settle(likelihood.root)
    assert not likelihood.settle(likelihood.root)


TWICE_AT_ONCE = pytest.mark.xfail(strict=True, reason="Not yet: c1-d1 counts, which leads to the same picture")


@pytest.mark.parametrize(
    ("times", "stands", "rests"),
    [(1, 0.1, 0.1), (1, 2.0, 0.1), (2, 2.0, 2.0), pytest.param(2, 0.1, 0.1, marks=TWICE_AT_ONCE)],
)
def test_an_illegal_turn_put_back_is_held_against_no_turn_made_after_it_and_no_sensor(
    times: int, stands: float, rests: float
) -> None:
    watched = zong_heng()
    tried = next(turn for turn in watched.game.refused(watched.position) if turn.text == "b1-b3")
    stood = dict(zip(watched.game.sites, watched.position.cells, strict=True))
    undone = []
    for site, level in tried.steps:
        undone.append((0.2, site, stood[site]))
        stood[site] = level
    for _ in range(times):
        watched.make(tried)
        watched.wait(stands)
        assert watched.reader.doubt > 0.9
        watched.hands(*undone[::-1])
        watched.wait(rests)  # it is weighed in parts, a few in each scan
        assert watched.reader.doubt < 0.5
    assert ("tell" in watched.calls) is (stands > 1)
    turn = watched.turn("a1-d1")
    watched.make(turn, pace=0.1)
    watched.wait(0.5)
    assert watched.counted == ["a1-d1"]
    while not watched.reader.final:
        watched.position = turn.after
        turn = watched.game.turns(watched.position)[-1]  # far from what was tried
        watched.wait(2.0)
        watched.make(turn)
    assert len(watched.counted) <= 4
    assert set(watched.reader.reliability.lies) == {watched.reader.likelihood.costs.lie}


def test_a_turn_that_is_slowly_taken_back_is_not_spoken_of() -> None:
    watched = zong_heng()
    watched.hands(*finger("a1", "b1", "c1", "d1"), (0.3, "a1", 1))
    watched.wait(1.0)
    for site in ("a1", "d1", "c1", "b1"):
        watched.hands((0.3, site, 0))
        watched.wait(3.0)
        assert watched.reader.doubt < 0.5, site
    watched.hands((0.3, "a1", 1), (0.3, "b1", 1), (0.3, "c1", 1))
    watched.wait(2.0)
    assert (watched.counted, watched.calls) == ([], {"wait"})


def test_where_weighing_is_cut_off_by_change_after_change_it_comes_to_an_end() -> None:
    watched = zong_heng()
    likelihood = watched.reader.likelihood
    for number in range(12):
        watched.now += SCAN
        level = (watched.frame[8] or 0, 0)[number % 2]
        likelihood.see((*watched.frame[:8], level, *watched.frame[9:]), watched.now)
        if likelihood.weigh(watched.now, most=40):
            return
    pytest.fail("it never came to an end")


def test_a_turn_has_not_gone_on_since_its_last_step_but_for_those_that_nothing_can_be_seen_of() -> None:
    assert since([1.0, 1.1, inf], 3.1) == pytest.approx(2.0)
    assert since([1.0, None, None, inf], 3.0) == pytest.approx(2.0 - 2 * PACE)
    assert since([1.0, None, 3.0, None, inf], 6.0) == pytest.approx(3.0 - 1.0)  # it took a second for each step


def test_a_pause_in_a_turn_of_many_steps_is_the_more_unusual_the_more_there_are() -> None:
    costs = [idle(2.0, steps, USUAL) for steps in (1, 4, 20)]
    assert costs == sorted(costs)
    assert costs[0] == pytest.approx(USUAL.left * log(1 + 2.0 / USUAL.left_scale))
    assert idle(0.0, 20, USUAL) == idle(-1.0, 20, USUAL) == 0.0


def test_a_hand_that_hovers_over_its_site_lays_its_piece_there() -> None:
    watched = Watched("zhizhu", Sense.PRESENCE)
    lifts = [(seconds, "c6", level) for seconds, level in ((0.16, 0), (0.53, 1), (0.1, 0), (0.14, 1), (0.05, 0))]
    watched.hands((0.3, "c6", 1), *lifts, (1.4, "c6", 1), (0.07, "c6", 0), (0.22, "c6", 1))
    watched.wait(2.0)
    assert watched.counted == ["c6"]


@pytest.mark.parametrize("seconds", [0.3, 1.0, 2.0])
def test_a_piece_adjusted_is_no_accusation(seconds: float) -> None:
    watched = zong_heng()
    watched.hands((0.3, "b1", 0), (seconds, "b1", 1))
    watched.wait(3.0)
    assert (watched.counted, watched.calls) == ([], {"wait"})


def test_a_slow_sowing_is_not_spoken_of() -> None:
    watched = Watched("zig-zag", Sense.COUNT)
    watched.make(watched.game.turns(watched.position)[0], pace=1.2)
    watched.wait(2.0)
    assert watched.reader.turns[0].after == watched.game.turns(watched.position)[0].after
    assert watched.calls == {"wait"}


# What must hold of any game -------------------------------------------------------------------


def seeing(name: str) -> Iterable[Sense]:
    """What is told of this game's pieces; seeds by presence show too little of a turn."""
    return [Sense.PRESENCE, Sense.COLOUR] if load(name).pieces == "stones" else [Sense.COUNT]


CELLS = [(name, sense) for name in names() for sense in seeing(name)]


@pytest.mark.parametrize(("name", "sense"), CELLS)
def test_turns_made_at_a_human_pace_count(name: str, sense: Sense) -> None:
    watched = Watched(name, sense)
    for number, turn in enumerate(islice(random_turns(watched.game, 3), 6)):
        watched.wait(1.0)
        watched.make(turn)
        watched.wait(1.6)
        assert len(watched.reader.turns) == number + 1, turn
        shows = watched.reader.likelihood.shows
        assert shows(watched.reader.turns[-1].after) == shows(passed(watched.game, turn.after)), turn


@pytest.mark.parametrize(("name", "sense"), CELLS)
def test_a_piece_held_is_no_turn(name: str, sense: Sense) -> None:
    watched = Watched(name, sense)
    standing = [site for site, level in zip(watched.game.sites, watched.position.cells, strict=True) if level]
    for site in standing[:1]:
        watched.hands((0.3, site, 0))
        watched.wait(10.0)
    assert watched.counted == []


def fumbled(seed: int) -> list[tuple[float, Levels]]:
    """Frames of a turn of Zong-Heng with much that does not belong to it."""
    choose, game = Random(seed), load("zong-heng")
    levels = [min(1, level) for level in game.start().cells]
    turn = choose.choice(game.turns(game.start()))
    numbered = [(game.sites.index(site), min(1, level)) for site, level in turn.steps]
    frames, now = [(0.0, tuple(levels))], 1.0
    for site, level in numbered:
        other = choose.randrange(len(levels))
        for place, comes in ((other, 1 - levels[other]), (site, level), (other, levels[other])):
            if levels[place] != comes:
                levels[place] = comes
                now += choose.uniform(0.01, 0.6)
                frames.append((now, tuple(levels)))
    return frames


def weighed(frames: list[tuple[float, Levels]], *, each: bool) -> list[Hypothesis]:
    """The hypotheses after the last frame, weighed after `each` or only then."""
    game = load("zong-heng")
    likelihood = Likelihood(game, Sense.PRESENCE, game.start())
    likelihood.frame = frames[0][1]
    for now, frame in frames[1:]:
        likelihood.see(frame, now)
        if each:
            likelihood.weigh(now)
    return likelihood.weigh(frames[-1][0] + 0.5)


@pytest.mark.parametrize("seed", range(8))
def test_costs_are_never_negative_and_weighing_bit_by_bit_comes_to_the_same(seed: int) -> None:
    bit_by_bit, at_once = (weighed(fumbled(seed), each=each) for each in (True, False))
    assert all(hypothesis.cost >= 0 for hypothesis in at_once)
    told = [
        [(round(h.cost, 6), h.kind, [str(n.turn) for n in h.node.net]) for h in found]
        for found in (bit_by_bit, at_once)
    ]
    assert sorted(told[0]) == sorted(told[1])


@pytest.mark.parametrize("seed", range(5))
def test_each_step_that_is_seen_makes_its_turn_likelier(seed: int) -> None:
    game = load("yin-yang")
    turn = Random(seed).choice(game.turns(game.start()))
    likelihood = Likelihood(game, Sense.COLOUR, game.start())
    likelihood.frame = levels = likelihood.shows(game.start())
    gains = []
    for number, (site, level) in enumerate(turn.steps, start=1):
        place = game.sites.index(site)
        levels = (*levels[:place], level, *levels[place + 1 :])
        likelihood.see(levels, float(number))
        found = likelihood.weigh(number + 0.3)
        rest = next((h.cost for h in found if h.kind == "rest" and not h.node.net), 99.0)
        its = [h.cost for h in found if h.turn == turn or [n.turn for n in h.node.net] == [turn]]
        gains.append(rest - min(its, default=99.0))
    assert gains == sorted(gains)
    assert gains[-1] > gains[0]


def test_a_site_that_cannot_tell_says_nothing_against_a_turn() -> None:
    watched = Watched("zhizhu", Sense.COLOUR)
    blind = watched.game.sites.index("c5")
    watched.frame = tuple(None if place == blind else level for place, level in enumerate(watched.frame))
    watched.hands((0.3, "a1", 1))
    watched.wait(2.0)
    assert watched.counted == ["a1"]


def test_every_constant_says_what_it_means() -> None:
    assert len({name for name, *_ in table()}) == len(table()) <= 40
    for name, value, unit, meaning, source, (least, most) in table():
        assert 0 < least < value < most, name
        assert unit in {"nats", "s", "turns", "1"}, name
        assert meaning, name
        assert source, name


def test_the_page_on_reading_has_the_constants_as_they_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reading.md").read_text()
    rows = [
        f"| `{name}` | {value:g} | {least:g} to {most:g} | {unit} | {meaning} | {source} |"
        for name, value, unit, meaning, source, (least, most) in table()
    ]
    assert "\n".join(rows) in page


def test_an_illegal_turn_on_its_way_back_goes_on_being_one() -> None:
    now = Watched("yin-yang", Sense.COLOUR)
    own = now.position.board[now.game.sites.index("c3")]
    now.hands((0.3, "c3", 0), (0.3, "b2", own), (0.3, "c3", 3 - own))
    now.wait(2.0)
    assert "tell" in now.calls
    now.reader.tell([now.game.sites.index(site) for site in ("b2", "c3")])
    for moment in [(0.0, "b2", 0), (0.8, "c3", 0)]:
        now.hands(moment)
        now.wait(0.5)
        assert now.reader.doubt > 0.75
    now.hands((0.0, "c3", own))
    now.wait(0.5)
    assert (now.counted, now.reader.rests, now.reader.doubt < 0.1) == ([], True, True)


@pytest.mark.parametrize("name", names())
def test_what_is_made_little_by_little_while_nothing_changes_is_all_that_may_be_made(name: str) -> None:
    """Also where it is needed before all of it is there, and where others were begun before."""
    game = load(name)
    starts = [game.start(), *(turn.after for turn in game.turns(game.start())[:3])]
    for scans in range(12):
        index = TurnIndex(game, Sense.PRESENCE, USUAL)
        for position in starts:
            for _ in range(scans):
                index.prepare(position)
            assert index.legal(position).legal == game.turns(position)
            assert index.known(position) == game.turns(position)


@pytest.mark.parametrize("listed", [0, 3, 1000])
@pytest.mark.parametrize("name", names())
def test_the_turns_through_a_site_are_the_same_whenever_it_is_opened(name: str, listed: int) -> None:
    """Also if more are listed after that; and of no other turns the ways are worked out."""
    game = load(name)
    position = game.turns(game.start())[0].after
    index, number = TurnIndex(game, Sense.COLOUR, USUAL), {site: place for place, site in enumerate(game.sites)}
    for turns in (game.turns(position), list(game.tries(position))):
        ways = [index.way(position, turn) for turn in turns]
        worked_out = set[str]()

        def way(turn: Turn[Position], into: set[str] = worked_out) -> Way:
            into.add(turn.text)
            return index.way(position, turn)

        site = next(at for at, _ in ways[-1].sites)
        options = Options(iter(turns), way, number)
        options.list(listed)
        options.open(site)
        options.all()
        while not options.open(site):
            pass
        keys = dict.fromkeys(other.keys[site] for other in ways if site in other.keys)
        through = [(key, [place for place, other in enumerate(ways) if other.keys.get(site) == key]) for key in keys]
        assert list(options.index[site].items()) == through
        touched = {turn.text for turn in turns if any(game.sites[site] in act.sites for act in turn.acts)}
        assert worked_out == touched
        assert len(touched) < len({turn.text for turn in turns})
