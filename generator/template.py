"""Templates: Jinja evaluates the tags; the text between them never passes through it.

A template becomes a Jinja source that holds its tags alone, each on its own line of the file,
and numbered stand-ins for the text. Values are not written here: each leaves a placeholder,
and a later pass writes it for the place where it stands.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from generator.errors import GeneratorError, Problem, near_names
from generator.places import PLACEHOLDER, placeholder
from generator.sandbox import BoundedEnvironment
from generator.scanner import Piece, scan_template

_VARIABLE = ("\x01{", "}\x01")
_CLAIM = re.compile(r"\s*claim\b")
_RAW = re.compile(r"\s*[-+]?\s*raw\b")
_BLOCK = ("\x01%", "%\x01")


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
            block_start_string=_BLOCK[0],
            block_end_string=_BLOCK[1],
            variable_start_string=_VARIABLE[0],
            variable_end_string=_VARIABLE[1],
            comment_start_string="\x01#",
            comment_end_string="#\x01",
            undefined=jinja2.StrictUndefined,
            autoescape=True,
            cache_size=0,
            extensions=[_ClaimTag],
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
                out.append(f"{_VARIABLE[0]}{blank}_text({len(self.texts)}){_VARIABLE[1]}")
                self.texts.append(piece.text)
                continue
            code = piece.text
            line += code.count("\n")
            if piece.kind == "expression":
                out.append(
                    f"{_VARIABLE[0]}{blank}_put(_at({len(self.tags)}),({code})){_VARIABLE[1]}"
                )
                self.tags.append(Origin(path, piece.line, code.strip()))
            else:
                if _RAW.match(code):
                    message = "`raw` is not for notes: text outside tags is left alone anyhow"
                    hint = "write `<%%` for a literal `<%`"
                    raise GeneratorError(Problem(path, piece.line, message, hint, "template"))
                code = self._number_claim(code, path, piece.line)
                out.append(f"{_BLOCK[0]}{blank}{code}{_BLOCK[1]}")
        return "".join(out)

    def _number_claim(self, code: str, path: str, line: int) -> str:
        """`claim condition` as `claim 7, condition`, so that its words can be told again."""
        head = _CLAIM.match(code)
        if head is None:
            return code
        self.tags.append(Origin(path, line, " ".join(code[head.end() :].split())))
        return f"{head.group()} {len(self.tags) - 1},{code[head.end() :]}"

    def reads_names(self, source: str) -> bool:
        """Whether an expression depends on any name at all."""
        tree = self.parse(f"{_VARIABLE[0]}({source}){_VARIABLE[1]}")
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
        _check_defined(value)
        if isinstance(value, Iterator):
            value = self._each(value)
            _check_defined(value)
        self.check_value(value)
        if isinstance(value, Markup):
            return value
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
        if isinstance(value, jinja2.Undefined):
            str(value)
        return self.evaluation.on_claim(value, *args, **bounds)


def _check_defined(value: object) -> None:
    """Raise Jinja's error, with the name, for what is undefined in `value` at any depth."""
    if isinstance(value, jinja2.Undefined):
        value._fail_with_undefined_error()  # that of an `if` without `else` would print nothing
    elif isinstance(value, (list, tuple)):
        for item in value:
            _check_defined(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            _check_defined(item)


class _ClaimTag(Extension):
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
        environment = self.environment
        assert isinstance(environment, NoteEnvironment)
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


def evaluate_template(
    environment: NoteEnvironment,
    text: str,
    path: str,
    names: Mapping[str, object],
    evaluation: Evaluation,
) -> str:
    """The template's text with placeholders where values stand.

    Raises GeneratorError, with the tag's line, for what is wrong in a tag.
    """
    environment.evaluation = evaluation
    environment.restart()
    with _author_errors(environment, path, names):
        template = environment.compile_text(text, path)
        rendered = template.render(names)
    _check_all_there(rendered, evaluation, path)
    return rendered


@contextmanager
def _author_errors(
    environment: NoteEnvironment, path: str, names: Mapping[str, object]
) -> Iterator[None]:
    """Turn Jinja's exceptions into problems at the line of the tag."""
    try:
        yield
    except GeneratorError:
        raise
    except jinja2.TemplateSyntaxError as error:
        where = error.filename or path
        raise GeneratorError(
            Problem(
                where,
                error.lineno,
                f"this tag is not valid: {_plain(error.message)}",
                "",
                "template",
            )
        ) from None
    except jinja2.TemplateNotFound as error:
        line = _line_of(error, path) or environment.evaluation.here.line
        message = f"there is no template `{error.name}`"
        raise GeneratorError(
            Problem(path, line, message, "paths start in the templates' folder", "template")
        ) from None
    except jinja2.UndefinedError as error:
        where, line = _place_of(error, path)
        known = [name for name in {**environment.globals, **names} if not name.startswith("_")]
        message = str(error.message or error)
        found = re.search(r"'([^']+)'", message)
        missing = found.group(1) if found and message.endswith("is undefined") else ""
        if missing:
            message = f"nothing here is called `{missing}`"
        owner = re.match(r"'[^']*' has no attribute '([^']+)'", message)
        hint = near_names(missing, known) if missing else ""
        if missing and not hint:
            own = sorted(name for name in names if name not in ("note", "slug", "params", "seed"))
            hint = "the results are " + ", ".join(f"`{name}`" for name in own) if own else ""
        if owner:
            message = f"there is no `{owner.group(1)}` in this value"
        raise GeneratorError(Problem(where, line, message, hint, "template")) from None
    except RecursionError:
        message = "templates or macros call each other without end"
        raise GeneratorError(Problem(path, 1, message, "", "template")) from None
    except Exception as error:  # whatever an expression of the author raises
        where, line = _place_of(error, path)
        message = (
            f"{type(error).__name__}: {error}"
            if not isinstance(error, jinja2.TemplateError)
            else str(error)
        )
        raise GeneratorError(
            Problem(
                where,
                line or environment.evaluation.here.line,
                message.split("\n")[0],
                "",
                "template",
            )
        ) from None


def _plain(message: str | None) -> str:
    """Jinja's message, with our delimiters instead of those that stand in for them."""
    text = message or "it can't be read"
    for ours, theirs in ((_VARIABLE[1], "%>"), (_BLOCK[1], "%>"), (_BLOCK[0], "<%")):
        text = text.replace(ours, theirs).replace(repr(ours)[1:-1], theirs)
    return text.rstrip(".")


def _place_of(error: BaseException, path: str) -> tuple[str, int]:
    """The innermost line of a template in the error's traceback."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.endswith(".md")]
    if not frames:
        return path, 0
    return frames[-1].filename, frames[-1].lineno or 0


def _line_of(error: BaseException, path: str) -> int:
    return _place_of(error, path)[1]


def _check_all_there(text: str, evaluation: Evaluation, path: str) -> None:
    """Every placeholder must have survived: filters on captured text may garble them."""
    there = {int(match.group(1)) for match in PLACEHOLDER.finditer(text)}
    lost = [evaluation.origins[i] for i in evaluation.values if i not in there]
    if lost:
        hint = "format values in the tag itself; filters can't be applied to captured text"
        raise GeneratorError(
            *(
                Problem(
                    o.path or path, o.line, f"the value of `{o.source}` is lost", hint, "template"
                )
                for o in lost
            )
        )
