"""The built package, installed by itself into sites of other shapes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.programs import find_tool
from tests.use.conftest import CONFIG, LAYOUTS, write

REPOSITORY = Path(__file__).parent.parent.parent
NEEDED = ("generator", "templates", "docs", "tests", "themes", "tools")
NEEDED_FILES = ("README.md", "LICENSE", "CHANGELOG.md", "hugo.toml", ".pre-commit-hooks.yaml")


def build(source: Path, kind: str, target: Path) -> Path:
    """The file that the build back end makes, without a network."""
    call = f"from hatchling.build import build_{kind} as b; import sys; print(b(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", call, str(target)], cwd=source, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return target / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, as a clone has them."""
    folder = tmp_path_factory.mktemp("package") / "source"
    left_out = shutil.ignore_patterns(
        ".git", ".venv", "public", "build", "node_modules", "__pycache__", ".generator", ".*_cache"
    )
    shutil.copytree(REPOSITORY, folder, ignore=left_out)
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return build(source, "wheel", source.parent)


@pytest.fixture(scope="module")
def python(wheel: Path) -> Path:
    """The Python of a fresh environment that has the wheel; what it needs is borrowed."""
    environment = wheel.parent / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    program = environment / "bin" / "python"
    install = ["-m", "pip", "--python", str(program), "install", "--no-deps", "--no-index"]
    done = subprocess.run([sys.executable, *install, str(wheel)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return program


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "generator/py.typed" in names
    assert "generator/lint/rules/math_display.py" in names
    tops = {name.split("/")[0] for name in names}
    assert len(tops) == 2, tops
    assert not [name for name in names if name.startswith("generator/demos/")]
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_sdist_builds_the_same_wheel(source: Path, wheel: Path, tmp_path: Path) -> None:
    sdist = build(source, "sdist", tmp_path)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    for name in NEEDED:
        assert (unpacked / name).is_dir(), name
    for name in NEEDED_FILES:
        assert (unpacked / name).is_file(), name
    again = build(unpacked, "wheel", tmp_path)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())


def test_the_command_is_installed(python: Path) -> None:
    command = python.parent / "scidraft-generator"
    done = subprocess.run([command, "--version"], capture_output=True, text=True, env=alone())
    assert done.stdout.startswith("scidraft-generator ")


def alone() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@dataclass(frozen=True)
class Layout:
    """One way in which sites differ."""

    files: dict[str, str]
    """What the site holds beside its layouts."""
    page: str
    """Where the note is published."""
    address: str
    """Its address below `public/`."""
    template: str = "templates/notes/walk.md"
    """Where the template is."""
    init: int = 0
    """The exit code of `init`."""
    left: list[str] = field(default_factory=list)
    """What `init` must leave as it is in the configuration."""


OTHER_SECTION = CONFIG + '# mine\n[params.generator]\nsection = "posts/lab"\nfigures = "img"\n'
LANGUAGES = """\
defaultContentLanguage = "en"
title = "Two languages" # mine
[languages.en]
weight = 1
[languages.de]
weight = 2
"""
FOLDERS = LANGUAGES.replace("weight = 1", 'weight = 1\ncontentDir = "content/english"').replace(
    "weight = 2", 'weight = 2\ncontentDir = "content/german"'
)
YAML = """\
# mine
title: Site
markup:
  goldmark:
    renderer: {unsafe: true}   # kept
"""
SITES = {
    "section": Layout(
        {"hugo.toml": OTHER_SECTION},
        "content/posts/lab/walk.md",
        "posts/lab/walk",
        left=["# mine\n"],
    ),
    "bundles": Layout(
        {"hugo.toml": 'title = "Bundles"\n'},
        "content/notes/walk/index.md",
        "notes/walk",
        "templates/notes/walk/index.md",
    ),
    "languages": Layout(
        {"hugo.toml": LANGUAGES},
        "content/notes/walk.de.md",
        "de/notes/walk",
        "templates/notes/walk.de.md",
        left=['title = "Two languages" # mine\n'],
    ),
    "folders": Layout({"hugo.toml": FOLDERS}, "content/english/notes/walk.md", "notes/walk"),
    "both": Layout(
        {
            "hugo.toml": 'title = "Both"\n',
            "config/_default/params.toml": '[generator]\nsection = "posts"\n',
        },
        "content/posts/walk.md",
        "posts/walk",
    ),
    "folder": Layout(
        {
            "config/_default/hugo.toml": 'title = "Folder"\ncontentDir = "texts"\n',
            "config/_default/params.toml": "# mine\nmath = true\n",
            "config/_default/markup.toml": "[goldmark.renderer]\nunsafe = true\n",
            "config/production/hugo.toml": 'title = "Production"\n',
        },
        "texts/notes/walk.md",
        "notes/walk",
        left=["# mine\nmath = true\n", "[goldmark.renderer]\nunsafe = true\n"],
    ),
    "yaml": Layout(
        {"hugo.yaml": YAML},
        "content/notes/walk.md",
        "notes/walk",
        init=1,
        left=[YAML.rstrip()],
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.soak] if n == "both" else []) for n in SITES]
)
def test_it_works_in_a_site_of_another_layout(python: Path, tmp_path: Path, name: str) -> None:
    layout = SITES[name]
    site = tmp_path / "Zoë's ärger site 中" / name
    for path, text in layout.files.items():
        write(site / path, text)
    for path, text in LAYOUTS.items():
        write(site / "layouts" / path, text)

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [python, "-m", "generator", *words],
            cwd=site,
            capture_output=True,
            text=True,
            env=alone(),
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    run("init", code=layout.init)
    config = "".join(path.read_text("utf-8") for path in configuration(site))
    for text in layout.left:
        assert text in config
    run("new", "walk", "--kind", "figure")
    if layout.template != "templates/notes/walk.md":
        (site / layout.template).parent.mkdir(exist_ok=True)
        (site / "templates/notes/walk.md").rename(site / layout.template)
    run("new", "roots", "--kind", "algorithm")
    run("build")
    assert (site / layout.page).is_file()
    assert "nothing to do" in run("build")
    before = {path: path.read_bytes() for path in configuration(site)}
    run("init", code=layout.init)
    assert {path: path.read_bytes() for path in configuration(site)} == before
    if layout.init == 0:
        assert "all as they should be" in run("check")
    published(site, layout)


def configuration(site: Path) -> list[Path]:
    return sorted([*site.glob("hugo.*"), *site.glob("config/*/*")])


def published(site: Path, layout: Layout) -> None:
    """Hugo takes the page and the figure."""
    hugo = find_tool("hugo")
    done = subprocess.run([hugo, "--quiet"], cwd=site, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    page = (site / "public" / layout.address / "index.html").read_text("utf-8")
    assert "A walk of 100 steps" in page
    assert list((site / "public").glob("*/walk*/growth.svg"))
