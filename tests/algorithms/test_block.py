"""The block: its data, its numbers, its three printed forms."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from generator.algorithms import Algorithm, block_of
from generator.blocks import decode_block
from generator.blocks.base import Where
from generator.errors import GeneratorError

from .loading import SAMPLES, load

WHERE = Where("note", "result", 3)


@pytest.fixture(scope="module")
def power(tmp_path_factory: pytest.TempPathFactory) -> Algorithm:
    text = (SAMPLES / "power_iteration.py").read_text("utf-8")
    block = block_of(load(tmp_path_factory.mktemp("power"), text).power_iteration)
    assert block is not None
    return block


def test_the_markdown_is_the_theme_s_fence(power: Algorithm) -> None:
    lines = power.to_markdown(WHERE).split("\n")
    assert lines[:4] == [
        "```pseudo-algorithm",
        r"\begin{algorithm}[H]",
        r"\caption{Power Iteration}",
        r"\begin{algorithmic}[1]",
    ]
    assert lines[-3:] == [r"\end{algorithmic}", r"\end{algorithm}", "```"]
    assert r"  \State \hspace{0.5cm} \(w \leftarrow A v\)" in lines
    assert r"\For{\(t = 0, \ldots, T - 1\)}" in lines
    assert r"    \Return \(v\), \(\lambda\)" in lines


def test_a_block_survives_its_record(power: Algorithm) -> None:
    data = json.loads(json.dumps({"$block": power.kind, **power.to_data()}))
    again = decode_block(data)
    assert again == power
    assert again.to_markdown(WHERE) == power.to_markdown(WHERE)
    assert again.step("again") == power.step("again")
    assert again.as_list().to_data() == power.as_list().to_data()


def test_steps_are_cited_by_label(power: Algorithm) -> None:
    assert power.step("start") == 1
    assert power.steps("start") == "1–2"
    assert power.steps("start", "estimate") == "1–4"
    assert power.step("loop") == 5
    assert power.steps("loop") == "5–15"  # to the end of the loop
    assert power.step("multiply") == 7


def test_an_unknown_label_names_the_near_ones(power: Algorithm) -> None:
    with pytest.raises(GeneratorError) as caught:
        power.step("mutliply")
    assert "no step is labelled `mutliply`" in str(caught.value)
    assert "did you mean `multiply`?" in str(caught.value)
    with pytest.raises(GeneratorError, match="comes before"):
        power.steps("loop", "start")


def test_a_list_nests_as_the_algorithm_does(power: Algorithm) -> None:
    steps = power.as_list()
    assert steps.to_markdown(WHERE).split("\n") == [
        r"1. Scale the start to length one: \(v \leftarrow \frac{v}{\lVert v \rVert}\)",
        r"2. Estimate the eigenvalue: \(\lambda \leftarrow v^{\top} A v\)",
        r"3. Repeat until the estimate settles: For \(t = 0, \ldots, T - 1\):",
        r"   1. Multiply, and scale again: \(w \leftarrow A v\) "
        r"\(v \leftarrow w / \lVert w \rVert\)",
        r"   2. Estimate the eigenvalue again: "
        r"\(\lambda \leftarrow \sum_{i=1}^{n} v_i (A v)_i\)",
        r"   3. If \(\lvert \lambda - \mathrm{old} \rvert \lt \varepsilon \lvert \lambda \rvert\):",
        r"      1. Return \(v\), \(\lambda\)",
        r"4. Return \(v\), \(\lambda\)",
    ]
    assert steps.step("multiply") == "3.1"
    assert steps.steps("start", "estimate") == "1–2"


def test_a_listing_has_the_file_s_line_numbers(power: Algorithm) -> None:
    text = (SAMPLES / "power_iteration.py").read_text("utf-8").split("\n")
    shown = power.listing().to_markdown(WHERE).split("\n")
    first = text.index('@algorithm("Power Iteration")') + 1
    assert shown[0] == f"```python {{linenos=true linenostart={first}}}"
    assert shown[1:4] == text[first - 1 : first + 2]
    bare = power.listing(strip=True).to_markdown(WHERE)
    assert "#" not in bare
    assert '"""' not in bare
    assert bare.split("\n")[1:3] == [
        "def power_iteration(A, v, eps, T):",
        "    v = v / np.linalg.norm(v)",
    ]


def test_the_plain_builder_prints_and_is_checked_for_grammar() -> None:
    block = Algorithm(
        "Euclid",
        require=[r"\(a, b \in \mathbb{N}\)"],
        ensure=["The greatest common divisor"],
        steps=[("swap", r"Let \(a, b \leftarrow b, a \bmod b\)"), "Repeat."],
    )
    assert block.step("swap") == 1
    assert block.unchecked == 1
    assert block.problems() == ()
    wrong = Algorithm("Euclid", steps=["top_p", r"a \Return b"])
    assert next(problem.hint for problem in wrong.problems()).startswith(r"write `\_`")
    assert len(wrong.problems()) == 2
    assert Algorithm("Empty").problems()
    with pytest.raises(GeneratorError, match="not made from a function"):
        block.listing()


def test_markdown_marks_in_a_list_come_from_the_fonts() -> None:
    block = Algorithm(
        "A", steps=[r"\textbf{Add} \(x_1\) to \texttt{out}, 5\% \And more \Call{f}{x}"]
    )
    assert block.as_list().to_markdown(WHERE) == r"1. **Add** \(x_1\) to `out`, 5\% and more f(x)"


def test_reading_a_block_from_a_record_needs_no_numpy(power: Algorithm, tmp_path: Path) -> None:
    path = tmp_path / "block.json"
    path.write_text(json.dumps(power.to_data()), "utf-8")
    code = (
        "import json, sys, pathlib\n"
        "from generator.algorithms import Algorithm, check_pseudocode\n"
        "from generator.blocks.base import Where\n"
        "block = Algorithm.from_data(json.loads(pathlib.Path(sys.argv[1]).read_text('utf-8')))\n"
        "where = Where('a', 'b', 3)\n"
        "print(block.step('loop'), block.to_markdown(where), block.as_list().to_markdown(where))\n"
        "block.listing().to_markdown(where)\n"
        "check_pseudocode(block.to_markdown(where))\n"
        "heavy = {'numpy', 'matplotlib', 'jinja2', 'markdown_it'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=60)
