"""Zig Zag, a mancala by Clark D. Rodeffer and Amanda J. Lemons Rodeffer (2006)."""

from games.zig_zag.rules import ZigZag

GAME = ZigZag
