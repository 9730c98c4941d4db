/** Parses an embedding of an item: numbers, or 8-bit integers in base64, which is the stored form. */
import { LIMITS } from '../../limits.ts';
import { grouped } from '../../plugin/list-of.ts';
import { expected, type Refusal, refuse } from './refusal.ts';

const { embedding_length_min: LENGTH_MIN, embedding_length_max: LENGTH_MAX } = LIMITS;
const FORM = `an array of ${LENGTH_MIN} to ${grouped(LENGTH_MAX)} numbers, or base64 of as many signed 8-bit integers`;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** The largest number that is stored, in either direction. */
const STORED_MAX = 127;

/**
 * Checks an embedding and returns it as base64 of 8-bit integers.
 *
 * Numbers are scaled so that the largest becomes 127. Base64 is kept as it is. Only directions are compared, so the
 * scale has no meaning, and a vector of zeros, which has no direction, is refused.
 */
export function embedding(value: unknown): string | Refusal {
  if (typeof value === 'string') return encoded(value);
  if (!Array.isArray(value)) return expected(FORM, value);
  const length = refusedLength(value.length);
  if (length !== undefined) return length;
  let largest = 0;
  for (const [at, number] of value.entries()) {
    if (typeof number !== 'number' || !Number.isFinite(number)) return refuse('expected a number', `/${at}`);
    largest = Math.max(largest, Math.abs(number));
  }
  if (largest === 0) return refuse('expected at least one number other than 0');
  const scaled = Int8Array.from(value, (number: number) => Math.round((number / largest) * STORED_MAX));
  return new Uint8Array(scaled.buffer).toBase64();
}

function encoded(text: string): string | Refusal {
  const unpadded = text.replace(/=+$/, '');
  if (!BASE64.test(text) || unpadded.length % 4 === 1) return expected(FORM, text);
  const bytes = Uint8Array.fromBase64(unpadded);
  const length = refusedLength(bytes.length);
  if (length !== undefined) return length;
  if (bytes.every((byte) => byte === 0)) return refuse('expected at least one number other than 0');
  return bytes.toBase64();
}

export function embeddingLength(stored: string): number {
  return Math.floor((stored.replace(/=+$/, '').length * 3) / 4);
}

function refusedLength(length: number): Refusal | undefined {
  if (length >= LENGTH_MIN && length <= LENGTH_MAX) return undefined;
  return refuse(`expected ${LENGTH_MIN} to ${grouped(LENGTH_MAX)} numbers; got ${grouped(length)}`);
}
