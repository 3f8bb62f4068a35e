"""What the page's server is told of a table, and that it can neither hold the table up nor bring it down."""

from __future__ import annotations

from collections import deque
from itertools import groupby, pairwise
from os import sched_yield
from pathlib import Path

import pytest

from firmware_bridge.config import Config
from firmware_bridge.events import Event
from firmware_bridge.health import Status
from firmware_bridge.records import Record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import (
    Failed,
    Inside,
    Lay,
    Link,
    Listening,
    Make,
    Mishap,
    New,
    Now,
    Press,
    Sentences,
    Spent,
    Story,
    Table,
    Together,
    messages,
    pack,
    said,
    story_snapshot,
)
from firmware_bridge.web.mirror import AT_ONCE, RETRY_AFTER, Mirror, ServerProcess, now_snapshot
from firmware_bridge.web.simulated_host import SimulatedHost
from firmware_bridge.worker import HEALTHY, LONGEST_PAUSE, SHORTEST_PAUSE
from games.acts import Act, lay, push
from games.rules import Reason, load, names
from hardware.device import Sense
from tests.games.small_games import Blocking, Crowned


class Heard:
    """A server that remembers what it is told; it has room for `room` packets at a time."""

    def __init__(self) -> None:
        self.starts, self.room = 1, 1000
        self.packets: list[messages.AnySnapshot] = []
        self.groups: list[list[type]] = []
        """The kinds of what was told together."""
        self.costs: list[float] = []
        self.asks: deque[bytes] = deque()
        self.dead = False

    def alive(self, now: float) -> bool:
        return not self.dead

    def send(self, data: bytes) -> bool:
        if len(self.packets) >= self.room:
            return False
        told = messages.snapshot(data)
        if isinstance(told, Spent):
            self.costs.append(told.seconds)
        else:
            parts = told.parts if isinstance(told, Together) else (told,)
            self.packets += parts
            self.groups.append([type(each) for each in parts])
        return True

    def receive(self) -> bytes:
        return self.asks.popleft() if self.asks else b""

    def take(self) -> list[messages.AnySnapshot]:
        """All that was told since the last time."""
        told, self.packets = self.packets, []
        return told


class Seen:
    """A simulated table and its mirror."""

    def __init__(self, game: str = "zong-heng") -> None:
        self.host = SimulatedHost(Config(), ScoreSheet(load(game)), Sense.PRESENCE, background=False, seed=1)
        self.server = Heard()
        self.mirror = Mirror(self.server)
        self.now = 0.0

    def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.scan(0.01)

    def scan(self, after: float) -> None:
        """The next scan, so many seconds after the last one."""
        self.now += after
        events: list[Event] = []
        for request in self.mirror.requests(self.host):
            events += self.host.obey(request, self.now)
        events += self.host.step(self.now)
        self.mirror.see(self.host, events, self.now)


def test_everything_is_told_at_first_and_then_only_what_changes() -> None:
    at = Seen()
    at.pass_time(0.1)
    told = at.server.take()
    assert [type(each) for each in told[:4]] == [Link, Table, Story, Now]
    assert not any(isinstance(each, Table | Story | Sentences) for each in told[4:])
    assert told[1].game == "zong-heng"
    assert told[1].hands
    assert bytes(told[2].start) == at.host.daemon.table.sheet.position.cells
    at.pass_time(1.0)
    assert at.server.take() == []


def test_a_piece_that_is_lifted_is_told_with_the_light_that_answers_it() -> None:
    at = Seen()
    at.pass_time(0.5)
    *_, resting = (each for each in at.server.take() if isinstance(each, Now))
    begun = at.now
    at.server.asks.append(pack(Lay([("b2", 0)])))
    while not (told := at.server.take()):
        at.scan(0.001)
    (shown,) = told
    assert isinstance(shown, Now)
    assert shown.cues.keys() != resting.cues.keys()
    assert at.now - begun > 0.005


