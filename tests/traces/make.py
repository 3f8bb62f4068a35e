"""Traces of trouble for the tests beside this file: simulated hands and sensors, and what must come of it.

    python -m tests.traces.make            make those that are missing
    python -m tests.traces.make NAME ...   make these anew

A trace, once made, is evidence of what sensors once showed: a new version of the table is tried on the old ones. One
that the table gets wrong begins with a comment ``# Not yet: ...``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from firmware_bridge.cli.replay import Retrace
from firmware_bridge.engine.advice import Assistant
from firmware_bridge.engine.client import LocalSearch
from firmware_bridge.reading.ways import passed
from firmware_bridge.records import Trace, read_heading, read_lines, read_trace
from firmware_bridge.score import PEOPLE, ScoreSheet
from firmware_bridge.simulation import PAUSE, Script, open_simulation
from firmware_bridge.simulation.script import NODES
from games.rules import load
from hardware.device import Sense
from hardware.simulation.faulty_sensors import FAULTS
from hardware.simulation.hands import STYLES
from hardware.simulation.mistakes import HANDS, Hands

HERE = Path(__file__).parent
SCENES = HERE.parent / "scenarios"


class Trouble(NamedTuple):
    """A game under one sense, with hands and sensors that fail in their ways, for so many turns."""

    game: str
    sense: Sense
    hands: str = "steady"
    fault: str = "none"
    style: str = "finger"
    turns: int = 6
    seed: int = 1

    @property
    def tells(self) -> str:
        """What the trace shows, in a sentence."""
        ill = f", sensors: {self.fault}" if FAULTS[self.fault] else ""
        return f"{load(self.game).title} by {self.sense.value}, hands: {self.hands}{ill}."


PRESENCE, COLOUR, COUNT = Sense.PRESENCE, Sense.COLOUR, Sense.COUNT
TROUBLES: dict[str, Trouble] = {
    "bumped-table": Trouble("zong-heng", PRESENCE, "bump"),
    "hovering": Trouble("zong-heng", COLOUR, "hover"),
    "wrong-piece-first": Trouble("yin-yang", PRESENCE, "wrong piece"),
    "both-hands": Trouble("zhizhu", COLOUR, "both hands", turns=12),
    "between-two-sites": Trouble("zong-heng", PRESENCE, "off centre"),
    "captured-late": Trouble("zhizhu", COLOUR, "late capture", turns=20),
    "captured-early": Trouble("zhizhu", COLOUR, "early capture", turns=20),
    "walked-away": Trouble("yin-yang", COLOUR, "walk away"),
    "abandoned": Trouble("zong-heng", COLOUR, "abandon"),
    "swept-off": Trouble("yin-yang", COLOUR, "sweep"),
    "knocked-over": Trouble("zong-heng", COLOUR, "knock over", turns=4),
    "reached-in": Trouble("yin-yang", COLOUR, "reach in"),
    "seed-in-the-wrong-pit": Trouble("zig-zag", COUNT, "hesitate"),
    "nudged-seeds": Trouble("zig-zag", COUNT, "nudge"),
    "seeds-by-presence-bumped": Trouble("zig-zag", PRESENCE, "bump"),
    "a-child": Trouble("zhizhu", COLOUR, "child", turns=12),
    "a-childs-rows": Trouble("zong-heng", COLOUR, "child", turns=8),
    "hurried": Trouble("yin-yang", PRESENCE, "hurried", turns=8),
    "clumsy": Trouble("zong-heng", PRESENCE, "clumsy", style="singly", turns=8),
    "bouncing": Trouble("zong-heng", PRESENCE, "careful", "bounce", turns=8),
    "slow-sensors": Trouble("zong-heng", COLOUR, "careful", "slow", turns=8),
    "flickering-site": Trouble("yin-yang", COLOUR, "careful", "flicker", turns=8),
    "misread-colours": Trouble("zong-heng", COLOUR, "careful", "misread for a moment", turns=8),
    "mute-site": Trouble("zong-heng", COLOUR, "careful", "mute", turns=8),
    "nudged-stones": Trouble("zong-heng", COLOUR, "nudge", turns=8),
    "changed-mind": Trouble("yin-yang", PRESENCE, "change of mind", turns=8, seed=4),
    "late-release": Trouble("zhizhu", COLOUR, "careful", "weak", turns=20, seed=12),
    "crosstalk-between-neighbours": Trouble("yin-yang", COLOUR, "careful", "crosstalk", turns=12, seed=8),
    "miscounted-seeds": Trouble("zig-zag", COUNT, "careful", "miscount", turns=8),
    "bouncing-while-quick": Trouble("yin-yang", COLOUR, "careful", "bounce", style="quick", turns=8),
}
SCENARIOS = (
    "knocked-in-mid-turn",
    "knocked-over-all",
    "hesitation-over-targets",
    "unplugged-in-mid-turn",
    "unplugged-over-a-turn-unsure",
    "undo-in-mid-turn",
    "undo-several-by-hand",
    "resigned-by-mistake",
    "win-taken-back",
    "zhizhu-capture-amended",
    "zig-zag-undo-presence",
    "zig-zag-unplugged-in-mid-sowing",
)
"""Scenarios that are kept as traces, too: their expectations come along."""


# Hands and sensors ----------------------------------------------------------------------------


def suffered(trouble: Trouble, trace: Trace) -> None:
    """Let hands play; what is on the board in the end is what the table must have."""
    sheet = ScoreSheet(load(trouble.game), house_rule=False)
    hands, choose = Hands(HANDS[trouble.hands], trouble.seed), Random(trouble.seed)
    faults = (FAULTS[trouble.fault], trouble.seed)
    simulation = open_simulation(sheet, trouble.sense, hands=hands, faults=faults, trace=trace)
    simulation.run(PAUSE)
    position = sheet.position
    for _ in range(trouble.turns):
        turn = choose.choice(sheet.game.turns(position))
        trace.note_input(("note", "turn", turn.text))
        simulation.take(turn, STYLES[trouble.style])
        if simulation.made is None or simulation.made.made:
            position = passed(sheet.game, turn.after)
    simulation.press("done")
    simulation.run(PAUSE)
    trace.note_input(("expect", "position", *str(position).split(" ")))
    simulation.close()


# Scenarios ------------------------------------------------------------------------------------


def performed(name: str, trace: Trace) -> None:
    """Let the hands of a scenario do what it says; its lines become notes, its expectations are kept."""
    lines = list(read_lines((SCENES / f"{name}.table").read_text()))
    sheet, sense = read_heading(lines)
    sheet.levels = PEOPLE
    setting = lines[0].word == "set-up"
    script = Script(
        open_simulation(sheet, sense, setting=setting, assistant=Assistant(LocalSearch(NODES)), trace=trace)
    )
    script.simulation.run(PAUSE)
    for line in lines[setting:]:
        trace.note_input(line.words if line.word == "expect" else ("note", *line.words))
        script.do(line)
        if line.word != "expect":
            script.simulation.run(PAUSE)
    script.simulation.close()


# Files ----------------------------------------------------------------------------------------


def make(name: str) -> None:
    """Make the trace `name`, try it, and say at its head what it shows."""
    path = HERE / f"{name}.trace"
    path.unlink(missing_ok=True)
    trace = Trace(path)
    if name in TROUBLES:
        suffered(TROUBLES[name], trace)
        tells = TROUBLES[name].tells
    else:
        performed(name, trace)
        tells = f"The scenario {name}."
    again = Retrace(read_trace(path))
    for _ in again.steps():
        pass
    assert not again.differences, again.differences
    missing = [f"# Not yet: {unmet}\n" for unmet in again.unmet[:1]]
    path.write_text("".join([f"# {tells}\n", *missing, path.read_text()]))
    print(f"{name}: {path.stat().st_size} bytes", *missing)


def main() -> None:
    """Make the traces that are named, or those that are missing."""
    missing = [name for name in (*TROUBLES, *SCENARIOS) if not (HERE / f"{name}.trace").exists()]
    for name in sys.argv[1:] or missing:
        make(name)


if __name__ == "__main__":
    main()
