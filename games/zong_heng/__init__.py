"""Zong-Heng, by Kanare Kato: push rows of stones, and join your own into the larger groups."""

from games.zong_heng.rules import ZongHeng

GAME = ZongHeng
