"""The simulated table kept for those at the page: hands, mishaps, other games and sensors, all by request."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from os import sched_yield
from pathlib import Path
from threading import Event as Flag
from threading import get_ident

import pytest

from firmware_bridge.config import Config
from firmware_bridge.events import Event
from firmware_bridge.records import Record, read_record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.session import (
    AnyRequest,
    Brighten,
    Carrying,
    Drop,
    Lay,
    Make,
    Mishap,
    New,
    Press,
    Return,
    Sensing,
    Show,
    Solve,
)
from firmware_bridge.session.messages import End
from firmware_bridge.web.simulated_host import BEFORE_CARRYING, SimulatedHost
from games.rules import Game, Position, load, names
from hardware.device import Sense

SENSES = {"zig-zag": Sense.COUNT}


class Hosted:
    """A host and its time; `said` are the sentences so far."""

    def __init__(self, game: str = "zong-heng", sense: Sense | None = None, folder: Path | None = None) -> None:
        loaded = load(game)
        place = self._place(folder) if folder else None
        self.host = SimulatedHost(
            Config(), ScoreSheet(loaded), sense or SENSES.get(game, Sense.PRESENCE), place, background=False, seed=1
        )
        self.now = 0.0
        self.events: list[Event] = []
        self.pass_time(0.1)

    @property
    def sheet(self) -> ScoreSheet:
        """The score sheet of the game in hand."""
        return self.host.daemon.table.sheet

    def _place(self, folder: Path) -> Callable[[Game[Position]], Path]:
        return lambda game: folder / f"{len(list(folder.iterdir()))}-{game.name}.table"

    def pass_time(self, seconds: float) -> None:
        """Scan on."""
        for _ in range(round(seconds * 100)):
            self.now += 0.01
            self.events += self.host.step(self.now)

    def ask(self, request: AnyRequest, seconds: float = 0.5) -> list[Event]:
        """Ask, and see what comes of it."""
        before = len(self.events)
        self.events += self.host.obey(request, self.now)
        self.pass_time(seconds)
        return self.events[before:]

    @property
    def turns(self) -> list[str]:
        """The turns made so far."""
        return [entry.turn.text for entry in self.host.daemon.table.sheet.played_turns]


def names_of(events: list[Event]) -> list[str]:
    """What happened."""
    return [event.name for event in events]


def test_hands_of_the_page_make_a_turn() -> None:
    at = Hosted()
    at.ask(Lay((("c3", 0),)))
    at.ask(Lay((("c4", 1),)))
    assert names_of(at.ask(Lay((("c3", 1),)), 1.0)) == ["played"]
    assert at.turns == ["c3-c4"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [(("z9", 1), "no place z9"), (("c4", 3), "could hold 3")],
)
def test_what_no_site_could_hold_is_refused_whole(change: tuple[str, int], fault: str) -> None:
    at = Hosted()
    before = at.host.levels(at.host.daemon)
    (event,) = at.ask(Lay((("c3", 0), change)))
    assert fault in str(event.say)
    assert at.host.levels(at.host.daemon) == before


@pytest.mark.parametrize("name", names())
def test_a_turn_is_made_by_hands_when_asked_for(name: str) -> None:
    at = Hosted(name)
    turn = at.sheet.turns[0]
    assert "played" in names_of(at.ask(Make(turn.text), 12.0))
    assert at.sheet.position == turn.after


@pytest.mark.parametrize("name", names())
def test_a_turn_that_was_asked_for_is_dropped_and_its_pieces_are_put_back(name: str) -> None:
    at = Hosted(name)
    turn, before = at.sheet.turns[0], at.host.levels(at.host.daemon)
    assert names_of(at.ask(Drop())) == ["nothing-dropped"]
    at.ask(Make(turn.text), 0.3)
    at.ask(Drop(), 12.0)
    assert at.turns == []
    assert at.host.levels(at.host.daemon) == before
    assert "played" in names_of(at.ask(Make(turn.text), 12.0))


def test_a_sowing_seen_by_presence_is_ended_by_the_hand() -> None:
    at = Hosted("zig-zag", Sense.PRESENCE)
    assert "played" in names_of(at.ask(Make("S1"), 12.0))
    assert at.turns == ["S1"]


@pytest.mark.parametrize(("name", "steps"), [("zig-zag", 3), ("zong-heng", 2)])
def test_a_turn_that_is_begun_is_gone_on_with(name: str, steps: int) -> None:
    at = Hosted(name)
    turn = at.sheet.turns[0]
    for step in turn.steps[:steps]:
        at.ask(Lay((step,)), 0.1)
    assert "played" in names_of(at.ask(Make(turn.text), 12.0))
    assert at.host.levels(at.host.daemon) == turn.after.board


def test_a_turn_is_not_made_with_pieces_that_lie_otherwise() -> None:
    at = Hosted("zig-zag")
    at.ask(Lay((("S1", 0),)))
    at.ask(Lay((("S2", 6),)))
    board = at.host.levels(at.host.daemon)
    assert "not-begun" in names_of(at.ask(Make("S1"), 12.0))
    assert at.host.levels(at.host.daemon) == board


def test_a_turn_is_made_while_the_hands_rest_from_the_last() -> None:
    at = Hosted("zig-zag")
    at.host.obey(Make("S1"), at.now)
    while not at.turns:
        at.pass_time(0.01)
    assert names_of(at.ask(Make("N4"), 12.0)) == ["played"]


def test_the_beginning_of_a_turn_will_do_if_there_is_but_one() -> None:
    at = Hosted()
    assert names_of(at.ask(Make("c3"))) == ["no-such-turn"]
    assert names_of(at.ask(Make("c3-c4"), 3.0)) == ["played"]


def test_hands_do_one_thing_after_another() -> None:
    at = Hosted()
    at.host.obey(Make("c3-c4"), at.now)
    assert names_of(at.ask(Make("f2-f3"), 3.0)) == ["still-busy", "played"]


@pytest.mark.parametrize("name", names())
def test_a_bump_passes(name: str) -> None:
    at = Hosted(name)
    if name == "zhizhu":
        at.ask(Make("a1"), 2.0)
    board = at.host.levels(at.host.daemon)
    at.ask(Mishap("bump"), 4.0)
    assert at.host.levels(at.host.daemon) == board
    assert len(at.turns) == (name == "zhizhu")
    assert at.host.daemon.table.verdict.__class__.__name__ == "AtRest"


def test_a_board_knocked_over_is_put_right_by_hands() -> None:
    at = Hosted()
    assert "astray" in names_of(at.ask(Mishap("knock-over"), 1.0))
    assert not any(at.host.levels(at.host.daemon))
    assert "righted" in names_of(at.ask(Mishap("tidy"), 6.0))
    assert at.host.levels(at.host.daemon) == at.sheet.position.board


def test_the_cable_is_pulled_and_plugged() -> None:
    at = Hosted()
    assert names_of(at.ask(Mishap("unplug"))) == ["blind"]
    assert names_of(at.ask(Mishap("plug"))) == ["sighted"]


@pytest.mark.parametrize("name", ["zong-heng", "yin-yang"])
def test_stones_that_jump_accuse_nobody(name: str) -> None:
    at = Hosted(name)
    before = at.now
    at.host.obey(Mishap("bump"), at.now)
    at.pass_time(0.4)
    assert at.now < before + 0.45
    assert at.events == []


def test_buttons_mode_and_the_end() -> None:
    at = Hosted()
    at.ask(Make("c3-c4"), 3.0)
    at.ask(Show("quiet"))
    assert at.host.daemon.light.settings.mode == "quiet"
    at.ask(Brighten(9))
    assert at.host.daemon.light.settings.brightness == 9
    assert "undone" in names_of(at.ask(Press("undo"), 3.0))
    at.ask(Press("hint"))
    assert any(cue.kind == "movable" for cue in at.host.daemon.scene.cues.values())
    assert names_of(at.ask(End(0))) == ["won"]
    assert at.sheet.outcome.winner == 1
    at.ask(New("zhizhu"))
    assert at.host.daemon.light.settings.mode == "quiet"
    assert at.host.daemon.light.settings.brightness == 9
    assert names_of(at.ask(End())) == ["drawn"]


@pytest.mark.parametrize("sense", [Sense.PRESENCE, Sense.COLOUR])
def test_undo_has_the_board_put_right_by_hands(sense: Sense) -> None:
    """Colours too, which sensors that tell presence alone do not show."""
    at = Hosted("yin-yang", sense)
    start = at.host.levels(at.host.daemon)
    at.ask(Make("c3-c2"), 3.0)
    assert names_of(at.ask(Press("undo"), 2.0)) == ["undone", "ready"]
    assert at.host.levels(at.host.daemon) == start
    assert "played" in names_of(at.ask(Make("c3-b3"), 3.0))


def test_undo_in_the_midst_of_a_turn_takes_back_that_alone() -> None:
    at = Hosted("zong-heng", Sense.COLOUR)
    at.ask(Make("c3-c4"), 3.0)
    before = at.host.levels(at.host.daemon)
    at.host.obey(Make("f6-f5"), at.now)
    at.pass_time(0.4)
    assert at.host.levels(at.host.daemon) != before
    assert names_of(at.ask(Press("undo"), 3.0)) == ["ready"]
    assert at.host.levels(at.host.daemon) == before
    assert at.turns == ["c3-c4"]
    assert names_of(at.ask(Press("undo"), 3.0)) == ["undone", "ready"]


@pytest.mark.parametrize("moved", [{"f6": 0, "f5": 2}, {"f6": 0}, {"c4": 0, "c5": 1}, {"f6": 0, "d1": 2}])
def test_undo_takes_back_alone_what_a_hand_has_begun_or_done_wrong(moved: dict[str, int]) -> None:
    at = Hosted("zong-heng", Sense.COLOUR)
    at.ask(Make("c3-c4"), 3.0)
    before = at.host.levels(at.host.daemon)
    at.ask(Lay(tuple(moved.items())), 1.0)
    assert "undone" not in names_of(at.ask(Press("undo"), 3.0))
    assert at.host.levels(at.host.daemon) == before
    assert at.turns == ["c3-c4"]
    assert "played" in names_of(at.ask(Make("f6-f5"), 3.0))


@pytest.mark.parametrize("sense", [Sense.PRESENCE, Sense.COUNT])
def test_undo_in_the_midst_of_a_sowing_takes_back_that_alone(sense: Sense) -> None:
    at = Hosted("zig-zag", sense)
    at.ask(Make("S1"), 12.0)
    before = at.host.levels(at.host.daemon)
    at.host.obey(Make("N4"), at.now)
    at.pass_time(1.5)
    assert at.host.levels(at.host.daemon) != before
    assert names_of(at.ask(Press("undo"), 3.0)) == ["ready"]
    assert at.host.levels(at.host.daemon) == before
    assert at.turns == ["S1"]
    assert "played" in names_of(at.ask(Make("N4"), 12.0))


def test_undo_where_no_turn_was_made_puts_back_what_was_lifted() -> None:
    at = Hosted()
    at.ask(Lay((("c3", 0),)))
    assert names_of(at.ask(Press("undo"), 2.0)) == ["ready"]
    assert at.host.levels(at.host.daemon) == at.host.daemon.table.game.start().board


def test_undo_while_the_board_is_laid_out_lays_nothing() -> None:
    at = Hosted()
    at.ask(New("yin-yang", set_up=True))
    assert names_of(at.ask(Press("undo"), 2.0)) == ["nothing-undone"]
    assert not any(at.host.levels(at.host.daemon))


def test_another_game_has_a_record_of_its_own(tmp_path: Path) -> None:
    at = Hosted(folder=tmp_path)
    at.ask(Make("c3-c4"), 3.0)
    at.ask(New("zong-heng", {"size": 10}, "colour"))
    assert at.host.daemon.table.game.chosen["size"] == 10
    assert at.host.daemon.table.sensors.sense is Sense.COLOUR
    at.ask(New("zig-zag"))
    assert at.host.daemon.table.sensors.sense is Sense.PRESENCE
    at.host.close()
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "0-zong-heng.table", "1-zong-heng.table", "2-zig-zag.table",
    ]  # fmt: skip
    assert read_record(tmp_path / "0-zong-heng.table").sheet.length == 1


def test_a_game_or_an_option_that_there_is_not_changes_nothing() -> None:
    at = Hosted()
    at.ask(Make("c3-c4"), 3.0)
    for request in (New("tag"), New("zong-heng", {"size": 9})):
        assert names_of(at.ask(request)) == ["refused"]
    assert at.turns == ["c3-c4"]


def test_a_new_game_may_begin_with_setting_up() -> None:
    at = Hosted()
    at.ask(New("yin-yang", set_up=True))
    assert at.host.daemon.table.setting
    assert not any(at.host.levels(at.host.daemon))


def test_other_sensors_go_on_with_the_game(tmp_path: Path) -> None:
    at = Hosted(folder=tmp_path)
    at.ask(Make("c3-c4"), 3.0)
    assert names_of(at.ask(Sensing("count"))) == ["not-sensed"]
    board = at.host.levels(at.host.daemon)
    assert at.ask(Sensing("colour")) == []
    assert at.host.levels(at.host.daemon) == board
    reply = at.sheet.turns[0].text
    assert "played" in names_of(at.ask(Make(reply), 3.0))
    at.host.close()
    saved = read_record(tmp_path / "1-zong-heng.table")
    assert saved.sense is Sense.COLOUR
    assert [entry.turn.text for entry in saved.sheet.played_turns] == ["c3-c4", reply]


def test_a_record_that_cannot_be_made_is_said_and_the_game_is_played(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    host = SimulatedHost(
        Config(), ScoreSheet(load("zhizhu")), Sense.PRESENCE, lambda _: tmp_path / "taken", background=False
    )
    assert names_of(host.step(0.01)) == ["unrecorded"]
    assert host.daemon.record is None


class Watch:
    """What a thread of this process opens, locks or waits for, from its making on."""

    def __init__(self) -> None:
        self.thread = get_ident()
        self.opened: list[object] = []
        self.on = True
        sys.addaudithook(self._note)  # stays for good, so it can be silenced

    def _note(self, event: str, args: tuple[object, ...]) -> None:
        if self.on and get_ident() == self.thread and event in ("open", "fcntl.flock", "os.link", "os.remove"):
            self.opened.append((event, *args))


@pytest.mark.parametrize("request_", [New("zhizhu"), Sensing("colour")], ids=["new", "sense"])
def test_no_record_is_made_or_finished_in_the_scan_loop_for_a_guest(request_: AnyRequest, tmp_path: Path) -> None:
    paths = (tmp_path / f"{number}.table" for number in count())
    host = SimulatedHost(Config(), ScoreSheet(load("zong-heng")), Sense.PRESENCE, lambda _: next(paths), seed=1)
    load("zhizhu")
    watch = Watch()
    try:
        assert "still-writing" not in names_of(begun(host, request_, 0.1))
    finally:
        watch.on = False
    assert watch.opened == []
    host.close()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["0.table", "1.table"]
    assert [read_record(tmp_path / f"{number}.table").sheet.length for number in (0, 1)] == [0, 0]


def begun(host: SimulatedHost, request: AnyRequest, now: float) -> list[Event]:
    """Ask, and let the scans pass that it takes; what was told of it."""
    events = host.obey(request, now)
    while host.beginning:
        events += host.step(now)
    return [event for event in events if event.name != "played"]


def test_another_game_is_begun_over_several_scans_and_the_last_one_is_shown_meanwhile() -> None:
    host = SimulatedHost(Config(), ScoreSheet(load("zong-heng")), Sense.PRESENCE, seed=1)
    host.step(0.1)
    before, scene = host.daemon, host.daemon.scene
    events, scans = host.obey(New("zhizhu"), 0.2), 0
    while host.daemon is before:
        assert host.shown.scene == scene
        assert names_of(events) == []
        assert host.beginning
        assert names_of(host.obey(New("yin-yang"), 0.2)) == ["still-writing"]
        events, scans = host.step(0.2), scans + 1
    assert scans >= 4
    assert names_of(events) == ["begins"]
    assert host.daemon.table.game.name == "zhizhu"
    assert host.daemon.scene.cues
    host.close()


def test_a_table_that_is_switched_off_while_another_game_begins_leaves_whole_records(tmp_path: Path) -> None:
    for scans in range(5):
        paths = (tmp_path / f"{scans}-{number}.table" for number in count())
        host = SimulatedHost(
            Config(), ScoreSheet(load("zong-heng")), Sense.PRESENCE, lambda _, paths=paths: next(paths), seed=1
        )
        host.obey(New("zhizhu"), 0.1)
        for _ in range(scans):
            host.step(0.2)
        host.close()
    assert all(read_record(path) for path in tmp_path.iterdir())


class Stuck(Record):
    """A record on a card that does not come to an end until `free` is set."""

    free: Flag

    def close(self) -> None:
        self.free.wait()
        super().close()


def test_another_game_waits_for_the_record_of_the_last(tmp_path: Path) -> None:
    host = SimulatedHost(Config(), ScoreSheet(load("zhizhu")), Sense.PRESENCE, seed=1)
    host.daemon.record = record = Stuck(tmp_path / "stuck.table", host.daemon.table.sheet, Sense.PRESENCE)
    record.free = Flag()
    assert names_of(begun(host, New("zig-zag"), 0.1)) == ["begins"]
    for request in (New("yin-yang"), Sensing("colour")):
        assert names_of(host.obey(request, 1.2)) == ["still-writing"]
    assert host.daemon.table.game.name == "zig-zag"
    record.free.set()
    while names_of(begun(host, New("yin-yang"), 2.4)) == ["still-writing"]:
        sched_yield()
    assert host.daemon.table.game.name == "yin-yang"
    host.close()


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    at = Hosted(folder=tmp_path)
    at.ask(Make("c3-c4"), 3.0)
    at.host.close()
    path = tmp_path / "0-zong-heng.table"
    saved = read_record(path)
    host = SimulatedHost(
        Config(), saved.sheet, saved.sense, lambda _: tmp_path / "none", saved=(path, saved), background=False
    )
    assert host.daemon.table.sheet.length == 1
    assert host.levels(host.daemon) == saved.sheet.position.board
    host.close()


def planned(at: Hosted) -> str:
    """Have a turn planned, as the engine does."""
    table = at.host.daemon.table
    turn = table.sheet.turns[0]
    at.events += at.host.daemon.ask(lambda _: table.plan(turn), at.now)
    return turn.text


@pytest.mark.parametrize("game", names())
def test_a_hand_carries_out_what_the_engine_has_planned(game: str) -> None:
    at = Hosted(game)
    for made in range(3):
        text = planned(at)
        at.pass_time(BEFORE_CARRYING - 0.2)
        assert len(at.turns) == made  # first it is lit
        at.pass_time(20.0)
        assert at.turns[-1] == text
    assert len(at.turns) == 3


def test_the_hand_waits_while_the_board_is_wrong_and_does_nothing_for_those_who_move_themselves() -> None:
    at = Hosted(sense=Sense.COLOUR)
    text = planned(at)
    at.ask(Lay((("b1", 1),)), 5.0)
    assert at.turns == []
    at.ask(Lay((("b1", 0),)), 10.0)
    assert at.turns == [text]
    at.ask(Carrying(alone=False))
    planned(at)
    at.pass_time(10.0)
    assert len(at.turns) == 1
    at.ask(Carrying(alone=True), 10.0)
    assert len(at.turns) == 2


def test_one_plays_on_from_a_position_of_the_game(tmp_path: Path) -> None:
    at = Hosted(folder=tmp_path)
    for text in ("c3-c4", "d6-d5", "e3-e4"):
        at.ask(Make(text), 8.0)
    assert len(at.turns) == 3
    at.ask(End(1))
    stood = at.sheet.played_turns[2].position
    told = at.ask(New("zong-heng", position=str(stood), levels=(0, 1)), 1.0)
    assert "Black plays on from the position that was chosen." in [str(event.say) for event in told]
    sheet = at.sheet
    assert (sheet.position, sheet.levels, sheet.outcome) == (stood, (0, 1), None)
    assert at.host.levels(at.host.daemon) == stood.board
    at.ask(Make("e3-e4"), 8.0)
    assert at.turns[0] == "e3-e4"
    first, second = [read_record(path).sheet for path in sorted(tmp_path.iterdir())]
    assert first.outcome
    assert second.start == stood


def test_a_position_that_is_none_is_refused_and_the_game_goes_on() -> None:
    at = Hosted()
    at.ask(Make("c3-c4"), 8.0)
    sheet = at.sheet
    (told,) = at.ask(New("zong-heng", position="x.o"))
    assert told.name == "refused"
    assert at.sheet is sheet


def test_a_game_that_was_left_is_gone_back_to_in_its_record(tmp_path: Path) -> None:
    at = Hosted("yin-yang", Sense.COLOUR, tmp_path)
    at.ask(Make("d4-d5"), 3.0)
    at.ask(End())
    path, sheet = at.host.daemon.record.path, at.sheet
    at.ask(New("yin-yang", position="....../....../..xo../..ox../....../...... 1"))
    assert at.host.left
    at.ask(Solve("yin-yang", 1))
    assert names_of(at.ask(Return())) == ["begins"]
    assert at.sheet is sheet
    assert at.host.daemon.record.path == path
    assert at.host.levels(at.host.daemon) == sheet.position.board
    assert not at.host.left
    at.ask(Press("undo"))
    at.ask(Press("undo"), 3.0)
    at.host.close()
    assert read_record(path).sheet.played_turns == []
