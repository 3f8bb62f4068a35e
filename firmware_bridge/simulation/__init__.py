"""A simulated table with simulated hands, and scripts of what happens at it."""

from firmware_bridge.simulation.script import PAUSE, WORDS, Expectations, Fault, Script, perform_script
from firmware_bridge.simulation.table import (
    REST,
    SUPPLY,
    Simulation,
    demo_plain,
    demo_simulation,
    demonstrate,
    open_simulation,
)

__all__ = [
    "PAUSE",
    "REST",
    "SUPPLY",
    "WORDS",
    "Expectations",
    "Fault",
    "Script",
    "Simulation",
    "demo_plain",
    "demo_simulation",
    "demonstrate",
    "open_simulation",
    "perform_script",
]
