"""File trees: order, comments, depth, what is left out, hostile names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.blocks.base import Where
from generator.blocks.filetree import FileTree
from generator.errors import GeneratorError

HERE = Where("note", "tree", 4)


def show(tree: FileTree) -> list[str]:
    return tree.to_markdown(HERE).splitlines()


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    files = {
        "README.md": "# What the lab shows\n\ntext\n",
        "softmax.py": '"""The softmax, naive and shifted.\n\nMore.\n"""\n',
        "Apply.py": "import sys\n",
        "data/logits.csv": "score,count\n1,2\n3,4\n",
        "data/deep/x.txt": "no comment\n",
        "run.sh": "#!/bin/sh\n# Runs it all\n",
        ".hidden": "",
        "__pycache__/softmax.cpython-311.pyc": "",
        "lab.egg-info/PKG-INFO": "",
    }
    for name, text in files.items():
        path = tmp_path / "lab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "lab"


def test_folders_come_first_and_comments_stand_in_one_column(lab: Path) -> None:
    assert show(FileTree(lab)) == [
        "```bash",
        "lab/",
        "├── data/",
        "│   ├── deep/",
        "│   │   └── x.txt",
        "│   └── logits.csv  # 2 rows: score, count",
        "├── Apply.py",
        "├── README.md       # What the lab shows",
        "├── run.sh          # Runs it all",
        "└── softmax.py      # The softmax, naive and shifted.",
        "```",
    ]


def test_a_long_name_does_not_push_the_comments_of_the_others_away(lab: Path) -> None:
    (lab / ("long" * 12 + ".py")).write_text('"""Long."""\n')
    (lab / ("long" * 6 + "_without_a_comment.bin")).write_bytes(b"")
    lines = show(FileTree(lab))
    assert "└── softmax.py      # The softmax, naive and shifted." in lines
    assert "├── " + "long" * 12 + ".py  # Long." in lines


def test_depth_comments_and_ignore(lab: Path) -> None:
    tree = FileTree(lab, depth=1, comments=False, ignore=["*.sh", "README.*"])
    assert show(tree)[1:-1] == ["lab/", "├── data/", "├── Apply.py", "└── softmax.py"]
    assert "deep" not in FileTree(lab, ignore="data/deep").to_markdown(HERE)


def test_the_authors_comments_come_before_the_files(lab: Path) -> None:
    lines = show(FileTree(lab, comments={"Apply.py": "Applies it", ".": "All of it"}))
    assert lines[1] == "lab/                # All of it"
    assert "├── Apply.py        # Applies it" in lines
    assert any("The softmax" in line for line in lines)
    with pytest.raises(GeneratorError, match=r"no `aply\.py` in the tree"):
        FileTree(lab, comments={"aply.py": "x"})


def test_a_folder_that_is_not_opened_speaks_through_its_package(lab: Path) -> None:
    (lab / "data" / "__init__.py").write_text('"""Readers of the data."""\n')
    closed, opened = (FileTree(lab, depth=depth).to_markdown(HERE) for depth in (1, 2))
    assert "├── data/       # Readers of the data." in closed
    assert opened.count("Readers of the data.") == 1


def test_the_order_does_not_depend_on_the_file_system(lab: Path) -> None:
    before = show(FileTree(lab))
    for name in ("zz", "aa"):
        (lab / name).write_text("")
        (lab / name).unlink()
    assert show(FileTree(lab)) == before


def test_links_are_not_followed(lab: Path) -> None:
    (lab / "loop").symlink_to(lab, target_is_directory=True)
    assert "├── loop" in show(FileTree(lab))


def test_hostile_names_stay_on_their_line(lab: Path) -> None:
    for name in ("a\nb", "```", "{{< x >}}", "tab\there", "# no comment", "é", "\u202egnp.exe"):
        (lab / name).write_text("")
    markdown = FileTree(lab).to_markdown(HERE)
    assert r"a\nb" in markdown and r"tab\there" in markdown and r"\u202egnp.exe" in markdown
    assert "{{<" not in markdown and "&#123;&#123;&lt; x &gt;}}" in markdown
    (lab / "{{< x >}}").unlink()
    lines = show(FileTree(lab))
    assert (lines[0], lines[-1]) == ("````bash", "````")


def test_a_record_gives_the_same_markdown(lab: Path) -> None:
    tree = FileTree(lab)
    again = FileTree.from_data(json.loads(json.dumps(tree.to_data())))
    assert again.to_markdown(HERE) == tree.to_markdown(HERE)
    assert str(lab.parent) not in json.dumps(tree.to_data())


@pytest.mark.parametrize(
    ("path", "message"),
    [("nowhere", "no `nowhere`"), ("README.md", "is not a folder"), ("empty", "nothing to show")],
)
def test_refused(lab: Path, monkeypatch: pytest.MonkeyPatch, path: str, message: str) -> None:
    (lab / "empty").mkdir()
    monkeypatch.chdir(lab)
    with pytest.raises(GeneratorError, match=message):
        FileTree(path)
