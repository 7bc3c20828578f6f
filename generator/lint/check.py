"""A note against the rules: text and facts in, problems out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from generator.errors import Problem, near_names
from generator.lint.comments import find_ignored, is_ignored, unknown_codes
from generator.lint.facts import Facts
from generator.lint.frontmatter import FrontMatter
from generator.lint.note import Note, read_note
from generator.lint.rule import Edit, Finding, Rule
from generator.lint.rules import RULES

CODES = frozenset(rule.code for rule in RULES)
COMMENT_CODE = "lint-comment"
_MOST_PASSES = 10
_LINE_BREAKS = re.compile(r"[\r\n]+")


def lint_note(
    path: str,
    text: str,
    facts: Facts,
    *,
    ignore: frozenset[str] = frozenset(),
    front: FrontMatter | None = None,
) -> tuple[Problem, ...]:
    """Everything that is wrong with a note, in the order of its lines.

    `path` decides where in the site the note lies; `ignore` adds to the rules that the site's
    settings turn off; `front` is its front matter, if that was read before. Pure: nothing is read,
    and no text makes it raise.
    """
    note = read_note(path, text, facts.delimiters, front)
    problems = [
        _problem(note, rule, finding) for rule, finding in _find(note, facts, ignore | facts.ignore)
    ]
    problems += _unknown_comments(note)
    order = {rule.code: index for index, rule in enumerate(RULES)}
    problems.sort(key=lambda found: (found.line, found.column, order.get(found.code, 0)))
    return tuple(dict.fromkeys(problems))


def fix_note(path: str, text: str, facts: Facts, *, ignore: frozenset[str] = frozenset()) -> str:
    """The note with everything mended that can be; fixing it again changes nothing."""
    for _ in range(_MOST_PASSES):
        note = read_note(path, text, facts.delimiters)
        found = [finding for _, finding in _find(note, facts, ignore | facts.ignore)]
        fixed = apply_edits(text, (edit for finding in found for edit in finding.edits))
        if fixed == text:
            break
        text = fixed
    return text


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits that do not overlap an earlier one."""
    pieces, position, last_start = [], 0, -1
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end)):
        if edit.start < position or edit.start == last_start:
            continue
        pieces += [text[position : edit.start], edit.text]
        position, last_start = edit.end, edit.start
    return "".join(pieces) + text[position:]


def _find(note: Note, facts: Facts, ignore: frozenset[str]) -> Iterator[tuple[Rule, Finding]]:
    ignored = find_ignored(note)
    for rule in RULES:
        if rule.code in ignore:
            continue
        for finding in rule.check(note, facts):
            if not is_ignored(ignored, rule.code, note.line_of(finding.at)):
                yield rule, finding


def _problem(note: Note, rule: Rule, finding: Finding) -> Problem:
    return Problem(
        note.path,
        note.line_of(finding.at),
        _LINE_BREAKS.sub(" ", finding.message),
        _LINE_BREAKS.sub(" ", finding.hint),
        rule.code,
        finding.severity or rule.severity,
        note.column_of(finding.at),
    )


def _unknown_comments(note: Note) -> list[Problem]:
    return [
        Problem(
            note.path,
            note.line_of(item.at),
            f"there is no rule `{item.code}` to ignore",
            near_names(item.code, CODES),
            COMMENT_CODE,
            "warning",
            note.column_of(item.at),
        )
        for item in unknown_codes(find_ignored(note), CODES)
    ]
