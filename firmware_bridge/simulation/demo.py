"""A whole game by simulated hands, with one illegal turn that is flagged and put right."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from firmware_bridge.i18n.catalogue import system_words
from firmware_bridge.layout import fullest
from firmware_bridge.reading.reconcile import Reconciler
from firmware_bridge.reading.verdict import Astray, Complete
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation.table import Simulation, open_simulation
from firmware_bridge.table.table import Table
from games.rules import Game, Position, Reason, Turn, say
from hardware.simulation.hands import STYLES

SLIP = 4
"""The number of turns before the illegal one."""
REST = 0.6
"""Seconds between two turns."""


def demo_simulation(game: Game[Position]) -> Simulation:
    """A table that sees all there is to see."""
    return open_simulation(ScoreSheet(game), fullest(game))


def demonstrate(simulation: Simulation, seed: int) -> Iterator[str]:
    """Let the hands begin one thing after another, and tell what; time must run until they are still each time."""
    table, chance = simulation.table, random.Random(seed)
    while not table.sheet.outcome:
        if isinstance(table.verdict, Complete):
            simulation.press("done")  # the lights show that the table waits: it may all be about to be put back
            yield ""
            continue
        wrong = slip(table, chance) if table.sheet.length == SLIP else None
        if wrong:
            simulation.play(wrong, STYLES["finger"])
            yield system_words().say(Reason.of("demo.tries", player=table.sheet.player, turn=wrong.text))
            if not isinstance(table.verdict, Astray):
                simulation.press("done")  # a turn left off is not wrong before its player says that it is over
            simulation.put_right()
            yield system_words().text("demo.put-right")
        style = STYLES[chance.choice(["finger", "singly", "round"])]
        simulation.play(choose(table.game, table.sheet.position, chance), style)
        yield ""


def choose(game: Game[Position], position: Position, chance: random.Random) -> Turn[Position]:
    """A turn at random, one that captures where there is one, so that the game comes to an end."""
    turns = game.turns(position)
    captures = [turn for turn in turns if turn.steps[-1].level == 0]
    return chance.choice(captures or turns)


def slip(table: Table, chance: random.Random) -> Turn[Position] | None:
    """An illegal turn that is no slip of a legal one, and no change of the turn before."""
    watch = Reconciler(table.sensors, table.sheet.position)
    touched = table.sheet.moments[-1].turn.path if table.sheet.moments else ()
    legal = {turn.text for turn in watch.turns}
    begun = [
        (signature, table.game.sites[signature.origin]) for signature in watch.refused if signature.origin is not None
    ]
    tries = [
        signature.turn
        for signature, site in begun
        if signature.turn.text not in legal and (signature.sown or site not in touched)
    ]
    return chance.choice(tries) if tries else None


def demo_plain(simulation: Simulation, seed: int, out: Callable[[str], None]) -> None:
    """The whole game in plain lines, as fast as it goes."""
    told = turns = 0
    for text in demonstrate(simulation, seed):
        if text:
            out(text)
        simulation.run(REST)
        for event in simulation.events[told:]:
            turns += event.turn is not None
            out(f"{turns if event.turn else '':4}  {system_words().say(event.say)}")
        told = len(simulation.events)


say(
    "demo",
    tries="{player} tries {turn}, which is against the rules.",
    put_right="The board is put right, as the lights ask.",
)
