"""How a game lies on a board: the point of the board under each site of the game.

On squares a game lies by its geometry, in the first of these ways that the board has room for:

 1. Sites a whole number of pitches apart lie square upon square; rows of pits a few squares apart, if there is room.
 2. Sites on circles lie on rings of squares about the middle.
 3. All others keep their order from left to right and from bottom to top.
 4. Where that is too wide, rows that lie half a pitch aside of each other, as hexagons do, are moved half a square.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import dist, hypot

from games.rules import Game, Position, Site, available, clip, load, names
from hardware.board import Board, size
from hardware.device import Sense
from hardware.settings import SettingsError

APART = 3
"""Squares from one row of pits to the next where the board has room, for the hands that reach into them."""
NEAR = 1e-6
"""Pitches by which a place may miss a whole number, as sines and cosines do."""
Places = Mapping[Site, tuple[float, float]]
Squares = dict[Site, tuple[int, int]]


class _MisfitError(Exception):
    """Why a game cannot be laid on a board."""


def lay_out(game: Game[Position], board: Board, *, turned: bool = False) -> tuple[str, ...]:
    """The points under the sites of `game`, in the order of the sites.

    The game lies as the board file draws it. A game that is not drawn lies by its geometry in the middle of a board of
    squares; on any other board it lies on the points of the same names, if there are no others. `turned` turns the game
    by half a turn, for players in each other's seats; only a board of squares can be turned. SettingsError says why the
    game does not fit, and which games do.
    """
    try:
        points = _points(game, board)
    except _MisfitError as why:
        others = [other.name for other in available()[0] if other.name != game.name and fits(other, board)]
        fault = f"{game.name} does not fit on this board ({board.title}): {why}"
        raise SettingsError(f"{fault}; games that fit: {', '.join(others) or 'none'}") from None
    return tuple(_opposite(point, board) for point in points) if turned and board.grid else points


def seen_on(game: Game[Position], board: Board) -> Places:
    """Where the sites of `game` lie on `board`, in pitches, y up, to the eye of the first player.

    On a board of squares they lie as `lay_out` has them. Of named points a board file tells no places: there the game
    lies as it says itself. SettingsError if it does not fit.
    """
    if not board.grid:
        return game.places
    return {site: board.places[point] for site, point in zip(game.sites, lay_out(game, board), strict=True)}


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
    """Squares in the middle of the board; a rank that is left over lies before the first player."""
    files, ranks = board.size
    taken: list[tuple[int, int]] = []
    for way in (_square_upon_square, _on_rings, _in_order, _in_rows):
        squares = way(game.places)
        if not squares:
            continue
        if game.pieces == "seeds":
            squares = _spread(squares, ranks)
        wide, high = size(squares)
        taken.append((wide, high))
        if wide <= files and high <= ranks:
            left, low, at = (files - wide) // 2, (ranks - high + 1) // 2, board.at
            return tuple(at[squares[site][0] + left, squares[site][1] + low] for site in game.sites)
    wide, high = min(taken, key=lambda most: most[0] * most[1])
    drawn = "" if len(game.sites) > files * ranks else f", unless you draw it in layouts.{game.name}"
    raise _MisfitError(f"it takes {wide} by {high} squares{drawn}")


def _square_upon_square(places: Places) -> Squares:
    """Places that are whole numbers of pitches apart, counted from the lowest; none unless each has its own square."""
    left, low = (min(axis) for axis in zip(*places.values(), strict=True))
    squares = {site: (round(x - left), round(y - low)) for site, (x, y) in places.items()}
    misses = (dist((x - left, y - low), squares[site]) for site, (x, y) in places.items())
    return squares if max(misses) < NEAR and len({*squares.values()}) == len(squares) else {}


def as_on_squares(game: Game[Position]) -> Places:
    """Where the sites of `game` lie to the eye, y up, in pitches: of points on circles, as a board of squares has them.

    So a screen shows the very web that is printed on the sheet for such a table. All other games lie as they say.
    """
    return (_on_rings(game.places) if game.links else {}) or game.places


def _on_rings(places: Places) -> Squares:
    """Each place on the ring of squares that is as far from the middle as its circle; none if that is no square."""
    across, up = ((min(axis) + max(axis)) / 2 for axis in zip(*places.values(), strict=True))

    def ring(x: float, y: float) -> tuple[float, float]:
        wider = hypot(x, y) / (max(abs(x), abs(y)) or 1)
        return x * wider, y * wider

    return _square_upon_square({site: ring(x - across, y - up) for site, (x, y) in places.items()})


def _in_order(places: Places) -> Squares:
    """Every place in the file and the rank that are its own from left to right and from bottom to top."""
    xs, ys = (sorted({round(at, 6) for at in axis}) for axis in zip(*places.values(), strict=True))
    return {site: (xs.index(round(x, 6)), ys.index(round(y, 6))) for site, (x, y) in places.items()}


def _in_rows(places: Places) -> Squares:
    """Every place in the rank that is its own from bottom to top, and in the file that it begins in."""
    left, ordered = min(x for x, _ in places.values()), _in_order(places)
    return _square_upon_square({site: (int(x - left + NEAR), ordered[site][1]) for site, (x, _) in places.items()})


def _spread(squares: Squares, ranks: int) -> Squares:
    """The same with their rows as far apart as `APART`, or as so many ranks allow."""
    last = max(y for _, y in squares.values())
    apart = max(1, min(APART, (ranks - 1) // last)) if last else 1
    return {site: (x, y * apart) for site, (x, y) in squares.items()}


def _by_name(game: Game[Position], board: Board) -> tuple[str, ...]:
    """The points of the same names; all of them, for names that two boards share by chance tell nothing of a place."""
    if any(site not in board.places for site in game.sites):
        raise _MisfitError("it has other points")
    if len(game.sites) < len(board.places):
        drawn = f"unless you draw it in layouts.{game.name}"
        raise _MisfitError(f"it has {len(game.sites)} of its {len(board.places)} points, {drawn}")
    return game.sites


def _opposite(point: str, board: Board) -> str:
    """The square of which the player on the other side has the view that this side has of `point`."""
    (files, ranks), (x, y) = board.size, board.places[point]
    return board.at[files - 1 - x, ranks - 1 - y]


def check_layouts(board: Board) -> Board:
    """`board`; SettingsError if it draws a game that there is not, or no game fits."""
    known = names(installed=True)
    strange = next((name for name in board.layouts if name not in known), None)
    if strange:
        raise SettingsError(f"layouts.{clip(strange)}: there is no such game; the games are {', '.join(known)}")
    if not (any(fits(load(name), board) for name in names()) or any(fits(game, board) for game in available()[0])):
        raise SettingsError(f"no game fits on this board ({board.title}); draw one in its table layouts")
    return board


def usable_sense(game: Game[Position], scanner: Sense) -> Sense:
    """What a scanner of this sense tells of the game's pieces: no colours of seeds, no counts of stones."""
    return scanner if scanner is full_sense(game) else Sense.PRESENCE


def full_sense(game: Game[Position]) -> Sense:
    """The sense that tells all there is to know of the game's pieces."""
    return Sense.COUNT if game.pieces == "seeds" else Sense.COLOUR
