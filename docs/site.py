"""Builds the documentation as a site into build/site: all pages, the rules with moving figures, and the modules.

make site

The pages are those of the repository. What links to a file that is no page becomes its path; every other link is
checked by mkdocs, anchors too, and one that leads nowhere ends it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from docs.architecture import modules
from docs.package_readme import LINK
from firmware_bridge.drawing.picture import Request, as_gif
from firmware_bridge.i18n import words
from firmware_bridge.score import ScoreSheet
from games.rules import Reason, load, names

ROOT = Path(__file__).parents[1]
SOURCE, SITE = ROOT / "build" / "site-source", ROOT / "build" / "site"
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md")))
PICTURES = ("*.svg", "*.webp")
TURNS = 12
"""Turns of its recorded game that the figure of a game shows."""


# The pages --------------------------------------------------------------------------------------


def write_pages() -> None:
    """The pages of the repository with their pictures."""
    for page in PAGES:
        goal = SOURCE / page.relative_to(ROOT)
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_text(with_paths(page))
    for pattern in PICTURES:
        for picture in ROOT.glob(f"docs/{pattern}"):
            shutil.copy(picture, SOURCE / "docs")


def with_paths(page: Path) -> str:
    """The text of a page; where it links to what is no page or picture of the site, the path stands there."""

    def named(link: re.Match[str]) -> str:
        told, path = link.groups()
        goal = (page.parent / path).resolve()
        if goal in PAGES or goal.suffix in (".svg", ".webp"):
            return link[0]
        path = str(goal.relative_to(ROOT))
        return told if path in told else f"{told} (`{path}`)"

    return LINK.sub(named, page.read_text())


# The rules --------------------------------------------------------------------------------------


def write_rules() -> None:
    """A page for each game: its rules, and the first turns of a game as the table lights them."""
    folder = SOURCE / "rules"
    folder.mkdir()
    for name in names():
        game = load(name)
        (folder / f"{name}.gif").write_bytes(figure(name))
        text = re.sub(r"(?<=\.)\n", "\n\n", words("en").say(Reason.of(f"{name}.summary")))
        shown = f"![The first {TURNS} turns of a game, with the lights of the table]({name}.gif)"
        (folder / f"{name}.md").write_text(f"# {game.title}\n\n{text}\n\n{shown}\n")


def figure(name: str) -> bytes:
    """The first turns of the recorded game beside the rules, as a GIF."""
    game = load(name)
    module = sys.modules[type(game).__module__].__file__ or ""
    told = re.findall(r"^plays (.*)$", (Path(module).parent / "golden.txt").read_text(), re.MULTILINE)
    sheet = ScoreSheet(game)
    for turn in told[:TURNS]:
        sheet.read(turn)
    return as_gif(Request(sheet, sheet.length, "coach", "default"))


# The modules ------------------------------------------------------------------------------------


def write_reference() -> None:
    """A page for each room of the program, with the docstrings of its modules."""
    folder = SOURCE / "reference"
    folder.mkdir()
    for room, listed in rooms().items():
        parts = "\n\n".join(f"::: {module}" for module in listed)
        (folder / f"{room}.md").write_text(f"# {room}\n\n{parts}\n")


def rooms() -> dict[str, list[str]]:
    """The modules of each room: a package with the modules in it, or the modules at the top of a package."""
    found: dict[str, list[str]] = {"tablelight": ["tablelight"]}
    for name, path in modules().items():
        parts = name.split(".")
        inner = len(parts) > 2 or path.name == "__init__.py"
        found.setdefault(".".join(parts[:2]) if inner and len(parts) > 1 else parts[0], []).append(name)
    return found


# The site ---------------------------------------------------------------------------------------


def navigation() -> Iterator[str]:
    """What the configuration lacks: the pages by subject."""
    yield "nav:"
    yield "  - Tablelight: README.md"
    for title, pages in SUBJECTS.items():
        yield f"  - {title}:"
        yield from (f"    - {page}" for page in pages.split())
        if title == "Playing":
            yield "    - The rules:"
            yield from (f"      - rules/{name}.md" for name in names())
    yield "  - Modules:"
    yield from (f"    - reference/{room}.md" for room in sorted(rooms()))


SUBJECTS = {
    "Playing": "docs/commands.md docs/engine.md docs/analysis.md docs/exchange.md docs/page.md docs/club.md"
    " docs/home.md docs/chess.md",
    "Building": "docs/building.md docs/sensors.md docs/lights.md docs/wiring.md docs/mcu.md docs/wire.md"
    " docs/service.md docs/security.md",
    "Programming": "docs/overview.md docs/api.md docs/adding.md docs/reading.md docs/translating.md"
    " docs/virtual-pi.md CONTRIBUTING.md",
    "How good, what is new": "docs/figures.md CHANGELOG.md",
}
"""The pages by subject, as the last table of the README has them."""


def main() -> int:
    """Build it; the exit status is that of mkdocs."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    write_pages()
    write_rules()
    write_reference()
    configuration = SOURCE.with_name("mkdocs.yml")
    told = (ROOT / "docs" / "mkdocs.yml").read_text()
    configuration.write_text(told + "\n".join(navigation()) + "\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(configuration)]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if not status:
        print(f"The site is in {SITE}: {sum(1 for _ in SITE.rglob('*.html'))} pages.")
    return status


if __name__ == "__main__":
    sys.exit(main())
