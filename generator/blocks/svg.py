"""Matplotlib's SVG made small, deterministic, accessible, and right on light and dark grounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
FONTS = 'system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif'

_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_NUMBER = re.compile(r"-?\d+\.\d+")
_COLOR = re.compile(r"#[0-9a-f]{6}\b")
_FONT = re.compile(r"\s*font-family:[^;]*;?|\s*font-(?:stretch|variant): ?normal;?")
_MOVE = re.compile(r"(?:translate|rotate)\([^)]*\)")
_NO_TURN = re.compile(r"rotate\(-?0 [^)]*\)")


def clean_svg(text: str, *, title: str, dark: Mapping[str, str], ink: str, black: str) -> str:
    """The published form of a drawing.

    `dark` maps each colour of the house style to its twin on dark grounds; plain black counts as
    `ink`, and `black` is the colour that is to stay black.
    """
    root = ET.fromstring(text)
    _drop_clutter(root)
    _renumber(root)
    _flatten(root)
    used: dict[str, str] = {}
    for element in root.iter():
        style = element.get("style")
        if style is not None:
            element.set("style", _clean_style(style, dark, ink, black, used))
        if _NO_TURN.fullmatch(element.get("transform", "")):
            del element.attrib["transform"]
        for name in ("d", "x", "y", "width", "height"):
            if name in element.attrib:
                element.set(name, _round_numbers(element.attrib[name]))
        if "transform" in element.attrib:
            element.set("transform", _MOVE.sub(_round_match, element.attrib["transform"]))
    _finish_root(root, title, _style_sheet(used, dark, ink))
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    return ET.tostring(root, encoding="unicode") + "\n"


def _drop_clutter(root: ET.Element) -> None:
    """Metadata, matplotlib's style sheet, white space, and clips around nothing."""
    for parent in list(root.iter()):
        for child in list(parent):
            is_style = child.tag == f"{{{SVG}}}defs" and child.find(f"{{{SVG}}}style") is not None
            if is_style or child.tag == f"{{{SVG}}}metadata":
                parent.remove(child)
            elif child.tail is not None and not child.tail.strip():
                child.tail = None
        if parent.text is not None and not parent.text.strip():
            parent.text = None


def _renumber(root: ET.Element) -> None:
    """Give the ids that something refers to short names in document order; drop the others."""
    wanted: set[str] = set()
    for element in root.iter():
        for value in element.attrib.values():
            wanted.update(_REFERENCE.findall(value))
        if element.get(f"{{{XLINK}}}href", "").startswith("#"):
            wanted.add(element.attrib[f"{{{XLINK}}}href"][1:])
    names: dict[str, str] = {}
    for element in root.iter():
        identifier = element.attrib.pop("id", None)
        if identifier in wanted:
            names.setdefault(identifier, f"i{len(names)}")
            element.set("id", names[identifier])
    for element in root.iter():
        for key, value in element.attrib.items():
            if "url(#" in value:
                element.set(key, _REFERENCE.sub(lambda m: f"url(#{names.get(m[1], m[1])})", value))
        href = element.get(f"{{{XLINK}}}href", "")
        if href.startswith("#"):
            element.set(f"{{{XLINK}}}href", f"#{names.get(href[1:], href[1:])}")


def _flatten(parent: ET.Element) -> None:
    """Take groups without attributes apart, and drop shapes that paint nothing."""
    kept: list[ET.Element] = []
    for child in parent:
        _flatten(child)
        if child.tag == f"{{{SVG}}}g" and not child.attrib:
            kept.extend(child)
        elif not (child.tag == f"{{{SVG}}}path" and child.get("style") == "fill: none"):
            kept.append(child)
    parent[:] = kept


def _clean_style(
    style: str, dark: Mapping[str, str], ink: str, black: str, used: dict[str, str]
) -> str:
    def name(match: re.Match[str]) -> str:
        color = ink if match[0] == "#000000" else match[0]
        if color == black:
            return "#000"
        if color not in dark:
            return color
        return f"var(--{used.setdefault(color, 'c' + color[1:])})"

    return _COLOR.sub(name, _FONT.sub("", style)).replace(": ", ":").replace("; ", ";").strip()


def _round_numbers(text: str) -> str:
    """Numbers to hundredths of a pixel: enough to see, and the same across machines."""
    return " ".join(_NUMBER.sub(_round_number, text).split())


def _round_number(match: re.Match[str]) -> str:
    rounded = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if rounded == "-0" else rounded


def _round_match(match: re.Match[str]) -> str:
    return _round_numbers(match[0])


def _style_sheet(used: Mapping[str, str], dark: Mapping[str, str], ink: str) -> str:
    used = {ink: "c" + ink[1:], **used}
    light = "".join(f"--{name}:{color};" for color, name in sorted(used.items()))
    night = "".join(f"--{name}:{dark[color]};" for color, name in sorted(used.items()))
    return (
        f":root{{color-scheme:light dark;{light}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{night}}}}}"
        f"svg{{fill:var(--{used[ink]});stroke-linejoin:round;stroke-linecap:butt}}"
        f"text{{font-family:{FONTS};white-space:pre}}"
    )


def _finish_root(root: ET.Element, title: str, sheet: str) -> None:
    _, _, width, height = root.attrib["viewBox"].split()
    root.attrib.pop("version", None)
    root.attrib.update(width=width, height=height, role="img")
    heading, style = ET.Element(f"{{{SVG}}}title"), ET.Element(f"{{{SVG}}}style")
    heading.text, style.text = title, sheet
    root.insert(0, heading)
    root.insert(1, style)
