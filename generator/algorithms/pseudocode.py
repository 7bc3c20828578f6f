"""What pseudocode.js 2.4 reads, as a check: nothing fails, or gets lost, in a reader's browser."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.algorithms.cleaned import Cleaned, clean_up
from generator.algorithms.katex import check_math
from generator.algorithms.pseudocode_hints import hint_for
from generator.algorithms.words import words

Finding = tuple[int, int, str, str]
"""Line and column from 1, message, hint."""

_INPUTS = frozenset({"require", "ensure", "input", "output"})
_STATEMENTS = frozenset({"state", "print", "return"})
_COMMANDS = frozenset({"break", "continue"})
_ELIFS = frozenset({"elif", "elsif", "elseif"})
_WORDS = frozenset({"and", "or", "not", "true", "false", "to", "downto", "textbackslash"})
_SIZES = frozenset(["tiny", "scriptsize", "footnotesize", "small", "normalsize", "large", "huge"])
_FACES = frozenset(
    words(
        """
    normalfont rmfamily sffamily ttfamily upshape itshape slshape scshape bfseries mdseries
    lfseries
    """
    )
)
_FONTS = frozenset(
    words(
        """
    textnormal textrm textsf texttt textup textit textsl textsc uppercase lowercase textbf
    textmd textlf
    """
    )
)

_SPECIAL = re.compile(r"\\\\|\\[{}$&#%_]")
_FUNCTION = re.compile(r"\\([A-Za-z]+)")
_QUOTE = re.compile(r"``|`|''|'")
_ORDINARY = re.compile(r"[^\\{}$&#%_\s]+")


class _SyntaxFaultError(Exception):
    """The first thing that stops the parser."""

    def __init__(self, offset: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.offset = offset
        self.hint = hint


@dataclass(frozen=True, slots=True)
class _Atom:
    kind: str
    text: str
    offset: int


def check_pseudocode(text: str) -> list[Finding]:
    """Faults of a `pseudo-algorithm` fence's content, in order; empty when it renders whole."""
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    findings = []
    for offset, message, hint in _find_faults(text, whole=True):
        line = sum(start <= offset for start in starts)
        findings.append((line, offset - starts[line - 1] + 1, message, hint))
    return findings


def check_text(text: str) -> list[tuple[str, str]]:
    """Faults of the text of one line, as message and hint: words and formulas, no construct."""
    return [(message, hint) for _, message, hint in _find_faults(text, whole=False)]


def _find_faults(text: str, *, whole: bool) -> list[tuple[int, str, str]]:
    """Offset, message and hint of each fault, in order."""
    nested = [
        (match.start(1) + inner.start(), "`$` inside a formula", r"end the formula with `\)` first")
        for match in re.finditer(r"\\\((.+?)\\\)", text, re.DOTALL)
        for inner in re.finditer(r"(?<!\\)\$", match[1])
    ]
    if nested:
        return nested
    cleaned = clean_up(text)
    found: list[tuple[int, str, str]] = []
    try:
        parser = _Parser(_lex(cleaned, found))
        if whole:
            parser.read_all()
        else:
            parser.read_line()
        found += parser.found
    except _SyntaxFaultError as fault:
        found.append((fault.offset, str(fault), fault.hint))
    return sorted({(min(cleaned.locate(at), len(text)), m, hint) for at, m, hint in found})


def _lex(cleaned: Cleaned, found: list[tuple[int, str, str]]) -> list[_Atom]:
    """Atoms; formulas are checked on the way, and comments, which would hide text, told."""
    text, position = cleaned.text, 0
    atoms: list[_Atom] = []
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        if text[position] == "%":
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            found.append((position, "a bare `%` hides the rest of its line", r"write `\%`"))
            position = end
            continue
        atom, position = _read_atom(text, position, found)
        atoms.append(atom)
    atoms.append(_Atom("end", "", len(text)))
    return atoms


