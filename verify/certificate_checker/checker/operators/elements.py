"""Operators that apply an element function, alone or within a sum of products."""
import math
from fractions import Fraction
from functools import reduce
import numpy as np
from ..rings.ring import Window
from . import functions
from .sums import total
from .table import INTEGER, REAL, TEXT, operator

_EPSILON = float(np.float32(1e-5))

def _function(name, function, tensors=(1, 1), since=1, **standard):
    """Of operands that broadcast, and of parameters that have a standard value."""
    @operator(name, tensors, attributes=dict.fromkeys(standard, REAL), since=since)
    def define(call, ring, *operands):
        call.broadcast(*(x.shape for x in operands))
        return ring.apply(function, tuple(call.get(k, float(np.float32(v))) for k, v in standard.items()), [*operands])

for _name in ("Relu", "Sigmoid", "Tanh", "Erf", "Exp", "Log", "Sqrt", "Reciprocal", "Abs", "Softplus"):
    _function(_name, _name.lower())
_function("LeakyRelu", "leaky_relu", alpha=0.01)
_function("Elu", "elu", alpha=1)
_function("HardSigmoid", "hard_sigmoid", alpha=0.2, beta=0.5)
_function("HardSwish", "hard_swish", since=14)
_function("Max", "max", (1, 2**31))
_function("Min", "min", (1, 2**31))

@operator("PRelu", tensors=(2, 2))
def _p_relu(call, ring, x, slope):
    call.fail_if(call.broadcast(x.shape, slope.shape) != tuple(x.shape), "the slope does not broadcast to the operand")
    return ring.apply("p_relu", (), [x, slope])

@operator("Pow", tensors=(2, 2))
def _pow(call, ring, x, y):
    shape, power = call.broadcast(x.shape, y.shape), call.number(1)
    chain = {-1: ["reciprocal"], Fraction(1, 2): ["sqrt"], Fraction(-1, 2): ["sqrt", "reciprocal"]}.get(power, [])
    if power in (1, 2, 3, 4):
        return ring.reshape(reduce(ring.multiply, [x] * int(power)), shape)
    made = reduce(lambda value, function: ring.apply(function, (), [value]), chain, x)
    return ring.reshape(made, shape) if chain else ring.apply("pow", (), [x, y])

@operator("Gelu", attributes={"approximate": TEXT}, since=20)
def _gelu(call, ring, x):
    approximate = call.get("approximate", "none")
    call.opaque_if(approximate not in ("none", "tanh"), "approximate is neither none nor tanh")
    return ring.apply("gelu", (1.0 if approximate == "tanh" else 0.0,), [x])

@operator("Clip", tensors=(1, 3))
def _clip(call, ring, x, low=None, high=None):
    limits = []
    for limit, standard in ((low, -functions.LARGEST), (high, functions.LARGEST)):
        limit = ring.number(standard) if limit is None else limit
        call.fail_if(len(limit.shape) > 1 or math.prod(limit.shape) != 1, "a limit must be a single number")
        limits.append(ring.reshape(limit, ()))
    return ring.apply("clip", (), [x, *limits])

@operator("BatchNormalization", tensors=(5, 5),
          attributes={"epsilon": REAL, "momentum": REAL, "training_mode": INTEGER})  # fmt: skip
def _batch_normalization(call, ring, x, scale, bias, mean, variance):
    call.opaque_if(call.outputs > 1 or call.get("training_mode", 0), "the training form is not interpreted")
    channels = x.shape[1:2]
    fits = channels and all(v.shape == channels for v in (scale, bias, mean, variance))
    call.fail_if(not fits, "the operands do not have one element for each channel")
    inverse = ring.apply("inverse_deviation", (call.get("epsilon", _EPSILON),), [variance])
    factor = ring.multiply(scale, inverse)
    shift = ring.subtract(bias, ring.multiply(mean, factor))
    shape = (channels[0],) + (1,) * (len(x.shape) - 2)
    return ring.add(ring.multiply(x, ring.reshape(factor, shape)), ring.reshape(shift, shape))

def _rows(x, axes):
    """The row along `axes` through each element; in the result they are axes of one."""
    kept = [i for i in range(len(x.shape)) if i not in axes]
    shape = [1 if i in axes else n for i, n in enumerate(x.shape)]
    width = math.prod(x.shape[i] for i in axes)
    def arrange(array, hole):
        return array.transpose(0, *(i + 1 for i in kept), *(i + 1 for i in axes)).reshape(array.shape[0], *shape, width)
    return Window(x, arrange, axes)

@operator("Softmax", attributes={"axis": INTEGER})
def _softmax(call, ring, x):
    """A row is one axis; before operator set 13 all axes from one on."""
    axis = call.axis(call.get("axis", 1 if call.opset < 13 else -1))
    return ring.apply("softmax", (), [x], _rows(x, [axis] if call.opset >= 13 else list(range(axis, len(x.shape)))))

@operator("LayerNormalization", tensors=(2, 3), since=17,
          attributes={"axis": INTEGER, "epsilon": REAL, "stash_type": INTEGER})  # fmt: skip
def _layer_normalization(call, ring, x, scale, bias=None):
    call.opaque_if(call.get("stash_type", 1) != 1, "stash_type is not float")
    axes = list(range(call.axis(call.get("axis", -1)), len(x.shape)))
    parameters = (call.get("epsilon", _EPSILON),)
    fits = all(v is None or call.broadcast(v.shape, x.shape) == tuple(x.shape) for v in (scale, bias))
    call.fail_if(not fits, "scale or bias does not broadcast to the operand")
    rows = _rows(x, axes)
    out = ring.multiply(ring.apply("normalized", parameters, [x], rows), scale)
    results = [out if bias is None else ring.add(out, bias)]
    if call.outputs > 1:
        results.append(total(call, ring, x, axes, keeps=True, divides=True))
    if call.outputs > 2:
        call.opaque_if(math.prod(x.shape[i] for i in axes) == 0, "the deviation of no element")
        results.append(ring.apply("inverse_deviation_of_row", parameters, [], rows))
    return results
