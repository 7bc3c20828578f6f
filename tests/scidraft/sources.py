"""The notes that are shown, and what their Markdown says should be seen of them."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.browser.sites import FORMS, PARTS, ROOT

from .faults import write_faults

READER = Path(__file__).parent / "reader"
NOTES = ROOT / "content" / "notes"
SHIPPED = tuple(sorted(path.stem for path in NOTES.glob("*.md") if path.stem != "_index"))
FIXTURES = tuple(sorted(path.stem for path in FORMS.glob("*.md")))
ALGORITHMS = tuple(name for name in FIXTURES if name.startswith("algorithm-"))
OTHER = "other-"
"""Opens the name of a note's copy with preview markers where it has none, or the reverse."""

_FRONT = re.compile(r"\A\ufeff?(---|\+\+\+)\r?\n.*?\r?\n\1[ \t]*\r?\n", re.DOTALL)
_MARKER = re.compile(r"\{\{< /?preview >\}\}[ \t]*\r?\n?")
_FENCE = re.compile(
    r"(?ms)^(?P<in>[ >]*)(?P<mark>```+|~~~+)(?P<info>[^\n]*)\n(?P<text>.*?)^[ >]*(?P=mark)"
)


@dataclass(frozen=True, slots=True)
class Expected:
    """What a reader should see of a note, from a plain reading of its Markdown."""

    formulas: tuple[str, ...]
    """Every formula of the text, in order."""
    algorithms: int
    """How many algorithms there are."""
    tables: tuple[tuple[str, int], ...]
    """Variant and number of columns of each table."""
    images: int
    """How many images there are."""
    citations: int
    """How many works are cited, each time counted."""
    diagrams: int
    """How many diagrams there are."""


def split_note(text: str) -> tuple[str, str]:
    """Front matter and body."""
    front = _FRONT.match(text)
    assert front is not None, text[:80]
    return front[0], text[front.end() :]


def swap_markers(text: str) -> str | None:
    r"""The note with preview markers if it has none, else without; None where markers can't go.

    A preview is Markdown of the list page: no shortcode works in it, and a `\cite` stays raw
    without the list of references.
    """
    front, body = split_note(text)
    if _MARKER.search(body):
        return front + _MARKER.sub("", body)
    if "{{" in body or "\\cite{" in body:
        return None
    newline = "\r\n" if "\r\n" in body else "\n"
    opening, closing = (f"{{{{< {name} >}}}}{newline}" for name in ("preview", "/preview"))
    return f"{front}{opening}{body}{closing}"


def make_site(folder: Path) -> Path:
    """A site of all notes and their copies, with layouts that hand them over as the theme does."""
    shutil.copytree(READER, folder / "themes" / "scidraft")
    settings = (ROOT / "hugo.toml").read_text("utf-8")
    settings = settings.replace('theme = "scidraft-static"', 'theme = "scidraft"')
    settings = settings.replace("notesPerPage = 5", "notesPerPage = 24")
    settings = 'disableKinds = ["home", "taxonomy", "term", "RSS"]\n' + settings
    (folder / "hugo.toml").write_text(settings, "utf-8")
    notes = folder / "content" / "notes"
    ignored = shutil.ignore_patterns(*PARTS)
    shutil.copytree(FORMS, notes, ignore=ignored)
    shutil.copytree(NOTES, notes, dirs_exist_ok=True)
    write_faults(folder / "content" / "faults")
    for part in PARTS:
        shutil.copytree(FORMS / part, folder / part)
    shutil.copytree(ROOT / "static", folder / "static", dirs_exist_ok=True)
    for name in SHIPPED + FIXTURES:
        swapped = swap_markers((notes / f"{name}.md").read_bytes().decode())
        if swapped is not None:
            (notes / f"{OTHER}{name}.md").write_bytes(swapped.encode())
    return folder


def read_note(path: Path, region: str) -> Expected:
    """What should be seen of the note; of its preview region, if that is what is shown."""
    _, body = split_note(path.read_bytes().decode().replace("\r\n", "\n"))
    if region == "preview":
        body = re.split(r"\{\{< /?preview >\}\}", body)[1]
    fences = list(_FENCE.finditer(body))
    kinds = [match["info"].strip() for match in fences]
    text = _FENCE.sub("", body)
    text = re.sub(r"(?m)^(?: {4}|\t).*$", _keep_list_text, text)
    text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)|<!--.*?-->", "", text, flags=re.DOTALL)
    formulas = re.findall(
        r"\$\$(.*?)\$\$|\\\[(.*?)\\\]|\\\((.*?)\\\)|(?<![\\$>])\$([^$]+)\$(?!<)", text, re.DOTALL
    )
    return Expected(
        formulas=tuple(" ".join("".join(found).split()) for found in formulas),
        algorithms=sum("algo" in kind for kind in kinds),
        tables=tuple(_read_tables(text)),
        images=len(re.findall(r"!\[[^\]]*\]\(|\{\{< figure ", text)),
        citations=sum(len(keys.split(",")) for keys in re.findall(r"\\cite\{(.*?)\}", text)),
        diagrams=kinds.count("mermaid"),
    )


def _keep_list_text(match: re.Match[str]) -> str:
    """An indented line is code, unless a list or a table has it."""
    return match[0] if re.match(r"\s+([-*|>]|\d+\.|\S+\()", match[0]) else ""


def _read_tables(text: str) -> list[tuple[str, int]]:
    found = []
    lines = [re.sub(r"^[ >]*(?:\d+\. |[-*] )?", "", line) for line in text.splitlines()]
    for at, line in enumerate(lines):
        if not re.fullmatch(r"\|?[ ]*:?-+:?[ ]*(\|[ ]*:?-+:?[ ]*)*\|?\s*", line) or "|" not in line:
            continue
        end = next((n for n in range(at, len(lines)) if "|" not in lines[n]), len(lines))
        after = next((line for line in lines[end:] if line.strip()), "")
        variant = re.match(r"\{\.(table-[a-z]+)\}", after)
        found.append((variant[1] if variant else "", len(line.strip().strip("|").split("|"))))
    return found