def test_a_board_that_never_comes_to_rest_is_told_all_the_same() -> None:
    at = Seen()
    at.pass_time(0.5)
    at.server.take()
    begun, level = at.now, 1
    while not at.server.take():
        level = 1 - level
        at.server.asks.append(pack(Lay([("b2", level)])))
        at.scan(0.002)
    assert at.now - begun < AT_ONCE + 0.004


def test_how_the_table_is_is_told_once_each_time_it_was_found() -> None:
    at = Seen()
    for number in (1, 2):
        at.mirror.status = Status(number, "0.1.0", 1.0, 100.0, 0.0, {})
        at.pass_time(1.0)
        assert [each for each in at.server.take() if isinstance(each, Inside)] == [Inside(at.mirror.status)]


def test_a_turn_is_told_as_it_is_made() -> None:
    at = Seen()
    at.pass_time(0.1)
    at.server.take()
    at.server.asks.append(pack(Make("c3-c4")))
    at.pass_time(3.0)
    told = at.server.take()
    (story,) = [each for each in told if isinstance(each, Story)]
    assert [(turn.text, turn.side) for turn in story.turns] == [("c3-c4", 0)]
    assert story.turns[0].cells == at.host.daemon.table.sheet.position.cells
    (words,) = [each for each in told if isinstance(each, Sentences)]
    assert [(name, said[0]) for _, name, said in words.said] == [("played", "table.played")]
    states = [each.state for each in told if isinstance(each, Now)]
    assert "under-way" in states
    assert states[-1] == "rest"
    assert any("travelling" in {cue.kind for cue in each.cues.values()} for each in told if isinstance(each, Now))


@pytest.mark.parametrize(
    ("asks", "state"),
    [
        ([Mishap("unplug")], "blind"),
        ([Mishap("knock-over")], "astray"),
        ([Lay((("c3", 0),))], "under-way"),
        ([messages.New("yin-yang", set_up=True)], "setting"),
        ([Make("c3-c4"), Press("undo")], "rest"),
        ([messages.End(0)], "over"),
        ([messages.Show("quiet")], "rest"),
    ],
)
def test_the_state_is_named(asks: list[messages.AnyRequest], state: str) -> None:
    at = Seen()
    for request in asks:
        at.server.asks.append(pack(request))
        at.pass_time(3.0)
    told = at.server.take()
    assert [each.state for each in told if isinstance(each, Now)][-1] == state
    outcomes = [each.outcome for each in told if isinstance(each, Story)]
    assert bool(outcomes[-1]) == (state == "over")


def test_stones_in_hand_and_seeds_in_store_are_told() -> None:
    at = Seen("zhizhu")
    at.server.asks.append(pack(Make("a1")))
    at.pass_time(3.0)
    told = at.server.take()
    assert [each.beside for each in told if isinstance(each, Story)] == [(9, 9), (8, 9)]
    asides = [each.aside for each in told if isinstance(each, Now)]
    hands = [said(Reason.of("zhizhu.hands", dark=dark, light=9)) for dark in (9, 8)]
    assert (asides[0], asides[-1]) == (hands[0], hands[1])


def test_a_game_without_pieces_beside_the_board_tells_of_none() -> None:
    at = Seen("zong-heng")
    at.pass_time(0.1)
    assert {each.aside for each in at.server.take() if isinstance(each, Now)} == {None}


class Slow(Record):
    """A record on a card that takes its time."""

    writing = False

    @property
    def safe(self) -> bool:
        return not self.writing and super().safe


def acts_told(at: Seen) -> list[tuple[Act, ...]]:
    """What hands do, as it was told since the last time wherever it was another thing."""
    return [acts for acts, _ in groupby(each.acts for each in at.server.take() if isinstance(each, Now))]


