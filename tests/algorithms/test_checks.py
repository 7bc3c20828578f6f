"""What is held against a run, and what is said when it doesn't hold."""

from __future__ import annotations

import textwrap
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from generator.algorithms import block_of, observing
from generator.errors import Problem

from .loading import load, observe

HEAD = "import numpy as np\nfrom generator import algorithm, register\n\n"


def define(folder: Path, source: str) -> ModuleType:
    """A module with algorithms; line 4 of its file is the first line of the source."""
    return load(folder, HEAD + textwrap.dedent(source).lstrip("\n"))


def find(folder: Path, source: str, call: str) -> list[Problem]:
    """The faults of a source when a call such as `f(2.0)` is observed."""
    module = define(folder, source)
    return observe(folder, module, lambda m: eval(call, {**vars(m), "rng": _rng()}))


def _rng() -> np.random.Generator:
    return np.random.default_rng(5)


def body(*lines: str, require: str = "", arguments: str = "x") -> str:
    """An algorithm `f`; its first statement stands on line 8, or 9 after `Require:`."""
    doc = f'    r"""{require}"""\n' if require else ""
    return f'@algorithm("Title")\ndef f({arguments}):\n{doc}' + "".join(
        f"    {line}\n" for line in lines
    )


def one(problems: list[Problem]) -> Problem:
    assert len(problems) == 1, problems
    return problems[0]


def test_a_wrong_formula_says_where_the_two_first_differ(tmp_path: Path) -> None:
    source = body(r"y = x + 1  #: \(y \leftarrow x - 1\)", "return y")
    found = one(find(tmp_path, source, "f(np.array([[1.0, 2.0]]))"))
    assert found.line == 6
    assert found.path.endswith(".py")
    assert found.path == Path(found.path).name  # relative to the site
    assert r"\(y \leftarrow x - 1\) is not what the code does" in found.message
    assert "the formula gives 0 at [0, 0], the code 2" in found.message
    assert found.hint


def test_indices_and_passes_are_named(tmp_path: Path) -> None:
    source = body(r"y = x.T  #: \(y_{ij} \leftarrow x_{ij}\)", "return y")
    found = one(find(tmp_path, source, "f(np.array([[1.0, 2.0], [3.0, 4.0]]))"))
    assert "for i=0, j=1 the formula gives 2, the code 3, in call 1" in found.message


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (r"\(y \leftarrow x + q\)", "`q` has no value here"),
        (r"\(y \leftarrow \int x\)", "integrals are not read"),
        (r"\(y \leftarrow \partial x\)", "name the whole symbol with `Where:`"),
        (r"\(y \leftarrow x + \)", "it ends too early"),
        (r"\(y \leftarrow x' + 1\)", "introduce it with `Where:`"),
        (r"\(y \leftarrow \mathrm{gelu}(x)\)", "the function `gelu` is not known"),
        (r"\(y \leftarrow x \times x\)", "juxtaposition"),
        (r"\(y \leftarrow 1 / 2 x\)", "can be read in two ways"),
        (r"\(y \leftarrow x, z \leftarrow x\)", "two assignments in one formula"),
        (r"\(y \approx x\)", "can't be checked"),
        (r"\(z \leftarrow x + 1\)", "doesn't say what `y` becomes; it assigns `z`"),
        (r"\(y \in \mathbb{R}^{2}\)", "doesn't say what `y` becomes"),
        ("one more", "without a formula"),
    ],
)
def test_what_cannot_be_checked_is_refused(formula: str, message: str, tmp_path: Path) -> None:
    source = body(f"y = x + 1  #: {formula}", "return y")
    found = find(tmp_path, source, "f(np.array([1.0, 2.0]))")
    assert len(found) == 1
    assert found[0].line == 6
    assert message in found[0].message
    assert "#~" in found[0].hint


def test_an_unchecked_formula_is_published_and_counted(tmp_path: Path) -> None:
    source = body(r"y = x + 1  #~ \(y \sim \mathcal{N}(0, 1)\), \(a\)", "return y")
    module = define(tmp_path, source)
    assert observe(tmp_path, module, lambda m: m.f(1.0)) == []
    block = block_of(module.f)
    assert block is not None
    assert block.unchecked == 2
    assert any(r"\mathcal{N}" in line.text for line in block.lines)


def test_a_claim_in_prose_counts_as_unchecked(tmp_path: Path) -> None:
    source = body(r"# Now \(x = 2\), and \(x\) grows:", "y = x + 1", "return y")
    module = define(tmp_path, source)
    assert observe(tmp_path, module, lambda m: m.f(1.0)) == []
    assert module.f.__algorithm__.unchecked == 1


