"""Lessons at a table: what is asked of the player, whether a turn solves it, what was solved before."""

from firmware_bridge.lessons.progress import Progress
from firmware_bridge.lessons.tutor import FIRST_LEVEL, Tutor, begin_lesson, lesson_event

__all__ = ["FIRST_LEVEL", "Progress", "Tutor", "begin_lesson", "lesson_event"]
