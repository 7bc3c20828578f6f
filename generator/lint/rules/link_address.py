"""Links that lead elsewhere on a card or under a path."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.addresses import is_local
from generator.lint.facts import Facts
from generator.lint.note import Note
from generator.lint.pages import is_feed_note
from generator.lint.rule import Finding, Rule


def _check(note: Note, facts: Facts) -> Iterator[Finding]:
    if facts.link_hook:
        return
    for link in note.spans("link"):
        target = link.target
        if note.shortcode_at(link.at, link.end) or not is_local(target) or ".md" in target:
            continue
        if not target.startswith("/"):
            if not is_feed_note(note, facts):
                continue
            message = f"`{target}` leads elsewhere from a card of the feed"
            yield Finding(link.target_at, message, _HINT)
        elif facts.base_path and not target.startswith(facts.base_path):
            message = f"`{target}` leaves the site's path `{facts.base_path}`"
            yield Finding(link.target_at, message, _HINT)


_HINT = 'write `{{< relref "page" >}}` as the address'

RULE = Rule(
    "link-address",
    "warning",
    "A link that does not lead to the same page from everywhere",
    "A note is shown on its own page and as a card on others, from where a relative link leads "
    "elsewhere; and where the site lives under a path, a link that begins with `/` leaves it. A "
    "theme with a render hook for links mends both.",
    _check,
)
