"""What a house is told of the table and may ask of it: Home Assistant, by MQTT discovery, in a process of its own."""

from firmware_bridge.home.process import Home, open_home

__all__ = ["Home", "open_home"]
