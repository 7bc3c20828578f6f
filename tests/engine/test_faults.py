"""Kills, full disks and refusals: each file is old or new, and the next build mends the rest."""

from __future__ import annotations

import errno
import os
import random
import shutil
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.workers import warm_up
from tests.conftest import DRAWN, Site, make_site

from .faults import attempt

MARKED = "<<<<<<< ours\nleft\n=======\nright\n>>>>>>> theirs\n"


@dataclass(frozen=True)
class Stage:
    """A site on its way from one state to another."""

    start: Path
    """The site before the build: the old state, with its inputs changed already."""
    old: dict[str, bytes]
    """What is published before."""
    new: dict[str, bytes]
    """What is to be published after."""
    calls: int
    """Calls that write which the whole build takes."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Notes changed, added, deleted, moved, in conflict; figures redrawn, added, dropped."""
    warm_up()
    home = tmp_path_factory.mktemp("stage")
    site = make_site(home / "site")
    write_inputs(site, "old")
    assert not site.build().failed
    write_inputs(site, "new")
    page = site.read("content/notes/merged.md")
    site.write("content/notes/merged.md", page + MARKED)
    old = site.files()
    shutil.copytree(site.root, home / "whole")
    whole = Site(home / "whole")
    done = attempt(["build", "--site", str(whole.root)])
    assert done.code == 0
    clean = make_site(home / "clean")
    write_inputs(clean, "old")
    write_inputs(clean, "new")
    clean.build()
    assert whole.files() == clean.files()
    return Stage(site.root, old, clean.files(), done.calls)


def write_inputs(site: Site, state: str) -> None:
    value = {"old": 1, "new": 2}[state]
    site.demo("sums", f"return {{'total': {value}.5}}")
    site.note("sums", "The total is <%= total %>.", demo="sums")
    site.write_demo("drawn", DRAWN.replace("[0, 2]", f"[0, {value}]"))
    site.note("drawn", "The end is <%= end %>.\n\n<%= line %>", demo="drawn")
    site.note("words", f"These are {state} words.")
    site.note("merged", f"Merged, {state}.")
    if state == "old":
        site.note("gone", "Soon gone.\n\n<%= line %>", demo="drawn")
        site.note("moved", "Soon elsewhere.")
    else:
        (site.root / "templates/notes/gone.md").unlink(missing_ok=True)
        (site.root / "templates/notes/moved.md").unlink(missing_ok=True)
        site.note("folder/moved", "Soon elsewhere.")
        site.note("added", "Added. The total is <%= total %>.", demo="sums")


def copy(stage: Stage, tmp_path: Path) -> Site:
    target = tmp_path / "trial"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(stage.start, target)
    return Site(target)


def check_whole(site: Site, stage: Stage, where: str) -> None:
    """Each file is entirely old or entirely new."""
    now = site.files()
    for path in {*now, *stage.old, *stage.new}:
        if path.endswith(".generator-tmp"):
            continue
        allowed = (stage.old.get(path), stage.new.get(path))
        assert now.get(path) in allowed, f"{path} is torn after {where}"


def check_mended(site: Site, stage: Stage, where: str) -> None:
    """The next build ends in the clean state, and nothing of the author's is lost."""
    report = site.build()
    assert not report.failed, f"{where}: {[n for n in report.notes if n.problems]}"
    assert site.files() == stage.new, where
    assert site.reasons() == {}, where
    kept = [p.read_text() for p in (site.root / ".generator/displaced").rglob("*") if p.is_file()]
    assert any(MARKED in text for text in kept), f"{where}: the merge's text is lost"


def kill_at(stage: Stage, tmp_path: Path, calls: list[int]) -> Counter[str]:
    """Kill a build at a call; when there are more, kill the next build too, and so on.

    Counts the kills that struck: a build that mends may end before it gets to the call.
    """
    counts: Counter[str] = Counter()
    site = copy(stage, tmp_path)
    for call in calls:
        done = attempt(["build", "--site", str(site.root), "-j2"], "kill", call)
        counts["struck"] += done.killed
        counts["between the first and the last write"] += done.killed and call > 1
        check_whole(site, stage, f"kills at {calls}")
    check_mended(site, stage, f"kills at {calls}")
    return counts


def test_a_kill_at_any_call_that_writes_leaves_every_file_whole(
    stage: Stage, tmp_path: Path
) -> None:
    assert stage.calls > 60
    for call in range(1, stage.calls + 1, 6):  # each call in turn: `make soak`
        kill_at(stage, tmp_path, [call])


