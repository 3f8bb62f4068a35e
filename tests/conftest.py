"""What holds for all tests: they read English, whatever the language of who runs them, and no property is timed."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ["LANGUAGE"] = "en"
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
