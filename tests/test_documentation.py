"""The documentation: its figures are those of the saved results, its links and paths exist, no command is left out."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from benchmarks.results import Evenings, Machine, Measured, Prompted, ReadHabit, Saved, Spread
from docs import hands
from docs.architecture import rooms
from docs.figures import BLOCKS, MARKED, ROOT, pages, written
from docs.moving import END, begun, picture
from docs.site import navigation, with_paths
from docs.tables import bounded, percent, wilson
from docs.wirings import drawings
from firmware_bridge.cli.commands import actions
from firmware_bridge.cli.main import parser
from firmware_bridge.reading.constants import BOUNDS
from hardware.backends import find, names
from tests.test_architecture import DOORS

README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md"))]


def name(path: Path) -> str:
    """The path of a page within the project."""
    return str(path.relative_to(ROOT))


# Figures --------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", pages(), ids=name)
def test_figures_are_those_of_the_saved_results(page: Path) -> None:
    assert page.read_text() == written(page.read_text()), "stale: make figures"


def test_every_block_of_figures_stands_on_some_page() -> None:
    found = {block["name"] or "summary" for page in pages() for block in MARKED.finditer(page.read_text())}
    assert found == set(BLOCKS)
    assert README in pages()


def test_a_figure_changed_by_hand_is_put_right() -> None:
    page = ROOT / "docs" / "figures.md"
    text = page.read_text()
    damaged = text.replace("| memory, MB | ", "| memory, MB | 1", 1)
    assert damaged != text
    assert written(damaged) == text


def test_a_block_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="luck"):
        written("<!-- figures: luck -->\n<!-- /figures -->\n")


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (2, 36_999, 0.0000148, 0.000197)],
)
def test_bounds_are_those_of_wilson(count: int, of: int, low: float, high: float) -> None:
    """The first three as in tables of the score interval (Agresti and Coull, 1998)."""
    assert wilson(count, of) == pytest.approx((low, high), rel=2e-3)


def test_nothing_measured_bounds_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert bounded(0, 0) == "-"


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0"), (1, "100"), (0.996, "99.6"), (0.0082, "0.82"), (0.00005, "0.005")]
)
def test_shares_are_told_as_finely_as_they_are_small(share: float, text: str) -> None:
    assert percent(share) == text


READ = Prompted(200, 190, 6, 2, 1, 1, 3, 1, 0, Spread(20.0, 400.0), undone=1, actions_p95=3)


def as_if_measured(monkeypatch: pytest.MonkeyPatch, **results: list[ReadHabit]) -> None:
    """Let just these results of the physical table have been saved."""

    def load(name: str, kind: type[Evenings]) -> Saved[Evenings]:
        if name not in results:
            raise FileNotFoundError(name)
        measured = Measured("make reading", {}, date(2026, 1, 1), "1234567", Machine("some"))
        return Saved(measured, Evenings(results[name], ["a sowing was read as another one"]))

    monkeypatch.setattr(hands, "load", lambda name, kind: load(name.replace("-", "_"), kind))


def test_a_row_of_a_run_that_goes_on_says_how_many_turns_were_played(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = ReadHabit("zhizhu:colour", "mixed", "all", 9, {"table": READ}, {}, due=2000, played=210)
    old = ReadHabit("zhizhu:colour", "mixed", "all", 2, {"rules": READ, "pair": READ}, {})
    as_if_measured(monkeypatch, reading=[mixed], reading_rules=[old])
    rows = [line for line in hands.read().splitlines() if line.startswith("| zhizhu:colour, mixed")]
    assert [row.split(" | ")[1:3] for row in rows] == [
        ["Tablelight", "200 (210 played of 2,000)"],
        ["Tablelight by rules, as it was", "200"],
        ["pair", "200"],
    ]
    assert rows[0].endswith("| 1.0 (0.27 to 3.6) | 1 | 1.5 (0.51 to 4.3) | 20 / 400 | 1 of 4; 95 % within 3 |")
    whole = msgspec.structs.replace(mixed, played=2000)
    as_if_measured(monkeypatch, reading=[whole])
    assert "played of" not in hands.read()


def test_what_has_not_been_measured_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    old = [
        ReadHabit(cell, habit, "all", 2, {"rules": READ}, {})
        for cell, habit in (("zhizhu:colour", "mixed"), ("presence", "all but some"), ("zhizhu:colour", "steady"))
    ]
    as_if_measured(monkeypatch, reading_rules=old)
    for block in (hands.read, hands.reaching_in, hands.habits, hands.sick):
        assert hands.NOT_YET in block().lower()
    assert [row[1] for row in hands.often_right()] == [hands.NOT_YET] * 4
    assert hands.counted() == hands.NOT_YET


def test_the_first_rows_of_the_readme_are_of_hands_at_the_physical_table(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = [ReadHabit(kind, "all but some", "all", 9, {"table": READ}, {}) for kind in ("presence", "colour or count")]
    mixed = ReadHabit("zhizhu:colour", "mixed", "all", 9, {"table": READ}, {})
    sick = [
        ReadHabit("presence", "mixed", "all", 9, {"table": READ}, {}, fault, {"table": (3, 4, 1)})
        for fault in ("drift", "any")
    ]
    as_if_measured(monkeypatch, reading=[*sound, mixed], reading_faults=sick)
    assert [row[1] for row in hands.often_right()] == [
        "95.0 (91.0 to 97.3) %",
        "95.0 (91.0 to 97.3) %",
        "4 of 400, 2 silent; at most 2.5 %",
        "2 of 200, 1 silent; at most 3.6 %",
    ]
    assert hands.counted() == "20 to 20 ms, by game"
    assert "| 3 of 4, and 1 sound |" in hands.sick()
    assert "a sowing was read as another one" in hands.sick()


def test_the_table_of_constants_has_each_that_is_used_at_half_and_at_double() -> None:
    rows = [line.split("|")[1].strip() for line in BLOCKS["sensitivity"]().splitlines() if line.startswith("| `")]
    assert rows == [f"`{name}`" for name in BOUNDS for _ in range(2)]


# README, links, commands ----------------------------------------------------------------------


def test_the_readme_is_short() -> None:
    assert len(README.read_text().splitlines()) <= 120


def links(text: str) -> Iterator[str]:
    """What a page links to or shows, without what has a protocol of its own."""
    found = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    return (link for link in found if not re.match(r"[a-z]+:", link))


def anchors(text: str) -> set[str]:
    """The names of a page's headings, as hosts of Markdown make them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page.read_text()):
        path, _, anchor = link.partition("#")
        goal = (page.parent / path).resolve() if path else page
        assert goal.exists(), link
        assert not anchor or anchor in anchors(goal.read_text()), link


