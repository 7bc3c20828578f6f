"""Add settings to Hugo's configuration, TOML or YAML, and leave the rest as it is."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from generator.errors import Problem, UsageError
from generator.frozen import dataclass
from generator.publish import write_file
from generator.settings import load_yaml


@dataclass(frozen=True, slots=True)
class Change:
    """One setting to add."""

    name: str
    """Its dotted name."""
    value: Any
    """Its value; a list of tables is added to what there is."""

    @property
    def table(self) -> str:
        """The table at the top that it belongs to."""
        return self.name.split(".")[0]


def write_changes(root: Path, name: str, changes: Sequence[Change]) -> list[str]:
    """Write the settings; those that can't be written come back, as text to add by hand."""
    left: list[str] = []
    for path, stem, own in _files(root, name, changes):
        text = (root / path).read_bytes().decode("utf-8") if (root / path).exists() else ""
        if path.endswith(".toml"):
            try:
                new = add_toml(text, own, stem)
            except ValueError as error:
                hint = "add by hand what `init --dry-run` shows"
                message = f"no setting can be added: {error}"
                raise UsageError(Problem(path, 0, message, hint)) from None
        elif path.endswith((".yaml", ".yml")):
            new, by_hand = add_yaml(text, own, stem)
            left += by_hand
        else:
            new, by_hand = text, [_yaml(change) for change in own]
            left += by_hand
        if new != text:
            write_file(root, path, new.encode("utf-8"))
    return left


def _files(
    root: Path, name: str, changes: Sequence[Change]
) -> Iterable[tuple[str, str, list[Change]]]:
    """The file that each setting belongs into: its own table's in `config/_default/`."""
    if not name.startswith("config/"):
        yield (name, "", list(changes))
        return
    there = sorted(path.name for path in (root / name).iterdir())
    main = next((file for file in there if file.split(".")[0] in ("hugo", "config")), "hugo.toml")
    chosen: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        file = next((file for file in there if file.split(".")[0] == change.table), "")
        place = (f"{name}/{file}", change.table) if file else (f"{name}/{main}", "")
        chosen.setdefault(place, []).append(change)
    for (path, stem), own in chosen.items():
        yield (path, stem, own)


def add_toml(text: str, changes: Iterable[Change], stem: str = "") -> str:
    """The TOML text with settings added; comments and order of the rest stay.

    In a file that holds one table only, `stem` is that table's name. Raises ValueError where a
    table is wanted and something else is there.
    """
    import tomlkit

    document = tomlkit.parse(text)
    for change in changes:
        *tables, key = change.name.removeprefix(f"{stem}." if stem else "").split(".")
        table: Any = document
        for i, name in enumerate(tables):
            found = next((own for own in table if own.lower() == name.lower()), None)
            if found is None:
                table.add(name, tomlkit.table(is_super_table=i < len(tables) - 1))
                found = name
            table = table[found]
            if not isinstance(table, MutableMapping):
                raise ValueError(f"`{found}` is not a table")
        if isinstance(change.value, list) and change.value and isinstance(change.value[0], dict):
            _add_tables(table, key, change.value)
        else:
            table.add(key, change.value)
    return tomlkit.dumps(document)


def _add_tables(table: Any, key: str, values: list[dict[str, str]]) -> None:
    """Add to an array of tables, in brackets or under headers, as it is written."""
    import tomlkit

    found = next((own for own in table if own.lower() == key.lower()), None)
    array = tomlkit.aot() if found is None else table[found]
    in_brackets = isinstance(array, tomlkit.items.Array)
    if not isinstance(array, tomlkit.items.AoT) and not in_brackets:
        raise ValueError(f"`{found}` is not an array of tables")
    for value in values:
        item = tomlkit.inline_table() if in_brackets else tomlkit.table()
        item.update(value)
        array.append(item)
    if found is None:
        table.add(key, array)


def add_yaml(text: str, changes: Iterable[Change], stem: str = "") -> tuple[str, list[str]]:
    """The YAML text with new tables at its end; what belongs into existing ones, by hand."""
    import yaml

    there = {str(key).lower() for key in (load_yaml(text) or ())}
    new: dict[str, Any] = {}
    left: list[str] = []
    for change in changes:
        short = change.name.removeprefix(f"{stem}." if stem else "")
        if short.split(".")[0].lower() in there:
            left.append(_yaml(change))
            continue
        *tables, key = short.split(".")
        table = new
        for name in tables:
            table = table.setdefault(name, {})
        table[key] = change.value
    if not new:
        return text, left
    added = yaml.safe_dump(new, sort_keys=False, allow_unicode=True)
    return f"{text.rstrip()}\n{added}" if text.strip() else added, left


def _yaml(change: Change) -> str:
    import yaml

    value: Any = change.value
    for name in reversed(change.name.split(".")):
        value = {name: value}
    return str(yaml.safe_dump(value, sort_keys=False, allow_unicode=True)).rstrip()
