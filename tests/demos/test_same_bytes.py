"""The eight notes come out byte for byte the same, whatever the hash seed and the number of jobs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.demos.shipped import ROOT, SETTINGS


def build_copy(site: Path, hash_seed: str, jobs: str) -> dict[str, bytes]:
    """Every file that a cold build of a copy of the site writes."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / SETTINGS.demos, site / SETTINGS.demos, ignore=ignore)
    shutil.copytree(ROOT / SETTINGS.templates, site / SETTINGS.templates)
    shutil.copy(ROOT / "hugo.toml", site)
    command = [sys.executable, "-m", "generator", "build", "--site", str(site), "--jobs", jobs]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    folders = (SETTINGS.content_dir, SETTINGS.static_dir, SETTINGS.data_dir)
    files = [path for folder in folders for path in (site / folder).rglob("*") if path.is_file()]
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in files}


def test_hash_seed_and_jobs_change_nothing(tmp_path: Path) -> None:
    first = build_copy(tmp_path / "one", "1", "1")
    second = build_copy(tmp_path / "two", "2", "4")
    assert first.keys() == second.keys()
    assert [path for path in first if first[path] != second[path]] == []
    assert sum(path.startswith(SETTINGS.content_path("")) for path in first) == 8
