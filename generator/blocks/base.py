"""What every block is: a result that renders to Markdown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Self, TypeAlias

from generator.errors import GeneratorError, Problem
from generator.frozen import dataclass

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None


@dataclass(frozen=True, slots=True)
class Where:
    """Where a block stands when it is rendered."""

    slug: str
    """The note's slug."""
    name: str
    """The result's name; empty for a block made in the template."""
    digits: int
    """The site's number of significant digits."""
    figures: str = "figures"
    """Folder of the figures under `static/`, and the first part of their URL."""


class Block(ABC):
    """A result that renders to Markdown and survives a trip through a record."""

    kind: ClassVar[str]
    """The name under which records keep it."""

    @abstractmethod
    def to_data(self) -> dict[str, Json]:
        """All that `to_markdown` needs, as plain data."""

    @classmethod
    @abstractmethod
    def from_data(cls, data: Mapping[str, Json]) -> Self:
        """The block that `to_data` described."""

    @abstractmethod
    def to_markdown(self, where: Where) -> str:
        """The block's Markdown, without a final newline."""

    def files(self) -> dict[str, bytes]:
        """Files that go with the block, by suffix; empty for a block read from a record."""
        return {}

    def problems(self) -> tuple[Problem, ...]:
        """Faults found while the block was made."""
        return ()


def refuse(code: str, message: str, hint: str = "") -> GeneratorError:
    """The error for a block that cannot be made; whoever runs the demo adds the place."""
    return GeneratorError(Problem("", 0, message, hint, code))
