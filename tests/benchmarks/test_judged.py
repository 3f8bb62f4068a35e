"""How readers are judged on the physical table: readers that know the truth, or do not care for it, are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from benchmarks.cells import Cell
from benchmarks.evenings import Evening, habits, play, scans
from benchmarks.judged import FOLLOWERS, LOOKS, Said, count, judge
from games.rules import Position, Turn, load
from hardware.device import Levels, Sense
from hardware.simulation.habits import ANSWERS

CELL = Cell("zong-heng", Sense.COLOUR)


class Knowing:
    """Has each turn `late` seconds after its end, or another result instead of it if it `errs`; speaks as told to.

    It has illegal ones, too, if it `believes` them.
    """

    lost = "missed"

    def __init__(
        self, evening: Evening, late: float = 0.2, *, errs: bool = False, believes: bool = False, what: str = ""
    ) -> None:
        self.evening, self.late, self.errs, self.believes, self.what = evening, late, errs, believes, what
        self.said: list[Said] = []
        self.undos = 0
        self.speaks = what
        self._now = 0.0
        self.asked_for: list[int] = []

    @property
    def made(self) -> Sequence[Position]:
        turns = [
            made.turn
            for made in self.evening.turns
            if made.ended + self.late < self._now and (self.believes or not made.turn.reason)
        ]
        return [load(CELL.game).start() if self.errs else turn.after for turn in turns]

    def see(self, levels: Levels, now: float) -> None:
        self._now = now
        if self.what and round(now * 100) % 50 == 0:
            self.said.append(Said(now, "accused" if self.what == "accused" else "asked"))

    def look(self, now: float) -> None:
        pass

    def answer(self, turn: Turn[Position]) -> int:
        return 1

    def recover(self, due: Sequence[Turn[Position]]) -> int | None:
        self.asked_for.append(len(due))
        return 2

    def put(self, due: Sequence[Turn[Position]], levels: Levels) -> None:
        raise AssertionError("it recovers")


def test_a_reader_that_knows_every_turn_is_right_and_its_wait_is_measured() -> None:
    evening = play(CELL, "steady", seed=1, longest=6)
    judged = judge(evening, Knowing(evening))
    assert [each.verdict for each in judged] == ["right"] * 5
    assert all(0.15 < (each.wait or 0) < 0.35 for each in judged)
    assert not any(each.scolded for each in judged)


def test_a_reader_without_turns_has_missed_them_and_the_turn_after_is_not_judged() -> None:
    evening = play(CELL, "steady", seed=1, longest=6)
    follower = Knowing(evening, late=1e6)
    judged = judge(evening, follower)
    assert [each.verdict for each in judged] == ["missed"] * 3
    assert follower.asked_for == [2, 4, 6]
    assert [each.actions for each in judged] == [2, 2, 2]


@pytest.mark.parametrize(
    ("what", "verdict"), [("", "wrong silent"), ("accused", "wrong told"), ("asked", "wrong told")]
)
def test_a_reader_with_another_turn_is_wrong_silently_or_not(what: str, verdict: str) -> None:
    evening = play(CELL, "steady", seed=1, longest=6)
    judged = judge(evening, Knowing(evening, errs=True, what=what))
    assert {each.verdict for each in judged} == {verdict}
    assert all(each.scolded is (what == "accused") for each in judged)


def test_a_right_turn_that_was_asked_about_is_asked() -> None:
    evening = play(CELL, "steady", seed=1, longest=6)
    judged = judge(evening, Knowing(evening, what="asked"))
    assert {each.verdict for each in judged} == {"asked"}
    assert all(each.wait is None for each in judged)


def test_an_illegal_turn_is_refused_if_that_is_said_silent_if_not_and_accepted_if_it_counts() -> None:
    evening = play(CELL, "illegal", seed=3, longest=12)
    tried = [made for made in evening.turns if made.turn.reason]
    assert tried
    for what, verdict in (("", "silent"), ("accused", "refused")):
        judged = [each for each in judge(evening, Knowing(evening, what=what)) if not each.legal]
        assert {each.verdict for each in judged} - {"hidden"} == {verdict}
        assert all((each.told is not None) is (what == "accused") for each in judged)
    believed = [each.verdict for each in judge(evening, Knowing(evening, believes=True)) if not each.legal]
    assert "accepted" in believed
    astray = [each.number for each in judge(evening, Knowing(evening, 0.0, errs=True)) if not each.legal]
    assert all(place == 0 or evening.turns[place - 1].turn.reason for place in astray)  # it had not got the position


def test_the_turn_that_follows_an_illegal_one_at_once_is_not_taken_for_it() -> None:
    evening = play(Cell("zhizhu", Sense.COLOUR), "illegal", "weak", seed=6, longest=12)
    soon = [
        later for tried, later in pairwise(evening.turns) if tried.turn.reason and later.ended < tried.righted + LOOKS
    ]
    assert soon
    quick = [each.verdict for each in judge(evening, Knowing(evening, 0.0, what="accused")) if not each.legal]
    assert set(quick) <= {"refused", "hidden"}


@pytest.mark.parametrize("name", FOLLOWERS)
def test_every_reader_follows_an_evening_of_every_kind(name: str) -> None:
    for cell, habit in ((CELL, "mixed"), (Cell("zig-zag", Sense.COUNT), "mixed"), (CELL, "illegal")):
        evening = play(cell, habit, seed=4, longest=12)
        judged = judge(evening, FOLLOWERS[name](cell))
        assert count(judged)["turns"] >= 3
        assert count(judged)["right"] >= 1


def test_the_same_seed_is_the_same_evening() -> None:
    assert play(CELL, "mixed", "weak", 5, 6) == play(CELL, "mixed", "weak", 5, 6)
    assert play(CELL, "mixed", "weak", 5, 6).frames != play(CELL, "mixed", "weak", 6, 6).frames


def test_scans_left_out_are_those_in_which_nothing_changes() -> None:
    evening = play(CELL, "absent", seed=2, longest=4)
    every, some = list(scans(evening)), list(scans(evening, quick=True))
    assert len(some) < len(every)
    assert set(some) <= set(every)
    shown = [levels for at, (_, levels) in enumerate(some) if not at or levels is not some[at - 1][1]]
    assert shown == [levels for _, levels in evening.frames]


def test_habits_are_those_that_a_game_has_room_for() -> None:
    assert "new stone" in habits(load("zong-heng"))
    assert "new stone" not in habits(load("zhizhu"))
    assert "captures first" not in habits(load("zong-heng"))
    assert "two grabs" in habits(load("zig-zag"))


def test_players_who_are_told_that_something_is_wrong_press_done_before_they_go_on() -> None:
    evening = play(CELL, "steady", seed=5, longest=6)
    silent, speaking = Knowing(evening, late=1e6), Knowing(evening, late=1e6, what="accused")
    assert all(each.scolded for each in judge(evening, speaking))
    assert speaking.asked_for[0] == 1
    judge(evening, silent)
    assert silent.asked_for[0] == 2


def test_nobody_answers_a_turn_sooner_than_people_see_that_it_has_begun() -> None:
    for seed in range(6):
        evening = play(Cell("zong-heng", Sense.COLOUR), "overlap", "usual", seed, 12)
        begun = [made.began for made in evening.turns]
        assert all(after - before >= ANSWERS - 0.001 for before, after in pairwise(begun))


def test_turns_begin_one_after_another_also_where_hands_overlap() -> None:
    for seed in range(6):
        evening = play(Cell("zhizhu", Sense.PRESENCE), "overlap", "strong", seed, 15)
        begun = [made.began for made in evening.turns]
        assert begun == sorted(set(begun))
        assert [made.ended for made in evening.turns] == sorted(made.ended for made in evening.turns)
        judged = judge(evening, Knowing(evening, late=0.05))
        assert {each.verdict for each in judged} == {"right"}
