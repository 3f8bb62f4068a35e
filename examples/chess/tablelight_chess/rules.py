"""Chess by the rules of python-chess: which turns there are, what hands do in them, and why others are none.

A position is what the text says: pieces, side to move, castling rights, and the square of a capture en passant where
one is legal. These are what must be equal for the same position to stand again, so the table's house rule draws the
game at the third time. How long ago a pawn was moved is no part of a position: the draws by 50 and by 75 turns are
for the players to claim.

The two levels are the colours, as a sensor of colours shows them: Black's pieces are dark, White's light. Which piece
of its colour stands on a square no sensor tells; the rules know it from the turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import chess

from games.acts import Act, carry, flip, take
from games.grid import Grid
from games.rules import DARK, LIGHT, Game, Outcome, Position, PositionError, Reason, Turn, clip, say
from games.text import fields

GRID = Grid(8)
SITES = GRID.sites
LEVELS = {chess.WHITE: LIGHT, chess.BLACK: DARK}
PIECES = {
    chess.PAWN: "pawn",
    chess.KNIGHT: "knight",
    chess.BISHOP: "bishop",
    chess.ROOK: "rook",
    chess.QUEEN: "queen",
    chess.KING: "king",
}
UNREAL = {
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "there are more than two kings",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn stands on the first or the last rank",
    chess.STATUS_BAD_CASTLING_RIGHTS: "the castling rights do not fit the kings and rooks",
    chess.STATUS_OPPOSITE_CHECK: "the side that is not to move is in check",
}
"""What keeps a position from being played, with its words; more pawns than eight, say, do not."""
Key = tuple[int, ...]
"""Bitboards of pawns, knights, bishops, rooks, queens, kings, of White's pieces, of Black's, and of the rooks that may
castle; who is to move; the square of a legal capture en passant, -1 for none."""
KINGS, CASTLING, TURN = 5, 8, 9
"""Where these are in it."""
Way = tuple[int, int]
"""The numbers of the squares between which a piece is carried."""


# Positions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Diagram(Position):
    """The pieces on the squares by ranks from a1, and what else the next turns depend on."""

    key: Key
    cells: bytes = field(compare=False)
    side: int = field(compare=False)

    def __str__(self) -> str:
        return self.set_up().epd()

    def carried(self, *ways: Way) -> Diagram:
        """The position with pieces of one side carried so, whatever the rules say, and the other side to move."""
        key, cells = [*self.key], bytearray(self.cells)
        for origin, target in ways:
            start, end = chess.BB_SQUARES[origin], chess.BB_SQUARES[target]
            if key[KINGS] & start:
                key[CASTLING] &= ~chess.BB_RANKS[origin >> 3]
            for place in range(CASTLING):
                if key[place] & start:
                    key[place] = key[place] & ~start | end
                elif key[place] & end:
                    key[place] &= ~end
            key[CASTLING] &= ~(start | end)
            cells[target], cells[origin] = cells[origin], 0
        side = 0 if cells[target] == DARK else 1
        return Diagram((*key[:TURN], 1 - side, -1), bytes(cells), side)

    def set_up(self) -> chess.Board:
        """A board of its own with this position."""
        board = chess.Board(None)
        (
            board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
            white, black, board.castling_rights, turn, passant,
        ) = self.key  # fmt: skip
        board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK], board.occupied = white, black, white | black
        board.turn = bool(turn)
        board.ep_square = None if passant < 0 else passant
        return board


def diagram(board: chess.Board) -> Diagram:
    """The position on `board`."""
    passant = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else -1
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    cells = bytearray(64)
    for level, squares in ((LIGHT, white), (DARK, black)):
        for square in chess.scan_forward(squares):
            cells[square] = level
    key = (
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
        white, black, board.clean_castling_rights(), int(board.turn), passant,
    )  # fmt: skip
    return Diagram(key, bytes(cells), 0 if board.turn else 1)


START = diagram(chess.Board())


# Turns ----------------------------------------------------------------------------------------


def written(move: chess.Move) -> str:
    """The text of a move: ``e2-e4``, ``e7-e8q``, and castling as the king goes, ``e1-g1``."""
    uci = move.uci()
    return f"{uci[:2]}-{uci[2:]}"


def handled(board: chess.Board, move: chess.Move) -> tuple[Act, ...]:
    """What hands do in a legal move: a captured piece goes off first, but for a pawn captured en passant."""
    level, origin, target = LEVELS[board.turn], SITES[move.from_square], SITES[move.to_square]
    if board.is_castling(move):
        rook = corner(move)
        return carry(origin, target, level), carry(SITES[rook[0]], SITES[rook[1]], level)
    if board.is_en_passant(move):
        passed = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        return carry(origin, target, level), take(SITES[passed])
    taken = (take(target),) if board.piece_type_at(move.to_square) else ()
    exchanged = (flip(target, level),) if move.promotion else ()
    return *taken, carry(origin, target, level), *exchanged


def corner(move: chess.Move) -> Way:
    """Where the rook goes when the king castles so."""
    king = move.from_square
    return (king + 3, king + 1) if move.to_square > king else (king - 4, king - 1)


class Chess(Game[Diagram]):
    """The rules of chess, without those about clocks and claims."""

    name = "chess"
    title = "Chess"
    sign = ("x.x", "xxx", "xxx")
    players = ("chess.white", "chess.black")
    sites = SITES
    places = GRID.places
    shaded = GRID.shaded
    kinds: ClassVar[Mapping[str, str]] = {
        "K": "chess.kind-king",
        "Q": "chess.kind-queen",
        "R": "chess.kind-rook",
        "B": "chess.kind-bishop",
        "N": "chess.kind-knight",
    }
    summary = """\
