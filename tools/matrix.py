"""Tests the package on each Python it supports, with the lowest and the newest dependencies.

    python tools/matrix.py                               all pairs, and all tests that fit
    python tools/matrix.py --quick                       lowest on the oldest Python, newest on
                                                         the newest, and a telling part of the tests
    python tools/matrix.py --python 3.12 --end oldest    one pair

The Pythons are those of pyproject.toml's classifiers, the lowest versions those of its bounds.
A Python that isn't here is named and left out. What pytest says is kept in build/matrix/. Exit
code 1: a test failed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "matrix"

EXTRAS = ("hugo", "preview", "notebooks")
"""What users install beside the package; Dask has tests of its own in the suite."""
FRAMES = ("pandas",)
"""Of the extra `test`, what the package meets in demos: its lowest version counts too."""
RUNNERS = ("pytest", "hypothesis", "jsonschema")
"""What the tests run on: the newest in either case."""
NO_WHEEL = {
    ("pyyaml", "3.12"): "6.0.1",
    ("matplotlib", "3.13"): "3.9.2",
    ("numpy", "3.13"): "2.1.0",
    ("pandas", "3.13"): "2.2.3",
    ("pyyaml", "3.13"): "6.0.2",
}
"""Where the lowest version was never built for a Python: the lowest that was."""

LEFT_OUT = ("browser", "scidraft", "cluster", "use/test_hooks.py")
"""What needs a browser, the scripts of SciDraft's theme, Dask, or programs that run hooks."""
ALL = ["-m", "not soak and not browser"]
ALL += [f"--ignore=tests/{path}" for path in LEFT_OUT]
QUICK = [*ALL, "tests/blocks", "tests/algorithms", "tests/engine/test_building.py"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A Python, and one end of the range of dependencies."""

    version: str
    """Such as `3.11`."""
    program: str
    """That Python's path."""
    end: str
    """`oldest` or `newest`."""


def main() -> int:
    """Tests the pairs, one after the other, and prints a table of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="two pairs, and part of the tests")
    parser.add_argument("--python", help="only this one, such as 3.12")
    parser.add_argument("--end", choices=("oldest", "newest"), help="only these dependencies")
    options = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pairs = [
        pair
        for pair in find_pairs(project)
        if options.python in (None, pair.version) and options.end in (None, pair.end)
    ]
    if options.quick and pairs:
        pairs = list(dict.fromkeys((pairs[0], pairs[-1])))
    if not pairs:
        print("nothing was tested")
        return 2 if options.python else 0
    rows = [try_pair(pair, project, QUICK if options.quick else ALL) for pair in pairs]
    print_table(rows)
    return 0 if all(row["result"] == "passed" for row in rows) else 1


def find_pairs(project: dict[str, Any]) -> list[Pair]:
    """Every Python that is here with either end, oldest first; names those that aren't here."""
    named = re.findall(r"Python :: 3\.(\d+)", "\n".join(project["project"]["classifiers"]))
    pairs = []
    for version in [f"3.{minor}" for minor in sorted(map(int, named))]:
        if program := find_python(version):
            pairs += [Pair(version, program, end) for end in ("oldest", "newest")]
        else:
            print(f"Python {version} isn't here: left out")
    return pairs


def find_python(version: str) -> str:
    """A Python that starts: on PATH, this one, or one of pyenv's; else nothing."""
    found = [shutil.which(f"python{version}") or "", sys.executable]
    if pyenv := shutil.which("pyenv"):
        asked = subprocess.run([pyenv, "prefix", version], capture_output=True, text=True)
        found.append(f"{asked.stdout.strip()}/bin/python3")
    for program in found:
        ask = [program, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
        try:
            said = subprocess.run(ask, capture_output=True, text=True).stdout
        except OSError:
            continue
        if said.strip() == version:
            return program
    return ""


def try_pair(pair: Pair, project: dict[str, Any], tests: list[str]) -> dict[str, str]:
    """Installs, and runs the tests; the pair's row of the table."""
    print(f"\n-- Python {pair.version}, {pair.end} dependencies", flush=True)
    start = time.monotonic()
    python = str(FOLDER / f"{pair.version}-{pair.end}" / "bin" / "python")
    row = {"python": pair.version, "dependencies": pair.end, "result": "not installed"}
    if not install(python, pair, list_requirements(project, pair)):
        return row
    installed = time.monotonic()
    done = run_tests(python, tests)
    said = (done.stdout + done.stderr).strip().splitlines() or [""]
    FOLDER.joinpath(f"{pair.version}-{pair.end}.txt").write_text("\n".join(said), "utf-8")
    print("\n".join(said[-1:] if done.returncode == 0 else said[-100:]), flush=True)
    counts = {word.rstrip("s"): int(n) for n, word in re.findall(r"(\d+) ([a-z]+)", said[-1])}
    return row | {
        "numpy": read_version(python, "numpy"),
        "matplotlib": read_version(python, "matplotlib"),
        "passed": str(counts.get("passed", 0)),
        "failed": str(counts.get("failed", 0) + counts.get("error", 0)),
        "skipped": str(counts.get("skipped", 0)),
        "install": f"{installed - start:.0f} s",
        "tests": f"{time.monotonic() - installed:.0f} s",
        "result": "passed" if done.returncode == 0 else "failed",
    }


def run_tests(python: str, tests: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs pytest; hypothesis' profile for CI draws the same examples each time."""
    command = [python, "-m", "pytest", "-q", "--tb=short", "--disable-warnings"]
    command += ["-p", "no:cacheprovider", "--hypothesis-profile=ci", *tests]
    return subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True)


def list_requirements(project: dict[str, Any], pair: Pair) -> list[str]:
    """What to install for the pair, as pip's arguments."""
    extras = project["project"]["optional-dependencies"]
    bounded = project["build-system"]["requires"] + project["project"]["dependencies"]
    bounded += [line for extra in EXTRAS for line in extras[extra]]
    bounded += [line for line in extras["test"] if line.startswith(FRAMES)]
    if pair.end == "newest":
        return [*bounded, *RUNNERS]
    lowest = []
    for line in bounded:
        name, _, bound = line.partition(">=")
        lowest.append(f"{name}=={NO_WHEEL.get((name, pair.version), bound)}")
    return [*lowest, *RUNNERS]


def install(python: str, pair: Pair, requirements: list[str]) -> bool:
    """Makes the environment unless it is there, and brings in what the pair asks for."""
    if not Path(python).is_file():
        folder = Path(python).parent.parent
        subprocess.run([pair.program, "-m", "venv", "--clear", str(folder)], check=True)
    pip = [python, "-m", "pip", "-qq", "--disable-pip-version-check"]
    steps = (
        [*pip, "install", "--upgrade", "--only-binary", ":all:", *requirements],
        [*pip, "install", "--no-deps", "--no-build-isolation", "."],
        [*pip, "check"],
    )
    return all(subprocess.run(step, cwd=ROOT, env=environment()).returncode == 0 for step in steps)


def environment() -> dict[str, str]:
    """This environment without what makes CI demand every program, or leads to another Python."""
    left_out = {"CI", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


def read_version(python: str, name: str) -> str:
    """A package's version in an environment."""
    ask = f"from importlib.metadata import version; print(version({name!r}))"
    return subprocess.run([python, "-c", ask], capture_output=True, text=True).stdout.strip()


def print_table(rows: list[dict[str, str]]) -> None:
    """The rows below their headings, in columns."""
    heads = ["python", "dependencies", "numpy", "matplotlib", "passed", "failed", "skipped"]
    heads += ["install", "tests", "result"]
    lines = [heads, *([row.get(head, "") for head in heads] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    print()
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
