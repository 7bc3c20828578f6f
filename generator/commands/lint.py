"""`lint`: the linter on any Markdown notes; numerals typed by hand in templates."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from generator.errors import GeneratorError, Problem, UsageError
from generator.lint_run import lint_paths
from generator.sarif import problems_to_json, problems_to_sarif
from generator.settings import Settings, load_settings
from generator.terminal import counted, print_problem


def run_lint(arguments: argparse.Namespace) -> int:
    """Lint, and print what was found; 1 when there is an error."""
    site = Path(arguments.site)
    notes, templates = _sort_paths(site, [Path(path) for path in arguments.paths])
    problems: list[Problem] = []
    fixed: list[str] = []
    count = len(templates)
    if notes or not arguments.paths:
        done = lint_paths(notes, site=site, fix=arguments.fix, now=datetime.now(UTC))
        problems += done.problems
        fixed += done.fixed
        count += done.notes
    for settings, template in templates:
        found, mended = _lint_numerals(settings, template, fix=arguments.fix)
        problems += found
        fixed += [template] if mended else []
    _print(arguments, problems, fixed, count)
    return int(any(problem.is_error for problem in problems))


def _sort_paths(site: Path, paths: list[Path]) -> tuple[list[Path], list[tuple[Settings, str]]]:
    """Published notes, and templates of the site; without paths all of either."""
    try:
        settings = load_settings(site.resolve())
    except UsageError:
        return paths, []
    home = settings.root / settings.notes_templates
    inside = [path for path in paths if path.resolve().is_relative_to(home)]
    notes = [path for path in paths if path not in inside]
    wanted = [path.resolve() for path in inside] if paths else [home]
    return notes, [(settings, template) for template in _find_templates(settings, wanted)]


def _find_templates(settings: Settings, wanted: list[Path]) -> Iterator[str]:
    from generator.notes import find_templates

    for template in find_templates(settings):
        path = settings.root / template
        if any(path == place or path.is_relative_to(place) for place in wanted):
            yield template


def _lint_numerals(settings: Settings, template: str, *, fix: bool) -> tuple[list[Problem], bool]:
    """Numerals that a template types although a result holds them."""
    from generator.history import read_known
    from generator.notes import read_note
    from generator.numerals import find_numerals, fix_numerals
    from generator.publish import write_file
    from generator.results import decode

    try:
        note = read_note(settings, template)
    except GeneratorError as error:
        return list(error.problems), False
    record = read_known(settings, note.slug, {}).record
    if note.demo is None or record is None:
        return [], False
    results = {name: decode(value) for name, value in record.results.items()}
    mended = fix_numerals(note.text, results, params=note.params) if fix else note.text
    if mended != note.text:
        write_file(settings.root, template, mended.encode("utf-8"))
    found = find_numerals(mended, results, path=template, params=note.params)
    return found, mended != note.text


def _print(
    arguments: argparse.Namespace, problems: list[Problem], fixed: list[str], count: int
) -> None:
    if arguments.sarif:
        print(problems_to_sarif(problems))
    elif arguments.json:
        print(problems_to_json(problems))
    else:
        for problem in problems:
            print_problem(problem)
        for path in fixed:
            print(f"mended {path}")
        errors = sum(problem.is_error for problem in problems)
        told = (counted(count, "note"), counted(errors, "error"))
        print(", ".join((*told, counted(len(problems) - errors, "warning"))))
    sys.stdout.flush()
