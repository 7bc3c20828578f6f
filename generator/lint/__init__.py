"""The linter: what Goldmark, Hugo and SciDraft drop without a word.

Rules are pure over a note and the facts about its site; each is one file under `rules/`.
"""

from __future__ import annotations

from generator.lint.check import CODES, fix_note, lint_note
from generator.lint.facts import Delimiter, EntrySet, Facts
from generator.lint.formulas import collect_formulas
from generator.lint.rules import RULES
from generator.lint.site import site_problems

__all__ = [
    "CODES",
    "RULES",
    "Delimiter",
    "EntrySet",
    "Facts",
    "collect_formulas",
    "fix_note",
    "lint_note",
    "site_problems",
]
