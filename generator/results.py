"""Results as plain data: what a demo returned, as JSON, and back.

Numbers, strings, booleans, lists and mappings stay themselves. What JSON has no word for is
a mapping with one `$` key: `$float` (NaN, infinities), `$complex`, `$date`, `$tex`, `$md`,
`$measure`, and `$block` for the blocks.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from generator.blocks.base import Block, Json
from generator.values import Md, Measure, Tex

_FILE_NAME = re.compile(r"\w(?:[\w.-]*\w)?")


_DEPTH = 100


class NotPlain(TypeError):  # noqa: N818 -- it reads as what is wrong
    """A result that a record cannot hold."""


def encode(value: object, name: str = "result") -> Json:
    """`value` as plain data, numpy converted at any depth.

    Raises NotPlain, naming the part (`fit.rows[2]`), for anything else.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _encode_text(value, name)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _encode_float(float(value))
    if isinstance(value, complex):
        return {"$complex": [_encode_float(value.real), _encode_float(value.imag)]}
    if isinstance(value, (dt.datetime, dt.date)):
        return {"$date": value.isoformat()}
    if isinstance(value, Tex):
        return {"$tex": value.source}
    if isinstance(value, Md):
        return {"$md": value.source}
    if isinstance(value, Measure):
        return {"$measure": [_encode_float(value.nominal), _encode_float(value.std)]}
    if name.count("[") + name.count(".") > _DEPTH:
        raise NotPlain(f"`{name[:60]}…` is nested more than {_DEPTH} deep, or holds itself")
    if isinstance(value, Mapping):
        return {_key(key, name): encode(item, f"{name}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item, f"{name}[{i}]") for i, item in enumerate(value)]
    block = as_block(value)
    if block is not None:
        return {"$block": block.kind, **block.to_data()}
    return _encode_foreign(value, name)


def decode(data: Json) -> object:
    """The value that `encode` described; arrays come back as nested lists."""
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "$block" in data:
        from generator.blocks import decode_block

        return decode_block(data)
    if len(data) == 1:
        (key, inner), *_ = data.items()
        if key in _DECODERS:
            return _DECODERS[key](inner)
    return {key: decode(item) for key, item in data.items()}


def is_same(one: object, other: object) -> bool:
    """Whether two pieces of plain data read the same: 1, 1.0 and true do not, nor -0.0 and 0.0."""
    return json.dumps(one) == json.dumps(other)


def as_block(value: object) -> Block | None:
    """`value` as a block: itself, or the algorithm behind a decorated function."""
    if isinstance(value, Block):
        return value
    if not hasattr(value, "__algorithm__"):
        return None
    from generator.algorithms import block_of

    return block_of(value)


def blocks_in(value: object, name: str = "") -> Iterator[tuple[str, Block]]:
    """Every block in a result, with the name under which its files are kept.

    Raises NotPlain for a block whose key can't be part of a file's name.
    """
    block = as_block(value)
    if block is not None:
        yield name, block
    elif isinstance(value, Mapping):
        for key, item in value.items():
            for inner, found in blocks_in(item, f"{name}-{key}" if name else str(key)):
                if not _FILE_NAME.fullmatch(str(key)):
                    raise NotPlain(
                        f"`{name}` holds a block under the key {key!r}, which names its file: use "
                        "letters, digits, `-`, `_` and `.`"
                    )
                yield inner, found
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from blocks_in(item, f"{name}-{i + 1}")


def _key(key: object, name: str) -> str:
    if isinstance(key, str) and not key.startswith("$"):
        return key
    if isinstance(key, (int, float)) and not isinstance(key, bool):
        return str(key)
    raise NotPlain(f"`{name}` has the key {key!r}; keys are strings that do not start with `$`")


def _encode_text(value: str, name: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NotPlain(f"`{name}` is text that UTF-8 can't hold: {value!r}") from None
    return str(value)


def _encode_float(value: float) -> Json:
    if math.isfinite(value):
        return value
    return {"$float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}


def _encode_foreign(value: Any, name: str) -> Json:
    """numpy's and uncertainties' objects, recognised without importing either."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if isinstance(value, numpy.ma.MaskedArray):
            raise NotPlain(f"`{name}` is a masked array; fill it before it is returned")
        if isinstance(value, numpy.datetime64):
            return encode(value.astype("datetime64[us]").item(), name)
        if isinstance(value, (numpy.generic, numpy.ndarray)):
            return encode(value.tolist(), name)
    if hasattr(value, "nominal_value") and hasattr(value, "std_dev"):
        return encode(Measure(float(value.nominal_value), float(value.std_dev)), name)
    raise NotPlain(f"`{name}` is a {_name_of(type(value))}; {_instead_of(value)}")


def _name_of(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def _instead_of(value: object) -> str:
    """What to return in place of a value that is none of ours."""
    kind = type(value)
    if kind.__module__.startswith("matplotlib."):
        return 'return it as a block: `Figure(fig, alt="…")`'
    if kind.__name__ in ("DataFrame", "Series"):
        return "return it as a block: `Table(frame)`, or its values as a list"
    return "results are numbers, strings, booleans, lists, mappings, arrays and blocks"


def _decode_float(data: Any) -> float:
    return float(data["$float"]) if isinstance(data, dict) else float(data)


_DECODERS: dict[str, Callable[[Any], object]] = {
    "$float": float,
    "$complex": lambda parts: complex(_decode_float(parts[0]), _decode_float(parts[1])),
    "$date": lambda text: (
        dt.datetime.fromisoformat(text) if "T" in text else dt.date.fromisoformat(text)
    ),
    "$tex": lambda source: Tex(source),
    "$md": lambda source: Md(source),
    "$measure": lambda pair: Measure(_decode_float(pair[0]), _decode_float(pair[1])),
}
