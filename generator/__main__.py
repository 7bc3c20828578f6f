"""`python -m generator`."""

import sys

from generator.quick import answer_quickly

code = answer_quickly(sys.argv[1:])
if code is None:
    from generator.cli import main

    code = main(sys.argv[1:])
sys.exit(code)
