"""The positions of a game are told one after another, as they are weighed, with what was better."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import DecodeError

from benchmarks.cells import Cell
from firmware_bridge.analysis.evaluation import LEAST, Effort, EvaluatedTurn, Evaluation, analyse
from firmware_bridge.analysis.moments import Moment, moment, pack, read
from firmware_bridge.records import read_record
from firmware_bridge.score import ScoreSheet
from hardware.device import Sense
from tests.records.random_records import keep


def weighed(sheet: ScoreSheet) -> tuple[list[Moment], list[float]]:
    """All that is told of a game, and how much each turn lost by the whole analysis."""
    told: list[Moment] = []

    def tell(number: int, known: Evaluation, turn: EvaluatedTurn | None) -> None:
        told.append(moment(sheet, number, known, turn))

    made = analyse(sheet, Effort(None, 20, 0), {}, lambda *_: None, tell=tell)
    assert [each.value for each in made.standings] == [each.value for each in reversed(told)]
    return told, [turn.loss for turn in made.turns]


@pytest.mark.parametrize("name", ["zong-heng", "zhizhu", "zig-zag"])
def test_each_position_is_told_once_the_last_first(name: str, tmp_path: Path) -> None:
    sense = Sense.COUNT if name == "zig-zag" else Sense.COLOUR
    sheet = read_record(keep(tmp_path / "game.table", Cell(name, sense), 1, lines=12).path).sheet
    told, lost = weighed(sheet)
    assert [each.number for each in told] == list(range(sheet.length, -1, -1))
    assert {each.of for each in told} == {sheet.length}
    better = [each for each in told if each.better]
    assert better
    for each in better:
        assert each.better
        turns = {turn.text: turn for turn in sheet.game.turns(sheet.played_turns[each.number].position)}
        assert each.better.acts == turns[each.better.turn].acts
        assert turns[each.better.turn].after != sheet.played_turns[each.number].turn.after
        assert each.better.much == (lost[each.number] >= LEAST)
    assert [read(pack(each)) for each in told] == told


@pytest.mark.parametrize("packet", [b"", b"made", pack({"number": 1})])
def test_what_is_no_moment_is_refused(packet: bytes) -> None:
    with pytest.raises(DecodeError):
        read(packet)
