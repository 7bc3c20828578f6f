"""The documentation tells the truth: its examples run, its commands exist, it is complete."""

from __future__ import annotations

import contextlib
import json
import re
import runpy
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pytest
import yaml

from generator.arguments import make_parser
from generator.cli import main
from generator.completion import commands_of
from generator.notes import _read_keys
from generator.settings import Settings

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), ROOT / "README.md"])
FENCE = re.compile(
    r"(?:^<!-- (?P<kind>\w+): (?P<name>\S+) -->\n)?"
    r"^(?P<indent> *)```(?P<language>[\w-]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Snippet:
    """One fenced block of a page."""

    page: str
    section: str
    language: str
    text: str
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.page}:{self.section}:{self.language}"


def snippets(page: Path) -> Iterator[Snippet]:
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        above = re.findall(r"^## (.+)$", text[: found.start()], re.MULTILINE)
        indent = len(found["indent"])
        body = "".join(line[indent:] for line in found["text"].splitlines(keepends=True))
        yield Snippet(
            page.name,
            above[-1] if above else "",
            found["language"],
            body,
            found["kind"] or "",
            found["name"] or "",
        )


ALL = [snippet for page in PAGES for snippet in snippets(page)]
EXAMPLES = sorted({(s.page, s.section) for s in ALL if s.kind == "file" and s.page != "guide.md"})


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, "utf-8")


def make_site(root: Path, files: list[Snippet]) -> None:
    write(root, "hugo.toml", 'title = "Site"\n')
    with contextlib.redirect_stdout(None):
        main(["init", "--site", str(root)])
    for snippet in files:
        write(root, snippet.name, snippet.text)


def build(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    code = main(["build", "--quiet", "--site", str(root)])
    told = capsys.readouterr().err
    problems = [line for line in told.splitlines() if "warning: " not in line]
    assert code == 0, "\n".join(problems)


@pytest.mark.parametrize(("page", "section"), EXAMPLES)
def test_examples_build_and_show_what_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], page: str, section: str
) -> None:
    own = [s for s in ALL if (s.page, s.section) == (page, section)]
    make_site(tmp_path, [s for s in own if s.kind == "file"])
    (tmp_path / "demos/data").mkdir()
    np.save(tmp_path / "demos/data/census.npy", np.arange(1000.0))
    build(tmp_path, capsys)
    for snippet in own:
        if snippet.kind == "shows":
            assert snippet.text in (tmp_path / snippet.name).read_text("utf-8")


def test_the_guides_example_builds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_site(tmp_path, [s for s in ALL if s.page == "guide.md" and s.kind == "file"])
    build(tmp_path, capsys)
    page = (tmp_path / "content/notes/rotary.md").read_text("utf-8")
    assert re.search(r"half its peak at an offset of \d+\.", page)


def test_the_guides_table_of_places_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = "<%= 0.00000032 | sci(2) %>"
    text = f"---\ntitle: P\nmath: true\n---\n{value}, \\({value}\\), `{value}`\n"
    make_site(tmp_path, [Snippet("", "", "", text, "file", "templates/notes/places.md")])
    build(tmp_path, capsys)
    page = (tmp_path / "content/notes/places.md").read_text("utf-8").replace("\xa0", " ")
    line = page.splitlines()[-1]
    rows = (DOCS / "guide.md").read_text("utf-8")
    prose, math, code = line.split(", ")
    assert f"| prose | {prose} |" in rows
    assert f"| `{math.removeprefix(chr(92) + '(').removesuffix(chr(92) + ')')}` |" in rows
    assert f"| code | {code} |" in rows


def test_the_page_on_algorithms_shows_what_its_example_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / "algorithms.md").read_text("utf-8")
    (said,) = re.findall(r"^A note with (.+) prints it", page, re.MULTILINE)
    keys = "\n".join(re.findall(r"`(.+?)`", said))
    example = {s.language: s.text for s in reversed([*snippets(DOCS / "algorithms.md")])}
    note = f"---\ntitle: D\n{keys}\n---\n{example['markdown']}"
    make_site(tmp_path, [Snippet("", "", "", note, "file", "templates/notes/descent.md")])
    write(tmp_path, "demos/descent.py", example["python"])
    build(tmp_path, capsys)
    write(tmp_path, "demos/descent.py", example["python"].replace(r"\frac{2}{n}", r"\frac{1}{n}"))
    assert main(["build", "--quiet", "--site", str(tmp_path)]) == 1
    assert example["text"].splitlines()[0] in capsys.readouterr().err


