"""Drawings of a game's board from its own geometry: on paper, for the page, in pictures and in figures of the rules."""
