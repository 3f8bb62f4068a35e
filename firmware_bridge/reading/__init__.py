"""What the hands do: from raw levels of sensors to a verdict on the game in hand."""

from firmware_bridge.reading.acceptance import Accept, Adopt, Back, Judging, Patience, Players, Wait
from firmware_bridge.reading.candidates import Amendment, Hypotheses, Lost
from firmware_bridge.reading.debounce import Debounce
from firmware_bridge.reading.disambiguation import REACTION, Guess, Offer, guesses, in_one_row
from firmware_bridge.reading.reconcile import Reconciler
from firmware_bridge.reading.sensor_health import Doubt
from firmware_bridge.reading.signature import SensorView, Signature
from firmware_bridge.reading.verdict import (
    Astray,
    AtRest,
    Blind,
    Complete,
    Offered,
    UnderWay,
    Verdict,
    View,
    Which,
    sites_to_touch,
)

__all__ = [
    "REACTION",
    "Accept",
    "Adopt",
    "Amendment",
    "Astray",
    "AtRest",
    "Back",
    "Blind",
    "Complete",
    "Debounce",
    "Doubt",
    "Guess",
    "Hypotheses",
    "Judging",
    "Lost",
    "Offer",
    "Offered",
    "Patience",
    "Players",
    "Reconciler",
    "SensorView",
    "Signature",
    "UnderWay",
    "Verdict",
    "View",
    "Wait",
    "Which",
    "guesses",
    "in_one_row",
    "sites_to_touch",
]
