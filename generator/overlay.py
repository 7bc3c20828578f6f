"""Pages that only the preview shows: a failing note with its error, over its last good page.

They lie in the local state, in folders that Hugo mounts before the site's own content.
"""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from generator.init import find_setting
from generator.notes import find_templates, slug_of
from generator.publish import STATE, write_file
from generator.report import NoteReport, Report
from generator.server import read_mounts
from generator.settings import CONFIG_NAMES, Settings, read_config

FOLDER = f"{STATE}/preview"
_FRONT = re.compile(
    r"\ufeff?(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_STYLE = (
    "border:2px solid #c33;border-radius:6px;padding:1em;margin:0 0 1.5em;overflow-x:auto;"
    "font:.85em/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere"
)
_TITLE = "This note could not be built. Below is its last good page, if it has one."


@dataclass(slots=True)
class Overlay:
    """Files that Hugo is shown instead of pages of the same name."""

    settings: Settings

    @contextmanager
    def prepared(self) -> Iterator[None]:
        """Start with an empty overlay, and leave none behind."""
        self._clear()
        try:
            yield
        finally:
            self._clear()

    def mounts(self, hugo: str) -> str:
        """All mounts of the preview as JSON: the overlay's before those of the site."""
        own = read_mounts(hugo, self.settings.root)
        over = [
            {**mount, "source": f"{FOLDER}/{mount['source']}"}
            for mount in own
            if mount["target"].split("/")[0] == "content" and not mount["source"].startswith("/")
        ]
        self._make_folders([mount["source"] for mount in over])
        return json.dumps(over + own)

    def _make_folders(self, contents: list[str]) -> None:
        """Hugo watches only folders that are there when it starts."""
        given = self.settings
        outputs = [f"{given.data_dir}/notes", f"{given.static_dir}/{given.figures}"]
        pages = [f"{folder}/{given.section}" for folder in (*contents, given.content_dir)]
        for folder in (*pages, *outputs):
            (given.root / folder).mkdir(parents=True, exist_ok=True)

    def arguments(self) -> list[str]:
        """Hugo's `--config`: the site's files, and one that has mounts.

        Hugo takes mounts from the environment only where a file gives some.
        """
        text = '[[module.mounts]]\nsource = "content"\ntarget = "content"\n'
        write_file(self.settings.root, f"{FOLDER}/hugo.toml", text.encode())
        names = [name for name in CONFIG_NAMES if (self.settings.root / name).is_file()][:1]
        return ["--config", ",".join([*names, f"{FOLDER}/hugo.toml"])]

    def show(self, report: Report) -> None:
        """A panel on the page of each note that failed; none on those that did not."""
        notes = {note.slug: note for note in report.notes}
        pages = {slug_of(self.settings, path): path for path in find_templates(self.settings)}
        for slug, note in notes.items():
            template = pages.get(slug)
            if template is not None:
                self._show(note, template)

    def _show(self, note: NoteReport, template: str) -> None:
        place = template[len(self.settings.notes_templates) + 1 :]
        path = f"{FOLDER}/{self.settings.content_path(place)}"
        if note.status != "failed":
            with suppress(FileNotFoundError):
                (self.settings.root / path).unlink()
            return
        page = self._panel_page(note, template, place)
        if self._read(path) != page:
            write_file(self.settings.root, path, page.encode("utf-8"))

    def _panel_page(self, note: NoteReport, template: str, place: str) -> str:
        page = self._read(self.settings.content_path(place)) or self._read(template)
        front = _FRONT.match(page)
        if front is None or "<%" in front.group():
            return f"---\ntitle: {json.dumps(note.slug)}\n---\n{self._panel(note)}"
        body = page[front.end() :]
        return front.group() + self._panel(note) + ("" if "<%" in body else body)

    def _panel(self, note: NoteReport) -> str:
        """The problems, as text that neither Hugo, Markdown nor MathJax touches."""
        lines = [str(problem) for problem in note.problems if problem.is_error]
        text = "\n\n".join(lines or ["it failed; the terminal says why"])
        _, config = read_config(self.settings.root)
        if find_setting(config, "markup.goldmark.renderer.unsafe") is not True:
            inside = text.replace("{{", "{\u2060{").replace("\n", "\n    ")
            return f"**{_TITLE}**\n\n    {inside}\n\n"
        inside = html.escape(text).replace("{", "&#123;").replace("\n", "&#10;")
        return (
            f'<pre role="alert" class="generator-panel mathjax_ignore" style="{_STYLE}">'
            f"<strong>{_TITLE}</strong>&#10;&#10;{inside}</pre>\n\n"
        )

    def _read(self, path: str) -> str:
        try:
            return (self.settings.root / path).read_bytes().decode("utf-8", "replace")
        except OSError:
            return ""

    def _clear(self) -> None:
        shutil.rmtree(self.settings.root / Path(FOLDER), ignore_errors=True)
