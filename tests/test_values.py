"""Numbers and other values, as prose, math and code show them."""

from __future__ import annotations

import datetime as dt
import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uncertainties import ufloat

from generator.claims.comparisons import rounds_to
from generator.spots import Notation, Place, Spot
from generator.values import (
    FORMATS,
    Md,
    Measure,
    Refused,
    Tex,
    allow_nan,
    binary,
    fixed,
    literal,
    parse_format,
    percent,
    plus_minus,
    sci,
    short,
    si,
    sig,
    thousands,
    unit,
    write_text,
    write_value,
)
from generator.values.digits import parse_literal
from generator.values.plain import write_plain

FINITE = st.floats(allow_nan=False, allow_infinity=False)
MATRIX = np.array([[1.0, 2.5], [3.0, np.float64(4.125)]])


@pytest.mark.parametrize(
    ("value", "prose", "math_", "code"),
    [
        (0, "0", "0", "0"),
        (-7, "−7", "-7", "-7"),
        (1234567, "1234567", "1234567", "1234567"),
        (0.1 + 0.2, "0.3", "0.3", "0.3"),
        (0.5, "0.5", "0.5", "0.5"),
        (1024.0, "1024", "1024", "1024"),
        (-0.0735, "−0.0735", "-0.0735", "-0.0735"),
        (3.14159265, "3.142", "3.142", "3.142"),
        (12345.6, "12346", "12346", "12346"),
        (99999.96, "100000", "100000", "100000"),
        (1e6, "10⁶", "10^{6}", "1e+06"),
        (1234567.8, "1.235\u00a0×\u00a010⁶", r"1.235 \times 10^{6}", "1.235e+06"),
        (0.000123456, "0.0001235", "0.0001235", "0.0001235"),
        (3.2e-7, "3.2\u00a0×\u00a010⁻⁷", r"3.2 \times 10^{-7}", "3.2e-07"),
        (-1e-11, "−10⁻¹¹", "-10^{-11}", "-1e-11"),
        (-0.0, "0", "0", "0"),
        (math.inf, "∞", r"\infty", "inf"),
        (-math.inf, "−∞", r"-\infty", "-inf"),
        (allow_nan(math.nan), "NaN", r"\mathrm{NaN}", "nan"),
        (sig(0.5, 3), "0.500", "0.500", "0.500"),
        (sig(1234.5, 2), "1200", "1200", "1200"),
        (sig(9.996, 3), "10.0", "10.0", "10.0"),
        (sig(0.00001234, 2), "1.2\u00a0×\u00a010⁻⁵", r"1.2 \times 10^{-5}", "1.2e-05"),
        (sig(7), "7.000", "7.000", "7.000"),
        (fixed(0.5), "0.50", "0.50", "0.50"),
        (fixed(-0.0001, 2), "0.00", "0.00", "0.00"),
        (fixed(2.5, 0), "2", "2", "2"),
        (sci(0.00032, 2), "3.2\u00a0×\u00a010⁻⁴", r"3.2 \times 10^{-4}", "3.2e-04"),
        (sci(0.0000013, 1), "1\u00a0×\u00a010⁻⁶", r"1 \times 10^{-6}", "1e-06"),
        (sci(0.000001, 1), "10⁻⁶", "10^{-6}", "1e-06"),
        (sci(64), "6.4\u00a0×\u00a010¹", r"6.4 \times 10^{1}", "6.4e+01"),
        (sci(0), "0\u00a0×\u00a010⁰", r"0 \times 10^{0}", "0e+00"),
        (percent(0.1234), "12.34%", r"12.34\%", "12.34%"),
        (percent(0.1234, 1), "12.3%", r"12.3\%", "12.3%"),
        (percent(-1), "−100%", r"-100\%", "-100%"),
        (thousands(1234567), "1,234,567", "1{,}234{,}567", "1,234,567"),
        (thousands(-1234.5, 1), "−1,234.5", "-1{,}234.5", "-1,234.5"),
        (thousands(sig(123456, 6)), "123,456", "123{,}456", "123,456"),
        (thousands(999), "999", "999", "999"),
        (si(1530, "m"), "1.53\u202fkm", r"1.53\,\mathrm{km}", "1.53 km"),
        (si(2.5e-6, "s"), "2.5\u202fµs", r"2.5\,\mu \mathrm{s}", "2.5 us"),
        (si(999999, "Hz", 3), "1.00\u202fMHz", r"1.00\,\mathrm{MHz}", "1.00 MHz"),
        (si(0, "W"), "0\u202fW", r"0\,\mathrm{W}", "0 W"),
        (si(7e9), "7\u202fG", r"7\,\mathrm{G}", "7 G"),
        (binary(1536), "1.5\u202fKiB", r"1.5\,\mathrm{KiB}", "1.5 KiB"),
        (binary(1023.99999), "1\u202fKiB", r"1\,\mathrm{KiB}", "1 KiB"),
        (binary(3 * 2**30, digits=2), "3.0\u202fGiB", r"3.0\,\mathrm{GiB}", "3.0 GiB"),
        (unit(12, "ms"), "12\u202fms", r"12\,\mathrm{ms}", "12 ms"),
        (unit(3, "m/s^2"), "3\u202fm/s^2", r"3\,\mathrm{m/s^{2}}", "3 m/s^2"),
        (unit(90, "°"), "90°", r"90\,\mathrm{^{\circ}}", "90 °"),
        (literal("1,024"), "1,024", "1{,}024", "1,024"),
        (literal("-3.20e-7"), "−3.20\u00a0×\u00a010⁻⁷", r"-3.20 \times 10^{-7}", "-3.20e-07"),
        (literal("12%"), "12%", r"12\%", "12%"),
        (Measure(0.0735, 0.0021), "0.0735 ± 0.0021", r"0.0735 \pm 0.0021", "0.0735 +/- 0.0021"),
        (plus_minus(0.0735, 0.0021), "0.0735 ± 0.0021", r"0.0735 \pm 0.0021", "0.0735 +/- 0.0021"),
        (plus_minus(ufloat(1.5, 0.25), digits=1), "1.5 ± 0.2", r"1.5 \pm 0.2", "1.5 +/- 0.2"),
        (short(-0.0735, 0.0021), "−0.0735(21)", "-0.0735(21)", "-0.0735(21)"),
        (
            short(3.2e-7, 1.1e-8),
            "3.20(11)\u00a0×\u00a010⁻⁷",
            r"3.20(11) \times 10^{-7}",
            "3.20(11)e-07",
        ),
        (
            unit(plus_minus(3.2e-7, 1.1e-8), "s"),
            "(3.20 ± 0.11)\u00a0×\u00a010⁻⁷\u202fs",
            r"(3.20 \pm 0.11) \times 10^{-7}\,\mathrm{s}",
            "(3.20 +/- 0.11)e-07 s",
        ),
        (1.5 - 2j, "1.5 − 2i", "1.5 - 2i", "(1.5-2j)"),
        (1e-9j, "0 + 10⁻⁹ i", r"0 + 10^{-9}\,i", "(0+1e-09j)"),
        (sig(1 + 1j, 3), "1.00 + 1.00i", "1.00 + 1.00i", "(1.00+1.00j)"),
        (True, "true", r"\text{true}", "true"),
        (dt.date(2026, 9, 21), "2026-09-21", r"\text{2026-09-21}", "2026-09-21"),
        ([1, 2.5, -3], "1, 2.5, −3", "1, 2.5, -3", "[1, 2.5, -3]"),
        (fixed([1, 2.5], 1), "1.0, 2.5", "1.0, 2.5", "[1.0, 2.5]"),
        (list(range(30)), "0, 1, 2, …, 27, 28, 29", r"0, 1, 2, \ldots, 27, 28, 29", None),
        (MATRIX, "[1, 2.5], [3, 4.125]", "[1, 2.5], [3, 4.125]", "[[1, 2.5], [3, 4.125]]"),
        (["a", "b"], "a, b", r"\text{a}, \text{b}", "['a', 'b']"),
        (Fraction(1, 3), "0.3333", "0.3333", "0.3333"),
        (Decimal("2.50"), "2.5", "2.5", "2.5"),
    ],
)
def test_one_value_in_three_notations(
    value: object, prose: str, math_: str, code: str | None
) -> None:
    in_prose = write_value(value, Place.PROSE, digits=4)
    assert in_prose.replace("&#91;", "[").replace("&#93;", "]") == prose
    assert write_value(value, Place.MATH_INLINE, digits=4) == math_
    if code is not None:
        assert write_value(value, Place.CODE_SPAN, digits=4) == code


