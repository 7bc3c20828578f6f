"""Facts gathered from folders, and settings that a site lacks."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from lint_cases import SITE, site_facts

from generator.errors import UsageError
from generator.facts import gather_facts
from generator.lint import Delimiter, Facts, site_problems


def test_what_is_gathered_from_a_site() -> None:
    facts = gather_facts(SITE)
    assert facts.themes == ("scidraft",)
    assert facts.base_path == "/lab/"
    assert facts.main_sections == ("notes",)
    assert facts.static == frozenset({"figures/first/loss.svg"})
    assert facts.assets == frozenset({"bib/refs.bib", "img/shape.svg"})
    assert facts.hidden_sections == frozenset({"notes/grouped"})
    assert [entry_set.name for entry_set in facts.entry_sets] == ["math"]
    assert facts.entry_sets[0].aliases_field == "mathAliases"
    assert facts.image_hook and not facts.link_hook
    assert facts.shortcodes is not None
    needs = {name: facts.shortcodes[name] for name in ("boxed", "stars", "preview", "references")}
    assert needs == {"boxed": True, "stars": False, "preview": True, "references": False}
    assert facts.bibs is not None
    assert set(facts.bibs["bib/refs.bib"].keys) == {"vaswani2017", "su2021"}
    assert facts.now is None


def test_pages_have_their_addresses_and_anchors() -> None:
    pages = gather_facts(SITE).pages
    assert pages is not None
    assert {"/", "/about/", "/notes/", "/notes/first/", "/old-first/"} <= set(pages)
    assert "/notes/elsewhere/" in pages
    assert "/notes/moved/" not in pages
    assert {"where-it-begins", "by-hand"} <= pages["/notes/first/"]


def test_templates_count_as_pages(tmp_path: Path) -> None:
    shutil.copytree(SITE, tmp_path / "site")
    folder = tmp_path / "site" / "templates" / "notes"
    folder.mkdir(parents=True)
    (folder / "rotary.md").write_text("---\ntitle: A\n---\n## Angles\n", "utf-8")
    pages = gather_facts(tmp_path / "site").pages
    assert pages is not None
    assert "angles" in pages["/notes/rotary/"]


def test_a_folder_that_is_no_site_has_no_facts(tmp_path: Path) -> None:
    assert gather_facts(tmp_path) == Facts()
    assert site_problems(Facts()) == ()


def test_settings_that_cannot_be_read_are_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "hugo.toml").write_text("title = \n", "utf-8")
    with pytest.raises(UsageError):
        gather_facts(tmp_path)


def test_a_missing_theme_leaves_shortcodes_unknown(tmp_path: Path) -> None:
    (tmp_path / "hugo.toml").write_text('theme = "far-away"\n', "utf-8")
    assert gather_facts(tmp_path).shortcodes is None


def test_moved_addresses_leave_pages_unknown(tmp_path: Path) -> None:
    (tmp_path / "hugo.toml").write_text('[permalinks]\nnotes = "/:year/:slug/"\n', "utf-8")
    assert gather_facts(tmp_path).pages is None


def test_a_folder_of_settings_and_mounts(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "_default"
    folder.mkdir(parents=True)
    (folder / "hugo.toml").write_text('baseURL = "https://example.org"\n', "utf-8")
    (folder / "params.toml").write_text('mainSections = ["posts"]\n', "utf-8")
    mount = '[[mounts]]\nsource = "static"\ntarget = "assets"\n'
    (folder / "module.toml").write_text(mount, "utf-8")
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "x.svg").write_text("<svg/>", "utf-8")
    facts = gather_facts(tmp_path)
    assert facts.main_sections == ("posts",)
    assert facts.base_path == ""
    assert facts.assets == facts.static == frozenset({"x.svg"})


def test_the_example_site_lacks_nothing() -> None:
    assert site_problems(site_facts()) == ()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("unsafe = true", "site-unsafe"),
        ("block = true", "site-attributes"),
        ("enable = true", "site-passthrough"),
        ("noClasses = false", "site-highlight"),
        ('home = ["HTML", "RSS", "JSON"]', "site-outputs"),
        ('mainSections = ["notes"]', "site-sections"),
        ("inline = [['\\(', '\\)'], ['$', '$']]", "site-delimiters"),
    ],
)
def test_each_missing_setting_is_told(tmp_path: Path, line: str, code: str) -> None:
    text = (SITE / "hugo.toml").read_text("utf-8")
    assert line in text
    (tmp_path / "hugo.toml").write_text(text.replace(line, ""), "utf-8")
    problems = site_problems(gather_facts(tmp_path))
    assert {problem.code for problem in problems} == {code}
    assert all(problem.hint and problem.path == "hugo.toml" for problem in problems)
    ignored = replace(gather_facts(tmp_path), ignore=frozenset({code}))
    assert site_problems(ignored) == ()


def test_setting_something_else_is_told_as_well(tmp_path: Path) -> None:
    text = (SITE / "hugo.toml").read_text("utf-8").replace("math = true", "math = false")
    (tmp_path / "hugo.toml").write_text(text + '\n[taxonomies]\ntag = "labels"\n', "utf-8")
    codes = {problem.code for problem in site_problems(gather_facts(tmp_path))}
    assert codes == {"site-math", "site-tags"}


def test_an_ignored_rule_that_is_not_there_is_told(tmp_path: Path) -> None:
    text = (SITE / "hugo.toml").read_text("utf-8")
    (tmp_path / "hugo.toml").write_text(text.replace("ignore = []", 'ignore = ["tabel-pipe"]'))
    problems = site_problems(gather_facts(tmp_path))
    assert [problem.code for problem in problems] == ["lint-setting"]
    assert "table-pipe" in problems[0].hint


def test_delimiters_are_the_site_s(tmp_path: Path) -> None:
    text = (SITE / "hugo.toml").read_text("utf-8")
    (tmp_path / "hugo.toml").write_text(text.replace(", ['$', '$']]", "]"), "utf-8")
    assert Delimiter("$", "$", False) not in gather_facts(tmp_path).delimiters


def test_a_bibliography_that_cannot_be_read_is_told_at_its_line(tmp_path: Path) -> None:
    shutil.copytree(SITE, tmp_path / "site")
    bib = tmp_path / "site" / "assets" / "bib" / "refs.bib"
    bib.write_text(bib.read_text("utf-8") + "\n@article{su2021, title={X}}\n@article{z}\n", "utf-8")
    problems = site_problems(gather_facts(tmp_path / "site"))
    assert [(p.path, p.line, p.severity) for p in problems] == [
        ("assets/bib/refs.bib", 12, "warning"),
        ("assets/bib/refs.bib", 13, "error"),
    ]
