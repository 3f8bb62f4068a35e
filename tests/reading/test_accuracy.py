"""Whole random games by clean hands of every style: no turn is ever had wrong, and hardly one asked about."""

from __future__ import annotations

import pytest

from benchmarks import accuracy
from benchmarks.accuracy import by_hands, in_trouble
from benchmarks.cells import Cell, Trouble, cells
from benchmarks.followed import TABLE, Playing
from benchmarks.onlooker import played
from benchmarks.tally import Tallies
from hardware.device import Sense
from hardware.simulation.hands import STYLES

CELLS = cells()


def check(cell: Cell, hands: dict[str, Tallies]) -> None:
    """Hardly a question, and nothing missed or wrong."""
    gaps, pushes = hands["with gaps"][TABLE].count, hands["new stone pushes"][TABLE].count
    assert gaps["turns"] > 0
    assert [count[bad] for count in (gaps, pushes) for bad in ("missed", "wrong")] == [0, 0, 0, 0], cell
    most = 0.03 if cell.sense is Sense.PRESENCE else 0.0
    assert gaps["asked"] <= most * gaps["turns"], cell


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_the_first_turns_of_games_in_every_style(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accuracy, "LONGEST", 14)
    check(cell, by_hands(cell, 4)[0])


@pytest.mark.long
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_whole_games(cell: Cell) -> None:
    check(cell, by_hands(cell, 3)[0])


# Trouble --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.sense is not Sense.PRESENCE], ids=str)
def test_a_child_plays_at_a_table_that_sees_well(cell: Cell) -> None:
    tallies, found = in_trouble(cell, Trouble("child"), 10, longest=10)
    count = tallies[TABLE].count
    assert count["turns"] >= 10
    assert (count["wrong"], found) == (0, [])


def test_the_same_seed_is_the_same_evening() -> None:
    cell = Cell("zong-heng", Sense.PRESENCE)

    def events() -> list[tuple[str, float]]:
        playing = Playing(cell, STYLES["finger"], 5, Trouble("clumsy", "flicker"))
        playing.play(8)
        return [(event.name, playing.simulation.now) for event in playing.simulation.events]

    assert events() == events()


def test_a_turn_given_up_is_made_later() -> None:
    playing = Playing(Cell("yin-yang", Sense.COLOUR), STYLES["finger"], 1, Trouble("abandon"))
    assert playing.play(12)["wrong"] == 0
    assert any("abandon" in kinds for kinds in playing.fumbles.values())
    assert len(played(playing.simulation)) == 12


def test_turns_that_are_taken_back_behind_the_players_are_wrong() -> None:
    for back in (1, 2):
        playing = Playing(Cell("yin-yang", Sense.COLOUR), STYLES["finger"], 1)
        playing.play(4)
        assert playing.judge()
        for _ in range(back):
            playing.simulation.table.sheet.undo()
        assert not playing.judge()
        assert playing.what.startswith("wrong")
        assert playing.tallies()[TABLE].count["wrong"] == 1


def test_a_turn_that_the_table_has_not_got_is_missed_and_asked_about_if_it_has_it_later() -> None:
    playing = Playing(Cell("yin-yang", Sense.COLOUR), STYLES["finger"], 1)
    playing.play(4)
    late = next(playing.turns)
    playing.begins(late)
    playing.simulation.stop_hands()
    playing.accepted.append(late)
    assert playing.judge()
    assert playing.tallies()[TABLE].count["missed"] == 1
    playing.simulation.put_right()
    playing.simulation.run(0.5)
    playing.simulation.take(late, playing.style)
    assert playing.judge()
    assert playing.tallies()[TABLE].count == {"turns": 5, "right": 4, "asked": 1}


def test_a_game_is_left_when_the_table_is_two_turns_behind() -> None:
    playing = Playing(Cell("yin-yang", Sense.COLOUR), STYLES["finger"], 1)
    playing.play(4)
    for goes_on in (True, False):
        playing.begins(late := next(playing.turns))
        playing.simulation.stop_hands()
        playing.accepted.append(late)
        assert playing.judge() is goes_on


def test_a_dead_row_is_named_and_not_taken_for_turns() -> None:
    playing = Playing(Cell("zong-heng", Sense.COLOUR), STYLES["finger"], 0, Trouble(fault="dead row"))
    assert playing.play(20)["turns"] == 20
    assert playing.what == ""
    ill = set(playing.simulation.faulty_sites)
    assert {naming.named is None for naming in playing.naming()} == {False}
    sites = playing.simulation.table.sensors.number
    assert {
        sites[site] for event in playing.simulation.events if event.name == "doubted" for site in event.sites
    } <= ill


def test_players_take_back_what_the_table_counted_and_nobody_made() -> None:
    """By presence a site of ZhiZhu that comes on looks like a stone placed there."""
    playing = Playing(Cell("zhizhu", Sense.PRESENCE), STYLES["finger"], 0, Trouble(fault="stuck on"))
    assert playing.play(12)["wrong"] == 0
    assert playing.phantoms == 1
    assert [event.name for event in playing.simulation.events].count("doubted") == 1
