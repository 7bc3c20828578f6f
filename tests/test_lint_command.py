"""`lint`: hand-written notes without a site, templates with their results, exit codes, formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.cli import main

NOTE = "---\ntitle: T\ndate: 2026-01-01T00:00:00+00:00\n---\n{body}\n"
TEMPLATE = NOTE.replace("---\n{body}", "demo: d\n---\n{body}")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for folder in ("demos", "templates/notes", "content/notes"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "hugo.toml").write_text('title = "t"\n')
    (tmp_path / "demos/d.py").write_text("def run(rng):\n    return {'loss': 2.5613}\n")
    return tmp_path


def test_a_note_outside_any_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = tmp_path / "note.md"
    note.write_text(NOTE.format(body="| a | b |\n| - | - |\n| \\(|V|\\) | 2 |"))
    assert main(["lint", str(note), "--site", str(tmp_path), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert any("table" in problem["code"] for problem in document["problems"])


def test_numerals_typed_by_hand_are_errors_and_can_be_mended(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = site / "templates/notes/n.md"
    template.write_text(TEMPLATE.format(body="Loss <%= loss | fixed(4) %>."))
    assert main(["build", "--site", str(site), "--quiet"]) == 0
    template.write_text(TEMPLATE.format(body="The loss is 2.56 now."))
    assert main(["lint", str(template), "--site", str(site)]) == 1
    told = capsys.readouterr().err
    assert "templates/notes/n.md:6" in told
    assert "`loss`" in told
    assert main(["lint", str(template), "--site", str(site), "--fix"]) == 0
    assert "<%= loss" in template.read_text()
    assert main(["build", "--site", str(site), "--quiet"]) == 0
    assert "The loss is 2.56 now." in (site / "content/notes/n.md").read_text()


def test_sarif_is_json_with_results(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = site / "content/notes/h.md"
    note.write_text(NOTE.format(body="```pseudo-algorithm\n\\begin{algorithm}\n\\Loop\n```"))
    assert main(["lint", str(note), "--site", str(site), "--sarif"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["runs"][0]["results"]


def test_a_missing_path_is_a_usage_error(site: Path) -> None:
    assert main(["lint", str(site / "none.md"), "--site", str(site)]) == 2
