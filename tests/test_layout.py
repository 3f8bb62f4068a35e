"""Games laid on boards, with the boards drawn."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from firmware_bridge.layout import check_layouts, fits, lay_out, seen_on, usable_sense
from games.rules import load, names
from hardware.board import Board, find_board, read_board
from hardware.device import Sense
from hardware.settings import SettingsError
from tests.games.odd_boards import RING, THREE_BY_FIVE, Odd, hexagons

YIN_YANG = """
.  .  .  .  .  .  .  .
.  a6 b6 c6 d6 e6 f6 .
.  a5 b5 c5 d5 e5 f5 .
.  a4 b4 c4 d4 e4 f4 .
.  a3 b3 c3 d3 e3 f3 .
.  a2 b2 c2 d2 e2 f2 .
.  a1 b1 c1 d1 e1 f1 .
.  .  .  .  .  .  .  .
"""
ZHIZHU = """
a8 .  .  a1 .  .  a2 .
.  b8 .  b1 .  b2 .  .
.  .  c8 c1 c2 .  .  .
a7 b7 c7 .  c3 b3 a3 .
.  .  c6 c5 c4 .  .  .
.  b6 .  b5 .  b4 .  .
a6 .  .  a5 .  .  a4 .
.  .  .  .  .  .  .  .
"""
ZIG_ZAG = """
.  .  .  .  .  .  .  .
.  .  .  .  .  .  .  .
.  N1 N2 N3 N4 N5 N6 .
.  .  .  .  .  .  .  .
.  .  .  .  .  .  .  .
.  S1 S2 S3 S4 S5 S6 .
.  .  .  .  .  .  .  .
.  .  .  .  .  .  .  .
"""
ZONG_HENG = """
a8 b8 c8 d8 e8 f8 g8 h8
a7 b7 c7 d7 e7 f7 g7 h7
a6 b6 c6 d6 e6 f6 g6 h6
a5 b5 c5 d5 e5 f5 g5 h5
a4 b4 c4 d4 e4 f4 g4 h4
a3 b3 c3 d3 e3 f3 g3 h3
a2 b2 c2 d2 e2 f2 g2 h2
a1 b1 c1 d1 e1 f1 g1 h1
"""
DRAWN = {"yin-yang": YIN_YANG, "zhizhu": ZHIZHU, "zig-zag": ZIG_ZAG, "zong-heng": ZONG_HENG}


def shipped(name: str) -> Board:
    return read_board(find_board(name))


def own(text: str, folder: Path) -> Board:
    """A board with this file."""
    path = folder / "board.toml"
    path.write_text(text)
    return read_board(path)


def seen(points: tuple[str, ...], sites: tuple[str, ...], board: Board) -> list[list[str]]:
    """The board from above, with the site that lies on each point."""
    at = dict(zip((board.places[point] for point in points), sites, strict=True))
    files, ranks = (1 + max(place[axis] for place in board.places.values()) for axis in (0, 1))
    return [[at.get((x, y), ".") for x in range(files)] for y in range(ranks - 1, -1, -1)]


def rows(drawing: str) -> list[list[str]]:
    return [line.split() for line in drawing.strip().splitlines()]


@pytest.mark.parametrize("name", names())
def test_the_four_games_on_squares(name: str) -> None:
    game, board = load(name), shipped("grid")
    assert seen(lay_out(game, board), game.sites, board) == rows(DRAWN[name])


@pytest.mark.parametrize("name", names())
def test_turned_is_half_a_turn(name: str) -> None:
    game, board = load(name), shipped("grid")
    half = [row[::-1] for row in reversed(rows(DRAWN[name]))]
    assert seen(lay_out(game, board, turned=True), game.sites, board) == half


def test_the_circles_of_the_web_are_rings_one_in_another() -> None:
    game, board = load("zhizhu"), shipped("grid")
    at = {site: board.places[point] for site, point in zip(game.sites, lay_out(game, board), strict=True)}
    assert {max(abs(at[a][0] - at[b][0]), abs(at[a][1] - at[b][1])) for a, b in game.links} == {1, 2, 3}
    x, y = at["c1"][0], at["c3"][1]  # the middle of the web
    for circle, far in zip("abc", (3, 2, 1), strict=True):
        ring = [at[f"{circle}{n}"] for n in (1, 2, 3, 4, 5, 6, 7, 8)]
        assert {max(abs(place[0] - x), abs(place[1] - y)) for place in ring} == {far}
        around = [(at_x - x, at_y - y) for at_x, at_y in [*ring, ring[0]]]
        clockwise = [a[0] * b[1] - a[1] * b[0] for a, b in pairwise(around)]
        assert all(turn < 0 for turn in clockwise)
    for line in range(1, 9):  # the outer, middle and inner point of a line lie one behind the other
        outer, middle, inner = (at[f"{circle}{line}"] for circle in "abc")
        assert (outer[0] - x, outer[1] - y) == (3 * (inner[0] - x), 3 * (inner[1] - y))
        assert (middle[0] - x, middle[1] - y) == (2 * (inner[0] - x), 2 * (inner[1] - y))


@pytest.mark.parametrize(("board", "name"), [("web", "zhizhu"), ("pits", "zig-zag")])
def test_a_board_for_one_game_has_its_points_by_name(board: str, name: str) -> None:
    game = load(name)
    assert lay_out(game, shipped(board)) == game.sites


@pytest.mark.parametrize("name", names())
def test_a_game_is_seen_on_squares_as_it_lies_there(name: str) -> None:
    game, board = load(name), shipped("grid")
    places = seen_on(game, board)
    assert {site: board.at[places[site]] for site in game.sites} == dict(
        zip(game.sites, lay_out(game, board), strict=True)
    )


def test_on_named_points_a_game_is_seen_as_it_says_that_it_lies() -> None:
    game = load("zhizhu")
    assert seen_on(game, shipped("web")) == game.places  # three circles, and no rings of squares


def test_games_without_a_drawing_lie_in_the_middle(tmp_path: Path) -> None:
    board = own("[scanner]\nkind = 'shift_register'\nregisters = 32\n[points]\nfiles = 9\nranks = 13", tmp_path)
    game = load("yin-yang")
    points = dict(zip(game.sites, lay_out(game, board), strict=True))
    assert (points["a1"], points["f6"]) == ("b5", "g10")
    assert lay_out(load("zong-heng"), board)[0] == "a4"
    turned = dict(zip(game.sites, lay_out(game, board, turned=True), strict=True))
    assert (turned["a1"], turned["f6"]) == ("h9", "c4")


def test_a_larger_game_fits_a_larger_board_only(tmp_path: Path) -> None:
    board = own("[scanner]\nkind = 'shift_register'\nregisters = 20\n[points]\nfiles = 10\nranks = 12", tmp_path)
    assert fits(load("zong-heng", size=10), board)
    assert fits(load("yin-yang"), board)


@pytest.mark.parametrize("size", [10, 12])
def test_one_game_that_does_not_fit_is_told_with_those_that_do(size: int) -> None:
    with pytest.raises(SettingsError) as fault:
        lay_out(load("zong-heng", size=size), shipped("grid"))
    assert str(fault.value).startswith(  # those that are installed beside them follow
        f"zong-heng does not fit on this board (eight by eight squares): it takes {size} by {size} squares; "
        "games that fit: yin-yang, zhizhu, zig-zag"
    )


def test_a_game_that_could_be_drawn_says_so() -> None:
    long = Odd({f"p{n}": (float(n), 0.0) for n in range(12)})
    with pytest.raises(SettingsError, match="it takes 12 by 1 squares, unless you draw it in layouts.odd; games that"):
        lay_out(long, shipped("grid"))


LOOP = "two games that do not fit ask of each other for ever whether they fit"


@pytest.mark.parametrize(
    ("board", "game", "fitting"), [("web", "zong-heng", "zhizhu"), ("pits", "yin-yang", "zig-zag")]
)
def test_a_misfit_names_the_games_that_fit(board: str, game: str, fitting: str) -> None:
    with pytest.raises(SettingsError, match=f"{game} does not fit on this board .*; games that fit: {fitting}(,|$)"):
        lay_out(load(game), shipped(board))


def test_where_no_game_fits_that_is_said(tmp_path: Path) -> None:
    board = own("title = 'stamp'\n[points]\nfiles = 3\nranks = 3", tmp_path)
    with pytest.raises(SettingsError, match=r"yin-yang does not fit on this board \(stamp\).*games that fit: none$"):
        lay_out(load("yin-yang"), board)


@pytest.mark.parametrize(("board", "fitting"), [("web", ["zhizhu"]), ("pits", ["zig-zag"])])
def test_which_games_fit(board: str, fitting: list[str]) -> None:
    assert [name for name in names() if fits(load(name), shipped(board))] == fitting


HEXAGONS_3 = """
. . . . . . . .
. . . . . . . .
. . a3 . b3 . c3 .
. a2 . b2 . c2 . .
a1 . b1 . c1 . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""
HEXAGONS_4 = """
. . . . . . . .
. . . . . . . .
. . a4 b4 c4 d4 . .
. . a3 b3 c3 d3 . .
. a2 b2 c2 d2 . . .
. a1 b1 c1 d1 . . .
. . . . . . . .
. . . . . . . .
"""
FIFTEEN = """
. . . . . . . .
. . a5 b5 c5 . . .
. . a4 b4 c4 . . .
. . a3 b3 c3 . . .
. . a2 b2 c2 . . .
. . a1 b1 c1 . . .
. . . . . . . .
. . . . . . . .
"""
TWELVE = """
. . . p0 . . . .
. . p11 . p1 . . .
. p10 . . . p2 . .
p9 . . . . . p3 .
. p8 . . . p4 . .
. . p7 . p5 . . .
. . . p6 . . . .
. . . . . . . .
"""


