"""Never stale: every kind of input, changed in every way, makes exactly the right notes stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from generator.fingerprint import digest_bytes
from generator.quick import count_fresh_notes
from generator.settings import load_settings
from tests.conftest import Site, environment, make_site

DEEP = """\
from pathlib import Path
from first import value
from generator import depends, run_script
import installed_package.part

def run(rng, scale=1):
    here = Path(__file__).parent
    depends(env="SCRATCH_MODE")
    names = sorted(p.name for p in (here / "listed").iterdir())
    extra = here / "optional.txt"
    return {
        "value": value * scale + float(rng.random()),
        "data": (here / "data.txt").read_text(),
        "names": names,
        "optional": extra.read_text() if extra.exists() else "none",
        "said": run_script("scripts/say.py").output,
        "part": installed_package.part.PART,
        "large": len((here / "large.bin").read_bytes()),
    }
"""
BODY = """\
<% import "macros/shared.md" as shared %>
<% include "macros/extra.md" %>
It is <%= value %>, <%= data %>, <%= names | length %>, <%= optional %>, <%= shared.greet("you") %>.

```text
<%= said %>
```
"""
MACRO = "<% macro greet(who) %>hello <%= who %><% endmacro %>"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a built site, beside that of a package it imports."""
    home = tmp_path_factory.mktemp("deep")
    with pytest.MonkeyPatch.context() as patch:
        package = home / "elsewhere/installed_package"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "part.py").write_text("PART = 'part'\n")
        set_up(home, patch)
        report = make_deep_site(home / "site").build()
        assert not report.failed, report
    return home


