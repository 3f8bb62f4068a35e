"""Which sensors are believed, and what is said of them, as turns count."""

from __future__ import annotations

from firmware_bridge.reading import AtRest, Doubt, Hypotheses, SensorView
from firmware_bridge.reading.sensor_health import LONG, OFTEN
from firmware_bridge.score import PlayedTurn, ScoreSheet
from games.rules import Position, Turn, load
from hardware.device import Levels, Sense

GAME = load("yin-yang")
SIGHT = SensorView(GAME, Sense.PRESENCE)
C2 = SIGHT.number["c2"]


class At:
    """A board at rest whose c2 comes and goes; `now` in seconds."""

    def __init__(self) -> None:
        self.sheet = ScoreSheet(GAME)
        self.hands = Hypotheses(self.sheet, SIGHT)
        self.doubt = Doubt(self.hands)
        self.now = 0.0
        self.see()

    def see(self) -> Levels:
        return self.doubt.feed(SIGHT.frame(self.sheet.position), self.now)

    def blink(self, lasts: float) -> None:
        frame = SIGHT.frame(self.sheet.position)
        self.now += 1.0
        self.doubt.feed((*frame[:C2], 1 - frame[C2], *frame[C2 + 1 :]), self.now)
        self.now += lasts
        self.see()

    def count(self) -> list[str]:
        """A turn counts that has nothing to do with c2; what is said at once."""
        turns = GAME.turns(self.sheet.position)
        return self.made(next(turn for turn in turns if "c2" not in [step.site for step in turn.steps]))

    def made(self, turn: Turn[Position]) -> list[str]:
        return [event.name for event in self.doubt.played(PlayedTurn(self.sheet.position, turn), self.now)]

    def turn(self, *, lasts: float = 0.05) -> list[str]:
        """c2 comes and goes, and a turn counts; all that is said."""
        self.blink(lasts)
        return [*self.count(), *(event.name for event in self.doubt.loose(self.now))]

    def rested(self) -> list[str]:
        return [event.name for event in self.doubt.rested(AtRest(), self.now)]

    def fill(self) -> None:
        """A stone comes to stand on c2."""
        turn = next(turn for turn in self.sheet.turns if turn.text == "c3-c2")
        self.doubt.feed(SIGHT.frame(turn.after), self.now)
        self.made(turn)
        self.sheet.accept(turn)
        self.hands.begin()


def doubted() -> At:
    at = At()
    assert [at.turn() for _ in range(OFTEN["loose"])] == [[]] * (OFTEN["loose"] - 1) + [["doubted"]]
    return at


def test_a_loose_contact_is_not_believed_and_that_is_said_once() -> None:
    at = doubted()
    assert at.see()[C2] is None
    assert [at.turn() for _ in range(2 * OFTEN["loose"])] == [[]] * 2 * OFTEN["loose"]


def test_a_loose_contact_is_not_forgotten_if_another_turn_counts_before_it_is_said() -> None:
    at = At()
    for _ in range(OFTEN["loose"]):
        at.blink(0.05)
        at.count()
    at.count()
    assert [event.name for event in at.doubt.loose(at.now)] == ["doubted"]


def test_one_that_comes_and_goes_for_longer_is_believed() -> None:
    at = At()
    assert [at.turn(lasts=0.9) for _ in range(OFTEN["restless"])][-1] == ["restless"]
    assert None not in at.see()


def trusted(at: At) -> At:
    """After it has told the truth for long, through a turn that changed it."""
    assert at.rested() == []
    at.fill()
    at.now += LONG - 1.0
    assert at.rested() == []
    at.now += 2.0
    assert at.rested() == ["trusted"]
    return at


def test_after_telling_the_truth_for_long_it_is_believed_until_it_is_loose_again() -> None:
    at = trusted(doubted())
    assert at.see()[C2] == 1
    assert [at.turn() for _ in range(OFTEN["loose"])] == [[]] * (OFTEN["loose"] - 1) + [["doubted"]]


def test_what_goes_on_failing_however_long_each_time_is_not() -> None:
    at = doubted()
    at.rested()
    at.fill()
    at.now += LONG - 1.0
    assert at.turn(lasts=0.9) == []
    at.now += LONG - 1.0
    assert at.rested() == []
