"""How well an opponent plays Zong-Heng at each level, 1 to 8: `benchmarks.strength` plays the matches that set them."""

from games.fast import Level, Scale

LEVELS = (
    Level(4, 1.0),
    Level(34, 0.15),
    Level(75, 0.02),
    Level(160),
    Level(330),
    Level(800),
    Level(2200),
    Level(7000),
)
"""From level 1 on. Random games looked at, softness, and plies where they are limited."""
SCALE = Scale(1.18, 1.64)
"""From its search's values to the results of games, by `python -m benchmarks.calibration`, for as many positions as a
finished game is analysed with."""
