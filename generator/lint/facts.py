"""What a note cannot know about its site, as plain data: the second argument of every rule."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from generator.errors import near_names
from generator.frozen import dataclass
from generator.lint.bib import Bibliography

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Delimiter:
    """A pair of marks between which Goldmark hands text on untouched."""

    open: str
    """What opens the formula."""
    close: str
    """What closes it."""
    display: bool
    """Whether the formula stands on lines of its own."""


SCIDRAFT_DELIMITERS = (
    Delimiter("$$", "$$", True),
    Delimiter("\\[", "\\]", True),
    Delimiter("\\(", "\\)", False),
    Delimiter("$", "$", False),
)


@dataclass(frozen=True, slots=True)
class EntrySet:
    """One index of the site, as `[params.entrySets.<name>]` defines it."""

    name: str
    """The name that the index shortcodes take as `set`."""
    title_field: str
    """Front matter key whose presence makes a note an entry."""
    category_field: str = ""
    """Key of the category; blank lands under "Uncategorised"."""
    aliases_field: str = ""
    """Key of the other names."""
    summary_field: str = ""
    """Key of the one-line summary."""

    def fields(self) -> tuple[str, ...]:
        keys = (self.title_field, self.category_field, self.aliases_field, self.summary_field)
        return tuple(key for key in keys if key)


@dataclass(frozen=True, slots=True)
class Facts:
    """The site around a note. `None` means unknown: rules that need the fact stay silent."""

    config: Mapping[str, object] | None = None
    """The site's settings, nested, keys in lower case."""
    config_path: str = "hugo.toml"
    """Where the settings stand."""
    delimiters: tuple[Delimiter, ...] = SCIDRAFT_DELIMITERS
    """The formula delimiters that Goldmark passes through."""
    themes: tuple[str, ...] = ()
    """The site's themes, first one first."""
    shortcodes: Mapping[str, bool] | None = None
    """Every known shortcode, and whether it must be closed."""
    content: frozenset[str] | None = None
    """Files under `content/`, pages and resources."""
    static: frozenset[str] | None = None
    """Files under `static/`."""
    assets: frozenset[str] | None = None
    """Files under `assets/` or mounted there."""
    pages: Mapping[str, frozenset[str]] | None = None
    """Anchors of each published address, such as `/notes/rotary/`."""
    open_sections: tuple[str, ...] = ("/tags/", "/categories/", "/page/")
    """Address prefixes under which Hugo makes pages of its own."""
    hidden_sections: frozenset[str] = frozenset()
    """Folders of `content/` below a main section that hold an `_index.md`."""
    main_sections: tuple[str, ...] = ("notes",)
    """Sections whose notes form the feed."""
    entry_sets: tuple[EntrySet, ...] = ()
    """The site's indexes."""
    bibs: Mapping[str, Bibliography] | None = None
    """Bibliographies by their path under `assets/`."""
    base_path: str = ""
    """The path of the site's address, such as `/lab/`; empty at a root."""
    time_zone: bool = False
    """Whether the site sets `timeZone`, so that dates need no offset."""
    build_future: bool = False
    """Whether the site publishes pages dated in the future."""
    link_hook: bool = False
    """Whether a render hook turns links to `.md` files into addresses."""
    image_hook: bool = False
    """Whether a render hook resolves the addresses of images."""
    now: datetime | None = None
    """The time against which dates are future; `None` leaves them unchecked."""
    formula_errors: Mapping[tuple[str, bool], str] = field(default_factory=dict)
    """What KaTeX says against a formula, by its source and whether it is display math."""
    ignore: frozenset[str] = frozenset()
    """Rules that the site's settings turn off."""

    @property
    def embedded_theme(self) -> bool:
        """Whether formulas become HTML at build time, by the theme that comes along."""
        return self.themes[:1] == ("scidraft-static",)

    def setting(self, dotted: str) -> object:
        """The setting under a dotted name, letter case ignored; `None` where it is not set."""
        value: object = self.config
        for key in dotted.lower().split("."):
            if not isinstance(value, Mapping):
                return None
            value = value.get(key)
        return value

    def including(
        self,
        *,
        pages: Iterable[str] = (),
        static: Iterable[str] = (),
        formula_errors: Mapping[tuple[str, bool], str] | None = None,
    ) -> Facts:
        """The same site with pages and static files that are about to be published."""
        more = dict.fromkeys(pages, frozenset[str]())
        known = self.pages
        if known is not None and more:
            # The site's pages stay unread until they are asked for.
            known = ChainMap(known, more)  # type: ignore[arg-type]  # only looked up
        return replace(
            self,
            pages=known,
            static=None if self.static is None else self.static | frozenset(static),
            formula_errors={**self.formula_errors, **(formula_errors or {})},
        )

    def near_shortcode(self, name: str) -> str:
        return near_names(name, self.shortcodes or ())
