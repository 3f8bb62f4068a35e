"""The analysis as it is read: the report in HTML, the table in the terminal, the line that tells how far it is."""

from __future__ import annotations

import argparse
import io
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_bridge.analysis import html_report, text_report
from firmware_bridge.analysis.command import effort, so_far
from firmware_bridge.analysis.curve import MARK, ROWS, lettered, shapes
from firmware_bridge.analysis.evaluation import Analysis, Effort, TurningPoint, analyse
from firmware_bridge.analysis.wording import heading, rows
from firmware_bridge.drawing.shapes import Circle
from firmware_bridge.drawing.shapes import Label as Letters
from firmware_bridge.i18n import LANGUAGES, Progress, width, words
from firmware_bridge.i18n.progress import BAR
from firmware_bridge.records import read_record
from firmware_bridge.score import ScoreSheet
from games.rules import load

VOID = {"meta", "link", "br", "hr", "img", "input"}
BEGUN = "tablelight 1\ngame zhizhu\n"
WON = "position x......./xo.o..../.x...o.. x 0,0 -,-\n"
MISSED = "tablelight 1\ngame zhizhu\nposition x......./xo.o..../.x...o.. x 0,0 -,-\nturn c2-c3\n"
"""Black could have won."""
Game = tuple[ScoreSheet, Analysis]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return weighed(tmp_path_factory.mktemp("record") / "game.table", MISSED)


def weighed(path: Path, text: str) -> Game:
    path.write_text(text)
    sheet = read_record(path).sheet
    return sheet, analyse(sheet, Effort(None, 30, 0), {}, lambda done, every: None)


class Reader(HTMLParser):
    """Reads a file as strictly as can be: whatever is opened is closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each element of that name."""
        return [attributes for name, attributes in self.found if name == tag]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_is_whole_and_needs_nothing_else(game: Game, language: str) -> None:
    text = html_report.report(*game, words(language))
    read = Reader(text)
    assert text.startswith("<!DOCTYPE html>\n<html")
    assert read.open == []
    assert read.all("html") == [{"lang": language}]
    assert not {"script", "link", "img", "iframe", "base"} & {tag for tag, _ in read.found}
    assert {value for _, found in read.found for name, value in found.items() if name in ("src", "href")} == {"#turn-1"}
    assert not any(name == "style" or name.startswith("on") for _, found in read.found for name in found)
    assert not {"{", "}"} & set(read.text)
    assert "analysis." not in read.text


def test_a_browser_is_allowed_the_style_sheet_and_nothing_else(game: Game) -> None:
    text = html_report.report(*game, words("en"))
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    policy = next(meta["content"] for meta in Reader(text).all("meta") if "http-equiv" in meta)
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'"


def test_report_has_headings_and_labels_for_screen_readers(game: Game) -> None:
    read = Reader(html_report.report(*game, words("en")))
    levels = [int(tag[1]) for tag, _ in read.found if re.fullmatch("h[1-6]", tag)]
    assert levels == [1, 2, 2, 3, 2]
    names = [found["id"] for _, found in read.found if "id" in found]
    assert len(names) == len(set(names))
    assert {found["aria-labelledby"] for _, found in read.found if "aria-labelledby" in found} <= set(names)
    drawings = read.all("svg")
    assert len(drawings) == 2
    assert all(drawing["role"] == "img" and drawing["aria-label"] for drawing in drawings)
    assert len(read.all("title")) == 1 + len(drawings)
    assert len(read.all("figcaption")) == len(drawings)
    assert {head["scope"] for head in read.all("th")} == {"col", "row"}


def test_a_report_says_what_was_better_and_marks_it(game: Game) -> None:
    sheet, made = game
    (point,) = made.turning_points
    text = " ".join(Reader(html_report.report(sheet, made, words("en"))).text.split())
    assert "1. Black plays c2-c3." in text
    assert f"{point.better} was better. Expected score of Black: won (proved) with {point.better}," in text
    drawn = html_report.report(sheet, made, words("en"))
    assert drawn.count('class="board-mark"') >= 2  # an arrow and a cross
    assert 'class="board-light"' in drawn
    assert drawn.count('class="board-made"') == 1  # the turn that was played, beside it
    assert "the dashed line is the turn that was played" in text
    assert 'class="curve-mark"' in drawn


def test_report_without_turning_points_says_so(tmp_path: Path) -> None:
    sheet, made = weighed(tmp_path / "game.table", "tablelight 1\ngame zig-zag\nsense count\n")
    for told in (html_report.report(sheet, made, words("en")), text_report.told(sheet, made, words("en"))):
        assert "No turn lost 15 % or more." in told
        assert "The game was not finished." in told


