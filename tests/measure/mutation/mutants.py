"""Mutants of a module: its syntax tree with one expression or statement changed.

Changed are comparisons, arithmetic and set operators, `and` and `or`, conditions, whole numbers (by one), True and False,
members of an enumeration (for the next one that the module names), elements of sets, values returned, two arguments
that stand side by side, and statements without which the code still runs. Left alone are texts, which are words for
people or names that a comparison beside them tests, annotations, decorators, and what is raised.
"""

from __future__ import annotations

import ast
import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_REPLACED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
#: A function from a node to what takes its place.
Change = Callable[[Any], ast.AST]
#: Fields of nodes that are no part of what a module does.
_SKIPPED = frozenset({"annotation", "returns", "decorator_list", "exc", "cause"})
#: A part of a tree, as the names of fields and places in lists that lead to it.
_Path = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class Mutant:
    """One change: in which function (none: outside of all), on which lines, and the code of it before and after."""

    function: str
    lines: range
    before: str
    after: str
    number: int
    path: _Path
    change: Change

    @property
    def name(self) -> str:
        """What the mutant is called on the page and in the list of reasons; its line may move."""
        again = f" ({self.number})" if self.number > 1 else ""
        return f"{self.function or 'module'}: {self.before} → {self.after}{again}"

    def compiled(self, tree: ast.Module, path: str) -> CodeType:
        """Compile the module with this change."""
        changed = copy.deepcopy(tree)
        *way, (field, place) = self.path
        parent: Any = changed
        for step, at in way:
            parent = getattr(parent, step) if at is None else getattr(parent, step)[at]
        if place is None:
            setattr(parent, field, self.change(getattr(parent, field)))
        else:
            getattr(parent, field)[place] = self.change(getattr(parent, field)[place])
        return compile(ast.fix_missing_locations(changed), path, "exec")


def mutants_of(tree: ast.Module) -> list[Mutant]:
    """Return every mutant of a module, in the order of its text."""
    members = _members(tree)
    found: list[Mutant] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for node, path, function, lines in _walk(tree, (), "", range(0)):
        for change in _changes(node, members):
            before, after = _text(node), _text(change(copy.deepcopy(node)))
            if before == after:
                continue
            key = (function, before, after)
            seen[key] += 1
            found.append(Mutant(function, lines, before, after, seen[key], path, change))
    return found


def sample(mutants: list[Mutant], most: int | None, seed: int) -> list[Mutant]:
    """Return so many of them at random, in their order; all, where `most` is None or enough for them."""
    if most is None or most >= len(mutants):
        return mutants
    chosen = random.Random(seed).sample(range(len(mutants)), most)
    return [mutants[place] for place in sorted(chosen)]


def _text(node: ast.AST) -> str:
    """A node as one line; of a statement with others inside, its first line alone."""
    lines = ast.unparse(node).splitlines()
    return lines[0]


