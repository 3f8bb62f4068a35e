"""Boards on a screen, pictures of positions with their lights, whole games as GIF, and figures of the rules."""

from __future__ import annotations

import re
import sys
from colorsys import rgb_to_hsv
from functools import cache
from math import hypot
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring
from zlib import decompress

import pytest
from PIL import Image

from benchmarks.cells import Cell
from firmware_bridge.analysis.evaluation import TurningPoint
from firmware_bridge.analysis.html_report import better_turn
from firmware_bridge.cli.main import main
from firmware_bridge.drawing.board import CORNER, LIT, NARROW_BORDER, Shown, arrange, picture, radius, screen, standing
from firmware_bridge.drawing.figures import Example, examples, figures
from firmware_bridge.drawing.figures import drawn as figure_drawn
from firmware_bridge.drawing.figures import example as figure_example
from firmware_bridge.drawing.pdf import paginate, pdf
from firmware_bridge.drawing.picture import MOST, Request, as_gif, scene_after, shown
from firmware_bridge.drawing.raster import Canvas
from firmware_bridge.drawing.shapes import Circle, Drawing, Ink, Label, Shape, bounds, box, element, line, svg
from firmware_bridge.layout import as_on_squares, full_sense, lay_out
from firmware_bridge.lighting import PALETTES, Mode
from firmware_bridge.score import ScoreSheet
from firmware_bridge.verdict import SensorView
from games.rules import DARK, LIGHT, SENTENCES, Figure, Game, load, names, play
from hardware.board import find_board, read_board
from hardware.device import Sense
from hardware.settings import SettingsError
from tests.games.small_games import Crowned
from tests.records.random_records import keep

Capture = pytest.CaptureFixture[str]
OPTIONS: dict[str, dict[str, int | str]] = {"zong-heng-10": {"size": 10, "setup": "diagonals"}}
BOARDS = (*names(), *OPTIONS)
BLUE = (0, 110, 255)


@cache
def game_of(board: str) -> Game[Any]:
    options = OPTIONS.get(board)
    return load("zong-heng", **options) if options else load(board)


def inside(box: tuple[float, ...], x: float, y: float) -> bool:
    return box[0] < x < box[0] + box[2] and box[1] < y < box[1] + box[3]


def lit(game: Game[Any], *sites: str) -> list[tuple[int, int, int]]:
    return [BLUE if site in sites else (0, 0, 0) for site in game.sites] + [(0, 0, 0), (99, 99, 99)]


# The board on a screen ------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
def test_every_site_lies_within_the_board_a_pitch_from_the_next(board: str) -> None:
    game = game_of(board)
    shown = screen(game)
    assert tuple(shown.at) == game.sites
    assert all(inside(shown.box, x, y) for x, y in shown.at.values())
    (ax, _), (bx, _) = shown.at[game.sites[0]], shown.at[game.sites[1]]
    places = as_on_squares(game)
    (px, _), (qx, _) = places[game.sites[0]], places[game.sites[1]]
    assert abs(bx - ax) == pytest.approx(abs(qx - px) * shown.pitch, abs=0.02)


@pytest.mark.parametrize("board", BOARDS)
def test_the_ground_can_be_put_into_any_page(board: str) -> None:
    shown = screen(game_of(board))
    root = fromstring(shown.ground)
    assert root.get("viewBox") == f"0 0 {shown.box[2]:g} {shown.box[3]:g}"
    elements = list(root.iter())
    assert all(
        not {"id", "style", "width", "height"} & set(each.keys()) for each in elements if not each.tag.endswith("svg")
    )
    assert {each.tag.rpartition("}")[2] for each in elements} <= {"svg", "path", "circle", "text"}
    assert {each.get("class", "") for each in elements} >= {"board-frame", "board-word"} or "zhizhu" in board
    said = [each.text or "" for each in elements if each.tag.endswith("text")]
    assert all(len(text) <= 3 for text in said)  # names of sites, no words of any language


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_of_a_board_reaches_over_its_edge(board: str) -> None:
    lay, (width, height) = arrange(game_of(board))
    drawn = picture(game_of(board), Shown([1] * len(lay.at), (3, 3)))
    for shape in drawn.shapes:
        (left, top), (right, bottom) = bounds(shape)
        assert min(left, top) >= 0, shape
        assert right <= width, shape
        assert bottom <= height, shape


