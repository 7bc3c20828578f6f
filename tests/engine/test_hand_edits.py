"""Nothing is lost: hand edits, merges, moved clones, and the local state deleted."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Site

PAGE = "content/notes/sums.md"


def edit(site: Site, path: str, old: str, new: str) -> str:
    text = site.read(path)
    assert old in text
    site.write(path, text.replace(old, new))
    return site.read(path)


def test_an_edited_page_is_kept_and_told_with_the_templates_line(small_site: Site) -> None:
    small_site.build()
    edited = edit(small_site, PAGE, "The total", "The sum")
    done = small_site.run("build")
    assert done.returncode == 1
    assert f"{PAGE}:9: was edited by hand: kept as it is" in done.stderr
    assert "make the edit at templates/notes/sums.md:8" in done.stderr
    assert small_site.read(PAGE) == edited
    assert small_site.reasons() == {"sums": (f"{PAGE} was edited by hand",)}


def test_force_replaces_an_edited_page_and_keeps_what_it_held(small_site: Site) -> None:
    small_site.build()
    good = small_site.read(PAGE)
    edited = edit(small_site, PAGE, "The total", "The sum")
    report = small_site.build("sums", force=True)
    (note,) = report.notes
    assert small_site.read(PAGE) == good
    assert [small_site.read(path) for path in note.displaced] == [edited]
    edit(small_site, PAGE, "The total", "The other sum")
    small_site.build("sums", force=True)
    kept = {small_site.read(str(p.relative_to(small_site.root))) for p in displaced(small_site)}
    assert edited in kept and len(kept) == 2


def displaced(site: Site) -> list[Path]:
    return [p for p in (site.root / ".generator/displaced").rglob("*") if p.is_file()]


def test_an_edit_that_is_made_in_the_template_too_is_accepted(small_site: Site) -> None:
    small_site.build()
    edited = edit(small_site, PAGE, "The total", "The sum")
    edit(small_site, "templates/notes/sums.md", "The total", "The sum")
    assert not small_site.build().failed
    assert small_site.read(PAGE) == edited
    assert small_site.reasons() == {}
    assert displaced(small_site) == []


def test_an_edited_figure_is_kept(small_site: Site) -> None:
    small_site.build()
    path = "static/figures/drawn/line.svg"
    edited = edit(small_site, path, "</svg>", "<!-- mine --></svg>")
    edit(small_site, "templates/notes/drawn.md", "The end", "Its end")
    assert small_site.build().failed
    assert small_site.read(path) == edited
    assert small_site.build("drawn", force=True).notes[0].displaced
    assert "mine" not in small_site.read(path)


def test_a_file_in_the_way_is_not_replaced(small_site: Site) -> None:
    small_site.write(PAGE, "written by hand")
    done = small_site.run("build")
    assert done.returncode == 1
    assert f"{PAGE}: was there before, and is not the generator's" in done.stderr
    assert small_site.read(PAGE) == "written by hand"
    assert "data/notes/sums.json" not in small_site.files()


def test_an_edited_page_of_a_gone_note_is_kept_until_deleted(small_site: Site) -> None:
    small_site.build()
    edited = edit(small_site, PAGE, "The total", "The sum")
    (small_site.root / "templates/notes/sums.md").unlink()
    for _ in range(2):
        done = small_site.run("build")
        assert done.returncode == 1
        assert f"{PAGE}: its note is gone, but it was edited by hand: kept" in done.stderr
    assert small_site.read(PAGE) == edited
    (small_site.root / PAGE).unlink()
    assert small_site.run("build").returncode == 0
    assert not [path for path in small_site.files() if "sums" in path]


def test_a_figure_that_is_no_longer_wanted_but_edited_is_kept_and_told(small_site: Site) -> None:
    small_site.build()
    path = "static/figures/drawn/line.svg"
    edit(small_site, path, "</svg>", "<!-- mine --></svg>")
    small_site.demo("drawn", "return {'end': 2.0, 'line': 'no line'}")
    small_site.build("drawn")  # refused: an edited output stops the note
    assert "mine" in small_site.read(path)


@pytest.mark.parametrize(
    ("old", "new"), [('"total": 0.125', '"total": 0.25'), ('"seed": null', '"seed": 3')]
)
def test_a_number_edited_in_a_record_reaches_no_page(small_site: Site, old: str, new: str) -> None:
    small_site.build()
    good = small_site.files()
    edit(small_site, "data/notes/sums.json", old, new)
    assert small_site.reasons()["sums"][-1] == "data/notes/sums.json was edited by hand"
    small_site.build()
    assert small_site.files() == good


@pytest.mark.parametrize("cut", [0, 1, 40, 400])
def test_a_torn_record_is_made_again(small_site: Site, cut: int) -> None:
    small_site.build()
    good = small_site.files()
    small_site.write("data/notes/sums.json", good["data/notes/sums.json"][:cut])
    assert not small_site.build().failed
    assert small_site.files() == good


def test_a_record_that_claims_others_files_is_not_believed(small_site: Site) -> None:
    small_site.build()
    small_site.write("mine.txt", "mine")
    small_site.write("outside.txt", "mine")
    from generator.fingerprint import digest_bytes

    digest = digest_bytes(b"mine")
    for path in ("mine.txt", "../outside.txt", "/etc/hostname"):
        record = small_site.read("data/notes/sums.json").replace(
            '"outputs": {', f'"outputs": {{\n    "{path}": "{digest}",'
        )
        small_site.write("data/notes/sums.json", record)
        (small_site.root / "templates/notes/sums.md").rename(small_site.root / "kept.md")
        small_site.build()
        assert small_site.read("mine.txt") == "mine"
        (small_site.root / "kept.md").rename(small_site.root / "templates/notes/sums.md")
        (small_site.root / PAGE).unlink(missing_ok=True)
        small_site.build()


def test_a_data_file_of_the_authors_among_the_records_is_left_alone(small_site: Site) -> None:
    small_site.write("data/notes/own.json", '{"a": 1}')
    small_site.build()
    small_site.run("clean")
    assert small_site.read("data/notes/own.json") == '{"a": 1}'


@pytest.mark.parametrize("folder", ["content/notes", "static/figures", "data/notes"])
def test_a_link_that_leads_out_of_the_site_is_refused(
    small_site: Site, tmp_path: Path, folder: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (small_site.root / folder).parent.mkdir(parents=True, exist_ok=True)
    (small_site.root / folder).symlink_to(outside)
    done = small_site.run("build")
    assert done.returncode == 1
    assert "leads out of the site" in done.stderr
    assert list(outside.rglob("*")) == []


def test_deleting_the_local_state_changes_nothing(small_site: Site) -> None:
    small_site.build()
    before = small_site.stamps()
    shutil.rmtree(small_site.root / ".generator")
    assert small_site.reasons() == {}
    small_site.build()
    assert small_site.stamps() == before


def test_a_moved_or_copied_clone_is_as_fresh(small_site: Site, tmp_path: Path) -> None:
    small_site.build()
    before = small_site.files()
    moved = Site(tmp_path / "an other" / "plåce")
    shutil.copytree(small_site.root, moved.root)
    shutil.rmtree(small_site.root)
    assert moved.reasons() == {}
    assert {note.status for note in moved.build().notes} == {"unchanged"}
    moved.build(force=True)
    assert moved.files() == before
    assert not [path for path, content in before.items() if str(tmp_path).encode() in content]


def git(site: Site, *arguments: str, code: int | None = 0) -> str:
    name = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *name, *arguments], cwd=site.root, capture_output=True, text=True, check=False
    )
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def repository(small_site: Site) -> Site:
    small_site.write(".gitignore", ".generator/\n")
    small_site.build()
    git(small_site, "init", "-q", "-b", "main")
    commit(small_site, "base")
    return small_site


def commit(site: Site, message: str) -> None:
    git(site, "add", "-A")
    git(site, "commit", "-q", "-m", message)


def test_two_branches_that_add_a_note_each_merge_without_conflict(repository: Site) -> None:
    git(repository, "checkout", "-q", "-b", "other")
    repository.note("theirs", "Their words.")
    repository.build()
    commit(repository, "theirs")
    git(repository, "checkout", "-q", "main")
    repository.note("ours", "Our words.")
    repository.build()
    commit(repository, "ours")
    git(repository, "merge", "-q", "other", "-m", "merge")
    assert repository.reasons() == {}
    assert {n.status for n in repository.build().notes} == {"unchanged"}
    assert git(repository, "status", "--porcelain") == ""


def test_two_edits_of_one_template_merge_and_the_next_build_mends(repository: Site) -> None:
    """The authors' own text merges; what was generated conflicts, and is made again."""
    body = (
        "First, the total is <%= total %>.\n\nBetween.\n\nBetween.\n\nLast, <%= count %> of them."
    )
    repository.note("sums", body, demo="sums")
    repository.build()
    commit(repository, "longer")
    git(repository, "checkout", "-q", "-b", "other")
    edit(repository, "templates/notes/sums.md", "First,", "At first,")
    repository.build()
    commit(repository, "theirs")
    git(repository, "checkout", "-q", "main")
    edit(repository, "templates/notes/sums.md", "Last,", "At last,")
    repository.build()
    commit(repository, "ours")
    git(repository, "merge", "-q", "other", "-m", "merge", code=None)
    assert "<<<<<<<" not in repository.read("templates/notes/sums.md")
    assert "<<<<<<<" in repository.read("data/notes/sums.json")
    report = repository.build()
    assert not report.failed, report
    assert "At first, the total is 0.125." in repository.read(PAGE)
    assert "At last, 3 of them." in repository.read(PAGE)
    assert repository.reasons() == {}
    merged = repository.files()
    repository.build(force=True)
    assert repository.files() == merged


