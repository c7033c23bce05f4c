"""Mul."""
from operators.parts.arithmetic import arithmetic

arithmetic("Mul", "multiply")