@pytest.mark.parametrize("game", names())
def test_what_hands_do_that_are_nobodys_is_told_before_they_do_it(game: str) -> None:
    at = Seen(game)
    at.pass_time(0.1)
    assert acts_told(at) == [()]
    turn = max(at.host.daemon.table.sheet.turns, key=lambda turn: max(len(act.sites) for act in turn.acts))
    at.server.asks.append(pack(Make(turn.text)))
    at.pass_time(20.0)
    assert at.host.daemon.table.sheet.played_turns[0].turn == turn
    assert acts_told(at) == [turn.acts]
    at.server.asks.append(pack(Press("undo")))
    at.pass_time(2.0)
    assert acts_told(at)[-1] == ()


def test_of_what_other_hands_do_is_told_what_all_turns_have_that_it_may_be() -> None:
    at = Seen()
    at.pass_time(0.1)
    lays, pushes = lay("c3", 1), push(("c3", "c4"), (1,))
    for change, known in ((("c3", 0), (lays,)), (("c4", 1), (pushes, lays))):
        at.server.asks.append(pack(Lay((change,))))
        at.pass_time(1.0)
        assert {*acts_told(at)[-1]} == {*known}
    at.server.asks.append(pack(Lay((("c3", 2),))))
    at.pass_time(1.0)
    last = at.host.daemon.table.sheet.played_turns[-1].turn
    assert acts_told(at)[-1] == last.acts


def test_of_an_illegal_turn_is_told_what_hands_did_wrong() -> None:
    at = Seen()
    at.pass_time(0.1)
    daemon = at.host.daemon
    refused = next(turn for turn in daemon.table.game.refused(daemon.table.sheet.position) if turn.acts)
    for step in refused.steps:
        at.server.asks.append(pack(Lay((step,))))
        at.pass_time(1.0)
    assert acts_told(at)[-1] == refused.acts


@pytest.mark.parametrize("game", names())
def test_hands_on_the_page_are_told_the_turns_there_are_with_their_acts(game: str) -> None:
    sheet = ScoreSheet(load(game))
    assert story_snapshot(sheet, hands=True).ways == tuple((turn.text, turn.acts) for turn in sheet.turns)
    assert not story_snapshot(sheet).ways


def test_a_story_tells_what_hands_did_in_each_turn() -> None:
    sheet = ScoreSheet(load("zong-heng"))
    for _ in range(3):
        sheet.accept(sheet.turns[-1])
    assert [turn.acts for turn in story_snapshot(sheet).turns] == [entry.turn.acts for entry in sheet.played_turns]


def test_a_story_tells_the_marks_at_its_start_and_those_that_each_turn_changes() -> None:
    sheet = ScoreSheet(Crowned(), Crowned().position("...x/..../..../xo.o x a1,d1"))
    sheet.read("a1xb1")
    told = story_snapshot(sheet)
    assert told.marks == {"a1": "K", "d1": "K"}
    assert [turn.marks for turn in told.turns] == [{"a1": "", "b1": "K"}]
    assert [turn.marks for turn in story_snapshot(ScoreSheet(load("zong-heng"))).turns] == []


@pytest.mark.parametrize("hands", [True, False])
def test_marks_are_told_of_the_pieces_as_they_lie(hands: bool) -> None:
    sheet = ScoreSheet(Crowned(), Crowned().position("...x/..../..../xo.o x a1,d1"))
    daemon = SimulatedHost(Config(), sheet, Sense.PRESENCE, background=False).daemon

    def told(**changes: int) -> dict[str, str]:
        levels = dict(zip(sheet.game.sites, sheet.position.board, strict=True)) | changes
        seen = levels.values() if hands else (min(level, 1) for level in levels.values())  # presence knows no colour
        return now_snapshot(daemon, tuple(seen), 0.0, hands=hands).marks

    assert told() == {"a1": "K", "d1": "K"}
    assert told(a1=0) == {"d1": "K"}
    assert told(a1=0, c2=1) == {"c2": "K", "d1": "K"}
    assert told(d1=0, c2=2) == ({"a1": "K", "c2": "K"} if hands else {"a1": "K"})


def test_the_story_tells_levels_and_no_kinds_of_pieces() -> None:
    game = Blocking()
    sheet = ScoreSheet(game, start=game.position("...o/#.../..../x... x -"))
    sheet.accept(game.turns(sheet.position)[0])
    story = story_snapshot(sheet)
    assert tuple(story.start) == sheet.start.board
    assert tuple(story.turns[0].cells) == sheet.position.board