SIZES = r"Require: \(A \in \mathbb{R}^{n \times m}\), \(b \in \mathbb{R}^{m}\)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("f(np.ones((3, 2)), np.ones(3))", r"`b` is a 3 vector, and axis 0 should be \(m\) = 2"),
        ("f(np.ones(3), np.ones(2))", "`A` has 1 axes, the set 2"),
        ("f(np.ones((2, 2)), np.ones(2))", r"\(m\) and \(n\) were both 2"),
        ("f(np.array([[1j, 2]]), np.ones(2))", "its type is complex128, not real"),
    ],
)
def test_sets_and_sizes_are_held_at_the_call(call: str, message: str, tmp_path: Path) -> None:
    source = body("return A", require=SIZES, arguments="A, b")
    found = find(tmp_path, source, call)
    assert any(message in problem.message and problem.line == 6 for problem in found), found


@pytest.mark.parametrize(
    ("formula", "good", "bad"),
    [
        (r"x \in \mathbb{N}", "3", "-3"),
        (r"x \in \mathbb{Z}", "-3", "0.5"),
        (r"x \in \mathbb{R}", "0.5", "'a'"),
        (r"x \in \mathbb{R}_{>0}", "0.5", "0.0"),
        (r"x \in \mathbb{R}_{\ge 0}", "0.0", "-1.0"),
        (r"x \in \mathbb{R}^{+}", "0.0", "-1.0"),
        (r"x \in [0, 1)", "0.0", "1.0"),
        (r"x \in (0, 1]", "1.0", "0.0"),
        (r"x \in \{1, 2, 4\}", "4", "3"),
        (r"x \in \{1, \ldots, 9\}", "9", "10"),
        (r"x \in \{0, 1\}^{2 \times 2}", "np.eye(2)", "np.eye(2) * 2"),
        (r"0 \lt x \le 1", "1", "0"),
        (r"x \neq 0 \land x \lt 4", "1", "5"),
        (r"\lVert x \rVert = 1", "np.array([0.6, 0.8])", "np.array([0.6, 0.7])"),
        (r"\sum_{i=1}^{n} x_i = 1, \text{ so}", "None", "None"),
    ],
)
def test_requirements_are_held(formula: str, good: str, bad: str, tmp_path: Path) -> None:
    source = body("return x", require=rf"Require: \({formula}\)")
    if good == "None":
        assert find(tmp_path, source, "f(1)")
        return
    assert find(tmp_path, source, f"f({good})") == []
    assert find(tmp_path, source, f"f({bad})")[0].line == 6


def test_what_is_returned_is_what_ensure_names(tmp_path: Path) -> None:
    require = r"Ensure: \(y \in \mathbb{R}\)"
    assert find(tmp_path, body("y = x", "return y", require=require), "f(1.0)") == []
    assert find(tmp_path, body("return 2 * x", require=require), "f(1.0)") == []
    found = find(tmp_path, body("y = x", "return 2 * y", require=require), "f(1.0)")
    assert "`Ensure:` names `y`" in found[0].message


@pytest.mark.parametrize(
    ("header", "formula", "ok"),
    [
        ("for i in range(x):", r"\(i = 0, \ldots, x - 1\)", True),
        ("for i in range(x):", r"\(i = 1, \ldots, x\)", False),
        ("for i in range(x):", r"\(i = 0, \ldots, x\)", False),
        ("for i in range(1, x):", r"\(i = 1, \ldots, x - 1\)", True),
        ("for i in range(x, 0, -1):", r"\(i = x, \ldots, 1\)", True),
        ("for i in range(x, 0, -1):", r"\(i = x, x - 1, \ldots, 1\)", True),
        ("for i in range(0, x, 2):", r"\(i = 0, 2, \ldots, x - 1\)", True),
        ("for i in range(0, x, 2):", r"\(i = 0, 1, \ldots, x - 1\)", False),
        ("for i in [2, 3]:", r"\(i \in \{2, 3\}\)", True),
        ("for i in [2, 3]:", r"\(i \in \{3, 2\}\)", False),
        ("for i in [2, 3]:", r"\(x\) times", False),
        ("for i in range(x):", r"\(x\) times", True),
        ("for i in range(x):", r"\(j = 0, \ldots, x - 1\)", False),
    ],
)
def test_loops_run_over_what_is_printed(
    header: str, formula: str, ok: bool, tmp_path: Path
) -> None:
    source = body("s = 0", f"{header}  #: {formula}", "    s = s + i", "return s")
    found = find(tmp_path, source, "f(5)")
    assert (found == []) == ok
    assert all(problem.line == 7 for problem in found)


