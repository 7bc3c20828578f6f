"""A function's source → its steps, each comment with the statement that it belongs to."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from generator.algorithms.comments import Comment, SourceFile, read_source
from generator.algorithms.docstring import find_docstring, read_docstring, read_where
from generator.algorithms.steps import Note, Program, Step
from generator.errors import Problem

_LABEL = re.compile(r"\[([A-Za-z][\w .-]*)\]\s*")
_PRAGMA = re.compile(r"noqa\b|type:|pragma\b|fmt:|ruff:|mypy:|pylint:")


def read_program(text: str, path: str, first_line: int, name: str, caption: str) -> Program:
    """Reads the function that starts (with its decorators) at a line of a file's text.

    Raises LookupError when there is none, SyntaxError when the file is not Python.
    """
    source = read_source(text)
    node = _find_function(ast.parse(text), first_line, name)
    reader = _Reader(source, path)
    notes = read_docstring(node)
    where = read_where(notes["Where"], reader.complain)
    body = node.body
    start = source.ends.get(node.lineno, node.lineno)
    docstring = find_docstring(node)
    if docstring is not None:
        start, body = docstring.end_lineno or docstring.lineno, body[1:]
    limit = _end_of(node, source)
    steps = reader.read_block(body, node.col_offset, start, limit, None) if body else []
    return Program(
        name,
        caption,
        path,
        node.lineno,
        node,
        tuple(notes["Require"]),
        tuple(notes["Ensure"]),
        tuple(where),
        tuple(steps),
        tuple(reader.faults),
    )


def _find_function(tree: ast.Module, first_line: int, name: str) -> ast.FunctionDef:
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or node.name != name:
            continue
        if min([node.lineno, *(d.lineno for d in node.decorator_list)]) == first_line:
            return node
    raise LookupError(f"no function `{name}` starts at line {first_line}")


def _end_of(node: ast.FunctionDef, source: SourceFile) -> int:
    """First line after the function, comments at the end of its body included."""
    end = node.end_lineno or node.lineno
    for line in range(end + 1, len(source.lines) + 1):
        comment = source.comments.get(line)
        if comment and comment.alone and comment.column > node.col_offset:
            end = line
        elif source.lines[line - 1].strip():
            break
    return end + 1


class _Reader:
    """Reads blocks; a comment is used once, by the statement that it belongs to."""

    def __init__(self, source: SourceFile, path: str) -> None:
        self.source = source
        self.path = path
        self.faults: list[Problem] = []
        self._used: set[int] = set()
        self._count = 0

    def complain(self, line: int, message: str, hint: str) -> None:
        self.faults.append(Problem(self.path, line, message, hint, "algorithm"))

    def read_block(
        self,
        nodes: Sequence[ast.stmt],
        outer: int,
        start: int,
        limit: int,
        header: Step | None,
        *,
        is_elif: bool = False,
    ) -> list[Step]:
        """Statements between two lines; `outer` is the column of the construct around them."""
        steps: list[Step] = []
        end = start
        for position, node in enumerate(nodes):
            step = Step(self._count, node)
            self._count += 1
            above = self._comments(end + 1, node.lineno, outer)
            self._attach(above, steps[-1] if steps else None, step, header)
            blank = any(
                not self.source.lines[line - 1].strip() for line in range(end + 1, node.lineno)
            )
            step.fresh = not steps or blank or step.prose.line > 0
            later = nodes[position + 1].lineno if position + 1 < len(nodes) else limit
            self._read_annotation(step)
            self._read_inside(step, later)
            steps.append(step)
            end = node.end_lineno or node.lineno
        if not is_elif:  # what follows an `elif` at its column belongs to the next statement
            self._attach(self._comments(end + 1, limit, outer), steps[-1], None, header)
        return steps

    def _comments(self, first: int, limit: int, outer: int) -> list[Comment]:
        """Unused comments that have lines `first ≤ line < limit` to themselves."""
        found = []
        for line in range(first, limit):
            comment = self.source.comments.get(line)
            if comment and comment.alone and comment.column > outer and line not in self._used:
                self._used.add(line)
                found.append(comment)
        return found

    def _attach(
        self, comments: list[Comment], previous: Step | None, step: Step | None, header: Step | None
    ) -> None:
        prose: list[str] = []
        first = 0
        owner = previous or header
        for comment in comments:
            line, mark, body = comment.line, comment.mark, comment.body
            if mark in {":", "~"}:
                if owner is None or prose:
                    self.complain(line, "a formula stands before its statement", "put it after")
                else:
                    self._extend(owner, Note(body, line, mark))
            elif mark == "?":
                self._add_invariant(Note(body, line), previous, step)
            elif mark in {"-", "&"}:
                self.complain(
                    line,
                    f"`#{mark}` has a line to itself",
                    "put it behind the statement that it is about",
                )
            elif not mark and not _PRAGMA.match(body) and body:
                first = first or line
                prose.append(body)
        if not prose:
            return
        if step is None:
            self.complain(
                first, "a comment without a statement below it", "make it private with `##`"
            )
            return
        text = " ".join(prose)
        label = _LABEL.match(text)
        if label:
            step.label, text = label[1], text[label.end() :]
        step.prose = Note(text, first)
        if label and not text:
            step.prose = Note("", first)

    def _add_invariant(self, note: Note, previous: Step | None, step: Step | None) -> None:
        try:
            tree = ast.parse(note.text, mode="eval")
        except SyntaxError as error:
            self.complain(note.line, f"the invariant is not Python: {note.text}", str(error.msg))
            return
        if not any(isinstance(node, ast.Name) for node in ast.walk(tree)):
            self.complain(note.line, f"the invariant names nothing: {note.text}", "")
        if previous is None:
            assert step is not None
            step.before.append(note)
            return
        if isinstance(previous.node, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            self.complain(
                note.line,
                f"the invariant never runs: it stands after line {previous.line}, which leaves",
                "put it above that line",
            )
        previous.after.append(note)

    def _read_annotation(self, step: Step) -> None:
        """The marks behind a statement, on its own lines."""
        first = step.line
        last = self.source.ends.get(first, step.node.end_lineno or first)
        for line in range(first, last + 1):
            comment = self.source.comments.get(line)
            if comment is None or comment.alone or line in self._used:
                continue
            inner = getattr(step.node, "body", None)
            if inner and inner[0].lineno <= line:
                continue  # `if done: return x  #: …` annotates the return
            if comment.mark in {":", "~", "-"}:
                self._extend(step, Note(comment.body, line, comment.mark))
                self._used.add(line)
            elif comment.mark == "&":
                step.joins = True
                self._used.add(line)
            elif comment.mark == "?":
                self.complain(
                    line, "an invariant stands behind a statement", "give it a line of its own"
                )
        if step.note.mark == "-" and not step.note.text:
            self.complain(
                step.note.line,
                "a hidden statement without a reason",
                "say why it isn't a step of the algorithm: `#- bookkeeping`",
            )

    def _extend(self, step: Step, note: Note) -> None:
        old = step.note
        if not old.mark:
            step.note = note
        elif "-" in (old.mark, note.mark):
            self.complain(note.line, "a hidden statement has a formula", "drop one of the two")
        else:
            mark = "~" if "~" in (old.mark, note.mark) else ":"
            step.note = Note(f"{old.text} {note.text}".strip(), old.line, mark)

    def _read_inside(self, step: Step, limit: int) -> None:
        node = step.node
        if not isinstance(node, (ast.For, ast.While, ast.If, ast.With)) or step.is_hidden:
            self._skip(step)
            return
        start = self.source.ends.get(node.lineno, node.lineno)
        column = node.col_offset
        orelse = getattr(node, "orelse", [])
        if not orelse:
            step.body = self.read_block(node.body, column, start, limit, step)
            return
        if isinstance(node, (ast.For, ast.While)):
            self.complain(node.lineno, "a loop with an `else`", "write it without")
        first = orelse[0]
        step.has_elif = isinstance(first, ast.If) and first.col_offset == column
        branch = first.lineno if step.has_elif else self._find_else(node, column)
        step.body = self.read_block(node.body, column, start, branch, step)
        after_body = (node.body[-1].end_lineno or 0) + 1
        if step.has_elif:
            step.orelse = self.read_block(
                orelse, column - 1, after_body - 1, limit, None, is_elif=True
            )
            return
        above = Step(-1, first)
        self._attach(self._comments(after_body, branch, column - 1), None, above, None)
        step.else_prose = above.prose
        step.orelse = self.read_block(orelse, column, branch, limit, step)

    def _skip(self, step: Step) -> None:
        """Comments inside a hidden construct or a nested function stay private."""
        for line in range(step.line, (step.node.end_lineno or step.line) + 1):
            self._used.add(line)

    def _find_else(self, node: ast.stmt, column: int) -> int:
        after = node.body[-1].end_lineno or 0  # type: ignore[attr-defined]
        for line, where in self.source.elses:
            if line > after and where == column:
                return line
        return after + 1
