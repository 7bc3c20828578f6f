"""What files say about themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from generator.blocks.comments import read_comment


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.py", '"""One line."""\n', "One line."),
        ("a.py", '"""\n    Second line.\n    """\n', "Second line."),
        (
            "a.py",
            "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# A comment\nx = 1\n",
            "A comment",
        ),
        ("a.py", "x = 1\n# too late\n", ""),
        ("a.py", "# broken (\ndef\n", "broken ("),
        ("a.sh", "#!/bin/sh\n\n## Runs it\n", "Runs it"),
        ("a.toml", "# Settings\n[x]\n", "Settings"),
        ("Makefile", "# Builds it\nall:\n", "Builds it"),
        ("a.md", "---\ntitle: x\n---\n<!-- no -->\n\n## Head #\n", "Head"),
        ("a.md", "First one. Second one.\n", "First one."),
        ("a.md", "No full stop\nin here\n\nmore", "No full stop in here"),
        ("a.tex", "%% A paper\n", "A paper"),
        ("a.c", "/* Fast\n * loop */\n", "Fast"),
        ("a.rs", "//! Fast loop\n", "Fast loop"),
        ("a.sql", "-- The query\nSELECT 1;", "The query"),
        ("a.csv", "# Losses by size\nn,loss\n1,2\n", "Losses by size"),
        ("a.csv", "n,loss\n1,2\n\n3,4\n", "2 rows: n, loss"),
        ("a.json", '{"x": 1}', ""),
        ("a.txt", "plain text", ""),
        ("a.py", "", ""),
        ("a.md", "", ""),
        ("a.md", "# \n", ""),
    ],
)
def test_text_files(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert read_comment(path) == said


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros((4, 7), np.float32), "float32 array, 4 × 7"),
        (np.zeros(64), "float64 array, 64"),
        (np.float16(1), "float16 array, a single value"),
        (np.zeros((2, 1), ">i4"), "int32 array, 2 × 1"),
        (np.array([True]), "bool array, 1"),
        (np.array(["ab"]), "string array, 1"),
        (np.zeros(3, [("a", "f4")]), "structured array, 3"),
    ],
)
def test_arrays_by_their_header(tmp_path: Path, array: np.ndarray, said: str) -> None:
    np.save(tmp_path / "a.npy", array)
    assert read_comment(tmp_path / "a.npy") == said


def test_binary_broken_and_missing_files_say_nothing(tmp_path: Path) -> None:
    for name, content in (("a.py", b"\xff\xfe\x00#"), ("b.npy", b"\x93NUMPY\x01"), ("c.npy", b"")):
        (tmp_path / name).write_bytes(content)
        assert read_comment(tmp_path / name) == ""
    assert read_comment(tmp_path / "none.py") == ""


def test_a_long_or_broken_program_still_has_its_docstring(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text('#!/usr/bin/env python\n"""Long."""\n' + "x = (1,\n     2)\n" * 10_000)
    assert read_comment(path) == "Long."
    path.write_text("r'''Broken.\n\nmore'''\ndef (\n")
    assert read_comment(path) == "Broken."


def test_a_long_file_may_break_in_a_character(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("# Long\n" + "é" * 40_000)
    assert read_comment(tmp_path / "a.sh") == "Long"
