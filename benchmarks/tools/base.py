"""What a tool has to tell to take part."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from benchmarks.timing import Run, run
from benchmarks.workload import CASE, DRAW_FILE, EDITED, INCLUDED, expected_peak

HOME = Path("build/peers").resolve()
"""Where the tools are installed, each in a folder of its own."""
PLOTTING = ("numpy==2.4.6", "matplotlib==3.11.2")


class Tool(ABC):
    """One tool on the shared workload, in a folder of its own."""

    name: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    """From PyPI, for a virtual environment of its own."""
    npm: ClassVar[tuple[str, ...]] = ()
    """From npm."""
    shown: ClassVar[tuple[str, ...]] = ()
    """Packages whose versions the table names."""
    heavy: ClassVar[bool] = False
    """Whether 50 notes take it minutes."""
    output: ClassVar[str]
    """Folder of what it makes."""
    traces: ClassVar[tuple[str, ...]] = ()
    """What to delete, beside the output, for a cold build."""
    source: ClassVar[str] = "notes/note-{i}.md"
    """A note's source."""
    in_place: ClassVar[bool] = False
    """Whether pages and sources are the same files."""
    page: ClassVar[str]
    """A pattern for the file that shows note 1's numbers."""
    helper: ClassVar[str] = "case.py"
    data: ClassVar[str] = "scale.csv"
    included: ClassVar[str] = "shared.md"

    def __init__(self, folder: Path, notes: int) -> None:
        self.folder, self.notes = folder, notes

    @property
    def python(self) -> str:
        return str(HOME / self.name / "bin" / "python")

    def script(self, name: str) -> str:
        return str(HOME / self.name / "bin" / name)

    def install(self) -> None:
        """Install the tool where it is not yet."""
        home = HOME / self.name
        if self.packages and not (home / "bin/python").exists():
            subprocess.run(["python3", "-m", "venv", str(home)], check=True)
            pip = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
            subprocess.run([*pip, *PLOTTING, *self.packages], check=True)
        npm = HOME / f"{self.name}-npm"
        if self.npm and not (npm / "node_modules").exists():
            npm.mkdir(parents=True, exist_ok=True)
            flags = ["--silent", "--no-audit", "--no-fund"]
            subprocess.run(["npm", "install", *flags, *self.npm], cwd=npm, check=True)

    @property
    def available(self) -> bool:
        return not self.packages or Path(self.python).exists()

    def version(self) -> str:
        code = "import sys; from importlib.metadata import version as v\n"
        code += "print(', '.join(f'{n} {v(n)}' for n in sys.argv[1:]))"
        command = [self.python, "-c", code, *(self.shown or self.packages[:1])]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def prepare(self) -> None:
        """Write the workload."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.write(self.helper, CASE + DRAW_FILE)
        self.write(self.data, "1\n")
        self.write(self.included, INCLUDED + "\n")
        self.write_site()

    @abstractmethod
    def write_site(self) -> None:
        """Write the notes and the tool's settings."""

    @abstractmethod
    def command(self) -> list[str]:
        """What builds everything."""

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL"))}
        folder = str(HOME / self.name / "bin")
        return {**kept, "PATH": f"{folder}{os.pathsep}{kept['PATH']}", "PYTHONPATH": ""}

    def build(self) -> Run:
        return run(self.command(), self.folder, self.environment)

    def clear(self) -> None:
        """Forget what was built."""
        for name in (self.output, *self.traces):
            for path in self.folder.glob(name):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def edit(self, number: int) -> None:
        """Change one note's source: its code's last line, or its prose."""
        path = self.folder / self.source.format(i=1)
        text = path.read_text()
        assert "Edition " in text, path
        path.write_text(re.sub(r"Edition \d+\.", f"Edition {number}.", text))

    def write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def published(self) -> dict[str, bytes]:
        """All that it made."""
        root = self.folder / self.output
        files = [path for path in sorted(root.rglob("*")) if path.is_file()]
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}

    def find_page(self) -> Path:
        """The file that shows note 1's numbers."""
        found = sorted(self.folder.glob(self.page))
        assert found, f"{self.name} made no {self.page}"
        return found[0]

    def shows(self, text: str) -> bool:
        """Whether anything that it made holds the text."""
        return any(text.encode() in content for content in self.published().values())

    def change_helper(self) -> str:
        """Change the helper; what note 1 must show then."""
        self._replace(self.helper, "FACTOR = 1", "FACTOR = 2")
        return expected_peak(1, factor=2)

    def change_data(self) -> str:
        (self.folder / self.data).write_text("3\n")
        return expected_peak(1, scale=3)

    def change_included(self) -> str:
        (self.folder / self.included).write_text(EDITED + "\n")
        return EDITED

    def _replace(self, path: str, old: str, new: str) -> None:
        target = self.folder / path
        text = target.read_text()
        assert old in text
        target.write_text(text.replace(old, new))
