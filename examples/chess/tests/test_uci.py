"""The search by a program that speaks UCI: by Stockfish, where one is found, and by small programs that fail."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from boards import CHESS, KIWIPETE, after, at, sample, texts
from tablelight_chess import search as module
from tablelight_chess.levels import LEVELS
from tablelight_chess.search import OTHERS, VARIABLE, NoProgram, Uci, program, search

from firmware_bridge.engine import Found, engine, own
from firmware_bridge.engine.levels import chosen
from firmware_bridge.engine.uct import Uct
from firmware_bridge.workshop.doctor import Finding
from firmware_bridge.workshop.game_checks import CHECKS, Checked

MATE = "6k1/5ppp/8/8/8/8/8/K3R3 w - -"
"""White mates in one."""
LOST = "k7/8/1K6/8/8/8/8/7R b - -"
"""Black has one turn, and is mated after it."""
MUTE = """
import sys
for line in sys.stdin:
    if line == "uci\\n": print("uciok", flush=True)
    if line == "isready\\n": print("readyok", flush=True)
    if line.startswith("go"): print("bestmove a2a3", flush=True)
"""
"""Plays, and tells nothing of its thoughts."""
DYING = """
import sys
for line in sys.stdin:
    if line == "uci\\n": print("uciok", flush=True)
    if line == "isready\\n": print("readyok", flush=True)
    if line.startswith("go"): sys.exit(3)
