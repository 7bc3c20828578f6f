"""Goldmark's attributes, `{.class #id key=value}`, which at the start of a line form a block.

What stands behind them in that line is lost.
"""

from __future__ import annotations

import re

_VALUE = r"(?:\"[^\"]*\"|\[[^\[\]]*\]|-?[\w.+-]+)"
_ONE = rf"(?:[.#][\w-]+|[A-Za-z_:][\w:.-]*\s*=\s*{_VALUE})"
ATTRIBUTES = re.compile(rf"\{{(?:\s*{_ONE}(?:[\s,]+{_ONE})*\s*)?\}}")
"""An attribute list: `{}` too, but not `{ }`, `{n}`, `{1, 2}` or `{x=\\alpha}`."""


def text_behind(line: str) -> str | None:
    """What a line's attributes swallow; `None` where it does not begin with any."""
    found = ATTRIBUTES.match(line)
    return line[found.end() :].strip() if found else None
