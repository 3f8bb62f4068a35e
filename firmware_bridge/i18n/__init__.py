"""Every sentence in four languages."""

from firmware_bridge.i18n.catalogue import ENGLISH, LANGUAGES, Words, speak, system_words, wanted, words
from firmware_bridge.i18n.progress import WIDEST, Progress, padded, width, wrapped

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "WIDEST",
    "Progress",
    "Words",
    "padded",
    "speak",
    "system_words",
    "wanted",
    "width",
    "words",
    "wrapped",
]
