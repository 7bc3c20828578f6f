"""The targets: everything in the generator that reads a text somebody else wrote."""

from __future__ import annotations

import ast
import json
import tokenize
import tomllib
from contextlib import suppress
from dataclasses import replace
from functools import cache

from generator import Listing, Table
from generator.algorithms import checks, compose, listing, shapes
from generator.algorithms.block import Algorithm
from generator.algorithms.formulas import read_formula
from generator.algorithms.katex import check_math
from generator.algorithms.lines import check_lines
from generator.algorithms.pseudocode import check_pseudocode, check_text
from generator.algorithms.source import read_program
from generator.algorithms.steps import Program
from generator.algorithms.symbols import write_symbol
from generator.algorithms.tokens import UnreadableError
from generator.algorithms.vocabulary import Vocabulary, make_vocabulary, spell
from generator.bibliography import convert_bibliography, dump_items
from generator.blocks.base import Where
from generator.blocks.comments import read_comment
from generator.claims import check_claim
from generator.commands.run import _param
from generator.compare import compare_tables
from generator.configuration import add_toml, add_yaml
from generator.facts import gather_facts
from generator.front_matter import FrontMatters, read_front_matter
from generator.index import read_index
from generator.init import find_missing
from generator.lint import EntrySet, Facts, fix_note, lint_note, site_problems
from generator.lint.anchors import find_anchors
from generator.lint.bib import read_bibliography
from generator.notebook import scaffold_notebook
from generator.notes import Note, read_note
from generator.numerals import find_numerals, fix_numerals
from generator.places import PLACEHOLDER, fill_places, find_places, placeholder
from generator.publish import read_journals
from generator.quick import INDEX, count_fresh_notes, header
from generator.record import dump_record, is_sealed, load_record, split_conflict
from generator.render import Renderer
from generator.results import decode
from generator.scaffold import _from_note
from generator.scanner import scan_template
from generator.sentences import sentence_at
from generator.settings import Settings, load_settings, read_config
from generator.site import standing_in
from generator.site_pages import SitePages
from generator.values import Md, Tex, parse_format
from generator.values.digits import parse_literal
from tests.fuzz.targets import put, read_seeds, scratch, target, told
from tests.fuzz.test_inputs import BIB, PARTS, RESULTS, SETTINGS, WORDS, a_record

NOTES = read_seeds("templates/notes/*.md")
PAGES = read_seeds("content/notes/*.md", "docs/first-note.md")
MARKDOWN = [word for word in WORDS if "%" not in word][20:]
PLACES = [placeholder(i) for i in (1, 2, 3, 4, 5)]
FRONT = "---\ntitle: T\n---\n"


@target("scanner", WORDS, [*NOTES, "a <%= 'x' %>\n<%# c %>\n<%% b"], 50_000)
def scan(text: str) -> None:
    with told("n.md"):
        pieces = scan_template(text, "n.md")
        assert all(1 <= piece.line <= text.count("\n") + 1 for piece in pieces)
        assert "<%" in text or "".join(piece.text for piece in pieces) == text


@target("adopted", WORDS, [*PAGES, "<% a %>\n<%\n"], 50_000)
def adopt(text: str) -> None:
    with told("n.md"):
        template = _from_note(text, "n.md", "n").template
        pieces = scan_template(template, "n.md")
        assert {piece.kind for piece in pieces} <= {"text"}, "text taken for a tag"
        assert "".join(piece.text for piece in pieces) == text


@target("front", PARTS, [FRONT, "+++\na = 1\n+++\n", *NOTES[:3]], 50_000)
def read_front(text: str) -> None:
    site, name = scratch(), "templates/notes/n.md"
    put("demos/sums.py", "")
    for mark in ("---", "+++"):
        whole = text if text.startswith((mark, "\ufeff")) else f"{mark}\n{text}\n{mark}\nbody\n"
        fronts = FrontMatters()
        with told("n.md"):
            read = read_front_matter(whole, "n.md")
            for _ in range(2):  # the second time from what it kept
                assert repr(fronts.read(whole, "n.md")) == repr(read)
        put(name, whole)
        with told(name):
            assert read_note(Settings(site), name).demo in (None, "demos/sums.py")


