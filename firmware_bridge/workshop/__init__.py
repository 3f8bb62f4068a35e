"""For those who build a table: its wiring found out, the computer and the sensors looked at, a sheet to lay on it."""

PITCH, NEAREST, FARTHEST = 50.0, 15.0, 100.0
"""mm between the centres of two squares of a sheet: the usual, the least and the most."""
