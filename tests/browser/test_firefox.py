"""The page in another browser: a game is chosen, a turn is made by mouse, light answers, and Undo takes it back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge.score import ScoreSheet
from games.rules import load, names

from .conftest import Start
from .firefox import Line, firefox, missing
from .playing import Player


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    """One Firefox for all games."""
    if missing():
        pytest.skip(missing())
    with firefox(tmp_path_factory.mktemp("firefox")) as line:
        yield line


@pytest.mark.parametrize("game", names())
def test_a_turn_of_each_game_in_firefox(start: Start, line: Line, game: str) -> None:
    window = line.window()
    player = Player(window, start("").origin).come()  # type: ignore[arg-type]  # it has what a player needs
    player.tap("#open-start")
    player.tap(f"[data-play={game}]")
    player.tap("#new-ok")
    player.until("state.table.game === wanted && state.now.state === 'rest'", game)
    sheet = ScoreSheet(load(game))
    player.until("Object.keys(state.now.cues).length")
    before = player.cues()
    turn = sheet.turns[0]
    player.plays(sheet, turn.text)
    player.until("Object.values(state.now.cues).some(({ kind }) => kind === 'last')")
    assert player.cues() != before
    lit = "() => [...document.querySelectorAll('[data-site]')].filter((each) => each.dataset.light).length"
    assert window.evaluate(lit) == len(player.cues())
    player.press("undo")
    player.stands([])
    player.shows(zip(sheet.game.sites, sheet.game.start().board, strict=True))
    window.close()
    assert not line.faults
