"""The matrix on pins, by its driver, on boards with and without diodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count, product
from time import perf_counter
from typing import Any, NamedTuple

import gpiozero
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import fakegpio
from hardware.contacts import CHECKS
from hardware.device import DeviceError, Trouble
from hardware.fakegpio import FakeBoard
from hardware.scanners.gpio_matrix import GpioMatrix
from hardware.settings import SettingsError, convert

SIDE = 8
SITES = SIDE * SIDE
BLIND = (None,) * SITES
Places = set[tuple[int, int]]


class Table(NamedTuple):
    scanner: GpioMatrix
    board: FakeBoard
    levels: list[int]
    now: list[float]

    def lay(self, places: Places) -> None:
        """Pieces on these rows and columns, and nowhere else."""
        self.levels[:] = [int(divmod(channel, SIDE) in places) for channel in range(len(self.levels))]

    def operations(self) -> list[tuple[int, str, Any]]:
        """What one scan does to the lines."""
        self.board.trace = []
        self.scanner.scan()
        return self.board.trace


@contextmanager
def opened(bare: Sequence[int] = (), **settings: Any) -> Iterator[Table]:
    """A matrix, 8 x 8 unless `settings` say else; the contacts `bare` have no diode."""
    chosen = GpioMatrix.Settings(**{"settle": 0, **settings})
    levels, now = [0] * (len(chosen.rows) * len(chosen.columns)), [0.0]
    with fakegpio.open_fake("gpio_matrix", chosen, levels, clock=lambda: now[0], bare=bare) as board:
        scanner = GpioMatrix(chosen)
        yield Table(scanner, board, levels, now)
        board.cut = False
        scanner.close()


NO_DIODES = range(SITES)
occupancy = st.lists(st.integers(0, 1), min_size=SITES, max_size=SITES)
sparse = st.sets(st.integers(0, SITES - 1), max_size=8).map(lambda full: [int(n in full) for n in range(SITES)])

# Reading --------------------------------------------------------------------------------------


@given(st.lists(occupancy, min_size=1, max_size=4))
def test_with_diodes_every_position_is_read_as_it_is(positions: list[list[int]]) -> None:
    with opened() as table:
        for position in positions:
            table.levels[:] = position
            assert table.scanner.scan() == tuple(position)
            assert table.scanner.trouble is None


@given(st.lists(occupancy | sparse, min_size=1, max_size=4))
def test_without_diodes_a_position_is_read_as_it_is_or_not_at_all(positions: list[list[int]]) -> None:
    with opened(bare=NO_DIODES) as table:
        for position in positions:
            table.levels[:] = position
            assert table.scanner.scan() in (tuple(position), BLIND)


@given(sparse, st.sets(st.integers(0, SITES - 1)))
def test_with_some_diodes_missing_a_position_is_read_as_it_is_or_not_at_all(
    position: list[int], bare: set[int]
) -> None:
    with opened(bare=sorted(bare)) as table:
        table.levels[:] = position
        seen = table.scanner.scan()
        assert seen in (tuple(position), BLIND)
        assert (seen is BLIND or seen == BLIND) == (table.scanner.trouble is not None)


def test_channels_go_row_by_row() -> None:
    with opened(rows=(4, 17), columns=(23, 24, 25)) as table:
        table.board.switches.stuck[4] = True
        assert table.scanner.scan() == (0, 0, 0, 0, 1, 0)


def test_a_pair_of_columns_is_one_site_in_colour() -> None:
    with opened(rows=(4, 17), columns=(23, 24, 25, 1), sense="colour") as table:
        table.levels[:] = [1, 0, 2, 1]
        assert table.scanner.channels == 4
        assert table.scanner.scan() == (1, 0, 2, 1)


def test_both_switches_of_a_site_closed_is_no_piece() -> None:
    with opened(rows=(4, 17), columns=(23, 24, 25, 1), sense="colour") as table:
        table.levels[:] = [1, 0, 0, 2]
        table.board.switches.stuck[6] = True
        assert table.scanner.scan() == (1, 0, 0, None)


# Ghosts ---------------------------------------------------------------------------------------

CORNERS = {(2, 3), (2, 6), (5, 3)}
GHOST = (5, 6)
BLOCK = tuple(sorted(row * SIDE + column for row, column in CORNERS | {GHOST}))


def test_three_corners_make_a_ghost_of_the_fourth_and_the_block_is_named() -> None:
    with opened(bare=NO_DIODES) as table:
        table.lay(CORNERS)
        assert table.scanner.scan() == BLIND
        assert table.scanner.trouble == Trouble("ghosts", BLOCK)


@pytest.mark.parametrize("corner", sorted(CORNERS))
def test_the_table_reads_again_when_a_corner_leaves(corner: tuple[int, int]) -> None:
    with opened(bare=NO_DIODES) as table:
        table.lay(CORNERS)
        table.scanner.scan()
        table.lay(CORNERS - {corner})
        assert table.scanner.scan() == tuple(table.levels)
        assert table.scanner.trouble is None


def test_ghosts_are_told_for_as_long_as_they_are_there() -> None:
    with opened(bare=NO_DIODES) as table:
        table.lay(CORNERS)
        assert {table.scanner.scan() for _ in range(20)} == {BLIND}
        table.lay(CORNERS | {(0, 0)})
        assert table.scanner.scan() == BLIND
        assert table.scanner.trouble == Trouble("ghosts", BLOCK)


def test_four_pieces_on_the_corners_could_be_three() -> None:
    with opened(bare=NO_DIODES) as table:
        table.lay(CORNERS | {GHOST})
        assert table.scanner.scan() == BLIND
        assert table.scanner.trouble == Trouble("ghosts", BLOCK)


def test_two_blocks_are_named_and_neither_what_lies_between_them() -> None:
    other = {(0, 0), (0, 1), (1, 0)}
    with opened(bare=NO_DIODES) as table:
        table.lay(CORNERS | other | {(7, 7)})
        table.scanner.scan()
        assert table.scanner.trouble == Trouble("ghosts", tuple(sorted((*BLOCK, 0, 1, SIDE, SIDE + 1))))


def test_a_block_that_hangs_together_by_one_row_is_named_whole() -> None:
    with opened(bare=NO_DIODES) as table:
        table.lay({(0, 0), (0, 1), (3, 1), (3, 2), (6, 2), (6, 5)})
        table.scanner.scan()
        expected = tuple(row * SIDE + column for row, column in product((0, 3, 6), (0, 1, 2, 5)))
        assert table.scanner.trouble == Trouble("ghosts", expected)


def test_lines_of_pieces_have_no_ghosts() -> None:
    with opened(bare=NO_DIODES) as table:
        table.lay({(3, column) for column in range(SIDE)})
        assert table.scanner.scan() == tuple(table.levels)
        table.lay({(row, 5) for row in range(SIDE)})
        assert table.scanner.scan() == tuple(table.levels)
        assert table.scanner.trouble is None


def test_one_missing_diode_is_found() -> None:
    with opened(bare=[5 * SIDE + 3]) as table:
        table.lay(CORNERS)
        assert table.scanner.scan() == tuple(table.levels)  # the way back needs a switch that is open
        table.lay({(5, 3), (5, 6), (2, 3)})
        assert table.scanner.scan() == BLIND
        assert table.scanner.trouble == Trouble("ghosts", BLOCK)


def test_ghosts_in_colour_are_named_by_their_sites() -> None:
    sites = range(4 * SIDE)
    with opened(bare=NO_DIODES, sense="colour") as table:
        table.levels[:] = [{0: 1, 1: 2, 4: 1}.get(site, 0) for site in sites]
        assert table.scanner.scan() == (None,) * len(sites)
        assert table.scanner.trouble == Trouble("ghosts", (0, 1, 4, 5))


def test_a_ghost_hidden_by_a_bouncing_contact_is_found_by_the_next_scan() -> None:
    with opened(bare=NO_DIODES) as table:
        table.lay(CORNERS)
        table.scanner.scan()
        contacts, calls = table.board.switches, []

        def flickering(channel: int) -> int:
            calls.append(channel)
            scanning = len(calls) <= SITES * SIDE
            return int(divmod(channel, SIDE) in (CORNERS if scanning else CORNERS - {(5, 3)}))

        table.lay(set())
        table.scanner.scan()
        contacts.read(flickering)
        first = table.scanner.scan()
        contacts.read(table.levels)
        table.lay(CORNERS)
        assert first != BLIND
        assert table.scanner.scan() == BLIND


def test_ghosts_are_told_again_after_a_failure() -> None:
    with opened(bare=NO_DIODES) as table:
        table.lay(CORNERS)
        table.scanner.scan()
        table.board.cut = True
        assert table.scanner.scan() == BLIND
        assert table.scanner.trouble is None
        table.board.cut = False
        assert table.scanner.scan() == BLIND
        assert table.scanner.trouble == Trouble("ghosts", BLOCK)


# Ground ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("bare", [(), NO_DIODES])
@pytest.mark.parametrize("pieces", [set(), CORNERS, {(row, 3) for row in range(SIDE)}])
def test_a_column_that_touches_ground_is_named_and_not_taken_for_pieces(bare: Sequence[int], pieces: Places) -> None:
    with opened(bare=bare) as table:
        table.lay(pieces if not bare else set())
        assert table.scanner.scan() == tuple(table.levels)
        table.board.circuit.grounded = {table.board.circuit.pins[SIDE + 2]}
        assert {table.scanner.scan() for _ in range(20)} == {BLIND}
        assert table.scanner.trouble == Trouble("grounded", tuple(range(2, SITES, SIDE)))
        table.board.circuit.grounded = set()
        assert table.scanner.scan() == tuple(table.levels)
        assert table.scanner.trouble is None


def test_a_row_that_touches_ground_is_named_and_not_the_columns_of_its_pieces() -> None:
    with opened() as table:
        table.lay(CORNERS)
        table.board.circuit.grounded = {table.board.circuit.pins[5]}
        assert table.scanner.scan() == BLIND
        assert table.scanner.trouble == Trouble("grounded", tuple(range(5 * SIDE, 6 * SIDE)))


def test_in_colour_a_grounded_column_is_named_by_its_sites() -> None:
    with opened(rows=(4, 17), columns=(23, 24, 25, 1), sense="colour") as table:
        table.board.circuit.grounded = {1}
        assert table.scanner.scan() == (None,) * 4
        assert table.scanner.trouble == Trouble("grounded", (1, 3))


@given(occupancy)
def test_no_position_is_taken_for_a_wire_that_touches_ground(levels: list[int]) -> None:
    with opened() as table:
        table.levels[:] = levels
        assert table.scanner.scan() == tuple(levels)
        assert table.scanner.trouble is None


# Lines ----------------------------------------------------------------------------------------


def test_a_scan_costs_ten_operations_a_row_and_at_rest_no_more_with_rectangles() -> None:
    with opened() as table:
        for _ in range(CHECKS + 1):
            table.scanner.scan()
        assert len(table.operations()) == SIDE * (SIDE + 2)
        table.lay({(row, column) for row in range(SIDE) for column in range(SIDE)})
        changed = [len(table.operations()) for _ in range(CHECKS)]
        table.scanner.scan()
        assert min(changed) > SIDE * (SIDE + 2)
        assert len(table.operations()) == SIDE * (SIDE + 2)


@pytest.mark.parametrize("bare", [(), NO_DIODES], ids=["diodes", "none"])
def test_one_row_at_most_is_driven_and_never_high(bare: Sequence[int]) -> None:
    with opened(bare=bare) as table:
        table.board.trace = trace = []
        table.lay(CORNERS)
        for _ in range(3):
            table.scanner.scan()
        table.scanner.close()
    driven: set[int] = set()
    for pin, verb, value in trace:
        if verb == "output":
            assert value is False
            assert pin in GpioMatrix.Settings().rows
            driven.add(pin)
        elif verb == "input":
            driven.discard(pin)
        assert len(driven) <= 1
    assert not driven
    assert {pin for pin, verb, _ in trace if verb == "output"} == set(GpioMatrix.Settings().rows)


def test_a_closed_matrix_leaves_its_pins_to_others() -> None:
    with opened() as table:
        table.scanner.close()
        with gpiozero.Button(4), gpiozero.Button(23):
            assert table.scanner.scan() == BLIND
        GpioMatrix(GpioMatrix.Settings()).close()


@pytest.mark.parametrize("pin", [4, 23])
def test_a_pin_that_a_button_has_is_refused_and_nothing_kept(pin: int) -> None:
    settings = GpioMatrix.Settings()
    with fakegpio.open_fake("gpio_matrix", settings, [0] * SITES):
        with gpiozero.Button(pin), pytest.raises(DeviceError, match=f"GPIO{pin} is already in use.*give each pin one"):
            GpioMatrix(settings)
        GpioMatrix(settings).close()


def test_a_button_cannot_have_a_pin_of_the_matrix() -> None:
    with opened(), pytest.raises(gpiozero.GPIOPinInUse, match="the rows of the matrix"):
        gpiozero.Button(4)


# Faults ---------------------------------------------------------------------------------------


def test_a_stuck_column_reads_full_or_empty() -> None:
    column = range(3, SITES, SIDE)
    with opened() as table:
        table.board.switches.stuck.update(dict.fromkeys(column, True))
        assert table.scanner.scan() == tuple(int(site in column) for site in range(SITES))
        table.board.switches.stuck.update(dict.fromkeys(column, False))
        table.lay({(row, 3) for row in range(SIDE)})
        assert table.scanner.scan() == (0,) * SITES


def test_a_cold_joint_comes_and_goes() -> None:
    with opened() as table:
        table.board.switches.cold.add(9)
        table.lay({(1, 1)})
        seen = set()
        for scan in range(200):
            table.now[0] = scan / 100
            seen.add(table.scanner.scan()[9])
        assert seen == {0, 1}


def test_a_contact_chatters_after_a_change_and_then_holds() -> None:
    with opened() as table:
        table.board.switches.bounce = 0.002
        table.scanner.scan()
        table.lay({(0, 0)})
        seen = []
        for step in range(40):
            table.now[0] = step / 10_000
            seen.append(table.scanner.scan()[0])
        assert set(seen[:20]) == {0, 1}
        assert set(seen[20:]) == {1}


# Settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"rows": [4, 17, 4]}, "pin 4 is used twice"),
        ({"rows": [4], "columns": [17, 4]}, "pin 4 is used twice"),
        ({"sense": "colour", "columns": [23, 24, 25]}, "must be even"),
        ({"rows": []}, "rows"),
        ({"rows": list(range(17)), "columns": [20]}, "rows"),
        ({"columns": [28]}, "columns"),
        ({"settle": -1}, "settle"),
        ({"sense": "count"}, "sense"),
        ({"diodes": True}, "diodes"),
    ],
)
def test_impossible_settings_are_refused_with_a_sentence(data: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        convert(data, GpioMatrix.Settings, "scanner")


def test_the_default_pins_leave_those_of_strips_and_buttons_alone() -> None:
    settings = GpioMatrix.Settings()
    spi, power, done, eeprom, strips = {7, 8, 9, 10, 11}, {3}, {2}, {0, 1}, {18, 21}
    assert not {*settings.rows, *settings.columns} & (spi | power | done | eeprom | strips)


def test_each_row_is_given_time_to_settle() -> None:
    with opened(settle=1000) as table:
        begin = perf_counter()
        table.scanner.scan()
        assert perf_counter() - begin > SIDE * 0.001


def slow_wires(rise: float, tick: float = 0.0, **settings: Any) -> tuple[int, ...]:
    """What the channels of the first column show, a piece on the first, where wires take `rise` seconds to rise.

    `tick`: once the table is open, its time goes by so many seconds from one look at the clock to the next.
    """
    chosen, levels = GpioMatrix.Settings(**settings), [1] + [0] * (SITES - 1)
    ticks: list[Iterator[float]] = []
    with fakegpio.open_fake(
        "gpio_matrix", chosen, levels, clock=lambda: next(ticks[0]) if ticks else perf_counter()
    ) as board:
        scanner = GpioMatrix(chosen)
        if tick:
            ticks.append(count(perf_counter(), tick))
        board.circuit.rise = rise
        scanner.scan()
        levels = scanner.scan()
        scanner.close()
    return levels[::SIDE]


def test_a_column_with_long_wires_has_risen_before_the_next_row_is_read() -> None:
    assert slow_wires(29e-6) == (1, *(0,) * 7)


def test_a_piece_shows_up_on_the_next_rows_as_well_where_columns_have_no_time_to_rise() -> None:
    assert slow_wires(0.0008, tick=1e-4, settle=0)[:2] == (1, 1)  # a busy computer would give them time
    assert slow_wires(0.0009, settle=1000)[:2] == (1, 0)
