"""BibTeX to CSL-JSON: names, accents, dates, formulas, broken files."""

from __future__ import annotations

import pytest

from generator.bibliography import convert_bibliography, plain_text
from generator.errors import GeneratorError

BIB = r"""
@string{nips = "Advances in Neural Information Processing Systems"}
@inproceedings{vaswani2017,
  title = {Attention Is {All} You Need},
  author = {Vaswani, Ashish and Noam Shazeer and van der Berg, Jan and {Google Brain}},
  booktitle = nips,
  year = 2017,
  month = dec,
  pages = {5998--6008},
}
@Article{goedel,
  author = {Kurt G{\"o}del},
  title = {{\"U}ber $\omega$-Widerspr{\"u}che \& mehr},
  journal = {Monatshefte},
  volume = 38, number = 1, date = {1931-05-02},
  doi = {10.1007/BF01700692}, url = {https://example.org/a_b%20c}
}
"""


def test_items() -> None:
    first, second = convert_bibliography(BIB, "assets/bib/refs.bib")
    assert first["id"] == "vaswani2017"
    assert first["type"] == "paper-conference"
    assert first["title"] == "Attention Is All You Need"
    assert first["container-title"] == "Advances in Neural Information Processing Systems"
    assert first["author"] == [
        {"family": "Vaswani", "given": "Ashish"},
        {"family": "Shazeer", "given": "Noam"},
        {"family": "Berg", "given": "Jan", "non-dropping-particle": "van der"},
        {"literal": "Google Brain"},
    ]
    assert first["issued"] == {"date-parts": [[2017, 12]]}
    assert first["page"] == "5998–6008"
    assert second["author"] == [{"family": "Gödel", "given": "Kurt"}]
    assert second["title"] == r"Über \(\omega\)-Widersprüche & mehr"
    assert second["issued"] == {"date-parts": [[1931, 5, 2]]}
    assert second["DOI"] == "10.1007/BF01700692"
    assert second["URL"] == "https://example.org/a_b%20c"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"Erd{\H{o}}s", "Erdős"),
        (r"na\"{\i}ve", "naïve"),
        (r"\emph{Loss} and {GPU}s", "Loss and GPUs"),
        ("a~b", "a\u00a0b"),
        (r"50\% of $N^{-0.07}$", r"50% of \(N^{-0.07}\)"),
    ],
)
def test_latex_becomes_text(source: str, text: str) -> None:
    assert plain_text(source) == text


@pytest.mark.parametrize(
    "text", ["@article{a, title = {x}", "@article{a, title = }", "@article{a,}@book{a,}"]
)
def test_a_broken_file_is_one_clear_problem(text: str) -> None:
    with pytest.raises(GeneratorError) as caught:
        convert_bibliography("\n\n" + text, "assets/bib/refs.bib")
    (problem,) = caught.value.problems
    assert problem.path == "assets/bib/refs.bib"
    assert problem.message.startswith("not BibTeX: ")
    assert "\n" not in problem.message
