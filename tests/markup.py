"""What SciDraft needs of a site's Markdown, for the configurations of scratch sites."""

MARKUP = r"""
[markup.goldmark.renderer]
unsafe = true
[markup.goldmark.parser.attribute]
block = true
[markup.goldmark.extensions.passthrough]
enable = true
[markup.goldmark.extensions.passthrough.delimiters]
block = [['\[', '\]'], ['$$', '$$']]
inline = [['\(', '\)'], ['$', '$']]
[markup.highlight]
noClasses = false
"""
"""Tables of a `hugo.toml`, to go behind its keys."""
