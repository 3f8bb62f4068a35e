"""Looks at what the lights of a pretended Pi show last: so many as its board has must be dark."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.hardware.pretend_pi import PretendPi

lit, due = PretendPi(Path(sys.argv[1])).lit(), int(sys.argv[2])
if len(lit) != due or any(map(any, lit)):
    sys.exit(f"the lights are not dark in the end: {lit}")
print("The lights are dark in the end.")
