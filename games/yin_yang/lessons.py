"""Lessons of Yin-Yang: how far a stone moves, what it leaves, which shade counts for whom, how one wins."""

from games.rules import Goal, Lesson, say

LESSONS = (
    Lesson(
        "one", "....../....../..xo../..ox../....../...... 1", Goal(shows=(("b3", 2), ("c3", 1))), "yin-yang.distance"
    ),
    Lesson(
        "three", "....../....../..xx.o/..oxx./...xo./...... 1", Goal(shows=(("e3", 2), ("e6", 1))), "yin-yang.distance"
    ),
    Lesson("shade", "....../..x.../o.xo../..xo.x/..o.../...... 1", Goal(count=7)),
    Lesson("two", "....../....../oxoo../.xox../.o..../..x... 2", Goal(count=7)),
    Lesson("last", "....../..xx../..oo.o/..oo../...x../...... 1", Goal(wins=True)),
)

say(
    "yin-yang",
    lesson_one="One light stone stands around c3, so c3 moves one square. Move it to b3, and lay a dark stone on c3.",
    lesson_one_done="As many squares as stones of its colour stand around it; and the other colour is left behind.",
    lesson_one_hint="Lift the light stone of c3, put it on b3, and lay a dark stone on c3.",
    lesson_three="A stone with three of its colour around it moves exactly three squares. Find it and move it up.",
    lesson_three_done="Diagonal neighbours count too. Exactly three: not fewer, and not over another stone.",
    lesson_three_hint="Around the dark stone of e3 stand d4, d3 and d2. Move it to e6, and lay a light stone on e3.",
    lesson_shade="You are One: stones on squares of their own shade count for you, and they are 5. Make them 7 in one "
    "turn.",
    lesson_shade_done="Both the stone that moved and the new one stand on their own shade now.",
    lesson_shade_hint="Move the light stone of d4 to a light square, d5 or e4; the dark stone left on d4 counts too.",
    lesson_two="Now you are Two: stones on the other shade count for you. You may move any stone. Make their 5 into 7.",
    lesson_two_done="Nobody owns a colour here: what counts is the square on which a stone stands.",
    lesson_two_hint="Move the dark stone of b4 one square up, to b5, and lay a light stone on b4.",
    lesson_last="When no stone can move, the game is over. You are One: end it in this turn, with more for you.",
    lesson_last_done="No stone can move, and more stand on their own shade: you have won. Now play a game.",
    lesson_last_hint="Move the dark stone of d5 to e5, and lay a light stone on d5.",
)
