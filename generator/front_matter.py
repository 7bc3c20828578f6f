"""Front matter: YAML or TOML, read once; what was read before is known by its source's digest."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from generator.errors import GeneratorError, Problem
from generator.fingerprint import CONFLICT_LINE, digest_bytes, has_conflict

_FRONT = re.compile(
    r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_KEY = re.compile(r"([\w-]+)[ \t]*[:=]")

T = TypeVar("T")
FrontMatter = tuple[dict[str, object], dict[str, int]]
"""The keys with their values, and with their lines."""


@dataclass(slots=True)
class FrontMatters:
    """Front matter of many notes, most of which was read before and did not change."""

    known: dict[str, str] = field(default_factory=dict)
    """What was read before, as JSON, by its reader and the digest of its source."""
    used: dict[str, str] = field(default_factory=dict)
    """The part of it that was asked for, and what was read now."""

    def to_keep(self) -> dict[str, str]:
        """What the next build may ask for; all of the past only while it is not too much."""
        both = {**self.known, **self.used}
        return both if len(both) <= 2 * len(self.used) + 100 else self.used

    def read(self, text: str, path: str) -> FrontMatter:
        """As `read_front_matter`."""
        match = _FRONT.match(text)
        if match is None:
            return read_front_matter(text, path)
        return self.recall(match.group(), lambda: read_front_matter(text, path), _dump, _load)

    def recall(
        self, source: str, read: Callable[[], T], dump: Callable[[T], str], load: Callable[[str], T]
    ) -> T:
        """What was read from `source` before; else what `read` gives, kept if it can be dumped."""
        key = f"{dump.__name__} {digest_bytes(source.encode('utf-8', 'surrogatepass'))}"
        known = self.known.get(key) or self.used.get(key)
        if known:
            with suppress(ValueError, TypeError):  # a damaged memory is no memory
                found = load(known)
                self.used[key] = known
                return found
        found = read()
        if kept := dump(found):
            self.used[key] = kept
        return found


def _dump(read: FrontMatter) -> str:
    """As JSON, if that gives the same back; else nothing: YAML has values that JSON has not."""
    try:
        text = json.dumps(read, default=_dump_date, ensure_ascii=True)
        return text if repr(_load(text)) == repr(read) else ""
    except (TypeError, ValueError, RecursionError):
        return ""


def _dump_date(value: object) -> dict[str, str]:
    if isinstance(value, dt.datetime):
        return {"$time": value.isoformat()}
    if isinstance(value, dt.date):
        return {"$date": value.isoformat()}
    raise TypeError


def _load(text: str) -> FrontMatter:
    values, lines = json.loads(text, object_hook=_load_date)
    return values, lines


def _load_date(data: dict[str, object]) -> object:
    if len(data) == 1:
        if isinstance(time := data.get("$time"), str):
            return dt.datetime.fromisoformat(time)
        if isinstance(date := data.get("$date"), str):
            return dt.date.fromisoformat(date)
    return data


def read_front_matter(text: str, path: str) -> FrontMatter:
    """Front matter (YAML or TOML) and the line of each of its keys.

    Raises GeneratorError when it is not valid.
    """
    match = _FRONT.match(text)
    if match is None:
        if re.match(r"\ufeff?---[ \t]*\r?\n", text):
            raise GeneratorError(
                Problem(
                    path,
                    1,
                    "the front matter has no end",
                    "end it with a line `---`",
                    "front-matter",
                )
            )
        return {}, {}
    lines = {
        key.group(1): number
        for number, line in enumerate(match.group(2).split("\n"), start=2)
        if (key := _KEY.match(line))
    }
    marks = CONFLICT_LINE.search(match.group(2)) if has_conflict(match.group(2)) else None
    if marks is not None:
        line = match.group(2).count("\n", 0, marks.start()) + 2
        message = "a merge left conflict marks in the front matter"
        raise GeneratorError(Problem(path, line, message, "resolve the conflict", "front-matter"))
    load = _load_toml if match.group(1) == "+++" else _load_yaml
    loaded = load(mask_tags(match.group(2)), path)
    if loaded is None:
        return {}, lines
    if not isinstance(loaded, dict):
        raise GeneratorError(
            Problem(path, 2, "the front matter is not a mapping", "write `key: value` lines")
        )
    if _room_after(loaded) < 0:
        message = "the front matter is too large, or refers to itself"
        raise GeneratorError(Problem(path, 2, message, "", "front-matter"))
    return {str(key): value for key, value in loaded.items()}, lines


def _room_after(value: object, room: int = 100_000, depth: int = 50) -> int:
    """What is left of `room` after all parts of `value`, aliases followed; negative for none."""
    room = room - 1 if depth else -1
    items = value.values() if isinstance(value, dict) else value
    for item in items if isinstance(items, Iterable) and not isinstance(items, str | bytes) else ():
        if room < 0:
            break
        room = _room_after(item, room, depth - 1)
    return room


def mask_tags(text: str) -> str:
    """Tags replaced by as many letters, so that YAML reads the rest at its own place."""
    return re.sub(r"<%.*?%>", lambda m: re.sub(r"[^\n]", "x", m.group()), text, flags=re.DOTALL)


def _load_yaml(source: str, path: str) -> object:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(source, Loader=loader)  # a safe loader either way
    except yaml.MarkedYAMLError as error:
        line = (error.problem_mark.line if error.problem_mark else 0) + 2
        hint = "quote values that hold `: `, `#`, quotes or brackets"
        if "\\t" in str(error.problem) or "tab" in str(error.problem):
            hint = "indent with blanks, not tabs"
        message = f"the front matter is not YAML: {error.problem}"
        raise GeneratorError(Problem(path, line, message, hint, "front-matter")) from None
    except Exception as error:  # what the constructors of its tags raise, and a limit reached
        reason = str(error).split("\n")[0] or type(error).__name__
        message = f"the front matter is not YAML: {reason}"
        raise GeneratorError(Problem(path, 2, message, "", "front-matter")) from None


def _load_toml(source: str, path: str) -> object:
    import tomllib

    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found.group(1)) + 1 if found else 2
        message = f"the front matter is not TOML: {error}"
        raise GeneratorError(Problem(path, line, message, "", "front-matter")) from None
