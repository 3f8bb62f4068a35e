"""`tablelight install-service`: what systemd/install.sh does from a checkout, from the program as it is installed.

A wheel brings the installer, the unit and all that the program is built from under `share/tablelight`; the packages
themselves lie where they are imported from. Put together they are as good as a checkout, and the same script runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from tempfile import TemporaryDirectory

from hardware.settings import SettingsError

PACKAGES = ("games", "hardware", "firmware_bridge")
HERE = Path(__file__).parents[2]
"""Where the packages lie: in a checkout, or among others that are installed."""
INSTALLER = Path("systemd", "install.sh")
SHARED = f"share/tablelight/{INSTALLER}"


def install_service(*, start: bool, uninstall: bool, purge: bool) -> int:
    """Run the installer; returns its exit status. SettingsError for whoever is not root, or lacks a part of it."""
    if os.geteuid() != 0:
        raise SettingsError(f"install-service needs root: sudo {Path(sys.argv[0]).absolute()} install-service")
    if purge and not uninstall:
        raise SettingsError("--purge deletes the games: it goes with --uninstall only")
    if not start and uninstall:
        raise SettingsError("--no-start says how to install: it does not go with --uninstall")
    options = ["--no-start"] * (not start) + ["--uninstall"] * uninstall + ["--purge"] * purge
    with TemporaryDirectory(prefix="tablelight-") as folder:
        source = source_tree(Path(folder))
        environment = os.environ | {"PYTHON": base_python()}
        return subprocess.run(["sh", str(source / INSTALLER), *options], env=environment, check=False).returncode


def source_tree(folder: Path) -> Path:
    """The checkout that this runs from, else one put together in `folder`; SettingsError."""
    if (HERE / INSTALLER).exists() and (HERE / "pyproject.toml").exists():
        return HERE
    shutil.copytree(shared(), folder, dirs_exist_ok=True)
    for name in PACKAGES:
        shutil.copytree(HERE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "tablelight.py", folder)
    return folder


def shared() -> Path:
    """Where the wheel has put what is no package; SettingsError."""
    try:
        found = [file for file in files("tablelight") or () if str(file).endswith(SHARED)]
    except PackageNotFoundError:
        found = []
    if not found:
        raise SettingsError("the installer did not come with this installation: use systemd/install.sh of a checkout")
    return Path(str(found[0].locate())).resolve().parents[1]


def base_python() -> str:
    """The interpreter that this environment was made of, for the service has one of its own."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return shutil.which(name, path=str(Path(sys.base_prefix, "bin"))) or sys.executable
