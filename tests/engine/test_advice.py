"""Those who think along: the engine's turns carried out by hands that slip, and hints by light."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware_bridge.engine import engine
from firmware_bridge.engine.advice import Assistant, spoken
from firmware_bridge.engine.client import Answer, LocalSearch
from firmware_bridge.records import Record, read_record
from firmware_bridge.score import ScoreSheet
from firmware_bridge.simulation import Simulation, open_simulation
from firmware_bridge.simulation.table import illegal_turn
from firmware_bridge.verdict import Astray, AtRest
from games.rules import Position, Turn, load
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Style, Touch

SENSES = {"zong-heng": Sense.PRESENCE, "zhizhu": Sense.COLOUR, "yin-yang": Sense.PRESENCE, "zig-zag": Sense.COUNT}
MANY = 400
"""More turns than a game by these players has."""


def sit(
    name: str, levels: tuple[int, int], sense: Sense | None = None, path: Path | None = None, **given
) -> Simulation:
    """A table with the engine at it, which answers at once."""
    options = {"size": 6} if name == "zong-heng" else {}
    sheet = ScoreSheet(load(name, **options), levels=levels)
    sense = sense or SENSES[name]
    record = Record(path, sheet, sense) if path else None
    assistant = Assistant(LocalSearch(nodes=60, luck=5), **given)
    simulation = open_simulation(sheet, sense, record=record, assistant=assistant)
    simulation.run(0.1)
    return simulation


def names(simulation: Simulation, since: int = 0) -> list[str]:
    return [event.name for event in simulation.events[since:]]


def wrong_piece(simulation: Simulation, luck: Random) -> None:
    """Lift a piece that has nothing to do with the turn, nor with the last one, and put it back once it is flagged."""
    table, board = simulation.table, simulation.board
    assert table.planned
    last = table.sheet.played_turns[-1].turn.path if table.sheet.played_turns else ()
    sites = [site for site in table.game.sites if board.level(site) and site not in (*table.planned.path, *last)]
    if not sites:
        return
    site = luck.choice(sites)
    level = board.level(site)
    simulation.do([Touch(0.2, ((site, 0),))])
    simulation.run(3.0)
    assert isinstance(table.verdict, Astray)
    assert simulation.daemon.scene.cues[site].kind == "missing"
    simulation.do([Touch(0.2, ((site, level),))])
    simulation.run(0.5)
    assert isinstance(table.verdict, AtRest)


def hand(simulation: Simulation, turn: Turn[Position], style: Style) -> None:
    """Carry `turn` out, and press Done where that is called for."""
    length = simulation.table.sheet.length
    simulation.take(turn, style)
    if simulation.table.sheet.length == length:
        simulation.press("done")
    assert simulation.table.sheet.length > length, (turn.text, simulation.table.verdict)
    simulation.run(0.2)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", SENSES)
def test_game_by_slipping_hands_is_recorded_whole(name: str, seat: int, tmp_path: Path) -> None:
    levels = (1, 0) if seat == 0 else (0, 1)
    simulation = sit(name, levels, path=tmp_path / "game.table")
    table, luck = simulation.table, Random(name)
    while not table.sheet.outcome and table.sheet.length < MANY:
        style = STYLES[luck.choice(["finger", "singly", "round"])]
        if table.sheet.level:
            assert table.planned
            if luck.random() < 0.3:
                wrong_piece(simulation, luck)
            hand(simulation, table.planned, style)
            continue
        wrong = illegal_turn(table, luck) if luck.random() < 0.2 else None
        if wrong:
            simulation.play(wrong, style)
            simulation.run(0.5)
            simulation.put_right()
            simulation.run(1.0)
        captures = [turn for turn in table.sheet.turns if turn.steps[-1].level == 0]
        hand(simulation, luck.choice(captures or table.sheet.turns), style)
    length, outcome = table.sheet.length, table.sheet.outcome
    simulation.close()
    saved = read_record(tmp_path / "game.table").sheet
    assert (saved.length, saved.outcome, saved.levels) == (length, outcome, levels)
    assert "plans" in names(simulation)


def test_two_engines_play_with_one_pair_of_hands() -> None:
    simulation = sit("yin-yang", (1, 1))
    table = simulation.table
    for _ in range(6):
        assert table.planned
        hand(simulation, table.planned, STYLES["finger"])
    assert names(simulation).count("plans") == 7


def test_another_legal_turn_is_flagged_and_counts_for_nothing() -> None:
    simulation = sit("yin-yang", (1, 0))
    table = simulation.table
    assert table.planned
    other = next(turn for turn in table.sheet.turns if turn.path[0] not in table.planned.path)
    simulation.play(other, STYLES["finger"])
    simulation.run(3.0)
    assert table.sheet.length == 0
    assert isinstance(table.verdict, Astray)
    assert "table.off-plan" in {event.say.id for event in simulation.events}
    simulation.put_right()
    simulation.run(0.5)
    hand(simulation, table.planned, STYLES["finger"])


def test_nothing_counts_before_the_engine_has_chosen() -> None:
    class Slow(LocalSearch):
        def ask(self, question, now):
            inquiry = super().ask(question, now)
            inquiry.over = False
            return inquiry

    sheet = ScoreSheet(load("yin-yang"), levels=(1, 0))
    simulation = open_simulation(sheet, Sense.COLOUR, assistant=Assistant(Slow()))
    simulation.run(0.1)
    simulation.play(sheet.turns[0], STYLES["finger"])
    simulation.run(1.0)
    assert sheet.length == 0
    assert isinstance(simulation.table.verdict, Astray)


def test_undo_goes_back_to_the_turn_of_a_person() -> None:
    simulation = sit("yin-yang", (0, 1))
    table = simulation.table
    hand(simulation, table.sheet.turns[0], STYLES["finger"])
    assert table.planned
    hand(simulation, table.planned, STYLES["finger"])
    assert table.sheet.length == 2
    simulation.press("undo")
    assert table.sheet.length == 0
    simulation.put_right()
    simulation.run(0.5)
    assert table.sheet.position.side == 0
    assert not table.setting


def test_the_turn_to_carry_out_is_lit_from_its_beginning_in_any_mode() -> None:
    simulation = sit("zong-heng", (1, 0))
    simulation.daemon.set_mode("quiet")
    simulation.run(0.1)
    table = simulation.table
    assert table.planned
    cues = simulation.daemon.scene.cues
    signature = table.view().plan
    assert signature
    assert signature.origin is not None
    assert cues[table.game.sites[signature.origin]].kind == "begin"
    assert {cue.kind for cue in cues.values()} <= {"begin", "travelling", "target", "place-here", "last"}


# Hints ----------------------------------------------------------------------------------------


def asked(simulation: Simulation) -> None:
    simulation.press("hint")
    simulation.run(2.0)


@pytest.mark.parametrize("name", SENSES)
def test_a_hint_lights_where_good_turns_begin_and_is_written_down(name: str, tmp_path: Path) -> None:
    simulation = sit(name, (0, 0), path=tmp_path / "game.table")
    assert "hint" not in {cue.kind for cue in simulation.daemon.scene.cues.values()}
    asked(simulation)
    hinted = {site: cue for site, cue in simulation.daemon.scene.cues.items() if cue.kind == "hint"}
    assert 1 <= len(hinted) <= 3
    assert max(cue.strength for cue in hinted.values()) == 1
    assert names(simulation).count("helped") == 1
    assert names(simulation)[-1] in ("hint", "hint-alike", "hint-best", "hint-wins")
    simulation.close()
    assert "note helped" in (tmp_path / "game.table").read_text()


@pytest.mark.parametrize(
    ("others", "errors", "told"),
    [
        ((("S5", 0.5), ("S1", 0.3)), (), "About equally good: S3, S5."),
        ((("S5", 0.46),), (), "Good turns, the best first: S3, S5."),
        ((("S5", 0.46),), (0.01, 0.02), "About equally good: S3, S5."),
        ((("S5", 0.46),), (0.01, 0.01), "Good turns, the best first: S3, S5."),
        ((("S5", 0.2), ("S1", 0.46)), (0.1, 0.2), "About equally good: S3, S5, S1."),
        ((("S5", 0.2), ("S1", 0.3)), (), "S3 is clearly better than any other turn."),
        ((), (), "A good turn: S3."),
    ],
)
def test_a_hint_says_in_words_what_the_search_can_tell(
    others: tuple[tuple[str, float], ...], errors: tuple[float, ...], told: str
) -> None:
    assert str(spoken(Answer(1, "S3", 0.5, (), 60, False, others, True, errors)).say) == told


@pytest.mark.parametrize("name", ["zong-heng", "yin-yang"])
def test_the_same_position_is_never_told_to_have_another_clearly_better_turn(name: str) -> None:
    """However few games are played: chance finds each time another turn that looks best."""
    game = load(name)
    for nodes in (20, 60, 200):
        said, best = [], set()
        for seed in range(6):
            *_, found = engine(game, seed).find(game.start(), nodes=nodes)
            told = spoken(Answer(1, found.turn, found.value, (), nodes, False, found.others, True, found.errors))
            said.append(told.name)
            best.add(found.turn)
            assert len(found.errors) == 1 + len(found.others)
            assert all(0 < error < 0.5 for error in found.errors)
        assert len(best) > 1
        assert set(said) == {"hint-alike"}


def test_after_a_lift_the_hint_is_where_to_go_on() -> None:
    simulation = sit("yin-yang", (0, 0))
    asked(simulation)
    cues = simulation.daemon.scene.cues
    origin = max((site for site in cues if cues[site].kind == "hint"), key=lambda site: cues[site].strength)
    simulation.do([Touch(0.1, ((origin, 0),))])
    simulation.run(0.5)
    targets = {
        step.site for turn in simulation.table.sheet.turns if turn.steps[0].site == origin for step in turn.steps
    }
    hinted = {site for site, cue in simulation.daemon.scene.cues.items() if cue.kind == "hint"}
    assert hinted
    assert hinted <= targets - {origin}


def test_a_hint_is_gone_with_the_turn_unless_hints_are_always_shown() -> None:
    simulation = sit("yin-yang", (0, 0))
    asked(simulation)
    hand(simulation, simulation.table.sheet.turns[0], STYLES["finger"])
    simulation.run(2.0)
    assert "hint" not in {cue.kind for cue in simulation.daemon.scene.cues.values()}
    simulation.daemon.assistant.show("always")
    hand(simulation, simulation.table.sheet.turns[0], STYLES["finger"])
    simulation.run(2.0)
    assert "hint" in {cue.kind for cue in simulation.daemon.scene.cues.values()}


def test_a_whispered_hint_is_neither_lit_nor_said_but_noted(tmp_path: Path) -> None:
    simulation = sit("yin-yang", (0, 0), path=tmp_path / "game.table")
    simulation.press("whisper")
    simulation.run(3.0)
    told = simulation.daemon.assistant.whisper
    assert told.hint.signatures
    assert str(told.say)
    assert "hint" not in {cue.kind for cue in simulation.daemon.scene.cues.values()}
    assert [name for name in names(simulation) if name.startswith(("hint", "helped"))] == ["helped"]
    asked(simulation)  # aloud after all
    assert simulation.daemon.assistant.whisper is None
    assert "hint" in {cue.kind for cue in simulation.daemon.scene.cues.values()}
    hand(simulation, simulation.table.sheet.turns[0], STYLES["finger"])
    simulation.run(2.0)
    simulation.press("whisper")
    simulation.run(3.0)
    hand(simulation, simulation.table.sheet.turns[0], STYLES["finger"])
    simulation.run(2.0)
    assert simulation.daemon.assistant.whisper is None  # it is gone with the turn
    simulation.close()
    assert "note helped" in (tmp_path / "game.table").read_text()


def test_hint_button_shows_legal_moves_when_hints_are_off() -> None:
    simulation = sit("yin-yang", (0, 0), shown="off")
    simulation.daemon.set_mode("quiet")
    simulation.run(0.1)
    simulation.press("hint")
    simulation.run(0.1)
    kinds = {cue.kind for cue in simulation.daemon.scene.cues.values()}
    assert "movable" in kinds
    assert "hint" not in kinds


def test_the_engine_is_not_helped() -> None:
    simulation = sit("yin-yang", (1, 0), shown="always")
    simulation.run(2.0)
    asked(simulation)
    assert "helped" not in names(simulation)
    assert "hint" not in {cue.kind for cue in simulation.daemon.scene.cues.values()}
