"""What the lights promise in any position: where turns begin, where pieces go, and what each mode holds back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from random import Random
from typing import Any

import pytest

from firmware_bridge.lighting import CUES, MODES, Cue, Hint, Scene, scene
from firmware_bridge.lighting.scene import BRIEF, DOUBTFUL, STANDING
from firmware_bridge.score import PASS, ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.verdict import Astray, Debt, View
from games.rules import Game, Position, Turn, load, names
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Style, perform
from tests.games.small_games import Removing

STONES, SEEDS = (Sense.PRESENCE, Sense.COLOUR), (Sense.PRESENCE, Sense.COUNT)
CELLS = [(name, sense) for name in names() for sense in (SEEDS if load(name).pieces == "seeds" else STONES)]
TURNS = 7
"""Turns of each random game."""


each_cell = pytest.mark.parametrize(("name", "sense"), CELLS, ids=[f"{name}:{sense.value}" for name, sense in CELLS])
"""Every game under every sense that makes sense for it."""


def midgame_simulation(name: str, sense: Sense) -> Simulation:
    """A game under way: some turns have been played, and the pieces lie as they should."""
    choose, sheet = Random(f"{name} {sense.value}"), ScoreSheet(load(name), house_rule=False)
    for _ in range(choose.choice([0, 5, 12, 20])):
        if len(turns := sheet.game.turns(sheet.position)) > 1:
            sheet.accept(choose.choice(turns))
    simulation = open_simulation(sheet, sense)
    simulation.run(BRIEF + 0.1)
    return simulation


def turns_of(simulation: Simulation) -> list[Turn[Position]]:
    """The turns that hands may make now."""
    sheet = simulation.table.sheet
    turns = sheet.game.turns(sheet.position) if not sheet.outcome else ()
    return [turn for turn in turns if turn.text != PASS]


def played(simulation: Simulation) -> Iterator[Turn[Position]]:
    """Random turns, each to be made before the next is asked for."""
    choose = Random(simulation.table.game.name)
    for _ in range(TURNS):
        if turns := turns_of(simulation):
            yield choose.choice(turns)


def take(simulation: Simulation, turn: Turn[Position], style: Style) -> None:
    """Make the whole of `turn` and let its light run out."""
    simulation.take(turn, style)
    if (
        simulation.table.sheet.played_turns[-1:] != []
        and simulation.table.sheet.played_turns[-1].turn.after != turn.after
    ):
        simulation.press("done")
    simulation.run(BRIEF + 0.1)


def begins(game: Game[Any], turn: Turn[Position]) -> tuple[str, str]:
    """The site that a player looks for to begin `turn`, and its cue; read from the text alone."""
    first, _, second = turn.text.partition("x")[0].partition("-")
    return first, "movable" if second or game.pieces == "seeds" else "target"


def goes_to(game: Game[Any], before: Mapping[str, int], turn: Turn[Position]) -> set[str]:
    """The sites beside its origin where the pieces of `turn` come down: the empty one that fills, the pits sown."""
    sown = game.pieces == "seeds"
    filled = {step.site for step in turn.steps if step.level and (sown or not before[step.site])}
    return filled - {begins(game, turn)[0]}


def on_board(simulation: Simulation) -> dict[str, int]:
    return {site: simulation.board.level(site) for site in simulation.board.sites}


def cues(simulation: Simulation) -> Mapping[str, Cue]:
    return simulation.daemon.scene.cues


# Every turn -----------------------------------------------------------------------------------


@each_cell
def test_at_rest_the_origins_of_the_legal_turns_are_lit_and_no_other_site(name: str, sense: Sense) -> None:
    simulation = midgame_simulation(name, sense)
    for turn in played(simulation):
        expected = {begins(simulation.table.game, legal) for legal in turns_of(simulation)}
        shown = {(site, cue.kind) for site, cue in cues(simulation).items() if cue.kind in ("movable", "target")}
        assert shown == expected, str(simulation.table.sheet.position)
        take(simulation, turn, STYLES["done"])
    assert simulation.table.sheet.length >= 3


@each_cell
def test_with_an_origin_lifted_every_target_is_lit(name: str, sense: Sense) -> None:
    simulation = midgame_simulation(name, sense)
    for turn in played(simulation):
        origin, kind = begins(simulation.table.game, turn)
        if kind == "movable":
            before = on_board(simulation)
            simulation.board.lift(origin)
            simulation.run(0.1)
            assert targets_of(simulation, origin, before) <= cues(simulation).keys(), (
                simulation.table.sheet.position,
                origin,
            )
            simulation.board.put(origin, before[origin])
            simulation.run(0.1)
        take(simulation, turn, STYLES["done"])


def targets_of(simulation: Simulation, origin: str, before: Mapping[str, int]) -> set[str]:
    game = simulation.table.game
    signatures = (goes_to(game, before, turn) for turn in turns_of(simulation) if begins(game, turn)[0] == origin)
    return set().union(*signatures)


@each_cell
@pytest.mark.parametrize("style", ["finger", "singly"])
def test_where_a_piece_comes_down_next_there_is_light(name: str, sense: Sense, style: str) -> None:
    simulation = midgame_simulation(name, sense)
    for turn in played(simulation):
        for act in perform(turn.acts, STYLES[style]):
            for site, level in act.changes:
                unseen = sense.of(level) == sense.of(simulation.board.level(site))
                assert not level or unseen or site in cues(simulation), (turn.text, site)
            simulation.do([act])
            simulation.run(0.05)
        take_over(simulation, turn)


def take_over(simulation: Simulation, turn: Turn[Position]) -> None:
    """Let the table accept the `turn` that has been made."""
    simulation.finish(turn, STYLES["done"])
    simulation.run(BRIEF + 0.1)


def test_of_the_pits_still_to_be_sown_the_next_one_is_the_brightest() -> None:
    simulation = midgame_simulation("zig-zag", Sense.COUNT)
    for turn in played(simulation):
        path = list(dict.fromkeys(step.site for step in turn.steps[1:]))
        simulation.board.lift(turn.steps[0].site)
        simulation.run(0.1)
        shine = [cues(simulation)[site].strength for site in path]
        assert shine == sorted(shine, reverse=True), turn.text
        assert shine[:1] > shine[1:2]
        falls = [step.site for step in takewhile(lambda step: step.level, turn.steps[1:])]
        orders = [cues(simulation)[site].order for site in falls]
        assert orders == [falls.index(site) + 1 for site in falls]
        simulation.put_right()
        simulation.run(1.0)
        take(simulation, turn, STYLES["finger"])


def test_what_decided_is_lit_as_soon_as_the_game_is_over() -> None:
    game = load("zong-heng", size=6)
    sheet = ScoreSheet(game, game.position("ooxoxo/xoxxxo/xooxoo/xxoxxo/ooxo.o/xxxxxo o"))
    simulation = open_simulation(sheet, Sense.PRESENCE)
    simulation.run(BRIEF + 0.1)
    simulation.take(next(turn for turn in turns_of(simulation) if turn.text == "d2-e2"), STYLES["done"])
    lit = cues(simulation)
    assert sheet.outcome
    assert {"d2", "e2"} < {*sheet.outcome.sites}
    assert {site for site, cue in lit.items() if cue.kind == "won"} == {*sheet.outcome.sites}


@each_cell
def test_the_lamp_of_the_player_to_move_is_lit(name: str, sense: Sense) -> None:
    simulation = midgame_simulation(name, sense)
    for turn in played(simulation):
        assert simulation.daemon.scene.side == simulation.table.sheet.position.side
        take(simulation, turn, STYLES["done"])
    simulation.request(lambda _: simulation.table.resign(0))
    assert simulation.daemon.scene.side == 1


# Modes ----------------------------------------------------------------------------------------

REFEREE = {"wrong", "missing", "tally", "ask", "won", "blind"}
ALWAYS = {"ask", "won", "blind"}


def zong_heng(*, setting: bool = False) -> Simulation:
    simulation = open_simulation(ScoreSheet(load("zong-heng")), Sense.PRESENCE, setting=setting)
    simulation.run(BRIEF + 0.1)
    return simulation


def happens(simulation: Simulation, what: str) -> None:
    """Bring the table into one of its states."""
    if what == "under way":
        simulation.board.lift("c3")
    elif what == "astray":
        simulation.board.slide("b2", "b3")
    elif what == "asked":
        simulation.board.put("b3", 1)
    elif what == "blind":
        simulation.board.sighted = False
    elif what == "over":
        simulation.request(lambda _: simulation.table.resign(0))
    simulation.run(2.5)


def kinds(shown: Scene) -> set[str]:
    return {cue.kind for cue in shown.cues.values()}


def by_mode(view: View, now: float) -> dict[str, set[str]]:
    """The cues that each mode shows of `view`."""
    return {mode: kinds(scene(view, now, mode)) for mode in MODES}


@pytest.mark.parametrize("what", ["at rest", "under way", "astray", "asked", "blind", "over"])
def test_a_referee_shows_what_is_wrong_and_quiet_mode_waits_with_it(what: str) -> None:
    simulation = zong_heng()
    happens(simulation, what)
    view = simulation.table.view()
    early, late = by_mode(view, view.stood + STANDING / 2), by_mode(view, view.stood + STANDING)
    assert late["referee"] == late["quiet"] == late["coach"] & REFEREE
    assert early["referee"] == early["coach"] & REFEREE
    assert (early["referee"] == late["referee"]) == (what != "astray")  # first it is shown what counted
    assert early["quiet"] == early["coach"] & ALWAYS


def test_a_question_is_lit_once_it_is_asked_and_not_before() -> None:
    simulation = zong_heng()
    simulation.board.put("b3", 1)
    simulation.run(0.2)
    assert not simulation.table.view().asked
    assert "ask" not in kinds(simulation.daemon.scene)
    simulation.run(2.5)
    assert simulation.table.view().asked
    assert {site for site, cue in cues(simulation).items() if cue.kind == "ask"} == {"a3", "c3"}


@pytest.mark.parametrize("mode", MODES)
def test_what_is_only_likely_to_be_wrong_is_lit_softly_in_every_mode(mode: str) -> None:
    simulation = zong_heng()
    simulation.board.slide("b2", "b3")
    simulation.run(1.0)
    verdict = simulation.table.verdict
    assert isinstance(verdict, Astray)
    for doubtful, strength in ((True, DOUBTFUL), (False, 1.0)):
        view = replace(simulation.table.view(), verdict=replace(verdict, doubtful=doubtful))
        shown = scene(view, view.stood + STANDING, mode).cues
        faults = {site: cue.strength for site, cue in shown.items() if cue.kind in ("wrong", "missing")}
        assert faults == dict.fromkeys(("b2", "b3"), strength)


@pytest.mark.parametrize(("level", "kind"), [(1, "place-here"), (0, "capture")])
@pytest.mark.parametrize("mode", MODES)
def test_what_a_turn_still_owes_is_one_light_in_every_mode(mode: str, level: int, kind: str) -> None:
    view = zong_heng().table.view()
    plain = scene(view, view.stood, mode).cues
    owing = scene(replace(view, debts=(Debt(0, level, 0),)), view.stood, mode).cues
    site = view.game.sites[0]
    assert owing[site].kind == kind
    assert owing == {**plain, site: owing[site]}


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_shows_all_while_the_board_is_set_up(mode: str) -> None:
    simulation = zong_heng(setting=True)
    shown = by_mode(simulation.table.view(), simulation.now)[mode]
    assert shown == {"missing"}


def test_called_for_by_done_a_referee_shows_what_is_left_to_do_but_no_moves() -> None:
    simulation = zong_heng()
    happens(simulation, "under way")
    assert by_mode(simulation.table.view(), simulation.now)["referee"] == set()
    simulation.press("done")
    assert by_mode(simulation.table.view(), simulation.now)["referee"] == {"place-here", "target"}


def test_the_scene_says_when_it_changes_by_itself() -> None:
    simulation = zong_heng()
    simulation.take(simulation.table.game.turns(simulation.table.sheet.position)[0], STYLES["finger"])
    view = simulation.table.view()
    now = view.since + BRIEF / 2
    assert scene(view, now).until == view.since + BRIEF
    assert "travelling" in kinds(scene(view, now))
    assert "travelling" not in kinds(scene(view, scene(view, now).until))


def test_the_light_of_a_hint_is_as_strong_as_its_turn_is_good() -> None:
    simulation = zong_heng()
    view = simulation.table.view()
    good = {signature.turn.text: signature for signature in view.signatures}
    hint = Hint(((good["c3-c4"], 1.0), (good["e5-e6"], 0.4)), {})
    assert hinted(scene(view, simulation.now, hint=hint)) == {"c3": 1.0, "e5": 0.4}
    happens(simulation, "under way")
    hint = Hint((), {good["c3-c4"].turn.after: 1.0, good["c3-d3"].turn.after: 0.4})
    assert hinted(scene(simulation.table.view(), simulation.now, hint=hint)) == {"c4": 1.0, "d3": 0.4}


def hinted(shown: Scene) -> dict[str, float]:
    """The strength of each hint."""
    return {site: cue.strength for site, cue in shown.cues.items() if cue.kind == "hint"}


def test_the_light_of_the_last_turn_hides_nothing_that_may_be_moved() -> None:
    simulation = open_simulation(ScoreSheet(load("yin-yang")), Sense.COLOUR)
    simulation.take(turns_of(simulation)[0], STYLES["finger"])
    view = simulation.table.view()
    fresh, later = (scene(view, view.since + after).cues for after in (BRIEF / 2, BRIEF + 0.1))
    assert {cue.kind for cue in fresh.values()} >= {"travelling", "movable"}
    assert all(fresh[site].kind == "movable" for site, cue in later.items() if cue.kind == "movable")


def test_pieces_that_may_only_be_taken_off_are_lit_as_such() -> None:
    simulation = open_simulation(ScoreSheet(Removing()), Sense.PRESENCE)
    simulation.run(0.3)
    cues = scene(simulation.table.view(), simulation.now).cues
    assert {site: (cue.kind, cue.choice) for site, cue in cues.items()} == dict.fromkeys(
        ["a1", "b1", "d1"], ("capture", True)
    )


def test_a_scene_has_only_cues_that_are_explained() -> None:
    game = REFEREE | {"capture", "place-here", "target", "travelling", "movable", "last", "begin", "hint"}
    standing = {"for-first", "for-second"}
    assert game | standing | {"choose"} == CUES.keys()  # the last one is the menu's


@pytest.mark.parametrize("sense", STONES, ids=[sense.value for sense in STONES])
def test_a_refused_push_shows_how_many_stones_count_where_they_lie_now(sense: Sense) -> None:
    sheet = ScoreSheet(load("zong-heng", size=6))
    simulation = open_simulation(sheet, sense)
    turn = next(turn for turn in sheet.game.refused(sheet.position) if len(turn.acts[0].sites) > 1 and turn.reason
                and dict(turn.reason.values).get("own") == 0)  # fmt: skip
    simulation.take(turn, STYLES["finger"])
    simulation.run(0.5)
    view, now = simulation.table.view(), simulation.now
    assert isinstance(view.verdict, Astray)
    pushed = dict(zip(turn.acts[0].sites[1:], turn.acts[0].levels, strict=True))
    cues = scene(view, now).cues
    assert {site: cues[site] for site in pushed} == {site: Cue("tally", level) for site, level in pushed.items()}
    later = scene(view, view.stood + STANDING).cues
    index = {site: place for place, site in enumerate(sheet.game.sites)}
    assert {later[site].kind for site in pushed if index[site] in view.verdict.sites} == {"wrong"}


def test_the_origin_of_a_lifted_stone_is_fainter_than_where_it_may_go() -> None:
    sheet = ScoreSheet(load("zong-heng", size=6))
    simulation = open_simulation(sheet, Sense.COLOUR)
    simulation.board.lay([("c3", 0)])
    simulation.run(1.0)
    cues = scene(simulation.table.view(), simulation.now).cues
    goals = [cue.strength for cue in cues.values() if cue.kind == "target"]
    assert goals
    assert cues["c3"].kind == "place-here"
    assert cues["c3"].strength < 0.5 * min(goals)
    simulation.board.lay([("c4", 1)])
    simulation.run(1.0)
    assert scene(simulation.table.view(), simulation.now).cues["c3"] == Cue("place-here", 1)  # now it is to be done
