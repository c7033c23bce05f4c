"""ReduceMax, by the function of MaxPool."""
from operators.parts.reduction import extreme

extreme("ReduceMax", "largest")
