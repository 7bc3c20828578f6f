"""Mutants of four demos: each makes a build fail, or is listed with why it is equivalent."""

from tests.demos.mutant import Mutant, list_mutants

DEMOS = "generator/demos"
LAB = f"{DEMOS}/softmax-lab"


CHAIN_RULE = list_mutants(
    "chain-rule",
    f"{DEMOS}/chain_rule.py",
    ("square root of sech²", "return 1 / np.cosh(x) ** 2", "return 1 / np.cosh(x)"),
    ("slope that cancels", "return 1 / np.cosh(x) ** 2", "return 1 - np.tanh(x) ** 2"),
    (
        "inner derivative dropped",
        "lambda x: weight * sech_squared(weight * x + bias)",
        "lambda x: sech_squared(weight * x + bias)",
    ),
    (
        "slope without the bias",
        "lambda x: weight * sech_squared(weight * x + bias)",
        "lambda x: weight * sech_squared(weight * x)",
    ),
    ("slope at the output", "reversed(activations[:-1])", "reversed(activations[1:])"),
    ("layers in the wrong order", "zip(reversed(layers), reversed", "zip(layers, reversed"),
    ("sum instead of product", "product = product * layer", "product = product + layer"),
    (
        "every slope at the first input",
        "layer.slope(stored)\n    return act",
        "layer.slope(x)\n    return act",
    ),
    ("real part of the complex step", "value.imag / STEP", "value.real / STEP"),
    ("a step that truncates", "STEP = 1e-30", "STEP = 1e-3"),
    (
        "single precision input",
        "x = rng.standard_normal(1)",
        "x = rng.standard_normal(1).astype(np.float32)",
    ),
    ("errors not shared among layers", "(differences / depths)", "differences"),
    ("sum over depth", "np.cumprod(", "np.cumsum("),
    ("geometric mean over the full depth", "(1 / n)", "(1 / DEPTH)"),
    ("mean for median", "float(np.median(product[-1]))", "float(np.mean(product[-1]))"),
    ("another steepness", "STEEPNESS = 1.5", "STEEPNESS = 1.4"),
    ("another growth", "GROWTH, WOBBLE = 1.1, 0.05", "GROWTH, WOBBLE = 1.1, 0.15"),
    ("sign of the wobble's slope", "GROWTH + WOBBLE * np.cos(x)", "GROWTH - WOBBLE * np.cos(x)"),
    (
        "fixed point of another map",
        "x = float(np.tanh(weight * x))",
        "x = float(np.sin(weight * x))",
    ),
    ("power upside down", "np.log2(late / early)", "np.log2(early / late)"),
    ("natural logarithm of a doubling", "np.log2(late / early)", "np.log(late / early)"),
    (
        "compared with the cancelling layer only",
        "cancelling, _ = disagreements(seed, cancelling_tanh_layer)",
        "cancelling, _ = disagreements(seed, tanh_layer)",
    ),
    (
        "product from the front",
        "zip(reversed(layers), reversed(activations[:-1]), strict=True)",
        "zip(layers, activations[:-1], strict=True)",
        "scalar slopes commute; only rounding differs, far below every bound",
    ),
    (
        "ones in single precision",
        "np.ones_like(x)",
        "np.ones_like(x, dtype=np.float32)",
        "a float32 one times a float64 slope is that slope in float64",
    ),
)

