"""Planning is pure: notes, records and digests in, steps with reasons out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from generator.notes import Note
from generator.plan import Basis, Known, Step, describe_change, find_orphans, plan_note
from generator.record import Inputs, Record

BASIS = Basis(
    {"compute": "c", "render": "r"},
    {"figures": "figures", "section": "notes", "staticDir": "static"},
)
TEMPLATE, PAGE, FIGURE = "templates/notes/n.md", "content/notes/n.md", "static/figures/n/f.svg"
NOTE = Note("n", TEMPLATE, PAGE, "", demo="demos/d.py", params={"k": 1}, seed=3)
RECORD = Record(
    slug="n",
    template=TEMPLATE,
    demo="demos/d.py",
    params={"k": 1},
    seed=3,
    computed=Inputs({"demos/d.py": "1", "absent": ""}, {"data": "2"}, {"V": "3"}),
    rendered=Inputs({TEMPLATE: "4"}),
    parts=BASIS.parts,
    settings=BASIS.settings,
    outputs={PAGE: "5", FIGURE: "6"},
)
OWNED = {PAGE: frozenset({"5", "journal"}), FIGURE: frozenset({"6"})}


@dataclass
class Now:
    """Digests as a test wants them."""

    files: dict[str, str] = field(
        default_factory=lambda: {"demos/d.py": "1", TEMPLATE: "4", PAGE: "5", FIGURE: "6"}
    )
    folders: dict[str, str] = field(default_factory=lambda: {"data": "2"})
    variables: dict[str, str] = field(default_factory=lambda: {"V": "3"})
    marked: set[str] = field(default_factory=set)

    def file(self, path: str) -> str:
        return self.files.get(path, "")

    def folder(self, path: str) -> str:
        return self.folders.get(path, "")

    def environment(self, name: str) -> str:
        return self.variables.get(name, "")

    def conflicted(self, path: str) -> bool:
        return path in self.marked


def plan(
    note: Note = NOTE, record: Record | None = RECORD, now: Now | None = None, fault: str = "",
    force: bool = False,
) -> Step:  # fmt: skip
    known = Known(record, fault, owned=OWNED if record else {})
    return plan_note(note, known, now or Now(), BASIS, force=force)


def test_a_note_as_recorded_is_fresh() -> None:
    step = plan()
    assert (step.compute, step.render, step.edited, step.is_stale) == ((), (), (), False)


def test_a_note_without_record_is_new() -> None:
    assert plan(record=None).reasons == (f"{TEMPLATE} is new",)
    assert plan(record=None, fault="it is torn").reasons == ("it is torn",)
    assert plan(replace(NOTE, demo=None), None).compute == ()


def test_changed_inputs_compute_and_changed_templates_render() -> None:
    now = Now()
    now.files["demos/d.py"] = "x"
    assert (plan(now=now).compute, plan(now=now).render) == (("demos/d.py changed",), ())
    now = Now()
    now.files[TEMPLATE] = "x"
    assert (plan(now=now).compute, plan(now=now).render) == ((), (f"{TEMPLATE} changed",))


def test_new_and_gone_inputs_are_told_as_such() -> None:
    now = Now()
    now.files["absent"] = "x"
    del now.files["demos/d.py"]
    now.folders.clear()
    now.variables.clear()
    assert plan(now=now).compute == (
        "demos/d.py is gone",
        "absent is new",
        "data/ holds other files",
        "the environment variable V changed",
    )


def test_lost_outputs_are_made_again_by_the_stage_that_makes_them() -> None:
    now = Now()
    del now.files[PAGE]
    assert (plan(now=now).compute, plan(now=now).render) == ((), (f"{PAGE} is missing",))
    now = Now()
    del now.files[FIGURE]
    assert (plan(now=now).compute, plan(now=now).render) == ((f"{FIGURE} is missing",), ())


def test_edited_outputs_are_named_unless_a_killed_build_or_a_merge_left_them() -> None:
    now = Now()
    now.files[PAGE] = "mine"
    step = plan(now=now)
    assert step.edited == (PAGE,) and step.reasons == (f"{PAGE} was edited by hand",)
    now.marked.add(PAGE)
    assert plan(now=now).edited == ()
    assert plan(now=now).render == (f"{PAGE} has conflict marks",)
    now = Now()
    now.files[PAGE] = "journal"
    assert plan(now=now).reasons == (f"{PAGE} is from a build that was stopped",)


def test_frozen_notes_compute_only_what_is_not_there() -> None:
    frozen = replace(NOTE, freeze=True, seed=9, params={"k": 2})
    now = Now()
    now.files["demos/d.py"] = "x"
    assert plan(frozen, now=now).reasons == ()
    assert plan(frozen, now=now, force=True).compute
    assert plan(replace(frozen, demo="demos/e.py"), now=now).compute
    del now.files[FIGURE]
    assert plan(frozen, now=now).compute == (f"{FIGURE} is missing",)


def test_equal_but_different_parameters_differ() -> None:
    assert plan(replace(NOTE, params={"k": 1.0})).compute == ("`params:` changed",)
    assert plan(replace(NOTE, params={"k": True})).compute == ("`params:` changed",)


def test_an_unsealed_record_computes_and_renders() -> None:
    step = plan(fault="it was edited")
    assert step.compute == step.render == ("it was edited",)


def test_changes_in_words() -> None:
    assert describe_change("a", "", "1") == "a is new"
    assert describe_change("a", "1", "") == "a is gone"
    assert describe_change("a", "1", "2") == "a changed"


def test_orphans_are_records_without_notes() -> None:
    assert find_orphans(["a", "b"], ["c", "b", "d"]) == ["c", "d"]
