"""The README tells the truth: its example runs, its commands are all commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.arguments import make_parser
from generator.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def make_example(site: Path) -> None:
    (site / "demos").mkdir()
    (site / "templates/notes").mkdir(parents=True)
    (site / "hugo.toml").write_text('title = "t"\n')
    demo = next(b for b in blocks("python") if "rng.exponential" in b)
    (site / "demos/decay.py").write_text(demo)
    (site / "templates/notes/decay.md").write_text(blocks("markdown")[0])


def test_the_example_gives_what_the_readme_shows(tmp_path: Path) -> None:
    make_example(tmp_path)
    assert main(["build", "--site", str(tmp_path), "--quiet"]) == 0
    page = (tmp_path / "content/notes/decay.md").read_text("utf-8")
    shown = next(line for line in README.splitlines() if line.startswith("> Over"))
    assert " ".join(page.split("---\n")[-1].split()) == shown.removeprefix("> ")


def test_changing_the_scale_fails_at_the_line_that_the_readme_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_example(tmp_path)
    assert main(["build", "--site", str(tmp_path), "--quiet"]) == 0
    page = (tmp_path / "content/notes/decay.md").read_bytes()
    demo = tmp_path / "demos/decay.py"
    demo.write_text(demo.read_text().replace("scale=2.0", "scale=3.0"))
    assert main(["build", "--site", str(tmp_path), "--quiet"]) == 1
    assert "templates/notes/decay.md:9: false claim" in capsys.readouterr().err
    assert (tmp_path / "content/notes/decay.md").read_bytes() == page


def test_the_session_is_what_the_terminal_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_example(tmp_path)
    demo = tmp_path / "demos/decay.py"
    for part in blocks("text")[0].split("$ ")[1:]:
        command, shown = part.split("\n", 1)
        if command.startswith("sed"):
            demo.write_text(demo.read_text().replace("scale=2.0", "scale=3.0"))
            continue
        assert command == "python -m generator build"
        main(["build", "--site", str(tmp_path)])
        told = capsys.readouterr()
        assert sorted((told.out + told.err).splitlines()) == sorted(shown.splitlines())


def test_every_command_is_in_the_readme() -> None:
    (commands,) = (a for a in make_parser()._actions if a.dest == "command")
    assert commands.choices is not None
    table = "\n".join(line for line in README.splitlines() if line.startswith("| `"))
    for name in commands.choices:
        assert re.search(rf"`{name}\b", table), name


def test_links_lead_to_files() -> None:
    for target in re.findall(
        r"\]\(((?!https?:)[^)#]+)\)|srcset=\"([^\"]+)\"|src=\"([^\"]+)\"", README
    ):
        path = next(part for part in target if part)
        assert (ROOT / path).is_file(), path
