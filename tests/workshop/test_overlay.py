"""The sheets: every mark over its square, true to scale, and a PDF that cuts and joins as it says."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from pypdf import PdfReader

from firmware_bridge.cli.main import parser
from firmware_bridge.drawing.ground import threads
from firmware_bridge.drawing.pdf import EDGE, OVERLAP, PAPERS, Page, paginate, pdf
from firmware_bridge.drawing.shapes import BLACK, Drawing, Label, measure, svg, wrap
from firmware_bridge.drawing.shapes import Path as Line
from firmware_bridge.layout import lay_out
from firmware_bridge.workshop.overlay import DARK, MARGIN, OnBoard, overlay, read_plan
from games.rules import Game, OptionError, load, names
from hardware.board import find_board
from hardware.settings import SettingsError

Capture = pytest.CaptureFixture[str]
GRID = read_plan(find_board("grid"))
PITCHES = (15.0, 23.7, 50.0, 100.0)
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments: str) -> int:
    """Run the command; its exit status, and whatever it raises."""
    wanted = parser().parse_args(["overlay", *arguments])
    status: int = wanted.do(wanted)
    return status


def drawn(game: Game[Any], pitch: float = 50.0) -> Element:
    return fromstring(svg(overlay(game, GRID, pitch)))


def centre(point: str, pitch: float) -> tuple[float, float]:
    """Where a square of a board of eight ranks lies on the sheet: counted here by its name."""
    return MARGIN + (ord(point[0]) - ord("a") + 0.5) * pitch, MARGIN + (8 - int(point[1]) + 0.5) * pitch


def strokes(root: Element) -> list[str]:
    """All that is drawn from one point on, in SVG's letters; a path may have several."""
    return [stroke for path in root.iter(f"{SVG}path") for stroke in re.findall("M[^M]*", path.get("d", ""))]


def numbers(stroke: str) -> list[tuple[float, float]]:
    """All points that it names."""
    run = [float(number) for number in re.findall(r"-?[\d.]+", stroke)]
    return list(zip(run[::2], run[1::2], strict=True))


def nodes(stroke: str) -> list[tuple[float, float]]:
    """The points that it goes through."""
    through = [numbers(part)[-1] for part in re.findall("[MLC]([^A-Z]*)", stroke)]
    return [*through, through[0]] if stroke.endswith("Z") else through


# Every game, every pitch ----------------------------------------------------------------------


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("name", names())
def test_every_site_is_marked_exactly_over_its_square(name: str, pitch: float) -> None:
    game = load(name)
    marks = {mark.get("id"): mark for mark in drawn(game, pitch).iter(f"{SVG}circle")}
    for site, point in zip(game.sites, lay_out(game, GRID), strict=True):
        mark = marks.pop(site)
        assert (float(mark.get("cx", "")), float(mark.get("cy", ""))) == pytest.approx(centre(point, pitch), abs=1e-3)
    assert not marks


@pytest.mark.parametrize("name", names())
def test_the_sheet_is_in_millimetres_one_unit_each(name: str) -> None:
    root, drawing = drawn(load(name)), overlay(load(name), GRID)
    assert root.get("width") == "410mm"  # eight squares and the margins
    assert root.get("height") == f"{drawing.height:g}mm"
    assert root.get("viewBox") == f"0 0 410 {drawing.height:g}"


@pytest.mark.parametrize("pitch", PITCHES)
@pytest.mark.parametrize("name", names())
def test_nothing_is_outside_the_page(name: str, pitch: float) -> None:
    drawing = overlay(load(name), GRID, pitch)
    for x, y in reaches(drawing):
        assert 0 <= x <= drawing.width
        assert 0 <= y <= drawing.height


