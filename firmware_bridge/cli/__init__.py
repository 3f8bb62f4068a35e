"""The command line: its commands, a table in the terminal, a table that runs as a service."""
