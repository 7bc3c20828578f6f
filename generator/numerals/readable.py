"""What of a template its readers read as text: everything else is blanked, offsets stay."""

from __future__ import annotations

import re

from generator.frozen import dataclass
from generator.places.matter import split_matter

_TAG = re.compile(
    r"<%#.*?%>|<%(?!%)(?>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|(?!%>).)*+%>", re.DOTALL
)
"""As the scanner reads tags; it never goes back, or a tag without an end would take for ever."""
_FENCE = re.compile(
    r"^(?P<indent>[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*)(?P<mark>`{3,}|~{3,})[^\n]*\n"
    r".*?(?:^[ \t>]*(?P=mark)[`~]*[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_UNREAD = (
    _FENCE,
    re.compile(r"(?:(?<=\n\n)|\A)(?:(?: {4}|\t)[^\n]*(?:\n|\Z))+"),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"\{\{[<%].*?[>%]\}\}", re.DOTALL),
    re.compile(
        r"<(?P<raw>script|style|pre|code|kbd)\b.*?</(?P=raw)\s*>", re.DOTALL | re.IGNORECASE
    ),
    re.compile(r"(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", re.DOTALL),
    re.compile(r"</?[a-zA-Z][^<>]*>"),
    re.compile(r"<[a-z][\w+.-]*:[^\s<>]*>", re.IGNORECASE),
    re.compile(r"(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)"),
    re.compile(r"^[ ]{0,3}\[[^\]\n]+\]:[^\n]*", re.MULTILINE),
    re.compile(r"\[\^[^\]\s]+\]"),
    re.compile(r"(?:https?://|ftp://|www\.|doi:|arxiv:)[^\s<>]+", re.IGNORECASE),
    re.compile(r"\b10\.\d{4,9}/[^\s<>]+"),
    re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"),
    re.compile(r"\{[#.:][^{}\n]*\}[ \t]*$", re.MULTILINE),
    re.compile(r"\\(?:cite|ref|eqref|label|tag|hspace|vspace)\*?\{[^{}]*\}"),
)
_MATH = re.compile(
    r"\$\$.+?\$\$|\\\[.+?\\\]|\\\(.+?\\\)|(?<![\\$])\$(?![\s$])[^$\n]+?(?<!\s)\$", re.DOTALL
)
_MATTER_LINE = re.compile(
    r"^(?P<key>title|description|summary|\w+Title|\w+Summary)(?P<colon>:[ \t]+)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Readable:
    """A template's text with all that is no running text blanked."""

    text: str
    """As long as the template."""
    math: tuple[tuple[int, int], ...]
    """Where formulas start and end."""
    body: int
    """Where front matter ends."""

    def is_math(self, offset: int) -> bool:
        return any(start <= offset < end for start, end in self.math)


def find_readable(template: str) -> Readable:
    """The running text of a template: no tags, code, addresses, markup; of front matter only title,
    description and summaries."""
    text = _TAG.sub(_blank_tag, template)
    head, body = split_matter(text)
    body = body.replace("\r", " ")
    for pattern in _UNREAD:
        body = pattern.sub(_blank, body)
    text = _blank_matter(head) + body
    math = tuple((match.start(), match.end()) for match in _MATH.finditer(text))
    return Readable(text, math, len(head))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _blank_tag(match: re.Match[str]) -> str:
    """A value leaves a mark, so that the digit in `x<%= i %>2` is not taken for a number."""
    return re.sub(r"[^\n]", "\x01" if match[0].startswith("<%=") else "\x02", match[0])


def _blank_matter(head: str) -> str:
    kept = list(re.sub(r"[^\n]", " ", head))
    for match in _MATTER_LINE.finditer(head):
        stop = re.compile(r"^(?![ \t])", re.MULTILINE).search(
            head, head.find("\n", match.end()) + 1
        )
        end = stop.start() if stop else len(head)
        kept[match.end() : end] = head[match.end() : end]
    return "".join(kept)
