"""Gathers the facts about a site that the linter's rules need: the only part of it that reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import UsageError
from generator.lint.bib import Bibliography, read_bibliography
from generator.lint.facts import SCIDRAFT_DELIMITERS, Delimiter, EntrySet, Facts
from generator.settings import read_config
from generator.site_layouts import find_shortcodes, has_hook
from generator.site_pages import SitePages, walk_files

if TYPE_CHECKING:
    from datetime import datetime


def gather_facts(site: Path, *, now: datetime | None = None) -> Facts:
    """All that the rules may ask about the site in a folder.

    A folder without Hugo's configuration gives the facts of which nothing is known. `now` is passed
    on; without it no date counts as future. Raises UsageError when the configuration is not valid.
    """
    try:
        name, raw = read_config(site)
    except UsageError:
        if any((site / known).exists() for known in ("hugo.toml", "config", "hugo.yaml")):
            raise
        return Facts(now=now)
    config = _lower(raw)
    facts = Facts(config=config, config_path=name, now=now)
    themes = _themes(facts)
    root = str(site)
    folders = [f"{root}/{_text(facts, 'themesDir', 'themes')}/{theme}" for theme in themes]
    layouts = [*folders, root]
    static = _mounted(root, folders, facts, "static")
    assets = _mounted(root, folders, facts, "assets")
    content = f"{root}/{_text(facts, 'contentDir', 'content')}"
    files = frozenset(walk_files(content))
    return replace(
        facts,
        delimiters=_delimiters(facts),
        themes=themes,
        shortcodes=None if facts.setting("module.imports") else find_shortcodes(layouts),
        content=files,
        static=frozenset(static),
        assets=frozenset(assets),
        pages=_pages(root, content, files, facts),
        open_sections=_open_sections(facts),
        hidden_sections=_hidden_sections(files),
        main_sections=_main_sections(facts),
        entry_sets=_entry_sets(raw),
        bibs=_bibliographies(assets),
        base_path=_base_path(facts),
        time_zone=bool(facts.setting("timeZone")),
        build_future=facts.setting("buildFuture") is True,
        link_hook=_has_hook(layouts, facts, "link"),
        image_hook=_has_hook(layouts, facts, "image") or "scidraft" in themes,
        ignore=frozenset(_strings(facts.setting("params.generator.lint.ignore"))),
    )


def _lower(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key).lower(): _lower(item) for key, item in value.items()}
    return [_lower(item) for item in value] if isinstance(value, list) else value


def _strings(value: object) -> list[str]:
    found = value if isinstance(value, list) else [value]
    return [item for item in found if isinstance(item, str) and item]


def _text(facts: Facts, setting: str, default: str) -> str:
    value = facts.setting(setting)
    return value if isinstance(value, str) and value else default


def _themes(facts: Facts) -> tuple[str, ...]:
    return tuple(_strings(facts.setting("theme")))


def _mounted(site: str, themes: list[str], facts: Facts, kind: str) -> dict[str, str]:
    """The files that Hugo sees under `static` or `assets`: the site's, its mounts', the themes'."""
    own = _text(facts, f"{kind}Dir", kind)
    sources = [(f"{theme}/{kind}", "") for theme in themes] + [(f"{site}/{own}", "")]
    mounts = facts.setting("module.mounts")
    for mount in mounts if isinstance(mounts, list) else ():
        if not isinstance(mount, Mapping):
            continue
        target = str(mount.get("target", "")).strip("/")
        if target == kind or target.startswith(kind + "/"):
            below = target[len(kind) :].strip("/")
            sources.append((f"{site}/{mount.get('source', '')}", f"{below}/" if below else ""))
    return {
        prefix + path: f"{folder}/{path}"
        for folder, prefix in dict.fromkeys(sources)
        for path in walk_files(folder)
    }


def _delimiters(facts: Facts) -> tuple[Delimiter, ...]:
    base = "markup.goldmark.extensions.passthrough"
    if facts.setting(f"{base}.enable") is not True:
        # The missing setting is told; that the notes' formulas are meant as such goes without.
        return SCIDRAFT_DELIMITERS
    found = []
    for name, display in (("block", True), ("inline", False)):
        pairs = facts.setting(f"{base}.delimiters.{name}")
        for pair in pairs if isinstance(pairs, list) else ():
            if isinstance(pair, list) and len(pair) == 2 and all(_strings(pair)):
                found.append(Delimiter(str(pair[0]), str(pair[1]), display))
    return tuple(found)


def _has_hook(folders: list[str], facts: Facts, kind: str) -> bool:
    embedded = facts.setting(f"markup.goldmark.renderHooks.{kind}.useEmbedded")
    return embedded in ("always", "fallback") or has_hook(folders, kind)


def _pages(site: str, content: str, files: frozenset[str], facts: Facts) -> SitePages | None:
    """The site's pages; unknown where the settings move addresses."""
    moved = ("permalinks", "languages", "uglyURLs", "disablePathToLower", "relativeURLs")
    if any(facts.setting(name) for name in moved):
        return None
    templates = f"{site}/{_text(facts, 'params.generator.templates', 'templates')}/notes"
    section = _text(facts, "params.generator.section", "notes")
    sources = [(path, f"{content}/{path}") for path in sorted(files)]
    sources += [(f"{section}/{path}", f"{templates}/{path}") for path in walk_files(templates)]
    return SitePages(sources)


def _open_sections(facts: Facts) -> tuple[str, ...]:
    taxonomies = facts.setting("taxonomies")
    names = taxonomies.values() if isinstance(taxonomies, Mapping) else ("tags", "categories")
    return (*(f"/{name}/" for name in names), "/page/")


def _hidden_sections(files: frozenset[str]) -> frozenset[str]:
    indexes = (path.removesuffix("/_index.md") for path in files if path.endswith("/_index.md"))
    return frozenset(folder for folder in indexes if "/" in folder)


def _main_sections(facts: Facts) -> tuple[str, ...]:
    given = facts.setting("params.mainSections") or facts.setting("mainSections")
    return tuple(_strings(given)) or ("notes",)


def _entry_sets(config: Mapping[str, Any]) -> tuple[EntrySet, ...]:
    """The indexes; their names and fields keep their letter case."""
    params = _table(config, "params")
    sets = _table(params, "entrysets")
    found = []
    for name, fields in sets.items():
        if not isinstance(fields, Mapping):
            continue
        lower = {str(key).lower(): str(value) for key, value in fields.items()}
        keys = ("titlefield", "categoryfield", "aliasesfield", "summaryfield")
        found.append(EntrySet(str(name), *(lower.get(key, "") for key in keys)))
    return tuple(entry_set for entry_set in found if entry_set.title_field)


def _table(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = next((value for key, value in config.items() if key.lower() == name), None)
    return found if isinstance(found, Mapping) else {}


def _read(file: str) -> str:
    with open(file, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def _bibliographies(assets: Mapping[str, str]) -> dict[str, Bibliography]:
    return {
        path: read_bibliography(_read(file))
        for path, file in sorted(assets.items())
        if path.endswith(".bib")
    }


def _base_path(facts: Facts) -> str:
    address = str(facts.setting("baseURL") or "").split("://")[-1]
    path = address.partition("/")[2].strip("/")
    return f"/{path}/" if path else ""
