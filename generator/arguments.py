"""The commands and their options, as a parser; the documentation is compared with it."""

from __future__ import annotations

import argparse


def make_parser(only: str = "") -> argparse.ArgumentParser:
    """All commands with their options, or `only` the one, which is quicker."""
    parser = argparse.ArgumentParser(
        prog="python -m generator",
        description="Notes that cannot lie: run demos, render SciDraft notes into a Hugo site.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    from generator import __version__

    parser.add_argument("--version", action="version", version=f"scidraft-generator {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = {only: _ARGUMENTS[only]} if only in _ARGUMENTS else _ARGUMENTS
    for name, (summary, example, add) in wanted.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=f"example:\n  python -m generator {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_argument(
            "--site", default=".", metavar="DIR", help="the site's folder (default: .)"
        )
        add(command)
    return parser


def _build_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("slugs", nargs="*", metavar="SLUG", help="notes to build (default: all)")
    command.add_argument(
        "--jobs", "-j", type=_positive, metavar="N", help="demos at a time (default: cores)"
    )
    command.add_argument(
        "--force",
        action="store_true",
        help="build fresh notes too, replace hand edits (kept aside)",
    )
    command.add_argument(
        "--hook", action="store_true", help="for pre-commit: fail when a file was written"
    )
    command.add_argument("--json", action="store_true", help="print one JSON document")
    command.add_argument("--quiet", "-q", action="store_true", help="print problems only")
    command.add_argument(
        "--verbose", "-v", action="store_true", help="show what demos print, and unchanged notes"
    )
    command.add_argument(
        "--executor", default="", metavar="NAME", help="where demos run: dask, or an entry point"
    )
    command.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="the executor's address"
    )


def _check_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("slugs", nargs="*", metavar="SLUG", help="notes to check (default: all)")
    command.add_argument("--recompute", action="store_true", help="run all demos again and compare")
    command.add_argument("--diff", action="store_true", help="show what would change")
    command.add_argument("--json", action="store_true", help="print one JSON document")
    command.add_argument(
        "--jobs", "-j", type=_positive, metavar="N", help="demos at a time (default: cores)"
    )


def _list_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON document")


def _explain_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("slug", metavar="SLUG", help="the note")
    command.add_argument(
        "result", nargs="?", metavar="RESULT", help="where this result was computed"
    )
    command.add_argument(
        "--verbose", "-v", action="store_true", help="list every input, also those of one folder"
    )


def _show_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("slug", metavar="SLUG", help="the note")


def _run_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("demo", metavar="DEMO", help="the demo's name")
    command.add_argument("--pdb", action="store_true", help="start the debugger where it fails")
    command.add_argument("--seed", type=int, metavar="N", help="seed of the generator")
    command.add_argument(
        "--param", action="append", default=[], metavar="NAME=VALUE", help="a parameter, as YAML"
    )


def _lint_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths", nargs="*", metavar="PATH", help="Markdown files or folders (default: the content)"
    )
    command.add_argument("--json", action="store_true", help="print one JSON document")
    command.add_argument("--sarif", action="store_true", help="print SARIF, for code hosts")
    command.add_argument("--fix", action="store_true", help="mend what can be mended")


def _new_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("slug", metavar="SLUG", help="the new note's name")
    command.add_argument(
        "--kind",
        default="figure",
        choices=("figure", "table", "algorithm", "tree", "plain"),
        help="what it starts with (default: figure)",
    )
    command.add_argument("--title", default="", metavar="TEXT", help="the note's title")
    command.add_argument(
        "--from",
        dest="source",
        default="",
        metavar="FILE",
        help="a note (.md) or notebook (.ipynb) to start from",
    )


def _serve_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--port", type=_positive, default=1313, metavar="N", help="Hugo's port (default: 1313)"
    )
    command.add_argument("--theme", default="", metavar="NAME", help="the theme to preview with")
    command.usage = "%(prog)s [-h] [--site DIR] [--port N] [--theme NAME] [-- HUGO_ARGUMENT ...]"


def _init_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--dry-run", action="store_true", help="only show what would be added")


def _completion_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def _clean_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--force", action="store_true", help="frozen notes too, whose results are kept nowhere else"
    )


_ARGUMENTS = {
    "build": ("bring stale notes up to date", "build rotary --jobs 2", _build_arguments),
    "check": ("tell whether all is up to date, writing nothing", "check --diff", _check_arguments),
    "serve": (
        "preview: build, run hugo server, rebuild what an edit affects",
        "serve --port 1314 -- --buildDrafts",
        _serve_arguments,
    ),
    "new": (
        "start a note: a template, a demo and a test",
        "new loss-curve --kind figure",
        _new_arguments,
    ),
    "init": ("add the settings that the site lacks", "init --dry-run", _init_arguments),
    "list": ("list the notes and their state", "list --json", _list_arguments),
    "show": ("show a note's results with the tags to paste", "show rotary", _show_arguments),
    "explain": (
        "tell why a note is stale, or where a number came from",
        "explain validation-loss exponent",
        _explain_arguments,
    ),
    "run": ("run a demo in this process", "run attention --pdb", _run_arguments),
    "lint": ("lint any Markdown notes", "lint content/ --fix", _lint_arguments),
    "clean": ("remove what was generated and nobody edited", "clean", _clean_arguments),
    "completion": (
        "print a script that completes commands in a shell",
        "completion bash > ~/.local/share/bash-completion/completions/scidraft-generator",
        _completion_arguments,
    ),
}


def _positive(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"not a positive number: {text}")
    return value
