"""Sensors that tell more than a switch, measured while their wiring is found out."""

from __future__ import annotations

import random
from collections.abc import Sequence

from firmware_bridge.workshop.calibration import Calibration, Weighing, Weights
from firmware_bridge.workshop.wiring import Wiring
from hardware.device import Levels, Sense
from hardware.simulation.table import SimulatedTable
from tests.workshop.wire_player import HZ, SQUARES, Faulty, Player, at, run


class HallSensors(Faulty):
    """Hall sensors: `empty` and `swing` of each channel in counts, and noise of about 2."""

    def __init__(self, table: SimulatedTable, empty: Sequence[int], swing: Sequence[int]) -> None:
        super().__init__(table, len(empty))
        self.empty, self.swing, self.chance = empty, swing, random.Random(1)

    def scan(self) -> Levels:
        """Before it is calibrated this scanner sees nothing."""
        return (0,) * self.channels

    def readings(self) -> Levels:
        """Counts, 0 to 1023."""
        moved = [swing if level else 0 for swing, level in zip(self.swing, self.table.scan(), strict=True)]
        return tuple(round(e + m + self.chance.gauss(0, 2)) for e, m in zip(self.empty, moved, strict=True))


def test_analogue_sensors_are_measured_and_mapped() -> None:
    wiring = dict(zip(SQUARES[:8], (3, 0, 7, 6, 1, 2, 5, 4), strict=True))
    table = SimulatedTable(SQUARES[:8], Sense.PRESENCE, wiring=wiring)
    empty, swing = [480, 500, 505, 510, 515, 520, 530, 550], [200, -180, 220, 160, 240, 40, -150, 190]
    result = run(
        Wiring(SQUARES[:8], 8, calibration=Calibration(8)), HallSensors(table, empty, swing), Player(table), most=300
    )
    faint = at(wiring, 5)
    assert result.channels == {point: channel for point, channel in wiring.items() if point != faint}
    assert list(result.weak) == [faint]
    assert result.tuning is not None
    assert all(abs(told - true) <= 2 for told, true in zip(result.tuning.empty, empty, strict=True))
    assert 65 <= result.tuning.threshold <= 80  # half of 150
    assert 4 <= result.tuning.hysteresis <= 25


def test_scales_are_tared_and_weigh_a_seed() -> None:
    wiring = dict(zip(SQUARES[:6], (3, 0, 1, 2, 5, 4), strict=True))
    table = SimulatedTable(SQUARES[:6], Sense.PRESENCE, wiring=wiring)
    empty, swing = [-1234, 80_000, 0, 55, -9000, 400_000], [20_000, 21_000, -20_500, 20_000, 19_000, 22_000]
    result = run(
        Wiring(SQUARES[:6], 6, calibration=Weighing(6)), HallSensors(table, empty, swing), Player(table), most=300
    )
    assert result.channels == wiring
    assert isinstance(result.tuning, Weights)
    assert all(abs(told - true) <= 2 for told, true in zip(result.tuning.empty, empty, strict=True))
    assert all(abs(told - true / 5) <= 4 for told, true in zip(result.tuning.seed, swing, strict=True))


def test_a_heap_of_seeds_is_asked_for_by_name() -> None:
    asked = Wiring(["S1", "S2"], 2, calibration=Weighing(2))
    for tick in range(20 * HZ):
        asked.feed((0, 0), tick / HZ, (0, 0))
    assert asked.ask.say.startswith("Put a heap of 5 seeds on S1.")
