"""How a game lies on a board: the point of the board under each site of the game."""

from __future__ import annotations

from games.rules import Game, Position, load, names
from hardware.board import Board
from hardware.device import Sense
from hardware.settings import SettingsError


def lay_out(game: Game[Position], board: Board, *, turned: bool = False) -> tuple[str, ...]:
    """The points under the sites of `game`, in their order; `turned` by half a turn, for players in each other's seats.

    As the board file draws it; else squares in the middle of a board of squares, or points of the same names.
    SettingsError says why the game does not fit.
    """
    if game.name in board.layouts:
        points = drawn(game, board)
    elif board.grid:
        points = centred(game, board)
    else:
        points = named(game, board)
    return tuple(opposite(point, board) for point in points) if turned else points


def drawn(game: Game[Position], board: Board) -> tuple[str, ...]:
    """As the board file draws the game."""
    drawing = board.layouts[game.name]
    strange = next((site for site in drawing if site not in game.sites), None)
    if strange:
        raise SettingsError(f"layouts.{game.name}: {strange[:12]!r} is no site of {game.name}")
    missing = next((site for site in game.sites if site not in drawing), None)
    if missing:
        raise SettingsError(f"layouts.{game.name}: the site {missing} is not drawn")
    return tuple(drawing[site] for site in game.sites)


def centred(game: Game[Position], board: Board) -> tuple[str, ...]:
    """Square upon square, in the middle of the board."""
    files, ranks = (1 + max(place[axis] for place in board.places.values()) for axis in (0, 1))
    wide, high = (1 + max(place[axis] for place in game.places.values()) for axis in (0, 1))
    if game.links or wide > files or high > ranks:
        raise misfit(game, board, f"draw it in layouts.{game.name}")
    left, low = (files - wide) // 2, (ranks - high) // 2
    at = {place: name for name, place in board.places.items()}
    return tuple(at[int(x + left), int(y + low)] for x, y in (game.places[site] for site in game.sites))


def named(game: Game[Position], board: Board) -> tuple[str, ...]:
    """Points of the same names."""
    if any(site not in board.places for site in game.sites):
        raise misfit(game, board, "it has other points")
    return game.sites


def misfit(game: Game[Position], board: Board, why: str) -> SettingsError:
    """That the game does not fit, and which do."""
    fitting = ", ".join(other for other in names() if other != game.name and fits(load(other), board))
    return SettingsError(
        f"{game.name} does not fit on this board ({board.title}): {why}; games that fit: {fitting or 'none'}"
    )


def fits(game: Game[Position], board: Board) -> bool:
    """Whether the game can be laid on the board."""
    try:
        lay_out(game, board)
    except SettingsError:
        return False
    return True


def opposite(point: str, board: Board) -> str:
    """The point that lies where `point` does for whoever sits on the other side."""
    files, ranks = (max(place[axis] for place in board.places.values()) for axis in (0, 1))
    x, y = board.places[point]
    at = {place: name for name, place in board.places.items()}
    return at[files - x, ranks - y]


def sensed(game: Game[Position], scanner: Sense) -> Sense:
    """What a scanner of that sense tells of this game's pieces: colours of seeds and counts of stones it does not."""
    fitting = Sense.COUNT if game.pieces == "seeds" else Sense.COLOUR
    return scanner if scanner is fitting else Sense.PRESENCE
