"""What counts of an evening: what both seats have signed, and nothing that is forged, played again or told by one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec import json
from msgspec.structs import replace

from firmware_bridge.club.evening import (
    Evening,
    Results,
    Scores,
    evening_path,
    number,
    plan,
    read_evening,
    read_scores,
    report,
    result,
    write_evening,
    write_scores,
)
from firmware_bridge.link.pairing import Broker, LinkError, new_pairing, seal
from firmware_bridge.link.signature import sign
from firmware_bridge.link.states import Entry, State, chained
from games.rules import OptionError

from .evenings import Tables, evening, heard, nobody, terms


def tables(evening: Evening, folder: Path, place: int = 0) -> Tables:
    return Tables(evening, [*evening.meetings][place], folder, nobody)


def results(evening: Evening, *played: Tables, kept: Scores | None = None) -> Results:
    told = Results(evening, kept)
    for each in played:
        heard(told, each.kept)
    return told


def score_of(results: Results, place: int = 0) -> str:
    return result([*results.games.values()][place])


# The plan -----------------------------------------------------------------------------------------


def test_an_evening_is_planned_and_kept(tmp_path: Path) -> None:
    planned, path = evening("Anna", "Ben", "Carl"), evening_path(tmp_path)
    assert [planned.bye(place) for place in range(3)].count("") == 0
    assert len({meeting.secret for meeting in planned.meetings}) == 3
    write_evening(path, planned)
    assert read_evening(path) == planned
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Anna",), "two players or more, and 1 is named"),
        ((), "none is named"),
        (("Anna", "Ben", "anna"), "'anna' is given twice"),
        (("Anna", " "), "name is empty"),
        (tuple(map(str, range(17))), "at most 16 players, and 17"),
    ],
)
def test_names_that_make_no_evening_are_refused(names: tuple[str, ...], told: str) -> None:
    with pytest.raises(LinkError, match=told):
        plan(names, terms(), Broker("nowhere"))


@pytest.mark.parametrize("name", ["Anna Maria", "wall", "Zoë", "any"])
def test_who_is_no_table_of_the_broker_is_refused_where_it_has_users(name: str) -> None:
    assert plan(("Ben", name), terms(), Broker("nowhere"))
    with pytest.raises(LinkError, match="broker.sh"):
        plan(("Ben", name), terms(), Broker("nowhere", user="wall"))


def test_a_name_of_many_letters_is_refused() -> None:
    with pytest.raises(OptionError, match="at most 30"):
        plan(("Ben", "x" * 31), terms(), Broker("nowhere"))


@pytest.mark.parametrize("text", ["", "{}", "[", '{"names": 3}'])
def test_a_file_that_is_no_evening_is_refused(tmp_path: Path, text: str) -> None:
    path = evening_path(tmp_path)
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(LinkError, match="no evening"):
        read_evening(path)


def test_that_no_evening_is_planned_is_told(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match="club new"):
        read_evening(evening_path(tmp_path))


# What counts --------------------------------------------------------------------------------------


def test_a_game_counts_once_both_seats_tell_the_same_score(tmp_path: Path) -> None:
    planned = evening()
    played = tables(planned, tmp_path)
    played.make(Random(1))
    before = results(planned, played)
    assert score_of(before) == ""
    assert next(iter(before.games.values())).begun
    played.play(Random(1))
    outcome = played.couriers[0].agreement.standing.sheet.outcome
    told = results(planned, played)
    assert outcome
    assert told.table()[0].points == (0.5 if outcome.winner is None else 1)
    assert report(told).games[0].turns > 10
    assert told.current == 0


def test_what_one_seat_tells_alone_does_not_count(tmp_path: Path) -> None:
    planned = evening()
    played = tables(planned, tmp_path)
    played.make(Random(1))
    before = dict(played.kept)
    played.resign(0)
    seat = next(topic for topic in played.kept if "/seat/1/" in topic)
    assert score_of(results(planned, played)) == "0 - 1"
    played.kept[seat] = before[seat]
    assert score_of(results(planned, played)) == ""


def test_a_draw_counts_half_and_games_for_pleasure_after_it_change_nothing(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    played = tables(planned, tmp_path)
    played.make(Random(1))
    played.ask(0, "draw")
    told = results(planned, played)
    assert score_of(told) == "½ - ½"
    assert told.over
    played.ask(0, "again")
    played.make(Random(1))
    played.resign(1)
    heard(told, played.kept)
    assert score_of(told) == score_of(results(planned, played)) == "½ - ½"


def test_a_game_that_both_take_up_again_counts_no_more_until_it_is_over(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    played = tables(planned, tmp_path)
    played.make(Random(1))
    played.ask(0, "draw")
    told = results(planned, played)
    played.ask(0, "back", keep=1)
    heard(told, played.kept)
    assert score_of(told) == ""
    assert told.scores.proofs == {}
    played.resign(1)
    heard(told, played.kept)
    assert score_of(told) == "1 - 0"


# What does not ------------------------------------------------------------------------------------


def forged(played: Tables, seat: int, private: int, /, **changes: object) -> bytes:
    """A state of a seat in which the other one has resigned, signed with some key."""
    pairing, state = played.couriers[seat].pairing, played.couriers[seat].agreement.state
    log = (*state.log, Entry("resigned", number=1 - seat))
    told = replace(state, log=log, chain=chained(state.terms, log), number=state.number + 5)
    said = json.encode(replace(told, **changes))
    return seal(pairing.pair_key(), pairing.states(seat), said, sign(private, pairing.states(seat), said))


def test_a_score_that_another_key_has_signed_is_refused(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    played = tables(planned, tmp_path)
    played.make(Random(1))
    own = [int(courier.pairing.private, 16) for courier in played.couriers]
    keys = [courier.pairing.states(courier.pairing.seat) for courier in played.couriers]
    played.kept |= {keys[0]: forged(played, 0, own[0]), keys[1]: forged(played, 1, own[0], log=(), number=99)}
    told = results(planned, played)
    assert score_of(told) == ""  # the one who has resigned for the other has signed for neither
    assert next(iter(told.games.values())).refusals == 1
    log = (Entry("turn", "a1"), Entry("resigned", number=1))
    both = {"log": log, "chain": chained(planned.terms, log)}
    played.kept |= {keys[0]: forged(played, 0, own[0], **both), keys[1]: forged(played, 1, own[0], **both)}
    assert score_of(results(planned, played)) == ""
    played.kept |= {keys[1]: forged(played, 1, own[1], **both)}
    assert score_of(results(planned, played)) == "1 - 0"  # signed by both, as a test of this test


@pytest.mark.parametrize(
    "changes", [{"v": 2}, {"seat": 1}, {"table": "0" * 16}, {"chain": "0" * 64}, {"terms": terms(first="o")}]
)
def test_a_state_that_is_none_of_this_seat_is_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    planned = evening("Anna", "Ben")
    played = tables(planned, tmp_path)
    private = int(played.couriers[0].pairing.private, 16)
    told = results(planned, played)
    game = next(iter(told.games.values()))
    before = game.seats[0].state
    game.hear("seat", 0, "any", forged(played, 0, private, **changes))
    assert game.refusals == 1
    assert game.seats[0].state == before


def test_what_was_published_before_changes_nothing_when_it_is_played_again(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    played = tables(planned, tmp_path)
    played.make(Random(1))
    played.ask(0, "draw")
    drawn = dict(played.kept)
    played.ask(0, "back", keep=1)
    played.resign(0)
    told = results(planned, played)
    assert score_of(told) == "0 - 1"
    heard(told, drawn)
    assert score_of(told) == "0 - 1"
    again = results(planned, kept=told.scores)  # as after a restart: what was kept is newer, too
    heard(again, drawn)
    assert score_of(again) == "0 - 1"


def test_a_score_of_another_game_is_refused(tmp_path: Path) -> None:
    planned = evening()
    one, other = tables(planned, tmp_path, 0), tables(planned, tmp_path, 1)
    one.resign(0)
    told = results(planned, one, other)
    game = [*told.games.values()][1]
    for seat, courier in enumerate(one.couriers):
        game.hear("greeting", seat, "any", one.kept[courier.pairing.greets(seat)])
        game.hear("seat", seat, "any", one.kept[courier.pairing.states(seat)])
    assert game.refusals == 4
    assert [score_of(told, 0), score_of(told, 1)] == ["0 - 1", ""]


def test_who_writes_as_another_user_is_not_heard(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben", broker=Broker("nowhere", user="wall"))
    played = tables(planned, tmp_path)
    played.resign(0)
    assert score_of(results(planned, played)) == "0 - 1"
    told = Results(planned)
    game = next(iter(told.games.values()))
    heard(told, {topic.replace("/ben", "/carl"): payload for topic, payload in played.kept.items()})
    assert score_of(told) == ""
    assert game.refusals


def test_a_game_by_other_terms_does_not_count(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    meeting = next(iter(planned.meetings))
    played = Tables(planned, meeting, tmp_path, nobody, played=terms(clock="5"))
    played.resign(0)
    told = results(planned, played)
    assert score_of(told) == ""
    assert next(iter(told.games.values())).otherwise


def test_a_game_begun_anew_with_other_keys_does_not_unsettle_a_result(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    played = tables(planned, tmp_path)
    played.resign(0)
    told = results(planned, played)
    anew = tables(planned, tmp_path / "anew")
    anew.resign(1)
    heard(told, anew.kept)
    assert score_of(told) == "0 - 1"
    assert next(iter(told.games.values())).rekeyed
    assert score_of(results(planned, anew)) == "1 - 0"  # where nothing counted, it does


def test_garbage_changes_nothing(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    told = Results(planned)
    game = next(iter(told.games.values()))
    for payload in (
        b"",
        b"{}",
        b"\xff" * 100,
        b"[" * 5000,
        b"x" * (1 << 19),
        json.encode({"seal": "0" * 64, "said": {}}),
    ):
        for seat in (0, 1):
            game.hear("greeting", seat, "any", payload)
            game.hear("seat", seat, "any", payload)
    assert not told.work(100)
    assert score_of(told) == ""


# Whatever dies ------------------------------------------------------------------------------------


def test_results_follow_from_the_broker_alone_and_from_the_disk_alone(tmp_path: Path) -> None:
    planned, path = evening(), evening_path(tmp_path)
    first, second = tables(planned, tmp_path, 0), tables(planned, tmp_path, 1)
    first.play(Random(2))
    second.resign(1)
    told = results(planned, first, second)
    write_scores(path, told.scores)
    kept = Results(planned, read_scores(path))
    assert report(kept) == report(told)
    assert report(kept).table[0].games == 1


def test_kept_scores_that_somebody_has_changed_are_not_believed(tmp_path: Path) -> None:
    planned, path = evening("Anna", "Ben"), evening_path(tmp_path)
    played = tables(planned, tmp_path)
    played.resign(0)
    write_scores(path, results(planned, played).scores)
    kept = path.with_name("scores.json")
    before = kept.read_bytes()
    kept.write_bytes(before.replace(b'\\"resigned\\",\\"\\",0', b'\\"resigned\\",\\"\\",1'))
    assert kept.read_bytes() != before
    assert read_scores(path).proofs
    assert score_of(Results(planned, read_scores(path))) == ""
    kept.write_bytes(b"\0")
    assert read_scores(path) == Scores()


def test_points_are_written_as_tables_do() -> None:
    assert [number(value) for value in (0.0, 0.5, 1.0, 2.5, 1.75)] == ["0", "½", "1", "2½", "1.75"]


def test_a_state_is_published_with_a_signature(tmp_path: Path) -> None:
    planned = evening("Anna", "Ben")
    played = tables(planned, tmp_path)
    pairing = played.couriers[0].pairing
    told = json.decode(played.kept[pairing.states(0)], type=dict[str, object])
    assert told["signed"]
    assert json.decode(json.encode(told["said"]), type=State).seat == 0
    assert new_pairing(planned.broker, bytes.fromhex(pairing.secret), 0, planned.terms).game == pairing.game
