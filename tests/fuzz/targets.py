"""All that reads what others have written."""

from __future__ import annotations

from tests.fuzz.files import FILES
from tests.fuzz.serial import SERIAL
from tests.fuzz.target import Target
from tests.fuzz.typed import TYPED

TARGETS: dict[str, Target] = {target.name: target for target in (*FILES, *TYPED, *SERIAL)}