OPENING = "".join(f"turn {turn}\n" for turn in ("a1", "b1", "a2", "b7", "a8", "c4"))
FLAT = "Turns 1 to 5: nothing to choose yet; the value stays within 1 % of 50 % and is left out."


def with_values(tmp_path: Path, *values: float) -> Game:
    """The opening, its positions being worth so much."""
    sheet, made = weighed(tmp_path / "game.table", f"{BEGUN}{OPENING}")
    standings = (replace(now, value=value) for now, value in zip(made.standings, values, strict=True))
    return sheet, replace(made, standings=tuple(standings))


def test_a_beginning_in_which_nothing_changes_is_told_once(tmp_path: Path) -> None:
    sheet, made = with_values(tmp_path, 0.5, 0.5, 0.51, 0.5, 0.49, 0.5, 0.9)
    assert all(FLAT in text for text in both(sheet, made))
    assert [row[3] for row in rows(sheet, made, words("en"))] == ["50", "", "", "", "", "", "90"]
    sheet, made = with_values(tmp_path, 0.5, 0.5, 0.51, 0.5, 0.48, 0.5, 0.9)
    assert not any("nothing to choose" in text for text in both(sheet, made))
    assert [row[3] for row in rows(sheet, made, words("en"))][1:5] == ["50", "51", "50", "48"]


def test_a_report_says_what_its_numbers_mean_and_how_rough_they_are(tmp_path: Path) -> None:
    sheet, made = weighed(tmp_path / "game.table", f"{BEGUN}{OPENING}")
    for text in both(sheet, made):
        assert "found better by 2 % or more; a turn lost what this value fell by for its player." in text
        assert ("give or take" in text) == bool(made.rough)
        assert "Nodes for each position, at most: 30." in text
    for text in both(sheet, replace(made, effort=Effort(0.4, None, 0))):
        assert "at most: 0.4; on another computer the values will differ." in text


def test_without_options_the_clock_does_not_count() -> None:
    wanted = argparse.Namespace(seconds=None, nodes=None, seed=3)
    assert effort(wanted, load("yin-yang")) == Effort(None, 2000, 3)
    assert effort(wanted, load("zhizhu")) == Effort(None, 20_000, 3)


# Whose turns, which game, which end -----------------------------------------------------------


def both(sheet: ScoreSheet, made: Analysis) -> list[str]:
    """The report and the table, as they are read."""
    texts = (
        re.sub("<[^>]+>", " ", html_report.report(sheet, made, words("en"))),
        text_report.told(sheet, made, words("en")),
    )
    return [" ".join(text.split()) for text in texts]


def with_worst(tmp_path: Path, levels: str) -> Game:
    """Black's first turn lost much, White's a little."""
    sheet, made = weighed(tmp_path / "game.table", f"{BEGUN}levels {levels}\n{WON}turn c2-c3\nturn b2-b3\n")
    dark, light = (replace(turn, loss=loss) for turn, loss in zip(made.turns, (0.5, 0.08), strict=True))
    points = [instead(sheet, number) for number in (1, 2)]
    own = tuple(point for point, level in zip(points, made.levels, strict=True) if not level)
    return sheet, replace(made, turns=(dark, light), turning_points=(points[0],), worst=own)


def instead(sheet: ScoreSheet, number: int) -> TurningPoint:
    """Another turn than that of the number."""
    entry = sheet.played_turns[number - 1]
    text = next(turn.text for turn in sheet.game.turns(entry.position) if turn.after != entry.turn.after)
    return TurningPoint(number, text, 0.5, False, (text,))


def test_a_persons_worst_turn_comes_before_the_engines(tmp_path: Path) -> None:
    for text in both(*with_worst(tmp_path, "2 0")):
        own, engine = text.index("2. White plays b2-b3."), text.index("1. Black plays c2-c3.")
        assert text.index("Where the players lost most") < own < text.index("Turning points") < engine
        assert "No other turn of White lost more." in text[own:engine]
        assert "The engine chose this turn." in text[engine:]


def test_a_turn_is_explained_once(tmp_path: Path) -> None:
    sheet, made = with_worst(tmp_path, "0 0")
    for text in both(sheet, made):
        assert text.count("1. Black plays c2-c3. No other turn of Black lost more.") == 1
        assert text.index("Turning points") < text.index("Where the players lost most")
        assert "The engine" not in text
    rows = Reader(html_report.report(sheet, made, words("en"))).all("a")
    assert rows == [{"href": "#turn-1"}, {"href": "#turn-2"}]


def test_a_person_who_lost_next_to_nothing_is_told_so(tmp_path: Path) -> None:
    sheet, made = with_worst(tmp_path, "2 0")
    for text in both(sheet, replace(made, worst=())):
        assert "Where the players lost most No turn of White lost 2 % or more. Turning points" in text