def _read_atom(text: str, position: int, found: list[tuple[int, str, str]]) -> tuple[_Atom, int]:
    special = _SPECIAL.match(text, position)
    if special:
        return _Atom("special", special.group(), position), special.end()
    for start, end in (("$", "$"), (r"\(", r"\)")):
        if text.startswith(start, position):
            return _read_math(text, position, start, end, found)
    for kind, pattern in (("function", _FUNCTION), ("quote", _QUOTE), ("word", _ORDINARY)):
        match = pattern.match(text, position)
        if match:
            return _Atom(
                kind, match[1] if kind == "function" else match.group(), position
            ), match.end()
    if text[position] in "{}":
        return _Atom(text[position], text[position], position), position + 1
    broken = re.match(r"\\.?", text[position:]) or re.match(".", text[position:])
    assert broken is not None
    raise _SyntaxFaultError(
        position, f"`{broken.group()}` is not read in text", hint_for(broken.group())
    )


def _read_math(
    text: str, position: int, start: str, end: str, found: list[tuple[int, str, str]]
) -> tuple[_Atom, int]:
    inside = position + len(start)
    at = text.find(end, inside)
    while at > inside and text[at - 1] == "\\":
        at = text.find(end, at + len(end))
    if at < 0:
        raise _SyntaxFaultError(position, "a formula is not closed", f"end it with `{end}`")
    formula = text[inside:at]
    if formula:
        found += [(inside + offset, m, h) for offset, m, h in check_math(formula)]
    else:
        found.append((position, "an empty formula", r"`$$` is not read here: write `\(…\)`"))
    return _Atom("math", formula, position), at + len(end)


