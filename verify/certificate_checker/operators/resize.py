"""Resize: other extents, by the nearest element or by weighted neighbours.

What runtimes, which compute coordinates in floats, could decide otherwise than exact arithmetic has no meaning here."""
from fractions import Fraction
import numpy as np
from checker.table import INTEGER, INTEGERS, REAL, TEXT, operator
from checker.tensors import limited

_LONGEST = 2**16
_COORDINATES = ("align_corners", "asymmetric", "half_pixel", "pytorch_half_pixel")
_ROUNDINGS = ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")
_CLOSE = 1024  # nearer to a border between two elements than this share of one, but not on it, is undecided

def _line(mode, n, m):
    """From n positions to m: position v of the result lies at (slope v + offset) / divisor."""
    if mode == "align_corners":
        return (n - 1, 0, m - 1) if m > 1 else (0, 0, 1)
    if mode == "asymmetric":
        return n, 0, m
    if mode == "pytorch_half_pixel" and m == 1:
        return 0, 0, 1
    return 2 * n, n - m, 2 * m

def _in_floats(mode, n, m):
    """The same coordinates as a runtime computes them."""
    at, n, m = np.arange(m, dtype=np.float32), np.float32(n), np.float32(m)
    one, half = np.float32(1), np.float32(0.5)
    if mode == "align_corners":
        return at * (n - one) / (m - one) if m > 1 else at
    if mode == "asymmetric":
        return at / (m / n)
    if mode == "pytorch_half_pixel" and m == 1:
        return at
    return (at + half) / (m / n) - half

def _floats_rounded(x, rounding):
    x = x.astype(np.float64)
    if rounding in ("floor", "ceil"):
        return np.floor(x) if rounding == "floor" else np.ceil(x)
    is_down = (x == np.trunc(x) + 0.5) & (rounding == "round_prefer_floor")
    return np.where(is_down, np.floor(x), np.copysign(np.floor(np.abs(x) + 0.5), x))

def _nearest(call, mode, rounding, n, m):
    """The position that each position of the result reads, and in how many pieces that is."""
    slope, offset, divisor = _line(mode, n, m)
    at = np.arange(m)
    is_rounded = rounding.startswith("round")
    border = (2 * slope, 2 * offset + divisor, 2 * divisor) if is_rounded else (slope, offset, divisor)
    behind = (border[0] * at + border[1]) % border[2]
    beside = np.minimum(behind, border[2] - behind)
    up = {"floor": 0, "ceil": border[2] - 1, "round_prefer_floor": -1, "round_prefer_ceil": 0}[rounding]
    exact = (border[0] * at + border[1] + up) // border[2]
    out = np.clip(exact, 0, n - 1)
    floats = np.clip(_floats_rounded(_in_floats(mode, n, m), rounding), 0, n - 1)
    is_open = (out != floats) | (beside != 0) & (beside < border[2] // _CLOSE)
    call.opaque_if(is_open.any(), "floats may choose another element than exact coordinates do")
    return [(out, None)], len({0 if i < 0 else 2 if i >= n else 1 for i in exact.tolist()})

def _linear(call, mode, rounding, n, m):
    """The neighbours with their weights (None where all are 1), those without any weight left out."""
    slope, offset, divisor = _line(mode, n, m)
    first, rest = np.divmod(slope * np.arange(m) + offset, divisor)
    rest = np.where(first < 0, divisor, np.where(first >= n - 1, 0, rest))
    floats, exact = (np.clip(at, 0, n - 1) for at in (_in_floats(mode, n, m), first + rest / divisor))
    is_same = (np.abs(floats - exact) <= 2.0**-22) & ((rest % divisor != 0) | (floats == exact))
    call.opaque_if(not is_same.all(), "floats weigh neighbours otherwise than exact coordinates do")
    out = []
    for at, parts in ((first, divisor - rest), (first + 1, rest)):
        if parts.any():
            weights = None if (parts == divisor).all() else [Fraction(part, divisor) for part in parts.tolist()]
            out.append((np.clip(at, 0, n - 1), weights))
    return out, len(out)

def _sizes(call):
    shape, axes = call.shape(), call.get("axes")
    axes = call.axes(axes or range(len(shape)))
    is_given = [call.has(i) and call.shape(i) != (0,) for i in (2, 3)]
    call.fail_if(is_given[0] == is_given[1], "exactly one of scales and sizes must be given")
    given = call.integers(3, "sizes") if is_given[1] else _scales(call)
    call.fail_if(len(given) != len(axes), f"{len(given)} numbers for {len(axes)} axes")
    out = list(shape)
    for axis, n in zip(axes, given):
        if not is_given[1]:
            call.fail_if(not 0 < n < 2**40, f"a scale of {n}")
            n = Fraction(n) * shape[axis]
            call.opaque_if(n.denominator != 1, "a scale to a broken number of positions")
        out[axis] = int(n)
    return limited(out)

def _scales(call):
    stored = call.operands[2].stored
    call.opaque_if(stored is None or not stored.is_float or stored.elements.size > 4096, "scales are no constant")
    return [float(x) for x in stored.elements.reshape(-1)]

def _plan(call):
    """By axis: what is read, by position, and with what weights."""
    if "axes" not in call.memo:
        mode = call.get("mode", "nearest")
        coordinates = call.get("coordinate_transformation_mode", "half_pixel")
        rounding = call.get("nearest_mode", "round_prefer_floor") if mode == "nearest" else "floor"
        is_known = mode in ("nearest", "linear") and coordinates in _COORDINATES and rounding in _ROUNDINGS
        call.opaque_if(not is_known, "another mode")
        call.opaque_if(call.get("keep_aspect_ratio_policy", "stretch") != "stretch", "keep_aspect_ratio_policy")
        call.opaque_if(call.get("exclude_outside", 0) or call.get("antialias", 0), "exclude_outside or antialias")
        axes = []
        for n, m in zip(call.shape(), _sizes(call)):
            call.opaque_if(not (1 <= n <= _LONGEST and 1 <= m <= _LONGEST), f"from {n} positions to {m}")
            axes.append((_nearest if mode == "nearest" else _linear)(call, coordinates, rounding, n, m))
        call.limit_pieces(pieces for _, pieces in axes)
        call.memo["axes"] = [reads for reads, _ in axes]
    return call.memo["axes"]

@operator("Resize", integers=3, since=11,
          moves=lambda call: all(weights is None for reads in _plan(call) for _, weights in reads),
          attributes={"mode": TEXT, "coordinate_transformation_mode": TEXT, "nearest_mode": TEXT, "axes": INTEGERS,
                      "cubic_coeff_a": REAL, "exclude_outside": INTEGER, "extrapolation_value": REAL,
                      "antialias": INTEGER, "keep_aspect_ratio_policy": TEXT})  # fmt: skip
def _resize(call, ring, x):
    for axis, reads in enumerate(_plan(call)):
        total = None
        for at, weights in reads:
            part = x if np.array_equal(at, np.arange(x.shape[axis])) else ring.take(x, at, axis)
            if weights is not None:
                part = ring.scale(part, np.array(weights, dtype=object).reshape(-1, *(1,) * (len(x.shape) - axis - 1)))
            total = part if total is None else ring.add(total, part)
        x = total
    return x
