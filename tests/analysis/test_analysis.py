"""What decided a game: the analysis of a record, and what is written of it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from benchmarks.cells import Cell
from firmware_bridge.analysis.evaluation import (
    LEAST,
    LITTLE,
    MOST,
    AnalysedTurn,
    Analysis,
    EvaluatedTurn,
    Evaluation,
    Standing,
    turning_points,
    worst,
    worth,
)
from firmware_bridge.cli.main import parser
from firmware_bridge.records import RecordError, read_record
from firmware_bridge.score import PASS
from games.rules import OptionError, play
from hardware.device import Sense
from hardware.settings import SettingsError
from tests.records.random_records import keep, with_a_pass

Capture = pytest.CaptureFixture[str]
ZHIZHU = "tablelight 1\ngame zhizhu\nsense colour\n"
WON = "position x......./xo.o..../.x...o.. x 0,0 -,-\n"
"""Black wins by c2-c1, which captures one of three stones; c2-c3 is a draw."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who has worked out no endings."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def analyse(*arguments: object) -> int:
    """Run the command."""
    wanted = parser().parse_args(["analyse", *map(str, arguments)])
    status: int = wanted.do(wanted)
    return status


def record(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.table"
    path.write_text(text)
    return path


def analysed(path: Path, nodes: int = 30) -> Analysis:
    """The analysis as another program reads it."""
    report = path.with_suffix(".json")
    assert analyse(path, "--nodes", nodes, "-o", report) == 0
    return json.decode(report.read_bytes(), type=Analysis, strict=True)


# What is found --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [("zong-heng", {"size": 6}), ("yin-yang", {}), ("zhizhu", {"first": "o"}), ("zig-zag", {})],
)
def test_every_turn_is_weighed(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    sense = Sense.COUNT if name == "zig-zag" else Sense.COLOUR
    kept = keep(tmp_path / "game.table", Cell(name, sense), 1, lines=12, **options)
    made = analysed(kept.path, 20)
    sheet = read_record(kept.path).sheet
    assert (made.format, made.game, made.options) == (2, name, sheet.game.chosen)
    assert [turn.turn for turn in made.turns] == [entry.turn.text for entry in sheet.played_turns]
    assert [standing.position for standing in made.standings] == [
        *(str(entry.position) for entry in sheet.played_turns),
        str(sheet.position),
    ]
    assert all(sensible(sheet.game, standing) for standing in made.standings)
    assert all(consistent(sheet.game, *step) for step in steps(made))
    assert (made.ended is None) == (sheet.outcome is None)


def sensible(game: Any, standing: Standing) -> bool:
    """Whether the line can be played, and the value is one."""
    position = game.position(standing.position)
    for text in standing.line:
        position = play(game, position, text)
    sure = standing.value in (0, 0.5, 1)
    return 0 <= standing.value <= 1 and (sure or not standing.proved)


def consistent(game: Any, was: Standing, now: Standing, turn: AnalysedTurn) -> bool:
    """Whether the loss is what the value fell by, and the better turn, if there is one, leads elsewhere."""
    fallen = round(worth(was.value, turn.side) - worth(now.value, turn.side), 2)
    position = game.position(was.position)
    better = str(play(game, position, was.best or "")) != now.position
    return turn.loss == fallen >= 0 and turn.best == (turn.loss == 0) and (turn.best or better)


def test_a_win_that_was_missed_is_a_turning_point(tmp_path: Path) -> None:
    made = analysed(record(tmp_path, f"{ZHIZHU}{WON}turn c2-c3\n"))
    (point,) = made.turning_points
    assert (point.number, point.value, point.proved) == (1, 1.0, True)
    assert point.better.startswith("c2-c1x")
    assert (made.standings[0].value, made.standings[0].proved) == (1.0, True)
    assert made.turns[0].loss == pytest.approx(1 - made.standings[1].value)
    assert made.turns[0].loss >= LEAST
    assert not made.turns[0].best


def lost(number: int, loss: float) -> EvaluatedTurn:
    """A turn that lost so much; odd numbers are those of player 0."""
    better = Evaluation(0.5, False, ("b2", "c3")) if loss else None
    return EvaluatedTurn(
        AnalysedTurn(number, 1 - number % 2, "a1", False, not loss, loss, ()), better or Evaluation(0.5, False), better
    )


def test_the_worst_turn_of_each_person_is_found_however_much_the_others_lost() -> None:
    losses = [0.04, 0.5, 0.08, 0.4, 0.08, 0.3, LITTLE, 0.01]
    turns = [lost(number, loss) for number, loss in enumerate(losses, 1)]
    assert [point.number for point in turning_points(turns)] == [2, 4, 6]
    assert [point.number for point in worst(turns, (0, 3))] == [3]  # the earlier of two
    assert [point.number for point in worst(turns, (0, 0))] == [2, 3]
    assert worst(turns, (1, 8)) == ()
    (point,) = worst([lost(1, LITTLE), lost(2, 0.01)], (0, 0))
    assert (point.number, point.better, point.value, point.line) == (1, "b2", 0.5, ("b2", "c3"))


def test_the_worst_turn_of_a_person_may_be_a_turning_point_and_the_engines_is_not_asked_for(tmp_path: Path) -> None:
    made = analysed(record(tmp_path, f"{ZHIZHU}{WON}turn c2-c3\n"))
    assert made.worst == made.turning_points != ()
    made = analysed(record(tmp_path, f"{ZHIZHU}levels 3 0\n{WON}turn c2-c3\n"))
    assert (len(made.turning_points), made.worst) == (1, ())


def test_the_best_turn_loses_nothing_and_the_end_is_sure(tmp_path: Path) -> None:
    best = analysed(record(tmp_path, f"{ZHIZHU}{WON}turn c2-c3\n")).standings[0].best
    made = analysed(record(tmp_path, f"{ZHIZHU}{WON}turn {best}\n"))
    assert (made.turns[0].best, made.turns[0].loss, made.turning_points) == (True, 0.0, ())
    assert [(standing.value, standing.proved) for standing in made.standings] == [(1.0, True)] * 2
    assert made.standings[-1].best is None
    assert made.ended is not None
    assert (made.ended.winner, made.ended.called_off) == (0, False)


def test_a_turn_is_better_by_more_than_searches_err_or_if_the_result_is_sure() -> None:
    assert Evaluation(0.52, False).above(Evaluation(0.5, False), side=0)
    assert not Evaluation(0.51, False).above(Evaluation(0.5, False), side=0)
    assert Evaluation(0.48, False).above(Evaluation(0.5, False), side=1)
    assert not Evaluation(0.52, False).above(Evaluation(0.5, False), side=1)
    assert Evaluation(1.0, True).above(Evaluation(0.99, False), side=0)
    assert not Evaluation(1.0, True).above(Evaluation(1.0, True), side=0)
    assert Evaluation(0.01, False).above(Evaluation(0.0, True), side=0)  # a hope, however small


OPENING = "".join(f"turn {turn}\n" for turn in ("a1", "b1", "a2", "b7", "a8", "c4", "b2", "c2", "b8", "b3"))


def test_loss_is_the_difference_of_the_values_told(tmp_path: Path) -> None:
    made = analysed(record(tmp_path, f"{ZHIZHU}{OPENING}"), 300)
    game = read_record(tmp_path / "game.table").sheet.game
    assert all(consistent(game, *step) for step in steps(made))
    assert all(point.value == made.standings[point.number - 1].value for point in made.turning_points)
    assert all(round(standing.value, 2) == standing.value for standing in made.standings)
    assert made.turning_points
    assert 0 < made.rough < 1


def steps(made: Analysis) -> Iterator[tuple[Standing, Standing, Any]]:
    """Each turn with the positions before it and after it."""
    yield from zip(made.standings, made.standings[1:], made.turns, strict=False)


def test_a_pass_is_forced_and_worth_what_follows(tmp_path: Path) -> None:
    made = analysed(with_a_pass(tmp_path / "game.table").path, 1)
    passes = [(was, now) for was, now, turn in steps(made) if turn.turn == PASS]
    assert passes
    assert all(was.value == now.value and was.nodes == 0 and was.line[0] == PASS for was, now in passes)
    assert all(turn.forced and not turn.loss for turn in made.turns if turn.turn == PASS)
    assert len(made.turning_points) <= MOST


def test_a_third_standing_ends_in_a_draw_unless_the_rule_is_off(tmp_path: Path) -> None:
    start = "position x.x.x.../......../.o.o.o.. x 0,0 -,-\n"
    turns = "turn a1-a8\nturn c2-c1\nturn a8-a1\nturn c1-c2\n" * 2
    drawn = analysed(record(tmp_path, f"{ZHIZHU}{start}{turns}"), 5)
    assert drawn.ended is not None
    assert drawn.ended.reason.id == "rules.repetition"
    assert (drawn.standings[-1].value, drawn.standings[-1].proved, drawn.house_rule) == (0.5, True, True)
    going_on = analysed(record(tmp_path, f"{ZHIZHU}house-rule off\n{start}{turns}"), 5)
    assert (going_on.ended, going_on.house_rule) == (None, False)
    assert going_on.standings[-1].best is not None


def test_a_game_that_was_resigned_is_weighed_as_if_it_went_on(tmp_path: Path) -> None:
    made = analysed(record(tmp_path, f"{ZHIZHU}turn a1\nturn b2\namend b4\nresign dark\n"))
    assert [turn.turn for turn in made.turns] == ["a1", "b4"]
    assert made.ended is not None
    assert (made.ended.winner, made.ended.called_off, made.ended.reason.id) == (1, True, "table.resigned")
    assert made.standings[-1].best is not None


def test_a_game_that_has_not_begun_has_one_position(tmp_path: Path) -> None:
    made = analysed(record(tmp_path, ZHIZHU))
    assert (len(made.standings), made.turns, made.turning_points, made.ended) == (1, (), (), None)


def test_help_is_told_where_it_was_given_and_the_turn_stands(tmp_path: Path) -> None:
    help = "note helped table.helped player=zhizhu.dark\n"
    text = f"{ZHIZHU}{help}note hint table.hint 'turns=a1 55, b2 54'\nnote blind table.blind\nturn a1\nturn b1\n{help}"
    made = analysed(record(tmp_path, f"{text}undo 1\nturn b2\nturn c1\nnote hint of.another x=y\nnote hint\nturn c2\n"))
    assert [[message.id for message in turn.help] for turn in made.turns] == [
        ["table.helped", "table.hint"],
        [],
        [],
        ["of.another", ""],
    ]
    assert made.turns[0].help[0].values == {"player": "zhizhu.dark"}


def test_same_nodes_give_the_same_analysis(tmp_path: Path) -> None:
    path = keep(tmp_path / "game.table", Cell("zig-zag", Sense.COUNT), 4, lines=10).path
    assert analysed(path) == analysed(path)


# What is refused ------------------------------------------------------------------------------


def test_unreadable_and_unwritable_files_are_named_and_left_alone(tmp_path: Path) -> None:
    good = record(tmp_path, f"{ZHIZHU}turn a1\n")
    with pytest.raises(RecordError, match="line 1"):
        analyse(Path(__file__))
    with pytest.raises(RecordError, match="No such file"):
        analyse(tmp_path / "none.table")
    for name, why in (("x.pdf", "ends in .html or .json"), ("none/x.html", "no such folder")):
        with pytest.raises(SettingsError, match=why):
            analyse(good, "-o", tmp_path / name)
    (tmp_path / "taken.html").mkdir()
    with pytest.raises(SettingsError, match="name another file"):
        analyse(good, "--nodes", 1, "-o", tmp_path / "taken.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.table", "taken.html"]


def test_a_game_that_cannot_be_searched_is_said(tmp_path: Path) -> None:
    with pytest.raises((OptionError, RecordError), match="tag"):
        analyse(record(tmp_path, "tablelight 1\ngame tag\n"))


def test_ctrl_c_leaves_what_was_there(tmp_path: Path, capsys: Capture) -> None:
    path, report = record(tmp_path, f"{ZHIZHU}turn a1\n"), tmp_path / "report.html"
    report.write_text("of yesterday")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        assert analyse(path, "--seconds", 600, "-o", report) == 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert capsys.readouterr() == ("", "Stopped: nothing was written.\n")
    assert report.read_text() == "of yesterday"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.table", "report.html"]
