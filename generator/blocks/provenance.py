"""How a note was computed, as plain Markdown, for themes that do not read the records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from generator.blocks.base import Block, Json, Where
from generator.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Provenance(Block):
    """A foldable paragraph: the demo's source, seed, parameters, claims and data files."""

    kind: ClassVar[str] = "provenance"

    demo: str
    """The demo's path."""
    link: str
    """Address under which it can be read; empty when there is none."""
    seed: int | None
    """Seed of the generator; None when it comes from the demo's name."""
    params: Mapping[str, Any]
    """Parameters of the run."""
    claims: int
    """Claims that were checked."""
    data: tuple[str, ...] = ()
    """Data files that the demo read."""

    def to_data(self) -> dict[str, Json]:
        return {
            "demo": self.demo,
            "link": self.link,
            "seed": self.seed,
            "params": dict(self.params),
            "claims": self.claims,
            "data": list(self.data),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            str(data["demo"]),
            str(data["link"]),
            data["seed"],
            dict(data["params"]),
            int(data["claims"]),
            tuple(data["data"]),
        )

    def to_markdown(self, where: Where) -> str:
        lines = "\n".join(f"- {line}" for line in self._lines())
        return (
            '<details class="provenance">\n<summary>How this was computed</summary>\n\n'
            f"{lines}\n\n</details>"
        )

    def _lines(self) -> Iterator[str]:
        source = f"`{self.demo}`"
        yield f"Demo: {f'[{source}]({self.link})' if self.link else source}"
        yield f"Seed: {'from the name of the demo' if self.seed is None else self.seed}"
        if self.params:
            shown = (f"`{name} = {_show(value)}`" for name, value in sorted(self.params.items()))
            yield f"Parameters: {', '.join(shown)}"
        yield f"Claims checked: {self.claims}"
        if self.data:
            yield "Data read: " + ", ".join(f"`{path}`" for path in self.data)


def _show(value: Any) -> str:
    """A parameter in code; what would end the code span is left out."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text.replace("`", "'").replace("\n", " ").replace("{{", "{ {")
