"""The rules of chess, sentence by sentence, and what hands do in each kind of turn."""

from __future__ import annotations

import pytest
from boards import CHESS, KIWIPETE, ROOKS, acts, after, at, complaint, refusal, texts

from games.acts import carry, flip, take
from games.rules import DARK, LIGHT, SENTENCES, Reason

EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
PROMOTION = "1n2k3/P7/8/8/8/8/8/4K3 w - -"


def names(reason: Reason | None) -> set[str]:
    """The sentence that it is, if there is one."""
    return {reason.id} if reason else set()


# Setting up and pieces ------------------------------------------------------------------------


def test_white_begins_with_light_pieces_on_the_first_two_ranks() -> None:
    start = CHESS.start()
    assert str(start) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    assert start.side == 0
    assert start.board == (LIGHT,) * 16 + (0,) * 32 + (DARK,) * 16
    assert CHESS.player_name(0) == "White"


def test_every_piece_but_a_pawn_has_its_letter() -> None:
    letters = dict(zip("abcdefgh", "RNBQKBNR", strict=True))
    assert CHESS.marks(CHESS.start()) == {f"{file}{rank}": letters[file] for file in letters for rank in (1, 8)}
    promoted = after(at(PROMOTION), "a7-b8n")
    assert CHESS.marks(promoted) == {"e1": "K", "b8": "N", "e8": "K"}
    assert {mark: SENTENCES[name] for mark, name in CHESS.kinds.items()} == {
        "K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight",
    }  # fmt: skip


def test_a_dark_square_is_at_the_left_of_white() -> None:
    assert "a1" in CHESS.shaded
    assert len(CHESS.shaded) == 32


@pytest.mark.parametrize(
    ("piece", "targets"),
    [
        ("R", "d1 d2 d3 d5 d6 d7 d8 a4 b4 c4 e4 f4 g4 h4"),
        ("B", "a1 b2 c3 e5 f6 g7 h8 a7 b6 c5 e3 f2 g1"),
        ("Q", "d1 d2 d3 d5 d6 d7 d8 a4 b4 c4 e4 f4 g4 h4 a1 b2 c3 e5 f6 g7 h8 a7 b6 c5 e3 f2 g1"),
        ("N", "b3 b5 c2 c6 e2 e6 f3 f5"),
    ],
)
def test_a_piece_goes_its_way(piece: str, targets: str) -> None:
    position = at(f"1k6/7K/8/8/3{piece}4/8/P7/8")
    assert {text.removeprefix("d4-") for text in texts(position, "d4")} == set(targets.split())


def test_a_king_goes_one_square_any_way() -> None:
    targets = ("c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5")
    assert texts(at("7k/8/8/8/3K4/8/8/R7"), "d4") == {f"d4-{target}" for target in targets}


def test_a_knight_goes_over_whatever_stands_there() -> None:
    assert texts(CHESS.start(), "b1") == {"b1-a3", "b1-c3"}


def test_a_pawn_goes_one_square_or_two_from_where_it_began() -> None:
    position = at("4k3/8/8/8/8/4P3/P7/4K3")
    assert texts(position, "a2") == {"a2-a3", "a2-a4"}
    assert texts(position, "e3") == {"e3-e4"}


def test_a_pawn_takes_diagonally_forward_and_nothing_ahead() -> None:
    assert texts(at("4k3/8/8/8/3n1n2/4P3/8/4K3"), "e3") == {"e3-d4", "e3-f4", "e3-e4"}
    assert texts(at("4k3/8/8/8/4n3/4P3/8/4K3"), "e3") == set()


# What hands do --------------------------------------------------------------------------------


def test_a_piece_is_carried() -> None:
    assert acts(CHESS.start(), "e2-e4") == [carry("e2", "e4", LIGHT)]


def test_what_is_taken_goes_off_before_the_other_piece_comes_there() -> None:
    assert acts(at(KIWIPETE), "e5-d7") == [take("d7"), carry("e5", "d7", LIGHT)]


