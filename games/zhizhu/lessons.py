"""Lessons of ZhiZhu: a line of three, which stones are safe, five on a ring, sliding, how one wins."""

from games.rules import Goal, Lesson, Slip, say

LESSONS = (
    Lesson("line", "x..o..../x....o../........ x 7,7 -,-", Goal(kind="take"), "zhizhu.owed"),
    Lesson(
        "free",
        ".x.xo.o./.x..o.../....o... x 5,5 -,-",
        Goal(kind="take"),
        "zhizhu.chained",
        (Slip("ring", Goal(shows=(("a3", 1),))),),
    ),
    Lesson("circle", "xx.xx.../...o...o/.o....o. x 5,5 -,-", Goal(kind="take", least=2), "zhizhu.owed"),
    Lesson("slide", "o.x.x..o/..x.o.ox/o..x.o.. x 0,0 -,-", Goal(kind="take"), "zhizhu.no-link"),
    Lesson("last", "x.o.x.../x..o.x../.x....o. x 0,0 -,-", Goal(wins=True)),
)

say(
    "zhizhu",
    lesson_line="You are Black: whoever captures seven of the other's nine stones wins. Fill the straight line of a1 "
    "and b1 with a third stone on c1; then take a white stone off.",
    lesson_line_done="A full line is a chain, and a chain captures at once. All eight lines are straight: a1, a2 and "
    "a3 lie on a ring, and a ring needs five.",
    lesson_line_hint="Lay a black stone on c1, and take the white stone of a4 or b6 off the board.",
    lesson_free="Fill the line of a2 and b2. White has a chain on line 5: stones in a chain are safe, so take the "
    "one that stands outside.",
    lesson_free_done="A stone in a chain is safe while its owner has any stone outside of chains.",
    lesson_free_hint="Lay a black stone on c2, and take the white stone of a7, the one outside their chain.",
    lesson_free_ring="a2, a3 and a4 lie on a ring, and a ring needs five. Fill the straight line a2, b2, c2.",
    lesson_circle="Five side by side on a ring are a chain, too, and capture two. Fill the gap on the outer ring, "
    "and take two white stones.",
    lesson_circle_done="A full line captures one, five on a ring two, both in one turn three.",
    lesson_circle_hint="Lay a black stone on a3, then take two white stones off, one after the other.",
    lesson_slide="All stones are placed, so now a turn slides one: a single step along a line or a ring. Slide one "
    "to fill the line of a3 and b3, and capture.",
    lesson_slide_done="So it goes on: one step a turn, and each new chain captures. Who must slide and cannot has "
    "lost.",
    lesson_slide_hint="Slide the stone of c4 to c3: with a3 and b3 it fills the line. Take a stone.",
    lesson_last="Six white stones are captured already, and three are left. Capture the seventh: whoever has only "
    "two left has lost.",
    lesson_last_done="Seven stones are captured: you have won. Now play a game.",
    lesson_last_hint="Slide the stone of c2 to c1, where it fills the line of a1 and b1, and take any white stone.",
)
