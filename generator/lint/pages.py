"""What kind of page a note is."""

from __future__ import annotations

from generator.lint.facts import Facts
from generator.lint.note import Note


def is_section_page(note: Note) -> bool:
    """Whether it describes a section rather than being a note."""
    return note.name.startswith("_index.")


def is_feed_note(note: Note, facts: Facts) -> bool:
    """Whether it lies in one of the sections that form the feed."""
    section = note.content_path.split("/", 1)[0] if "/" in note.content_path else ""
    return section in facts.main_sections and not is_section_page(note)


def is_readable(note: Note) -> bool:
    """Whether its front matter is there and can be read."""
    return bool(note.front.language) and not note.front.fault
