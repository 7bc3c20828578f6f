"""`lint`: the linter on any Markdown notes, hand-written ones too."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from generator.lint_run import lint_paths
from generator.sarif import problems_to_json, problems_to_sarif
from generator.terminal import print_problem


def run_lint(arguments: argparse.Namespace) -> int:
    """Lint, and print what was found; 1 when there is an error."""
    done = lint_paths(
        [Path(path) for path in arguments.paths],
        site=Path(arguments.site),
        fix=arguments.fix,
        now=datetime.now(UTC),
    )
    if arguments.sarif:
        print(problems_to_sarif(done.problems))
    elif arguments.json:
        print(problems_to_json(done.problems))
    else:
        for problem in done.problems:
            print_problem(problem)
        for path in done.fixed:
            print(f"mended {path}")
        errors = sum(problem.is_error for problem in done.problems)
        warnings = len(done.problems) - errors
        print(f"{done.notes} notes, {errors} errors, {warnings} warnings")
    sys.stdout.flush()
    return int(any(problem.is_error for problem in done.problems))
