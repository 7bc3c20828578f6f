"""`init`: the settings that a site lacks, written into its `hugo.toml` without touching the rest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.errors import Problem, UsageError
from generator.publish import write_file
from generator.settings import read_config

WANTED: tuple[tuple[str, Any], ...] = (
    ("markup.goldmark.extensions.passthrough.enable", True),
    (
        "markup.goldmark.extensions.passthrough.delimiters",
        {"block": [["$$", "$$"], ["\\[", "\\]"]], "inline": [["\\(", "\\)"], ["$", "$"]]},
    ),
    ("markup.goldmark.renderer.unsafe", True),
    ("markup.goldmark.parser.attribute.block", True),
    ("markup.highlight.noClasses", False),
    ("outputs.home", ["HTML", "RSS", "JSON"]),
    ("taxonomies.tag", "tags"),
    ("params.mainSections", ["notes"]),
    ("params.math", True),
)
"""What SciDraft needs of the site itself, since Hugo takes it from no theme."""


def run_init(root: Path) -> int:
    """Add what is missing, after showing it; make the folders; change nothing else."""
    name, config = read_config(root)
    missing = [(key, value) for key, value in WANTED if find_setting(config, key) is None]
    for key, value in missing:
        print(f"{name}: adding {key} = {_show(value)}")
    for key, value in WANTED:
        found = find_setting(config, key)
        if found is not None and isinstance(value, bool) and found is not value:
            print(f"{name}: {key} is {_show(found)}; SciDraft needs {_show(value)}: change it by hand")
    if missing:
        _write(root, name, missing)
    folders = [path for path in ("templates/notes", "demos") if not (root / path).is_dir()]
    for path in folders:
        (root / path).mkdir(parents=True)
        print(f"made {path}/")
    if not missing and not folders:
        print("nothing is missing")
    print("next: python -m generator new first-note")
    return 0


def find_setting(config: Mapping[str, Any], dotted: str) -> Any:
    """The setting's value, letter case ignored; None where it is not set."""
    value: Any = config
    for key in dotted.split("."):
        if not isinstance(value, Mapping):
            return None
        value = next((v for k, v in value.items() if k.lower() == key.lower()), None)
    return value


def _write(root: Path, name: str, missing: list[tuple[str, Any]]) -> None:
    if not name.endswith(".toml"):
        hint = "add the settings above there by hand"
        raise UsageError(Problem(name, 0, "`init` writes to a single hugo.toml only", hint))
    text = (root / name).read_bytes().decode("utf-8")
    write_file(root, name, add_settings(text, missing).encode("utf-8"))


def add_settings(text: str, missing: list[tuple[str, Any]]) -> str:
    """The TOML text with settings added; comments and order of the rest stay."""
    import tomlkit

    document = tomlkit.parse(text)
    for dotted, value in missing:
        *tables, key = dotted.split(".")
        table: Any = document
        for i, name in enumerate(tables):
            found = next((own for own in table if own.lower() == name.lower()), None)
            if found is None:
                table.add(name, tomlkit.table(is_super_table=i < len(tables) - 1))
                found = name
            table = table[found]
        table.add(key, value)
    return tomlkit.dumps(document)


def _show(value: Any) -> str:
    import tomlkit

    return str(tomlkit.item(value).as_string()).strip().replace("\n", "; ")
