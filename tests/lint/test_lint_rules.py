"""Every rule against its fixture: notes that fail it, near misses, and what `--fix` makes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from lint_cases import HERE, Case, all_cases, show, site_facts

import generator.lint.rules as rules_package
from generator.lint import CODES, RULES, fix_note, lint_note
from generator.lint.manual import render_manual

CASES = all_cases()


def _name(case: Case) -> str:
    return f"{case.code}: {'bad' if case.is_bad else 'good'}: {case.title}"


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_rule(case: Case) -> None:
    others = CODES - {case.code}
    found = lint_note(case.path, case.text, case.facts(), ignore=others)
    assert [show(problem) for problem in found] == list(case.problems)
    assert all(problem.code == case.code and problem.path == case.path for problem in found)
    fixed = fix_note(case.path, case.text, case.facts(), ignore=others)
    assert fixed == (case.fixed or case.text)


def test_every_rule_has_a_note_that_fails_it_and_a_near_miss() -> None:
    kinds = {(case.code, case.is_bad) for case in CASES}
    assert kinds == {(rule.code, bad) for rule in RULES for bad in (True, False)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_what_a_rule_says_of_itself_is_true(rule) -> None:
    cases = [case for case in CASES if case.code == rule.code and case.is_bad]
    assert all(case.problems for case in cases), "a bad note in which nothing is found"
    assert rule.fixes == any(case.fixed for case in cases)
    severities = {text.split(" ", 1)[1].split(":")[0] for case in cases for text in case.problems}
    assert rule.severity in severities
    if rule.severity == "error" and "warning" in severities:
        assert "warning" in rule.why, "the manual hides that it may be a warning"


@pytest.mark.parametrize("case", [case for case in CASES if case.fixed], ids=_name)
def test_mending_breaks_nothing_else(case: Case) -> None:
    before = lint_note(case.path, case.text, case.facts())
    after = lint_note(case.path, case.fixed, case.facts())
    errors = [problem.code for problem in after if problem.is_error]
    assert set(errors) <= {problem.code for problem in before if problem.is_error}
    assert len([p for p in after if p.code == case.code]) < max(
        1, len([p for p in before if p.code == case.code])
    )


def test_a_rule_is_a_file_and_a_line_of_the_table() -> None:
    folder = Path(rules_package.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == {rule.code.replace("-", "_") for rule in RULES}
    assert len(CODES) == len(RULES)


def test_rules_touch_neither_disk_nor_clock_nor_numpy() -> None:
    """I/O stays in `facts.py`: a rule that reads would not be pure."""
    folder = Path(rules_package.__file__).parents[1]
    banned = {"os", "pathlib", "subprocess", "time", "random", "numpy", "matplotlib", "jinja2"}
    for path in folder.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        names = {
            alias.name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        names |= {
            f"{node.module}.{alias.name}".split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
            if alias.name != "PurePosixPath"
        }
        assert not names & banned, path.name
        calls = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert "open" not in calls, path.name


def test_the_manual_is_the_rule_table() -> None:
    manual = HERE.parents[1] / "docs" / "lint.md"
    written = manual.read_text("utf-8")
    assert written == render_manual(), "run: python -m generator.lint.manual > docs/lint.md"


def test_the_manual_passes_the_linter() -> None:
    shown = frozenset(code for code in CODES if code.startswith("shortcode-"))
    problems = lint_note("docs/lint.md", render_manual(), site_facts(), ignore=shown)
    assert [show(problem) for problem in problems] == []
