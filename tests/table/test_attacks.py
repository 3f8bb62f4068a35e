"""What clumsy, forgetful or mischievous hands do to a table, and what must not come of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from benchmarks.cells import Cell
from firmware_bridge.score import PASS
from firmware_bridge.verdict import AtRest
from games.rules import Position, Turn
from hardware.device import Levels, Sense
from hardware.simulation.table import SimulatedTable
from tests.simulation.midgame import CELLS, game_of, sheet_at
from tests.table.players import At, C, N, P, at

# Nothing wrong is committed -------------------------------------------------------------------


def placed(sense: Sense) -> At:
    """Six stones placed, each by hand."""
    now = at("zhizhu", sense)
    for text in ("a1", "b3", "c5", "a7", "b6", "c2"):
        now.make(text, wait=1.0)
    return now


@pytest.mark.parametrize("sense", [P, C])
def test_a_board_swept_off_and_put_back_stone_by_stone_is_the_same_game(sense: Sense) -> None:
    """ZhiZhu begins with an empty board, but nobody takes six turns back by sweeping it off."""
    now = placed(sense)
    before = str(now.sheet.position)
    stones = [(site, now.session.board.level(site)) for site in now.sheet.game.sites if now.session.board.level(site)]
    now.session.board.knock_over()
    now.run(3.0)
    for stone in stones:
        now.lay(stone, wait=0.6)
    assert (str(now.sheet.position), now.table.verdict) == (before, AtRest())


@pytest.mark.parametrize("sense", [P, C])
def test_stones_put_back_into_their_box_take_no_game_back(sense: Sense) -> None:
    """The evening ends in the midst of a game; tomorrow it is to go on where it was left."""
    now = placed(sense)
    before = now.played
    for site in ("b6", "a1", "c5", "c2", "b3", "a7"):
        now.lay((site, 0), wait=1.0)
    now.run(10.0)
    assert now.played == before


def test_what_is_put_again_after_taking_back_is_not_guessed() -> None:
    """What is put again as it stood is the same turn, and c5-c4 has the same result as c3-c4."""
    now = at("zong-heng", P)
    now.make("c3-c4")
    result = now.sheet.position
    now.lay(("c4", 0), wait=3.0)
    assert now.played == []
    now.make("c5-c4", "new stone", wait=1.0)
    assert now.played == [] or now.sheet.position == result


def test_a_seed_laid_in_an_empty_pit_takes_no_turns_back() -> None:
    """By presence the picture is that of an earlier position, here the one before the last turn."""
    now = at("zig-zag", P, position="2,0,0,2,0,0/0,0,1,0,1,0 22,32 S - N")
    now.make("S3", wait=0.5)
    now.press("done")
    assert now.played == ["S3"]
    now.lay(("S3", 1), wait=5.0)
    assert now.played == ["S3"]


def test_a_sowing_left_off_and_put_right_is_not_another_sowing() -> None:
    """By presence: S1 was sown as far as a second lap, and on the way back the board looks as if S4 had been sown."""
    now = at("zig-zag", P, position="3,1,0,4,3,7/8,2,2,5,0,5 0,20 S - N")
    refused = (turn for turn in now.sheet.game.refused(now.sheet.position) if turn.text == "S1")
    turn = next(turn for turn in refused if ("S4", 0) in turn.steps and ("S3", 0) not in turn.steps)
    now.lay(*turn.steps, wait=4.0)
    now.session.put_right()
    now.run(2.0)
    assert now.played == []


@pytest.mark.parametrize("text", ["resign", "agree"])
def test_pieces_moved_after_the_game_was_called_off_are_no_turns(text: str) -> None:
    now = at("zhizhu", C)
    for turn in ("a1", "b5", "c3"):
        now.make(turn)
    assert (now.resign(0) if text == "resign" else now.agree()) != []
    outcome = now.sheet.outcome
    now.lay(("c3", 0), ("c4", 1), wait=2.0)
    now.lay(("a2", 2), wait=2.0)
    assert (now.played, now.sheet.outcome) == (["a1", "b5", "c3"], outcome)


def test_turns_taken_back_and_put_again_after_resigning_are_not_played() -> None:
    now = at("zhizhu", C)
    for turn in ("a1", "b5", "c3"):
        now.make(turn)
    now.lay(("c3", 0), ("b5", 0), wait=3.0)
    now.resign(0)
    now.lay(("c3", 1), ("b5", 2), wait=3.0)
    assert now.played == ["a1"]
    assert now.sheet.outcome is not None


# No table is stuck ----------------------------------------------------------------------------


@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.sense is not P], ids=str)
def test_a_board_that_shows_a_legal_result_can_be_taken_for_it(cell: Cell) -> None:
    """Where the picture names the turn, no way there is so clumsy that Done and a touch do not settle it."""
    before = [entry.turn.text for entry in sheet_at(game_of(cell.game), 3, 22).played_turns]
    now = at(cell.game, cell.sense, *before)
    turn = max(now.sheet.turns, key=lambda turn: len(turn.path))
    board = dict(zip(now.sheet.game.sites, now.sheet.position.board, strict=True))
    now.lay(*[(site, level) for site, level in reversed(dict(turn.steps).items()) if board[site] != level], wait=1.0)
    insist(now, turn)
    assert now.sheet.played_turns[-1].turn.after == turn.after


def insist(now: At, turn: Turn[Position]) -> None:
    """Say what players would when the table does not take `turn` by itself."""
    length = now.sheet.length
    for _ in range(2):
        if now.sheet.length == length and now.table.verdict != AtRest():
            now.press("done")
            now.session.answer(turn)
            now.run(1.0)


def test_a_game_that_begins_with_a_forced_pass_can_be_played() -> None:
    game = game_of("zong-heng")
    stuck = next(
        entry.position
        for seed in range(100)
        for entry in sheet_at(game, seed, 40).played_turns
        if entry.turn.text == PASS
    )
    now = At("zong-heng", C, position=str(stuck)).seen()
    assert now.sheet.turns[0].text != PASS


# Sensors that fail ----------------------------------------------------------------------------


@dataclass
class Quiet:
    """A scanner of which some channels cannot tell."""

    behind: SimulatedTable
    dead: set[int]
    sense: Sense = P
    channels: int = 0
    given: tuple[Levels, Levels] = field(default=((), ()))

    def scan(self) -> Levels:
        levels = self.behind.scan()
        if levels is not self.given[0]:
            self.given = levels, tuple(None if site in self.dead else level for site, level in enumerate(levels))
        return self.given[1]

    def close(self) -> None:
        self.behind.close()


def deaf(name: str, sense: Sense, *dead: str) -> At:
    now = At(name, sense)
    numbers = {now.sheet.game.sites.index(site) for site in dead}
    now.session.daemon.scanner = Quiet(now.session.board, numbers, sense, now.session.board.channels)
    return now.seen()


@pytest.mark.parametrize(
    ("name", "sense", "dead", "text"),
    [
        ("zong-heng", P, "h8", "c3-c4"),
        ("zong-heng", P, "c3", "c3-c4"),
        ("zong-heng", C, "c4", "c3-c4"),
        ("yin-yang", P, "c2", "c3-c2"),
        ("yin-yang", C, "c3", "c3-c2"),
        ("zhizhu", C, "a1", "a1"),
        ("zig-zag", N, "N2", "S1"),
        ("zig-zag", P, "N2", "S1"),
    ],
)
def test_one_dead_sensor_does_not_stop_the_evening(name: str, sense: Sense, dead: str, text: str) -> None:
    now = deaf(name, sense, dead)
    make_and_answer(now, text)
    assert now.played == [text]


def make_and_answer(now: At, text: str) -> None:
    """Make the turn; where the table cannot see all of it, press Done and answer."""
    turn = now.turn(text)
    now.make(text, wait=1.0)
    for _ in range(0 if now.played else 2):
        now.press("done")
        now.session.answer(turn)
        now.run(1.0)


@pytest.mark.parametrize(("name", "sense"), [("zong-heng", P), ("yin-yang", C), ("zhizhu", C), ("zig-zag", N)])
def test_undo_with_a_dead_sensor(name: str, sense: Sense) -> None:
    now = deaf(name, sense, game_of(name).sites[-1])
    make_and_answer(now, now.sheet.turns[0].text)
    assert now.sheet.length == 1
    now.press("undo")
    now.session.put_right()
    now.run(3.0)
    assert (now.sheet.length, now.table.setting, now.table.verdict) == (0, False, AtRest())


def test_taking_back_by_hand_with_a_dead_sensor() -> None:
    now = deaf("yin-yang", C, "f6")
    now.make("c3-c2")
    now.lay(("c2", 0), ("c3", 0), ("c3", 2), wait=3.0)
    assert now.played == []


# Nothing storms, nothing grows ----------------------------------------------------------------


def test_what_stays_wrong_is_said_although_it_was_right_for_a_moment() -> None:
    now = at("yin-yang", C)
    said = now.lay(("a1", 1), wait=0.5) + now.lay(("a1", 0), wait=0.5) + now.lay(("a1", 1), wait=20.0)
    assert [name for name in said if name in ("astray", "righted")][-1] == "astray"
    assert now.lay(("a1", 0), wait=1.0) == ["righted"]


@pytest.mark.parametrize("site", ["a1", "c3", "c2"])
@pytest.mark.parametrize("sense", [P, C])
def test_a_loose_contact_does_not_flood_the_record(sense: Sense, site: str) -> None:
    """Ten times a second, for half a minute: a word now and then is enough."""
    now = at("yin-yang", sense)
    level = now.session.board.level(site)
    said: Counter[str] = Counter()
    for _ in range(300):
        said.update(now.lay((site, 0 if level else 1), (site, level)))
    assert sum(said.values()) <= 60, said
