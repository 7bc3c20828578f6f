"""Render a note: template and results → the published Markdown, with its claims checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from inspect import signature

from generator.blocks.base import Block, Where
from generator.claims import Verdict, check_claim, check_condition
from generator.environment import Evaluation, NoteEnvironment, strict
from generator.errors import GeneratorError, Problem, near_names
from generator.frozen import dataclass
from generator.notes import Note
from generator.numerals import find_numerals
from generator.places import PLACEHOLDER, Unplaceable, fill_places
from generator.results import as_block, blocks_in
from generator.scanner import has_tags
from generator.sentences import sentence_at, squash_blanks
from generator.settings import Settings
from generator.template import EVERYWHERE, evaluate_template
from generator.values import FORMATS, Md, Refused, Tex

_ARITHMETIC = {f.__name__: strict(f) for f in (abs, len, max, min, round, sum)}
"""Python's functions that templates have beside Jinja's filters."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement that was checked."""

    path: str
    """The template that makes it."""
    line: int
    """Its line."""
    sentence: str
    """The sentence around it."""
    source: str
    """The tag."""
    expected: str
    """What it says."""
    found: str
    """What the results are."""
    ok: bool
    """Whether it is true."""
    weak: str = ""
    """Why no change of the results could make it false; empty when one could."""

    def to_data(self) -> dict[str, object]:
        """As a record keeps it."""
        data = {name: getattr(self, name) for name in self.__slots__ if name != "path"}
        return {name: value for name, value in data.items() if value != ""}

    def problem(self) -> Problem | None:
        """The error of a false claim, the warning of a weak one."""
        if not self.ok:
            message = f"false claim: expected {self.expected}, found {self.found}"
            return Problem(self.path, self.line, message, f"“{self.sentence}”", "claim")
        if self.weak:
            message = f"a claim that can't fail: {self.weak}"
            hint = f"“{self.sentence}” in `{self.source}`"
            return Problem(self.path, self.line, message, hint, "claim", "warning")
        return None


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page, and what was found on the way."""

    text: str
    """The published Markdown."""
    claims: tuple[Claim, ...] = ()
    """All claims, in the order of the template."""
    problems: tuple[Problem, ...] = ()
    """Errors and warnings; with an error among them the page is not to be published."""
    templates: frozenset[str] = frozenset()
    """Templates that it pulled in, as paths relative to the site."""


@dataclass(slots=True)
class Renderer:
    """Renders notes of one site; compiled templates are kept."""

    settings: Settings
    """The site's settings."""
    load: Callable[[str], str | None]
    """The text of a template by its path relative to the site; None when there is none."""
    environment: NoteEnvironment = field(init=False)

    def __post_init__(self) -> None:
        self.environment = NoteEnvironment(
            self.load, self.settings.templates, self.settings.significant_digits
        )
        formats = {name: strict(function) for name, function in FORMATS.items()}
        self.environment.filters.update(formats)
        self.environment.globals.update(formats)
        self.environment.globals.update(_ARITHMETIC)
        self.environment.bound_filters()

    def render(
        self, note: Note, results: Mapping[str, object], data: tuple[str, ...] = ()
    ) -> Rendered:
        """The note's page. Errors are in `problems`, all of them, and then `text` is empty.

        `data` names the data files behind the results, for `provenance()`.
        """
        if not has_tags(note.text) and note.demo is None:
            return Rendered(note.text)
        work = _Work(note, self.settings, self.environment.reads_names, data)
        self.environment.used = set()
        try:
            text = self._evaluate(work, note, results)
            page = _add_origin(self._fill(work, text, results), note.template)
        except GeneratorError as error:
            page, failed = "", error.problems
        else:
            failed = ()
        claims = tuple(work.claims)
        told = tuple(problem for claim in claims if (problem := claim.problem()))
        by_hand = (
            tuple(find_numerals(note.text, results, path=note.template, params=note.params))
            if note.demo
            else ()
        )
        problems = tuple(dict.fromkeys((*failed, *told, *by_hand)))
        if any(problem.is_error for problem in problems):
            page = ""
        return Rendered(page, claims, problems, frozenset(self.environment.used))

    def _evaluate(self, work: _Work, note: Note, results: Mapping[str, object]) -> str:
        work.evaluation.on_claim = work.claim_value
        work.evaluation.on_statement = work.claim_statement
        clash = [name for name in (*sorted(EVERYWHERE), *FORMATS) if name in results]
        if clash:
            message = f"a result is called `{clash[0]}`, which every template has already"
            raise GeneratorError(
                Problem(note.demo or note.template, 1, message, "rename the result")
            )
        names = {
            **_block_makers(),
            **results,
            "params": dict(note.params),
            "seed": note.seed,
            "slug": note.slug,
            "note": dict(note.front),
            "demo": note.demo,
            "template": note.template,
            "source_url": self.settings.source_url,
            "claims_table": lambda: _Later(work.claims_as_table),
            "provenance": lambda: _Later(work.provenance),
        }
        return evaluate_template(self.environment, note.text, note.template, names, work.evaluation)

    def _fill(self, work: _Work, text: str, results: Mapping[str, object]) -> str:
        names = {id(block): name for name, block in blocks_in(results)}
        digits = self.settings.significant_digits

        def block_markdown(block: Block) -> str:
            name = names.get(id(block), "")
            return block.to_markdown(Where(work.note.slug, name, digits, self.settings.figures))

        values = {i: work.settle(value) for i, value in work.evaluation.values.items()}
        try:
            return fill_places(text, values, digits=digits, block_markdown=block_markdown)
        except ExceptionGroup as group:
            faults = [error for error in group.exceptions if isinstance(error, Unplaceable)]
            raise GeneratorError(*map(work.refusal, faults)) from None