def test_a_merge_that_conflicts_in_page_and_template_is_mended_after_the_author(
    repository: Site,
) -> None:
    git(repository, "checkout", "-q", "-b", "other")
    edit(repository, "templates/notes/sums.md", "The total", "Their total")
    repository.build()
    commit(repository, "theirs")
    git(repository, "checkout", "-q", "main")
    edit(repository, "templates/notes/sums.md", "The total", "Our total")
    repository.build()
    commit(repository, "ours")
    git(repository, "merge", "-q", "other", code=None)
    conflicted = repository.read(PAGE)
    assert "<<<<<<<" in conflicted
    done = repository.run("build")
    assert done.returncode == 1
    assert "templates/notes/sums.md:" in done.stderr and "conflict" in done.stderr
    assert repository.read(PAGE) == conflicted
    repository.note("sums", "The total of all is <%= total %>, of <%= count %>.", demo="sums")
    report = repository.build()
    assert not report.failed
    assert "The total of all is 0.125" in repository.read(PAGE)
    assert conflicted in [p.read_text() for p in displaced(repository)]
    assert repository.reasons() == {}


def test_clean_removes_what_was_generated_and_nobody_edited(small_site: Site) -> None:
    small_site.write("content/about.md", "by hand")
    small_site.build()
    edited = edit(small_site, PAGE, "The total", "The sum")
    done = small_site.run("clean")
    assert done.returncode == 1
    assert f"kept {PAGE}: it was edited by hand" in done.stderr
    assert set(small_site.files()) == {"content/about.md", PAGE, "data/notes/sums.json"}
    assert small_site.read(PAGE) == edited
