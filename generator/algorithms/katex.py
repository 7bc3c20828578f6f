"""Formulas that KaTeX can't read: what the algorithms' renderer would stumble over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.algorithms.katex_commands import ARGUMENTS, COMMANDS, ENVIRONMENTS, HINTS
from generator.errors import near_names

Fault = tuple[int, str, str]
"""Offset in the formula, message, hint."""

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_CLOSING = frozenset({"}", "_", "^", "&", r"\right", r"\end", r"\\"})
_RAW = frozenset({r"\text", r"\textbf", r"\textit", r"\textrm", r"\textsf", r"\texttt", r"\hspace"})


def check_math(latex: str) -> list[Fault]:
    """What is wrong with a formula for KaTeX; offsets count from its start."""
    tokens = [(m.start(), m.group()) for m in _TOKEN.finditer(latex) if not m.group().isspace()]
    faults = [*_unknown(tokens), *_unbalanced(tokens, len(latex)), *_misplaced(tokens)]
    if not faults:
        faults = [*_scripts(tokens), *_arguments(tokens, len(latex))]
    return sorted(faults)


def _unknown(tokens: list[tuple[int, str]]) -> Iterator[Fault]:
    for offset, text in tokens:
        if not text.startswith("\\") or text in COMMANDS:
            continue
        if text.endswith("*") and text[:-1] in COMMANDS:
            continue
        hint = HINTS.get(text) or near_names(text, COMMANDS)
        yield offset, f"KaTeX has no `{text}`", hint


def _unbalanced(tokens: list[tuple[int, str]], end: int) -> Iterator[Fault]:
    r"""Braces, `\left` and `\right`, environments, in one stack."""
    stack: list[tuple[int, str]] = []
    closers = {"{": "}", r"\left": r"\right"}
    for position, (offset, text) in enumerate(tokens):
        if text in {"{", r"\left"}:
            stack.append((offset, text))
        elif text in {r"\begin", r"\end"}:
            name = _group(tokens, position + 1)
            if name.rstrip("*") not in ENVIRONMENTS and name not in ENVIRONMENTS:
                yield (
                    offset,
                    f"KaTeX has no environment `{name}` in a line",
                    "use `aligned` or `cases`",
                )
                return
            if text == r"\begin":
                stack.append((offset, f"\\begin{{{name}}}"))
            elif not stack or stack.pop()[1] != f"\\begin{{{name}}}":
                yield offset, f"`\\end{{{name}}}` closes nothing", ""
                return
        elif text in {"}", r"\right"}:
            if not stack or closers.get(stack[-1][1]) != text:
                yield offset, f"`{text}` closes nothing", ""
                return
            stack.pop()
    for offset, text in stack[:1]:
        yield offset, f"`{text}` is not closed", ""


def _group(tokens: list[tuple[int, str]], position: int) -> str:
    """The text of a braced argument of plain letters."""
    text = ""
    for _, part in tokens[position + 1 :]:
        if part == "}":
            break
        text += part
    return text if position < len(tokens) and tokens[position][1] == "{" else ""


def _misplaced(tokens: list[tuple[int, str]]) -> Iterator[Fault]:
    depth = 0
    raw = -1
    braces = 0
    for position, (offset, text) in enumerate(tokens):
        depth += (text == r"\begin") - (text == r"\end")
        braces += (text == "{") - (text == "}")
        if raw >= 0 and braces < raw:
            raw = -1
        if text in _RAW and raw < 0 and tokens[position + 1 : position + 2]:
            raw = braces + 1
        if raw >= 0 and braces >= raw and text in {"_", "^"}:
            yield offset, rf"a bare `{text}` in words", rf"`\{text}` or a formula of its own"
        if text == "&" and depth == 0:
            yield offset, "`&` outside an environment", r"`\&`"
        elif text == "#":
            yield offset, "`#` in a formula", r"`\#`"
        elif text == "$":
            yield offset, "`$` in a formula", "close the formula before the words"
        elif text == "%":
            yield offset, "`%` hides the rest of the line", r"`\%`"


def _scripts(tokens: list[tuple[int, str]]) -> Iterator[Fault]:
    """Two subscripts or superscripts on one base, or none behind the sign."""
    stack: list[set[str]] = [set()]
    position = 0
    while position < len(tokens):
        offset, text = tokens[position]
        if text == "'" and "^" in stack[-1]:
            yield offset, "a prime behind a superscript", "put the prime first"
        if text in {"_", "^"}:
            if text in stack[-1]:
                name = "subscripts" if text == "_" else "superscripts"
                yield offset, f"two {name} on one symbol", "put braces around the first pair"
            stack[-1].add(text)
            following = tokens[position + 1][1] if position + 1 < len(tokens) else "}"
            if following in _CLOSING:
                yield offset, f"nothing follows `{text}`", ""
            end = _skip_argument(tokens, position + 1)
            if following == "{":
                yield from _scripts(tokens[position + 2 : end - 1])
            position = end
            continue
        if text in {"{", r"\begin", r"\left"}:
            stack[-1].clear()
            stack.append(set())
        elif text in {"}", r"\end", r"\right"} and len(stack) > 1:
            stack.pop()
        elif text not in {r"\limits", r"\nolimits", "'"}:
            stack[-1].clear()
        position += 1


def _skip_argument(tokens: list[tuple[int, str]], position: int) -> int:
    """The position after what `_`, `^` or a command acts on."""
    if position >= len(tokens) or tokens[position][1] != "{":
        command = tokens[position][1] if position < len(tokens) else ""
        position += 1
        for _ in range(ARGUMENTS.get(command, 0)):
            position = _skip_argument(tokens, position)
        return position
    depth = 0
    while position < len(tokens):
        depth += (tokens[position][1] == "{") - (tokens[position][1] == "}")
        position += 1
        if depth == 0:
            break
    return position


def _arguments(tokens: list[tuple[int, str]], end: int) -> Iterator[Fault]:
    """Commands whose arguments are missing."""
    for position, (offset, text) in enumerate(tokens):
        needed = ARGUMENTS.get(text, 0)
        at = position + 1
        if text == r"\sqrt" and at < len(tokens) and tokens[at][1] == "[":
            while at < len(tokens) and tokens[at][1] != "]":
                at += 1
            at += 1
        for _ in range(needed):
            following = tokens[at][1] if at < len(tokens) else "}"
            if following in _CLOSING:
                yield offset, f"`{text}` lacks what it is to act on", f"`{text}{{…}}`"
                break
            at = _skip_argument(tokens, at)
