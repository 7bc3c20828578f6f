"""Comments belong to the statement that they are about."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from generator.algorithms import algorithm, block_of, observing
from generator.algorithms.block import Algorithm

from .loading import load, observe


def read(folder: Path, source: str) -> Algorithm:
    """The block of the function `f` that a source defines, which is called with 2."""
    module = load(folder, "from generator import algorithm\n" + textwrap.dedent(source))
    problems = observe(folder, module, lambda m: m.f(2))
    assert [p for p in problems if "never ran" not in p.message] == []
    block = block_of(module.f)
    assert block is not None
    return block


def lines_of(block: Algorithm) -> list[str]:
    return [line.to_tex() for line in block.lines]


def test_a_formula_may_go_on_below_its_statement(tmp_path: Path) -> None:
    block = read(
        tmp_path,
        r"""
        @algorithm("Title")
        def f(x):
            # First
            # and second line:
            y = (
                x + 1
            )  #: \(y \leftarrow
            #: x + 1\), as it were
            for i in range(y):
                #: \(i = 0, \ldots, y - 1\), in order,
                y = y + 0
            return y
        """,
    )
    assert lines_of(block) == [
        r"\State First and second line:",
        r"\State \hspace{0.5cm} \(y \leftarrow x + 1\), as it were",
        r"\For{\(i = 0, \ldots, y - 1\), in order,}",
        r"  \State \(y \leftarrow y + 0\)",
        r"\EndFor",
        r"\Return \(y\)",
    ]


def test_branches_keep_their_comments(tmp_path: Path) -> None:
    block = read(
        tmp_path,
        """
        @algorithm("Title")
        def f(x):
            # [which] Which is it?
            if x > 3:
                y = 1
                # no more of this
                pass
            # [middle] The middle:
            elif x > 1:
                y = 2
            # The rest:
            else:
                y = 3
            # Done.
            return y
        """,
    )
    assert lines_of(block) == [
        r"\State Which is it?",
        r"\If{\(x \gt 3\)}",
        r"  \State \(y \leftarrow 1\)",
        r"  \State no more of this",
        r"\ElsIf{\(x \gt 1\)}",
        r"  \State The middle:",
        r"  \State \(y \leftarrow 2\)",
        r"\Else",
        r"  \State The rest:",
        r"  \State \(y \leftarrow 3\)",
        r"\EndIf",
        r"\State Done.",
        r"\Return \(y\)",
    ]
    assert block.steps("which") == "1–11"
    assert block.step("middle") == 6


def test_what_is_private_or_bookkeeping_is_not_printed(tmp_path: Path) -> None:
    block = read(
        tmp_path,
        '''
        import contextlib

        @algorithm("Title")
        def f(x):
            """An ordinary docstring.

            Not printed.
            """
            ## a private note
            seen = []  #- for the plot
            with contextlib.suppress(ValueError):
                y = x + 1  # not printed either
            def helper(z):  #- a detail
                # not prose
                return z
            while True:
                y = y + 1
                if y > 5:
                    break
                seen = seen + [y]  #- for the plot
            return y
        ''',
    )
    assert lines_of(block) == [
        r"\State \(y \leftarrow x + 1\)",
        r"\While{\True}",
        r"  \State \(y \leftarrow y + 1\)",
        r"  \If{\(y \gt 5\)}",
        r"    \Break",
        r"  \EndIf",
        r"\EndWhile",
        r"\Return \(y\)",
    ]
    assert block.hidden == 3


def test_symbols_are_named_in_the_docstring(tmp_path: Path) -> None:
    block = read(
        tmp_path,
        r'''
        @algorithm("Title")
        def f(x):
            r"""
            Where: \(\frac{\partial L}{\partial x}\) is dx, \(\ell\) is `2 * x`
            Require: A number \(x \in \mathbb{N}\),
                not zero: \(x \neq 0\)
            """
            dx = 2 * x + 1
            y = dx + x  #: \(y \leftarrow \frac{\partial L}{\partial x} + \frac{\ell}{2}\)
            return y
        ''',
    )
    assert lines_of(block) == [
        r"\Require A number \(x \in \mathbb{N}\), not zero: \(x \neq 0\)",
        r"\State \(\frac{\partial L}{\partial x} \leftarrow \ell + 1\)",
        r"\State \(y \leftarrow \frac{\partial L}{\partial x} + \frac{\ell}{2}\)",
        r"\Return \(y\)",
    ]


def test_an_algorithm_may_end_without_return(tmp_path: Path) -> None:
    source = r'''
        @algorithm("Title")
        def f(x):
            r"""
            Ensure: \(y \in \mathbb{N}\)
            """
            y = -x
        '''
    module = load(tmp_path, "from generator import algorithm\n" + textwrap.dedent(source))
    (problem,) = observe(tmp_path, module, lambda m: m.f(2))
    assert "its value is -2" in problem.message


def test_only_functions_in_files_are_algorithms(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="takes a function"):
        algorithm("Title")(int)
    namespace: dict[str, object] = {"algorithm": algorithm}
    exec("@algorithm('Title')\ndef f(x):\n    return x\n", namespace)
    function = namespace["f"]
    with observing():
        assert function(3) == 3  # type: ignore[operator]
    (problem,) = function.__algorithm__.problems()  # type: ignore[attr-defined]
    assert "the source of `f` can't be read" in problem.message
    assert "directly above its `def`" in problem.hint
