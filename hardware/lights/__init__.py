"""Strips of lights: a file each, that ends in ``LIGHTS = <its class>``; the file is the registration."""
