"""Lessons of Zong-Heng, on six by six squares: push one, push a row, a majority, groups, how one wins."""

from games.rules import Goal, Lesson, say

OPTIONS = {"size": 6}
LESSONS = (
    Lesson(
        "one", ".o.o.o/x.x.x./.o.o.o/x.x.x./.o.o.o/x.x.x. x", Goal(shows=(("c3", 1), ("d3", 1))), "zong-heng.single"
    ),
    Lesson("row", ".o.ooo/x.x.x./.o.oxo/x.x.x./.o.o.o/x.x.x. x", Goal(kind="push", least=3)),
    Lesson("majority", ".o.oxo/x.x.x./.o.xxo/x.x.x./.o.ooo/x.xox. x", Goal(kind="push", least=3), "zong-heng.majority"),
    Lesson("group", ".o.oxo/xoxxxo/.oxooo/xxx.xo/.o.oxo/xox.x. x", Goal(count=12)),
    Lesson("last", "ooxooo/xoxxxx/.xxoxo/xooooo/oxooxo/xxxxxx x", Goal(wins=True)),
)

say(
    "zong-heng",
    lesson_one="You are Black. On the full board the largest group wins: stones of one colour that touch along their "
    "sides. Push c3 one square, onto d3; then lay a new black stone on c3.",
    lesson_one_done="That is a turn: a stone is pushed one square, and a new one fills the dark square it left. "
    "Three black stones are a group now; stones that touch only at a corner do not belong to it.",
    lesson_one_hint="Lift the stone of c3, put it on d3, and lay a black stone on c3.",
    lesson_row="A push begins on a dark square, and the whole row in front of it moves on. Push e5 down: e5, e4 and e3 "
    "move one square together, and a new stone goes on e5.",
    lesson_row_done="A row moves as one, up to the first empty square, and the new stone goes where the row began.",
    lesson_row_hint="Push the stone of e5 against e4; when the row has moved, lay a black stone on e5.",
    lesson_majority="A row moves only if more than half of its stones are yours. First see one refused: push f6 "
    "against e6, put the row back, and then push a row of three that has two of yours.",
    lesson_majority_done="Two of three are enough, whoever's stone the row begins with: even the row of f4, which "
    "is White's, can be pushed.",
    lesson_majority_hint="The row c1, d1, e1 has two black stones: push it from c1 or e1, then lay a stone there.",
    lesson_group="The largest group decides the game, and only stones that touch along their sides belong to it. "
    "Your largest has 8: make it 12 in one turn.",
    lesson_group_done="The stone on d3 joined what stood apart. If the largest groups are equal in the end, the next "
    "ones are compared, and so on.",
    lesson_group_hint="A black stone on d3 joins the groups around it. Push one there from c3 or e3.",
    lesson_last="One square is left. Fill a4 so that your largest group beats White's, and win.",
    lesson_last_done="The board is full, and your largest group is larger: you have won. Now play a game.",
    lesson_last_hint="White has a group of 10. A black stone on a4 joins two of your groups: push the one of a3 or a5.",
)
