"""The constants of the likelihood, all of them, in one table: meaning, unit, value, bounds, source.

A cost is in nats, minus the logarithm of a probability: 2.3 is one in ten, 6.9 one in a thousand. Times are in seconds.
Losses are counted in turns that are changed at once: what one costs when it was counted a moment too early. ``guess``
is nobody's measurement. The bounds are guesses too: what lies beyond is no table, or would rule out what may well be
done tomorrow, as taking back where nobody has so far.

A table may have constants of its own, in a file that `tablelight fit` writes and that ``table.constants`` of the
configuration names; it holds those that differ from the usual ones, for each game and what its sensors tell:

    format = 1
    [NAME.presence]
    excursion = 2.4
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from hardware.device import Sense
from hardware.settings import SettingsError, plain, read_toml

FORMAT = 1
"""The version of the file; another one where a constant has come to mean something else."""


def constant(value: float, bounds: tuple[float, float], unit: str, meaning: str, source: str = "guess") -> Any:
    """A field with what is to be known of it; `bounds` are the least and the most that it may be."""
    return field(default=value, metadata={"bounds": bounds, "unit": unit, "meaning": meaning, "source": source})


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """What hands and sensors are taken to do, and what mistakes cost."""

    # One site
    excursion: float = constant(3.0, (0.3, 6), "nats", "a level that no step puts there, however short")
    excursion_growth: float = constant(1.5, (0.2, 6), "nats", "more, each time it lasts e times as long")
    excursion_scale: float = constant(0.03, (0.003, 0.5), "s", "from which on it does")
    excursion_limit: float = constant(2.5, (0.2, 60), "s", "one nat more for each that it lasts")
    foreign_limit: float = constant(0.6, (0.1, 60), "s", "the same where a piece stands that does not belong there")
    again: float = constant(0.8, (0.05, 6), "nats", "the same again, as a contact flutters or a hand hovers")
    flutter: float = constant(0.3, (0.02, 2), "s", "within which it does")
    lie: float = constant(14.0, (6, 20), "nats", "a sensor that shows something else than stands there")
    lift: float = constant(7.5, (1, 15), "nats", "a site never seen empty that a piece has left")
    new_stone: float = constant(
        6.0, (0.3, 12), "nats", "the same where a new stone follows, which has done the pushing"
    )
    inner: float = constant(
        0.8, (0.02, 8), "nats", "the same within a row that is pushed; a whole row: `excursion` at most"
    )
    sown: float = constant(
        0.3,
        (0.02, 6),
        "nats",
        "a number of seeds passed through unseen, or one more under a hand that weighs on a scale",
    )
    sick: float = constant(5.0, (1, 12), "nats", "a sensor that has one of the ailments")
    memory: float = constant(30.0, (5, 300), "turns", "after which what a sensor did counts little")
    # One turn
    early: float = constant(0.8, (0.05, 8), "nats", "a step before one that it needs")
    early_growth: float = constant(1.2, (0.2, 6), "nats", "more, each time it is e times as early")
    early_scale: float = constant(0.04, (0.004, 0.5), "s", "from which on it is")
    laid_early: float = constant(4.0, (0.2, 12), "nats", "a new piece laid before the acts listed before it")
    taken_early: float = constant(1.0, (0.05, 8), "nats", "a piece taken before the acts listed before it")
    left: float = constant(1.5, (0.2, 6), "nats", "a turn begun and left, each time e times as long")
    left_scale: float = constant(0.5, (0.05, 10), "s", "from which on it is")
    debt: float = constant(6.0, (1, 12), "nats", "a piece not laid or not taken when the next turn begins")
    # One turn after another
    overlap: float = constant(1.5, (0.2, 10), "nats", "a turn begun before the one before has ended")
    overlap_scale: float = constant(
        0.1, (0.02, 1), "s", "a turn begun so much earlier costs one nat more, twice as early four"
    )
    reply: float = constant(
        0.25, (0.02, 3), "s", "after a turn the next one costs less and less, and nothing from then on"
    )
    back: float = constant(3.5, (0.5, 5), "nats", "a turn taken back")
    done: float = constant(5.0, (1, 12), "nats", "Done pressed although no turn is whole")
    illegal: float = constant(4.0, (1, 12), "nats", "an illegal turn, one of those that the rules name")
    astray: float = constant(3.5, (0.5, 12), "nats", "pieces that stand elsewhere")
    astray_site: float = constant(6.5, (2, 14), "nats", "more for each site")
    # What mistakes cost
    wrong: float = constant(
        1000.0, (10, 100_000), "turns", "another turn than was made, counted, where nothing will tell"
    )
    accepted: float = constant(25.0, (1, 10000), "turns", "an illegal turn counted as a legal one that looks the same")
    amended: float = constant(5.0, (0.5, 100), "turns", "a turn counted that is changed when more is seen")
    count: float = constant(1.5, (0.1, 50), "turns", "the expected loss below which a turn counts")
    scolded: float = constant(
        0.9, (0.5, 0.999), "1", "how likely something is wrong when it is told, or another turn, when it replaces one"
    )
    # When, and how far
    quiet: float = constant(1.5, (0.2, 10), "s", "after which a little loss is better than to wait for more")
    speak: float = constant(0.4, (0.1, 5), "s", "that a frame stands before anything is asked or told")
    margin: float = constant(8.0, (3, 20), "nats", "beyond the best, which is followed no further")


USUAL = Constants()
"""The values above."""


class Row(NamedTuple):
    """What is to be known of one constant."""

    name: str
    value: float
    unit: str
    meaning: str
    source: str
    bounds: tuple[float, float]


def table() -> list[Row]:
    """Every constant."""
    return [
        Row(
            each.name,
            getattr(USUAL, each.name),
            *(each.metadata[key] for key in ("unit", "meaning", "source", "bounds")),
        )
        for each in fields(Constants)
    ]


BOUNDS = {row.name: row.bounds for row in table()}
"""The least and the most that each may be."""

# The constants of one table ---------------------------------------------------------------------

Own = Mapping[tuple[str, Sense], Constants]
"""Those of a table, by the name of a game and what the sensors tell; wherever there are none the usual ones hold."""


def load(path: Path) -> Own:
    """The constants in the file at `path`; SettingsError says which of them cannot be used, and why."""
    try:
        return {key: Constants(**values) for key, values in read(path).items()}
    except SettingsError as error:
        raise SettingsError(f"{error}; let tablelight fit write the file anew") from None


def read(path: Path) -> dict[tuple[str, Sense], dict[str, float]]:
    """The values in the file at `path`; SettingsError."""
    data = read_toml(path)
    if data.pop("format", None) != FORMAT:
        raise SettingsError(f"{path}: 'format = {FORMAT}' is missing: these are no constants of this version")
    found = {}
    for game, senses in data.items():
        for name, values in (senses if isinstance(senses, dict) else {"": senses}).items():
            where = f"{path}: {plain(game)}" + (f".{plain(name)}" if name else "")
            if name not in {sense.value for sense in Sense}:
                raise SettingsError(f"{where}: a game has presence, colour or count, and the constants in there")
            if not isinstance(values, dict):
                raise SettingsError(f"{where}: there are no constants in here")
            found[game, Sense(name)] = {key: checked(key, value, where) for key, value in values.items()}
    return found


def checked(name: str, value: object, where: str) -> float:
    """`value`, if the constant `name` may be that; SettingsError."""
    if name not in BOUNDS:
        raise SettingsError(f"{where}.{plain(name)}: there is no such constant")
    least, most = BOUNDS[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise SettingsError(f"{where}.{name}: {plain(str(value))} is no number from {least:g} to {most:g}")
    return float(value)
