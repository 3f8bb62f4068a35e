"""One target under the fuzzer, in a process of its own: python -m tests.fuzz.child NAME FLAGS FOLDER."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["games", "hardware", "firmware_bridge"]):
    from tests.fuzz.targets import TARGETS

if __name__ == "__main__":
    name = sys.argv.pop(1)
    atheris.Setup(sys.argv, TARGETS[name].do)
    atheris.Fuzz()
