"""Rendering: tags, claims, and what comes out byte for byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.notes import Note
from generator.render import Renderer
from generator.sentences import sentence_at
from generator.settings import Settings

HEAD = "---\ntitle: T\n---\n"


def make_note(text: str, demo: str | None = "demos/d.py") -> Note:
    return Note("n", "templates/notes/n.md", "content/notes/n.md", text, demo)


def render(text: str, results: dict[str, object] | None = None, **templates: str) -> str:
    page, problems = attempt(text, results, **templates)
    assert not problems, problems
    return page


def attempt(
    text: str, results: dict[str, object] | None = None, **templates: str
) -> tuple[str, list[str]]:
    """The page and its errors, as text."""
    files = {f"templates/{name.replace('__', '/')}.md": body for name, body in templates.items()}
    renderer = Renderer(Settings(Path(".")), files.get)
    done = renderer.render(make_note(HEAD + text), results or {})
    errors = [f"{p.path}:{p.line}: {p.message} | {p.hint}" for p in done.problems if p.is_error]
    body = done.text.split("---\n", 2)[-1] if done.text else ""
    return body, errors


def test_values_statements_comments_and_literal_tags() -> None:
    text = "a <%= x %> b\n<% for i in xs %>\n- <%= i %>\n<% endfor %>\n<%# gone %>\nc <%% d\n"
    assert render(text, {"x": 0.5, "xs": [1, 2]}) == "a 0.5 b\n- 1\n- 2\nc <% d\n"


def test_a_tag_within_a_line_keeps_the_line() -> None:
    assert render("a<% if x %> b<% endif %>\n", {"x": True}) == "a b\n"


def test_negative_literal_is_not_eaten() -> None:
    assert render("<%=-1%>\n") == "−1\n"


def test_joined_text_prints_at_the_sites_digits() -> None:
    assert render("<%= 'n = ' ~ x %>\n", {"x": 1 / 3}) == "n = 0.3333\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\n<%= exponnt %>\n", "templates/notes/n.md:6: nothing here is called `exponnt`"),
        ("<%= exponent. %>\n", "templates/notes/n.md:4: this tag is not valid"),
        ("<%= exponent\n", "templates/notes/n.md:4: this tag has no `%>`"),
        ("a\n<% if exponent %>\nb\n", "templates/notes/n.md:"),
        ("<%= 1 / 0 %>\n", "templates/notes/n.md:4: ZeroDivisionError"),
        ("<%= exponent | nofilter %>\n", "templates/notes/n.md:4: there is no format `nofilter`"),
        ("<% include 'macros/none.md' %>\n", "templates/notes/n.md:4: there is no template"),
        ("a\n<%= ''.__class__.__mro__ %>\n", "templates/notes/n.md:5: "),
        ("<%= 9 ** 99999 %>\n", "templates/notes/n.md:4: this power is too large"),
        ("<%= exponent.foo %>\n", "templates/notes/n.md:4: there is no `foo` in this value"),
    ],
)
def test_mistakes_are_told_with_their_line(text: str, expected: str) -> None:
    page, problems = attempt(text, {"exponent": -0.07})
    assert page == ""
    assert len(problems) == 1
    assert problems[0].startswith(expected)


def test_an_unknown_name_suggests_the_near_ones() -> None:
    _, problems = attempt("<%= exponnt %>\n", {"exponent": 1})
    assert "did you mean `exponent`?" in problems[0]


def test_macros_see_the_notes_names_and_keep_their_own_lines() -> None:
    macros = "<% macro two() %><%= x %> twice: <%= x %><% endmacro %>\n"
    text = "<% import 'macros/m.md' as m %>\n<%= m.two() %>!\n"
    assert render(text, {"x": 3}, macros__m=macros) == "3 twice: 3!\n"
    broken = "\n<% macro two() %>\n<%= y %><% endmacro %>\n"
    _, problems = attempt(text, {"x": 3}, macros__m=broken)
    assert problems[0].startswith("templates/macros/m.md:3: nothing here is called `y`")


def test_all_false_claims_are_told_at_once() -> None:
    text = (
        'It falls as \\(N^{<%= a | claim("-0.07") %>}\\). Then <%= b | claim("2", above=True) %>.\n'
        "<% claim a > 0 %>It rises.<% endclaim %>\n"
    )
    page, problems = attempt(text, {"a": -0.0912, "b": 1})
    assert page == ""
    assert [problem.split(": ")[0] for problem in problems] == [
        "templates/notes/n.md:4",
        "templates/notes/n.md:4",
        "templates/notes/n.md:5",
    ]
    assert "expected rounds to −0.07, found −0.0912" in problems[0]
    assert "It falls as" in problems[0]
    assert "a is −0.0912" in problems[2]


def test_true_claims_print_their_literal_for_the_place() -> None:
    text = 'as \\(N^{<%= a | claim("-0.07") %>}\\), <%= a | claim("-0.07") %>\n'
    assert render(text, {"a": -0.0735}) == "as \\(N^{-0.07}\\), −0.07\n"


def test_a_constant_claim_is_a_warning() -> None:
    renderer = Renderer(Settings(Path(".")), lambda path: None)
    done = renderer.render(make_note(HEAD + "<% claim 1 < 2 %>Sure.<% endclaim %>\n"), {})
    assert [p.severity for p in done.problems] == ["warning"]
    assert "can't fail" in done.problems[0].message


def test_claims_table_shows_claims_that_come_later() -> None:
    text = '<%= claims_table() %>\n\nIt is <%= a | claim("1") %> then.\n'
    page = render(text, {"a": 1.2})
    assert "| Sentence" in page
    assert "rounds to 1" in page


def test_a_value_garbled_by_a_filter_is_told() -> None:
    _, problems = attempt("<% set s %>x <%= a %><% endset %><%= s | upper %>\n", {"a": 1})
    assert "is lost" in problems[0]


def test_a_block_in_running_text_is_refused() -> None:
    from generator.blocks.table import Table

    _, problems = attempt("see <%= t %>\n", {"t": Table({"a": [1]})})
    assert problems[0].startswith("templates/notes/n.md:4: `t`: a Table can't stand in")


def test_reserved_result_names_are_refused() -> None:
    _, problems = attempt("x\n", {"seed": 1})
    assert "every template has already" in problems[0]


def test_the_page_says_where_it_comes_from() -> None:
    renderer = Renderer(Settings(Path(".")), lambda path: None)
    for end in ("\n", "\r\n"):
        text = f"---{end}title: T{end}---{end}<%= 1 %>{end}"
        lines = renderer.render(make_note(text), {}).text.split(end)
        assert lines[1].startswith("# Generated from templates/notes/n.md")
        assert lines[0] == "---"
        assert lines[-2:] == ["1", ""]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_without_tags_every_byte_stays(text: str) -> None:
    note = make_note(text.replace("<%", "< %"), demo=None)
    assert Renderer(Settings(Path(".")), lambda path: None).render(note, {}).text == note.text


@given(
    st.text(alphabet=st.sampled_from("ab {}%#\\\"'|$*_\r\n\t<>&\x85\u2028é")),
    st.text(alphabet=st.sampled_from("ab {}%#\\\"'|$\n")),
)
def test_text_around_a_tag_never_passes_through_jinja(before: str, after: str) -> None:
    before, after = before.replace("<%", ""), after.replace("<%", "")
    note = make_note(f"{before}X\n\n<%# c %>{after}")
    page = Renderer(Settings(Path(".")), lambda path: None).render(note, {}).text
    if after[:1] not in ("\n", "") and after.strip(" \t")[:1] not in ("\n", ""):
        assert page == f"{before}X\n\n{after}"
    assert page.startswith(f"{before}X\n")


def test_sentences_around_a_tag() -> None:
    text = "One. Two has <%= a | claim('3') %> of\nthem. Four <%= b %>.\n"
    assert sentence_at(text, 1, "a | claim('3')") == "Two has 3 of them."
    assert sentence_at(text, 2, "b") == "Four …."


def test_front_matter_can_hold_values() -> None:
    renderer = Renderer(Settings(Path(".")), lambda path: None)
    text = '---\ntitle: "Loss <%= x | fixed(2) %>"\ntags: [a]\n---\nb\n'
    page = renderer.render(replace(make_note(text)), {"x": 2.561}).text
    assert 'title: "Loss 2.56"' in page


def test_two_condition_claims_on_one_line_keep_their_own_words() -> None:
    text = "<% claim a > 1 %>One.<% endclaim %> <% claim a > 2 %>Two.<% endclaim %>\n"
    _, problems = attempt(text, {"a": 1.5})
    assert len(problems) == 1
    assert "expected a > 2, found a is 1.5" in problems[0]
    assert "Two." in problems[0]


def test_a_condition_that_is_no_condition_is_refused() -> None:
    _, problems = attempt("<% claim xs %>One.<% endclaim %>\n", {"xs": [1]})
    assert "neither true nor false" in problems[0]


def test_a_literal_held_against_itself_is_a_warning() -> None:
    renderer = Renderer(Settings(Path(".")), lambda path: None)
    done = renderer.render(make_note(HEAD + "<%= 3 | claim('3') %>\n"), {})
    assert ["reads no result" in p.message for p in done.problems] == [True]


def test_provenance_as_markdown_counts_claims_that_come_later() -> None:
    renderer = Renderer(Settings(Path("."), source_url="/source"), lambda path: None)
    note = replace(
        make_note(HEAD + "<%= provenance() %>\n\nIt is <%= a | claim('1') %>.\n"),
        params={"n": 3},
        seed=7,
    )
    page = renderer.render(note, {"a": 1.0}, ("data/x.csv",)).text
    assert "- Demo: [`demos/d.py`](/source/demos/d.py)" in page
    assert (
        "- Seed: 7\n- Parameters: `n = 3`\n- Claims checked: 1\n- Data read: `data/x.csv`" in page
    )


@pytest.mark.parametrize("name", ["sig", "fixed", "sci", "percent", "si", "plus_minus", "literal"])
@pytest.mark.parametrize("tag", ["distnce | {}", "{}(distnce)", "fit.foo | {}", "xs[7] | {}"])
def test_a_wrong_name_in_front_of_a_format_is_told_like_any_other(name: str, tag: str) -> None:
    results = {"distance": 1.0, "fit": {"a": 1}, "xs": [1.0]}
    page, problems = attempt(f"a\n<%= {tag.format(name)} %>\n", results)
    assert page == ""
    assert len(problems) == 1
    assert problems[0].startswith("templates/notes/n.md:5: ")
    assert "distnce" not in tag or "did you mean `distance`?" in problems[0]


@pytest.mark.parametrize("tag", ["abs(distnce)", "max(1, distnce)", "distance | claim(below=limt)"])
def test_a_wrong_name_as_an_argument_is_told(tag: str) -> None:
    _, problems = attempt(f"<%= {tag} %>\n", {"distance": 1.0, "limit": 2.0})
    assert "nothing here is called" in problems[0]


def test_an_empty_list_is_told() -> None:
    _, problems = attempt("Text <%= e %> here.\n", {"e": []})
    assert "`e` is empty" in problems[0]


def test_a_block_that_fails_in_a_template_is_told_at_its_tag() -> None:
    _, problems = attempt('a\n\n<%= FileTree("nosuch") %>\n', {})
    assert problems[0].startswith("templates/notes/n.md:6: ")


def test_a_claim_in_the_front_matter_is_told_with_its_own_line() -> None:
    assert sentence_at("---\ntitle: Loss <%= a %>\ndate: x\n---\nb\n", 2, "a") == "title: Loss …"


def test_a_misspelt_bound_suggests_the_near_ones() -> None:
    _, problems = attempt("<%= a | claim('2', blow=True) %>\n", {"a": 1.0})
    assert "a claim has no `blow`" in problems[0]
    assert "`below`" in problems[0]


def test_the_table_of_claims_sets_its_formulas() -> None:
    text = "<%= claims_table() %>\n\nHere \\(x = <%= a | claim('1') %>\\), a|b.\n"
    assert "\\(x = 1\\)" in render(text, {"a": 1.2}).split("\n\n")[0]
