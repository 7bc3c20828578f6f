"""What a site's and its themes' layouts bring along: shortcodes and render hooks."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from generator.site_pages import walk_files

HUGO_SHORTCODES = {
    **dict.fromkeys(("details", "highlight"), True),
    **dict.fromkeys(("comment", "figure", "gist", "instagram", "param", "qr"), False),
    **dict.fromkeys(("ref", "relref", "tweet", "twitter", "vimeo", "x", "youtube"), False),
    **dict.fromkeys(("instagram_simple", "twitter_simple", "vimeo_simple"), False),
}
"""Hugo's own, and whether each must be closed."""
SCIDRAFT_SHORTCODES = {
    "preview": True,
    **dict.fromkeys(("references", "entry-a-to-z", "entry-categories"), False),
}


def find_shortcodes(folders: Sequence[str]) -> Mapping[str, bool] | None:
    """Every shortcode, and whether it must be closed; unknown where a theme is not there."""
    if not all(map(os.path.isdir, folders)):
        return None
    found = {**HUGO_SHORTCODES, **SCIDRAFT_SHORTCODES}
    for folder in folders:
        for layouts in ("shortcodes", "_shortcodes"):
            root = f"{folder}/layouts/{layouts}"
            for path in walk_files(root):
                below, _, name = path.rpartition("/")
                plain = name.split(".")[0]
                with open(f"{root}/{path}", encoding="utf-8", errors="replace") as stream:
                    found[f"{below}/{plain}" if below else plain] = ".Inner" in stream.read()
    return found


def has_hook(folders: Sequence[str], kind: str) -> bool:
    """Whether a render hook for links or images is there."""
    return any(
        f"_markup/render-{kind}" in path
        for folder in folders
        for path in walk_files(f"{folder}/layouts")
    )
