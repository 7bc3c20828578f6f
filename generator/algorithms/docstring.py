r"""The `Require:`, `Ensure:` and `Where:` lines of a docstring."""

from __future__ import annotations

import ast
import re

from generator.algorithms.steps import Complain, Note
from generator.algorithms.tokens import UnreadableError, read_tokens

_KEYWORD = re.compile(r"\s*(Require|Input|Ensure|Output|Where):\s*(.*)")
_WHERE = re.compile(r"\\\((.+?)\\\)\s+is\s+(`[^`]+`|[^\s,;`]+(?:\[[^\]]*\])?)", re.DOTALL)


def find_docstring(node: ast.FunctionDef) -> ast.Constant | None:
    """The docstring's node, if the function has one."""
    first = node.body[0]
    match first:
        case ast.Expr(value=ast.Constant(value=str()) as constant):
            return constant
    return None


def read_docstring(node: ast.FunctionDef) -> dict[str, list[Note]]:
    """Keyword → its lines; an indented line continues the one above."""
    found: dict[str, list[Note]] = {"Require": [], "Ensure": [], "Where": []}
    constant = find_docstring(node)
    if constant is None:
        return found
    current: list[Note] | None = None
    for offset, text in enumerate(str(constant.value).split("\n")):
        line = constant.lineno + offset
        match = _KEYWORD.match(text)
        if match:
            keyword = {"Input": "Require", "Output": "Ensure"}.get(match[1], match[1])
            current = found[keyword]
            current.append(_note(match[2].strip(), line))
        elif not text.strip():
            current = None
        elif current is not None:
            last = current[-1]
            current[-1] = _note(f"{last.text} {text.strip()}", last.line, last.mark)
    return found


def _note(text: str, line: int, mark: str = "") -> Note:
    if text.endswith("#~"):
        return Note(text.removesuffix("#~").rstrip(), line, "~")
    return Note(text, line, mark)


def read_where(notes: list[Note], complain: Complain) -> list[tuple[str, str, int]]:
    r"""`Where: \(\eta\) is rate, \(d_k\) is K.shape[1]` → formula, Python expression, line."""
    symbols = []
    for note in notes:
        pairs = _WHERE.findall(note.text)
        if not pairs:
            complain(
                note.line,
                f"`Where:` names no symbol: {note.text}",
                r"write for example: Where: \(\eta\) is rate",
            )
        for formula, name in pairs:
            expression = name.strip("`").rstrip(".") if not name.startswith("`") else name[1:-1]
            try:
                read_tokens(formula)
                ast.parse(expression, mode="eval")
            except SyntaxError:
                complain(note.line, f"`{expression}` is not a Python expression", "")
            except UnreadableError as error:
                complain(note.line, f"`{formula.strip()}` can't be read: {error}", "")
            else:
                symbols.append((formula.strip(), expression, note.line))
    return symbols
