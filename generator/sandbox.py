"""What a template's expressions may do: Jinja's sandbox, with bounds on steps and sizes.

A site can take templates from people who may not run code on it. Their expressions reach no
object's insides, change no result, read the site alone, and cannot hang or flood a build.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import islice
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

STEPS = 300_000
"""Passes of loops that one template may make; a call counts as ten."""
SIZE = 1_000_000
"""Characters or items, nested ones included, of one value that an expression makes."""
VOLUME = 50_000_000
"""Characters that filters may make for one template."""
DEPTH = 50
"""Levels of lists in lists."""
DIGITS = 20_000
"""Decimal digits of one integer."""
COUNT = 100_000
"""The largest width, length or number of decimals."""

_SIZED = ("batch", "center", "indent", "round", "slice", "tojson", "truncate", "wordwrap")
"""Filters and functions that take a width or a number of digits after their value."""
_UNREPEATABLE = ("random", "lipsum")
"""What would give other text in the next build."""
_WIDTH = re.compile(r"\d{6,}|\*|\{[^{}]*\{")
"""A wide field, or one whose width comes from a value."""


_MAKERS = (nodes.List, nodes.Dict, nodes.Tuple)
"""Expressions that make a value of others."""


class TooLarge(jinja2.TemplateRuntimeError):
    """An expression that would take more than a build can spare."""


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Jinja whose templates end, whatever they hold."""

    intercepted_binops = frozenset(["**", "*", "+", "%", "//"])

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.steps = STEPS
        self.volume = VOLUME
        self.sizes: dict[int, tuple[object, int, int]] = {}
        self.globals |= {"_each": self._each, "_sized": self.check_value}
        for name in _UNREPEATABLE:
            self.globals.pop(name, None)
            self.filters.pop(name, None)

    def restart(self) -> None:
        """Begin another template: its steps and sizes are counted anew."""
        self.steps, self.volume = STEPS, VOLUME
        self.sizes.clear()

    def bound_filters(self) -> None:
        """Check what filters are given, and the counts of those that can make much of little."""
        tables: tuple[dict[str, Any], ...] = (self.filters, self.globals)
        for name in _SIZED:
            for table in tables:
                if name in table:
                    table[name] = _checked(table[name], _check_counts)
        self.filters["replace"] = _checked(self.filters["replace"], _check_replace)
        self.filters["join"] = _checked(self.filters["join"], _check_join)
        self.filters["format"] = _checked(self.filters["format"], _check_format)
        if "sum" in self.globals:
            own: Any = self.globals["sum"]
            self.globals["sum"] = _checked(own, _check_sum)
        self.filters["sum"] = _checked(self.filters["sum"], _check_sum)
        for name, function in self.filters.items():
            self.filters[name] = _checked(function, self._check_values, self._check_made)

    def bound_loops(self, tree: nodes.Template) -> None:
        """Count the passes of the template's loops, and the items of the lists that it makes."""
        for loop in tree.find_all(nodes.For):
            passes: Any = loop.iter
            loop.iter = self._call("_each", passes)
        for holder in list(tree.find_all(nodes.Node)):
            for name, child in holder.iter_fields():
                if isinstance(child, _MAKERS) and not isinstance(holder, nodes.For):
                    if getattr(child, "ctx", "load") == "load":
                        setattr(holder, name, self._call("_sized", child))
                elif isinstance(child, list):
                    child[:] = [
                        self._call("_sized", item) if isinstance(item, _MAKERS) else item
                        for item in child
                    ]

    def _call(self, name: str, argument: nodes.Expr) -> nodes.Call:
        function = nodes.Name(name, "load", lineno=argument.lineno)
        call = nodes.Call(function, [argument], [], None, None, lineno=argument.lineno)
        call.set_environment(self)
        return call

    def check_value(self, value: Any) -> Any:
        """The value itself. Raises TooLarge when it holds too much, shared parts counted again."""
        check_size(self._measure(value)[0])
        return value

    def _check_values(self, *args: Any, **kwargs: Any) -> None:
        for value in (*args, *kwargs.values()):
            self.check_value(value)

    def _check_made(self, value: object) -> None:
        if isinstance(value, str):
            self.volume -= len(value)
            if self.volume < 0:
                raise TooLarge(f"this template makes more than {VOLUME} characters")

    def _measure(self, value: object) -> tuple[int, int]:
        """Size and height of a value; those of a list are found once."""
        if isinstance(value, (str, bytes)):
            return len(value), 0
        if not isinstance(value, (list, tuple, dict)):
            return 1, 0
        if id(value) not in self.sizes:
            size = height = 1
            for item in value.values() if isinstance(value, dict) else value:
                more, below = self._measure(item)
                size, height = size + more, max(height, below + 1)
            check_size(size)
            if height > DEPTH:
                raise TooLarge(f"this value is nested too deeply: more than {DEPTH} levels")
            self.sizes[id(value)] = value, size, height  # alive, so that the number stays its own
        _, size, height = self.sizes[id(value)]
        return size, height

    def _each(self, items: Iterable[Any]) -> list[Any]:
        if isinstance(items, jinja2.Undefined):
            str(items)  # raises, with the name
        found = list(islice(items, self.steps + 1))
        self._spend(len(found))
        return found

    def _spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise TooLarge(f"this template takes more than {STEPS} steps")

    def call(self, context: Any, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Every call in a template comes through here."""
        owner = getattr(function, "__self__", None)
        if owner is not self:
            self._spend(10)
            self._check_values(*args, **kwargs)
        if isinstance(owner, (str, bytes)):
            _check_method(owner, getattr(function, "__name__", ""), args, kwargs)
        return super().call(context, function, *args, **kwargs)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """`str.format`, which reaches templates in Jinja's own wrapping."""
        wrapped = super().wrap_str_format(value)
        if wrapped is not None:
            _check_format(value.__self__)
        return wrapped

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Products, powers and joined texts are bounded: `9**9**9` would hang the build."""
        if isinstance(left, int) and isinstance(right, int):
            _check_integers(operator, left, right)
        elif operator == "*":
            for repeated, times in ((left, right), (right, left)):
                if isinstance(repeated, (str, bytes, list, tuple)) and isinstance(times, int):
                    check_size(self._measure(repeated)[0] * times)
        elif operator == "%" and isinstance(left, (str, bytes)):
            _check_format(left)
        elif operator == "+" and hasattr(left, "__len__") and hasattr(right, "__len__"):
            check_size(self._measure(left)[0] + self._measure(right)[0])
        return super().call_binop(context, operator, left, right)


def check_size(size: int) -> None:
    """Raise TooLarge for a text of so many characters, or a list of so many items."""
    if size > SIZE:
        raise TooLarge(f"this value is too large: more than {SIZE} characters or items")


def _check_integers(operator: str, left: int, right: int) -> None:
    bits = {
        "*": left.bit_length() + right.bit_length(),
        "**": left.bit_length() * max(right, 1),
    }.get(operator, 0)
    if bits * 0.302 > DIGITS:
        raise TooLarge(f"this {'power' if operator == '**' else 'product'} is too large")


def _checked(
    function: Callable[..., Any],
    check: Callable[..., None],
    check_made: Callable[[Any], None] = lambda _: None,
) -> Callable[..., Any]:
    """The filter or function with its arguments, and what it makes, checked."""
    passes = getattr(function, "jinja_pass_arg", None)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        check(*(args[1:] if passes is not None else args), **kwargs)
        made = function(*args, **kwargs)
        check_made(made)
        return made

    return call


def _check_counts(_: Any = None, *args: Any, **kwargs: Any) -> None:
    for value in (*args, *kwargs.values()):
        if isinstance(value, int) and abs(value) > COUNT:
            raise TooLarge(f"{value:g} is too large here")


def _check_replace(text: Any, old: Any = "", new: Any = "", *_: Any, **__: Any) -> None:
    places = len(str(text)) + 1 if not old else str(text).count(str(old))
    check_size(len(str(text)) + places * len(str(new)))


def _check_join(items: Any, d: Any = "", attribute: Any = None) -> None:
    if isinstance(items, (list, tuple, str, dict, range)):
        check_size(len(items) * len(str(d)) + sum(map(_length, items)))


def _length(item: object) -> int:
    return len(item) if isinstance(item, str) else 1


def _check_format(text: Any, *_: Any, **__: Any) -> None:
    if _WIDTH.search(str(text)):
        raise TooLarge("the width of this format is too large, or not a number")


def _check_sum(items: Any, *args: Any, **kwargs: Any) -> None:
    for start in (*args, *kwargs.values()):
        if isinstance(start, (list, tuple)):
            raise TooLarge("`sum` adds numbers; loop over lists")


def _check_method(
    owner: str | bytes, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Bounds for the methods of texts."""
    if name == "replace" and len(args) > 1:
        _check_replace(owner, *args[:2])
    elif name == "join" and args:
        _check_join(args[0], owner)
    elif name == "translate":
        raise TooLarge("`translate` is not for templates")
    else:
        _check_counts(None, *args, **kwargs)
