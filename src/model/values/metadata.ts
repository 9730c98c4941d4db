/** A publisher's `metadata` object: stored as sent, with limits on size and depth. */
import { LIMITS } from '../../limits.ts';
import { lostDigits } from '../../plugin/json-digits.ts';
import { expected, isPlainObject, type Reduced, type Refusal, refuse } from './refusal.ts';
import { withRounded } from './rounded.ts';
import { wellFormedObject } from './well-formed.ts';

/** Maximum nesting of objects and arrays, including the metadata object. */
export const METADATA_DEPTH_MAX = 32;

/** Maximum bytes of a number as JSON (-1.2345678901234567e-300 takes 24). */
const NUMBER_BYTES_MAX = 25;
/** Maximum bytes of a UTF-16 unit as JSON: `\u0000`. */
const UNIT_BYTES_MAX = 6;

/** Bounds of the size of a value as JSON, computed without building its text. */
class SizeBounds {
  /** The size lies between `lower` and `upper`. */
  lower = 0;
  upper = 0;
  /** Whether a number lost digits when it was parsed. */
  has_rounded = false;

  /** Walks `value`. Returns a message if it is not JSON, too deep or certainly too large. */
  measure(value: unknown, depth: number): string | undefined {
    if (typeof value === 'string') return this.grow(value.length + 2, value.length * UNIT_BYTES_MAX + 2);
    if (typeof value === 'number' && !Number.isNaN(value))
      return Number.isFinite(value) ? this.grow(1, NUMBER_BYTES_MAX) : 'expected numbers below 1.8e308';
    if (value === null || typeof value === 'boolean') return this.grow(4, 5);
    const is_array = Array.isArray(value);
    if (!is_array && !isPlainObject(value)) return 'expected JSON values only';
    if (depth > METADATA_DEPTH_MAX)
      return `expected at most ${METADATA_DEPTH_MAX} levels of objects and arrays`;
    this.has_rounded ||= lostDigits(value).size > 0;
    const too_large = this.grow(2, 2);
    if (too_large !== undefined) return too_large;
    return is_array ? this.measureArray(value, depth) : this.measureObject(value, depth);
  }

  private measureArray(values: readonly unknown[], depth: number): string | undefined {
    for (const value of values) {
      const problem = this.grow(0, 1) ?? this.measure(value, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  private measureObject(fields: Record<string, unknown>, depth: number): string | undefined {
    for (const name of Object.keys(fields)) {
      const named = this.grow(name.length + 3, name.length * UNIT_BYTES_MAX + 4);
      const problem = named ?? this.measure(fields[name], depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  private grow(lower: number, upper: number): string | undefined {
    this.lower += lower;
    this.upper += upper;
    return this.lower > LIMITS.metadata_bytes_max ? TOO_LARGE : undefined;
  }
}

const TOO_LARGE = `expected at most ${LIMITS.metadata_bytes_max} bytes as JSON`;

/**
 * Checks a JSON object of at most 64 KiB and 32 levels.
 *
 * Returns the same object unless it has unpaired surrogates. Takes two walks. Only an object near the size limit is
 * turned into text to count its bytes. Numbers that lost digits are named.
 */
export function metadata(
  value: unknown,
): Record<string, unknown> | Reduced<Record<string, unknown>> | Refusal {
  if (!isPlainObject(value)) return expected('a JSON object', value);
  const bounds = new SizeBounds();
  const problem = bounds.measure(value, 1);
  if (problem !== undefined) return refuse(problem);
  const kept = wellFormedObject(value);
  if (bounds.upper > LIMITS.metadata_bytes_max) {
    const { length } = new TextEncoder().encode(JSON.stringify(kept));
    if (length > LIMITS.metadata_bytes_max) return refuse(TOO_LARGE);
  }
  return bounds.has_rounded ? withRounded(kept, value) : kept;
}
