"""The tag `<% claim condition %>sentence<% endclaim %>`: a sentence bound to a condition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup


class ClaimTag(Extension):
    """`<% claim condition %>sentence<% endclaim %>`."""

    tags = {"claim"}  # noqa: RUF012 -- as the base class has it

    def parse(self, parser: Parser) -> nodes.Node:
        start = next(parser.stream)
        number = nodes.Const(parser.stream.expect("integer").value)
        parser.stream.expect("comma")
        condition = parser.parse_expression()
        names = sorted({_dotted(node) for node in _named(condition)} - {""})
        pairs = [nodes.Pair(nodes.Const(name), _expression(name)) for name in names]
        body = parser.parse_statements(("name:endclaim",), drop_needle=True)
        call = self.call_method("_check", [condition, nodes.Dict(pairs), number])
        return nodes.CallBlock(call, [], [], body).set_lineno(start.lineno)

    def _check(
        self, holds: object, names: Mapping[str, object], number: int, caller: Callable[[], Markup]
    ) -> Markup:
        environment: Any = self.environment  # the notes' own, which numbers its tags
        said = caller()
        evaluation = environment.evaluation
        evaluation.here = environment.tags[number]
        evaluation.on_statement(holds, names, said)
        return said


def _expression(name: str) -> nodes.Expr:
    """The expression that a dotted name stands for."""
    first, *rest = name.split(".")
    expression: nodes.Expr = nodes.Name(first, "load")
    for attribute in rest:
        expression = nodes.Getattr(expression, attribute, "load")
    return expression


def _named(node: nodes.Node) -> list[nodes.Node]:
    """The outermost names and attributes in an expression."""
    if isinstance(node, nodes.Name) or (isinstance(node, nodes.Getattr) and _dotted(node)):
        return [node]
    return [found for child in node.iter_child_nodes() for found in _named(child)]


def _dotted(node: nodes.Node) -> str:
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        inner = _dotted(node.node)
        return f"{inner}.{node.attr}" if inner else ""
    return ""
