"""Sub."""
from operators.parts.arithmetic import arithmetic

arithmetic("Sub", "subtract")
