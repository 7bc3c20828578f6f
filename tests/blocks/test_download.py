"""The archive block: what is in it, that it is the same every time, what it refuses."""

import io
import os
import zipfile

import pytest

from generator.blocks import decode_block
from generator.blocks.base import Where
from generator.blocks.download import Download, pack_files
from generator.errors import GeneratorError
from generator.site import standing_in

WHERE = Where("note", "lab", 4)


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "lab"
    (root / "data").mkdir(parents=True)
    (root / "__pycache__").mkdir()
    (root / "run.py").write_text("print(1)\n")
    (root / "data" / "x.csv").write_text("a\n1\n")
    (root / ".hidden").write_text("no")
    (root / "__pycache__" / "run.pyc").write_bytes(b"\0")
    (root / "notes.tmp").write_text("no")
    return root


def unpack(download):
    with zipfile.ZipFile(io.BytesIO(download.files()[".zip"])) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_holds_the_files_below_a_folder_of_its_name(folder):
    assert unpack(Download(folder, ignore=["*.tmp"])) == {
        "lab/data/x.csv": b"a\n1\n",
        "lab/run.py": b"print(1)\n",
    }
    assert "lab/notes.tmp" in unpack(Download(folder))


def test_ignores_by_name_or_path(folder):
    assert list(unpack(Download(folder, ignore="data/*"))) == ["lab/notes.tmp", "lab/run.py"]
    assert list(unpack(Download(folder, ignore=["data", "*.py"]))) == ["lab/notes.tmp"]


def test_depends_on_names_and_bytes_only(folder):
    before = Download(folder).files()
    for path in (folder / "run.py", folder / "data"):
        os.utime(path, (1, 1))
    (folder / "run.py").chmod(0o755)
    assert Download(folder).files() == before
    (folder / "run.py").write_text("print(2)\n")
    assert Download(folder).files() != before


def test_order_of_files_does_not_matter():
    assert pack_files({"b": b"1", "a": b"2"}) == pack_files({"a": b"2", "b": b"1"})
    with zipfile.ZipFile(io.BytesIO(pack_files({"b": b"1", "a": b"2"}))) as archive:
        assert [entry.date_time for entry in archive.infolist()] == [(1980, 1, 1, 0, 0, 0)] * 2
        assert {entry.compress_type for entry in archive.infolist()} == {zipfile.ZIP_STORED}


def test_is_a_link_with_count_and_size(folder):
    download = Download(folder, ignore=["*.tmp"])
    size = len(download.files()[".zip"])
    assert download.to_markdown(WHERE) == (
        f"[lab.zip](/figures/note/lab.zip) (2 files, {size / 1000:.1f} kB)"
    )
    one = Download(folder, ignore=["*.tmp", "data"])
    assert "(1 file, " in one.to_markdown(WHERE)


def test_survives_a_record(folder):
    download = Download(folder)
    again = decode_block({"$block": "download", **download.to_data()})
    assert again.to_markdown(WHERE) == download.to_markdown(WHERE)
    assert again.to_data() == download.to_data()
    assert again.files() == {}


def test_is_found_beside_the_demo(folder):
    with standing_in(folder.parent.parent, folder.parent):
        assert Download("lab").files() == Download(folder).files()


@pytest.mark.parametrize("path", ["nowhere", "lab/run.py", "lab/empty"])
def test_refuses_what_is_no_folder_of_files(folder, path):
    (folder / "empty").mkdir()
    with standing_in(folder.parent), pytest.raises(GeneratorError):
        Download(path)


def test_needs_a_name(folder):
    with pytest.raises(GeneratorError, match="return it from the demo"):
        Download(folder).to_markdown(Where("note", "", 4))
