"""Divisions and roots of numbers that are enclosed."""
import numpy as np
from checker.refusals import meaningless_if
from checker.rings.enclosures import MORE, exactly, lanes, negative, plus, size, times

def _refined(x, guess, residual, step):
    """`guess` improved twice; the last residual, relative to the result, bounds its error."""
    guess = lanes(exactly(guess))
    for _ in range(2):
        guess = plus(guess, times(times(guess, residual(x, guess)), exactly(step)))
        guess[2] = 0  # any number is a guess
    left = size(residual(x, guess))
    meaningless_if(not (left <= 0.5).all(), "a constant too close to a singularity")
    guess[2] = size(guess) * left * 2 * MORE
    return guess

def inverse(x):
    meaningless_if(not (x[0] != 0).all(), "a division of constants by zero")
    return _refined(x, 1 / x[0], lambda x, y: plus(exactly(1), negative(times(x, y))), 1)

def inverse_root(x):
    meaningless_if(not (x[0] > 0).all(), "a root of a constant that is not positive")
    return _refined(x, 1 / np.sqrt(x[0]), lambda x, y: plus(exactly(1), negative(times(x, times(y, y)))), 0.5)

def root(x):
    x = lanes(x)
    is_zero = size(x) == 0
    return np.where(is_zero, x, times(x, inverse_root(np.where(is_zero, lanes(exactly(np.ones_like(x[0]))), x))))
