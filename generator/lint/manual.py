"""The linter's manual, written from the rule table, so that the two cannot differ."""

from __future__ import annotations

from generator.lint.rule import Rule
from generator.lint.rules import RULES
from generator.lint.site import NEEDS, OTHER_CODES

_HEAD = """\
# The linter

`python -m generator lint [PATH…]` reads Markdown notes, hand-written ones too, and tells what \
Goldmark, Hugo and SciDraft would drop, garble or stop at. Without a path it reads all of the \
site's content, and the templates for numerals typed by hand. `build` runs the same rules but for \
`math-formula`, which needs a run of Hugo: an error keeps a note unpublished, a warning is \
told. `--fix` mends what can be mended without knowing what was meant, `--json` and `--sarif` \
print for programs and code hosts. It exits with 1 when there is an error.

A rule is turned off

- on the whole site, in `hugo.toml`:

  ```toml
  [params.generator.lint]
  ignore = ["trailing-space"]
  ```

- in a note, by a comment above a block, or for all of it:

  ```markdown
  <!-- lint: ignore table-width heading-skip -->
  <!-- lint: ignore-note math-currency -->
  ```

- for a note's front matter and all below it, by a comment there: `# lint: ignore date`.

A comment that names no rule is told as `lint-comment`.
"""

_SITE = """\
## What the site must set

These are found in the settings, not in a note. SciDraft needs them, and Hugo takes them from no \
theme.
"""


def render_manual() -> str:
    """The manual as Markdown."""
    table = ["| rule | | finds | mended by `--fix` |", "| --- | --- | --- | --- |"]
    table += [
        f"| [`{rule.code}`](#{rule.code}) | {rule.severity} | {_cell(rule.title)} "
        f"| {'yes' if rule.fixes else ''} |"
        for rule in RULES
    ]
    rules = "\n".join(_section(rule) for rule in RULES)
    return f"{_HEAD}\n## Rules\n\n" + "\n".join(table) + f"\n\n{rules}\n{_SITE}\n{_settings()}"


def _section(rule: Rule) -> str:
    mended = " `--fix` mends it." if rule.fixes else ""
    return f"### {rule.code}\n\n**{rule.title}** ({rule.severity}). {rule.why}{mended}\n"


def _settings() -> str:
    rows = ["| rule | | setting | without it |", "| --- | --- | --- | --- |"]
    rows += [
        f"| `{need.code}` | {need.severity} | `{need.setting}` | {_cell(need.message)} |"
        for need in NEEDS
    ]
    others = [f"- `{code}`: {meaning}" for code, meaning in OTHER_CODES.items()]
    return "\n".join(rows) + "\n\nBesides:\n\n" + "\n".join(others) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(render_manual(), end="")