def test_players_with_pieces_beside_the_board_have_room_for_them() -> None:
    for name in names():
        game = load(name)
        shown = screen(game)
        assert (shown.stores is None) == (game.beside(game.start()) is None)
        for left, top, wide, high in shown.stores or ():
            assert inside(shown.box, left, top)
            assert inside(shown.box, left + wide, top + high)
            assert not any(left < x < left + wide and top < y < top + high for x, y in shown.at.values())


def test_the_web_lies_on_a_screen_as_on_the_sheet_of_a_table_and_its_names_are_clear_of_its_stones() -> None:
    game = load("zhizhu")
    lay, _ = arrange(game)
    drawn = picture(game, Shown([0] * 24, (0, 0)))
    board = read_board(find_board("grid"))
    squares = dict(zip(game.sites, (board.places[point] for point in lay_out(game, board)), strict=True))
    (left, top), (file, rank) = lay.at["a8"], squares["a8"]
    assert {site: ((x - left) / lay.pitch, (top - y) / lay.pitch) for site, (x, y) in lay.at.items()} == {
        site: (x - file, y - rank) for site, (x, y) in squares.items()
    }
    for words in (shape for shape in drawn.shapes if isinstance(shape, Label) and shape.text in game.sites):
        (left, top), (right, bottom) = bounds(words)
        x, y = (left + right) / 2, (top + bottom) / 2
        assert all(max(abs(x - a), abs(y - b)) > radius(lay) for a, b in lay.at.values())


def test_no_name_beside_a_point_comes_near_the_frame() -> None:
    game = load("zhizhu")
    _, (width, height) = arrange(game)
    names = [shape for shape in picture(game, Shown([0] * 24, (0, 0))).shapes if isinstance(shape, Label)]
    beside = [bounds(label) for label in names if label.text in game.sites]
    assert len(beside) == 24
    assert min(left for (left, _), _ in beside) - NARROW_BORDER > 7  # half a letter
    assert width - NARROW_BORDER - max(right for _, (right, _) in beside) > 7
    assert all(NARROW_BORDER < top < bottom < height - NARROW_BORDER for (_, top), (_, bottom) in beside)


# Pieces and lights ----------------------------------------------------------------------------


def test_a_light_stone_is_told_from_a_dark_one_on_any_square() -> None:
    game = load("yin-yang")
    levels = {"a1": DARK, "a2": DARK, "c1": LIGHT, "c2": LIGHT}
    drawn = picture(game, Shown([levels.get(site, 0) for site in game.sites]))
    image = Canvas(drawn, 600).done().convert("L")
    grey = {site: float(str(image.getpixel(pixel(drawn, game, site, 600)))) for site in (*levels, "e1", "e2")}
    assert max(grey["a1"], grey["a2"]) + 50 < min(grey["e1"], grey["e2"])
    assert max(grey["e1"], grey["e2"]) + 50 < min(grey["c1"], grey["c2"])


def pixel(drawn: Drawing, game: Game[Any], site: str, width: int, aside: float = 0.0) -> tuple[int, int]:
    """Where a site, or what lies so far to the right of it, is in the image of a drawing."""
    (x, y), scale = screen(game).at[site], width / drawn.width
    return round((x + aside - drawn.origin[0]) * scale), round((y - drawn.origin[1]) * scale)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("level", [0, 1])
def test_a_light_is_seen_around_the_piece_in_its_hue_and_nowhere_else(board: str, level: int) -> None:
    game = game_of(board)
    site, dark = game.sites[3], game.sites[5]
    drawn = picture(game, Shown([level] * len(game.sites), lights=lit(game, site)))
    image = Canvas(drawn, 900).done()
    ring = 0.95 * LIT * radius(arrange(game)[0])
    hues = []
    for place in (site, dark):
        colour = image.getpixel(pixel(drawn, game, place, 900, ring))
        assert isinstance(colour, tuple)
        hues.append(rgb_to_hsv(*(part / 255 for part in colour))[0])
    assert hues[0] == pytest.approx(rgb_to_hsv(0, 110, 255)[0], abs=0.03)
    assert abs(hues[1] - hues[0]) > 0.2


