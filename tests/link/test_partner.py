"""Two tables with different sensors play one game: each other's turns are lit, and made by a hand there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec import json

from firmware_bridge.events import Event
from firmware_bridge.link.pairing import unseal
from firmware_bridge.link.states import Running, State
from firmware_bridge.records import read_record
from firmware_bridge.session import Carrying, End, Make, Mishap, New, Now, Press, Teach, Unlink
from firmware_bridge.web.mirror import now_snapshot, table_snapshot
from firmware_bridge.web.simulated_host import SimulatedHost
from games.rules import load, names
from hardware.device import Sense
from tests.link.tables import Club
from tests.records.traced_games import again

GAME = "zhizhu"
Open = Callable[..., Club]
NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""A game is slow to be played again."""


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Open]:
    opened: list[Club] = []

    def open_club(game: str = GAME, **options: object) -> Club:
        full = Sense.COUNT if load(game).pieces == "seeds" else Sense.COLOUR
        opened.append(Club(tmp_path, game, (Sense.PRESENCE, full), **options))  # type: ignore[arg-type]
        return opened[-1]

    yield open_club
    for each in opened:
        each.close()


def played(club: Club, turns: int, seed: int = 1) -> Club:
    luck = Random(seed)
    for _ in range(turns):
        club.make(luck)
        club.agree()
    return club


def said_by(events: Iterable[Event]) -> list[str]:
    return [event.name for event in events]


def press(club: Club, number: int, button: str) -> list[str]:
    return [event.name for event in club.hosts[number].obey(Press(button), club.now)]  # type: ignore[arg-type]


def shown(club: Club, number: int) -> Now:
    """What the page of a table is told of it."""
    host = club.hosts[number]
    return now_snapshot(host.daemon, host.levels(host.daemon), club.now)


# Turns ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", names())
def test_tables_of_different_sensors_play_with_each_other(club: Open, game: str) -> None:
    tables = played(club(game), 4)
    assert tables.texts(0) == tables.texts(1)
    assert len(tables.texts(0)) >= 4
    for number in (0, 1):
        said = tables.names(number)
        assert not {"asked", "astray", "undone", "offered"} & {*said}
        assert said.count("plans") == 2


def test_both_records_tell_the_same_game(club: Open, tmp_path: Path) -> None:
    tables = played(club(), 5)
    made = tables.texts(0)
    tables.close()
    one, other = (read_record(tmp_path / str(number) / f"{GAME}.table").sheet for number in (0, 1))
    assert [entry.turn.text for entry in one.played_turns] == made
    assert one.position == other.position


def test_the_turn_of_the_other_table_is_the_only_one_that_counts(club: Open) -> None:
    tables = club()
    waiting = tables.hosts[1].daemon.table
    assert waiting.signatures == ()
    tables.hosts[0].obey(Make(tables.hosts[0].daemon.table.sheet.turns[0].text), 0.0)
    while not waiting.planned:
        assert tables.now < 20
        tables.step()
    assert [signature.turn.after for signature in waiting.signatures] == [waiting.planned.after]


def test_each_table_goes_on_as_far_as_its_own_turn_while_the_line_is_cut(club: Open) -> None:
    tables = played(club(), 2)
    tables.cut()
    tables.make(Random(3))
    tables.run(15)
    assert len(tables.texts(0)) == 3
    assert len(tables.texts(1)) == 2
    assert "link-away" in tables.names(0)
    assert tables.hosts[0].daemon.scene.pace == "away"
    assert tables.hosts[1].daemon.scene.pace == "away"  # the turn of seat 0, as far as is known there
    tables.connect()
    tables.agree()
    assert tables.names(0)[-1] == "link-here"
    assert tables.hosts[0].daemon.scene.pace == ""


def test_a_short_gap_is_not_spoken_of(club: Open) -> None:
    tables = played(club(), 1)
    tables.cut()
    tables.run(5)
    tables.connect()
    tables.run(1)
    assert "link-away" not in [*tables.names(0), *tables.names(1)]