@pytest.mark.parametrize(
    "scalar",
    [
        np.float64(0.1) * 3,
        np.float32(0.25),
        np.int64(-7),
        np.bool_(True),
        np.array(0.5),
        np.longdouble(0.5),
        np.datetime64("2026-09-21"),
        {"a": np.float64(0.5), "b": [np.int8(3), np.array([1.5])]},
        [np.array([[1, 2], [3, 4]])],
        (np.float64(1.0), np.complex128(1 + 2j)),
    ],
)
@pytest.mark.parametrize("place", [Place.PROSE, Place.CODE_SPAN, Place.TABLE_CELL])
def test_numpy_never_shows(scalar: object, place: Place) -> None:
    text = write_value(scalar, place, digits=4)
    assert "np." not in text and "array" not in text and "(array" not in text
    assert text == write_value(_plain(scalar), place, digits=4)


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.longdouble):
        return float(value)
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


@pytest.mark.parametrize(
    ("value", "place", "says"),
    [
        (math.nan, Place.PROSE, "NaN"),
        ([1.0, math.nan], Place.MATH_INLINE, "NaN"),
        (np.array([np.nan]), Place.TABLE_CELL, "NaN"),
        (complex(math.nan, 0), Place.PROSE, "NaN"),
        (Measure(math.nan, 1.0), Place.PROSE, "not finite"),
        (None, Place.PROSE, "None"),
        (np.datetime64("NaT"), Place.PROSE, "None"),
        (object(), Place.PROSE, "object can't be printed"),
        (b"bytes", Place.PROSE, "bytes can't be printed"),
        ({"a": 1}, Place.MATH_INLINE, "mapping"),
        (1, Place.COMMENT, "a comment"),
        ("x", Place.SCRIPT, "a script"),
        (1, Place.FENCE_INFO, "first line"),
        (1, Place.AUTOLINK, "bare address"),
        (1, Place.ATTRIBUTE, "attribute"),
        ("a\x00b", Place.PROSE, "U+0000"),
        ("\ud800", Place.CODE_SPAN, "U+D800"),
        ("é", Place.MATH_INLINE, "math"),
        ("$x$", Place.MATH_INLINE, "math"),
        (r"\(x", Place.MATH_DISPLAY, "math"),
        ("javascript:alert(1)", Spot(Place.LINK_URL, whole=True), "javascript:"),
        (" JavaScript:alert(1)", Spot(Place.LINK_URL, whole=True), "JavaScript:"),
        ("data:text/html,x", Spot(Place.HTML_ATTR, name="src", quote='"', whole=True), "data:"),
        ("x", Spot(Place.HTML_ATTR, name="onclick", quote='"'), "onclick"),
        ("x", Spot(Place.HTML_ATTR, name="style", quote='"'), "style"),
        ("a|b", Spot(Place.CODE_FENCE, name="pseudo-algorithm"), "pseudo-algorithm"),
        (percent(0.5), Spot(Place.CODE_FENCE, name="pseudo-algorithm"), "pseudo-algorithm"),
        ("a-->b", Spot(Place.CODE_FENCE, name="mermaid"), "mermaid"),
        (Tex("x $"), Place.PROSE, "delimiter"),
        ("$5 and $10", Place.FRONT_MATTER, "typeset"),
        (r"\(x\)", Place.FRONT_MATTER, "typeset"),
        (Tex(r"a\) b"), Place.MATH_INLINE, "delimiter"),
        (Tex("x^2"), Place.ALT, "alt text"),
        (Md("*x*"), Place.CODE_SPAN, "Markdown"),
        (unit(1, "<b>"), Place.PROSE, "unit"),
        (fixed(10**3000, 2), Place.PROSE, "too many digits"),
        (sig(Measure(1.0, 0.1), 2), Place.PROSE, "uncertainty"),
    ],
)
def test_what_can_not_be_written_is_refused_with_a_hint(
    value: object, place: Place | Spot, says: str
) -> None:
    with pytest.raises(Refused) as caught:
        write_value(value, place, digits=4)
    assert says in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("form", [sig, fixed, sci, percent, si, binary, thousands, plus_minus])
