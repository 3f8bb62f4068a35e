"""The mutants of a Python source: each is that source with one small change, and says which."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: (r"not\s+in", "in"),
}  # fmt: skip
"""How each is written, and what stands for it in a mutant: its opposite, or the same with the boundary moved."""
DROPPED = (ast.Expr, ast.AugAssign, ast.Raise, ast.Return, ast.Break, ast.Continue, ast.Delete)
"""Statements without which a source is still one; so are assignments to what belongs to an object."""
LONGEST = 60
"""Characters of a statement that are told."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change at `line` (from 1): the bytes from `start` to `end` become `new`; `what` says so to a reader."""

    line: int
    what: str
    start: int
    end: int
    new: str

    def of(self, source: str) -> str:
        """The source with this change."""
        data = source.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def mutants(source: str) -> list[Mutant]:
    """All mutants of a source, in its order; each parses, and is another program. SyntaxError."""
    return list(Changes(source))


class Changes:
    """The changes that make mutants of a source."""

    def __init__(self, source: str) -> None:
        self._data, self._tree = source.encode(), ast.parse(source)
        self._lines = [0, *accumulate(map(len, self._data.splitlines(keepends=True)))]

    def __iter__(self) -> Iterator[Mutant]:
        for node in nodes(self._tree):
            if isinstance(node, ast.Compare):
                for (left, right), kind in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
                    yield from self._between(left, right, *COMPARISONS[type(kind)])
            elif isinstance(node, ast.BoolOp):
                words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
                for left, right in pairwise(node.values):
                    yield from self._between(left, right, *words)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                start = self._start(node)
                found = re.match(rb"not\s*", self._data[start:])
                assert found
                yield self._change(start, start + found.end(), "", "`not` is dropped")
            elif isinstance(node, ast.Constant):
                yield from self._shifted(node)
            elif isinstance(node, ast.stmt) and droppable(node):
                start, end = self._start(node), self._end(node)
                yield self._change(start, end, "pass", f"`{short(self._data[start:end])}` is dropped")

    def _between(self, left: ast.expr, right: ast.expr, written: str, new: str) -> Iterator[Mutant]:
        """The operator between two operands, which may stand in brackets; nothing where a comment does as well."""
        start, end = self._end(left), self._start(right)
        found = re.search(rf"(?<!\w){written}(?!\w)".encode(), self._data[start:end])
        if found and b"#" not in self._data[start:end]:
            told = f"`{short(found[0])}` is `{new}`"
            yield self._change(start + found.start(), start + found.end(), new, told)

    def _shifted(self, node: ast.Constant) -> Iterator[Mutant]:
        """A truth value turned round, a whole number more by 1, another one doubled (0.0 is 1.0)."""
        value = node.value
        if isinstance(value, bool):
            new = str(not value)
        elif isinstance(value, int):
            new = str(value + 1)
        elif isinstance(value, float):
            new = str(value * 2 or 1.0)
        else:
            return
        start, end = self._start(node), self._end(node)
        yield self._change(start, end, new, f"`{short(self._data[start:end])}` is `{new}`")

    def _change(self, start: int, end: int, new: str, what: str) -> Mutant:
        return Mutant(self._data.count(b"\n", 0, start) + 1, what, start, end, new)

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset


def nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below this one in their order, without what only types tell and without the insides of strings."""
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns") and isinstance(node, ast.arg | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for each in field if isinstance(field, list) else [field]:
            if isinstance(each, ast.AST) and not isinstance(each, ast.JoinedStr):
                yield each
                yield from nodes(each)


def droppable(node: ast.stmt) -> bool:
    """Whether the source is one without this statement, and does something else."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)  # a docstring
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Attribute | ast.Subscript)
    return isinstance(node, DROPPED)


def short(written: bytes) -> str:
    """The beginning of it in one line."""
    text = " ".join(written.decode().split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
