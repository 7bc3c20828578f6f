"""A Jupyter notebook as the start of a note: its prose as a template, its code as a demo."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator

from generator.errors import Problem, UsageError
from generator.scaffolds import Scaffold, front_matter

_MAGIC = re.compile(r"^\s*[%!?]|\?\s*$|^\s*[\w, ]+=\s*[%!]")
_PAGE_BREAK = re.compile(r"^[ \t\f]*\f")  # Python counts the columns of a line behind it
_OTHER_LANGUAGE = re.compile(r"\s*%%(?!time|capture|prun)\w")


def scaffold_notebook(text: str, path: str, slug: str, title: str) -> Scaffold:
    """A template and a demo from a notebook's text.

    Raises UsageError when it is not a notebook. Outputs are dropped: they are computed anew.
    """
    cells = list(_read_cells(text, path))
    prose = [source for kind, source in cells if kind == "markdown"]
    code = [_without_magics(source) for kind, source in cells if kind == "code" and source.strip()]
    body = "\n\n".join(prose).strip()
    heading = re.match(r"#\s+(.+)\n*", body)
    if heading:
        body = body[heading.end() :]
        title = title if title != slug.replace("-", " ").capitalize() else heading.group(1).strip()
    module = slug.replace("-", "_")
    name = json.dumps(module) if module[0].isdigit() else module
    head = front_matter(title, "Notebook", f"demo: {name}\nseed: 1\n")
    template = head + body.replace("<%", "<%%") + "\n"
    return Scaffold(template, _demo("\n\n".join(code), title))


def _read_cells(text: str, path: str) -> Iterator[tuple[str, str]]:
    try:
        import nbformat

        notebook = nbformat.reads(text, as_version=4)
        for cell in notebook.cells:
            source = str(cell.source).replace("\r\n", "\n").replace("\r", "\n")
            yield str(cell.cell_type), source
    except ImportError:
        message = "notebooks are read by nbformat, which is missing"
        raise UsageError(Problem(path, 0, message, "pip install nbformat")) from None
    except Exception as error:  # nbformat raises its own, json's and jsonschema's
        reason = str(error).split("\n")[0]
        raise UsageError(Problem(path, 0, f"is not a notebook: {reason}")) from None


def _without_magics(source: str) -> str:
    """IPython's own lines, and cells in other languages, as comments: the rest is Python."""
    lines = source.split("\n")
    if _OTHER_LANGUAGE.match(source):
        return "\n".join(f"# {line}" for line in lines)
    return "\n".join(f"# {line}" if _MAGIC.search(line) else line for line in lines)


def _parse(source: str) -> ast.Module:
    """The code's tree; an empty one where it is not Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # a NUL, nested too deeply
        return ast.Module([], [])


def _assigned_names(source: str) -> list[str]:
    """Names that the notebook assigns at its top level: candidates for results."""
    names = [
        target.id
        for node in _parse(source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    return list(dict.fromkeys(names))


def _demo(source: str, title: str) -> str:
    imports, rest = _split_imports(source)
    results = "".join(f"        # {json.dumps(n)}: {n},\n" for n in _assigned_names(source))
    about = title.replace("\\", "").replace('"', "'")
    head = f"{imports}\n\n\n" if imports else "\n"
    return (
        f'"""{about}: taken over from a notebook."""\n\n{head}'
        "def run(rng):\n"
        '    """Name in the last lines what the note shows; draw random numbers from `rng`."""\n'
        f"{_indent(rest)}\n    return {{\n{results}    }}\n"
    )


def _indent(source: str) -> str:
    """The code as a function's body; lines inside strings stay as they are."""
    inside: set[int] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.STRING or "FSTRING" in tokenize.tok_name[token.type]:
                inside.update(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError):
        inside = set()
    lines = source.strip("\n").split("\n")
    skipped = len(source) - len(source.lstrip("\n"))
    return "\n".join(
        line if number in inside or not line.strip() else "    " + _PAGE_BREAK.sub("", line)
        for number, line in enumerate(lines, start=skipped + 1)
    )


def _split_imports(source: str) -> tuple[str, str]:
    """The imports, for the top of the module, and everything else."""
    lines = source.split("\n")
    taken: set[int] = set()
    imports: dict[str, None] = {}
    for node in _parse(source).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            first, last = node.lineno - 1, node.end_lineno or node.lineno
            imports["\n".join(lines[first:last])] = None
            taken.update(range(first, last))
    return "\n".join(imports), "\n".join(line for i, line in enumerate(lines) if i not in taken)
