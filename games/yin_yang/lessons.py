"""Lessons of Yin-Yang: how far a stone moves, what it leaves, which stones count for whom, a tie, how one wins."""

from games.rules import Goal, Lesson, Slip, say

LESSONS = (
    Lesson(
        "one", "....../....../..xo../..ox../....../...... 1", Goal(shows=(("b3", 2), ("c3", 1))), "yin-yang.distance"
    ),
    Lesson(
        "three",
        "....../....../..xx.o/..oxx./...xo./...... 1",
        Goal(shows=(("e3", 2), ("e6", 1))),
        "yin-yang.distance",
        (Slip("two", Goal()),),
    ),
    Lesson("shade", "....../..x.../o.xo../..xo.x/..o.../...... 1", Goal(count=7)),
    Lesson("two", "....../....../oxoo../.xox../.o..../..x... 2", Goal(count=7)),
    Lesson("tie", "....../....../..xo../.oxxox/....../...... 2", Goal(wins=True)),
    Lesson("last", "....../..xx../..oo.o/..oo../...x../...... 1", Goal(wins=True)),
)

say(
    "yin-yang",
    lesson_one="You are One: stones that match their square, black on dark or white on light, count for you. c3 has "
    "one neighbour of its colour, d4 at its corner, so it moves one square: to b3. Then lay a black stone on c3.",
    lesson_one_done="A stone moves exactly as many squares as it has neighbours of its colour, and leaves one of the "
    "other colour behind. Nobody owns a colour: stones that do not match count for Two.",
    lesson_one_hint="Lift the white stone of c3, put it on b3, and lay a black stone on c3.",
    lesson_three="Neighbours at the corners count, too. Find the stone that has three of its colour around it and is "
    "free to go three squares straight on, and move it there.",
    lesson_three_done="Exactly three: not fewer, and not over another stone. d4 has three neighbours of its colour, "
    "too, but no way is free.",
    lesson_three_hint="Around the black stone of e3 stand d4, d3 and d2. Move it to e6, and lay a white stone on e3.",
    lesson_three_two="That stone has only two neighbours of its colour.",
    lesson_shade="You are One: stones that match their square count for you, and they are 5. Make them 7 in one turn.",
    lesson_shade_done="Both the stone that moved and the one that was left behind match their squares now.",
    lesson_shade_hint="Move the white stone of d4 to a light square, d5 or e4; the black stone left on d4 counts, too.",
    lesson_two="Now you are Two: stones that do not match their square count for you, and they are 5. Make them 7 in "
    "one turn; you may move stones of both colours.",
    lesson_two_done="Both players move any stone: what counts is only the square on which a stone stands.",
    lesson_two_hint="Move the black stone of b4 one square up, to b5, and lay a white stone on b4.",
    lesson_tie="The game ends at once when no stone can move, and Two wins when both count the same. You are Two: "
    "end it in this turn, with 4 against 4.",
    lesson_tie_done="No stone has a free way now, 4 stones match their squares and 4 do not: Two wins the tie.",
    lesson_tie_hint="Move the white stone of d4 one square up, to d5, and lay a black stone on d4.",
    lesson_last="You are One again. Make a turn after which no stone can move and more stones match their squares "
    "than do not: that wins.",
    lesson_last_done="No stone can move, and more stones match their squares: you have won. Now play a game.",
    lesson_last_hint="Move the black stone of d5 to e5, and lay a white stone on d5.",
)
