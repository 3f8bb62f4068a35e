"""What is expected of positions beside what came: the table, the fit and the bounds, on samples made up."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from benchmarks import calibration
from benchmarks.calibration import Valued, all_valued, bins, chance, error, figures, fitted
from firmware_bridge.engine import Found
from firmware_bridge.engine.calibration import calibrated, scale_of
from games.fast import Scale
from games.rules import load, names

LIST = [Valued(1, 0.9, 1.0), Valued(1, 0.1, 1.0), Valued(3, 0.9, 1.0), Valued(3, 0.55, 0.5)]

OWN = [scale for name in names() if (scale := scale_of(load(name)))]
"""Those that games say."""


def by_chance(scale: Scale, count: int) -> list[Valued]:
    """Games of a position each, whose results come as a search with this scale has them."""
    random = Random(1)
    values = [random.uniform(0.02, 0.98) for _ in range(count)]
    return [Valued(number, value, float(random.random() < scale.score(value))) for number, value in enumerate(values)]


# The mapping ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [Scale(0.3), Scale(2.5, 1.8), Scale(1.0, 0.7), *OWN])
def test_a_better_value_stays_better_and_both_sides_add_up_to_one(scale: Scale) -> None:
    values = [scale.score(number / 100) for number in range(101)]
    other = Scale(scale.slope, 1 / scale.favour)  # the same from the side that is not to move
    assert values == sorted(set(values))
    assert (values[0], values[-1]) == (0.0, 1.0)
    assert all(abs(scale.score(value) + other.score(1 - value) - 1) < 1e-12 for value in values)


def test_a_usual_scale_leaves_all_as_it_is() -> None:
    assert [Scale().score(value) for value in (0.0, 0.25, 0.5, 1.0)] == [0.0, 0.25, 0.5, 1.0]


@pytest.mark.parametrize("name", names())
def test_what_is_sure_stays_sure(name: str) -> None:
    assert scale_of(load(name))
    for sure in (0.0, 0.5, 1.0):
        found = Found("a", sure, ("a",), 9, True, (("b", 0.0),), (0.0, 0.0))
        assert calibrated(load(name), found) == found


@pytest.mark.parametrize("name", names())
def test_values_and_their_errors_are_brought_to_scale(name: str) -> None:
    found = calibrated(load(name), Found("a", 0.6, ("a",), 9, False, (("b", 0.5),), (0.02, 0.0)))
    [(_, other)] = found.others
    scale = scale_of(load(name)) or Scale()
    assert (found.value, other) == (scale.score(0.6), scale.score(0.5))
    assert found.errors == pytest.approx((0.01 * (scale.score(0.62) - scale.score(0.58)) / 0.02, 0.0))


# The table ------------------------------------------------------------------------------------


def test_a_table_has_what_was_expected_of_the_side_ahead_and_what_it_scored() -> None:
    near, far = bins(LIST, Scale())
    assert (near.number, near.predicted, near.actual) == (1, 0.55, 0.5)
    assert far.number == 3
    assert far.predicted == pytest.approx(0.9)
    assert far.actual == pytest.approx(2 / 3)
    assert far.least < far.actual < far.most
    assert error([near, far]) == pytest.approx((0.05 + 3 * (0.9 - 2 / 3)) / 4)


def test_positions_of_one_game_count_as_one_for_the_bounds() -> None:
    alone = [Valued(number, 0.9, float(number % 3 > 0)) for number in range(60)]
    together = [each._replace(number=each.number // 12 * 3 + each.number % 3) for each in alone]
    [one], [other] = bins(alone, Scale()), bins(together, Scale())
    assert other.most - other.least > 1.5 * (one.most - one.least)


@pytest.mark.parametrize("scale", [Scale(0.5), Scale(1.0, 1.5), Scale(1.7, 0.8)])
def test_the_scale_of_a_sample_is_found_and_leaves_what_chance_leaves(scale: Scale) -> None:
    sample = by_chance(scale, 4000)
    assert fitted(sample) == pytest.approx(scale, rel=0.15)
    assert error(list(bins(sample, scale))) < 2 * chance(sample, scale) < 0.04


def test_few_positions_move_a_scale_little() -> None:
    assert fitted([]) == Scale()
    assert fitted([Valued(2, 0.999, 0.0)] * 200).slope == calibration.LEAST
    assert 0.5 < fitted([Valued(2, 0.6, 0.0)]).slope < 1.1


def test_one_half_of_the_games_is_fitted_and_the_other_half_judged() -> None:
    odd = [each for each in by_chance(Scale(), 200) if each.number % 2]
    found = figures("zhizhu", [*odd, *(Valued(2 * number, 0.9, 0.5) for number in range(50))])
    assert found.fitted_slope < 0.6
    assert found.games == 100
    assert sum(each.number for each in found.bins) == 100


# Games ----------------------------------------------------------------------------------------


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(calibration.GAMES, "yin-yang", 2)
    monkeypatch.setitem(calibration.QUICK, "uct", 20)
    monkeypatch.setattr(calibration, "thorough", lambda _: 20)
    kept = tmp_path / "kept.txt"
    whole = all_valued(["yin-yang"], 1.0, kept)
    assert {each.number for each in whole["yin-yang"]} == {0, 1}
    text = kept.read_text()
    kept.write_text(text[:-3])
    assert all_valued(["yin-yang"], 1.0, kept) == whole
