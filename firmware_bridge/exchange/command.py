"""The command ``convert``: a record as SGF text, or a text that was brought as a record, checked by the rules."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from firmware_bridge.exchange.game import LARGEST, Carried, read_game, record_text, sgf_text
from firmware_bridge.exchange.sgf import Unreadable
from firmware_bridge.i18n import print_lines, system_words
from firmware_bridge.records import RecordError, day_of, read_bounded
from games.rules import Reason, say
from hardware import files
from hardware.settings import SettingsError

FORMS: dict[str, Callable[[Carried], str]] = {".sgf": sgf_text, ".table": record_text}
"""What writes a file that ends so."""


def convert(wanted: argparse.Namespace) -> int:
    """Write the game of a file in the form that the name of another asks for; RecordError, SettingsError."""
    output: Path = wanted.output
    written = FORMS.get(output.suffix.lower())
    if not written:
        raise SettingsError(f"{output}: name a file that ends in {' or '.join(FORMS)} with -o")
    game = carried(wanted.file)
    try:
        files.write(output, written(game).encode())
    except OSError as error:
        raise SettingsError(f"{output}: {error.strerror or error}; name another file with -o") from None
    words, sheet = system_words(), game.sheet
    print_lines(words.say(Reason.of("exchange.written", file=str(output), game=sheet.game.title, turns=sheet.length)))
    if game.left_out:
        print_lines(words.say(Reason.of("exchange.left-out", count=game.left_out)))
    return 0


def carried(path: Path) -> Carried:
    """The game of a file; RecordError."""
    try:
        game = read_game(read_bounded(path, "game", LARGEST))
    except Unreadable as fault:
        words = system_words()
        raise RecordError(f"{path}: {' '.join(map(words.say, fault.reasons))}") from None
    return game if game.day else replace(game, day=day_of(path.name))


say("exchange", written="{file}: {game}, turns: {turns}.")
