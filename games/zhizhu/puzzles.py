"""Puzzles of ZhiZhu, from easy to hard, as benchmarks.puzzles has found them."""

from games.rules import Puzzle

PUZZLES = (
    Puzzle("...o.o../oo.oxo.o/.x.o.xo. o 0,0 -,-", "soon", ("c7-b7xb5xc2",)),
    Puzzle(".xo.x.x./.x...xxo/.xo.x.x. x 0,0 -,-", "soon", ("b6-b5xa3",)),
    Puzzle("..o....x/x..o.oxo/ooo.oo.. o 0,0 -,b4-c4", "soon", ("b4-b3xa8",)),
    Puzzle("oxoo...x/.oo..xoo/.xo...o. o 0,0 -,-", "soon", ("a1-b1xa2xa8",)),
    Puzzle("o.x.o.../..oxoo.o/oxo.o... o 0,0 -,-", "soon", ("b8-b1xa3",)),
    Puzzle("o.o....x/.xxo.o.x/x.x.x.xx x 0,0 -,-", "soon", ("b2-c2xa1xa3",)),
    Puzzle("x..x.x../xo....x./xo..xoxx x 0,0 -,-", "soon", ("a6-a7xb2",)),
    Puzzle("o.oxx.x./..oooooo/.....xo. o 0,0 -,-", "soon", ("a1-b1xa4xa5",)),
    Puzzle("xo..xo.o/x..xo.x./xx...x.x x 0,0 -,-", "soon", ("b7-c7xa2xa6",)),
    Puzzle("..x..x.o/.xo.x.ox/..x.x..x x 0,0 -,-", "soon", ("a6-a5xa8",)),
    Puzzle(".xo...o./o..o..ox/..oxo.o. o 0,0 -,-", "soon", ("b4-b3xa2",)),
    Puzzle("...ox.../..ox.o../o.o...x. o 0,0 -,-", "soon", ("a4-a3xa5",)),
    Puzzle(".oxxo.x./.oo.o..o/ox..o... o 0,0 -,-", "soon", ("b5-b4", "a7-a8", "c1-b1xa3xa4")),
    Puzzle("xo.ox..x/x.x.x.xo/xx...... x 0,0 -,-", "soon", ("c1-c8", "a2-a3", "c2-c1xa3")),
    Puzzle("..ox..oo/o.oxo.../..xo.oxo o 0,0 -,-", "soon", ("b1-b8xc3", "a4-a5", "c4-c3xa5")),
    Puzzle("..xx..xo/x.xox.x./..x.o.x. x 0,0 -,-", "soon", ("a3-a2", "a8-a1", "a4-a3xa1")),
    Puzzle("...o.xox/ooo.xo../...o..ox o 0,0 -,b3-b4", "soon", ("b6-b7xb5", "a6-a5", "b3-b4xa5")),
    Puzzle("..o.x.../oxo..o../.oo.x.o. o 0,0 -,-", "soon", ("c3-c4", "a5-a6", "c2-c3xa6")),
    Puzzle(".oxxxxxx/....o.../.xoxox.o x 0,0 -,-", "soon", ("a4-b4", "a2-a1", "a3-a4xa1xb5xc3")),
    Puzzle("x.o....o/.ooxo..o/.x..o..o o 0,0 -,-", "soon", ("a3-a4", "a1-a2", "a4-a5xa2")),
    Puzzle("o..oxo.o/o..o...x/ox.o..o. o 0,0 -,-", "soon", ("a1-a2", "a5-b5", "a8-a1xb5")),
    Puzzle("o.x..xox/x.xoxx../.ox...x. x 0,0 c7-c6,-", "soon", ("c7-b7", "a1-a2", "a8-b8xa2xa7")),
    Puzzle("....x.oo/.x.o.o.o/.o....xo o 0,0 -,-", "soon", ("a8-a1", "a5-a6", "a7-a8xa6")),
    Puzzle("o.xo..o./xoo.o.../o.x...o. o 0,0 -,-", "soon", ("b5-b6", "a3-a2", "b6-b7xa2")),
    Puzzle("xoxo.xo./.xox.xx./o..x.x.. x 0,0 -,-", "soon", ("b6-b5", "a4-a5", "b7-b6xb3", "a5-a4", "a3-b3xa2xa4")),
    Puzzle(
        ".oxx..../o.xoxoo./..x...oo o 0,0 -,c7-c6", "soon", ("a2-b2", "a4-a5", "c8-b8xa5xb5", "a3-a4", "b4-b5xa4xb3")
    ),
    Puzzle(
        "xox.ox.o/o.ox..o./.x.oo.o. o 0,0 -,a8-a7", "soon", ("a2-b2", "a3-a4", "a8-b8xa4xb4", "a1-a2", "c4-b4xa2xa6")
    ),
    Puzzle("x.x..xo./oxx.xoxo/.xxo.... x 0,0 a3-a2,-", "soon", ("b3-b4", "a7-a8", "b2-b3xb6", "a8-a7", "a6-b6xa7xb1")),
    Puzzle("...o.xoo/..o.oxxo/x.o..oxo o 0,0 -,a4-a3", "soon", ("a4-a5", "c1-c2", "c3-c4", "c2-c3", "c4-c5xc3")),
    Puzzle(".oxo.oxo/o.oxxox./o....o.. o 0,0 -,a8-a1", "soon", ("a6-a5", "a7-a6", "a8-a1xa3", "a6-a7", "b3-a3xa7xb4")),
    Puzzle("o...xxx./.x.xo.ox/x..x.xoo x 0,0 -,-", "soon", ("a5-a4xa1", "b5-a5", "b4-b5", "b7-b6", "a7-b7")),
    Puzzle("..oxx.o./.o.oxoxo/.oo.ox.. o 0,0 -,b2-b3", "soon", ("a3-a2xc6", "b7-c7", "b6-c6", "a4-a3", "b4-c4xa3xa5")),
)
