"""Add."""
from operators.parts.arithmetic import arithmetic

arithmetic("Add", "add")
