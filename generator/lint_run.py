"""The linter over files: reads notes, tries their formulas, mends what it is asked to mend."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from generator.errors import GeneratorError, Problem, UsageError
from generator.facts import gather_facts
from generator.frozen import dataclass
from generator.katex import Formula, check_formulas
from generator.lint import collect_formulas, fix_note, lint_note, site_problems
from generator.lint.facts import Facts


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of the linter found and did."""

    problems: tuple[Problem, ...]
    """All problems, by path and line; after mending where that was asked for."""
    notes: int
    """How many notes were read."""
    fixed: tuple[str, ...] = ()
    """The notes that were mended."""


def lint_paths(
    paths: Sequence[Path],
    *,
    site: Path,
    fix: bool = False,
    formulas: bool = True,
    now: datetime | None = None,
    ignore: frozenset[str] = frozenset(),
) -> Outcome:
    """Lints notes and folders of notes; without paths, all of the site's content and the site.

    Raises UsageError for a path that is not there and for settings that cannot be read.
    """
    facts = gather_facts(site, now=now)
    facts = replace(facts, ignore=facts.ignore | ignore)
    content = facts.setting("contentDir")
    files = _find_files(paths or [site / (content if isinstance(content, str) else "content")])
    notes = {_relative(file, site): file for file in files}
    texts, problems = _read(notes)
    fixed: list[str] = []
    if fix:
        for path, text in texts.items():
            mended = fix_note(path, text, facts)
            if mended != text:
                _write(notes[path], mended)
                texts[path] = mended
                fixed.append(path)
    if formulas and "math-formula" not in facts.ignore:
        facts, trouble = _try_formulas(texts, facts)
        problems += trouble
    problems += _lint_texts(texts, facts)
    problems += site_problems(facts)
    problems.sort(key=lambda found: (found.path, found.line, found.column))
    return Outcome(tuple(problems), len(texts), tuple(fixed))


def _find_files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            for place, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                yield from (Path(place) / name for name in sorted(names) if name.endswith(".md"))
        elif path.is_file():
            yield path
        else:
            raise UsageError(Problem("", 0, f"there is no note or folder `{path}`"))


def _relative(file: Path, site: Path) -> str:
    absolute, root = os.path.abspath(file), os.path.abspath(site)
    inside = absolute.startswith(root + os.sep)
    return os.path.relpath(absolute, root).replace(os.sep, "/") if inside else file.as_posix()


def _read(notes: Mapping[str, Path]) -> tuple[dict[str, str], list[Problem]]:
    texts, problems = {}, []
    for path, file in notes.items():
        raw = file.read_bytes()
        try:
            texts[path] = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            hint = "save the note as UTF-8"
            problems.append(Problem(path, line, "the note is not UTF-8", hint, "encoding"))
    return texts, problems


def _write(file: Path, text: str) -> None:
    """Replaces a note in one step, its line endings as they are in `text`."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(text.encode("utf-8"))
        temporary.chmod(file.stat().st_mode & 0o777)
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)


def _try_formulas(texts: Mapping[str, str], facts: Facts) -> tuple[Facts, list[Problem]]:
    wanted: set[Formula] = set()
    for text in texts.values():
        wanted |= collect_formulas(text, facts.delimiters)
    try:
        return facts.including(formula_errors=check_formulas(wanted)), []
    except GeneratorError as error:
        told = [replace(problem, severity="warning") for problem in error.problems]
        return facts, [
            replace(problem, message=f"formulas were not tried: {problem.message}")
            for problem in told
        ]


def _lint_texts(texts: Mapping[str, str], facts: Facts) -> list[Problem]:
    return [problem for path, text in texts.items() for problem in lint_note(path, text, facts)]