@pytest.fixture
def deep_site(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A copy of the built site, at another place."""
    shutil.copytree(built, tmp_path / "copy", symlinks=True)
    set_up(tmp_path / "copy", monkeypatch)
    site = Site(tmp_path / "copy/site")
    assert site.reasons() == {}
    return site


def set_up(home: Path, patch: pytest.MonkeyPatch) -> None:
    """Make the package importable from outside the site, as an editable install is."""
    from generator import observe

    patch.setenv("SCRATCH_MODE", "one")
    patch.syspath_prepend(str(home / "elsewhere"))
    outside = tuple(p for p in observe._elsewhere() if not str(home).startswith(p.rstrip(os.sep)))
    scratch = os.path.join(tempfile.gettempdir(), "tmp")
    patch.setattr(observe, "_ELSEWHERE", (*outside, scratch))


def make_deep_site(root: Path) -> Site:
    """A note with an input of every kind, and two that share little with it."""
    site = make_site(root)
    site.write_demo("deep", DEEP)
    site.write("first.py", "from second import value\n")
    site.write("second.py", "from packaged.third import value\n")
    site.write("packaged/__init__.py", "")
    site.write("packaged/third.py", "value = 1\n")
    site.write("demos/data.txt", "data")
    site.write("demos/large.bin", "large")
    site.write("demos/listed/a.txt", "a")
    site.write("demos/scripts/say.py", SCRIPT)
    site.write("demos/scripts/words.txt", "words")
    site.write("demos/scripts/told.py", "TOLD = 'told'\n")
    site.write("templates/macros/shared.md", MACRO)
    site.write("templates/macros/extra.md", "Extra.")
    front = {"demo": "deep", "params": "{scale: 2}", "seed": 7, "large": '["demos/*.bin"]'}
    site.note("deep", BODY, **front)
    site.demo("sums", "return {'total': 0.125}")
    site.note("sums", "It is <%= total %>.", demo="sums")
    site.note("prose", '<% include "macros/extra.md" %>\nMore words.')
    return site


SCRIPT = """\
from pathlib import Path
import told
print(told.TOLD, (Path(__file__).parent / "words.txt").read_text())
"""


@dataclass(frozen=True)
class Input:
    """A file that notes depend on."""

    path: str
    stale: tuple[str, ...]
    """The notes that depend on it."""
    named: str = ""
    """How reasons name it, where that is not its path."""

    @property
    def name(self) -> str:
        return self.named or self.path


INPUTS = [
    Input("templates/notes/sums.md", ("sums",)),
    Input("templates/macros/shared.md", ("deep",)),
    Input("templates/macros/extra.md", ("deep", "prose")),
    Input("demos/deep.py", ("deep",)),
    Input("first.py", ("deep",)),
    Input("second.py", ("deep",)),
    Input("packaged/__init__.py", ("deep",)),
    Input("packaged/third.py", ("deep",)),
    Input("demos/data.txt", ("deep",)),
    Input("demos/scripts/say.py", ("deep",)),
    Input("demos/scripts/words.txt", ("deep",)),
    Input("demos/scripts/told.py", ("deep",)),
    Input("../elsewhere/installed_package/part.py", ("deep",), "module:installed_package/part.py"),
    Input("demos/large.bin", ("deep",)),
]


def change(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n# more\n")


def same_size_same_tick(path: Path) -> None:
    """Other bytes of the same size with the same time, as within one tick of the clock."""
    found = path.stat()
    content = path.read_bytes()
    other = bytes(byte ^ 1 for byte in content[-2:-1]) if len(content) > 1 else b"~"
    path.write_bytes(content[:-2] + other + content[-1:] if len(content) > 1 else other)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def rewrite(path: Path) -> None:
    path.write_bytes(path.read_bytes())


def touch(path: Path) -> None:
    os.utime(path, ns=(1, 1))


def replace_by_copy(path: Path) -> None:
    copy = path.with_name(path.name + ".copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


CHANGES: list[tuple[Callable[[Path], None], str]] = [
    (change, "changed"),
    (same_size_same_tick, "changed"),
    (Path.unlink, "is gone"),
    (rewrite, ""),
    (touch, ""),
    (replace_by_copy, ""),
]


def expected_reasons(
    what: Input, act: Callable[[Path], None], word: str
) -> dict[str, tuple[str, ...]]:
    if word == "is gone" and what.path in ("templates/notes/sums.md", "demos/deep.py"):
        return {}  # the note itself is gone, or has a problem and can't be planned
    if what.path == "demos/large.bin":  # by size and time, as its note asks
        word = "" if act is same_size_same_tick else word or "changed"
    reasons = [f"{what.name} {word}"] if word else []
    if word == "is gone" and what.path.startswith("demos/scripts/"):
        reasons.append("demos/scripts/ holds other files")  # each import of the script looks there
    return {slug: tuple(reasons) for slug in what.stale} if reasons else {}


@pytest.mark.parametrize("what", INPUTS, ids=lambda what: what.path)
def test_each_change_of_each_file_has_its_stale_notes_and_reason(
    deep_site: Site, what: Input
) -> None:
    target = deep_site.root / what.path
    original, times = target.read_bytes(), target.stat()
    for act, word in CHANGES:
        act(target)
        expected = expected_reasons(what, act, word)
        found = deep_site.reasons()
        assert found == expected, f"{act.__name__} of {what.path}"
        target.write_bytes(original)
        os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert deep_site.reasons() == {}, f"undoing {act.__name__}"


@pytest.mark.parametrize("what", INPUTS, ids=lambda what: what.path)
def test_a_build_after_each_change_ends_fresh(deep_site: Site, what: Input) -> None:
    same_size_same_tick(deep_site.root / what.path)
    if what.path.startswith(("demos/d", "first", "second", "packaged", "demos/s")):
        (deep_site.root / what.path).write_bytes(b"\n" + (deep_site.root / what.path).read_bytes())
    report = deep_site.build()
    if not report.failed:
        assert deep_site.reasons() == {}
        before = deep_site.files()
        deep_site.build(force=True)
        assert deep_site.files() == before


def test_new_files_that_were_looked_for_count(deep_site: Site) -> None:
    deep_site.write("demos/optional.txt", "something")
    assert deep_site.reasons() == {"deep": ("demos/optional.txt is new",)}
    deep_site.build()
    assert "something" in deep_site.read("content/notes/deep.md")
    (deep_site.root / "demos/optional.txt").unlink()
    assert deep_site.reasons() == {"deep": ("demos/optional.txt is gone",)}


def test_a_package_that_comes_before_a_module_counts(deep_site: Site) -> None:
    deep_site.write("first/__init__.py", "value = 3\n")
    assert deep_site.reasons() == {"deep": ("first/__init__.py is new",)}


def test_listed_folders_count_by_their_names(deep_site: Site) -> None:
    deep_site.write("demos/listed/b.txt", "b")
    assert deep_site.reasons() == {"deep": ("demos/listed/ holds other files",)}
    (deep_site.root / "demos/listed/b.txt").unlink()
    deep_site.write("demos/listed/a.txt", "other text, which nobody read")
    assert deep_site.reasons() == {}
    (deep_site.root / "demos/listed/a.txt").rename(deep_site.root / "demos/listed/c.txt")
    assert deep_site.reasons() == {"deep": ("demos/listed/ holds other files",)}


def test_caches_and_editors_do_not_count(deep_site: Site) -> None:
    deep_site.write("demos/__pycache__/deep.cpython-311.pyc", "x")
    deep_site.write("demos/listed/__pycache__/a.pyc", "x")
    deep_site.write("public/index.html", "x")
    deep_site.write("templates/notes/.deep.md.swp", "x")
    assert deep_site.reasons() == {}


def test_declared_variables_count(deep_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"deep": ("the environment variable SCRATCH_MODE changed",)}
    monkeypatch.setenv("SCRATCH_MODE", "two")
    assert deep_site.reasons() == said
    monkeypatch.delenv("SCRATCH_MODE")
    assert deep_site.reasons() == said
    monkeypatch.setenv("SCRATCH_MODE", "one")
    assert deep_site.reasons() == {}


@pytest.mark.parametrize(
    ("before", "after", "also"),
    [
        ("seed: 7", "seed: 8", "`seed:` changed"),
        ("seed: 7\n", "", "`seed:` changed"),
        ("{scale: 2}", "{scale: 3}", "`params:` changed"),
        ("{scale: 2}", "{scale: 2.0}", "`params:` changed"),
        ("demo: deep", "demo: sums", "`demo:` changed from demos/deep.py to demos/sums.py"),
        ("demo: deep\n", "", "it has no demo any more"),
        ("title: deep", "title: Deep", ""),
        ("date: 2026-01-02", "date: 2026-01-03", ""),
    ],
)
def test_front_matter_counts(deep_site: Site, before: str, after: str, also: str) -> None:
    text = deep_site.read("templates/notes/deep.md")
    assert before in text
    deep_site.write("templates/notes/deep.md", text.replace(before, after))
    found = deep_site.reasons()
    assert set(found) == {"deep"}
    expected = {"templates/notes/deep.md changed", *([also] if also else [])}
    assert set(found["deep"]) == expected
    step = next(step for step in steps(deep_site) if step.note.slug == "deep")
    assert bool(step.compute) == (also.startswith("`"))


def steps(site: Site):  # type: ignore[no-untyped-def]
    from generator.build import plan_steps
    from generator.fingerprint import Digests
    from generator.notes import discover_notes
    from generator.settings import load_settings

    settings = load_settings(site.root)
    return plan_steps(settings, discover_notes(settings), Digests(str(site.root)))


@pytest.mark.parametrize(
    ("setting", "reason", "computes"),
    [
        ("significantDigits = 6", "the setting `significantDigits` changed", False),
        ('sourceURL = "https://example.org/src"', "the setting `sourceURL` changed", False),
        ('figures = "pictures"', "the setting `figures` changed", True),
    ],
)
def test_settings_count(deep_site: Site, setting: str, reason: str, computes: bool) -> None:
    config = deep_site.read("hugo.toml")
    deep_site.write("hugo.toml", f"{config}[params.generator]\n{setting}\n")
    assert deep_site.reasons() == dict.fromkeys(("deep", "prose", "sums"), (reason,))
    assert {s.note.slug for s in steps(deep_site) if s.compute} == (
        {"deep", "sums"} if computes else set()
    )
    deep_site.write("hugo.toml", config + "# a comment\n")
    assert deep_site.reasons() == {}


@pytest.mark.parametrize("part", ["compute", "render"])
def test_the_generators_own_parts_count(
    deep_site: Site, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import generator.build as build

    real = build.digest_generator()
    monkeypatch.setattr(build, "digest_generator", lambda: {**real, part: "other"})
    word = "computing" if part == "compute" else "rendering"
    slugs = ("deep", "sums") if part == "compute" else ("deep", "prose", "sums")
    reason = f"the generator's {word} part changed"
    assert deep_site.reasons() == dict.fromkeys(slugs, (reason,))


@pytest.mark.parametrize(
    ("path", "act", "reason"),
    [
        ("content/notes/sums.md", Path.unlink, "content/notes/sums.md is missing"),
        ("content/notes/sums.md", change, "content/notes/sums.md was edited by hand"),
        ("data/notes/sums.json", Path.unlink, "templates/notes/sums.md is new"),
        ("content/notes/sums.md", touch, ""),
        ("content/notes/sums.md", rewrite, ""),
    ],
)
def test_outputs_count(
    deep_site: Site, path: str, act: Callable[[Path], None], reason: str
) -> None:
    act(deep_site.root / path)
    assert deep_site.reasons() == ({"sums": (reason,)} if reason else {})


def test_a_new_note_and_a_gone_one(deep_site: Site) -> None:
    deep_site.note("newer", "Words.")
    assert deep_site.reasons() == {"newer": ("templates/notes/newer.md is new",)}
    (deep_site.root / "templates/notes/prose.md").unlink()
    report = deep_site.build()
    assert set(report.removed) == {"content/notes/prose.md", "data/notes/prose.json"}


def test_a_bytecode_cache_neither_hides_a_source_nor_serves_an_old_one(small_site: Site) -> None:
    """A same-size edit within a second of a run must be seen, whatever the caches hold."""
    small_site.write("constant.py", "X = 1\n")
    small_site.write_demo(
        "sums", "import constant\ndef run(rng):\n    return {'total': constant.X}"
    )
    small_site.note("sums", "It is <%= total %> now.", demo="sums")
    compiled = [sys.executable, "-c", "import constant, demos.sums"]
    for value in range(2, 6):
        subprocess.run(compiled, cwd=small_site.root, check=True)
        stamp = (small_site.root / "constant.py").stat()
        small_site.write("constant.py", f"X = {value}\n")
        os.utime(small_site.root / "constant.py", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        small_site.build()
        assert f"It is {value} now." in small_site.read("content/notes/sums.md")


def test_a_file_changed_while_the_demo_ran_leaves_the_note_stale(small_site: Site) -> None:
    """The demo may have read the older bytes: what it gave is published, but not called fresh."""
    small_site.write("input.txt", "old")
    small_site.write_demo(
        "sums",
        "import subprocess, sys\nfrom generator import depends\n"
        "def run(rng):\n    depends()\n    text = open('input.txt').read()\n"
        "    if text == 'old':\n"
        "        code = \"open('input.txt', 'w').write('newer')\"\n"
        "        subprocess.run([sys.executable, '-c', code], check=True)\n"
        "    return {'total': text}",
    )
    small_site.note("sums", "It is <%= total %>.", demo="sums")
    small_site.build()
    assert small_site.reasons() == {"sums": ("input.txt changed",)}
    small_site.build()
    assert "It is newer." in small_site.read("content/notes/sums.md")
    assert small_site.reasons() == {}


def test_a_demo_may_make_and_read_files_of_its_own(small_site: Site) -> None:
    small_site.demo(
        "sums",
        "open('made.txt', 'w').write('1')\nreturn {'total': int(open('made.txt').read())}",
    )
    small_site.note("sums", "It is <%= total %>.", demo="sums")
    small_site.build()
    assert small_site.reasons() == {}
    assert "made.txt" not in small_site.read("data/notes/sums.json")


@pytest.mark.parametrize("declared", [False, True])
def test_reads_out_of_sight_ask_for_a_declaration(small_site: Site, declared: bool) -> None:
    declaration = "from generator import depends\ndepends('other.txt')\n" if declared else ""
    small_site.write("other.txt", "x")
    small_site.demo(
        "sums", f"import subprocess\n{declaration}subprocess.run(['true'])\nreturn {{'total': 1}}"
    )
    small_site.note("sums", "It is <%= total %>.", demo="sums")
    report = small_site.build("sums")
    codes = [problem.code for note in report.notes for problem in note.problems]
    assert codes == ([] if declared else ["depends"])
    small_site.write("other.txt", "y")
    assert ("sums" in small_site.reasons()) == declared


def test_two_demos_do_not_see_each_others_modules(site: Site) -> None:
    """Both import `shared`; each must depend on it, whichever ran first."""
    site.write("shared.py", "X = 1\n")
    for name in ("one", "two", "three"):
        site.write_demo(name, "import shared\ndef run(rng):\n    return {'x': shared.X}\n")
        site.note(name, "x is <%= x %>.", demo=name)
    site.build(jobs=1)
    site.write("shared.py", "X = 2\n")
    assert set(site.reasons()) == {"one", "two", "three"}


def test_a_demo_called_like_a_module_shadows_nothing(site: Site) -> None:
    source = "import random\ndef run(rng):\n    return {'x': random.Random(1).randint(1, 1)}\n"
    site.write_demo("random", source)
    site.note("n", "x is <%= x %>.", demo="random")
    assert not site.build().failed


@pytest.mark.parametrize(
    "name", ["templates/notes/sums.md", "content/notes/sums.md", "demos/sums.py"]
)
def test_a_change_within_the_tick_of_the_build_is_seen(small_site: Site, name: str) -> None:
    """The file has the size, time and inode that the index remembers; only its bytes differ."""
    small_site.build()
    time.sleep(0.05)
    small_site.build()  # now all is settled
    index = small_site.root / ".generator/index"
    path = small_site.root / name
    content = path.read_bytes()
    path.write_bytes(content[:-3] + b"~" + content[-2:])
    found = path.stat()
    stamp = f"{found.st_size} {found.st_ctime_ns} {found.st_ino}"
    digest = digest_bytes(content)
    lines = [
        f"p {stamp} {digest} {name}" if line.endswith(f" {name}") else line
        for line in index.read_text().split("\n")
    ]
    index.write_text("\n".join(lines))
    assert count_fresh_notes(str(small_site.root)) is None
    path.write_bytes(content)
    again = path.stat()
    now = f"{again.st_size} {again.st_ctime_ns} {again.st_ino}"
    index.write_text("\n".join(lines).replace(stamp, now))
    assert count_fresh_notes(str(small_site.root)) == 3


def test_a_generator_that_changes_during_a_build_is_seen(
    small_site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next build must not believe the digests that were taken before."""
    import generator.build as build
    import generator.index as index

    own = tmp_path / "own.py"
    own.write_text("one")
    monkeypatch.setattr(index, "own_sources", lambda: [str(own)])
    small_site.build()
    time.sleep(0.05)
    small_site.build()
    assert count_fresh_notes(str(small_site.root)) == 3
    real = build.discover_notes

    def edit_and_discover(*arguments: Any) -> Any:
        own.write_text("other")
        time.sleep(0.05)  # so that its stamp is settled when the index is written
        return real(*arguments)

    monkeypatch.setattr(build, "discover_notes", edit_and_discover)
    small_site.build()
    time.sleep(0.05)
    assert count_fresh_notes(str(small_site.root)) is None
    assert not index.read_index(load_settings(small_site.root)).parts


EMBEDDING = """\
import asked, never_asked
from pathlib import Path
from generator.build import Options, build_site
from generator.settings import load_settings

assert not build_site(load_settings(Path.cwd()), Options(slugs=(), jobs=1, force=False)).failed
"""


def test_what_embeds_the_generator_is_no_input(small_site: Site, tmp_path: Path) -> None:
    """A notebook or a test runner has modules loaded that a demo may, or may not, ask for."""
    library = tmp_path / "library"
    library.mkdir()
    (library / "asked.py").write_text("X = 3\n")
    (library / "never_asked.py").write_text("Y = 4\n")
    small_site.write_demo("sums", "import asked\ndef run(rng):\n    return {'total': asked.X}\n")
    small_site.note("sums", "It is <%= total %>.", demo="sums")
    (tmp_path / "scratch").mkdir()
    env = environment({"TMPDIR": str(tmp_path / "scratch")})  # else all here would be scratch
    env["PYTHONPATH"] += os.pathsep + str(library)
    subprocess.run([sys.executable, "-c", EMBEDDING], cwd=small_site.root, env=env, check=True)
    inputs = small_site.read("data/notes/sums.json")
    assert "module:asked.py" in inputs
    assert "module:never_asked.py" not in inputs
    assert "module:asked.py" not in small_site.read("data/notes/drawn.json")
    assert small_site.run("build", env=env).stdout == "3 notes, nothing to do\n"
