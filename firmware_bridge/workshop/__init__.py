"""For those who build a table or add a game: wiring found out, sensors looked at, a sheet to lay on, a game checked."""

PITCH, NEAREST, FARTHEST = 50.0, 15.0, 100.0
"""mm between the centres of two squares of a sheet: the usual, the least and the most."""
FIRMWARES = ("matrix", "pits")
"""What the micro-controller reads: switches in a matrix, or scales."""
RATES = (115_200, 57_600)
"""Baud of the boot loaders: of an Uno and a newer Nano, of an older Nano."""
