"""The grammar's verdicts are those of pseudocode.js 2.4 with KaTeX 0.16."""

from __future__ import annotations

import pytest

from generator.algorithms import check_pseudocode
from generator.algorithms.katex import check_math
from generator.algorithms.katex_commands import ARGUMENTS, COMMANDS

from .corpus import BODIES, wrap
from .node import render_algorithms, run_node

FORMULAS = [
    r"x^2_i",
    r"x_i^2",
    r"\frac12",
    r"\sqrt[3]{x}",
    r"{a}_{b}",
    r"a'",
    r"a''",
    r"\bar x_i",
    r"x_{a_b}",
    r"x_{a_b_c}",
    r"\sum_{i}^{n}_{j}",
    r"\left( a",
    r"a \right)",
    r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
    r"\frac{a}{b",
    r"a}",
    r"^2",
    r"a^",
    r"\hat{}",
    r"\sqrt",
    r"\text{a b}",
    r"\mathrm{d}x",
    r"\left\{ x \right.",
    r"\mathbb{R}^{n \times d}_{>0}",
    r"\operatorname{a}_b",
    r"a_{}",
    r"{}^2",
    r"\lim_{x \to 0}",
    r"x_\text{in}",
    r"x_\frac{a}{b}",
    r"\binom{n}{k}",
    r"\overset{a}{=}",
    r"\underbrace{x}_{y}",
    r"a \over b",
    r"\begin{cases} a \end{matrix}",
    r"\phantom{x}_i",
]


@pytest.mark.parametrize(("title", "body", "fate"), BODIES, ids=[row[0] for row in BODIES])
def test_what_does_not_render_whole_is_found(title: str, body: str, fate: str) -> None:
    assert bool(check_pseudocode(wrap(body))) == (fate != "reads")


def test_pseudocode_js_agrees_on_every_body() -> None:
    assert len(BODIES) >= 60
    outcomes = render_algorithms([wrap(body) for _, body, _ in BODIES])
    for (title, _, fate), outcome in zip(BODIES, outcomes, strict=True):
        assert ("error" in outcome) == (fate == "fails"), (title, outcome)


@pytest.mark.parametrize(
    ("body", "place", "message", "hint"),
    [
        (r"\State \[ x = 1 \]", (4, 8), r"`\[` is not read", r"`\(…\)`"),
        ("\\State a\n\\Statex b", (5, 1), r"`\Statex` is not read", r"`\State`"),
        ("\\For{a}\n\\State b", (6, 1), r"`\EndFor` is expected", "closed too early"),
        (r"\State \(a_b_c\)", (4, 13), "two subscripts", "braces"),
        (r"\State \(x\) \emph{y}", (4, 14), r"`\emph` is not read", r"\textit"),
        (r"\State 5% of all", (4, 9), "hides the rest", r"`\%`"),
        (r"\State \(\Softmax x\)", (4, 10), r"KaTeX has no `\Softmax`", ""),
        (r"\State \(\text{if $y$}\)", (4, 19), "`$` inside a formula", "end the formula"),
        (r"\State \(\alpah\)", (4, 10), r"KaTeX has no `\alpah`", r"did you mean `\alpha`"),
        (r"\Sate a", (4, 1), r"`\Sate` is not read", r"did you mean `\State`"),
        ("", (3, 1), "the algorithm is empty", r"`\State`"),
    ],
)
def test_faults_have_a_place_and_a_way_out(
    body: str, place: tuple[int, int], message: str, hint: str
) -> None:
    line, column, found, advice = check_pseudocode(wrap(body))[0]
    assert (line, column) == place
    assert message in found
    assert hint in advice


def test_a_text_without_an_algorithm_is_a_fault() -> None:
    assert check_pseudocode("")[0][2] == "there is no algorithm"
    assert check_pseudocode("\\State a\n")[0][:2] == (1, 1)


def test_positions_survive_the_theme_s_clean_up() -> None:
    text = wrap(r"\State \(\frac{a}{b}\) \hspace{0.5cm} \(\alpha\) \label{x} & y")
    assert [finding[:2] for finding in check_pseudocode(text)] == [(4, 60)]


def test_katex_reads_every_command_that_is_let_through() -> None:
    special = {
        r"\left": r"\left( x \right)",
        r"\right": r"\left( x \right)",
        r"\middle": r"\left( x \middle| y \right)",
        r"\begin": r"\begin{cases} a \end{cases}",
        r"\end": r"\begin{cases} a \end{cases}",
        r"\hspace": r"\hspace{1em}",
        r"\hskip": r"\hskip1em",
        r"\kern": r"\kern1em",
        r"\mkern": r"\mkern1mu",
        r"\mskip": r"\mskip1mu",
        r"\color": r"\color{red}x",
        r"\textcolor": r"\textcolor{red}{x}",
        r"\colorbox": r"\colorbox{red}{x}",
        r"\limits": r"\sum\limits",
        r"\nolimits": r"\sum\nolimits",
        r"\rule": r"\rule{1em}{1em}",
        r"\hline": r"\begin{array}{c} \hline a \end{array}",
        r"\cr": r"\begin{matrix} a \cr b \end{matrix}",
    }
    formulas = {}
    for command in sorted(COMMANDS):
        fences = command.lower().startswith(r"\big") and command[4:] in {
            "",
            "g",
            "l",
            "r",
            "gl",
            "gr",
            "m",
        }
        plain = f"{command}(x" if fences else command + "{x}" * ARGUMENTS.get(command, 1)
        formulas[command] = special.get(command, plain)
    verdicts = run_node("katex_verdicts.mjs", list(formulas.values()))
    wrong = [c for c, verdict in zip(formulas, verdicts, strict=True) if verdict]
    assert wrong == []


def test_math_faults_are_katex_s() -> None:
    verdicts = run_node("katex_verdicts.mjs", FORMULAS)
    for formula, verdict in zip(FORMULAS, verdicts, strict=True):
        if formula == r"a \over b":
            continue  # read, but `\frac` is the way to write it
        assert bool(check_math(formula)) == bool(verdict), (formula, verdict, check_math(formula))
