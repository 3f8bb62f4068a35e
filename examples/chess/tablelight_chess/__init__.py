"""Chess: the king is the game.

Copyright 2026 The Tablelight founders. This package is free software under the GNU General Public License, version 3
or later; see LICENSE. It is built on python-chess, which is under the same licence.
"""

from tablelight_chess.rules import Chess

GAME = Chess
