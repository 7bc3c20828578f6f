"""Settings: what Hugo's configuration says, in whichever form it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import UsageError
from generator.settings import Settings, load_settings


def load(root: Path, files: dict[str, str]) -> Settings:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return load_settings(root)


def test_defaults_suit_a_site_that_says_nothing(tmp_path: Path) -> None:
    settings = load(tmp_path, {"hugo.toml": ""})
    assert settings == Settings(tmp_path)
    assert settings.notes_templates == "templates/notes"
    assert settings.content_path("a.md") == "content/notes/a.md"
    assert settings.record_path("a") == "data/notes/a.json"
    assert settings.figure_path("a", "f.svg") == "static/figures/a/f.svg"


@pytest.mark.parametrize(
    "files",
    [
        {"hugo.toml": 'contentDir = "c"\n[params.generator]\nsignificantDigits = 6\n'},
        {"hugo.yaml": "contentDir: c\nparams: {generator: {significantDigits: 6}}\n"},
        {"hugo.json": '{"contentDir": "c", "params": {"generator": {"significantDigits": 6}}}'},
        {"config.toml": 'contentdir = "c"\n[Params.Generator]\nsignificantDigits = 6\n'},
        {
            "config/_default/hugo.toml": 'contentDir = "c"',
            "config/_default/params.toml": "[generator]\nsignificantDigits = 6\n",
        },
    ],
    ids=lambda files: next(iter(files)),
)
def test_each_form_of_the_configuration(tmp_path: Path, files: dict[str, str]) -> None:
    settings = load(tmp_path, files)
    assert (settings.content_dir, settings.significant_digits) == ("c", 6)
    assert set(files) <= set(settings.config_files)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = ", "not TOML"),
        ("[params]\ngenerator = 1\n", "`params.generator` is not a table"),
        ("[params.generator]\nsignificantDigit = 1\n", "did you mean `significantDigits`"),
        ("[params.generator]\nsignificantDigits = 'x'\n", "is not a int"),
        ("[params.generator]\nsignificantDigits = 40\n", "is not from 1 to 17"),
        ("[params.generator]\ntimeout = true\n", "is not a float"),
        ("[params.generator]\ntemplates = '/etc'\n", "is not a folder inside the site"),
        ("[params.generator]\ndemos = 'a/../..'\n", "is not a folder inside the site"),
        ("[params.generator]\nfigures = ''\n", "is not a folder inside the site"),
        ("contentDir = '../x'\n", "is not a folder inside the site"),
        ("[params.generator]\nroot = 'x'\n", "unknown setting"),
        ("[params.generator]\ncontent_dir = 'x'\n", "unknown setting"),
    ],
)
def test_what_is_wrong_is_a_usage_error(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load(tmp_path, {"hugo.toml": text})


def test_a_folder_without_configuration_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no hugo\.toml"):
        load_settings(tmp_path)


def test_a_whole_number_of_seconds_is_a_time(tmp_path: Path) -> None:
    assert load(tmp_path, {"hugo.toml": "[params.generator]\ntimeout = 5\n"}).timeout == 5.0
