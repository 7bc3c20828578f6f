"""The syntax of formulas."""

from __future__ import annotations

from generator.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written."""

    text: str
    """Its digits."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A letter, a named variable, or a symbol that `Where:` introduced."""

    key: str
    """The Python name or expression for it, else its LaTeX."""
    latex: str
    """How it is written."""


@dataclass(frozen=True, slots=True)
class Negative:
    """`-x`."""

    operand: Node
    """What is negated."""


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands; juxtaposition has the operator `""`."""

    operator: str
    """`+`, `-`, `""`, `/`, `*`, or a command."""
    left: Node
    """Left operand."""
    right: Node
    """Right operand."""


@dataclass(frozen=True, slots=True)
class Power:
    """`x^y`, with `circ` for each element, `x^{\\circ y}`."""

    base: Node
    """What is raised."""
    exponent: Node
    """The power."""
    circ: bool = False
    """Whether it is taken element by element."""


@dataclass(frozen=True, slots=True)
class Transpose:
    """`x^{\\top}`."""

    operand: Node
    """What is transposed."""


@dataclass(frozen=True, slots=True)
class Slice:
    """`a:b` among indices; ends that are absent are None."""

    start: Node | None
    """First index."""
    stop: Node | None
    """Index after the last."""


@dataclass(frozen=True, slots=True)
class Index:
    """`A_{ij}`."""

    base: Node
    """What is indexed."""
    indices: tuple[Node, ...]
    """Its indices."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function of arguments; `subscript` for `\\log_2`."""

    name: str
    """The function's name, without a backslash."""
    arguments: tuple[Node, ...]
    """What it is given."""


@dataclass(frozen=True, slots=True)
class Big:
    """`\\sum_{i=1}^{n} x_i`, `\\max_k x_k` and their like."""

    name: str
    """sum, prod, max, min, argmax, argmin, mean, std, var."""
    variables: tuple[Symbol, ...]
    """The indices that it runs over."""
    first: Node | None
    """Lower bound; None when the range is the axis'."""
    last: Node | None
    """Upper bound, included."""
    body: Node
    """What is summed."""


@dataclass(frozen=True, slots=True)
class Fence:
    """Brackets that compute: norm, abs, floor, ceil."""

    name: str
    """Which."""
    operand: Node
    """What stands between."""
    subscript: str = ""
    """Of a norm: `1`, `2`, `F`, `\\infty`."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """`(a, b)`; with `ellipsis`, an arithmetic progression `a, …, b`."""

    items: tuple[Node, ...]
    """Its items; of a progression the first, perhaps the second, and the last."""
    ellipsis: bool = False
    """Whether `\\ldots` stands in it."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of entries."""

    rows: tuple[tuple[Node, ...], ...]
    """The entries."""


@dataclass(frozen=True, slots=True)
class Cases:
    """Values by condition; the last condition may be None, for otherwise."""

    rows: tuple[tuple[Node, Node | None], ...]
    """Value and condition."""


@dataclass(frozen=True, slots=True)
class Filled:
    """`\\mathbf{0}`, `\\mathbf{1}_{n}`, `I_n`."""

    name: str
    """`0`, `1` or `I`."""
    sizes: tuple[Node, ...]
    """Sizes; none when they follow from the place."""


@dataclass(frozen=True, slots=True)
class Relation:
    """`a < b \\le c`."""

    operators: tuple[str, ...]
    """`=`, `\\neq`, `\\lt`, `\\le`, `\\gt`, `\\ge`, `\\in`, `\\notin`."""
    operands: tuple[Node, ...]
    """One more than the operators."""


@dataclass(frozen=True, slots=True)
class Logic:
    """`\\land`, `\\lor`, or `\\lnot` with one operand."""

    operator: str
    """The command."""
    operands: tuple[Node, ...]
    """What it joins."""


@dataclass(frozen=True, slots=True)
class Space:
    """A set: a number field, a list of values or an interval, with sizes for arrays over it."""

    name: str
    """R, N, Z, C, list, interval."""
    items: tuple[Node, ...] = ()
    """Members, or an interval's ends; of a restricted field the bound."""
    signs: str = ""
    """An interval's brackets, or the restriction: `>`, `>=`, `+`, …"""
    ellipsis: bool = False
    """Whether the members are a progression."""
    sizes: tuple[Node, ...] | None = None
    """Sizes of the axes; None for a single member."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """`x \\leftarrow …`."""

    targets: tuple[Node, ...]
    """What is assigned."""
    value: Node
    """The right-hand side."""


@dataclass(frozen=True, slots=True)
class Membership:
    """`Q, K \\in …`."""

    members: tuple[Node, ...]
    """What is in the set."""
    space: Node
    """The set."""


@dataclass(frozen=True, slots=True)
class Progression:
    """`i = 1, \\ldots, n`."""

    variable: Symbol
    """The loop variable."""
    values: Sequence
    """What it runs through."""


Node = (
    Number
    | Symbol
    | Negative
    | Binary
    | Power
    | Transpose
    | Slice
    | Index
    | Call
    | Big
    | Fence
    | Sequence
    | Matrix
    | Cases
    | Filled
    | Relation
    | Logic
    | Space
)
Formula = Assignment | Membership | Progression | Node
