"""ZhiZhu, by Dahmane Dahmani: stones on a web of three circles and eight lines; chains capture."""

from games.zhizhu.rules import ZhiZhu

GAME = ZhiZhu
