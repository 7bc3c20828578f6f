"""Shortcodes that are opened and not closed, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.rule import Finding, Rule
from generator.lint.shortcodes import Shortcode

_ALWAYS_CLOSED = ("preview", "highlight")


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    known = facts.shortcodes or {}
    closing = {code.name for code in note.shortcodes if code.kind == "close"}
    stack: list[Shortcode] = []
    for code in note.shortcodes:
        if code.kind == "open" and code.name in closing:
            stack.append(code)
        elif code.kind == "open" and (known.get(code.name) or code.name in _ALWAYS_CLOSED):
            message = f"the shortcode `{code.name}` is never closed"
            yield Finding(code.start, message, f"add `{_closing(code)}`")
        elif code.kind == "close":
            names = [opened.name for opened in stack]
            if code.name not in names:
                yield Finding(code.start, f"`{_closing(code)}` closes nothing")
                continue
            if known.get(code.name) is False:
                message = f"the shortcode `{code.name}` holds nothing and cannot be closed"
                yield Finding(code.start, message, f"remove `{_closing(code)}`")
            if names[-1] != code.name:
                message = f"`{_closing(code)}` closes `{code.name}` from within `{names[-1]}`"
                yield Finding(code.start, message, "close the inner one first", severity="warning")
            del stack[len(names) - 1 - names[::-1].index(code.name)]
    for opened in stack:
        yield from _unclosed(opened, known)


def _unclosed(code: Shortcode, known: Mapping[str, bool]) -> Iterator[Finding]:
    """A shortcode that may stand alone is fine, though another of its name is closed."""
    if known.get(code.name, False) or code.name in _ALWAYS_CLOSED:
        message = f"the shortcode `{code.name}` is not closed"
        yield Finding(code.start, message, f"add `{_closing(code)}`")


def _closing(code: Shortcode) -> str:
    end = ">" if code.mark == "<" else "%"
    return f"{{{{{code.mark} /{code.name} {end}}}}}"


RULE = Rule(
    "shortcode-unbalanced",
    "error",
    "A shortcode is not closed, or closes nothing",
    "Hugo stops at it and publishes nothing. Shortcodes that cross lose text (a warning).",
    _check,
)
