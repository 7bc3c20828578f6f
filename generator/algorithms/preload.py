"""Imports all that a checked run needs, for a process that is forked for each demo."""

from generator.algorithms import (
    compose as compose,
)
from generator.algorithms import (
    instrument as instrument,
)
from generator.algorithms import (
    listing as listing,
)
from generator.algorithms import (
    recorder as recorder,
)
from generator.algorithms import (
    subject as subject,
)
from generator.algorithms import (
    watch as watch,
)
