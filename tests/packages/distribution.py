"""Builds what is published from just the files that are kept, and looks into it: `make dist`, and the tests here.

python -m tests.packages.distribution FOLDER
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "hardware", "firmware_bridge")
MADE = {"PKG-INFO", "setup.cfg"}
"""What building adds to the source distribution."""


def kept() -> list[str]:
    """The files that the repository keeps; none where this is no repository."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def build(folder: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel built from that alone."""
    clean, out = folder / "clean", folder / "dist"
    for name in kept():
        (clean / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, clean / name)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(clean)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (source,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    return source, wheel


def in_source(source: Path) -> set[str]:
    """The files of a source distribution, but for those that building adds."""
    with tarfile.open(source) as archive:
        names = {each.name.partition("/")[2] for each in archive if each.isfile()}
    return {name for name in names if name not in MADE and ".egg-info/" not in name}


def in_wheel(wheel: Path) -> set[str]:
    """The files of a wheel; those beside the packages as they will be installed (``share/...``)."""
    with zipfile.ZipFile(wheel) as archive:
        return {name.partition(".data/data/")[2] or name for name in archive.namelist()}


def missed(source: Path, wheel: Path) -> list[str]:
    """What should have been published and was not, and what was and should not; a line each."""
    files = set(kept())
    told = in_source(source)
    lines = [f"not in {source.name}: {name}" for name in sorted(files - told)]
    lines += [f"not kept, but in {source.name}: {name}" for name in sorted(told - files)]
    programs = {name for name in files if name.startswith(PACKAGES)} | {"tablelight.py"}
    beside = {f"share/tablelight/{name}" for name in files if name.startswith("systemd/")}
    beside |= {f"share/tablelight/{name}" for name in ("pyproject.toml", "LICENSE", "docs/package/README.md")}
    beside |= {f"share/doc/tablelight/{Path(name).name}" for name in files if is_documentation(name)}
    told = {name for name in in_wheel(wheel) if ".dist-info/" not in name}
    expected = programs | beside | {"share/man/man1/tablelight.1"}
    lines += [f"not in {wheel.name}: {name}" for name in sorted(expected - told)]
    lines += [f"not kept, but in {wheel.name}: {name}" for name in sorted(told - expected)]
    return lines


def is_documentation(name: str) -> bool:
    """Whether it is a page or a picture of the documentation."""
    path = Path(name)
    return name == "CHANGELOG.md" or (str(path.parent) == "docs" and path.suffix in (".md", ".svg", ".webp"))


def installed(wheel: Path, folder: Path) -> Path:
    """The command of the wheel, installed into an environment that has this one's libraries."""
    venv.create(folder, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin/python"), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    libraries = Path(sys.prefix).glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text("\n".join(map(str, libraries)) + "\n")
    return folder / "bin/tablelight"


def main(folder: str) -> int:
    """Build both into `folder` and say what is missed; 1 if anything is."""
    out = Path(folder)
    with TemporaryDirectory() as work:
        built = build(Path(work))
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        here = [Path(shutil.copy(each, out)) for each in built]
    lines = missed(here[0], here[1])
    print("\n".join(lines or [f"{each}: {each.stat().st_size // 1000} kB, whole" for each in here]))
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
