"""Rules turned off by comments, by the settings, by the caller."""

from __future__ import annotations

from dataclasses import replace

from lint_cases import site_facts

from generator.lint import Facts, lint_note

WIDE = "| a | b |\n| --- | --- |\n| 1 | 2 | 3 |\n"


def codes(text: str, facts: Facts | None = None, **options: frozenset[str]) -> list[str]:
    found = lint_note("content/about.md", text, facts or Facts(), **options)
    return [problem.code for problem in found]


def test_a_comment_counts_for_the_block_below_it() -> None:
    comment = "<!-- lint: ignore table-width -->\n"
    assert codes(WIDE) == ["table-width"]
    assert codes(comment + "\n" + WIDE) == []
    assert codes(comment + "\n" + WIDE + "\n" + WIDE) == ["table-width"]
    assert codes(WIDE + "\n" + comment) == ["table-width"]


def test_a_comment_above_a_fence_and_within_a_paragraph() -> None:
    fence = "```Mermaid\ngraph TD\n```\n"
    assert codes("<!-- lint: ignore fence-name -->\n\n" + fence) == []
    assert codes("<!-- lint: ignore fence-name -->\n" + fence) == []
    text = "Run <one> <!-- lint: ignore html-unknown -->\nand <two>.\n\nAnd <three>.\n"
    assert codes(text) == ["html-unknown"]


def test_a_comment_for_the_whole_note_stands_anywhere() -> None:
    comment = "<!-- lint: ignore-note table-width heading-skip -->\n"
    text = WIDE + "\n## A\n\n#### B\n\n"
    assert codes(text + "x\n") == ["table-width", "heading-skip"]
    assert codes(text + comment) == []


def test_a_comment_in_the_front_matter() -> None:
    note = "---\ntitle: A\n{}date: 2026-01-02\n---\nText.\n"
    assert codes(note.format("")) == ["date"]
    assert codes(note.format("# lint: ignore date\n")) == []
    assert codes("+++\n# lint: ignore date\ndate = 2026-01-02\ntitle = 'A'\n+++\nx\n") == []


def test_a_comment_in_code_is_no_comment() -> None:
    shown = "```html\n<!-- lint: ignore-note table-width -->\n```\n\n"
    assert codes(shown + WIDE) == ["table-width"]


def test_a_comment_that_names_no_rule_is_told() -> None:
    found = lint_note("a.md", "<!-- lint: ignore table-widht -->\n\n" + WIDE, Facts())
    assert [problem.code for problem in found] == ["lint-comment", "table-width"]
    assert found[0].hint.startswith("did you mean `table-width`")
    assert not found[0].is_error


def test_the_settings_and_the_caller_turn_rules_off() -> None:
    ignored = frozenset({"table-width"})
    assert codes(WIDE, replace(site_facts(), ignore=ignored)) == []
    assert codes(WIDE, ignore=ignored) == []
