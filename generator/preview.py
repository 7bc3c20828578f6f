"""`serve`: build, run `hugo server`, and rebuild what an edit affects, in one warm process."""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from generator.build import Options, build_site
from generator.commands.build import Talker, count_cores, summary
from generator.errors import GeneratorError, Problem, UsageError
from generator.hugo import find_hugo, hugo_problem
from generator.notes import slug_of
from generator.overlay import Overlay
from generator.quick import count_fresh_notes
from generator.report import Report
from generator.server import Server, need_port
from generator.settings import Settings, load_settings
from generator.terminal import print_problem, style
from generator.watching import concerns, read_config_files, site_stamp, watched_folders

_DEBOUNCE = 40
"""Milliseconds in which saves belong together."""
_PATIENCE = 1000
"""Milliseconds after which the site is looked at although no event came."""
_LIFE = 5.0
"""Seconds after which a Hugo that ends was a working one."""


def run_serve(settings: Settings, arguments: argparse.Namespace) -> int:
    """Preview until Ctrl-C; leaves no process and no overlay behind."""
    hugo = find_hugo()
    problem = hugo_problem(hugo)
    if problem is not None or hugo is None:
        raise UsageError(*([problem] if problem else []))
    _need_watchfiles()
    need_port(arguments.port)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    overlay = Overlay(settings)
    with overlay.prepared():
        session = Session(settings, overlay, hugo.path, arguments)
        session.rebuild()
        with session.serving(), suppress(KeyboardInterrupt):
            _warm_up(session)
            _watch(session)
    return 0


def _interrupt(number: int, frame: object) -> None:
    """A polite kill and a closed terminal end the preview as Ctrl-C does: cleanly."""
    raise KeyboardInterrupt


@dataclass(slots=True)
class Session:
    """One preview: the site, its server, and what the builds gave so far."""

    settings: Settings
    overlay: Overlay
    hugo: str
    """Hugo's program."""
    arguments: argparse.Namespace
    server: Server | None = None
    failed: set[str] = field(default_factory=set)
    """Slugs of the notes that fail; one without a name when the site can't be built at all."""
    stamp: tuple[object, ...] = ()
    """What the site's own folder looked like at the last build."""
    config: tuple[bytes, ...] = ()
    """The configuration that Hugo was started with."""
    is_serving: bool = False
    """Whether a server is wanted; there is none while the configuration is broken."""
    started: float = 0.0
    """When the server was started."""
    talker: Talker = field(default_factory=lambda: Talker(quiet=False, verbose=False))

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Hugo's server, ended on the way out."""
        self.is_serving = True
        try:
            self.start_server()
            yield
        finally:
            self.stop_server()

    def stop_server(self) -> None:
        if self.server is not None:
            self.server.stop()
        self.server = None

    def start_server(self) -> None:
        """Start Hugo with the mounts that the site has now.

        Without `--noHTTPCache` a browser keeps the older of two pages made within one second.
        """
        given = self.arguments
        theme = ["--theme", given.theme] if given.theme else []
        command = [self.hugo, "server", "--port", str(given.port), *theme]
        command += ["--renderToMemory", "--noHTTPCache", *self.overlay.arguments(), *given.rest]
        mounts = self.overlay.mounts(self.hugo)
        self.config = read_config_files(self.settings)
        self.server = Server(tuple(command), self.settings.root, mounts)
        self.started = time.monotonic()
        address = self.server.start()
        print(style(f"preview: {address}", "bold"), "(Ctrl-C ends it)", flush=True)

    def keep_server(self) -> bool:
        """Whether the preview can go on; a Hugo that ends after a while is started again."""
        if self.server is None or self.server.is_running():
            return True
        if time.monotonic() - self.started < _LIFE:
            return False
        print("hugo ended, and is started again", flush=True)
        self.stop_server()
        self.start_server()
        return True

    def rebuild(self, changed: Iterable[str] = ()) -> Report | None:
        """Build, tell, and show failing notes in the overlay."""
        start = time.monotonic()
        before, self.stamp = self.stamp, site_stamp(self.settings)
        try:
            if before != self.stamp:
                self._reload_settings()
            options = Options(slugs=self._slugs(changed), jobs=count_cores())
            report = build_site(self.settings, options, self.talker.listener())
            if self.is_serving and self.server is None:
                self.start_server()
        except GeneratorError as error:
            for problem in error.problems:
                print_problem(problem)
            self.failed.add("")
            return None
        self.overlay.show(report)
        told = {note.slug for note in report.notes}
        self.failed = (self.failed - told - {""}) | {
            n.slug for n in report.notes if n.status == "failed"
        }
        if any(note.status != "unchanged" for note in report.notes) or report.removed:
            print(f"{summary(report)} ({time.monotonic() - start:.2f} s)", flush=True)
        return report

    def _reload_settings(self) -> None:
        """Follow an edit of the site's configuration.

        Hugo is started anew: it can stop for good when pages change while it takes settings in.
        """
        self.settings = self.overlay.settings = load_settings(self.settings.root)
        if self.server is not None and self.config != read_config_files(self.settings):
            self.stop_server()

    def _slugs(self, changed: Iterable[str]) -> tuple[str, ...]:
        """The notes to look at; all of them, unless one fails and only templates were saved.

        A demo that fails after a minute is not run again because of another note's prose.
        """
        paths = [os.path.relpath(path, self.settings.root).replace(os.sep, "/") for path in changed]
        folder = self.settings.notes_templates + "/"
        if not self.failed or "" in self.failed or not paths:
            return ()
        if not all(p.startswith(folder) and p.endswith(".md") for p in paths):
            return ()
        if not all((self.settings.root / path).is_file() for path in paths):
            return ()
        return tuple(sorted({slug_of(self.settings, path) for path in paths}))

    def is_stale(self) -> bool:
        """Whether the site differs from the last build, at the price of a stat a file."""
        if self.stamp != site_stamp(self.settings):
            return True
        return not self.failed and count_fresh_notes(str(self.settings.root)) is None


def _watch(session: Session) -> None:
    """Rebuild on every save until Hugo ends or the user stops us."""
    while session.keep_server():
        _watch_folders(session, watched_folders(session.settings))
    raise GeneratorError(Problem("", 0, "hugo ended; what it said is above"))


def _watch_folders(session: Session, folders: list[str]) -> None:
    """Rebuild on saves, as long as Hugo runs and the site has these folders."""
    from watchfiles import watch

    events = watch(
        *folders,
        watch_filter=lambda _, path: concerns(session.settings, path),
        debounce=_DEBOUNCE,
        step=20,
        rust_timeout=_PATIENCE,
        yield_on_timeout=True,
        raise_interrupt=True,
    )
    missed = bool(session.failed)  # an edit may have come before there was anyone to see it
    for changes in events:
        if not session.keep_server():
            return
        if changes or missed or session.is_stale():
            session.rebuild(path for _, path in changes)
        missed = False
        if watched_folders(session.settings) != folders:
            return


def _warm_up(session: Session) -> None:
    """Load what demos need now, not at the first save of one."""
    if any((session.settings.root / session.settings.demos).glob("*.py")):
        from generator.workers import warm_up

        warm_up()


def _need_watchfiles() -> None:
    try:
        import watchfiles  # noqa: F401
    except ImportError:
        hint = "pip install watchfiles"
        raise UsageError(Problem("", 0, "`serve` watches files with watchfiles", hint)) from None