def test_a_turn_is_not_told_before_it_is_safe_on_disk(tmp_path: Path) -> None:
    at = Seen()
    daemon = at.host.daemon
    daemon.record = record = Slow(tmp_path / "slow.table", daemon.table.sheet, Sense.PRESENCE)
    at.pass_time(0.1)
    at.server.take()
    record.writing = True
    at.server.asks.append(pack(Make("c3-c4")))
    at.pass_time(3.0)
    assert daemon.table.sheet.length == 1
    assert at.server.take() == []
    record.problem = "the disk is full"
    at.pass_time(0.1)
    assert {type(each) for each in at.server.take()} == {Sentences}
    record.writing, record.problem = False, ""
    at.pass_time(0.1)
    assert {Story, Now} <= {type(each) for each in at.server.take()}


def test_a_server_without_room_hears_the_latest_a_little_later() -> None:
    at = Seen()
    at.server.room = 0
    at.server.asks.append(pack(Make("c3-c4")))
    at.pass_time(3.0)
    assert at.server.take() == []
    at.server.room = 1000
    at.pass_time(RETRY_AFTER + 0.02)
    told = at.server.take()
    assert [type(each) for each in told] == [Link, Table, Story, Now, Sentences]
    assert len(told[2].turns) == 1


def test_a_new_server_is_told_everything() -> None:
    at = Seen()
    at.pass_time(0.1)
    at.server.take()
    at.server.dead = True
    at.pass_time(0.5)
    at.server.dead, at.server.starts = False, 2
    at.pass_time(0.1)
    assert [type(each) for each in at.server.take()] == [Link, Table, Story, Now]


def test_a_flood_of_requests_takes_turns_with_the_scans() -> None:
    at = Seen()
    at.pass_time(0.1)
    for _ in range(100):
        at.server.asks.append(pack(Lay((("c3", 0),))))
    at.pass_time(0.01)
    assert len(at.server.asks) == 99


def test_the_server_is_told_what_a_request_has_cost_from_its_being_read_to_its_being_shown() -> None:
    at = Seen()
    ticks = iter([5.0, 5.25, 7.0, 7.5])
    at.mirror = Mirror(at.server, clock=lambda: next(ticks))
    at.pass_time(0.1)
    assert at.server.costs == []
    at.server.asks += [pack(Lay((("c3", 0),))), pack(Make("c3-c4"))]
    at.pass_time(0.1)
    assert at.server.costs == [0.25, 0.5]


def test_what_takes_several_scans_costs_all_of_them_and_nothing_else_is_asked_meanwhile() -> None:
    at = Seen()
    at.pass_time(0.1)
    at.host = SimulatedHost(Config(), ScoreSheet(load("zong-heng")), Sense.PRESENCE, seed=1)
    scans = iter(range(1000))
    at.mirror = Mirror(at.server, clock=lambda: next(scans) * 0.25)  # each is read twice in a scan
    at.server.asks += [pack(New("zhizhu")), pack(Lay((("a1", 0),)))]
    while not at.server.costs:
        at.pass_time(0.01)
        assert len(at.server.asks) == 1
    (cost,) = at.server.costs
    assert cost >= 3 * 0.25
    assert at.host.daemon.table.game.name == "zhizhu"
    at.pass_time(0.01)
    assert not at.server.asks
    at.host.close()


def test_whoever_asked_for_another_game_hears_that_it_is_done_once_that_game_was_told(tmp_path: Path) -> None:
    slow = Slow(tmp_path / "slow.table", ScoreSheet(load("zhizhu")), Sense.PRESENCE)

    class SlowHost(SimulatedHost):
        """Its next game is recorded on a slow card."""

        def _record(self, *_: object) -> Record | None:
            return slow

    at = Seen()
    at.pass_time(0.1)
    at.server.take()
    at.host.__class__ = SlowHost
    slow.writing = True
    at.server.asks.append(pack(New("zhizhu")))
    at.pass_time(1.0)
    assert at.host.daemon.table.game.name == "zhizhu"
    assert (at.server.costs, [type(each) for each in at.server.take()]) == ([], [])
    slow.writing = False
    at.scan(0.01)
    assert (len(at.server.costs), at.server.take()[0].game) == (1, "zhizhu")