def reaches(drawing: Drawing) -> Iterator[tuple[float, float]]:
    """The farthest points of all that is drawn."""
    root = fromstring(svg(drawing))
    for circle in root.iter(f"{SVG}circle"):
        x, y, radius = (float(circle.get(key, "")) for key in ("cx", "cy", "r"))
        yield from ((x - radius, y - radius), (x + radius, y + radius))
    for stroke in strokes(root):
        yield from numbers(stroke)
    for words in drawing.shapes:
        if isinstance(words, Label):
            before = words.wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
            x, y = words.at
            ends = (x - before, x - before + words.wide)
            up = words.size if words.turned else -words.size
            yield from ((end, y + rise) for end in ends for rise in (0, up))


@pytest.mark.parametrize("name", names())
def test_title_and_rules_are_on_the_sheet_and_a_bar_of_100_mm(name: str) -> None:
    game = load(name)
    drawing = overlay(game, GRID)
    said = " ".join(shape.text for shape in drawing.shapes if isinstance(shape, Label))
    assert " ".join(game.summary.split()) in said
    bars = [nodes(stroke) for stroke in strokes(drawn(game)) if len(nodes(stroke)) == 2]
    assert any(end[0] - start[0] == pytest.approx(100) and start[1] == end[1] for start, end in bars)
    assert any(isinstance(shape, Label) and shape.text == game.title and shape.bold for shape in drawing.shapes)


@pytest.mark.parametrize("name", names())
def test_crosses_lie_over_the_corner_squares(name: str) -> None:
    lines = [nodes(stroke) for stroke in strokes(drawn(load(name), 40)) if len(nodes(stroke)) == 2]
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in lines]
    for corner in ("a1", "h1", "a8", "h8"):
        assert sum(middle == pytest.approx(centre(corner, 40)) for middle in middles) >= 2


# What a game is drawn as ----------------------------------------------------------------------


def test_every_link_is_drawn_once_and_ends_at_its_sites() -> None:
    game = load("zhizhu")
    at = {site: centre(point, 50) for site, point in zip(game.sites, lay_out(game, GRID), strict=True)}
    joined = [pair for stroke in strokes(drawn(game)) for pair in pairwise(nodes(stroke))]
    for one, other in game.links:
        ends = [pair for pair in joined if set(pair) == {at[one], at[other]}]
        assert len(ends) == 1, (one, other)


def test_three_threads_of_the_web_close_and_eight_do_not() -> None:
    found = list(threads(load("zhizhu")))
    rings = [thread for thread in found if thread[0] == thread[-1]]
    assert sorted(map(len, rings)) == [9, 9, 9]
    assert all(len({site[0] for site in ring}) == 1 for ring in rings)
    spokes = [thread for thread in found if thread not in rings]
    assert sorted(sorted(spoke) for spoke in spokes) == [[f"{circle}{n}" for circle in "abc"] for n in range(1, 9)]


@pytest.mark.parametrize(("name", "count"), [("yin-yang", 18), ("zong-heng", 32)])
def test_the_dark_squares_are_shaded_and_a1_is_one(name: str, count: int) -> None:
    game, shapes = load(name), overlay(load(name), GRID).shapes
    dark = {shape.start for shape in shapes if isinstance(shape, Line) and shape.ink.fill == DARK}
    lay = OnBoard(game, GRID, 50)
    assert dark == {(x - 25, y - 25) for site, (x, y) in lay.at.items() if site in game.shaded}
    assert len(dark) == count
    assert "a1" in game.shaded


def test_each_pit_has_an_arrow_toward_the_pit_of_its_first_seed() -> None:
    south = {"S1": "N2", "S2": "N3", "S3": "N4", "S4": "N3", "S5": "N4", "S6": "N5"}
    north = {"N1": "S2", "N2": "S3", "N3": "S4", "N4": "S3", "N5": "S4", "N6": "S5"}
    shapes = overlay(load("zig-zag"), GRID).shapes
    tips = [shape.start for shape in shapes if isinstance(shape, Line) and shape.ink.fill == BLACK]
    at = OnBoard(load("zig-zag"), GRID, 50).at
    for pit, onward in (south | north).items():
        (ax, ay), (bx, by) = at[pit], at[onward]
        tip = min(tips, key=lambda tip: abs(tip[0] - ax) + abs(tip[1] - ay))
        assert (tip[0] - ax) * (by - ay) == pytest.approx((tip[1] - ay) * (bx - ax))  # on the line to it
        assert (tip[1] - ay) * (by - ay) > 0
    assert len(tips) == 12


