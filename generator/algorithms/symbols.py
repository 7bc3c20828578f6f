"""Python names as mathematical symbols."""

from __future__ import annotations

from generator.algorithms.words import words

GREEK = frozenset(
    words(
        """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma
    tau upsilon phi chi psi omega varepsilon vartheta varphi Gamma Delta Theta Lambda Xi Pi
    Sigma Upsilon Phi Psi Omega
    """
    )
)
_ALIASES = {"eps": r"\varepsilon", "lam": r"\lambda", "lamda": r"\lambda", "ell": r"\ell"}
_ACCENTS = {"hat": r"\hat", "bar": r"\bar", "tilde": r"\tilde", "dot": r"\dot", "vec": r"\vec"}
_MARKS = {"prime": "'", "star": "^{*}", "plus": "^{+}", "minus": "^{-}"}


def write_symbol(name: str) -> str:
    r"""The symbol of a name: `d_k`, `\eta`, `\hat{x}`, `x_{\mathrm{new}}`, `\mathrm{loss}`."""
    head, *tail = [part for part in name.split("_") if part] or ["x"]
    stem = head.rstrip("0123456789")
    subscripts = [head[len(stem) :]] if stem and stem != head else []
    latex = _write_part(stem or head)
    mark = ""
    for part in tail:
        if part in _ACCENTS:
            latex = f"{_ACCENTS[part]}{{{latex}}}"
        elif part in _MARKS:
            mark += _MARKS[part]
        else:
            subscripts.append(_write_part(part))
    if not subscripts:
        return latex + mark
    subscript = ",".join(subscripts)
    if len(subscript) > 1:
        subscript = f"{{{subscript}}}"
    return f"{latex}_{subscript}{mark}"


def _write_part(part: str) -> str:
    if part in GREEK:
        return f"\\{part}"
    if part in _ALIASES:
        return _ALIASES[part]
    if len(part) == 1 or part.isdigit():
        return part
    return f"\\mathrm{{{part}}}"


def write_function(name: str) -> str:
    """The name of a function inside a formula: a letter as in mathematics, a word upright."""
    if len(name) == 1 or name in GREEK:
        return _write_part(name)
    return f"\\mathrm{{{name.replace('_', '-')}}}"
