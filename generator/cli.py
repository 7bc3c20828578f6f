"""The command line: parses, calls, prints."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from generator.errors import GeneratorError, Problem, UsageError
from generator.settings import Settings, load_settings

OK, FAILED, USAGE = 0, 1, 2


def main(argv: Sequence[str]) -> int:
    """Run one command; its exit code."""
    parser = make_parser()
    arguments, rest = _split_rest(list(argv))
    options = parser.parse_args(arguments)
    options.rest = rest
    try:
        return int(_COMMANDS[options.command](options))
    except UsageError as error:
        return _tell(error, USAGE)
    except GeneratorError as error:
        return _tell(error, FAILED)
    except KeyboardInterrupt:
        print("stopped; every file is whole", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def entry() -> int:
    """The installed command `scidraft-generator`."""
    from generator.quick import answer_quickly

    code = answer_quickly(sys.argv[1:])
    return main(sys.argv[1:]) if code is None else code


def make_parser() -> argparse.ArgumentParser:
    """All commands with their options; the documentation is compared with it."""
    parser = argparse.ArgumentParser(
        prog="python -m generator",
        description="Notes that cannot lie: run demos, render SciDraft notes into a Hugo site.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    from generator import __version__

    parser.add_argument("--version", action="version", version=f"scidraft-generator {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (summary, example, add) in _ARGUMENTS.items():
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
        "--jobs", "-j", type=_count, metavar="N", help="demos at a time (default: cores)"
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
        "--jobs", "-j", type=_count, metavar="N", help="demos at a time (default: cores)"
    )


def _list_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON document")


def _explain_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("slug", metavar="SLUG")
    command.add_argument(
        "result", nargs="?", metavar="RESULT", help="where this result was computed"
    )


def _show_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("slug", metavar="SLUG")


def _run_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("demo", metavar="DEMO")
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
    command.add_argument("slug", metavar="SLUG")
    command.add_argument(
        "--kind", default="figure", choices=("figure", "table", "algorithm", "tree", "plain")
    )
    command.add_argument("--title", default="", help="the note's title")
    command.add_argument(
        "--from",
        dest="source",
        default="",
        metavar="FILE",
        help="a note (.md) or notebook (.ipynb) to start from",
    )


def _serve_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--port", type=_count, default=1313, metavar="N", help="Hugo's port (default: 1313)"
    )
    command.add_argument("--theme", default="", metavar="NAME", help="the theme to preview with")


def _init_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--dry-run", action="store_true", help="only show what would be added")


def _no_arguments(command: argparse.ArgumentParser) -> None:
    """Commands that take only `--site`."""


_ARGUMENTS = {
    "build": ("bring stale notes up to date", "build rotary --jobs 2", _build_arguments),
    "check": ("tell whether all is up to date, writing nothing", "check --diff", _check_arguments),
    "serve": (
        "preview: build, run hugo server, rebuild what an edit affects",
        "serve --port 1314",
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
    "clean": ("remove what was generated and nobody edited", "clean", _no_arguments),
}


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"not a positive number: {text}")
    return value


def _split_rest(argv: list[str]) -> tuple[list[str], list[str]]:
    """Arguments for Hugo come after `--`."""
    if "--" in argv:
        at = argv.index("--")
        return argv[:at], argv[at + 1 :]
    return argv, []


def _settings(options: argparse.Namespace) -> Settings:
    root = Path(options.site)
    if not root.is_dir():
        raise UsageError(Problem("", 0, f"there is no folder `{options.site}`"))
    return load_settings(root.resolve())


def _tell(error: GeneratorError, code: int) -> int:
    from generator.terminal import print_problem

    for problem in error.problems:
        print_problem(problem)
    return code


def _build(options: argparse.Namespace) -> int:
    from generator.commands.build import run_build

    return run_build(_settings(options), options)


def _check(options: argparse.Namespace) -> int:
    from generator.commands.check import run_check

    return run_check(_settings(options), options)


def _list(options: argparse.Namespace) -> int:
    from generator.commands.inspect import run_list

    return run_list(_settings(options), as_json=options.json)


def _show(options: argparse.Namespace) -> int:
    from generator.commands.inspect import run_show

    return run_show(_settings(options), options.slug)


def _explain(options: argparse.Namespace) -> int:
    from generator.commands.inspect import run_explain

    return run_explain(_settings(options), options.slug, options.result)


def _run(options: argparse.Namespace) -> int:
    from generator.commands.run import run_demo

    return run_demo(_settings(options), options)


def _lint(options: argparse.Namespace) -> int:
    from generator.commands.lint import run_lint

    return run_lint(options)


def _clean(options: argparse.Namespace) -> int:
    from generator.commands.clean import run_clean

    return run_clean(_settings(options))


def _new(options: argparse.Namespace) -> int:
    from generator.scaffold import run_new

    return run_new(_settings(options), options)


def _init(options: argparse.Namespace) -> int:
    from generator.init import run_init

    return run_init(_settings(options).root, dry_run=options.dry_run)


def _serve(options: argparse.Namespace) -> int:
    from generator.preview import run_serve

    return run_serve(_settings(options), options)


_COMMANDS = {
    "build": _build,
    "check": _check,
    "serve": _serve,
    "new": _new,
    "init": _init,
    "list": _list,
    "show": _show,
    "explain": _explain,
    "run": _run,
    "lint": _lint,
    "clean": _clean,
}
