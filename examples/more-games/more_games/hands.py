"""A board after what hands do: the one place where acts become levels, so that turns and acts cannot disagree."""

from __future__ import annotations

from collections.abc import Mapping

from games.acts import Act, Site, steps


def carried_out(cells: bytes, acts: tuple[Act, ...], number: Mapping[Site, int]) -> bytes:
    """The levels of all sites after `acts`; `number` has the place of each site among `cells`."""
    after = bytearray(cells)
    for site, level in steps(acts):
        after[number[site]] = level
    return bytes(after)


def numbered(sites: tuple[Site, ...]) -> dict[Site, int]:
    """The place of each site among the cells of a position."""
    return {site: place for place, site in enumerate(sites)}