@pytest.mark.parametrize(("count", "drawn_seeds"), [(0, 0), (1, 1), (12, 12), (13, 0), (60, 0)])
def test_seeds_are_drawn_up_to_a_dozen_and_always_counted(count: int, drawn_seeds: int) -> None:
    game = load("zig-zag")
    shapes = picture(game, Shown([count] + [0] * 11, (7, 41))).shapes
    assert sum(isinstance(shape, Circle) and shape.ink.kind == "board-seed" for shape in shapes) == drawn_seeds
    said = [shape.text for shape in shapes if isinstance(shape, Label)]
    assert said.count("0") == 11 + (count == 0)
    assert {str(count), "7", "41"} <= set(said)


def letters(game: Game[Any], drawn: Drawing) -> dict[str, tuple[str, object]]:
    """Site -> the mark on its stone, and its ink."""
    at = {centre: site for site, centre in screen(game).at.items()}
    marks = [shape for shape in drawn.shapes if isinstance(shape, Label) and shape.kind == "board-kind"]
    middles = {at[mark.at[0], round(mark.at[1] - 0.36 * mark.size, 2)]: mark for mark in marks}
    return {site: (mark.text, mark.shade) for site, mark in middles.items()}


def test_a_stone_bears_the_mark_of_its_kind_in_an_ink_that_is_seen() -> None:
    game = Crowned()
    drawn = picture(game, standing(game, game.start()))
    light, dark = letters(game, drawn)["a1"], letters(game, drawn)["b1"]
    assert letters(game, drawn) == {"a1": ("K", light[1]), "b1": ("K", dark[1])}
    image, far = Canvas(drawn, 900).done().convert("L"), 0.3 * radius(arrange(game)[0])
    for site in ("a1", "b1", "a2", "b2"):
        x, y = pixel(drawn, game, site, 900)
        seen = image.crop((x - round(far), y - round(far), x + round(far), y + round(far))).getextrema()
        low, high = (float(str(grey)) for grey in seen)
        assert (high - low > 150) == (site in game.marks(game.start())), site


def test_marks_follow_the_turns_of_a_picture_of_a_figure_and_of_a_report() -> None:
    game = Crowned()
    sheet = ScoreSheet(game, game.position("..../..../.xo./xooo x a1"))
    sheet.read("a1xb1")
    pictures = [picture(game, shown(sheet, turn, None, {})) for turn in (0, 1)]
    assert [[*letters(game, each)] for each in pictures] == [["a1"], ["b1"]]
    figure = figure_example(game, SensorView(game, full_sense(game)), Figure("takes", str(sheet.start), "a1xb1"))
    marks = [each.text for each in fromstring(figure_drawn(figure)).iter() if each.get("class") == "board-kind"]
    assert marks == ["K", "K"]
    assert letters(game, better_turn(sheet, TurningPoint(1, "b2xc2", 0.5, False, ("b2xc2",)))).keys() == {"a1"}


def test_a_mark_is_written_on_paper_too() -> None:
    game = Crowned()
    whole = picture(game, standing(game, game.start()))
    streams = re.findall(rb"stream\n(.*?)\nendstream", pdf(whole, paginate(whole)), re.DOTALL)
    assert b"".join(decompress(stream) for stream in streams).count(b"(K) Tj") == 2


def test_stones_in_hand_lie_before_their_player() -> None:
    game = load("zhizhu")
    trays = screen(game).stores
    assert trays
    stones = [
        (shape.ink.kind, next(side for side in (0, 1) if inside(trays[side], *shape.centre)))
        for shape in picture(game, Shown([0] * 24, (2, 9))).shapes
        if isinstance(shape, Circle) and shape.ink.kind in ("board-dark-stone", "board-light-stone")
    ]
    assert stones == [("board-dark-stone", 0)] * 2 + [("board-light-stone", 1)] * 9


