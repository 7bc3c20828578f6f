"""What a note may ask for (`freeze`, `large`, seeds), and what the commands answer."""

from __future__ import annotations

import json
import os
import shutil
import unicodedata
from typing import Any

import pytest

from tests.conftest import Site

from .test_building import statuses


def test_a_frozen_note_keeps_its_results_until_asked(small_site: Site) -> None:
    front = {"demo": "sums", "params": "{n: 1}", "freeze": "true"}
    small_site.demo("sums", "return {'total': 0.125, 'n': params['n']}")
    body = "Total <%= total %>, n <%= n %>, params <%= params.n %>."
    small_site.note("sums", body, **front)
    small_site.build()
    small_site.demo("sums", "return {'total': 0.5, 'n': params['n']}")
    small_site.note("sums", body + " More.", **front | {"params": "{n: 2}", "seed": 3})
    small_site.build()
    page = small_site.read("content/notes/sums.md")
    assert "Total 0.125, n 1, params 1. More." in page
    assert small_site.reasons() == {}
    record = json.loads(small_site.read("data/notes/sums.json"))
    assert record["params"] == {"n": 1} and record["seed"] is None
    small_site.note("sums", body + " More.", **front | {"freeze": "false", "params": "{n: 2}"})
    assert "demos/sums.py changed" in small_site.reasons()["sums"]
    small_site.note("sums", body + " More.", **front | {"params": "{n: 2}"})
    small_site.build("sums", force=True)
    assert "Total 0.5, n 2, params 2. More." in small_site.read("content/notes/sums.md")


def test_large_files_go_by_size_and_time(small_site: Site) -> None:
    small_site.write("demos/big.bin", "x" * 1000)
    small_site.demo(
        "sums",
        "return {'total': len(open('demos/big.bin').read())}",
    )
    small_site.note("sums", "It is <%= total %>.", demo="sums", large="['demos/*.bin']")
    small_site.note("other", "It is <%= total %>.", demo="sums")
    small_site.build()
    assert '"demos/big.bin": "size 1000, time ' in small_site.read("data/notes/sums.json")
    assert "(changed)" not in small_site.run("explain", "sums").stdout
    assert small_site.reasons() == {}
    assert small_site.run("build").stdout == "5 notes, nothing to do\n".replace("5", "4")
    os.utime(small_site.root / "demos/big.bin", ns=(1, 1))
    assert small_site.reasons() == {"sums": ("demos/big.bin changed",)}
    small_site.build()
    assert small_site.reasons() == {}


@pytest.mark.parametrize("slug", ["größe", "数学", "a.b", "x_y-z"])
def test_slugs_of_any_script(site: Site, slug: str) -> None:
    site.demo("d", "return {'x': 1.5}")
    site.note(slug, "x is <%= x %>.", demo="d")
    assert statuses(site.build()) == {slug: "built"}
    assert site.reasons() == {}
    assert statuses(site.build(slug)) == {slug: "unchanged"}


def test_slugs_that_some_file_systems_take_for_the_same_clash(site: Site) -> None:
    for slug in ("Rotary", "rotary", "größe", unicodedata.normalize("NFD", "größe")):
        site.note(slug, "Words.")
    assert set(statuses(site.build()).values()) == {"failed"}
    assert site.files() == {}


def test_dates_and_other_yaml_reach_the_demo_and_stay_fresh(site: Site) -> None:
    site.demo("d", "return {'day': params['day'].isoformat(), 'n': params['n']['deep'][0]}")
    params = "{day: 2026-01-02, n: {deep: [.inf, 1]}}"
    site.note("n", "On <%= day %>: <%= n > 1 %>.", demo="d", params=params)
    assert not site.build().failed
    assert site.reasons() == {}


def test_the_seed_comes_from_the_note_or_from_the_demos_name(site: Site) -> None:
    site.demo("d", "return {'x': float(rng.random())}")
    for slug, front in (("a", {}), ("b", {}), ("c", {"seed": 1}), ("d", {"seed": 2})):
        site.note(slug, "<%= x %> it is.", demo="d", **front)
    site.build()
    drawn = [json.loads(site.read(f"data/notes/{slug}.json"))["results"]["x"] for slug in "abcd"]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 3