@pytest.mark.parametrize(
    ("game", "drawing"),
    [
        (Odd(hexagons(3)), HEXAGONS_3),
        (Odd(hexagons(4)), HEXAGONS_4),
        (Odd(THREE_BY_FIVE), FIFTEEN),
        (Odd(RING), TWELVE),
        (Odd(RING, "seeds"), TWELVE),
    ],
    ids=["hexagons with room", "hexagons without", "3x5", "ring of points", "ring of pits"],
)
def test_any_geometry_lies_on_squares(game: Odd, drawing: str) -> None:
    board = shipped("grid")
    assert seen(lay_out(game, board), game.sites, board) == rows(drawing)


def test_rows_of_pits_lie_as_far_apart_as_there_is_room(tmp_path: Path) -> None:
    for ranks, north in ((2, 2), (3, 3), (4, 4), (5, 5), (6, 5)):
        low = own(f"[points]\nfiles = 6\nranks = {ranks}", tmp_path)
        at = dict(zip(load("zig-zag").sites, lay_out(load("zig-zag"), low), strict=True))
        assert (at["S1"][0], at["N1"]) == ("a", f"a{north}")


def pits(drawing: str, folder: Path) -> Board:
    """Six by three squares with this drawing of Zig Zag."""
    return own(f"[points]\nfiles = 6\nranks = 3\n[layouts]\nzig-zag = '''\n{drawing}'''", folder)


