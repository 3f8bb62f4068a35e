"""The whole program on real strip libraries; runs only on a pretended Pi, where test_real_scenes.py starts it."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.cells import random_turns
from firmware_bridge.daemon import Daemon
from firmware_bridge.layout import lay_out
from firmware_bridge.lighting import PALETTES, paint
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation
from firmware_bridge.table import Table
from games.rules import load, names
from hardware.board import find_board, read_board
from hardware.device import Sense
from hardware.power import estimate, within
from hardware.simulation.hands import STYLES
from hardware.simulation.table import SimulatedTable
from tests.hardware.pretend_pi import FOLDER, PretendPi

MOMENTS = 28
"""Pictures that are compared in each game."""


@pytest.mark.parametrize("lights", ["ws281x", "ws2812_spi", "leds0"])
@pytest.mark.parametrize("name", names())
def test_the_strip_shows_exactly_the_scene(name: str, lights: str) -> None:
    pi = PretendPi(Path(os.environ[FOLDER])).be()
    (pi.folder / "dev/leds0").write_text("66\n")
    board = read_board(find_board("grid"), lights=lights)
    sheet = ScoreSheet(load(name))
    game, points = sheet.game, lay_out(sheet.game, board)
    table = SimulatedTable(game.sites, Sense.PRESENCE, game.places)
    table.lay(zip(game.sites, sheet.position.board, strict=True))
    strip = board.open_lights()
    daemon = Daemon(table, board.strip(strip, points), Table(sheet, Sense.PRESENCE))
    simulation = Simulation(daemon, table)
    seen = set()
    for turn in islice(random_turns(game, 2), MOMENTS // 4):
        simulation.play(turn, STYLES["done"])
        for _ in range(4):
            simulation.run(0.13)
            daemon.light.show(daemon.scene, simulation.now, fresh=True)
            painted = paint(daemon.scene, game.sites, PALETTES["default"], simulation.now, 128 / 255)
            whole = [(0, 0, 0)] * 66
            for site, point in zip(game.sites, points, strict=True):
                (pixel,) = board.pixels[point]
                whole[pixel] = painted[game.sites.index(site)]
            whole[64:] = painted[-2:]
            assert pi.lit() == list(within(whole, board.supply))
            assert estimate(pi.lit()) <= board.supply
            seen.add(tuple(whole))
        simulation.press("done")
    assert len(seen) > 5
    strip.close()
    assert pi.lit() == [(0, 0, 0)] * 66
