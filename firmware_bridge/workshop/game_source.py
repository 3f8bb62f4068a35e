"""Finds a game by its name or by its path, and offers one that is not installed to this process as if it were.

So all that is done by a game's name, its catalogues, records and the page, works for a folder that was just written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import Distribution, DistributionFinder
from pathlib import Path
from traceback import walk_tb
from typing import Any, NamedTuple

from games.rules import GROUP, Game, OptionError, Position, clip, fault_of, game_class, lacks, names, offered

FOLDER = "a game's folder is a package whose __init__.py says GAME = <its class>"


class Module(NamedTuple):
    """A module by its full name, and the folder that must be on the path for it."""

    top: Path
    name: str


def module_at(path: Path) -> Module:
    """The package or module at `path`, with the packages around it; OptionError if there is none. Nothing is loaded."""
    if not path.exists():
        raise OptionError(f"{path}: there is no such file or folder, and no game of that name; {known()}")
    if path.is_dir() and not (path / "__init__.py").is_file():
        raise OptionError(f"{path}: there is no __init__.py; {FOLDER}")
    if path.is_file() and path.suffix != ".py":
        raise OptionError(f"{path}: neither a folder nor a file that ends in .py; {FOLDER}")
    path = path.resolve()
    path = path.parent if path.name == "__init__.py" else path
    parts, top = [path.stem], path.parent
    while (top / "__init__.py").is_file():
        parts.insert(0, top.name)
        top = top.parent
    strange = next((part for part in parts if not part.isidentifier()), None)
    if strange is not None:
        raise OptionError(f"{path}: {clip(strange)!r} cannot be imported; name it with letters, digits and _ alone")
    return Module(top, ".".join(parts))


def known() -> str:
    """The games that can be named."""
    return f"the games are {', '.join(names(installed=True))}"


def is_name(what: str) -> bool:
    """Whether this is the name of a game that can be found, and not a path."""
    return what in names(installed=True)


def named(what: str) -> str:
    """The name by which the game `what`, a name or a path, can be loaded in this process; OptionError."""
    return what if is_name(what) else offer(module_at(Path(what)), what)


def offer(module: Module, what: str) -> str:
    """Load the game of `module` and offer it by its name, unless it is offered already; OptionError."""
    game = loaded(module, what)
    if game.name in names():
        if game_class(game.name) is not game:
            raise OptionError(f"{what}: the name {game.name} is that of a game of the program; choose another")
        return game.name
    points = [*offered().select(name=game.name)]
    if any(point.module.partition(".")[0] != module.name.partition(".")[0] for point in points):
        whence = sorted(
            f"{point.value} of {point.dist.name if point.dist else 'an unknown package'}" for point in points
        )
        raise OptionError(f"{what}: {whence[0]} is a game named {game.name} too; choose another name")
    if not points:
        sys.meta_path.append(Offering(game.name, f"{module.name}:GAME"))
    return game.name


def loaded(module: Module, what: str) -> type[Game[Any]]:
    """The class that the module says; OptionError, also for whatever a stranger's module does as it is loaded."""
    if str(module.top) not in sys.path:
        sys.path.insert(0, str(module.top))
    try:
        found = import_module(module.name)
    except (Exception, SystemExit) as error:
        raise OptionError(
            f"{what} cannot be loaded: {fault_of(error)}{place_of(error, Path(what).resolve())}"
        ) from error
    where = Path(getattr(found, "__file__", None) or "").resolve()
    if not where.is_relative_to(module.top):
        raise OptionError(f"{what}: {module.name} is found in {where} instead; name the package otherwise")
    if not hasattr(found, "GAME"):
        raise OptionError(f"{what}: there is no GAME; {FOLDER}")
    fault = lacks(found.GAME, getattr(found.GAME, "name", ""))
    if fault:
        raise OptionError(f"{what} cannot be played: {fault}")
    game: type[Game[Any]] = found.GAME
    return game


def installed(name: str) -> bool:
    """Whether the game is found without naming its path."""
    return name in names() or any(not isinstance(point.dist, Laid) for point in offered().select(name=name))


def place_of(error: BaseException, folder: Path) -> str:
    """Where an error came up, after a blank: what was asked of the game in `folder`, of which position, file and line.

    Or where in the program, if the game had no part in it.
    """
    passed = [*walk_tb(error.__traceback__)]
    own = [(frame, line) for frame, line in passed if Path(frame.f_code.co_filename).is_relative_to(folder)]
    last, line = (own or passed)[-1]
    where = f"({Path(last.f_code.co_filename).name}, line {line})"
    if not own:
        return f" in the program itself {where}"
    asked, position = own[0][0].f_code.co_name, _position_in(own[0][0].f_locals)
    return f" in {asked}{position} {where}" if asked != "<module>" else f" {where}"


def _position_in(values: dict[str, object]) -> str:
    """The first position among these, told; empty if there is none or it cannot be told."""
    with suppress(Exception):  # its text may be what is wrong
        return next(
            f" of the position {clip(str(value), 200)}" for value in values.values() if isinstance(value, Position)
        )
    return ""


class Laid(Distribution):
    """The metadata of a game that lies in a folder and was not installed."""

    def __init__(self, game: str, where: str) -> None:
        self._texts = {
            "METADATA": f"Metadata-Version: 2.1\nName: {game}-in-its-folder\nVersion: 0\n",
            "entry_points.txt": f"[{GROUP}]\n{game} = {where}\n",
        }

    def read_text(self, filename: str) -> str | None:
        """The text of a file of the metadata; None if there is no such file."""
        return self._texts.get(filename)

    def locate_file(self, path: Any) -> Path:
        """Where a file of the distribution lies; it has none."""
        return Path(path)


class Offering(DistributionFinder):
    """Finds the distribution of one game that was not installed."""

    def __init__(self, game: str, where: str) -> None:
        self._laid = Laid(game, where)

    def find_distributions(self, context: DistributionFinder.Context = DistributionFinder.Context()) -> Iterator[Laid]:  # noqa: B008
        """That distribution, where all are asked for or it is."""
        if context.name in (None, self._laid.name):
            yield self._laid

    def find_spec(self, *_: object) -> None:
        """No module is found here: its folder is on the path."""
