import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from '../../src/columns/bytes.ts';
import { readKeys, writeKeys } from '../../src/seen/item-keys.ts';
import { check } from '../support/long.ts';

function packed(keys: Uint32Array): Uint8Array {
  const writer = new ByteWriter();
  writeKeys(writer, keys);
  return writer.result();
}

const anyKeys = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.integer({ min: 70_000, max: 70_200 }),
      fc.constantFrom(0, 1, 2 ** 31 - 1),
    ),
    { maxLength: 60 },
  )
  .map((keys) => Uint32Array.from(keys));

test('item keys are read in the order in which they were written, with what follows them', () => {
  check(300, [anyKeys, anyKeys], (first, second) => {
    const writer = new ByteWriter();
    writeKeys(writer, first);
    writer.varint(2 ** 53 - 1);
    writer.uint48(2 ** 48 - 1);
    writeKeys(writer, second);
    const reader = new ByteReader(writer.result());
    expect(readKeys(reader)).toEqual(first);
    expect(reader.varint()).toBe(2 ** 53 - 1);
    expect(reader.uint48()).toBe(2 ** 48 - 1);
    expect(readKeys(reader)).toEqual(second);
    expect(reader.is_at_end).toBeTrue();
  });
});

test('item keys take at most 31 bits each and 8 bytes for all', () => {
  check(100, [anyKeys], (keys) => {
    expect(packed(keys).length).toBeLessThanOrEqual(8 + (31 * keys.length) / 8);
  });
});

test('one key far away does not make the others longer', () => {
  const close = Uint32Array.from({ length: 100 }, (_, index) => 1_000_000 + ((index * 37) % 100));
  const far = Uint32Array.of(...close, 5);
  expect(packed(far).length - packed(close).length).toBeLessThanOrEqual(5);
});

test('a row that names more keys than it has room for is refused before memory is taken for them', () => {
  const writer = new ByteWriter();
  for (const number of [2 ** 31, 0, 0, 0]) writer.varint(number);
  expect(() => readKeys(new ByteReader(writer.result()))).toThrow('end too early');
});

test('a row that is cut off is refused', () => {
  const bytes = packed(Uint32Array.of(1, 200, 3_000));
  for (let length = 0; length < bytes.length; length++)
    expect(() => readKeys(new ByteReader(bytes.subarray(0, length)))).toThrow('end too early');
  expect(() => new ByteReader(bytes).raw(bytes.length + 1)).toThrow('end too early');
});
