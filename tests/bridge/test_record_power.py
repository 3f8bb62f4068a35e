"""Without power at any moment: no turn reported as safe is lost, and none is invented."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from calls import why_not
from disk import Disk
from dying import Scene, Tell, scenes, stops
from papers import Facts
from stories import Reports, read

from firmware_bridge.saved import RecordError

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())


@dataclass
class Cut:
    """Power cuts, and sudden deaths, at every moment of a scene; every different state of the disk is read once."""

    scene: Scene
    left: Path
    seen: Counter[str] = field(default_factory=Counter)
    facts: dict[bytes | None, Facts | str | None] = field(default_factory=dict)

    def everywhere(self) -> Counter[str]:
        scene = self.scene.lay_out()
        folders = {str(folder) for folder in [scene.place, *scene.place.parents]}
        disk = Disk(scene.before, folders)
        with closing(Reports()) as reports:
            for call in stops(scene, reports):
                disk.do(call)
                self._end(disk, reports.hear())
        assert disk.left(str(scene.path), orderly=True) == {scene.path.read_bytes()}
        return self.seen

    def _end(self, disk: Disk, done: int) -> None:
        """Nothing more is done: by a program that is dead, or by a computer without power."""
        self.seen["moments"] += 1
        path = self.scene.path
        assert self._read(path.read_bytes() if path.exists() else None) in self.scene.story.possible(done)
        for orderly in (True, False):
            for image in disk.left(str(self.scene.path), orderly=orderly):
                facts = self._read(image)
                if facts == "refused":
                    assert not orderly
                else:
                    assert facts in self.scene.story.possible(done), f"{done} were safe, and {image!r} is left"

    def _read(self, image: bytes | None) -> Facts | str | None:
        """What is read of it, ``refused`` if nothing is: then it is left as it is."""
        if image not in self.facts:
            self.seen["images"] += 1
            self.facts[image] = self._told(image)
            self.seen["refused"] += self.facts[image] == "refused"
        return self.facts[image]

    def _told(self, image: bytes | None) -> Facts | str | None:
        path = self.left / "x.table"
        path.unlink(missing_ok=True)
        if image is not None:
            path.write_bytes(image)
        try:
            return read(path)[0]
        except RecordError:
            assert path.read_bytes() == image
            return "refused"


def cut_everywhere(place: Path, name: str, batches: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for scene in scenes(place, name, batches):
        seen += Cut(scene, place).everywhere()
    return seen


@pytest.mark.slow
def test_without_power_at_any_moment_no_turn_is_lost_or_invented(place: Path, record_property: Tell) -> None:
    seen = cut_everywhere(place, "yin-yang", 14)
    record_property(
        "told",
        f"without power at {seen['moments']} moments, {seen['images']} states of the disk: 0 turns lost, 0 invented; "
        f"{seen['refused']} refused, all of them where a file grows before its data are written",
    )
    assert seen["images"] > 500


@pytest.mark.long
@pytest.mark.parametrize("name", ["zong-heng", "zhizhu", "yin-yang", "zig-zag"])
def test_without_power_in_whole_games(place: Path, name: str, record_property: Tell) -> None:
    seen = cut_everywhere(place, name, 120)
    record_property("told", f"{name}: without power: {dict(seen)}: 0 turns lost, 0 invented")
    assert seen["images"] > 2000
