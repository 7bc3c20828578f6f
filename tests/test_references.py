"""`data/bib` follows `assets/bib`: made, cut off, kept when edited, pruned."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.cli import main

BIB = "@book{{{key}, title={{{title}}}, author={{Ann Bee}}, year=2001}}\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "templates/notes").mkdir(parents=True)
    (tmp_path / "assets/bib").mkdir(parents=True)
    (tmp_path / "hugo.toml").write_text('title = "t"\n')
    (tmp_path / "assets/bib/refs.bib").write_text(BIB.format(key="a", title="First"))
    return tmp_path


def build(site: Path, *options: str) -> int:
    return main(["build", "--site", str(site), *options])


def test_made_once_and_again_when_the_source_changes(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(site) == 0
    assert '"title": "First"' in (site / "data/bib/refs.json").read_text()
    capsys.readouterr()
    assert build(site) == 0
    assert "built" not in capsys.readouterr().out
    (site / "assets/bib/refs.bib").write_text(BIB.format(key="a", title="Second"))
    assert build(site) == 0
    assert "assets/bib/refs.bib changed" in capsys.readouterr().out
    assert '"title": "Second"' in (site / "data/bib/refs.json").read_text()


def test_a_lost_output_comes_back_and_a_lost_source_takes_its_output_along(site: Path) -> None:
    assert build(site) == 0
    output = site / "data/bib/refs.json"
    before = output.read_bytes()
    output.unlink()
    assert build(site) == 0
    assert output.read_bytes() == before
    (site / "assets/bib/refs.bib").unlink()
    assert build(site) == 0
    assert not output.exists()


def test_a_broken_source_keeps_the_last_good_output(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(site) == 0
    before = (site / "data/bib/refs.json").read_bytes()
    (site / "assets/bib/refs.bib").write_text("@book{a, title={")
    assert build(site) == 1
    assert "assets/bib/refs.bib:1: not BibTeX" in capsys.readouterr().err
    assert (site / "data/bib/refs.json").read_bytes() == before


def test_a_hand_written_or_edited_file_is_never_overwritten(site: Path) -> None:
    output = site / "data/bib/refs.json"
    output.parent.mkdir(parents=True)
    output.write_text("[]\n")
    assert build(site) == 1
    assert output.read_text() == "[]\n"
    assert build(site, "--force") == 0
    assert "First" in output.read_text()
    assert (site / ".generator/displaced/data/bib/refs.json").read_text() == "[]\n"


def test_check_tells_stale_bibliographies(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(site) == 0
    (site / "assets/bib/more.bib").write_text(BIB.format(key="b", title="More"))
    assert main(["check", "--site", str(site)]) == 1
    assert "stale: assets/bib/more.bib is new" in capsys.readouterr().err
    assert not (site / "data/bib/more.json").exists()
