r"""What the theme makes of an algorithm before pseudocode.js sees it, with positions kept."""

from __future__ import annotations

import re

from generator.frozen import dataclass

_FORMULA = re.compile(r"\\\((.+?)\\\)", re.DOTALL)
_OPTIONS = re.compile(
    r"(?<=\\begin\{algorithm\})\[[^\]\n]*\]|(?<=\\begin\{algorithmic\})\[[^\]\n]*\]"
)
_DROPPED = re.compile(r"\\footnotesize(?![A-Za-z])|\\label\{[^}]*\}")
_GAP = re.compile(r"\\hspace\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text and where each of its characters stood before."""

    text: str
    """The text after the clean-up."""
    offsets: tuple[int, ...]
    """Offset of each character in the original, and of its end."""

    def locate(self, offset: int) -> int:
        return self.offsets[min(offset, len(self.offsets) - 1)]


def clean_up(text: str) -> Cleaned:
    r"""`\(…\)` → `$…$`; options, sizes and labels away; `\hspace{…}` → a gap."""
    cleaned = Cleaned(text, tuple(range(len(text) + 1)))
    cleaned = _substitute(cleaned, _FORMULA, "$", "$")
    cleaned = _substitute(cleaned, _OPTIONS, "")
    cleaned = _substitute(cleaned, _DROPPED, "")
    return _substitute(cleaned, _GAP, r"$\hspace{1em}$")


def _substitute(
    source: Cleaned, pattern: re.Pattern[str], before: str, after: str | None = None
) -> Cleaned:
    """Each match replaced; with `after`, its first group is kept between the two."""
    pieces: list[str] = []
    offsets: list[int] = []

    def keep(start: int, end: int) -> None:
        pieces.append(source.text[start:end])
        offsets.extend(source.offsets[start:end])

    def insert(text: str, at: int) -> None:
        pieces.append(text)
        offsets.extend([source.offsets[at]] * len(text))

    position = 0
    for match in pattern.finditer(source.text):
        keep(position, match.start())
        insert(before, match.start())
        if after is not None:
            keep(match.start(1), match.end(1))
            insert(after, match.end(1))
        position = match.end()
    keep(position, len(source.text))
    return Cleaned("".join(pieces), (*offsets, source.offsets[-1]))
