"""``python -m firmware_bridge`` is the command tablelight."""

import sys
from pathlib import Path

if not sys.flags.safe_path and sys.path[0] != str(Path(__file__).parents[1]):
    del sys.path[0]  # the current directory, where a module of any name may lie

from firmware_bridge.cli.main import main

sys.exit(main())
