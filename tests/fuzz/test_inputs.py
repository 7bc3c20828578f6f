"""Whatever a file holds, the answer is a page or a problem: no traceback, no hang."""

from __future__ import annotations

import json
import string
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from generator.bibliography import convert_bibliography
from generator.errors import GeneratorError, UsageError
from generator.front_matter import read_front_matter
from generator.history import read_known
from generator.lint.bib import read_bibliography
from generator.notebook import scaffold_notebook
from generator.notes import Note, read_note
from generator.record import Record, dump_record, load_record
from generator.render import Renderer
from generator.results import decode
from generator.settings import Settings, load_settings
from generator.site import standing_in
from tests.conftest import CONFIG, Site

SHORT = settings(
    max_examples=60,
    deadline=5_000,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    derandomize=True,
)
LONG = settings(SHORT, max_examples=10_000, derandomize=False)

RESULTS = {"n": 3, "share": 0.0735, "rows": [1.5, -2e-9], "word": "a|b*c_", "fit": {"a": 1}}
WORDS = [
    *("<%=", "<%", "<%#", "<%%", "%>", "-%>", "n", "share", "rows", "word", "fit.a", "zz", "1.5"),
    *("for i in rows", "endfor", "if n", "else", "endif", "set a = n", "claim n > 2", "endclaim"),
    *("macro m(x)", "endmacro", "m(1)", "call m(2)", "endcall", "filter upper", "endfilter"),
    *(
        "| claim('0.07')",
        "| sig(2)",
        "| fixed(1)",
        "| percent",
        "| sci",
        "| si('m')",
        "include 'x'",
    ),
    *("(", ")", "[", "]", "{", "}", "'", '"', "\\", "~", "|", "+", "-", "*", "**", "==", "="),
    *("\n", "\n\n", "    ", "- ", "> ", "# ", "```", "`", "$", "$$", r"\(", r"\)", r"\[", r"\]"),
    *("| a | b |\n| --- | --- |\n| ", "<b title='", "<!--", "-->", "[x](", "![", "{{< a ", ">}}"),
    *("---\n", "+++\n", "\r\n", "\ufeff", "\u2028", "\x00", "\x01{", "}\x01", "zz0zz", "é", "𝔸"),
    *("*", "**", "_", "~~", "[^1]", "[^1]: ", "&amp;", "&", "<script>", "</script>", "{.a #b}"),
    *("Listing('d.py')", "FileTree('.')", "claims_table()", "Tex('x')", "Md('*x*')", "word * 9"),
]
BODIES = st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=25).map(" ".join)


def render(home: Path, text: str) -> None:
    (home / "d.py").write_text("# a file\n")
    renderer = Renderer(Settings(home), lambda path: text if path.endswith("x") else None)
    note = Note("note", "templates/notes/note.md", "page.md", text, demo="demos/d.py")
    with standing_in(home, confined=True):
        rendered = renderer.render(note, RESULTS)
    told = any(problem.is_error for problem in rendered.problems)
    assert rendered.text or told or not text.startswith("---")
    assert all(problem.line >= 0 for problem in rendered.problems)


@SHORT
@given(BODIES)
@example("<%= [zz.a, 1] %>")
@example("<%= 1 if n > 5 %>")
@example("<% raw %><%= n %><% endraw %>")
def test_templates(tmp_path: Path, body: str) -> None:
    render(tmp_path, "---\ntitle: T\n---\n" + body)


@pytest.mark.soak
@LONG
@given(BODIES, st.booleans())
def test_templates_at_length(tmp_path: Path, body: str, has_front: bool) -> None:
    render(tmp_path, "---\ntitle: T\n---\n" * has_front + body)


PARTS = [
    *("title: ", "demo: ", "seed: ", "params: ", "timeout: ", "memory: ", "slug: ", "large: "),
    *("freeze: ", "date: ", "tags: ", "math: ", "2026-01-02", "2026-13-45", "1e999", "0x1F", "07"),
    *(
        "true",
        "null",
        "~",
        "[",
        "]",
        "{",
        "}",
        ": ",
        ":",
        ",",
        "- ",
        "'",
        '"',
        "|",
        ">",
        "&a ",
        "*a",
    ),
    *("!!python/object:os.system ", "!!binary ", "!!set ", "? ", "<<: ", "\n", "\n  ", "\t", "#"),
    *(
        "%YAML 1.1\n",
        "...",
        "<%= n %>",
        "<%",
        "%>",
        "é",
        "\x00",
        "\ud7ff",
        "=",
        " = ",
        "[a]",
        "[[b]]",
    ),
    *(
        "'''",
        '"""',
        "-1",
        "3",
        "99999999999999999999",
        ".nan",
        "-.inf",
        "sums",
        "../x",
        "\r",
        "\x85",
    ),
]
FRONTS = st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=20).map("".join)


