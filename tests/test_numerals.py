"""Numerals typed by hand: which are somebody's business, and their fix."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.claims import check_claim
from generator.numerals import find_numerals, fix_numerals
from generator.values import Measure

RESULTS = {
    "exponent": -0.07349,
    "share": 0.1234,
    "items": 1234,
    "spread": 3.21e-7,
    "fit": {"slope": 2.718, "some key": 0.866},
    "losses": [0.9123, 0.4567],
    "long": [0.001 * i for i in range(500)],
    "rate": 0.5,
    "mass": Measure(4.321, 0.0123),
    "layers": 12,
    "verdict": True,
    "name": "0.333",
    "size": 786432,
}


def found(body: str, results: dict[str, object] | None = None) -> list[tuple[str, str]]:
    problems = find_numerals(body, RESULTS if results is None else results, path="a.md")
    return [(problem.severity, problem.message.split(" is typed")[0]) for problem in problems]


def fixed(body: str) -> str:
    return fix_numerals(body, RESULTS)


@pytest.mark.parametrize(
    ("body", "fix"),
    [
        ("falls as -0.073 does", 'falls as <%= exponent | claim("-0.073") %> does'),
        ("falls as −0.07 does", 'falls as <%= exponent | claim("-0.07") %> does'),
        ("\\(N^{-0.07}\\)", '\\(N^{<%= exponent | claim("-0.07") %>}\\)'),
        ("an exponent of 0.073", 'an exponent of <%= (-exponent) | claim("0.073") %>'),
        ("12% of it", '<%= share | claim("12%") %> of it'),
        ("12.3 % of it", '<%= share | claim("12.3%") %> of it'),
        ("\\(12\\%\\)", '\\(<%= share | claim("12%") %>\\)'),
        ("a share of 0.123", 'a share of <%= share | claim("0.123") %>'),
        ("1234 items", "<%= items %> items"),
        ("1,234 items", '<%= items | claim("1,234") %> items'),
        ("\\(1{,}234\\)", '\\(<%= items | claim("1,234") %>\\)'),
        ("3.2e-7 off", '<%= spread | claim("3.2e-7") %> off'),
        ("3.2 × 10⁻⁷ off", '<%= spread | claim("3.2e-7") %> off'),
        ("\\(3.2 \\times 10^{-7}\\)", '\\(<%= spread | claim("3.2e-7") %>\\)'),
        ("slope 2.72.", 'slope <%= fit.slope | claim("2.72") %>.'),
        ("0.866 of", "<%= fit['some key'] | claim(\"0.866\") %> of"),
        ("from 0.912 on", 'from <%= losses[0] | claim("0.912") %> on'),
        ("mass 4.32", 'mass <%= mass.nominal | claim("4.32") %>'),
        ("(0.0123)", '(<%= mass.std | claim("0.0123") %>)'),
        ("a rate of 0.5", 'a rate of <%= rate | claim("0.5") %>'),
        ("# Of 0.912", '# Of <%= losses[0] | claim("0.912") %>'),
        ("| 0.912 | 12.3% |", "| <%= fixed(losses[0], 3) %> | <%= percent(share, 1) %> |"),
        ("| 1,234 |", "| <%= thousands(items, 0) %> |"),
        ("[0.912](/x/0.912)", '[<%= losses[0] | claim("0.912") %>](/x/0.912)'),
        ("![at 0.912](/x.png)", '![at <%= losses[0] | claim("0.912") %>](/x.png)'),
        ("**0.912**", '**<%= losses[0] | claim("0.912") %>**'),
        ("\\(d = 786432\\)", "\\(d = <%= size %>\\)"),
        ("<% claim a %>it is 0.912<% endclaim %>",
         '<% claim a %>it is <%= losses[0] | claim("0.912") %><% endclaim %>'),
        ("---\ntitle: At 0.912\n---\n", '---\ntitle: At <%= losses[0] | claim("0.912") %>\n---\n'),
        ('---\ntitle: "At 0.912"\n---\n',
         '---\ntitle: "At <%= losses[0] | claim(\'0.912\') %>"\n---\n'),
    ],
)  # fmt: skip
def test_a_numeral_that_repeats_a_result_is_an_error_with_its_fix(body: str, fix: str) -> None:
    assert [severity for severity, _ in found(body)] == ["error"] * fix.count("<%=")
    assert fixed(body) == fix
    assert found(fix) == []


@pytest.mark.parametrize(
    "body",
    [
        "float16, top-5, GPT-4, d_12, x2, 3D, 2nd, 7B, 16-bit and 8-dimensional",
        "in 2026, from 1999 to 2005, on 2026-09-21 at 15:12:30",
        "three of 12 layers, 20 of them, step 7",
        "Section 3.2, Figure 2.1, Eq. 4.5, Table 1.2 and 1.3, §0.912, version 0.168, Python 3.11",
        "\\(10000^{-2i/d}\\), \\(x_{64}\\), \\(x^{1.5}\\), \\(W_1\\), \\(\\frac{1}{2}\\)",
        "\\(0.5 x\\), \\(1.0\\), \\(0.25\\)",
        "`0.912` and ``x = 0.912``",
        "```python\nx = 0.912\n```",
        "- ```\n  0.912\n  ```",
        "~~~\n0.912\n~~~",
        "text\n\n    x = 0.912\n",
        "<!-- 0.912 -->",
        '<img width="0.912">',
        "{{< figure width=0.912 >}}",
        "<https://example.org/0.912> https://example.org/v0.912/x",
        "[a]: /x/0.912",
        "arXiv:1706.03762 and doi:10.1000/182.5",
        "## Heading {#v0.912}",
        '<%= losses[0] | claim("0.912") %> and <% if x > 0.912 %>y<% endif %><%# 0.912 %>',
        '<%= literal("0.912") %>',
        "<%= items %>0.912",
        "\\cite{smith0.912}",
        "100% of it, and 0% of that",
        "1.\tone\n2. two\n",
        "10.0.0.1 and 1.2.3",
        "---\nweight: 0.912\nparams: {a: 0.912}\n---\n",
        "10⁻¹¹, \\(10^{-11}\\)",
        "a ratio of 3/4, 1:100, 7×7",
        "1e999999999 and 1e-99999 of it",
    ],
)
def test_other_numbers_are_nobody_s_business(body: str) -> None:
    assert found(body, {"losses": [0.912], "d": 64, "n": 12}) == []


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("a temperature of 0.7", 1),
        ("about 37% more", 1),
        ("\\(x + 0.044715 x^3\\)", 1),
        ("from 0.1-0.2", 2),
        ("the 0.333 of a text result, and 0.100 of a long list", 2),
    ],
)
def test_other_decimals_and_percentages_are_warnings(body: str, count: int) -> None:
    results = {"name": "0.333", "long": RESULTS["long"]}
    assert [severity for severity, _ in found(body, results)] == ["warning"] * count
    assert fix_numerals(body, results) == body


def test_round_numbers_must_match_exactly() -> None:
    assert found("about 0.5 of", {"rate": 0.4871}) == [("warning", "0.5")]
    assert found("about 0.5 of", {"rate": 0.5}) == [("error", "0.5")]
    assert found("about 0.4 of", {"rate": 0.4071}) == [("error", "0.4")]


def test_a_parameter_is_a_warning() -> None:
    text = "---\nparams: {d_h: 64, eps: 0.3}\n---\nWith 64 of them, 12 and 0.3.\n"
    assert [s for s, _ in found(text, {})] == ["warning", "warning"]
    assert "<%= params.d_h %> of them" in fix_numerals(text, {})
    assert found(text, {"width": 64, "e": 0.3}) == [("error", "64"), ("error", "0.3")]


def test_problems_point_at_the_numeral() -> None:
    text = "---\ntitle: x\n---\r\n\r\nSome *text* and -0.073.\r\n"
    (problem,) = find_numerals(text, RESULTS, path="templates/notes/a.md")
    assert (problem.path, problem.line, problem.column) == ("templates/notes/a.md", 5, 17)
    assert problem.code == "numeral"
    assert 'write `<%= exponent | claim("-0.073") %>`' in problem.hint
    assert '`<%= literal("-0.073") %>`' in problem.hint


def test_the_fix_leaves_the_rest_byte_for_byte() -> None:
    text = "\ufeffa 0.912\r\nb\tc  \r\n"
    assert fixed(text) == text.replace("0.912", '<%= losses[0] | claim("0.912") %>')


@settings(deadline=None)
@given(st.floats(0.01, 1e6), st.integers(2, 6), st.booleans())
def test_a_repeated_result_is_found_and_its_claim_holds(
    value: float, places: int, negative: bool
) -> None:
    value = -value if negative else value
    text = f"It is {value:.{places}f} here."
    problems = find_numerals(text, {"x": value}, path="a.md")
    assert [problem.severity for problem in problems] == ["error"]
    literal = fix_numerals(text, {"x": value}).split('"')[1]
    assert check_claim(value, literal).ok


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text_can_be_searched(text: str) -> None:
    find_numerals(text, RESULTS, path="a.md")
    fix_numerals(text, RESULTS)