def document(site: Site, *arguments: str, code: int = 0) -> dict[str, Any]:
    done = site.run(*arguments)
    assert done.returncode == code, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_build_prints_one_document(small_site: Site) -> None:
    small_site.note("bad", "<%= nothing %>", demo="sums")
    data = document(small_site, "build", "--json", code=1)
    assert set(data) == {"notes", "removed"}
    notes = {note["slug"]: note for note in data["notes"]}
    assert list(notes) == ["bad", "drawn", "prose", "sums"]
    keys = {"slug", "status", "reasons", "seconds", "outputs", "problems"}
    assert all(set(note) == keys for note in notes.values())
    assert notes["sums"]["status"] == "built"
    assert notes["sums"]["reasons"] == ["templates/notes/sums.md is new"]
    assert set(notes["sums"]["outputs"]) == {"content/notes/sums.md", "data/notes/sums.json"}
    assert notes["bad"]["status"] == "failed"
    problem = notes["bad"]["problems"][0]
    assert problem["path"] == "templates/notes/bad.md" and problem["line"] == 8
    assert notes["drawn"]["seconds"] > 0
    again = document(small_site, "build", "--json", code=1)
    assert [note["status"] for note in again["notes"]][1:] == ["unchanged"] * 3


def test_check_writes_nothing_and_answers_on_a_fresh_clone(small_site: Site) -> None:
    small_site.build()
    shutil.rmtree(small_site.root / ".generator")
    everything = {p: p.stat().st_mtime_ns for p in small_site.root.rglob("*")}
    assert small_site.run("check").returncode == 0
    small_site.demo("sums", "return {'total': 1, 'count': 2}")
    everything[small_site.root / "demos/sums.py"] = (
        (small_site.root / "demos/sums.py").stat().st_mtime_ns
    )
    done = small_site.run("check")
    assert done.returncode == 1
    assert "demos/sums.py changed" in done.stdout
    assert "to mend: python -m generator build sums" in done.stdout
    assert {p: p.stat().st_mtime_ns for p in small_site.root.rglob("*")} == everything


def test_check_tells_edits_orphans_and_conflicts(small_site: Site) -> None:
    small_site.build()
    small_site.write("content/notes/sums.md", "mine")
    (small_site.root / "templates/notes/prose.md").unlink()
    done = small_site.run("check")
    assert done.returncode == 1
    assert "content/notes/sums.md was edited by hand" in done.stdout
    assert "data/notes/prose.json: its note is gone" in done.stderr


def test_check_shows_what_would_change(small_site: Site) -> None:
    small_site.build()
    text = small_site.read("templates/notes/sums.md").replace("The total", "The sum")
    small_site.write("templates/notes/sums.md", text)
    done = small_site.run("check", "--diff")
    assert "-The total is 0.125, of 3." in done.stdout
    assert "+The sum is 0.125, of 3." in done.stdout


DRIFTS = [
    pytest.param("return {'total': 0.125, 'count': 3}", "", 0, id="none"),
    pytest.param(
        "return {'total': 0.125 * (1 + 1e-12), 'count': 3}", "", 0, id="within the tolerance"
    ),
    pytest.param(
        "return {'total': 0.12501, 'count': 3}",
        "warning: numeric drift: `total` was 0.125, is 0.12501",
        0,
        id="below the printed precision",
    ),
    pytest.param(
        "return {'total': 0.25, 'count': 3}",
        "numeric drift: `total` was 0.125, is 0.25",
        1,
        id="numeric",
    ),
]


@pytest.mark.parametrize(("body", "said", "code"), DRIFTS)
def test_recompute_tells_numeric_drift(small_site: Site, body: str, said: str, code: int) -> None:
    """The drift comes from what no digest sees: a variable that was not declared."""
    small_site.demo(
        "sums",
        "import os\nif os.environ.get('DRIFT'):\n    "
        + body
        + "\nreturn {'total': 0.125, 'count': 3}",
    )
    small_site.build()
    done = small_site.run("check", "--recompute", env={"DRIFT": "1"})
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert bool(said) == ("drift" in done.stderr)


def test_recompute_tells_byte_and_visual_drift_apart(small_site: Site) -> None:
    source = small_site.read("demos/drawn.py")
    drawn = source.replace("figure, axes =", "import os\n    figure, axes =").replace(
        "    axes.set(", "    axes.set_title(os.environ.get('DRIFT', ''))\n    axes.set("
    )
    small_site.write("demos/drawn.py", drawn)
    small_site.build()
    assert small_site.run("check", "--recompute").returncode == 0
    done = small_site.run("check", "--recompute", env={"DRIFT": "other"})
    assert "static/figures/drawn/line.svg:" in done.stderr
    assert "drift" in done.stderr and "numeric" not in done.stderr


def test_recompute_writes_nothing(small_site: Site) -> None:
    small_site.build()
    before = small_site.stamps()
    small_site.run("check", "--recompute", env={"PYTHONHASHSEED": "5"})
    assert small_site.stamps() == before


