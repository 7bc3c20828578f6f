"""Notebooks and galleries: MyST, Sphinx-Gallery, jupytext with nbconvert."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from benchmarks.timing import Run
from benchmarks.tools.base import HOME, Tool
from benchmarks.workload import EQUATION

_CELL = """import sys
sys.path.insert(0, {root!r})
from case import compute, draw, read_scale
case = compute({i}, read_scale({root!r} + "/scale.csv"))
print(f"Edition 0. The largest weight is {{case['peak']:.4f}}, the mean {{case['mean']:.3g}}.")
for row in case["rows"]:
    print(f"{{row[0]}} {{row[1]:.4f}} {{row[2]:.4f}}")
import matplotlib.pyplot as plt
figure = plt.figure(figsize=(6, 2.5), layout="constrained")
draw(figure, case)
"""


class Myst(Tool):
    """MyST with its execution cache; content as JSON, since its page themes are downloaded."""

    name = "mystmd"
    packages = ("jupyter-server", "ipykernel", "nbclient")
    npm = ("mystmd",)
    heavy = True
    output = "_build/site"
    page = "_build/site/content/*note-1.json"
    traces = ("_build",)

    def version(self) -> str:
        import json

        found = HOME / "mystmd-npm/node_modules/mystmd/package.json"
        return f"mystmd {json.loads(found.read_text())['version']}"

    def write_site(self) -> None:
        self.write("myst.yml", "version: 1\nproject: {}\nsite: {}\n")
        self.write("jupyter/jupyter_server_config.json", '{"ServerApp": {"allow_root": true}}\n')
        for i in range(1, self.notes + 1):
            cell = _CELL.format(i=i, root=str(self.folder))
            self.write(
                f"notes/note-{i}.md",
                f"---\ntitle: Note {i}\nkernelspec:\n  name: python3\n  display_name: Python\n---\n"
                f"```{{include}} ../shared.md\n```\n\n$$ {EQUATION} $$\n\n"
                f"```{{code-cell}} python\n{cell}```\n",
            )

    def command(self) -> list[str]:
        myst = HOME / "mystmd-npm/node_modules/.bin/myst"
        return [str(myst), "build", "--site", "--execute", "--ci"]

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "JUPYTER_CONFIG_DIR": str(self.folder / "jupyter")}

    def build(self) -> Run:
        """Without the network it ends where it asks for a theme; the content is there by then."""
        done = super().build()
        ran = "did not start" not in done.output and list(self.folder.glob(self.page))
        return replace(done, code=0 if ran else 1)


class SphinxGallery(Tool):
    """Sphinx-Gallery with SVG figures, two at a time."""

    name = "sphinx-gallery"
    packages = ("sphinx", "sphinx-gallery", "pillow", "joblib")
    shown = ("sphinx-gallery", "sphinx")
    output = "_build"
    page = "_build/auto_examples/plot_note_1.html"
    traces = ("auto_examples", "gen_modules", "sg_execution_times.rst")
    source = "examples/plot_note_{i}.py"
    included = "shared.rst"

    def write_site(self) -> None:
        self.write(
            "conf.py",
            "extensions = ['sphinx_gallery.gen_gallery']\n"
            "from sphinx_gallery.scrapers import matplotlib_scraper\n"
            "def svg(*args, **kwargs):\n"
            "    return matplotlib_scraper(*args, format='svg', **kwargs)\n"
            "sphinx_gallery_conf = {'examples_dirs': 'examples', 'gallery_dirs': 'auto_examples',\n"
            "    'image_scrapers': (svg,), 'parallel': 2}\n",
        )
        self.write("index.rst", "Notes\n=====\n\n.. toctree::\n\n   auto_examples/index\n")
        self.write("examples/README.txt", "Examples\n========\n")
        for i in range(1, self.notes + 1):
            cell = _CELL.format(i=i, root=str(self.folder))
            head = f"Note {i}\n{'=' * 8}\n\n.. include:: /shared.rst\n\n.. math:: {EQUATION}\n"
            self.write(f"examples/plot_note_{i}.py", f'r"""\n{head}"""\n{cell}')

    def command(self) -> list[str]:
        return [self.script("sphinx-build"), "-q", "-j", "2", ".", "_build"]


class Jupytext(Tool):
    """Notebooks as text, executed by nbconvert, under make."""

    name = "jupytext"
    packages = ("jupytext", "nbconvert", "ipykernel")
    shown = ("jupytext", "nbconvert")
    heavy = True
    output = "out"
    page = "out/note-1.md"
    source = "notes/note-{i}.py"
    jobs: ClassVar[int] = 2

    def write_site(self) -> None:
        jupytext, jupyter = self.script("jupytext"), self.script("jupyter")
        self.write(
            "Makefile",
            "all: $(patsubst notes/%.py,out/%.md,$(wildcard notes/*.py))\n"
            "out/%.md: notes/%.py\n\t@mkdir -p out\n"
            f"\t@{jupytext} -q --to ipynb --output out/$*.ipynb $<\n"
            f"\t@{jupyter} nbconvert --log-level ERROR --execute --to markdown out/$*.ipynb\n",
        )
        for i in range(1, self.notes + 1):
            cell = _CELL.format(i=i, root=str(self.folder))
            shared = f"print(open({str(self.folder)!r} + '/shared.md').read())\n"
            text = f"# %% [markdown]\n# # Note {i}\n#\n# $$ {EQUATION} $$\n\n# %%\n"
            self.write(f"notes/note-{i}.py", text + shared + cell)

    def command(self) -> list[str]:
        return ["make", "-s", f"-j{self.jobs}"]
