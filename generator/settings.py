"""The site's settings: what `hugo.toml` says of the generator and of the folders."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from generator.errors import Problem, UsageError, near_names
from generator.frozen import dataclass

CONFIG_NAMES = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one site; paths are POSIX and relative to it."""

    root: Path
    """The site's folder."""
    templates: str = "templates"
    """Folder of the templates; notes are in its `notes/`, macros anywhere in it."""
    demos: str = "demos"
    """Folder of the demos."""
    section: str = "notes"
    """The content section where notes are published."""
    figures: str = "figures"
    """Folder of the figures under `static/`."""
    significant_digits: int = 4
    """Significant digits of a number that states none."""
    timeout: float = 300.0
    """Seconds after which a demo is stopped."""
    memory: int = 0
    """Memory that a demo may take, in MiB; 0 for no bound."""
    provenance: bool = True
    """Whether pages end with "How this was computed"."""
    source_url: str = ""
    """Address under which the site's sources can be read; the sources' links start with it."""
    content_dir: str = "content"
    """Hugo's `contentDir`."""
    static_dir: str = "static"
    """Hugo's first `staticDir`."""
    data_dir: str = "data"
    """Hugo's `dataDir`."""
    config: str = "hugo.toml"
    """The file that the settings come from."""

    @property
    def config_files(self) -> tuple[str, ...]:
        """The files that the settings come from, and the folder that more could come to."""
        folder = self.root / "config" / "_default"
        more = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
        files = [self.config] if self.config != "config/_default" else []
        return (*files, "config/_default", *(f"config/_default/{name}" for name in more))

    @property
    def notes_templates(self) -> str:
        return f"{self.templates}/notes"

    def content_path(self, place: str) -> str:
        return f"{self.content_dir}/{self.section}/{place}"

    def record_path(self, slug: str) -> str:
        return f"{self.data_dir}/notes/{slug}.json"

    def figure_path(self, slug: str, name: str) -> str:
        return f"{self.static_dir}/{self.figures}/{slug}/{name}"


_CAMEL = {"significantDigits": "significant_digits", "sourceURL": "source_url"}
_FROM_HUGO = {"contentDir": "content_dir", "dataDir": "data_dir", "staticDir": "static_dir"}
_ELSEWHERE = {"lint"}
"""Tables of `[params.generator]` that other modules read."""


def load_settings(root: Path) -> Settings:
    """The settings of the site in `root`.

    Raises UsageError when there is no configuration, or one that is not valid.
    """
    name, config = read_config(root)
    values: dict[str, Any] = {"root": root, "config": name}
    for theirs, ours in _FROM_HUGO.items():
        found = _lookup(config, theirs)
        if isinstance(found, list) and found:
            found = found[0]
        if isinstance(found, str):
            values[ours] = _checked_folder(name, theirs, found)
    if (folder := _language_folder(config)) is not None:
        values["content_dir"] = _checked_folder(name, "contentDir", folder)
    params = _lookup(config, "params") or {}
    if not isinstance(params, Mapping):
        raise UsageError(Problem(name, 0, "`params` is not a table"))
    own = _lookup(params, "generator") or {}
    if not isinstance(own, Mapping):
        raise UsageError(Problem(name, 0, "`params.generator` is not a table"))
    for key, value in own.items():
        if key not in _ELSEWHERE:
            values.update([_checked_setting(name, str(key), value)])
    return Settings(**values)


def _language_folder(config: Mapping[str, Any]) -> str | None:
    """The default language's own `contentDir`: where Hugo then looks for pages."""
    languages = _lookup(config, "languages")
    if not isinstance(languages, Mapping):
        return None
    default = str(_lookup(config, "defaultContentLanguage") or "en")
    about = _lookup(languages, default)
    found = _lookup(about, "contentDir") if isinstance(about, Mapping) else None
    return found if isinstance(found, str) else None


