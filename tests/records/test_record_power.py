"""Without power at any moment: no turn reported as safe is lost, and none is invented."""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_bridge.records import RecordError, read_record
from tests.records.disk_model import Disk
from tests.records.killed_program import Scene, Tell, scenes, stops
from tests.records.random_records import Facts, new, play
from tests.records.system_calls import calls, why_not
from tests.records.written_games import Reports, read

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


# The names of files, which are on disk when their folder is ---------------------------------------


def follow(doing: Callable[[], object], error: int, number: int) -> int:
    """Run the program to its end; its sync of a folder of that number, from 0, fails. How many it tried."""
    folders: set[int] = set()
    tried = 0
    for call in calls(doing):
        if call.name == "openat" and call.arguments[2] & os.O_DIRECTORY and call.result is not None:
            folders.add(call.result)
        elif call.name == "close":
            folders.discard(call.arguments[0])
        elif call.name == "fsync" and call.arguments[0] in folders and call.result is None:
            call.failing = error if tried == number else 0
            tried += 1
    return tried


def begun(place: Path, error: int, number: int) -> tuple[Scene, int]:
    """A game begins in a folder that is made for it, and one sync of a folder fails; how many batches were safe."""
    scene = scenes(place, "yin-yang", 11)[0].lay_out()
    with closing(Reports()) as reports:
        assert follow(lambda: scene.run(reports), error, number) > number
        return scene, reports.hear()


@pytest.mark.parametrize("number", [0, 1], ids=["above the folder", "in the folder"])
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC], ids=errno.errorcode.get)
def test_a_record_whose_name_cannot_be_put_on_disk_is_refused(place: Path, error: int, number: int) -> None:
    scene, done = begun(place, error, number)
    assert (done, scene.path.exists()) == (0, False)
    scene.story.begin(scene.path).close()


@pytest.mark.parametrize("number", [0, 1], ids=["above the folder", "in the folder"])
def test_a_file_system_whose_folders_cannot_be_synced_at_all_keeps_games(place: Path, number: int) -> None:
    scene, done = begun(place, errno.EINVAL, number)
    assert done == len(scene.story.batches)
    assert read(scene.path)[0] in scene.story.possible(done)


def test_a_record_put_back_is_not_safe_until_its_folder_is_synced(place: Path) -> None:
    path = place / "x.table"

    def program() -> None:
        sheet, record = new(path)
        play(sheet, record, "a1")
        path.unlink()
        play(sheet, record, "b3")
        assert "Input/output error" in record.problem
        assert not path.exists()
        assert record.safe
        record.close()

    assert follow(program, errno.EIO, 1) == 3
    assert read_record(path).sheet.length == 2


# Power -------------------------------------------------------------------------------------------


def cut_everywhere(place: Path, name: str, batches: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for scene in scenes(place, name, batches):
        seen += Cut(scene, place).everywhere()
    return seen


@pytest.mark.slow
def test_no_turn_is_lost_or_invented_by_a_power_cut_at_any_moment(place: Path, record_property: Tell) -> None:
    seen = cut_everywhere(place, "yin-yang", 14)
    record_property(
        "told",
        f"without power at {seen['moments']} moments, {seen['images']} states of the disk: 0 turns lost, 0 invented; "
        f"{seen['refused']} refused, all of them where a file grows before its data are written",
    )
    assert seen["images"] > 500


@pytest.mark.long
@pytest.mark.parametrize("name", ["zong-heng", "zhizhu", "yin-yang", "zig-zag"])
def test_whole_games_survive_a_power_cut(place: Path, name: str, record_property: Tell) -> None:
    seen = cut_everywhere(place, name, 120)
    record_property("told", f"{name}: without power: {dict(seen)}: 0 turns lost, 0 invented")
    assert seen["images"] > 2000
