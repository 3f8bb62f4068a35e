"""What is heard of the table: sentences said aloud, and a buzzer."""

from firmware_bridge.audio.sound import SPOKEN, Sound, open_sound, sentence_aloud

__all__ = [
    "SPOKEN",
    "Sound",
    "open_sound",
    "sentence_aloud",
]
