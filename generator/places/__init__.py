"""Places: where each value of a note stands, and the note with its values in them."""

from generator.places.filling import Unplaceable, fill_places
from generator.places.finding import find_places
from generator.places.marks import PLACEHOLDER, placeholder
from generator.spots import Place, Spot

__all__ = [
    "PLACEHOLDER",
    "Place",
    "Spot",
    "Unplaceable",
    "fill_places",
    "find_places",
    "placeholder",
]
