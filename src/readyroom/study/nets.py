"""Fit small neural nets with NumPy: one hidden layer, by the Adam method."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from readyroom.bots.fitted import Array, Net

EPOCHS, BATCH = 8, 128
"""How often the fit passes over all rows, and how many rows are in a step."""
LEAST_STEPS = 1500
"""With few rows the fit passes over them more often, to have this many steps."""
RATE, DECAY = 4e-3, 1e-4
"""The size of the first steps, which shrink to zero, and the weight decay."""
KEEP, KEEP_SQUARE, TINY = 0.9, 0.999, 1e-8
"""Adam's constants."""


def fit_net(rows: ArrayLike, targets: ArrayLike, *, units: int, chances: bool, seed: int) -> Net:
    """Return a net that predicts targets from rows; the result follows from the arguments.

    Chances are fitted by cross-entropy, where targets may be any number from 0 to 1; other numbers by squares.
    """
    inputs, outputs = np.asarray(rows, np.float32), np.asarray(targets, np.float32)
    mean, deviation = inputs.mean(0), inputs.std(0)
    scale = np.where(deviation > 1e-6, deviation, 1).astype(np.float32)
    offset, spread = outputs.mean(0), np.maximum(outputs.std(0), 1e-3)
    x = (inputs - mean) / scale
    y = outputs if chances else (outputs - offset) / spread
    weights = _descend(x, y, units, chances=chances, random=np.random.default_rng(seed))
    first, first_bias, second, second_bias = weights
    if not chances:
        second, second_bias = second * spread, second_bias * spread + offset
    return Net(mean, scale, *(each.astype(np.float32) for each in (first, first_bias, second, second_bias)))


def _descend(x: Array, y: Array, units: int, *, chances: bool, random: np.random.Generator) -> list[Array]:
    """Return the weights after all steps."""
    count, size = x.shape
    weights: list[Array] = [
        random.normal(0, size**-0.5, (size, units)).astype(np.float32),
        np.zeros(units, np.float32),
        random.normal(0, units**-0.5, (units, y.shape[1])).astype(np.float32),
        np.zeros(y.shape[1], np.float32),
    ]
    means, squares = ([np.zeros_like(each) for each in weights] for _ in range(2))
    per_epoch = -(-count // BATCH)
    steps = max(EPOCHS * per_epoch, LEAST_STEPS)
    order = random.permutation(count)
    for step in range(steps):
        at = step % per_epoch
        if not at:
            order = random.permutation(count)
        batch = order[at * BATCH : (at + 1) * BATCH]
        gradients = _gradients(x[batch], y[batch], weights, chances=chances)
        rate = RATE * (1 - step / steps)
        for each, gradient, average, square in zip(weights, gradients, means, squares, strict=True):
            average += (1 - KEEP) * (gradient - average)
            square += (1 - KEEP_SQUARE) * (gradient**2 - square)
            corrected = average / (1 - KEEP ** (step + 1))
            size_of = np.sqrt(square / (1 - KEEP_SQUARE ** (step + 1))) + TINY
            each -= rate * (corrected / size_of + DECAY * each)
    return weights


def _gradients(x: Array, y: Array, weights: list[Array], *, chances: bool) -> list[Array]:
    """Return the gradient of the loss for each array of weights."""
    first, first_bias, second, second_bias = weights
    hidden = np.tanh(x @ first + first_bias)
    output = hidden @ second + second_bias
    if chances:
        output = 1 / (1 + np.exp(-output))
    error = (output - y) / len(x)
    back = (error @ second.T) * (1 - hidden**2)
    return [x.T @ back, back.sum(0), hidden.T @ error, error.sum(0)]
