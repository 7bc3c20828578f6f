"""`python -m generator`."""

import sys

from generator.quick import answer_quickly

if (code := answer_quickly(sys.argv[1:])) is None:
    from generator.cli import run_and_leave

    code = run_and_leave()
sys.exit(code)
