"""Small distributions of others, laid into a folder as an installer lays them: modules and their metadata."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, name: str, points: Mapping[str, Mapping[str, str]], modules: Mapping[str, str]) -> None:
    """Lay the distribution `name` into `folder`, which is on the path: group -> entry point -> where, and modules."""
    metadata = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    metadata.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = (
        "\n".join((f"[{group}]", *(f"{each} = {where}" for each, where in named.items())))
        for group, named in points.items()
    )
    metadata.joinpath("entry_points.txt").write_text("\n".join(groups) + "\n")
    for module, source in modules.items():
        folder.joinpath(f"{module}.py").write_text(source)
