"""Sensor boards: a file each, that ends in ``SCANNER = <its class>``; the file is the registration."""
