"""The meaning of each operator, written from the ONNX specification; importing this fills the table."""
from . import elements, movement, resize, sums, windows  # noqa: F401
from .table import find  # noqa: F401
