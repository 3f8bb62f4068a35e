"""How far an opponent of each level looks, in positions by the measure of the program that plays, and how softly."""

from games.fast import Level

LEVELS = (
    Level(60, 0.5, 1),
    Level(120, 0.2, 2),
    Level(250, 0.1, 3),
    Level(500, 0.05, 4),
    Level(1000, 0.02, 5),
    Level(3000),
    Level(20_000),
    Level(200_000),
)
"""From 1 on; guessed, no match was played about them."""
