"""Figures: Markdown, deterministic bytes, data files, and drawings that are hard to read."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from generator.blocks.base import Where
from generator.blocks.figure import Figure
from generator.blocks.style import PALETTE, load_style, subplots
from generator.blocks.table import Table
from generator.errors import GeneratorError

HERE = Where("note", "loss", 4)
ALT = "Loss falls as the model grows"
SVG = "{http://www.w3.org/2000/svg}"


def draw_loss(label: str = "measured", **kwargs: object) -> Figure:
    figure, axes = subplots()
    sizes = np.array([1e6, 1e7, 1e8])
    axes.plot(sizes, [3.5, 3.0, 2.5], label=label)
    axes.plot(sizes, [3.4, 3.1, 2.4], label="$a N^{-b}$")
    axes.set(xscale="log", xlabel="parameters $N$", ylabel="loss (nats)")
    axes.legend()
    return Figure(figure, alt=ALT, caption="Loss.", **kwargs)


def read_svg(figure: Figure) -> ET.Element:
    return ET.fromstring(figure.files()[".svg"])


def test_markdown_is_one_paragraph() -> None:
    assert draw_loss().to_markdown(HERE) == (
        f"![{ALT}](/figures/note/loss.svg)\n*Loss.* [Data](/figures/note/loss.csv)\n{{.figure}}"
    )
    bare = draw_loss(data=False)
    assert bare.to_markdown(HERE).splitlines()[1] == "*Loss.*"
    assert list(bare.files()) == [".svg"]


def test_the_figures_folder_is_the_sites() -> None:
    elsewhere = Where("note", "loss", 4, figures="img/drawn")
    assert "](/img/drawn/note/loss.svg)" in draw_loss().to_markdown(elsewhere)


def test_alt_text_is_plain_text() -> None:
    figure, _ = subplots()
    markdown = Figure(figure, alt="a]( <b> *x* $1$ `c`", data=False).to_markdown(HERE)
    shown = markdown.splitlines()[0]
    assert not set(shown.removeprefix("![").split("](/")[0]) & set("]<>*$`")


def test_a_record_gives_the_same_markdown_and_no_files() -> None:
    figure = draw_loss()
    data = json.loads(json.dumps(figure.to_data()))
    again = Figure.from_data(data)
    assert again.to_markdown(HERE) == figure.to_markdown(HERE)
    assert (again.files(), again.to_data()) == ({}, figure.to_data())
    assert data["digests"] == {
        suffix: hashlib.sha256(content).hexdigest() for suffix, content in figure.files().items()
    }
    assert (data["width"], data["height"]) == (640, 400)
    assert "<svg" not in json.dumps(data)


@pytest.mark.parametrize("alt", ["", "  ", "figure", "A plot.", "Figure 3:", "image", "TODO", None])
def test_alt_text_that_says_nothing_is_refused(alt: str) -> None:
    figure, _ = subplots()
    with pytest.raises(GeneratorError, match="says nothing"):
        Figure(figure, alt=alt)


def test_control_characters_are_refused() -> None:
    figure, axes = subplots()
    with pytest.raises(GeneratorError, match=r"U\+0007"):
        Figure(figure, alt="a bell \a rings")
    axes.set_xlabel("bell \a")
    with pytest.raises(GeneratorError, match="control characters"):
        Figure(figure, alt=ALT)


def test_a_figure_made_in_a_template_is_refused() -> None:
    with pytest.raises(GeneratorError, match="no name to be saved under"):
        draw_loss().to_markdown(Where("note", "", 4))


def test_text_is_text_and_math_is_outlines() -> None:
    texts = ["".join(element.itertext()) for element in read_svg(draw_loss()).iter(f"{SVG}text")]
    assert "measured" in texts and "loss (nats)" in texts
    assert not any("$" in text or "N" in text for text in texts)


def test_the_drawing_has_a_name_a_role_and_no_ground() -> None:
    root = read_svg(draw_loss())
    title = root.find(f"{SVG}title")
    assert title is not None and title.text == ALT
    assert (root.get("role"), root.get("width"), root.get("height")) == ("img", "640", "400")
    assert root.get("viewBox") == "0 0 640 400"
    assert not any("fill:#fff" in element.get("style", "") for element in root.iter())


def test_every_id_is_used_and_every_reference_has_its_id() -> None:
    svg = draw_loss().files()[".svg"].decode()
    ids = [element.get("id") for element in ET.fromstring(svg).iter() if element.get("id")]
    assert ids == [f"i{number}" for number in range(len(ids))] != []
    for name in ids:
        assert f'"#{name}"' in svg or f"url(#{name})" in svg


def test_nothing_of_this_machine_or_moment_is_in_the_file() -> None:
    svg = draw_loss().files()[".svg"].decode().lower()
    for trace in ("matplotlib", "metadata", "20" + time.strftime("%y-"), "dc:", str(Path.home())):
        assert trace not in svg


def test_saved_twice_the_bytes_are_the_same() -> None:
    figure, axes = subplots()
    axes.plot([1, 2], [3, 4], label="x")
    axes.set(xlabel="x", ylabel="y")
    axes.legend()
    first, second = (Figure(figure, alt=ALT).files() for _ in range(2))
    assert first == second == draw_again()


def draw_again() -> dict[str, bytes]:
    figure, axes = subplots()
    axes.plot([1, 2], [3, 4], label="x")
    axes.set(xlabel="x", ylabel="y")
    axes.legend()
    return Figure(figure, alt=ALT).files()


_SCRIPT = """
import hashlib, sys
import numpy as np
from generator.blocks.figure import Figure
from generator.blocks.style import subplots
fig, (left, right) = subplots(1, 2)
left.fill_between([0, 1, 2], [0, 1, 0], [1, 2, 1], alpha=0.3, hatch="/")
left.scatter([0, 1], [1, 1], c=[0.2, 0.7], clip_on=True)
right.imshow(np.arange(6.0).reshape(2, 3))
for axes in (left, right):
    axes.set(xlabel="x", ylabel="y")