VALIDATION_LOSS = list_mutants(
    "validation-loss",
    f"{DEMOS}/validation_loss.py",
    ("one row fewer in the fit", "LAST = 4", "LAST = 3"),
    (
        "loss not in logarithms",
        "np.log(parameters), np.log(losses)\n    spread",
        "np.log(parameters), losses\n    spread",
    ),
    (
        "parameters not in logarithms",
        "np.log(parameters), np.log(losses)\n    spread",
        "parameters, np.log(losses)\n    spread",
    ),
    (
        "logarithms to base two",
        "np.log(parameters), np.log(losses)\n    spread",
        "np.log2(parameters), np.log2(losses)\n    spread",
    ),
    ("slope through the origin", "np.sum((x - x.mean()) * (y - y.mean()))", "np.sum(x * y)"),
    ("uncentred spread", "np.sum((x - x.mean()) ** 2)", "np.sum(x**2)"),
    ("one degree of freedom too many", "freedom = len(losses) - 2", "freedom = len(losses) - 1"),
    (
        "variance for standard error",
        "error = sqrt(float(np.sum(residuals**2)) / freedom / spread)",
        "error = float(np.sum(residuals**2)) / freedom / spread",
    ),
    ("error of the residuals, not the slope", "/ freedom / spread)", "/ freedom)"),
    (
        "normal interval",
        "reach = student_quantile(level, self.freedom) * self.error",
        "reach = 1.96 * self.error",
    ),
    (
        "one-sided quantile",
        "central_mass(middle, freedom) < level",
        "central_mass(middle, freedom) < 2 * level - 1",
    ),
    (
        "Student's sum cut short",
        "range(1 if odd else 0, freedom - 1, 2)",
        "range(1 if odd else 0, freedom - 2, 2)",
    ),
    (
        "residuals turned round",
        "residuals = y - (intercept + exponent * x)",
        "residuals = (intercept + exponent * x) - y",
    ),
    ("intercept without the slope", "y.mean() - exponent * x.mean()", "y.mean()"),
    ("perplexity to base two", "perplexities = np.exp(losses)", "perplexities = np.exp2(losses)"),
    (
        "local slopes upside down",
        "return np.diff(np.log(losses)) / np.diff(np.log(parameters))",
        "return np.diff(np.log(parameters)) / np.diff(np.log(losses))",
    ),
    ("rounding to two decimals", "HALF_DIGIT = 0.0005", "HALF_DIGIT = 0.005"),
    ("no hat matrix", "np.eye(len(losses)) - hat", "np.eye(len(losses))"),
    ("excess over the wide fit", "law.predict(parameters[:1])", "wide.predict(parameters[:1])"),
    (
        "fit of the first rows",
        "fit_power_law(parameters[-LAST:], losses[-LAST:])",
        "fit_power_law(parameters[:LAST], losses[:LAST])",
    ),
    ("a last digit lost", 'float(row["loss"])', 'round(float(row["loss"]), 2)'),
    (
        "half precision",
        'np.array([float(row["loss"]) for row in rows])',
        'np.array([float(row["loss"]) for row in rows], dtype=np.float16)',
    ),
    (
        "columns swapped",
        'widths = np.array([int(row["d_model"])',
        'widths = np.array([int(row["heads"])',
    ),
    (
        "fewer bisections",
        "range(200)",
        "range(100)",
        "the interval has shrunk to neighbouring doubles after about 75 halvings",
    ),
) + list_mutants(
    "validation-loss",
    f"{DEMOS}/data/validation_loss.csv",
    ("first row dropped", "25000000,384,6,3.412\n", ""),
    ("middle row dropped", "350000000,1024,16,2.703\n", ""),
    ("digits transposed", "2.703", "2.730"),
    ("a wrong head count", "1280,20", "1280,16"),
    ("a size ten times too small", "125000000", "12500000"),
)

INNER_PRODUCT = list_mutants(
    "inner-product",
    f"{DEMOS}/inner_product.py",
    ("dot of sizes", "np.sum(x * y, axis=-1)", "np.sum(np.abs(x * y), axis=-1)"),
    (
        "dot with a constant",
        "np.sum(x * y, axis=-1)",
        "np.sum(x * y, axis=-1) + 1e-6",
    ),
    ("cosine with one length", "(np.sqrt(dot(x, x)) * np.sqrt(dot(y, y)))", "np.sqrt(dot(x, x))"),
    (
        "cosine with an epsilon",
        "(np.sqrt(dot(x, x)) * np.sqrt(dot(y, y)))",
        "(np.sqrt(dot(x, x)) * np.sqrt(dot(y, y)) + 1e-8)",
    ),
    ("distance without its sign", "return -dot(x - y, x - y)", "return dot(x - y, x - y)"),
    ("plus for minus in the distance", "return -dot(x - y, x - y)", "return -dot(x + y, x + y)"),
    ("matrix left out", "lambda x, y: dot(x @ matrix, y)", "lambda x, y: dot(x, y)"),
    ("a symmetric W", "[3.0, 1.0, 1.0], [0.0, -1.0, 2.0]", "[1.0, 1.0, -1.0], [0.0, -1.0, 2.0]"),
    ("another entry of W", "[3.0, 1.0, 1.0]", "[3.0, 2.0, 1.0]"),
    ("a definite A", "[2.0, 1.0, 0.0], [0.0, 0.0, 2.0]", "[2.0, 5.0, 0.0], [0.0, 0.0, 2.0]"),
    ("symmetry tried in one order", "score(x, y), score(y, x)", "score(x, y), score(x, y)"),
    ("a scalar forgotten", "a * score(x, z), b * score(y, z)", "a * score(x, z), score(y, z)"),
    ("positivity of any length", "np.min(score(unit, unit))", "np.min(score(x, x))"),
    ("largest for least", "np.min(score(unit, unit))", "np.max(score(unit, unit))"),
    ("the greatest direction", "vectors[:, 0]", "vectors[:, -1]"),
    ("W not made symmetric", "np.linalg.eigh((matrix + matrix.T) / 2)", "np.linalg.eigh(matrix)"),
    ("sign of the eigenvector", "vector * np.sign(", "-vector * np.sign("),
    ("a threshold in the rounding", "THRESHOLD = 1e-9", "THRESHOLD = 1e-16"),
    ("fewer trials", "TRIALS = 10_000", "TRIALS = 1_000"),
    ("the good directions counted", "(x, x) <= 0))", "(x, x) > 0))"),
    (
        "variance for standard error",
        "sqrt(share * (1 - share) / TRIALS)",
        "share * (1 - share) / TRIALS",
    ),
    ("only the last product", "total += a * b", "total = a * b"),
    ("keys not transposed", "queries @ keys.T - ", "queries @ keys - "),
    (
        "product in single precision",
        "queries @ keys.T - ",
        "queries.astype(np.float32) @ keys.T.astype(np.float32) - ",
    ),
    ("bound for one way of summing", "np.asarray(2 * roundoff", "np.asarray(roundoff"),
    ("bound without the width", "queries.shape[1] * float(", "float("),
    (
        "sum by einsum",
        "np.sum(x * y, axis=-1)",
        'np.einsum("...i,...i->...", x, y)',
        "the same sum of products; its rounding is far below the threshold",
    ),
)

