"""Bibliographies: what citation-js 0.6.9 reads, and what makes it lose the file.

Each text was given to citation-js; the expectation is what it did.
"""

from __future__ import annotations

import pytest

from generator.lint.bib import read_bibliography

READ = {
    "plain": "@article{a, title={T}, author={A, B}, year={2020}}",
    "trailing comma": "@article{a, title={T},}",
    "no fields but a comma": "@article{a,}",
    "unknown string": "@article{a, title={T}, month=foo}",
    "string and concatenation": '@string{foo="Foo"}\n@article{a, journal=foo # " bar"}',
    "comments": "@comment{x}\n% mail me@x.y\n@article{a, title={T}}",
    "unknown type": "@foo{a, title={T}}",
    "quotes and braces": '@article{a, title="T {"}"} x"}',
    "parentheses": "@article(a, title={T})",
    "a key of signs": "@article{a:b-c_d/e.f+g#h%i=j, title={T}}",
    "a key in any alphabet": "@article{müller, title={T}}",
    "macros": '@article{a, title={\\foo{T} \\"{o} \\& $x^2$}}',
    "signs": "@article{a, title={50% of A & B_c # d~e}}",
    "dollar in an address": "@article{a, title={T}, url={http://x.y/a$b}}",
    "escaped dollar": "@article{a, title={US\\$ 5}}",
    "text between": "hello\n@article{a, title={T}}",
    "one brace too many": "@article{a, title={T}}}",
    "spaces": "@ article {a, title = {T}}",
    "empty value": "@article{a, title={}}",
}
LOST = {
    "no closing brace": ("@article{a, title={T}\n@article{b, title={U}}", 2),
    "a brace inside": ("@article{a, title={T {x}, year=2020}\n", 1),
    "no comma between": ("@article{a, title={T} year={2020}}", 1),
    "no key": ("@article{title={T}}", 1),
    "an empty key": ("@article{, title={T}}", 1),
    "only a key": ("@article{a}", 1),
    "two commas": ("@article{a, title={T},,}", 1),
    "a quote inside quotes": ('@article{a, title="T "x" y"}', 1),
    "a key with a space": ("@article{a b, title={T}}", 1),
    "a lone dollar": ("@article{a,\n title={US$ 5}}", 2),
    "the end is missing": ("@article{a, title={T", 1),
    "an address outside": ("mail me@x.y\n@article{a, title={T}}", 1),
    "a backslash before the brace": ("@article{a, title={A\\}}", 1),
    "no value": ("@article{a, title=}", 1),
    "no equals sign": ("@article{a, title {T}}", 1),
}


@pytest.mark.parametrize("name", READ)
def test_what_is_read(name: str) -> None:
    bibliography = read_bibliography(READ[name])
    assert bibliography.faults == ()
    assert len(bibliography.keys) == 1


@pytest.mark.parametrize("name", LOST)
def test_what_is_lost(name: str) -> None:
    text, line = LOST[name]
    faults = read_bibliography(text).faults
    assert [(fault.line, fault.is_fatal) for fault in faults[:1]] == [(line, True)]


def test_a_key_twice_is_told_with_both_lines_and_loses_nothing() -> None:
    bibliography = read_bibliography("@article{a, title={T}}\n\n@book{a, title={U}}\n")
    assert [(fault.line, fault.is_fatal) for fault in bibliography.faults] == [(3, False)]
    assert "line 1" in bibliography.faults[0].message
    assert dict(bibliography.keys) == {"a": 1}


def test_what_follows_a_fault_is_still_known() -> None:
    """So that one fault does not make every citation unknown."""
    bibliography = read_bibliography("@article{a, title={T} x}\n@article{b, title={U}}\n")
    assert set(bibliography.keys) == {"a", "b"}