@dataclass(frozen=True, slots=True)
class _Later:
    """A value that is made when the last claim is known."""

    make: Callable[[], object]


@dataclass(slots=True)
class _Work:
    """One note being rendered."""

    note: Note
    settings: Settings
    reads_names: Callable[[str], bool]
    """Whether an expression depends on any name."""
    data: tuple[str, ...] = ()
    """Data files that the demo read."""
    evaluation: Evaluation = field(default_factory=Evaluation)
    claims: list[Claim] = field(default_factory=list)

    def claim_value(self, value: object, *args: object, **bounds: object) -> object:
        """`value | claim(…)`: what the tag prints."""
        here = self.evaluation.here
        verdict = self._judge(lambda: check_claim(value, *args, **bounds))  # type: ignore[arg-type]
        if not (verdict.weak or self.reads_names(here.source)):
            verdict = replace(verdict, weak="it reads no result")
        self._add(verdict, sentence_at(self.note.text, here.line, here.source))
        return verdict.shown

    def claim_statement(self, holds: object, names: Mapping[str, object], said: str) -> None:
        """`<% claim condition %>sentence<% endclaim %>`."""
        here = self.evaluation.here
        verdict = self._judge(lambda: check_condition(holds, here.source, names))
        self._add(verdict, squash_blanks(_without_placeholders(said, self)))

    def _judge(self, check: Callable[[], Verdict]) -> Verdict:
        here = self.evaluation.here
        try:
            return check()
        except (TypeError, ValueError, Refused) as error:
            hint = getattr(error, "hint", "")
            message = f"this claim is not valid: {error}"
            unknown = re.search(r"unexpected keyword argument '(\w+)'", str(error))
            if unknown:
                message = f"a claim has no `{unknown.group(1)}`"
                hint = near_names(unknown.group(1), signature(check_claim).parameters)
            raise GeneratorError(Problem(here.path, here.line, message, hint, "claim")) from None

    def _add(self, verdict: Verdict, sentence: str) -> None:
        here = self.evaluation.here
        words = (verdict.expected, verdict.found, verdict.ok, verdict.weak)
        self.claims.append(Claim(here.path, here.line, sentence, here.source, *words))

    def claims_as_table(self) -> object:
        """`claims_table()`: every claim of the note, later ones too."""
        from generator.blocks.table import Table

        rows = [(Md(c.sentence), c.expected, c.found) for c in self.claims]
        return Table(rows, columns=["Sentence", "Claimed", "Found"]) if rows else "no claims"

    def provenance(self) -> object:
        """`provenance()`: how the note was computed, for themes that do not read records."""
        from generator.blocks.provenance import Provenance

        note = self.note
        if note.demo is None:
            return "no demo"
        url = self.settings.source_url
        link = f"{url.rstrip('/')}/{note.demo}" if url else ""
        return Provenance(note.demo, link, note.seed, note.params, len(self.claims), self.data)

    def settle(self, value: object) -> object:
        """The value itself, or what it stands for."""
        made = value.make() if isinstance(value, _Later) else value
        return as_block(made) or made

    def refusal(self, error: Unplaceable) -> Problem:
        origin = self.evaluation.origins[error.i]
        message = f"`{origin.source}`: {error.message}"
        return Problem(origin.path, origin.line, message, error.hint, "place")


def _block_makers() -> dict[str, object]:
    """The blocks that a template can make itself."""
    from generator.blocks.filetree import FileTree
    from generator.blocks.listing import Listing

    return {"FileTree": FileTree, "Listing": Listing, "Tex": Tex, "Md": Md}


def _add_origin(page: str, template: str) -> str:
    """The page with one YAML comment that says where it comes from."""
    opening = re.match(r"\ufeff?---[ \t]*(\r?\n)", page)
    if opening is None:
        return page
    note = f"# Generated from {template} by `python -m generator build`: edit that file."
    return page[: opening.end()] + note + opening.group(1) + page[opening.end() :]


def _without_placeholders(said: str, work: _Work) -> str:
    return PLACEHOLDER.sub(lambda m: _show(work.evaluation.values.get(int(m.group(1)))), said)


def _show(value: object) -> str:
    shown = getattr(value, "value", value)
    text = f"{shown:.6g}" if isinstance(shown, float) else str(shown)
    return text if len(text) <= 80 else text[:77] + "…"