@pytest.mark.parametrize(
    ("side", "text", "king", "rook"),
    [
        ("w", "e1-g1", ("e1", "g1"), ("h1", "f1")),
        ("w", "e1-c1", ("e1", "c1"), ("a1", "d1")),
        ("b", "e8-g8", ("e8", "g8"), ("h8", "f8")),
        ("b", "e8-c8", ("e8", "c8"), ("a8", "d8")),
    ],
)
def test_king_and_rook_castle(side: str, text: str, king: tuple[str, str], rook: tuple[str, str]) -> None:
    level = LIGHT if side == "w" else DARK
    assert acts(at(ROOKS.replace(" w ", f" {side} ")), text) == [carry(*king, level), carry(*rook, level)]


def test_after_castling_neither_side_of_that_king_can_castle() -> None:
    assert str(after(at(ROOKS), "e1-g1")) == "r3k2r/8/8/8/8/8/8/R4RK1 b kq -"


def test_castling_is_lost_for_good_when_king_or_rook_has_moved() -> None:
    assert str(after(at(ROOKS), "h1-h2", "a8-b8", "h2-h1", "b8-a8")).endswith(" w Qk -")
    assert str(after(at(ROOKS), "e1-e2", "e8-e7", "e2-e1", "e7-e8")).endswith(" w - -")


def test_a_rook_that_is_taken_castles_no_more() -> None:
    assert str(after(at(ROOKS), "a1-a8")).endswith(" b Kk -")


def test_a_pawn_that_passes_one_beside_it_can_be_taken_at_once() -> None:
    position = at(EN_PASSANT)
    assert acts(position, "e5-d6") == [carry("e5", "d6", LIGHT), take("d5")]
    assert str(after(position, "e5-d6")) == "4k3/8/3P4/8/8/8/8/4K3 b - -"
    assert "e5-d6" not in texts(after(position, "e1-d1", "e8-d8"))


def test_a_pawn_taken_in_passing_may_be_taken_off_first() -> None:
    assert all(not act.needs for act in acts(at(EN_PASSANT), "e5-d6"))


def test_a_capture_in_passing_that_leaves_the_king_attacked_is_no_part_of_the_position() -> None:
    """Both pawns would leave the rank of king and rook."""
    passed = after(at("4k3/3p4/8/K3P2r/8/8/8/8 b - -"), "d7-d5")
    assert str(passed) == "4k3/8/8/K2pP2r/8/8/8/8 w - -"
    assert texts(passed, "e5") == {"e5-e6"}


@pytest.mark.parametrize("piece", "qrbn")
def test_a_pawn_on_the_last_rank_becomes_another_piece(piece: str) -> None:
    assert acts(at(PROMOTION), f"a7-a8{piece}") == [carry("a7", "a8", LIGHT), flip("a8", LIGHT)]
    assert acts(at(PROMOTION), f"a7-b8{piece}") == [take("b8"), carry("a7", "b8", LIGHT), flip("b8", LIGHT)]
    assert str(after(at(PROMOTION), f"a7-a8{piece}")).startswith(f"{piece.upper()}n2k3/8/")


def test_a_pawn_on_the_last_rank_is_always_exchanged() -> None:
    assert texts(at(PROMOTION), "a7-a8") == {f"a7-a8{piece}" for piece in "qrbn"}


# The same position ----------------------------------------------------------------------------


def test_a_position_stands_again_when_the_same_turns_are_possible() -> None:
    start = CHESS.start()
    assert after(start, "g1-f3", "g8-f6", "f3-g1", "f6-g8") == start


def test_a_position_with_other_castlings_or_a_pawn_to_take_in_passing_is_another() -> None:
    assert after(at(ROOKS), "h1-h2", "a8-b8", "h2-h1", "b8-a8") != at(ROOKS)
    assert at(EN_PASSANT) != at(EN_PASSANT.replace("d6", "-"))


# Illegal turns --------------------------------------------------------------------------------

