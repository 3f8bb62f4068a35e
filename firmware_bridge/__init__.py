"""The bridge between what the hardware says and what the rules allow."""

from __future__ import annotations

import os
import sys
from importlib import import_module

__version__ = "0.1.0"


def _find(packages: tuple[str, ...]) -> None:
    """Import the packages that lie beside this one, whatever else bears their names earlier on the path.

    ImportError names the folder of a stranger that has been imported already.
    """
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.insert(0, root)
    try:
        found = {name: import_module(name) for name in packages}
    finally:
        sys.path.remove(root)
    for name, package in found.items():
        lies = os.path.dirname(os.path.abspath(package.__file__ or str(next(iter(package.__path__)))))
        if lies != os.path.join(root, name):
            raise ImportError(
                f"Tablelight needs its own package {name}, but {lies} has been imported under that name:"
                " rename that folder, or run Tablelight in a Python process of its own"
            )


_find(("games", "hardware"))
