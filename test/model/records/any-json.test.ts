import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../../src/limits.ts';
import * as records from '../../../src/model/records/index.ts';
import { INTERACTION } from '../../../src/model/records/interaction.ts';
import { ITEM } from '../../../src/model/records/item.ts';
import { USER } from '../../../src/model/records/user.ts';
import type { Parsed } from '../../../src/model/values/record.ts';
import { check } from '../../support/long.ts';

const PARSERS: Record<string, (value: unknown) => Parsed<object>> = {
  item: records.parseItem,
  user: records.parseUser,
  follow: records.parseFollow,
  block: records.parseBlock,
  interaction: records.parseInteraction,
  impression: records.parseImpression,
  engagement: records.parseEngagement,
};

const FIELDS = [
  ...Object.keys(ITEM.schema.properties),
  ...Object.keys(USER.schema.properties),
  ...Object.keys(INTERACTION.schema.properties),
  'target_user_id',
  '__proto__',
  'constructor',
  'toString',
];

/** Values similar to valid ones, so that whole records are sometimes valid. */
const nearlyGood = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    'like',
    'add',
    'follow',
    'block',
    'en',
    '1,2',
    '',
    'x'.repeat(257),
    '2025-12-04T15:12:40Z',
    '2030-02-30',
  ),
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.nat(2 ** 31 - 1),
  fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.integer()), { maxLength: 5 }),
  fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')),
    fc.oneof(fc.double({ min: 0, max: 1 }), fc.array(fc.string())),
  ),
);

/** Text of a JSON object, because only text can have an own `__proto__`. */
const recordText = fc
  .array(fc.tuple(fc.constantFrom(...FIELDS), nearlyGood), { maxLength: 12 })
  .map((entries) => {
    const ids = [
      '"item_id":"i"',
      '"user_id":"u"',
      '"target_user_id":"t"',
      '"event_type":"like"',
      '"timestamp":5',
      '"likes_count":1',
    ];
    const given = entries.map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`,
    );
    return `{${[...ids, ...given].join(',')}}`;
  });

const IDENTIFIERS = new Set([
  'item_id',
  'user_id',
  'author_id',
  'target_user_id',
  'event_id',
  'parent_item_id',
  'root_item_id',
  'app_fid',
]);
const TIMES = new Set(['created_at', 'updated_at', 'timestamp']);

function assertWithinRange(name: string, value: unknown): void {
  if (value === undefined) return;
  // An author that is known to be unknown.
  if (name === 'author_id' && value === null) return;
  if (IDENTIFIERS.has(name)) {
    const characters = [...(value as string)].length;
    expect(characters >= 1 && characters <= LIMITS.id_length_max && !(value as string).includes('\0')).toBe(
      true,
    );
    expect((value as string).isWellFormed()).toBe(true);
  } else if (TIMES.has(name)) {
    const time = value as number;
    expect(time >= 0 && time <= LIMITS.stored_seconds_max && Math.round(time * 1000) / 1000 === time).toBe(
      true,
    );
  } else if (name.endsWith('_count')) {
    expect(Number.isSafeInteger(value) && (value as number) >= 0).toBe(true);
  } else if (name === 'ai_labels') {
    for (const score of Object.values(value as object)) expect(score >= 0 && score <= 1).toBe(true);
  } else if (name === 'content' || name === 'counters') {
    for (const [inner, held] of Object.entries(value as object)) assertWithinRange(inner, held);
  }
}

describe.each(Object.entries(PARSERS))('for any JSON, the %s parser', (_, parse) => {
  test('returns a record or faults with their paths', () => {
    check(
      100,
      [
        fc.oneof(
          fc.jsonValue(),
          recordText.map((text): unknown => JSON.parse(text)),
        ),
      ],
      (value) => {
        const parsed = parse(value);
        if (parsed.ok) return;
        expect(parsed.faults.length).toBeGreaterThan(0);
        for (const { path, message } of parsed.faults) {
          expect(path === '' || path.startsWith('/')).toBe(true);
          expect(message).not.toBe('');
        }
      },
    );
  });

  test('accepts only values within range', () => {
    let passed = 0;
    check(500, [recordText], (text) => {
      const parsed = parse(JSON.parse(text));
      if (!parsed.ok) return;
      passed++;
      for (const [name, value] of Object.entries(parsed.record)) assertWithinRange(name, value);
      // Storing and reading gives the same record.
      expect(parse(JSON.parse(text))).toEqual(parsed);
    });
    expect(passed).toBeGreaterThan(0);
  });

  test('does not change Object.prototype', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    check(100, [recordText], (text) => void parse(JSON.parse(text)));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });
});
