"""Writes requirements.txt and requirements-test.txt: exact versions, with digests of their files.

    python tools/pin.py              pins what pyproject.toml adds; the rest stays as it is
    python tools/pin.py --upgrade    pins the newest of everything

One version serves every Python the package supports, where there is one. The digests are those
that the package index lists, of the files for all platforms.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Group:
    """Requirements that stand together below a comment."""

    comment: str
    """What they are for."""
    extras: tuple[str, ...] = ()
    """Of the package."""
    package: bool = False
    """Whether the package's own dependencies belong to it."""
    builds: bool = False
    """Whether the build back end belongs to it."""


FILES = {
    "requirements.txt": (
        Group("Pinned for `make site`, by tools/pin.py; pyproject.toml says why each is there.",
              extras=("hugo",), package=True),
        Group("`serve`", extras=("preview",)),
        Group("builds the package", builds=True),
    ),
    "requirements-test.txt": (
        Group("Pinned for `make test`, by tools/pin.py, beside those of requirements.txt.",
              extras=("test", "dev")),
        Group("demos on a cluster", extras=("dask",)),
    ),
}  # fmt: skip
"""The files, and their groups; a package stands in the first group that needs it."""


def main() -> int:
    """Resolves everything together, then deals it out to the groups."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--upgrade", action="store_true", help="the newest of everything")
    upgrade = parser.parse_args().upgrade
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [group for file in FILES.values() for group in file]
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder) / "known.txt"
        known.write_text("" if upgrade else read_pins(), encoding="utf-8")
        everything = [line for group in groups for line in list_requirements(project, group)]
        pins = resolve(everything, known, "--generate-hashes")
        placed: set[str] = set()
        for name, file in FILES.items():
            text = ""
            for group in file:
                wanted = list_requirements(project, group)
                needed = resolve(wanted, Path(folder) / "some.txt", "--constraints", str(known))
                text += f"# {group.comment}\n"
                text += "".join(pins[package] for package in sorted(needed.keys() - placed))
                placed |= needed.keys()
            (ROOT / name).write_text(text, encoding="utf-8")
    return 0


def read_pins() -> str:
    """What is pinned now, without digests: they are asked for again."""
    lines = [line for name in FILES for line in (ROOT / name).read_text("utf-8").splitlines()]
    return "".join(line.removesuffix("\\") + "\n" for line in lines if "--hash" not in line)


def list_requirements(project: dict[str, Any], group: Group) -> list[str]:
    """What pyproject.toml asks for."""
    extras = project["project"]["optional-dependencies"]
    lines = [line for name in group.extras for line in extras[name]]
    lines += project["project"]["dependencies"] if group.package else []
    return lines + (project["build-system"]["requires"] if group.builds else [])


def resolve(requirements: list[str], target: Path, *options: str) -> dict[str, str]:
    """Each package that is needed, with its lines in `target`: versions there are kept."""
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        sys.exit("pin: uv isn't installed: make setup-test")
    command = [uv, "pip", "compile", "-", "--universal", "--python-version", "3.11", *options]
    command += ["--fork-strategy", "fewest", "--no-python-downloads", "--quiet"]
    command += ["--no-annotate", "--no-header", "--output-file", str(target)]
    done = subprocess.run(command, input="\n".join(requirements), text=True)
    if done.returncode:
        sys.exit(done.returncode)
    found: dict[str, str] = {}
    name = ""
    for line in target.read_text(encoding="utf-8").splitlines(keepends=True):
        if not line.startswith(" "):
            name = re.split("[^a-z0-9-]", line, maxsplit=1)[0]
        found[name] = found.get(name, "") + line
    return found


if __name__ == "__main__":
    sys.exit(main())
