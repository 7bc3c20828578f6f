"""A program's code with calls that report what happens in it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType
from typing import TypeVar

from generator.algorithms.steps import Note, Program, Step

T = TypeVar("T", bound=ast.AST)

_RECORDER = "\0recorder"
_CALL = "@call"
"""No program has a variable of this name."""


def instrument(function: FunctionType, program: Program, recorder: object) -> CodeType:
    """Code that can take the place of the function's own and reports to `recorder.call(…)`."""
    node = copy.deepcopy(program.node)
    opening = _at(program.node, ast.Assign([_store(_CALL)], _opening()))
    ending = _at(program.node, ast.Expr(_call("ended", -1)))
    node.body = [opening, *_block(program.steps), ending]
    node.decorator_list = []
    node.returns = None
    module = _enclose(node, function.__code__.co_freevars)
    ast.fix_missing_locations(module)
    original = function.__code__
    compiled = compile(
        module, original.co_filename, "exec", flags=original.co_flags & 0xFF0000, dont_inherit=True
    )
    code = next(_find_code(compiled, function.__name__))
    if code.co_freevars != original.co_freevars:
        raise ValueError(f"`{function.__name__}` closes over names in a way that is not read")
    constants = tuple(recorder if c == _RECORDER else c for c in code.co_consts)
    return code.replace(co_consts=constants, co_qualname=original.co_qualname)


def _enclose(node: ast.FunctionDef, free: tuple[str, ...]) -> ast.Module:
    """A module that defines the function, inside another one for the names it closes over."""
    if not free:
        return ast.Module([node], [])
    outer = ast.parse(f"def _():\n {' = '.join(free)} = None\n").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body.append(node)
    return ast.Module([outer], [])


def _find_code(code: CodeType, name: str) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name == name:
                yield constant
            yield from _find_code(constant, name)


def _block(steps: Sequence[Step]) -> list[ast.stmt]:
    body: list[ast.stmt] = []
    opened: Step | None = None
    for position, step in enumerate(steps):
        body += [_invariant(step, note) for note in step.before]
        if not step.is_hidden and not step.body:
            if opened is None:
                last = next((s for s in steps[position:] if not s.joins), step)
                body.append(_report(step, "before", last.index))
                opened = last
            if step is opened:
                opened = None
        body += _statement(step)
        body += [_invariant(step, note) for note in step.after]
    return body


def _statement(step: Step) -> list[ast.stmt]:
    node = copy.deepcopy(step.node)
    if step.is_hidden:
        return [node]
    match node:
        case ast.For():
            node.iter = _at(step.node, _call("loop", step.index, node.iter))
            node.body = [_report(step, "passed", step.index), *_block(step.body)]
        case ast.While():
            if not isinstance(node.test, ast.Constant):
                node.test = _at(step.node, _call("condition", step.index, node.test))
            node.body = [_report(step, "ran", step.index), *_block(step.body)]
        case ast.If():
            node.test = _at(step.node, _call("condition", step.index, node.test))
            node.body = _block(step.body)
            node.orelse = _block(step.orelse)
        case ast.With():
            node.body = _block(step.body)
            return [_report(step, "ran", step.index), node]
        case ast.Return():
            value = node.value or ast.Constant(None)
            node.value = _at(step.node, _call("returned", step.index, value))
        case ast.Break() | ast.Continue() | ast.Raise():
            return [_report(step, "ran", step.index), node]
        case _:
            after = [] if step.joins else [_report(step, "after", step.index)]
            return [node, *after]
    return [node]


def _opening() -> ast.expr:
    recorder = ast.Attribute(ast.Constant(_RECORDER), "call", ast.Load())
    locals_of = ast.Attribute(ast.Constant(_RECORDER), "locals", ast.Load())
    return ast.Call(recorder, [ast.Call(locals_of, [], [])], [])


def _call(method: str, index: int, *arguments: ast.expr) -> ast.expr:
    """`@call.method(index, …, locals())`; the built-in is kept on `@call`."""
    held = ast.Call(ast.Attribute(_load(_CALL), "locals", ast.Load()), [], [])
    function = ast.Attribute(_load(_CALL), method, ast.Load())
    return ast.Call(function, [ast.Constant(index), *arguments, held], [])


def _report(step: Step, method: str, index: int) -> ast.stmt:
    return _at(step.node, ast.Expr(_call(method, index)))


def _invariant(step: Step, note: Note) -> ast.stmt:
    return _at(step.node, ast.Expr(_call("holds", note.line)))


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _at(where: ast.stmt, node: T) -> T:
    """The node, standing where a statement stands."""
    return ast.copy_location(node, where)