def test_every_page_of_the_documentation_can_be_reached_from_the_readme() -> None:
    reached, left = set[Path](), [README]
    while left:
        page = left.pop()
        reached.add(page)
        goals = {(page.parent / link.partition("#")[0]).resolve() for link in links(page.read_text())}
        left += [goal for goal in goals - reached if goal.suffix == ".md"]
    assert set(PAGES) <= reached


def test_every_command_is_documented() -> None:
    listed = re.findall(r"^    ([a-z-]+)(?: |$)", parser().format_help(), re.MULTILINE)
    told = re.findall(r"^tablelight ([a-z-]+)", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE)
    assert set(told) == set(listed)


def test_the_man_page_has_every_command_and_option() -> None:
    page = (ROOT / "docs" / "tablelight.1").read_text().replace("\\-", "-")
    top = parser()
    for each in actions(top):
        for option in {*each.option_strings} - {"-h", "--help"}:
            assert option in page, f"{option}: make man"
        if isinstance(each, argparse._SubParsersAction):
            for name in each.choices:
                assert f"tablelight {name}" in page, f"{name}: make man"


TOP = "benchmarks|debian|docs|firmware_bridge|games|hardware|systemd|tests"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_paths_that_are_named_exist(page: Path) -> None:
    for path in re.findall(rf"`((?:{TOP})/[\w./-]*)`", page.read_text()):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("path", sorted(ROOT.glob("hardware/boards/*.toml")), ids=name)
def test_pages_that_a_board_file_names_exist(path: Path) -> None:
    for page in re.findall(r"docs/[\w.]+|hardware/mcu", path.read_text()):
        assert (ROOT / page).exists(), page


# Drivers --------------------------------------------------------------------------------------

