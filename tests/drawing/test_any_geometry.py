"""Boards that none of the built-in games has, drawn from their geometry on a screen and on a sheet."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist

import pytest

from firmware_bridge.drawing.board import PITCH, Shown, arrange, picture, radius, screen
from firmware_bridge.drawing.ground import threads
from firmware_bridge.drawing.shapes import Circle, Drawing, Label, Path, Point
from firmware_bridge.layout import lay_out, seen_on
from firmware_bridge.workshop.overlay import OnBoard, overlay, read_plan
from games.rules import load
from hardware.board import find_board, read_board
from tests.games.odd_boards import BOARDS, Odd

GRID = read_plan(find_board("grid"))
each = pytest.mark.parametrize("game", BOARDS.values(), ids=BOARDS)


def words(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Label)]


def board_of(game: Odd) -> Drawing:
    """The board as a screen shows it, with a piece on each site."""
    return picture(game, Shown((1,) * len(game.sites)))


def test_a_screen_shows_the_places_of_the_table() -> None:
    game = load("zig-zag")
    shown, usual = screen(game, seen_on(game, read_board(find_board("grid")))), screen(game)
    assert shown.at["N1"][1] + 3 * PITCH == shown.at["S1"][1]  # as far apart as hands need it there
    assert (usual.box[2], usual.box[3]) != (shown.box[2], shown.box[3])
    left, top, width, height = shown.stores[1]
    assert 0 < left < left + width < shown.at["N1"][0]
    assert 0 < top < top + height < shown.box[3]


@each
def test_every_site_lies_in_the_frame_and_pieces_do_not_touch(game: Odd) -> None:
    shown = screen(game)
    left, top, width, height = shown.box
    assert all(left < x < left + width and top < y < top + height for x, y in shown.at.values())
    size = radius(arrange(game)[0])
    assert all(dist(one, other) > 2 * size for one, other in combinations(shown.at.values(), 2))


@each
def test_the_picture_has_the_shape_of_the_board(game: Odd) -> None:
    """Only rows of pits are drawn apart."""
    at = screen(game).at
    for one, other in combinations(game.sites, 2):
        assert dist(at[one], at[other]) == pytest.approx(PITCH * dist(game.places[one], game.places[other]), abs=0.1)


@each
def test_a_sheet_marks_every_site_over_its_square_and_names_it(game: Odd) -> None:
    lay, drawing = OnBoard(game, GRID, 50.0), overlay(game, GRID, 50.0)
    marks = {shape.name: shape.centre for shape in drawing.shapes if isinstance(shape, Circle) and shape.name}
    assert marks == {
        site: lay.middle(*GRID.places[point]) for site, point in zip(game.sites, lay_out(game, GRID), strict=True)
    }
    told = words(drawing)
    assert all(site in told or {site[0], site[1:]} <= {*told} for site in game.sites)


@each
def test_names_of_sites_are_clear_of_lines(game: Odd) -> None:
    drawing = board_of(game)
    for label in (shape for shape in drawing.shapes if isinstance(shape, Label) and shape.text in game.sites):
        assert all(dist(label.at, point) > 0.3 * PITCH for point in screen(game).at.values())


def test_squares_are_squares_and_all_else_is_round() -> None:
    drawn = (squares(BOARDS[name]) for name in ("3x5", "cross", "hexagons"))
    assert list(drawn) == [15, 5, 0]


def squares(game: Odd) -> int:
    """How many squares as wide as a pitch are drawn."""
    paths = (shape for shape in board_of(game).shapes if isinstance(shape, Path))
    return sum(sided([path.start, *(part[-1] for part in path.parts)], PITCH) for path in paths)


def sided(points: list[Point], side: float) -> bool:
    """Whether these are the corners of a square."""
    (left, *_, right), (top, *_, bottom) = (sorted(axis) for axis in zip(*points, strict=True))
    return right - left == pytest.approx(side) and bottom - top == pytest.approx(side)


def test_files_and_ranks_are_named_at_the_edge_of_a_board_with_gaps() -> None:
    told = words(board_of(BOARDS["cross"]))
    assert sorted(told) == ["1", "2", "3", "a", "b", "c"]


def test_sites_with_names_of_their_own_are_each_named() -> None:
    places = {"east": (1.0, 0.0), "west": (0.0, 0.0)}
    assert sorted(words(board_of(Odd(places)))) == ["east", "west"]


def test_a_line_that_runs_into_itself_ends_there() -> None:
    joined = list(threads(BOARDS["ring with a tail"]))
    links = {frozenset(pair) for thread in joined for pair in pairwise(thread)}
    assert links == {frozenset(link) for link in BOARDS["ring with a tail"].links}


def test_lines_between_hexagons_run_straight() -> None:
    joined = [*threads(BOARDS["hexagons with lines"])]
    assert len(joined) == 4 + 4 + 5  # a thread a row: along the ranks, the files and one diagonal
