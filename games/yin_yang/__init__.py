"""Yin-Yang: stones move as far as they have neighbours of their colour, and leave the other colour behind."""

from games.yin_yang.rules import YinYang

GAME = YinYang
