"""What is heard of the table: sentences said aloud, and a buzzer."""

from firmware_bridge.audio.sound import Sound, open_sound

__all__ = [
    "Sound",
    "open_sound",
]
