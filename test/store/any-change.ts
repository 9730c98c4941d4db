import fc from 'fast-check';
import { CHANGES, type Change, type Kind } from '../../src/model/change.ts';
import type { AnyMember, ChangeDefinition } from '../../src/model/define-change.ts';
import type { ExperimentContent } from '../../src/model/experiment-content.ts';
import { type Key, NONE } from '../../src/model/key.ts';
import type { ColumnType } from '../../src/model/member.ts';
import type { Preferences } from '../../src/model/records/preferences.ts';
import { NO_SIGNALS, ORIGINS, type ShownPage } from '../../src/model/shown-page.ts';

/** A page whose slots have every origin, and one signal. */
const SHOWN_PAGE: ShownPage = {
  ...{ time: 1_700_000_000.123, feed: 7, feed_type: 'trending', explored: { drawn: 2, from: 512 } },
  items: Uint32Array.from([5, 2 ** 31 - 1, 0, 4, 3]),
  slots: Uint16Array.from([1, 2, 9, 500, 1000]),
  origins: Uint8Array.from(ORIGINS.keys()),
  signals: Uint32Array.of(2 ** 32 - 1),
  learning: { window_seconds: 3_600, is_reported: true, is_control: false, is_learned: true },
  signal_values: Uint8Array.of(0, 1, 128, 254, 255),
};

export const EXPERIMENT: ExperimentContent = {
  ...{ account: 'default', name: '\0', feed_id: 'feed_1', metric: 'interactions', attribution_hours: 24 },
  ...{ status: 'running', salt: 'salt', period: 1, period_started_at: 1, ended: [], revision: 1 },
  ...{ created_at: 1, updated_at: 1, actor: 'key_1', operation: 'create' },
  ...{ method: 'split', pinned: { feed_1: 1, feed_2: 7 }, percent_changes: 1 },
  variants: [
    {
      ...{ name: 'control', feed_id: 'feed_1', percent: 50, arm: 1 },
      ranges: [{ from: 0, to: 2 ** 31, cohort: '0' }],
      left: [],
    },
    {
      ...{ name: 'other', feed_id: 'feed_2', percent: 12.5, arm: 2 },
      ranges: [{ from: 2 ** 31, to: 2 ** 31 + 2 ** 29, cohort: '0' }],
      left: [{ from: 2 ** 31 + 2 ** 29, to: 2 ** 32, cohort: '0-1' }],
    },
  ],
};

const PREFERENCES: Preferences<Key> = {
  muted: {
    ...{ words: ['late night', '"'], channels: ['https://example.com/é'], authors: [7] },
    labels: [{ value: 'politics', until: 1_700_000_000.123 }],
  },
  more: [{ kind: 'author', value: 2 ** 31 - 1 }],
  less: [{ kind: 'word', value: '#vinyl', until: 1_700_000_000 }],
  personalised: false,
};

/** Any string of UTF-16 units, well-formed or not. */
const text = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0x1a, 0xfeff, 0xd83d, 0xde00)), {
    maxLength: 12,
  })
  .map((units) => String.fromCharCode(...units));
const key = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const time = fc.double({ min: 0, max: 2 ** 32 - 1, noNaN: true }).map((value) => value + 0);
const metadata = fc
  .dictionary(text, fc.jsonValue())
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));

const OF_TYPE: Record<ColumnType, fc.Arbitrary<unknown>> = {
  key: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  count: fc.oneof(fc.constant(NONE), fc.maxSafeNat()),
  code: fc.nat(255),
  time,
  text,
  keys: fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 })).map((items) => Uint32Array.from(items)),
  numbers: fc.array(fc.double({ noNaN: true })).map((values) => Float64Array.from(values)),
  bytes: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((hash) => hash.toHex()),
};

const content = fc.record(
  { created_at: time, text, username: text, embed_items: fc.array(text), metadata },
  { requiredKeys: ['created_at'] },
);

/** Members whose values a column cannot have by its type alone. */
const OF_MEMBER: Record<string, fc.Arbitrary<unknown>> = {
  'item content': content,
  'user content': content,
  'experiment content': fc.constant(EXPERIMENT),
  'preferences content': fc.constant(PREFERENCES),
  'shown page': fc.constantFrom(SHOWN_PAGE, { ...SHOWN_PAGE, ...NO_SIGNALS, learning: undefined }),
  'learning content': fc.uint8Array(),
};

function anyValue(kind: Kind, name: string, member: AnyMember): fc.Arbitrary<unknown> {
  const { type, refers_to, may_lack, restore, words } = member;
  const own = OF_MEMBER[`${kind} ${name}`];
  if (own !== undefined) return own;
  if (type === 'key' && refers_to !== undefined) return may_lack ? fc.oneof(key, fc.constant(NONE)) : key;
  if (type === 'code' && restore === undefined && words !== undefined) return fc.nat(words.length - 1);
  if (type !== 'code' || restore === undefined) return OF_TYPE[type];
  const values = Array.from({ length: 256 }, (_, code) => restore(code));
  return fc.constantFrom(...values.filter((value) => value !== undefined));
}

/** Any change of a kind, `seq` 0. What may be absent is absent in some, and never NONE. */
export function anyOf({ kind, members }: ChangeDefinition & { kind: Kind }): fc.Arbitrary<Change> {
  const values = Object.entries(members).map(([name, member]) => {
    const value = anyValue(kind, name, member);
    const isGiven = (one: unknown) => one !== NONE;
    return [name, member.is_optional ? fc.option(value.filter(isGiven), { nil: undefined }) : value] as const;
  });
  const stamp = { kind: fc.constant(kind), seq: fc.constant(0), applied_at: time };
  return fc.record({ ...stamp, ...Object.fromEntries(values) }).map((change) => {
    const present = Object.entries(change).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present) as Change;
  });
}

/** Any change, `seq` 0. */
export const anyChange: fc.Arbitrary<Change> = fc.oneof(...CHANGES.map(anyOf));

/** Some changes of each kind, always the same ones. */
export function everyKind(): Change[] {
  return CHANGES.flatMap((change) => fc.sample(anyOf(change), { numRuns: 3, seed: 1 }));
}