def test_kills_of_the_mending_builds_too(stage: Stage, tmp_path: Path) -> None:
    choose = random.Random(3)
    for _ in range(4):
        kill_at(stage, tmp_path, [choose.randint(1, stage.calls) for _ in range(3)])


def kill_after(stage: Stage, tmp_path: Path, seconds: float) -> Counter[str]:
    """Kill a build at a moment; whether it struck, and between its first and its last write."""
    site = copy(stage, tmp_path)
    done = attempt(["build", "--site", str(site.root), "-j2"], kill_after=seconds)
    check_whole(site, stage, f"a kill after {seconds:.4f} s")
    check_mended(site, stage, f"a kill after {seconds:.4f} s")
    inside = done.killed and 0 < done.calls < stage.calls
    return Counter({"struck": done.killed, "between the first and the last write": inside})


def typical_time(stage: Stage, tmp_path: Path) -> float:
    site = copy(stage, tmp_path)
    start = time.monotonic()
    attempt(["build", "--site", str(site.root), "-j2"])
    return time.monotonic() - start


def test_a_kill_at_any_moment_leaves_every_file_whole(stage: Stage, tmp_path: Path) -> None:
    choose, longest = random.Random(1), typical_time(stage, tmp_path)
    for _ in range(8):
        kill_after(stage, tmp_path, choose.uniform(0.001, longest))


REFUSALS = [
    pytest.param("error", errno.ENOSPC, id="a disk that is full for a moment"),
    pytest.param("errors", errno.ENOSPC, id="a disk that stays full"),
    pytest.param("errors", errno.EROFS, id="a disk that turned read-only"),
    pytest.param("error", errno.EACCES, id="a call that is refused"),
    pytest.param("error", errno.EIO, id="a call that fails"),
]


@pytest.mark.parametrize(("kind", "number"), REFUSALS)
def test_refused_writes_leave_every_file_whole(
    stage: Stage, tmp_path: Path, kind: str, number: int
) -> None:
    refuse_at(stage, tmp_path, kind, number, range(1, stage.calls + 1, 37))


def refuse_at(stage: Stage, tmp_path: Path, kind: str, number: int, calls: range) -> None:
    for call in calls:
        site = copy(stage, tmp_path)
        done = attempt(["build", "--site", str(site.root)], kind, call, number)  # type: ignore[arg-type]
        where = f"{errno.errorcode[number]} at call {call} ({kind})"
        assert done.code in (0, 1), f"{where}: exit code {done.code}"
        check_whole(site, stage, where)
        check_mended(site, stage, where)


def test_a_read_only_folder_is_told_in_a_line(
    small_site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from generator.cli import main

    real = os.replace

    def refuse(source: str, target: object) -> None:
        if "content" in str(target):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        real(source, str(target))

    monkeypatch.setattr(os, "replace", refuse)
    assert main(["build", "--site", str(small_site.root)]) == 1
    said = capsys.readouterr().err
    assert "content/notes/prose.md: can't be written: Permission denied" in said
    assert not list(small_site.root.rglob("content/**/.*"))


@pytest.mark.soak
def test_thousands_of_kills(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every call that writes many times over, in chains, and at random moments."""
    choose, longest = random.Random(2), typical_time(stage, tmp_path)
    kills = {name: Counter[str]() for name in ("at each call", "in chains", "at a random moment")}
    for _ in range(8):
        for call in range(1, stage.calls + 1):
            kills["at each call"] += kill_at(stage, tmp_path, [call])
    for _ in range(300):
        chain = [choose.randint(1, stage.calls) for _ in range(3)]
        kills["in chains"] += kill_at(stage, tmp_path, chain)
    for _ in range(800):
        moment = choose.uniform(0.001, longest)
        kills["at a random moment"] += kill_after(stage, tmp_path, moment)
    refused = 0
    for kind, number in [
        ("error", 28),
        ("errors", 28),
        ("errors", 30),
        ("error", 13),
        ("error", 5),
    ]:
        refuse_at(stage, tmp_path, kind, number, range(1, stage.calls + 1))
        refused += stage.calls
    total = sum(kills.values(), Counter[str]())
    assert total["struck"] >= 2000
    assert total["between the first and the last write"] >= 500
    with capsys.disabled():
        print(f"\n{stage.calls} calls that write in one build")
        for name, counts in {**kills, "together": total}.items():
            print(f"kills {name}: " + ", ".join(f"{n} {what}" for what, n in counts.items()))
        print(f"refusals: {refused}")
