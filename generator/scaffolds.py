"""What new notes start from, by kind: small, true, and checked."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scaffold:
    """The files of a new note; `{date}`, `{templates}` and `{demos}` are filled in later."""

    template: str
    """The template."""
    demo: str = ""
    """The demo; empty for prose."""
    test: str = ""
    """Its test; empty where there is no demo."""
    is_taken_over: bool = False
    """Whether the template is a note of the author's, to be left as it is."""


def scaffold_kind(kind: str, slug: str, title: str) -> Scaffold:
    """The scaffold of one kind: figure, table, algorithm, tree or plain."""
    body, demo, test = _KINDS[kind]
    module = slug.replace("-", "_")
    name = json.dumps(module) if module[0].isdigit() else module
    return Scaffold(
        front_matter(title, _TAGS[kind], f"demo: {name}\nseed: 1\n" if demo else "") + body,
        demo,
        test.replace("{module}", module),
    )


def front_matter(title: str, tags: str, keys: str) -> str:
    """The front matter that every new note starts with."""
    quoted = _quote(title).replace("<%", "<%%")
    return (
        f"---\ntitle: {quoted}\ndate: {{date}}\ntags: [{tags}]\n"
        f"description: One sentence for lists and search.\nmath: true\nshowTitle: true\n{keys}---\n"
    )


def _quote(text: str) -> str:
    """A text in double quotes as YAML reads them; what no YAML file may hold is left out."""
    return json.dumps("".join(c for c in text if c.isprintable()), ensure_ascii=False)


_TAGS = {
    "figure": "Figure",
    "table": "Table",
    "algorithm": "Algorithm",
    "tree": "Code",
    "plain": "Note",
}

_FIGURE_BODY = """\
A walk of <%= steps %> steps of one unit ends, in the root mean square over <%= walks %> walks, at a
distance of <%= distance | fixed(2) %>; theory says \\(\\sqrt{n}\\), and the two differ by
less than <%= error | claim("5%", below=True) %>.

<%= growth %>
"""

_FIGURE_DEMO = '''\
"""Distance that a random walk covers, against the square root of its steps."""

import numpy as np

from generator import Figure, subplots


def run(rng, *, steps=100, walks=4000):
    """Root mean square distance after each step, over `walks` walks of steps of one unit."""
    turns = rng.choice([-1.0, 1.0], size=(walks, steps))
    path = np.cumsum(turns, axis=1)
    distances = np.sqrt((path**2).mean(axis=0))
    number = np.arange(1, steps + 1)
    fig, ax = subplots()
    ax.plot(number, distances, label="walks")
    ax.plot(number, np.sqrt(number), "--", label="square root")
    ax.set(xlabel="steps", ylabel="distance (steps)")
    ax.legend()
    return {
        "steps": steps,
        "walks": walks,
        "distance": distances[-1],
        "error": abs(distances[-1] / np.sqrt(steps) - 1),
        "growth": Figure(
            fig,
            alt="Distance against steps: the walks' curve lies on the square root's.",
            caption="Root mean square distance against the number of steps.",
        ),
    }
'''

_TEST_HEAD = '''\
"""The demo against an independent calculation."""

import runpy
from pathlib import Path

import numpy as np

DEMO = Path(__file__).parent.parent / "{demos}/{module}.py"
run = runpy.run_path(str(DEMO))["run"]


'''

_FIGURE_TEST = (
    _TEST_HEAD
    + """\
def test_one_step_is_one_unit_away():
    results = run(np.random.default_rng(0), steps=1, walks=10)
    assert results["distance"] == 1.0


def test_distance_grows_as_the_square_root():
    results = run(np.random.default_rng(0), steps=64, walks=20000)
    assert abs(results["distance"] - 8.0) < 0.2
"""
)

_TABLE_BODY = """\
The trapezoidal rule on \\(\\int_0^1 e^x \\, dx = e - 1\\): each halving of the step divides the
error by <%= ratios[-1] | claim("4.00") %>.

<%= errors %>
"""

