"""Problems as JSON, and as SARIF, which code hosts show beside the lines."""

from __future__ import annotations

import json
from collections.abc import Sequence

from generator.blocks.base import Json
from generator.errors import Problem
from generator.report import problem_to_data

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def problems_to_json(problems: Sequence[Problem]) -> str:
    """One document with every problem and the two counts."""
    errors = sum(problem.is_error for problem in problems)
    document: Json = {
        "problems": [problem_to_data(problem) for problem in problems],
        "errors": errors,
        "warnings": len(problems) - errors,
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def problems_to_sarif(problems: Sequence[Problem]) -> str:
    """A SARIF 2.1.0 log of one run, with the rules that it speaks of."""
    from generator.lint.rules import RULES

    used = sorted({problem.code or "problem" for problem in problems})
    known = {rule.code: rule for rule in RULES}
    rules: list[Json] = []
    for code in used:
        rule = known.get(code)
        title, why = (rule.title, rule.why) if rule else (code.replace("-", " "), "")
        described: dict[str, Json] = {"id": code, "shortDescription": {"text": title}}
        if why:
            described["fullDescription"] = {"text": why}
            described["help"] = {"text": why}
        if rule:
            described["defaultConfiguration"] = {"level": rule.severity}
        rules.append(described)
    driver: Json = {"name": "generator-lint", "rules": rules}
    results: list[Json] = [_result(problem, used) for problem in problems]
    run: Json = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log: Json = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2)


def _result(problem: Problem, used: Sequence[str]) -> dict[str, Json]:
    code = problem.code or "problem"
    text = f"{problem.message} — {problem.hint}" if problem.hint else problem.message
    result: dict[str, Json] = {
        "ruleId": code,
        "ruleIndex": used.index(code),
        "level": problem.severity,
        "message": {"text": text},
    }
    if problem.path:
        place: dict[str, Json] = {"artifactLocation": {"uri": _uri(problem.path)}}
        if problem.line:
            region: dict[str, Json] = {"startLine": problem.line}
            if problem.column:
                region["startColumn"] = problem.column
            place["region"] = region
        result["locations"] = [{"physicalLocation": place}]
    return result


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path)
