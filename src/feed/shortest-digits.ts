const LEAST = 1e-5;
const LIMIT = 10;
/** Digits are found in two parts: whole doubles have fifteen of them. */
const LAST_DIGITS = 1e8;
const FIRST_LEAST = 1e8;
const FIRST_LIMIT = 1e9;
/** What is left of a product is known to some 1e-8: what lies nearer to a boundary is not decided here. */
const UNSURE = 1e-6;
/** Splits a double into two of half the length (Dekker). */
const SPLITTER = 2 ** 27 + 1;
/** More than half a step to the next double, but for a power of 2, of which it is just half. */
const HALF_STEP = 2 ** -53;

/** Powers of ten that are doubles, and their halves, by the place of the first digit behind the point. */
const POWERS = [1e16, 1e17, 1e18, 1e19, 1e20, 1e21].map((power) => {
  const high = SPLITTER * power - (SPLITTER * power - power);
  return { power, high, low: power - high };
});

/**
 * The shortest decimal that reads back as the same double, and of these the nearest to it: what `String` gives, in half
 * the time. By its neighbours (Steele and White, "How to print floating-point numbers accurately", PLDI 1990), with products
 * that are exact in two doubles (Dekker, "A floating-point technique for extending the available precision", 1971). Only of
 * scores as they mostly are.
 */
export class ShortestDigits {
  /** Of seventeen digits, zeros behind, the first nine as a number, the first not 0; and the last eight. */
  first = 0;
  last = 0;
  /** Where the first digit stands: 0 before the point, 1 right behind it, and so on. */
  place = 0;

  /** @returns false for a number that is not from 1e-5 to less than 10, for a power of 2, and where it is not sure */
  find(value: number): boolean {
    if (!(value >= LEAST && value < LIMIT)) return false;
    // Added, it leads to the next double, but from a power of 2, whose neighbours are not equally far.
    const step = value + value * HALF_STEP - value;
    if (step === 0) return false;
    this.place = placeOf(value);
    const { power, high, low } = POWERS[this.place];
    const shifted = SPLITTER * value;
    const value_high = shifted - (shifted - value);
    const value_low = value - value_high;
    const product = value * power;
    // What it lacks of the exact product.
    const lacks = value_high * high - product + value_high * low + value_low * high + value_low * low;
    this.first = Math.floor(product / LAST_DIGITS);
    let rest = product - this.first * LAST_DIGITS + lacks;
    if (rest < 0) {
      this.first--;
      rest += LAST_DIGITS;
    }
    return this.shorten(rest, (step / 2) * power);
  }

  /** Rounds what follows the first digits as far as it stays within `half`. */
  private shorten(rest: number, half: number): boolean {
    this.last = Math.floor(rest + 0.5);
    if (isTie(Math.abs(this.last - rest), 1)) return false;
    for (let unit = 10; unit <= LAST_DIGITS; unit *= 10) {
      const rounded = Math.floor(rest / unit + 0.5) * unit;
      const off = Math.abs(rounded - rest);
      if (off > half - UNSURE) {
        if (off < half + UNSURE) return false;
        break;
      }
      if (isTie(off, unit)) return false;
      this.last = rounded;
    }
    if (this.last === LAST_DIGITS) {
      this.last = 0;
      this.first++;
    }
    return this.first >= FIRST_LEAST && this.first < FIRST_LIMIT;
  }
}

function placeOf(value: number): number {
  if (value >= 1) return 0;
  if (value >= 0.1) return 1;
  if (value >= 0.01) return 2;
  if (value >= 0.001) return 3;
  return value >= 0.0001 ? 4 : 5;
}

function isTie(off: number, unit: number): boolean {
  return Math.abs(off - unit / 2) < UNSURE;
}