Two players, White and Black; White begins. A piece that comes to a square where one of the other side stands takes it.
Rooks go any number of empty squares straight, bishops diagonally, queens either way, kings one square any way; knights
go two squares straight and one aside, over whatever stands there. Pawns go one square straight forward, or two from
where they began, and take one square diagonally forward; on the last rank a pawn becomes a queen, rook, bishop or
knight. A pawn that has just gone two squares can be taken by a pawn as if it had gone one.
If neither has moved, king and rook may castle: the king goes two squares towards the rook, and the rook to the square
that the king has crossed. Nothing may stand between them, and the king may not be attacked where it stands, on the way
or where it comes to.
You may not leave your own king attacked. If your king is attacked and no turn saves it, you have lost; if it is not
attacked and you have no turn, or if neither side has the pieces left to win, the game is drawn."""

    def start(self) -> Diagram:
        return START

    def position(self, text: str) -> Diagram:
        fields(text, "pieces side castling en-passant")
        try:
            board = chess.Board(f"{text} 0 1")
        except ValueError as error:
            raise PositionError(clip(str(error), 160)) from None
        status = board.status()
        for flag, fault in UNREAL.items():
            if status & flag:
                raise PositionError(f"{clip(text, 90)!r}: {fault}")
        if text != board.epd():
            raise PositionError(f"{clip(text, 90)!r} is written {board.epd()!r}")
        return diagram(board)

    def turns(self, position: Diagram) -> tuple[Turn[Diagram], ...]:
        board = position.set_up()
        if board.is_insufficient_material():
            return ()
        return tuple(self._turn(board, move) for move in board.generate_legal_moves())

    @staticmethod
    def _turn(board: chess.Board, move: chess.Move) -> Turn[Diagram]:
        after = board.copy(stack=False)
        after.push(move)
        return Turn(written(move), diagram(after), handled(board, move))

    # What people try, and why not -------------------------------------------------------------

    def tries(self, position: Diagram) -> Iterator[Turn[Diagram]]:
        board = position.set_up()
        if board.is_insufficient_material():
            return
        yield from attempts(board, position)

    def explain(self, position: Diagram, text: str) -> Reason:
        if (turn := read(position.set_up(), text)) and turn != text:
            return Reason.of("chess.written", turn=clip(text), written=turn)
        return super().explain(position, text)

    # The end ----------------------------------------------------------------------------------

    def aside(self, position: Diagram) -> Reason | None:
        board = position.set_up()
        king = board.king(board.turn)
        if king is None or not board.is_check():
            return None
        return Reason.of("chess.check", player=self.players[position.side], square=SITES[king])

    def marks(self, position: Diagram) -> dict[str, str]:
        figures = zip("NBRQK", position.key[1 : KINGS + 1], strict=True)
        return {SITES[square]: mark for mark, squares in figures for square in chess.scan_forward(squares)}

    def outcome(self, position: Diagram) -> Outcome | None:
        board = position.set_up()
        if board.is_insufficient_material():
            return Outcome(None, Reason("chess.material"))
        if any(board.generate_legal_moves()):
            return None
        king = board.king(board.turn)
        square, players = ("" if king is None else SITES[king]), self.players
        if not board.is_check():
            return Outcome(None, Reason.of("chess.stalemate", player=players[position.side], square=square), (square,))
        winner = 1 - position.side
        mate = Reason.of("chess.mate", player=players[winner], other=players[position.side], square=square)
        return Outcome(winner, mate, (square, *(SITES[checker] for checker in board.checkers())))


def read(board: chess.Board, text: str) -> str | None:
    """The text of the legal move that `text` means in one of the usual notations; None if there is none."""
    for parse in (board.parse_uci, board.parse_san):
        try:
            move = parse(text)
        except ValueError:
            continue
        if move:  # there is a notation for none
            return written(move)
    return None


# Illegal turns --------------------------------------------------------------------------------


def attempts(board: chess.Board, position: Diagram) -> Iterator[Turn[Diagram]]:
    """What people try who forget a rule: castling, turns that leave the king attacked, ways that no piece goes.

    Last come turns of the other side. Each goes from one square to another by which no legal turn goes, so that none
    is the beginning of one.
    """
    legal = {(move.from_square, move.to_square) for move in board.generate_legal_moves()}
    for move, reason in castlings(board):
        if (move.from_square, move.to_square) not in legal:
            yield castled(position, move, reason)
    pseudo = {(move.from_square, move.to_square) for move in board.generate_pseudo_legal_moves()} - legal
    for origin, target in sorted(pseudo):
        yield attempted(position, (origin, target), exposed(board, position, origin, target))
    for origin in chess.scan_forward(board.occupied_co[board.turn]):
        for target in chess.SQUARES:
            if (origin, target) in legal or (origin, target) in pseudo or origin == target:
                continue
            if wrong := fault(board, origin, target):
                yield attempted(position, (origin, target), wrong)
    yield from others(board, position)


def attempted(position: Diagram, way: Way, reason: Reason) -> Turn[Diagram]:
    """The piece goes its way and takes what stands at the end of it, whatever the rules say."""
    start, end = SITES[way[0]], SITES[way[1]]
    level = position.cells[way[0]]
    taken = (take(end),) if position.cells[way[1]] else ()
    return Turn(f"{start}-{end}", position.carried(way), (*taken, carry(start, end, level)), reason)


def others(board: chess.Board, position: Diagram) -> Iterator[Turn[Diagram]]:
    """Turns of the side that is not to move."""
    other = board.copy(stack=False)
    other.turn, other.ep_square = not board.turn, None
    player = Chess.players[0 if board.turn else 1]
    ways = {(move.from_square, move.to_square) for move in other.generate_pseudo_legal_moves()}
    for origin, target in sorted(ways):
        if not (other.is_castling(chess.Move(origin, target)) or board.kings & chess.BB_SQUARES[target]):
            yield attempted(position, (origin, target), Reason.of("chess.turn", player=player, square=SITES[origin]))


def exposed(board: chess.Board, position: Diagram, origin: int, target: int) -> Reason:
    """Which piece the king is left to."""
    after = position.carried((origin, target)).set_up()
    if board.ep_square == target and board.pawns & chess.BB_SQUARES[origin]:
        after.remove_piece_at(chess.square(chess.square_file(target), chess.square_rank(origin)))
    king = after.king(board.turn)
    if king is None:
        raise AssertionError("a move that is not legal leaves a king attacked")
    attacking = next(iter(after.attackers(not board.turn, king)))
    attacker = SITES[attacking]
    if king == target:
        return Reason.of("chess.into-check", target=SITES[target], attacker=attacker)
    name = "in-check" if attacking in board.checkers() else "pinned"
    return Reason.of(f"chess.{name}", square=SITES[origin], king=SITES[king], attacker=attacker)


# Castling


def castlings(board: chess.Board) -> Iterator[tuple[chess.Move, Reason]]:
    """The castlings of the side to move that its king and rooks stand for, with what is against each."""
    king, rank = (chess.E1, 0) if board.turn else (chess.E8, 7)
    own = board.occupied_co[board.turn]
    for file, between in ((7, (5, 6)), (0, (3, 2, 1))):
        rook = chess.square(file, rank)
        way = [chess.square(at, rank) for at in between]
        free = not board.occupied & (chess.BB_SQUARES[way[0]] | chess.BB_SQUARES[way[1]])
        if board.kings & own & chess.BB_SQUARES[king] and board.rooks & own & chess.BB_SQUARES[rook] and free:
            yield chess.Move(king, way[1]), uncastled(board, king, rook, way)


def uncastled(board: chess.Board, king: int, rook: int, way: list[int]) -> Reason:
    """What is against castling: the king would cross the first square of `way`, and come to the second."""
    if not board.castling_rights & chess.BB_SQUARES[rook]:
        return Reason.of("chess.castling-moved", king=SITES[king], rook=SITES[rook])
    for between in way:
        if board.occupied & chess.BB_SQUARES[between]:
            return Reason.of("chess.castling-between", square=SITES[between])
    names = ("castling-out", "castling-over", "castling-into")
    for name, square in zip(names, (king, *way[:2]), strict=True):
        for attacker in board.attackers(not board.turn, square):
            return Reason.of(f"chess.{name}", square=SITES[square], attacker=SITES[attacker])
    return Reason.of("chess.castling-moved", king=SITES[king], rook=SITES[rook])


def castled(position: Diagram, move: chess.Move, reason: Reason) -> Turn[Diagram]:
    """King and rook carried as in castling."""
    king, rook = (move.from_square, move.to_square), corner(move)
    acts = [carry(SITES[origin], SITES[target], position.cells[origin]) for origin, target in (king, rook)]
    return Turn(written(move), position.carried(king, rook), tuple(acts), reason)


# How pieces go


def fault(board: chess.Board, origin: int, target: int) -> Reason | None:
    """Why the piece on `origin` of the side to move does not go to `target`; None for what nobody would try."""
    there, piece = chess.BB_SQUARES[target], board.piece_type_at(origin)
    if piece is None or board.kings & there:
        return None
    goes = board.attacks_mask(origin) & there
    if board.occupied_co[board.turn] & there:
        return Reason.of("chess.own", square=SITES[target]) if goes else None
    if piece == chess.PAWN:
        return pawn_fault(board, origin, target)
    square, end = SITES[origin], SITES[target]
    if straight(piece, origin, target):
        blocked = next(chess.scan_forward(chess.between(origin, target) & board.occupied))
        return Reason.of("chess.blocked", square=square, target=end, between=SITES[blocked])
    return Reason.of(f"chess.{PIECES[piece]}", square=square, target=end)


def straight(piece: chess.PieceType, origin: int, target: int) -> bool:
    """Whether it is a rook's, a bishop's or a queen's way."""
    lines = chess.BB_RANK_ATTACKS[origin][0] | chess.BB_FILE_ATTACKS[origin][0]
    slants = chess.BB_DIAG_ATTACKS[origin][0]
    ways = {chess.ROOK: lines, chess.BISHOP: slants, chess.QUEEN: lines | slants}.get(piece, 0)
    return bool(ways & chess.BB_SQUARES[target])


