"""Shell completion for `scidraft-generator`, as a script made from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

PROGRAM = "scidraft-generator"
SHELLS = ("bash", "zsh", "fish")
_SLUGS = ("slug", "slugs")

_BASH = """\
_scidraft_generator() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="{commands}"
  else
    case "$command" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _scidraft_generator {program}
"""
_NOTES = r"$(ls data/notes 2>/dev/null | sed -n 's/\.json$//p')"
_FISH_NOTES = r"(command ls data/notes 2>/dev/null | string replace -rf '\.json$' '')"


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for one shell."""
    if shell == "fish":
        return _fish(parser)
    script = _bash(parser)
    start = "autoload -U +X bashcompinit && bashcompinit\n"
    return f"{start}{script}" if shell == "zsh" else script


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parser of each command, by its name."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _bash(parser: argparse.ArgumentParser) -> str:
    commands = commands_of(parser)
    cases = "\n".join(
        f'      {name}) words="{" ".join(_words(name, command))}" ;;'
        for name, command in commands.items()
    )
    return _BASH.format(commands=" ".join(commands), cases=cases, program=PROGRAM)


def _words(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    """What may follow a command: its options, its choices, and the notes there are."""
    for action in command._actions:
        yield from (text for text in action.option_strings if text.startswith("--"))
        yield from map(str, action.choices or ())
        if action.dest in _SLUGS and name != "new":
            yield _NOTES


def _fish(parser: argparse.ArgumentParser) -> str:
    lines = [f"complete -c {PROGRAM} -f"]
    (group,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    for choice in group._choices_actions:
        about = f"-a {choice.dest} -d {_quote(choice.help or '')}"
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand {about}")
    for name, command in commands_of(parser).items():
        start = f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from {name}'"
        for action in command._actions:
            if (words := _fish_words(action)) and (name, action.dest) != ("new", "slug"):
                lines.append(f"{start} {words}")
    return "\n".join(lines) + "\n"


def _fish_words(action: argparse.Action) -> str:
    words = [f"-l {text[2:]}" for text in action.option_strings if text.startswith("--")]
    words += [f"-s {text[1:]}" for text in action.option_strings if not text.startswith("--")]
    if action.choices:
        words.append(f"-x -a {_quote(' '.join(map(str, action.choices)))}")
    elif action.option_strings and action.nargs != 0:
        words.append("-r -F")
    elif action.dest in _SLUGS:
        words.append(f"-a {_quote(_FISH_NOTES)}")
    if words and action.option_strings:
        words.append(f"-d {_quote(action.help or '')}")
    return " ".join(words)


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
