"""Listings: where the text comes from, and fences that hold it."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import cast

import pytest

from generator.blocks.base import Where
from generator.blocks.listing import Listing
from generator.errors import GeneratorError

HERE = Where("note", "code", 4)


def halve(x: float) -> float:
    """Half of x."""
    # a comment of its own
    return x / 2  # and one behind code


@functools.lru_cache(
    maxsize=2,
)
def twice(x: float) -> float:
    """Twice x."""
    return 2 * x


class Holder:
    def method(self) -> int:
        return 1


def show(listing: Listing) -> str:
    return listing.to_markdown(HERE)


def test_a_function() -> None:
    assert show(Listing(halve)) == (
        "```python\n"
        "def halve(x: float) -> float:\n"
        '    """Half of x."""\n'
        "    # a comment of its own\n"
        "    return x / 2  # and one behind code\n"
        "```"
    )
    assert show(Listing(Holder().method)).splitlines()[1] == "def method(self) -> int:"


def test_stripped() -> None:
    assert show(Listing(halve, strip=True)).splitlines()[1:-1] == [
        "def halve(x: float) -> float:",
        "    return x / 2  # and one behind code",
    ]
    assert show(Listing(twice, strip=True)).splitlines()[1:-1] == [
        "def twice(x: float) -> float:",
        "    return 2 * x",
    ]
    assert "Half" in show(Listing('def f():\n    """Half."""', language="python", strip=True))


def test_a_file_and_its_language(tmp_path: Path) -> None:
    path = tmp_path / "setup.toml"
    path.write_bytes(b"\xef\xbb\xbf[x]\r\na = 1\r\n\r\n")
    assert show(Listing(path)) == "```toml\n[x]\na = 1\n```"
    assert show(Listing(path, language="ini")).startswith("```ini\n")


def test_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("if x:\n    a = 1\n    b = 2\nc = 3\n")
    assert show(Listing(path, lines=(2, 3))) == "```python\na = 1\nb = 2\n```"
    numbered = show(Listing(path, lines=(2, 3), numbered=True))
    assert numbered.startswith("```python {linenos=true linenostart=2}\n")
    with pytest.raises(GeneratorError, match="no lines 3 to 5: there are 4"):
        Listing(path, lines=(3, 5))


def test_a_text() -> None:
    assert show(Listing("one\ntwo\n\n")) == "```text\none\ntwo\n```"
    assert show(Listing("one", language="text")) == "```text\none\n```"
    assert show(Listing("\x1b[31mred\x1b[0m\n")) == "```text\nred\n```"


@pytest.mark.parametrize("text", ["```\nx\n```", "a ```` b\n", "~~~\nx\n~~~", "`````"])
def test_the_fence_is_longer_than_any_in_the_text(text: str) -> None:
    lines = show(Listing(text, language="text")).splitlines()
    fence = lines[-1]
    assert lines[0] == fence + "text" and fence not in text
    assert "\n".join(lines[1:-1]) == text.strip("\n")


@pytest.mark.parametrize(
    "text", ["{{%s|token}}", "{{< ref >}}", "{{</* x */>}}", "a\n<!--more-->\n"]
)
def test_what_hugo_reads_in_fences_becomes_html(text: str) -> None:
    markdown = show(Listing(text, language="go"))
    assert markdown.startswith("<pre ") and markdown.endswith("</code></pre>")
    assert "{{" not in markdown and "<!--" not in markdown


def test_a_record_gives_the_same_markdown() -> None:
    for listing in (Listing(halve), Listing("a\nb", numbered=True)):
        again = Listing.from_data(json.loads(json.dumps(listing.to_data())))
        assert show(again) == show(listing)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Listing("no-such-file.py"), "no `no-such-file.py`"),
        (lambda: Listing(len), "the source of `len` cannot be found"),
        (lambda: Listing(cast("str", 3)), "cannot be made of a int"),
        (lambda: Listing(""), "nothing to show"),
        (lambda: Listing("\n \n"), "nothing to show"),
        (lambda: Listing("x\ny", language="py`\n"), "no name of a language"),
    ],
)
def test_refused(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(GeneratorError, match=message):
        make()


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\xff\xfe")
    with pytest.raises(GeneratorError, match="not UTF-8"):
        Listing(tmp_path / "a.bin")
