"""Neg."""
from checker.table import operator

operator("Neg")(lambda call, ring, x: ring.scale(x, -1))
