"""Plain text made safe for Markdown, HTML and TeX, so that the page shows it to the letter."""

from __future__ import annotations

import re

from generator.values.kinds import Refused

_ALWAYS = frozenset("\\`_{}[]~\"'$")
_IN_CONTEXT = frozenset(".,;:()-+=/%?<>&*!|#^@")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_SPACE = re.compile(r"[ \t\r\n\x85\u2028\u2029]+")
_SAFE_TEX = re.compile(r"[A-Za-z0-9 .,()_%#&:;/+=?!-]*")
_TEX_ESCAPES = str.maketrans({"_": r"\_", "%": r"\%", "#": r"\#", "&": r"\&{}"})
_SCHEME = re.compile(r"[\s\x00-\x20]*([A-Za-z][A-Za-z0-9+.-]*):")
STRICT_FENCES = frozenset({"pseudo-algorithm", "mermaid"})
"""Fences that another program reads: only plain words and numbers are safe in them."""
SAFE_SCHEMES = frozenset({"http", "https", "mailto", "ftp", "tel"})


def check_text(text: str) -> str:
    """The text; raises `Refused` where it holds characters that no page can show."""
    if match := _CONTROL.search(text):
        raise Refused(
            f"the text holds the control character U+{ord(match[0]):04X}",
            "clean the text in the demo, or print `repr(…)` of it",
        )
    return text


def fold_space(text: str) -> str:
    """The text on one line: HTML shows any run of white space as one space."""
    return _SPACE.sub(" ", text)


def entity(char: str) -> str:
    return f"&#{ord(char)};"


def escape_markdown(text: str, *, spans: bool = True, in_table: bool = True) -> str:
    """Text for where Markdown is read. With `spans`, `$` and `\\` get an element of their own,
    which keeps scripts that typeset math in the page from pairing them up. `in_table` says that a
    `|` would end a cell."""
    text = fold_space(text)
    escaped = "".join(_escape_char(text, index, spans) for index in range(len(text)))
    return escaped.replace("|", entity("|")) if in_table else escaped


def _escape_char(text: str, index: int, spans: bool) -> str:
    char = text[index]
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    if char in "$\\" and spans:
        return f"<span>{entity(char)}</span>"
    if char == "_" and before.isalnum() and after.isalnum():
        return char
    if char in _ALWAYS:
        return entity(char)
    if char in _IN_CONTEXT and not _is_plain(char, before, after, text[:index]):
        return entity(char)
    if char == " " and not (before and after):
        return entity(char)
    return char


def _is_plain(char: str, before: str, after: str, head: str) -> bool:
    """Whether a mark that Markdown reads in some contexts only is safe in this one."""
    if char in ".)" and head.isdigit() and not after.strip():
        return False
    if char == "." and head[-3:].lower() == "www":
        return False
    if char in "<>&*|@":
        return before == after == " "
    if char == "#":
        return before == " " and after.isalnum()
    if char == "^":
        return before.isalnum() and after.isalnum()
    if char in ":!":
        return bool(before) and after == " "
    if char == "-":
        return (before.isalnum() and after.isalnum()) or (before == after == " ")
    if char in "(" or char == ")":
        return bool(before) and (char == ")" or bool(after))
    return before not in ("", char) and after != char and (char in ".,;?%" or bool(after))


def escape_title(text: str) -> str:
    """Text for the quoted title of a link or an image, where Markdown reads next to nothing."""
    return "".join(entity(c) if c in "\"'()\\&{$`|<" else c for c in fold_space(text))


def escape_html(text: str) -> str:
    """Text for an HTML attribute, or for HTML that Markdown leaves alone."""
    return "".join(
        c if c.isalnum() or c in " .,;:-()/?+" or ord(c) > 127 else entity(c) for c in text
    )


def escape_html_text(text: str) -> str:
    """Text between the tags of an HTML block."""
    return "".join(
        f"<span>{entity(c)}</span>" if c in "$\\" else escape_html(c) for c in fold_space(text)
    )


def escape_tex(text: str) -> str:
    """Text inside a formula; `Refused` beyond ASCII letters, digits and harmless marks."""
    text = fold_space(text)
    if not _SAFE_TEX.fullmatch(text):
        raise Refused(
            "this text can't be written in math",
            "only ASCII letters, digits, spaces and . , ( ) - _ : / can; typed LaTeX is `Tex(…)`",
        )
    return rf"\text{{{text.translate(_TEX_ESCAPES)}}}" if text else "{}"


def escape_url(text: str, *, whole: bool) -> str:
    """An address, or with `whole` false a piece of text inside one."""
    from urllib.parse import quote

    if whole:
        scheme = _SCHEME.match(text)
        if scheme and scheme[1].lower() not in SAFE_SCHEMES:
            raise Refused(
                f"an address can't start with `{scheme[1]}:`", "use http, https or mailto"
            )
        return quote(text, safe=":/?#&=%@+,;~-.")
    return quote(text, safe="/-.~")
