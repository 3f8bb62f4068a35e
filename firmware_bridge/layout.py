"""How a game lies on a board: the point of the board under each site of the game."""

from __future__ import annotations

from games.rules import Game, Position, clip, load, names
from hardware.board import Board, size
from hardware.device import Sense
from hardware.settings import SettingsError


class Misfit(Exception):
    """Why a game cannot be laid on a board."""


def lay_out(game: Game[Position], board: Board, *, turned: bool = False) -> tuple[str, ...]:
    """The points under the sites of `game`, in their order; `turned` by half a turn, for players in each other's seats.

    As the board file draws it; else squares in the middle of a board of squares, or points of the same names, which
    cannot be turned. SettingsError says why the game does not fit, and which do.
    """
    try:
        points = lie(game, board)
    except Misfit as why:
        others = [other.name for other in map(load, names()) if other.name != game.name and fits(other, board)]
        fault = f"{game.name} does not fit on this board ({board.title}): {why}"
        raise SettingsError(f"{fault}; games that fit: {', '.join(others) or 'none'}") from None
    return tuple(opposite(point, board) for point in points) if turned and board.grid else points


def fits(game: Game[Position], board: Board) -> bool:
    """Whether the game can be laid on the board."""
    try:
        lie(game, board)
    except Misfit:
        return False
    return True


def lie(game: Game[Position], board: Board) -> tuple[str, ...]:
    """The points under the sites of `game`; Misfit."""
    if game.name in board.layouts:
        return drawn(game, board)
    return centred(game, board) if board.grid else named(game, board)


def drawn(game: Game[Position], board: Board) -> tuple[str, ...]:
    """As the board file draws the game."""
    drawing = board.layouts[game.name]
    strange = next((site for site in drawing if site not in game.sites), None)
    if strange:
        raise Misfit(f"layouts.{game.name}: {strange[:12]!r} is no site of {game.name}")
    missing = next((site for site in game.sites if site not in drawing), None)
    if missing:
        raise Misfit(f"layouts.{game.name}: the site {missing} is not drawn")
    return tuple(drawing[site] for site in game.sites)


def centred(game: Game[Position], board: Board) -> tuple[str, ...]:
    """Square upon square, in the middle of the board."""
    (files, ranks), (wide, high) = board.size, size(game.places)
    if game.links or wide > files or high > ranks:
        raise Misfit(f"draw it in layouts.{game.name}")
    left, low = (files - wide) // 2, (ranks - high) // 2
    at = board.at
    return tuple(at[int(x + left), int(y + low)] for x, y in (game.places[site] for site in game.sites))


def named(game: Game[Position], board: Board) -> tuple[str, ...]:
    """Points of the same names."""
    if any(site not in board.places for site in game.sites):
        raise Misfit("it has other points")
    return game.sites


def opposite(point: str, board: Board) -> str:
    """The square that lies where `point` does for whoever sits on the other side."""
    (files, ranks), (x, y) = board.size, board.places[point]
    return board.at[files - 1 - x, ranks - 1 - y]


def check_layouts(board: Board) -> Board:
    """`board`, if it draws games that there are; SettingsError."""
    strange = next((name for name in board.layouts if name not in names()), None)
    if strange:
        raise SettingsError(f"layouts.{clip(strange)}: there is no such game; the games are {', '.join(names())}")
    if not any(fits(load(name), board) for name in names()):
        raise SettingsError(f"no game fits on this board ({board.title}); draw one in its table layouts")
    return board


def sensed(game: Game[Position], scanner: Sense) -> Sense:
    """What a scanner of that sense tells of this game's pieces: colours of seeds and counts of stones it does not."""
    return scanner if scanner is fullest(game) else Sense.PRESENCE


def fullest(game: Game[Position]) -> Sense:
    """The sense that tells all there is to tell of this game's pieces."""
    return Sense.COUNT if game.pieces == "seeds" else Sense.COLOUR
