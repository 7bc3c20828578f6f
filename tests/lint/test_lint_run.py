"""The linter over files, its reports, and KaTeX's part in it."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lint_cases import NOW, SITE

from generator.errors import GeneratorError, Problem, UsageError
from generator.hugo import hugo_program
from generator.katex import check_formulas
from generator.lint_run import lint_paths
from generator.sarif import problems_to_json, problems_to_sarif

ROOT = Path(__file__).parents[2]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    shutil.copytree(SITE, tmp_path / "site")
    return tmp_path / "site"


def test_a_folder_is_walked_and_paths_are_relative_to_the_site(site: Path) -> None:
    note = site / "content" / "notes" / "first.md"
    note.write_text(note.read_text("utf-8") + "\nRun <name>.\n", "utf-8")
    outcome = lint_paths([], site=site, formulas=False, now=NOW)
    assert outcome.notes == 6
    errors = [problem for problem in outcome.problems if problem.is_error]
    assert [(p.path, p.line) for p in errors] == [("content/notes/first.md", 15)]
    alone = lint_paths([note], site=site, formulas=False, now=NOW)
    assert [p for p in alone.problems if p.is_error] == errors


def test_a_path_that_is_not_there_is_a_usage_error(site: Path) -> None:
    with pytest.raises(UsageError):
        lint_paths([site / "nowhere.md"], site=site)


def test_a_note_outside_a_site_is_linted_too(tmp_path: Path) -> None:
    note = tmp_path / "draft.md"
    note.write_text("## A\n\n#### B\n", "utf-8")
    outcome = lint_paths([note], site=tmp_path, formulas=False)
    assert [problem.code for problem in outcome.problems] == ["heading-skip"]


def test_bytes_that_are_no_text_are_told_at_their_line(site: Path) -> None:
    (site / "content" / "notes" / "bad.md").write_bytes(b"---\ntitle: A\n---\n\xff\n")
    outcome = lint_paths([], site=site, formulas=False, now=NOW)
    assert [(p.line, p.code) for p in outcome.problems if p.is_error] == [(4, "encoding")]


def test_fix_writes_what_differs_and_keeps_endings_and_modes(site: Path) -> None:
    note = site / "content" / "notes" / "crlf.md"
    text = b"---\r\ntitle: A\r\ndate: 2026-01-02T03:04:05Z\r\n---\r\n##Title\r\n"
    note.write_bytes(text)
    note.chmod(0o640)
    first = site / "content" / "notes" / "first.md"
    before = first.stat().st_mtime_ns
    outcome = lint_paths([site / "content"], site=site, fix=True, formulas=False, now=NOW)
    assert outcome.fixed[0] == "content/notes/crlf.md"
    assert note.read_bytes() == text.replace(b"##Title", b"## Title")
    assert stat.S_IMODE(note.stat().st_mode) == 0o640
    if "content/notes/first.md" not in outcome.fixed:
        assert first.stat().st_mtime_ns == before
    again = lint_paths([site / "content"], site=site, fix=True, formulas=False, now=NOW)
    assert again.fixed == ()
    assert not list(site.rglob("*.tmp"))


def test_formulas_go_through_hugo_in_one_batch(site: Path) -> None:
    note = site / "content" / "notes" / "formulas.md"
    front = "---\ntitle: A\ndate: 2026-01-02T03:04:05Z\ndescription: x\n---\n"
    note.write_text(front + "Good \\(a^2\\), bad \\(\\frac{a\\).\n", "utf-8")
    outcome = lint_paths([note], site=site, now=NOW)
    found = [problem for problem in outcome.problems if problem.code == "math-formula"]
    assert [(problem.line, problem.column) for problem in found] == [(6, 19)]
    assert "Unexpected end of input" in found[0].message


def test_without_hugo_formulas_are_not_tried_and_that_is_told(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.katex.hugo_program", lambda: "")
    outcome = lint_paths([], site=site, now=NOW)
    told = [problem for problem in outcome.problems if problem.code == "katex"]
    assert [problem.severity for problem in told] == ["warning"]
    assert "not tried" in told[0].message


def test_katex_answers_for_each_formula() -> None:
    assert hugo_program(), "these tests need Hugo"
    bad = {
        ("\\frac{a", False): "Unexpected end of input",
        ("\\norm{x}", True): "Undefined control sequence: \\norm",
        ("a & b", False): "Expected 'EOF', got '&'",
        ("\\begin{align}a\\end{align}", False): "display mode",
    }
    good = [("a^2", False), ("\\begin{align}a\\end{align}", True), ("é", False), ("a < b", True)]
    found = check_formulas([*bad, *good])
    assert set(found) == set(bad)
    for formula, text in bad.items():
        assert text in found[formula]
        assert "template" not in found[formula]
        assert "\u0332" not in found[formula]


def test_katex_without_formulas_starts_nothing() -> None:
    assert check_formulas([], hugo="/nowhere/hugo") == {}


def test_a_hugo_that_fails_is_told_without_its_folders(tmp_path: Path) -> None:
    with pytest.raises(GeneratorError) as raised:
        check_formulas([("a", False)], hugo=str(tmp_path / "none"))
    assert str(tmp_path) not in str(raised.value)


def test_json_is_one_document() -> None:
    problems = [Problem("a.md", 3, "wrong", "right", "date", "warning", 2), Problem("", 0, "x")]
    document = json.loads(problems_to_json(problems))
    assert document["errors"] == document["warnings"] == 1
    assert document["problems"][0] == {
        "path": "a.md",
        "line": 3,
        "column": 2,
        "code": "date",
        "severity": "warning",
        "message": "wrong",
        "hint": "right",
    }
    bare = {"path": "", "line": 0, "severity": "error", "message": "x"}
    assert document["problems"][1] == bare


def test_sarif_names_rules_places_and_levels() -> None:
    problems = [
        Problem("content/a b.md", 3, "wrong", "right", "table-pipe", "error", 2),
        Problem("hugo.toml", 0, "lacks", "", "site-unsafe"),
        Problem("", 0, "x"),
    ]
    log = json.loads(problems_to_sarif(problems))
    assert log["version"] == "2.1.0"
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["problem", "site-unsafe", "table-pipe"]
    first, second, third = run["results"]
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "table-pipe"
    assert first["level"] == "error"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "content/a%20b.md"
    assert place["region"] == {"startLine": 3, "startColumn": 2}
    assert "region" not in second["locations"][0]["physicalLocation"]
    assert "locations" not in third


def test_no_heavy_library_is_imported() -> None:
    code = (
        "import sys, generator.lint_run, generator.lint as lint;"
        "lint.lint_note('a.md', '| a |\\n| - |\\n| $x$ |\\n', lint.Facts());"
        "print([n for n in ('numpy', 'matplotlib', 'jinja2', 'pandas') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_thousand_notes_take_seconds(site: Path) -> None:
    """Measured at 4 s on a slow machine with two cores; ten leave room for a busy one."""
    piece = "\n\n".join(
        (
            "Let \\(x_i\\) be of \\(\\mathbb{R}\\), with `code` and [a link](/lab/notes/).",
            "| a | b |\n| --- | --- |\n| \\(x\\) | 0.5 |\n{.table-academic}",
            "$$\n\\sum_i x_i = 1\n$$",
            "```python\nx = 1\n```",
        )
    )
    front = "---\ntitle: Note\ndate: 2026-01-02T03:04:05Z\ndescription: Of x.\n---\n\n"
    text = front + "\n\n".join(f"## Part {n}\n\n{piece}" for n in range(8)) + "\n"
    for number in range(1000):
        (site / "content" / "notes" / f"n{number:04}.md").write_text(text, "utf-8")
    start = time.process_time()
    outcome = lint_paths([], site=site, formulas=False, now=NOW)
    assert outcome.notes == 1006
    assert time.process_time() - start < 10
    assert not [problem for problem in outcome.problems if problem.is_error]
