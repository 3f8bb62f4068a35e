"""Two seats agree on one score, whatever becomes of the line between them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import ValidationError, json
from msgspec.structs import replace

from firmware_bridge.link.agreement import Agreement, Saved
from firmware_bridge.link.states import Ask, Entry, Seat, State, Terms, Wish, chained
from games.rules import load, names

GAME = load("zhizhu")
TERMS = Terms("zhizhu", dict(GAME.chosen))
TIMED = replace(TERMS, clock="10+5")


def pair(terms: Terms = TERMS) -> tuple[Agreement, Agreement]:
    """Both seats, which have heard each other."""
    one, other = Agreement(terms, 0, "aa", "1"), Agreement(terms, 1, "bb", "1")
    meet(one, other)
    return one, other


def meet(one: Agreement, other: Agreement) -> None:
    """The line is whole until nobody has anything to say."""
    for _ in range(8):
        other.hear(over_the_line(one.state))
        one.hear(over_the_line(other.state))
    assert one.acknowledged
    assert other.acknowledged


def over_the_line(state: State) -> State:
    return json.decode(json.encode(state), type=State)


def play(*seats: Agreement, count: int = 1) -> None:
    """The seat to move makes the first turn there is, and the other hears of it; as often as that."""
    for _ in range(count):
        mover = next(seat for seat in seats if seat.moves)
        assert mover.play(mover.standing.sheet.turns[0].text, 1.0)
        meet(*seats)  # type: ignore[arg-type]


# Turns ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_turns_made_by_each_seat_stand_at_both(name: str) -> None:
    one, other = pair(Terms(name, dict(load(name).chosen)))
    play(one, other, count=6)
    assert one.standing.texts == other.standing.texts
    assert len(one.standing.texts) == 6
    assert one.mine.chain == other.mine.chain


def test_only_the_seat_to_move_makes_a_turn() -> None:
    one, other = pair()
    assert not other.play(other.standing.sheet.turns[0].text)
    assert one.play(one.standing.sheet.turns[0].text)
    assert not one.play(one.standing.sheet.turns[0].text)


def test_an_illegal_turn_is_not_written() -> None:
    one, _ = pair()
    assert not one.play("z9")
    assert one.mine.log == ()


def test_a_turn_made_while_the_line_is_gone_arrives_when_it_is_back() -> None:
    one, other = pair()
    one.play(one.standing.sheet.turns[0].text)
    assert not one.acknowledged
    meet(one, other)
    assert other.standing.texts == one.standing.texts


def test_an_old_state_changes_nothing() -> None:
    one, other = pair()
    early = one.state
    play(one, other)
    assert other.hear(early) == "old"
    assert len(other.mine.log) == 1


def test_a_seat_goes_on_from_its_disk() -> None:
    one, other = pair()
    play(one, other, count=3)
    saved = json.decode(json.encode(one.saved), type=Saved)
    again = Agreement(TERMS, 0, "aa", "2", saved)
    assert again.standing.texts == other.standing.texts
    play(again, other)


def test_a_seat_that_has_lost_its_memory_learns_the_score_from_the_other() -> None:
    one, other = pair()
    play(one, other, count=5)
    fresh = Agreement(TERMS, 0, "aa", "2")
    meet(fresh, other)
    assert fresh.mine.log == other.mine.log
    play(fresh, other)


# What is agreed upon ----------------------------------------------------------------------------


def test_a_turn_is_taken_back_when_the_other_grants_it() -> None:
    one, other = pair()
    play(one, other, count=3)
    assert one.ask("back", keep=2)
    meet(one, other)
    assert len(one.standing.texts) == 3
    assert other.answer(grant=True)
    meet(one, other)
    assert len(one.standing.texts) == len(other.standing.texts) == 2


def test_the_seat_to_move_asks_too_and_the_other_consents() -> None:
    one, other = pair()
    play(one, other, count=2)
    assert one.ask("back", keep=0)
    meet(one, other)
    assert other.answer(grant=True)
    meet(one, other)
    assert one.standing.texts == other.standing.texts == ()


def test_what_is_refused_is_asked_for_no_more() -> None:
    one, other = pair()
    one.ask("draw")
    meet(one, other)
    assert other.asked
    assert other.asked.what == "draw"
    assert other.answer(grant=False)
    meet(one, other)
    assert one.mine.asked is None
    assert one.refusals == 1
    assert one.standing.sheet.outcome is None


@pytest.mark.parametrize(("first", "then"), [("back", "draw"), ("draw", "back"), ("resign", "draw")])
def test_what_is_granted_stands_though_something_else_was_asked_for_meanwhile(first: Wish, then: Wish) -> None:
    one, other = pair()
    play(one, other, count=3)
    assert one.ask(first, keep=2)
    other.hear(over_the_line(one.state))
    assert other.answer(grant=True) or first == "resign"
    assert one.ask(then, keep=2)
    meet(one, other)
    assert one.mine.log == other.mine.log
    assert len(one.mine.log) == 4
    assert one.mine.asked is None


def test_what_is_known_to_be_asked_for_no_more_is_no_consent() -> None:
    one, other = pair()
    play(one, other, count=3)
    one.ask("draw")
    one.ask("back", keep=2)
    meet(one, other)
    assert one.hear(forged(other, Entry("draw"))) == "forged"


def test_what_was_asked_lapses_when_a_turn_is_made_instead() -> None:
    one, other = pair()
    one.ask("draw")
    meet(one, other)
    play(one, other)
    assert not other.answer(grant=True)
    meet(one, other)
    assert one.standing.sheet.outcome is None
    assert one.mine.asked is None


def test_what_the_other_asked_for_lapses_with_the_turn_made_instead() -> None:
    one, other = pair()
    other.ask("draw")
    meet(one, other)
    one.play(one.standing.sheet.turns[0].text)
    assert one.asked is None
    assert not one.answer(grant=True)


def test_both_asking_for_the_same_is_to_grant_it() -> None:
    one, other = pair()
    one.ask("draw")
    other.ask("draw")
    meet(one, other)
    assert [seat.standing.sheet.outcome.winner for seat in (one, other) if seat.standing.sheet.outcome] == [None, None]


@pytest.mark.parametrize("loser", [0, 1])
def test_to_resign_needs_no_consent(loser: Seat) -> None:
    seats = pair()
    play(*seats)
    seats[loser].ask("resign")
    meet(*seats)
    assert [seat.standing.sheet.outcome.winner for seat in seats if seat.standing.sheet.outcome] == [1 - loser] * 2


def test_who_resigns_while_the_other_plays_has_resigned_all_the_same() -> None:
    one, other = pair()
    other.ask("resign")
    one.play(one.standing.sheet.turns[0].text)
    meet(one, other)
    assert one.standing.sheet.outcome
    assert one.standing.sheet.outcome.winner == 0
    assert other.standing.sheet.outcome == one.standing.sheet.outcome


def test_another_game_begins_by_agreement_and_an_old_resignation_is_no_part_of_it() -> None:
    one, other = pair()
    play(one, other)
    one.ask("resign")
    meet(one, other)
    other.ask("again")
    meet(one, other)
    assert one.answer(grant=True)
    meet(one, other)
    assert one.standing.games == other.standing.games == 1
    assert one.standing.sheet.outcome is other.standing.sheet.outcome is None
    play(one, other)


def test_a_turn_that_was_another_one_is_changed_without_a_question() -> None:
    one, other = pair()
    play(one, other, count=1)
    meant = one.standing.sheet.played_turns[-1].position
    assert one.ask("amend", keep=0)
    meet(one, other)
    assert one.moves
    assert one.play(GAME.turns(meant)[1].text)
    meet(one, other)
    assert other.standing.texts == (GAME.turns(meant)[1].text,)


def test_a_turn_that_was_answered_already_stays() -> None:
    one, other = pair()
    play(one, other, count=1)
    one.ask("amend", keep=0)
    other.play(other.standing.sheet.turns[0].text)
    meet(one, other)
    assert len(one.standing.texts) == 2
    assert one.mine.asked is None


def test_a_game_resigned_by_mistake_goes_on_by_agreement() -> None:
    one, other = pair()
    play(one, other, count=2)
    one.ask("resign")
    meet(one, other)
    other.ask("back", keep=2)
    meet(one, other)
    one.answer(grant=True)
    meet(one, other)
    assert one.standing.sheet.outcome is None
    assert len(other.standing.texts) == 2


# What must not be believed ----------------------------------------------------------------------


def forged(other: Agreement, *entries: Entry, **changes: object) -> State:
    """A state of `other` with these entries after its log, as nobody may have written it."""
    log = (*other.mine.log, *entries)
    return replace(other.state, number=99, log=log, chain=chained(other.mine.terms, log), **changes)


@pytest.mark.parametrize(
    "entries",
    [
        [Entry("turn", "a1")],
        [Entry("draw")],
        [Entry("back", number=0)],
        [Entry("again")],
        [Entry("resigned", number=0)],
        [Entry("flagged", number=0)],
    ],
)
def test_what_the_other_seat_may_not_write_is_refused(entries: list[Entry]) -> None:
    one, other = pair(TIMED)
    play(one, other, count=2)  # it is the turn of seat 0
    assert one.hear(forged(other, *entries)) == "forged"
    assert len(one.mine.log) == 2
    assert one.moves


def test_consent_that_was_never_given_is_refused() -> None:
    one, other = pair()
    play(one, other, count=1)
    for entry in (Entry("draw"), Entry("back", number=0), Entry("resigned", number=0)):
        assert one.hear(forged(other, entry)) == "forged"


def test_a_turn_against_the_rules_is_refused() -> None:
    one, other = pair()
    play(one, other, count=1)
    assert one.hear(forged(other, Entry("turn", "nowhere"))) == "illegal"
    assert len(one.standing.texts) == 1


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"v": 2}, "version"),
        ({"terms": replace(TERMS, house_rule=False)}, "terms"),
        ({"terms": Terms("zig-zag")}, "terms"),
        ({"table": "cc"}, "table"),
        ({"seat": 0}, "seat"),
        ({"chain": "00"}, "chain"),
    ],
)
def test_a_state_of_something_else_is_refused_by_name(changes: dict[str, object], fault: str) -> None:
    one, other = pair()
    assert one.hear(replace(other.state, number=99, **changes)) == fault
    assert one.other
    assert one.other.number < 99


@pytest.mark.parametrize(
    "text",
    [
        b"{}",
        b"[]",
        b'{"seat": 7}',
        json.encode(forged(pair()[1], *[Entry("draw")] * 4001)),
        json.encode(replace(pair()[0].state, asked=Ask("draw", -1, 0))),
        json.encode(replace(pair()[0].state, log=(Entry("turn", "a" * 100),))),
    ],
)
def test_what_is_no_state_is_refused_by_its_form(text: bytes) -> None:
    with pytest.raises(ValidationError):
        json.decode(text, type=State)


# Scores that part -------------------------------------------------------------------------------


def parted() -> tuple[Agreement, Agreement]:
    """Two seats of which the first has forgotten its turn, and made another one."""
    one, other = pair()
    early = one.saved
    play(one, other, count=2)
    again = Agreement(TERMS, 0, "aa", "2", early)
    assert again.play(again.standing.sheet.turns[-1].text)
    meet(again, other)
    return again, other


def test_both_seats_see_where_their_scores_part_and_write_nothing() -> None:
    one, other = parted()
    assert one.parted == other.parted == 0
    assert not one.play(one.standing.sheet.turns[0].text)
    assert not other.play(other.standing.sheet.turns[0].text)
    assert not one.ask("draw")


def test_they_go_back_to_there_once_both_ask_for_it() -> None:
    one, other = parted()
    assert one.ask("mend")
    meet(one, other)
    assert one.parted == 0
    assert other.answer(grant=True)
    meet(one, other)
    assert one.parted is other.parted is None
    assert one.mine.log == other.mine.log == ()
    assert one.mine.generation == other.mine.generation == 1
    play(one, other, count=3)


def test_who_has_gone_back_first_does_not_wait_for_the_other_to_hear_of_it() -> None:
    one, other = parted()
    one.ask("mend")
    other.hear(over_the_line(one.state))
    assert other.answer(grant=True)
    assert other.parted is None
    assert other.mine.generation == 1


# Clocks -----------------------------------------------------------------------------------------


def test_a_turn_takes_its_player_the_time_it_took_there_and_nobody_any_other() -> None:
    one, other = pair(TIMED)
    play(one, other)
    other.play(other.standing.sheet.turns[0].text, 21.5)
    meet(one, other)
    clocks = [seat.standing.sheet.clock for seat in (one, other)]
    assert clocks[0] == clocks[1]
    assert clocks[0]
    assert [left.main for left in clocks[0].left] == [605.0, 600.0 - 21.5 + 5.0]


def test_a_turn_that_took_too_long_loses_at_both() -> None:
    one, other = pair(TIMED)
    play(one, other)
    other.play(other.standing.sheet.turns[0].text, 1000.0)
    meet(one, other)
    assert [seat.standing.sheet.outcome.winner for seat in (one, other) if seat.standing.sheet.outcome] == [0, 0]


def test_a_seat_whose_time_is_up_says_so_itself() -> None:
    one, other = pair(TIMED)
    play(one, other)
    assert not one.flag()
    assert other.flag()
    meet(one, other)
    assert one.standing.sheet.outcome
    assert one.standing.sheet.outcome.winner == 0


# Any line ---------------------------------------------------------------------------------------


class World:
    """Two seats and what is under way between them; `luck` decides what happens."""

    def __init__(self, luck: Random, terms: Terms, *, forgetful: bool, wishes: int = 1) -> None:
        self.luck, self.terms, self.forgetful, self.wishes = luck, terms, forgetful, wishes
        self.seats = [Agreement(terms, 0, "aa", "0"), Agreement(terms, 1, "bb", "0")]
        self.disks = [[seat.saved] for seat in self.seats]
        self.line: list[list[State]] = [[], []]
        """What is under way to each seat."""
        self.written: set[tuple[int, Entry]] = set()
        """Each entry that a seat wrote, with its place."""
        self.lives = self.lost = 0

    def happen(self) -> None:
        """Something happens to one of the seats."""
        number = self.luck.randrange(2)
        common: list[Callable[[int], None]] = [self.play, self.send, self.deliver, self.answer]
        rare: list[Callable[[int], None]] = [*[self.wish] * self.wishes, self.lose, self.restart]
        if self.forgetful:
            rare.append(self.forget)
        self.luck.choice([*common * 3, *rare])(number)

    def note(self, number: int) -> None:
        """What was written is on disk before anything else happens."""
        seat = self.seats[number]
        self.written |= {*enumerate(seat.mine.log)}
        self.disks[number].append(seat.saved)

    def play(self, number: int) -> None:
        seat = self.seats[number]
        turns = seat.standing.sheet.turns
        if turns:
            seat.play(self.luck.choice(turns).text, self.luck.random())
        self.note(number)

    def wish(self, number: int) -> None:
        seat = self.seats[number]
        made = len(seat.standing.texts)
        seat.ask(self.luck.choice(("back", "amend", "draw", "resign", "again", "mend")), max(0, made - 1))
        self.note(number)

    def answer(self, number: int) -> None:
        self.seats[number].answer(grant=self.luck.random() < 0.7)
        self.note(number)

    def send(self, number: int) -> None:
        self.line[1 - number].append(self.seats[number].state)

    def deliver(self, number: int) -> None:
        """One of the states arrives: in any order, and perhaps again later."""
        if self.line[number]:
            state = self.luck.choice(self.line[number])
            if self.luck.random() < 0.7:
                self.line[number].remove(state)
            assert self.seats[number].hear(over_the_line(state)) in ("", "old")
            self.note(number)

    def lose(self, number: int) -> None:
        self.line[number].clear()

    def restart(self, number: int) -> None:
        self.lives += 1
        seat, table = self.seats[number].mine.seat, ("aa", "bb")[number]
        self.seats[number] = Agreement(self.terms, seat, table, f"{self.lives:x}", self.disks[number][-1])

    def forget(self, number: int) -> None:
        """The seat begins anew with an old copy of its disk; what it had sent is gone with its connection."""
        kept = self.luck.randrange(len(self.disks[number]))
        del self.disks[number][kept + 1 :]
        self.line[1 - number].clear()
        self.lost += 1
        self.restart(number)

    def heal(self) -> None:
        """The line is whole from now on."""
        for _ in range(12):
            for number in (0, 1):
                fault = self.seats[1 - number].hear(over_the_line(self.seats[number].state))
                assert fault in ("", "old"), fault
                self.note(1 - number)


@given(st.integers(0, 1 << 30), st.integers(1, 80), st.booleans(), st.booleans(), st.integers(1, 12))
@settings(max_examples=100, deadline=None)
def test_after_any_line_both_scores_are_equal_or_part_at_the_same_turn(
    seed: int, steps: int, forgetful: bool, timed: bool, wishes: int
) -> None:
    world = World(Random(seed), TIMED if timed else TERMS, forgetful=forgetful, wishes=wishes)
    for _ in range(steps):
        world.happen()
    world.heal()
    one, other = world.seats
    if world.lost:
        assert one.parted == other.parted
    else:
        assert one.parted is other.parted is None
    if one.parted is None:
        assert one.mine.log == other.mine.log
        assert one.standing.texts == other.standing.texts
        assert one.standing.sheet.clock == other.standing.sheet.clock
        assert str(one.standing.sheet.position) == str(other.standing.sheet.position)
        assert {*enumerate(one.mine.log)} <= world.written  # nothing was invented
        assert world.lost or {*enumerate(one.mine.log)} == world.written  # nothing was lost, nothing came twice


def test_a_turn_written_while_all_is_gone_is_never_lost() -> None:
    luck = Random(5)
    for _ in range(20):
        world = World(luck, TERMS, forgetful=False)
        for _ in range(60):
            world.happen()
        world.heal()
        assert {*enumerate(world.seats[0].mine.log)} == world.written
