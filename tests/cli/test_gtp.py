"""The engine under Go Text Protocol: a dialogue in memory, every command, and whatever else may come in."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.cli.gtp import LONGEST_LINE, USED_SHARE, Clock, Gtp, Match, serve
from firmware_bridge.cli.main import main
from games.rules import Outcome, load, play
from games.zong_heng.rules import Board, ZongHeng
from tests.games.small_games import Clobber

SMALL = load("zong-heng", size=6)
PASSES = "xoooxo/xoxoxo/.xxoxo/xoxxxo/xoxooo/xoxxox o"
"""White has no push here and passes; then Black fills the last square."""


def asked(gtp: Gtp, *commands: str) -> list[str]:
    """The answers to these commands, without the empty lines that end them."""
    return [gtp.answer(f"{command}\n").removesuffix("\n\n") for command in commands]


def dialogue(gtp: Gtp, data: bytes) -> str:
    """Everything that is answered to `data`."""
    answers = io.StringIO()
    serve(gtp, io.BytesIO(data), answers)
    return answers.getvalue()


def small(now: Callable[[], float] = time.monotonic) -> Gtp:
    return Gtp(SMALL, nodes=20, now=now)


# The form of lines and answers --------------------------------------------------------------------


def test_a_dialogue_as_the_protocol_has_it() -> None:
    told = b"# begin\n\n  \t\n7 protocol_version\nboardsize\t6 # small\r\nplay b c3-c4\n8 undo\n9 undo\nquit\nname\n"
    assert dialogue(small(), told) == "=7 2\n\n=\n\n=\n\n=8\n\n?9 cannot undo\n\n=\n\n"


def test_control_characters_are_left_out_and_the_last_line_needs_no_end() -> None:
    assert dialogue(small(), b"\x07protocol\x00_version\r\n\x01\n1 known_command undo") == "= 2\n\n=1 true\n\n"


@pytest.mark.parametrize("line", ["nonsense", "-1 name", "2147483648 name", "PLAY b c3-c4", "1.5"])
def test_an_unknown_command(line: str) -> None:
    assert asked(small(), line) == ["? unknown command"]


def test_an_id_comes_back() -> None:
    assert asked(small(), "0 nonsense", "2147483647 nonsense", "12") == [
        "?0 unknown command",
        "?2147483647 unknown command",
        "?12 unknown command",
    ]


def test_a_line_longer_than_the_limit_is_refused() -> None:
    fits = b"known_command name".ljust(LONGEST_LINE)
    assert dialogue(small(), fits + b"\r\n" + fits + b"#" * 5000 + b"\nquit\n") == "= true\n\n= true\n\n=\n\n"
    longer = b"3 play " + b"x" * 5000 + b"\n"
    assert dialogue(small(), longer + b"quit\n") == f"?3 line too long: {LONGEST_LINE} bytes are the most\n\n=\n\n"


COMMANDS = ["name", "version", "boardsize", "clear_board", "play", "genmove", "undo", "showboard", "final_score"]
ARGUMENTS = ["b", "white", "6", "0", "c3-c4", "#", "\t", "tablelight-turns", "time_settings", "time_left"]
WORDS = st.one_of(
    st.sampled_from(COMMANDS + ARGUMENTS).map(str.encode),
    st.binary(max_size=12),
)
LINES = st.lists(st.lists(WORDS, max_size=4).map(b" ".join), max_size=12).map(b"\n".join)


@settings(max_examples=60, deadline=None)
@given(LINES)
def test_whatever_comes_in_is_answered_or_passed_over(data: bytes) -> None:
    answers = dialogue(Gtp(SMALL, nodes=1), data)
    assert answers == "" or answers.endswith("\n\n")
    for answer in answers.split("\n\n")[:-1]:
        assert answer[0] in "=?"
        assert "" not in answer.split("\n")[1:]
    assert answers.count("\n\n") <= data.count(b"\n") + 1


# Commands ---------------------------------------------------------------------------------------


def test_the_commands_are_listed_and_known() -> None:
    gtp = small()
    (listed,) = asked(gtp, "list_commands")
    names = listed.removeprefix("= ").split("\n")
    assert {*COMMANDS, "quit", "reg_genmove", "tablelight-turns", "tablelight-position"} < set(names)
    assert set(asked(gtp, *(f"known_command {name}" for name in names))) == {"= true"}
    assert asked(gtp, "known_command komi", "known_command", "name", "version") == [
        "= false",
        "? syntax error",
        "= Tablelight Zong-Heng",
        "= " + asked(gtp, "version")[0].split()[1],
    ]


def test_the_size_of_the_board() -> None:
    gtp = Gtp(load("zong-heng"))
    assert asked(gtp, "play b c3-c4", "boardsize 6", "undo") == ["=", "=", "? cannot undo"]
    assert asked(gtp, "tablelight-position") == [f"= {SMALL.start()}"]
    assert asked(gtp, "boardsize 7", "boardsize", "boardsize six", "boardsize -6") == [
        "? unacceptable size",
        "? syntax error",
        "? syntax error: six is not a number from 0",
        "? syntax error: -6 is not a number from 0",
    ]


@pytest.mark.parametrize(("game", "size"), [("yin-yang", 6), ("zhizhu", 8), ("zig-zag", 6)])
def test_a_board_of_one_size_takes_only_that(game: str, size: int) -> None:
    gtp = Gtp(load(game))
    assert asked(gtp, f"boardsize {size}", f"boardsize {size + 1}") == ["=", "? unacceptable size"]


def test_a_board_of_named_points_has_the_size_of_its_highest_number_or_of_all_its_points() -> None:
    game = Clobber()
    game.sites = ("left", "right", *game.sites[2:])
    assert asked(Gtp(game), "boardsize 4", "boardsize 5") == ["=", "? unacceptable size"]
    game.sites = tuple("abcdefghijklmnop")
    assert asked(Gtp(game), "boardsize 16", "boardsize 4") == ["=", "? unacceptable size"]


def test_turns_are_played_in_any_letters_and_refused_with_the_reason() -> None:
    gtp = small()
    told = asked(gtp, "play w c3-c4", "play B C3-C4", "play black d4-d5", "play b", "play red c3-c4", "play w a1-a9")
    assert told[0] == "? illegal move: Black (b) is to move"
    assert told[1] == "="
    assert told[2] == "? illegal move: White (w) is to move"
    assert told[3:5] == ["? syntax error", "? syntax error: the colours are black (b) and white (w)"]
    assert told[5].startswith("? illegal move: a1-a9 is no turn of this position")
    assert asked(gtp, "tablelight-position") == [f"= {play(SMALL, SMALL.start(), 'c3-c4')}"]
    assert asked(gtp, "clear_board", "tablelight-position") == ["=", f"= {SMALL.start()}"]


def test_the_turns_are_listed() -> None:
    (told,) = asked(small(), "tablelight-turns")
    assert told.removeprefix("= ").split("\n") == [turn.text for turn in SMALL.turns(SMALL.start())]


def test_the_board_is_shown_without_empty_lines() -> None:
    assert asked(small(), "showboard")[0].split("\n") == [
        "=",
        " 6  .   o   .   o   .   o",
        " 5  x   .   x   .   x   .",
        " 4  .   o   .   o   .   o",
        " 3  x   .   x   .   x   .",
        " 2  .   o   .   o   .   o",
        " 1  x   .   x   .   x   .",
        "    a   b   c   d   e   f",
        "Turn 1: Black to play.",
    ]
    zig_zag = asked(Gtp(load("zig-zag")), "showboard")[0].split("\n")
    assert "" not in zig_zag
    assert zig_zag[-2].startswith("Stores:")


def test_the_engine_plays_or_only_tells() -> None:
    gtp = small()
    (told,) = asked(gtp, "reg_genmove b")
    assert asked(gtp, "undo", "genmove w", "genmove") == ["? cannot undo", "? Black (b) is to move", "? syntax error"]
    assert asked(gtp, "genmove b") == [told]
    assert asked(gtp, "genmove b", "undo", "genmove b") == ["? White (w) is to move", "=", told]


@pytest.mark.parametrize("game", ["zong-heng", "zig-zag"])
def test_a_game_against_itself_comes_to_its_score(game: str) -> None:
    rules = load(game, size=6) if game == "zong-heng" else load(game)
    gtp, position, standing = Gtp(rules, nodes=3), rules.start(), Match(rules)
    while not standing.outcome:
        turn = asked(gtp, f"genmove {'bw'[position.side]}")[0].removeprefix("= ")
        position = play(rules, position, turn)
        standing.play(turn)
    told = asked(gtp, "final_score", "genmove b", f"play {'bw'[position.side]} c3-c4", "showboard")
    assert told[0].startswith(("= B+ ", "= W+ ", "= 0 "))
    assert told[0].endswith(str(standing.outcome))
    assert told[1] == f"? the game is over: {standing.outcome}"
    assert told[2].startswith("? illegal move: ")
    assert told[3].endswith(str(standing.outcome))


def test_a_game_that_goes_on_has_no_score() -> None:
    assert asked(small(), "final_score") == ["? cannot score: the game goes on"]


class Passing(ZongHeng):
    """Zong-Heng from a position in which a pass is forced."""

    def start(self) -> Board:
        return self.position(PASSES)


def test_a_forced_pass_is_a_move_of_its_own() -> None:
    passing = Passing(size=6)
    gtp = Gtp(passing, nodes=5)
    assert asked(gtp, "tablelight-turns", "reg_genmove w", "genmove w") == ["= pass"] * 3
    assert asked(gtp, "undo", "play w a4-b4", "play white PASS", "undo")[::2] == ["=", "="]
    assert asked(gtp, "play w a4-b4")[0].startswith("? illegal move: No turn is possible, so the turn passes")


# The third standing, and the clock ------------------------------------------------------------------


def test_the_third_standing_of_a_position_ends_the_game() -> None:
    match = Match(SMALL)
    match.positions *= 3
    match.undo()
    assert match.outcome is None
    match.positions.append(match.position)
    match.positions.append(play(SMALL, match.position, "c3-c4"))
    match.undo()
    assert isinstance(match.outcome, Outcome)
    assert match.turns == []


def clock(main: int, period: int, turns: int, *spent: float) -> float:
    """The share of a turn after turns that took so long, the part in reserve added."""
    shared = Clock(main, period, turns)
    for seconds in spent:
        shared.spend(seconds)
    return shared.share() / USED_SHARE


def test_the_share_of_a_turn() -> None:
    assert clock(100, 0, 0) == pytest.approx(4)
    assert clock(100, 0, 0, 25, 25) == pytest.approx(2)
    assert clock(100, 0, 0, 101) == 0
    assert clock(0, 30, 10) == pytest.approx(3)
    assert clock(0, 30, 10, 12) == pytest.approx(2)
    assert clock(0, 30, 2, 20, 5) == pytest.approx(15)
    assert clock(100, 30, 10) == pytest.approx(7)
    assert clock(100, 30, 10, 110) == pytest.approx(2)


def test_a_turn_is_taken_off_the_clock_of_its_player() -> None:
    gtp = small(count(0, 10).__next__)
    assert asked(gtp, "time_settings 100 0 0", "genmove b", "time_left w 50 0") == ["=", "= " + first_turn(), "="]
    assert [player.share() / USED_SHARE for player in gtp.clocks] == pytest.approx([90 / 25, 50 / 25])
    assert asked(gtp, "time_left w 20 4", "time_left b -3 0") == ["=", "="]
    assert [player.share() / USED_SHARE for player in gtp.clocks] == pytest.approx([0, 5])


def first_turn() -> str:
    return asked(small(), "reg_genmove b")[0].removeprefix("= ")


def test_a_clock_counts_instead_of_the_usual_time_until_it_is_lifted() -> None:
    patient, hasty = Gtp(SMALL, seconds=86400), Gtp(SMALL, seconds=0.01)
    assert asked(patient, "time_settings 0 0 0", "genmove b")[1][0] == "="  # and not tomorrow
    assert asked(hasty, "time_settings 86400 0 0", "time_settings 0 30 0", "genmove b")[2][0] == "="
    assert asked(Gtp(SMALL, seconds=86400), "time_left b 0 0", "genmove b")[1][0] == "="


@pytest.mark.parametrize("command", ["time_settings", "time_settings 1 2", "time_left b 1", "time_left b x 1"])
def test_a_clock_is_told_in_whole_seconds(command: str) -> None:
    assert asked(small(), command)[0].startswith("? syntax error")


# The command --------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [["--nodes", "5"], ["--seconds", "0.01"]])
def test_the_command_plays_with_its_options(
    limit: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = b"tablelight-position\ngenmove b\n\xff\xfe\nquit\nname\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["gtp", "zong-heng", "-O", "size=12", "-O", "setup=stripes", "--seed", "3", *limit]) == 0
    position, turn, unknown, left, end = capsys.readouterr().out.split("\n\n")
    game = load("zong-heng", size=12, setup="stripes")
    assert (position, unknown, left, end) == (f"= {game.start()}", "? unknown command", "=", "")
    assert play(game, game.start(), turn.removeprefix("= "))


def test_a_setup_that_needs_its_own_size(capsys: pytest.CaptureFixture[str]) -> None:
    gtp = Gtp(load("zong-heng", size=12, setup="blocks"))
    assert asked(gtp, "boardsize 6", "boardsize 8") == ["? unacceptable size", "="]
    assert main(["gtp", "zong-heng", "-O", "size=7"]) == 2
    assert "allowed: 8, 6, 10, 12" in capsys.readouterr().err
