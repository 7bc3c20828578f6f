"""What a loop runs over, against the range that is printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.algorithms.checks import Check
from generator.algorithms.comparison import as_node, is_relation
from generator.algorithms.differences import differ
from generator.algorithms.environment import Environment
from generator.algorithms.evaluate import evaluate, progression
from generator.algorithms.nodes import Membership, Node, Progression, Space, Symbol
from generator.algorithms.tensors import ImpossibleError, describe
from generator.algorithms.tokens import UnreadableError

if TYPE_CHECKING:
    from generator.algorithms.watch import Watch


class Loop:
    """The values that a loop's variables take, against the range that is printed."""

    def __init__(self, watch: Watch, checks: Sequence[Check], env: Environment) -> None:
        self.watch = watch
        self.number = 0
        self._expected: list[tuple[Check, Symbol | None, list[Any]]] = []
        self._each: list[Check] = []
        for check in checks:
            try:
                self._prepare(check, env)
            except (UnreadableError, ImpossibleError) as error:
                self._complain(check, f"the range \\({check.latex}\\) can't be checked: {error}")

    def _prepare(self, check: Check, env: Environment) -> None:
        formula = check.formula
        if isinstance(formula, Progression):
            items = formula.values.items
            values = progression(items, [evaluate(item, env).data for item in items])
            self._expected.append((check, formula.variable, values))
        elif isinstance(formula, Membership) and isinstance(formula.members[0], Symbol):
            values = list(_members(formula.space, env))
            self._expected.append((check, formula.members[0], values))
        elif is_relation(formula):
            self._each.append(check)
        elif not self._expected:
            count = evaluate(as_node(check), env).data
            if np.ndim(count) == 0 and not isinstance(count, (bool, np.bool_)):
                self._expected.append((check, None, [None] * int(count)))

    def compare_pass(self, env: Environment) -> None:
        for check, variable, values in self._expected:
            if variable is None:
                continue
            actual = env.values.get(variable.key)
            if variable.key not in env.values:
                self._complain(check, f"the loop has no variable `{variable.latex}`")
            elif self.number >= len(values):
                self._complain(
                    check,
                    f"the loop goes on after \\({check.latex}\\): "
                    f"`{variable.latex}` became {describe(actual)}",
                )
            elif differ(values[self.number], actual):
                self._complain(
                    check,
                    f"the range \\({check.latex}\\) is not what the loop runs over: in pass "
                    f"{self.number + 1} it says {describe(values[self.number])}, "
                    f"the code {describe(actual)}",
                )
        for check in self._each:
            self.watch._hold(check, env)
        self.number += 1

    def finish(self) -> None:
        for check, _, values in self._expected:
            if len(values) != self.number:
                self._complain(
                    check,
                    f"the range \\({check.latex}\\) has {len(values)} passes, "
                    f"the loop {self.number}",
                )

    def _complain(self, check: Check, message: str) -> None:
        self.watch.recorder.complain(
            check.line,
            check.latex,
            f"{message}, {self.watch.when()}",
            "the code or the range is wrong",
        )


def _members(space: Node, env: Environment) -> Sequence[Any]:
    if isinstance(space, Space):
        if space.name != "list":
            raise UnreadableError("the members of this set can't be listed")
        items = [evaluate(item, env).data for item in space.items]
        return progression(space.items, items) if space.ellipsis else items
    value = evaluate(space, env).data
    if np.ndim(value) == 0 and not isinstance(value, (list, tuple, set, frozenset, dict)):
        raise ImpossibleError(f"{describe(value)} has no members")
    return list(value)
