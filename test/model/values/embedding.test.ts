import { describe, expect, test } from 'bun:test';
import { embedding, embeddingLength } from '../../../src/model/values/embedding.ts';
import { Refusal } from '../../../src/model/values/refusal.ts';

function base64Of(numbers: readonly number[]): string {
  return Buffer.from(Int8Array.from(numbers).buffer).toString('base64');
}

function messageOf(value: unknown): string {
  const checked = embedding(value);
  if (!(checked instanceof Refusal)) throw new Error(`accepted as ${checked}`);
  const [{ path, message }] = checked.faults;
  return `${path} ${message}`.trim();
}

describe('an embedding', () => {
  test('of numbers is scaled so that the largest becomes 127', () => {
    const numbers = [0.5, -0.25, 0.1, 0, ...Array<number>(12).fill(0.001)];
    expect(embedding(numbers)).toBe(base64Of([127, -64 + 1, 25, ...Array<number>(13).fill(0)]));
    expect(embedding(numbers.map((number) => number * 1e-9))).toBe(embedding(numbers));
  });

  test('in base64 is kept as it is, and padding is completed', () => {
    const stored = base64Of([-128, 127, ...Array<number>(17).fill(1)]);
    expect(embedding(stored)).toBe(stored);
    expect(embedding(stored.replaceAll('=', ''))).toBe(stored);
    expect(embeddingLength(stored)).toBe(19);
  });

  test('may have 16 to 1,024 numbers', () => {
    for (const length of [16, 1024]) {
      const stored = base64Of(Array<number>(length).fill(127));
      expect(embedding(Array<number>(length).fill(3))).toBe(stored);
      expect(embedding(stored)).toBe(stored);
    }
    for (const length of [0, 15, 1025]) {
      const message = `expected 16 to 1,024 numbers; got ${length.toLocaleString('en-US')}`;
      expect(messageOf(Array<number>(length).fill(1))).toBe(message);
      if (length > 0) expect(messageOf(base64Of(Array<number>(length).fill(1)))).toBe(message);
    }
  });

  test('of zeros is refused, because it has no direction', () => {
    const message = 'expected at least one number other than 0';
    expect(messageOf(Array<number>(16).fill(0))).toBe(message);
    expect(messageOf(base64Of(Array<number>(16).fill(0)))).toBe(message);
  });

  test.each([['x'], [null], [Number.NaN], [Number.POSITIVE_INFINITY], [[1]]])(
    'with the entry %p is refused at the entry',
    (entry) => {
      expect(messageOf([...Array<number>(20).fill(1), entry])).toBe('/20 expected a number');
    },
  );

  test.each(['not base64!', '%%%%', 'a'.repeat(25), 'AAAA=AAAA'.repeat(4), 7, {}, true])(
    '%p is refused with the allowed forms',
    (value) => {
      expect(messageOf(value)).toStartWith(
        'expected an array of 16 to 1,024 numbers, or base64 of as many signed 8-bit integers; got ',
      );
    },
  );
});