"""
"""Ends while it is asked."""
LYING = DYING.replace("sys.exit(3)", 'print("bestmove e2e5", flush=True)')
"""Plays what is no turn."""
SILENT = "import time; time.sleep(60)"
"""Does not even say that it speaks UCI."""


@pytest.fixture
def stockfish() -> Uci:
    """Stockfish, or whatever `program` finds."""
    try:
        return Uci(CHESS, program())
    except NoProgram as missing:
        pytest.skip(str(missing))


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer without any of the usual programs."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(module, "USUAL", ("stockfish",))


def last(found: Iterator[Found]) -> Found:
    """The answer."""
    *_, answer = found
    return answer


def written(folder: Path, source: str) -> list[str]:
    """The command that runs a small program."""
    path = folder / "program.py"
    path.write_text(source)
    return [sys.executable, str(path)]


# Stockfish ------------------------------------------------------------------------------------


def test_a_mate_is_found_and_proved(stockfish: Uci) -> None:
    answer = last(stockfish.find(at(MATE), nodes=2000))
    assert (answer.turn, answer.value, answer.proved) == ("e1-e8", 1.0, True)


def test_a_lost_position_is_known_as_lost(stockfish: Uci) -> None:
    answer = last(stockfish.find(at(LOST), nodes=2000))
    assert (answer.turn, answer.value, answer.proved, answer.others) == ("a8-b8", 0.0, True, ())


def test_answers_get_deeper_and_name_the_best_other_turns(stockfish: Uci) -> None:
    answers = list(stockfish.find(at(KIWIPETE), nodes=5000))
    looked = [answer.nodes for answer in answers]
    assert looked == sorted(looked)
    assert len(answers) > 3
    answer = answers[-1]
    values = [value for _, value in answer.others]
    assert len(values) == OTHERS
    assert values == sorted(values, reverse=True)
    assert {answer.turn, *(text for text, _ in answer.others)} <= texts(at(KIWIPETE))
    assert 0 < answer.value < 1
    assert after(at(KIWIPETE), *answer.line)


def test_the_same_question_has_the_same_answer(stockfish: Uci) -> None:
    assert last(stockfish.find(CHESS.start(), nodes=3000)) == last(stockfish.find(CHESS.start(), nodes=3000))


def test_it_chooses_among_the_turns_it_is_given(stockfish: Uci) -> None:
    answer = last(stockfish.find(at(MATE), nodes=2000, among=["a1-b1", "a1-b2"]))
    assert {answer.turn, *(text for text, _ in answer.others)} == {"a1-b1", "a1-b2"}


def test_it_stops_when_it_is_told_to(stockfish: Uci) -> None:
    asked = count()
    assert list(stockfish.find(CHESS.start(), stop=lambda: next(asked) > 20)) is not None
    assert next(asked) <= 24


def test_a_promotion_and_castling_are_turns_of_the_game(stockfish: Uci) -> None:
    position, promotions = at("8/P6k/8/8/8/8/8/K7 w - -"), ["a7-a8n", "a7-a8q"]
    assert last(stockfish.find(position, nodes=500, among=promotions)).turn == "a7-a8q"
    castling = ["e1-g1", "e1-c1"]
    assert last(stockfish.find(at(KIWIPETE), nodes=500, among=castling)).turn in castling


def test_who_wins_does_not_draw_by_the_house_rule(stockfish: Uci) -> None:
    position = at("7k/8/8/8/8/8/8/KQ6 w - -")
    stood = [turn.after for turn in CHESS.turns(position) if turn.text != "b1-b7"]
    assert last(stockfish.find(position, nodes=500, history=stood * 2)).turn == "b1-b7"


def test_who_loses_draws_by_the_house_rule(stockfish: Uci) -> None:
    position = at("7k/8/8/8/8/8/8/KQ6 b - -")
    drawing = after(position, "h8-g8")
    answer = last(stockfish.find(position, nodes=500, history=[drawing] * 2))
    assert (answer.turn, answer.value, answer.proved) == ("h8-g8", 0.5, True)


def test_where_every_turn_draws_nothing_is_searched() -> None:
    """Not even a program is needed."""
    position = at(LOST)
    history = [turn.after for turn in CHESS.turns(position)] * 2
    answer = last(Uci(CHESS, ["there-is-none"]).find(position, nodes=500, history=history))
    assert (answer.turn, answer.value, answer.proved) == ("a8-b8", 0.5, True)


@pytest.mark.parametrize("level", range(1, len(LEVELS) + 1))
def test_an_opponent_of_every_level_plays_a_turn(stockfish: Uci, level: int) -> None:
    assert stockfish
    position = at(KIWIPETE)
    assert chosen(CHESS, level, position, seed=5).turn in texts(position)


def test_the_search_of_the_table_is_this_one(stockfish: Uci) -> None:
    assert stockfish
    assert isinstance(engine(CHESS), Uci)


def test_a_check_of_the_game_asks_it_too(stockfish: Uci) -> None:
    assert stockfish
    told = list(CHECKS["search"](Checked(CHESS, sample())))
    assert told == [Finding("ok", "search", "Hints and opponents ask search.py.")]


def test_a_finished_game_cannot_be_searched() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        last(Uci(CHESS, ["there-is-none"]).find(at("7k/5Q2/6K1/8/8/8/8/8 b - -")))


# Other programs, and none ---------------------------------------------------------------------


def test_the_program_is_the_one_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = written(tmp_path, MUTE)
    monkeypatch.setenv(VARIABLE, f"'{command[0]}' '{command[1]}' --fast")
    assert program() == [*command, "--fast"]


def test_a_program_that_says_nothing_of_its_thoughts_plays(tmp_path: Path) -> None:
    answer = last(Uci(CHESS, written(tmp_path, MUTE)).find(CHESS.start(), nodes=10))
    assert answer == Found("a2-a3", 0.5, ("a2-a3",), 0, False, ())


def test_a_named_program_that_there_is_not_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "deep-green --threads 2")
    with pytest.raises(NoProgram, match=r"^TABLELIGHT_UCI names deep-green, which is no program on this computer$"):
        program()


@pytest.mark.parametrize("words", ["'", 'stockfish "', "\\"])
def test_a_name_that_cannot_be_read_is_told(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, words)
    with pytest.raises(NoProgram, match=r"^TABLELIGHT_UCI .* is no command: "):
        program()


@pytest.mark.usefixtures("nothing")
def test_without_a_program_one_sentence_says_so_and_the_search_of_the_table_plays(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert search(CHESS) is None
    assert own(CHESS) is None
    assert isinstance(engine(CHESS), Uct)
    told = set(capsys.readouterr().err.splitlines())
    assert told == {
        "no opponent for chess: install stockfish, or let TABLELIGHT_UCI name a program that speaks UCI; "
        "until then the table's own search plays"
    }


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (DYING, "by UCI: it has ended, with status 3"),
        (LYING, "'bestmove e2e5' is no turn of rnbqkbnr/"),
        (SILENT, "no uciok within 2 s"),
    ],
)
def test_a_program_that_fails_is_told_in_a_sentence(
    tmp_path: Path, source: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 2.0)
    with pytest.raises(NoProgram, match=f"^{sys.executable} does not ") as caught:
        last(Uci(CHESS, written(tmp_path, source)).find(CHESS.start(), nodes=10))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_program_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_text("no program\n")
    path.chmod(0o755)
    with pytest.raises(NoProgram, match=f"^{path} cannot be started: Exec format error$"):
        last(Uci(CHESS, [str(path)]).find(CHESS.start(), nodes=10))


def test_a_question_that_is_given_up_leaves_no_process(tmp_path: Path) -> None:
    command = written(tmp_path, DYING.replace("sys.exit(3)", 'print("info score cp 9 pv d2d4", flush=True)'))
    answers = Uci(CHESS, command).find(CHESS.start())
    assert next(answers).turn == "d2-d4"
    assert len(children()) == 1
    del answers
    assert children() == []


def children() -> list[str]:
    """The numbers of the processes that this one has started and that still run."""
    return [child for task in Path("/proc/self/task").iterdir() for child in (task / "children").read_text().split()]
