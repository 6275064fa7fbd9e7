"""Every small wrong turn that a rule could take, one at a time: the mutants of a module's functions.

A mutant is the module's own text with one comparison, operator, constant or branch changed. It comes alive by taking
the place of the code of the one function it concerns, so that nothing has to be loaded again. What a module says
outside its functions (tables, default values) has tests that read it line by line, and is left alone.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
LEFT_ALONE = (ast.Assert, ast.Raise, ast.JoinedStr, ast.arguments)
Place = tuple[tuple[str, int | None], ...]
Change = Callable[[Any], ast.AST]


@dataclass(frozen=True)
class Mutant:
    """One wrong turn: where it is, what stands there, what stands there instead."""

    module: str
    function: str
    original: str
    changed: str
    ordinal: int  # of the same change in the same function, the first is 1
    tree: ast.Module

    @property
    def name(self) -> str:
        again = f" #{self.ordinal}" if self.ordinal > 1 else ""
        return " ".join(f"{self.module}.{self.function}: {self.original} → {self.changed}{again}".split())

    def come_alive(self) -> None:
        """Takes the function's place in this process; whoever calls this has forked first."""
        living = importlib.import_module(self.module)
        told = compile(ast.fix_missing_locations(self.tree), str(living.__file__), "exec", dont_inherit=True)
        functions(living)[self.function].__code__ = dict(_codes(told))[self.function]


def mutants_of(module: str) -> list[Mutant]:
    """All of them, in the order of the text."""
    living = importlib.import_module(module)
    tree = ast.parse(inspect.getsource(living))
    known, seen = functions(living), Counter[tuple[str, str, str]]()
    found = []
    for function, start in _function_places(tree):
        if function not in known:
            continue
        for place, change in _changes(_at(tree, start), start):
            mutated = copy.deepcopy(tree)
            original, changed = _at(tree, place), change(_at(mutated, place))
            _put(mutated, place, changed)
            key = (function, ast.unparse(original), ast.unparse(changed))
            seen[key] += 1
            found.append(Mutant(module, *key, seen[key], mutated))
    return found


def functions(module: ModuleType) -> dict[str, FunctionType]:
    """Everything that a module itself wrote and that runs, by its qualified name."""
    found: dict[str, FunctionType] = {}
    places: list[Any] = [*vars(module).values()]
    for value in vars(module).values():
        if inspect.isclass(value) and value.__module__ == module.__name__:
            places.extend(vars(value).values())
    for value in places:
        for part in (value, *(getattr(value, name, None) for name in ("__func__", "fget", "func", "__wrapped__"))):
            if isinstance(part, FunctionType) and part.__module__ == module.__name__:
                found[part.__qualname__] = part
    return found


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each.co_qualname, each
            yield from _codes(each)


def _function_places(tree: ast.Module) -> Iterator[tuple[str, Place]]:
    for number, node in enumerate(tree.body):
        if isinstance(node, ast.FunctionDef):
            yield node.name, (("body", number),)
        if isinstance(node, ast.ClassDef):
            for inner, each in enumerate(node.body):
                if isinstance(each, ast.FunctionDef):
                    yield f"{node.name}.{each.name}", (("body", number), ("body", inner))


def _at(tree: Any, place: Place) -> Any:
    for name, number in place:
        tree = getattr(tree, name) if number is None else getattr(tree, name)[number]
    return tree


def _put(tree: Any, place: Place, node: ast.AST) -> None:
    name, number = place[-1]
    holder = _at(tree, place[:-1])
    if number is None:
        setattr(holder, name, node)
    else:
        getattr(holder, name)[number] = node


def _changes(node: Any, place: Place) -> Iterator[tuple[Place, Change]]:
    """Every change below a node. Promises (assert), what is raised, and annotations are no branches of a rule."""
    for change in _changes_of(node):
        yield place, change
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params", "pattern"}:
            continue
        for number, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            is_words = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not isinstance(child, LEFT_ALONE) | is_words:
                yield from _changes(child, (*place, (name, number)))


def _changes_of(node: Any) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=ops):
            yield from (_comparing(other, at) for at, each in enumerate(ops) for other in COMPARISONS[type(each)])
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OPERATORS:
            yield _with(op=OPERATORS[type(op)]())
        case ast.BoolOp(op=op):
            yield _with(op=ast.And() if isinstance(op, ast.Or) else ast.Or())
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield lambda found: found.operand
        case ast.Constant(value=bool() | int() | str() as value) if value != "":
            yield _with(value=_other(value))
        case ast.If() | ast.IfExp():
            yield from (_tested(outcome) for outcome in (True, False))
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            yield lambda found: _renamed(found, CALLS[name])


def _other(value: bool | int | str) -> bool | int | str:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value}?"


def _comparing(op: type[ast.cmpop], at: int = 0) -> Change:
    def change(found: Any) -> ast.AST:
        found.ops[at] = op()
        return found  # type: ignore[no-any-return]

    return change


def _with(**fields: Any) -> Change:
    def change(found: Any) -> ast.AST:
        for name, value in fields.items():
            setattr(found, name, value)
        return found  # type: ignore[no-any-return]

    return change


def _tested(outcome: bool) -> Change:
    return _with(test=ast.Constant(value=outcome))


def _renamed(found: Any, name: str) -> ast.AST:
    found.func = ast.Name(id=name, ctx=ast.Load())
    return found  # type: ignore[no-any-return]
