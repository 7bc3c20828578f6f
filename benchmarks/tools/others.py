"""Tools of other languages: knitr in R, Observable Framework in JavaScript."""

from __future__ import annotations

import shutil
import subprocess

from benchmarks.tools.base import HOME, PLOTTING, Tool
from benchmarks.workload import EQUATION

_CASE = """FACTOR <- 1
compute <- function(seed, scale) {
  set.seed(seed)
  q <- matrix(rnorm(4096), 64); k <- matrix(rnorm(4096), 64); v <- matrix(rnorm(4096), 64)
  s <- FACTOR * scale * q %*% t(k) / 8
  w <- exp(s - apply(s, 1, max)); w <- w / rowSums(w); out <- w %*% v
  list(weights = w, curve = sort(w[1, ], decreasing = TRUE), peak = max(w), mean = mean(out),
       rows = data.frame(Query = 0:4, Weight = apply(w, 1, max)[1:5], Mean = rowMeans(out)[1:5]))
}
"""


class Knitr(Tool):
    """knitr with `cache=TRUE`, all notes in one process; the same work in R."""

    name = "knitr"
    output = "out"
    page = "out/note-1.md"
    traces = ("cache", "figure")
    source = "notes/note-{i}.Rmd"
    helper = "case.R"

    @property
    def available(self) -> bool:
        return (
            shutil.which("Rscript") is not None
            and not subprocess.run(
                ["Rscript", "-e", "library(knitr)"], capture_output=True, check=False
            ).returncode
        )

    def version(self) -> str:
        code = (
            'cat("knitr", as.character(packageVersion("knitr")), "R", as.character(getRversion()))'
        )
        return subprocess.run(
            ["Rscript", "-e", code], capture_output=True, text=True, check=True
        ).stdout.replace(" R ", ", R ")

    def write_site(self) -> None:
        self.write(self.helper, _CASE)
        for i in range(1, self.notes + 1):
            self.write(
                f"notes/note-{i}.Rmd",
                f"# Note {i}\n\n```{{r shared-{i}, child='shared.md'}}\n```\n\n"
                f"$$ {EQUATION} $$\n\n"
                f"```{{r case-{i}, cache=TRUE, echo=FALSE}}\n"
                f'source("case.R")\ncase <- compute({i}, read.csv("scale.csv", header=FALSE)[1, 1])\n'
                "```\n\nEdition 0. The largest weight is `r sprintf('%.4f', case$peak)`, the mean "
                "`r sprintf('%.3g', case$mean)`.\n\n"
                f"```{{r figure-{i}, cache=TRUE, echo=FALSE, fig.width=6, fig.height=2.5}}\n"
                "par(mfrow = c(1, 2)); image(case$weights); plot(case$curve, type = 'l')\n```\n\n"
                f"```{{r table-{i}, cache=TRUE, echo=FALSE}}\nknitr::kable(case$rows)\n```\n",
            )
        self.write(
            "build.R",
            'library(knitr); dir.create("out", FALSE); opts_knit$set(root.dir = getwd())\n'
            'opts_chunk$set(dev = "svg", fig.path = "out/", cache.path = "cache/")\n'
            'for (f in list.files("notes", "Rmd$", full.names = TRUE))\n'
            '  knit(f, file.path("out", sub("Rmd$", "md", basename(f))), quiet = TRUE)\n',
        )

    def command(self) -> list[str]:
        return ["Rscript", "build.R"]

    def peak(self, factor: float = 1, scale: float = 1) -> str:
        code = f"{_CASE}FACTOR <- {factor}; cat(sprintf('%.4f', compute(1, {scale})$peak))"
        done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=True)
        return done.stdout

    def change_helper(self) -> str:
        self._replace(self.helper, "FACTOR <- 1", "FACTOR <- 2")
        return self.peak(factor=2)

    def change_data(self) -> str:
        (self.folder / self.data).write_text("3\n")
        return self.peak(scale=3)


class Observable(Tool):
    """Observable Framework with Python data loaders."""

    name = "observable"
    packages = PLOTTING
    npm = ("@observablehq/framework",)
    heavy = True
    output = "dist"
    page = "dist/_file/note-1.*.json"
    traces = ("src/.observablehq",)
    source = "src/note-{i}.json.py"

    def version(self) -> str:
        import json

        home = HOME / "observable-npm/node_modules/@observablehq/framework/package.json"
        return f"Observable Framework {json.loads(home.read_text())['version']}"

    def write_site(self) -> None:
        root = str(self.folder)
        self.write("observablehq.config.js", 'export default {title: "Benchmark", root: "src"};\n')
        self.write("package.json", '{"type": "module"}\n')
        self.write("src/index.md", "# Benchmark\n")
        head = f"import sys\nsys.path.insert(0, {root!r})\nfrom case import compute, read_scale, save\n"
        for i in range(1, self.notes + 1):
            case = f"case = compute({i}, read_scale({root!r} + '/scale.csv'))\n"
            self.write(
                f"src/note-{i}.json.py",
                f"{head}import json\n{case}"
                "print(json.dumps({'text': 'Edition 0.', 'peak': f\"{case['peak']:.4f}\",\n"
                "    'mean': case['mean'], 'rows': case['rows']}))\n",
            )
            self.write(
                f"src/figure-{i}.svg.py",
                f"{head}import tempfile\n{case}with tempfile.NamedTemporaryFile() as file:\n"
                "    save(case, file.name)\n    print(open(file.name).read())\n",
            )
            self.write(
                f"src/note-{i}.md",
                f"# Note {i}\n\n`{EQUATION}`\n\n"
                f'```js\nconst c = FileAttachment("note-{i}.json").json();\n```\n\n'
                "The largest weight is ${c.peak}, the mean ${c.mean}.\n\n"
                f"![Weights](figure-{i}.svg)\n\n${{c.rows.map((row) => row.join(' ')).join('; ')}}\n\n"
                f'${{FileAttachment("shared-{i}.txt").text()}}\n',
            )
            self.write(f"src/shared-{i}.txt.py", f"print(open({root!r} + '/shared.md').read())\n")

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "OBSERVABLE_TELEMETRY_DISABLE": "true"}

    def command(self) -> list[str]:
        return [str(HOME / "observable-npm/node_modules/.bin/observable"), "build"]
