"""The unit, the rules and the installer, by systemd's own checks and by what the program says of itself."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from firmware_bridge.cli.main import parser
from firmware_bridge.cli.play import SWITCHED_OFF
from firmware_bridge.config import RecordConfig, read_config

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
UNIT = (SYSTEMD / "tablelight.service").read_text()
RULES = (SYSTEMD / "60-tablelight.rules").read_text()
PROGRAM = "/opt/tablelight/current/bin/tablelight"
EXPOSURE = 20
"""The most that systemd's count of what a unit is exposed to may say, in tenths."""
SETTINGS_GROUP = "tablelight-settings"
INSTALLER = (SYSTEMD / "install.sh").read_text()
SCRIPTS = [SYSTEMD / "install.sh", ROOT / "debian/build.sh", *sorted(ROOT.glob("tests/*/*.sh"))]

analyze = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze here")


def values(key: str) -> list[str]:
    """What the unit gives `key`, line by line."""
    return re.findall(rf"^{key}=(.*)$", UNIT, re.MULTILINE)


def analyzed(folder: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What systemd-analyze says of a unit; in place of the program stands one that is here."""
    path = folder / "tablelight.service"
    path.write_text(text.replace(PROGRAM, shutil.which("true") or "/bin/true"))
    path.chmod(0o644)
    return subprocess.run(
        ["systemd-analyze", *arguments, str(path)], capture_output=True, text=True, check=False, timeout=60
    )


# The unit -------------------------------------------------------------------------------------


@analyze
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    done = analyzed(tmp_path, UNIT, "verify", "--recursive-errors=no")
    assert (done.returncode, done.stderr) == (0, "")
    done = analyzed(tmp_path, UNIT.replace("WatchdogSec", "WatchDogSec"), "verify", "--recursive-errors=no")
    assert "WatchDogSec" in done.stderr


@analyze
def test_the_unit_is_exposed_to_little(tmp_path: Path) -> None:
    arguments = ("security", "--offline=yes", "--no-pager", f"--threshold={EXPOSURE}")
    done = analyzed(tmp_path, UNIT, *arguments)
    assert done.returncode == 0, done.stdout[-200:]
    assert analyzed(tmp_path, re.sub("^(Protect|Restrict).*", "", UNIT, flags=re.MULTILINE), *arguments).returncode


@analyze
def test_with_the_page_too_it_is_exposed_to_little(tmp_path: Path) -> None:
    whole = UNIT.replace("[Install]", f"{(SYSTEMD / 'page.conf').read_text()}\n[Install]")
    assert analyzed(tmp_path, whole, "verify", "--recursive-errors=no").stderr == ""
    done = analyzed(tmp_path, whole, "security", "--offline=yes", "--no-pager", f"--threshold={EXPOSURE}")
    assert done.returncode == 0, done.stdout[-200:]


def sounding() -> str:
    """What docs/service.md adds to the unit, so that it may use a sound card."""
    section = (ROOT / "docs/service.md").read_text().partition("\n## Sound\n")[2].partition("\n## ")[0]
    return "\n".join(line.strip() for line in section.splitlines() if line.startswith("    ")) + "\n"


@analyze
def test_with_a_sound_card_the_unit_is_exposed_to_little_more(tmp_path: Path) -> None:
    assert "DeviceAllow=char-alsa rw" in sounding()
    assert "SupplementaryGroups=audio" in sounding()
    done = analyzed(tmp_path, UNIT + sounding(), "verify", "--recursive-errors=no")
    assert (done.returncode, done.stderr) == (0, "")
    done = analyzed(tmp_path, UNIT + sounding(), "security", "--offline=yes", "--no-pager", f"--threshold={EXPOSURE}")
    assert done.returncode == 0, done.stdout[-200:]


def test_the_commands_of_the_unit_are_commands_of_the_program() -> None:
    lines = [line.lstrip("+-") for line in values("ExecStart") + values("ExecStopPost")]
    ours = [shlex.split(line) for line in lines if line.startswith(PROGRAM)]
    assert [parser().parse_args(words[1:]).do.__name__ for words in ours] == ["do_run", "do_dark"]
    assert parser().parse_args(ours[0][1:]).power_off
    assert {str(parser().parse_args(words[1:]).config) for words in ours} == {"/etc/tablelight.toml"}


def test_held_power_has_the_status_that_the_unit_waits_for() -> None:
    assert values("SuccessExitStatus") == [str(SWITCHED_OFF)]
    (told,) = [line for line in values("ExecStopPost") if "poweroff" in line]
    assert f'"$$EXIT_STATUS" = {SWITCHED_OFF} ' in told
    assert told.startswith("+")


def test_games_go_to_the_folder_that_the_unit_has(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = dict(each.split("=", 1) for each in values("Environment"))
    monkeypatch.setenv("XDG_STATE_HOME", environment["XDG_STATE_HOME"])
    assert RecordConfig().directory() == Path("/var/lib") / values("StateDirectory")[0]
    assert environment["LG_WD"] == str(Path("/run") / values("RuntimeDirectory")[0])
    assert read_config(SYSTEMD / "tablelight.toml").record.folder == ""


# Groups and rules -----------------------------------------------------------------------------


def test_every_group_that_is_named_is_made() -> None:
    made = set(re.findall(r"^g ([\w-]+) -$", (SYSTEMD / "tablelight.sysusers").read_text(), re.MULTILINE))
    assert made == set(values("SupplementaryGroups")[0].split())
    assert set(re.findall(r'GROUP="(\w+)"', RULES)) == made - {SETTINGS_GROUP}
    assert f"\nSETTINGS_GROUP={SETTINGS_GROUP}\n" in INSTALLER


def test_the_rule_for_lights_by_the_kernel_is_the_one_that_the_program_names() -> None:
    told = (ROOT / "hardware/lights/leds0.py").read_text()
    rule = re.search(r"``(SUBSYSTEM==.*?)``", told)
    assert rule
    assert rule[1] in RULES


def test_every_jump_of_the_rules_arrives() -> None:
    labels = re.findall(r'^LABEL="(\w+)"', RULES, re.MULTILINE)
    assert sorted(set(labels)) == sorted(labels) == sorted(set(re.findall(r'GOTO="(\w+)"', RULES)))


def knows_verify() -> bool:
    """Whether this udevadm can check rules: from version 254 on."""
    udevadm = shutil.which("udevadm")
    return bool(udevadm) and not subprocess.run([udevadm, "verify", "--help"], capture_output=True).returncode


@pytest.mark.skipif(not knows_verify(), reason="there is no udevadm here that verifies rules")
def test_udev_finds_nothing_wrong_with_the_rules() -> None:
    path = SYSTEMD / "60-tablelight.rules"
    done = subprocess.run(
        ["udevadm", "verify", "--resolve-names=never", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def pins(name: str) -> dict[str, tuple[str, list[str]]]:
    """What a file of requirements pins: the version of each package, and its hashes."""
    text = (SYSTEMD / name).read_text().replace("\\\n", " ")
    found = (line.split() for line in text.splitlines())
    return {
        words[0].partition("==")[0]: (words[0].partition("==")[2], [word.removeprefix("--hash=") for word in words[1:]])
        for words in found
    }


# The installer --------------------------------------------------------------------------------


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_plain_shell(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)
    assert script.read_text().startswith("#!/bin/sh\n")
    assert "\nset -eu\n" in script.read_text()


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="there is no shellcheck here")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shellcheck_finds_nothing_wrong(script: Path) -> None:
    done = subprocess.run(["shellcheck", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", sorted(path.name for path in SYSTEMD.glob("requirements*.txt")))
def test_all_that_the_installer_fetches_is_pinned_with_hashes(name: str) -> None:
    pinned = pins(name)
    assert pinned
    for package, (version, hashes) in pinned.items():
        assert re.fullmatch(r"\d[\w.]*", version), package
        assert hashes, package
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", each) for each in hashes), package


def test_the_pins_are_all_that_the_program_needs_on_a_pi_and_to_be_built() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    needed = [*project["build-system"]["requires"], *project["project"]["dependencies"], *extras["gpio"]]
    needed += [
        *extras["serial"],
        *extras["club"],
        *(each for each in extras["pi"] if not each.startswith("tablelight")),
    ]
    pinned = {**pins("requirements.txt"), **pins("requirements-lgpio.txt"), **pins("requirements-spidev.txt")}
    for each in needed:
        need = Requirement(each)
        assert need.specifier.contains(pinned[need.name.lower().replace("_", "-")][0]), f"{each}: run make lock"


def test_pip_is_called_with_pinned_hashes_or_without_an_index() -> None:
    calls = re.findall(r"^.*bin/pip\b.*$", INSTALLER, re.MULTILINE)
    assert len(calls) == 2
    for call in calls:
        assert "--no-deps" in call
        assert ("--require-hashes" in call) != ("--no-index" in call and "--no-build-isolation" in call)
    for call in re.findall(r"^.*\bpinned \"\$1\".*$", INSTALLER, re.MULTILINE):
        assert ("--only-binary :all:" in call) != ("--no-build-isolation" in call)


def test_nothing_in_the_current_directory_is_run_by_the_installer() -> None:
    """Python looks for modules there first, with ``-c`` and with ``-m``, unless it is called with ``-I``."""
    options = re.findall(r'(?:"\$PYTHON"|bin/python") +(-\w.*?) ', INSTALLER)
    assert len(options) >= 4
    assert {option.rstrip("):") for option in options} == {"-I", "-V"}


def test_the_settings_are_for_root_and_the_service_alone() -> None:
    assert 'chgrp "$SETTINGS_GROUP" "$CONFIGURATION"' in INSTALLER
    assert 'chmod 640 "$CONFIGURATION"' in INSTALLER


def refused(*arguments: str, **more: str) -> str:
    """The one sentence that the installer ends with."""
    done = subprocess.run(
        ["sh", str(SYSTEMD / "install.sh"), *arguments], capture_output=True, text=True, check=False,
        env=os.environ | more,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("install.sh: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_the_installer_refuses_what_it_does_not_know() -> None:
    assert "there is no option --frob" in refused("--frob")
    assert "--purge deletes the games" in refused("--purge")


def test_the_installer_tells_its_options() -> None:
    done = subprocess.run(["sh", str(SYSTEMD / "install.sh"), "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "sudo systemd/install.sh [--no-start]", "sudo systemd/install.sh --uninstall [--purge]"
    ]  # fmt: skip


def test_the_installer_wants_root() -> None:
    with (SYSTEMD / "install.sh").open() as script:  # nobody need not be able to read the checkout
        done = subprocess.run(
            ["sh", "-s"], stdin=script, cwd="/", capture_output=True, text=True, check=False,
            user=65534 if os.getuid() == 0 else None,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "install.sh: this needs root: sudo sh\n")


@pytest.mark.skipif(os.getuid() != 0, reason="only root gets as far")
@pytest.mark.skipif(not shutil.which("systemd-sysusers"), reason="there is no systemd here")
def test_the_installer_says_which_python_it_needs(tmp_path: Path) -> None:
    assert "Python is missing: sudo apt install" in refused(PYTHON="/nowhere/python3")
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = -V ] && echo Python 3.9.2\nexit 1\n')
    old.chmod(0o755)
    assert f"3.11 or later is needed, and {old} is Python 3.9.2" in refused(PYTHON=str(old))
    without = tmp_path / "python"
    without.write_text(f'#!/bin/sh\ncase "$*" in *venv*) exit 1 ;; esac\nexec {sys.executable} "$@"\n')
    without.chmod(0o755)
    assert "Python's venv is missing: sudo apt install python3-venv" in refused(PYTHON=str(without))