SOFTMAX_LAB = (
    list_mutants(
        "softmax-lab",
        f"{LAB}/softmax.py",
        (
            "naive form shifted",
            "powers = np.exp(scores)",
            "powers = np.exp(scores - scores.max())",
        ),
        (
            "shifted form not shifted",
            "naive(scores - largest)",
            "naive(scores)",
        ),
        ("shifted by the minimum", "scores.max(axis=-1", "scores.min(axis=-1"),
        (
            "not divided by the sum",
            "return powers / powers.sum(axis=-1, keepdims=True)",
            "return powers",
        ),
        ("sum over all axes", "powers.sum(axis=-1, keepdims=True)", "powers.sum()"),
        ("base two", "np.exp(scores)", "np.exp2(scores)"),
    )
    + list_mutants(
        "softmax-lab",
        f"{LAB}/check_overflow.py",
        ("float16 is float32", '"float16": np.float16', '"float16": np.float32'),
        ("float64 is float32", '"float64": np.float64', '"float64": np.float32'),
        ("half as many scores", "N = 64", "N = 32"),
        ("scores up to 100", "TOP = 1000", "TOP = 100"),
        ("NaN only when all are", "np.isnan(weights).any()", "np.isnan(weights).all()"),
        ("zeros pass", 'return "zeros"', 'return "right"'),
        (
            "the sum not looked at",
            "if away <= N * np.finfo(weights.dtype).eps else",
            "if away <= 2 else",
            "a sum away from one never occurs without NaN or zeros, which are looked at first",
        ),
        ("bisection the wrong way", "low = middle\n", "high = middle\n"),
        ("first overflow misnamed", '"power" if np.isinf', '"sum" if np.isinf'),
        (
            "beyond is within",
            "np.nextafter(right, precision(np.inf))",
            "np.nextafter(right, precision(0))",
        ),
        ("half of the equal scores", "return np.full(N, score)", "return np.full(N // 2, score)"),
        ("two scores dominate", "scores[0] = score", "scores[:2] = score"),
        (
            "the middle in two halves",
            "(float(low) + float(high)) / 2",
            "float(low) / 2 + float(high) / 2",
            "halving is exact here, so the middle is the same",
        ),
    )
    + list_mutants(
        "softmax-lab",
        f"{LAB}/temperature.py",
        ("multiplied by the temperature", "logits / TEMPERATURES", "logits * TEMPERATURES"),
        ("entropy in bits", "np.log(weights", "np.log2(weights"),
        ("entropy with the wrong sign", "return -np.sum", "return np.sum"),
        ("smallest weight", "weights.max(axis=-1)", "weights.min(axis=-1)"),
        ("half of the logits", "np.load(LOGITS)", "np.load(LOGITS)[:32]"),
        ("not as hot", "np.arange(-5, 5.25, 0.25)", "np.arange(-5, 4.25, 0.25)"),
    )
    + list_mutants(
        "softmax-lab",
        f"{DEMOS}/softmax_lab.py",
        (
            "closed form without n",
            "float(np.finfo(precision).max) / equal",
            "float(np.finfo(precision).max)",
        ),
        ("closed form to base two", "return float(np.log(", "return float(np.log2("),
        ("smallest normal number", "np.finfo(precision).max", "np.finfo(precision).tiny"),
        ("another temperature", ".index(1.0)", ".index(2.0)"),
        ("choices to base two", "choices = np.exp(entropies)", "choices = np.exp2(entropies)"),
    )
)

MUTANTS: list[Mutant] = [*CHAIN_RULE, *VALIDATION_LOSS, *INNER_PRODUCT, *SOFTMAX_LAB]