def test_the_names_of_pits_and_both_stores_are_there_each_for_its_player() -> None:
    words = [shape for shape in overlay(load("zig-zag"), GRID).shapes if isinstance(shape, Label)]
    assert {each.text for each in words if each.turned} == {"North", *(f"N{pit}" for pit in range(1, 7))}
    assert {"South", *(f"S{pit}" for pit in range(1, 7))} <= {each.text for each in words if not each.turned}


def test_a_sheet_is_drawn_for_a_board_with_buttons_of_its_own() -> None:
    assert overlay(load("yin-yang"), read_plan(find_board("mcu"))).shapes


def test_squares_out_of_order_are_named_one_by_one(tmp_path: Path) -> None:
    ranks = "\n".join(" ".join(f"{file}{rank}" for file in "fedcba") for rank in range(6, 0, -1))
    file = tmp_path / "mirrored.toml"
    file.write_text(f'[points]\nfiles = 6\nranks = 6\n[layouts]\nyin-yang = """\n{ranks}\n"""\n')
    shapes = overlay(load("yin-yang"), read_plan(file)).shapes
    named = {shape.text: shape.at for shape in shapes if isinstance(shape, Label) and len(shape.text) == 2}
    assert set(named) >= set(load("yin-yang").sites)
    assert named["a1"][0] > named["f1"][0]


# PDF ------------------------------------------------------------------------------------------


def millimetres(page: Any) -> tuple[float, float]:
    return float(page.mediabox.width) * 25.4 / 72, float(page.mediabox.height) * 25.4 / 72


@pytest.mark.parametrize("name", names())
def test_a_pdf_is_one_page_of_the_size_of_the_sheet(name: str) -> None:
    drawing = overlay(load(name), GRID)
    read = PdfReader(BytesIO(pdf(drawing, paginate(drawing))))
    assert len(read.pages) == 1
    assert millimetres(read.pages[0]) == pytest.approx((drawing.width, drawing.height), abs=0.01)
    assert load(name).title in read.pages[0].extract_text()
    assert read.metadata
    assert read.metadata.title == drawing.title


@pytest.mark.parametrize(
    ("paper", "pitch", "pages"), [("A4", 50, 6), ("A3", 50, 2), ("A2", 50, 1), ("A4", 15, 1), ("A4", 100, 15)]
)
def test_a_sheet_is_cut_into_as_many_pages_as_it_takes(paper: str, pitch: float, pages: int) -> None:
    drawing = overlay(load("zong-heng"), GRID, pitch)
    read = PdfReader(BytesIO(pdf(drawing, paginate(drawing, paper))))
    assert len(read.pages) == pages
    for page in read.pages:
        assert sorted(millimetres(page)) == pytest.approx(sorted(PAPERS[paper]), abs=0.01)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("pitch", PITCHES)
def test_pages_overlap_cover_the_sheet_and_keep_off_the_edge(paper: str, pitch: float) -> None:
    drawing = overlay(load("zhizhu"), GRID, pitch)
    pages = paginate(drawing, paper)
    for axis, length in enumerate((drawing.width, drawing.height)):
        spans = sorted({(page.origin[axis], page.origin[axis] + page.window[axis]) for page in pages})
        assert spans[0][0] == pytest.approx(0)
        assert spans[-1][1] == pytest.approx(length)
        assert all(one[1] - other[0] == pytest.approx(OVERLAP) for one, other in pairwise(spans))
        assert all(page.corner[axis] >= EDGE - 1e-6 for page in pages)
        assert all(page.corner[axis] + page.window[axis] <= page.size[axis] - EDGE + 1e-6 for page in pages)