@target("places", [*PLACES, *MARKDOWN], [FRONT + " ".join(PLACES), *PAGES], 50_000)
def place(text: str) -> None:
    values = {1: 0.0735, 2: "a|b*c_`<", 3: Tex("x_1"), 4: Md("*m*"), 5: True}
    spots = find_places(text)
    assert set(spots) == {int(match[1]) for match in PLACEHOLDER.finditer(text)}
    assert fill_places(text, {}, digits=4, block_markdown=str) == text
    with suppress(ExceptionGroup):
        filled = fill_places(text, values, digits=4, block_markdown=str)
        left = {int(match[1]) for match in PLACEHOLDER.finditer(filled)}
        assert left <= set(spots) - set(values), "a value is not there"


def render_text(text: str) -> None:
    put("d.py", "# a file\n")
    text = text if text.startswith("---") else FRONT + text
    renderer = Renderer(Settings(scratch()), lambda path: text if path.endswith("x") else None)
    note = Note("note", "templates/notes/note.md", "page.md", text, demo="demos/d.py")
    with standing_in(scratch(), confined=True):
        rendered = renderer.render(note, RESULTS)
    told_of = any(problem.is_error for problem in rendered.problems)
    assert rendered.text or told_of or text == FRONT, "nothing came, and nothing was told"
    assert all(problem.line >= 0 and problem.message for problem in rendered.problems)


target("templates", WORDS, [FRONT + "It is <%= n %>.", *NOTES[:2]], 5_000)(render_text)


@target("numerals", [*WORDS, "3", "0.0735", "7.35%", "1.5", "2e-9", "-", "10^{-9}"], NOTES, 20_000)
def look_for_numerals(text: str) -> None:
    results = {**RESULTS, "huge": 1e300, "none": None, "bad": float("nan")}
    problems = find_numerals(text, results, path="n.md", params={"steps": 100})
    assert all(1 <= p.line <= text.count("\n") + 1 and p.column >= 1 for p in problems)
    fixed = fix_numerals(text, results)
    assert fix_numerals(fixed, results) == fixed, "fixed twice, it changes twice"


