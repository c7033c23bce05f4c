"""ReduceLogSumExp."""
from checker.functions import element_function
from operators.parts.exponentials import log_of_sum
from operators.parts.reduction import of_row

element_function("log_of_sum_of_exp", lambda p, row: log_of_sum(row))
of_row("ReduceLogSumExp", "log_of_sum_of_exp")