def read_config(root: Path) -> tuple[str, dict[str, Any]]:
    """Hugo's configuration (its name and its content): one file, `config/_default/`, or both."""
    folder = root / "config" / "_default"
    more = _read_config_folder(folder) if folder.is_dir() else {}
    for name in CONFIG_NAMES:
        path = root / name
        if path.is_file():
            return name, _merged(_parse_config(path, name), more)
    if folder.is_dir():
        return "config/_default", more
    hint = "run in the site, or --site DIR; `hugo new site NAME` makes one"
    raise UsageError(Problem("", 0, "no Hugo site here: there is no hugo.toml", hint))


def _merged(base: dict[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `more` on top, table by table, as Hugo does."""
    merged = dict(base)
    for key, value in more.items():
        own = next((name for name in merged if name.lower() == key.lower()), key)
        before = merged.get(own)
        if isinstance(before, dict) and isinstance(value, Mapping):
            value = _merged(before, value)
        merged[own] = value
    return merged


def _read_config_folder(folder: Path) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix not in (".toml", ".yaml", ".yml", ".json"):
            continue
        content = _parse_config(path, f"config/_default/{path.name}")
        if path.stem in ("hugo", "config"):
            merged = {**content, **merged}
        else:
            merged[path.stem] = content
    return merged


def _parse_config(path: Path, name: str) -> dict[str, Any]:
    try:
        text = path.read_text("utf-8", "replace")
    except OSError as error:
        raise UsageError(Problem(name, 0, f"can't be read: {error.strerror}")) from None
    try:
        if path.suffix == ".toml":
            return tomllib.loads(text)
        loaded = _with_text_keys(load_yaml(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(Problem(name, 0, f"not TOML: {error}")) from None
    except Exception as error:  # yaml's base class is only known once it is imported
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        reason = getattr(error, "problem", None) or error
        raise UsageError(Problem(name, line, f"not YAML: {reason}")) from None
    if not isinstance(loaded, dict | None):
        raise UsageError(Problem(name, 0, "the configuration is not a mapping"))
    return loaded or {}


def load_yaml(text: str) -> Any:
    """The value of a YAML text, by libyaml where it is there: nested brackets take the other loader
    seconds. Raises what PyYAML raises, and what the constructors of its tags and dates do."""
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # safe either way


def _with_text_keys(value: Any, depth: int = 50) -> Any:
    """The value with all keys as text: YAML has numbers, dates and nothing for keys too.

    Raises ValueError for a value that holds itself.
    """
    if not depth:
        raise ValueError("it is nested too deeply, or refers to itself")
    if isinstance(value, Mapping):
        return {str(key): _with_text_keys(item, depth - 1) for key, item in value.items()}
    return [_with_text_keys(v, depth - 1) for v in value] if isinstance(value, list) else value


def _lookup(table: Mapping[str, Any], key: str) -> Any:
    """Hugo's keys are read in any letter case."""
    return next((value for name, value in table.items() if name.lower() == key.lower()), None)


def _checked_setting(name: str, key: str, value: Any) -> tuple[str, Any]:
    known = {
        field.name: field for field in fields(Settings) if field.name not in ("root", "config")
    }
    ours = _CAMEL.get(key, key)
    if ours not in known or ours in _FROM_HUGO.values():
        names = [k for k in known if k not in _CAMEL.values()] + [*_CAMEL]
        hint = near_names(key, names) or "the settings are " + ", ".join(sorted(names))
        raise UsageError(Problem(name, 0, f"unknown setting `params.generator.{key}`", hint))
    default = known[ours].default
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not type(default):
        wanted = type(default).__name__
        raise UsageError(Problem(name, 0, f"`params.generator.{key}` is not a {wanted}: {value!r}"))
    if ours in ("templates", "demos", "section", "figures"):
        value = _checked_folder(name, key, str(value))
    if ours == "significant_digits" and not 1 <= value <= 17:
        raise UsageError(Problem(name, 0, f"`params.generator.{key}` is not from 1 to 17: {value}"))
    return ours, value


def _checked_folder(name: str, key: str, value: str) -> str:
    parts = value.replace("\\", "/").strip("/").split("/")
    if value.startswith("/") or not all(parts) or ".." in parts:
        message = f"`{key}` is not a folder inside the site: {value!r}"
        raise UsageError(Problem(name, 0, message, "give a path relative to the site"))
    return "/".join(parts)
