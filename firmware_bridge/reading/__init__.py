"""What the hands do: from raw levels of sensors to the turns that count, and a verdict on the game in hand."""

from firmware_bridge.reading.constants import USUAL, Constants
from firmware_bridge.reading.debounce import Debounce
from firmware_bridge.reading.decision import LikelihoodReader, Patience
from firmware_bridge.reading.disambiguation import REACTION, Guess, Offer, guesses, in_one_row
from firmware_bridge.reading.signature import SensorView, Signature
from firmware_bridge.reading.verdict import (
    Astray,
    AtRest,
    Blind,
    Complete,
    Debt,
    Offered,
    UnderWay,
    Verdict,
    View,
    Which,
    judge,
    owed,
    sites_to_touch,
)

__all__ = [
    "REACTION",
    "USUAL",
    "Astray",
    "AtRest",
    "Blind",
    "Complete",
    "Constants",
    "Debounce",
    "Debt",
    "Guess",
    "LikelihoodReader",
    "Offer",
    "Offered",
    "Patience",
    "SensorView",
    "Signature",
    "UnderWay",
    "Verdict",
    "View",
    "Which",
    "guesses",
    "in_one_row",
    "judge",
    "owed",
    "sites_to_touch",
]
