"""What SciDraft needs of a site, and what its settings lack."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.errors import Problem, Severity, near_names
from generator.frozen import dataclass
from generator.lint.facts import Facts
from generator.lint.rules import RULES


@dataclass(frozen=True, slots=True)
class Need:
    """One setting that the site itself must make, for Hugo takes it from no theme."""

    code: str
    """Its name in reports and in the settings' `ignore`."""
    setting: str
    """The setting, dotted."""
    severity: Severity
    """`error` where pages would be visibly broken or lose text."""
    is_met: Callable[[object], bool]
    """Whether a value will do."""
    message: str
    """What happens without it."""
    hint: str
    """What to add."""


def _is_true(value: object) -> bool:
    return value is True


def _is_not_false(value: object) -> bool:
    return value is not False


def _is_filled(value: object) -> bool:
    return bool(value)


def _has_json(value: object) -> bool:
    return isinstance(value, list) and any(str(item).lower() == "json" for item in value)


_PARSER = "markup.goldmark.parser"
_RENDERER = "markup.goldmark.renderer"

NEEDS = (
    Need(
        "site-passthrough",
        "markup.goldmark.extensions.passthrough.enable",
        "error",
        _is_true,
        "Markdown eats the backslashes of formulas",
        "set `enable = true` under `[markup.goldmark.extensions.passthrough]`",
    ),
    Need(
        "site-unsafe",
        f"{_RENDERER}.unsafe",
        "error",
        _is_true,
        "Hugo leaves raw HTML out of notes",
        f"set `unsafe = true` under `[{_RENDERER}]`",
    ),
    Need(
        "site-attributes",
        f"{_PARSER}.attribute.block",
        "error",
        _is_true,
        "table variants and captions print their `{.class}`",
        f"set `block = true` under `[{_PARSER}.attribute]`",
    ),
    Need(
        "site-highlight",
        "markup.highlight.noClasses",
        "warning",
        lambda value: value is False,
        "code keeps one colour scheme in light and dark",
        "set `noClasses = false` under `[markup.highlight]`",
    ),
    Need(
        "site-outputs",
        "outputs.home",
        "warning",
        _has_json,
        "the search page finds nothing",
        'set `home = ["HTML", "RSS", "JSON"]` under `[outputs]`',
    ),
    Need(
        "site-tags",
        "taxonomies.tag",
        "warning",
        lambda value: value in (None, "tags"),
        "tags lead nowhere",
        'set `tag = "tags"` under `[taxonomies]`, or leave the table out',
    ),
    Need(
        "site-sections",
        "params.mainSections",
        "warning",
        _is_filled,
        "the feed takes the section with the most pages, whichever it is",
        'set `mainSections = ["notes"]` under `[params]`',
    ),
    Need(
        "site-math",
        "params.math",
        "warning",
        _is_not_false,
        "formulas stay raw on the home page and in the feed",
        "set `math = true` under `[params]`",
    ),
)


OTHER_CODES = {
    "site-delimiters": "the passthrough lacks the delimiters `$$…$$`, `\\(…\\)` or `\\[…\\]`, or "
    "has them under the wrong name (`block`, `inline`)",
    "bibliography": "a `.bib` file holds an entry that citation-js cannot read, by which the whole "
    "file is lost, or one key twice (a warning)",
    "encoding": "a note is not UTF-8",
    "lint-setting": "`params.generator.lint` ignores a rule that is not there (a warning)",
    "katex": "formulas were not tried, for Hugo is missing or does not answer (a warning)",
}
"""What else is told, and by which name."""


def site_problems(facts: Facts) -> tuple[Problem, ...]:
    """Settings that SciDraft needs and the site lacks, and bibliographies it cannot read."""
    problems = [
        *_missing_settings(facts),
        *_missing_delimiters(facts),
        *_bad_bibliographies(facts),
        *_unknown_ignores(facts),
    ]
    return tuple(problem for problem in problems if problem.code not in facts.ignore)


def _missing_settings(facts: Facts) -> Iterator[Problem]:
    if facts.config is None:
        return
    for need in NEEDS:
        if not need.is_met(facts.setting(need.setting)):
            message = f"`{need.setting}` is not set as it must be: {need.message}"
            yield Problem(facts.config_path, 0, message, need.hint, need.code, need.severity)


def _missing_delimiters(facts: Facts) -> Iterator[Problem]:
    if facts.setting("markup.goldmark.extensions.passthrough.enable") is not True:
        return
    given = {(mark.open, mark.display) for mark in facts.delimiters}
    wanted: tuple[tuple[str, str, bool, Severity], ...] = (
        ("$$", "$$", True, "error"),
        ("\\(", "\\)", False, "error"),
        ("\\[", "\\]", True, "warning"),
    )
    for opening, closing, display, severity in wanted:
        if (opening, display) not in given:
            kind = "block" if display else "inline"
            message = f"Markdown does not let `{opening}…{closing}` through"
            hint = f"add ['{opening}', '{closing}'] to the passthrough's `{kind}` delimiters"
            yield Problem(facts.config_path, 0, message, hint, "site-delimiters", severity)


def _unknown_ignores(facts: Facts) -> Iterator[Problem]:
    known = {*(rule.code for rule in RULES), *(need.code for need in NEEDS), *OTHER_CODES}
    for code in sorted(facts.ignore - known):
        message = f"`params.generator.lint` ignores `{code}`, and there is no such rule"
        hint = near_names(code, known)
        yield Problem(facts.config_path, 0, message, hint, "lint-setting", "warning")


def _bad_bibliographies(facts: Facts) -> Iterator[Problem]:
    for path, bibliography in sorted((facts.bibs or {}).items()):
        for fault in bibliography.faults:
            where = f"assets/{path}"
            severity: Severity = "error" if fault.is_fatal else "warning"
            yield Problem(where, fault.line, fault.message, fault.hint, "bibliography", severity)
