"""Sum."""
from operators.parts.arithmetic import arithmetic

arithmetic("Sum", "add", (1, 2**31))
