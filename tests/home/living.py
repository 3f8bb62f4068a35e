"""Home Assistant itself at a broker: run by a Python that has the package homeassistant, and nothing of ours.

living.py BROKER PAGE FOLDER: the port of the broker, that of a page of its own, and where it keeps things. For each
line of standard input, a JSON object with the name of a service and its data, or an empty one, it does that and writes
a line: all entities with their states and attributes.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from homeassistant import auth, bootstrap, config_entries, loader
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component


async def started(port: int, page: int, folder: Path) -> HomeAssistant:
    """Home Assistant with the integration MQTT, and what that depends on, at a broker of this computer."""
    (folder / "configuration.yaml").touch()
    hass = HomeAssistant(str(folder))
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])
    await hass.async_start()
    assert await async_setup_component(hass, "http", {"http": {"server_port": page, "server_host": "127.0.0.1"}})
    data = {"broker": "127.0.0.1", "port": port, "discovery": True}
    entry = config_entries.ConfigEntry(
        version=1, minor_version=1, domain="mqtt", title="broker", source="user", data=data
    )
    await hass.config_entries.async_add(entry)
    assert entry.state is config_entries.ConfigEntryState.LOADED, entry.state
    return hass


async def main(port: int, page: int, folder: Path) -> None:
    """Do what is asked, line by line."""
    hass = await started(port, page, folder)
    while line := await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
        if asked := json.loads(line):
            domain, _, service = asked["service"].partition(".")
            await hass.services.async_call(domain, service, asked["data"], blocking=True)
        told = {each.entity_id: [each.state, dict(each.attributes)] for each in hass.states.async_all()}
        print(json.dumps(told, default=str), flush=True)
    await hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])))