SIX = "N1 N2 N3 N4 N5 N6\n. . . . . .\nS1 S2 S3 S4 S5 S6\n"


def test_a_drawing_must_have_all_sites_and_no_others(tmp_path: Path) -> None:
    game = load("zig-zag")
    assert lay_out(game, pits(SIX, tmp_path))[-1] == "f3"
    with pytest.raises(SettingsError, match=r"layouts.zig-zag: 'X9' is no site of zig-zag"):
        lay_out(game, pits(SIX.replace("S6", "X9"), tmp_path))
    with pytest.raises(SettingsError, match=r"layouts.zig-zag: the site S6 is not drawn"):
        lay_out(game, pits(SIX.replace("S6", "."), tmp_path))
    with pytest.raises(SettingsError, match=r"layouts.zong-heng: the site .* is not drawn"):
        lay_out(load("zong-heng"), own("[layouts]\nzong-heng = '''\n" + ". . . . . . . .\n" * 8 + "'''", tmp_path))


def test_a_layout_of_no_game_is_refused(tmp_path: Path) -> None:
    board = own(f"[points]\nfiles = 6\nranks = 3\n[layouts]\nzigzag = '''\n{SIX}'''", tmp_path)
    with pytest.raises(SettingsError, match="layouts.zigzag: there is no such game; the games are yin-yang"):
        check_layouts(board)


def test_a_board_for_no_game_is_refused(tmp_path: Path) -> None:
    board = own("[points]\nfiles = 2\nranks = 2\n[scanner]\nkind = 'gpio_matrix'\n", tmp_path)
    with pytest.raises(SettingsError, match="no game fits on this board"):
        check_layouts(board)


def test_a_game_on_named_points_is_not_torn_apart_by_turning(tmp_path: Path) -> None:
    """A record with turned seats, from a board of squares, gone on with at the web: where it can not turn it stays."""
    game = load("zhizhu")
    turned = lay_out(game, shipped("web"), turned=True)
    assert turned in (game.sites, tuple(f"{site[0]}{(int(site[1]) + 3) % 8 + 1}" for site in game.sites))


@pytest.mark.parametrize(
    ("name", "scanner", "told"),
    [
        ("zig-zag", Sense.COUNT, Sense.COUNT),
        ("zig-zag", Sense.COLOUR, Sense.PRESENCE),
        ("zig-zag", Sense.PRESENCE, Sense.PRESENCE),
        ("zhizhu", Sense.COUNT, Sense.PRESENCE),
        ("zhizhu", Sense.COLOUR, Sense.COLOUR),
        ("zhizhu", Sense.PRESENCE, Sense.PRESENCE),
    ],
)
def test_what_a_scanner_tells_of_the_pieces(name: str, scanner: Sense, told: Sense) -> None:
    assert usable_sense(load(name), scanner) is told


def test_a_game_with_some_names_of_a_board_does_not_fit_by_chance() -> None:
    few = Odd({"a1": (0.0, 0.0), "b1": (1.0, 0.0)})
    with pytest.raises(SettingsError, match=r"it has 2 of its 24 points, unless you draw it in layouts\.odd; "):
        lay_out(few, shipped("web"))