def _members(tree: ast.Module) -> dict[str, list[str]]:
    """The members of enumerations that a module names, by class (`Role`: `DEALER`, `FLOOR`…)."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id[0].isupper()
            and node.attr.isupper()
            and node.attr not in found.setdefault(node.value.id, [])
        ):
            found[node.value.id].append(node.attr)
    return found


def _walk(
    node: ast.AST, path: _Path, function: str, lines: range
) -> Iterator[tuple[ast.AST, _Path, str, range]]:
    """Yield what may be changed, with its way from the module, its outermost function and the lines of its statement."""
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED or (isinstance(node, ast.ClassDef) and field in ("bases", "keywords")):
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _left_alone(child):
                continue
            inside, on = function, lines
            if isinstance(child, ast.stmt):
                on = range(child.lineno, _header_end(child) + 1)
            if isinstance(node, ast.Module | ast.ClassDef) and isinstance(child, ast.FunctionDef):
                inside = f"{node.name}.{child.name}" if isinstance(node, ast.ClassDef) else child.name
            if isinstance(child, ast.arguments):  # defaults are computed when the module is read
                inside = inside if isinstance(node, ast.Lambda) else ""
            way = (*path, (field, place))
            yield child, way, inside, on
            yield from _walk(child, way, inside, on)


def _left_alone(child: ast.AST) -> bool:
    if isinstance(child, ast.JoinedStr):  # a text
        return True
    if isinstance(child, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "__all__" for target in child.targets
    ):
        return True
    return isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == "TypeVar"


def _header_end(statement: ast.stmt) -> int:
    """The last line of a statement, of a compound one that before its body."""
    body = getattr(statement, "body", None)
    if body:
        return max(statement.lineno, body[0].lineno - 1)
    return statement.end_lineno or statement.lineno


def _changes(node: ast.AST, members: dict[str, list[str]]) -> Iterator[Change]:
    """Yield the changes of one node alone, each a function from it to what takes its place."""
    for kind, changes in _CHANGES:
        if isinstance(node, kind):
            yield from changes(node)
    if isinstance(node, ast.Attribute):
        yield from _other_member(node, members)


def _comparisons(node: ast.Compare) -> Iterator[Change]:
    for place, operator in enumerate(node.ops):
        for other in _COMPARED[type(operator)]:
            yield _compared(place, other)


def _operators(node: ast.BinOp | ast.AugAssign) -> Iterator[Change]:
    if (replaced := _REPLACED.get(type(node.op))) is not None:
        yield _operated(replaced)


def _junctions(node: ast.BoolOp) -> Iterator[Change]:
    yield _operated(ast.Or if isinstance(node.op, ast.And) else ast.And)


def _signs(node: ast.UnaryOp) -> Iterator[Change]:
    if isinstance(node.op, (ast.Not, ast.USub)):
        yield lambda node: node.operand


def _conditions(node: ast.If | ast.IfExp | ast.While) -> Iterator[Change]:
    if not isinstance(node.test, (ast.Compare, ast.BoolOp, ast.UnaryOp)):  # these are changed themselves
        yield _negated


def _filters(node: ast.comprehension) -> Iterator[Change]:
    if node.ifs:
        yield _unfiltered


def _returned(node: ast.Return) -> Iterator[Change]:
    if node.value is not None and not _is_none(node.value):
        yield lambda node: ast.Return(value=ast.Constant(value=None))


def _arguments(node: ast.Call) -> Iterator[Change]:
    if not any(isinstance(each, ast.Starred) for each in node.args):
        for place in range(len(node.args) - 1):
            yield _swapped(place)


def _elements(node: ast.Set) -> Iterator[Change]:
    for place in range(len(node.elts)):
        yield _without(place)


def _constants(node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield lambda node: ast.Constant(value=not node.value)
    elif isinstance(node.value, int):
        yield lambda node: ast.Constant(value=node.value + 1)
        yield lambda node: ast.Constant(value=node.value - 1)


def _statements(node: ast.stmt) -> Iterator[Change]:
    """Leave a statement out where the code still runs without it; an assignment to a plain name is what later lines need."""
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Constant):  # a docstring
            return
        yield lambda node: ast.Pass()
    elif isinstance(node, (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)) or (
        isinstance(node, ast.Assign) and not any(isinstance(target, ast.Name) for target in node.targets)
    ):
        yield lambda node: ast.Pass()


def _other_member(node: ast.Attribute, members: dict[str, list[str]]) -> Iterator[Change]:
    if not isinstance(node.value, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    all_of_it = members.get(node.value.id, [])
    if node.attr in all_of_it and len(all_of_it) > 1:
        other = all_of_it[(all_of_it.index(node.attr) + 1) % len(all_of_it)]

        def change(node: ast.Attribute) -> ast.AST:
            node.attr = other
            return node

        yield change


def _compared(place: int, other: type[ast.cmpop]) -> Change:
    def change(node: ast.Compare) -> ast.AST:
        node.ops[place] = other()
        return node

    return change


def _operated(other: type[ast.AST]) -> Change:
    def change(node: Any) -> ast.AST:
        node.op = other()
        return node  # type: ignore[no-any-return]

    return change


def _without(place: int) -> Change:
    def change(node: ast.Set) -> ast.AST:
        rest = node.elts[:place] + node.elts[place + 1 :]
        return (
            ast.Set(elts=rest)
            if rest
            else ast.Call(func=ast.Name(id="set", ctx=ast.Load()), args=[], keywords=[])
        )

    return change


def _swapped(place: int) -> Change:
    def change(node: ast.Call) -> ast.AST:
        node.args[place], node.args[place + 1] = node.args[place + 1], node.args[place]
        return node

    return change


def _negated(node: Any) -> ast.AST:
    node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)
    return node  # type: ignore[no-any-return]


def _unfiltered(node: ast.comprehension) -> ast.AST:
    node.ifs = node.ifs[1:]
    return node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


_CHANGES: tuple[tuple[Any, Callable[[Any], Iterator[Change]]], ...] = (
    (ast.Compare, _comparisons),
    ((ast.BinOp, ast.AugAssign), _operators),
    (ast.BoolOp, _junctions),
    (ast.UnaryOp, _signs),
    (ast.Constant, _constants),
    (ast.Set, _elements),
    (ast.Call, _arguments),
    (ast.stmt, _statements),
    ((ast.If, ast.IfExp, ast.While), _conditions),
    (ast.comprehension, _filters),
    (ast.Return, _returned),
)