def discover(site: Site, front: str, mark: str) -> None:
    site.demo("sums", "return {}")
    text = f"{mark}\n{front}\n{mark}\nbody\n"
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return
    site.write("templates/notes/n.md", data)
    try:
        read_front_matter(text, "n.md")
        note = read_note(Settings(site.root, demos="demos"), "templates/notes/n.md")
        assert note.demo in (None, "demos/sums.py")
    except GeneratorError as error:
        assert all(problem.path for problem in error.problems)


@SHORT
@given(FRONTS, st.sampled_from(["---", "+++"]))
@example("params: &a [*a]", "---")
@example("params: {a: &a [*a]}", "---")
@example("params: {1: 2}", "---")
@example("seed: 1\n...\n---\n", "---")
@example("title: " + "[" * 2000, "---")
@example("a = " + "[" * 2000, "+++")
@example("demo: 2026-13-45", "---")
@example("d: 2026-02-30", "---")
@example("? [a]\n: b", "---")
@example("a: !!int x", "---")
@example("a: !!timestamp x", "---")
@example("a: 1e999\nseed: .inf\ntimeout: .nan\nmemory: 1", "---")
def test_front_matter(site: Site, front: str, mark: str) -> None:
    discover(site, front, mark)


@pytest.mark.soak
@LONG
@given(FRONTS, st.sampled_from(["---", "+++"]))
def test_front_matter_at_length(site: Site, front: str, mark: str) -> None:
    discover(site, front, mark)


KEYS = st.sampled_from(
    [*Record.__slots__, "version", "seal", "files", "folders", "environment", "$block", "$float"]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
JSON: st.SearchStrategy[Any] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4)
)


def mutate(text: str, where: float, how: str, piece: str) -> str:
    at = int(where * len(text))
    return {
        "cut": text[:at],
        "insert": text[:at] + piece + text[at:],
        "replace": text[:at] + piece + text[at + len(piece) :],
        "repeat": text[:at] + text[max(0, at - 40) :],
        "delete": text[:at] + text[at + 1 + len(piece) :],
    }[how]


def a_record() -> str:
    return dump_record(
        Record("n", "templates/notes/n.md", results={"x": 1.5, "t": {"$tex": "y"}}, seed=3)
    )


def read_record(site: Site, text: str) -> None:
    site.write("data/notes/n.json", text.encode("utf-8", "surrogatepass"))
    record = load_record(text)
    known = read_known(Settings(site.root), "n", {})
    assert known.record is None or record is not None
    site.note("n", "Words.")
    report = site.build()
    assert report.notes[0].status in ("built", "failed", "unchanged")
    assert site.read("content/notes/n.md") if not report.failed else report.notes[0].problems


EDITS = st.tuples(
    st.floats(0, 1), st.sampled_from(["cut", "insert", "replace", "repeat", "delete"]),
    st.sampled_from(["", "{", "}", "[", "]", '"', ",", ":", "null", "1", "-", "é", "\x00", "<<<<<<<"]),
)  # fmt: skip


@SHORT
@given(st.lists(EDITS, max_size=4))
def test_records_mutated(site: Site, edits: list[tuple[float, str, str]]) -> None:
    text = a_record()
    for edit in edits:
        text = mutate(text, *edit)
    read_record(site, text)


@SHORT
@given(st.dictionaries(KEYS, JSON, max_size=8))
@example({"version": 1, "slug": "n", "template": "t", "outputs": {"../../evil": "0"}})
@example({"version": 1, "slug": "n", "template": "t", "results": {"x": {"$block": "figure"}}})
def test_records_of_any_content(site: Site, data: dict[str, Any]) -> None:
    whole = {"version": json.loads(a_record())["version"], "slug": "n", "template": "t"} | data
    read_record(site, json.dumps(whole))


@pytest.mark.soak
@settings(LONG, max_examples=2_000)
@given(st.dictionaries(KEYS, JSON, max_size=8), st.lists(EDITS, max_size=4))
def test_records_at_length(
    site: Site, data: dict[str, Any], edits: list[tuple[float, str, str]]
) -> None:
    whole = json.loads(a_record()) | data
    text = json.dumps(whole)
    for edit in edits:
        text = mutate(text, *edit)
    read_record(site, text)


@SHORT
@given(JSON)
def test_results_of_any_content(data: Any) -> None:
    known = (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError)
    with suppress(*known):  # whoever decodes a record that is not sealed computes it anew
        decode(data)


BIB = [
    *("@article{", "@book{", "@string{", "@comment{", "@preamble{", "@", "key", ",", "=", "{", "}"),
    *(
        '"',
        "title",
        "author",
        "year",
        "month",
        "pages",
        " and ",
        "Knuth, Donald",
        "von ",
        "jan",
        "#",
    ),
    *(r"\'{e}", r"\ss", r"{\"o}", r"\textit{", "$x$", "$", "%", "~", "\\", "--", "\n", "2026", "é"),
    *("doi", "url", "http://x", "date", "2026-02", "abbr", "(", ")", "\x00", "&", "_", "𝔸", ","),
]
BIBS = st.lists(st.sampled_from(BIB) | st.text(max_size=3), max_size=25).map("".join)


