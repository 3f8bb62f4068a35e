"""The clock of a table at which people play: scan after scan, what is said, the service manager and the page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware_bridge.cli.systemd import Watcher
from firmware_bridge.config import Config, SoundConfig
from firmware_bridge.daemon import SCAN_HZ, Daemon
from firmware_bridge.i18n.catalogue import here
from firmware_bridge.web.invite import invitation, open_browser, url
from firmware_bridge.web.mirror import Mirror, Shown
from hardware.device import Buzzer, DeviceError

if TYPE_CHECKING:  # loaded where something is to be heard
    from firmware_bridge.audio.sound import Sound


def attend(table: Shown, config: Config, watcher: Watcher, mirror: Mirror | None, buzzer: Buzzer | None = None) -> None:
    """Follow `table` until it is switched off; then it is dark, and silent once the last sentence is said."""
    sound = heard(config.sound, buzzer)
    try:
        follow(table, tell, watcher, mirror, sound)
    finally:
        watcher.stopping()
        table.close()
        if sound:
            sound.close()


def heard(config: SoundConfig, buzzer: Buzzer | None) -> Sound | None:
    """What is to be heard of a table; for silence nothing is loaded."""
    if not config.speech and not (config.buzzer and buzzer):
        return None
    from firmware_bridge.audio.sound import open_sound

    return open_sound(config, buzzer, tell)


def tell(text: str) -> None:
    """Say `text` where the program was started, at once."""
    print(text, flush=True)


def follow(
    table: Shown,
    say: Callable[[str], None],
    watcher: Watcher,
    mirror: Mirror | None = None,
    sound: Sound | None = None,
) -> None:
    """Scan at the table's own rate, until it is switched off; a scan that is late is not made up for.

    A board that speaks by itself wakes the loop early when it has news. DeviceError if pieces are to be moved on a page
    that cannot be served.
    """
    Daemon.warm_up()
    try:
        while not table.over:
            due = time.monotonic() + 1 / SCAN_HZ
            cycle(table, say, watcher, mirror, sound)
            table.wait(max(0.0, due - time.monotonic()))
    finally:
        if mirror:
            mirror.close()


def cycle(
    table: Shown, say: Callable[[str], None], watcher: Watcher, mirror: Mirror | None, sound: Sound | None
) -> None:
    """One scan with all that goes with it."""
    now = time.monotonic()
    events = [event for request in mirror.requests() for event in table.obey(request, now)] if mirror else []
    events += table.step(now)
    for event in events:
        say(here().say(event.say))
    if sound:
        sound.hear(events, now)
    watcher.see(table, events, now)
    if mirror:
        mirror.see(table, events, now)
        if mirror.news:
            announce(mirror, table, say)


def announce(mirror: Mirror, table: Shown, say: Callable[[str], None]) -> None:
    """Say where the page is, or why it is nowhere."""
    mirror.news = False
    if mirror.fault and table.hands:
        raise DeviceError(mirror.fault)
    say(mirror.fault or invitation(mirror))
    if table.hands and not mirror.fault:
        open_browser(url(mirror.server, mirror.listening))
