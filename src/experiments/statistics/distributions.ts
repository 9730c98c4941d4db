/** The normal and the chi-square distribution. See README.md for why no library is used. */

/** Terms smaller than this share of a sum do not change it. */
const PRECISION = 1e-16;
/** The series and the fraction below need far fewer terms for any value that a test statistic has. */
const TERMS_MAX = 10_000;
/** Stands for zero in a denominator of the continued fraction. */
const TINY = 1e-300;

/** The probability that a standard normal variable is below `z`. */
export function normalBelow(z: number): number {
  const tail = upperGamma(1, (z * z) / 2) / 2;
  return z > 0 ? 1 - tail : tail;
}

/**
 * The value below which a standard normal variable is with this probability: 1.96 for 0.975.
 * @param probability above 0 and below 1
 */
export function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  let low = -40;
  let high = 0;
  // Bisection: 60 steps reach the precision of a double, and it cannot leave the range.
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The probability that a chi-square variable with this many degrees of freedom is above `x`. */
export function chiSquareAbove(x: number, degrees_of_freedom: number): number {
  return upperGamma(degrees_of_freedom, x / 2);
}

/**
 * The regularised upper incomplete gamma function Q(n / 2, x).
 * Source: Numerical Recipes, 3rd edition, section 6.2: a series for small x, otherwise Lentz's continued fraction.
 */
function upperGamma(n: number, x: number): number {
  if (x <= 0) return 1;
  const a = n / 2;
  const scale = Math.exp(a * Math.log(x) - x - logGammaOfHalf(n));
  return x < a + 1 ? 1 - scale * seriesOf(a, x) : scale * fractionOf(a, x);
}

function seriesOf(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let index = 1; index < TERMS_MAX && term > sum * PRECISION; index++) {
    term *= x / (a + index);
    sum += term;
  }
  return sum;
}

function fractionOf(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let result = d;
  for (let index = 1; index < TERMS_MAX; index++) {
    const an = -index * (index - a);
    b += 2;
    d = 1 / nonZero(an * d + b);
    c = nonZero(b + an / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return result;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** ln Γ(n / 2), by Γ(x + 1) = x Γ(x) from Γ(1/2) = √π and Γ(1) = 1. O(n). */
function logGammaOfHalf(n: number): number {
  let result = n % 2 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let at = n % 2 === 0 ? 1 : 0.5; at < n / 2; at++) result += Math.log(at);
  return result;
}
