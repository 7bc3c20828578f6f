"""The command line: parses, calls, prints."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from generator.errors import GeneratorError, Problem, UsageError
from generator.quick import answer_quickly, read_arguments
from generator.settings import Settings, load_settings

if TYPE_CHECKING:
    import argparse

OK, FAILED, USAGE = 0, 1, 2


def main(argv: Sequence[str]) -> int:
    """Run one command; its exit code."""
    gc.set_threshold(100_000, 20, 20)  # most of what a command makes lives to its end
    options = parse_arguments(list(argv))
    try:
        code = int(_COMMANDS[options.command](options))
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
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
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _tell(GeneratorError(Problem("", 0, f"{error.strerror or error}")), FAILED)


def entry() -> int:
    """The installed command `scidraft-generator`."""
    code = answer_quickly(sys.argv[1:])
    return run_and_leave() if code is None else code


def run_and_leave() -> int:
    """Run the command of a process that ends with it."""
    code = main(sys.argv[1:])
    gc.freeze()  # or Python would look for garbage before it leaves
    return code


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """The options of a command; a plain `build` does without the parser, which takes longer."""
    plain = read_arguments(argv)
    if plain is not None:
        site, quiet, jobs = plain
        options = _PLAIN_BUILD | {"site": site, "quiet": quiet, "jobs": jobs}
        return cast("argparse.Namespace", SimpleNamespace(**options))
    from generator.arguments import make_parser

    arguments, rest = _split_rest(argv)
    parsed = make_parser(arguments[0] if arguments else "").parse_args(arguments)
    parsed.rest = rest
    return parsed


_PLAIN_BUILD = {
    "command": "build",
    "slugs": [],
    "force": False,
    "hook": False,
    "json": False,
    "verbose": False,
    "executor": "",
    "scheduler": "",
    "rest": [],
}


def _split_rest(argv: list[str]) -> tuple[list[str], list[str]]:
    """Arguments for Hugo come after `--`, in `serve` only."""
    if argv[:1] == ["serve"] and "--" in argv:
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

    return run_explain(_settings(options), options.slug, options.result, verbose=options.verbose)


def _run(options: argparse.Namespace) -> int:
    from generator.commands.run import run_demo

    return run_demo(_settings(options), options)


def _lint(options: argparse.Namespace) -> int:
    from generator.commands.lint import run_lint

    return run_lint(options)


def _clean(options: argparse.Namespace) -> int:
    from generator.commands.clean import run_clean

    return run_clean(_settings(options), force=options.force)


def _new(options: argparse.Namespace) -> int:
    from generator.scaffold import run_new

    return run_new(_settings(options), options)


def _init(options: argparse.Namespace) -> int:
    from generator.init import run_init

    return run_init(_settings(options).root, dry_run=options.dry_run)


def _serve(options: argparse.Namespace) -> int:
    from generator.preview import run_serve

    return run_serve(_settings(options), options)


def _completion(options: argparse.Namespace) -> int:
    from generator.arguments import make_parser
    from generator.completion import completion_script

    print(completion_script(make_parser(), options.shell), end="")
    return OK


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
    "completion": _completion,
}
