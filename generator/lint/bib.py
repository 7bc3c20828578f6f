"""BibTeX files as citation-js 0.6 reads them in the reader's browser.

One entry that it cannot read loses the whole file, so the reader here is as strict as that one, and
no stricter: unknown types, undefined strings and text between entries are fine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from generator.frozen import dataclass


@dataclass(frozen=True, slots=True)
class BibFault:
    """Something in a bibliography that the browser cannot read."""

    line: int
    """Line in the file, from 1."""
    message: str
    """What is wrong."""
    hint: str = ""
    """What to do about it."""
    is_fatal: bool = True
    """Whether the whole file is lost."""


@dataclass(frozen=True, slots=True)
class Bibliography:
    """What a `.bib` file offers."""

    keys: Mapping[str, int] = field(default_factory=dict)
    """The keys that can be cited, each with the line of its entry."""
    faults: tuple[BibFault, ...] = ()
    """What keeps it from being read."""


def read_bibliography(text: str) -> Bibliography:
    """Reads a `.bib` file as far as it can be read; never raises."""
    keys: dict[str, int] = {}
    faults: list[BibFault] = []
    at = 0
    while (at := _next_entry(text, at)) < len(text):
        entry = _Entry(text, at)
        line = text.count("\n", 0, at) + 1
        try:
            entry.read()
        except _BibError as fault:
            where = text.count("\n", 0, fault.at) + 1
            faults.append(BibFault(where, f"{fault}, so the whole file is lost", fault.hint))
            if entry.key:
                keys.setdefault(entry.key, line)
            at = max(entry.at, at + 1)
            continue
        if entry.key in keys:
            first = f"the first is in line {keys[entry.key]}"
            message = f"the key `{entry.key}` stands twice: {first}"
            faults.append(BibFault(line, message, is_fatal=False))
        elif entry.key:
            keys[entry.key] = line
        at = entry.at
    return Bibliography(keys, tuple(faults))


def _next_entry(text: str, at: int) -> int:
    """The next `@` outside a `%` comment."""
    for found in re.compile(r"%[^\n]*|@").finditer(text, at):
        if found[0] == "@":
            return found.start()
    return len(text)


class _BibError(Exception):
    """Where and why an entry cannot be read."""

    def __init__(self, at: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.at = at
        self.hint = hint


_SPACE = re.compile(r"\s*")
_TYPE = re.compile(r"@\s*(\w+)\s*")
_LABEL = re.compile(r"[^\s,{}\"]+")
_NAME = re.compile(r"[^\s=,{}\"#()]+")
_VERBATIM = frozenset({"url", "doi", "file", "eprint", "verba", "verbb", "verbc", "pdf", "urlraw"})


class _Entry:
    """Reads one entry, from its `@` on."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self.at = at
        self.key = ""

    def read(self) -> None:
        found = _TYPE.match(self._text, self.at)
        opening = self._text[found.end() : found.end() + 1] if found else ""
        if not found or opening not in ("{", "("):
            hint = "put a word in front that is no address, or begin the line with `%`"
            raise _BibError(self.at, "an `@` outside an entry is taken for one", hint)
        self.at = found.end() + 1
        kind, closing = found[1].lower(), {"{": "}", "(": ")"}[opening]
        if kind in ("comment", "preamble"):
            self.at = _closing_brace(self._text, self.at)
        elif kind == "string":
            self._read_fields(closing)
        else:
            self._read_label()
            self._read_fields(closing)

    def _peek(self) -> str:
        found = _SPACE.match(self._text, self.at)
        self.at = found.end() if found else self.at
        return self._text[self.at : self.at + 1]

    def _expect(self, mark: str, message: str, hint: str = "") -> None:
        if self._peek() != mark:
            raise _BibError(min(self.at, len(self._text) - 1), message, hint)
        self.at += 1

    def _read_label(self) -> None:
        self._peek()
        found = _LABEL.match(self._text, self.at)
        if not found or self._is_field(found):
            raise _BibError(self.at, "the entry has no key", "write `@article{key, …}`")
        self.key, self.at = found[0], found.end()
        message = f"no comma follows the key `{self.key}`"
        self._expect(",", message, "a key has no spaces; a comma follows it")

    def _is_field(self, found: re.Match[str]) -> bool:
        """`title={T}` where the key should stand."""
        return "=" in found[0] and self._text[found.end() :].lstrip()[:1] in ("{", '"')

    def _read_fields(self, closing: str) -> None:
        while self._peek() != closing:
            found = _NAME.match(self._text, self.at)
            if not found:
                message = "the entry is never closed" if not self._peek() else "a field is missing"
                raise _BibError(
                    min(self.at, len(self._text) - 1), f"{message} (entry `{self.key}`)"
                )
            name, self.at = found[0], found.end()
            self._expect("=", f"no `=` follows the field `{name}` of `{self.key}`")
            self._read_value(name)
            if self._peek() == ",":
                self.at += 1
            elif self._peek() != closing:
                message = f"no comma follows the field `{name}` of `{self.key}`"
                raise _BibError(min(self.at, len(self._text) - 1), message)
        self.at += 1

    def _read_value(self, name: str) -> None:
        while True:
            start = self.at
            mark = self._peek()
            if mark == "{":
                self.at = _closing_brace(self._text, self.at + 1)
            elif mark == '"':
                self.at = _closing_quote(self._text, self.at + 1)
            elif found := _NAME.match(self._text, self.at):
                self.at = found.end()
            else:
                raise _BibError(self.at, f"the field `{name}` of `{self.key}` has no value")
            self._check_dollars(name, start)
            if self._peek() != "#":
                return
            self.at += 1

    def _check_dollars(self, name: str, start: int) -> None:
        value = re.sub(r"\\.", "", self._text[start : self.at])
        if value.count("$") % 2 and name.lower() not in _VERBATIM:
            at = start + self._text[start : self.at].find("$")
            message = f"a `$` without a partner stands in `{name}` of `{self.key}`"
            raise _BibError(at, message, "write `\\$`")


def _closing_brace(text: str, at: int) -> int:
    """After the brace that closes the one before `at`; a backslash hides the one behind it."""
    start, depth = at, 1
    for found in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    raise _BibError(start - 1, "a brace is never closed")


def _closing_quote(text: str, at: int) -> int:
    start, depth = at, 0
    for found in re.compile(r"\\.|[{}\"]", re.DOTALL).finditer(text, at):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if found[0] == '"' and depth <= 0:
            return found.end()
    raise _BibError(start - 1, "a quotation mark is never closed")