@pytest.mark.slow
@pytest.mark.parametrize("game", names())
def test_a_line_that_is_cut_again_and_again_changes_no_game(club: Open, game: str) -> None:
    tables, luck = club(game), Random(7)
    for _ in range(3):
        if luck.random() < 0.5:
            tables.cut()
        tables.make(luck)
        tables.run(luck.random() * 2)
        tables.connect()
        tables.agree()
    assert tables.texts(0) == tables.texts(1)
    assert not {"asked", "astray", "undone"} & {*tables.names(0), *tables.names(1)}


# What is agreed upon ----------------------------------------------------------------------------


def test_undo_asks_the_other_table_and_done_there_grants_it(club: Open) -> None:
    tables = played(club(), 3)
    assert press(tables, 0, "undo") == ["link-asked"]
    tables.run(0.5)
    assert tables.names(1)[-1] == "link-asks-back"
    assert shown(tables, 1).asked
    assert not shown(tables, 0).asked
    assert len(tables.texts(0)) == 3
    assert press(tables, 1, "done") == ["link-granted"]
    tables.run(0.2)
    tables.agree()
    assert len(tables.texts(0)) == len(tables.texts(1)) == 2
    assert "undone" in tables.names(0)
    assert "undone" in tables.names(1)
    assert not shown(tables, 1).asked
    played(tables, 2)


@given(lag=st.floats(0.0, 0.4), wait=st.floats(0.0, 0.9), what=st.sampled_from(["back", "draw", "resign"]))
@settings(max_examples=12, deadline=None, phases=NO_SHRINKING)
def test_what_is_wanted_right_after_the_own_turn_reaches_the_other_table(lag: float, wait: float, what: str) -> None:
    """However long the process of the line takes to learn of the turn, and to tell that it has."""
    with (
        TemporaryDirectory() as name,
        closing(Club(Path(name), GAME, (Sense.PRESENCE, Sense.COLOUR), lag=lag)) as tables,
    ):
        played(tables, 2)
        tables.run(2)
        host = tables.hosts[0]
        host.obey(Make(host.daemon.table.sheet.turns[0].text), tables.now)
        while len(tables.texts(0)) < 3:
            tables.step()
        made = tables.texts(0)
        tables.run(wait)
        said = (
            press(tables, 0, "undo")
            if what == "back"
            else said_by(host.obey(End(0 if what == "resign" else None), tables.now))
        )
        assert said == ["link-asked"]
        until = tables.now + 30
        while not host.daemon.partner.agreed.ended and not set(tables.names(1)) & {"link-asks-back", "link-asks-draw"}:
            assert tables.now < until, tables.names(1)
            tables.step()
        if what == "back":
            asked = next(event for event in tables.events[1] if event.name == "link-asks-back")
            assert dict(asked.say.values)["turns"] == made[-1]
            assert press(tables, 1, "done") == ["link-granted"]
            tables.run(2)
            tables.agree()
            assert tables.texts(0) == tables.texts(1) == made[:-1]


@given(
    wish=st.sampled_from(["back", "draw", "again"]),
    grants=st.booleans(),
    lag=st.sampled_from([0.0, 0.05, 0.3]),
    whose=st.sampled_from([0, 1]),
    dies=st.floats(0.0, 0.5),
    gone=st.floats(0.1, 3.0),
)
@settings(max_examples=30, deadline=None, phases=NO_SHRINKING)
def test_an_answer_reaches_the_other_table_though_the_process_dies_just_then(
    wish: str, grants: bool, lag: float, whose: int, dies: float, gone: float
) -> None:
    """Whenever that is, at either table: what is answered is told until the process has taken it in."""
    with (
        TemporaryDirectory() as name,
        closing(Club(Path(name), GAME, (Sense.PRESENCE, Sense.COLOUR), lag=lag)) as tables,
    ):
        played(tables, 3)
        tables.run(2)
        if wish == "back":
            press(tables, 0, "undo")
        else:
            tables.hosts[0].obey(End() if wish == "draw" else New(GAME), tables.now)
        tables.run(2)
        assert any(said.startswith("link-asks") for said in tables.names(1))
        assert press(tables, 1, "done" if grants else "undo") == ["link-granted" if grants else "link-declined-here"]
        tables.run(dies)
        tables.line(whose).die(gone)
        tables.run(gone + 8)
        tables.agree()
        made = len(tables.texts(0))
        if not grants:
            assert "link-declined" in tables.names(0)
            assert made == 3
        elif wish == "draw":
            assert all(tables.outcome(number) for number in (0, 1))
        else:
            assert made == (2 if wish == "back" else 0)
        assert sum(said.startswith("link-asks") for said in tables.names(1)) == 1


