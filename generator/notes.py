"""Discover the notes: templates, their front matter, and the demos that they name."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from generator.errors import GeneratorError, Problem, UsageError, near_names
from generator.front_matter import FrontMatters
from generator.frozen import dataclass
from generator.results import NotPlain, encode
from generator.settings import Settings


@dataclass(frozen=True, slots=True)
class Note:
    """One note as its author wrote it."""

    slug: str
    """The note's name, unique in the site."""
    template: str
    """The template's path, relative to the site."""
    page: str
    """Path of the published page, relative to the site."""
    text: str
    """The template, line ends as they are in the file."""
    demo: str | None = None
    """The demo's path, relative to the site; None for prose."""
    params: Mapping[str, object] = field(default_factory=dict)
    """Keyword arguments of the demo's `run`."""
    seed: int | None = None
    """Seed of the demo's generator; None takes it from the demo's name."""
    front: Mapping[str, object] = field(default_factory=dict)
    """The front matter, parsed."""
    timeout: float = 0.0
    """Seconds that the demo may take; 0 for the site's."""
    memory: int = 0
    """MiB that the demo may take; 0 for the site's."""
    freeze: bool = False
    """Whether the demo's results are kept until asked for."""
    large: tuple[str, ...] = ()
    """Data files compared by size and time instead of content."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Line of each front matter key in the template."""

    def line(self, key: str) -> int:
        return self.lines.get(key, 1)


@dataclass(frozen=True, slots=True)
class Discovery:
    """What the site holds."""

    notes: tuple[Note, ...]
    """The notes that can be planned, by slug."""
    problems: Mapping[str, tuple[Problem, ...]]
    """Slugs of the notes that cannot, with the reasons."""


_SLUG = re.compile(r"\w(?:[\w.-]*\w)?\Z")


def discover_notes(settings: Settings, fronts: FrontMatters | None = None) -> Discovery:
    """All notes of the site, and what is wrong with those that can't be built."""
    fronts = fronts or FrontMatters()
    found: dict[str, list[str]] = {}
    for template in find_templates(settings):
        found.setdefault(_fold(slug_of(settings, template)), []).append(template)
    notes: list[Note] = []
    problems: dict[str, tuple[Problem, ...]] = {}
    for templates in found.values():
        if len(templates) > 1:
            for template, problem in zip(templates, _duplicates(templates), strict=True):
                slug = slug_of(settings, template)
                problems[slug] = (*problems.get(slug, ()), problem)
            continue
        try:
            notes.append(read_note(settings, templates[0], fronts))
        except GeneratorError as error:
            problems[slug_of(settings, templates[0])] = error.problems
    notes, clashes = _split_clashes(notes)
    return Discovery(tuple(sorted(notes, key=lambda note: note.slug)), {**problems, **clashes})


def find_templates(settings: Settings) -> list[str]:
    """Paths of the note templates, relative to the site, sorted."""
    folder = settings.root / settings.notes_templates
    found: list[str] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        relative = Path(parent).relative_to(settings.root).as_posix()
        found += [f"{relative}/{name}" for name in names if name.endswith(".md") and name[0] != "."]
    return sorted(found)


def slug_of(settings: Settings, template: str) -> str:
    """The file's stem; the folder's name for a leaf bundle's `index.md`."""
    parts = template[len(settings.notes_templates) + 1 :].split("/")
    if parts[-1] == "index.md" and len(parts) > 1:
        return parts[-2]
    return parts[-1].removesuffix(".md")


def read_note(settings: Settings, template: str, fronts: FrontMatters | None = None) -> Note:
    """The note behind one template.

    Raises GeneratorError for an unsafe name and for front matter that can't be used.
    """
    slug = slug_of(settings, template)
    if not _SLUG.match(slug):
        hint = "name the file with letters, digits, `-`, `_` and `.` only"
        raise GeneratorError(Problem(template, 1, f"`{slug}` is not a safe slug", hint, "slug"))
    if not (settings.root / template).is_file():  # opening a pipe would wait for its other end
        raise GeneratorError(Problem(template, 0, "can't be read: it is not a file"))
    try:
        text = (settings.root / template).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "save the file as UTF-8"
        raise GeneratorError(Problem(template, 1, f"not UTF-8: {error.reason}", hint)) from None
    except OSError as error:
        raise GeneratorError(Problem(template, 0, f"can't be read: {error.strerror}")) from None
    front, lines = (fronts or FrontMatters()).read(text, template)
    place = template[len(settings.notes_templates) + 1 :]
    return Note(
        slug=slug,
        template=template,
        page=settings.content_path(place),
        text=text,
        front=front,
        lines=lines,
        **_read_keys(settings, template, front, lines),
    )


