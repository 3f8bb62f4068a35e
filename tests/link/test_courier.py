"""What a table says to the broker and takes from it: pairing, seals, the outbox."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec import json
from msgspec.structs import replace

from firmware_bridge.link.courier import Courier, Message
from firmware_bridge.link.news import Agreed, Answer, AnyRequest, Play, Want
from firmware_bridge.link.pairing import (
    Broker,
    LinkError,
    Pairing,
    broker_of,
    heard,
    new_pairing,
    read_pairing,
    seal,
    told,
    unseal,
    write_pairing,
)
from firmware_bridge.link.states import LARGEST, Entry, State, Terms, Wish, chained
from games.rules import load
from tests.link.tables import taken_in

TERMS = Terms("zhizhu", dict(load("zhizhu").chosen))
SECRET = bytes(range(10))


class Hub:
    """A broker: it keeps the last message of each topic, and passes on what is listened to."""

    def __init__(self, *couriers: Courier) -> None:
        self.kept: dict[str, bytes] = {}
        self.couriers = couriers

    def connect(self) -> None:
        for courier in self.couriers:
            self.publish(courier.connected(0.0))
            for topic, payload in [*self.kept.items()]:
                if courier.listens(topic):
                    self.publish(taken_in(courier, topic, payload))

    def publish(self, messages: list[Message]) -> None:
        for topic, payload, *_ in messages:
            self.kept[topic] = payload
            for courier in self.couriers:
                if courier.listens(topic):
                    self.publish(taken_in(courier, topic, payload))


def tables(folder: Path) -> tuple[Courier, Courier]:
    """Two tables that were given the same words, and have not met."""
    broker = Broker("localhost")
    first = new_pairing(broker, SECRET, 0, TERMS)
    second = new_pairing(broker, SECRET, 1, TERMS, first.greeting)
    return courier(folder / "first", first), courier(folder / "second", second)


def courier(folder: Path, pairing: Pairing, life: str = "1") -> Courier:
    path = folder / "pairing.json"
    write_pairing(path, pairing)
    return Courier(pairing, path, life)


def met(folder: Path) -> tuple[Hub, Courier, Courier]:
    first, second = tables(folder)
    hub = Hub(first, second)
    hub.connect()
    hub.connect()
    return hub, first, second


def turn(courier: Courier) -> str:
    return courier.agreement.standing.sheet.turns[0].text


# Words ------------------------------------------------------------------------------------------


def test_six_words_tell_the_secret() -> None:
    words = told(SECRET)
    assert len(words.split("-")) == 6
    assert heard(words) == heard(words.upper().replace("-", "  ")) == SECRET


def test_a_wrong_word_is_named() -> None:
    words = told(SECRET).split("-")
    with pytest.raises(LinkError, match="house is none"):
        heard("-".join([*words[:2], "house", *words[3:]]))


@pytest.mark.parametrize("change", [lambda words: words[1:], lambda words: [*words, words[0]]])
def test_too_few_words_and_too_many_are_refused(change: object) -> None:
    with pytest.raises(LinkError, match="shows 6"):
        heard("-".join(change(told(SECRET).split("-"))))  # type: ignore[operator]


def test_words_in_another_order_are_refused() -> None:
    words = told(SECRET).split("-")
    with pytest.raises(LinkError, match="order"):
        heard("-".join([words[1], words[0], *words[2:]]))


@pytest.mark.parametrize(
    ("text", "host", "port", "safe"),
    [
        ("club.local", "club.local", 1883, False),
        ("mqtt://club.local:2000", "club.local", 2000, False),
        ("mqtts://club.local/#a-b", "club.local", 8883, True),
        ("mqtt://[::1]:9", "::1", 9, False),
    ],
)
def test_a_broker_is_named_by_its_address(text: str, host: str, port: int, *, safe: bool) -> None:
    broker, words = broker_of(text)
    assert (broker.host, broker.port, broker.safe) == (host, port, safe)
    assert words == ("a-b" if "#" in text else "")
    assert broker_of(broker.url)[0] == broker


@pytest.mark.parametrize("text", ["", "http://club", "mqtt://", "club:port", "club:99999", "mqtt://club/topic", "[::1"])
def test_what_is_no_broker_is_refused(text: str) -> None:
    with pytest.raises(LinkError, match="no address of a broker"):
        broker_of(text)


# Two tables -------------------------------------------------------------------------------------


def test_two_tables_meet_by_the_words_and_play(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    assert first.agreed.paired
    assert first.agreed.here
    assert second.agreed.here
    hub.publish(first.obey(Play(0, turn(first), 1.0), 0.0))
    hub.publish(second.obey(Play(1, turn(second), 1.0), 0.0))
    assert first.agreed.turns == second.agreed.turns
    assert len(first.agreed.turns) == 2
    assert first.agreed.reached
    assert second.agreed.reached


def test_what_the_table_wants_of_another_score_is_dropped(tmp_path: Path) -> None:
    hub, first, _ = met(tmp_path)
    hub.publish(first.obey(Play(0, turn(first)), 0.0))
    assert first.obey(Play(0, turn(first)), 0.0) == []
    assert first.obey(Want(0, "draw"), 0.0) == []
    assert first.agreed.wished is None


def test_what_is_asked_for_is_told_and_granted(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    hub.publish(first.obey(Want(0, "draw"), 0.0))
    asked = second.agreed.asked
    assert asked
    assert asked.what == "draw"
    hub.publish(second.obey(Answer(0, asked.number, grant=True), 0.0))
    assert first.agreed.ended
    assert first.agreed.ended.how == second.agreed.ended.how == "draw"  # type: ignore[union-attr]


def test_that_the_other_table_is_away_is_known_by_its_will(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    hub.publish([second.status(here=False)])
    assert not first.agreed.here
    hub.publish([second.status(here=True)])
    assert first.agreed.here


# What is on disk --------------------------------------------------------------------------------


def test_what_was_said_is_on_disk(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    hub.publish(first.obey(Play(0, turn(first)), 0.0))
    again = Courier(read_pairing(tmp_path / "first" / "pairing.json"), tmp_path / "first" / "pairing.json", "2")
    assert again.agreed.turns == second.agreed.turns
    assert again.agreed.paired


def test_a_turn_is_told_before_it_is_on_disk_and_taken_for_heard_only_then(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    (made,) = first.obey(Play(0, turn(first)), 0.0)
    outbox = tmp_path / "second" / f"{second.pairing.game}.json"
    before = outbox.read_bytes()
    assert second.hear(made.topic, made.payload, 0.0) == []
    assert second.agreed.turns == first.agreed.turns != ()
    assert not first.agreed.reached
    assert outbox.read_bytes() == before
    heard = second.due(0.0)
    assert outbox.read_bytes() != before
    hub.publish(heard)
    assert first.agreed.reached
    assert second.due(0.0) == []


def test_what_was_heard_and_cannot_be_kept_is_not_taken_for_heard(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    outbox = tmp_path / "second" / f"{second.pairing.game}.json"
    outbox.unlink()
    outbox.mkdir()
    hub.publish(first.obey(Play(0, turn(first)), 0.0))
    assert not first.agreed.reached
    outbox.rmdir()
    hub.publish(second.due(10.0))
    assert first.agreed.reached
    again = Courier(second.pairing, tmp_path / "second" / "pairing.json", "2")
    assert again.agreed.turns == first.agreed.turns


def test_a_turn_made_without_a_line_waits_in_the_outbox(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    first.lost(("table.link-unreached", ()))
    assert first.obey(Play(0, turn(first)), 0.0) == []
    assert not first.agreed.reached
    again = Courier(first.pairing, tmp_path / "first" / "pairing.json", "2")
    hub.couriers = (again, second)
    hub.connect()
    assert second.agreed.turns == first.agreed.turns


def test_nothing_is_said_while_it_cannot_be_kept(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    outbox = tmp_path / "first" / f"{first.pairing.game}.json"
    outbox.unlink()
    outbox.mkdir()
    assert first.obey(Play(0, turn(first)), 0.0) == []
    assert first.agreed.fault
    assert first.agreed.fault[0] == "table.link-unkept"
    outbox.rmdir()
    hub.publish(first.due(10.0))
    assert first.agreed.fault is None
    assert second.agreed.turns == first.agreed.turns != ()


def test_an_outbox_that_cannot_be_read_is_put_aside_and_the_other_table_tells_the_score(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    hub.publish(first.obey(Play(0, turn(first)), 0.0))
    outbox = tmp_path / "first" / f"{first.pairing.game}.json"
    outbox.write_bytes(b"\0" * 100)
    again = Courier(first.pairing, tmp_path / "first" / "pairing.json", "2")
    hub.couriers = (again, second)
    hub.connect()
    assert again.agreed.turns == second.agreed.turns != ()
    assert outbox.with_suffix(".unreadable").exists()


def test_keys_on_disk_are_for_their_owner_alone(tmp_path: Path) -> None:
    _, first, _ = met(tmp_path)
    for path in (tmp_path / "first").iterdir():
        assert path.stat().st_mode & 0o077 == 0
    assert first.pairing.private not in json.encode(first.pairing.greeting).decode()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"secret": "x"}'])
def test_a_file_that_is_no_pairing_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "pairing.json").write_text(text)
    with pytest.raises(LinkError, match="no pairing"):
        read_pairing(tmp_path / "pairing.json")


# What others say --------------------------------------------------------------------------------


def sealed_state(courier: Courier, key: bytes, *, topic_of: int, **changes: object) -> tuple[str, bytes]:
    """A state as `courier` might say it, with `changes`, on the topic of this seat."""
    topic = courier.pairing.states(topic_of)
    return topic, seal(key, topic, json.encode(replace(courier.agreement.state, **changes)))


def unchanged(courier: Courier, topic: str, payload: bytes) -> Agreed:
    """How the game stands after that message, to which nothing was said and from which nothing followed."""
    before = courier.agreement.mine, courier.agreement.other
    assert courier.hear(topic, payload, 0.0) == []
    assert (courier.agreement.mine, courier.agreement.other) == before
    return courier.agreed


def test_who_knows_the_words_alone_cannot_speak_for_a_seat(tmp_path: Path) -> None:
    _, first, second = met(tmp_path)
    stranger = new_pairing(Broker("localhost"), SECRET, 1, TERMS, first.pairing.greeting)
    for key in (stranger.word_key, stranger.pair_key(), b"", SECRET):
        unchanged(first, *sealed_state(second, key, topic_of=1, number=99))


def test_who_knows_the_words_cannot_join_once_both_have_met(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    stranger = courier(tmp_path / "third", new_pairing(Broker("localhost"), SECRET, 1, TERMS, first.pairing.greeting))
    for message in stranger.connected(0.0):
        if first.listens(message.topic):
            unchanged(first, message.topic, message.payload)
    topic = first.pairing.greets(0)
    stranger.hear(topic, hub.kept[topic], 0.0)
    assert stranger.over
    assert stranger.agreed.fault
    assert stranger.agreed.fault[0] == "table.link-taken"
    assert first.agreed.here
    assert not second.over


def test_a_state_on_the_topic_of_the_other_seat_is_refused(tmp_path: Path) -> None:
    _, first, second = met(tmp_path)
    topic, payload = sealed_state(first, first.pairing.pair_key(), topic_of=0, number=99)
    unchanged(second, first.pairing.states(1), payload)
    unchanged(first, first.pairing.states(1), payload)
    assert unseal(first.pairing.pair_key(), topic, payload)


def test_what_was_said_before_changes_nothing_when_it_is_said_again(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    early = hub.kept[first.pairing.states(0)]
    hub.publish(first.obey(Play(0, turn(first)), 0.0))
    second.hear(first.pairing.states(0), early, 0.0)
    assert len(second.agreed.turns) == 1


def test_all_that_was_ever_published_may_be_played_again_in_any_order(tmp_path: Path) -> None:
    """Through turns, one taken back, a draw and another game, and a program that has begun anew."""
    hub, first, second = met(tmp_path)
    luck, recorded = Random(7), [*hub.kept.items()]

    def obey(courier: Courier, request: AnyRequest) -> None:
        hub.publish(courier.obey(request, 0.0))
        recorded.extend(hub.kept.items())

    def agrees(one: Courier, other: Courier, what: Wish, keep: int = 0) -> None:
        obey(one, Want(one.agreed.entries, what, keep))
        asked = other.agreed.asked
        assert asked
        obey(other, Answer(other.agreed.entries, asked.number, grant=True))

    def turns(count: int) -> None:
        for _ in range(count):
            mover = (first, second)[first.agreement.standing.mover]
            obey(mover, Play(mover.agreed.entries, turn(mover), 1.0))

    turns(3)
    agrees(first, second, "back", 2)
    turns(2)
    agrees(second, first, "draw")
    agrees(first, second, "again")
    turns(2)
    again = Courier(read_pairing(tmp_path / "first" / "pairing.json"), tmp_path / "first" / "pairing.json", "2")
    for _ in range(3):
        luck.shuffle(recorded)
        for courier in (first, second, again):
            before = courier.agreement.mine.log
            for topic, payload in recorded:
                if courier.listens(topic):
                    courier.hear(topic, payload, 0.0)
            assert courier.agreement.mine.log == before
            assert courier.agreement.parted is None
            assert courier.agreed.asked is None
            assert courier.agreed.ended is None


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"v": 2}, "link-version"),
        ({"terms": Terms("zhizhu", {"size": 99})}, "link-terms"),
        ({"terms": Terms("zig-zag")}, "link-terms"),
        ({"terms": replace(TERMS, clock="10+5")}, "link-terms"),
        ({"terms": replace(TERMS, house_rule=False)}, "link-terms"),
        ({"log": (Entry("turn", "nowhere"),), "chain": chained(TERMS, (Entry("turn", "nowhere"),))}, "link-illegal"),
        ({"log": (Entry("turn", "nowhere"),)}, "link-illegal"),
    ],
)
def test_what_does_not_fit_gets_a_sentence_and_changes_nothing(
    tmp_path: Path, changes: dict[str, object], sentence: str
) -> None:
    _, first, second = met(tmp_path)
    told = unchanged(second, *sealed_state(first, first.pairing.pair_key(), topic_of=0, number=99, **changes))
    assert told.fault
    assert told.fault[0] == f"table.{sentence}"


def test_another_version_is_named_though_its_form_is_not_known(tmp_path: Path) -> None:
    _, first, _ = met(tmp_path)
    topic = first.pairing.states(1)
    told = unchanged(first, topic, seal(first.pairing.pair_key(), topic, b'{"v": 7, "position": [1, 2]}'))
    assert told.fault == ("table.link-version", (("version", 7),))


@pytest.mark.parametrize(
    "payload",
    [b"", b"\0\xff", b"[" * 5000, b"{}", b'{"seal": "", "said": 1}', b"x" * (LARGEST + 1), b'{"seal": 1, "said": {}}'],
)
def test_what_is_no_message_changes_nothing(tmp_path: Path, payload: bytes) -> None:
    _, first, _ = met(tmp_path)
    for topic in first.topics:
        unchanged(first, topic, payload)


def test_a_flood_of_forgeries_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    hub, first, second = met(tmp_path)
    for _ in range(250):
        first.hear(first.pairing.states(1), b"{}", 0.0)
    assert first.agreed.fault == ("table.link-strangers", (("count", 200),))
    hub.publish(first.obey(Play(0, turn(first)), 0.0))
    assert second.agreed.turns == first.agreed.turns != ()


def test_states_are_published_as_documented(tmp_path: Path) -> None:
    hub, first, _ = met(tmp_path)
    hub.publish(first.obey(Play(0, turn(first), 1.5), 0.0))
    topic = f"tablelight/1/game/{first.pairing.game}/seat/0/any"
    said = unseal(first.pairing.pair_key(), topic, hub.kept[topic])
    assert said
    state = json.decode(said, type=State)
    assert (state.v, state.seat, state.terms.game) == (1, 0, "zhizhu")
    assert state.log == (Entry("turn", first.agreed.turns[0], spent=1.5),)
