"""Problems of numerals typed by hand, and their fix."""

from __future__ import annotations

import re
from collections.abc import Mapping

from generator.errors import Problem, Severity
from generator.numerals.fixing import write_fix
from generator.numerals.scanning import Numeral, scan_numerals
from generator.numerals.sources import ROUND, Source, match_source, param_sources, result_sources


def find_numerals(
    template: str,
    results: Mapping[str, object],
    *,
    path: str,
    params: Mapping[str, object] | None = None,
) -> list[Problem]:
    """Problems of all numerals typed by hand in a template, in order."""
    sources = [*result_sources(results), *param_sources(template, params)]
    problems = []
    for numeral in scan_numerals(template):
        found = match_source(numeral, sources)
        problem = _problem(template, path, numeral, found)
        if problem is not None:
            problems.append(problem)
    return problems


def fix_numerals(
    template: str, results: Mapping[str, object], *, params: Mapping[str, object] | None = None
) -> str:
    """The template with every numeral that equals a result or a parameter replaced by a tag."""
    sources = [*result_sources(results), *param_sources(template, params)]
    parts, position = [], 0
    for numeral in scan_numerals(template):
        found = match_source(numeral, sources)
        if found is not None:
            parts += [template[position : numeral.start], write_fix(template, numeral, found)]
            position = numeral.end
    return "".join([*parts, template[position:]])


def _problem(template: str, path: str, numeral: Numeral, found: Source | None) -> Problem | None:
    line = template.count("\n", 0, numeral.start) + 1
    column = numeral.start - template.rfind("\n", 0, numeral.start)
    text = numeral.text.strip()
    other = f'`<%= literal("{numeral.literal}") %>`'
    if found is not None:
        what = "the parameter " if found.kind == "param" else ""
        message = f"{text} is typed by hand; it is {what}`{found.expression}`"
        hint = f"write `{write_fix(template, numeral, found)}`, or {other} if it is another number"
        severity: Severity = "warning" if found.kind == "param" else "error"
        return Problem(path, line, message, hint, "numeral", severity, column)
    if not _is_doubtful(numeral):
        return None
    message = f"{text} is typed by hand and equals no result"
    hint = f"compute it in the demo, or write {other} if it never changes"
    return Problem(path, line, message, hint, "numeral", "warning", column)


def _is_doubtful(numeral: Numeral) -> bool:
    """Whether a numeral that equals nothing deserves a warning: decimals and percentages do."""
    if "%" in numeral.literal:
        return numeral.literal not in ("0%", "100%")
    if numeral.in_script:
        return False
    if numeral.in_math and re.sub(r"[-.0]", "", numeral.literal) in ROUND:
        return False
    return "." in numeral.literal
