"""How many random games an opponent of each level plays for a turn, and how softly it chooses; guessed."""

from games.fast import Level

LEVELS = (
    Level(100, 0.5),
    Level(150, 0.1),
    Level(200, 0.03),
    Level(300),
    Level(500),
    Level(1000),
    Level(2000),
    Level(4000),
)
"""From 1 on."""
