"""Publishing: whole files, only what changed, only what is ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.errors import GeneratorError
from generator.fingerprint import digest_bytes
from generator.publish import (
    Publication,
    clear_journals,
    locked,
    prune_orphan,
    publish_note,
    read_journals,
    remove_file,
    write_file,
)


def publication(
    root: Path, files: dict[str, bytes], owned: dict[str, bytes] | None = None,
    obsolete: tuple[str, ...] = (), replaces: bool = False,
) -> Publication:  # fmt: skip
    digests = {path: frozenset({digest_bytes(text)}) for path, text in (owned or {}).items()}
    return Publication("n", files, ("data/n.json", b"{}"), digests, obsolete, replaces)


def test_only_files_that_differ_are_written(tmp_path: Path) -> None:
    first = publish_note(tmp_path, publication(tmp_path, {"a": b"1", "b": b"2"}))
    assert first.written == ("a", "b", "data/n.json")
    owned = {"a": b"1", "b": b"2"}
    assert publish_note(tmp_path, publication(tmp_path, owned, owned)).written == ()
    again = publish_note(tmp_path, publication(tmp_path, {"a": b"1", "b": b"3"}, owned))
    assert again.written == ("b",)


def test_foreign_files_stop_the_note_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"mine")
    done = publish_note(tmp_path, publication(tmp_path, {"a": b"1", "b": b"2"}))
    assert done.edited == ("b",) and done.written == ()
    assert not (tmp_path / "a").exists()


def test_a_foreign_file_that_is_already_right_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    assert publish_note(tmp_path, publication(tmp_path, {"a": b"1"})).written == ("data/n.json",)


def test_replaced_files_are_kept_aside_each_once(tmp_path: Path) -> None:
    for text in (b"mine", b"mine too", b"mine"):
        (tmp_path / "a").write_bytes(text)
        done = publish_note(tmp_path, publication(tmp_path, {"a": b"1"}, replaces=True))
        assert (tmp_path / done.displaced[0]).read_bytes() == text
    assert len(list((tmp_path / ".generator/displaced").iterdir())) == 2


def test_obsolete_files_go_unless_edited(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"ours")
    (tmp_path / "edited").write_bytes(b"mine")
    owned = {"old": b"ours", "edited": b"ours"}
    done = publish_note(
        tmp_path, publication(tmp_path, {"a": b"1"}, owned, obsolete=("old", "edited"))
    )
    assert (done.removed, done.left) == (("old",), ("edited",))
    assert (tmp_path / "edited").read_bytes() == b"mine"


def test_pruning_keeps_what_was_edited_and_then_the_record(tmp_path: Path) -> None:
    for name in ("a/x", "a/y", "r.json"):
        write_file(tmp_path, name, b"ours")
    owned = {name: frozenset({digest_bytes(b"ours")}) for name in ("a/x", "a/y")}
    (tmp_path / "a/y").write_bytes(b"mine")
    done = prune_orphan(tmp_path, "n", "r.json", owned)
    assert (done.removed, done.edited) == (("a/x",), ("a/y",))
    assert (tmp_path / "r.json").exists()
    done = prune_orphan(tmp_path, "n", "r.json", owned, force=True)
    assert done.removed == ("a/y", "r.json") and done.displaced
    assert not (tmp_path / "a").exists() or not list((tmp_path / "a").iterdir())


def test_a_write_that_fails_leaves_the_old_file_and_a_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_note(tmp_path, publication(tmp_path, {"a": b"old", "b": b"old"}))
    owned = {"a": b"old", "b": b"old"}
    import generator.publish as publish

    real = publish.os.replace

    def refuse(source: str, target: str) -> None:
        if str(target).endswith("/b"):
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(publish.os, "replace", refuse)
    with pytest.raises(GeneratorError, match="b: can't be written: No space left on device"):
        publish_note(tmp_path, publication(tmp_path, {"a": b"new", "b": b"new"}, owned))
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"new", b"old")
    assert not list(tmp_path.glob(".*tmp"))
    assert read_journals(tmp_path)["n"]["a"] == {digest_bytes(b"new")}
    clear_journals(tmp_path, ["n"])
    assert read_journals(tmp_path) == {}


def test_journals_of_builds_that_were_killed_in_a_row_add_up(tmp_path: Path) -> None:
    (tmp_path / ".generator/journal").mkdir(parents=True)
    (tmp_path / ".generator/journal/n.json").write_text(json.dumps({"a": ["first"]}))
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "b").mkdir()  # so that writing `b` fails
    (tmp_path / "b/x").write_bytes(b"")
    with pytest.raises(GeneratorError):
        publish_note(tmp_path, publication(tmp_path, {"a": b"1", "b/x/c": b"2"}, {"a": b"x"}))
    assert read_journals(tmp_path)["n"]["a"] == {"first", digest_bytes(b"1")}


def test_a_torn_journal_is_none(tmp_path: Path) -> None:
    (tmp_path / ".generator/journal").mkdir(parents=True)
    for i, text in enumerate(["", "{", "[]", '{"a": 1}']):
        (tmp_path / f".generator/journal/{i}.json").write_text(text)
    assert read_journals(tmp_path) == {}


def test_folders_that_lead_out_are_refused(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "out").symlink_to(tmp_path)
    for act in (lambda: write_file(site, "out/x", b""), lambda: remove_file(site, "out/x")):
        with pytest.raises(GeneratorError, match="leads out of the site"):
            act()
    assert not (tmp_path / "x").exists()


def test_the_lock_is_let_go(tmp_path: Path) -> None:
    waited: list[str] = []
    for _ in range(2):
        with locked(tmp_path, waited.append):
            assert (tmp_path / ".generator/lock").read_text().startswith("process ")
    assert waited == []