def test_undo_there_refuses_it(club: Open) -> None:
    tables = played(club(), 3)
    press(tables, 0, "undo")
    tables.run(0.5)
    assert press(tables, 1, "undo") == ["link-declined-here"]
    tables.run(0.5)
    assert tables.names(0)[-1] == "link-declined"
    assert len(tables.texts(0)) == len(tables.texts(1)) == 3


def test_a_turn_that_a_hand_takes_back_is_asked_for_and_made_once_more_if_it_is_refused(club: Open) -> None:
    tables = played(club(), 1)
    made = tables.texts(0)
    table = tables.hosts[0].daemon.table
    before = table.sheet.played_turns[-1].position.board
    tables.hosts[0].simulation.board.lay(zip(table.game.sites, before, strict=True))
    tables.run(4)
    assert tables.texts(0) == []
    assert "link-asked" in tables.names(0)
    press(tables, 1, "undo")
    tables.run(0.2)
    tables.agree()
    assert tables.texts(0) == tables.texts(1) == made


def test_a_turn_that_a_hand_takes_back_before_the_process_has_told_of_it_is_asked_for(club: Open) -> None:
    tables = club(lag=2.5)
    tables.run(6)
    table, hands = tables.hosts[0].daemon.table, tables.hosts[0].simulation
    before = table.sheet.position.board
    tables.hosts[0].obey(Make(table.sheet.turns[0].text), tables.now)
    while not tables.texts(0):
        tables.step()
    hands.board.lay(zip(table.game.sites, before, strict=True))
    tables.run(12)
    assert "link-asked" in tables.names(0)
    assert "plans" not in tables.names(0)
    assert press(tables, 1, "done") == ["link-granted"]
    tables.run(8)
    assert tables.texts(0) == tables.texts(1) == []


def test_a_player_resigns_for_the_own_seat_alone(club: Open) -> None:
    tables = played(club(), 2)
    assert [event.name for event in tables.hosts[0].obey(End(1), tables.now)] == ["link-other-seat"]
    tables.hosts[1].obey(End(1), tables.now)
    tables.run(0.5)
    assert [tables.outcome(number).winner for number in (0, 1)] == [0, 0]  # type: ignore[union-attr]


def test_a_draw_is_offered_and_accepted(club: Open) -> None:
    tables = played(club(), 2)
    tables.hosts[0].obey(End(), tables.now)
    tables.run(0.5)
    assert tables.outcome(0) is None
    assert tables.names(1)[-1] == "link-asks-draw"
    tables.hosts[1].obey(End(), tables.now)
    tables.run(0.5)
    assert [tables.outcome(number).reason.id for number in (0, 1)] == ["table.agreed"] * 2  # type: ignore[union-attr]


def test_a_game_that_was_resigned_goes_on_by_agreement(club: Open) -> None:
    tables = played(club(), 2)
    tables.hosts[1].obey(End(1), tables.now)
    tables.run(0.5)
    press(tables, 1, "undo")
    tables.run(0.5)
    assert tables.names(0)[-1] == "link-asks-on"
    press(tables, 0, "done")
    tables.run(0.5)
    assert tables.outcome(0) is tables.outcome(1) is None
    played(tables, 2)


def test_another_game_begins_at_both_tables(club: Open) -> None:
    tables = played(club(), 2)
    tables.hosts[1].obey(End(1), tables.now)
    tables.run(0.5)
    assert press(tables, 0, "done") == ["link-asked"]
    tables.run(0.5)
    assert tables.names(1)[-1] == "link-asks-again"
    press(tables, 1, "done")
    tables.run(1)
    assert tables.texts(0) == tables.texts(1) == []
    assert "begins" in tables.names(0)
    played(tables, 3)


