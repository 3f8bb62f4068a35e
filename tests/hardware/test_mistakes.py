"""Hands that fumble: whatever goes wrong, the turn ends as it was meant, or is given up and says so."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import accumulate
from random import Random
from typing import Any

import pytest

from games.rules import Game, load, names
from hardware.simulation.hands import STYLES, Surroundings, Touch, perform
from hardware.simulation.mistakes import HANDS, KINDS, TIMES, Hands, Mistake, Performance
from tests.hardware.test_hands import Made as Turned
from tests.hardware.test_hands import pictures, turns_of

FINGER = STYLES["finger"]


@cache
def game_of(name: str) -> Game[Any]:
    return load(name)


def around(name: str, turned: Turned) -> Surroundings:
    """What a hand sees before a turn; it has another turn in mind that can be made as well."""
    game = game_of(name)
    return Surroundings(
        turned.before, game.places, game.pieces == "seeds", perform(another(name, turned).turn.acts, FINGER)
    )


def another(name: str, turned: Turned) -> Turned:
    """Any turn whose sites show now what they showed before it, `turned` itself if there is no other."""
    near = turns_of(name)[:10]
    can = (other for other in near if all(turned.before[site] == other.before[site] for site in other.turn.path))
    return next(can, turned)


def made(name: str, turned: Turned, hands: Hands, style: str = "finger") -> Performance:
    """The turn as these hands make it."""
    return hands.make(perform(turned.turn.acts, STYLES[style]), around(name, turned))


def ends_well(turned: Turned, made: Performance) -> bool:
    """Whether the board is in the end as it should be, and was possible all the time."""
    shown = pictures(turned, made.touches)
    assert all(level >= 0 for picture in shown for level in picture.values())
    assert all(touch.wait >= 0 and touch.changes for touch in made.touches)
    return tuple(shown[-1].values()) == (turned.turn.after.board if made.made else tuple(turned.before.values()))


def happened(name: str, kind: str, time: float | None = None) -> list[tuple[Turned, Performance]]:
    """Turns in which this kind of fumble really happened."""
    fumble = Mistake(kind, time=TIMES.get(kind, 0.4) if time is None else time)
    turns = enumerate(turns_of(name)[::2])
    all_made = ((turned, made(name, turned, Hands([fumble], seed))) for seed, turned in turns)
    return [(turned, what) for turned, what in all_made if what.kinds]


# Whatever happens -----------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["finger", "singly", "captures first"])
@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", names())
def test_a_turn_with_mistakes_ends_as_it_was_meant_or_is_given_up(name: str, hands: str, style: str) -> None:
    for seed, turned in enumerate(turns_of(name)[::7]):
        assert ends_well(turned, made(name, turned, Hands(HANDS[hands], seed), style)), (turned.turn.text, seed)


@pytest.mark.parametrize("name", names())
def test_a_turn_in_which_everything_goes_wrong_ends_well_all_the_same(name: str) -> None:
    kinds = sorted(KINDS)
    for seed, turned in enumerate(turns_of(name)[::3]):
        Random(seed).shuffle(kinds)
        hands = Hands([Mistake(kind, time=TIMES.get(kind, 0.4)) for kind in kinds], seed)
        assert ends_well(turned, made(name, turned, hands)), (turned.turn.text, seed)


def test_the_same_seed_makes_the_same_evening_and_another_seed_another() -> None:
    def simulation(seed: int) -> list[Performance]:
        hands = Hands(HANDS["child"], seed)
        return [made("zhizhu", turned, hands) for turned in turns_of("zhizhu")]

    assert simulation(1) == simulation(1)
    assert simulation(1) != simulation(2)


def test_steady_hands_do_what_they_are_told() -> None:
    for turned in turns_of("zong-heng"):
        touches = perform(turned.turn.acts, FINGER)
        assert made("zong-heng", turned, Hands(HANDS["steady"])) == Performance(own(touches))


def test_mistakes_happen_at_their_rate() -> None:
    hands = Hands([Mistake("hover", 0.2), Mistake("bump", 0.05)], 3)
    count = Counter(kind for turned in turns_of("yin-yang") for kind in made("yin-yang", turned, hands).kinds)
    turns = len(turns_of("yin-yang"))
    assert 0.12 * turns < count["hover"] < 0.28 * turns
    assert 0.01 * turns < count["bump"] < 0.1 * turns


def test_a_mistake_takes_about_its_time() -> None:
    for time in (0.2, 2.0):
        for turned, what in happened("yin-yang", "hover", time):
            touches = perform(turned.turn.acts, FINGER)
            assert (
                time / 2
                <= max(touch.wait for touch in what.touches[: len(what.touches) - len(touches)])
                <= max(time * 1.5, 0.45)
            )


@pytest.mark.parametrize("wrong", [("juggle", 0.1, 0.1), ("bump", 1.1, 0.1), ("bump", 0.1, -1.0)])
def test_an_impossible_mistake_is_refused(wrong: tuple[str, float, float]) -> None:
    with pytest.raises(ValueError, match="fumble"):
        Mistake(*wrong)


def test_where_the_turn_begins_is_the_first_act_of_its_own() -> None:
    for name in names():
        for turned, what in happened(name, "wrong piece"):
            assert what.touches[what.begins] == own(perform(turned.turn.acts, FINGER))[0]
            assert what.begins > 0


# Each kind does what its name says ------------------------------------------------------------


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"early capture", "late capture", "walk away", "both hands"}))
def test_every_kind_happens_in_every_game(name: str, kind: str) -> None:
    assert len(happened(name, kind)) >= 5, (name, kind)


def own(touches: list[Touch]) -> list[Touch]:
    return [touch._replace(own=True) for touch in touches]


def touched(touches: list[Touch]) -> list[str]:
    return [site for touch in touches for site, _ in touch.changes]


@pytest.mark.parametrize("kind", ["bump", "nudge", "reach in", "wrong piece"])
def test_what_the_turn_leaves_alone_is_disturbed_and_put_right(kind: str) -> None:
    for turned, what in happened("zong-heng", kind):
        others = set(touched(what.touches)) - {step.site for step in turned.turn.steps}
        assert 1 <= len(others) <= 4, kind


def test_a_bump_is_short() -> None:
    for turned, what in happened("zhizhu", "bump", 0.04):
        times = list(accumulate(touch.wait for touch in what.touches))
        own = {step.site for step in turned.turn.steps}
        for site in set(touched(what.touches)) - own:
            gone, back = (now for now, touch in zip(times, what.touches, strict=True) if touch.changes[0][0] == site)
            assert 0.02 - 1e-9 <= back - gone <= 0.06 + 1e-9


def test_a_nudged_stone_slides_to_the_empty_site_beside_it() -> None:
    for turned, what in happened("yin-yang", "nudge"):
        others = list(dict.fromkeys(site for site in touched(what.touches) if site not in turned.turn.path))
        (x, y), (a, b) = (game_of("yin-yang").places[site] for site in others)
        assert [bool(turned.before[site]) for site in others] == [True, False]
        assert max(abs(x - a), abs(y - b)) == 1


def test_the_first_stone_is_hovered_over() -> None:
    for turned, what in happened("yin-yang", "hover"):
        origin = turned.turn.steps[0].site
        assert [touch.changes[0][0] for touch in what.touches[:3]] == [origin] * 3


def test_a_hesitating_stone_rests_beside_its_target() -> None:
    for turned, what in happened("yin-yang", "hesitate"):
        extra = [site for site in touched(what.touches) if touched(what.touches).count(site) > 1]
        assert len(what.touches) == len(perform(turned.turn.acts, FINGER)) + 2
        assert extra


def test_a_seed_falls_into_the_wrong_pit_and_is_fetched_back() -> None:
    for turned, what in happened("zig-zag", "hesitate"):
        shown = [turned.before, *pictures(turned, what.touches)]
        total = [sum(picture.values()) for picture in shown]
        clean = [sum(picture.values()) for picture in pictures(turned, perform(turned.turn.acts, FINGER))]
        assert len(total) == len(clean) + 3
        assert max(total) <= max(sum(turned.before.values()), *clean) + 1


def test_both_hands_are_quick() -> None:
    for name in ("yin-yang", "zong-heng"):
        for _, what in happened(name, "both hands", 0.03):
            assert sum(touch.wait for touch in what.touches[1:]) <= 0.03 * len(what.touches)


def test_a_sweep_takes_a_few_stones_off_and_a_knock_over_most() -> None:
    def lost(kind: str) -> list[tuple[int, int]]:
        """How many stones stand before, and how many are off at most, one of them in the hand."""
        stones = [[turned.before, *pictures(turned, what.touches)] for turned, what in happened("yin-yang", kind)]
        counts = [[sum(map(bool, picture.values())) for picture in pictures] for pictures in stones]
        return [(count[0], count[0] - min(count)) for count in counts]

    assert max(off for _, off in lost("sweep")) <= 6
    assert all(off >= (stood - 1) * 2 // 3 for stood, off in lost("knock over"))


def test_captured_stones_go_early_or_late() -> None:
    early, late = happened("zhizhu", "early capture"), happened("zhizhu", "late capture")
    assert len(early) > 5
    assert len(late) > 5
    for turned, what in early:
        assert touched(what.touches) != [step.site for step in turned.turn.steps]
        assert Counter(touched(what.touches)) == Counter(step.site for step in turned.turn.steps)
    assert all(max(touch.wait for touch in what.touches) >= 2.5 for _, what in late)


def test_a_player_walks_away_in_the_midst_of_a_turn() -> None:
    for _, what in happened("zong-heng", "walk away"):
        assert max(touch.wait for touch in what.touches[1:]) >= 6.0


def test_a_change_of_mind_begins_another_turn_first() -> None:
    game, turned = game_of("yin-yang"), turns_of("yin-yang")[0]
    other = [Touch(0.3, (("a6", 0),)), Touch(0.3, (("a5", 1),))]
    what = Hands([Mistake("change of mind")]).make(
        perform(turned.turn.acts, FINGER), Surroundings(turned.before, game.places, False, other)
    )
    assert [touch.changes[0][0] for touch in what.touches[:2]] == ["a6", "a6"]
    assert what.begins == 2


def test_an_abandoned_turn_is_not_made() -> None:
    for turned, what in happened("zong-heng", "abandon"):
        assert not what.made
        assert set(touched(what.touches)) <= {step.site for step in turned.turn.steps}
