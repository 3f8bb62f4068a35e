"""Lessons of ZhiZhu: a line of three, which stones are safe, five on a circle, sliding, how one wins."""

from games.rules import Goal, Lesson, say

LESSONS = (
    Lesson("line", "x..o..../x....o../........ x 7,7 -,-", Goal(kind="take"), "zhizhu.owed"),
    Lesson("free", ".x.xo.o./.x..o.../....o... x 5,5 -,-", Goal(kind="take"), "zhizhu.chained"),
    Lesson("circle", "xx.xx.../...o...o/.o....o. x 5,5 -,-", Goal(kind="take", least=2), "zhizhu.owed"),
    Lesson("slide", "o.x..x.o/..x.o.ox/o..x.o.. x 0,0 -,-", Goal(kind="take"), "zhizhu.no-link"),
    Lesson("last", "x.o.x.../x..o.x../.x....o. x 0,0 -,-", Goal(wins=True)),
)

say(
    "zhizhu",
    lesson_line="You are Dark. Fill the line of a1 and b1 with a third stone on c1; then take a light stone off.",
    lesson_line_done="Three of yours on a line make a chain, and a chain takes a stone at once.",
    lesson_line_hint="Lay a dark stone on c1, and take the light stone of a4 or b6 off the board.",
    lesson_free="Make a line again and take a stone. The light stones in a chain are safe: only one can be taken.",
    lesson_free_done="A stone in a chain is safe while its owner has others.",
    lesson_free_hint="Lay a dark stone on c2, and take the light stone of a7, the one outside their chain.",
    lesson_circle="Five in a row on a circle take two stones at once. Make them on the outer circle.",
    lesson_circle_done="A line takes one stone, five on a circle take two, both at once three.",
    lesson_circle_hint="Lay a dark stone on a3, then take two light stones off.",
    lesson_slide="All stones are placed, so now they slide, one step along a line or a circle. Make a line so.",
    lesson_slide_done="From now on each turn is one step, and each new chain takes a stone.",
    lesson_slide_hint="Slide the stone of c4 to c3: with a3 and b3 it fills the line. Take a stone.",
    lesson_last="Light has three stones left. Take one more, the seventh: whoever is left with two has lost.",
    lesson_last_done="Seven stones are captured: you have won. Now play a game.",
    lesson_last_hint="Slide the stone of c2 to c1, where it fills the line of a1 and b1, and take any light stone.",
)