_TABLE_DEMO = '''\
"""Error of the trapezoidal rule against the number of its intervals."""

import numpy as np

from generator import Table


def run(rng, *, finest=64):
    """Error on the integral of exp over [0, 1] with 2, 4, … `finest` intervals."""
    counts = [2**i for i in range(1, finest.bit_length())]
    errors = [trapezoid(n) - (np.e - 1) for n in counts]
    ratios = [a / b for a, b in zip(errors, errors[1:])]
    return {
        "ratios": ratios,
        "errors": Table(
            {"Intervals": counts, "Error": errors},
            formats={"Error": "sci(2)"},
            variant="academic",
            caption="Error of the trapezoidal rule.",
        ),
    }


def trapezoid(n):
    """The rule with `n` equal intervals."""
    y = np.exp(np.linspace(0.0, 1.0, n + 1))
    return (y[0] / 2 + y[1:-1].sum() + y[-1] / 2) / n
'''

_TABLE_TEST = (
    _TEST_HEAD
    + """\
def test_the_error_is_that_of_the_closed_form():
    trapezoid = runpy.run_path(str(DEMO))["trapezoid"]
    n = 8
    closed = (np.e - 1) / (2 * n) / np.tanh(1 / (2 * n))
    assert np.isclose(trapezoid(n), closed, rtol=1e-14)


def test_halving_the_step_quarters_the_error():
    ratios = run(np.random.default_rng(0))["ratios"]
    assert abs(ratios[-1] - 4) < 0.01
"""
)

_ALGORITHM_BODY = """\
<%= newton_root %>

Step <%= newton_root.step("update") %> takes the mean of the guess and its partner. From
<%= start %> the result is within <%= error | claim("1e-6", below=True) %> of \\(\\sqrt{2}\\).
"""

_ALGORITHM_DEMO = '''\
"""Square roots by Newton's method, the printed algorithm being the one that runs."""

import numpy as np

from generator import algorithm


@algorithm("Square Root by Newton's Method")
def newton_root(a, x, n):
    r"""
    Require: A number \\(a \\in \\mathbb{R}\\), a first guess \\(x \\in \\mathbb{R}\\)
    Require: The number of rounds \\(n \\in \\mathbb{N}\\)
    Ensure: \\(x\\), close to \\(\\sqrt{a}\\)
    """
    for i in range(n):
        # [update] Take the mean of the guess and its partner:
        x = (x + a / x) / 2  #: \\(x \\leftarrow \\frac{1}{2} (x + \\frac{a}{x})\\)
    return x


def run(rng, *, start=3.0, rounds=4):
    """The root of two, by `rounds` rounds from `start`."""
    root = newton_root(2.0, start, rounds)
    return {"newton_root": newton_root, "start": start, "error": abs(root - np.sqrt(2.0))}
'''

_ALGORITHM_TEST = (
    _TEST_HEAD
    + """\
def test_the_root_of_two():
    assert run(np.random.default_rng(0), rounds=6)["error"] < 1e-15


def test_any_positive_number():
    newton_root = runpy.run_path(str(DEMO))["newton_root"]
    for a in (0.25, 1.0, 10.0, 1e4):
        assert np.isclose(newton_root(a, a, 40) ** 2, a, rtol=1e-12)
"""
)

_TREE_BODY = """\
The templates of this site:

<%= FileTree("{templates}") %>
"""

_PLAIN_BODY = """\
The text of the note. Math is written \\(a^2 + b^2 = c^2\\), or on lines of its own:

$$
\\lVert x \\rVert = \\sqrt{x \\cdot x}
$$
"""

_KINDS = {
    "figure": (_FIGURE_BODY, _FIGURE_DEMO, _FIGURE_TEST),
    "table": (_TABLE_BODY, _TABLE_DEMO, _TABLE_TEST),
    "algorithm": (_ALGORITHM_BODY, _ALGORITHM_DEMO, _ALGORITHM_TEST),
    "tree": (_TREE_BODY, "", ""),
    "plain": (_PLAIN_BODY, "", ""),
}
