"""Jinja as notes use it: the tags of a template as a source of its own, values as placeholders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import wraps
from typing import Any

import jinja2
from jinja2 import nodes
from markupsafe import Markup

from generator.claim_tag import ClaimTag
from generator.errors import GeneratorError, Problem
from generator.frozen import dataclass
from generator.places import PLACEHOLDER, placeholder
from generator.sandbox import BoundedEnvironment
from generator.scanner import Piece, scan_template

VARIABLE = ("\x01{", "}\x01")
BLOCK = ("\x01%", "%\x01")
"""Delimiters that no template holds; the author's own are found by the scanner."""
_CLAIM = re.compile(r"\s*claim\b")
_RAW = re.compile(r"\s*[-+]?\s*raw\b")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from."""

    path: str
    """The template that holds the tag."""
    line: int
    """Its line."""
    source: str
    """The expression, as written."""


@dataclass(slots=True)
class Evaluation:
    """What evaluating one template gives, apart from the text."""

    values: dict[int, object] = field(default_factory=dict)
    """Values by the number of their placeholder."""
    origins: dict[int, Origin] = field(default_factory=dict)
    """Their tags."""
    here: Origin = Origin("", 0, "")
    """The tag at work."""
    on_claim: Callable[..., object] = lambda *_, **__: None
    """Called for `claim` as a filter."""
    on_statement: Callable[..., object] = lambda *_, **__: None
    """Called for `claim` as a block."""


class NoteEnvironment(BoundedEnvironment):
    """Jinja, sandboxed, with the generator's delimiters and nothing of its own in the text."""

    def __init__(self, load: Callable[[str], str | None], folder: str, digits: int) -> None:
        super().__init__(
            block_start_string=BLOCK[0],
            block_end_string=BLOCK[1],
            variable_start_string=VARIABLE[0],
            variable_end_string=VARIABLE[1],
            comment_start_string="\x01#",
            comment_end_string="#\x01",
            undefined=jinja2.StrictUndefined,
            autoescape=True,
            cache_size=0,
            extensions=[ClaimTag],
        )
        self.load_source = load
        self.folder = folder
        self.evaluation = Evaluation()
        self.texts: list[str] = []
        self.tags: list[Origin] = []
        self.used: set[str] = set()
        self.compiled: dict[str, jinja2.Template] = {}
        self.globals.update(_text=self._text, _at=self._at, _put=self._put, _join=self._join)
        self.digits = digits
        self.filters["claim"] = self._claim

    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> Any:
        """An included or imported template, by its path in the templates' folder."""
        path = f"{self.folder}/{name}"
        self.used.add(path)
        text = self.load_source(path)
        if text is None:
            raise jinja2.TemplateNotFound(str(name))
        return self.compile_text(text, path)

    def compile_text(self, text: str, path: str) -> jinja2.Template:
        """The template in `text`; `path` is named in errors."""
        key = path + "\0" + text
        if key not in self.compiled:
            source = self._to_source(scan_template(text, path), path)
            code = self.compile(self._prepare(self.parse(source, path, path)), path, path)
            self.compiled[key] = jinja2.Template.from_code(self, code, self.globals)
        return self.compiled[key]

    def _to_source(self, pieces: tuple[Piece, ...], path: str) -> str:
        out: list[str] = []
        line = 1
        for piece in pieces:
            if piece.kind == "comment":
                continue
            blank = "\n" * max(0, piece.line - line)
            line += len(blank)
            if piece.kind == "text":
                self._refuse_placeholder(piece, path)
                out.append(f"{VARIABLE[0]}{blank}_text({len(self.texts)}){VARIABLE[1]}")
                self.texts.append(piece.text)
                continue
            code = piece.text
            line += code.count("\n")
            if piece.kind == "expression":
                out.append(f"{VARIABLE[0]}{blank}_put(_at({len(self.tags)}),({code})){VARIABLE[1]}")
                self.tags.append(Origin(path, piece.line, code.strip()))
            else:
                if _RAW.match(code):
                    message = "`raw` is not for notes: text outside tags is left alone anyhow"
                    hint = "write `<%%` for a literal `<%`"
                    raise GeneratorError(Problem(path, piece.line, message, hint, "template"))
                code = self._number_claim(code, path, piece.line)
                out.append(f"{BLOCK[0]}{blank}{code}{BLOCK[1]}")
        return "".join(out)

    def _refuse_placeholder(self, piece: Piece, path: str) -> None:
        """What stands for a value between two passes must not stand in the text itself."""
        found = PLACEHOLDER.search(piece.text)
        if found is not None:
            line = piece.line + piece.text.count("\n", 0, found.start())
            message = f"`{found[0]}` is what the generator writes for a value while it works"
            raise GeneratorError(Problem(path, line, message, "write it otherwise", "template"))

    def _number_claim(self, code: str, path: str, line: int) -> str:
        """`claim condition` as `claim 7, condition`, so that its words can be told again."""
        head = _CLAIM.match(code)
        if head is None:
            return code
        self.tags.append(Origin(path, line, " ".join(code[head.end() :].split())))
        return f"{head.group()} {len(self.tags) - 1},{code[head.end() :]}"

    def reads_names(self, source: str) -> bool:
        """Whether an expression depends on any name at all."""
        tree = self.parse(f"{VARIABLE[0]}({source}){VARIABLE[1]}")
        return next(tree.find_all(nodes.Name), None) is not None

    def _prepare(self, tree: nodes.Template) -> nodes.Template:
        """Imports see the note's names; `~` joins numbers as readers are to see them."""
        self.bound_loops(tree)
        for node in tree.find_all(nodes.Import):
            node.with_context = True
        for names in tree.find_all(nodes.FromImport):
            names.with_context = True
        for concat in tree.find_all(nodes.Concat):
            concat.nodes = [self._joined(part) for part in concat.nodes]
        return tree

    def _joined(self, part: nodes.Expr) -> nodes.Expr:
        if isinstance(part, nodes.Const):
            return part
        name = nodes.Name("_join", "load", lineno=part.lineno)
        call = nodes.Call(name, [part], [], None, None, lineno=part.lineno)
        call.set_environment(self)
        return call

    def _text(self, number: int) -> Markup:
        return Markup(self.texts[number])

    def _at(self, number: int) -> int:
        self.evaluation.here = self.tags[number]
        return number

    def _put(self, number: int, value: object) -> Markup:
        """A placeholder for `value`; what macros made of text and placeholders stays itself."""
        self.evaluation.here = self.tags[number]
        check_defined(value)
        if isinstance(value, Iterator):
            value = self._each(value)
            check_defined(value)
        self.check_value(value)
        if isinstance(value, Markup):
            return value
        if isinstance(value, (list, tuple, Mapping)) and not value:
            raise jinja2.TemplateRuntimeError(f"`{self.tags[number].source}` is empty")
        if callable(value) and not hasattr(value, "__algorithm__"):
            raise jinja2.TemplateRuntimeError(
                f"`{self.tags[number].source}` is a function; call it"
            )
        i = len(self.evaluation.values)
        self.evaluation.values[i] = value
        self.evaluation.origins[i] = self.tags[number]
        return Markup(placeholder(i))

    def _join(self, value: object) -> object:
        if isinstance(value, float):
            return f"{value:.{self.digits}g}"
        return self.check_value(value)

    @jinja2.pass_context  # or a constant claim would be checked while compiling
    def _claim(self, _: object, value: object, *args: object, **bounds: object) -> object:
        check_defined([value, *args, *bounds.values()])
        return self.evaluation.on_claim(value, *args, **bounds)


def strict(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, refusing undefined values at once: a format would keep one till later."""

    @wraps(function)
    def call(*args: object, **options: object) -> Any:
        for value in (*args, *options.values()):
            check_defined(value)
        return function(*args, **options)

    return call


def check_defined(value: object) -> None:
    """Raise Jinja's error, with the name, for what is undefined in `value` at any depth."""
    if isinstance(value, jinja2.Undefined):
        value._fail_with_undefined_error()  # that of an `if` without `else` would print nothing
    elif isinstance(value, (list, tuple)):
        for item in value:
            check_defined(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            check_defined(item)