def test_list_show_and_explain(small_site: Site) -> None:
    small_site.demo("sums", "total = 0.125\nreturn {'total': total, 'count': 3}")
    small_site.note("sums", 'It is <%= total | claim("0.125") %>, <%= count %>.', demo="sums")
    small_site.build()
    assert document(small_site, "list", "--json")["notes"][2] == {
        "slug": "sums",
        "state": "fresh",
        "template": "templates/notes/sums.md",
        "demo": "demos/sums.py",
        "claims": 1,
        "unchecked": 0,
        "reasons": [],
    }
    shown = small_site.run("show", "sums").stdout
    assert "<%= total %>" in shown and "0.125" in shown
    told = small_site.run("explain", "sums", "total").stdout
    assert "computed at   demos/sums.py:2" in told
    assert "claimed at    templates/notes/sums.md:8" in told
    assert "numpy" in told
    assert "demos/sums.py" in small_site.run("explain", "sums").stdout
    wrong = small_site.run("explain", "sums", "totl")
    assert wrong.returncode == 2 and "did you mean `total`" in wrong.stderr


def test_explain_tells_many_files_of_one_folder_by_their_number(small_site: Site) -> None:
    for number in range(14):
        small_site.write(f"demos/lab/part/{number}.py", f'"""Part {number}."""\n')
    small_site.write("demos/few/a.txt", "1")
    small_site.demo(
        "sums",
        "from generator import FileTree, depends\ndepends('few/a.txt', env='LABEL')\n"
        "return {'total': 0.125, 'tree': FileTree('lab')}",
    )
    small_site.note("sums", "It is <%= total %>.\n\n<%= tree %>", demo="sums")
    assert not small_site.build().failed
    told = small_site.run("explain", "sums", "total").stdout
    inputs = told.split("inputs        of the whole demo, all results alike:\n")[1].splitlines()
    assert inputs == ["  demos/few/a.txt", "  demos/lab/ (14 files)", "  demos/sums.py", "  $LABEL"]
    every = small_site.run("explain", "sums", "total", "--verbose").stdout
    assert all(f"  demos/lab/part/{number}.py\n" in every for number in range(14))
    assert "demos/lab/part/  (its listing)" in every and "(14 files)" not in every
    small_site.write("demos/lab/part/3.py", '"""Changed."""\n')
    told = small_site.run("explain", "sums").stdout
    assert "  demos/lab/part/3.py  (changed)\n" in told


def test_run_calls_a_demo_with_its_notes_parameters(small_site: Site) -> None:
    small_site.demo("sums", "return {'n': params['n'], 'x': float(rng.random())}")
    small_site.note("sums", "It is <%= n %>.", demo="sums", params="{n: 4}", seed=1)
    done = small_site.run("run", "sums")
    assert done.returncode == 0, done.stderr
    assert "n = 4" in done.stdout
    assert "n = 5" in small_site.run("run", "sums", "--param", "n=5").stdout
    assert small_site.run("run", "sum").returncode == 2


@pytest.mark.parametrize(
    ("name", "told"), [("x.npy", True), ("more/x.csv", True), ("x.json", False)]
)
def test_check_tells_what_hugo_cannot_read_as_data(small_site: Site, name: str, told: bool) -> None:
    small_site.build()
    small_site.write(f"data/{name}", "{}")
    done = small_site.run("check")
    assert (f"data/{name}: Hugo reads this folder, and stops" in done.stderr) == told
    assert done.returncode == (1 if told else 0)


def test_a_frozen_note_is_told_and_cleaned_only_by_force(small_site: Site) -> None:
    small_site.note("sums", "The total is <%= total %>.", demo="sums", freeze="true")
    small_site.build()
    assert "frozen" in small_site.run("list").stdout
    good = small_site.read("templates/notes/sums.md")
    small_site.write("templates/notes/sums.md", "---\nfreeze: [\n---\n")
    assert "kept sums: its template can't be read" in small_site.run("clean", "--site", ".").stderr
    small_site.write("templates/notes/sums.md", good)
    done = small_site.run("clean")
    assert "kept sums: it is frozen" in done.stderr
    assert (small_site.root / "data/notes/sums.json").exists()
    assert not (small_site.root / "data/notes/drawn.json").exists()
    small_site.run("clean", "--force")
    assert not (small_site.root / "data/notes/sums.json").exists()


def test_check_of_a_site_without_settings_leads_to_init(site: Site) -> None:
    site.write("hugo.toml", 'baseURL = "https://example.org/"\n')
    site.note("math", "Words \\\\(x\\\\).", math="true")
    site.build()
    assert "python -m generator init" in site.run("check").stdout
