"""ZhiZhu, by Dahmane Dahmani: stones on a web of three rings and eight lines; chains capture."""

from games.zhizhu.rules import ZhiZhu

GAME = ZhiZhu