def test_the_lamp_of_the_player_to_move_is_lit() -> None:
    game = load("zong-heng")
    sheet = ScoreSheet(game)
    shapes = picture(game, shown(sheet, 0, "coach", PALETTES["default"])).shapes
    lamps = [shape for shape in shapes if isinstance(shape, Circle) and shape.ink.kind == "board-lamp"]
    assert [shape.ink.fill == "#ffffff" for shape in lamps] == [True, False]
    assert lamps[0].centre[1] > lamps[1].centre[1]  # the first player sits below


@pytest.mark.parametrize("name", names())
def test_a_lamp_is_whole_within_the_round_corner_of_the_frame(name: str) -> None:
    game = load(name)
    width = arrange(game)[1][0]
    for shape in picture(game, shown(ScoreSheet(game), 0, "coach", PALETTES["default"])).shapes:
        if isinstance(shape, Circle) and shape.ink.kind == "board-lamp":
            x, y = width - shape.centre[0], min(shape.centre[1], arrange(game)[1][1] - shape.centre[1])
            short = hypot(max(0.0, CORNER + 1 - x), max(0.0, CORNER + 1 - y))  # of the middle of the corner's circle
            assert short + shape.radius + shape.ink.width / 2 < CORNER


@pytest.mark.parametrize("name", names())
def test_a_board_where_it_is_nobodys_turn_has_no_lamps(name: str) -> None:
    assert all("board-lamp" not in figure for _, figure in figures(load(name)))


@pytest.mark.parametrize(
    ("mode", "kinds"), [("coach", {"travelling", "movable"}), ("referee", set()), ("quiet", set())]
)
def test_lights_are_those_of_a_table_in_that_mode(mode: Mode, kinds: set[str]) -> None:
    sheet = ScoreSheet(load("zong-heng"))
    sheet.read("c3-c4")
    cues = scene_after(sheet, 1, mode).cues
    assert {cue.kind for cue in cues.values()} == kinds
    if kinds:
        assert [site for site, cue in cues.items() if cue.kind == "travelling"] == ["c3", "c4"]


def test_the_light_of_the_last_turn_grows_along_its_path() -> None:
    sheet = ScoreSheet(load("zong-heng"))
    sheet.read("c3-c4")
    lights = dict(zip(sheet.game.sites, shown(sheet, 1, "coach", PALETTES["default"]).lights, strict=False))
    assert 0 < max(lights["c3"]) < max(lights["c4"])


def test_an_svg_is_as_large_as_it_says_and_holds_its_caption() -> None:
    game = load("yin-yang")
    root = fromstring(svg(picture(game, Shown(game.start().board), ("One plays <c3> & wins.",))))
    left, top, width, height = map(float, root.get("viewBox", "").split())
    assert (float(root.get("width", "")), float(root.get("height", ""))) == (width, height)
    caption = next(each for each in root.iter() if each.text == "One plays <c3> & wins.")
    assert left < float(caption.get("x", "")) < left + width
    assert top < float(caption.get("y", "")) < top + height


# The command ----------------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a short game."""
    return keep(tmp_path / "game.rec", Cell("yin-yang", Sense.PRESENCE), 3, lines=6).path


def length(record: Path) -> int:
    return keep(record.with_name("again.rec"), Cell("yin-yang", Sense.PRESENCE), 3, lines=6).sheet.length


