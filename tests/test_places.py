"""Where a value stands, and what is left alone around it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.blocks.base import Block
from generator.places import PLACEHOLDER, Unplaceable, fill_places, find_places, placeholder
from generator.spots import REFUSING, Place
from generator.values import Md, Measure, Tex, percent, sig

V = placeholder(1)
W = placeholder(2)
FORMS = sorted((Path(__file__).parent / "fixtures" / "forms").rglob("*.md"))


class Picture(Block):
    """A block of a few lines."""

    kind = "picture"

    def __init__(self, markdown: str = "![a](/a.svg)\n*Caption*\n{.figure}") -> None:
        self.markdown = markdown

    def to_data(self) -> dict[str, object]:  # type: ignore[override]
        return {}

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> Picture:  # type: ignore[override]
        return cls()

    def to_markdown(self, where: object) -> str:
        return self.markdown


def fill(text: str, *values: object) -> str:
    return fill_places(
        text,
        dict(enumerate(values, 1)),
        digits=4,
        block_markdown=lambda block: block.to_markdown(None),  # type: ignore[arg-type]
    )


def faults(text: str, *values: object) -> list[Unplaceable]:
    with pytest.raises(ExceptionGroup) as caught:
        fill(text, *values)
    assert all(isinstance(fault, Unplaceable) for fault in caught.value.exceptions)
    return list(caught.value.exceptions)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (f"a {V} b", Place.PROSE),
        (V, Place.BLOCK),
        (f"- {V}", Place.BLOCK),
        (f"> {V}", Place.BLOCK),
        (f"# {V}", Place.HEADING),
        (f"{V} x\n===", Place.HEADING),
        (f"# a {{#{V}}}", Place.ATTRIBUTE),
        (f"a\n{{.{V}}}", Place.ATTRIBUTE),
        (f"| a |\n|---|\n| {V} |", Place.TABLE_CELL),
        (f"[{V}](/x)", Place.LINK_TEXT),
        (f"[a]({V})", Place.LINK_URL),
        (f'[a](/x "{V}")', Place.CAPTION),
        (f"[a][r]\n\n[r]: /x/{V}", Place.LINK_URL),
        (f"![{V}](/x.png)", Place.ALT),
        (f"![a](/x-{V}.png)", Place.LINK_URL),
        (f"\\({V}\\)", Place.MATH_INLINE),
        (f"$x_{V}$", Place.MATH_INLINE),
        (f"$$\n{V}\n$$", Place.MATH_DISPLAY),
        (f"\\[{V}\\]", Place.MATH_DISPLAY),
        (f"\\\\({V}\\\\)", Place.PROSE),
        (f"*a \\(x {V}", Place.PROSE),
        (f"it costs $5 {V}", Place.PROSE),
        (f"`{V}`", Place.CODE_SPAN),
        (f"`` ` {V} ``", Place.CODE_SPAN),
        (f"```py\n{V}\n```", Place.CODE_FENCE),
        (f"```{V}\nx\n```", Place.FENCE_INFO),
        (f"    {V}", Place.CODE_FENCE),
        (f"<{V}>", Place.TAG),
        (f"<b {V}>x</b>", Place.TAG),
        (f'<b title="{V}">x</b>', Place.HTML_ATTR),
        (f"a <b>{V}</b>", Place.PROSE),
        (f"<div>\n{V}\n</div>", Place.HTML_TEXT),
        (f"<div>\n\n{V}\n\n</div>", Place.BLOCK),
        (f"a <!-- {V} -->", Place.COMMENT),
        (f"<!--\n{V}\n-->", Place.COMMENT),
        (f"<script>\nx = {V}\n</script>", Place.SCRIPT),
        (f"a <script>{V}</script>", Place.SCRIPT),
        (f"<style>{V}</style>", Place.SCRIPT),
        (f"<https://example.org/{V}>", Place.AUTOLINK),
        (f"https://example.org/{V}", Place.AUTOLINK),
        (f"{V}@example.org", Place.AUTOLINK),
        (f'{{{{< fig src="{V}" >}}}}', Place.SHORTCODE_ARG),
        (f"{{{{< fig {V} >}}}}", Place.SHORTCODE_ARG),
        (f"{{{{< {V} >}}}}", Place.TAG),
        (f"{{{{< fig a{V} >}}}}", Place.TAG),
        (f"{{{{< fig {V}=1 >}}}}", Place.TAG),
        (f"{{{{</* fig {V} */>}}}}", Place.COMMENT),
        (f"{{{{< preview >}}}}\n{V}\n{{{{< /preview >}}}}", Place.BLOCK),
        (f"text\n{{{{% box %}}}}\n{V}\n{{{{% /box %}}}}", Place.BLOCK),
        (f"a[^1]\n\n[^1]: b {V}", Place.PROSE),
        ("```pseudo-algorithm\n\\State \\(x = " + V + "\\)\n```", Place.MATH_INLINE),
        ("```pseudo-algorithm\n\\State use " + V + " steps\n```", Place.CODE_FENCE),
    ],
)
def test_the_place_of_a_value(body: str, place: Place) -> None:
    for text in (body, f"---\ntitle: x\n---\n{body}\n", f"Before.\r\n\r\n{body}\r\n"):
        assert find_places(text)[1].place is place


@pytest.mark.parametrize(
    ("matter", "place"),
    [
        (f"title: {V}", Place.FRONT_MATTER),
        (f"tags: [a, {V}]", Place.FRONT_MATTER),
        (f"mathSummary: '\\(x = {V}\\) and'", Place.MATH_INLINE),
        (f"mathSummary: '\\(x\\) and {V}'", Place.FRONT_MATTER),
        (f"{V}: x", Place.OPAQUE_FRONT_MATTER),
        (f"title: x # {V}", Place.OPAQUE_FRONT_MATTER),
    ],
)
def test_the_place_of_a_value_in_front_matter(matter: str, place: Place) -> None:
    assert find_places(f"---\n{matter}\n---\nBody\n")[1].place is place


def test_front_matter_that_is_not_yaml_takes_no_values() -> None:
    for text in (f'+++\ntitle = "{V}"\n+++\nx\n', f'{{\n"title": "{V}"\n}}\nx\n'):
        (fault,) = faults(text, 1)
        assert "front matter" in fault.message and "YAML" in fault.hint


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        (f"x is {V}.", (-0.07,), "x is −0.07."),
        (f"\\(N^{V}\\)", (-0.07,), r"\(N^{-0.07}\)"),
        (f"\\(N^{{{V}}}\\)", (-0.07,), r"\(N^{-0.07}\)"),
        (f"\\(x_{V} + {V}\\)", (7,), r"\(x_7 + 7\)"),
        (f"\\({V}^2\\)", (7,), r"\(7^2\)"),
        (f"\\({V}^2\\)", (-0.5,), r"\((-0.5)^2\)"),
        (f"\\({V}^2\\)", (3.2e-7,), r"\((3.2 \times 10^{-7})^2\)"),
        (f"[https://x.org/{V}](https://x.org/{V})", (7,), "[https://x.org/7](https://x.org/7)"),
        (f"\\(\\log{V}\\)", (Tex("x"),), r"\(\log x\)"),
        (f"`x = {V}`", (3.2e-7,), "`x = 3.2e-07`"),
        (f"| {V} |\n|---|", (Md("*x*"),), "| *x* |\n|---|"),
        (f"{V}. x", (7,), "&#55;. x"),
        (f"- {V}) x", ("12",), "- &#49;2) x"),
        (f"see {V}. x", (7,), "see 7. x"),
        (f"{V} twice, {V}", (0.5,), "0.5 twice, 0.5"),
        (f"{V} twice, `{V}`", (1e-9,), "10⁻⁹ twice, `1e-09`"),
        (f"[a](<{V}>)", ("b c",), "[a](<b%20c>)"),
        (f"[a]({V}/blob)", ("https://x.org/r",), "[a](https://x.org/r/blob)"),
        (f"[a](/x/{V})", ("https://x.org",), "[a](/x/https%3A//x.org)"),
        (f"a {V} b", ("",), "a  b"),
        (f"`{V}`", ("a`b",), "<code>a&#96;b</code>"),
        (f"`` {V} ``", ("{{< x >}}",), "<code>&#123;&#123;&#60; x &#62;&#125;&#125;</code>"),
        (f"```\n{V}\n```", ("```\nx",), "````\n```\nx\n````"),
        (f"```\n{V}", ("```\nx",), "````\n```\nx"),
        (f"`\x01 {V}`", ("`",), "<code>\x01 &#96;</code>"),
        (f"`a` ``{V} ` ``", ("b`",), "`a` <code>b&#96; &#96;</code>"),
        (
            f"> ```py\n> x = {V}\n> ```",
            ("{{% x %}}",),
            '> <pre><code class="language-py" data-lang="py">x &#61; &#123;&#123;&#37; x '
            "&#37;&#125;&#125;&#10;</code></pre>",
        ),
        (f"\u2028\n\n```\n{V}\n```\nend", ("````",), "\u2028\n\n`````\n````\n`````\nend"),
        (f"- ```\n  {V}\n  ```", ("a\nb",), "- ```\n  a\n  b\n  ```"),
        (f"{{{{< a {V} >}}}}", (7,), "{{< a 7 >}}"),
        (f"{{{{< a {V} >}}}}", ("x",), '{{< a "x" >}}'),
        (f'{{{{< a "{V}" >}}}}', ('say "x"',), r'{{< a "say \"x\"" >}}'),
        (f'{{{{< a "{V}" >}}}}', (r"C:\x",), r"{{< a `C:\x` >}}"),
        (f"<b title={V}>", ("a b",), "<b title=a&#32;b>"),
        (f'<b data-x="{V}">', (-0.5,), '<b data-x="-0.5">'),
        (f'<img alt="{V}">', (-0.5,), '<img alt="−0.5">'),
        (f"<code>{V}</code>", (-0.5,), "<code>-0.5</code>"),
        (f"a <kbd>{V}</kbd>", (-0.5,), "a <kbd>-0.5</kbd>"),
        (f"**{V}**", (-0.5,), "**−0.5**"),
        (f"no value {W}", (1,), f"no value {W}"),
        (f"{V}", ("holds " + placeholder(1),), "holds " + placeholder(1)),
        (
            "```pseudo-algorithm\nuse " + V + "\n```",
            (Tex("x"),),
            "```pseudo-algorithm\nuse \\(x\\)\n```",
        ),
    ],
)
def test_values_are_written_for_their_place(
    text: str, values: tuple[object, ...], expected: str
) -> None:
    assert fill(text, *values) == expected


@pytest.mark.parametrize(
    ("matter", "values", "expected"),
    [
        ("title: " + V, ("x: y",), 'title: "x: y"'),
        ("title: " + V, ("yes",), 'title: "yes"'),
        ("title: " + V, ("A fine day",), "title: A fine day"),
        ("title: The " + V + " law", (-0.07,), "title: The −0.07 law"),
        ("title: The " + V + " law", ("a: b",), 'title: "The a: b law"'),
        ('title: "The ' + V + ' law"', ('a "b"',), 'title: "The a \\"b\\" law"'),
        ("title: 'It''s " + V + "'", ("o'clock",), "title: 'It''s o''clock'"),
        ("weight: " + V, (12,), "weight: 12"),
        ("weight: " + V, (-0.07349,), "weight: -0.07349"),
        ("weight: '" + V + "'", (-0.07,), "weight: '−0.07'"),
        ("math: " + V, (True,), "math: true"),
        ("date: " + V, (dt.date(2026, 9, 21),), "date: 2026-09-21"),
        ("share: " + V, (percent(0.123, 1),), 'share: "12.3%"'),
        ("tags: " + V, (["a", "b: c"],), 'tags: ["a", "b: c"]'),
        ("extra: " + V, ({"a": 1, "b": [0.5]},), 'extra: {"a": 1, "b": [0.5]}'),
        ("mathSummary: \\(x^" + V + "\\)", (-0.07,), 'mathSummary: "\\\\(x^{-0.07}\\\\)"'),
        ("title: " + V, (Measure(0.0735, 0.0021),), 'title: "0.0735 ± 0.0021"'),
        ("title: " + V, (Tex("x^2"),), 'title: "\\\\(x^2\\\\)"'),
        ("title: |\n  The " + V + "\n  law", ("a\nb",), "title: |\n  The a b\n  law"),
        ("a: &x " + V + "\nb: *x", (1,), "a: &x 1\nb: *x"),
    ],
)
def test_values_in_front_matter(matter: str, values: tuple[object, ...], expected: str) -> None:
    text = f"---\n# kept  \n{matter}\nlast:   kept # too\n---\nBody\n"
    filled = fill(text, *values)
    assert filled == text.replace(matter, expected)
    assert yaml.safe_load(filled.split("---")[1])


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], include_characters="\n\t")))
def test_any_text_survives_yaml(value: str) -> None:
    matter = f'a: {V}\nb: "x {V}"\nc: \'{V} x\'\nd: [{V}, "{V}"]\ne: {{f: {V}, g: x {V}}}\n'
    matter += f"h: it {V} is\n"
    try:
        filled = fill(f"---\n{matter}---\n", value)
    except ExceptionGroup:
        return
    front = yaml.safe_load(filled.split("---\n")[1])
    fold = " ".join
    assert fold(front["a"].split()) == fold(value.split())
    assert fold(front["b"].split()) == fold(["x", *value.split()])
    assert fold(front["c"].split()) == fold([*value.split(), "x"])
    assert [fold(item.split()) for item in front["d"]] == [fold(value.split())] * 2
    assert fold(front["e"]["f"].split()) == fold(value.split())
    assert fold(front["h"].split()) == fold(["it", *value.split(), "is"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"A\n\n{V}\n\nB\n", "A\n\n![a](/a.svg)\n*Caption*\n{.figure}\n\nB\n"),
        (f"- a\n\n  {V}\n", "- a\n\n  ![a](/a.svg)\n  *Caption*\n  {.figure}\n"),
        (f"1. {V}\n", "1. ![a](/a.svg)\n   *Caption*\n   {.figure}\n"),
        (f"> a\n>\n> {V}\n", "> a\n>\n> ![a](/a.svg)\n> *Caption*\n> {.figure}\n"),
        (f"> - {V}\n", "> - ![a](/a.svg)\n>   *Caption*\n>   {.figure}\n"),
        (f"A\r\n\r\n{V}\r\n", "A\r\n\r\n![a](/a.svg)\r\n*Caption*\r\n{.figure}\r\n"),
        (
            f"{{{{< preview >}}}}\n{V}\n{{{{< /preview >}}}}\n",
            "{{< preview >}}\n![a](/a.svg)\n*Caption*\n{.figure}\n{{< /preview >}}\n",
        ),
    ],
)
def test_a_block_keeps_the_indent_of_its_paragraph(text: str, expected: str) -> None:
    assert fill(text, Picture()) == expected


def test_empty_lines_of_a_block_carry_no_trailing_space() -> None:
    assert fill(f"> {V}\n", Picture("a\n\nb")) == "> a\n>\n> b\n"
    assert fill(f"- {V}\n", Picture("a\n\nb")) == "- a\n\n  b\n"


@pytest.mark.parametrize(
    "text", [f"See {V}.", f"a\n{V}\nb", f"# {V}", f"`{V}`", f"\\({V}\\)", f"| {V} |\n|---|"]
)
def test_a_block_needs_a_paragraph_of_its_own(text: str) -> None:
    (fault,) = faults(text, Picture())
    assert "Picture" in fault.message and "paragraph of its own" in fault.hint


def test_all_faults_are_told_at_once_in_order() -> None:
    text = f"{placeholder(3)} <!-- {V} --> <https://a.b/{W}> \\({placeholder(4)}\\)"
    told = faults(text, 1, 2, None, "é")
    assert [fault.i for fault in told] == [3, 1, 2, 4]
    assert all(fault.message and fault.hint for fault in told)


@pytest.mark.parametrize(
    "text",
    [
        f"a**{V}**b",
        f"[{V}](/x)",
        f"`{V}`",
        f"**{V}**",
    ],
)
def test_an_empty_value_is_refused_where_it_would_leave_markup_bare(text: str) -> None:
    assert faults(text, "")


def test_emphasis_that_a_mark_would_undo_is_refused() -> None:
    (fault,) = faults(f"AAA**{V}**ZZZ", "(a)")
    assert "emphasised" in fault.message
    assert fill(f"AAA **{V}** ZZZ", "(a)") == "AAA **&#40;a)** ZZZ"
    assert fill(f"AAA**{V}**ZZZ", "a") == "AAA**a**ZZZ"


@settings(deadline=None)
@given(st.text(max_size=200))
def test_text_without_values_comes_out_byte_for_byte(text: str) -> None:
    if not PLACEHOLDER.search(text):
        assert fill(text, 1) == text


PIECES = ["a ", "`", "**", "*", "[x](/y)", "](", "$", "$$", "\\(", "\\)", "\r\n", "\n", "\r\n\r\n"]
PIECES += [
    "- ",
    "> ",
    "# ",
    "```\r\n",
    "| a |\r\n|---|\r\n",
    "<b>",
    "<!-- ",
    "-->",
    "{{< x >}}",
    "é",
]
PIECES += ["\ufeff", "    ", "\t", "[^1]", "1. "]
MARKDOWN = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(MARKDOWN, MARKDOWN)
@settings(max_examples=200, deadline=None)
def test_nothing_but_the_value_changes(before: str, after: str) -> None:
    text = before + V + after
    try:
        filled = fill(text, 7)
    except ExceptionGroup:
        assert find_places(text)[1].place in REFUSING
        return
    assert filled in (before + "7" + after, before + "&#55;" + after)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_note_changes_only_where_its_values_stand(path: Path) -> None:
    source = path.read_bytes().decode()
    for text in (source, "\ufeff" + source, source.replace("\n", "\r\n")):
        assert fill(text, "word") == text
        lines = text.splitlines(keepends=True)
        for index in range(0, len(lines), 7):
            head, tail = "".join(lines[:index]), "".join(lines[index:])
            marked = f"{head}\n{V} here.\n{tail}"
            try:
                filled = fill(marked, "word")
            except ExceptionGroup:
                assert find_places(marked)[1].place in REFUSING
                continue
            assert filled in (
                marked.replace(V, "word"),
                marked.replace(V, r"\text{word}"),
                marked.replace(V, " word"),
            )


def test_there_are_notes_of_every_form() -> None:
    assert len(FORMS) >= 70


def test_a_long_note_is_filled_throughout() -> None:
    paragraph = f"Some text with *emphasis*, `code`, \\(x^{V}\\) and a value {W} in it.\n\n"
    text = "---\ntitle: x\n---\n" + paragraph * 100
    assert len(re.findall(r"0\.25", fill(text, 0.5, sig(0.25, 2)))) == 100
