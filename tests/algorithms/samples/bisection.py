"""Bisection: a repeat-until loop with branches."""

from generator import algorithm


def cube(x):
    return x**3 - 2


@algorithm("Bisection")
def bisect(a, b, delta):
    r"""
    Require: Ends \(a \lt b\) with \(\mathrm{cube}(a) \lt 0\) and \(\mathrm{cube}(b) \gt 0\), width \(\delta \gt 0\)
    Ensure: Root \(c \in \mathbb{R}\)
    """
    # [search] Halve the interval:
    while True:
        c = (a + b) / 2
        # [side] Keep the half with the change of sign:
        if cube(c) < 0:
            a = c
        else:
            b = c
        # ? cube(a) <= 0 <= cube(b)
        if b - a < delta:
            break
    return c


def run(rng):
    bisect(0.0, 2.0, 1e-3)
    return {"bisect": bisect}
