"""Files: configuration, boards, records, scenarios, traces, endings."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from firmware_bridge import exchange
from firmware_bridge.cli.replay import Retrace
from firmware_bridge.config import read_config
from firmware_bridge.engine import endgame
from firmware_bridge.exchange import Unreadable
from firmware_bridge.layout import check_layouts, lay_out
from firmware_bridge.records import (
    Line,
    LineError,
    RecordError,
    SavedTrace,
    quiet_scans,
    read_lines,
    read_record,
    read_trace,
    seconds,
)
from firmware_bridge.records.lines import write_line
from firmware_bridge.records.notation import heading as record_heading
from firmware_bridge.records.notation import played_lines
from firmware_bridge.simulation import WORDS, perform_script
from firmware_bridge.web.mirror import open_mirror
from games.endings import Endings
from games.rules import Game, OptionError, load, names
from games.zhizhu import endgame as zhizhu
from games.zig_zag import endgame as zig_zag
from hardware.board import FOLDER, find_board, read_board
from hardware.settings import SettingsError
from tests.fuzz.target import Target, filed, joined, text, unchecked

ROOT = Path(__file__).parents[2]
TOML = joined("[game]\n", "[", "]", "{", "}", "=", ".", '"', "'''", "true", "1979-05-27", "0x", "~nobody", "\\u0000")
QUIETEST = 400
"""Quiet scans in all that a trace may ask for here, so that a run stays short."""


def read_settings(data: bytes) -> None:
    """The configuration, and what is made of it before there is a table."""
    config = read_config(filed(data))
    load(config.game.name, **config.game.options)
    config.record.directory().exists()
    find_board(config.table.board)
    mirror = open_mirror(config)
    if mirror:
        mirror.close()
    config.daemon_options(None, setting=True)


def read_table(data: bytes) -> None:
    """A board file, and the games laid on the board."""
    board = check_layouts(read_board(filed(data)))
    for game in map(load, names()):
        with suppress(SettingsError):
            assert set(lay_out(game, board)) <= set(board.places)
    assert board.length <= 1024


def read_game(data: bytes) -> None:
    """A record; written anew it tells the same game."""
    saved = read_record(filed(data))
    words = (*record_heading(saved.sheet, saved.sense), *played_lines(saved.sheet))
    again = read_record(filed(written(words), "again")).sheet
    assert (again.position, again.length, again.outcome) == (saved.sheet.position, saved.sheet.length, again.outcome)


def bring_game(data: bytes) -> None:
    """A game that was taken away; in each of its forms it tells the same."""
    game = exchange.read_game(data)
    for form in (exchange.sgf_text, exchange.record_text):
        again = exchange.read_game(form(game).encode()).sheet
        assert (again.position, again.length, again.outcome) == (
            game.sheet.position, game.sheet.length, game.sheet.outcome,
        )  # fmt: skip


def written(lines: Sequence[Sequence[str | int]]) -> bytes:
    """Lines of a record."""
    return "".join(write_line(words)[0].rpartition(" ~")[0] + "\n" for words in lines).encode()


def read_words(data: bytes) -> None:
    """Lines, and each written down and read again."""
    for line in read_lines(text(data)):
        if line.at is None or line.words[1:]:
            (again,) = read_lines(write_line(line.words, line.at or 0.0)[0].removesuffix("\n"))
            assert again.words == line.words


def perform(data: bytes) -> None:
    """A scenario, if it is a short one."""
    for _ in islice(perform_script(line for line in read_lines(text(data)) if not slow(line)), 12):
        pass


def slow(line: Line) -> bool:
    """Whether a line lets more than a second pass."""
    return line.word == "wait" and len(line.rest) > 0 and (seconds(line.rest[0]) or 0.0) > 1.0


def retrace(data: bytes) -> None:
    """A trace done again, if it is a short one."""
    kept = read_trace(filed(data))
    if not long(kept):
        again = Retrace(kept)
        for _ in again.steps():
            pass


def long(kept: SavedTrace) -> bool:
    """Whether more is asked for than `QUIETEST` scans."""
    scans = 0
    for line in kept.lines:
        with suppress(LineError):
            scans += quiet_scans(line) if line.word == "quiet" else 1
    return scans > QUIETEST


def endings(game: Game[Any], data: bytes) -> None:
    """Endings: as they are, and with the heading and the digest of a whole file."""
    whole = endgame.heading(game) + data
    signed = whole + hashlib.sha256(whole).digest()
    with suppress(endgame.EndgameError):
        endgame.read(game, filed(data))
    kind = endgame.kind(game)
    assert kind
    assert endgame.read(game, filed(signed)).reach <= kind.LARGEST


def built(game: Game[Any]) -> bytes:
    """The endings up to a small reach, without heading and digest; ZhiZhu's are all drawn, for they take longer."""
    table: Endings = zig_zag.build(3)
    if game.name == "zhizhu":
        table = zhizhu.Endgame({stones: bytes(zhizhu.size(stones)) for stones in zhizhu.order(3)}, 3)
    return bytes([3]) + table.packed()


