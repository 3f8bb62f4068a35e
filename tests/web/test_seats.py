"""Seats, agreements and hands: who may do what, as values, with the time as an argument."""

from __future__ import annotations

import pytest

from firmware_bridge.session import AnyRequest, Drop, End, Invite, Join, Lay, Make, New, Press, Rejoin
from firmware_bridge.web.seats import AWAY, IDLE, LASTS, RESTS, Asked, Game, Seat, Seats, What

ANN, BEN, EVE = "ann", "ben", "eve"
GAME = Game(side=0, playing=True)
UNDO, DONE, HINT = Press("undo"), Press("done"), Press("hint")
DRAW, LIFT = End(), Lay((("c3", 0),))


def both(game: Game = GAME) -> Seats:
    """Ann at the first player's seat, Ben at the other."""
    seats, why = Seats().sit(0, ANN, "Ann", game)
    assert not why
    seats, why = seats.sit(1, BEN, "Ben", game)
    assert not why
    return seats


def done(seats: Seats, who: str, request: AnyRequest, now: float = 0.0, game: Game = GAME) -> Seats:
    """What is done at once."""
    after, why, granted = seats.ask(who, request, game, now)
    assert (why, granted) == ("", request)
    return after


def refused(seats: Seats, who: str, request: AnyRequest, now: float = 0.0, game: Game = GAME) -> str:
    """Why it is refused; nothing changes."""
    after, why, granted = seats.ask(who, request, game, now)
    assert (after, granted) == (seats, None)
    return why


def asked(seats: Seats, who: str, request: AnyRequest, now: float = 0.0) -> Seats:
    """It is asked of the other player."""
    after, why, granted = seats.ask(who, request, GAME, now)
    assert (why, granted) == ("", None)
    assert after.asked
    return after


# Seats ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", [UNDO, DONE, HINT, DRAW, End(0), End(1), New("zong-heng"), Press("standing")])
def test_while_nobody_has_a_seat_everybody_may_do_everything(request_: AnyRequest) -> None:
    assert done(Seats(), EVE, request_) == Seats()


def test_a_seat_is_taken_once() -> None:
    seats = both()
    assert seats.sit(0, EVE, "Eve", GAME) == (seats, "seat-taken")
    assert [seats.side_of(who) for who in (ANN, BEN, EVE)] == [0, 1, None]


def test_who_sits_at_the_other_seat_leaves_the_first_one() -> None:
    seats, _ = Seats().sit(0, ANN, "Ann", GAME)
    seats, why = seats.sit(1, ANN, "Anna", GAME)
    assert (why, seats.side_of(ANN), seats.taken[0]) == ("", 1, None)
    assert seats.taken == (None, Seat(ANN, "Anna"))


def test_the_engine_keeps_its_seat() -> None:
    game = GAME._replace(people=(True, False))
    assert Seats().sit(1, ANN, "Ann", game) == (Seats(), "seat-engine")
    assert both().moved(game).taken[1] is None  # the next game is against it


def test_a_phone_that_goes_away_frees_its_seat_after_a_while() -> None:
    seats = both().here(ANN, 100.0, here=False)
    assert seats.pass_time(99.9 + AWAY, resting=0.0).side_of(ANN) == 0
    assert seats.pass_time(100.0 + AWAY, resting=0.0).side_of(ANN) is None
    back = seats.here(ANN, 150.0, here=True)
    assert back.pass_time(1000.0, resting=0.0).side_of(ANN) == 0


# Turns ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", [DONE, HINT, LIFT, Make("c3-c4"), Drop()])
def test_a_turn_belongs_to_the_seat_of_the_player_to_move(request_: AnyRequest) -> None:
    seats = both()
    assert refused(seats, BEN, request_) == refused(seats, EVE, request_) == "not-your-turn"
    done(seats, ANN, request_)
    done(seats, BEN, request_, game=GAME._replace(side=1))


def test_a_free_seat_is_played_by_everybody() -> None:
    seats, _ = Seats().sit(1, BEN, "Ben", GAME)
    for who in (ANN, BEN, EVE):
        done(seats, who, DONE)


def test_while_the_board_is_set_up_everybody_helps() -> None:
    done(both(), EVE, LIFT, game=GAME._replace(side=None))