def test_a_new_game_is_told_as_one_with_its_board_and_its_lights() -> None:
    at = Seen()
    at.pass_time(0.1)
    at.server.groups.clear()
    at.server.asks.append(pack(New("yin-yang")))
    at.pass_time(0.1)
    assert [Table, Story, Now] in at.server.groups
    assert not any([kind] in at.server.groups for kind in (Table, Story))


def test_a_cost_that_the_server_has_no_room_for_is_told_later() -> None:
    at = Seen()
    at.pass_time(0.1)
    at.server.asks.append(pack(Make("c3-c4")))
    at.server.room = 0
    at.pass_time(1.0)
    assert at.server.costs == []
    at.server.room = 1000
    at.pass_time(0.5)
    assert len(at.server.costs) == 1


def test_a_new_server_is_told_no_cost_of_what_another_one_asked() -> None:
    at = Seen()
    at.pass_time(0.1)
    at.server.asks.append(pack(Make("c3-c4")))
    at.server.room = 0
    at.pass_time(1.0)
    at.server.room, at.server.starts = 1000, 2
    at.pass_time(0.5)
    assert at.server.costs == []


def test_garbage_is_no_request() -> None:
    at = Seen()
    at.server.asks.extend([b"\xff\x00", b"x", pack({"do": "make"}), pack({"do": "fly"}), pack(Lay((("c3", 0),)))])
    assert [type(request) for request in at.mirror.requests(at.host)] == [Lay]


def test_the_address_or_the_fault_of_the_page_is_announced_once() -> None:
    at = Seen()
    for report in (Listening("127.0.0.1", 8000), Listening("127.0.0.1", 8000), Failed("taken")):
        at.server.asks.append(pack(report))
        list(at.mirror.requests(at.host))
        news, at.mirror.unannounced = at.mirror.unannounced, False
        assert (news, at.mirror.listening, at.mirror.fault) in [
            (True, "127.0.0.1:8000", ""), (False, "127.0.0.1:8000", ""), (True, "127.0.0.1:8000", "taken"),
        ]  # fmt: skip
    assert at.mirror.fault


def test_a_long_game_is_told_from_its_end() -> None:
    at = Seen("zhizhu")
    table = at.host.daemon.table
    table.sheet.accept(table.sheet.turns[0])
    table.sheet.played_turns[:0] = [table.sheet.played_turns[0]] * (messages.MOST_TURNS + 5)
    table.look_again()
    at.pass_time(0.05)
    (story,) = [each for each in at.server.take() if isinstance(each, Story)]
    assert (len(story.turns), story.before) == (messages.MOST_TURNS, 6)


# The process ----------------------------------------------------------------------------------


def test_a_server_that_dies_is_started_anew_ever_later() -> None:
    server = ServerProcess("256.0.0.1", 1)  # it cannot serve there, says so, and ends
    now, starts = 0.0, []
    while len(starts) < 3 and now < 100:
        server.alive(now)
        while server.starting:
            sched_yield()
        if server.alive(now) and server.starts > len(starts):
            starts.append(now)
            assert isinstance(messages.request(heard(server, now)), Failed)
            assert heard(server, now) == b""
        now += 0.5
    first, second = (later - before for before, later in pairwise(starts))
    assert SHORTEST_PAUSE <= first < second <= LONGEST_PAUSE < HEALTHY
    server.close()
    server.close()


def heard(server: ServerProcess, now: float) -> bytes:
    """What the server says next; empty when it has ended."""
    while server.alive(now):
        if data := server.receive():
            return data
        sched_yield()
    return b""
