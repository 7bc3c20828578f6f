"""Reads the fixtures of `fixtures/`: one file a rule, notes that fail it and near misses.

A case opens with `>>> bad: title` or `>>> good: title`, its options behind a bar (`path=`,
`theme=`, `base=`). Then comes the note. A bad one is followed by `>>> problems`, one a
line, and where `--fix` mends it by `>>> fixed`. `␠` stands for a blank at a line's end, `⏎` for the
lack of a newline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from generator.errors import Problem
from generator.facts import gather_facts
from generator.lint import Facts

HERE = Path(__file__).parent
SITE = HERE / "site"
NOW = datetime(2026, 6, 1, tzinfo=UTC)
FORMULA_ERRORS = {
    ("\\frac{a", False): "Unexpected end of input",
    ("x &= y", True): "Expected 'EOF', got '&' at position 3: x &= y",
    ("\\norm{x}", False): "Undefined control sequence: \\norm at position 1: \\norm{x}",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One note of a fixture file."""

    code: str
    """The rule."""
    title: str
    """What it shows."""
    is_bad: bool
    """Whether the rule must find something."""
    text: str
    """The note."""
    problems: tuple[str, ...]
    """What the rule finds."""
    fixed: str
    """The note after `--fix` by this rule alone; empty where nothing is mended."""
    options: dict[str, str]
    """What differs from the usual note on the usual site."""

    @property
    def path(self) -> str:
        return self.options.get("path", "content/notes/a.md")

    def facts(self) -> Facts:
        facts = site_facts()
        if "theme" in self.options:
            facts = replace(facts, themes=(self.options["theme"],))
        if "base" in self.options:
            facts = replace(facts, base_path=self.options["base"].rstrip("/"))
        return facts


@cache
def site_facts() -> Facts:
    return replace(gather_facts(SITE, now=NOW), formula_errors=FORMULA_ERRORS)


def read_cases(path: Path) -> Iterator[Case]:
    for part in re.split(r"^>>> (?=bad: |good: )", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        head, _, rest = part.partition("\n")
        kind, _, title = head.partition(": ")
        title, _, options = title.partition(" | ")
        text, _, rest = _cut(rest, ">>> problems\n")
        problems, _, fixed = _cut(rest, ">>> fixed\n")
        yield Case(
            path.stem,
            title,
            kind == "bad",
            _plain(text),
            tuple(problems.splitlines()),
            _plain(fixed),
            dict(pair.split("=", 1) for pair in options.split()),
        )


def _cut(text: str, mark: str) -> tuple[str, str, str]:
    head, found, tail = ("\n" + text).partition("\n" + mark)
    return (head[1:] + "\n" if found else text), found, tail


def _plain(text: str) -> str:
    return text.replace("␠", " ").replace("⏎\n", "")


def show(problem: Problem) -> str:
    hint = f" — {problem.hint}" if problem.hint else ""
    return f"{problem.line}:{problem.column} {problem.severity}: {problem.message}{hint}"


def all_cases() -> list[Case]:
    return [case for path in sorted((HERE / "fixtures").glob("*.md")) for case in read_cases(path)]
