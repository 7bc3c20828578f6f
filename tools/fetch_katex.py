"""Brings KaTeX's stylesheet and fonts into the embedded theme, from its npm package.

Hugo sets the formulas itself; what a browser needs beside its HTML is the stylesheet of exactly
the version that Hugo has inside. Without npm, or without a network, nothing is brought in, and
the theme publishes MathML alone.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "0.18.4"
"""The KaTeX inside Hugo 0.168."""
SITE = Path(__file__).resolve().parent.parent
TARGET = SITE / "themes" / "scidraft-static" / "assets" / "katex"


def main() -> int:
    """Fetches the package unless it is there; 0 also when it can't be had."""
    if read_version(TARGET) == VERSION:
        return 0
    npm = shutil.which("npm")
    if npm is None:
        print("katex: npm isn't installed; formulas will be published as MathML")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        package = fetch_package(npm, Path(folder))
        if package is None:
            print("katex: the package can't be fetched now; formulas will be published as MathML")
            return 0
        install_package(package, TARGET)
    print(f"katex: {VERSION} is in place")
    return 0


def read_version(target: Path) -> str:
    """The version in `target`, or an empty string."""
    try:
        return (target / "VERSION").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def fetch_package(npm: str, folder: Path) -> bytes | None:
    """The package's archive, by way of npm's own settings and cache."""
    command = [npm, "pack", f"katex@{VERSION}", "--silent", "--pack-destination", str(folder)]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    archives = sorted(folder.glob("*.tgz"))
    if done.returncode != 0 or not archives:
        return None
    return archives[0].read_bytes()


def install_package(package: bytes, target: Path) -> None:
    """Writes the stylesheet, its woff2 fonts and the licence; VERSION last: all is there."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "fonts").mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(package), mode="r:gz") as archive:
        for member in archive:
            name = member.name.removeprefix("package/")
            wanted = name in ("LICENSE", "dist/katex.min.css") or (
                name.startswith("dist/fonts/") and name.endswith(".woff2")
            )
            source = archive.extractfile(member) if wanted else None
            if source is not None:
                (target / name.removeprefix("dist/")).write_bytes(source.read())
    (target / "VERSION").write_text(VERSION + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
