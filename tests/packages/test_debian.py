"""The Debian package is what the installer and the pins say; `make test-deb` has the rest."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.packages.distribution import ROOT

DEBIAN = ROOT / "debian"
RULES = (DEBIAN / "rules").read_text()
INSTALLER = (ROOT / "systemd/install.sh").read_text()
PINS = sorted(ROOT.glob("systemd/requirements*.txt"))


def test_the_copyright_names_every_library_that_the_package_brings() -> None:
    told = (DEBIAN / "copyright").read_text()
    brought = {name for path in PINS for name in re.findall(r"^([\w-]+)==", path.read_text(), re.MULTILINE)}
    assert len(brought) > 15
    assert [name for name in sorted(brought - {"setuptools"}) if not re.search(rf"\b{name}\b", told)] == []


def test_the_package_brings_all_that_is_pinned() -> None:
    compiled = re.search(r"for library in (.*?);", RULES)
    assert compiled
    named = {"requirements.txt", *(f"requirements-{library}.txt" for library in compiled[1].split())}
    assert named == {path.name for path in PINS}
    fetched = re.search(r"for library in (.*?);", (DEBIAN / "build.sh").read_text())
    assert fetched
    assert fetched[1] == compiled[1]


def test_the_unit_of_the_package_is_the_unit_of_the_installer_but_for_its_place() -> None:
    place = re.search(r"^PLACE := (.*)$", RULES, re.MULTILINE)
    assert place
    replaced = re.search(r"sed 's,(.*?),\$\(PLACE\),' systemd/tablelight.service", RULES)
    assert replaced
    (before,) = re.findall(r"^PROGRAM=(.*)$", INSTALLER, re.MULTILINE)
    assert replaced[1] == f"{before}/current"
    unit = (ROOT / "systemd/tablelight.service").read_text()
    assert unit.count(replaced[1]) == 2
    assert before not in unit.replace(replaced[1], place[1])


def test_both_give_the_settings_to_the_same_group() -> None:
    (line,) = re.findall("^z .*$", (DEBIAN / "tablelight.tmpfiles").read_text(), re.MULTILINE)
    (group,) = re.findall(r"^SETTINGS_GROUP=(.*)$", INSTALLER, re.MULTILINE)
    (settings,) = re.findall(r"^CONFIGURATION=(.*)$", INSTALLER, re.MULTILINE)
    assert line.split() == ["z", settings, "0640", "root", group, "-"]


def test_purging_removes_what_the_installer_purges() -> None:
    (games,) = re.findall('^GAMES="(.*)"$', INSTALLER, re.MULTILINE)
    assert f"rm -rf {games}\n" in (DEBIAN / "tablelight.postrm").read_text()


@pytest.mark.parametrize("name", ["preinst", "postrm"])
def test_what_is_run_as_root_is_plain_shell(name: str) -> None:
    script = DEBIAN / f"tablelight.{name}"
    subprocess.run(["sh", "-n", str(script)], check=True)
    assert script.read_text().startswith("#!/bin/sh\n")
    assert re.search("^set -e$", script.read_text(), re.MULTILINE)
    assert script.read_text().endswith("#DEBHELPER#\n")


def test_every_override_has_its_reason() -> None:
    lines = (DEBIAN / "tablelight.lintian-overrides").read_text().splitlines()
    assert lines[0].startswith("# ")
    assert all(line.startswith(("# ", "tablelight: ")) for line in lines)


def test_a_release_has_the_same_number_wherever_it_is_named() -> None:
    for script in (DEBIAN / "build.sh", Path(__file__).with_name("deb.sh")):
        assert dict(re.findall(r"^ +(\w+)\) number=(\d+)", script.read_text(), re.MULTILINE)) == {
            "bookworm": "12", "trixie": "13",
        }, script  # fmt: skip
