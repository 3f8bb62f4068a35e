"""Tests read English, whatever the language of who runs them; those of other languages choose theirs."""

from __future__ import annotations

import os

os.environ["LANGUAGE"] = "en"
