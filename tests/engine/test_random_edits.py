"""Random edits: however a site came about, an incremental build gives what a clean one gives."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import DRAWN, Site, make_site

INPUTS = ("templates", "demos", "lib", "hugo.toml")
COUNTED = """\
import lib.base
from pathlib import Path

def run(rng, scale=1):
    here = Path(__file__).parent
    extra = here / "extra.txt"
    return {{
        "value": {value} * scale + lib.base.OFFSET,
        "drawn": float(rng.random()),
        "data": int((here / "data.txt").read_text()),
        "files": sorted(p.name for p in (here / "listed").iterdir()),
        "extra": extra.exists(),
    }}
"""
BODY = """\
{words}
<% import "macros/shared.md" as shared %>
It is <%= value %>, <%= drawn %>, <%= data %>, <%= files | length %>, <%= shared.say("it") %>.
There is <%= "more" if extra else "no more" %>.
"""


class Author:
    """Somebody who edits a site at random."""

    def __init__(self, site: Site, seed: int) -> None:
        self.site, self.choose = site, random.Random(seed)
        self.number = 0
        self.log: list[str] = []
        site.write("lib/__init__.py", "")
        site.write("demos/data.txt", "1")
        site.write("demos/listed/a", "")
        self.edit_module()
        self.edit_macro()
        for i in range(3):
            self.write_demo(f"d{i}")
        site.write_demo("drawing", DRAWN)
        for _ in range(4):
            self.add_note()

    def act(self) -> None:
        name = self.choose.choice(ACTIONS)
        self.log.append(name.__name__)
        name(self)

    def fresh(self) -> int:
        self.number += 1
        return self.number

    def notes(self) -> list[Path]:
        return sorted((self.site.root / "templates/notes").rglob("*.md"))

    def write_demo(self, name: str) -> None:
        self.site.write_demo(name, COUNTED.format(value=self.choose.randint(1, 5)))

    def write_note(self, slug: str) -> None:
        kind = self.choose.choice(["prose", "counted", "counted", "drawn"])
        words = f"Words {self.fresh()}."
        if kind == "prose":
            self.site.note(slug, words)
        elif kind == "drawn":
            self.site.note(slug, f"{words} <%= end %>\n\n<%= line %>", demo="drawing")
        else:
            front: dict[str, object] = {"demo": f"d{self.choose.randint(0, 2)}"}
            if self.choose.random() < 0.5:
                front["params"] = f"{{scale: {self.choose.randint(1, 3)}}}"
            if self.choose.random() < 0.5:
                front["seed"] = self.choose.randint(0, 3)
            self.site.note(slug, BODY.format(words=words), **front)

    def add_note(self) -> None:
        self.write_note(self.choose.choice(["", "deep/"]) + f"n{self.fresh()}")

    def edit_note(self) -> None:
        if notes := self.notes():
            path = self.choose.choice(notes)
            slug = path.relative_to(self.site.root / "templates/notes").with_suffix("")
            self.write_note(slug.as_posix())

    def edit_words(self) -> None:
        if notes := self.notes():
            path = self.choose.choice(notes)
            path.write_text(path.read_text() + f"\nMore words {self.fresh()}.\n")

    def delete_note(self) -> None:
        if len(notes := self.notes()) > 2:
            self.choose.choice(notes).unlink()

    def rename_note(self) -> None:
        if notes := self.notes():
            path = self.choose.choice(notes)
            path.rename(path.with_name(f"r{self.fresh()}.md"))

    def edit_demo(self) -> None:
        self.write_demo(f"d{self.choose.randint(0, 2)}")

    def edit_drawing(self) -> None:
        self.site.write_demo("drawing", DRAWN.replace("[0, 2]", f"[0, {self.fresh()}]"))

    def edit_module(self) -> None:
        self.site.write("lib/base.py", f"OFFSET = {self.choose.randint(0, 3)}\n")

    def edit_macro(self) -> None:
        text = f"<% macro say(x) %>said {self.choose.randint(0, 3)} <%= x %><% endmacro %>"
        self.site.write("templates/macros/shared.md", text)

    def edit_data(self) -> None:
        self.site.write("demos/data.txt", str(self.choose.randint(0, 3)))

    def list_more(self) -> None:
        self.site.write(f"demos/listed/{self.fresh()}", "")

    def list_less(self) -> None:
        names = sorted((self.site.root / "demos/listed").iterdir())
        if len(names) > 1:
            self.choose.choice(names).unlink()

    def toggle_extra(self) -> None:
        extra = self.site.root / "demos/extra.txt"
        extra.unlink() if extra.exists() else extra.write_text("x")

    def edit_settings(self) -> None:
        config = self.site.read("hugo.toml").partition("[params.generator]")[0]
        digits = self.choose.randint(3, 6)
        figures = self.choose.choice(["figures", "figures", "pictures"])
        own = f'[params.generator]\nsignificantDigits = {digits}\nfigures = "{figures}"\n'
        self.site.write("hugo.toml", config + own)

    def touch(self) -> None:
        for path in self.notes():
            os.utime(path)

    def delete_output(self) -> None:
        if files := sorted(self.site.files("content", "static")):
            (self.site.root / self.choose.choice(files)).unlink()

    def spoil_record(self) -> None:
        """Alone: without its record, a page that is to change counts as somebody else's."""
        self.site.build()
        if records := sorted(self.site.files("data")):
            path = self.site.root / self.choose.choice(records)
            path.write_bytes(path.read_bytes()[: self.choose.randint(0, 900)])
            if self.choose.random() < 0.5:
                path.unlink()
        self.site.build()

    def forget_state(self) -> None:
        shutil.rmtree(self.site.root / ".generator", ignore_errors=True)

    def break_and_build(self) -> None:
        """A build that fails in between must leave nothing wrong behind."""
        path = self.site.root / "demos/d0.py"
        good = path.read_text()
        path.write_text("def run(rng, scale=1):\n    return 1 / 0\n")
        self.site.build()
        path.write_text(good)

    def build_some(self) -> None:
        notes = self.notes()
        self.site.build(*{self.choose.choice(notes).stem for _ in range(2)})