def _read_keys(
    settings: Settings, path: str, front: Mapping[str, object], lines: Mapping[str, int]
) -> dict[str, Any]:
    """The keys that the generator itself reads, checked."""
    problems: list[Problem] = []

    def wrong(key: str, message: str, hint: str = "") -> None:
        problems.append(Problem(path, lines.get(key, 1), message, hint, "front-matter"))

    def take(key: str, kinds: tuple[type, ...], what: str) -> Any:
        value = front.get(key)
        if value is None:
            return None
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            wrong(key, f"`{key}:` is not {what}: {value!r}")
            return None
        return value

    demo = take("demo", (str,), "a demo's name")
    demo_path = None
    if demo is not None:
        demo_path = f"{settings.demos}/{demo.removesuffix('.py')}.py"
        if not re.fullmatch(r"\w[\w-]*(?:/\w[\w-]*)*", demo.removesuffix(".py")):
            wrong("demo", f"`{demo}` is not a demo's name", f"name a module of `{settings.demos}/`")
        elif not (settings.root / demo_path).is_file():
            hint = near_names(demo, find_demos(settings)) or f"write {demo_path}"
            wrong("demo", f"there is no demo `{demo}` in {settings.demos}/", hint)
    seed = take("seed", (int,), "an integer")
    if seed is not None and seed < 0:
        wrong("seed", f"`seed:` is negative: {seed}")
    params = take("params", (dict,), "a mapping") or {}
    for key in params:
        if not (isinstance(key, str) and key.isidentifier()):
            wrong("params", f"`{key}` in `params:` is not a Python name")
    try:
        encode(params, "params")
    except NotPlain as error:
        wrong("params", str(error))
    timeout = take("timeout", (int, float), "a number of seconds")
    memory = take("memory", (int,), "a number of MiB")
    for key, bound in (("timeout", timeout), ("memory", memory)):
        if bound is not None and not bound > 0:
            wrong(key, f"`{key}:` is not positive: {bound}")
    slug = take("slug", (str,), "a string")
    if slug is not None and not _SLUG.match(slug):
        wrong("slug", f"`{slug}` is not a safe slug", "use letters, digits, `-`, `_` and `.` only")
    large = take("large", (list,), "a list of paths") or []
    freeze = bool(take("freeze", (bool,), "true or false"))
    if problems:
        raise GeneratorError(*problems)
    return {
        "demo": demo_path,
        "params": params,
        "seed": seed,
        "timeout": float(timeout or 0),
        "memory": int(memory or 0),
        "freeze": freeze,
        "large": tuple(map(str, large)),
    }


def find_demos(settings: Settings) -> list[str]:
    """Names of the demos."""
    folder = settings.root / settings.demos
    if not folder.is_dir():
        return []
    return sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


def select_notes(discovery: Discovery, slugs: Iterable[str]) -> Discovery:
    """The notes with these slugs; all when there are none.

    Raises UsageError for a slug that no note has.
    """
    wanted = list(slugs)
    if not wanted:
        return discovery
    known = {note.slug for note in discovery.notes} | set(discovery.problems)
    missing = [
        Problem("", 0, f"there is no note `{slug}`", near_names(slug, known))
        for slug in wanted
        if slug not in known
    ]
    if missing:
        raise UsageError(*missing)
    return Discovery(
        tuple(note for note in discovery.notes if note.slug in wanted),
        {slug: found for slug, found in discovery.problems.items() if slug in wanted},
    )


def _fold(slug: str) -> str:
    """Slugs that some file system takes for the same are the same."""
    return unicodedata.normalize("NFC", slug).casefold()


def _duplicates(templates: list[str]) -> list[Problem]:
    return [
        Problem(template, 1, f"its slug is also that of {other}", "rename one of the files", "slug")
        for template, other in zip(templates, templates[1:] + templates[:1], strict=True)
    ]


def _split_clashes(notes: list[Note]) -> tuple[list[Note], dict[str, tuple[Problem, ...]]]:
    """Notes that would be published under one address, because of `slug:`."""
    by_address: dict[str, list[Note]] = {}
    for note in notes:
        folder = note.page.removesuffix("/index.md").rpartition("/")[0]
        address = f"{folder}/{_fold(str(note.front.get('slug') or note.slug))}"
        by_address.setdefault(address, []).append(note)
    clashes: dict[str, tuple[Problem, ...]] = {}
    for sharing in by_address.values():
        if len(sharing) > 1:
            problems = _duplicates([note.template for note in sharing])
            clashes.update({n.slug: (p,) for n, p in zip(sharing, problems, strict=True)})
    return [note for note in notes if note.slug not in clashes], clashes
