"""Numbers and tables of the documentation: shares with bounds, times, tables in Markdown, how figures came about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from benchmarks.results import Measured
from games.rules import load as load_game
from games.rules import names

CERTAIN = 1.96
"""Standard deviations on either side of the middle that hold 95 % of a normal distribution."""
KINDS = ("presence", "colour or count")
"""What sensors tell."""


def wilson(count: float, of: int) -> tuple[float, float]:
    """The bounds between which a share lies with 95 % certainty, if `count` of `of` independent trials had it.

    By the score interval of Wilson (1927), which is sound for counts near 0 and near all as well.
    """
    if not of:
        return 0.0, 1.0
    share, doubt = count / of, CERTAIN**2 / of
    middle = (share + doubt / 2) / (1 + doubt)
    half = CERTAIN * sqrt(share * (1 - share) / of + doubt / of / 4) / (1 + doubt)
    return middle - half if count else 0.0, middle + half if count < of else 1.0


def percent(share: float) -> str:
    """A share in per cent: one place, two below 1 %, three below 0.1 %."""
    value = 100 * share
    places = 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:.{0 if value in (0, 100) else places}f}"


def bounded(count: float, of: int) -> str:
    """A share in per cent with its bounds."""
    if not of:
        return "-"
    low, high = wilson(count, of)
    return f"{percent(count / of)} ({percent(low)} to {percent(high)})"


def amount(value: float | None) -> str:
    """A large number, shortened to three digits."""
    if value is None:
        return "-"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= 10 * size or (unit == "M" and value >= size):
            return f"{value / size:.3g} {unit}"
    return f"{value:,.0f}"


def ms(value: float | None, places: int = 3) -> str:
    """Milliseconds, or a dash."""
    return "-" if value is None else f"{value:.{places}f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A table in Markdown, whose first `left` columns are words and the others numbers."""
    lines = [heads, ["---"] * left + ["---:"] * (len(heads) - left), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def title(game: str) -> str:
    """The name of a game as people write it; of one that need not be installed, by its name alone."""
    return load_game(game).title if game in names() else game.replace("-", " ").title()


def provenance(*all_measured: Measured) -> str:
    """How figures came about: a sentence or two for each result."""
    return "\n\n".join(map(told, all_measured))


def told(measured: Measured) -> str:
    """The same of one result."""
    options = ", ".join(f"{name} {value}" for name, value in measured.options.items() if value not in (None, False))
    python = f", Python {measured.machine.python}" if measured.machine.python else ""
    squares = measured.machine.squares_ms
    speed = f", a million squares summed in {squares:g} ms" if squares else ""
    where = f"computer: {measured.machine.processor}{python}{speed}"
    at = f" at commit `{measured.commit}`" if measured.commit else ""
    words = f"`{measured.command}`" + (f" ({options})" if options else "")
    return f"*Measured on {measured.date:%Y-%m-%d}{at}, {where}.* Again: {words}. {measured.note}".rstrip()