@pytest.mark.parametrize("value", ["0.5", True, None, b"1"])
def test_formats_are_for_numbers(form: object, value: object) -> None:
    with pytest.raises(Refused, match="is not a number"):
        form(value)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: sig(1, 0), "0 digits"),
        (lambda: fixed(1, -1), "-1 digits"),
        (lambda: sig(1, "3"), "not a number of digits"),
        (lambda: plus_minus(0.5), "no uncertainty"),
        (lambda: literal("about 7"), "is not a number"),
        (lambda: parse_format("fixed(")(1), "not a format"),
        (lambda: parse_format("open('x')")(1), "not a format"),
        (lambda: parse_format("__import__('os')")(1), "not a format"),
        (lambda: parse_format("sig.__class__")(1), "not a format"),
    ],
)
def test_formats_refuse_nonsense(call: object, says: str) -> None:
    with pytest.raises(Refused, match=says):
        call()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("fixed(3)", 0.5, "0.500"),
        ("sig", 0.5, "0.5000"),
        ("percent(digits=1)", 0.5, "50.0%"),
        ("sig(6) | thousands", 123456.4, "123,456"),
        ("si('m')", 1500, "1.5\u202fkm"),
    ],
)
def test_a_format_can_be_given_as_text(text: str, value: float, shown: str) -> None:
    assert write_value(parse_format(text)(value), Place.PROSE, digits=4) == shown


def test_every_format_is_described_and_reachable() -> None:
    for name, form in FORMATS.items():
        assert form.__name__ == name and form.__doc__
        if name not in ("literal", "plus_minus", "short", "unit"):
            assert str(parse_format(name)(0.25))


