"""The view of a note that rules share: positions, blocks, spans, whatever the text holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lint_cases import FORMULA_ERRORS, all_cases, site_facts

from generator.lint import Facts, collect_formulas, fix_note, lint_note
from generator.lint.note import read_note

_WORDS = (
    "$$ $ \\( \\) \\[ | ``` ` > - 1. # ~~~ {{< {{% %}} {{<preview>}} <b <!-- --> [a](b) ![ ]( + é "
    "x \\cite{x} {.table-academic} {} {n=3} title: \\begin{align} [^1] <!--lint:ignore-note"
)
_BLANKS = [
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "    ",
    "---\n",
    "+++\n",
    "\n> ",
    "\n- ",
    "\n| --- |",
]
PIECES = st.sampled_from([*_WORDS.split(" "), *_BLANKS, "\ufeff", "\0", "{{< preview >}}"])
NOTES = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=80))


@settings(max_examples=400, deadline=None)
@given(NOTES)
def test_any_text_is_linted_and_every_problem_has_its_place(text: str) -> None:
    lines = text.split("\n")
    for problem in lint_note("content/notes/a.md", text, site_facts()):
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert problem.message
        assert "\n" not in problem.message + problem.hint


@settings(max_examples=300, deadline=None)
@given(NOTES)
def test_fixing_twice_is_fixing_once(text: str) -> None:
    fixed = fix_note("content/notes/a.md", text, site_facts())
    assert fix_note("content/notes/a.md", fixed, site_facts()) == fixed


@settings(max_examples=300, deadline=None)
@given(NOTES)
def test_every_span_is_where_it_says(text: str) -> None:
    note = read_note("a.md", text)
    for placed in note.placed:
        shown = placed.passage.text[placed.span.start : placed.span.end]
        if "\n" not in shown:
            assert note.masked[placed.at : placed.end] == shown


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: f"{case.code}: {case.title}")
def test_line_endings_make_no_difference(case) -> None:
    windows = case.text.replace("\n", "\r\n")
    here = lint_note(case.path, case.text, case.facts())
    there = lint_note(case.path, windows, case.facts())
    assert [(p.code, p.line, p.column) for p in here] == [(p.code, p.line, p.column) for p in there]
    fixed = fix_note(case.path, windows, case.facts())
    assert "\n" not in fixed.replace("\r\n", "") or case.code in ("table-width", "final-newline")


def test_problems_come_in_the_order_of_lines_and_none_twice() -> None:
    text = "Run <x>, <x>.\n\n##Title\n\n$$\na\n+ b\n$$\n"
    found = lint_note("content/about.md", text, Facts())
    assert [(p.line, p.code) for p in found] == [
        (1, "html-unknown"),
        (1, "html-unknown"),
        (3, "heading-space"),
        (7, "math-display"),
    ]


def test_formulas_are_collected_as_katex_is_asked() -> None:
    text = (
        '\\(a\\) $b$ `$c$` $$ d $$\n\n> \\[e\\]\n\n{{< stars "$f$" >}} $x{{< stars >}}$\n\n'
        "```pseudo-algorithm\n\\State \\(g\\) $h$ \\\\(i\\\\) 5\\$ % $j$\n```\n\n```tex\n$k$\n```\n"
    )
    display = {("d", True), ("e", True)}
    inline = {("a", False), ("b", False), ("g", False), ("h", False)}
    assert collect_formulas(text) == display | inline


def test_facts_take_in_what_is_about_to_be_published() -> None:
    facts = site_facts()
    text = '[a]({{< relref "new" >}}) [b](/lab/notes/new/) ![c](/figures/new/x.svg)\n'
    before = {p.code for p in lint_note("content/notes/a.md", text, facts) if p.is_error}
    more = facts.including(pages=["/notes/new/"], static=["figures/new/x.svg"])
    after = {p.code for p in lint_note("content/notes/a.md", text, more) if p.is_error}
    assert before == {"image-missing", "link-ref"}
    assert after == set()
    assert more.formula_errors == FORMULA_ERRORS
