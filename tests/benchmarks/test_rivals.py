"""The other ways of reading a board, beside the table's: each can do what is said of it, and no more."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from statistics import median

import pytest

from benchmarks import accuracy
from benchmarks.accuracy import in_trouble
from benchmarks.cells import Cell, Trouble, random_turns
from benchmarks.followed import TABLE, Playing
from benchmarks.rivals import OTHERS, QUIET, Pair, Picture, Reader, Reading
from benchmarks.tally import Tally, shares, waits
from firmware_bridge.verdict import SensorView
from games.rules import Game, Position, Turn, load, play
from hardware.device import Levels, Sense
from hardware.simulation.hands import STYLES

ZHIZHU, ZONG_HENG = Cell("zhizhu", Sense.PRESENCE), Cell("zong-heng", Sense.PRESENCE)


class Shown:
    """A reader, and the frames that it is shown by hand."""

    def __init__(self, reading: type[Reading], name: str, turns: int = 0) -> None:
        self.game: Game[Position] = load(name)
        self.sensors = SensorView(self.game, Sense.PRESENCE)
        made = list(islice(random_turns(self.game, 1), turns))
        self.position = made[-1].after if made else self.game.start()
        self.reader = Reader(reading, self.sensors, self.position)
        self.now = 0.0
        self.frame: Levels = self.sensors.frame(self.position)
        self.see(0.0)

    def see(self, stands: float, **levels: int) -> list[str]:
        """These sites come to show these levels, and stand so for so long; the positions that the reader has read."""
        changed = {self.sensors.number[site]: level for site, level in levels.items()}
        if changed:
            self.frame = tuple(changed.get(site, level) for site, level in enumerate(self.frame))
        for now in (self.now, self.now + stands):
            self.reader.see(self.frame, now)
        self.now += stands
        return [str(read.after) for read in self.reader.read]

    def alike(self, turns: Sequence[Turn[Position]]) -> Turn[Position]:
        """The longest of those that look like another one with another result."""
        results = Counter(self.sensors.frame(after) for after in {turn.after for turn in turns})
        return max(
            (turn for turn in turns if results[self.sensors.frame(turn.after)] > 1), key=lambda turn: len(turn.steps)
        )

    def after(self, *turns: str) -> Position:
        """The position after these turns from the start."""
        position = self.game.start()
        for text in turns:
            position = play(self.game, position, text)
        return position


# What each reads ------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", [Picture, Pair])
def test_a_stone_put_down_is_read_once_it_has_stood_for_the_quiet_time(reading: type[Reading]) -> None:
    shown = Shown(reading, "zhizhu")
    assert shown.see(QUIET - 0.01, a1=1) == []
    assert shown.see(0.02) == [str(shown.after("a1"))]
    assert shown.reader.judge(shown.after("a1")) == ("right", QUIET)


@pytest.mark.parametrize("reading", [Picture, Pair])
def test_the_same_hand_may_still_change_its_turn(reading: type[Reading]) -> None:
    shown = Shown(reading, "zhizhu")
    shown.see(1.0, a1=1)
    shown.see(0.1, a1=0)
    assert shown.see(1.0, b1=1) == [str(shown.after("b1"))]


def test_the_picture_cannot_tell_two_pushes_to_one_square_and_the_pair_can() -> None:
    for reading, verdict in ((Picture, "asked"), (Pair, "right")):
        shown = Shown(reading, "zong-heng", 12)
        turn = shown.alike(shown.game.turns(shown.position))
        for step in turn.steps:
            shown.see(0.1, **{step.site: min(step.level, 1)})
        shown.see(1.0)
        assert shown.reader.judge(turn.after)[0] == verdict


def test_a_pair_whose_stone_is_put_back_names_nothing() -> None:
    shown = Shown(Pair, "yin-yang")
    turn = shown.game.turns(shown.position)[0]
    (origin, _), (target, _), *_ = turn.steps
    shown.see(0.1, **{origin: 0})
    shown.see(0.1, **{target: 1})
    shown.see(0.1, **{target: 0})
    assert shown.see(1.0, **{origin: 1}) == []


def test_a_push_by_the_new_stone_shows_no_pair() -> None:
    playing = Playing(ZONG_HENG, STYLES["new stone"], 1)
    playing.play(6)
    count = playing.tallies()["pair"].count
    assert count["right"] == 0
    assert count["asked"] == count["turns"] > 0


def test_a_reader_that_has_read_another_turn_is_put_right_and_the_error_counts_once() -> None:
    shown = Shown(Picture, "zhizhu")
    shown.see(1.0, a1=1)
    assert shown.reader.judge(shown.after("b1"))[0] == "wrong"
    shown.see(0.0, a1=0)
    shown.see(0.0, b1=1)
    shown.see(1.0, c1=1)
    assert shown.reader.judge(shown.after("b1", "c1"))[0] == "right"


# Beside the table -----------------------------------------------------------------------------


@pytest.mark.parametrize("sense", [Sense.PRESENCE, Sense.COLOUR])
def test_all_read_a_clean_steady_game_of_zhizhu_right(sense: Sense) -> None:
    playing = Playing(Cell("zhizhu", sense), STYLES["finger"], 1, others=OTHERS)
    playing.play(40)
    tallies = playing.tallies()
    assert tallies.keys() == {TABLE, *OTHERS}
    for name, tally in tallies.items():
        assert tally.count["right"] == tally.count["turns"] == 40, name
        assert len(tally.waits) == 40
    waits = sorted(tallies[TABLE].waits)
    assert median(waits) < 0.15
    assert waits[-2] < QUIET <= min(tallies["picture"].waits)  # but for one


def test_the_picture_is_ambiguous_in_about_half_of_the_turns_of_zong_heng_and_by_colour_never() -> None:
    tallies, _ = in_trouble(ZONG_HENG, Trouble(), 40, longest=20)
    asked = tallies["picture"].count["asked"] / tallies["picture"].count["turns"]
    assert 0.3 < asked < 0.7
    coloured, _ = in_trouble(ZONG_HENG._replace(sense=Sense.COLOUR), Trouble(), 20, longest=20)
    assert coloured["picture"].count["right"] == coloured["picture"].count["turns"]


@pytest.mark.parametrize("trouble", [Trouble("child"), Trouble(fault="flicker"), Trouble(fault="dead row")])
def test_every_turn_is_counted_once_by_each(trouble: Trouble) -> None:
    tallies, found = in_trouble(ZONG_HENG, trouble, 12, longest=8)
    assert len({tally.count["turns"] for tally in tallies.values()}) == 1
    for tally in tallies.values():
        assert sum(tally.count[verdict] for verdict in ("right", "asked", "missed", "wrong")) == tally.count["turns"]
        assert len(tally.unique) <= len(tally.waits) <= tally.count["right"]
    count = tallies[TABLE].count
    assert len(found) == count["missed"] + count["wrong"]


# What is printed ------------------------------------------------------------------------------


def test_shares_and_waits_in_words() -> None:
    tally = Tally()
    for verdict in ("right",) * 7 + ("wrong",):
        tally.note(verdict)
    assert shares(tally, "right", "asked", "wrong") == "87.5 / 0.0 / 12.50"
    assert waits([]) == "-"
    assert waits([0.5, 0.02, 0.1]) == "100 / 100"
    assert waits([value / 100 for value in range(201)]) == "1000 / 1980"


def test_the_command_prints_a_row_for_each_cell_in_each_trouble(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ["--hands", "steady", "child", "--fault", "weak", "--cell", str(ZHIZHU), "--turns", "2"]
    monkeypatch.setattr(sys, "argv", ["accuracy", *wanted])
    accuracy.main()
    heading, rule, *rows = capsys.readouterr().out.splitlines()
    assert heading.startswith(
        "| game | sensed | hands | sensors | turns | Tablelight: right / asked / missed / wrong, %"
    )
    assert rule.count("|") == heading.count("|") == rows[0].count("|")
    assert [row.split(" | ")[2:4] for row in rows] == [["steady", "weak"], ["child", "weak"]]


def test_the_overview_sums_the_games_up(capsys: pytest.CaptureFixture[str]) -> None:
    cells = [ZHIZHU, Cell("zig-zag", Sense.COUNT)]
    accuracy.overview(cells, [Trouble(fault="misread"), Trouble(fault="drift"), Trouble("hover")], 1)
    rows = [row.split(" | ")[:3] for row in capsys.readouterr().out.splitlines()[2:]]
    assert rows == [
        ["| steady", "drift", "colour or count"],
        ["| hover", "none", "presence"],
        ["| hover", "none", "colour or count"],
    ]
