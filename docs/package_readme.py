"""Writes docs/package/README.md, the README for a package index: no pictures, and no links into the repository.

An index shows the text alone, so a path would lead nowhere; what it names comes with the package, under
share/doc/tablelight and in the source distribution. make figures writes it, too.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README, PAGE = ROOT / "README.md", ROOT / "docs" / "package" / "README.md"
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img [^>]*>|<br [^>]*>")
MARK = re.compile(r"^<!--.*?-->\n", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?://|#)([^)#]+)(?:#[^)]*)?\)")


def packaged(text: str) -> str:
    """`text` with paths instead of links."""

    def named(link: re.Match[str]) -> str:
        told, path = link.groups()
        return f"`{path}`" if told == path else f"{told} (`{path}`)"

    plain = LINK.sub(named, MARK.sub("", PICTURE.sub("", text)))
    return re.sub(r"\n[ \n]*\n\n", "\n\n", plain)


def main() -> None:
    """Write the page."""
    PAGE.write_text(packaged(README.read_text()))


if __name__ == "__main__":
    main()
