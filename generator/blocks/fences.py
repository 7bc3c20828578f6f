"""Code fences that end where they should and are published to the character."""

from __future__ import annotations

import html
import re

_HUGO_READS = re.compile(r"\{\{[<%]|<!--\s*more\s*-->")


def fence_code(text: str, language: str, *, first: int = 0) -> str:
    """Code that is published to the character, with line numbers if `first` is not 0.

    Hugo reads shortcodes and the summary divider inside fences too, and no escape covers every
    form of them; such code is written as HTML, without highlighting.
    """
    if _HUGO_READS.search(text):
        return _write_pre(text, language)
    longest = max(map(len, re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    numbers = f" {{linenos=true linenostart={first}}}" if first else ""
    return f"{fence}{language}{numbers}\n{text}\n{fence}"


def _write_pre(text: str, language: str) -> str:
    """A `<pre>` element: an HTML block that ends only with its closing tag."""
    code = html.escape(text, quote=False).replace("{", "&#123;")
    name = html.escape(language)
    return (
        f'<pre tabindex="0" class="chroma"><code class="language-{name}" data-lang="{name}">'
        f"{code}\n</code></pre>"
    )


def show_control(text: str) -> str:
    """Text in one line: what would break the line or hide is written as an escape."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii", "replace")
        for c in text
    )
