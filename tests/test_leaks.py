"""No file of the program names a game but those in the game's own folder, so that one folder is all there is of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from games.rules import game_class, names

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "hardware", "firmware_bridge")


def plain(text: str) -> str:
    """The letters and digits of `text` alone, so that zig-zag, Zig Zag and ZigZag are one spelling."""
    return "".join(filter(str.isalnum, text.casefold()))


def lines(path: Path) -> list[str]:
    """The lines of a text file; none of any other."""
    try:
        return path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return []


def leaks(root: Path, games: Iterable[str]) -> Iterator[str]:
    """Where a file or a line beneath `root` names one of `games` outside of ``games/<name>/``."""
    spellings = {name: plain(name) for name in games}
    paths = [path for package in PACKAGES for path in sorted((root / package).rglob("*"))]
    for path in paths:
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        where = path.relative_to(root)
        for name, spelling in spellings.items():
            if where.parts[:2] != ("games", name.replace("-", "_")):
                told = [str(where), *lines(path)]
                yield from (f"{where}:{number}: {name}" for number, line in enumerate(told) if spelling in plain(line))


def test_no_file_names_a_game_outside_its_folder() -> None:
    assert not list(leaks(ROOT, names()))


def test_a_title_is_found_by_the_name() -> None:
    """Whoever writes a title leaks as much as who writes a name."""
    assert all(plain(game_class(name).title) == plain(name) for name in names())


@pytest.mark.parametrize(
    ("path", "line", "found"),
    [
        ("hardware/boards/a.toml", "# for Zong-Heng", ["hardware/boards/a.toml:1: zong-heng"]),
        ("firmware_bridge/web/a.css", '[data-game="zig_zag"] p {}', ["firmware_bridge/web/a.css:1: zig-zag"]),
        ("firmware_bridge/i18n/a.po", 'msgid "yin-yang.own"', ["firmware_bridge/i18n/a.po:1: yin-yang"]),
        ("firmware_bridge/zhizhu.py", "", ["firmware_bridge/zhizhu.py:0: zhizhu"]),
        ("games/zig_zag/rules.py", "class ZhiZhu:", ["games/zig_zag/rules.py:1: zhizhu"]),
        ("games/zig_zag/rules.py", "class ZigZag:", []),
        ("docs/a.md", "Zong-Heng", []),
    ],
)  # fmt: skip
def test_a_planted_name_is_found(tmp_path: Path, path: str, line: str, found: list[str]) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(line)
    assert list(leaks(tmp_path, names())) == found