def convert(text: str) -> None:
    read_bibliography(text)
    try:
        items = convert_bibliography(text, "refs.bib")
    except GeneratorError as error:
        assert error.problems[0].path == "refs.bib"
    else:
        json.dumps(items)


@SHORT
@given(BIBS | BIBS.map(lambda text: "@article{k, title={" + text + "}}"))
@example("@article{a, author = {a, b, c, d, e}}")
@example("@article{a, author = { and }}")
@example("@article{a, title = {\\'}}")
@example("@article{a, title = {\\}, author = {\\}}")
@example("@article{a, title = {" + "{" * 900 + "}" * 900 + "}}")
@example("@a{a, x = b}\n@a{a, x = {c}}")
def test_bibliographies(text: str) -> None:
    convert(text)


@pytest.mark.soak
@LONG
@given(BIBS | BIBS.map(lambda text: "@article{k, title={" + text + "}, author={" + text + "}}"))
def test_bibliographies_at_length(text: str) -> None:
    convert(text)


def take_over(text: str) -> None:
    try:
        scaffold_notebook(text, "n.ipynb", "a-note", "A note")
    except UsageError as error:
        assert error.problems[0].path == "n.ipynb"


CELLS = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw", "zz"]), "metadata": st.just({})},
    optional={
        "source": st.text(max_size=30) | st.lists(st.text(max_size=9), max_size=3) | st.integers(),
        "outputs": st.just([]) | st.none(),
        "execution_count": st.none() | st.text(max_size=2),
        "id": st.text(string.ascii_letters, max_size=4),
    },
)


@SHORT
@given(
    st.text(max_size=40)
    | JSON.map(json.dumps)
    | st.builds(
        lambda cells, minor: json.dumps(
            {"nbformat": 4, "nbformat_minor": minor, "metadata": {}, "cells": cells}
        ),
        st.lists(CELLS, max_size=4),
        st.integers(-1, 9),
    )
)
@example('{"cells": []}')
@example('{"nbformat": 4, "cells": "x"}')
@example('{"nbformat": 3, "worksheets": []}')
@example("[" * 100_000)
def test_notebooks(text: str) -> None:
    pytest.importorskip("nbformat")
    take_over(text)


SETTINGS = [
    *(
        "[params]\n",
        "[params.generator]\n",
        "[params.generator.lint]\n",
        "contentDir = ",
        "theme = ",
    ),
    *("templates = ", "demos = ", "section = ", "figures = ", "significantDigits = ", "timeout = "),
    *("memory = ", "staticDir = ", "dataDir = ", "sourceURL = ", "zz = ", "ignore = ", "params = "),
    *(
        '"x"',
        '"../x"',
        '"/x"',
        '""',
        '"a//b"',
        '"a\\\\..\\\\b"',
        "3",
        "-1",
        "1e9",
        "nan",
        "true",
        "[]",
    ),
    *(
        "{}",
        '["a"]',
        '"~"',
        '"."',
        '"./a"',
        "'''",
        '"""',
        "\n",
        "=",
        "[",
        "]",
        "#",
        "{",
        "é",
        "\x00",
    ),
]


@SHORT
@given(st.lists(st.sampled_from(SETTINGS) | st.text(max_size=3), max_size=12).map("".join))
@example("[params.generator]\ntimeout = nan\n")
@example("[params.generator]\ntimeout = -1\n")
@example("[params.generator]\nmemory = -5\n")
@example('[params.generator]\nfigures = "."\n')
@example('[params.generator]\ndemos = "./x"\n')
@example('[params.generator]\ndemos = "a\\u0000b"\n')
@example("params = 3\n")
@example("[params]\ngenerator = []\n")
@example("[params.generator]\nlint = 3\n")
@example("theme = 3\n[module]\nmounts = [3]\n")
@example("[params]\nentrySets = 3\n")
@example("[params.entrySets]\na = 3\n")
@example("[module.mounts]\na = 3\n")
@example("markup = 3\ntaxonomies = 3\n")
def test_settings(site: Site, text: str) -> None:
    configure(site, text)


def configure(site: Site, text: str) -> None:
    site.write("hugo.toml", text.encode("utf-8", "surrogatepass"))
    site.note("n", "Words.")
    try:
        loaded = load_settings(site.root)
        folders = (loaded.templates, loaded.demos, loaded.section, loaded.figures)
        assert not any(".." in folder.split("/") or folder.startswith("/") for folder in folders)
        site.build()
    except UsageError as error:
        assert error.problems[0].path == "hugo.toml"
    except GeneratorError as error:
        assert error.problems
    finally:
        site.write("hugo.toml", CONFIG)
    outside = {path.name for path in site.root.parent.iterdir()}
    assert outside == {"site"}


@pytest.mark.soak
@settings(LONG, max_examples=3_000)
@given(st.lists(st.sampled_from(SETTINGS) | st.text(max_size=3), max_size=20).map("".join))
def test_settings_at_length(site: Site, text: str) -> None:
    configure(site, text)
