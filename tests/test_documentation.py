"""The documentation: its figures are those of the saved results, its links and paths exist, no command is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from docs import figures
from docs.architecture import rooms
from docs.figures import BLOCKS, MARKED, ROOT, pages, percent, wilson, written
from docs.moving import END, begun, picture
from firmware_bridge.cli.main import parser
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
    assert figures.bounded(0, 0) == "-"


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0"), (1, "100"), (0.996, "99.6"), (0.0082, "0.82"), (0.00005, "0.005")]
)
def test_shares_are_told_as_finely_as_they_are_small(share: float, text: str) -> None:
    assert percent(share) == text


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


TOP = "benchmarks|docs|firmware_bridge|games|hardware|systemd|tests"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_paths_that_are_named_exist(page: Path) -> None:
    for path in re.findall(rf"`((?:{TOP})/[\w./-]*)`", page.read_text()):
        assert (ROOT / path).exists(), path


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
