"""Files that are drawn: written whole, or not at all."""

from __future__ import annotations

from pathlib import Path

from hardware.settings import SettingsError


def write(path: Path, data: bytes) -> None:
    """Write `data` beside `path` and give it that name; SettingsError, which leaves what was there."""
    draft = path.with_name(f".{path.name}.new")
    try:
        try:
            draft.write_bytes(data)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}; name another file with -o") from None
