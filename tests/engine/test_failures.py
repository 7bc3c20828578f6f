"""What an author can get wrong: one clear line each, the other notes are built, nothing is torn."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.conftest import FRONT, Site


@dataclass(frozen=True)
class Fault:
    """A site with one thing wrong."""

    name: str
    files: dict[str, str]
    said: str
    """How the line on stderr starts, or what it holds."""
    code: int = 1


def template(body: str, **front: object) -> str:
    more = "".join(f"{key}: {value}\n" for key, value in front.items())
    return f"---\n{FRONT.format(title='bad')}{more}---\n{body}\n"


BAD = "templates/notes/bad.md"
FAULTS = [
    Fault(
        "a demo raises",
        {
            BAD: template("<%= x %>", demo="broken"),
            "demos/broken.py": "def helper():\n    return 1 / 0\n\ndef run(rng):\n    helper()\n",
        },
        "demos/broken.py:2: ZeroDivisionError: division by zero",
    ),
    Fault(
        "a demo can't be read",
        {BAD: template("<%= x %>", demo="broken"), "demos/broken.py": "def run(rng:\n"},
        "demos/broken.py:1: SyntaxError",
    ),
    Fault(
        "a demo without run",
        {BAD: template("<%= x %>", demo="broken"), "demos/broken.py": "x = 1\n"},
        "demos/broken.py:1: it has no function `run(rng, **params)`",
    ),
    Fault(
        "a demo returns no dict",
        {
            BAD: template("<%= x %>", demo="broken"),
            "demos/broken.py": "\ndef run(rng):\n    return 1\n",
        },
        "demos/broken.py:2: `run` returns int, not a dict of results",
    ),
    Fault(
        "a demo returns what no record holds",
        {
            BAD: template("<%= x %>", demo="broken"),
            "demos/broken.py": "def run(rng):\n    return {'x': [1, {2}]}\n",
        },
        "demos/broken.py:2: `x[1]` is a set",
    ),
    Fault(
        "a demo makes a block that is refused",
        {
            BAD: template("<%= x %>", demo="broken"),
            "demos/broken.py": "from generator import FileTree\n"
            "def run(rng):\n    return {'x': FileTree('nowhere')}\n",
        },
        "demos/broken.py:3: no `nowhere` in `demos`",
    ),
    Fault(
        "a result that no template can name",
        {
            BAD: template("<%= x %>", demo="broken"),
            "demos/broken.py": "def run(rng):\n    return {'a-b': 1}\n",
        },
        "use letters, digits and `_`",
    ),
    Fault(
        "an argument that nobody gives",
        {
            BAD: template("<%= x %>", demo="broken"),
            "demos/broken.py": "def run(rng, size):\n    return {'x': size}\n",
        },
        "give its arguments defaults, or name them in `params:`",
    ),
    Fault(
        "a demo exits",
        {
            BAD: template("<%= x %>", demo="broken"),
            "demos/broken.py": "import sys\ndef run(rng):\n    sys.exit(3)\n",
        },
        "demos/broken.py:3: the demo called exit()",
    ),
    Fault(
        "an unknown parameter",
        {
            BAD: template("<%= x %>", demo="broken", params="{sise: 2}"),
            "demos/broken.py": "def run(rng, size=1):\n    return {'x': 1}\n",
        },
        "did you mean `size`?",
    ),
    Fault(
        "an unknown name",
        {BAD: template("\n<%= totl %>", demo="sums")},
        f"{BAD}:9: nothing here is called `totl`",
    ),
    Fault("a tag without end", {BAD: template("<%= 1")}, f"{BAD}:7: this tag has no `%>`"),
    Fault(
        "the generator's own stand-in in the text",
        {BAD: template("One.\n\nTwo zxq0qxz <%= total %>.", demo="sums")},
        f"{BAD}:10: `zxq0qxz` is what the generator writes for a value",
    ),
    Fault(
        "a false claim",
        {BAD: template('It is <%= total | claim("0.2") %>.', demo="sums")},
        f"{BAD}:8: false claim: expected rounds to 0.2, found 0.125",
    ),
    Fault(
        "front matter that is not YAML",
        {BAD: "---\ntitle: a: b\n---\n"},
        f"{BAD}:2: the front matter is not YAML",
    ),
    Fault(
        "front matter without end",
        {BAD: "---\ntitle: a\n"},
        f"{BAD}:1: the front matter has no end",
    ),
    Fault(
        "front matter in conflict",
        {BAD: "---\n<<<<<<< ours\ntitle: a\n=======\ntitle: b\n>>>>>>> theirs\n---\n"},
        f"{BAD}:2: a merge left conflict marks",
    ),
    Fault(
        "a missing demo",
        {BAD: template("x", demo="sum")},
        f"{BAD}:6: there is no demo `sum` in demos/",
    ),
    Fault("a demo outside", {BAD: template("x", demo="../x")}, f"{BAD}:6: `../x` is not a demo's"),
    Fault("an unsafe slug", {BAD: template("x", slug="../x")}, f"{BAD}:6: `../x` is not a safe"),
    Fault(
        "an unsafe name",
        {"templates/notes/a b.md": template("x")},
        "templates/notes/a b.md:1: `a b` is not a safe slug",
    ),
    Fault(
        "a duplicate slug",
        {BAD: template("x"), "templates/notes/more/bad.md": template("x")},
        f"{BAD}:1: its slug is also that of templates/notes/more/bad.md",
    ),
    Fault(
        "a duplicate address",
        {BAD: template("x", slug="prose")},
        f"{BAD}:1: its slug is also that of templates/notes/prose.md",
    ),
    Fault("a wrong seed", {BAD: template("x", seed="abc")}, f"{BAD}:6: `seed:` is not an integer"),
    Fault("a wrong time", {BAD: template("x", timeout=-1)}, f"{BAD}:6: `timeout:` is not positive"),
    Fault(
        "parameters that no record holds",
        {BAD: template("x", params="{a: !!set {b}}")},
        f"{BAD}:6: `params.a` is a set",
    ),
    Fault(
        "a result with a reserved name",
        {
            BAD: template("<%= x %>", demo="broken"),
            "demos/broken.py": "def run(rng):\n    return {'slug': 1}\n",
        },
        "a result is called `slug`",
    ),
    Fault(
        "a template that is not UTF-8",
        {BAD: "\udcff"},
        f"{BAD}:1: not UTF-8",
    ),
    Fault(
        "an unknown setting",
        {"hugo.toml": "[params.generator]\ntemplate = 'x'\n"},
        "did you mean `templates`?",
        2,
    ),
    Fault(
        "a setting that leads out",
        {"hugo.toml": "[params.generator]\nsection = '../x'\n"},
        "`section` is not a folder inside the site",
        2,
    ),
    Fault("settings that are not TOML", {"hugo.toml": "a = = b\n"}, "hugo.toml: not TOML", 2),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_told_in_a_line_and_stops_nobody_else(
    small_site: Site, fault: Fault, capsys: pytest.CaptureFixture[str]
) -> None:
    from generator.cli import main

    for path, text in fault.files.items():
        small_site.write(path, text.encode("utf-8", "surrogateescape"))
    assert main(["build", "--site", str(small_site.root)]) == fault.code
    said = capsys.readouterr().err
    assert fault.said in said
    assert "Traceback" not in said
    assert len(fault.said.split(":")) < 3 or any(
        line.startswith(fault.said) for line in said.splitlines()
    )
    pages = small_site.files("content") if (small_site.root / "content").exists() else {}
    wanted = {"content/notes/drawn.md", "content/notes/sums.md"} if fault.code == 1 else set()
    assert wanted <= set(pages)
    assert not [p for p in pages if "bad" in p or "tmp" in p or "a b" in p]


def test_a_failing_note_keeps_its_last_good_page(small_site: Site) -> None:
    small_site.build()
    before = small_site.files()
    small_site.demo("sums", "raise ValueError('no')")
    small_site.note("drawn", "<%= nothing %>", demo="drawn")
    report = small_site.build()
    assert {n.slug for n in report.notes if n.status == "failed"} == {"sums", "drawn"}
    assert small_site.files() == before
    assert set(small_site.reasons()) == {"sums", "drawn"}


def test_notes_that_clash_keep_their_last_good_pages(small_site: Site) -> None:
    small_site.build()
    before = small_site.files()
    small_site.note("Sums", "Another.")
    assert small_site.build().failed
    assert small_site.files() == before


def test_a_site_without_settings_is_a_usage_error(site: Site) -> None:
    (site.root / "hugo.toml").unlink()
    done = site.run("build")
    assert done.returncode == 2
    assert "there is no hugo.toml" in done.stderr


def test_what_a_demo_printed_is_shown_when_it_fails(small_site: Site) -> None:
    small_site.demo("sums", "print('so far')\nraise ValueError('no')")
    done = small_site.run("build")
    assert "  | so far" in done.stdout
    assert "demos/sums.py:3: ValueError: no" in done.stderr


def test_the_authors_frames_are_shown(small_site: Site) -> None:
    small_site.write("helping.py", "def half(x):\n    return 1 / x\n")
    small_site.write_demo("sums", "import helping\ndef run(rng):\n    return helping.half(0)\n")
    done = small_site.run("build")
    assert "helping.py:2: ZeroDivisionError" in done.stderr
    assert "demos/sums.py:3 in run: return helping.half(0)" in done.stderr
    assert "generator/compute.py" not in done.stderr