REFUSED = [
    ("start", "e7-e5", "It is the turn of White: the piece on e7 stays."),
    ("start", "a1-a2", "A piece of the same side stands on a2: only pieces of the other side are taken."),
    ("start", "a1-a4", "The piece on a1 cannot pass over the one on a2 to a4."),
    ("start", "c1-e3", "The piece on c1 cannot pass over the one on d2 to e3."),
    ("start", "b1-b3", "A knight goes two squares straight and one aside: from b1 it does not come to b3."),
    ("start", "c1-c3", "A bishop goes diagonally: from c1 it does not come to c3."),
    ("start", "a1-b3", "A rook goes straight up, down, left or right: from a1 it does not come to b3."),
    ("start", "d1-c3", "A queen goes straight or diagonally: from d1 she does not come to c3."),
    ("start", "e1-e3", "A king goes to a square beside it: from e1 it does not come to e3."),
    ("start", "e2-e5", "A pawn goes straight forward, one square at a time: from e2 it does not come to e5."),
    ("start", "e2-d3", "A pawn goes diagonally only to take a piece: from e2 there is none to take on d3."),
    (
        "4k3/8/8/4n3/4P3/8/8/4K3",
        "e4-e5",
        "A pawn takes nothing straight ahead: from e4 the way to e5 is not free.",
    ),
    (
        "4k3/8/8/8/8/4P3/8/4K3",
        "e3-e5",
        "A pawn goes two squares only from where it began: from e3 it does not come to e5.",
    ),
    ("4k3/8/8/8/8/8/r7/4K3", "e1-e2", "The king cannot go to e2: the piece on a2 attacks that square."),
    (
        "4k3/8/8/8/4r3/8/P7/4K3",
        "a2-a3",
        "The king on e1 is in check by the piece on e4, and moving the one on a2 does not help.",
    ),
    (
        "4k3/8/8/8/4r3/4N3/8/4K3",
        "e3-c4",
        "The piece on e3 must stay between: else the one on e4 attacks the king on e1.",
    ),
    (
        "4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6",
        "e5-d6",
        "The piece on e5 must stay between: else the one on e8 attacks the king on e1.",
    ),
    (
        "4r1k1/8/8/2PpP3/4K3/8/8/8 w - d6",
        "e5-d6",
        "The piece on e5 must stay between: else the one on e8 attacks the king on e4.",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w - -",
        "e1-g1",
        "No castling: the king on e1 or the rook on h1 has been moved before.",
    ),
    (
        "4k3/8/8/8/8/8/8/RN2K3 w Q -",
        "e1-c1",
        "No castling: a piece stands between king and rook, on b1.",
    ),
    (
        "4k3/8/8/8/4r3/8/8/4K2R w K -",
        "e1-g1",
        "No castling out of check: the piece on e4 attacks the king on e1.",
    ),
    (
        "4k3/8/8/8/5r2/8/8/4K2R w K -",
        "e1-g1",
        "No castling: the king would cross f1, which the piece on f4 attacks.",
    ),
    (
        "4k3/8/8/8/6r1/8/8/4K2R w K -",
        "e1-g1",
        "No castling: the king would come to g1, which the piece on g4 attacks.",
    ),
    ("start", "e2e4", "e2e4 is written e2-e4 here."),
    ("start", "Nf3", "Nf3 is written g1-f3 here."),
    (ROOKS, "O-O-O", "O-O-O is written e1-c1 here."),
    (PROMOTION, "axb8=N", "axb8=N is written a7-b8n here."),
    ("start", "0000", "0000 is no turn of this position; g1-h3, for one, is. The legal turns can be listed."),
    ("start", "--", "-- is no turn of this position; g1-h3, for one, is. The legal turns can be listed."),
    ("start", "e2-e9", "e2-e9 is no turn of this position; g1-h3, for one, is. The legal turns can be listed."),
]
OVER = [
    (
        "R3k3/8/4K3/8/8/8/8/8 b - -",
        0,
        "White wins: checkmate, the king of Black on e8 cannot be saved.",
        ("e8", "a8"),
    ),
    (
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -",
        1,
        "Black wins: checkmate, the king of White on e1 cannot be saved.",
        ("e1", "h4"),
    ),
    (
        "7k/5Q2/6K1/8/8/8/8/8 b - -",
        None,
        "Stalemate, so the game is drawn: Black has no turn, and the king on h8 is not in check.",
        ("h8",),
    ),
    ("8/8/4k3/8/8/3KB3/8/8 w - -", None, "Drawn: neither side has the pieces left to win.", ()),
]


