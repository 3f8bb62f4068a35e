"""The conversation with a board, by messages and in a time of its own."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.serial import frames
from hardware.serial.conversation import AT_ONCE, BACK_OFF, LONGEST_BACK_OFF, Conversation, PictureUpdate
from hardware.serial.frames import Frame, FrameDecoder, Hello
from hardware.serial.port import UNSENT

HELLO = struct.pack("<BBBHHBI", 2, 1, 0, 8, 40, 4, 1000)


class Board:
    """The other end, moved by hand: what the link has sent, and what it is to hear."""

    def __init__(self) -> None:
        self.link = Conversation("/dev/board")
        self.now = 0.0
        self._cutter = FrameDecoder()
        self.link.opened(0.0)

    def sent(self, after: float = 0.0) -> list[Frame]:
        """The frames that are due after so many seconds."""
        self.now += after
        return self._cutter.feed(self.link.due(self.now))

    def says(self, kind: int, body: bytes = b"") -> None:
        self.link.receive(frames.pack(Frame(kind, 0, body)), self.now)

    def event(self, count: int, channel: int, level: int) -> None:
        self.says(frames.EVENT, struct.pack("<HIBB", count, 1000, channel, level))

    def snapshot(self, levels: int, count: int = 0, pressed: int = 0) -> None:
        self.says(frames.SNAPSHOT, struct.pack("<IHBB", 1000, count, pressed, levels))

    def beat(self, levels: int, count: int = 0, ms: int = 1000) -> None:
        self.says(frames.BOARD_BEAT, struct.pack("<IHH", ms, count, frames.crc(bytes((0, levels)))))

    def done(self, frame: Frame) -> None:
        self.says(frames.DONE, bytes((frame.number,)))


def kinds(sent: list[Frame]) -> list[int]:
    return [frame.kind for frame in sent]


@pytest.fixture
def board() -> Board:
    """A board that has said who it is, and is asked what it sees."""
    board = Board()
    assert board.sent() == [Frame(frames.ASK, 0, b"\2")]
    board.says(frames.HELLO, HELLO)
    assert kinds(board.sent()) == [frames.LOOK]
    return board


@pytest.fixture
def talking(board: Board) -> Board:
    """A board that has told all, with nothing due."""
    board.snapshot(0)
    assert kinds(board.sent()) == [frames.BEAT]
    return board


# Greeting ------------------------------------------------------------------------------------


def test_a_nano_in_its_boot_loader_is_asked_again_only_after_a_long_pause() -> None:
    board = Board()
    assert kinds(board.sent()) == [frames.ASK]
    assert board.sent(1.1) == []
    assert kinds(board.sent(0.15)) == [frames.ASK]
    board.says(frames.HELLO, HELLO)
    assert board.link.hello == Hello(2, 1, 0, 8, 40, 4, 1000)


def test_a_board_that_is_heard_to_live_is_asked_at_once() -> None:
    board = Board()
    board.sent()
    board.now += 0.15
    board.beat(0)
    assert kinds(board.sent()) == [frames.ASK]
    assert board.link.levels == ()


def test_a_port_on_which_nobody_answers_is_closed_after_two_and_a_half_seconds() -> None:
    board = Board()
    board.sent()
    board.sent(2.4)
    assert board.link.open
    assert board.sent(0.2) == []
    assert not board.link.open
    assert "nothing on /dev/board answers" in board.link.problem


@pytest.mark.parametrize(
    ("hello", "sentence"),
    [
        (b"\1", "speaks version 1 of the protocol and this program version 2: put the firmware on it"),
        (
            struct.pack("<BBBHHBI", 2, 1, 3, 8, 40, 4, 0),
            r"senses in a way \(3\) that this program does not know: update it",
        ),
    ],
)
def test_a_board_that_is_not_understood_is_left_with_a_sentence(hello: bytes, sentence: str) -> None:
    board = Board()
    board.sent()
    board.says(frames.HELLO, hello)
    assert not board.link.open
    assert board.sent() == []
    with pytest.raises(AssertionError, match=sentence):
        assert not board.link.problem


def test_a_board_of_another_version_that_does_not_say_which_is_left_as_well() -> None:
    board = Board()
    (asked,) = board.sent()
    board.says(frames.REFUSED, bytes((asked.number, 5)))
    assert not board.link.open
    assert "speaks another version of the protocol and this program version 2: put" in board.link.problem


def test_the_pauses_between_openings_double_up_to_five_seconds_and_begin_anew_with_a_hello() -> None:
    link = Conversation("/dev/board")
    pauses, now = [], 0.0
    for _ in range(7):
        link.failed("gone", now)
        waited = next(pause for pause in range(1, 1000) if link.wants_port(now + pause / 100))
        pauses.append(waited / 100)
        now += waited / 100
    assert pauses == [0.25, 0.5, 1, 2, 4, 5, 5]
    assert pauses[0] == BACK_OFF
    assert pauses[-1] == LONGEST_BACK_OFF
    link.opened(now)
    link.receive(frames.pack(Frame(frames.HELLO, 0, HELLO)), now)
    link.failed("gone", now)
    assert link.wants_port(now + 0.25)
    assert link.losses == 1


# What stands on the table --------------------------------------------------------------------


def test_levels_are_unknown_until_the_snapshot(board: Board) -> None:
    board.event(1, 3, 1)
    assert board.link.levels == ()
    assert not board.link.ready
    board.snapshot(0b10000101, pressed=0b1010)
    assert board.link.levels == (1, 0, 1, 0, 0, 0, 0, 1)
    assert board.link.pressed == {"undo", "power"}
    assert board.link.ready


def test_events_are_taken_over_while_they_are_counted_right(talking: Board) -> None:
    talking.event(1, 3, 1)
    talking.event(2, 0xF0, 1)
    assert talking.link.levels == (0, 0, 0, 1, 0, 0, 0, 0)
    assert talking.link.pressed == {"done"}
    talking.event(3, 0xF0, 0)
    assert talking.link.pressed == frozenset()
    assert talking.sent(0.01) == []


@pytest.mark.parametrize(("count", "channel", "level"), [(2, 3, 1), (0, 3, 1), (1, 8, 1), (1, 3, 2), (65535, 3, 1)])
def test_an_event_that_cannot_be_right_is_not_believed_and_a_snapshot_asked_for(
    talking: Board, count: int, channel: int, level: int
) -> None:
    talking.event(count, channel, level)
    assert set(talking.link.levels) == {0}
    assert kinds(talking.sent(0.01)) == [frames.LOOK]
    talking.snapshot(0b1000, count)
    assert talking.link.levels[3] == 1
    talking.event((count + 1) % 65536, 3, 0)
    assert set(talking.link.levels) == {0}


def test_the_count_goes_round(talking: Board) -> None:
    talking.snapshot(0, 65535)
    talking.event(0, 1, 1)
    assert talking.link.levels[1] == 1


@pytest.mark.parametrize(("levels", "count", "asks"), [(0, 0, False), (1, 0, True), (0, 1, True)])
def test_a_beat_that_tells_of_something_else_makes_the_link_look(
    talking: Board, levels: int, count: int, asks: bool
) -> None:
    talking.beat(levels, count)
    assert kinds(talking.sent(0.01)) == ([frames.LOOK] if asks else [])


def test_levels_stay_the_same_object_until_one_changes(talking: Board) -> None:
    before = talking.link.levels
    talking.snapshot(0)
    talking.event(1, 0xF1, 1)
    assert talking.link.levels is before


def test_a_snapshot_of_another_length_is_not_believed(talking: Board) -> None:
    talking.says(frames.SNAPSHOT, struct.pack("<IHBH", 1000, 0, 0, 0xFFFF))
    assert set(talking.link.levels) == {0}


# Resets and losses ---------------------------------------------------------------------------


def test_a_hello_in_the_middle_means_that_all_is_asked_and_painted_anew(talking: Board) -> None:
    told(talking, bytes(range(120)))
    talking.says(frames.HELLO, HELLO.replace(struct.pack("<I", 1000), struct.pack("<I", 3)))
    assert talking.link.resets == 1
    assert talking.link.levels == ()
    assert not talking.link.shown
    assert kinds(talking.sent(0.01)) == [frames.LOOK]
    talking.snapshot(1)
    assert kinds(talking.sent(0.01)) == [frames.PAINT] * 3 + [frames.SHOW]


def test_a_reset_whose_hello_was_lost_is_told_by_the_clock(talking: Board) -> None:
    talking.now += 1
    talking.beat(0, ms=90_000)
    talking.now += 1
    talking.beat(0, ms=500)
    assert talking.link.resets == 1
    assert talking.link.levels == ()
    assert kinds(talking.sent()) == [frames.ASK]


def test_a_board_that_is_silent_for_one_and_a_half_seconds_is_lost(talking: Board) -> None:
    for _ in range(5):
        talking.now += 0.5
        talking.beat(0)
        assert kinds(talking.sent()) == [frames.BEAT]
    talking.sent(1.4)
    assert talking.link.levels
    talking.sent(0.1)
    assert not talking.link.open
    assert talking.link.levels == ()
    assert "/dev/board has fallen silent: " in talking.link.problem
    assert talking.link.losses == 1


def test_noise_is_no_sign_of_life(talking: Board) -> None:
    talking.now += 1.5
    talking.link.receive(b"\1\2\3\0" * 100, talking.now)
    talking.sent()
    assert not talking.link.open


# What the board is told ----------------------------------------------------------------------


def test_the_program_says_twice_a_second_that_it_lives(talking: Board) -> None:
    beats = 0
    for _ in range(200):
        talking.beat(0)
        beats += kinds(talking.sent(0.01)).count(frames.BEAT)
    assert beats in (3, 4)


def test_a_frame_without_an_answer_is_sent_four_times_with_its_number_and_then_the_board_is_lost(board: Board) -> None:
    first = board.sent(0.102)
    assert first == board.sent(0.102) == board.sent(0.103)
    assert kinds(first) == [frames.LOOK]
    assert board.sent(0.05) == []
    board.sent(0.054)
    assert not board.link.open
    assert "does not answer" in board.link.problem


def test_a_frame_that_is_sent_again_is_one_of_its_own_whatever_came_before(talking: Board) -> None:
    talking.link.show(bytes(120))
    first = talking.link.due(0.01)
    again = talking.link.due(0.2)
    sent = FrameDecoder().feed(first)
    assert FrameDecoder().feed(first[:-1] + again) == [*sent, sent[-1]]  # the zero at its end was lost


def test_a_picture_is_sent_at_once_and_nothing_else_until_it_is_answered(talking: Board) -> None:
    talking.link.show(bytes(range(120)))
    *painted, show = talking.sent(0.01)
    assert kinds([*painted, show]) == [frames.PAINT] * 3 + [frames.SHOW]
    assert b"".join(frame.body[2:] for frame in painted) == bytes(range(120))
    assert [frame.body[0] for frame in painted] == [0, 16, 32]
    assert show.body == frames.crc(bytes(range(120))).to_bytes(2, "little")
    for other in painted:
        talking.done(other)
        assert talking.sent(0.01) == []
    talking.done(show)
    assert talking.link.shown
    assert talking.sent(0.01) == []


def test_of_a_picture_without_an_answer_what_is_answered_is_sent_again(talking: Board) -> None:
    talking.link.show(bytes(range(120)))
    (*_, show) = talking.sent()
    assert talking.sent(0.101) == []  # on a slow line it takes a while to get there
    assert [talking.sent(0.12) for _ in range(3)] == [[show]] * 3
    talking.sent(0.13)
    assert not talking.link.open


def test_a_picture_for_a_long_strip_goes_in_pieces_that_a_port_takes() -> None:
    board = Board()
    board.sent()
    board.says(frames.HELLO, struct.pack("<BBBHHBI", 2, 1, 0, 8, 512, 4, 0))
    board.sent()
    board.snapshot(0)
    board.sent()
    board.link.show(bytes(1536))
    pieces = [board.link.due(0) for _ in range(6)]
    assert [len(FrameDecoder().feed(piece)) for piece in pieces] == [8, 8, 8, 8, 1, 0]
    assert max(map(len, pieces)) <= UNSENT


def told(board: Board, picture: bytes) -> list[bytes]:
    """Show the board that picture and let it take the frames; the changed_spans among them."""
    board.link.show(picture)
    sent = board.sent(0.006)
    for frame in sent[-1:]:
        board.done(frame)
    assert board.link.shown
    return [frame.body for frame in sent[:-1]]


def test_only_what_has_changed_is_painted(talking: Board) -> None:
    picture = bytearray(told(talking, bytes(120)) and 120)
    picture[3 * 5] = picture[3 * 9 + 2] = picture[3 * 39] = 255
    assert told(talking, bytes(picture)) == [b"\5\0" + picture[15:30], b"\x27\0" + picture[117:]]
    assert told(talking, bytes(picture)) == []


@given(st.lists(st.lists(st.integers(0, 2), min_size=40, max_size=40), min_size=1, max_size=4))
@settings(max_examples=30)
def test_strokes_make_every_picture_of_the_one_before(pictures: list[list[int]]) -> None:
    board = Board()
    board.sent()
    board.says(frames.HELLO, HELLO)
    board.sent()
    board.snapshot(0)
    board.sent()
    canvas = bytearray(b"\xff" * 120)
    for lit in pictures:
        picture = b"".join(bytes((lamp, 0, lamp)) for lamp in lit)
        for stroke in told(board, picture):
            assert 5 <= len(stroke) <= 50
            at = 3 * int.from_bytes(stroke[:2], "little")
            canvas[at : at + len(stroke) - 2] = stroke[2:]
        assert canvas == picture


def test_the_picture_after_one_that_is_under_way_is_the_newest(talking: Board) -> None:
    told(talking, bytes(120))
    talking.link.show(b"\1" * 120)
    (*_, first) = talking.sent(0.01)
    talking.link.show(b"\2" * 120)
    talking.link.show(b"\3" * 120)
    talking.done(first)
    assert not talking.link.shown
    (*painted, second) = talking.sent(0.006)
    assert {frame.body[2:] for frame in painted} == {b"\3" * 48, b"\3" * 24}
    talking.done(second)
    assert talking.link.shown


def test_a_picture_of_which_only_a_piece_is_sent_gives_way_to_the_next() -> None:
    painting = PictureUpdate(512)
    painting.want(bytes(1536))
    assert len(painting.frames()) == AT_ONCE
    painting.want(bytes(384) + b"\7" * 1152)
    sent = [part for _ in range(4) for part in painting.frames()]
    assert [int.from_bytes(body[:2], "little") for kind, body in sent if kind == frames.PAINT] == [*range(128, 512, 16)]
    assert sent[-1] == (frames.SHOW, frames.crc(bytes(384) + b"\7" * 1152).to_bytes(2, "little"))


def refuse(board: Board, why: int) -> list[int]:
    """Let the board refuse the picture that comes next; the kinds of its frames."""
    sent = board.sent(0.006)
    board.says(frames.REFUSED, bytes((sent[-1].number, why)))
    return kinds(sent)


def test_a_board_that_holds_another_picture_is_painted_anew(talking: Board) -> None:
    told(talking, bytes(120))
    talking.link.show(b"\1" + bytes(119))
    assert refuse(talking, 4) == [frames.PAINT, frames.SHOW]
    sent = talking.sent()
    assert kinds(sent) == [frames.PAINT] * 3 + [frames.SHOW]
    talking.done(sent[-1])
    assert talking.link.shown


@pytest.mark.parametrize(("why", "times"), [(4, 3), (3, 1), (1, 1)])
def test_a_board_that_refuses_again_and_again_is_left_with_a_sentence(talking: Board, why: int, times: int) -> None:
    talking.link.show(bytes(120))
    for _ in range(times):
        assert talking.link.open
        refuse(talking, why)
    assert not talking.link.open
    assert f"refuses what it is told (reason {why}): " in talking.link.problem


def test_after_a_stall_of_the_program_the_picture_is_shown_again(talking: Board) -> None:
    """The board breathes amber by then."""
    told(talking, bytes(120))
    talking.now += 1.45
    talking.beat(0)
    assert kinds(talking.sent()) == [frames.BEAT]
    assert kinds(talking.sent()) == [frames.SHOW]


# Anything ------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.sampled_from(range(0x80, 0x89)), st.binary(max_size=20), st.floats(0, 2))))
def test_no_board_makes_the_link_fail(said: list[tuple[int, bytes, float]]) -> None:
    board = Board()
    board.link.show(bytes(12))
    for kind, body, pause in said:
        board.says(kind, body)
        board.sent(pause)
        if board.link.wants_port(board.now):
            board.link.opened(board.now)
