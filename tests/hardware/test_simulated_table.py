"""The simulated table: each verb of the people at it, and each thing that hands cannot do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.rules import load
from hardware.device import Sense
from hardware.simulation.table import DIRECTIONS, HandError, SimulatedTable

PLACES = {f"{'abc'[x]}{y + 1}": (float(x), float(y)) for y in range(3) for x in range(3)}
SITES = tuple(PLACES)


def table(sense: Sense = Sense.COLOUR, **levels: int) -> SimulatedTable:
    """Three by three squares, a1 to c3, with these pieces."""
    made = SimulatedTable(SITES, sense, PLACES)
    made.lay(levels.items())
    return made


def pieces(on: SimulatedTable) -> dict[str, int]:
    """What stands where."""
    return {site: on.level(site) for site in on.sites if on.level(site)}


# What hands do --------------------------------------------------------------------------------


def test_lift_takes_the_piece_and_tells_which_it_was() -> None:
    on = table(a1=2, b2=1)
    assert on.lift("a1") == 2
    assert pieces(on) == {"b2": 1}


def test_put_lays_a_piece_on_an_empty_site() -> None:
    on = table()
    on.put("b2", 2)
    assert pieces(on) == {"b2": 2}


def test_drop_adds_to_what_lies_there() -> None:
    on = table(Sense.COUNT, a1=3)
    on.drop("a1")
    on.drop("b1", 4)
    assert pieces(on) == {"a1": 4, "b1": 4}


def test_slide_moves_a_piece() -> None:
    on = table(a1=2)
    on.slide("a1", "c3")
    assert pieces(on) == {"c3": 2}


@pytest.mark.parametrize(
    ("direction", "row"),
    [("east", ("b2", "c2")), ("west", ("b2", "a2")), ("north", ("b2", "b3")), ("south", ("b2", "b1"))],
)
def test_row_ends_at_the_first_empty_site(direction: str, row: tuple[str, ...]) -> None:
    assert table(b2=1).row("b2", direction) == row


def test_row_runs_over_all_that_stands_in_the_way() -> None:
    assert table(a1=1, b1=2).row("a1", "east") == ("a1", "b1", "c1")


def test_push_moves_the_whole_row_and_leaves_its_first_site_empty() -> None:
    on = table(a1=1, b1=2)
    on.push("a1", "east")
    assert pieces(on) == {"b1": 1, "c1": 2}


def test_sow_lets_a_seed_fall_into_each_site_of_the_path() -> None:
    on = table(Sense.COUNT, a1=3, c1=1)
    on.sow("a1", ["b1", "c1", "b1", "a1"])
    assert pieces(on) == {"b1": 2, "c1": 2}


def test_sow_may_come_round_to_the_pit_it_began_with() -> None:
    on = table(Sense.COUNT, a1=2)
    on.sow("a1", ["b1", "a1"])
    assert pieces(on) == {"b1": 1, "a1": 1}


def test_knocked_over_pieces_can_be_put_back() -> None:
    on = table(a1=1, b2=2, c3=1)
    on.knock_over()
    assert pieces(on) == {}
    on.put_back()
    assert pieces(on) == {"a1": 1, "b2": 2, "c3": 1}


def test_pieces_knocked_over_one_after_another_are_all_remembered() -> None:
    on = table(a1=1, b2=2)
    on.knock_over(["a1", "c3"])
    on.knock_over(["a1", "b2"])
    on.put_back()
    assert pieces(on) == {"a1": 1, "b2": 2}


def test_what_was_put_back_is_no_longer_remembered() -> None:
    on = table(a1=1)
    on.knock_over()
    on.put_back()
    on.lift("a1")
    on.put_back()
    assert pieces(on) == {}


def test_the_web_of_zhizhu_has_rows_along_its_straight_lines() -> None:
    game = load("zhizhu")
    web = SimulatedTable(game.sites, Sense.COLOUR, game.places)
    web.put("c1", 1)
    assert web.row("c1", "north") == ("c1", "b1")


# What the sensors show ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sense", "shown"), [(Sense.PRESENCE, (1, 1, 0)), (Sense.COLOUR, (1, 2, 0)), (Sense.COUNT, (1, 2, 0))]
)
def test_sensors_show_what_their_kind_can_tell(sense: Sense, shown: tuple[int, ...]) -> None:
    assert table(sense, a1=1, b1=2).scan()[:3] == shown


def test_pieces_moved_in_the_dark_are_shown_in_the_light_again() -> None:
    on = table(a1=1)
    on.sighted = False
    on.slide("a1", "b1")
    assert on.scan() == (None,) * 9
    on.sighted = True
    assert on.scan()[:2] == (0, 1)


def test_lay_changes_many_sites_between_two_scans() -> None:
    on = table(a1=1)
    before = on.scan()
    on.lay([("a1", 0), ("b1", 2)])
    assert (before[:2], on.scan()[:2]) == ((1, 0), (0, 2))


def test_pictures_are_remembered_up_to_a_number() -> None:
    on = SimulatedTable(["a1"], Sense.COLOUR, length=1, remember=3)
    for red in range(5):
        on.show([(red, 0, 0)])
    assert [picture[0][0] for picture in on.pictures] == [2, 3, 4]


def test_closing_twice_shows_darkness_once() -> None:
    on = table()
    on.close()
    shown = len(on.pictures)
    on.close()
    assert len(on.pictures) == shown


# What hands cannot do -------------------------------------------------------------------------

IMPOSSIBLE: dict[str, Callable[[SimulatedTable], object]] = {
    "lift from an empty site": lambda on: on.lift("c3"),
    "lift from nowhere": lambda on: on.lift("z9"),
    "put where a piece stands": lambda on: on.put("a1", 2),
    "put nowhere": lambda on: on.put("z9", 1),
    "drop nowhere": lambda on: on.drop("z9"),
    "slide from an empty site": lambda on: on.slide("c3", "b2"),
    "slide onto a piece": lambda on: on.slide("a1", "b1"),
    "slide onto itself": lambda on: on.slide("a1", "a1"),
    "slide to nowhere": lambda on: on.slide("a1", "z9"),
    "push an empty site": lambda on: on.push("c3", "west"),
    "push nowhere": lambda on: on.push("z9", "west"),
    "push over the edge": lambda on: on.push("a1", "west"),
    "push a row that ends at the edge": lambda on: on.push("a1", "east"),
    "push no way": lambda on: on.push("a1", "up"),
    "sow from an empty site": lambda on: on.sow("c3", ["b2"]),
    "sow along too short a path": lambda on: on.sow("b1", ["b2"]),
    "sow to nowhere": lambda on: on.sow("b1", ["b2", "z9"]),
    "knock over nowhere": lambda on: on.knock_over(["a1", "z9"]),
    "lay nowhere": lambda on: on.lay([("a1", 0), ("z9", 1)]),
    "ask for a level nowhere": lambda on: on.level("z9"),
}


@pytest.mark.parametrize("what", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_the_impossible_is_refused_in_words_and_changes_nothing(what: Callable[[SimulatedTable], object]) -> None:
    on = table(a1=1, b1=2, c1=1)
    before, seen = pieces(on), on.scan()
    with pytest.raises(HandError, match=r"^[^\n]{10,150}$"):
        what(on)
    assert (pieces(on), on.scan()) == (before, seen)


def test_a_table_without_places_has_no_rows() -> None:
    bare = SimulatedTable(["a1", "b1"], Sense.COLOUR)
    bare.put("a1", 1)
    for direction in DIRECTIONS:
        with pytest.raises(HandError):
            bare.push("a1", direction)
    assert pieces(bare) == {"a1": 1}


def test_sentences_stay_short_whatever_is_named() -> None:
    with pytest.raises(HandError) as error:
        table().lift("x" * 1000)
    assert len(str(error.value)) < 120
