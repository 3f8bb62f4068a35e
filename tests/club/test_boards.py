"""What is seen on the wall: as late as is asked for, of so many games at most, and of nothing that is no state."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from msgspec import json

from firmware_bridge.clocks import Clock, Control, Left
from firmware_bridge.club import boards as bounds
from firmware_bridge.club.boards import MOST_GAMES, MOST_TABLES, MOST_WAITING, Boards
from firmware_bridge.club.evening import Evening, Results
from firmware_bridge.club.forms import encode, grounds_form, wall_form
from firmware_bridge.i18n import words
from firmware_bridge.link.courier import Message
from firmware_bridge.link.states import LARGEST, Entry, State, Terms, chained

from .evenings import Tables, evening, terms

ENGLISH = words("en")


class Hall:
    """Boards to which tables publish, at times of the test's own."""

    def __init__(self, folder: Path, planned: Evening | None = None, delay: float = 0.0, only: str = "") -> None:
        self.folder, self.now = folder, 100.0
        self.boards = Boards(Results(planned) if planned else None, delay, only)

    def publish(self, name: str, message: Message) -> None:
        self.boards.put(message.topic, message.payload, self.now)

    def shown(self, side: int, place: int = 0) -> str:
        """What the clock of a side shows now on a board, as a browser counts it."""
        self.see()
        clocks = wall_form(self.boards, None, ENGLISH).boards[place].clocks
        assert clocks
        first, second = (Left(left.main, left.periods) for left in clocks.left)
        given = replace(Clock.of(Control(600.0)), left=(first, second), side=clocks.side, used=clocks.used)
        counted = replace(given, since=clocks.since, begun=clocks.begun)
        return counted.shown(side, self.now - self.boards.waiting.delay).text

    def see(self) -> None:
        while self.boards.see(self.now) or self.boards.waiting.ready(self.now):
            pass

    @property
    def told(self) -> bytes:
        """Every byte that a browser would be sent now."""
        self.see()
        return encode(grounds_form(self.boards)) + encode(wall_form(self.boards, None, ENGLISH))

    def tables(self, planned: Evening, place: int = 0) -> Tables:
        return Tables(planned, [*planned.meetings][place], self.folder, self.publish)


def test_boards_show_who_plays_how_it_stands_and_what_has_become_of_it(tmp_path: Path) -> None:
    planned = evening(clock="10+5")
    hall = Hall(tmp_path, planned)
    first, second = hall.tables(planned, 0), hall.tables(planned, 1)
    for _ in range(3):
        first.make(Random(1), spent=35.0)
    second.make(Random(1))
    second.resign(1)
    second.leave(0)
    hall.see()
    one, other = wall_form(hall.boards, None, ENGLISH).boards
    sheet = first.couriers[0].agreement.standing.sheet
    assert list(one.levels) == list(sheet.position.board)
    assert (one.names, one.side, one.turns, one.round) == (tuple(first.names), 1, 3, 1)
    assert one.clocks
    assert [left.main for left in one.clocks.left] == [575.0, 570.0]
    assert one.clocks.since is None
    assert first.names[1] in one.told
    assert one.changed
    assert (other.result, other.away, other.fault) == ("1 - 0", (True, False), "")


