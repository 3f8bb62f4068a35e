"""Makes a wheel for this kind of computer and this Python of one for all: the same, and in it the engine compiled.

python -m tests.packages.compiled_wheel WHEEL FOLDER

Who installs it need not compile; everywhere else the wheel for all is installed, and the engine runs from its sources.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

BUILD = "from firmware_bridge.engine.build import build; print(build())"
KEPT = Path("firmware_bridge/engine/built")
"""Where `firmware_bridge.engine.compiled` looks for a build that was brought."""


def tag() -> str:
    """For which Python and which computer: ``cp311-cp311-linux_x86_64``."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def compiled(wheel: Path, out: Path) -> Path:
    """Compile the engine of `wheel`: the wheel in the folder `out` that has it; CalledProcessError."""
    with TemporaryDirectory() as work:
        run("-m", "wheel", "unpack", "--dest", work, str(wheel))
        (tree,) = Path(work).iterdir()
        built = Path(run("-P", "-c", BUILD, PYTHONPATH=str(tree), XDG_STATE_HOME=f"{work}/state").splitlines()[-1])
        shutil.copytree(built, tree / KEPT / built.name)
        (about,) = tree.glob("*.dist-info/WHEEL")
        told = about.read_text().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
        about.write_text(told.replace("Tag: py3-none-any", f"Tag: {tag()}"))
        run("-m", "wheel", "pack", "--dest-dir", str(out), str(tree))
    return next(out.glob(f"*-{tag()}.whl"))


def run(*arguments: str, **told: str) -> str:
    """Run this Python: what it prints."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=os.environ | told, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
    print(compiled(Path(sys.argv[1]), Path(sys.argv[2])))
