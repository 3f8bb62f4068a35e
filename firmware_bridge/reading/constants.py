"""The constants of the likelihood, all of them, in one table: meaning, unit, value, source.

A cost is in nats, minus the logarithm of a probability: 2.3 is one in ten, 6.9 one in a thousand. Times are in seconds.
Losses are counted in turns that are changed at once: what one costs when it was counted a moment too early. ``guess``
is nobody's measurement.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def constant(value: float, unit: str, meaning: str, source: str = "guess") -> Any:
    """A field with what is to be known of it."""
    return field(default=value, metadata={"unit": unit, "meaning": meaning, "source": source})


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """What hands and sensors are taken to do, and what mistakes cost."""

    # One site
    excursion: float = constant(3.0, "nats", "a level that no step puts there, however short")
    excursion_growth: float = constant(1.5, "nats", "more, each time it lasts e times as long")
    excursion_scale: float = constant(0.03, "s", "from which on it does")
    excursion_limit: float = constant(2.5, "s", "one nat more for each that it lasts")
    again: float = constant(0.8, "nats", "the same again, as soon as a contact flutters")
    flutter: float = constant(0.3, "s", "within which it does")
    lie: float = constant(12.0, "nats", "a sensor that shows something else than stands there")
    lift: float = constant(7.5, "nats", "a site never seen empty that a piece has left")
    inner: float = constant(0.8, "nats", "the same within a row that is pushed")
    inner_row: float = constant(2.5, "nats", "the same, at most a row")
    sown: float = constant(0.3, "nats", "a number of seeds passed through unseen")
    # One turn
    early: float = constant(0.8, "nats", "a step before one that it needs")
    early_growth: float = constant(1.2, "nats", "more, each time it is e times as early")
    early_scale: float = constant(0.04, "s", "from which on it is")
    laid_early: float = constant(4.0, "nats", "a new piece laid before the acts listed before it")
    taken_early: float = constant(1.0, "nats", "a piece taken before the acts listed before it")
    left: float = constant(1.5, "nats", "a turn begun and left, each time e times as long")
    left_scale: float = constant(0.5, "s", "from which on it is")
    debt: float = constant(6.0, "nats", "a piece not laid or not taken when the next turn begins")
    # One turn after another
    overlap: float = constant(1.5, "nats", "a turn begun before the one before has ended")
    overlap_scale: float = constant(0.1, "s", "a turn begun so much earlier costs one nat more, twice as early four")
    reply: float = constant(0.25, "s", "after a turn the next one costs less and less, and nothing from then on")
    back: float = constant(3.5, "nats", "a turn taken back")
    illegal: float = constant(5.5, "nats", "an illegal turn of those that the rules name")
    illegal_step: float = constant(1.5, "nats", "more for each of its steps")
    astray: float = constant(3.5, "nats", "pieces that stand elsewhere")
    astray_site: float = constant(6.5, "nats", "more for each site")
    # What mistakes cost
    wrong: float = constant(1000.0, "turns", "another turn than was made, counted, where nothing will tell")
    accepted: float = constant(100.0, "turns", "an illegal turn counted as a legal one that looks the same")
    amended: float = constant(5.0, "turns", "a turn counted that is changed when more is seen")
    count: float = constant(1.5, "turns", "the expected loss below which a turn counts at once")
    count_quiet: float = constant(10.0, "turns", "the same when nothing has changed for a while")
    kept: float = constant(0.1, "1", "the probability below which a turn that counted does no longer")
    scolded: float = constant(0.9, "1", "the probability of something wrong above which it is told")
    # When, and how far
    quiet: float = constant(1.5, "s", "after which a little loss is better than to wait for more")
    speak: float = constant(0.5, "s", "that a frame stands before anything is asked or told")
    margin: float = constant(8.0, "nats", "beyond the best, which is followed no further")
    near: float = constant(7.0, "nats", "beyond the best, where illegal turns are looked for")


USUAL = Constants()
"""The values above."""


def table() -> list[tuple[str, float, str, str, str]]:
    """Name, value, unit, meaning and source of each constant."""
    return [
        (each.name, getattr(USUAL, each.name), *(each.metadata[key] for key in ("unit", "meaning", "source")))
        for each in fields(Constants)
    ]
