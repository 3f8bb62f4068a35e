"""Boards from the text of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.board import Board, read_board
from hardware.settings import SettingsError

SMALL = "[points]\nfiles = 3\nranks = 2\n"


def read(text: str, folder: Path, **given: str) -> Board:
    """The board of a file with this text."""
    path = folder / "board.toml"
    path.write_text(text)
    return read_board(path, **given)


def refused(text: str, folder: Path) -> str:
    """The sentence that the file is refused with, without the name of the file."""
    with pytest.raises(SettingsError) as fault:
        read(text, folder)
    sentence = str(fault.value)
    assert sentence.startswith(f"{folder}/board.toml: ")
    assert "\n" not in sentence
    return sentence.removeprefix(f"{folder}/board.toml: ")
