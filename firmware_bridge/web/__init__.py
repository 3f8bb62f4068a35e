"""The table in a browser: a server in a process of its own, and what passes between it and the daemon."""
