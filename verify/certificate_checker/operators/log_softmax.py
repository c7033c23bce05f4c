"""LogSoftmax."""
from checker.functions import element_function
from operators.parts.exponentials import log_of_sum
from operators.parts.softmax import softmax

element_function("log_softmax", lambda p, row, x: x - log_of_sum(row))
softmax("LogSoftmax", "log_softmax")