@pytest.mark.parametrize(
    ("code", "formula", "ok"),
    [
        ("x < 3", r"\(x \lt 3\)", True),
        ("x < 3", r"\(x \le 3\)", False),
        ("x < 3", r"the value is small, \(x \lt 3\),", True),
        ("x < 3 and x > 0", r"\(x \lt 3\) and \(x \gt 0\)", True),
        ("x < 3", r"\(x \gt 3\)", False),
    ],
)
def test_conditions_are_what_is_tested(code: str, formula: str, ok: bool, tmp_path: Path) -> None:
    source = body(
        f"if {code}:  #: {formula}", "    x = x + 1", "else:", "    x = x - 1", "return x"
    )
    found = find(tmp_path, source, "[f(2), f(3), f(4)]")
    assert (found == []) == ok


def test_a_false_invariant_shows_its_values(tmp_path: Path) -> None:
    source = body("y = x * 2", "#? y > 3", "return y")
    assert find(tmp_path, source, "f(2)") == []
    found = one(find(tmp_path, source, "f(1)"))
    assert (found.line, found.hint) == (7, "the code or the invariant is wrong")
    assert found.message == "the invariant doesn't hold in call 1: y > 3 (y is 2)"


def test_formatters_may_put_a_blank_behind_the_mark(tmp_path: Path) -> None:
    source = body(r"y = x * 2  # ~ \(y\)", "# ? y > 3", "return y")
    assert one(find(tmp_path, source, "f(1)")).line == 7


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["y = x", "return y", "#? y > 0"], 8, "the invariant never runs"),
        (["y = x", "#? 1 + ", "return y"], 7, "the invariant is not Python"),
        (["y = x", "#? 1 + 1 == 2", "return y"], 7, "names nothing"),
        (["y = x  #-", "return y"], 6, "a hidden statement without a reason"),
        (["print(x)", "return x"], 6, "`print(x)` has no formula"),
        (["y = x  #&", "return y"], 7, "shares a line"),
        (["# A last word:", "y = x", "# nothing below"], 8, "a comment without a statement"),
        (["# a_b & c", "y = x", "return y"], 6, "an algorithm can't hold this"),
        (["# [a] One", "y = x", "# [a] Two", "y = y", "return y"], 9, "used twice"),
        (["for i in range(2):", "    y = i", "else:", "    y = 3", "return y"], 6, "`else`"),
        (["#: \\(y \\leftarrow x\\)", "y = x", "return y"], 6, "before its statement"),
        (["# Use \\Return here", "y = x", "return y"], 6, "is not read in text"),
        (["y = x  #? x > 0", "return y"], 6, "give it a line of its own"),
    ],
)
def test_annotations_that_say_nothing_are_refused(
    lines: list[str], line: int, message: str, tmp_path: Path
) -> None:
    found = find(tmp_path, body(*lines), "f(1)")
    assert any(p.line == line and message in f"{p.message} {p.hint}" for p in found), found


def test_steps_that_never_ran_are_told_once_a_block(tmp_path: Path) -> None:
    source = body("if x > 3:", "    y = 1", "    z = 2", "    return y", "return x")
    assert one(find(tmp_path, source, "f(1)")).line == 7
    assert find(tmp_path, source, "[f(1), f(4)]") == []


def test_an_algorithm_that_was_never_called_is_told(tmp_path: Path) -> None:
    found = one(find(tmp_path, body("return x"), "1"))
    assert "`f` was never called" in found.message


def test_a_helper_algorithm_is_called_by_name(tmp_path: Path) -> None:
    source = body("return 2 * x").replace("def f", "def top_half") + body(
        "y = top_half(x)", "return y"
    )
    module = define(tmp_path, source)
    assert observe(tmp_path, module, lambda m: m.f(2.0)) == []
    assert module.top_half.__algorithm__.calls == 1
    block = block_of(module.f)
    assert block is not None
    assert block.lines[0].text == r"\(y \leftarrow\) \Call{top-half}{\(x\)}"


def test_statements_share_a_line_and_a_formula(tmp_path: Path) -> None:
    shared = body("# Start:", "a = 0  #&", "b = x", "return a + b")
    module = define(tmp_path, shared)
    assert observe(tmp_path, module, lambda m: m.f(2)) == []
    block = block_of(module.f)
    assert block is not None
    assert block.lines[1].text == r"\hspace{0.5cm} \(a \leftarrow 0\), \(b \leftarrow x\)"
    covered = (
        r"e = np.exp(x)  #&",
        r"x = e / e.sum()  #: \(x_i \leftarrow \frac{e^{x_i}}{\sum_j e^{x_j}}\)",
    )
    assert find(tmp_path, body(*covered, "return x"), "f(np.arange(3.0))") == []
    wrong = covered[0], covered[1].replace("e / e.sum()", "e / e.max()")
    assert find(tmp_path, body(*wrong, "return x"), "f(np.arange(3.0))")[0].line == 7


