"""Devices: sites, channels and pixels; no game."""
