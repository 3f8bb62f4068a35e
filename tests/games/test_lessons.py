"""The lessons of each game: what solves them, what does not, and what the goals mean."""

from __future__ import annotations

from random import Random

import pytest

from games.conformance import lessons_can_be_solved, sampled
from games.lessons import amount, met, solutions
from games.rules import Game, Goal, Lesson, Slip, load, names
from tests.games.small_games import Clobber

SOLVED = {
    ("zong-heng", "one"): "c3-d3 e3-d3",
    ("zong-heng", "row"): "e5-e2",
    ("zong-heng", "majority"): "c1-f1 e1-b1 f4-c4",
    ("zong-heng", "group"): "a3-d3 c3-d3 e3-d3",
    ("zong-heng", "last"): "a3-a4 a5-a4 b4-a4",
    ("yin-yang", "one"): "c3-b3",
    ("yin-yang", "three"): "e3-e6",
    ("yin-yang", "shade"): "d4-d5 d4-e4",
    ("yin-yang", "two"): "b4-b5",
    ("yin-yang", "tie"): "d4-d5",
    ("yin-yang", "last"): "d5-e5",
    ("zhizhu", "line"): "c1xa4 c1xb6",
    ("zhizhu", "free"): "c2xa7",
    ("zhizhu", "circle"): "a3xb4xb8 a3xb4xc2 a3xb4xc7 a3xb8xc2 a3xb8xc7 a3xc2xc7",
    ("zhizhu", "slide"): "c4-c3xa1 c4-c3xa8 c4-c3xb5 c4-c3xb7 c4-c3xc1 c4-c3xc6",
    ("zhizhu", "last"): "c2-c1xa3 c2-c1xb4 c2-c1xc7",
    ("zig-zag", "sow"): "S3",
    ("zig-zag", "on"): "S4",
    ("zig-zag", "capture"): "S6",
    ("zig-zag", "back"): "S1",
    ("zig-zag", "most"): "S4",
    ("zig-zag", "last"): "S1",
}
"""The turns that solve each lesson, as its sentences say."""


def course(name: str) -> Game[object]:  # type: ignore[type-var]
    return load(name, **load(name).lesson_options)


@pytest.mark.parametrize("name", names())
def test_each_game_has_lessons_that_its_sentences_describe(name: str) -> None:
    game = course(name)
    told = {
        (name, lesson.name): " ".join(sorted(turn.text for turn in solutions(lesson, game))) for lesson in game.lessons
    }
    assert told == {key: turns for key, turns in SOLVED.items() if key[0] == name}


@pytest.mark.parametrize("name", names())
def test_the_last_lesson_is_won(name: str) -> None:
    game = course(name)
    last = game.lessons[-1]
    position = game.position(last.position)
    for turn in solutions(last, game):
        outcome, standing = game.outcome(turn.after), game.standing(turn.after)
        assert standing
        assert standing.ahead == position.side
        assert outcome is None if name == "zig-zag" else outcome is not None and outcome.winner == position.side


def test_of_pushes_the_stones_are_counted_and_of_others_the_acts() -> None:
    zong_heng, zhizhu = course("zong-heng"), course("zhizhu")
    row = {turn.text: turn for turn in zong_heng.turns(zong_heng.position(zong_heng.lessons[1].position))}
    assert amount(row["e5-e2"], "push") == 3
    circle = {turn.text: turn for turn in zhizhu.turns(zhizhu.position(zhizhu.lessons[2].position))}
    assert (amount(circle["a3xb4xb8"], "take"), amount(circle["a3xb4xb8"], "carry")) == (2, 0)


def test_a_goal_asks_for_all_that_it_tells() -> None:
    game = course("yin-yang")
    position = game.start()
    turn = next(turn for turn in game.turns(position) if turn.text == "c3-b3")
    assert met(Goal(shows=(("b3", 2),)), game, position, turn)
    assert not met(Goal(shows=(("b3", 2), ("c3", 2))), game, position, turn)
    assert not met(Goal(shows=(("b3", 2),), wins=True), game, position, turn)
    assert not met(Goal(shows=(("b3", 2),), kind="carry", least=2), game, position, turn)
    assert not met(Goal(shows=(("b3", 2),), kind="lay", most=0), game, position, turn)
    assert not met(Goal(shows=(("b3", 2),), count=4), game, position, turn)
    assert not met(Goal(count=1), Clobber(), Clobber().start(), Clobber().turns(Clobber().start())[0])


# What the law finds -----------------------------------------------------------------------------

START = "....../....../..xo../..ox../....../...... 1"


@pytest.mark.parametrize(
    ("lessons", "what"),
    [
        ((Lesson("one", "nowhere", Goal(wins=True)),), "has no position: "),
        ((Lesson("one", START, Goal(wins=True)),), "has no turn that solves it"),
        ((Lesson("one", START, Goal()),), "is solved by every turn"),
        ((Lesson("one", START, Goal(shows=(("b3", 2),)), "yin-yang.passes"),), "no turn is refused for it"),
        ((Lesson("one", START, Goal(shows=(("b3", 2),))),) * 2, "Two lessons bear one name."),
        ((Lesson("one", START, Goal(wins=True), slips=(Slip("unsaid", Goal()),)),), "has a sentence that "),
        (
            (Lesson("one", START, Goal(shows=(("b3", 2),)), slips=(Slip("hint", Goal(wins=True)),)),),
            "answers hint, and no turn that does not solve it is so",
        ),
    ],
)
def test_an_unsound_lesson_is_named(lessons: tuple[Lesson, ...], what: str) -> None:
    class Odd(type(load("yin-yang"))):  # type: ignore[misc]
        pass

    Odd.lessons = lessons
    assert any(what in fault for fault in lessons_can_be_solved(sampled(Odd(), Random(1))))
