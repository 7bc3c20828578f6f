"""The generator itself, from a clean environment, with and without Hugo behind it."""

from __future__ import annotations

import shutil
import subprocess
from typing import ClassVar

from benchmarks.timing import Run, must
from benchmarks.tools.base import HOME, Tool
from benchmarks.workload import EQUATION

CONFIG = """baseURL = "https://example.org/"
title = "Benchmark"
timeZone = "UTC"
disableKinds = ["taxonomy", "term", "RSS", "sitemap"]
[markup.goldmark.renderer]
unsafe = true
[markup.goldmark.parser.attribute]
block = true
[markup.goldmark.extensions.passthrough]
enable = true
[markup.goldmark.extensions.passthrough.delimiters]
block = [['\\[', '\\]'], ['$$', '$$']]
inline = [['\\(', '\\)']]
"""
DEMO = '''"""Attention on a small matrix."""

from pathlib import Path

from case import compute, draw, read_scale
from matplotlib.figure import Figure as Canvas

from generator import Figure, Table

SEED = {i}


def run(rng):
    case = compute(SEED, read_scale(Path(__file__).parent.parent / "scale.csv"))
    figure = Canvas(figsize=(6, 2.5), layout="constrained")
    draw(figure, case)
    return {{
        "peak": case["peak"],
        "mean": case["mean"],
        "rows": Table(case["rows"], columns=["Query", "Largest weight", "Mean output"]),
        "figure": Figure(figure, alt="Attention weights as an image, and sorted by rank"),
    }}
'''
NOTE = """---
title: Note {i}
description: "Attention on a small matrix."
date: 2026-01-01T00:00:00Z
tags: [Test]
math: true
demo: note_{i}
---
<% include "shared.md" %>
Edition 0. The largest weight is <%= peak | fixed(4) %>, the mean output <%= mean | sig(3) %>.

\\[ {equation} \\]

<%= figure %>

<%= rows %>
"""
LAYOUT = "<!doctype html><title>{{ .Title }}</title>{{ .Content }}"


class Generator(Tool):
    """`build` alone: the notes as Markdown, figures and records."""

    name = "generator"
    output = "content"
    page = "content/notes/note-1.md"
    traces = ("static", "data", ".generator", "public", "resources")
    source = "templates/notes/note-{i}.md"
    helper = "case.py"
    included = "templates/shared.md"
    jobs: ClassVar[int] = 2

    def install(self) -> None:
        home = HOME / self.name
        shutil.rmtree(home, ignore_errors=True)
        subprocess.run(["python3", "-m", "venv", str(home)], check=True)
        pip = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", "requirements.txt"], check=True)
        subprocess.run([*pip, "--no-deps", "."], check=True)
        subprocess.run([self.python, "-m", "compileall", "-q", str(home / "lib")], check=False)

    @property
    def available(self) -> bool:
        return True

    def version(self) -> str:
        from generator import __version__

        return f"generator {__version__}"

    def write_site(self) -> None:
        self.write("hugo.toml", CONFIG)
        self.write("layouts/single.html", LAYOUT)
        self.write("layouts/list.html", LAYOUT)
        for i in range(1, self.notes + 1):
            self.write(f"demos/note_{i}.py", DEMO.format(i=i))
            self.write(self.source.format(i=i), NOTE.format(i=i, equation=EQUATION))

    def command(self) -> list[str]:
        return [self.python, "-m", "generator", "build", "-q", "-j", str(self.jobs)]

    def edit_demo(self, number: int) -> None:
        """Change the computation of one note."""
        path = self.folder / "demos/note_1.py"
        head, _, tail = path.read_text().partition("SEED = ")
        path.write_text(f"{head}SEED = {1000 + number}\n" + tail.partition("\n")[2])


class Published(Generator):
    """`build`, then Hugo: pages."""

    name = "generator"

    def build(self) -> Run:
        first = super().build()
        hugo = must([self.script("hugo"), "--quiet"], self.folder, self.environment)
        seconds = first.seconds + hugo.seconds
        return Run(seconds, max(first.mebibytes, hugo.mebibytes), first.code, first.output)
