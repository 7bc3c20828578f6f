"""The block of an algorithm: its lines, its citable steps, its three printed forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, Self, cast

from generator.algorithms.lines import Line, Listing, build_lines, number_lines, write_algorithm
from generator.blocks.base import Block, Json, Where
from generator.errors import GeneratorError, Problem, near_names

Form = Literal["algorithm", "list", "listing", "bare listing"]


class Algorithm(Block):
    r"""An algorithm as it is printed: from a function (`@algorithm`), or given line by line.

    `Algorithm("Caption", require=[…], ensure=[…], steps=[…])` is the plain builder: a step is a
    text such as `Update: \(x \leftarrow x + 1\)`, or `("label", "text")` for one to cite. Its
    formulas are not checked against a run, and are counted as unchecked.
    """

    kind: ClassVar[str] = "algorithm"

    def __init__(
        self,
        caption: str,
        require: Sequence[str] = (),
        ensure: Sequence[str] = (),
        steps: Sequence[str | tuple[str, str]] = (),
        *,
        lines: Sequence[Line] | None = None,
        source: Listing | None = None,
        unchecked: int | None = None,
        hidden: int = 0,
        form: Form = "algorithm",
        faults: Sequence[Problem] = (),
    ) -> None:
        self.caption = caption
        self.lines = build_lines(require, ensure, steps) if lines is None else tuple(lines)
        self.source = source
        if unchecked is None:
            unchecked = sum(line.text.count(r"\(") for line in self.lines if line.step)
        self.unchecked = unchecked
        """Formulas that are published without having been evaluated (`#~`)."""
        self.hidden = hidden
        """Statements that are not printed (`#-`)."""
        self.form: Form = form
        self._faults = tuple(faults)

    # What a note may ask of it

    def step(self, label: str) -> int | str:
        """The number that the reader sees at the step's first line, or its item in a list.

        Raises GeneratorError for a label that no step has, naming the near ones.
        """
        first, _ = self._range(label)
        return first

    def steps(self, label: str, last: str = "") -> str:
        """The numbers of a step's lines, or of all from one step to another: `1–4`."""
        first, end = self._range(label)
        if last:
            start, end = self._range(last)
            if self.form == "algorithm" and cast(int, start) < cast(int, first):
                raise GeneratorError(
                    Problem("", 0, f"step `{last}` comes before step `{label}`", "swap the two")
                )
        return str(first) if first == end else f"{first}–{end}"

    def as_list(self) -> Algorithm:
        """The same steps as an ordered list."""
        return self._in_form("list")

    def listing(self, strip: bool = False) -> Algorithm:
        """The function's source; without its annotations with `strip`."""
        if self.source is None:
            raise GeneratorError(Problem("", 0, "this algorithm was not made from a function"))
        return self._in_form("bare listing" if strip else "listing")

    # Block

    def to_data(self) -> dict[str, Json]:
        source = self.source
        return {
            "caption": self.caption,
            "form": self.form,
            "hidden": self.hidden,
            "lines": [
                [line.command, line.text, line.depth, line.step, line.label] for line in self.lines
            ],
            "source": [source.text, source.bare, source.first] if source else None,
            "unchecked": self.unchecked,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Json]) -> Self:
        rows = cast(list[tuple[str, str, int, int, str]], data["lines"])
        source = cast(tuple[str, str, int] | None, data["source"])
        return cls(
            cast(str, data["caption"]),
            lines=[Line(*row) for row in rows],
            source=Listing(*source) if source else None,
            unchecked=cast(int, data["unchecked"]),
            hidden=cast(int, data["hidden"]),
            form=cast(Form, data["form"]),
        )

    def to_markdown(self, where: Where) -> str:
        if self.form == "algorithm":
            return write_algorithm(self.caption, self.lines)
        if self.form == "list":
            from generator.algorithms.outline import write_list

            return write_list(self.lines)
        assert self.source is not None
        from generator.algorithms.listing import write_listing

        return write_listing(self.source, strip=self.form == "bare listing")

    def problems(self) -> tuple[Problem, ...]:
        if self._faults:
            return self._faults
        from generator.algorithms.lines import check_lines

        where = f"the algorithm “{self.caption}”"
        return tuple(
            Problem(
                "",
                0,
                f"{where}: {message}" + (f": {self.lines[at].text}" if at >= 0 else ""),
                hint,
                "algorithm",
            )
            for at, message, hint in check_lines(self.caption, self.lines)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Algorithm) and self.to_data() == other.to_data()

    def __hash__(self) -> int:
        return hash((self.caption, self.lines, self.form))

    def __repr__(self) -> str:
        return f"Algorithm({self.caption!r}, {len(self.lines)} lines)"

    def _in_form(self, form: Form) -> Algorithm:
        return Algorithm(
            self.caption,
            lines=self.lines,
            source=self.source,
            unchecked=self.unchecked,
            hidden=self.hidden,
            form=form,
            faults=self._faults,
        )

    def _range(self, label: str) -> tuple[int | str, int | str]:
        if self.form == "list":
            from generator.algorithms.outline import number_items

            ranges: Mapping[str, tuple[int | str, int | str]] = number_items(self.lines)
        else:
            ranges = number_lines(self.lines)
        if label not in ranges:
            hint = near_names(label, ranges) or "labels here: " + (", ".join(ranges) or "none")
            raise GeneratorError(Problem("", 0, f"no step is labelled `{label}`", hint))
        return ranges[label]
