"""A loop of plain Python by which the virtual Pi and the computer that it runs on are compared."""

from __future__ import annotations

import time

STEPS = 300_000


def loop() -> float:
    """Seconds that it takes, at best of three."""
    best = float("inf")
    for _ in range(3):
        begun, held, x = time.perf_counter(), {}, 0
        for step in range(STEPS):
            held[step & 255] = x
            x = (x + step * 7) & 0xFFFF
        best = min(best, time.perf_counter() - begun)
    return best
