"""Lessons and puzzles at a table: what is asked of the player, whether a turn solves it, what was solved before."""

from firmware_bridge.lessons.own import OwnPuzzle, keep, path_of, read_own
from firmware_bridge.lessons.progress import Progress
from firmware_bridge.lessons.tutor import FIRST_LEVEL, Tutor, begin_lesson, begin_puzzle

__all__ = [
    "FIRST_LEVEL",
    "OwnPuzzle",
    "Progress",
    "Tutor",
    "begin_lesson",
    "begin_puzzle",
    "keep",
    "path_of",
    "read_own",
]