print({k: hashlib.sha256(v).hexdigest() for k, v in Figure(fig, alt="two panels").files().items()})
"""


def test_same_bytes_whatever_the_process_hash_seed_time_and_matplotlibrc(tmp_path: Path) -> None:
    style = "lines.linewidth: 9\nfont.family: serif\naxes.facecolor: red\nsvg.fonttype: path\n"
    (tmp_path / "matplotlibrc").write_text(style)
    outputs = set()
    for seed, extra in (("0", {}), ("77", {"TZ": "Asia/Tokyo", "SOURCE_DATE_EPOCH": "1"})):
        environment = {**os.environ, "PYTHONHASHSEED": seed, **extra}
        root = Path(__file__).parents[2]
        environment["PYTHONPATH"] = str(root)
        folder = tmp_path if seed == "77" else root
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            cwd=folder, env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_data_of_lines_on_one_axis_are_columns() -> None:
    rows = draw_loss().files()[".csv"].decode().splitlines()
    assert rows[0] == "parameters N,measured,a N^{-b}"
    assert rows[1] == "1000000.0,3.5,3.4"
    assert len(rows) == 4


def test_data_of_unlike_series_are_rows() -> None:
    figure, axes = subplots()
    axes.plot([1, 2], [3, 4], label="line")
    axes.scatter([5], [6], label="points")
    axes.axhline(0.5)
    axes.set(xlabel="x", ylabel="y")
    rows = Figure(figure, alt=ALT).files()[".csv"].decode().splitlines()
    assert rows == ["series,x,y", "line,1,3", "line,2,4", "points,5.0,6.0"]


def test_data_of_bars_and_of_panels() -> None:
    figure, (left, right) = subplots(1, 2)
    left.bar(["a", "b"], [1.5, 2.5])
    left.set_title("counts")
    right.plot([1], [2])
    rows = Figure(figure, alt=ALT).files()[".csv"].decode().splitlines()
    assert rows[0] == "panel,series,x,y"
    assert rows[1:] == ["counts,1,a,1.5", "counts,1,b,2.5", "2,1,1,2"]


def test_data_of_lying_bars_with_error_bars() -> None:
    figure, axes = subplots()
    axes.barh([1, 2], [3, 4], xerr=[0.1, 0.2])
    axes.set(xlabel="loss", ylabel="model")
    rows = Figure(figure, alt=ALT).files()[".csv"].decode().splitlines()
    assert rows == ["loss,model", "3.0,1.0", "4.0,2.0"]


def test_data_of_a_heat_map() -> None:
    figure, axes = subplots()
    axes.imshow([[1, 2], [3, 4]])
    rows = Figure(figure, alt=ALT).files()[".csv"].decode().splitlines()
    assert rows == ["panel,row,column,value", "1,0,0,1", "1,0,1,2", "1,1,0,3", "1,1,1,4"]


def test_nothing_drawn_no_data() -> None:
    figure, _ = subplots()
    assert list(Figure(figure, alt=ALT).files()) == [".svg"]


def test_data_of_the_authors_own() -> None:
    columns = {"n": np.array([1, 2]), "x": np.array([0.1 + 0.2, 1e300])}
    assert draw_loss(data=columns).files()[".csv"] == b"n,x\n1,0.3\n2,1e+300\n"
    assert draw_loss(data=Table(columns)).files()[".csv"] == b"n,x\n1,0.3\n2,1e+300\n"
    with pytest.raises(GeneratorError, match="differ in length"):
        draw_loss(data={"n": [1], "x": [1, 2]})


def codes(figure: Figure) -> list[str]:
    return [problem.code for problem in figure.problems()]


def test_a_figure_in_order_has_no_problems() -> None:
    assert codes(draw_loss()) == []


def test_an_axis_without_label_is_told() -> None:
    figure, axes = subplots()
    axes.plot([1, 2], [3, 4])
    axes.set_xlabel("x")
    (problem,) = Figure(figure, alt=ALT).problems()
    assert (problem.code, problem.severity) == ("figure-label", "warning")
    assert "no label: y" in problem.message
    axes.axis("off")
    assert codes(Figure(figure, alt=ALT)) == []


def test_small_text_is_told() -> None:
    figure, axes = subplots()
    axes.set(xlabel="x", ylabel="y")
    axes.text(0.5, 0.5, "tiny", fontsize=8)
    assert codes(Figure(figure, alt=ALT)) == ["figure-text"]


def test_long_labels_widen_the_margin() -> None:
    figure, axes = subplots()
    axes.barh(["a rather long name of a model", "b"], [1, 2])
    axes.set(xlabel="x", ylabel="model")
    before = figure.subplotpars.left
    assert codes(Figure(figure, alt=ALT, data=False)) == []
    assert figure.subplotpars.left > before + 0.2


def test_text_beyond_the_page_is_told() -> None:
    figure, axes = subplots()
    axes.set(xlabel="x", ylabel="y")
    axes.text(-40, 0.5, "far out")
    assert "figure-clipped" in codes(Figure(figure, alt=ALT))


def test_tick_labels_over_each_other_are_told() -> None:
    figure, axes = subplots()
    axes.set(xlabel="x", ylabel="y")
    axes.set_xticks(np.linspace(0, 1, 12), [f"label {i}" for i in range(12)])
    assert "figure-overlap" in codes(Figure(figure, alt=ALT))


@pytest.mark.parametrize(("low", "high"), [(2e6, 9e8), (2.5e7, 7.6e8), (3e7, 8e7)])
def test_log_ticks_do_not_run_into_each_other(low: float, high: float) -> None:
    figure, axes = subplots()
    axes.plot([low, high], [1, 2])
    axes.set(xscale="log", xlabel="x", ylabel="y")
    assert codes(Figure(figure, alt=ALT)) == []
    labels = [t.get_text() for t in axes.get_xticklabels(which="both") if t.get_text()]
    assert len(labels) >= 1


def test_black_on_a_heat_map_stays_black() -> None:
    figure, axes = subplots()
    axes.pcolormesh(np.arange(4.0).reshape(2, 2))
    axes.text(0.5, 0.5, "dark", color="black")
    axes.text(1.5, 0.5, "ink")
    axes.set(xlabel="x", ylabel="y")
    texts = {
        text.text: text.get("style", "")
        for text in read_svg(Figure(figure, alt=ALT)).iter(f"{SVG}text")
    }
    assert "fill:#000" in texts["dark"] and "fill:var(--" in texts["ink"]


def test_settings_that_were_reset_are_loaded_again() -> None:
    import matplotlib

    before = draw_again()
    matplotlib.rcdefaults()
    assert draw_again() == before
    matplotlib.rcParams["lines.linewidth"] = 5  # a demo's own wish
    try:
        assert draw_again() != before
    finally:
        load_style(afresh=True)
    assert draw_again() == before


def test_white_grounds_from_outside_the_house_style_are_cleared() -> None:
    import matplotlib
    from matplotlib.figure import Figure as Plain

    with matplotlib.rc_context(matplotlib.rcParamsDefault):
        figure = Plain()
        axes = figure.subplots()
        axes.plot([1, 2], [3, 4], label="x")
        axes.legend()
        axes.set(xlabel="x", ylabel="y")
    svg = Figure(figure, alt=ALT).files()[".svg"].decode()
    assert "#ffffff" not in svg and "#fff" not in svg


def test_the_first_colours_are_the_palettes() -> None:
    _, axes = subplots()
    lines = [axes.plot([0, 1], [0, i])[0] for i in range(len(PALETTE))]
    assert tuple(line.get_color() for line in lines) == tuple(PALETTE)
    assert len({str(line.get_linestyle()) + str(line._dash_pattern) for line in lines}) == len(
        PALETTE
    )
