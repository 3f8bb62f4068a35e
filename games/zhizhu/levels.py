"""How well an opponent plays ZhiZhu at each level, 1 to 8: `benchmarks.strength` plays the matches that set them."""

from games.fast import Level, Scale

LEVELS = (
    Level(500, 0.8, 1),
    Level(2000, 0.18, 2),
    Level(2000, 0.09, 2),
    Level(2000, 0.028, 2),
    Level(2000, 0.0, 2),
    Level(6000, 0.0, 3),
    Level(10000, 0.0, 4),
    Level(25000),
)
"""From level 1 on. Positions looked at, softness, and plies where they are limited."""
SCALE = Scale(0.88, 1.06)
"""From its search's values to the results of games, by `python -m benchmarks.calibration`, for as many positions as a
finished game is analysed with."""
