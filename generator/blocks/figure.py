"""A matplotlib drawing as an SVG that reads well on light and dark pages and on phones."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from generator.blocks.base import Block, Json, Where, refuse
from generator.errors import Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_EMPTY_ALTS = re.compile(
    r"(?:an? |the )?(?:figure|fig|image|img|picture|plot|chart|graph|diagram|alt(?: text)?|todo|x+)"
    r"[\s\d.:…]*",
    re.IGNORECASE,
)


class Figure(Block):
    """A drawing with its alternative text, caption and data.

    `alt` says in plain text what one sees; `caption` is inline Markdown. `data` maps names to
    columns of numbers (or is a `Table`); by default it is taken from what was drawn. Pass `False`
    for a figure without a data file.

    Raises GeneratorError for a missing or empty `alt`.
    """

    kind: ClassVar[str] = "figure"

    def __init__(
        self,
        figure: Drawing,
        *,
        alt: str,
        caption: str = "",
        data: Mapping[str, Sequence[object]] | Any | None = None,
    ) -> None:
        from generator.blocks.data import write_data
        from generator.blocks.drawing import draw_figure

        check_drawing(figure)
        self._alt = check_alt(alt)
        self._caption = " ".join(caption.split())
        drawn = draw_figure(figure, self._alt)
        self._width, self._height = drawn.width, drawn.height
        self._problems = drawn.problems
        self._files = {".svg": drawn.svg.encode()}
        table = "" if data is False else write_data(figure, data)
        if table:
            self._files[".csv"] = table.encode()
        self._digests = {
            suffix: hashlib.sha256(content).hexdigest() for suffix, content in self._files.items()
        }

    def to_data(self) -> dict[str, Json]:
        return {
            "alt": self._alt,
            "caption": self._caption,
            "width": self._width,
            "height": self._height,
            "digests": dict(self._digests),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> Self:
        block = cls.__new__(cls)
        fields: dict[str, Any] = dict(data)
        block._alt, block._caption = fields["alt"], fields["caption"]
        block._width, block._height = fields["width"], fields["height"]
        block._digests = dict(fields["digests"])
        block._files, block._problems = {}, ()
        return block

    def to_markdown(self, where: Where) -> str:
        if not where.name:
            raise refuse(
                "figure",
                "a figure made in a template has no name to be saved under",
                "return it from the demo's `run`",
            )
        address = f"/{where.figures}/{where.slug}/{where.name}"
        lines = [f"![{write_alt(self._alt)}]({address}.svg)"]
        notes = [f"*{self._caption}*"] if self._caption else []
        if ".csv" in self._digests:
            notes.append(f"[Data]({address}.csv)")
        if notes:
            lines.append(" ".join(notes))
        return "\n".join([*lines, "{.figure}"])

    def files(self) -> dict[str, bytes]:
        return dict(self._files)

    def problems(self) -> tuple[Problem, ...]:
        return self._problems


def check_drawing(figure: object) -> None:
    """Raise GeneratorError for what is no matplotlib figure, such as its axes or pyplot."""
    if hasattr(figure, "savefig") and hasattr(figure, "get_size_inches"):
        return
    own = hasattr(getattr(figure, "figure", None), "savefig")
    hint = "give the figure that they are in: `ax.figure`" if own else "`fig, ax = subplots()`"
    kind = getattr(figure, "__name__", type(figure).__name__)
    raise refuse("figure", f"`Figure` takes a matplotlib figure, not `{kind}`: {hint}")


def check_alt(alt: object) -> str:
    """The alternative text, in one line.

    Raises GeneratorError when it says nothing.
    """
    text = " ".join(alt.split()) if isinstance(alt, str) else ""
    if not text or _EMPTY_ALTS.fullmatch(text):
        raise refuse(
            "figure-alt",
            f"the figure's alt text says nothing: {text!r}",
            'say what one sees, such as alt="Loss falls from 3.4 to 2.6 as the model grows"',
        )
    write_alt(text)
    return text


def write_alt(text: str) -> str:
    """Plain text as the alternative text of a Markdown image.

    Raises GeneratorError for control characters.
    """
    from generator.spots import Place
    from generator.values import Refused, write_text

    try:
        return write_text(text, Place.ALT)
    except Refused as error:
        raise refuse("figure-alt", error.message, error.hint) from error
