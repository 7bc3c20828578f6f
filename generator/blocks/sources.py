"""Where the text of a listing comes from: functions, files, scripts, texts."""

from __future__ import annotations

import ast
import inspect
import io
import os
import textwrap
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generator.blocks.base import refuse
from generator.blocks.filetree import find_path
from generator.blocks.script import ScriptRun

LANGUAGES = {
    ".bash": "bash", ".bib": "bibtex", ".c": "c", ".cpp": "cpp", ".css": "css", ".csv": "text",
    ".cu": "cuda", ".go": "go", ".h": "c", ".html": "html", ".ini": "ini", ".jl": "julia",
    ".js": "javascript", ".json": "json", ".md": "markdown", ".py": "python", ".r": "r",
    ".rs": "rust", ".sh": "bash", ".sql": "sql", ".tex": "latex", ".toml": "toml",
    ".ts": "typescript", ".yaml": "yaml", ".yml": "yaml",
}  # fmt: skip


def read_source(source: Any, language: str | None) -> tuple[str, str]:
    """The text of what a listing is given, and its language."""
    if callable(source):
        return read_function(source), language or "python"
    if isinstance(source, str) and _is_text(source, language):
        return source, language or "text"
    if isinstance(source, ScriptRun):
        return source.output, language or "text"
    if isinstance(source, (str, os.PathLike)):
        return read_file(source), language or LANGUAGES.get(Path(source).suffix.lower(), "text")
    raise refuse("listing", f"a listing cannot be made of a {type(source).__name__}")


def read_function(function: Callable[..., object]) -> str:
    """The source of a function or class, at the left margin."""
    try:
        return textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
    except (OSError, TypeError) as error:
        name = getattr(function, "__qualname__", repr(function))
        raise refuse("listing", f"the source of `{name}` cannot be found") from error


def read_file(path: str | os.PathLike[str]) -> str:
    """The text of a file beside the demo or in the site, with `\\n` line ends."""
    found = find_path(path, "listing", 'a text is given with its language: language="text"')
    try:
        return found.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise refuse("listing", f"`{Path(path).as_posix()}` is not UTF-8 text") from error
    except OSError as error:
        raise refuse("listing", f"`{Path(path).as_posix()}`: {error.strerror}") from error


def _is_text(source: str, language: str | None) -> bool:
    """Whether a string is what to show, and not where it is."""
    from generator.site import resolve_path

    if not source or "\n" in source or "\0" in source:
        return True
    if language is None:
        return False
    try:
        return not resolve_path(source).is_file()
    except OSError:
        return True


def strip_source(source: str) -> str:
    """`source` without docstrings, decorators and lines that are only comments.

    Source that does not parse comes back as it is.
    """
    try:
        tree = ast.parse(source)
        comments = _comment_lines(source)
    except (SyntaxError, tokenize.TokenError):
        return source
    dropped = comments | _decoration(tree)
    return "\n".join(
        line for number, line in enumerate(source.split("\n"), 1) if number not in dropped
    )


def _comment_lines(source: str) -> set[int]:
    return {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip()
    }


def _decoration(tree: ast.Module) -> set[int]:
    """The lines of docstrings and decorators; a body that is only a docstring keeps it."""
    dropped: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if ast.get_docstring(node, clean=False) is not None and len(node.body) > 1:
            doc = node.body[0]
            dropped.update(range(doc.lineno, (doc.end_lineno or doc.lineno) + 1))
        for decorator in getattr(node, "decorator_list", []):
            dropped.update(range(decorator.lineno, (decorator.end_lineno or decorator.lineno) + 1))
    return dropped