@settings(deadline=None)
@given(FINITE, st.integers(1, 12))
def test_what_is_printed_is_what_the_value_rounds_to(value: float, digits: int) -> None:
    for form in (sci(value, digits), fixed(value, digits), value):
        code = write_plain(form, Notation.CODE, digits)
        assert rounds_to(value, code)
        for notation in (Notation.PROSE, Notation.MATH):
            text = write_plain(form, notation, digits)
            assert parse_literal(text).value == parse_literal(code).value


@settings(deadline=None)
@given(FINITE, st.integers(1, 12))
def test_significant_digits_are_counted(value: float, digits: int) -> None:
    mantissa = write_plain(sci(value, digits), Notation.CODE, 4).lstrip("-").partition("e")[0]
    assert len(mantissa.replace(".", "")) == digits
    bare = write_plain(value, Notation.CODE, digits).lstrip("-").partition("e")[0]
    assert not ("." in bare and bare.endswith("0"))
    whole = len(bare.partition(".")[0])
    assert len(bare.replace(".", "").lstrip("0")) <= max(digits, whole)


@settings(deadline=None)
@given(st.floats(-1e12, 1e12), st.integers(0, 8))
def test_fixed_keeps_its_places(value: float, places: int) -> None:
    text = write_plain(fixed(value, places), Notation.CODE, 4)
    assert len(text.partition(".")[2]) == places
    assert abs(Decimal(text) - Decimal(repr(value))) * 2 <= Decimal(1).scaleb(-places)


@settings(deadline=None)
@given(FINITE)
def test_no_value_prints_a_negative_zero(value: float) -> None:
    text = write_plain(fixed(value, 2), Notation.CODE, 4)
    assert not (text.startswith("-") and not text.strip("-0."))


@settings(deadline=None)
@given(st.floats(1e-23, 1e23), st.integers(1, 6))
def test_si_prefixes_mean_what_they_say(value: float, digits: int) -> None:
    number, prefix = write_plain(si(value, "m", digits), Notation.CODE, 4).split(" ")
    powers = dict(zip("yzafpnum kMGTPEZ", range(-24, 24, 3), strict=True))
    power = powers[prefix[0] if len(prefix) > 1 else " "]
    assert 1 <= float(number) < 1000
    assert float(number) * 10.0**power == pytest.approx(value, rel=0.6 * 10 ** (1 - digits))


@settings(deadline=None)
@given(st.text())
def test_text_is_refused_or_free_of_markup(text: str) -> None:
    for place in (Place.PROSE, Place.TABLE_CELL, Place.HEADING, Place.ALT, Place.HTML_TEXT):
        try:
            written = write_text(text, place)
        except Refused:
            continue
        bare = written.replace("<span>", "").replace("</span>", "")
        assert not set(bare) & set("`[]{}$\\\"'\n")
        assert all(f" {mark} " in bare or mark not in bare for mark in "<>*|")
        assert "|" not in bare or place is not Place.TABLE_CELL


def test_letters_and_plain_punctuation_stay_readable() -> None:
    plain = (
        "Steps 1 - 4, as in well-known d_h (see below); 100 % of it: yes. Really? É 中 f(x) e.g. "
    )
    plain += "a < b & c > d * e | x^2 in #5, hi! there @ noon"
    assert write_text(plain, Place.PROSE) == plain


def test_typed_latex_fits_its_place() -> None:
    tex = Tex(r"|V| < \|W\|")
    assert write_value(tex, Place.PROSE, digits=4) == r"\(|V| \lt  \|W\|\)"
    cell = write_value(tex, Spot(Place.TABLE_CELL, in_table=True), digits=4)
    assert cell == r"\(\vert V\vert  \lt  \Vert W\Vert \)"
    assert write_value(tex, Place.CODE_SPAN, digits=4) == tex.source
    assert write_value(tex, Place.FRONT_MATTER, digits=4) == rf"\({tex.source}\)"


def test_an_uncertain_value_needs_no_numpy() -> None:
    code = (
        "import sys; from generator.values import *; from generator.spots import Place\n"
        "print(write_value(Measure(0.0735, 0.0021), Place.CODE_SPAN, digits=4))\n"
        "assert 'numpy' not in sys.modules\n"
        "import uncertainties.core, numpy; assert uncertainties.core.numpy is numpy\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "0.0735 +/- 0.0021\n", run.stderr


def test_importing_values_and_places_is_cheap() -> None:
    code = (
        "import sys, generator.values, generator.places, generator.claims, generator.numerals\n"
        "heavy = {'numpy', 'matplotlib', 'jinja2', 'markdown_it', 'yaml', 'uncertainties'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout == "[]\n", run.stderr