ACTIONS: list[Callable[[Author], None]] = [
    Author.add_note,
    Author.edit_note,
    Author.edit_note,
    Author.edit_words,
    Author.edit_words,
    Author.delete_note,
    Author.rename_note,
    Author.edit_demo,
    Author.edit_demo,
    Author.edit_drawing,
    Author.edit_module,
    Author.edit_macro,
    Author.edit_data,
    Author.list_more,
    Author.list_less,
    Author.toggle_extra,
    Author.edit_settings,
    Author.touch,
    Author.delete_output,
    Author.spoil_record,
    Author.forget_state,
    Author.break_and_build,
    Author.build_some,
]


def clean_files(site: Site, folder: Path) -> dict[str, bytes]:
    """What a clean build of the same inputs publishes."""
    shutil.rmtree(folder, ignore_errors=True)
    clean = make_site(folder)
    for name in INPUTS:
        source = site.root / name
        if source.is_dir():
            shutil.copytree(source, clean.root / name)
        else:
            shutil.copy(source, clean.root / name)
    report = clean.build()
    assert not report.failed, report
    return clean.files()


def run_sequence(tmp_path: Path, seed: int, builds: int) -> None:
    site = make_site(tmp_path / f"site{seed}")
    author = Author(site, seed)
    for _ in range(builds):
        for _ in range(author.choose.randint(1, 4)):
            author.act()
        report = site.build()
        where = f"seed {seed}: {author.log}"
        assert not report.failed, f"{where}\n{report}"
        expected = clean_files(site, tmp_path / "clean")
        found = site.files()
        assert sorted(found) == sorted(expected), where
        assert [p for p in found if found[p] != expected[p]] == [], where
        assert site.reasons() == {}, where
        stamps = site.stamps()
        site.build()
        assert site.stamps() == stamps, where
    shutil.rmtree(site.root)


@pytest.mark.parametrize("seed", range(4))
def test_incremental_builds_equal_clean_ones(tmp_path: Path, seed: int) -> None:
    run_sequence(tmp_path, seed, builds=3)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 500))
def test_hundreds_of_sequences(tmp_path: Path, seed: int) -> None:
    run_sequence(tmp_path, seed, builds=5)