def pawn_fault(board: chess.Board, origin: int, target: int) -> Reason:
    """Why a pawn does not go there."""
    forward = 1 if board.turn else -1
    ahead = forward * (chess.square_rank(target) - chess.square_rank(origin))
    aside = abs(chess.square_file(target) - chess.square_file(origin))
    values = {"square": SITES[origin], "target": SITES[target]}
    if aside == 1 and ahead == 1:
        return Reason.of("chess.pawn-aside", **values)
    if aside == 0 and ahead in (1, 2):
        first, second = origin + 8 * forward, chess.BB_SQUARES[target]
        if board.occupied & (chess.BB_SQUARES[first] | second):
            return Reason.of("chess.pawn-blocked", **values)
        return Reason.of("chess.pawn-far", **values)
    return Reason.of("chess.pawn", **values)


say(
    "chess",
    summary=Chess.summary,
    white="White",
    black="Black",
    kind_king="king",
    kind_queen="queen",
    kind_rook="rook",
    kind_bishop="bishop",
    kind_knight="knight",
    turn="It is the turn of {player}: the piece on {square} stays.",
    own="A piece of the same side stands on {square}: only pieces of the other side are taken.",
    blocked="The piece on {square} cannot pass over the one on {between} to {target}.",
    knight="A knight goes two squares straight and one aside: from {square} it does not come to {target}.",
    bishop="A bishop goes diagonally: from {square} it does not come to {target}.",
    rook="A rook goes straight up, down, left or right: from {square} it does not come to {target}.",
    queen="A queen goes straight or diagonally: from {square} she does not come to {target}.",
    king="A king goes to a square beside it: from {square} it does not come to {target}.",
    pawn="A pawn goes straight forward, one square at a time: from {square} it does not come to {target}.",
    pawn_aside="A pawn goes diagonally only to take a piece: from {square} there is none to take on {target}.",
    pawn_blocked="A pawn takes nothing straight ahead: from {square} the way to {target} is not free.",
    pawn_far="A pawn goes two squares only from where it began: from {square} it does not come to {target}.",
    into_check="The king cannot go to {target}: the piece on {attacker} attacks that square.",
    in_check="The king on {king} is in check by the piece on {attacker}, and moving the one on {square} does not help.",
    pinned="The piece on {square} must stay between: else the one on {attacker} attacks the king on {king}.",
    castling_moved="No castling: the king on {king} or the rook on {rook} has been moved before.",
    castling_between="No castling: a piece stands between king and rook, on {square}.",
    castling_out="No castling out of check: the piece on {attacker} attacks the king on {square}.",
    castling_over="No castling: the king would cross {square}, which the piece on {attacker} attacks.",
    castling_into="No castling: the king would come to {square}, which the piece on {attacker} attacks.",
    written="{turn} is written {written} here.",
    check="The king of {player} on {square} is in check.",
    mate="{player} wins: checkmate, the king of {other} on {square} cannot be saved.",
    stalemate="Stalemate, so the game is drawn: {player} has no turn, and the king on {square} is not in check.",
    material="Drawn: neither side has the pieces left to win.",
)