class _Parser:
    """Recursive descent over the constructs."""

    def __init__(self, atoms: list[_Atom]) -> None:
        self._atoms = atoms
        self._position = 0
        self.found: list[tuple[int, str, str]] = []

    @property
    def _next(self) -> _Atom:
        return self._atoms[self._position]

    def _accept(self, names: frozenset[str] | set[str]) -> str:
        """Passes a command of one of these names, in any case."""
        name = self._next.text.lower()
        if self._next.kind == "function" and name in names:
            self._position += 1
            return name
        return ""

    def _expect(self, kind: str, what: str, hint: str = "") -> _Atom:
        atom = self._next
        if atom.kind != kind:
            raise _SyntaxFaultError(atom.offset, f"{what} is missing before {_name(atom)}", hint)
        self._position += 1
        return atom

    def read_all(self) -> None:
        count = 0
        while self._next.kind == "function" and self._next.text.lower() == "begin":
            count += 1
            atom = self._next
            name = self._open()
            if name == "algorithm":
                self._read_algorithm()
            elif name == "algorithmic":
                self._read_algorithmic(atom)
            else:
                raise _SyntaxFaultError(atom.offset, f"the environment `{name}` is not read", "")
            self._close(name)
        atom = self._next
        if atom.kind != "end":
            raise _SyntaxFaultError(
                atom.offset, f"{_name(atom)} is not read here", hint_for(_raw(atom))
            )
        if not count:
            self.found.append((0, "there is no algorithm", r"start with `\begin{algorithm}[H]`"))

    def read_line(self) -> None:
        self._read_text()
        atom = self._next
        if atom.kind != "end":
            raise _SyntaxFaultError(
                atom.offset, f"{_name(atom)} is not read in text", hint_for(_raw(atom))
            )

    def _open(self) -> str:
        self._position += 1
        self._expect("{", "`{`")
        name = self._expect("word", "the environment's name").text
        self._expect("}", "`}`")
        return name

    def _close(self, name: str) -> None:
        atom = self._next
        if not self._accept({"end"}):
            raise _SyntaxFaultError(
                atom.offset,
                f"{_name(atom)} is not read here; `\\end{{{name}}}` is expected",
                hint_for(_raw(atom)),
            )
        self._expect("{", "`{`")
        found = self._expect("word", "the environment's name")
        if found.text.lower() != name:
            raise _SyntaxFaultError(found.offset, f"`\\end{{{found.text}}}` closes `{name}`", "")
        self._expect("}", "`}`")

    def _read_algorithm(self) -> None:
        while True:
            atom = self._next
            if atom.kind == "function" and atom.text.lower() == "begin":
                name = self._open()
                if name != "algorithmic":
                    raise _SyntaxFaultError(
                        atom.offset, f"the environment `{name}` is not read", ""
                    )
                self._read_algorithmic(atom)
                self._close("algorithmic")
            elif self._accept({"caption"}):
                self._read_group("the caption's text")
            else:
                return

    def _read_algorithmic(self, opening: _Atom) -> None:
        start = self._position
        while True:
            if self._accept(_INPUTS):
                self._read_text()
            elif not self._read_block():
                break
        if self._position == start:
            self.found.append((opening.offset, "the algorithm is empty", "give it a `\\State`"))

    def _read_block(self) -> bool:
        """Statements and constructs, as many as there are; whether there was one."""
        start = self._position
        while self._read_construct():
            pass
        return self._position > start

    def _read_construct(self) -> bool:
        if self._accept({"if"}):
            self._read_if()
        elif loop := self._accept({"for", "forall", "while"}):
            self._read_group("the condition")
            self._read_block()
            self._end("while" if loop == "while" else "for")
        elif self._accept({"repeat"}):
            self._read_block()
            if not self._accept({"until"}):
                raise _SyntaxFaultError(self._next.offset, r"`\Until{…}` is missing", "")
            self._read_group("the condition")
        elif self._accept({"upon"}):
            self._read_group("the condition")
            self._read_block()
            self._end("upon")
        elif name := self._accept({"function", "procedure"}):
            self._read_name()
            self._read_group("the parameters")
            self._read_block()
            self._end(name)
        elif self._accept(_STATEMENTS):
            self._read_text()
        elif self._accept({"comment"}):
            self._read_group("the comment's text")
        else:
            return bool(self._accept(_COMMANDS))
        return True

    def _read_if(self) -> None:
        self._read_group("the condition")
        self._read_block()
        while self._accept(_ELIFS):
            self._read_group("the condition")
            self._read_block()
        if self._accept({"else"}):
            self._read_block()
        self._end("if")

    def _end(self, name: str) -> None:
        atom = self._next
        if not self._accept({f"end{name}"}):
            written = {"if": "EndIf", "for": "EndFor", "while": "EndWhile"}.get(
                name, "End" + name.capitalize()
            )
            hint = hint_for(_raw(atom)) or f"close it with `\\{written}`"
            raise _SyntaxFaultError(
                atom.offset, f"`\\{written}` is expected, {_name(atom)} is not read here", hint
            )

    def _read_name(self) -> None:
        self._expect("{", "`{`")
        hint = "a name is one word, without `_`"
        self._expect("word", "a name", hint)
        self._expect("}", "`}`", hint)

    def _read_group(self, what: str) -> None:
        self._expect("{", f"`{{` for {what}")
        self._read_text()
        self._expect("}", "`}`", hint_for(_raw(self._next)))

    def _read_text(self) -> None:
        """Words, formulas, groups and font commands, until something else comes."""
        while True:
            atom = self._next
            if atom.kind in {"word", "math", "special", "quote"}:
                self._position += 1
            elif atom.kind == "{":
                self._read_group("text")
            elif self._accept({"call"}):
                self._read_name()
                self._read_group("the arguments")
            elif self._accept(_FONTS):
                if self._next.kind != "{":
                    raise _SyntaxFaultError(atom.offset, f"{_name(atom)} lacks its `{{…}}`", "")
            elif not self._accept(_WORDS | _SIZES | _FACES):
                return


def _raw(atom: _Atom) -> str:
    return f"\\{atom.text}" if atom.kind == "function" else atom.text


def _name(atom: _Atom) -> str:
    return "the end" if atom.kind == "end" else f"`{_raw(atom)}`"
