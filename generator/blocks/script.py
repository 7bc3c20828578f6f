"""Running a script for its output."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from generator.blocks.base import refuse
from generator.blocks.filetree import find_path
from generator.frozen import dataclass
from generator.site import site_root

if TYPE_CHECKING:
    import subprocess

    from generator.observe import Seen

ScriptHook = Callable[[list[str], dict[str, str]], AbstractContextManager[object]]
SCRIPT_HOOK: ContextVar[ScriptHook | None] = ContextVar("script_hook", default=None)
"""Given the command and its environment, both of which it may change, before a script starts."""

_WATCHED = (
    "import sys; sys.path.insert(0, {package!r}); from generator.observe import watch_script; "
    "del sys.path[0]; watch_script(*sys.argv[1:5], sys.argv[5:])"
)
_KEPT = ("HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TMPDIR", "VIRTUAL_ENV")
_OWN_FRAMES = re.compile(
    r'^  File "(?:<string>|<frozen runpy>|[^"\n]*/generator/observe\.py)", line .*\n(?:    .*\n)*',
    re.MULTILINE,
)
"""Lines of a traceback above the script's own when it is watched."""
_FRAME = re.compile(r'^  File "(?P<path>[^"]+)", line (?P<line>\d+)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """What a script did."""

    output: str
    """What it printed."""
    errors: str
    """What it printed to standard error."""
    returncode: int
    """Its exit code."""

    def __str__(self) -> str:
        return self.output


def run_script(
    path: str | os.PathLike[str],
    *args: object,
    input: str | None = None,
    timeout: float = 60,
    returncode: int = 0,
) -> ScriptRun:
    """Run a Python script in its own folder, with this interpreter and a plain environment.

    Raises GeneratorError when it ends with another exit code than `returncode`, or not within
    `timeout` seconds.
    """
    script = find_path(path, "script").resolve()
    name = os.fspath(path)
    if not script.is_file():
        raise refuse("script", f"`{name}` is not a file")
    command = [sys.executable, str(script), *map(str, args)]
    environment = _plain_environment()
    hook = SCRIPT_HOOK.get()
    with hook(command, environment) if hook else nullcontext():
        done = _run(command, environment, str(script.parent), name, input, timeout)
    errors = _OWN_FRAMES.sub("", done.stderr) if hook else done.stderr
    run = ScriptRun(_plain(done.stdout, script), _plain(errors, script), done.returncode)
    if run.returncode != returncode:
        raise refuse(
            "script",
            f"`{name}` ended with exit code {run.returncode}: {_last_words(run.errors)}",
            _last_frames(run.errors),
        )
    return run


@contextmanager
def watching_scripts(seen: Seen) -> Iterator[None]:
    """Observe inside the scripts that run meanwhile, and add what they read to `seen`."""
    token = SCRIPT_HOOK.set(lambda command, _: _watching(command, seen))
    try:
        yield
    finally:
        SCRIPT_HOOK.reset(token)


@contextmanager
def _watching(command: list[str], seen: Seen) -> Iterator[None]:
    """Turn a command into one that leaves what its script read, and take that in."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    processes = seen.processes
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "seen.json")
        code = _WATCHED.format(package=package)
        command[1:1] = ["-P", "-c", code, out, seen.root, seen.demos]
        seen.add_file(command[7])
        try:
            yield
        finally:
            seen.processes = processes
            if os.path.exists(out):
                with open(out, encoding="utf-8") as file:
                    seen.take(json.load(file))


def _run(
    command: list[str],
    environment: dict[str, str],
    folder: str,
    name: str,
    given: str | None,
    timeout: float,
) -> subprocess.CompletedProcess[str]:
    import subprocess

    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            input=given or "",
            capture_output=True,
            timeout=timeout,
            encoding="utf-8",
            errors="backslashreplace",
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise refuse("script", f"`{name}` did not end within {timeout:g} seconds") from error


def _plain_environment() -> dict[str, str]:
    """The few variables that a script needs, and those that keep its output the same."""
    return {
        **{name: os.environ[name] for name in _KEPT if name in os.environ},
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUTF8": "1",
        "TERM": "dumb",
        "TZ": "UTC",
    }


def _plain(text: str, script: Path) -> str:
    """Output without this machine's folders: paths beside the script or in the site get short."""
    for folder in (script.parent, site_root().resolve()):
        text = text.replace(os.fspath(folder) + os.sep, "")
    return text.replace("\r\n", "\n")


def _last_words(errors: str) -> str:
    lines = [line for line in errors.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"


def _last_frames(errors: str) -> str:
    """The script's own frames, innermost last, as `file:line`."""
    frames = [
        f"{match['path']}:{match['line']}"
        for match in _FRAME.finditer(errors)
        if not os.path.isabs(match["path"]) and not match["path"].startswith("<")
    ]
    return "in " + ", ".join(frames[-3:]) if frames else ""
