"""How a game lies on a board: the point of the board under each site of the game."""

from __future__ import annotations

from games.rules import Game, Position, clip, load, names
from hardware.board import Board, size
from hardware.device import Sense
from hardware.settings import SettingsError


class _MisfitError(Exception):
    """Why a game cannot be laid on a board."""


def lay_out(game: Game[Position], board: Board, *, turned: bool = False) -> tuple[str, ...]:
    """The points under the sites of `game`, in the order of the sites.

    The game lies as the board file draws it. A game that is not drawn lies in the middle of a board of squares; on
    any other board it lies on the points of the same names. `turned` turns the game by half a turn, for players in
    each other's seats; only a board of squares can be turned. SettingsError says why the game does not fit, and which
    games do.
    """
    try:
        points = _points(game, board)
    except _MisfitError as why:
        others = [other.name for other in map(load, names()) if other.name != game.name and fits(other, board)]
        fault = f"{game.name} does not fit on this board ({board.title}): {why}"
        raise SettingsError(f"{fault}; games that fit: {', '.join(others) or 'none'}") from None
    return tuple(_opposite(point, board) for point in points) if turned and board.grid else points


def fits(game: Game[Position], board: Board) -> bool:
    """Whether the game can be laid on the board."""
    try:
        _points(game, board)
    except _MisfitError:
        return False
    return True


def _points(game: Game[Position], board: Board) -> tuple[str, ...]:
    """The points under the sites of `game`; _MisfitError says why there are none."""
    if game.name in board.layouts:
        return _as_drawn(game, board)
    return _centred(game, board) if board.grid else _by_name(game, board)


def _as_drawn(game: Game[Position], board: Board) -> tuple[str, ...]:
    """The points on which the board file draws the sites."""
    drawing = board.layouts[game.name]
    strange = next((site for site in drawing if site not in game.sites), None)
    if strange:
        raise _MisfitError(f"layouts.{game.name}: {strange[:12]!r} is no site of {game.name}")
    missing = next((site for site in game.sites if site not in drawing), None)
    if missing:
        raise _MisfitError(f"layouts.{game.name}: the site {missing} is not drawn")
    return tuple(drawing[site] for site in game.sites)


def _centred(game: Game[Position], board: Board) -> tuple[str, ...]:
    """The squares in the middle of the board."""
    (files, ranks), (wide, high) = board.size, size(game.places)
    if game.links or wide > files or high > ranks:
        raise _MisfitError(f"draw it in layouts.{game.name}")
    left, low = (files - wide) // 2, (ranks - high) // 2
    at = board.at
    return tuple(at[int(x + left), int(y + low)] for x, y in (game.places[site] for site in game.sites))


def _by_name(game: Game[Position], board: Board) -> tuple[str, ...]:
    """The points of the same names."""
    if any(site not in board.places for site in game.sites):
        raise _MisfitError("it has other points")
    return game.sites


def _opposite(point: str, board: Board) -> str:
    """The square of which the player on the other side has the view that this side has of `point`."""
    (files, ranks), (x, y) = board.size, board.places[point]
    return board.at[files - 1 - x, ranks - 1 - y]


def check_layouts(board: Board) -> Board:
    """`board`; SettingsError if it draws a game that there is not, or no game fits."""
    strange = next((name for name in board.layouts if name not in names()), None)
    if strange:
        raise SettingsError(f"layouts.{clip(strange)}: there is no such game; the games are {', '.join(names())}")
    if not any(fits(load(name), board) for name in names()):
        raise SettingsError(f"no game fits on this board ({board.title}); draw one in its table layouts")
    return board


def usable_sense(game: Game[Position], scanner: Sense) -> Sense:
    """What a scanner of this sense tells of the game's pieces: no colours of seeds, no counts of stones."""
    return scanner if scanner is full_sense(game) else Sense.PRESENCE


def full_sense(game: Game[Position]) -> Sense:
    """The sense that tells all there is to know of the game's pieces."""
    return Sense.COUNT if game.pieces == "seeds" else Sense.COLOUR
