"""Every sentence in four languages."""

from firmware_bridge.i18n.catalogue import ENGLISH, LANGUAGES, Words, game_catalogue, speak, system_words, wanted, words
from firmware_bridge.i18n.printing import plain_line, print_lines
from firmware_bridge.i18n.progress import WIDEST, Progress, columns, padded, width, wrapped

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "WIDEST",
    "Progress",
    "Words",
    "columns",
    "game_catalogue",
    "padded",
    "plain_line",
    "print_lines",
    "speak",
    "system_words",
    "wanted",
    "width",
    "words",
    "wrapped",
]
