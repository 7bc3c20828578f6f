"""What the linter says about Hugo, held against Hugo itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from random import Random

import pytest
from lint_cases import SITE, Case, all_cases, site_facts

from generator.facts import gather_facts
from generator.hugo import hugo_program
from generator.lint import CODES, fix_note, lint_note, site_problems
from generator.lint.note import read_note

STOPS_HUGO = (
    "front-matter",
    "tags-list",
    "shortcode-syntax",
    "shortcode-unknown",
    "shortcode-unbalanced",
    "link-ref",
    "date",
)
LAYOUTS = {
    "page.html": "{{ range .Params.tags }}{{ . }}{{ end }}<main>{{ .Content }}</main>",
    "home.html": "home",
    "section.html": "section",
}
OPTIONS = ("--quiet", "--disableKinds", "RSS,sitemap,taxonomy,term,404", "--buildFuture")
FRONT = "---\ntitle: A\ndate: 2026-01-02T03:04:05Z\n---\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lint") / "site"
    shutil.copytree(SITE, root)
    for name, text in LAYOUTS.items():
        (root / "layouts" / name).write_text(text, "utf-8")
    config = (root / "hugo.toml").read_text("utf-8")
    # Without a layout for JSON; the notes are what matters here.
    (root / "hugo.toml").write_text(config.replace(', "JSON"', ""), "utf-8")
    return root


def build(site: Path) -> subprocess.CompletedProcess[str]:
    hugo = hugo_program()
    assert hugo, "these tests need Hugo"
    command = [hugo, *OPTIONS, "--source", str(site), "--cacheDir", str(site / "cache")]
    return subprocess.run(command, capture_output=True, text=True)


def publish(site: Path, notes: dict[str, str]) -> dict[str, str] | None:
    """The pages that Hugo makes of some notes, or nothing where it stops."""
    folder = site / "content" / "notes"
    for name, text in notes.items():
        path = folder / f"{name}.md"
        path.write_text(text if text.startswith(("---", "+++")) else FRONT + text, "utf-8")
    shutil.rmtree(site / "public", ignore_errors=True)
    done = build(site)
    pages = {name: site / "public" / "notes" / name / "index.html" for name in notes}
    found = {name: page.read_text("utf-8") for name, page in pages.items() if page.is_file()}
    for name in notes:
        (folder / f"{name}.md").unlink()
    if done.returncode:
        return None
    return {name: re.split("</?main>", text)[1] for name, text in found.items()}


def _bad_cases() -> list[Case]:
    cases = (case for case in all_cases() if case.is_bad and case.code in STOPS_HUGO)
    return [case for case in cases if any(" error:" in problem for problem in case.problems)]


@pytest.mark.parametrize("case", _bad_cases(), ids=lambda case: f"{case.code}: {case.title}")
def test_an_error_means_that_hugo_stops(site: Path, case: Case) -> None:
    assert publish(site, {"stops": case.text}) is None


def test_all_near_misses_and_warnings_are_published(site: Path) -> None:
    cases = [
        case
        for case in all_cases()
        if "path" not in case.options
        and not (case.code in STOPS_HUGO and any(" error:" in text for text in case.problems))
    ]
    notes = {f"case-{number}": case.text for number, case in enumerate(cases)}
    # These stop Hugo for a reason that their rule does not know.
    unread = [name for name, text in notes.items() if "relref" in text and "frist" in text]
    pages = publish(site, {name: text for name, text in notes.items() if name not in unread})
    assert pages is not None
    assert len(pages) > 150


# What is written, what the page then holds, and what it holds after `--fix` or, without a fix,
# as the hint says.
DAMAGE = {
    "a pipe in a formula cuts the cell": (
        "table-pipe",
        "| a | b |\n| --- | --- |\n| \\(|V|\\) | x |\n",
        r"<td>V</td>",
        "",
        r"<td>\\\(\\lvert V \\rvert\\\)</td>",
    ),
    "a pipe in code cuts the cell": (
        "table-pipe",
        "| a | b |\n| --- | --- |\n| `p|q` | x |\n",
        r"<td>`p</td>",
        "",
        r"<td><code>p\|q</code></td>",
    ),
    "a cell too many is dropped": (
        "table-width",
        "| a | b |\n| --- | --- |\n| 1 | 2 | lost |\n",
        r"^(?!.*lost)",
        "| a | b |\n| --- | --- |\n| 1 | 2 \\| lost |\n",
        r"2 \| lost",
    ),
    "text right below becomes a row": (
        "table-width",
        "| a | b |\n| --- | --- |\n| 1 | 2 |\nText.\n",
        r"<td>Text\.</td>",
        "",
        r"</table>\s*<p>Text\.</p>",
    ),
    "too few dashes make no table": (
        "table-delimiter",
        "| a | b |\n| --- |\n| 1 | 2 |\n",
        r"^(?!.*<table)",
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n",
        r"<table>",
    ),
    "a variant without its dot is a row": (
        "table-variant",
        "| a |\n| --- |\n| 1 |\n{table-academic}\n",
        r"<td>\{table-academic\}</td>",
        "",
        r'<table class="table-academic">',
    ),
    "text behind an attribute is lost": (
        "table-variant",
        "| a |\n| --- |\n| 1 |\n{.table-academic} lost\n",
        r"^(?!.*lost)",
        "| a |\n| --- |\n| 1 |\n{.table-academic}\n\nlost\n",
        r"<p>lost</p>",
    ),
    "a blank line loses the variant": (
        "attribute-unattached",
        "| a |\n| --- |\n| 1 |\n\n{.table-academic}\n",
        r"^(?!.*table-academic)",
        "",
        r'<table class="table-academic">',
    ),
    "a sum becomes a list": (
        "math-display",
        "$$\na\n+ b\n$$\n",
        r"<li>b",
        "",
        r"\$\$\s*a \+ b\s*\$\$",
    ),
    "an equals sign makes a heading": (
        "math-display",
        "$$\na\n=\nb\n$$\n",
        r"<h1",
        "",
        r"\$\$\s*a =\s*b\s*\$\$",
    ),
    "empty braces swallow a line of a formula": (
        "attribute-line",
        "$$\na\n{}+ b\n$$\n",
        r"^(?!.*b)",
        "",
        r"\$\$\s*a \{\}\+ b\s*\$\$",
    ),
    "braces swallow a line of text": (
        "attribute-line",
        "So\n{n=3} is enough.\n",
        r"^(?!.*enough)",
        "",
        r"\{n=3\} is enough\.",
    ),
    "a blank line ends the formula": (
        "math-display",
        "$$\na\n\nb\n$$\n",
        r"<p>\$\$\s*a</p>",
        "",
        r"\$\$\s*a\s*b\s*\$\$",
    ),
    "a quote's mark gets into the formula": (
        "math-quote",
        "> $$\n> a\n> $$\n",
        r"\$\$\s*> a\s*> \$\$",
        "> $$a$$\n",
        r"\$\$a\$\$",
    ),
    "a formula that is not closed loses its backslash": (
        "math-unbalanced",
        "Let \\(x_i be.\n",
        r"Let \(x_i be\.",
        "Let \\(x_i\\) be.\n",
        r"Let \\\(x_i\\\) be\.",
    ),
    "a bare environment loses backslashes": (
        "math-environment",
        "\\begin{align}\na \\\\ b\n\\end{align}\n",
        r"a \\ b",
        "$$\n\\begin{aligned}\na \\\\ b\n\\end{aligned}\n$$\n",
        r"a \\\\ b",
    ),
    "an indented formula is code": (
        "math-code-block",
        "Text:\n\n    $$\n    a\n    $$\n",
        r"<pre><code>\$\$",
        "Text:\n\n  $$\n  a\n  $$\n",
        r"</p>\s*\$\$",
    ),
    "a formula reaches the browser with its tag": (
        "math-html",
        "For \\(i<n\\) here.\n",
        r"i<n",
        "",
        r"i\\lt n",
    ),
    "dollar signs swallow Markdown": (
        "math-currency",
        "It costs $10 *each*, then the price is $p$.\n",
        r"\$10 \*each\*",
        "It costs <span>\\$</span>10 *each*, then the price is $p$.\n",
        r"<span>\$</span>10 <em>each</em>",
    ),
    "braces vanish from a heading": (
        "heading-braces",
        "## Loss \\(x_{i}\\) and {n=3}\n",
        r"and\s*</h2>",
        "",
        r"and \{n=3\}</h2>",
    ),
    "a formula is left out of the anchor": (
        "heading-math",
        "## The case \\(n = 3\\)\n\n## The case \\(n = 4\\)\n",
        r'id="the-case".*id="the-case-1"',
        "## The case \\(n = 3\\) {#three}\n\n## The case \\(n = 4\\) {#four}\n",
        r'id="three".*id="four"',
    ),
    "no space makes no heading": (
        "heading-space",
        "##Title\n",
        r"<p>##Title</p>",
        "",
        r"<h2[^>]*>Title</h2>",
    ),
    "a word in angle brackets is a tag": (
        "html-unknown",
        "Run <name> now.\n",
        r"<name>",
        "",
        r"&lt;name",
    ),
    "alt text loses its formula": (
        "image-alt",
        "![The loss \\(L\\) falls](/img/shape.svg)\n",
        r'alt="The loss\s+falls"',
        "![The loss L falls](/img/shape.svg)\n",
        r'alt="The loss L falls"',
    ),
    "a backslash in an address is escaped": (
        "image-missing",
        "![a](img\\shape.svg)\n",
        r"%5[cC]",
        "",
        r'src="/lab/img/shape\.svg"',
    ),
    "an attribute behind an image is text": (
        "attribute-unattached",
        "![a](/img/shape.svg){.wide}\n",
        r"\{\.wide\}",
        "![a](/img/shape.svg)\n{.wide}\n",
        r'<p class="wide">',
    ),
    "a shortcode runs in a fence": (
        "shortcode-in-code",
        "```\n{{< stars >}}\n```\n",
        r"^(?!.*stars)",
        "",
        r"\{\{&lt; stars &gt;\}\}",
    ),
    "a footnote without a text is text": (
        "footnote-missing",
        "Text.[^1]\n",
        r"\[\^1\]",
        "Text.[^1]\n\n[^1]: More.\n",
        r"footnote-ref",
    ),
    "a fence that is not closed goes on": (
        "fence-unclosed",
        "```\nx\n\nText.\n",
        r"(?s)<code>.*Text\.",
        "```\nx\n```\n\nText.\n",
        r"<p>Text\.</p>",
    ),
    "a link to a file stays as it is": (
        "link-missing",
        "[a](first.md)\n",
        r'href="first\.md"',
        '[a]({{< relref "first.md" >}})\n',
        r'href="/lab/notes/first/"',
    ),
}


@pytest.fixture(scope="module")
def damaged(site: Path) -> dict[str, str]:
    """The pages of all notes above, broken and cured."""
    notes = {}
    for number, (code, broken, _, cured, _) in enumerate(DAMAGE.values()):
        mended = fix_note("content/notes/a.md", broken, site_facts(), ignore=CODES - {code})
        notes |= {f"broken-{number}": broken, f"cured-{number}": cured or mended}
    pages = publish(site, notes)
    assert pages is not None
    return pages


@pytest.mark.parametrize("number", range(len(DAMAGE)), ids=list(DAMAGE))
def test_the_damage_is_real_and_the_cure_cures(damaged: dict[str, str], number: int) -> None:
    code, broken, damage, cured, health = list(DAMAGE.values())[number]
    facts, others = site_facts(), CODES - {code}
    assert lint_note("content/notes/a.md", broken, facts, ignore=others)
    cured = cured or fix_note("content/notes/a.md", broken, facts, ignore=others)
    assert cured != broken
    assert not lint_note("content/notes/a.md", cured, facts, ignore=others)
    sick, well = damaged[f"broken-{number}"], damaged[f"cured-{number}"]
    assert re.search(damage, sick, re.DOTALL), sick
    assert re.search(health, well, re.DOTALL), well
    assert not re.search(health, sick, re.DOTALL), sick


def test_without_the_passthrough_backslashes_are_eaten_and_the_setting_is_told(
    tmp_path: Path,
) -> None:
    root = tmp_path / "site"
    shutil.copytree(SITE, root)
    config = (root / "hugo.toml").read_text("utf-8").replace("enable = true", "enable = false")
    (root / "hugo.toml").write_text(config.replace(', "JSON"', ""), "utf-8")
    for name, text in LAYOUTS.items():
        (root / "layouts" / name).write_text(text, "utf-8")
    pages = publish(root, {"a": "$$\\begin{aligned}a\\\\b\\end{aligned}$$\n"})
    assert pages is not None
    assert "a\\b\\end" in pages["a"]
    problems = [p for p in site_problems(gather_facts(root)) if p.is_error]
    assert [problem.code for problem in problems] == ["site-passthrough"]


_SIGNS = "\\(x\\) $y$ $$z$$ \\[w\\] \\( \\) $ $$ \\[ \\] `code` ` `` text and *em* ** _ \\$ \\\\ é"
_MARKS = (
    "[link](u) [ ](u) ![alt <b> </b> < > &amp; { } a_b x^2 \\alpha <https://x.y/$a$> https://x.y"
)
_BLOCKS = [
    "\n",
    "\n",
    "\n\n",
    "\n- ",
    "\n> ",
    "\n# ",
    "\n1. ",
    "\n    ",
    "\n```\n",
    "\n---\n",
    "\n$$\n",
]
_HTML = ["<!-- ", "-->", "\n<div>\n", "\n</div>\n", " ", " "]
PIECES = [*_SIGNS.split(), *_MARKS.split(), *_BLOCKS, *_HTML]


def test_formulas_are_found_where_hugo_finds_them(tmp_path: Path) -> None:
    """Random notes, more hostile than any author's: Hugo's passthrough is the judge."""
    random = Random(6)
    notes = {
        f"n{number}": "".join(
            random.choice(PIECES) + random.choice(["", "", " "])
            for _ in range(random.randint(3, 14))
        )
        for number in range(500)
    }
    root = tmp_path / "site"
    (root / "layouts" / "_markup").mkdir(parents=True)
    (root / "content" / "notes").mkdir(parents=True)
    for name, text in LAYOUTS.items():
        (root / "layouts" / name).write_text(text, "utf-8")
    hook = root / "layouts" / "_markup" / "render-passthrough.html"
    hook.write_text("⟦{{ .Inner }}⟧", "utf-8")
    config = (SITE / "hugo.toml").read_text("utf-8").replace('theme = ["scidraft"]', "")
    (root / "hugo.toml").write_text(config.replace(', "JSON"', ""), "utf-8")
    pages = publish(root, notes)
    assert pages is not None
    different = []
    for name, page in pages.items():
        theirs = [
            " ".join(unescape(text).split()) for text in re.findall("⟦(.*?)⟧", page, re.DOTALL)
        ]
        note = read_note("a.md", FRONT + notes[name] + "\n")
        ours = []
        for placed in note.spans("math"):
            mark = placed.span.delimiter
            assert mark is not None
            source = note.text[placed.at + len(mark.open) : placed.end - len(mark.close)]
            ours.append(" ".join(source.split()))
        if sorted(ours) != sorted(theirs):
            different.append((notes[name], ours, theirs))
    assert len(pages) > 450
    assert len(different) <= len(pages) // 100, different
