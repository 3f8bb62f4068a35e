"""``python -m firmware_bridge`` is the command tablelight."""

import sys

from firmware_bridge.cli.main import main

sys.exit(main())