@target("sentences", WORDS, NOTES, 50_000)
def tell_sentence(text: str) -> None:
    for line in (1, text.count("\n") // 2 + 1, text.count("\n") + 1):
        sentence_at(text, line, "n")


RECORD = [*('"', "{", "}", "[", "]", ",", ":", "null", "true", "-1", "1e999", "NaN", "\\ud800")]
RECORD += ['"slug"', '"template"', '"results"', '"outputs"', '"computed"', '"files"', '"version"']
RECORD += ['"$block"', '"$float"', '"$complex"', '"$date"', '"$measure"', '"table"', '"$tex"']
RECORD += ["<<<<<<< a\n", "=======\n", ">>>>>>> b\n", "||||||| c\n", '"../x"', '"seed"', '"claims"']


RECORDS = (
    '"results": {"x": {"$block": "table", "headers": ["a"], "rows": [[1]]}}, "claims": [{}]}',
    '"computed": {"files": {"a": "0"}, "folders": {}}, "outputs": {"a": "0"}, "seed": 3}',
    '<<<<<<< a\n"seed": 1}\n=======\n"seed": 2}\n>>>>>>> b\n',
)


@target("records", RECORD, [a_record(), *RECORDS], 50_000)
def read_record(text: str) -> None:
    is_sealed(text)
    sides = split_conflict(text)
    for part in (text, '{"version": 1, "slug": "n", "template": "t",' + text, *sides):
        record = load_record(part)
        if record is None:
            continue
        known = (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError)
        with suppress(*known):  # whoever decodes a record that is not sealed computes it anew
            decode(dict(record.results))
        with suppress(ValueError):  # NaN, which no record holds
            assert load_record(dump_record(record)) == record


INDEXED = ["s 1 2 3 - ", "a - - - - ", "d - - - - ", "e - - - - HOME", "end\n", "-", " ", "x", "/"]


@target("index", INDEXED, ["1\ns 1 2 3 4 a\ne - - - - HOME\na - - - - b\nend\n"], 50_000)
def read_stamps(text: str) -> None:
    for whole in (text, f"{header()}\n{text}"):
        put(INDEX, whole)
        read_index(Settings(scratch()))
        count_fresh_notes(str(scratch()))


@target("journals", RECORD, ['{"a": ["0"]}', '{"a": {"b": 1}}', "[]"], 50_000)
def read_journal(text: str) -> None:
    put(".generator/journal/n.json", text)
    read_journals(scratch())


@target(
    "bib",
    BIB,
    read_seeds("tests/fixtures/forms/assets/bib/*.bib", "tests/lint/site/assets/bib/*"),
    10_000,
)
def read_bib(text: str) -> None:
    for whole in (text, "@article{k, title={" + text + "}, author={" + text + "}}"):
        bibliography = read_bibliography(whole)
        lines = [fault.line for fault in bibliography.faults] + [*bibliography.keys.values()]
        assert all(1 <= line <= whole.count("\n") + 1 for line in lines)
        with told("refs.bib"):
            dump_items(convert_bibliography(whole, "refs.bib"))


def is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


CELLS = [*RECORD, '"cells"', '"cell_type"', '"code"', '"markdown"', '"source"', '"metadata"']
CELLS += ['"nbformat"', '"nbformat_minor"', "%%time", "!ls", "import a", "def f():", "'''", "# T"]


@target("notebooks", CELLS, ["import os\nx = 1\n", "# T\n%%bash", "x = '''\na\n'''"], 10_000)
def take_notebook(text: str) -> None:
    from nbformat import v4

    code, _, prose = text.partition("\x00")
    book = v4.new_notebook(cells=[v4.new_code_cell(code), v4.new_markdown_cell(prose or code)])
    for whole in (text, json.dumps(book)):
        with told("n.ipynb"):
            made = scaffold_notebook(whole, "n.ipynb", "a-note", "A note")
            assert read_front_matter(made.template, "n.md")[0]["demo"] == "a_note"
            scan_template(made.template, "n.md")
            assert not is_python(code) or is_python(made.demo), "the demo is not Python"


TOML = [*SETTINGS, "[module]\n", "mounts = ", "[[module.mounts]]\n", "source = ", "target = "]
TOML += [
    "[markup]\n",
    "markup = ",
    "goldmark",
    "[markup.goldmark]\n",
    ".renderer",
    "unsafe = ",
    ".",
]
TOML += [
    "[languages.en]\n",
    "languages = ",
    "outputs",
    ".home",
    "extensions",
    "[params.entrySets]\n",
]
TOML += [
    "[Params]\n",
    "mainSections = ",
    "taxonomies = ",
    "passthrough",
    "enable = ",
    "delimiters = ",
]
MOUNTS = '[module]\nmounts = [{source = "x", target = "y"}]\n[[params.a]]\nb = 1\n'


@target("toml", TOML, [*read_seeds("hugo.toml"), "[params]\na = 1\n", MOUNTS], 20_000)
def configure_toml(text: str) -> None:
    configure("hugo.toml", text)


YAML = [*(f"{word[1:-2]}:\n  " for word in SETTINGS[:3]), "params: ", "module:\n  mounts: ", "- "]
YAML += [
    *(word.replace(" = ", ": ") for word in SETTINGS[3:]),
    "\n  ",
    "markup: ",
    "~",
    "2026-13-45",
]


@target("yaml", YAML, ["params:\n  generator:\n    timeout: 3\ntheme: x\n"], 10_000)
def configure_yaml(text: str) -> None:
    configure("hugo.yaml", text)


def configure(name: str, text: str) -> None:
    for known in ("hugo.toml", "hugo.yaml"):
        put(f"site/{known}", text if known == name else None)
    root = scratch() / "site"
    with told():
        settings = load_settings(root)
        site_problems(gather_facts(root))
        _, config = read_config(root)
        missing = find_missing(settings, config)
        if name == "hugo.toml":
            added = ""
            with suppress(ValueError):
                added = add_toml(text, missing)
            assert not added or not find_missing(settings, tomllib.loads(added))
        else:
            add_yaml(text, missing)


FULL = Facts(
    config={"params": {}},
    themes=("scidraft-static",),
    shortcodes={"a": False, "preview": True, "entry-a-to-z": False, "references": False},
    content=frozenset({"notes/a.md", "notes/_index.md"}),
    static=frozenset({"x.png"}),
    assets=frozenset({"bib/refs.bib"}),
    pages={"/notes/a/": frozenset({"b"}), "/": frozenset()},
    entry_sets=(EntrySet("terms", "entry", "category", "aliases", "summary"),),
    bibs={"bib/refs.bib": read_bibliography("@a{k, title={T}}")},
)
LINTED = [*MARKDOWN[:80], "title: ", "---\n", "[@k]", "{{< preview >}}", "{{< /preview >}}"]
LINTED += ["{{< references >}}", "bibliography: ", "entry: ", "<!-- lint-ignore ", "-->", "date: "]


@target("linter", LINTED, [*PAGES, *read_seeds("tests/lint/site/content/**/*.md")[:12]], 5_000)
def lint(text: str) -> None:
    for facts in (FULL, Facts(), replace(FULL, themes=("scidraft",), base_path="/lab/")):
        for problem in lint_note("content/notes/n.md", text, facts):
            assert 1 <= problem.line <= text.count("\n") + 1 and problem.column >= 1, problem
            assert problem.message and "\n" not in problem.message, problem
    fixed = fix_note("content/notes/n.md", text, FULL)
    assert fix_note("content/notes/n.md", fixed, FULL) == fixed, "mended twice, it changes twice"


@target("pages", LINTED, [*PAGES, "---\nurl: /a/\naliases:\n - b\n---\n# A\n"], 50_000)
def read_pages(text: str) -> None:
    file = put("pages/n.md", text)
    find_anchors(text)
    pages = SitePages([("notes/n.md", str(file)), ("notes/_index.md", str(file))])
    assert all(isinstance(pages[address], frozenset) for address in pages)


COMMANDS = r"\begin{algorithm} \end{algorithm} \begin{algorithmic} \end{algorithmic} \State \For "
COMMANDS += r"\EndFor \If \Else \ElsIf \EndIf \While \EndWhile \Return \Require \Ensure \Comment "
COMMANDS += r"\caption \Call \Function \EndFunction \Procedure \EndProcedure \Repeat \Until \Print "
COMMANDS += r"\ForAll \Input \Output \To \True \And \textbf \texttt \( \) $ { } [1] [H] % \\ \{ \} "
COMMANDS += r"\begin \end \left \right \frac \sqrt \text ^ _ & # ~ x"
PSEUDO = r"""\begin{algorithm}[H]
\caption{A \(x\)}
\begin{algorithmic}[1]
\Require \(x\)
\For{\(i = 1\)}
\State \(y \leftarrow x\) \Comment{z}
\EndFor
\Return \Call{F}{x}
\end{algorithmic}
\end{algorithm}
"""


@target("pseudocode", COMMANDS.split(), [PSEUDO, r"Set \(x\)"], 50_000)
def read_pseudocode(text: str) -> None:
    lines = text.count("\n") + 1
    assert all(1 <= line <= lines and at >= 1 for line, at, *_ in check_pseudocode(text))
    check_text(text)
    assert all(0 <= offset <= len(text) for offset, *_ in check_math(text))


LATEX = (
    r"\leftarrow \in \land \lor \neg \ldots \cdots \cdot \times \frac \sqrt \sum \prod \max_ \min_"
)
LATEX += r" \mathbb{R} \mathbb{N} \mathrm \mathbf \operatorname \left \right \lvert \rvert \lVert"
LATEX += (
    r" \rVert \lfloor \rfloor \lceil \rceil \{ \} { } ( ) [ ] ^ _ ^{ _{ ^\top ^{-1} , = \le \ge"
)
LATEX += (
    r" \ne < > \approx + - \pm / ! ' | \mid : ; . \; \quad \, & 0 1 2.5 10^{-7} x y i W K_{i,:}"
)
LATEX += (
    r" \eta d_k \text{if} \begin{cases} \end{cases} \\ \odot \otimes \exp \log \top \infty \partial"
)
FORMULAS = (
    r"x \leftarrow \frac{1}{2} (x + \frac{a}{x})",
    r"W \in \mathbb{R}^{d_k \times n}",
    r"i = 1, \ldots, n",
    r"s_i = \sum_{j=1}^{n} \exp(x_j) \le \lVert x \rVert_2^2",
    r"K_{i,:} \leftarrow \operatorname{softmax}\left(\frac{x y^\top}{\sqrt{d_k}}\right)",
    r"y \leftarrow \begin{cases} 1 & \text{if } x > 0 \\ 0 & \text{otherwise} \end{cases}",
)


@cache
def vocabulary() -> Vocabulary:
    where = [(r"\eta", "rate"), ("d_k", "K.shape[1]")]
    return make_vocabulary(where, ["x", "y", "i", "n", "W", "K", "a", "s"], ["softmax", "f"])


@target("formulas", LATEX.split(), FORMULAS, 50_000)
def read_latex(text: str) -> None:
    with suppress(UnreadableError):
        read_formula(text, vocabulary())
    with suppress(UnreadableError):
        spell(text)
    if text.isidentifier():
        write_symbol(text)


PYTHON = (
    r"def f(x): @algorithm('A') return for in range( while if elif else: else break continue # #: "
)
PYTHON += (
    r"#~ #- #& #? [label] Require: Ensure: Where: Input: \(x\) \(x\leftarrow1\) is \( \) x y i n"
)
PYTHON += (
    r" np. .T .shape[0] .sum() .reshape( axis=0 keepdims=True sqrt( exp( max( len( ( ) [ ] { } , "
)
PYTHON += (
    r": = += -= *= @ ** // % & | ~ ^ < <= == != not and or is lambda None True 1 2.5 1e-9 -1 :, "
)
PYTHON += r"... with try: except: raise assert yield await async import ''' r''' ' := * zeros( f'"
STEPS = '''@algorithm("A")
def f(x, n):
    r"""
    Require: \\(x \\in \\mathbb{R}^n\\)
    Where: \\(\\eta\\) is n
    """
    # [a] Take it:
    for i in range(n):
        #? i < n
        x[i] = np.sqrt(x[i] / 2) + 1  #: \\(x_i \\leftarrow x_i\\)
    if n > 1:
        x, y = x @ x.T, x.sum(axis=0)  #&
        x += 1
    else:
        x = x[:, 0]  #- hidden
    return x
'''


@target(
    "programs",
    [*PYTHON.split(), "\n    ", "\n        "],
    [STEPS, STEPS[13:], "def f(x):\n x\n"],
    20_000,
)
def read_algorithm(text: str) -> None:
    try:
        tree = ast.parse(text)
        compile(tree, "d.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return  # no demo: Python has told already
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            with suppress(LookupError, SyntaxError, tokenize.TokenError):
                program = read_program(text, "d.py", line, node.name, "A caption")
                print_program(text, program)


def print_program(text: str, program: Program) -> None:
    known = checks.prepare_vocabulary(program, ["softmax"])
    printed = compose.compose_lines(
        program, shapes.Shapes(checks.find_shapes(program, known)), lambda name: name == "g"
    )
    checks.prepare_checks(program, printed.texts, known)
    check_lines("A caption", printed.lines)
    block = Algorithm("A", lines=printed.lines, source=listing.cut_listing(text, program))
    where = Where("n", "a", 4)
    for form in (block, block.listing(), block.as_list()):
        form.to_markdown(where)
        json.dumps(form.to_data(), allow_nan=False)


FORMS = "sig fixed sci percent si binary thousands unit plus_minus short literal allow_nan ( ) | , = 'm'"
FORMS += (
    " 1 3 -1 99 1e9 digits= name= n= None [ ] { } ** * 0.5 True lambda: f'' 10**9 # x . 'µs' value="
)


@target(
    "formats",
    [*FORMS.split(), *"0123456789+-×⁻%,.eE^{}"],
    ["fixed(3)", "sig(3) | thousands"],
    20_000,
)
def form(text: str) -> None:
    for value in (0.0735, 12, -2e-9, float("nan"), [1.5, 2]):
        with told():
            Table({"a": [value]}, formats={"a": text})
    with told():
        parse_format(text)
    for value in (0.0735, 3):
        with told():
            parse_literal(text)
        with told():
            check_claim(value, text)
        with told():
            check_claim(value, below=text, above=text)


@target("tables", [*MARKDOWN, "|", "\\|", "`"], ["a\nb\n1\nx|y", "A\n`|`\n$a|b$\n*c*"], 20_000)
def make_table(text: str) -> None:
    from markdown_it import MarkdownIt

    header, *cells = text.split("\n")
    with told():
        written = Table([[cell, 1.5] for cell in cells] or [["", 1]], columns=[header, "n"])
        markdown = written.to_markdown(Where("n", "", 4))
        kinds = [t.type for t in MarkdownIt().enable("table").parse(markdown)]
        assert kinds.count("td_open") == 2 * max(len(cells), 1), "the table fell apart"
    with told():
        fence = Listing(text + "\n", language="text")
        tokens = MarkdownIt().parse(fence.to_markdown(Where("n", "a", 4)))
        assert [t.type for t in tokens] in (["fence"], ["html_block"]), "the fence ended early"


SUFFIXES = (".py", ".csv", ".md", ".toml", ".js", ".npy", ".tex", ".sql", "")
HEADS = [
    "#!",
    "# ",
    '"""',
    "'''",
    "/*",
    "*/",
    "//",
    "--",
    "%",
    "<!--",
    "-->",
    "---\n",
    ",",
    '"',
    "\t",
]
HEADS += [
    "\x93NUMPY\x01\x00v\x00",
    "{'descr': '<f8', 'shape': (3,)}",
    "coding: utf-8",
    "1e999",
    "nan",
]


@target("comments", HEADS, ['"""Doc."""\n', "a,b\n1,2\n", "# x\n", HEADS[15] + HEADS[16]], 20_000)
def read_heads(text: str) -> None:
    for suffix in SUFFIXES:
        content = text.encode("latin-1", "replace") if suffix == ".npy" else text
        file = put(f"files/f{suffix}", content)
        assert isinstance(read_comment(file), str)
    before, _, after = text.partition("\x00")
    compare_tables(before.encode("utf-8", "replace"), (after or before).encode("utf-8", "replace"))


@target("parameters", [*PARTS, "a=", "lr="], ["a=1", "a=[1, 2]", "a={b: 2026-01-02}"], 20_000)
def read_parameter(text: str) -> None:
    for whole in (text, f"a={text}"):
        with told():
            _param(whole)
