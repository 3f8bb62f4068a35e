"""The game at the table: turns accepted and taken back, buttons, and what the referee says."""
