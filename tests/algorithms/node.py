"""What a reader's browser runs, run by node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

import pytest

from .loading import ROOT

_FOLDER = ROOT / "tests" / "js"


def run_node(script: str, data: object) -> Any:
    """What a script of `tests/js` makes of some data; skips the test where node is not set up."""
    node = shutil.which("node")
    if node is None or not (_FOLDER / "node_modules" / "pseudocode").is_dir():
        if os.environ.get("CI"):
            pytest.fail("node and `npm install` in tests/js are needed")
        pytest.skip("needs node and `npm install` in tests/js")
    done = subprocess.run(
        [node, str(_FOLDER / script)],
        input=json.dumps(data),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(done.stdout)


def render_algorithms(texts: list[str]) -> list[dict[str, Any]]:
    """For each text `{"lines": [{"number", "text"}]}`, or `{"error"}`."""
    found: list[dict[str, Any]] = run_node("pseudocode_verdicts.cjs", texts)
    return found
