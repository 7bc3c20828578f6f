"""Code in text, run by small tools: cog, markdown-exec, and a script per note under make."""

from __future__ import annotations

from typing import ClassVar

from benchmarks.tools.base import PLOTTING, Tool
from benchmarks.workload import EQUATION

_CODE = """import sys
sys.path.insert(0, ".")
from case import compute, read_scale, save
case = compute({i}, read_scale("scale.csv"))
save(case, "{figure}")
"""
_TEXT = """print(open("shared.md").read())
print(f"Edition 0. The largest weight is {case['peak']:.4f}, the mean output {case['mean']:.3g}.")
print()
print("![Weights](note-%(i)s.svg)")
print()
print("| Query | Largest weight | Mean output |")
print("| --- | --- | --- |")
for row in case["rows"]:
    print(f"| {row[0]} | {row[1]:.4f} | {row[2]:.4f} |")
"""


class Cog(Tool):
    """cog in place, all notes in one process; it has no cache."""

    name = "cog"
    in_place = True
    packages = ("cogapp",)
    output = "notes"
    page = "notes/note-1.md"

    def write_site(self) -> None:
        self.note_texts()

    def note_texts(self) -> None:
        for i in range(1, self.notes + 1):
            code = _CODE.format(i=i, figure=f"notes/note-{i}.svg") + _TEXT % {"i": i}
            code = code.replace("print(", "out(").replace("out()", 'out("")')
            head = "from cog import outl as out\n"
            text = f"# Note {i}\n\n$$ {EQUATION} $$\n\n<!--[[[cog\n{head}{code}]]]-->\n"
            self.write(f"notes/note-{i}.md", text + "<!--[[[end]]]-->\n")

    def clear(self) -> None:
        for path in (self.folder / "notes").glob("*.svg"):
            path.unlink()
        self.note_texts()

    def command(self) -> list[str]:
        files = [f"notes/note-{i}.md" for i in range(1, self.notes + 1)]
        return [self.script("cog"), "-r", *files]


class MarkdownExec(Tool):
    """Code blocks that run when MkDocs builds; no cache."""

    name = "markdown-exec"
    packages = ("mkdocs", "markdown-exec")
    shown = ("markdown-exec", "mkdocs")
    output = "site"
    page = "site/note-1/index.html"
    source = "docs/note-{i}.md"

    def write_site(self) -> None:
        self.write(
            "mkdocs.yml",
            "site_name: Benchmark\nplugins: [markdown-exec]\n"
            "markdown_extensions: [pymdownx.superfences]\n",
        )
        self.write("docs/index.md", "# Benchmark\n")
        for i in range(1, self.notes + 1):
            code = _CODE.format(i=i, figure=f"docs/note-{i}.svg") + _TEXT % {"i": i}
            text = f'# Note {i}\n\n$$ {EQUATION} $$\n\n```python exec="on"\n{code}```\n'
            self.write(f"docs/note-{i}.md", text)

    def command(self) -> list[str]:
        return [self.script("mkdocs"), "build", "-q"]


class Make(Tool):
    """A script per note under make, which looks at the times of the scripts alone."""

    name = "make"
    packages = PLOTTING
    output = "out"
    page = "out/note-1.md"
    source = "notes/note-{i}.py"
    jobs: ClassVar[int] = 2

    def version(self) -> str:
        return "a script per note, GNU make"

    def write_site(self) -> None:
        self.write(
            "Makefile",
            "all: $(patsubst notes/%.py,out/%.md,$(wildcard notes/*.py))\n"
            f"out/%.md: notes/%.py\n\t@mkdir -p out\n\t@{self.python} $< > $@\n",
        )
        for i in range(1, self.notes + 1):
            code = _CODE.format(i=i, figure=f"out/note-{i}.svg")
            head = f'print("# Note {i}\\n\\n$$ {EQUATION} $$\\n")\n'.replace("\\m", "\\\\m")
            head = head.replace("\\t", "\\\\t").replace("\\s", "\\\\s")
            self.write(f"notes/note-{i}.py", code + head + _TEXT % {"i": i})

    def command(self) -> list[str]:
        return ["make", "-s", f"-j{self.jobs}"]