DRIVERS = [(folder, driver) for folder in ("scanners", "lights") for driver in names(folder)]


@pytest.mark.parametrize(("folder", "driver"), DRIVERS)
def test_every_key_of_every_driver_is_documented_with_its_default(folder: str, driver: str) -> None:
    if driver == "ws281x":
        pytest.importorskip("rpi_ws281x")
    page = (ROOT / "docs" / {"scanners": "sensors.md", "lights": "lights.md"}[folder]).read_text()
    section = re.search(rf"^## [^\n]*`{driver}`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert section, f"no section on {driver}"
    told = dict(re.findall(r"^\| (`[\w`, ]+) \| (.*?) \|", section[1], re.MULTILINE))
    listed = {
        key: json.loads(default)
        for keys, defaults in told.items()
        for key, default in zip(re.findall(r"\w+", keys), re.findall(r"`(.*?)`", defaults), strict=True)
    }
    settings = find(folder, driver).Settings()
    assert listed == msgspec.json.decode(msgspec.json.encode(settings)), driver


def test_the_drawings_of_the_wiring_are_those_of_the_settings() -> None:
    for file, data in drawings().items():
        assert (ROOT / "docs" / file).read_bytes() == data, "stale: make picture"


# The rooms, as docs/overview.md lists them -----------------------------------------------------


def rows() -> dict[str, list[str]]:
    """Each room of the two tables with its other cells, in order."""
    text = (ROOT / "docs" / "overview.md").read_text()
    section = text.partition("\n## What sits where\n")[2].partition("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:3] == "| `"
    ]
    assert len({room for room, *_ in cells}) == len(cells)
    return {room.strip("`"): rest for room, *rest in cells}


def test_the_overview_lists_every_room() -> None:
    assert set(rows()) == set(rooms())


def test_rooms_know_only_rows_above_their_own() -> None:
    order = list(rows())
    for room, known in rooms().items():
        assert known <= set(order[: order.index(room)]), room


def test_the_modules_and_doors_of_the_overview_exist() -> None:
    for room, (_, door, modules) in rows().items():
        package = room if (ROOT / room).exists() else f"firmware_bridge.{room}"
        folder = ROOT.joinpath(*package.split("."))
        for module in re.findall(r"`([\w./]+)`", modules):
            assert (folder / module).exists() or (module == f"{room}.py" and folder.with_suffix(".py").exists()), module
        for each in names_in(door):
            assert import_module(each) if "." in each else hasattr(import_module(package), each), each


def names_in(door: str) -> list[str]:
    """What a door names, the modules of its room left out."""
    return [each for each in re.findall(r"`([\w.]+)`", door) if not each.endswith(".py")]


def test_the_overview_names_the_modules_that_are_doors() -> None:
    named = {room: set(re.findall(r"`(\w+)\.py`", door)) for room, (_, door, _) in rows().items()}
    assert {room: modules for room, modules in named.items() if modules} == {
        room: set(modules.split()) for room, modules in DOORS.items()
    }


# The moving picture ---------------------------------------------------------------------------


def test_a_moving_picture_moves_by_itself_and_each_change_is_sound() -> None:
    root = picture(begun())
    tags = {each.tag for each in root.iter()}
    assert (
        {"animate", "animateTransform"}
        <= tags
        <= {"svg", "g", "rect", "path", "circle", "text", "title", "animate", "animateTransform"}
    )
    for each in root.iter():
        if each.tag.startswith("animate"):
            times = [float(time) for time in each.get("keyTimes", "").split(";")]
            assert times[0] == 0
            assert times == sorted(times)
            assert times[-1] == 1 or each.get("calcMode") == "discrete"
            assert len(times) == len(each.get("values", "").split(";"))
            assert each.get("dur") == f"{END:g}s"


# The site -------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_on_the_site_pages_link_to_pages_and_pictures_alone(page: Path) -> None:
    told = with_paths(page)
    assert {Path(link.partition("#")[0]).suffix for link in links(told)} <= {"", ".md", ".svg", ".webp"}
    assert len(told) >= len(page.read_text()) * 0.9


def test_every_page_has_its_place_in_the_navigation_of_the_site() -> None:
    told = "\n".join(navigation())
    assert all(f" {name(page)}" in told for page in PAGES)
