"""How well an opponent plays Zig Zag at each level, 1 to 8: `benchmarks.strength` plays the matches that set them."""

from games.fast import Level, Scale

LEVELS = (
    Level(500, 0.2, 1),
    Level(500, 0.15, 2),
    Level(500, 0.06, 2),
    Level(500, 0.025, 2),
    Level(500, 0.0, 3),
    Level(1000, 0.0, 4),
    Level(3000, 0.0, 6),
    Level(30000),
)
"""From level 1 on. Positions looked at, softness, and plies where they are limited."""
SCALE = Scale(0.66, 1.0)
"""From its search's values to the results of games, by `python -m benchmarks.calibration`, for as many positions as a
finished game is analysed with."""