def some(folder: Path, ending: str, most: int, longest: int = 2500) -> tuple[bytes, ...]:
    """Some of the files in `folder`, the shortest ones, without checks."""
    files = sorted(folder.glob(f"*{ending}"), key=lambda path: (path.stat().st_size, path.name))
    step = max(1, len(files) // most)
    return tuple(unchecked(path.read_bytes())[:longest].rpartition(b"\n")[0] + b"\n" for path in files[::step][:most])


RECORDS = (
    b"tablelight 1\ngame zong-heng size=8 setup=rows\nsense presence\nlevels 0 3\n1.5 turn c3-c4\n2.0 turn d4-d5\n"
    b"3.0 amend d4-d3\nnote astray zong-heng.majority own=1\nundo 1\nresign white\nundo 0\n",
    b"tablelight 1\ngame zig-zag\nsense count\nhouse-rule off\nturned yes\n"
    b"position 2,0,0,2,0,0/0,0,1,0,1,0 22,32 S - N\nturn S3\nturn N1\nagree\n",
    b"tablelight 1\ngame zhizhu first=o\nturn a1\nturn a2\nturn a3\nundo 2\n",
    b"tablelight 1 ~561b\ngame zong-heng size=8 setup=rows ~bf3f\nsense colour ~c8da\n",
)
CONFIG = (
    (ROOT / "systemd" / "tablelight.toml").read_bytes(),
    b'[game]\nname = "zig-zag"\nlevels = [0, 8]\n[game.options]\nsize = 8\n[table]\nboard = "pits"\nsettle = 0.5\n'
    b'[lights]\nmode = "quiet"\nsupply = 500\n[record]\nfolder = "/tmp/games"\n[page]\naddress = "localhost:8000"\n',
    b'[record]\nfolder = "~nobody-of-that-name/\\u0000"\n',
    b'[record]\nfolder = "~nobody-of-that-name/games"\n',
    b'[record]\ntrace = "~nobody-of-that-name/x.trace"\n',
)
HEADING = joined(
    "tablelight 1\n",
    "game zong-heng\n",
    "sense ",
    "size=",
    "position ",
    "levels ",
    "clock ",
    "names ",
    "house-rule off\n",
)
TEXTS = (
    b"(;FF[4]GM[yin-yang]PB[Anna]PW[Ben]DT[2026-11-25]C[a\\]b];B[c3-c2];W[c3-a3]C[so];B[d3-e3])",
    b"(;GM[zhizhu]RU[first=o]BR[engine 3]OT[10+5]RE[B+R];B[a1](;W[b2])(;W[b3]))",
    *RECORDS,
)
"""Games as text, and records."""
FILES = (
    Target("config", read_settings, (SettingsError, OptionError), CONFIG, TOML),
    Target("board", read_table, (SettingsError,), tuple(path.read_bytes() for path in FOLDER.glob("*.toml")), TOML),
    Target(
        "record",
        read_game,
        (RecordError,),
        RECORDS,
        (*HEADING, *joined("turn ", "amend ", "undo ", "resign ", "flag ", "time ")),
    ),
    Target(
        "game-text", bring_game, (Unreadable,), TEXTS,
        (*HEADING, *joined("(;", ";B[", ";W[", "]", "\\", "GM[", "SZ[", "RU[", "POS[", "RE[B+R]", "OT[", "C[")),
    ),
    Target("lines", read_words, (LineError,), RECORDS, joined("'", '"', "\\", "#", " ~", "1.5 ")),
    Target(
        "scenario", perform, (LineError,), (*some(ROOT / "tests" / "scenarios", ".table", 12), *RECORDS[:3]),
        (*HEADING, *(f"{word} ".encode() for word in WORDS)),
    ),
    Target(
        "trace", retrace, (RecordError, LineError), some(ROOT / "tests" / "traces", ".trace", 8),
        (*HEADING, *joined("trace 1 ", "scan ", "quiet ", "=?", "=1", "said ", "right ", "plan ", "setting=yes")),
    ),
    *(
        Target(
            f"endings-{game.name}",
            lambda data, game=game: endings(game, data),
            (endgame.EndgameError,),
            (built(game),),
        )
        for game in (load("zig-zag"), load("zhizhu"))
    ),
)  # fmt: skip
os.environ.setdefault("XDG_STATE_HOME", "/nonexistent")