def position_of(text: str) -> str:
    """The text of a position that may be the first one."""
    return str(CHESS.start()) if text == "start" else text


@pytest.mark.parametrize(("text", "played", "sentence"), REFUSED)
def test_a_refused_turn_is_told_why(text: str, played: str, sentence: str) -> None:
    assert refusal(at(position_of(text)), played) == sentence


@pytest.mark.parametrize(("text", "winner", "sentence", "sites"), OVER)
def test_a_game_ends(text: str, winner: int | None, sentence: str, sites: tuple[str, ...]) -> None:
    outcome = CHESS.outcome(at(text))
    assert outcome is not None
    assert (outcome.winner, str(outcome), outcome.sites) == (winner, sentence, sites)
    assert CHESS.turns(at(text)) == ()


def test_a_check_is_told() -> None:
    assert CHESS.aside(CHESS.start()) is None
    assert str(CHESS.aside(at("4k3/8/8/8/4r3/8/8/4K3"))) == "The king of White on e1 is in check."


def test_every_sentence_of_the_game_is_said_in_these_tests() -> None:
    said = {"chess.summary", *CHESS.players, *CHESS.kinds.values()}
    for text, played, sentence in REFUSED:
        position = at(position_of(text))
        said |= {reason.id for turn in CHESS.refused(position) if (reason := turn.reason) and turn.text == played}
        said |= names(CHESS.explain(position, played)) if "written" in sentence else set()
    for text, *_ in OVER:
        said |= {outcome.reason.id for outcome in [CHESS.outcome(at(text))] if outcome}
    said |= names(CHESS.aside(at("4k3/8/8/8/4r3/8/8/4K3")))
    assert said == {id for id in SENTENCES if id.startswith("chess.")}


def test_castling_that_is_refused_is_told_of_both_pieces_and_of_the_king_alone() -> None:
    tried = [turn for turn in CHESS.refused(at("4k3/8/8/8/8/8/8/R3K2R w - -")) if turn.text == "e1-g1"]
    assert [turn.acts for turn in tried] == [
        (carry("e1", "g1", LIGHT), carry("h1", "f1", LIGHT)),
        (carry("e1", "g1", LIGHT),),
    ]
    assert [str(turn.after) for turn in tried] == [
        "4k3/8/8/8/8/8/8/R4RK1 b - -",
        "4k3/8/8/8/8/8/8/R5KR b - -",
    ]


def test_a_refused_turn_of_the_other_side_leaves_the_turn_where_it_is() -> None:
    (tried,) = (turn for turn in CHESS.refused(CHESS.start()) if turn.text == "e7-e5")
    assert tried.after.side == 0


def test_no_king_is_taken_in_a_turn_that_people_try() -> None:
    assert not [tried for tried in CHESS.refused(at(KIWIPETE)) if tried.text.endswith("e8")]


# Texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "a position reads 'pieces side castling en-passant'"),
        ("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "8 rows"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq -", "'w' or 'b'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPX/RNBQKBNR w KQkq -", "invalid character"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9", "en passant"),
        ("8/8/8/8/8/8/8/4K3 w - -", "Black has no king"),
        ("4k3/8/8/8/8/8/8/8 w - -", "White has no king"),
        ("4k3/8/8/8/8/8/8/K3K3 w - -", "there are more than two kings"),
        ("P3k3/8/8/8/8/8/8/4K3 w - -", "a pawn stands on the first or the last rank"),
        ("4k3/8/8/8/8/8/8/4K3 w K -", "the castling rights do not fit the kings and rooks"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - -", "the side that is not to move is in check"),
        ("4k3/8/8/8/8/8/8/4K2R w K e3", "is written '4k3/8/8/8/8/8/8/4K2R w K -'"),
    ],
)
def test_a_position_error_says_what_is_wrong(text: str, words: str) -> None:
    assert words in complaint(text)
