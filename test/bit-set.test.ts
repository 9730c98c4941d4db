import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BitSet } from '../src/bit-set.ts';
import { check } from './support/long.ts';

test('a bit set agrees with a set, also after it was emptied', () => {
  const member = fc.oneof(fc.nat(70), fc.nat(100_000));
  check(100, [fc.array(member), fc.array(member), fc.array(member)], (before, members, others) => {
    const bits = new BitSet();
    for (const each of before) bits.add(each);
    bits.clear();
    for (const each of members) bits.add(each);
    const expected = new Set(members);
    for (const asked of [...before, ...members, ...others]) expect(bits.has(asked)).toBe(expected.has(asked));
  });
});
