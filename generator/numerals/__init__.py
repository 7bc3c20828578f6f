"""Numerals typed by hand in a note whose numbers are computed.

One that equals a result at its printed precision is an error: the text would stay when the result
moves. One that equals a parameter is a warning, and so is any other decimal or percentage. Small
integers, years, names (`float16`, `top-5`), exponents and indices are left alone.
"""

from generator.numerals.finding import find_numerals, fix_numerals

__all__ = ["find_numerals", "fix_numerals"]
