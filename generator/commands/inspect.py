"""`list`, `show`, `explain`: what the site holds, and where it came from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.build import failed_discoveries, plan_steps
from generator.commands.inputs import list_inputs
from generator.errors import Problem, UsageError, near_names
from generator.fingerprint import Digests, Sized
from generator.notes import Discovery, discover_notes, select_notes
from generator.plan import Step
from generator.record import Inputs, Record
from generator.settings import Settings
from generator.terminal import counted, print_problem, style


def run_list(settings: Settings, *, as_json: bool) -> int:
    """All notes and their state."""
    discovery = discover_notes(settings)
    steps = plan_steps(settings, discovery, Digests(str(settings.root)))
    rows = [_row(step) for step in steps]
    rows += [{"slug": report.slug, "state": "broken"} for report in failed_discoveries(discovery)]
    rows.sort(key=lambda row: str(row["slug"]))
    if as_json:
        print(json.dumps({"notes": rows}, indent=2, ensure_ascii=False))
        return 0
    width = max((len(str(row["slug"])) for row in rows), default=0)
    colours = {"fresh": "green", "stale": "yellow", "edited": "yellow", "broken": "red"}
    for row in rows:
        state = style(f"{row['state']:7}", colours[str(row["state"])])
        facts = counted(row["claims"], "claim") if row.get("claims") else ""
        if row.get("frozen"):
            facts += (", " if facts else "") + "frozen"
        if row.get("unchecked"):
            facts += ", " + counted(row["unchecked"], "unchecked formula")
        print(f"{state} {row['slug']:{width}}  {row.get('demo') or 'prose'}  {facts}".rstrip())
    return 0


def _row(step: Step) -> dict[str, Any]:
    record = step.known.record
    return {
        "slug": step.note.slug,
        "state": "edited" if step.edited else "stale" if step.reasons else "fresh",
        "template": step.note.template,
        "demo": step.note.demo,
        "claims": len(record.claims) if record else 0,
        "unchecked": record.unchecked if record else 0,
        "reasons": list(step.reasons),
        **({"frozen": True} if step.note.freeze else {}),
    }


def run_show(settings: Settings, slug: str) -> int:
    """A note's results, each with the tag to paste."""
    record = _record(settings, slug)
    if not record.results:
        print(f"{slug} has no demo, and so no results")
        return 0
    tags = dict(_tags(record.results))
    width = min(48, max(map(len, tags)))
    for tag, value in tags.items():
        print(f"{tag:{width}}  {style(value, 'dim')}")
    return 0


def _tags(results: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in results.items():
        path = f"{prefix}{name}"
        if isinstance(value, dict) and "$block" not in value and not _is_special(value):
            yield from _tags(value, path + ".")
        else:
            yield f"<%= {path} %>", _brief(value)


def _is_special(value: Mapping[str, Any]) -> bool:
    return len(value) == 1 and next(iter(value)).startswith("$")


def _brief(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, dict) and "$block" in value:
        about = value.get("caption") or value.get("alt") or value.get("name") or ""
        return f"{value['$block']}: {about}".rstrip(": ")
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return str(next(iter(value.values())))
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 64 else f"{text[:60]}… ({len(value)} items)"


def run_explain(settings: Settings, slug: str, result: str | None, *, verbose: bool = False) -> int:
    """Why a note is stale and what it depends on; or where one result came from."""
    step = _step(settings, slug)
    if result is not None:
        return _explain_result(settings, step, result, verbose=verbose)
    state = "edited by hand" if step.edited else "stale" if step.reasons else "up to date"
    print(f"{style(slug, 'bold')} is {state}")
    for reason in step.reasons:
        print(f"  {style(reason, 'yellow')}")
    record = step.known.record
    if record is None:
        return 0
    print(f"template  {record.template}")
    if record.demo:
        print(f"demo      {record.demo}, seed {_seed(record)}, parameters {_params(record)}")
        print("computed from")
        _print_inputs(settings, step, record, record.computed, verbose=verbose)
    print("rendered from")
    _print_inputs(settings, step, record, record.rendered, verbose=verbose)
    print(f"claims    {len(record.claims)} checked; formulas unchecked: {record.unchecked}")
    print("wrote")
    for path in record.outputs:
        print(f"  {path}")
    return 0


def _print_inputs(
    settings: Settings, step: Step, record: Record, inputs: Inputs, *, verbose: bool
) -> None:
    now = Sized(Digests(str(settings.root)), step.note.large)
    for line in list_inputs(inputs, now, main=record.demo or "", verbose=verbose):
        print(f"  {line}")


def _explain_result(settings: Settings, step: Step, result: str, *, verbose: bool) -> int:
    record = _record(settings, step.note.slug)
    name, _, rest = result.partition(".")
    value: Any = record.results.get(name)
    if name not in record.results:
        hint = near_names(name, record.results) or f"python -m generator show {record.slug}"
        raise UsageError(Problem(record.template, 0, f"there is no result `{name}`", hint))
    for key in filter(None, rest.split(".")):
        value = value.get(key) if isinstance(value, dict) else None
    line = record.where.get(name)
    versions = ", ".join(f"{name} {number}" for name, number in sorted(record.versions.items()))
    print(f"{style(result, 'bold')} = {_brief(value)}")
    print(f"computed at   {record.demo}{f':{line}' if line else ''}")
    print(f"seed          {_seed(record)}")
    print(f"parameters    {_params(record)}")
    print(f"versions      {versions}")
    print("inputs        of the whole demo, all results alike:")
    _print_inputs(settings, step, record, record.computed, verbose=verbose)
    named = re.compile(rf"\b{re.escape(name)}\b")
    claims = [c for c in record.claims if named.search(str(c.get("source", "")))]
    for claim in claims:
        print(f"claimed at    {record.template}:{claim['line']}: {claim['expected']}")
    if step.compute:
        print(style("stale         " + "; ".join(step.compute), "yellow"))
    return 0


def _seed(record: Record) -> str:
    return "from the demo's name" if record.seed is None else str(record.seed)


def _params(record: Record) -> str:
    return json.dumps(record.params, ensure_ascii=False) if record.params else "none"


def _step(settings: Settings, slug: str) -> Step:
    discovery = select_notes(discover_notes(settings), [slug])
    if discovery.problems:
        raise UsageError(*(p for found in discovery.problems.values() for p in found))
    only = Discovery(discovery.notes, {})
    return plan_steps(settings, only, Digests(str(settings.root)))[0]


def _record(settings: Settings, slug: str) -> Record:
    step = _step(settings, slug)
    if step.known.record is None:
        message = f"`{slug}` has not been built"
        raise UsageError(
            Problem(step.note.template, 0, message, f"python -m generator build {slug}")
        )
    if step.reasons:
        reasons = "; ".join(step.reasons)
        print_problem(Problem(step.note.template, 0, f"stale: {reasons}", "", "", "warning"))
    return step.known.record
