"""The softmax lab: a real little project, its scripts run, and what they find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from generator import PALETTE, Figure, FileTree, Listing, Table, run_script, subplots
from generator.blocks.download import Download

LAB = "softmax-lab"
LOGITS = Path(__file__).parent / LAB / "data" / "logits.npy"
SHOWN = (0.125, 0.5, 1.0, 2.0, 8.0)
"""Temperatures in the table."""


def closed_form(precision: str, equal: int = 1) -> float:
    """The score at which `equal` equal exponentials add up to the largest finite number.

    That is log(max / equal): IEEE 754's largest finite value of the precision, in float64.
    """
    return float(np.log(float(np.finfo(precision).max) / equal))


def compare_thresholds(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The naive softmax's thresholds beside their closed forms, a mapping for each case."""
    rows = []
    for found in report["naive"]:
        equal = report["n"] if found["scores"] == "all equal" else 1
        expected = closed_form(found["precision"], equal)
        gap = abs(found["right"] - expected) / found["spacing"]
        rows.append({**found, "expected": expected, "gap": gap})
    return rows


def tabulate_thresholds(rows: list[dict[str, Any]]) -> Table:
    """The thresholds as a table."""
    return Table(
        {
            "Precision": [row["precision"] for row in rows],
            "Scores": [row["scores"] for row in rows],
            "Search": [row["right"] for row in rows],
            "Closed form": [row["expected"] for row in rows],
            "Beyond": [row["beyond"] for row in rows],
        },
        formats={"Search": "fixed(3)", "Closed form": "fixed(3)"},
    )


def draw_entropy(temperatures: list[float], entropies: list[float], ceiling: float) -> Figure:
    """Entropy against temperature, with its ceiling log n."""
    figure, axis = subplots()
    axis.plot(temperatures, entropies, color=PALETTE.blue)
    axis.axhline(ceiling, color=PALETTE.grey, linewidth=1, linestyle="--")
    axis.annotate("log n", (temperatures[0], ceiling), xytext=(0, -22), textcoords="offset points")
    axis.set(xlabel="temperature T", ylabel="entropy (nats)", ylim=(0, 1.08 * ceiling))
    axis.set_xscale("log", base=2)
    ticks = [1 / 32, 1 / 8, 1 / 2, 2, 8, 32]
    axis.set_xticks(ticks, ["1/32", "1/8", "1/2", "2", "8", "32"])
    return Figure(
        figure,
        alt=(
            "Entropy of the weights against temperature on a logarithmic axis: an S-shaped curve "
            "that starts at zero, climbs steadily from T = 1/8 to T = 2, and flattens just below "
            "a dashed line marked log n."
        ),
        caption="Entropy of the softmax of the lab's logits against the temperature.",
        data={"temperature": temperatures, "entropy": entropies},
    )


def run(rng: np.random.Generator) -> dict[str, object]:
    """Show the folder, run its scripts, and compare what they print with closed forms."""
    overflow = json.loads(run_script(f"{LAB}/check_overflow.py", "--json").output)
    heat = json.loads(run_script(f"{LAB}/temperature.py", "--json").output)
    rows = compare_thresholds(overflow)
    n, top = overflow["n"], overflow["top"]
    band = {row["precision"]: row["verdicts"] for row in rows if row["scores"] == "all equal"}
    entropies = heat["entropy"]
    choices = np.exp(entropies)
    one = heat["temperature"].index(1.0)
    at = [heat["temperature"].index(temperature) for temperature in SHOWN]
    temperatures = Table(
        {
            r"\(T\)": list(SHOWN),
            "Entropy (nats)": [entropies[k] for k in at],
            r"\(e^{H}\)": [choices[k] for k in at],
            "Largest weight": [heat["largest"][k] for k in at],
        },
        formats={
            "Entropy (nats)": "fixed(3)",
            r"\(e^{H}\)": "fixed(1)",
            "Largest weight": "fixed(3)",
        },
        variant="academic",
    )
    return {
        "tree": FileTree(LAB),
        "softmax_lab": Download(LAB),
        "source": Listing(f"{LAB}/softmax.py", lines=(13, 22)),
        "output": Listing(run_script(f"{LAB}/check_overflow.py").output, language="text"),
        "thresholds": tabulate_thresholds(rows),
        "entropy": draw_entropy(heat["temperature"], entropies, float(np.log(n))),
        "temperatures": temperatures,
        "n": n,
        "top": top,
        "right": {f"{row['precision']}_{row['scores'].split()[-1]}": row["right"] for row in rows},
        "widest_gap": max(row["gap"] for row in rows),
        "large": [row["beyond"] for row in rows if row["scores"] == "one large"],
        "equal": [row["beyond"] for row in rows if row["scores"] == "all equal"],
        "first": [row["first"] for row in rows],
        "at_top": [max(row["verdicts"], key=row["verdicts"].__getitem__) for row in rows],
        "shifted_verdicts": sorted({v for row in overflow["shifted"] for v in row["verdicts"]}),
        "band": band,
        "band_width": float(np.log(n)),
        "band_share": {p: float(np.log(n)) / closed_form(p) for p in ("float16", "float64")},
        "logits_sd": float(np.load(LOGITS).std(ddof=1)),
        "entropy_steps": np.diff(entropies),
        "entropy_cold": entropies[0],
        "entropy_one": entropies[one],
        "choices_one": choices[one],
        "largest_one": heat["largest"][one],
        "largest_cold": heat["largest"][0],
        "shortfall": 1 - entropies[-1] / float(np.log(n)),
        "hottest": round(heat["temperature"][-1]),
        "coldest_inverse": round(1 / heat["temperature"][0]),
    }
