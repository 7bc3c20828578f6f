"""Where a value can stand in a note."""

from __future__ import annotations

from enum import Enum, auto

from generator.frozen import dataclass


class Notation(Enum):
    """How numbers look: `−3.2 × 10⁻⁷`, `-3.2 \\times 10^{-7}` or `-3.2e-07`."""

    PROSE = auto()
    MATH = auto()
    CODE = auto()


class Place(Enum):
    """The kinds of places; from `COMMENT` on, no value is safe."""

    PROSE = "prose"
    HEADING = "a heading"
    TABLE_CELL = "a table cell"
    LINK_TEXT = "link text"
    ALT = "alt text"
    CAPTION = "a link's or an image's title"
    MATH_INLINE = "inline math"
    MATH_DISPLAY = "display math"
    CODE_SPAN = "a code span"
    CODE_FENCE = "a code fence"
    LINK_URL = "a link's address"
    FRONT_MATTER = "front matter"
    SHORTCODE_ARG = "a shortcode's argument"
    HTML_TEXT = "text in an HTML block"
    HTML_ATTR = "an HTML attribute"
    BLOCK = "a paragraph of its own"
    COMMENT = "a comment"
    SCRIPT = "a script or style sheet"
    FENCE_INFO = "a code fence's first line"
    AUTOLINK = "a bare address"
    ATTRIBUTE = "a Markdown attribute"
    TAG = "an HTML tag or a shortcode, outside its arguments' values"
    OPAQUE_FRONT_MATTER = "front matter other than a YAML value"
    UNKNOWN = "a spot that Markdown drops"


REFUSING = {
    Place.COMMENT: "write `<%# … %>` for a comment of the template",
    Place.SCRIPT: "put the value in a `data-` attribute and read it from there",
    Place.FENCE_INFO: "write the fence's language and options by hand",
    Place.AUTOLINK: "write `[text](address)`",
    Place.ATTRIBUTE: "write the attribute by hand",
    Place.TAG: "write tag names and attribute names by hand; a value can stand in quotes",
    Place.OPAQUE_FRONT_MATTER: "a value can stand in a YAML value; not in a key, a comment or TOML",
    Place.UNKNOWN: "move the value into a paragraph",
}
"""Places where no value can be made safe, each with what to do instead."""

MATH = frozenset({Place.MATH_INLINE, Place.MATH_DISPLAY})
PLAIN_NAMES = frozenset(
    {"alt", "title", "caption", "label", "aria-label", "summary", "attr", "text"}
)
"""HTML attributes and shortcode arguments that hold text for readers."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One place in one note, with what its neighbours require."""

    place: Place
    """The kind of place."""
    in_table: bool = False
    """Inside a table row, where `|` ends a cell."""
    name: str = ""
    """The HTML attribute or shortcode argument, or the fence's language."""
    quote: str = ""
    """The delimiter around: of an attribute, an argument, a YAML scalar, code."""
    whole: bool = False
    """Nothing else stands in the same argument, scalar or paragraph; an address starts with it."""
    line_start: bool = False
    """First on its line, where `1.` or `-` would open a list."""
    before: str = ""
    """The character before, if any."""
    after: str = ""
    """The two characters after, if any."""
    prefix: str = ""
    """What further lines start with here (indent of a list item, marks of a quote)."""
    lines: tuple[int, int] = (0, 0)
    """The first line of the code block around it, and the line behind its last, in the body."""
    after_newline: str = "\n"
    """The line end of the text around."""
    emphasised: bool = False
    """Inside emphasis, which a mark at the wrong end of a word can undo."""
    word_before: bool = False
    """Only the opening of an emphasis stands between it and a word."""
    word_after: bool = False
    """Only the end of an emphasis stands between it and a word."""
    code_like: bool = False
    """Inside `<code>` or `<kbd>`: text for Markdown, code for the reader."""

    @property
    def notation(self) -> Notation:
        """How numbers look here."""
        if self.place in MATH:
            return Notation.MATH
        if self.place in (Place.CODE_SPAN, Place.CODE_FENCE, Place.LINK_URL) or self.code_like:
            return Notation.CODE
        if self.place in (Place.SHORTCODE_ARG, Place.HTML_ATTR):
            return Notation.PROSE if self.name in PLAIN_NAMES else Notation.CODE
        return Notation.PROSE
