"""Notes with something wrong that the theme doesn't tell: the judges must see it."""

from __future__ import annotations

from pathlib import Path

ALGORITHM = (
    "```pseudo-algorithm\n\\begin{{algorithm}}[H]\n\\caption{{C}}\n\\begin{{algorithmic}}[1]\n"
    "{0}\n\\end{{algorithmic}}\n\\end{{algorithm}}\n```\n"
)
TABLE = "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
LIST = '\n\n{{< references bib="bib/forms.bib" title="References" >}}\n'

FAULTS: dict[str, tuple[str, str]] = {
    "macro-of-katex": ("formulas", r"A formula \(\bm{x}\)."),
    "macro-of-mathjax": ("formulas", r"A formula \(\mbox{x}\)."),
    "macro-of-none": ("formulas", r"A formula \(\norm{x}\)."),
    "brace-missing": ("formulas", r"A formula \(\frac{a}{b\)."),
    "text-swallowed": ("formulas", r"It is \(a <b\) and \(c\)."),
    "money": ("formulas", "It costs \\$5, then \\$6."),
    "display-broken": ("text", "$$\na\n\n+ \\alpha\n$$"),
    "environment-bare": ("formulas", "\\begin{align} a &= b \\end{align}"),
    "algorithm-statex": ("algorithms", ALGORITHM.format(r"\Statex x")),
    "algorithm-math": ("algorithms", ALGORITHM.format(r"\State \(\norm{x}\)")),
    "algorithm-macro-of-katex": ("algorithms", ALGORITHM.format(r"\State \(a \coloneqq b\)")),
    "algorithm-money": ("algorithms", ALGORITHM.format(r"\State \$5 and \$6")),
    "algorithm-fence": ("algorithms", ALGORITHM.format(r"\State x").replace("-algo", "algo")),
    "table-variant-lost": ("tables", f"{TABLE}\n{{.table-academic}}\n"),
    "table-pipe": ("formulas", TABLE + "| \\(|x|\\) | 4 |\n"),
    "table-delimiters": ("tables", "| a | b |\n| --- |\n| 1 | 2 |\n"),
    "image-missing": ("images", "![A lost image](/figures/lost.svg)"),
    "citation-unknown": ("citations", "As in \\cite{nobody1900}." + LIST),
    "citation-late": (
        "citations",
        "First \\cite{shannon1948}." + LIST + "\nThen \\cite{kingma2015}.",
    ),
    "diagram-wrong": ("diagrams", "```mermaid\nflowchart LR\n  A --> --> B\n```\n"),
    "shortcode-raw": ("text", "A text with {{</* preview */>}} in it."),
}
"""Name → kind of the fault, and the body of the note."""

UNTOLD = {
    "algorithm-macro-of-katex": "under SciDraft itself an algorithm may use KaTeX's macros",
    "diagram-wrong": "there is no parser of Mermaid outside a browser",
    "shortcode-raw": "an escaped shortcode is meant to be shown",
}
"""What the linter has nothing to say about, and why."""


def write_faults(folder: Path) -> None:
    """A section of notes, one for each fault."""
    folder.mkdir(parents=True)
    (folder / "_index.md").write_text("---\ntitle: Faults\n---\n", "utf-8")
    for name, (_, body) in FAULTS.items():
        front = f"---\ntitle: {name}\ndate: 2026-01-01T00:00:00Z\n---\n"
        (folder / f"{name}.md").write_text(f"{front}{body.rstrip()}\n", "utf-8")
