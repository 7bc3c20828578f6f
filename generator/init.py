"""`init`: the settings that a site lacks, added to its configuration; nothing else changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.configuration import Change, write_changes
from generator.errors import Problem
from generator.settings import Settings, load_settings, read_config

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
_COMPONENTS = ("content", "data", "layouts", "i18n", "archetypes", "assets", "static")


def run_init(root: Path, *, dry_run: bool = False) -> int:
    """Show what is missing, and add it; make the folders; change nothing else.

    With `dry_run` it is only shown.
    """
    name, config = read_config(root)
    settings = load_settings(root)
    missing = find_missing(settings, config)
    for change in missing:
        verb = "would add" if dry_run else "adding"
        print(f"{name}: {verb} {change.name} = {_show(change.value)}")
    wrong = _tell_wrong(name, config)
    by_hand = [] if dry_run else write_changes(root, name, missing)
    for text in by_hand:
        print(f"{name}: this one is yours to add:\n{text}")
    made = _make_folders(settings, dry_run=dry_run)
    if (problem := theme_problem(settings, config)) is not None:
        print(f"{problem.path}: {problem.message}: {problem.hint}")
    if not missing and not made and not wrong:
        print("nothing is missing")
    if by_hand or wrong:
        return 1
    told = "nothing was written; without --dry-run it is"
    print(told if dry_run else "next: python -m generator new first-note")
    return 0


def find_missing(settings: Settings, config: Mapping[str, Any]) -> list[Change]:
    """The settings that the site does not have."""
    wanted = {**dict(WANTED), "params.mainSections": [settings.section.split("/")[0]]}
    found = [
        Change(key, value) for key, value in wanted.items() if find_setting(config, key) is None
    ]
    mounts = _missing_mounts(settings, config)
    return [*found, Change("module.mounts", mounts)] if mounts else found


def _missing_mounts(settings: Settings, config: Mapping[str, Any]) -> list[dict[str, str]]:
    """`static` as an assets folder too, so that the theme finds figures under any address.

    Hugo drops its own mounts as soon as one is given: then they are written out as well.
    """
    extra = {"source": settings.static_dir, "target": "assets"}
    given = find_setting(config, "module.mounts") or []
    mounts = [mount for mount in given if isinstance(mount, Mapping)]
    if any(
        {key.lower(): v for key, v in mount.items()}.items() >= extra.items() for mount in mounts
    ):
        return []
    if given:
        return [extra]
    languages = find_setting(config, "languages") or {}
    each = languages.values() if isinstance(languages, Mapping) else ()
    contents = {str(find_setting(about, "contentDir")) for about in each} - {"None"}
    if contents:
        return []  # each language has mounts of its own; `check` reports what is missing
    sources = {
        "content": settings.content_dir,
        "data": settings.data_dir,
        "static": settings.static_dir,
    }
    return [{"source": sources.get(n, n), "target": n} for n in _COMPONENTS] + [extra]


def theme_problem(settings: Settings, config: Mapping[str, Any]) -> Problem | None:
    """What keeps Hugo from publishing any page: a site without a theme and layouts."""
    root = settings.root
    given = find_setting(config, "theme") or []
    names = [given] if isinstance(given, str) else list(given)
    if find_setting(config, "module.imports") or next((root / "layouts").rglob("*.html"), None):
        return None
    folder = root / str(find_setting(config, "themesDir") or "themes")
    missing = [name for name in names if not (folder / name).is_dir()]
    if names and not missing:
        return None
    message = f"the theme `{missing[0]}` is not there" if missing else "no theme is set"
    there = sorted(path.name for path in folder.glob("[!.]*") if path.is_dir())
    put = "" if there else f"put one into {folder.name}/ and "
    line = f'theme = "{there[0] if there else "its-name"}"'
    hint = f"{put}set `{line}` above the first table; without a theme, pages are empty"
    return Problem(settings.config, 0, message, hint, "theme", "warning")


def _tell_wrong(name: str, config: Mapping[str, Any]) -> bool:
    """Switches that stand the other way: somebody meant that, so they are only told."""
    wrong = False
    for key, value in WANTED:
        found = find_setting(config, key)
        if found is not None and isinstance(value, bool) and found is not value:
            print(
                f"{name}: {key} is {_show(found)}; SciDraft needs {_show(value)}: change it by hand"
            )
            wrong = True
    return wrong


def _make_folders(settings: Settings, *, dry_run: bool) -> list[str]:
    made = [
        path
        for path in (settings.notes_templates, settings.demos)
        if not (settings.root / path).is_dir()
    ]
    for path in made:
        if not dry_run:
            (settings.root / path).mkdir(parents=True)
        print(f"{'would make' if dry_run else 'made'} {path}/")
    return made


def find_setting(config: Mapping[str, Any], dotted: str) -> Any:
    """The setting's value, letter case ignored; None where it is not set."""
    value: Any = config
    for key in dotted.split("."):
        if not isinstance(value, Mapping):
            return None
        value = next((v for k, v in value.items() if k.lower() == key.lower()), None)
    return value


def _show(value: Any) -> str:
    import tomlkit

    if isinstance(value, list) and value and isinstance(value[0], dict):
        return ", ".join(f"{mount['source']} as {mount['target']}" for mount in value)
    return str(tomlkit.item(value).as_string()).strip().replace("\n", "; ")
