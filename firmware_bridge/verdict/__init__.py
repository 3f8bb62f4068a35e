"""What a frame comes to, for lights and words: a verdict, by turns as the sensors of this table see them."""

from firmware_bridge.verdict.judge import (
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
from firmware_bridge.verdict.offer import REACTION, Guess, Offer, guesses, in_one_row
from firmware_bridge.verdict.signature import SensorView, Signature

__all__ = [
    "REACTION",
    "Astray",
    "AtRest",
    "Blind",
    "Complete",
    "Debt",
    "Guess",
    "Offer",
    "Offered",
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
