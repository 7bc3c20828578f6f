"""Claims: what a sentence says about results, held against them."""

from generator.claims.comparisons import WEAK_FACTOR
from generator.claims.verdicts import Verdict, check_claim, check_condition

__all__ = ["WEAK_FACTOR", "Verdict", "check_claim", "check_condition"]
