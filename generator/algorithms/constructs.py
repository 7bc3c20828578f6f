"""The constructs that pseudocode.js 2.4 reads, as a recursive descent."""

from __future__ import annotations

from generator.algorithms.atoms import Atom, SyntaxFaultError, describe_atom, raw_text
from generator.algorithms.pseudocode_hints import hint_for
from generator.algorithms.words import words

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


class Parser:
    """Recursive descent over the constructs."""

    def __init__(self, atoms: list[Atom]) -> None:
        self._atoms = atoms
        self._position = 0
        self.found: list[tuple[int, str, str]] = []

    @property
    def _next(self) -> Atom:
        return self._atoms[self._position]

    def _accept(self, names: frozenset[str] | set[str]) -> str:
        """Passes a command of one of these names, in any case."""
        name = self._next.text.lower()
        if self._next.kind == "function" and name in names:
            self._position += 1
            return name
        return ""

    def _expect(self, kind: str, what: str, hint: str = "") -> Atom:
        atom = self._next
        if atom.kind != kind:
            raise SyntaxFaultError(
                atom.offset, f"{what} is missing before {describe_atom(atom)}", hint
            )
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
                raise SyntaxFaultError(atom.offset, f"the environment `{name}` is not read", "")
            self._close(name)
        atom = self._next
        if atom.kind != "end":
            raise SyntaxFaultError(
                atom.offset, f"{describe_atom(atom)} is not read here", hint_for(raw_text(atom))
            )
        if not count:
            self.found.append((0, "there is no algorithm", r"start with `\begin{algorithm}[H]`"))

    def read_line(self) -> None:
        self._read_text()
        atom = self._next
        if atom.kind != "end":
            raise SyntaxFaultError(
                atom.offset, f"{describe_atom(atom)} is not read in text", hint_for(raw_text(atom))
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
            raise SyntaxFaultError(
                atom.offset,
                f"{describe_atom(atom)} is not read here; `\\end{{{name}}}` is expected",
                hint_for(raw_text(atom)),
            )
        self._expect("{", "`{`")
        found = self._expect("word", "the environment's name")
        if found.text.lower() != name:
            raise SyntaxFaultError(found.offset, f"`\\end{{{found.text}}}` closes `{name}`", "")
        self._expect("}", "`}`")

    def _read_algorithm(self) -> None:
        while True:
            atom = self._next
            if atom.kind == "function" and atom.text.lower() == "begin":
                name = self._open()
                if name != "algorithmic":
                    raise SyntaxFaultError(atom.offset, f"the environment `{name}` is not read", "")
                self._read_algorithmic(atom)
                self._close("algorithmic")
            elif self._accept({"caption"}):
                self._read_group("the caption's text")
            else:
                return

    def _read_algorithmic(self, opening: Atom) -> None:
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
                raise SyntaxFaultError(self._next.offset, r"`\Until{…}` is missing", "")
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
            hint = hint_for(raw_text(atom)) or f"close it with `\\{written}`"
            raise SyntaxFaultError(
                atom.offset,
                f"`\\{written}` is expected, {describe_atom(atom)} is not read here",
                hint,
            )

    def _read_name(self) -> None:
        self._expect("{", "`{`")
        hint = "a name is one word, without `_`"
        self._expect("word", "a name", hint)
        self._expect("}", "`}`", hint)

    def _read_group(self, what: str) -> None:
        self._expect("{", f"`{{` for {what}")
        self._read_text()
        self._expect("}", "`}`", hint_for(raw_text(self._next)))

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
                    raise SyntaxFaultError(
                        atom.offset, f"{describe_atom(atom)} lacks its `{{…}}`", ""
                    )
            elif not self._accept(_WORDS | _SIZES | _FACES):
                return
