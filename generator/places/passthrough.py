"""Hugo's passthrough rule for markdown-it: what stands between math delimiters is left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

DELIMITERS = (("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$"))
"""Opening and closing delimiters as SciDraft asks for them, longest first."""
DISPLAY = ("$$", r"\[")


def add_passthrough(markdown: MarkdownIt) -> None:
    """Teach the parser the rule. Its tokens are of type `math`, their markup is the delimiter."""
    markdown.inline.ruler.before("escape", "passthrough", _passthrough)


def _passthrough(state: StateInline, silent: bool) -> bool:
    source, start = state.src, state.pos
    if source[start] not in "$\\":
        return False
    pair = next((pair for pair in DELIMITERS if source.startswith(pair[0], start)), None)
    if pair is None:
        return False
    opening, closing = pair
    inside = start + len(opening)
    end = source.find(closing, inside)
    if end < 0:
        # An opening delimiter that nothing closes is text, all of it.
        if not silent:
            state.pending += opening
        state.pos = inside
        return True
    if not silent:
        token = state.push("math", "", 0)
        token.markup = opening
        token.content = source[inside:end]
    state.pos = end + len(closing)
    return True
