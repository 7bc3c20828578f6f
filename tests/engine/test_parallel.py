"""Builds side by side, and demos that crash, hang or eat memory beside good ones."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.conftest import Site, make_site

from .test_building import statuses


@pytest.mark.parametrize("count", [2, 8])
def test_builds_started_at_once_end_with_one_right_result(
    small_site: Site, tmp_path: Path, count: int
) -> None:
    clean = make_site(tmp_path / "clean")
    for path in ("templates", "demos"):
        for source in (small_site.root / path).rglob("*.*"):
            clean.write(source.relative_to(small_site.root).as_posix(), source.read_bytes())
    clean.run("build")
    running = [small_site.start("build") for _ in range(count)]
    ends = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * count, ends
    assert small_site.files() == clean.files()
    assert sum("3 built" in out for out, _ in ends) == 1
    assert small_site.reasons() == {}


def test_a_build_that_waits_says_for_whom(small_site: Site) -> None:
    from generator.build import Options, build_site
    from generator.publish import locked
    from generator.report import Listener
    from generator.settings import load_settings

    owners: list[str] = []

    class WaitedError(Exception):
        pass

    def on_wait(owner: str) -> None:
        owners.append(owner)
        raise WaitedError

    with locked(small_site.root, lambda owner: None), pytest.raises(WaitedError):
        build_site(load_settings(small_site.root), Options(), Listener(on_wait=on_wait))
    assert owners == [f"process {os.getpid()}"]


BAD = {
    "crashes": (
        "import os, signal\nprint('before', flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)",
        {},
        "the demo's process died of SIGSEGV",
    ),
    "hangs": ("while True: pass", {"timeout": 1}, "the demo was stopped after 1 s"),
    "eats": (
        "hold = []\nwhile True: hold.append(bytearray(2**24))",
        {"memory": 200},
        "the demo took more than 200 MiB",
    ),
    "forks": (
        "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nos._exit(0)",
        {"timeout": 3},
        "",
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_one_bad_demo_among_seven_good_ones_fails_alone(site: Site, bad: str) -> None:
    for i in range(7):
        site.demo(f"good{i}", f"return {{'x': {i} + 0.5}}")
        site.note(f"good{i}", "x is <%= x %>.", demo=f"good{i}")
    code, front, said = BAD[bad]
    site.demo("bad", code)
    site.note("bad", "x is <%= x %>.", demo="bad", **front)
    start = time.monotonic()
    report = site.build(jobs=2)
    assert time.monotonic() - start < 20
    assert statuses(report) == {f"good{i}": "built" for i in range(7)} | {"bad": "failed"}
    failed = next(note for note in report.notes if note.status == "failed")
    assert said in failed.problems[0].message
    assert failed.problems[0].path == "demos/bad.py"
    if bad == "crashes":
        assert failed.printed == "before\n"
    assert len(site.files("content")) == 7


def test_results_do_not_depend_on_jobs_hash_seed_or_order(small_site: Site) -> None:
    body = "import os\nreturn {'total': float(rng.random()), 'words': sorted({'b', 'a', 'c'})}"
    for i in range(4):
        small_site.demo(f"d{i}", body)
        small_site.note(f"d{i}", "It is <%= total %>.", demo=f"d{i}")
    found = []
    for jobs, seed in (("1", "0"), ("2", "1"), ("4", "2")):
        done = small_site.run("build", "--force", "-j", jobs, env={"PYTHONHASHSEED": seed})
        assert done.returncode == 0, done.stderr
        found.append(small_site.files())
    assert found[0] == found[1] == found[2]


def test_a_build_of_one_note_gives_the_same_as_a_build_of_all(small_site: Site) -> None:
    for slug in ("drawn", "prose", "sums"):
        small_site.build(slug)
    found = small_site.files()
    small_site.build(force=True)
    assert small_site.files() == found


def test_ctrl_c_stops_at_once_and_leaves_the_site_whole(small_site: Site) -> None:
    small_site.write_demo(
        "slow",
        "import time\ndef run(rng):\n"
        "    open('started', 'w').close()\n    time.sleep(60)\n    return {'x': 1}\n",
    )
    small_site.note("slow", "x is <%= x %>.", demo="slow")
    process = small_site.start("build", "--jobs", "1")
    wait_for(small_site.root / "started")
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - start < 3
    assert "stopped; every file is whole" in errors
    assert "Traceback" not in errors
    assert not list(small_site.root.rglob("*.generator-tmp"))
    (small_site.root / "templates/notes/slow.md").unlink()
    assert not small_site.build().failed


def test_a_killed_build_leaves_no_demo_running_and_no_lock(small_site: Site) -> None:
    small_site.write_demo(
        "slow",
        "import os, time\ndef run(rng):\n"
        "    open('started', 'w').write(str(os.getpid()))\n    time.sleep(60)\n",
    )
    small_site.note("slow", "x is <%= x %>.", demo="slow")
    process = small_site.start("build", "--jobs", "1")
    wait_for(small_site.root / "started", content=True)
    process.kill()
    process.communicate(timeout=20)
    demo = int(small_site.read("started"))
    for _ in range(50):
        if not is_running(demo):
            break
        time.sleep(0.1)
    assert not is_running(demo)
    (small_site.root / "templates/notes/slow.md").unlink()
    assert not small_site.build().failed


def wait_for(path: Path, *, content: bool = False) -> None:
    for _ in range(300):
        if path.exists() and (not content or path.read_text()):
            return
        time.sleep(0.1)
    raise AssertionError(f"{path} did not appear")


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
