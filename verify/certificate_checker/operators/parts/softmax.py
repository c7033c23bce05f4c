"""Functions of the rows of a Softmax."""
from checker.table import INTEGER, operator
from operators.parts.rows import row_window

def softmax(name, function):
    @operator(name, attributes={"axis": INTEGER})
    def define(call, ring, x):
        """A row is one axis; before operator set 13 all axes from one on."""
        axis = call.axis(call.get("axis", 1 if call.opset < 13 else -1))
        return ring.apply(function, (), [x], row_window(x, [axis] if call.opset >= 13 else list(range(axis, len(x.shape)))))
