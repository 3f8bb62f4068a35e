"""What is typed, sent or asked: positions and turns, options, the Go Text Protocol, addresses, languages, packets."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from io import BytesIO, StringIO

from firmware_bridge.cli.gtp import LONGEST_LINE, Gtp, lines, serve
from firmware_bridge.engine.client import Answer, Ask, answers, read_answer, read_ask
from firmware_bridge.i18n import LANGUAGES, wanted
from firmware_bridge.records import option
from firmware_bridge.session import messages
from firmware_bridge.web.mirror import address
from games.rules import Game, IllegalTurn, OptionError, Position, PositionError, load, names, play
from hardware.settings import SettingsError
from tests.fuzz.target import Target, joined, text

POSITIONS = {
    "zong-heng": (
        "size=6\nxoooxo/xoxoxo/.xxoxo/xoxxxo/xoxooo/xoxxox o\npass",
        "size=8 setup=rows\n.o.o.o.o/x.x.x.x./.o.o.o.o/x.x.x.x./.o.o.o.o/x.x.x.x./.o.o.o.o/x.x.x.x. x\nc3-c4\nd4-d5",
    ),
    "zhizhu": (
        "first=o\nx.x...../..oo..../......xo x 5,6 a1-a2,-\na2",
        "\n......../......../........ o 9,9 -,-\na1\nb3\nc5",
        "\nxxx...../ooo...../........ x 0,0 a1-a8,b1-b8\na1-a8xb1",
    ),
    "yin-yang": ("\n....../....../..xo../..ox../....../...... 1\nc3-c2", "\n" + "/".join(["xo...."] * 6) + " 2\na1-c1"),
    "zig-zag": ("\n2,0,0,2,0,0/0,0,1,0,1,0 22,32 S - N\nS3", "\n5,5,5,5,5,5/5,5,5,5,5,5 0,0 S - -\nS1\nN2"),
}
MARKS = joined(".", "x", "o", "/", " ", "-", ",", "60", "61", "S3", "N3", "a1", "h8", "pass", "size=12", "setup=blocks")


def read_game(name: str, data: bytes) -> tuple[Game[Position], Position, list[str]]:
    """Options, a position and turns, a line each."""
    options, position, *turns = [*text(data).split("\n", 8), ""]
    game: Game[Position] = load(name, **dict(map(option, options.split())))
    return game, game.position(position), turns[:4]


def read_position(name: str, data: bytes) -> None:
    """A position is what its text says, no larger than its game, and can be played on from."""
    game, position, turns = read_game(name, data)
    assert game.position(str(position)) == position
    assert len(position.board) == len(game.sites) <= 144
    assert not (game.outcome(position) and game.turns(position))
    for turn in filter(None, turns):
        position = play(game, position, turn)


def search(name: str, data: bytes) -> None:
    """The engine is asked for a turn in it."""
    game, position, _ = read_game(name, data)
    if not game.turns(position):
        return
    for found in answers(Ask(name, dict(game.chosen), str(position), nodes=4, level=len(data) % 3)):
        assert found.turn in {turn.text for turn in game.turns(position)}


def choose(data: bytes) -> None:
    """The name of a game and its options, as they are typed."""
    name, *options = text(data).split(" ")
    load(name, **dict(map(option, options)))


def command(data: bytes) -> None:
    """Every command has an answer, which an empty line ends."""
    told = StringIO()
    serve(Gtp(load("zong-heng", size=6), nodes=1), BytesIO(unclocked(data)), told)
    for each in told.getvalue().split("\n\n")[:-1]:
        assert each[0] in "=?"
    assert all(len(line) <= 2 * LONGEST_LINE + 3 for line in lines(BytesIO(data)))


def unclocked(data: bytes) -> bytes:
    """Without clocks: those would let the engine think for as long as they say."""
    return data.replace(b"time_", b"tide_")


def place(data: bytes) -> None:
    """Where the page is to be served."""
    _, port = address(text(data))
    assert 0 < port < 65536


def language(data: bytes) -> None:
    """What a browser says it reads."""
    assert wanted(text(data)) in dict(LANGUAGES)


def packet(data: bytes) -> None:
    """What passes between the processes."""
    messages.request(data)
    read_answer(data)
    read_ask(data)
    with suppress(ValueError, RecursionError):  # as the page's server does: what cannot be read is told again
        messages.snapshot(data)


PACKETS = tuple(
    map(
        messages.pack,
        (
            messages.Lay((("c3", 0), ("c4", 1))),
            messages.New("zong-heng", {"size": 8, "setup": "rows"}, "colour", True, (0, 3)),
            messages.End(1),
            messages.Listening("localhost", 8000),
            messages.Table("zhizhu", {"first": "x"}, "colour", True, "coach", "default", 128, 1000.0, 24),
            messages.Story(b"\0\1\2", (messages.Played("a1", 0, b"\1\1\2"),), outcome=("table.agreed", ())),
            messages.Sentences(((1, "played", ("table.played", (("turn", "a1"),))),)),
            Ask("zhizhu", {"first": "x"}, "...", ("a", "b")),
            Answer(1, "a1", 0.5, ("a1", "a2"), 100, False, (("a2", 0.4),), True),
        ),
    )
)
COMMANDS = (
    b"1 protocol_version\nboardsize 8\nplay b c3-c4\ngenmove w\nundo\nshowboard\nfinal_score\n7 tablelight-turns\n",
    b"known_command quit # why\nreg_genmove b\nlist_commands\nclear_board\nplay white pass\nquit\n",
)
TYPED = (
    *(
        Target(
            f"position-{name}", partial(read_position, name), (OptionError, PositionError, IllegalTurn),
            joined(*POSITIONS[name]), MARKS,
        )
        for name in names()
    ),
    *(
        Target(f"search-{name}", partial(search, name), (OptionError, PositionError), joined(*POSITIONS[name]), MARKS)
        for name in names()
    ),
    Target(
        "options", choose, (OptionError,),
        joined("zong-heng size=8 setup=rows", "zhizhu first=o", "zig-zag", "zig-zag name=x"),
        joined("size=", "name=", "self=", "first=", "_text", "fast", "rules"),
    ),
    Target("gtp", command, (), COMMANDS, joined("play ", "genmove ", "b ", "w ", "#", "boardsize ", "2147483648 ")),
    Target(
        "address", place, (SettingsError,),
        joined("localhost:8000", "0.0.0.0:80", "[::1]:8000", "8000", "here", "a:0000000019999"),
    ),
    Target("language", language, (), joined("fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5"), joined("ja", ";q=", "*", ",")),
    Target("packets", packet, (), PACKETS, (*joined("do", "lay", "new", "kind"), b"\x81", b"\xdf\xff")),
)  # fmt: skip