def test_only_the_player_of_a_seat_resigns_for_it() -> None:
    seats = both()
    done(seats, ANN, End(0))
    assert refused(seats, ANN, End(1)) == refused(seats, EVE, End(0)) == "not-your-seat"
    one, _ = Seats().sit(0, ANN, "Ann", GAME)
    done(one, EVE, End(1))
    assert refused(one, ANN, End(1)) == "not-your-seat"


# Agreements -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "what"),
    [
        (UNDO, "undo"), (DRAW, "draw"), (New("zhizhu"), "new"), (Invite("zhizhu"), "new"), (Join("lusab"), "new"),
        (Rejoin(), "new"),
    ],
)  # fmt: skip
def test_what_touches_both_is_asked_and_done_when_it_is_granted(request_: AnyRequest, what: What) -> None:
    seats = asked(both(), ANN, request_, 10.0)
    assert seats.asked == Asked(what, ANN, 0, 10.0 + LASTS, request_)
    assert (seats.may_answer(ANN), seats.may_answer(BEN), seats.may_answer(EVE)) == (False, True, False)
    after, why, answered = seats.answer(BEN, grants=True)
    assert (why, after.asked) == ("", None)
    assert answered == seats.asked


def test_nobody_but_the_other_player_answers() -> None:
    seats = asked(both(), ANN, UNDO)
    assert seats.answer(EVE, grants=True) == (seats, "not-asked-you", None)
    assert seats.answer(ANN, grants=True) == (seats, "not-asked-you", None)
    assert seats.answer(ANN, grants=False)[0].asked is None  # taken back
    assert both().answer(BEN, grants=True)[1] == "nothing-asked"


def test_what_is_asked_lapses_with_time_and_with_the_next_turn() -> None:
    seats = asked(both(), ANN, DRAW, 10.0)
    assert seats.pass_time(9.9 + LASTS, resting=0.0).asked
    assert seats.pass_time(10.0 + LASTS, resting=0.0).asked is None
    assert seats.moved(GAME).asked is None
    assert seats.here(ANN, 12.0, here=False).asked is None
    assert seats.rise(ANN).asked is None


def test_to_ask_for_the_same_is_to_grant_it() -> None:
    seats = asked(both(), ANN, DRAW)
    assert seats.ask(BEN, DRAW, GAME, 5.0) == (both(), "", DRAW)
    assert refused(seats, BEN, UNDO) == "asked-already"
    assert refused(asked(both(), ANN, New("zhizhu")), BEN, New("yin-yang")) == "asked-already"


def test_alone_nobody_has_to_be_asked() -> None:
    seats, _ = Seats().sit(0, ANN, "Ann", GAME)
    done(seats, ANN, UNDO)
    done(seats, ANN, DRAW)
    assert asked(seats, EVE, UNDO).asked == Asked("undo", EVE, 1, LASTS, UNDO)  # in place of the free seat


def test_between_games_no_agreement_is_needed_for_another() -> None:
    done(both(), BEN, New("zhizhu"), game=GAME._replace(playing=False))


def test_where_both_sit_others_ask_for_nothing() -> None:
    assert refused(both(), EVE, UNDO) == refused(both(), EVE, DRAW) == "seats-taken"


# Hands ------------------------------------------------------------------------------------------


def test_a_hand_in_the_midst_of_a_turn_is_left_alone() -> None:
    seats = done(Seats(), ANN, LIFT, 10.0)
    for request_ in (LIFT, Make("c3-c4"), DONE, UNDO):
        assert refused(seats, EVE, request_, 10.1) == "other-hand"
    assert not seats.may_act(EVE, GAME)
    done(seats, ANN, LIFT, 11.0)


def test_a_hand_is_done_when_the_board_rests_or_when_it_does_nothing_more() -> None:
    seats = done(Seats(), ANN, LIFT, 10.0)
    assert seats.pass_time(10.1, resting=5.0).grip  # the table has not seen the lift yet
    assert seats.pass_time(12.0, resting=None).grip
    assert seats.pass_time(12.0 + RESTS, resting=12.0).grip is None
    assert seats.pass_time(10.0 + IDLE, resting=None).grip is None
    assert seats.here(ANN, 11.0, here=False).grip is None
