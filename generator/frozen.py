"""Frozen, slotted dataclasses that are quick to define: a start pays for each of some eighty.

`dataclasses` compiles six methods for every class. Here it compiles `__init__` alone; the others
are shared, and do the same.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, **options):
        """As `dataclasses.dataclass`."""
        if not (frozen and slots) or options:
            return dataclasses.dataclass(cls, frozen=frozen, slots=slots, **options)
        return _define if cls is None else _define(cls)

    def _define(cls):
        own = vars(cls)
        made = dataclasses.dataclass(cls, slots=True, eq=False, repr=False)
        for name, method in _SHARED.items():
            if name not in own:
                setattr(made, name, method)
        return made


def _values(self: Any) -> tuple[object, ...]:
    return tuple(getattr(self, name) for name in self.__dataclass_fields__)


def _eq(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _setattr(self: Any, name: str, value: object) -> None:
    """`__init__` sets each field once; nobody sets it again."""
    if hasattr(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _delattr(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_SHARED = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
}