def test_the_page_knows_that_the_other_table_has_a_say_in_what_is_begun(club: Open) -> None:
    host = club().hosts[0]
    assert host.daemon.partner
    assert table_snapshot(host, host.daemon).linked


def test_nothing_else_is_begun_at_a_table_that_plays_with_another(club: Open) -> None:
    tables = club()
    other = next(name for name in names() if name != GAME)
    for request in (New(other), Teach(GAME)):
        assert [event.name for event in tables.hosts[0].obey(request, tables.now)] == ["link-busy"]


def test_a_turn_that_a_program_has_chosen_is_dropped_by_undo_and_reaches_the_other_table_once_it_is_made(
    club: Open,
) -> None:
    tables = played(club(), 2)
    tables.hosts[0].obey(Carrying(alone=False), tables.now)
    daemon = tables.hosts[0].daemon
    turn = daemon.table.sheet.turns[0]
    assert said_by(daemon.plan(turn.text, tables.now)) == ["plans"]
    tables.run(1)
    assert press(tables, 0, "undo")[0] == "dropped"
    assert len(tables.texts(0)) == len(tables.texts(1)) == 2
    tables.run(1)
    tables.hosts[0].obey(Carrying(alone=True), tables.now)
    daemon.plan(turn.text, tables.now)
    tables.run(3)
    tables.agree()
    assert tables.texts(0)[-1] == tables.texts(1)[-1] == turn.text


def test_no_hints_are_given(club: Open) -> None:
    tables = played(club(), 1)
    assert press(tables, 0, "hint") == ["link-no-hint"]


# Playing on alone ----------------------------------------------------------------------------------


def alone(tables: Club, number: int) -> SimulatedHost:
    """The table leaves the other one, and knows no pairing any more."""
    host = tables.hosts[number]
    assert host.daemon.partner
    path = host.daemon.partner.path
    assert next(event.name for event in host.obey(Unlink(), tables.now)) == "link-parted-for-good"
    assert host.daemon.partner is None
    host.linking.close()
    assert not path.exists()
    return host


@pytest.mark.parametrize("number", [0, 1])
def test_a_table_that_leaves_the_other_plays_on_both_sides(club: Open, number: int) -> None:
    tables = played(club(), 3)
    before = tables.texts(number)
    host = alone(tables, number)
    for _ in range(2):
        host.obey(Make(host.daemon.table.sheet.turns[0].text), tables.now)
        tables.run(20)
    assert tables.texts(number)[:3] == before
    assert len(tables.texts(number)) == 5
    assert tables.texts(1 - number) == before
    assert [event.name for event in host.obey(New("zhizhu"), tables.now)][-1] == "begins"


def test_a_turn_of_the_other_that_nobody_has_carried_out_is_not_waited_for(club: Open) -> None:
    tables = club()
    tables.hosts[1].obey(Carrying(alone=False), tables.now)
    tables.hosts[0].obey(Make(tables.hosts[0].daemon.table.sheet.turns[0].text), tables.now)
    tables.run(20)
    assert tables.hosts[1].daemon.table.planned
    host = alone(tables, 1)
    assert host.daemon.table.planned is None
    host.obey(Make(host.daemon.table.sheet.turns[-1].text), tables.now)
    tables.run(20)
    assert len(tables.texts(1)) == 1


# Traces -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", names())
def test_a_trace_has_what_both_have_agreed_upon(club: Open, tmp_path: Path, game: str) -> None:
    tables = played(club(game, traced=True), 3)
    asks = tables.mover ^ 1
    press(tables, asks, "undo")
    tables.run(0.5)
    press(tables, asks ^ 1, "done")
    tables.run(0.2)
    tables.agree()
    played(tables, 2, seed=2)
    tables.hosts[1].obey(End(1), tables.now)
    tables.run(1)
    made = tables.texts(0), tables.texts(1)
    tables.close()
    for number in (0, 1):
        path = tmp_path / str(number) / "game.trace"
        assert " back " in path.read_text()
        done = again(path)
        assert done.differences == []
        assert [entry.turn.text for entry in done.simulation.table.sheet.played_turns] == made[number]
        assert done.simulation.table.sheet.away == 1 - number


