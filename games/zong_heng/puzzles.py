"""Puzzles of Zong-Heng, from easy to hard, as benchmarks.puzzles has found them."""

from games.rules import Puzzle

PUZZLES = (
    Puzzle("xooooo.o/xoxxoxxx/.ooo.oxo/xxxoxxox/ooxxxoxo/xxoxoxoo/xo.oooxo/xxoxxxx. o", "win", ("c1-c2",)),
    Puzzle("ooooxo.o/x.xoxxxo/ooxoooxo/xxoxxxox/xoxxoooo/xoxxoxxx/ooxoxooo/xxxoxxox x", "win", ("e7-b7",)),
    Puzzle("xoxo.o.o/ooxoxxxx/xooxoooo/xoooxxxx/xxxooooo/xoxxoxxx/ooooxooo/xxxxxxxo x", "win", ("e1-e8",)),
    Puzzle(".ooooo/xxxxx./oooo.o/xoxxxx/xxoooo/xoxxxx o", "win", ("b4-e4",), (("size", 6),)),
    Puzzle(".oxoxo/x.o.x./ooooxo/xxoxo./oxxoxo/xoxxxx o", "win", ("d2-d5",), (("size", 6),)),
    Puzzle("ooooxo/xoxox./xxoxxo/o.xoxx/xooo.o/x.xxx. o", "win", ("b2-e2",), (("size", 6),)),
    Puzzle("oxoooo.o/oxooxxxo/xoxo.oxx/xxxxxoxo/oooxoxoo/xxxoxoxx/xoxooooo/xxoxxxxo x", "win", ("e5-e6",)),
    Puzzle(".oooxo/xoxox./.oxoxo/xxxxxx/.ooooo/x.x.x. o", "win", ("b4-b1",), (("size", 6),)),
    Puzzle(".o.oxo/xxxxox/ooxooo/xoxxoo/oo.oxo/xxxxx. x", "win", ("c1-c2",), (("size", 6),)),
    Puzzle(".o.ooooo/xxxxoxxo/ooooxxoo/xoxxoxxx/xxooxoxo/xoxxoxox/xxooooxo/xox.x.x. o", "win", ("b8-c8",)),
    Puzzle(".oxooo.o/xoxoxxx./.oxoooxo/x.xxoxxx/oxooxoxo/xoxox.xx/.o.oxooo/xoxoxxx. o", "win", ("d8-g8",)),
    Puzzle(".o.o.o/xxx.x./.oxooo/xxoxxx/.xoooo/xox.x. o", "win", ("d4-a4",), (("size", 6),)),
    Puzzle(
        ".o.oxo.o/xoxooxxx/xooxxxoo/oxooooxx/xoxxooxo/xxoxxoxo/xoooxo.o/xoxoxxxx x", "win", ("g1-g2", "c5-c8", "g1-g8")
    ),
    Puzzle(".o.o.o/xxxxxx/oooooo/xxoxxx/ooxooo/x.xxox x", "win", ("c1-c6", "b4-b1", "e3-e6"), (("size", 6),)),
    Puzzle(".oooxo/xxxoo./xoxoxo/xxoxxo/.oooxo/x.x.x. x", "win", ("a5-f5", "d6-d1", "a1-a2"), (("size", 6),)),
    Puzzle(".o.o.o/xxxoxx/oooxoo/xoxxxx/xooooo/xox.xx x", "win", ("d4-d1", "b6-c6", "e1-e6"), (("size", 6),)),
    Puzzle(".oxoxo/xox.o./.xxoxo/xoxxoo/.o.oxo/xoxxx. o", "win", ("d2-d5", "a1-a2", "b2-c2"), (("size", 6),)),
    Puzzle(".o.ooo/xxxxxx/.oooxo/oxoxoo/oxxoxo/xxoxx. x", "win", ("c5-c6", "a3-a4", "a5-a6"), (("size", 6),)),
    Puzzle("oo.oxo/xxxxx./.o.ooo/xoxxx./ooooxo/xxx.x. o", "win", ("b4-c4", "c3-c6", "d4-d1"), (("size", 6),)),
    Puzzle(".o.ooo/xoxxx./.o.oxo/xox.xx/oooxoo/xxxxx. o", "win", ("d4-d3", "c3-c4", "b6-c6"), (("size", 6),)),
    Puzzle("ooxo.o/xox.xx/ooooxo/xoxox./.oxxxo/x.xxox o", "win", ("d2-d5", "a1-b1", "d2-a2"), (("size", 6),)),
    Puzzle(".oooxo/xoxxx./.oooxo/xxxox./ooxo.o/xxx.x. o", "win", ("d2-e2", "a1-d1", "f2-f3"), (("size", 6),)),
    Puzzle(
        "xoooxo.o/xxoxxoxo/.oxoooxo/xoxxxxxo/.oxo.o.x/xoxxx.xo/.oxooo.o/xoxxx.xo o", "win", ("d4-e4", "a1-f1", "f6-f3")
    ),
    Puzzle(
        ".oxoxo.o/xxxooxx./ooxoxooo/x.ooxxxx/ooxooooo/x.xxoxx./xoooxooo/xxx.xxx. x", "win", ("g5-b5", "b2-b3", "a1-d1")
    ),
    Puzzle(
        ".o.o.oxo/xxxoxoxo/oo.oooxo/xxxoxxx./xoxxooxo/xooxoxoo/xoxoooxo/xxxoxxxx o",
        "win",
        ("e3-e8", "c1-c6", "b8-c8", "a5-h5", "b8-a8"),
    ),
    Puzzle(
        ".o.oxo/xoxxxx/.ooxoo/xxoxox/ooooxo/x.x.x. x",
        "win",
        ("d4-d1", "c3-c6", "a1-b1", "f2-f1", "a1-a4"),
        (("size", 6),),
    ),
    Puzzle(
        ".oooxo.o/xxxooxxx/oo.ooxoo/xxxoxxxx/.ooxoxoo/xoxxoxxx/ooooxo.o/xxxxoxxo o",
        "win",
        ("f6-c6", "a7-a4", "f2-g2", "g5-g8", "b8-a8"),
    ),
    Puzzle(
        ".oxooooo/xooxxox./oxooxxoo/x.xxooxx/.oooxooo/x.xxxxxx/oxoooxoo/xxxxxoxx o",
        "win",
        ("b4-b3", "a7-a8", "h6-h7", "e5-b5", "f4-a4"),
    ),
    Puzzle(
        "xo.o.o.o/xxx.xoxo/xooxoxxo/xoxxxoxo/xoxoooox/o.xxoxxo/xooooo.o/xxoxxxox x",
        "win",
        ("e3-b3", "d8-e8", "d6-d7", "g1-g2", "c7-c8"),
    ),
    Puzzle(
        ".oxoxo/x.x.oo/.oooxo/xxxxoo/oooxxo/x.xxx. x",
        "win",
        ("c5-d5", "b2-b5", "a1-b1", "d4-a4", "a1-a6"),
        (("size", 6),),
    ),
    Puzzle(
        ".oxo.o/x.xxxo/ooooxo/xox.x./oxoooo/x.xxxx x",
        "hold",
        ("a3-d3", "d6-e6", "a3-f3", "b4-b5", "b4-b1"),
        (("size", 6),),
    ),
    Puzzle(
        ".oxo.o/xxxxx./.o.oxo/xox.xo/.oxooo/xox.x. o",
        "win",
        ("d2-d3", "a3-a4", "b4-c4", "a1-a2", "f2-f5"),
        (("size", 6),),
    ),
)
