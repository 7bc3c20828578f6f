"""Templates: Jinja evaluates the tags; the text between them never passes through it.

A template becomes a Jinja source that holds its tags alone, each on its own line of the file,
and numbered stand-ins for the text. Values are not written here: each leaves a placeholder,
and a later pass writes it for the place where it stands.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import jinja2

from generator.environment import BLOCK, VARIABLE, Evaluation, NoteEnvironment
from generator.errors import GeneratorError, Problem, near_names
from generator.places import PLACEHOLDER
from generator.values import FORMATS, Refused

EVERYWHERE = frozenset(
    {"FileTree", "Listing", "Md", "Tex", "claims_table", "demo", "note", "params"}
    | {"provenance", "seed", "slug", "source_url", "template"}
)
"""Names that every template has, whatever its demo returns."""
STATEMENTS = ("if", "for", "set", "import", "from", "include", "macro", "call", "claim", "with")
"""What a statement's tag may start with."""


def evaluate_template(
    environment: NoteEnvironment,
    text: str,
    path: str,
    names: Mapping[str, object],
    evaluation: Evaluation,
) -> str:
    """The template's text with placeholders where values stand.

    Raises GeneratorError, with the tag's line, for what is wrong in a tag.
    """
    environment.evaluation = evaluation
    environment.restart()
    with _author_errors(environment, path, names):
        template = environment.compile_text(text, path)
        rendered = template.render(names)
    _check_all_there(rendered, evaluation, path)
    return rendered


@contextmanager
def _author_errors(
    environment: NoteEnvironment, path: str, names: Mapping[str, object]
) -> Iterator[None]:
    """Turn Jinja's exceptions into problems at the line of the tag."""
    try:
        yield
    except GeneratorError as error:  # from a block or a claim; it may not know where it stands
        here = environment.evaluation.here
        raise GeneratorError(
            *(
                problem
                if problem.path
                else replace(problem, path=here.path or path, line=here.line)
                for problem in error.problems
            )
        ) from None
    except Exception as error:  # whatever an expression of the author raises
        where, line = _place_of(error, path)
        if isinstance(error, jinja2.TemplateSyntaxError):
            where, line = error.filename or path, error.lineno
        known = [name for name in {**environment.globals, **names} if not name.startswith("_")]
        has_demo = bool(names.get("demo", True))
        message, hint = _describe(error, known, sorted(names), has_demo=has_demo)
        line = line or environment.evaluation.here.line or 1
        raise GeneratorError(Problem(where, line, message, hint, "template")) from None


def _describe(
    error: Exception, known: list[str], names: list[str], *, has_demo: bool
) -> tuple[str, str]:
    """What is wrong, and what to do."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return _describe_syntax(_plain(error.message))
    if isinstance(error, jinja2.TemplateNotFound):
        return f"there is no template `{error.name}`", "paths start in the templates' folder"
    if isinstance(error, jinja2.UndefinedError):
        return _describe_undefined(str(error.message or error), known, names, has_demo=has_demo)
    if isinstance(error, RecursionError):
        return "templates or macros call each other without end", ""
    if isinstance(error, Refused):
        return error.message, error.hint
    told = str(error).split("\n")[0]
    return (
        told if isinstance(error, jinja2.TemplateError) else f"{type(error).__name__}: {told}"
    ), ""


def _describe_syntax(message: str) -> tuple[str, str]:
    """Jinja's commonest complaints in our words."""
    unclosed = re.search(r"innermost block that needs to be closed is '(\w+)'", message)
    unknown = re.match(r"Encountered unknown tag '(\w+)'", message)
    if (name := re.match(r"No (filter|test) named '(\w+)'", message)) is not None:
        kind = "format" if name[1] == "filter" else "test"
        return f"there is no {kind} `{name[2]}`", near_names(name[2], [*FORMATS, "claim"])
    if message.startswith("Unexpected end of template") and unclosed:
        return f"`{unclosed[1]}` is never closed", f"end it with `<% end{unclosed[1]} %>`"
    if unknown and unknown[1].startswith("end") and not unclosed:
        return f"`{unknown[1]}` closes nothing", "take it away, or mend the tag that it belongs to"
    if unknown and unknown[1].startswith("end") and unclosed:
        hint = f"end it with `<% end{unclosed[1]} %>` before"
        return f"`{unknown[1]}` stands inside `{unclosed[1]}`, which is not closed", hint
    if unknown:
        hint = near_names(unknown[1], STATEMENTS)
        return f"there is no statement `{unknown[1]}`", hint or f"there are {', '.join(STATEMENTS)}"
    return f"this tag is not valid: {message}", ""


def _describe_undefined(
    message: str, known: list[str], names: list[str], *, has_demo: bool
) -> tuple[str, str]:
    owner = re.match(r"'[^']*' has no attribute '([^']+)'", message)
    if owner:
        return f"there is no `{owner.group(1)}` in this value", ""
    found = re.search(r"'([^']+)'", message)
    if found is None or not message.endswith("is undefined"):
        return message, ""
    results = [name for name in names if name not in EVERYWHERE]
    hint = near_names(found.group(1), known)
    if not hint and results:
        hint = "the results are " + ", ".join(f"`{name}`" for name in results)
    elif not hint and not has_demo:
        hint = "the note has no demo: name one in its front matter, `demo: …`"
    return f"nothing here is called `{found.group(1)}`", hint


def _plain(message: str | None) -> str:
    """Jinja's message, with our delimiters instead of those that stand in for them."""
    text = message or "it can't be read"
    for ours, theirs in ((VARIABLE[1], "%>"), (BLOCK[1], "%>"), (BLOCK[0], "<%")):
        text = text.replace(ours, theirs).replace(repr(ours)[1:-1], theirs)
    return text.rstrip(".").replace("unexpected '}'", "unexpected end of the tag")


def _place_of(error: BaseException, path: str) -> tuple[str, int]:
    """The innermost line of a template in the error's traceback."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.endswith(".md")]
    if not frames:
        return path, 0
    return frames[-1].filename, frames[-1].lineno or 0


def _check_all_there(text: str, evaluation: Evaluation, path: str) -> None:
    """Every placeholder must have survived: filters on captured text may garble them."""
    there = {int(match.group(1)) for match in PLACEHOLDER.finditer(text)}
    lost = [evaluation.origins[i] for i in evaluation.values if i not in there]
    if lost:
        hint = "format values in the tag itself; filters can't be applied to captured text"
        raise GeneratorError(
            *(
                Problem(
                    o.path or path, o.line, f"the value of `{o.source}` is lost", hint, "template"
                )
                for o in lost
            )
        )