def test_examples_of_front_matter_show_the_title_in_feeds() -> None:
    notes = [s for s in ALL if s.language == "markdown" and s.text.startswith("---\n")]
    assert len(notes) > 5
    for snippet in notes:
        assert yaml.safe_load(snippet.text.split("---\n")[1])["showTitle"] is True, snippet


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_example_keeps_data_where_hugo_reads_it(page: Path) -> None:
    text = page.read_text("utf-8")
    assert not re.findall(
        r"(?<![\w/.])(?:data|content|static)/[^\s`]*\.(?:npy|h5|csv|parquet)", text
    )


@pytest.mark.parametrize("snippet", [s for s in ALL if s.language], ids=str)
def test_snippets_are_sound(snippet: Snippet) -> None:
    match snippet.language:
        case "python":
            if snippet.page != "reference.md":
                compile(snippet.text, str(snippet), "exec")
        case "yaml":
            assert yaml.safe_load(snippet.text)
        case "toml":
            assert tomllib.loads(snippet.text)
        case "json":
            assert json.loads(snippet.text)
        case "bash":
            for line in snippet.text.splitlines():
                check_command(line)
        case "markdown" | "text" | "pseudo-algorithm":
            assert snippet.text.strip()
        case other:
            pytest.fail(f"no way to check {other}")


def check_command(line: str) -> None:
    """A line for a shell: what it says of this package must be accepted by the parser."""
    words = shlex.split(line, comments=True)
    for sign in (">", ">>", "&&"):
        if sign in words:
            words = words[: words.index(sign)]
    if "generator" in words and words[0].endswith("python"):
        words = words[words.index("generator") + 1 :]
        make_parser().parse_args(words[: words.index("--")] if "--" in words else words)
    elif words[:1] == ["make"]:
        assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text("utf-8")
    elif words and words[0].endswith("python") and words[1].endswith(".py"):
        assert (ROOT / words[1].removeprefix("scidraft-generator/")).is_file()
    elif words:
        known = ("cd", "cp", "echo", "printf", "rm", "pip", "hugo", "git", "python3", "dask", "npm")
        assert words[0].split("/")[-1] in known, line


def test_ci_examples_have_the_form_that_their_hosts_read() -> None:
    workflows = {s.name: yaml.safe_load(s.text) for s in ALL if s.kind == "workflow"}
    (job,) = workflows["github"]["jobs"].values()
    for step in job["steps"]:
        assert set(step) <= {"uses", "with", "run", "name"}
        assert ("uses" in step) != ("run" in step)
        if "run" in step:
            check_command(step["run"])
    assert True in workflows["github"]  # `on`, which YAML takes for a truth value
    for line in workflows["gitlab"]["pages"]["script"]:
        check_command(line)
    assert workflows["gitlab"]["pages"]["artifacts"]["paths"] == ["public"]


def test_the_hook_in_the_recipe_is_the_one_that_is_shipped() -> None:
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    shipped = next(hook for hook in manifest if hook["id"] == "generator-build")
    shown = next(
        yaml.safe_load(s.text)["repos"][0]["hooks"][0]
        for s in ALL
        if s.page == "recipes.md" and s.text.startswith("repos:")
    )
    assert {**shipped, "description": ""} == {**shown, "description": ""}


def test_the_reference_is_what_the_code_says() -> None:
    made = runpy.run_path(str(ROOT / "tools/write_reference.py"))["write_reference"]()
    assert (DOCS / "reference.md").read_text("utf-8") == made, "run tools/write_reference.py"


def test_the_reference_is_complete() -> None:
    import generator

    text = (DOCS / "reference.md").read_text("utf-8")
    for name, command in commands_of(make_parser()).items():
        assert f"### {name}\n" in text
        section = text.split(f"### {name}\n")[1].split("\n###")[0]
        for action in command._actions:
            for option in action.option_strings:
                assert option in ("-h", "--help", "--site") or f"`{option}" in section, option
    assert len(re.findall(r"^\| `\w+` \| `", text, re.MULTILINE)) >= len(fields(Settings)) - 5
    for name in generator.__all__:
        assert name == "__version__" or f"### {name}\n" in text, name
    for path in (ROOT / "generator/lint/rules").glob("[a-z]*.py"):
        assert f"lint.md#{path.stem.replace('_', '-')}" in text, path.stem


def test_the_guide_names_every_key_that_is_read() -> None:
    read: list[str] = []

    class Front(dict):  # type: ignore[type-arg]
        def get(self, key: str, default: object = None) -> object:
            read.append(key)
            return default

    _read_keys(Settings(ROOT), "t.md", Front(), {})
    guide = (DOCS / "guide.md").read_text("utf-8")
    for key in set(read) - {"slug"}:
        assert re.search(rf"`{key}\b", guide), key


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text("utf-8"))
    for target in re.findall(r"\]\(((?!https?:)[^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there), target


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)
    return set(plain)


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for page in DOCS.glob("*.md"):
        assert f"docs/{page.name}" in readme, page.name