@pytest.mark.parametrize(
    ("game", "language", "told"),
    [
        ("zong-heng", "en", "Zong-Heng (squares along a side: 8; how the stones stand at the start: Rows)"),
        ("zhizhu first=o", "en", "ZhiZhu (who begins: White)"),
        ("zhizhu first=o", "fr", "ZhiZhu (qui commence : Blanc)"),
        ("zig-zag", "en", "Zig Zag"),
    ],
)
def test_options_are_said_in_words(game: str, language: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "game.table"
    path.write_text(f"tablelight 1\ngame {game}\n")
    assert heading(read_record(path).sheet, words(language)) == told


def test_who_resigns_in_the_better_position_is_told_so(tmp_path: Path) -> None:
    for who, told in (
        ("dark", "White wins: Black resigns. Black resigned in the better position: expected score won (proved)."),
        ("light", "Black wins: White resigns. Expected score of Black in the last position: won (proved)."),
    ):
        for text in both(*weighed(tmp_path / "game.table", f"{BEGUN}{WON}resign {who}\n")):
            assert told in text


def test_proof_is_explained_where_a_value_is_proved(game: Game, tmp_path: Path) -> None:
    proof, dot = (words("en").text(f"analysis.{id}") for id in ("proof", "dot"))
    assert all(proof in text for text in both(*game))
    assert dot in both(*game)[0]
    assert not any(proof in text or dot in text for text in both(*weighed(tmp_path / "game.table", BEGUN)))


def test_the_number_of_a_turn_stands_where_the_curve_is_not(tmp_path: Path) -> None:
    _, made = with_worst(tmp_path, "0 0")
    drawn = [*shapes(made)]
    rings = [shape.centre[1] for shape in drawn if isinstance(shape, Circle) and shape.ink == MARK]
    numbers = [shape.at[1] for shape in drawn if isinstance(shape, Letters) and shape.kind == "curve-number"]
    (dark, first), (light, second) = zip(rings, numbers, strict=True)
    assert first > dark  # the curve fell
    assert second < light


# The terminal ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_stands_in_columns(game: Game, language: str) -> None:
    lines = text_report.told(*game, words(language)).splitlines()
    head, start, turn = lines[-3:]
    label = words(language).text("analysis.played")
    column = width(head[: head.index(f" {label} ")]) + 1
    assert cut(turn, column).startswith("c2-c3 ")
    assert cut(start, column).startswith(words(language).text("analysis.start"))


def cut(line: str, column: int) -> str:
    """What stands from a column on."""
    place = next(place for place in range(len(line)) if width(line[:place]) == column)
    return line[place:]


def test_the_curve_has_a_mark_for_each_value(game: Game) -> None:
    lines = list(lettered(game[1], 80))
    assert len(lines) == ROWS + 1
    assert lines[0] == "100 |#"  # proved, and then thrown away
    assert sum(line.count("*") + line.count("#") for line in lines) == 2
    assert lines[-1] == "      ^"


def test_a_long_game_fits_a_narrow_terminal(tmp_path: Path) -> None:
    start = "tablelight 1\ngame zhizhu\nhouse-rule off\nposition x.x.x.../......../.o.o.o.. x 0,0 -,-\n"
    turns = "turn a1-a8\nturn c2-c1\nturn a8-a1\nturn c1-c2\n" * 10
    _, made = weighed(tmp_path / "game.table", start + turns)
    assert max(map(len, lettered(made, 30))) <= 30


# How far it is --------------------------------------------------------------------------------


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_far_it_is_and_is_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    screen, times = Screen(), iter([100.0, 102.0, 110.0])
    progress = Progress(so_far, screen, lambda: next(times))
    progress.step(1, 4)
    progress.step(2, 4)
    bars = [f"[{'#' * full}{'.' * (BAR - full)}]" for full in (BAR // 4, BAR // 2)]
    assert [line.rstrip() for line in screen.getvalue().split("\r")[1:]] == [
        f"{bars[0]} Positions: 1 of 4, seconds left: about 6",
        f"{bars[1]} Positions: 2 of 4, seconds left: about 10",
    ]
    wide = len(screen.getvalue().split("\r")[-1])
    progress.clear()
    assert screen.getvalue().endswith("\r" + " " * wide + "\r")
    at_rest = screen.getvalue()
    progress.clear()
    assert screen.getvalue() == at_rest


def test_a_narrow_terminal_sees_the_sentence_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    screen, times = Screen(), iter([0.0, 1.0])
    Progress(so_far, screen, lambda: next(times)).step(1, 2)
    assert screen.getvalue() == "\rPositions: 1 of 2, seconds left: about 1"


def test_a_file_sees_no_progress() -> None:
    out = io.StringIO()
    progress = Progress(so_far, out)
    progress.step(1, 3)
    progress.clear()
    assert out.getvalue() == ""
