/** Relative size of a step at which the continued fraction counts as converged. */
const TOLERANCE = 1e-15

/** Convergence takes about sqrt(max(a, b)) steps: this covers samples of several hundred million. */
const MAX_STEPS = 20_000

/** Stands in for zero in Lentz's algorithm, as its authors propose. */
const TINY = 1e-300

/**
 * Coefficients B(2k) / (2k (2k - 1)) of Stirling's series, with B the Bernoulli numbers.
 * Source: https://dlmf.nist.gov/5.11#E1
 */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360_360, 1 / 156]

/** From here on the seven terms above are exact to double precision. */
const STIRLING_FROM = 10

/** Natural logarithm of the gamma function for `x` > 0: Stirling's series, after moving small arguments up by the recurrence. */
export function logGamma(x: number): number {
  let shift = 0
  let z = x
  for (; z < STIRLING_FROM; z++) shift += Math.log(z)
  const series = STIRLING.reduce((sum, coefficient, k) => sum + coefficient / z ** (2 * k + 1), 0)
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift
}

/**
 * The regularised incomplete beta function I_x(a, b) for `a`, `b` > 0 and `x` in 0..1. `complement` is 1 - x, to be given where
 * it is known more exactly than the subtraction would yield it.
 * Source: https://dlmf.nist.gov/8.17#E22 (continued fraction) and https://dlmf.nist.gov/8.17#E4 (symmetry)
 */
export function incompleteBeta(x: number, a: number, b: number, complement = 1 - x): number {
  if (x <= 0) return 0
  if (complement <= 0) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(complement, b, a, x)
  const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b)
  return Math.exp(a * Math.log(x) + b * Math.log(complement) - logBeta) / (a * betaFraction(x, a, b))
}

/** 1 + d1/(1 + d2/(1 + …)) by Lentz's algorithm in the form of Thompson and Barnett (J. Comput. Phys. 64, 1986). */
function betaFraction(x: number, a: number, b: number): number {
  let value = 1
  let numerator = 1
  let denominator = 0
  for (let step = 1; step <= MAX_STEPS; step++) {
    const d = betaCoefficient(step, x, a, b)
    denominator = 1 / (1 + d * denominator || TINY)
    numerator = 1 + d / numerator || TINY
    value *= numerator * denominator
    if (Math.abs(numerator * denominator - 1) < TOLERANCE) break
  }
  return value
}

function betaCoefficient(step: number, x: number, a: number, b: number): number {
  const m = Math.floor(step / 2)
  const isEven = step % 2 === 0
  const top = isEven ? m * (b - m) : -(a + m) * (a + b + m)
  return (top * x) / ((a + step - 1) * (a + step))
}

/** Probability that |T| exceeds `t` for Student's distribution: I_x(df/2, 1/2) at x = df / (df + t²). Source: DLMF 8.17(i) */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  const total = degreesOfFreedom + t * t
  if (total === Infinity) return 0
  return incompleteBeta(degreesOfFreedom / total, degreesOfFreedom / 2, 0.5, (t * t) / total)
}

/** The `t` that |T| exceeds with probability `alpha` (0 < alpha < 1), by bisection; 1.96 for 0.05 and many degrees of freedom. */
export function studentCritical(alpha: number, degreesOfFreedom: number): number {
  let low = 0
  let high = 1
  while (studentTwoSided(high, degreesOfFreedom) > alpha) {
    low = high
    high *= 2
  }
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2
    if (studentTwoSided(middle, degreesOfFreedom) > alpha) low = middle
    else high = middle
  }
  return (low + high) / 2
}