def test_a_gif_has_a_frame_for_the_start_and_each_turn_and_holds_the_last(record: Path, capsys: Capture) -> None:
    turns, path = length(record), record.with_name("game.gif")
    assert turns > 2
    assert main(["picture", str(record), "-o", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: Yin-Yang after turn {turns} of {turns}.\n"
    with Image.open(path) as film:
        assert getattr(film, "n_frames", 0) == turns + 1
        times = []
        for frame in range(turns + 1):
            film.seek(frame)
            times.append(film.info["duration"])
    assert times == [900] * turns + [4000]
    assert not list(record.parent.glob(".*"))


def test_a_gif_up_to_a_turn_ends_there(record: Path) -> None:
    path = record.with_name("game.gif")
    assert main(["picture", str(record), "--turn", "2", "-o", str(path)]) == 0
    with Image.open(path) as film:
        assert getattr(film, "n_frames", 0) == 3


def test_a_game_too_long_for_a_gif_is_refused_before_any_work() -> None:
    request = Request(ScoreSheet(load("zhizhu")), MOST + 1, None, "default")
    with pytest.raises(
        SettingsError, match=f"{MOST + 1} turns are too many for a GIF, which takes {MOST}; name a --turn"
    ):
        as_gif(request)


@pytest.mark.parametrize("lights", ["coach", "referee", "quiet", "none"])
@pytest.mark.parametrize("suffix", ["svg", "PNG"])
def test_a_position_is_drawn_after_any_turn_with_any_lights(record: Path, suffix: str, lights: str) -> None:
    path = record.with_name(f"game.{suffix}")
    for turn in ("0", "1"):
        assert main(["picture", str(record), "--turn", turn, "--lights", lights, "-o", str(path)]) == 0
    if suffix == "svg":
        assert fromstring(path.read_text()).get("width") == "740"
    else:
        with Image.open(path) as image:
            assert image.width == 1000


def test_lights_and_palettes_make_a_difference(record: Path) -> None:
    drawn = set()
    for options in (["--lights", "none"], ["--palette", "clear"], ["--palette", "dim"], []):
        path = record.with_name("game.svg")
        assert main(["picture", str(record), *options, "-o", str(path)]) == 0
        drawn.add(path.read_bytes())
    assert len(drawn) == 4


def test_the_end_of_a_game_is_told_under_the_picture(tmp_path: Path) -> None:
    kept = keep(tmp_path / "game.rec", Cell("zong-heng", Sense.PRESENCE), 3, lines=4, last="resign")
    path = tmp_path / "game.svg"
    assert main(["picture", str(kept.path), "-o", str(path)]) == 0
    assert str(kept.sheet.outcome) in " ".join(each.text or "" for each in fromstring(path.read_text()).iter())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--turn", "999"], "game.rec: there is no turn 999; name one from 0, the start, to "),
        (["--turn", "-1"], "game.rec: there is no turn -1; name one from 0, the start, to "),
        (["-o", "game.jpg"], "game.jpg: a picture is SVG, PNG or GIF; name a file that ends in .svg, .png, .gif"),
        (["-o", "game"], "game: a picture is SVG, PNG or GIF"),
        (["-o", "no/such/game.svg"], "no/such/game.svg: No such file or directory; name another file with -o"),
        (["-o", "folder.svg"], "folder.svg: a folder, where an ordinary file is needed; name another file with -o"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(
    arguments: list[str], says: str, record: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(record.parent)
    Path("folder.svg").mkdir()
    before = sorted(Path().iterdir())
    assert main(["picture", "game.rec", *arguments]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"tablelight: {says}")
    assert said.err.count("\n") == 1
    assert not said.out
    assert sorted(Path().iterdir()) == before


def test_a_damaged_record_is_told_and_leaves_the_picture_that_was_there(record: Path, capsys: Capture) -> None:
    path = record.with_name("game.svg")
    path.write_text("an earlier picture")
    record.write_text(record.read_text().replace("turn", "tern", 1))
    assert main(["picture", str(record), "-o", str(path)]) == 2
    assert re.match(r"tablelight: .*game\.rec: line \d+: .*\n$", capsys.readouterr().err)
    assert path.read_text() == "an earlier picture"
    assert main(["picture", str(record.with_name("none.rec")), "-o", str(path)]) == 2


def test_without_the_library_pixels_say_how_to_get_it_and_an_svg_is_drawn(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    for suffix in ("png", "gif"):
        assert main(["picture", str(record), "-o", str(record.with_name(f"game.{suffix}"))]) == 2
        assert "needs the library Pillow: install it with pip install 'tablelight[picture]'" in capsys.readouterr().err
    assert main(["picture", str(record), "-o", str(record.with_name("game.svg"))]) == 0


# Figures of the rules -------------------------------------------------------------------------


@cache
def example_of(board: str) -> dict[str, Example]:
    return examples(game_of(board))


@pytest.mark.parametrize(
    ("board", "kinds"),
    [
        ("zong-heng", ["push", "too-few"]),
        ("zong-heng-10", ["push", "too-few"]),
        ("yin-yang", ["count"]),
        ("zhizhu", ["line", "circle", "slide"]),
        ("zig-zag", ["sow", "take"]),
    ],
)
def test_every_game_has_figures_each_with_a_caption(board: str, kinds: list[str]) -> None:
    game = game_of(board)
    drawn = figures(game)
    assert [id for id, _ in drawn] == [f"{game.name}.figure-{kind}" for kind in kinds]
    for id, figure in drawn:
        assert SENTENCES[id]
        root = fromstring(figure)
        assert root.get("width") is None
        assert not any({"id", "style"} & set(each.keys()) for each in root.iter())
        assert len(list(root)) == (1 if id.endswith("too-few") else 2)


@pytest.mark.parametrize("board", BOARDS)
def test_a_figure_shows_a_turn_that_the_rules_allow_or_refuse_as_it_says(board: str) -> None:
    for kind, example in example_of(board).items():
        game, turn, position = example.game, example.signature.turn, example.position
        if kind == "too-few":
            assert turn.text in {refused.text for refused in game.refused(position)}
        else:
            assert play(game, position, turn.text) == turn.after


def test_what_counts_in_a_figure_is_marked() -> None:
    push, few = example_of("zong-heng")["push"], example_of("zong-heng")["too-few"]
    assert (len(push.counted), len(few.counted)) == (2, 1)  # of three stones
    assert push.new == [push.path[0]]
    assert len(push.path) == 4
    count = example_of("yin-yang")["count"]
    assert len(count.counted) == 2
    line, circle = example_of("zhizhu")["line"], example_of("zhizhu")["circle"]
    assert len({site[1] for site in line.counted}) == 1
    assert len(line.counted) == 3
    assert len(line.taken) == 1
    assert len({site[0] for site in circle.counted}) == 1
    assert len(circle.counted) == 5
    assert len(circle.taken) == 2
    take = example_of("zig-zag")["take"]
    assert take.taken[0][1] == take.path[-1][1]  # straight across


# As SVG -----------------------------------------------------------------------------------------

FILLED, OUTLINED = Ink("#111111", 1, "#eeeeee"), Ink("#111111", 1)
SQUARE = box(0, 0, 10, 10, FILLED)


@pytest.mark.parametrize(
    ("shapes", "elements"),
    [
        ((SQUARE, box(10, 0, 10, 10, FILLED), Circle((30, 5), 5, FILLED)), 1),
        ((SQUARE, box(9, 0, 10, 10, FILLED)), 2),  # hides a line
        ((line([(0, 0), (9, 9)], OUTLINED), line([(9, 0), (0, 9)], OUTLINED)), 1),
        ((SQUARE, box(20, 0, 10, 10, OUTLINED), box(40, 0, 10, 10, FILLED)), 3),
        ((SQUARE, Label((0, 0), "a1", 9), box(20, 0, 10, 10, FILLED)), 3),
        ((Circle((0, 0), 5, FILLED, "a1"), Circle((20, 0), 5, FILLED, "a2")), 2),
        ((box(0, 0, 9, 9, Ink(None, 0, "#eeeeee", strength=0.5)),) * 2, 2),
        ((line([(0, 0), (9, 9)], Ink(dash=2)),) * 2, 2),
    ],
    ids=["apart", "over another", "lines that cross", "another ink", "words between", "named", "thin ink", "dashes"],
)
def test_shapes_are_one_element_where_that_looks_the_same(shapes: tuple[Shape, ...], elements: int) -> None:
    assert len(element(Drawing("", 99, 99, shapes, paper=None))) == elements


def test_of_a_circle_among_others_two_halves_are_drawn() -> None:
    (path,) = element(Drawing("", 99, 99, (SQUARE, Circle((30, 5), 2.5, FILLED)), paper=None))
    assert path.get("d") == "M0,0L10,0L10,10L0,10ZM27.5,5a2.5,2.5 0 1,0 5,0a2.5,2.5 0 1,0 -5,0Z"
