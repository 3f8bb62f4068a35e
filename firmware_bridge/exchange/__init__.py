"""Games taken away and brought back: as the text of a record, or as SGF text; docs/exchange.md has both forms."""

from firmware_bridge.exchange.game import LARGEST, Carried, read_game, record_text, sgf_text
from firmware_bridge.exchange.sgf import Unreadable

__all__ = ["LARGEST", "Carried", "Unreadable", "read_game", "record_text", "sgf_text"]
