"""Start a note: a template, a demo and a test that work as they are."""

from __future__ import annotations

import argparse
import re
from datetime import datetime
from pathlib import Path

from generator.errors import GeneratorError, Problem, UsageError
from generator.front_matter import read_front_matter
from generator.notes import find_templates, slug_of
from generator.publish import remove_file, write_file
from generator.scaffolds import Scaffold, scaffold_kind
from generator.settings import Settings

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?")


def run_new(settings: Settings, arguments: argparse.Namespace) -> int:
    """Write the files of a new note; refuses to overwrite any."""
    slug = arguments.slug
    if not _SLUG.fullmatch(slug) or slug == "index":
        raise UsageError(Problem("", 0, f"`{slug}` is not a slug", _slug_hint(slug)))
    title = arguments.title or slug.replace("-", " ").capitalize()
    if arguments.source:
        scaffold = _from_file(Path(arguments.source), slug, title)
    else:
        scaffold = scaffold_kind(arguments.kind, slug, title)
    files = _files(settings, slug, scaffold)
    same = [path for path in find_templates(settings) if slug_of(settings, path) == slug]
    for path in (*same, *files):
        if (settings.root / path).exists():
            hint = "choose another slug, or move that file"
            raise UsageError(Problem(path, 0, "is there already", hint))
    written: list[str] = []
    try:
        for path, text in files.items():
            write_file(settings.root, path, text.encode("utf-8"))
            written.append(path)
    except GeneratorError:
        for path in written:  # all or nothing
            remove_file(settings.root, path)
        raise
    for path in written:
        print(f"wrote {path}")
    print(f"next: python -m generator build {slug}")
    return 0


def _slug_hint(slug: str) -> str:
    if slug == "index":
        return "Hugo takes `index` for a folder's own page; choose another name"
    from unicodedata import normalize

    plain = normalize("NFKD", slug.casefold()).encode("ascii", "ignore").decode()
    near = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:100]
    hint = "use lower-case letters, digits and `-`"
    return f"{hint}, such as `{near}`" if near else hint


def _files(settings: Settings, slug: str, scaffold: Scaffold) -> dict[str, str]:
    module = slug.replace("-", "_")
    template = scaffold.template if scaffold.is_taken_over else _filled(settings, scaffold.template)
    files = {f"{settings.notes_templates}/{slug}.md": template}
    if scaffold.demo:
        files[f"{settings.demos}/{module}.py"] = scaffold.demo
    if scaffold.test:
        files[f"tests/test_{module}.py"] = scaffold.test.replace("{demos}", settings.demos)
    return files


def _filled(settings: Settings, template: str) -> str:
    """With today's date: the one place where a clock is read, and it is the author's text."""
    now = datetime.now().astimezone().replace(microsecond=0, second=0)
    dated = template.replace("{date}", now.isoformat(), 1)
    return dated.replace("{templates}", settings.templates)


def _from_file(source: Path, slug: str, title: str) -> Scaffold:
    try:
        text = source.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise UsageError(Problem(str(source), 0, f"can't be read: {reason}")) from None
    if source.suffix == ".md":
        return _from_note(text, source.name, slug)
    if source.suffix == ".ipynb":
        from generator.notebook import scaffold_notebook

        return scaffold_notebook(text, str(source), slug, title)
    raise UsageError(Problem(str(source), 0, "is neither a note (.md) nor a notebook (.ipynb)"))


def _from_note(text: str, path: str, slug: str) -> Scaffold:
    """A hand-written note as a template, byte for byte but for a literal `<%`, which is doubled."""
    try:
        read_front_matter(text, path)
    except GeneratorError as error:
        raise UsageError(*error.problems) from None
    return Scaffold(text.replace("<%", "<%%"), is_taken_over=True)
