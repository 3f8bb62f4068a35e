"""Lessons of Zig Zag: sow, sow on, capture, not straight back, capture most, reach more than half."""

from games.rules import Goal, Lesson, Slip, say

LESSONS = (
    Lesson("sow", "5,5,5,5,5,5/5,5,5,5,5,5 0,0 S - -", Goal(shows=(("S3", 0),)), "zig-zag.wrong-way"),
    Lesson("on", "0,0,0,0,1,0/0,1,1,2,3,1 29,22 S - N", Goal(kind="sow", least=2), "zig-zag.sow-on"),
    Lesson("capture", "0,5,8,5,5,1/6,7,3,2,6,5 7,0 S - S", Goal(kind="take"), "zig-zag.capture"),
    Lesson("back", "6,3,0,0,3,2/3,4,0,1,12,0 12,14 S S4 S", Goal(kind="take"), "zig-zag.no-return"),
    Lesson(
        "most",
        "0,0,2,3,0,2/1,5,4,4,10,2 17,10 S - N",
        Goal(count=28),
        slips=(Slip("fewer", Goal(kind="take")), Slip("none", Goal())),
    ),
    Lesson(
        "last",
        "0,0,1,0,1,1/1,12,1,6,1,1 20,15 S - N",
        Goal(count=31),
        slips=(Slip("fewer", Goal(kind="take")), Slip("none", Goal())),
    ),
)

say(
    "zig-zag",
    lesson_sow="You are South; whoever captures more seeds wins. Lift the seeds of S3 and sow them one by one into "
    "the lit pits: to the right, crossing the board at every step.",
    lesson_sow_done="From the left half you sow to the right, from the right half to the left. The last seed fell "
    "among seeds of North, so the turn ends.",
    lesson_sow_hint="Lift the seeds of S3 and let one fall into each lit pit: N4, S5, N6, S6, N5.",
    lesson_on="Where your last seed falls into a pit of yours with seeds, lift them all and sow on in the same "
    "direction. Find the pit that does so.",
    lesson_on_done="A turn may go on so many times, until the last seed falls among seeds of North or into an empty "
    "pit.",
    lesson_on_hint="S4 holds two seeds: the last falls into S2, where one lies. Lift both and sow on.",
    lesson_capture="When your last seed falls into an empty pit of North, you capture what lies in your own pit "
    "straight across from it. Do so.",
    lesson_capture_done="The seeds of your own pit across from it are captured: they lie in your store.",
    lesson_capture_hint="The last of the five seeds of S6 falls into N1, which is empty. Take the seeds of S1.",
    lesson_back="North has just sown a single seed from N3 across the middle into S4. You may not sow it straight "
    "back, unless that captures. Find another pit, one that captures.",
    lesson_back_done="You took the seed of S4 itself. Such a seed is barred for one turn only; after that it may be "
    "sown like any other.",
    lesson_back_hint="The last of the three seeds of S1 falls into N4, which is empty. Take the seed of S4.",
    lesson_most="Three of your pits capture now. Sow the one that captures most: eleven seeds.",
    lesson_most_done="Eleven at once. Beside the board you read the most that one turn of either side could capture "
    "now.",
    lesson_most_hint="Sow S4, and twice more where the last seed falls; at last it falls into N5, across from S5.",
    lesson_most_fewer="That captures, but fewer than eleven.",
    lesson_most_none="That captures nothing now.",
    lesson_last="More seeds win, and with 31 of the 60 nobody can catch up. You have 20: reach 31 in this turn.",
    lesson_last_done="More than half of all seeds: you win, whatever comes. The game itself ends when nobody can "
    "capture any more; what is left then goes to whoever captured last. Now play a game.",
    lesson_last_hint="The one seed of S1 falls into N2, which is empty. Take the twelve seeds of S2.",
    lesson_last_fewer="That captures, but leaves you below 31.",
    lesson_last_none="That captures nothing now.",
)