def test_a_trace_tells_that_all_play_at_this_table_from_now_on(club: Open, tmp_path: Path) -> None:
    tables = played(club(traced=True), 3)
    host = alone(tables, 0)
    for _ in range(2):
        host.obey(Make(host.daemon.table.sheet.turns[0].text), tables.now)
        tables.run(20)
    made = tables.texts(0)
    assert len(made) == 5
    tables.close()
    done = again(tmp_path / "0" / "game.trace")
    assert done.differences == []
    assert [entry.turn.text for entry in done.simulation.table.sheet.played_turns] == made
    assert done.simulation.table.sheet.away is None


# Clocks -----------------------------------------------------------------------------------------


def test_both_tables_show_the_same_time_left_whatever_the_line_took(club: Open) -> None:
    tables = played(club(clock="10+5"), 3)
    tables.cut()
    tables.make(Random(1))
    tables.run(60)
    tables.connect()
    tables.agree()
    one, other = (host.daemon.table.sheet.clock for host in tables.hosts)
    assert one
    assert other
    assert [left.main for left in one.left] == pytest.approx([left.main for left in other.left])
    assert one.left[0].main > 600  # the minute without a line was nobody's


def told_clock(tables: Club, number: int) -> Running | None:
    """What the broker keeps of the clock of a seat."""
    pairing = tables.couriers[number].pairing
    topic = pairing.states(number)
    said = unseal(pairing.pair_key(), topic, tables.kept[topic])
    assert said
    return json.decode(said, type=State).clock


def test_whoever_looks_on_is_told_once_that_a_clock_runs_and_once_that_it_stands(club: Open) -> None:
    tables = played(club(clock="10+5"), 2)
    tables.run(1.5)
    assert told_clock(tables, 0) == Running(pytest.approx(0.0, abs=0.5), runs=True)  # type: ignore[arg-type]
    assert told_clock(tables, 1) is None
    before = tables.published
    tables.run(61)
    assert tables.published == before + 3  # it is told again from time to time, for who begins to look on
    assert told_clock(tables, 0) == Running(pytest.approx(60.0, abs=2.0), runs=True)  # type: ignore[arg-type]
    tables.hosts[0].obey(Mishap("unplug"), tables.now)  # a table that sees nothing charges nobody
    tables.run(3)
    stands = told_clock(tables, 0)
    assert stands
    assert not stands.runs
    assert stands.used == pytest.approx(tables.hosts[0].daemon.table.sheet.clock.used, abs=0.01)  # type: ignore[union-attr]
    tables.hosts[0].obey(Mishap("plug"), tables.now)
    tables.run(10)
    assert told_clock(tables, 0) == Running(pytest.approx(stands.used, abs=4.0), runs=True)  # type: ignore[arg-type]
    tables.make(Random(1))
    tables.agree()
    assert told_clock(tables, 0) is None


def test_a_clock_that_flickers_is_told_of_once_a_second_at_most(club: Open) -> None:
    tables = played(club(clock="10+5"), 2)
    tables.run(2)
    before = tables.published
    for _ in range(50):
        for what in ("unplug", "plug"):
            tables.hosts[0].obey(Mishap(what), tables.now)  # type: ignore[arg-type]
            tables.run(0.1)
    assert 0 < tables.published - before <= 11


def test_a_line_that_is_back_tells_what_was_used_meanwhile(club: Open) -> None:
    tables = played(club(clock="10+5"), 2)
    tables.run(2)
    tables.cut()
    tables.run(100)
    tables.connect()
    tables.run(0.1)
    clock = tables.hosts[0].daemon.table.sheet.clock
    assert clock
    assert clock.since is not None
    assert told_clock(tables, 0) == Running(pytest.approx(clock.used + tables.now - clock.since, abs=0.2), runs=True)  # type: ignore[arg-type]


def test_whose_time_is_up_has_lost_at_both(club: Open) -> None:
    tables = played(club(clock="0.1"), 1)
    tables.run(10)
    assert [tables.outcome(number).winner for number in (0, 1)] == [0, 0]  # type: ignore[union-attr]
    assert [tables.outcome(number).reason.id for number in (0, 1)] == ["table.timed-out"] * 2  # type: ignore[union-attr]