def cuts(page: Page) -> list[tuple[float, float, float, float]]:
    """The dashed lines of a page, as left, top, right and bottom on the sheet."""
    ends = [(note.start, note.parts[-1][-1]) for note in page.notes if isinstance(note, Line)]
    shift = page.origin[0] - page.corner[0], page.origin[1] - page.corner[1]
    return [(a[0] + shift[0], a[1] + shift[1], b[0] + shift[0], b[1] + shift[1]) for a, b in ends]


def test_neighbouring_pages_are_cut_at_the_same_line_of_the_sheet() -> None:
    pages = paginate(overlay(load("zong-heng"), GRID), "A4")
    first, second, below = cuts(pages[0]), cuts(pages[1]), cuts(pages[3])
    assert first[0][0] == pytest.approx(second[0][0])
    assert first[1][1] == pytest.approx(below[-1][1])
    said = [note.text for page in pages for note in page.notes if isinstance(note, Label)]
    assert said[0] == "page 1 of 6"
    assert said[4] == (
        "page 5 of 6: cut along the dashed line at the left and lay it on page 4, and at the top and lay it on page 2"
    )


# The command ----------------------------------------------------------------------------------


def test_the_command_says_what_it_wrote_and_writes_it_again(tmp_path: Path, capsys: Capture) -> None:
    for _ in range(2):
        assert run("zong-heng", "-O", "size=6", "--pitch", "30", "-o", str(tmp_path / "small.svg")) == 0
        out = capsys.readouterr().out
        assert re.search(r"small\.svg: Zong-Heng, 30 mm a square; the sheet is 250 x \d+ mm, on 1 page\. Print", out)
    assert fromstring((tmp_path / "small.svg").read_text()).get("width") == "250mm"
    assert run("zhizhu", "--paper", "A4", "-o", str(tmp_path / "web.pdf")) == 0
    assert "on 6 pages of A4" in capsys.readouterr().out
    assert len(PdfReader(tmp_path / "web.pdf").pages) == 6


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["zong-heng", "-o", "sheet.png"], "sheet.png: the sheet is drawn as SVG or PDF"),
        (["zong-heng", "-o", "no/such/sheet.svg"], "no/such/sheet.svg: No such file or directory; name another"),
        (["zong-heng", "-o", "s.svg", "--paper", "A4"], "s.svg: an SVG is one page; for pages of A4"),
        (["zong-heng", "-O", "size=10", "-o", "s.svg"], "zong-heng does not fit on this board"),
        (["zhizhu", "--board", "web", "-o", "s.svg"], "are not squares on a grid, so no sheet"),
        (["zhizhu", "--board", "none.toml", "-o", "s.svg"], "none.toml: there is no such board file"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match=re.escape(says)) as refused:
        run(*arguments)
    assert "\n" not in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_a_game_that_does_not_exist_is_refused() -> None:
    with pytest.raises(OptionError, match="there is no game 'tag'"):
        run("tag", "-o", "s.svg")


@pytest.mark.parametrize("pitch", ["14.9", "100.1", "nan", "inf", "-50", "wide"])
def test_a_pitch_out_of_range_is_refused(pitch: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        run("zong-heng", f"--pitch={pitch}", "-o", "s.svg")
    assert left.value.code == 2
    assert "--pitch" in capsys.readouterr().err


def test_without_the_library_a_pdf_says_how_to_get_it_and_an_svg_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pydyf", None)
    monkeypatch.delitem(sys.modules, "firmware_bridge.drawing.pdf")
    with pytest.raises(SettingsError, match=re.escape("PDF needs the library pydyf: install it with pip install")):
        run("zhizhu", "-o", str(tmp_path / "s.pdf"))
    assert run("zhizhu", "-o", str(tmp_path / "s.svg")) == 0


def test_a_line_is_wrapped_where_it_would_be_too_wide() -> None:
    lines = wrap("one two three four five six seven", 5, 30)
    assert " ".join(lines) == "one two three four five six seven"
    assert len(lines) > 1
    assert all(measure(row, 5) <= 30 for row in lines)
