"""Demos run beside the process that renders, in children of a process of their own."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from generator.workers import close_others
from tests.conftest import Site

from .test_parallel import is_running, wait_for
from .test_prose import imported

SLEEPER = """\
import os, time
from pathlib import Path

def run(rng):
    Path("who").with_suffix(".txt").write_text(f"{os.getppid()} {os.getpid()}")
    time.sleep(60)
    return {}
"""


def who_runs(site: Site) -> tuple[int, int]:
    """Process ids of the server and of its child, once the demo has begun."""
    wait_for(site.root / "who.txt", content=True)
    server, child = site.read("who.txt").split()
    return int(server), int(child)


def test_a_server_that_dies_fails_what_it_ran(small_site: Site) -> None:
    small_site.write_demo("sleeper", SLEEPER)
    small_site.note("sleeper", "Words.", demo="sleeper")
    build = small_site.start("build", "-j", "1")
    server, child = who_runs(small_site)
    assert server != build.pid
    os.kill(server, signal.SIGKILL)
    _, errors = build.communicate(timeout=30)
    assert build.returncode == 1
    assert "demos/sleeper.py:1: the process that runs demos ended" in errors
    assert "run it alone: python -m generator run sleeper" in errors
    time.sleep(0.2)
    assert not is_running(child)
    assert "Words only." in small_site.read("content/notes/prose.md")


def test_a_build_that_dies_takes_the_server_and_its_demos_with_it(small_site: Site) -> None:
    small_site.write_demo("sleeper", SLEEPER)
    small_site.note("sleeper", "Words.", demo="sleeper")
    build = small_site.start("build", "-j", "1")
    server, child = who_runs(small_site)
    build.kill()
    build.communicate(timeout=30)
    time.sleep(0.3)
    assert not is_running(server)
    assert not is_running(child)


def test_the_renderer_never_loads_numpy(small_site: Site) -> None:
    modules = imported(small_site, "build")
    assert not modules.intersection({"numpy", "matplotlib", "generator.workers"})
    assert small_site.reasons() == {}


def test_large_outcomes_come_through(site: Site) -> None:
    """More than a pipe holds, from several demos at once."""
    for name in ("one", "two", "three"):
        site.write_demo(name, "def run(rng):\n    return {'x': 'y' * 3_000_000, 'n': 1.5}\n")
        site.note(name, "It is <%= n %>.", demo=name)
    assert site.run("build", "-j", "3").stdout.count("built") == 4
    assert "It is 1.5." in site.read("content/notes/two.md")


def test_a_demo_reads_the_whole_documentation_of_matplotlib(site: Site) -> None:
    """What the server leaves out of docstrings is not missed, and comes back."""
    site.demo(
        "doc",
        "from matplotlib import artist, lines\n"
        "return {'n': len(artist.kwdoc(lines.Line2D)) > 1000, 'doc': bool(lines.Line2D.set.__doc__)}",
    )
    site.note("doc", "<%= n %> <%= doc %>", demo="doc")
    done = site.run("build")
    assert done.returncode == 0, done.stderr
    assert "true true" in site.read("content/notes/doc.md").lower()


def test_letting_go_of_a_file_leaves_its_number_taken(tmp_path: Path) -> None:
    """A file object that still thinks it owns the number would close it for its next owner."""
    with open(tmp_path / "lock", "w") as lock, open(tmp_path / "kept", "w") as kept:
        pid = os.fork()
        if pid == 0:
            with suppress(BaseException):
                close_others(kept.fileno())
                let_go = os.path.samestat(os.fstat(lock.fileno()), os.stat(os.devnull))
                held = os.path.samestat(os.fstat(kept.fileno()), os.stat(tmp_path / "kept"))
                os._exit(0 if let_go and held else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
