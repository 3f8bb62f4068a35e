"""What the hands do: from raw levels of sensors to the turns that count, and what may have been done besides."""

from firmware_bridge.reading.constants import USUAL, Constants
from firmware_bridge.reading.debounce import Debounce
from firmware_bridge.reading.decision import SEED, LikelihoodReader, Patience, unpaid
from firmware_bridge.reading.hypotheses import Hypothesis, Node

__all__ = ["SEED", "USUAL", "Constants", "Debounce", "Hypothesis", "LikelihoodReader", "Node", "Patience", "unpaid"]
