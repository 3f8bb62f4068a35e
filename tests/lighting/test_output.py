"""Scenes on lights that work, that fail, and that work again."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.daemon import Daemon
from firmware_bridge.lighting import PALETTES, Cue, LightOutput, LightSettings, Scene
from firmware_bridge.lighting.output import CALM, PICTURE_HZ, RETRY
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation
from firmware_bridge.table import Table
from games.rules import load
from hardware.device import Colour, DeviceError, Sense
from hardware.lights.wled import Wled
from hardware.simulation.hands import STYLES
from hardware.simulation.table import SimulatedTable
from tests.hardware.ddp import Controller

STILL = Scene({"a": Cue("target")}, side=0)
OTHER = Scene({"b": Cue("target")}, side=1)
ALIVE = Scene({"a": Cue("choose")})
GREEN = PALETTES["default"]["target"]


class Strip:
    """Lights that keep every picture they are sent, and fail while `fault` says why."""

    def __init__(self, pixels: int, refresh: float | None = None) -> None:
        self.pixels, self.refresh = pixels, refresh
        self.fault = ""
        self.tries = 0
        self.shown: list[tuple[Colour, ...]] = []

    def show(self, picture: Sequence[Colour]) -> None:
        self.tries += 1
        if self.fault:
            raise DeviceError(self.fault)
        self.shown.append(tuple(picture))

    def close(self) -> None:
        self.show([(0, 0, 0)] * self.pixels)


def lit(refresh: float | None = None) -> tuple[LightOutput, Strip]:
    """Lights for two sites and the lamps, at full brightness; they forget their picture if they are to `refresh`."""
    strip = Strip(4, refresh)
    return LightOutput(strip, ("a", "b"), LightSettings(brightness=255)), strip


def names(light: LightOutput) -> list[str]:
    return [event.name for event in light.troubles()]


def test_a_still_scene_is_sent_once() -> None:
    light, strip = lit()
    for scan in range(500):
        light.show(STILL, scan / 100, fresh=scan % 7 == 0)
    assert len(strip.shown) == 1
    assert strip.shown[0][0] == tuple(int(channel * 0.8) for channel in GREEN)
    assert (strip.shown[0][1], strip.shown[0][3]) == ((0, 0, 0), (0, 0, 0))


def test_a_changed_scene_is_sent_at_once() -> None:
    light, strip = lit()
    light.show(STILL, 0.0, fresh=True)
    light.show(OTHER, 0.01, fresh=True)
    light.show(STILL, 0.02, fresh=True)
    assert len(strip.shown) == 3
    assert strip.shown[0] == strip.shown[2] != strip.shown[1]


def test_a_scene_with_a_rhythm_is_sent_so_many_times_a_second() -> None:
    light, strip = lit()
    for scan in range(1000):
        light.show(ALIVE, scan / 100, fresh=scan == 0)
    assert 0.5 * 10 * PICTURE_HZ < len(strip.shown) <= 10 * PICTURE_HZ
    assert all(one != two for one, two in zip(strip.shown, strip.shown[1:], strict=False))


def test_lights_that_fail_are_told_of_once_and_tried_again_after_a_second() -> None:
    light, strip = lit()
    strip.fault = "no power"
    light.show(STILL, 5.0, fresh=True)
    assert names(light) == ["unlit"]
    for scan in range(1, 350):
        light.show(STILL, 5.0 + scan / 100, fresh=False)
        assert light.troubles() == []
    assert strip.tries == 1 + 3
    strip.fault = ""
    light.show(STILL, 8.5 + RETRY, fresh=False)
    assert names(light) == ["lit"]
    assert names(light) == []
    assert len(strip.shown) == 1
    light.show(STILL, 20.0, fresh=False)
    assert len(strip.shown) == 1


def test_that_lights_fail_is_a_sentence() -> None:
    light, strip = lit()
    strip.fault = "no power"
    light.show(STILL, 5.0, fresh=True)
    (event,) = light.troubles()
    assert str(event.say) == "The lights fail (no power). The game goes on without them, and they are tried again."


def test_what_changed_while_the_lights_failed_is_shown_when_they_are_back() -> None:
    light, strip = lit()
    light.show(STILL, 0.0, fresh=True)
    strip.fault = "x"
    light.show(OTHER, 1.0, fresh=True)
    strip.fault = ""
    light.show(OTHER, 1.5, fresh=False)
    assert len(strip.shown) == 1
    light.show(OTHER, 2.0, fresh=False)
    assert strip.shown[-1][1] != (0, 0, 0)


def test_the_same_picture_is_sent_again_after_a_failure() -> None:
    """The strip may have lost its power meanwhile."""
    light, strip = lit()
    light.show(STILL, 0.0, fresh=True)
    strip.fault = "x"
    light.show(OTHER, 1.0, fresh=True)
    strip.fault = ""
    light.show(STILL, 1.1, fresh=True)
    assert len(strip.shown) == 2


def test_a_second_failure_is_told_again() -> None:
    light, strip = lit()
    told = []
    for second, fault in enumerate(["x", "y", "", "", "z", ""]):
        strip.fault = fault
        light.show(STILL if second % 2 else OTHER, 10.0 * second, fresh=True)
        told += names(light)
    assert told == ["unlit", "lit", "unlit", "lit"]


def test_lights_that_forget_are_sent_the_same_picture_each_period() -> None:
    light, strip = lit(refresh=1.0)
    for scan in range(1001):
        light.show(STILL, 5.0 + scan / 100, fresh=scan == 0)
    assert len(strip.shown) == 1 + 10
    assert len(set(strip.shown)) == 1


def test_a_period_begins_with_the_last_picture_that_was_sent() -> None:
    light, strip = lit(refresh=1.0)
    light.show(STILL, 0.0, fresh=True)
    light.show(OTHER, 0.9, fresh=True)
    light.show(OTHER, 1.8, fresh=False)
    assert len(strip.shown) == 2
    light.show(OTHER, 1.91, fresh=False)
    assert strip.shown[1] == strip.shown[2]


def test_a_scene_with_a_rhythm_is_not_sent_more_often_to_lights_that_forget() -> None:
    light, strip = lit(refresh=1.0)
    for scan in range(1000):
        light.show(ALIVE, scan / 100, fresh=scan == 0)
    assert len(strip.shown) <= 10 * PICTURE_HZ


def test_a_network_that_fails_now_and_then_is_told_of_once_until_it_is_calm() -> None:
    """It says of one picture in three that nobody is there, as Linux does of an address that does not answer."""
    light, strip = lit(refresh=1.0)
    told = []
    for second in range(60):
        strip.fault = "nobody there" if second < 30 and second % 3 == 0 else ""
        light.show(STILL, float(second), fresh=second == 0)
        told += [(second, name) for name in names(light)]
    assert told == [(0, "unlit"), (27 + CALM, "lit")]


def test_a_failure_that_heals_before_it_is_told_is_not_told() -> None:
    light, strip = lit()
    strip.fault = "x"
    light.show(STILL, 0.0, fresh=True)
    strip.fault = ""
    light.show(OTHER, 0.1, fresh=True)
    assert names(light) == []


def test_closing_lights_that_fail_does_not_raise() -> None:
    light, strip = lit()
    strip.fault = "x"
    light.close()
    assert strip.tries == 1


def test_a_table_at_rest_keeps_a_controller_in_the_network_from_its_own_effect() -> None:
    """WLED shows that once it has heard nothing for 2.5 s."""
    game, controller = load("zong-heng"), Controller()
    board = SimulatedTable(game.sites, Sense.PRESENCE, game.places)
    lights = Wled(Wled.Settings(host="127.0.0.1", port=controller.port), board.pixels)
    table = Table(ScoreSheet(game), Sense.PRESENCE)
    simulation = Simulation(Daemon(board, lights, table), board)
    board.lay(zip(game.sites, table.sheet.position.board, strict=True))
    simulation.run(5.0)
    controller.wipe()
    for _ in range(10):
        simulation.run(1.05)
        assert any(map(any, controller.lit()))
        assert len(controller.datagrams) <= 2
        controller.wipe()
    simulation.close()
    assert not any(map(any, controller.lit()))


def test_a_game_goes_on_in_the_dark_and_says_so_once() -> None:
    game = load("zong-heng")
    board = SimulatedTable(game.sites, Sense.PRESENCE, game.places)
    strip = Strip(board.pixels)
    table = Table(ScoreSheet(game), Sense.PRESENCE)
    simulation = Simulation(Daemon(board, strip, table), board)
    board.lay(zip(game.sites, table.sheet.position.board, strict=True))
    simulation.run(0.5)
    strip.fault = "the strip is off"
    made = []
    for _ in range(4):
        turn = table.sheet.turns[0]
        simulation.take(turn, STYLES["finger"])
        made.append(turn.text)
    strip.fault = ""
    simulation.run(RETRY + 0.1)
    assert [entry.turn.text for entry in table.sheet.played_turns] == made
    said = [event.name for event in simulation.events]
    assert (said.count("unlit"), said.count("lit"), said.count("played")) == (1, 1, 4)
    assert any(any(colour) for colour in strip.shown[-1])
    simulation.close()
    assert set(strip.shown[-1]) == {(0, 0, 0)}
