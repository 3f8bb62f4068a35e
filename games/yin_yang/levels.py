"""How well an opponent plays Yin-Yang at each level, 1 to 8: `benchmarks.strength` plays the matches that set them."""

from games.fast import Level, Scale

LEVELS = (
    Level(3, 1.0),
    Level(25, 0.06),
    Level(75, 0.02),
    Level(180),
    Level(380),
    Level(780),
    Level(1600),
    Level(6600),
)
"""From level 1 on. Random games looked at, softness, and plies where they are limited."""
SCALE = Scale(1.99, 1.39)
"""From its search's values to the results of games, by `python -m benchmarks.calibration`, for as many positions as a
finished game is analysed with."""
