"""The command line: parsing, help, exit codes, colours, `--json`, completion."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.arguments import make_parser
from generator.cli import _COMMANDS, main, parse_arguments
from generator.completion import commands_of, completion_script
from generator.quick import read_arguments

SCHEMA = Path(__file__).parent.parent / "docs" / "report.schema.json"
DEMO = 'def run(rng):\n    print("working")\n    return {"answer": 42}\n'
FALSE = "---\ntitle: False\ndemo: d\n---\nIt is <%= answer | claim('43') %>.\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A note that is right, one that is false, one that can't be read."""
    files = {
        "hugo.toml": 'title = "Site"\n',
        "demos/d.py": DEMO,
        "templates/notes/right.md": FALSE.replace("43", "42").replace("False", "Right"),
        "templates/notes/false.md": FALSE,
        "templates/notes/broken.md": "---\ntitle: [\n---\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    ["build", "build -q", "build --quiet -j 3", "build --jobs 2 --site x", "build --site y -q"],
)
def test_a_plain_build_is_read_without_the_parser_as_with_it(words: str) -> None:
    read = vars(parse_arguments(words.split()))
    assert read == {**vars(make_parser("build").parse_args(words.split())), "rest": []}
    assert read_arguments(words.split()) is not None


@pytest.mark.parametrize(
    "words", ["build x", "build -f", "build -j 0", "build -j", "build -j two", "check", "build -h"]
)
def test_what_asks_for_more_goes_to_the_parser(words: str) -> None:
    assert read_arguments(words.split()) is None


def call(site: Path, *words: str) -> int:
    return main([words[0], "--site", str(site), *words[1:]])


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    commands = commands_of(make_parser())
    assert set(commands) == set(_COMMANDS)
    for name, command in commands.items():
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        text = capsys.readouterr().out
        assert f"example:\n  python -m generator {name}" in text
        for action in command._actions:
            assert action.help, f"{name} {action.dest}"


@pytest.mark.parametrize(
    "words", [[], ["bild"], ["build", "--job", "0"], ["build", "--jobs", "x"], ["new"], ["--x"]]
)
def test_bad_usage_exits_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: python -m generator" in capsys.readouterr().err


def test_exit_codes(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(site, "build", "right") == 0
    assert call(site, "build") == 1
    assert call(site, "check", "false") == 1
    assert call(site, "build", "rihgt") == 2
    assert "did you mean `right`" in capsys.readouterr().err
    assert main(["build", "--site", str(tmp_path / "nowhere")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert main(["list", "--site", str(tmp_path / "demos")]) == 2
    assert "no Hugo site here" in capsys.readouterr().err


def test_problems_go_to_stderr_and_notes_to_stdout(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(site, "build") == 1
    told = capsys.readouterr()
    assert "built right" in told.out
    assert "templates/notes/false.md:5: false claim" in told.err
    assert "templates/notes/broken.md:" in told.err
    assert "\x1b" not in told.out + told.err


def test_quiet_and_verbose(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(site, "build", "right", "--quiet") == 0
    assert capsys.readouterr().out == ""
    assert call(site, "build", "right", "--force", "--verbose") == 0
    assert "| working" in capsys.readouterr().out
    assert call(site, "build", "right", "--verbose") == 0
    assert "unchanged right" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["build"], ["check"], ["list"], ["lint"], ["check", "--recompute"]], ids=" ".join
)
def test_json_follows_its_schema(
    site: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    call(site, "build", "--quiet")
    capsys.readouterr()
    if words == ["lint"]:
        (site / "content/notes/bad.md").write_text("---\ntitle: B\n---\n##Heading\n")
    call(site, *words, "--json")
    document = json.loads(capsys.readouterr().out)
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    told = json.dumps(document)
    if words == ["lint"]:
        assert document["errors"] + document["warnings"] == len(document["problems"]) > 0
    else:
        assert [note["slug"] for note in document["notes"]] == ["broken", "false", "right"]
        assert ("false claim" in told) == (words[0] == "build")


def run_in_terminal(site: Path, *words: str, **environment: str) -> str:
    """The output of a command that thinks it is on a terminal."""
    reader, writer = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", *words],
        cwd=site,
        stdin=writer,
        stdout=writer,
        stderr=writer,
        env={**kept, "TERM": "xterm", **environment},
    )
    os.close(writer)
    found = b""
    while True:
        try:
            chunk = os.read(reader, 4096)
        except OSError:
            break
        if not chunk:
            break
        found += chunk
    process.wait()
    os.close(reader)
    return found.decode("utf-8", "replace")


def test_a_terminal_gets_colours_and_a_bar_unless_told_not_to(site: Path) -> None:
    coloured = run_in_terminal(site, "build")
    assert "\x1b[31m" in coloured
    assert "█" in coloured
    plain = run_in_terminal(site, "build", "--force", NO_COLOR="1")
    assert "\x1b" not in plain
    assert "false claim" in plain
    assert "\x1b" not in run_in_terminal(site, "list", TERM="dumb")


def test_a_closed_pipe_is_no_traceback(site: Path) -> None:
    command = f"{sys.executable} -m generator list | true"
    done = subprocess.run(command, cwd=site, shell=True, capture_output=True, text=True)
    assert done.stderr == ""


def complete(folder: Path, line: str) -> list[str]:
    """What bash offers behind a line."""
    script = completion_script(make_parser(), "bash")
    words = line.split(" ")
    given = " ".join(f"'{word}'" for word in words)
    asked = (
        f"{script}\nCOMP_WORDS=({given}); COMP_CWORD={len(words) - 1}\n"
        '_scidraft_generator; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", asked], cwd=folder, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_options_and_notes(site: Path) -> None:
    assert call(site, "build", "right", "--quiet") == 0
    assert complete(site, "scidraft-generator ") == list(_COMMANDS)
    assert complete(site, "scidraft-generator ch") == ["check"]
    assert complete(site, "scidraft-generator build --fo") == ["--force"]
    assert complete(site, "scidraft-generator show r") == ["right"]
    assert complete(site, "scidraft-generator new x --kind ta") == ["table"]
    assert complete(site / "demos", "scidraft-generator show ") == ["--help", "--site"]


@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish, which no other test does")
def test_fish_completes_too(site: Path) -> None:
    assert call(site, "build", "right", "--quiet") == 0
    script = completion_script(make_parser(), "fish")
    for line, offered in [
        ("scidraft-generator ch", "check"),
        ("scidraft-generator show r", "right"),
        ("scidraft-generator new x --kind ta", "table"),
    ]:
        asked = f"{script}\ncomplete -C '{line}'"
        done = subprocess.run(["fish", "-c", asked], cwd=site, capture_output=True, text=True)
        assert done.stderr == ""
        assert [text.split("\t")[0] for text in done.stdout.splitlines()] == [offered]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_ones_that_the_shell_reads(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name in _COMMANDS:
        assert name in script
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
