"""The quick dataclasses do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from typing import Any

import pytest

from generator.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Quick:
    name: str
    sizes: tuple[int, ...] = ()
    notes: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sizes)


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    name: str
    sizes: tuple[int, ...] = ()
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Told:
    name: str

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Told) and other.name.lower() == self.name.lower()

    def __hash__(self) -> int:
        return hash(self.name.lower())


def test_equality_and_hash() -> None:
    assert Quick("a", (1,)) == Quick("a", (1,))
    assert Quick("a", (1,)) != Quick("a", (2,))
    assert Quick("a") != Standard("a")
    assert hash(Told("A")) == hash(Told("a"))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Quick("a"))  # it holds a list


def test_the_shape_is_that_of_the_standard_library() -> None:
    assert repr(Quick("a", (1,))) == repr(Standard("a", (1,))).replace("Standard", "Quick")
    assert [f.name for f in fields(Quick)] == [f.name for f in fields(Standard)]
    assert asdict(Quick("a")) == asdict(Standard("a"))
    assert Quick.__match_args__ == Standard.__match_args__
    assert Quick.__slots__ == Standard.__slots__
    assert not hasattr(Quick("a"), "__dict__")
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        Quick()  # type: ignore[call-arg]


def test_what_a_class_defines_itself_stays() -> None:
    assert Told("A") == Told("a")
    assert len(Quick("a", (1, 2))) == 2
    assert str(Told("a")) == "a"


@pytest.mark.parametrize("name", ["name", "sizes", "unknown"])
def test_nothing_can_be_set_or_deleted(name: str) -> None:
    made: Any = Quick("a")
    with pytest.raises((FrozenInstanceError, AttributeError)):
        setattr(made, name, "b")
    with pytest.raises((FrozenInstanceError, AttributeError)):
        delattr(made, name)
    assert made == Quick("a")


def test_copies() -> None:
    made = Quick("a", (1,), ["x"])
    assert replace(made, name="b") == Quick("b", (1,), ["x"])
    assert copy.deepcopy(made) == made
    assert copy.deepcopy(made).notes is not made.notes
    assert pickle.loads(pickle.dumps(made)) == made


def test_other_options_are_left_to_the_standard_library() -> None:
    @dataclass(slots=True)
    class Open:
        name: str

    made = Open("a")
    made.name = "b"
    assert made == Open("b")
