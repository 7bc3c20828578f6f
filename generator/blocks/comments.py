"""What a file says about itself in its first lines."""

from __future__ import annotations

import ast
import csv
import io
import re
from pathlib import Path

_HASH = {
    ".cfg", ".conf", ".ini", ".jl", ".mk", ".pl", ".py", ".r", ".rb", ".sh", ".toml", ".txt",
    ".yaml", ".yml", ".bash", ".zsh", ".csv", ".tsv", ".dat", "",
}  # fmt: skip
_MARKS: dict[str, str] = {
    **dict.fromkeys(_HASH, "#"),
    **dict.fromkeys((".tex", ".bib", ".m", ".sty", ".cls"), "%"),
    **dict.fromkeys(
        (".c", ".cc", ".cpp", ".cu", ".h", ".hpp", ".js", ".ts", ".rs", ".go", ".java"), "//"
    ),
    **dict.fromkeys((".sql", ".lua", ".hs"), "--"),
}
_DOCSTRING = re.compile(r"(?:\s*#.*\n)*\s*[rRuU]?(\"{3}|'{3})(.*?)(?<!\\)\1", re.DOTALL)
_HEAD = 65_536


def read_comment(path: Path) -> str:
    """One line about a file: its docstring's or first comment's, heading or sentence, or shape.

    Empty for a file that says nothing, that is not text, or that cannot be read.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return ""
    if path.suffix == ".npy":
        return _read_npy(head)
    try:
        text = head.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4:
            return ""
        text = head[: error.start].decode("utf-8-sig")
    suffix = path.suffix.lower()
    if suffix == ".md":
        return _read_markdown(text)
    said = (_read_docstring(text) if suffix == ".py" else "") or _read_mark(text, suffix)
    return said or (_read_columns(text, len(head) < _HEAD) if suffix == ".csv" else "")


def _read_docstring(source: str) -> str:
    try:
        doc = ast.get_docstring(ast.parse(source))
    except (SyntaxError, ValueError):  # broken, or longer than what was read
        match = _DOCSTRING.match(source)
        doc = match[2] if match else ""
    return _first_line(doc or "")


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _read_mark(text: str, suffix: str) -> str:
    """The first comment line, past a shebang, an encoding line and empty ones."""
    mark = _MARKS.get(suffix)
    if suffix in (
        ".c",
        ".cc",
        ".cpp",
        ".cu",
        ".h",
        ".hpp",
        ".js",
        ".ts",
        ".rs",
        ".go",
        ".java",
        ".css",
    ):
        match = re.match(r"\s*/\*+\s*(.*?)\s*(?:\*/|\n|$)", text)
        if match and match[1]:
            return match[1]
    if mark is None:
        return ""
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("#!") or re.match(r"#.*coding[:=]", line):
            continue
        if not line.startswith(mark):
            return ""
        said = line.strip(mark[0] + " \t!/")
        if said:
            return said
    return ""


def _read_markdown(text: str) -> str:
    """The first heading, else the first sentence, past front matter and comments."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    line = _first_line(text)
    if line.startswith("#"):
        return line.strip("# \t")
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    sentence = re.match(r".+?[.!?](?=\s|$)", paragraph)
    return sentence[0] if sentence else paragraph


def _read_npy(head: bytes) -> str:
    """Type and shape from the header of a numpy file."""
    if head[:6] != b"\x93NUMPY" or len(head) < 12:
        return ""
    size, start = (2, 10) if head[6] == 1 else (4, 12)
    length = int.from_bytes(head[8 : 8 + size], "little")
    try:
        header = ast.literal_eval(head[start : start + length].decode("latin-1").strip())
        descr, shape = header["descr"], header["shape"]
    except (SyntaxError, ValueError, KeyError, TypeError):
        return ""
    sizes = " × ".join(map(str, shape)) if shape else "a single value"
    return f"{_name_dtype(descr)} array, {sizes}"


def _name_dtype(descr: object) -> str:
    if not isinstance(descr, str):
        return "structured"
    kinds = {"f": "float", "i": "int", "u": "uint", "c": "complex"}
    match = re.fullmatch(r"[<>|=]?([a-zA-Z])(\d+)?", descr)
    if match is None:
        return descr
    kind, size = match[1], int(match[2] or 0)
    if kind in kinds:
        return f"{kinds[kind]}{size * 8}"
    return {"b": "bool", "U": "string", "S": "bytes", "M": "date", "m": "duration"}.get(kind, kind)


def _read_columns(text: str, whole: bool) -> str:
    """How large a CSV file with a header is."""
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=None)) if row]
    except csv.Error:
        return ""
    if not rows or not whole:
        return ""
    return f"{len(rows) - 1} rows: {', '.join(cell.strip() for cell in rows[0])}"