def test_values_changed_in_place_are_those_before_the_statement(tmp_path: Path) -> None:
    source = body(r"x += 1  #: \(x \leftarrow x + 1\)", "return x")
    assert find(tmp_path, source, "f(np.zeros(2))") == []
    source = body(r"x[0] = x[1]  #: \(x_0 \leftarrow x_1\)", "return x")
    assert find(tmp_path, source, "f(np.array([1.0, 2.0]))") == []


def test_a_generator_is_not_used_up_by_a_check(tmp_path: Path) -> None:
    source = """
        def draw(rng):
            return rng.random()

        @algorithm("Title")
        def f(rng):
            u = draw(rng)  #: \\(u \\leftarrow \\mathrm{draw}(\\mathrm{rng})\\)
            return u
        """
    module = define(tmp_path, source)
    plain = module.f(_rng())
    with observing():
        assert module.f(_rng()) == plain
    assert observe(tmp_path, module, lambda m: m.f(_rng())) == []


def test_iterators_go_on_after_a_break(tmp_path: Path) -> None:
    source = body(
        "s = 0",
        r"for i in x:  #~ each \(i\)",
        "    s = s + i",
        "    if s > 1:",
        "        break",
        r"s = s + next(x)  #~ \(s\)",
        "return s",
    )
    assert find(tmp_path, source, "f(iter([1, 2, 3, 4]))") == []
    module = define(tmp_path, source)
    with observing():
        assert module.f(iter([1, 2, 3, 4])) == 6


def test_recursion_and_closures_are_observed(tmp_path: Path) -> None:
    source = """
        def make(k):
            @algorithm("Title")
            def f(n):
                if n <= 0:
                    return k
                m = f(n - 1) + k  #~ recursion
                return m
            return f

        f = make(2)
        """
    module = define(tmp_path, source)
    assert observe(tmp_path, module, lambda m: m.f(3)) == []
    assert module.f.__algorithm__.calls == 4
    assert module.f(3) == 8


def test_outside_a_build_the_function_is_itself(tmp_path: Path) -> None:
    module = define(tmp_path, body(r"y = x + 1  #: \(y \leftarrow x\)", "return y"))
    code = module.f.__code__
    assert module.f(1) == 2
    with observing():
        assert module.f.__code__ is not code
        assert module.f(1) == 2
    assert module.f.__code__ is code
    assert module.f.__algorithm__.calls == 1


def test_an_error_in_the_function_is_its_own(tmp_path: Path) -> None:
    module = define(tmp_path, body("y = 1 / x", "return y"))
    with pytest.raises(ZeroDivisionError) as caught, observing():
        module.f(0)
    lines = [
        entry.lineno for entry in caught.traceback if entry.path == Path(module.__file__ or "")
    ]
    assert [number + 1 for number in lines] == [6]


def test_registered_functions_are_known(tmp_path: Path) -> None:
    source = "register('twice', lambda x: 2 * x)\n" + body(
        r"y = x + x  #: \(y \leftarrow \operatorname{twice}(x)\)", "return y"
    )
    assert find(tmp_path, source, "f(2)") == []


ONE_LETTER = """
    def f(x):
        return x * x + 1

    def phi(x):
        return np.tanh(x)

    def step_of(x):
        return x / 3

    @algorithm("Letters")
    def letters(x, g):
        a = f(x)
        b = phi(x) * a
        c = g(b)
        d = step_of(c)
        y = c + d  #: \\(y \\leftarrow FORMULA\\)
        return y
"""


def test_functions_of_one_letter_are_letters(tmp_path: Path) -> None:
    formula = r"g(\phi(x) f(x)) + \mathrm{step-of}(c)"
    module = define(tmp_path, ONE_LETTER.replace("FORMULA", formula))
    assert observe(tmp_path, module, lambda m: m.letters(0.7, np.exp)) == []
    block = block_of(module.letters)
    assert block is not None
    text = "\n".join(line.text for line in block.lines)
    for formula in ("f(x)", r"\phi(x) a", "g(b)", r"\mathrm{step-of}(c)"):
        assert rf"\leftarrow {formula}\)" in text
    assert block.unchecked == 0


@pytest.mark.parametrize("wrong", [r"g(f(x)) + d", r"f(g(b)) + d", r"g(b) + f(c)", r"\phi(b) + d"])
def test_a_wrong_call_of_a_letter_is_found(wrong: str, tmp_path: Path) -> None:
    module = define(tmp_path, ONE_LETTER.replace("FORMULA", wrong))
    found = observe(tmp_path, module, lambda m: m.letters(0.7, np.exp))
    assert "is not what the code does" in one(found).message


def test_a_letter_that_is_a_value_is_multiplied(tmp_path: Path) -> None:
    source = body("y = x * (x + f)", "return y", arguments="x, f=2.0")
    assert find(tmp_path, source, "f(3.0)") == []
