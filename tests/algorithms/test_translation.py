r"""Code → LaTeX → value: what a translated formula says is what the code computes."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from generator.algorithms.differences import differ
from generator.algorithms.environment import Environment
from generator.algorithms.evaluate import evaluate
from generator.algorithms.formulas import read_formula
from generator.algorithms.indexed import needs_indices, translate_indexed
from generator.algorithms.membership import is_member
from generator.algorithms.nodes import Membership
from generator.algorithms.phrases import UntranslatableError
from generator.algorithms.shapes import Shapes
from generator.algorithms.translate import Translator
from generator.algorithms.vocabulary import make_vocabulary

rng = np.random.default_rng(3)


def softplus(x: Any) -> Any:
    return np.log1p(np.exp(x))


VALUES: dict[str, Any] = {
    "A": rng.normal(size=(4, 4)) + 4 * np.eye(4),
    "B": rng.normal(size=(4, 3)),
    "C": rng.normal(size=(4, 3)),
    "M": rng.random((4, 3)) < 0.5,
    "v": rng.normal(size=4),
    "w": rng.normal(size=4),
    "u": rng.normal(size=3),
    "x_new": rng.random(4) + 0.5,
    "a": 1.7,
    "b": -0.4,
    "eta": 0.01,
    "k": 2,
    "n_steps": 7,
    "items": [3, 1, 2],
}
SHAPES = {
    "A": ("n", "n"),
    "B": ("n", "m"),
    "C": ("n", "m"),
    "M": ("n", "m"),
    "v": ("n",),
    "w": ("n",),
    "u": ("m",),
    "x_new": ("n",),
    "a": (),
    "b": (),
    "eta": (),
    "k": (),
    "n_steps": (),
}
SIZES = {"n": 4, "m": 3}

WRITTEN = [
    ("A @ B", "A B"),
    ("(A @ B).T", r"(A B)^{\top}"),
    ("A.T @ B", r"A^{\top} B"),
    ("B.T @ A.T", r"B^{\top} A^{\top}"),
    ("v @ A @ v", r"v^{\top} A v"),
    ("v @ w", r"v^{\top} w"),
    ("v @ A", r"A^{\top} v"),
    ("v @ A.T", "A v"),
    ("A @ (B @ u)", "A B u"),
    ("np.outer(v, u)", r"v u^{\top}"),
    ("v.T @ A @ w", r"v^{\top} A w"),
    ("A @ (v + w)", "A (v + w)"),
    ("(v + w) @ A @ w", r"(v + w)^{\top} A w"),
    ("B * C", r"B \odot C"),
    ("a * B", "a B"),
    ("B / C", r"B \oslash C"),
    ("v / np.linalg.norm(v)", r"\frac{v}{\lVert v \rVert}"),
    ("np.sqrt(a)", r"\sqrt{a}"),
    ("np.exp(B)", r"\exp(B)"),
    ("a ** 2", "a^2"),
    ("(-a) ** 2", "(-a)^2"),
    ("-a ** 2", "-a^2"),
    ("B ** 2", r"B^{\circ 2}"),
    ("a - (b - a)", "a - (b - a)"),
    ("a + -b", "a + (-b)"),
    ("a - -b * k", "a - (-b k)"),
    ("v.sum() * a", r"\left( \sum_{i=1}^{n} v_i \right) a"),
    ("a * v.sum()", r"a \sum_{i=1}^{n} v_i"),
    ("v * (B @ u)", r"v \odot B u"),
    ("(v * w) @ A", r"A^{\top} (v \odot w)"),
    ("a * -b", "a (-b)"),
    ("2 * 3 * a", r"2 \cdot 3 a"),
    ("a * 2", r"a \cdot 2"),
    ("(a + b) * (a - b)", "(a + b) (a - b)"),
    ("a / b", r"\frac{a}{b}"),
    ("1e-3 * a", "0.001 a"),
    ("1e-12 + a", "10^{-12} + a"),
    ("2.5e-9", r"2.5 \cdot 10^{-9}"),
    ("n_steps // 2", r"\left\lfloor \frac{n_{\mathrm{steps}}}{2} \right\rfloor"),
    ("n_steps % 2", r"n_{\mathrm{steps}} \bmod 2"),
    ("v.sum()", r"\sum_{i=1}^{n} v_i"),
    ("B.sum()", r"\sum_{i=1}^{n} \sum_{j=1}^{m} B_{ij}"),
    ("(v * w).sum()", r"\sum_{i=1}^{n} v_i w_i"),
    ("np.mean(v)", r"\operatorname{mean}_i v_i"),
    ("v.max()", r"\max_i v_i"),
    ("B.max()", r"\max_{i,j} B_{ij}"),
    ("np.argmax(v)", r"\arg\max_i v_i"),
    ("np.maximum(a, b)", r"\max(a, b)"),
    ("max(a, b, 0)", r"\max(a, b, 0)"),
    ("abs(a)", r"\lvert a \rvert"),
    ("np.abs(v).max()", r"\max_i \lvert v_i \rvert"),
    ("np.linalg.norm(A)", r"\lVert A \rVert_F"),
    ("np.linalg.norm(v, 1)", r"\lVert v \rVert_1"),
    ("np.linalg.norm(v, np.inf)", r"\lVert v \rVert_\infty"),
    ("np.linalg.inv(A)", "A^{-1}"),
    ("np.linalg.solve(A, v)", "A^{-1} v"),
    ("np.where(M, B, 0)", r"\begin{cases} B & \text{if } M \\ 0 & \text{otherwise} \end{cases}"),
    (
        "a if a > b else b",
        r"\begin{cases} a & \text{if } a \gt b \\ b & \text{otherwise} \end{cases}",
    ),
    ("v[0]", "v_0"),
    ("v[-1]", "v_{-1}"),
    ("B[1, 2]", "B_{1,2}"),
    ("B[1, :]", "B_{1,:}"),
    ("B[:, 1]", "B_{:,1}"),
    ("v[1:k]", "v_{1:k}"),
    ("v[:k + 1]", "v_{:k + 1}"),
    ("x_new[k]", r"(x_{\mathrm{new}})_k"),
    ("items[k]", r"\mathrm{items}_k"),
    ("a < b", r"a \lt b"),
    ("a < b or not a <= 2 * b", r"a \lt b \lor \lnot (a \le 2 b)"),
    ("(a < b or b < 0) and a != b", r"(a \lt b \lor b \lt 0) \land a \neq b"),
    ("0 < a <= 2", r"0 \lt a \le 2"),
    ("k in items", r"k \in \mathrm{items}"),
    ("len(v)", "n"),
    ("B.shape[1]", "m"),
    ("len(items)", r"\operatorname{len}(\mathrm{items})"),
    ("softplus(v)", r"\mathrm{softplus}(v)"),
    ("np.zeros((4, 3))", r"\mathbf{0}_{4 \times 3}"),
    ("np.eye(4) + A", "I_4 + A"),
    ("np.ones(k + 1)", r"\mathbf{1}_{k + 1}"),
    ("sum(v[i] * w[i] for i in range(4))", r"\sum_{i=0}^{3} v_i w_i"),
    ("np.log2(x_new)", r"\log_2(x_{\mathrm{new}})"),
    ("np.cumsum(v)", r"\operatorname{cumsum}(v)"),
    ("np.trace(A)", r"\operatorname{tr}(A)"),
    ("np.linalg.det(A)", r"\det(A)"),
    ("np.tanh(B @ u + v)", r"\tanh(B u + v)"),
    ("v - eta * (A.T @ (A @ v - w)) / 4", r"v - \frac{\eta A^{\top} (A v - w)}{4}"),
    ("np.sin(a) ** 2 + np.cos(a) ** 2", r"\sin(a)^2 + \cos(a)^2"),
    ("np.pi * a ** 2", r"\pi a^2"),
    ("(a + b) / 2 * a", r"\frac{a + b}{2} a"),
    ("2 ** (k + 1)", "2^{k + 1}"),
]

INDEXED = [
    ("B.sum(axis=1)", r"y_i \leftarrow \sum_{j=1}^{m} B_{ij}"),
    ("B.sum(axis=0)", r"y_i \leftarrow \sum_{j=1}^{n} B_{ji}"),
    ("B.mean(axis=-1)", r"y_i \leftarrow \operatorname{mean}_j B_{ij}"),
    ("np.max(B, axis=1)", r"y_i \leftarrow \max_j B_{ij}"),
    ("np.argmin(B, axis=0)", r"y_i \leftarrow \arg\min_j B_{ji}"),
    ("B - B.max(axis=1, keepdims=True)", r"y_{ij} \leftarrow B_{ij} - \max_l B_{il}"),
    (
        "np.exp(B) / np.exp(B).sum(axis=1, keepdims=True)",
        r"y_{ij} \leftarrow \frac{\exp(B_{ij})}{\sum_{l=1}^{m} \exp(B_{il})}",
    ),
    ("v[:, None] * u[None, :]", r"y_{ij} \leftarrow v_i u_j"),
    ("B - v[:, None]", r"y_{ij} \leftarrow B_{ij} - v_i"),
    ("B * u + (B @ u)[:, None]", r"y_{ij} \leftarrow B_{ij} u_j + (B u)_i"),
    ("(B * C).sum(axis=1)", r"y_i \leftarrow \sum_{j=1}^{m} B_{ij} C_{ij}"),
    ("(B.T ** 2).sum(axis=0)", r"y_i \leftarrow \sum_{j=1}^{m} B_{ij}^2"),
    ("np.sqrt((B ** 2).sum(axis=1)) + v", r"y_i \leftarrow \sqrt{\sum_{j=1}^{m} B_{ij}^2} + v_i"),
    (
        "((B - C) ** 2).sum(axis=1).mean()",
        r"y \leftarrow \operatorname{mean}_i \sum_{j=1}^{m} (B_{ij} - C_{ij})^2",
    ),
]


def compute(code: str) -> Any:
    compiled: CodeType = compile(code, "<test>", "eval")
    return eval(compiled, {"np": np, "softplus": softplus, **VALUES})


def read_back(latex: str) -> Any:
    vocabulary = make_vocabulary([], [*VALUES, "y"], ["softplus"])
    env = Environment(VALUES, {"softplus": softplus}, SIZES)
    formula = read_formula(latex, vocabulary)
    if isinstance(formula, Membership):
        return is_member(evaluate(formula.members[0], env).data, formula.space, env)
    return evaluate(formula, env).data  # type: ignore[arg-type]


@pytest.mark.parametrize(("code", "latex"), WRITTEN)
def test_an_expression_is_written_and_read_back_with_its_value(code: str, latex: str) -> None:
    translated = Translator(Shapes(SHAPES)).translate(ast.parse(code, mode="eval").body)
    assert translated == latex
    assert differ(read_back(translated), compute(code)) == ""


@pytest.mark.parametrize(("code", "latex"), INDEXED)
def test_axes_are_written_with_indices(code: str, latex: str) -> None:
    from generator.algorithms.assignments import compare_assignment
    from generator.algorithms.checks import Check

    node = ast.parse(code, mode="eval").body
    translator = Translator(Shapes(SHAPES))
    assert needs_indices(translator, node)
    translated = translate_indexed(translator, ast.Name("y"), node)
    assert translated == latex
    vocabulary = make_vocabulary([], [*VALUES, "y"], ["softplus"])
    check = Check(translated, 1, read_formula(translated, vocabulary), True)
    before = Environment(VALUES, {}, SIZES)
    after = Environment({**VALUES, "y": compute(code)}, {}, SIZES)
    statement = ast.parse(f"y = {code}").body[0]
    assert compare_assignment(check, before, after, statement) == ""
    wrong = Environment({**VALUES, "y": compute(code) + 1}, {}, SIZES)
    assert compare_assignment(check, before, wrong, statement) != ""


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("v[::2]", "step"),
        ("[x for x in items]", "no formula"),
        ("np.full((2, 2), 1.0)", "no formula"),
        ("items.copy().pop()", "no formula"),
        ("(lambda: 1)()", "no formula"),
        ("unknown.sum()", "axes of `unknown` is not known"),
        ("unknown.shape[0]", "give unknown a set"),
        ("softplus(v, base=2)", "keywords"),
        ("'two words'", "no formula"),
    ],
)
def test_what_has_no_formula_says_why(code: str, reason: str) -> None:
    with pytest.raises(UntranslatableError, match=reason.replace("(", r"\(")):
        Translator(Shapes(SHAPES)).translate(ast.parse(code, mode="eval").body)


NUMBERS = st.sampled_from(["a", "b", "eta", "k", "2", "3", "0.5", "v[1]", "x_new[k]", "n_steps"])
VECTORS = st.sampled_from(["v", "w", "x_new", "A[1]", "B[:, 2]"])
MATRICES = st.sampled_from(["A", "A.T", "np.eye(4)"])


def _either(*patterns: str, **parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """One of some patterns, its places filled."""
    return st.sampled_from(patterns).flatmap(
        lambda pattern: st.builds(
            pattern.format, **{k: v for k, v in parts.items() if k in pattern}
        )
    )


def _deepen(depth: int) -> dict[str, st.SearchStrategy[str]]:
    """Numbers (x, y), vectors (p, q) and matrices (M, N) of some depth."""
    if depth == 0:
        return {
            "x": NUMBERS,
            "y": NUMBERS,
            "p": VECTORS,
            "q": VECTORS,
            "M": MATRICES,
            "N": MATRICES,
        }
    inner = _deepen(depth - 1)
    numbers = NUMBERS | _either(
        "({x} + {y})", "({x} - {y})", "{x} * {y}", "({x}) * ({y})", "({x}) / ({y})", "-({x})",
        "({x}) ** 2", "2 ** -({x})", "np.sqrt(abs({x}))", "np.exp(-abs({x}))", "({p}) @ ({q})",
        "np.linalg.norm({p})", "({p}).sum()", "max({x}, {y})", "np.mean({p})", "({p}) @ ({M}) @ ({q})",
        "({p}).max()", "np.tanh({x})", "({x} if {x} > {y} else {y})",
        **inner,
    )  # fmt: skip
    vectors = VECTORS | _either(
        "({p} + {q})", "({p} - {q})", "({x}) * ({p})", "({p}) * ({q})", "({p}) / ({x})", "-({p})",
        "({M}) @ ({p})", "({p}) @ ({M})", "np.exp({p})", "np.abs({p})", "({p}) ** 2",
        "({M}).T @ ({p})", "np.maximum({p}, 0)", "np.where({p} > 0, {p}, {q})",
        **inner,
    )  # fmt: skip
    matrices = MATRICES | _either(
        "({M} + {N})", "({M} - {N})", "({M}) @ ({N})", "(({M}) @ ({N})).T", "({M}).T", "({x}) * ({M})",
        "({M}) * ({N})", "np.outer({p}, {q})", "({M}) ** 2", "({M}) / ({x})", "np.tanh({M})",
        **inner,
    )  # fmt: skip
    return {
        "x": numbers, "y": numbers, "p": vectors, "q": vectors, "M": matrices, "N": matrices,
    }  # fmt: skip


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(code=st.sampled_from("xpM").flatmap(lambda kind: _deepen(3)[kind]))
def test_random_expressions_are_read_back_with_their_value(code: str) -> None:
    with np.errstate(all="ignore"):
        try:
            expected = compute(code)
        except (ZeroDivisionError, OverflowError):
            assume(False)
        assume(np.all(np.abs(expected) < 1e8))  # beyond, the order of operations shows
        translated = Translator(Shapes(SHAPES)).translate(ast.parse(code, mode="eval").body)
        assert differ(read_back(translated), expected, 1e-9) == "", translated
