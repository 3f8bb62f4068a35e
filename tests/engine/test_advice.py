"""Those who think along: the engine's turns carried out by hands that slip, and hints by light."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware_bridge.engine.advice import Company, spoken
from firmware_bridge.engine.client import Answer, Here
from firmware_bridge.reading.verdict import Astray, AtRest
from firmware_bridge.records.record import Record, read_record
from firmware_bridge.score import Sheet
from firmware_bridge.simulation.demo import slip
from firmware_bridge.simulation.table import Evening, open_evening
from games.rules import Position, Turn, load
from hardware.device import Sense
from hardware.simulation.hands import STYLES, Act, Style

SENSES = {"zong-heng": Sense.PRESENCE, "zhizhu": Sense.COLOUR, "yin-yang": Sense.PRESENCE, "zig-zag": Sense.COUNT}
MANY = 400
"""More turns than a game by these players has."""


def sit(name: str, levels: tuple[int, int], sense: Sense | None = None, path: Path | None = None, **given) -> Evening:
    """A table with the engine at it, which answers at once."""
    options = {"size": 6} if name == "zong-heng" else {}
    sheet = Sheet(load(name, **options), levels=levels)
    sense = sense or SENSES[name]
    record = Record(path, sheet, sense) if path else None
    company = Company(Here(nodes=60, luck=5), **given)
    evening = open_evening(sheet, sense, record=record, company=company)
    evening.run(0.1)
    return evening


def names(evening: Evening, since: int = 0) -> list[str]:
    return [event.name for event in evening.events[since:]]


def wrong_piece(evening: Evening, luck: Random) -> None:
    """Lift a piece that has nothing to do with the turn, and put it back once it has been flagged."""
    table, board = evening.table, evening.board
    assert table.planned
    sites = [site for site in table.game.sites if board.level(site) and site not in table.planned.path]
    if not sites:
        return
    site = luck.choice(sites)
    level = board.level(site)
    evening.do([Act(0.2, ((site, 0),))])
    evening.run(0.1)
    assert isinstance(table.verdict, Astray)
    assert evening.daemon.scene.cues[site].kind == "missing"
    evening.do([Act(0.2, ((site, level),))])
    evening.run(0.2)
    assert isinstance(table.verdict, AtRest)


def hand(evening: Evening, turn: Turn[Position], style: Style) -> None:
    """Carry `turn` out, and press Done where that is called for."""
    length = evening.table.sheet.length
    evening.take(turn, style)
    if evening.table.sheet.length == length:
        evening.press("done")
    assert evening.table.sheet.length > length, (turn.text, evening.table.verdict)
    evening.run(0.2)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", SENSES)
def test_a_whole_game_by_hands_that_slip(name: str, seat: int, tmp_path: Path) -> None:
    levels = (1, 0) if seat == 0 else (0, 1)
    evening = sit(name, levels, path=tmp_path / "game.table")
    table, luck = evening.table, Random(name)
    while not table.sheet.outcome and table.sheet.length < MANY:
        style = STYLES[luck.choice(["finger", "singly", "round"])]
        if table.sheet.level:
            assert table.planned
            if luck.random() < 0.3:
                wrong_piece(evening, luck)
            hand(evening, table.planned, style)
            continue
        wrong = slip(table, luck) if luck.random() < 0.2 else None
        if wrong:
            evening.play(wrong, style)
            evening.run(0.5)
            evening.put_right()
            evening.run(1.0)
        captures = [turn for turn in table.sheet.turns if turn.steps[-1].level == 0]
        hand(evening, luck.choice(captures or table.sheet.turns), style)
    length, outcome = table.sheet.length, table.sheet.outcome
    evening.close()
    saved = read_record(tmp_path / "game.table").sheet
    assert (saved.length, saved.outcome, saved.levels) == (length, outcome, levels)
    assert "plans" in names(evening)


def test_two_engines_play_with_one_pair_of_hands() -> None:
    evening = sit("yin-yang", (1, 1))
    table = evening.table
    for _ in range(6):
        assert table.planned
        hand(evening, table.planned, STYLES["finger"])
    assert names(evening).count("plans") == 7


def test_another_legal_turn_is_flagged_and_counts_for_nothing() -> None:
    evening = sit("yin-yang", (1, 0))
    table = evening.table
    assert table.planned
    other = next(turn for turn in table.sheet.turns if turn.path[0] not in table.planned.path)
    evening.play(other, STYLES["finger"])
    evening.run(3.0)
    assert table.sheet.length == 0
    assert isinstance(table.verdict, Astray)
    assert "table.off-plan" in {event.say.id for event in evening.events}
    evening.put_right()
    evening.run(0.5)
    hand(evening, table.planned, STYLES["finger"])


def test_nothing_counts_before_the_engine_has_chosen() -> None:
    class Slow(Here):
        def ask(self, question, now):
            thought = super().ask(question, now)
            thought.over = False
            return thought

    sheet = Sheet(load("yin-yang"), levels=(1, 0))
    evening = open_evening(sheet, Sense.COLOUR, company=Company(Slow()))
    evening.run(0.1)
    evening.play(sheet.turns[0], STYLES["finger"])
    evening.run(1.0)
    assert sheet.length == 0
    assert isinstance(evening.table.verdict, Astray)


def test_undo_goes_back_to_the_turn_of_a_person() -> None:
    evening = sit("yin-yang", (0, 1))
    table = evening.table
    hand(evening, table.sheet.turns[0], STYLES["finger"])
    assert table.planned
    hand(evening, table.planned, STYLES["finger"])
    assert table.sheet.length == 2
    evening.press("undo")
    assert table.sheet.length == 0
    evening.put_right()
    evening.run(0.5)
    assert table.sheet.position.side == 0
    assert not table.setting


def test_the_turn_to_carry_out_is_lit_from_its_beginning_in_any_mode() -> None:
    evening = sit("zong-heng", (1, 0))
    evening.daemon.show_as("quiet")
    evening.run(0.1)
    table = evening.table
    assert table.planned
    cues = evening.daemon.scene.cues
    way = table.view().plan
    assert way
    assert way.origin is not None
    assert cues[table.game.sites[way.origin]].kind == "begin"
    assert {cue.kind for cue in cues.values()} <= {"begin", "travelling", "target", "place-here", "last"}


# Hints ----------------------------------------------------------------------------------------


def asked(evening: Evening) -> None:
    evening.press("hint")
    evening.run(2.0)


@pytest.mark.parametrize("name", SENSES)
def test_a_hint_lights_where_good_turns_begin_and_is_written_down(name: str, tmp_path: Path) -> None:
    evening = sit(name, (0, 0), path=tmp_path / "game.table")
    assert "hint" not in {cue.kind for cue in evening.daemon.scene.cues.values()}
    asked(evening)
    hinted = {site: cue for site, cue in evening.daemon.scene.cues.items() if cue.kind == "hint"}
    assert 1 <= len(hinted) <= 3
    assert max(cue.strength for cue in hinted.values()) == 1
    assert names(evening).count("helped") == 1
    assert names(evening)[-1] in ("hint", "hint-alike", "hint-wins")
    evening.close()
    assert "note helped" in (tmp_path / "game.table").read_text()


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ((("S5", 0.5), ("S1", 0.3)), "Equally good turns: S3, S5."),
        ((("S5", 0.46),), "Good turns, the best first, and how likely each one is to win: S3 50 %, S5 46 %."),
        ((), "Good turns, the best first, and how likely each one is to win: S3 50 %."),
    ],
)
def test_turns_that_are_equally_good_are_said_without_numbers(others: tuple[tuple[str, float], ...], told: str) -> None:
    assert str(spoken(Answer(1, "S3", 0.5, (), 60, False, others, True)).say) == told


def test_after_a_lift_the_hint_is_where_to_go_on() -> None:
    evening = sit("yin-yang", (0, 0))
    asked(evening)
    cues = evening.daemon.scene.cues
    origin = max((site for site in cues if cues[site].kind == "hint"), key=lambda site: cues[site].strength)
    evening.do([Act(0.1, ((origin, 0),))])
    evening.run(0.5)
    targets = {step.site for turn in evening.table.sheet.turns if turn.steps[0].site == origin for step in turn.steps}
    hinted = {site for site, cue in evening.daemon.scene.cues.items() if cue.kind == "hint"}
    assert hinted
    assert hinted <= targets - {origin}


def test_a_hint_is_gone_with_the_turn_unless_hints_are_always_shown() -> None:
    evening = sit("yin-yang", (0, 0))
    asked(evening)
    hand(evening, evening.table.sheet.turns[0], STYLES["finger"])
    evening.run(2.0)
    assert "hint" not in {cue.kind for cue in evening.daemon.scene.cues.values()}
    evening.daemon.company.show("always")
    hand(evening, evening.table.sheet.turns[0], STYLES["finger"])
    evening.run(2.0)
    assert "hint" in {cue.kind for cue in evening.daemon.scene.cues.values()}


def test_where_hints_are_off_the_button_shows_what_a_coach_would() -> None:
    evening = sit("yin-yang", (0, 0), shown="off")
    evening.daemon.show_as("quiet")
    evening.run(0.1)
    evening.press("hint")
    evening.run(0.1)
    kinds = {cue.kind for cue in evening.daemon.scene.cues.values()}
    assert "movable" in kinds
    assert "hint" not in kinds


def test_the_engine_is_not_helped() -> None:
    evening = sit("yin-yang", (1, 0), shown="always")
    evening.run(2.0)
    asked(evening)
    assert "helped" not in names(evening)
    assert "hint" not in {cue.kind for cue in evening.daemon.scene.cues.values()}