def test_a_board_is_shown_as_it_stood_so_long_ago_and_nothing_newer_is_told(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    hall = Hall(tmp_path, planned, delay=60.0)
    played, luck = hall.tables(planned), Random(3)
    stood: list[tuple[float, int]] = []
    for _ in range(8):
        hall.now += 10
        played.make(luck)
        stood.append((hall.now, len(stood) + 1))
        told = hall.told
        turns = [number for at, number in stood if at + 60 <= hall.now]
        form = wall_form(hall.boards, None, ENGLISH)
        assert [board.turns for board in form.boards] == turns[-1:]
        assert (b'"boards":[]' in told) == (not turns)
    hall.now += 5
    played.resign(0)
    played.leave(1)
    before = hall.told
    for _ in range(5):
        hall.now += 10
        assert b"1 - 0" not in hall.told
        assert b"0 - 1" not in hall.told
        assert b'"away":[false,false]' in hall.told
    assert before != hall.told
    hall.now += 10
    assert b"0 - 1" in hall.told
    assert b'"away":[false,true]' in hall.told
    assert hall.boards.results
    assert hall.boards.results.over


def test_one_player_alone_is_shown_if_that_is_asked_for(tmp_path: Path) -> None:
    planned = evening()
    hall = Hall(tmp_path, planned, only="carl")
    for place in (0, 1):
        hall.tables(planned, place).make(Random(1))
    hall.see()
    (board,) = wall_form(hall.boards, None, ENGLISH).boards
    assert "Carl" in board.names


@pytest.mark.parametrize("game", ["zong-heng", "zhizhu", "yin-yang", "zig-zag"])
def test_every_game_is_shown_in_its_own_geometry(tmp_path: Path, game: str) -> None:
    planned = evening("Anna", "Ben", game=game)
    hall = Hall(tmp_path, planned)
    played = hall.tables(planned)
    for _ in range(6):
        played.make(Random(1))
    assert hall.told
    (board,) = wall_form(hall.boards, None, ENGLISH).boards
    ground = grounds_form(hall.boards).boards[board.key]
    assert len(ground.at) == len(board.levels)


# Clocks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [True, False], ids=["evening", "free"])
def test_the_clock_of_the_player_to_move_counts_down_once_it_runs_at_the_table(tmp_path: Path, known: bool) -> None:
    planned = evening("Anna", "Ben", clock="10+5")
    hall = Hall(tmp_path, planned if known else None)
    played = hall.tables(planned)
    played.make(Random(1), spent=5.0)
    hall.now += 20  # a hand carries the turn out meanwhile, which takes nobody's time
    assert (hall.shown(0), hall.shown(1)) == ("10:05", "10:00")
    played.think()
    hall.now += 42
    assert (hall.shown(0), hall.shown(1)) == ("10:05", "9:18")
    played.think(42.0, runs=False)  # the table asks which turn it was
    hall.now += 100
    assert hall.shown(1) == "9:18"
    played.think(42.0)
    hall.now += 8
    assert hall.shown(1) == "9:10"
    played.make(Random(1), spent=50.0)
    hall.now += 300
    assert (hall.shown(0), hall.shown(1)) == ("10:05", "9:15")


def test_a_clock_of_which_nobody_knows_when_it_was_told_stands_until_it_is_told_again(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben", clock="10")
    hall = Hall(tmp_path, planned)
    played = hall.tables(planned)
    played.make(Random(1))
    played.think(10.0)
    late = Hall(tmp_path, planned)
    for topic, payload in sorted(played.kept.items(), key=lambda each: "/status/" not in each[0]):
        late.boards.put(topic, payload, late.now, old=True)
    late.now += 15
    assert late.shown(1) == "9:50"
    played.pass_time(20.0)
    (topic,) = (topic for topic in played.kept if "/seat/1/" in topic)
    late.boards.put(topic, played.kept[topic], late.now)
    late.now += 5
    assert late.shown(1) == "9:25"


def test_clocks_are_shown_late_by_the_same_delay_as_boards(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben", clock="10")
    hall = Hall(tmp_path, planned, delay=60.0)
    played = hall.tables(planned)
    played.make(Random(1))
    played.think()
    hall.now += 60
    assert hall.shown(1) == "10:00"
    hall.now += 30
    assert hall.shown(1) == "9:30"
    played.make(Random(1), spent=91.0)
    hall.now += 50
    assert hall.shown(1) == "8:40"  # what became of it by now nobody sees yet
    hall.now += 10
    assert hall.shown(1) == "8:29"


@pytest.mark.parametrize("known", [True, False], ids=["evening", "free"])
def test_the_clock_of_a_table_that_is_away_stands_still(tmp_path: Path, known: bool) -> None:
    planned = evening("Anna", "Ben", clock="10")
    hall = Hall(tmp_path, planned if known else None)
    played = hall.tables(planned)
    played.make(Random(1))
    played.think(now=hall.now)
    hall.now += 30
    played.leave(1)
    hall.now += 500
    assert hall.shown(1) == "9:30"
    played.leave(0)  # the other one's, where it is nobody's turn
    if known:
        assert hall.shown(1) == "9:30"
    played.come(0, hall.now)
    played.come(1, hall.now)  # its line was gone, and its player has thought on
    hall.now += 1
    assert hall.shown(1) == "1:09"


def test_clocks_stand_while_nothing_is_heard_of_the_broker(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben", clock="10")
    hall = Hall(tmp_path, planned, delay=20.0)
    played = hall.tables(planned)
    played.make(Random(1))
    played.think()
    hall.now += 50
    hall.boards.lose(hall.now)
    hall.now += 10
    assert hall.shown(1) == "9:20"  # as it was while there was a broker
    hall.now += 600
    assert hall.shown(1) == "9:10"


def test_an_old_state_that_is_played_again_sets_no_clock_of_a_later_turn(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben", clock="10")
    hall = Hall(tmp_path, planned)
    played = hall.tables(planned)
    played.make(Random(1))
    played.think(400.0)
    (topic,) = (topic for topic in played.kept if "/seat/1/" in topic)
    old = played.kept[topic]
    played.make(Random(1), spent=401.0)
    played.make(Random(1), spent=2.0)
    played.think(3.0, runs=False)
    hall.boards.put(topic, old, hall.now)
    assert hall.shown(1) == "3:16"


def test_a_flag_is_shown_once_the_own_table_tells_of_it(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben", clock="1")
    hall = Hall(tmp_path, planned)
    played = hall.tables(planned)
    played.make(Random(1))
    played.think()
    hall.now += 100
    assert hall.shown(1) == "0:00.0"
    assert [board.flag for board in wall_form(hall.boards, None, ENGLISH).boards] == [None]
    played.flag()
    hall.see()
    (board,) = wall_form(hall.boards, None, ENGLISH).boards
    assert (board.flag, board.result) == (1, "1 - 0")
    assert hall.shown(1) == "0:00.0"
    assert board.clocks
    assert board.clocks.since is None


# Games that are none of the evening ---------------------------------------------------------------


def test_another_game_is_shown_while_its_tables_are_there(tmp_path: Path) -> None:
    planned = evening("Xenia", "Yann")
    hall = Hall(tmp_path)
    played = hall.tables(planned)
    played.make(Random(1))
    hall.see()
    (board,) = wall_form(hall.boards, None, ENGLISH).boards
    assert (board.names, board.turns, board.round) == (("", ""), 1, 0)
    played.leave(0)
    played.leave(1)
    hall.see()
    assert not wall_form(hall.boards, None, ENGLISH).boards
    assert not hall.boards.free


def test_what_tables_left_behind_that_have_gone_is_not_shown(tmp_path: Path) -> None:
    planned = evening("Xenia", "Yann")
    hall = Hall(tmp_path)
    played = Tables(planned, next(iter(planned.meetings)), tmp_path, lambda *_: None)
    played.make(Random(1))
    for topic, payload in played.kept.items():
        if "/status/" not in topic:
            hall.boards.put(topic, payload, hall.now)
    hall.see()
    assert not hall.boards.free


# Bad company --------------------------------------------------------------------------------------


def state(number: int, log: tuple[Entry, ...] = (), chosen: Terms | None = None) -> bytes:
    chosen = chosen or terms()
    told = State(seat=0, table=f"{number:x}", life="1", terms=chosen, log=log, chain=chained(chosen, log))
    return b'{"seal":"%s","said":%s}' % (b"0" * 64, json.encode(told))


def here(hall: Hall, number: int) -> None:
    status = b'{"seal":"%s","said":{"here":true,"life":"1"}}' % (b"0" * 64)
    hall.boards.put(f"tablelight/1/table/{number:x}/status/any", status, hall.now)


def topic(number: int) -> str:
    return f"tablelight/1/game/{number:08x}-0000-4000-8000-000000000000/seat/0/any"


@pytest.mark.parametrize(
    "payload",
    [b"x", b"\xff\0", b"[" * 9000, b"{}", b'{"seal":"x","said":{}}', b"x" * (LARGEST + 1), b'{"seal":1,"said":[]}'],
)
def test_what_is_no_message_changes_nothing(tmp_path: Path, payload: bytes) -> None:
    planned = evening("Anna", "Ben")
    hall = Hall(tmp_path, planned)
    id = next(iter(hall.boards.results.games)) if hall.boards.results else ""
    for place in (
        topic(1), "tablelight/1/table/ab/status/any", f"tablelight/1/game/{id}/seat/0/any",
        f"tablelight/1/game/{id}/greeting/1/any",
    ):  # fmt: skip
        hall.boards.put(place, payload, hall.now)
    hall.see()
    form = wall_form(hall.boards, None, ENGLISH)
    assert not form.boards
    assert not any(game.result for each in form.rounds for game in each.games)


@pytest.mark.parametrize(
    "where",
    ["", "x", "tablelight/2/game/x/seat/0/any", "tablelight/1/game/../seat/0/any", "a" * 60_000, "$SYS/broker/uptime"],
)
def test_foreign_topics_are_passed_by(tmp_path: Path, where: str) -> None:
    hall = Hall(tmp_path)
    hall.boards.put(where, state(1), hall.now)
    assert hall.boards.waiting.topics == 0


def test_so_many_games_and_tables_are_kept_and_no_more(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    for number in range(MOST_TABLES + 50):
        here(hall, number)
    hall.see()
    for number in range(MOST_TABLES + 50):
        hall.boards.put(topic(number), state(number, (Entry("turn", "a1"),)), hall.now)
    hall.see()
    assert len(hall.boards.free) == MOST_GAMES
    assert len(wall_form(hall.boards, None, ENGLISH).boards) == MOST_GAMES


def test_a_flood_keeps_the_newest_and_bounds_what_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 300_000)
    planned = evening("Anna", "Ben")
    hall = Hall(tmp_path, planned, delay=10.0)
    played = hall.tables(planned)
    for number in range(3000):
        hall.boards.put(topic(number), state(number), hall.now)
        hall.boards.put(topic(0), b"x" * 1000, hall.now)
        assert hall.boards.waiting.bytes <= 300_000
    assert hall.boards.waiting.topics <= bounds.MOST_TOPICS + 10
    for number in range(MOST_WAITING * 2):
        hall.boards.put(topic(1), b"%d" % number, hall.now)
    hall.now += 10
    hall.see()
    assert hall.boards.waiting.bytes == 0
    played.make(Random(1))
    hall.now += 10
    hall.see()
    assert wall_form(hall.boards, None, ENGLISH).boards[0].turns == 1


def test_what_the_rules_refuse_is_followed_no_further(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    here(hall, 1)
    log = (Entry("turn", "a1"), *[Entry("turn", "nowhere")] * 900)
    hall.boards.put(topic(1), state(1, log), hall.now)
    hall.boards.put(topic(2), state(1, chosen=Terms("no-such-game")), hall.now)
    hall.boards.put(topic(3), state(1, chosen=Terms("zhizhu", {"first": 77})), hall.now)
    hall.see()
    (board,) = wall_form(hall.boards, None, ENGLISH).boards
    assert board.turns == 1
    assert len(hall.boards.free) == 1


def test_a_long_game_is_followed_a_few_turns_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "TURNS_AT_A_TIME", 5)
    planned = evening("Anna", "Ben")
    hall = Hall(tmp_path, planned)
    played = Tables(planned, next(iter(planned.meetings)), tmp_path, lambda *_: None)
    for _ in range(12):
        played.make(Random(1))
    for name, payload in played.kept.items():
        hall.boards.put(name, payload, hall.now)
    seen = []
    while hall.boards.see(hall.now):
        seen += [board.turns for board in wall_form(hall.boards, None, ENGLISH).boards]
    assert seen[0] == 5
    assert seen[-1] == 12
